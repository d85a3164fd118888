//! The collision-free speed model: the direction by who is near, the speed by the room ahead.

use super::driving::{CLOSED, PATIENCE, REACH, TAPER, WAY, direction};
use super::{FROM, SIGHT, each_seen, find_walls, grow, unit_to};
use crate::sim::avoid::csm::{room, speed as free_speed};
use crate::sim::avoid::parting::{self, Parting};
use crate::sim::neighbors::sums::TOUCHING;
use crate::sim::obstacle::Hit;
use crate::sim::stuck::TRY_SPEED;
use crate::steer::force::Push;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// How many of those ahead are kept.
const KEPT: usize = 24;

/// The repulsion of walls reaches so many times its length scale.
const WALL_REACH: f64 = 20.0;

/// The velocity that keeps clear of the one ahead.
pub const CSM: ForceSpec = ForceSpec {
    name: "csm",
    about: "Goes to its goal, away from those very close, as fast as the room ahead allows; tries other ways when it got stuck.",
    source: "Tordeux, Chraibi and Seyfried 2016 (arXiv 1512.05597): e ∝ e₀ − Σ a·exp((l − s)/D)·e_ij, v = min(v₀, (s − l)/T); \
             defaults of JuPedSim 1.4; tries after `patience` without getting on, one rule for all",
    unit: "m/s",
    turns: false,
    keeps: true,
    params: &[
        Param::number("radius", 3.0, (0.0, 20.0), "m", "people up to this distance count"),
        FROM,
        Param::number("speed", 1.2, (0.0, 20.0), "m/s", "desired speed v0"),
        Param::number(
            "time_gap",
            1.0,
            (0.05, 10.0),
            "s",
            "time gap T to the one ahead; 0.5 fits measured flows, 1 is the default of the model",
        ),
        Param::number("a", 8.0, (0.0, 50.0), "", "how much people turn its way, at contact"),
        Param::number("D", 0.1, (0.01, 2.0), "m", "way over which that falls to 1/e"),
        Param::number("wall_a", 5.0, (0.0, 50.0), "", "how much walls turn its way, at contact"),
        Param::number("wall_D", 0.02, (0.01, 2.0), "m", "way over which that falls to 1/e"),
        WAY,
        TAPER,
        CLOSED,
        REACH,
        PATIENCE,
        SIGHT,
    ],
    compute: csm,
};

fn csm(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, speed, gap, a, d, wall_a, wall_d, x, y, z, taper, closed, reach, patience, sight] = p else {
        return Push::default();
    };
    let own = sense.world.agents.radius[sense.slot];
    let heading = direction(sense, DVec3::new(x, y, z), (closed, reach), kept);
    let (steep, wall_d, gap) = (1.0 / d.max(1e-3), wall_d.max(1e-3), gap.max(1e-3));
    let walls = find_walls(sense, own + WALL_REACH * wall_d, radius, sight > 0.5, hits);
    let mut way = heading.unit;
    for hit in hits.iter().filter(|hit| hit.distance < own + WALL_REACH * wall_d) {
        way += hit.normal * (wall_a * grow((own - hit.distance) / wall_d));
    }
    // Of those that may stand ahead, whom the speed depends on: kept, so that they are looked for once.
    let (mut ahead, mut count) = ([(DVec3::ZERO, 0.0, 0.0); KEPT], 0);
    let mut parting = Parting::default();
    each_seen(sense, (radius, from), &walls, |near, other| {
        let both = own + sense.world.agents.radius[other];
        let to = unit_to(sense, near);
        way -= to * (a * grow((both - near.distance) * steep));
        if Parting::counts(near.distance, both) {
            let apart = || parting::lot(sense.world, sense.slot, other);
            parting.meet(if near.distance > TOUCHING { to } else { apart() }, near.distance, both);
        }
        // Whoever is farther than this slows nobody down.
        if near.distance - both < speed * heading.speed.max(1.0) * gap {
            if let Some(place) = ahead.get_mut(count) {
                *place = (to, near.distance, both);
            }
            count += 1;
        }
    });
    let mut unit = way.normalize_or_zero();
    let mut most = speed * heading.speed * (heading.left / taper.max(1e-6)).min(1.0);
    let wish = if heading.going { heading.unit * most } else { DVec3::ZERO };
    if let Some(attempt) = sense.attempt(patience).filter(|_| heading.going) {
        unit = attempt.turned(heading.unit, std::f64::consts::PI);
        most *= TRY_SPEED;
    }
    let mut least = f64::INFINITY;
    let mut meet = |to: DVec3, distance: f64, both: f64| {
        if let Some(room) = room(unit, to, distance, both) {
            least = least.min(room);
        }
    };
    if count <= KEPT {
        ahead[..count].iter().for_each(|(to, distance, both)| meet(*to, *distance, *both));
    } else {
        each_seen(sense, (radius, from), &walls, |near, other| {
            meet(unit_to(sense, near), near.distance, own + sense.world.agents.radius[other]);
        });
    }
    Push::leading(parting.instead_of(unit * free_speed(least, gap, most)), wish)
}
