//! Along the path that the navigator found.

use super::Push;
use super::goal::{SPEED, arrive_with, speed_of};
use crate::sim::PathState;
use crate::sim::obstacle::Hit;
use crate::sim::rng::steady;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Along its path to its goal.
pub const FOLLOW_PATH: ForceSpec = ForceSpec {
    name: "follow_path",
    about: "Along the path to its goal; straight to the goal where the scene has no `navigation`.",
    source: "Reynolds 1999 seek and arrive; speed before a corner √(a·c/tan(θ/2)) for a turn by θ within c",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        SPEED,
        Param::number(
            "dodge",
            1.0,
            (0.0, 1.5),
            "rad",
            "who is blocked turns aside by up to so much, by lot; 0 never does",
        ),
        Param::number("cut", 0.4, (0.0, 10.0), "m", "how far before a corner the turn may begin: slower with less"),
    ],
    compute: follow_path,
};

/// Slower than this share of its speed nobody turns.
const SLOWEST: f64 = 0.15;

fn follow_path(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed, dodge, cut] = p else {
        return Push::default();
    };
    let agents = &sense.world.agents;
    let course = &agents.course[sense.slot];
    let limit = speed_of(sense, speed);
    if course.state == PathState::Off {
        let goal = agents.goal[sense.slot].or(sense.group.goal);
        return goal.map_or_else(Push::default, |goal| arrive_with(sense, goal, DVec3::ZERO, limit).into());
    }
    if course.state == PathState::Idle {
        return Push::default();
    }
    let limit = limit * course.speed;
    let Some(target) = course.target else {
        // Arrived, carried, or without a way: it stands.
        return law::relax(DVec3::ZERO, sense.velocity(), sense.relaxation()).into();
    };
    if course.state == PathState::Blocked && dodge > 0.0 {
        let wanted = law::seek(sense.offset_to(target), limit);
        return law::relax(aside(sense, wanted, dodge), sense.velocity(), sense.relaxation()).into();
    }
    let Some(then) = course.then else {
        return arrive_with(sense, target, DVec3::ZERO, limit).into();
    };
    let offset = sense.offset_to(target);
    let most = corner_speed(sense, offset, sense.world.offset(target, then), cut).max(SLOWEST * limit).min(limit);
    law::relax(law::seek(offset, most), sense.velocity(), sense.relaxation()).into()
}

/// A blocked agent keeps to one side for so long, s.
const ASIDE_SECS: f64 = 0.8;

/// Two who face each other, or an arch before a door, would stand for ever: each turns aside by its own lot.
fn aside(sense: &Sense<'_>, wanted: DVec3, most: f64) -> DVec3 {
    let world = sense.world;
    let lot = [sense.slot as i64 + 1, (world.time() / ASIDE_SECS) as i64, 0];
    let (sin, cos) = libm::sincos(most * steady(world.settings.seed, lot));
    DVec3::new(wanted.x * cos - wanted.y * sin, wanted.x * sin + wanted.y * cos, wanted.z)
}

/// The speed at which an agent may come along `leg` so that it can turn into `next` at its end: on a circle of radius R = v²/a
/// the turn by θ begins R·tan(θ/2) before the corner.
fn corner_speed(sense: &Sense<'_>, leg: DVec3, next: DVec3, cut: f64) -> f64 {
    let (distance, size) = (leg.length(), next.length());
    if distance < 1e-9 || size < 1e-9 {
        return f64::INFINITY;
    }
    let cosine = (leg.dot(next) / (distance * size)).clamp(-1.0, 1.0);
    // tan²(θ/2) = (1 − cos θ)/(1 + cos θ)
    let tangent = ((1.0 - cosine) / (1.0 + cosine).max(1e-6)).sqrt();
    let most = law::BRAKING_SHARE * sense.max_acceleration();
    let turn = most * cut / tangent.max(1e-6);
    (turn + 2.0 * most * (distance - cut).max(0.0)).sqrt()
}
