//! A tape: poses of many agents by frame, whoever recorded them: a file of an experiment, another program, an earlier run.

use std::collections::BTreeMap;

use glam::DVec3;

use super::ground::Ground;
use crate::sim::{AgentId, wrap_angle};

/// Slots have 24 bits in the number of a track; the lives of a slot stand above.
const SLOT_BITS: u32 = 24;

/// Slower than this, m/s, a velocity says nothing of where somebody looks: heads of people who stand sway.
const STANDS: f64 = 0.02;

/// A hole in a track that lasts up to so many seconds is walked along a straight line; in a longer one its agent is away.
const LONGEST_GAP_SECS: f64 = 1.0;

/// The number of an agent in trajectory files: `slot + 1` for the first agent of a slot, plus 2²⁴ for each agent before it.
///
/// It is whole, the same in every run of a scene, and never that of another agent.
pub fn track_id(agent: AgentId) -> i64 {
    i64::from(agent.generation) << SLOT_BITS | (i64::from(agent.slot) + 1)
}

/// The agent of a number that [`track_id`] made.
pub fn agent_of(id: i64) -> Option<AgentId> {
    let slot = id & ((1 << SLOT_BITS) - 1);
    let generation = u32::try_from(id >> SLOT_BITS).ok()?;
    Some(AgentId { slot: u32::try_from(slot - 1).ok()?, generation })
}

/// Where an agent is, how it moves, where it looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// m.
    pub position: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Radians in (−π, π].
    pub heading: f64,
}

impl Pose {
    /// The pose a share of the way (0 to 1) from this one to another; headings take the short way.
    pub fn toward(&self, next: &Self, share: f64) -> Self {
        Self {
            position: self.position.lerp(next.position, share),
            velocity: self.velocity.lerp(next.velocity, share),
            heading: wrap_angle(self.heading + wrap_angle(next.heading - self.heading) * share),
        }
    }
}

/// The poses of one agent, ascending by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    frames: Vec<i64>,
    poses: Vec<Pose>,
}

impl Track {
    /// Frames and poses, ascending.
    pub fn rows(&self) -> impl Iterator<Item = (i64, &Pose)> {
        self.frames.iter().copied().zip(&self.poses)
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Adds a pose; false if the frame is not after the last one.
    pub fn push(&mut self, frame: i64, pose: Pose) -> bool {
        let later = self.frames.last().is_none_or(|last| *last < frame);
        if later {
            self.frames.push(frame);
            self.poses.push(pose);
        }
        later
    }

    /// The pose at a frame, which may lie between two; none before the first, after the last, and in a hole of more than
    /// `longest` frames.
    pub fn pose_at(&self, frame: f64, longest: f64) -> Option<Pose> {
        let after = self.frames.partition_point(|known| *known as f64 <= frame);
        let before = after.checked_sub(1)?;
        let (from, pose) = (self.frames[before] as f64, &self.poses[before]);
        if from == frame {
            return Some(*pose);
        }
        let next = *self.frames.get(after)? as f64;
        let hole = next - from;
        (hole <= longest.max(1.0)).then(|| pose.toward(&self.poses[after], (frame - from) / hole))
    }
}

/// Poses of many agents by frame, and the ground they walk on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    /// Frames per second.
    pub fps: f64,
    /// By the number of the agent, see [`track_id`] for tapes of this program.
    pub tracks: BTreeMap<i64, Track>,
    /// Walkable areas with the frame from which each holds, ascending; empty where nobody knows.
    pub grounds: Vec<(i64, Vec<Ground>)>,
}

impl Tape {
    /// A tape without poses.
    pub fn new(fps: f64) -> Self {
        Self { fps, tracks: BTreeMap::new(), grounds: Vec::new() }
    }

    /// Adds a pose; false if that agent has one of this frame or a later one.
    pub fn push(&mut self, id: i64, frame: i64, pose: Pose) -> bool {
        self.tracks.entry(id).or_default().push(frame, pose)
    }

    /// The first and the last frame; none of an empty tape.
    pub fn frames(&self) -> Option<(i64, i64)> {
        let first = self.tracks.values().filter_map(|track| track.frames.first()).min()?;
        let last = self.tracks.values().filter_map(|track| track.frames.last()).max()?;
        Some((*first, *last))
    }

    /// Rows of all tracks.
    pub fn rows(&self) -> usize {
        self.tracks.values().map(Track::len).sum()
    }

