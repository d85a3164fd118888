//! How far each fish is in its tail beat, and how much it bends into its turn: from what it swam between frames, without a clock.

use glam::DVec3;

use crate::experiment::frame::{AgentKey, BodyShape, Frame};

use super::bodies::{JUMP, Shown};

/// Body lengths that a fish swims with one beat of its tail.
///
/// They are 0.6–0.7 over a wide range of speeds and species (Bainbridge 1958, "The speed of swimming of fish", J. Exp. Biol. 35; Videler 1993, "Fish Swimming", ch. 6).
pub const STRIDE: f64 = 0.65;
/// A body bends by at most this, nose to tail, in radians.
pub const MOST_BEND: f64 = 0.9;
/// A bend follows the turn with this time constant, in seconds of the run.
const SETTLE: f64 = 0.12;
/// Below this speed, in body lengths per second, the tail beats less and less.
const SLOW: f64 = 0.8;
/// Share of the amplitude that is left at rest.
const IDLE: f32 = 0.25;
/// Beats between two frames from which the eye no longer follows a tail, and from which it is held still.
const BLUR: (f32, f32) = (0.25, 0.5);

/// Where a fish is in its swimming.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stroke {
    /// Beats of the tail so far; the fraction is the phase.
    pub beats: f64,
    /// Bend of the body from nose to tail in radians, to the left positive.
    pub bend: f32,
    /// Share of the full amplitude of the tail, 0 to 1.
    pub sway: f32,
}

/// What is kept of one fish from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    key: AgentKey,
    position: DVec3,
    heading: f64,
    beats: f64,
    bend: f64,
    bend_before: f64,
    /// Beats between the last two frames.
    step: f32,
}

/// The strokes of all agents, in the order of the frame's columns.
#[derive(Clone, Debug, Default)]
pub struct Swim {
    kept: Vec<Kept>,
    old: Vec<Kept>,
    epoch: u64,
    tick: u64,
}

/// Whether a body swims as a fish does.
pub fn swims(shape: BodyShape) -> bool {
    matches!(shape, BodyShape::Fish | BodyShape::Predator)
}

/// Whether any group of the frame is fish.
pub fn is_water(frame: &Frame) -> bool {
    frame.groups.iter().any(|group| swims(group.shape))
}

