//! To a point: seek at full speed, arrive with braking.

use super::Push;
use super::bound::{Bound, arrival, bound};
use super::course::{CUT, DODGE, along, stand};
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
    arrive_with(sense, point, drift, speed_of(sense, speed))
}

/// As [`arrive_at`], at `most` m/s.
pub(super) fn arrive_with(sense: &Sense<'_>, point: DVec3, drift: DVec3, most: f64) -> DVec3 {
    let braking = law::BRAKING_SHARE * sense.max_acceleration();
    let wanted = law::arrive(sense.offset_to(point), drift, most, braking, sense.response());
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
    about: "To its own goal, else its group's, to rest there; along its path where there is `navigation`, else along an obstacle where it comes no nearer; \
            nothing without a goal.",
    source: "as arrive (E58: a taper at the goal instead of an orbit); out of a local minimum by following the wall (Lumelsky and Stepanov 1987, F22)",
    unit: "m/s2",
    turns: false,
    keeps: true,
    params: &[
        SPEED,
        Param::number(
            "patience",
            2.0,
            (0.0, 60.0),
            "s",
            "time without coming nearer after which it follows the obstacle in its way; 0 never does",
        ),
    ],
    compute: seek_goal,
};

/// Coming nearer by less than this is none, m.
const NEARER_M: f64 = 0.1;

/// What the way to a goal keeps: parts of a [`Kept`] by name.
struct Way {
    /// The least distance so far; while it follows a wall, that at which it began, m.
    best: f64,
    /// Ticks since that was reached.
    ticks: u32,
    /// 0: straight on; 1 or −1: along a wall, which lies to the right or left.
    side: f64,
}

impl Way {
    fn of(kept: &Kept, goal: DVec3) -> Self {
        // Another goal is another way.
        if kept.tag == 0 || kept.more[0] != goal {
            return Self { best: f64::INFINITY, ticks: 0, side: 0.0 };
        }
        Self { best: kept.number, ticks: kept.tag - 1, side: kept.vector.x }
    }

    fn kept(&self, goal: DVec3) -> Kept {
        let side = DVec3::new(self.side, 0.0, 0.0);
        Kept {
            number: self.best,
            tag: self.ticks.saturating_add(1),
            vector: side,
            more: [goal, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO],
        }
    }
}

fn seek_goal(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[speed, patience] = p else {
        return Push::default();
    };
    let goal = match bound(sense) {
        Bound::Nowhere => return Push::default(),
        Bound::There | Bound::Here => return stand(sense),
        Bound::To(leg) if leg.navigated => return along(sense, &leg, speed, (DODGE, CUT)),
        Bound::To(leg) => leg.point,
    };
    let (mut way, distance) = (Way::of(kept, goal), sense.offset_to(goal).length());
    let wall = if patience > 0.0 && !sense.world.obstacles.blocks_nothing() {
        find_wall(sense, goal, distance, patience, &mut way, hits)
    } else {
        None
    };
    *kept = way.kept(goal);
    if let Some(along) = wall {
        return law::relax(along * (0.7 * speed_of(sense, speed)), sense.velocity(), sense.relaxation()).into();
    }
    let going = distance > arrival(sense);
    let wish = if going { law::seek(sense.offset_to(goal), speed_of(sense, speed)) } else { DVec3::ZERO };
    Push { wish, ..arrive_at(sense, goal, DVec3::ZERO, speed).into() }
}

/// Watches whether the agent comes nearer; where it does not, the direction along the wall that is in its way.
fn find_wall(
    sense: &Sense<'_>,
    goal: DVec3,
    distance: f64,
    patience: f64,
    way: &mut Way,
    hits: &mut Vec<Hit>,
) -> Option<DVec3> {
    let (radius, at) = (sense.world.agents.radius[sense.slot], sense.position());
    let obstacles = &sense.world.obstacles;
    if way.side == 0.0 {
        if distance < way.best - NEARER_M {
            (way.best, way.ticks) = (distance, 0);
            return None;
        }
        way.ticks = way.ticks.saturating_add(sense.world.ticks_since(sense.slot) as u32);
        let waited = f64::from(way.ticks) * sense.world.dt() > patience;
        if !waited || distance < 2.0 * radius + NEARER_M || obstacles.sees(at, goal) {
            return None;
        }
    } else if distance < way.best - radius && obstacles.sees(at, goal) {
        *way = Way { best: distance, ticks: 0, side: 0.0 };
        return None;
    }
    // The gap that it keeps to the wall it follows.
    let gap = radius + 0.4;
    obstacles.within(at, gap + 1.5, hits);
    let Some(near) = hits.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)) else {
        *way = Way { best: distance, ticks: 0, side: 0.0 };
        return None;
    };
    let left = DVec3::new(-near.normal.y, near.normal.x, 0.0);
    if way.side == 0.0 {
        // The side that leads nearer to the goal; straight before it the agent's own.
        let lean = left.dot(sense.offset_to(goal));
        let own = if sense.slot.is_multiple_of(2) { 1.0 } else { -1.0 };
        *way = Way { best: distance, ticks: 0, side: if lean.abs() > 1e-3 * distance { lean.signum() } else { own } };
    }
    let correction = near.normal * ((gap - near.distance) * 1.5).clamp(-1.0, 1.0);
    Some((left * way.side + correction).normalize_or_zero())
}
