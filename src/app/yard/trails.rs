//! The trails that agents leave: where they were in the last seconds.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::experiment::frame::{AgentKey, Frame};

use super::super::theme::Tokens;
use super::camera::View;
use super::ink::Ink;
use super::scenery;

/// Ticks between points of a trail.
const TRAIL_EVERY: u64 = 6;
/// Points of a trail.
const TRAIL_POINTS: usize = 60;
/// More agents than this leave no trails.
const TRAIL_AGENTS: usize = 2000;

/// Where agents were in the last seconds.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    points: BTreeMap<AgentKey, Vec<DVec3>>,
    tick: u64,
}

impl Trails {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// Takes in the frame, a point every few ticks; without `shown` nothing is kept.
    pub fn remember(&mut self, frame: &Frame, shown: bool) {
        if !shown || frame.tick < self.tick {
            self.points.clear();
        }
        let due = frame.tick < self.tick || frame.tick >= self.tick + TRAIL_EVERY;
        if !shown || !due || frame.agents.len() > TRAIL_AGENTS {
            return;
        }
        self.tick = frame.tick;
        self.points.retain(|&key, _| frame.agents.row(key).is_some());
        for (&key, &position) in frame.agents.key.iter().zip(&frame.agents.position) {
            let trail = self.points.entry(key).or_default();
            if trail.len() >= TRAIL_POINTS {
                trail.remove(0);
            }
            trail.push(position);
        }
    }

    /// Draws them, older parts fainter.
    pub fn draw(&self, ink: &mut Ink, view: &View, tokens: &Tokens) {
        for trail in self.points.values() {
            for (i, pair) in trail.windows(2).enumerate() {
                let fade = 0.15 + 0.5 * (i as f32 / TRAIL_POINTS as f32);
                scenery::line(ink, view, pair[0], pair[1], 1.2, tokens.text_weak.gamma_multiply(fade));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trails_end_with_the_run_and_with_the_switch() {
        let mut frame = Frame { tick: 60, ..Frame::default() };
        frame.agents.key.push(AgentKey::new(0, 0));
        frame.agents.position.push(DVec3::ZERO);
        let mut trails = Trails::default();
        for tick in [60, 61, 66, 72] {
            frame.tick = tick;
            trails.remember(&frame, true);
        }
        assert_eq!(trails.points[&AgentKey::new(0, 0)].len(), 3);
        frame.tick = 0;
        trails.remember(&frame, true);
        assert_eq!(trails.points[&AgentKey::new(0, 0)].len(), 1, "a reset starts anew");
        trails.remember(&frame, false);
        assert!(trails.points.is_empty());
    }
}