/// A number from 0 to 1 that belongs to an agent for life; another one for each `use_of`.
pub fn luck(key: AgentKey, use_of: u32) -> f32 {
    // The finalizer of MurmurHash3 (Appleby 2011) spreads neighboring numbers over the whole range.
    let mut x = key.slot() ^ key.generation().rotate_left(16) ^ use_of.wrapping_mul(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    ((x ^ (x >> 16)) >> 8) as f32 / (1_u32 << 24) as f32
}

impl Swim {
    /// Takes in the frame: beats grow with the way swum since the last one, and shrink with the way back when the run goes back.
    pub fn follow(&mut self, frame: &Frame) {
        if !is_water(frame) {
            self.kept.clear();
            return;
        }
        let agents = &frame.agents;
        let jump = frame.epoch != self.epoch || self.kept.is_empty();
        let same_agents =
            self.kept.len() == agents.len() && self.kept.iter().zip(&agents.key).all(|(a, b)| a.key == *b);
        if !jump && frame.tick == self.tick && same_agents {
            return;
        }
        let ticks = frame.tick as f64 - self.tick as f64;
        std::mem::swap(&mut self.kept, &mut self.old);
        self.kept.clear();
        let mut old = self.old.iter().peekable();
        for (row, &key) in agents.key.iter().enumerate() {
            while old.peek().is_some_and(|kept| kept.key < key) {
                old.next();
            }
            let known = old.peek().filter(|kept| kept.key == key && !jump).copied();
            let fresh = Kept {
                key,
                position: agents.position[row],
                heading: agents.heading[row],
                beats: f64::from(luck(key, 0)),
                bend: 0.0,
                bend_before: 0.0,
                step: 0.0,
            };
            let length = 2.0 * f64::from(agents.radius[row]);
            self.kept.push(known.map_or(fresh, |kept| {
                next(*kept, fresh, ticks, ticks * frame.dt, length, agents.velocity[row].length())
            }));
        }
        (self.epoch, self.tick) = (frame.epoch, frame.tick);
    }

    /// The stroke of the agent in `row` as it is shown, `alpha` of the way from the frame before to the frame.
    pub fn stroke(&self, frame: &Frame, row: usize, shown: &Shown, alpha: f32) -> Stroke {
        let Some(kept) = self.kept.get(row) else { return Stroke::default() };
        let length = 2.0 * f64::from(frame.agents.radius[row]);
        // What it still has to swim to where the frame has it is not swum yet.
        let ahead = (frame.agents.position[row] - shown.position).length();
        let ahead = if ahead < JUMP { ahead } else { 0.0 };
        let bend = kept.bend_before + (kept.bend - kept.bend_before) * f64::from(alpha.clamp(0.0, 1.0));
        let speed = frame.agents.velocity[row].length();
        let pace = if speed.is_finite() { (speed / (SLOW * length.max(1e-6))).min(1.0) as f32 } else { 0.0 };
        let blur = ((BLUR.1 - kept.step) / (BLUR.1 - BLUR.0)).clamp(0.0, 1.0);
        Stroke {
            beats: kept.beats - beats(ahead, length),
            bend: bend as f32,
            sway: (IDLE + (1.0 - IDLE) * pace) * blur,
        }
    }
}

/// Beats of the tail over a way, for a body of `length` metres.
pub fn beats(way: f64, length: f64) -> f64 {
    let beats = way / (STRIDE * length.max(1e-6));
    if beats.is_finite() { beats } else { 0.0 }
}

/// The bend of a body, nose to tail, that lies in the path it swims, in radians.
///
/// It is the turn rate (rad/s) times the time that it takes to swim its own length; a fish that turns on the spot bends as one
/// that swims a length per second.
pub fn bend_of(turn_rate: f64, speed: f64, length: f64) -> f64 {
    let time = length / speed.max(length).max(1e-6);
    let bend = turn_rate * time;
    if bend.is_finite() { bend.clamp(-MOST_BEND, MOST_BEND) } else { 0.0 }
}

fn next(kept: Kept, now: Kept, ticks: f64, seconds: f64, length: f64, speed: f64) -> Kept {
    if ticks == 0.0 {
        return Kept { beats: kept.beats, bend: kept.bend, bend_before: kept.bend, step: kept.step, ..now };
    }
    let straight = (now.position - kept.position).length();
    // Over the seam of a wrapped area the way is what the speed says.
    let way = if straight < JUMP { straight } else { speed * seconds.abs() };
    let step = beats(way, length);
    let mut turn = now.heading - kept.heading;
    turn -= std::f64::consts::TAU * (turn / std::f64::consts::TAU).round();
    let goal = bend_of(turn / seconds, speed, length);
    let share = 1.0 - (-seconds.abs() / SETTLE).exp();
    let bend = kept.bend + (goal - kept.bend) * share;
    Kept {
        beats: kept.beats + step.copysign(ticks),
        bend: if bend.is_finite() { bend } else { 0.0 },
        bend_before: kept.bend,
        step: step as f32,
        ..now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::frame::GroupView;

    /// One fish of 0.2 m that heads along a circle to the left with 1 m/s, after so many ticks.
    fn frame(tick: u64, curvature: f64) -> Frame {
        let mut frame = Frame { tick, epoch: 1, dt: 1.0 / 60.0, ..Frame::default() };
        frame.groups.push(GroupView { shape: BodyShape::Fish, ..GroupView::default() });
        let way = tick as f64 / 60.0;
        let heading = way * curvature;
        let position = if curvature == 0.0 {
            DVec3::new(way, 0.0, 0.0)
        } else {
            DVec3::new(heading.sin(), 1.0 - heading.cos(), 0.0) / curvature
        };
        frame.agents.key.push(AgentKey::new(4, 0));
        frame.agents.position.push(position);
        frame.agents.velocity.push(DVec3::new(heading.cos(), heading.sin(), 0.0));
        frame.agents.heading.push(heading);
        frame.agents.radius.push(0.1);
        frame.agents.group.push(0);
        frame
    }

    fn shown(frame: &Frame) -> Shown {
        Shown { position: frame.agents.position[0], heading: frame.agents.heading[0] }
    }

    fn stroke(swim: &Swim, frame: &Frame) -> Stroke {
        swim.stroke(frame, 0, &shown(frame), 1.0)
    }

    #[test]
    fn a_tail_beats_once_per_stride_and_not_while_the_run_stands() {
        let mut swim = Swim::default();
        (0..=60).for_each(|tick| swim.follow(&frame(tick, 0.0)));
        let (first, last) = (f64::from(luck(AgentKey::new(4, 0), 0)), frame(60, 0.0));
        // 1 m at 0.13 m per beat.
        assert!((stroke(&swim, &last).beats - first - 1.0 / 0.13).abs() < 1e-6);
        let before = swim.kept.clone();
        (0..50).for_each(|_| swim.follow(&last));
        assert_eq!(swim.kept, before, "a paused run stands still");
    }

    #[test]
    fn frames_that_were_not_seen_and_a_way_back_end_at_the_same_phase() {
        let mut each = Swim::default();
        (0..=40).for_each(|tick| each.follow(&frame(tick, 0.0)));
        let mut some = Swim::default();
        for tick in [0, 7, 31, 90, 63, 40] {
            some.follow(&frame(tick, 0.0));
        }
        let last = frame(40, 0.0);
        assert!((stroke(&each, &last).beats - stroke(&some, &last).beats).abs() < 1e-9);
        // Between two frames the phase is that of the place where it is shown.
        let half = Shown { position: frame(39, 0.0).agents.position[0], heading: 0.0 };
        let beats = each.stroke(&last, 0, &half, 0.0).beats;
        assert!((stroke(&each, &last).beats - beats - 1.0 / 60.0 / 0.13).abs() < 1e-6);
    }

    #[test]
    fn a_body_bends_into_its_turn_by_the_curve_it_swims() {
        for (curvature, wanted) in [(2.0, 0.4), (-2.0, -0.4), (0.0, 0.0), (40.0, MOST_BEND)] {
            let mut swim = Swim::default();
            (0..=120).for_each(|tick| swim.follow(&frame(tick, curvature)));
            let bend = f64::from(stroke(&swim, &frame(120, curvature)).bend);
            assert!((bend - wanted).abs() < 0.02, "curvature {curvature}: bend {bend}, not {wanted}");
        }
    }

    #[test]
    fn a_reset_starts_anew_and_a_blurred_tail_is_held_still() {
        let mut swim = Swim::default();
        for tick in [0, 600] {
            swim.follow(&frame(tick, 0.0));
        }
        assert_eq!(stroke(&swim, &frame(600, 0.0)).sway, 0.0, "ten seconds between frames");
        let mut anew = frame(0, 0.0);
        anew.epoch = 2;
        swim.follow(&anew);
        let stroke = stroke(&swim, &anew);
        assert_eq!((stroke.beats, stroke.sway), (f64::from(luck(AgentKey::new(4, 0), 0)), 1.0));
    }

    #[test]
    fn numbers_that_are_none_leave_a_fish_straight() {
        let mut swim = Swim::default();
        let mut odd = frame(1, 0.0);
        swim.follow(&frame(0, 0.0));
        (odd.agents.position[0], odd.agents.heading[0]) = (DVec3::splat(f64::NAN), f64::NAN);
        odd.agents.velocity[0] = DVec3::splat(f64::NAN);
        swim.follow(&odd);
        let stroke = stroke(&swim, &odd);
        assert!(stroke.beats.is_finite() && stroke.bend == 0.0);
    }
}
