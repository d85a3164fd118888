//! To the place of a formation: the plain pull and the drill controller.

use super::Push;
use super::goal::{SPEED, arrive_at};
use crate::sim::body::limit;
use crate::sim::obstacle::Hit;
use crate::steer::pid::{Law, Pid, Windup};
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
    source: "v = v* + k1·gap + D + I, D on the speed relative to the place, turn = ω* + k2·wrap(θ* − θ) (E01, E04, E12; Åström and Hägglund 2006, 3.4–3.5)",
    unit: "m/s",
    turns: true,
    keeps: true,
    params: &[
        Param::number("k1", 3.75, (0.0, 6.0), "1/s", "position gain"),
        Param::number("kd", 0.66, (0.0, 2.0), "", "damping: gain on the speed relative to the place"),
        Param::number(
            "filter",
            0.0,
            (0.0, 1.0),
            "s",
            "time constant of the damping's filter; 0 takes the speed as it is sensed",
        ),
        Param::number("k2", 1.5, (0.0, 6.0), "1/s", "heading gain"),
        Param::number("k3", 0.0, (0.0, 1.0), "1/s2", "integral gain; 0 also forgets the integral"),
        Param::number(
            "weight_b",
            1.0,
            (0.0, 1.0),
            "",
            "share of a jump of the place that k1 sees at once; counts with k3 only",
        ),
        Param::number("windup", 0.5, (0.0, 5.0), "m s", "most that the integral may hold"),
    ],
    compute: track_slot,
};

/// What the controller keeps of an agent: the parts of a [`Kept`] by name.
struct Memory {
    /// The controller itself.
    pid: Pid<DVec3>,
    /// The measured position of the last tick.
    before: DVec3,
    /// Where the place was to be by its own motion.
    expected: DVec3,
    /// The sum of the jumps of the place.
    jumps: DVec3,
}

impl Memory {
    fn of(kept: &Kept) -> Self {
        let [derivative, before, expected, jumps] = kept.more;
        let mut pid = Pid::default();
        (pid.integral, pid.derivative) = (kept.vector, derivative);
        Self { pid, before, expected, jumps }
    }

    fn into_kept(self, tag: u32) -> Kept {
        let more = [self.pid.derivative, self.before, self.expected, self.jumps];
        Kept { vector: self.pid.integral, number: 0.0, tag, more }
    }
}

/// The integral is one vector per agent, so one per axis (E12). It starts anew when the integral gain is 0 and when the agent gets
/// a place of another number, so that a switch gives no bump; a vector is limited by its length, and what the body cannot do
/// leads the integral back. Without a place the agent's place is where it believes to be: it comes to rest.
fn track_slot(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[k1, kd, filter, k2, k3, weight, windup] = p else {
        return Push::default();
    };
    let (place, h) = (sense.place_or_here(), sense.since());
    let gap = sense.offset_to(place.position);
    let tag = place.index.wrapping_add(1);
    let mut memory = if tag == kept.tag {
        Memory::of(kept)
    } else {
        // The whole way to a new place is a jump of it.
        let fresh = Memory::of(&Kept::default());
        Memory { before: sense.sensed_position(), expected: place.position, jumps: gap, ..fresh }
    };
    memory.jumps += sense.world.offset(memory.expected, place.position);
    let relative = if filter > 0.0 {
        sense.world.offset(memory.before, sense.sensed_position()) - place.velocity * h
    } else {
        (sense.velocity() - place.velocity) * h
    };
    let tracking = if kd > 0.0 { (kd / k3.max(1e-9)).sqrt() } else { k1 / k3.max(1e-9) };
    let law = Law { kp: k1, ki: k3, kd, filter, tracking, windup: Windup::BackCalculation };
    let weighted = if k3 > 0.0 { gap - memory.jumps * (1.0 - weight) } else { gap };
    let most = sense.world.agents.max_speed[sense.slot];
    // The integral counts this tick's gap already; what is left for the step is to lead it back.
    memory.pid.integral = if k3 > 0.0 { limit(memory.pid.integral + gap * (k3 * h), windup * k3) } else { DVec3::ZERO };
    let push = memory.pid.step_by(&law, h, (DVec3::ZERO, weighted), relative, place.velocity, |v| limit(v, most));
    memory.before = sense.sensed_position();
    memory.expected = place.position + place.velocity * sense.ahead();
    if k3 <= 0.0 {
        memory.jumps = DVec3::ZERO;
    }
    *kept = memory.into_kept(tag);
    Push { vector: push, turn: place.turn_rate + k2 * sense.turn_to(place.heading), ..Push::default() }
}
