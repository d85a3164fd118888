//! The trails that agents leave: where they were in the last seconds.

use std::collections::BTreeMap;

use eframe::egui::{Color32, Pos2};
use glam::DVec3;

use crate::experiment::frame::{AgentKey, Frame};

use super::bodies::{JUMP, Shown};
use super::camera::View;
use super::ink::Ink;

/// Ticks between points of a trail.
const TRAIL_EVERY: u64 = 6;
/// Points of a trail.
const TRAIL_POINTS: usize = 60;
/// Opacity of a trail where it begins, at its agent.
const STRENGTH: f32 = 0.6;
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

    /// Draws them up to where the agents are shown, each in the color of its agent, thinner and fainter the older.
    pub fn draw(&self, ink: &mut Ink, view: &View, frame: &Frame, shown: &[Shown], color: impl Fn(usize) -> Color32) {
        if self.points.is_empty() {
            return;
        }
        let mut places = Vec::with_capacity(TRAIL_POINTS + 1);
        for (row, (key, head)) in frame.agents.key.iter().zip(shown).enumerate() {
            let Some(trail) = self.points.get(key) else { continue };
            let (color, total) = (color(row), trail.len() as f32);
            let mut older = 0;
            // A jump (wrapped edge, drag) begins a new piece.
            for piece in trail.chunk_by(is_way) {
                places.clear();
                let way = piece.iter().copied();
                let rest =
                    piece.last().filter(|last| older + piece.len() == trail.len() && is_way(last, &head.position));
                let way = way.chain(rest.map(|_| head.position));
                places.extend(way.filter_map(|p| Some(view.project(p)?.pos)));
                ribbon(ink, &places, |i| (older + i) as f32 / total, color);
                older += piece.len();
            }
        }
    }
}

fn is_way(a: &DVec3, b: &DVec3) -> bool {
    a.distance(*b) < JUMP
}

/// A soft line whose width and strength grow with `age` (0 the oldest, 1 now).
fn ribbon(ink: &mut Ink, places: &[Pos2], age: impl Fn(usize) -> f32, color: Color32) {
    if places.len() < 2 {
        return;
    }
    ink.rows(places.iter().enumerate().map(|(i, &place)| {
        let along = places[(i + 1).min(places.len() - 1)] - places[i.saturating_sub(1)];
        let age = age(i).clamp(0.0, 1.0);
        let side = along.rot90() * ((0.8 + 1.4 * age) / along.length().max(1e-3));
        let color = color.gamma_multiply(STRENGTH * age * age);
        [(place - side, Color32::TRANSPARENT), (place, color), (place + side, Color32::TRANSPARENT)]
    }));
}

#[cfg(test)]
mod tests {
    use super::super::camera::Camera;
    use super::*;
    use eframe::egui::{Rect, vec2};

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

    #[test]
    fn a_trail_ends_at_the_edge_where_its_agent_was_wrapped() {
        let mut frame = Frame::default();
        frame.agents.key.push(AgentKey::new(0, 0));
        frame.agents.position.push(DVec3::ZERO);
        let mut trails = Trails::default();
        for (tick, x) in [(6, 8.0), (12, 9.0), (18, -9.0), (24, -8.0)] {
            frame.tick = tick;
            frame.agents.position[0].x = x;
            trails.remember(&frame, true);
        }
        let view = View::new(Camera::default(), Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0)));
        let shown = Shown { position: DVec3::new(-7.9, 0.0, 0.0), heading: 0.0 };
        let mut ink = Ink::default();
        trails.draw(&mut ink, &view, &frame, &[shown], |_| Color32::WHITE);
        // Two points before the edge, two behind it and the fish itself: three pieces of line, four triangles each.
        assert_eq!(ink.triangles(), 12);
    }
}