    /// The longest hole in a track, in frames, through which its agent goes on in a straight line.
    pub fn longest_gap(&self) -> f64 {
        LONGEST_GAP_SECS * self.fps
    }

    /// The frame of a time in s: whole where rounding is all that keeps it from being so.
    pub fn frame_of(&self, time: f64) -> f64 {
        let frame = time * self.fps;
        let whole = frame.round();
        if (frame - whole).abs() < 1e-6 { whole } else { frame }
    }

    /// The pose of an agent at a frame, which may lie between two.
    pub fn pose(&self, id: i64, frame: f64) -> Option<Pose> {
        self.tracks.get(&id)?.pose_at(frame, self.longest_gap())
    }

    /// Lower and upper corner of all positions, m.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let all = self.tracks.values().flat_map(|track| &track.poses).map(|pose| pose.position);
        all.fold(None, |found: Option<(DVec3, DVec3)>, p| {
            Some(found.map_or((p, p), |(low, high)| (low.min(p), high.max(p))))
        })
    }
}

/// A row of a file: where somebody was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The number of the agent.
    pub id: i64,
    /// Counts from anywhere.
    pub frame: i64,
    /// m.
    pub position: DVec3,
    /// Radians; none where the file does not say.
    pub heading: Option<f64>,
}

/// Why a row does not fit to those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFault {
    /// The agent has a row of this frame.
    Twice,
    /// The last row of the agent is of this later frame.
    Backward(i64),
    /// More rows than a tape holds.
    TooMany,
}

/// Rows at most: 40 bytes each while they are read.
const MOST_ROWS: usize = 50_000_000;

/// Makes a tape of rows: velocities and headings follow from the positions.
#[derive(Debug, Default)]
pub struct TapeMaker {
    tracks: BTreeMap<i64, Vec<Row>>,
    rows: usize,
}

/// A hole in a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Whose.
    pub id: i64,
    /// The last frame before it.
    pub from: i64,
    /// The first frame after it.
    pub to: i64,
}

