//! Along a route, or behind a leader.

use super::Push;
use super::bound::arrival;
use super::goal::{SPEED, arrive_at, speed_of};
use crate::sim::angle::direction;
use crate::sim::obstacle::Hit;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Along the group's route.
pub const FOLLOW_ROUTE: ForceSpec = ForceSpec {
    name: "follow_route",
    about: "Along the group's route, point by point; nothing without a route.",
    source: "Reynolds 1999 path following: seek a point ahead on the leg; arrive at the last one",
    unit: "m/s2",
    turns: false,
    keeps: true,
    params: &[
        Param {
            name: "closed",
            kind: Kind::Switch(true),
            unit: "",
            about: "after the last point comes the first again",
        },
        Param::number("reach", 0.5, (0.01, 20.0), "m", "a point counts as passed within this distance"),
        Param::number("ahead", 1.0, (0.0, 20.0), "m", "how far ahead on the leg it looks"),
        SPEED,
    ],
    compute: follow_route,
};

fn follow_route(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[closed, reach, ahead, speed] = p else {
        return Push::default();
    };
    let Some((offset, last)) = route_offset(sense, (closed > 0.5, reach, ahead), kept) else {
        return Push::default();
    };
    let wanted = law::seek(offset, speed_of(sense, speed));
    if last {
        let point = sense.group.route.last().copied().unwrap_or_default();
        let wish = if offset.length() > arrival(sense) { wanted } else { DVec3::ZERO };
        return Push { wish, ..arrive_at(sense, point, DVec3::ZERO, speed).into() };
    }
    Push::leading(law::relax(wanted, sense.velocity(), sense.relaxation()), wanted)
}

/// The vector to the point of the route that an agent goes to, m, and whether this is the end of an open route; none without a
/// route. `how`: whether the route is closed, within which distance a point is passed, how far ahead on the leg it looks.
///
/// Keeps the number of the point. A point is passed within `reach`, or once the agent is beyond it along the leg.
pub(super) fn route_offset(
    sense: &Sense<'_>,
    (closed, reach, ahead): (bool, f64, f64),
    kept: &mut Kept,
) -> Option<(DVec3, bool)> {
    let route = &sense.group.route;
    let last = route.len().checked_sub(1)?;
    let closed = closed && last > 0;
    let mut to = (kept.tag as usize).min(last);
    let begun = kept.number > 0.5;
    let leg = |to: usize| match to {
        0 if closed && begun => Some(route[last]),
        0 => None,
        _ => Some(route[to - 1]),
    };
    let passed = |to: usize| {
        let offset = sense.offset_to(route[to]);
        let beyond = leg(to).is_some_and(|from| offset.dot(sense.world.offset(from, route[to])) <= 0.0);
        offset.length_squared() <= reach * reach || beyond
    };
    if passed(to) && (to < last || closed) {
        to = if to < last { to + 1 } else { 0 };
        kept.number = 1.0;
    }
    kept.tag = to as u32;
    let mut offset = sense.offset_to(route[to]);
    if to == last && !closed {
        return Some((offset, true));
    }
    if let Some(from) = leg(to) {
        let along = sense.world.offset(from, route[to]);
        let length = along.length();
        if length > 1e-9 {
            let unit = along / length;
            let left = offset.dot(unit);
            // The point of the leg beside the agent, then `ahead` further on, at most to its end.
            offset -= unit * (left - ahead).max(0.0);
        }
    }
    Some((offset, false))
}

/// Behind the leader.
pub const FOLLOW_LEADER: ForceSpec = ForceSpec {
    name: "follow_leader",
    about: "To a point behind its leader, then along with it; nothing without a leader.",
    source: "Reynolds 1999; yaw-only frame that keeps its last heading below 0.1 m/s (E26), leader's velocity added (E27)",
    unit: "m/s2",
    turns: false,
    keeps: true,
    params: &[
        Param::number("behind", 1.5, (0.0, 50.0), "m", "distance behind the leader"),
        Param::number("aside", 0.0, (-50.0, 50.0), "m", "distance to the leader's left"),
        SPEED,
    ],
    compute: follow_leader,
};

/// A leader slower than this, m/s, does not turn the frame of those who follow.
const LEADER_MOVES: f64 = 0.1;

fn follow_leader(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[behind, aside, speed] = p else {
        return Push::default();
    };
    let Some(leader) = sense.world.leader_of(sense.group.id).map(|slot| slot as usize) else {
        return Push::default();
    };
    if leader == sense.slot {
        return Push::default();
    }
    let agents = &sense.world.agents;
    if kept.tag == 0 || agents.velocity[leader].length_squared() > LEADER_MOVES * LEADER_MOVES {
        *kept = Kept { number: agents.heading[leader], tag: 1, ..*kept };
    }
    let forward = direction(kept.number);
    let left = DVec3::new(-forward.y, forward.x, 0.0);
    let point = agents.position[leader] - forward * behind + left * aside;
    arrive_at(sense, point, agents.velocity[leader], speed).into()
}
