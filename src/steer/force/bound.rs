//! Where an agent is bound: along the path that a navigator found, straight to its goal where nobody navigates it.

use crate::sim::PathState;
use crate::steer::sense::Sense;
use glam::DVec3;

/// Where the way to a goal leads next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// It has no goal.
    Nowhere,
    /// It has arrived, and its goal is forgotten.
    There,
    /// It stays where it is: arrived, carried by a link, or without a way.
    Here,
    /// To a point.
    To(Leg),
}

/// The next piece of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    /// The point to go to now, m.
    pub(super) point: DVec3,
    /// The point after that, m; none where the first is the end.
    pub(super) then: Option<DVec3>,
    /// How long the way to the end is, m.
    pub(super) left: f64,
    /// Factor on the speed: the ground is slow.
    pub(super) speed: f64,
    /// Whether somebody navigates it; else it goes straight.
    pub(super) navigated: bool,
}

/// Where an agent goes on its way to its own goal, else its group's.
pub(super) fn bound(sense: &Sense<'_>) -> Bound {
    let agents = &sense.world.agents;
    let course = &agents.course[sense.slot];
    let goal = agents.goal[sense.slot].or(sense.group.goal);
    match (course.state, course.target, goal) {
        (PathState::Off, _, Some(goal)) => {
            let left = sense.offset_to(goal).length();
            Bound::To(Leg { point: goal, then: None, left, speed: 1.0, navigated: false })
        }
        (PathState::Idle | PathState::Off, _, _) => Bound::Nowhere,
        // Its own goal is forgotten when it arrived, the group's is not.
        (PathState::Reached | PathState::TargetOffMesh, None, None) => Bound::There,
        (_, None, _) => Bound::Here,
        (_, Some(point), _) => {
            let offset = sense.offset_to(point).length();
            // Off the mesh the length of the way counts from where it comes onto it.
            let left = if course.then.is_none() { offset } else { course.left.max(offset) };
            Bound::To(Leg { point, then: course.then, left, speed: course.speed, navigated: true })
        }
    }
}

/// Within so many metres of the end of its way an agent has arrived, as far as waiting is concerned: round a goal of all stand
/// all, as wide as discs of one and a half diameters.
pub(super) fn arrival(sense: &Sense<'_>) -> f64 {
    let agents = &sense.world.agents;
    let radius = agents.radius[sense.slot];
    let own = agents.goal[sense.slot].is_some() || sense.group.goal.is_none();
    let crowd = if own { 0.0 } else { 3.0 * radius * (sense.group.members.len() as f64).sqrt() };
    2.0 * radius + crowd
}
