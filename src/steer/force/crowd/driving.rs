//! What drives a pedestrian: the wish to go its way at its own pace.

use super::super::bound::{Bound, arrival, bound};
use super::super::path::route_offset;
use crate::sim::obstacle::Hit;
use crate::sim::stuck::PATIENCE_SECS;
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
pub(super) const PATIENCE: Param = Param::number(
    "patience",
    PATIENCE_SECS,
    (0.0, 60.0),
    "s",
    "time without getting on after which it tries other ways, more rarely each time; 0: never",
);

/// Who is stuck turns aside by up to this, rad: it goes on to press, so that a crowd stays one.
const TURN: f64 = 0.5;

/// And presses harder: impatience raises the desired speed (Helbing, Farkas and Vicsek 2000) up to so many times as much, which
/// Helbing and Molnar 1995 give as the fastest that people go; with each try that brought nothing it presses so much harder
/// again. Alone before a door of 0.9 m whose jambs push with the numbers of 2000, a body of 0.3 m at 0.8 m/s stood for ever:
/// drive 1.6 m/s² against 1.84 m/s² at most, and what one try gains beside that is too little for the second that it lasts.
const HASTE: f64 = 1.3;

/// So many tries are each harder than the one before.
const HASTES: u64 = 3;

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
    about: "Takes on its desired speed towards its goal (along its path, where there is `navigation`), along its route, or the way \
            it is told; slows down at the end; where it is stuck it presses harder for a moment, a little aside.",
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
        PATIENCE,
    ],
    compute: driving,
};

/// Where an agent wants to go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    /// The direction, a unit vector; zero without anything to go to.
    pub(super) unit: DVec3,
    /// How far it is to the end, m; infinite on the way to something beyond.
    pub(super) left: f64,
    /// Factor on the speed here.
    pub(super) speed: f64,
    /// Whether it is on the way: not near enough to the end that others may stand where it would.
    pub(super) going: bool,
}

impl Heading {
    const NONE: Self = Self { unit: DVec3::ZERO, left: 0.0, speed: 1.0, going: false };

    fn to(offset: DVec3, left: f64, going: bool) -> Self {
        let distance = offset.length();
        Self { unit: if distance > 1e-9 { offset / distance } else { DVec3::ZERO }, left, speed: 1.0, going }
    }
}

/// Where an agent wants to go, in this order: the way that it is told; its goal (its own, else its group's), along its path
/// where somebody navigates it; the next point of its group's route.
pub(super) fn direction(sense: &Sense<'_>, way: DVec3, (closed, reach): (f64, f64), kept: &mut Kept) -> Heading {
    if way != DVec3::ZERO {
        return Heading { unit: way.normalize_or_zero(), left: f64::INFINITY, speed: 1.0, going: true };
    }
    match bound(sense) {
        Bound::To(leg) => {
            let heading = Heading::to(sense.offset_to(leg.point), leg.left, leg.left > arrival(sense));
            return Heading { speed: leg.speed, ..heading };
        }
        Bound::Here => return Heading::NONE,
        Bound::Nowhere | Bound::There => {}
    }
    let Some((offset, last)) = route_offset(sense, (closed > 0.5, reach, reach), kept) else {
        return Heading::NONE;
    };
    let left = if last { offset.length() } else { f64::INFINITY };
    Heading::to(offset, left, left > arrival(sense))
}

fn driving(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[speed, tau, x, y, z, taper, closed, reach, herding, view, patience] = p else {
        return Push::default();
    };
    let tau = tau.max(1e-3);
    let heading = direction(sense, DVec3::new(x, y, z), (closed, reach), kept);
    let mut unit = heading.unit;
    if herding > 0.0 {
        let mixed = unit * (1.0 - herding) + ways_of_others(sense, view) * herding;
        unit = mixed.try_normalize().unwrap_or(unit);
    }
    let speed = speed * heading.speed;
    // x″ = (−g·x − x′)/τ overshoots by 6 % of that way at most while g ≤ 1/(2τ).
    let share = (heading.left / taper.max(2.0 * speed * tau).max(1e-6)).min(1.0);
    let wish = if heading.going { unit * (speed * share) } else { DVec3::ZERO };
    if let Some(attempt) = sense.attempt(patience).filter(|_| heading.going) {
        let haste = (0..(attempt.number + 1).min(HASTES)).fold(1.0, |haste, _| haste * HASTE);
        unit = attempt.turned(unit, TURN) * haste;
    }
    Push::leading((unit * (speed * share) - sense.velocity()) / tau, wish)
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
