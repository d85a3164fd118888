//! Away from agents of another group, or after them.

use super::Push;
use super::goal::{SPEED, speed_of};
use crate::sim::obstacle::Hit;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, NOBODY, OWN, Param};
use crate::steer::sense::{Kept, Near, Sense, Want};
use glam::DVec3;

const FROM: Param = Param {
    name: "from",
    kind: Kind::Group(""),
    unit: "",
    about: "the group that is fled or chased; empty: nobody, \"any\": everybody",
};
const RADIUS: Param = Param::number("radius", 6.0, (0.0, 200.0), "m", "agents up to this distance count");
const AHEAD: Param = Param::number("ahead", 1.0, (0.0, 10.0), "s", "how far ahead the other's way is guessed, at most");

/// Nobody chases or flees its own group unless that is named.
fn group(from: f64) -> f64 {
    if crate::steer::registry::is_code(from, OWN) { NOBODY } else { from }
}

/// Away from all agents of a group, stronger the nearer they are.
pub const FLEE: ForceSpec = ForceSpec {
    name: "flee",
    about: "Away from agents of another group, the faster the nearer they are.",
    source: "Reynolds 1999 with a ramp from 0 at the radius and a boost at contact (R140, E22)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        FROM,
        RADIUS,
        SPEED,
        Param::number("boost", 1.0, (0.0, 10.0), "", "how much more it pushes at contact than far away"),
    ],
    compute: flee,
};

fn flee(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[from, radius, speed, boost] = p else {
        return Push::default();
    };
    let (mut away, mut closest) = (DVec3::ZERO, f64::INFINITY);
    sense.each(all_round(radius, from), |near| {
        away -= sense.direction(&near) * (1.0 - near.distance / radius);
        closest = closest.min(near.distance);
    });
    if closest > radius {
        return Push::default();
    }
    let closeness = 1.0 - closest / radius.max(1e-9);
    // Between two threats the sum may vanish: then it does not brake either, which is what a ramp by its length does.
    let ramp = law::smooth_step(closeness, 0.0, 0.25) * (1.0 + boost * closeness);
    let wanted = law::saturate(away, 0.0) * speed_of(sense, speed);
    if wanted == DVec3::ZERO {
        return Push::default();
    }
    (law::relax(wanted, sense.velocity(), sense.relaxation()) * ramp).into()
}

fn all_round(radius: f64, from: f64) -> Want {
    Want { radius, cosine: -2.0, from: group(from), most: 0.0 }
}

/// The nearest agent of a group; equal distances by slot.
fn nearest(sense: &Sense<'_>, radius: f64, from: f64) -> Option<Near> {
    let mut best: Option<Near> = None;
    sense.each(all_round(radius, from), |near| {
        let order = |near: &Near| (near.distance, sense.slot_of(near.entry));
        let closer = |best: &Near| order(&near) < order(best);
        if best.as_ref().is_none_or(closer) {
            best = Some(near);
        }
    });
    best
}

/// The vector to where the other will be when it is met, m.
fn meeting(sense: &Sense<'_>, near: &Near, ahead: f64) -> DVec3 {
    let speed = sense.velocity().length().max(0.5 * sense.max_speed());
    let time = if speed > 0.0 { (near.distance / speed).min(ahead) } else { 0.0 };
    near.offset + sense.world.agents.velocity[sense.slot_of(near.entry)] * time
}

/// After the nearest agent of a group.
pub const PURSUE: ForceSpec = ForceSpec {
    name: "pursue",
    about: "After the nearest agent of another group, to where it will be.",
    source: "Reynolds 1999: seek the predicted position",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[FROM, RADIUS, SPEED, AHEAD],
    compute: pursue,
};

fn pursue(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[from, radius, speed, ahead] = p else {
        return Push::default();
    };
    let Some(near) = nearest(sense, radius, from) else {
        return Push::default();
    };
    let wanted = law::seek(meeting(sense, &near, ahead), speed_of(sense, speed));
    law::relax(wanted, sense.velocity(), sense.relaxation()).into()
}

/// Away from where the nearest agent of a group will be.
pub const EVADE: ForceSpec = ForceSpec {
    name: "evade",
    about: "Away from where the nearest agent of another group will be.",
    source: "Reynolds 1999: flee the predicted position, with a ramp from 0 at the radius",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[FROM, RADIUS, SPEED, AHEAD],
    compute: evade,
};

fn evade(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[from, radius, speed, ahead] = p else {
        return Push::default();
    };
    let Some(near) = nearest(sense, radius, from) else {
        return Push::default();
    };
    let to = meeting(sense, &near, ahead);
    let away = if to.length_squared() > 1e-12 { -to.normalize_or_zero() } else { -sense.direction(&near) };
    let wanted = away * speed_of(sense, speed);
    let ramp = law::smooth_step(1.0 - near.distance / radius.max(1e-9), 0.0, 0.25);
    (law::relax(wanted, sense.velocity(), sense.relaxation()) * ramp).into()
}

/// To the nearest morsel, to rest there.
pub const FOOD: ForceSpec = ForceSpec {
    name: "food",
    about: "To the nearest agent of a group that is food, to rest there.",
    source: "as arrive (E27), to the nearest; equal distances by number",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[FROM, RADIUS, SPEED],
    compute: food,
};

fn food(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[from, radius, speed] = p else {
        return Push::default();
    };
    let Some(near) = nearest(sense, radius, from) else {
        return Push::default();
    };
    let drift = sense.world.agents.velocity[sense.slot_of(near.entry)];
    let braking = law::BRAKING_SHARE * sense.max_acceleration();
    let wanted = law::arrive(near.offset, drift, speed_of(sense, speed), braking, sense.response());
    law::relax(wanted, sense.velocity(), sense.relaxation()).into()
}
