//! What drives a pedestrian: the wish to go its way at its own pace.

use super::super::path::route_offset;
use crate::sim::PathState;
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

pub(super) const WAY: Param = Param {
    name: "way",
    kind: Kind::Vector,
    unit: "m",
    about: "where to go, as a vector from here, for good; zero: to its goal, else along the route",
};
pub(super) const CLOSED: Param = Param {
    name: "closed",
    kind: Kind::Switch(true),
    unit: "",
    about: "after the last point of the route comes the first again",
};
pub(super) const REACH: Param =
    Param::number("reach", 0.5, (0.01, 20.0), "m", "a point of the route counts as passed within this distance");
pub(super) const TAPER: Param = Param::number(
    "taper",
    0.3,
    (0.0, 20.0),
    "m",
    "it slows down within this distance of its goal, sooner when it is fast",
);

/// Towards the goal at the desired speed.
pub const DRIVING: ForceSpec = ForceSpec {
    name: "driving",
    about: "Takes on its desired speed towards its goal, along its route, or the way it is told; slows down at the end.",
    source: "Helbing and Molnar 1995, eq. 2: (v₀·e − v)/τ (R171); slower near the goal (E58); herding e ∝ (1 − p)·e₀ + p·⟨eⱼ⟩ \
             after Helbing, Farkas and Vicsek 2000",
    unit: "m/s2",
    turns: false,
    keeps: true,
    params: &[
        Param::number("speed", 1.34, (0.0, 20.0), "m/s", "desired speed v0"),
        Param::number("tau", 0.5, (0.02, 10.0), "s", "time in which it takes on its speed"),
        WAY,
        TAPER,
        CLOSED,
        REACH,
        Param::number("herding", 0.0, (0.0, 1.0), "", "how much it goes the way of those near instead of its own (p)"),
        Param::number("view", 5.0, (0.0, 50.0), "m", "whose way it goes: agents of any group up to this distance"),
    ],
    compute: driving,
};

/// Where an agent wants to go: the direction, and how far it is to the end (infinite on the way to something beyond).
///
/// In this order: the way that it is told, its goal (its own, else its group's; along its path where the scene has a mesh), the
/// next point of its group's route. Zero without any of them.
pub(super) fn direction(sense: &Sense<'_>, way: DVec3, (closed, reach): (f64, f64), kept: &mut Kept) -> (DVec3, f64) {
    let to = |offset: DVec3| {
        let left = offset.length();
        (if left > 1e-9 { offset / left } else { DVec3::ZERO }, left)
    };
    if way != DVec3::ZERO {
        return (way.normalize_or_zero(), f64::INFINITY);
    }
    if let Some(goal) = sense.world.agents.goal[sense.slot].or(sense.group.goal) {
        let course = &sense.world.agents.course[sense.slot];
        if matches!(course.state, PathState::Off | PathState::Idle) {
            return to(sense.offset_to(goal));
        }
        // Arrived, carried, or without a way: it stands.
        let Some(target) = course.target else { return (DVec3::ZERO, 0.0) };
        let (unit, left) = to(sense.offset_to(target));
        return (unit, if course.then.is_some() { left.max(course.left) } else { left });
    }
    let Some((offset, last)) = route_offset(sense, (closed > 0.5, reach, reach), kept) else {
        return (DVec3::ZERO, 0.0);
    };
    let (unit, left) = to(offset);
    (unit, if last { left } else { f64::INFINITY })
}

/// The factor on the speed of the ground it walks on, where the scene has a mesh.
pub(super) fn ground_factor(sense: &Sense<'_>) -> f64 {
    let course = &sense.world.agents.course[sense.slot];
    if matches!(course.state, PathState::Off | PathState::Idle) { 1.0 } else { course.speed }
}

fn driving(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed, tau, x, y, z, taper, closed, reach, herding, view] = p else {
        return Push::default();
    };
    let (tau, speed) = (tau.max(1e-3), speed * ground_factor(sense));
    let (mut unit, left) = direction(sense, DVec3::new(x, y, z), (closed, reach), kept);
    if herding > 0.0 {
        let mixed = unit * (1.0 - herding) + ways_of_others(sense, view) * herding;
        unit = mixed.try_normalize().unwrap_or(unit);
    }
    // x″ = (−g·x − x′)/τ overshoots by 6 % of that way at most while g ≤ 1/(2τ).
    let share = (left / taper.max(2.0 * speed * tau).max(1e-6)).min(1.0);
    ((unit * (speed * share) - sense.velocity()) / tau).into()
}

/// The mean direction in which those near go; who stands goes nowhere. Zero where nobody goes.
fn ways_of_others(sense: &Sense<'_>, view: f64) -> DVec3 {
    let grid = &sense.world.grid;
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    grid.visit(sense.position(), view, Some(sense.slot as u32), |slot, _, _| {
        let v = grid.velocity_of(&sense.world.agents, slot as usize);
        if v.length_squared() > 1e-6 {
            sum += v.normalize_or_zero();
            count += 1.0;
        }
    });
    if count > 0.0 { sum / count } else { DVec3::ZERO }
}