impl TapeMaker {
    /// Takes a row.
    ///
    /// # Errors
    /// Says why it does not follow the rows before.
    pub fn take(&mut self, row: Row) -> Result<(), RowFault> {
        if self.rows >= MOST_ROWS {
            return Err(RowFault::TooMany);
        }
        let track = self.tracks.entry(row.id).or_default();
        match track.last().map(|last| last.frame) {
            Some(last) if last == row.frame => return Err(RowFault::Twice),
            Some(last) if last > row.frame => return Err(RowFault::Backward(last)),
            _ => track.push(row),
        }
        self.rows += 1;
        Ok(())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Holes in tracks, by agent: frames are missing between two rows of one agent that others of its rows have not.
    pub fn gaps(&self) -> Vec<Gap> {
        // A file may number every fourth frame only: the step is the smallest one that anybody takes.
        let steps = || self.tracks.iter().flat_map(|(id, rows)| rows.windows(2).map(move |pair| (*id, pair)));
        let step = steps().map(|(_, pair)| pair[1].frame.saturating_sub(pair[0].frame)).min().unwrap_or(1);
        let wide = steps().filter(|(_, pair)| pair[1].frame.saturating_sub(pair[0].frame) > step);
        wide.map(|(id, pair)| Gap { id, from: pair[0].frame, to: pair[1].frame }).collect()
    }

    /// The tape. Velocities are central differences between the rows before and after, one-sided at the ends (the rule of
    /// PedPy's `compute_individual_speed` with a frame step of 1); headings are those of the file, else along the velocity.
    pub fn finish(self, fps: f64) -> Tape {
        let mut tape = Tape::new(fps);
        for (id, rows) in self.tracks {
            let mut track = Track { frames: Vec::with_capacity(rows.len()), poses: Vec::with_capacity(rows.len()) };
            let velocities = (0..rows.len()).map(|at| velocity(&rows, at, fps));
            for (row, velocity) in rows.iter().zip(velocities) {
                track.frames.push(row.frame);
                track.poses.push(Pose { position: row.position, velocity, heading: row.heading.unwrap_or(f64::NAN) });
            }
            fill_headings(&mut track.poses);
            tape.tracks.insert(id, track);
        }
        tape
    }
}

/// The velocity at a row, m/s.
fn velocity(rows: &[Row], at: usize, fps: f64) -> DVec3 {
    let (before, after) = (&rows[at.saturating_sub(1)], &rows[(at + 1).min(rows.len() - 1)]);
    let frames = (after.frame - before.frame) as f64;
    if frames > 0.0 { (after.position - before.position) / (frames / fps) } else { DVec3::ZERO }
}

/// Gives poses without a heading (NaN) one along their velocity; who stands looks where it looked, or will look.
fn fill_headings(poses: &mut [Pose]) {
    let moving = |pose: &Pose| pose.velocity.truncate().length() > STANDS;
    let along = |pose: &Pose| libm::atan2(pose.velocity.y, pose.velocity.x);
    let mut last = poses.iter().find(|pose| moving(pose)).map_or(0.0, along);
    for pose in poses {
        if pose.heading.is_nan() {
            pose.heading = if moving(pose) { along(pose) } else { last };
        }
        last = pose.heading;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: i64, frame: i64, x: f64) -> Row {
        Row { id, frame, position: DVec3::new(x, 0.0, 0.0), heading: None }
    }

    #[test]
    fn numbers_of_tracks_are_unique_and_lead_back() {
        let lives = [(0, 0), (11, 0), (11, 1), (16_000_000 - 1, 7)];
        let ids: Vec<i64> = lives.iter().map(|&(slot, generation)| track_id(AgentId { slot, generation })).collect();
        assert_eq!(ids[..2], [1, 12]);
        for (id, &(slot, generation)) in ids.iter().zip(&lives) {
            assert_eq!(agent_of(*id), Some(AgentId { slot, generation }));
        }
        assert_eq!(agent_of(0), None);
        assert_eq!(agent_of(-5), None);
        assert_eq!(agent_of(i64::MAX), None, "more lives than there are");
    }

    #[test]
    fn velocities_are_central_differences_also_across_a_hole() {
        let mut maker = TapeMaker::default();
        for (frame, x) in [(10, 0.0), (11, 0.1), (12, 0.4), (20, 1.2)] {
            maker.take(row(3, frame, x)).expect("ascending");
        }
        assert_eq!(maker.gaps(), [Gap { id: 3, from: 12, to: 20 }]);
        let tape = maker.finish(10.0);
        let speeds: Vec<f64> = tape.tracks[&3].rows().map(|(_, pose)| pose.velocity.x).collect();
        let expected = [1.0, 2.0, 1.1 / 0.9, 1.0];
        for (speed, expected) in speeds.iter().zip(expected) {
            assert!((speed - expected).abs() < 1e-12, "{speeds:?}");
        }
        assert_eq!(tape.frames(), Some((10, 20)));
        let between = tape.pose(3, 16.0).expect("a hole of 0.8 s is walked through");
        assert!((between.position.x - 0.8).abs() < 1e-12);
        assert_eq!(tape.pose(3, 9.9), None);
        assert_eq!(tape.pose(3, 20.5), None);
        assert_eq!(tape.tracks[&3].pose_at(16.0, 4.0), None, "and a longer one is not");
    }

    #[test]
    fn rows_come_in_order_and_once() {
        let mut maker = TapeMaker::default();
        maker.take(row(1, 5, 0.0)).expect("the first");
        assert_eq!(maker.take(row(1, 5, 0.0)), Err(RowFault::Twice));
        assert_eq!(maker.take(row(1, 4, 0.0)), Err(RowFault::Backward(5)));
        maker.take(row(2, 4, 0.0)).expect("of another agent");
    }

    #[test]
    fn who_stands_looks_where_it_looked_and_before_its_first_step_where_it_will_go() {
        let mut maker = TapeMaker::default();
        for (frame, y) in [(0, 0.0), (1, 0.0), (2, 0.0), (3, 1.0), (4, 2.0), (5, 2.0), (6, 2.0), (7, 2.0)] {
            let position = DVec3::new(0.0, y, 0.0);
            maker.take(Row { id: 1, frame, position, heading: None }).expect("ascending");
        }
        let tape = maker.finish(1.0);
        let up = std::f64::consts::FRAC_PI_2;
        assert!(tape.tracks[&1].rows().all(|(_, pose)| (pose.heading - up).abs() < 1e-12));
    }

    #[test]
    fn a_heading_between_two_frames_goes_the_short_way() {
        let from = Pose { heading: 3.1, ..Pose::default() };
        let to = Pose { heading: -3.1, ..Pose::default() };
        assert!(from.toward(&to, 0.5).heading.abs() > 3.1);
    }
}
