//! To the place of a formation: the plain pull and the drill controller.

use super::Push;
use super::goal::{SPEED, arrive_at};
use crate::sim::body::limit;
use crate::sim::obstacle::Hit;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// To the agent's place, moving with it.
pub const SEEK_SLOT: ForceSpec = ForceSpec {
    name: "seek_slot",
    about: "To its place in the formation, then along with it; nothing without a place.",
    source: "as arrive, with the place's velocity added (E27)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[SPEED],
    compute: seek_slot,
};

fn seek_slot(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let (&[speed], Some(place)) = (p, sense.place()) else {
        return Push::default();
    };
    arrive_at(sense, place.position, place.velocity, speed).into()
}

/// The drill controller, twin of `track_slot_lua`.
pub const TRACK_SLOT: ForceSpec = ForceSpec {
    name: "track_slot",
    about: "Holds its place: PID on the position with feed-forward, P on the heading.",
    source: "v = v* + k1·gap + kd·(v* − v) + k3·∫gap, turn = ω* + k2·wrap(θ* − θ) (E01, E04, E12)",
    unit: "m/s",
    turns: true,
    keeps: true,
    params: &[
        Param::number("k1", 3.75, (0.0, 6.0), "1/s", "position gain"),
        Param::number("kd", 0.66, (0.0, 2.0), "", "damping: gain on the speed relative to the place"),
        Param::number("k2", 1.5, (0.0, 6.0), "1/s", "heading gain"),
        Param::number("k3", 0.0, (0.0, 1.0), "1/s2", "integral gain; 0 also forgets the integral"),
        Param::number("windup", 0.5, (0.0, 5.0), "m s", "most that the integral may hold"),
    ],
    compute: track_slot,
};

/// The integral is one vector per agent, so one per axis (E12), limited by length. It starts anew when the integral gain is 0
/// and when the agent gets a place of another number, so that a switch gives no bump. Without a place the agent's place is
/// where it believes to be: it comes to rest.
fn track_slot(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[k1, kd, k2, k3, windup] = p else {
        return Push::default();
    };
    let place = sense.place_or_here();
    let gap = sense.offset_to(place.position);
    if place.index.wrapping_add(1) != kept.tag {
        *kept = Kept { tag: place.index.wrapping_add(1), ..Kept::default() };
    }
    kept.vector = if k3 > 0.0 { limit(kept.vector + gap * sense.world.dt(), windup) } else { DVec3::ZERO };
    Push {
        vector: place.velocity + gap * k1 + (place.velocity - sense.velocity()) * kd + kept.vector * k3,
        turn: place.turn_rate + k2 * sense.turn_to(place.heading),
    }
}
