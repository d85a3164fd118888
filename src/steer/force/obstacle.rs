//! Round obstacles, braking in time.

use super::Push;
use crate::sim::Stream;
use crate::sim::obstacle::Hit;
use crate::sim::rng::Use;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Away from obstacles and round them.
pub const OBSTACLE: ForceSpec = ForceSpec {
    name: "obstacle",
    about: "Brakes before obstacles in time, pushes off them and goes round them.",
    source: "braking v²/(2d) along the normal, C¹ taper in the range, tangential part on the side of the way (E28, E46)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("range", 2.0, (0.0, 100.0), "m", "distance at which it begins; farther when the braking way is"),
        Param::number("strength", 4.0, (0.0, 50.0), "m/s2", "push at the surface without motion"),
        Param::number("tangent", 1.0, (0.0, 5.0), "", "share of the push that leads round an obstacle in the way"),
        Param::number("margin", 0.1, (0.0, 10.0), "m", "distance that is left when it has braked"),
    ],
    compute: obstacle,
};

/// The push of one obstacle is at most so many times the acceleration limit: enough to win against a pull to the far side.
const CAP: f64 = 4.0;

/// Every obstacle within reach adds its own share, fading to 0 at the reach, so nothing jumps when another one becomes the
/// nearest (F26).
fn obstacle(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[range, strength, tangent, margin] = p else {
        return Push::default();
    };
    let obstacles = &sense.world.obstacles;
    if obstacles.blocks_nothing() {
        return Push::default();
    }
    let radius = sense.world.agents.radius[sense.slot];
    let most = sense.max_acceleration().max(1e-6);
    let speed = sense.velocity().length();
    let response = sense.response() - sense.relaxation();
    let braking = speed * speed / (2.0 * most) + speed * response + margin;
    let reach = range.max(1.5 * braking);
    obstacles.within(sense.position(), radius + reach, hits);
    let mut sum = DVec3::ZERO;
    for hit in hits.iter() {
        let gap = hit.distance - radius;
        let closing = (-sense.velocity().dot(hit.normal)).max(0.0);
        // What it takes to stop `margin` before the surface, with the way of the dead time and lag taken off.
        let way = (gap - margin - closing * response).max(0.02 * (radius + margin).max(0.05));
        let needed = closing * closing / (2.0 * way);
        let brake = needed * law::smooth_step(needed / most, 0.3, 0.8);
        let taper = (1.0 - gap.max(0.0) / range.max(1e-9)).max(0.0);
        let push = (strength * taper * taper + brake).min(CAP * most);
        let inside = if hit.distance < 0.0 { CAP * most } else { push };
        sum += hit.normal * inside + along(sense, hit) * (tangent * (push + strength * taper));
    }
    sum.into()
}

/// The share of its speed limit at which an agent that goes along an obstacle keeps its side.
const SIDE_SHARE: f64 = 0.1;

/// The way round an obstacle: along its surface, to the side the agent's way leads to; longer the more the obstacle bars the
/// way (0 beside or behind it, 1 straight ahead). Straight ahead the side is the agent's and the obstacle's own, so that
/// it never hesitates.
pub(super) fn along(sense: &Sense<'_>, hit: &Hit) -> DVec3 {
    let way = sense.way();
    let barred = (-way.dot(hit.normal)).max(0.0);
    if barred <= 0.0 {
        return DVec3::ZERO;
    }
    // Who already goes round it goes on to that side: a wish straight through an obstacle changes its side with every inch.
    let going = law::across(sense.velocity(), hit.normal);
    let wished = law::across(way, hit.normal);
    let moves = SIDE_SHARE * sense.max_speed();
    let side = if going.length_squared() > moves * moves {
        going
    } else if wished.length_squared() > 1e-8 {
        wished
    } else {
        chosen_side(sense, hit)
    };
    side.normalize_or_zero() * barred
}

fn chosen_side(sense: &Sense<'_>, hit: &Hit) -> DVec3 {
    let n = hit.normal;
    let left = DVec3::new(-n.y, n.x, 0.0);
    let left = if left.length_squared() > 1e-6 { left } else { DVec3::X };
    let (seed, slot) = (sense.world.settings.seed, sense.slot as u64);
    let mut luck = Stream::with_salt(seed, slot, 0, Use::Force, u64::from(hit.id.slot));
    if luck.next_u64() & 1 == 0 { left } else { -left }
}
