//! The social force in its simple form: circles that push each other off, exponentially.

use super::{FROM, MARGIN, SIGHT, each_seen, find_walls, grow, unit_to};
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Walls act up to so many times their length scale beyond contact, where the push begins at 0.
const WALL_REACH: f64 = 6.0;

/// Away from people and walls.
pub const SOCIAL_FORCE: ForceSpec = ForceSpec {
    name: "social_force",
    about: "Away from people and walls, exponentially with the gap between the bodies.",
    source: "Helbing and Molnar 1995 as circles: A·exp((rᵢⱼ − d)/B)·n (R172, R174), less its value at `radius` so that nothing \
             jumps there (E50); A in m/s² (E59); no further division by the distance (E52)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 2.0, (0.0, 20.0), "m", "people up to this distance count, center to center"),
        FROM,
        Param::number("A", 2.0, (0.0, 60.0), "m/s2", "push of a person at contact; below speed/tau people overlap"),
        Param::number("B", 0.3, (0.02, 2.0), "m", "way over which it falls to 1/e"),
        Param::number("wall_A", 2.0, (0.0, 60.0), "m/s2", "push of a wall at contact"),
        Param::number("wall_B", 0.2, (0.02, 2.0), "m", "way over which that falls to 1/e"),
        MARGIN,
        Param {
            name: "half_angle",
            kind: Kind::Cone,
            unit: "rad",
            about: "half angle of the field of view round the way it looks; pi is all round",
        },
        Param::number("behind", 0.5, (0.0, 1.0), "", "weight of those outside of the field of view"),
        Param::number(
            "tangent",
            0.0,
            (0.0, 10.0),
            "1/s",
            "sliding friction of people close by, against turning round each other",
        ),
        SIGHT,
    ],
    compute: social_force,
};

fn social_force(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, a, b, wall_a, wall_b, margin, view, behind, tangent, sight] = p else {
        return Push::default();
    };
    let agents = &sense.world.agents;
    let (own, b, wall_b) = (agents.radius[sense.slot] + margin, b.max(1e-3), wall_b.max(1e-3));
    let walls = find_walls(sense, own + WALL_REACH * wall_b, radius, sight > 0.5, hits);
    let mut sum = DVec3::ZERO;
    let ending = law::exp(-WALL_REACH);
    for hit in hits.iter().filter(|hit| hit.distance < own + WALL_REACH * wall_b) {
        sum += hit.normal * (wall_a * (grow((own - hit.distance) / wall_b) - ending));
    }
    let narrow = view > -1.0;
    let forward = if narrow { agents.forward(sense.slot) } else { DVec3::ZERO };
    // What is subtracted depends on the other's radius only, which seldom changes from one to the next.
    let (mut known, mut cut) = (f64::NAN, 0.0);
    each_seen(sense, (radius, from), &walls, |near, other| {
        let both = own + agents.radius[other] + margin;
        if both.to_bits() != known.to_bits() {
            (known, cut) = (both, grow((both - radius) / b));
        }
        let closeness = grow((both - near.distance) / b);
        let to = unit_to(sense, near);
        let mut push = to * (-a * (closeness - cut));
        if tangent > 0.0 {
            let sliding = law::across(sense.velocity() - sense.world.grid.velocity(near.entry), to);
            push -= sliding * (tangent * (closeness.min(1.0) - cut.min(1.0)));
        }
        let seen = !narrow || near.offset.dot(forward) >= view * near.distance;
        sum += if seen { push } else { push * behind };
    });
    sum.into()
}
