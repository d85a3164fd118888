//! To a point: seek at full speed, arrive with braking.

use super::Push;
use crate::sim::obstacle::Hit;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

const TARGET: Param = Param { name: "target", kind: Kind::Vector, unit: "m", about: "the point to go to" };

pub(super) const SPEED: Param =
    Param::number("speed", 0.0, (0.0, 50.0), "m/s", "largest speed on the way; 0: the body's own limit");

/// The speed that a `speed` parameter means, m/s.
pub(super) fn speed_of(sense: &Sense<'_>, asked: f64) -> f64 {
    if asked > 0.0 { asked.min(sense.max_speed()) } else { sense.max_speed() }
}

/// The push that arrives at a point that moves with `drift`.
pub(super) fn arrive_at(sense: &Sense<'_>, point: DVec3, drift: DVec3, speed: f64) -> DVec3 {
    let braking = law::BRAKING_SHARE * sense.max_acceleration();
    let wanted = law::arrive(sense.offset_to(point), drift, speed_of(sense, speed), braking, sense.response());
    law::relax(wanted, sense.velocity(), sense.relaxation())
}

/// Full speed to a point and past it.
pub const SEEK: ForceSpec = ForceSpec {
    name: "seek",
    about: "At full speed to a point, and past it.",
    source: "Reynolds 1999: (vmax·unit(target − p) − v)/τ with the body's relaxation time τ",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[TARGET, SPEED],
    compute: seek,
};

fn seek(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[x, y, z, speed] = p else {
        return Push::default();
    };
    let wanted = law::seek(sense.offset_to(DVec3::new(x, y, z)), speed_of(sense, speed));
    law::relax(wanted, sense.velocity(), sense.relaxation()).into()
}

/// To a point, to rest there.
pub const ARRIVE: ForceSpec = ForceSpec {
    name: "arrive",
    about: "To a point, to rest there.",
    source: "speed min(vmax, √(2·a·d)), linear near the point (E27, F17, F18)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[TARGET, SPEED],
    compute: arrive,
};

fn arrive(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[x, y, z, speed] = p else {
        return Push::default();
    };
    arrive_at(sense, DVec3::new(x, y, z), DVec3::ZERO, speed).into()
}

/// To the agent's own goal, else its group's, to rest there.
pub const SEEK_GOAL: ForceSpec = ForceSpec {
    name: "seek_goal",
    about: "To its own goal, else its group's, to rest there; nothing without a goal.",
    source: "as arrive (E58: a taper at the goal instead of an orbit)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[SPEED],
    compute: seek_goal,
};

fn seek_goal(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed] = p else {
        return Push::default();
    };
    let Some(goal) = sense.world.agents.goal[sense.slot].or(sense.group.goal) else {
        return Push::default();
    };
    arrive_at(sense, goal, DVec3::ZERO, speed).into()
}
