//! The agents: interpolated between two frames, colored, and drawn as oriented bodies into one mesh.

use eframe::egui::{Color32, Pos2, Rect, lerp};
use glam::DVec3;

use crate::experiment::frame::{Agents, BodyShape, Frame};

use super::super::state::ColorBy;
use super::super::theme::Tokens;
use super::camera::View;
use super::ink::Ink;

/// An agent as drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Metres.
    pub position: DVec3,
    /// Radians.
    pub heading: f64,
}

/// Further than this in one frame is a jump (wrapped edge, drag), in metres.
pub const JUMP: f64 = 4.0;
/// Bodies never get smaller than this, in points, unless there are very many.
pub const SMALLEST: f32 = 4.5;
/// Up to this many agents are drawn [`SMALLEST`]; more would cover each other.
const FEW: f32 = 1500.0;

/// The smallest size of a body among so many, in points: from 4.5 down to 1.6, so that they cover about the same.
pub fn smallest(agents: usize) -> f32 {
    (SMALLEST * (FEW / agents.max(1) as f32).sqrt()).clamp(1.6, SMALLEST)
}

/// Agents between the two frames; one entry per row of the latest.
pub fn interpolate(previous: &Frame, latest: &Frame, alpha: f32, out: &mut Vec<Shown>) {
    out.clear();
    let now = &latest.agents;
    let share = if previous.epoch == latest.epoch { f64::from(alpha.clamp(0.0, 1.0)) } else { 1.0 };
    let mut old_row = 0;
    for row in 0..now.len() {
        let target = Shown { position: now.position[row], heading: now.heading[row] };
        while previous.agents.key.get(old_row).is_some_and(|&key| key < now.key[row]) {
            old_row += 1;
        }
        let known = previous.agents.key.get(old_row).is_some_and(|&key| key == now.key[row]);
        out.push(if known { between(&previous.agents, old_row, target, share) } else { target });
    }
}

fn between(old: &Agents, row: usize, target: Shown, share: f64) -> Shown {
    let from = old.position[row];
    let step = target.position - from;
    if step.length_squared() > JUMP * JUMP || !step.is_finite() {
        return target;
    }
    let mut turn = target.heading - old.heading[row];
    turn -= std::f64::consts::TAU * (turn / std::f64::consts::TAU).round();
    Shown { position: from + step * share, heading: target.heading - turn * (1.0 - share) }
}

/// Largest values of the color scales, so that colors do not jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scales {
    /// m/s at the upper end.
    pub speed: f32,
    /// m at the upper end.
    pub error: f32,
}

impl Default for Scales {
    fn default() -> Self {
        Self { speed: 1.0, error: 0.2 }
    }
}

impl Scales {
    /// Rise at once, fall slowly.
    pub fn follow(&mut self, agents: &Agents) {
        let speed = agents.velocity.iter().map(|v| v.length()).filter(|v| v.is_finite()).fold(0.0, f64::max) as f32;
        let error = agents.slot_error.iter().copied().filter(|e| e.is_finite()).fold(0.0, f32::max);
        self.speed = speed.max(self.speed * 0.995).max(0.5);
        self.error = error.max(self.error * 0.995).max(0.05);
    }
}

/// Color of an agent.
pub fn color_of(frame: &Frame, row: usize, by: ColorBy, scales: Scales, tokens: &Tokens) -> Color32 {
    let agents = &frame.agents;
    if agents.quarantined.get(row).copied().unwrap_or(false) {
        return tokens.fault;
    }
    match by {
        ColorBy::Group => tokens.category(usize::from(agents.group[row])),
        ColorBy::State if agents.state[row] == u16::MAX => tokens.text_weak,
        ColorBy::State => tokens.category(usize::from(agents.state[row])),
        ColorBy::Speed => tokens.ramp(agents.velocity[row].length() as f32 / scales.speed),
        ColorBy::Error => tokens.ramp(agents.slot_error[row] / scales.error),
        ColorBy::Heading => tokens.wheel(agents.heading[row]),
    }
}

/// Outline of a body of radius 1 that heads along +x, counter-clockwise, and the point from which all of it is seen.
pub struct Outline {
    /// Corners.
    pub points: Vec<(f32, f32)>,
    /// Middle of the fan.
    pub middle: (f32, f32),
}

/// The outline of a shape.
pub fn outline(shape: BodyShape) -> Outline {
    match shape {
        BodyShape::Chevron => {
            Outline { points: vec![(1.0, 0.0), (-0.72, 0.74), (-0.34, 0.0), (-0.72, -0.74)], middle: (0.05, 0.0) }
        }
        BodyShape::Fish | BodyShape::Predator => Outline {
            points: vec![
                (1.0, 0.0),
                (0.45, 0.36),
                (-0.2, 0.32),
                (-0.6, 0.1),
                (-1.0, 0.42),
                (-0.82, 0.0),
                (-1.0, -0.42),
                (-0.6, -0.1),
                (-0.2, -0.32),
                (0.45, -0.36),
            ],
            middle: (-0.55, 0.0),
        },
        BodyShape::Quad => Outline {
            points: [
                (0.0, 0.85),
                (24.0, 0.5),
                (45.0, 1.0),
                (90.0, 0.36),
                (135.0, 1.0),
                (180.0, 0.36),
                (225.0, 1.0),
                (270.0, 0.36),
                (315.0, 1.0),
                (336.0, 0.5),
            ]
            .map(|(degrees, radius): (f32, f32)| {
                let (sin, cos) = degrees.to_radians().sin_cos();
                (radius * cos, radius * sin)
            })
            .to_vec(),
            middle: (0.0, 0.0),
        },
        BodyShape::Disc => {
            let circle = (1..16).map(|i| {
                let (sin, cos) = (std::f32::consts::TAU * i as f32 / 16.0).sin_cos();
                (cos, sin)
            });
            Outline { points: std::iter::once((1.35, 0.0)).chain(circle).collect(), middle: (0.0, 0.0) }
        }
    }
}

