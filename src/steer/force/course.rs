//! Along the path that the navigator found.

use super::Push;
use super::bound::{Bound, Leg, arrival, bound};
use super::goal::{SPEED, arrive_with, speed_of};
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
    let Some(then) = leg.then else {
        return Push { wish, ..arrive_with(sense, leg.point, DVec3::ZERO, limit).into() };
    };
    let most = corner_speed(sense, offset, sense.world.offset(leg.point, then), cut).max(SLOWEST * limit).min(limit);
    go(law::seek(offset, most))
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
