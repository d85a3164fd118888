//! Along the path that the navigator found.

use super::Push;
use super::bound::{Bound, Leg, arrival, bound};
use super::goal::{SPEED, arrive_with, speed_of};
use crate::sim::PathState;
use crate::sim::obstacle::Hit;
use crate::sim::stuck::PATIENCE_SECS;
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
            DODGE,
            (0.0, 1.5),
            "rad",
            "who is stuck turns aside by up to so much, by lot; 0 never does",
        ),
        Param::number("cut", CUT, (0.0, 10.0), "m", "how far before a corner the turn may begin: slower with less"),
    ],
    compute: follow_path,
};

/// How far before a corner the turn may begin where nobody says otherwise, m.
pub(super) const CUT: f64 = 0.4;

/// By how much who is stuck turns aside where nobody says otherwise, rad.
pub(super) const DODGE: f64 = 1.0;

/// Slower than this share of its speed nobody turns.
const SLOWEST: f64 = 0.15;

fn follow_path(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed, dodge, cut] = p else {
        return Push::default();
    };
    match bound(sense) {
        Bound::Nowhere => Push::default(),
        Bound::There | Bound::Here => stand(sense),
        Bound::To(leg) => along(sense, &leg, speed, (dodge, cut)),
    }
}

/// Comes to rest.
pub(super) fn stand(sense: &Sense<'_>) -> Push {
    law::relax(DVec3::ZERO, sense.velocity(), sense.relaxation()).into()
}

/// Along the next piece of the way at up to `speed` (m/s; 0: the body's own limit). Who is stuck turns aside by up to `dodge`
/// (rad); a turn may begin `cut` before a corner (m).
pub(super) fn along(sense: &Sense<'_>, leg: &Leg, speed: f64, (dodge, cut): (f64, f64)) -> Push {
    let limit = speed_of(sense, speed) * leg.speed;
    let offset = sense.offset_to(leg.point);
    let going = leg.left > arrival(sense);
    let wish = if going { law::seek(offset, limit) } else { DVec3::ZERO };
    let go = |wanted: DVec3| Push::leading(law::relax(wanted, sense.velocity(), sense.relaxation()), wish);
    if leg.navigated
        && dodge > 0.0
        && going
        && let Some(attempt) = sense.attempt(PATIENCE_SECS)
    {
        return go(attempt.turned(law::seek(offset, limit), dodge));
    }
    if leg.then.is_none() {
        return Push { wish, ..arrive_with(sense, leg.point, DVec3::ZERO, limit).into() };
    }
    let most = speed_before_corners(sense, leg, limit, cut).max(SLOWEST * limit);
    go(law::seek(offset, most))
}

/// The speed, `limit` m/s at most, from which an agent can brake for every corner of its way that it comes to: on a circle of
/// radius R = v²/a the turn by θ begins R·tan(θ/2) = `cut` before the corner. Corners within `cut` of each other, such as those of
/// a rounded one, are one: a turn from the way into the first to the way that differs most from it.
fn speed_before_corners(sense: &Sense<'_>, leg: &Leg, limit: f64, cut: f64) -> f64 {
    let braking = law::BRAKING_SHARE * sense.max_acceleration();
    let mut most = limit;
    let (mut from, mut distance) = (sense.position(), 0.0);
    let mut points = ahead(sense, leg);
    while let Some(corner) = points.next() {
        let way = sense.world.offset(from, corner);
        distance += way.length();
        let room = (distance - cut).max(0.0);
        if 2.0 * braking * room >= most * most {
            break;
        }
        if let Some(way) = way.try_normalize() {
            // tan²(θ/2) = (1 − cos θ)/(1 + cos θ)
            let cosine = sharpest(sense, way, corner, points.clone(), cut);
            let tangent = ((1.0 - cosine) / (1.0 + cosine).max(1e-6)).sqrt();
            most = most.min((braking * cut / tangent.max(1e-6) + 2.0 * braking * room).sqrt());
        }
        from = corner;
    }
    most
}

/// The cosine of the largest angle between `way` into a corner and the ways out of it and of those within `cut` m behind it.
fn sharpest(sense: &Sense<'_>, way: DVec3, corner: DVec3, points: impl Iterator<Item = DVec3>, cut: f64) -> f64 {
    let (mut from, mut behind, mut cosine) = (corner, 0.0, 1.0_f64);
    for to in points {
        let out = sense.world.offset(from, to);
        let length = out.length();
        if length > 1e-9 {
            cosine = cosine.min(way.dot(out) / length);
        }
        behind += length;
        if behind > cut {
            break;
        }
        from = to;
    }
    cosine.clamp(-1.0, 1.0)
}

/// The points of its way, from the one that it goes to on, m.
fn ahead<'a>(sense: &Sense<'a>, leg: &Leg) -> impl Iterator<Item = DVec3> + Clone + 'a {
    let course = &sense.world.agents.course[sense.slot];
    // Who stands off the mesh comes to the first of them after the point where it comes onto it.
    let known = if course.state == PathState::AgentOffMesh { 1 } else { 2 };
    let rest = course.ahead().get(known..).unwrap_or(&[]);
    [Some(leg.point), leg.then].into_iter().flatten().chain(rest.iter().copied())
}