/// A body ready to be drawn.
pub struct Body {
    /// Middle of the fan on the screen.
    pub middle: Pos2,
    /// Corners on the screen.
    pub corners: Vec<Pos2>,
}

/// Put an outline at a place; none if it is not on the screen.
pub fn place(view: &View, outline: &Outline, at: Shown, radius: f32, climb: f64) -> Option<Body> {
    let spot = view.project(at.position)?;
    let size = (f64::from(radius) * spot.scale) as f32;
    let reach = size.max(view.smallest) * 1.5;
    if !Rect::from_center_size(spot.pos, eframe::egui::Vec2::splat(reach * 2.0)).intersects(view.rect) {
        return None;
    }
    let radius = f64::from(radius) * f64::from(view.smallest / size.max(1e-3)).max(1.0);
    let (sin, cos) = at.heading.sin_cos();
    if !view.solid() {
        let r = (radius * spot.scale) as f32;
        let (sin, cos) = (sin as f32, cos as f32);
        let turn =
            |(x, y): (f32, f32)| Pos2::new(spot.pos.x + r * (x * cos - y * sin), spot.pos.y - r * (x * sin + y * cos));
        return Some(Body { middle: turn(outline.middle), corners: outline.points.iter().map(|&p| turn(p)).collect() });
    }
    let (sin_climb, cos_climb) = climb.sin_cos();
    let forward = DVec3::new(cos * cos_climb, sin * cos_climb, sin_climb);
    let left = DVec3::new(-sin, cos, 0.0);
    let corner = |(x, y): (f32, f32)| {
        let p = at.position + (forward * f64::from(x) + left * f64::from(y)) * radius;
        view.project(p).map(|spot| spot.pos)
    };
    let corners: Option<Vec<Pos2>> = outline.points.iter().map(|&p| corner(p)).collect();
    Some(Body { middle: corner(outline.middle)?, corners: corners? })
}

/// Draw a filled body.
pub fn fill(ink: &mut Ink, body: &Body, color: Color32, soft: bool) {
    let middle = if soft { brighten(color, 0.25) } else { color };
    ink.fan(body.middle, &body.corners, middle, color);
}

/// The color nearer to white.
pub fn brighten(color: Color32, share: f32) -> Color32 {
    let up = |v: u8| lerp(f32::from(v)..=255.0, share) as u8;
    Color32::from_rgb(up(color.r()), up(color.g()), up(color.b()))
}

/// Slower than this a velocity has no direction to speak of, in m/s.
const STANDS: f64 = 0.02;

/// Angle of climb of a velocity, in radians, up to a quarter turn for what rises straight up.
pub fn climb(velocity: DVec3) -> f64 {
    if velocity.length_squared() < STANDS * STANDS { 0.0 } else { velocity.z.atan2(velocity.truncate().length()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::frame::AgentKey;

    fn frame(entries: &[(u32, f64, f64)]) -> Frame {
        let mut frame = Frame::default();
        for &(slot, x, heading) in entries {
            frame.agents.key.push(AgentKey::new(slot, 0));
            frame.agents.position.push(DVec3::new(x, 0.0, 0.0));
            frame.agents.heading.push(heading);
        }
        frame
    }

    #[test]
    fn agents_are_matched_by_key_when_one_left_and_one_came() {
        let before = frame(&[(0, 0.0, 0.0), (1, 10.0, 0.0), (2, 20.0, 0.0)]);
        let after = frame(&[(1, 11.0, 0.0), (2, 21.0, 0.0), (3, 50.0, 0.0)]);
        let mut shown = Vec::new();
        interpolate(&before, &after, 0.5, &mut shown);
        let x: Vec<f64> = shown.iter().map(|s| s.position.x).collect();
        assert_eq!(x, [10.5, 20.5, 50.0]);
    }

    #[test]
    fn headings_go_the_short_way_and_jumps_are_not_smeared() {
        let before = frame(&[(0, 0.0, 3.1), (1, 0.0, 0.0)]);
        let after = frame(&[(0, 0.0, -3.1), (1, 60.0, 0.0)]);
        let mut shown = Vec::new();
        interpolate(&before, &after, 0.5, &mut shown);
        assert!(shown[0].heading.cos() < -0.99, "heading {}", shown[0].heading);
        assert_eq!(shown[1].position.x, 60.0);
    }

    #[test]
    fn every_outline_is_seen_whole_from_its_middle() {
        for shape in [BodyShape::Chevron, BodyShape::Fish, BodyShape::Predator, BodyShape::Quad, BodyShape::Disc] {
            let Outline { points, middle } = outline(shape);
            for (i, a) in points.iter().enumerate() {
                let b = points[(i + 1) % points.len()];
                let turn = (a.0 - middle.0) * (b.1 - middle.1) - (a.1 - middle.1) * (b.0 - middle.0);
                assert!(turn > 0.0, "{shape:?} corner {i}");
            }
        }
    }
}
