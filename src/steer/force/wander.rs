//! Strolling about.

use super::Push;
use super::goal::{SPEED, speed_of};
use crate::sim::angle;
use crate::sim::obstacle::Hit;
use crate::sim::rng::steady;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Goes on, turning at random.
pub const WANDER: ForceSpec = ForceSpec {
    name: "wander",
    about: "Goes on, turning at random.",
    source: "Reynolds 1999; the turn is smooth noise of (seed, agent, time), so nothing is kept",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        SPEED,
        Param::number("spread", 1.0, (0.0, 3.15), "rad", "largest angle off its way"),
        Param::number("change", 1.0, (0.05, 60.0), "s", "time between changes of mind"),
    ],
    compute: wander,
};

fn wander(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed, spread, change] = p else {
        return Push::default();
    };
    let world = sense.world;
    let heading = if sense.velocity().length_squared() > 1e-6 {
        angle::angle_of(sense.velocity())
    } else {
        world.agents.heading[sense.slot]
    };
    let flat = angle::direction(heading + spread * noise(sense, change, 0));
    let way = if world.settings.planar {
        flat
    } else {
        let climb = 0.5 * spread * noise(sense, change, 1);
        DVec3::new(flat.x * libm::cos(climb), flat.y * libm::cos(climb), libm::sin(climb))
    };
    law::relax(way * speed_of(sense, speed), sense.velocity(), sense.relaxation()).into()
}

/// Noise in [−1, 1] that changes smoothly with time: two draws of the agent's own stream, blended with level ends.
fn noise(sense: &Sense<'_>, period: f64, salt: i64) -> f64 {
    let world = sense.world;
    let id = world.agents.id(sense.slot as u32);
    let time = world.time() / period.max(1e-3);
    let whole = libm::floor(time);
    let draw =
        |at: f64| steady(world.settings.seed, [i64::from(id.slot), at as i64, salt << 32 | i64::from(id.generation)]);
    let (before, after) = (draw(whole), draw(whole + 1.0));
    before + (after - before) * law::smooth_step(time - whole, 0.0, 1.0)
}
