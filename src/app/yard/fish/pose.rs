//! How a fish lies on the screen, from above and in perspective.

use eframe::egui::{Pos2, Vec2, vec2};
use glam::DVec3;

use super::super::bodies::Shown;
use super::super::camera::View;

/// How a fish lies on the screen: what one body length along its three directions is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Middle of the body.
    pub at: Pos2,
    /// Towards the nose, points per body length.
    pub forward: Vec2,
    /// To its left, points per body length.
    pub left: Vec2,
    /// Towards its back, points per body length; zero from above.
    pub up: Vec2,
    /// How wide its outline is, points per body length.
    pub wide: f32,
    /// Length in points, were it seen from its side.
    pub length: f32,
    /// Which eyes are seen, left and right.
    pub eyes: [bool; 2],
}

impl Pose {
    /// On a flat screen, heading to the angle (radians, counter-clockwise), of that length in points.
    pub fn flat(at: Pos2, heading: f32, length: f32) -> Self {
        let (sin, cos) = heading.sin_cos();
        let (forward, left) = (vec2(cos, -sin) * length, vec2(-sin, -cos) * length);
        Self { at, forward, left, up: Vec2::ZERO, wide: length, length, eyes: [true; 2] }
    }

    /// As `view` sees a fish of `radius` metres that climbs by an angle, at least `least` points long; none if it is not on the
    /// screen.
    pub fn seen(view: &View, shown: Shown, radius: f32, climb: f64, least: f32) -> Option<Self> {
        let spot = view.project(shown.position)?;
        let true_length = (2.0 * f64::from(radius) * spot.scale) as f32;
        let length = true_length.max(least);
        if !length.is_finite() || !view.rect.expand(length).contains(spot.pos) || !shown.heading.is_finite() {
            return None;
        }
        if !view.camera.perspective {
            return Some(Self::flat(spot.pos, shown.heading as f32, length));
        }
        let (sin, cos) = shown.heading.sin_cos();
        let (sin_climb, cos_climb) = climb.sin_cos();
        let forward = DVec3::new(cos * cos_climb, sin * cos_climb, sin_climb);
        let left = DVec3::new(-sin, cos, 0.0);
        let up = forward.cross(left);
        // A body is small against its distance: what one metre is at its middle holds for all of it.
        let reach = f64::from(radius).max(1e-6);
        let across = |axis: DVec3| {
            let (a, b) = (view.project(shown.position + axis * reach)?, view.project(shown.position - axis * reach)?);
            Some((a.pos - b.pos) * (length / true_length.max(1e-3)))
        };
        let (forward, left_px, up_px) = (across(forward)?, across(left)?, across(up)?);
        let side = if forward.length() > 1e-3 { forward.rot90().normalized() } else { vec2(1.0, 0.0) };
        // Fish are higher than wide; the outline of an ellipse is as wide as its shadow on that line.
        let wide = (left_px.dot(side).powi(2) + (HEIGHT * up_px.dot(side)).powi(2)).sqrt();
        let toward = view.toward(shown.position).dot(left);
        Some(Self {
            at: spot.pos,
            forward,
            left: left_px,
            up: up_px,
            wide,
            length,
            eyes: [toward > -0.35, toward < 0.35],
        })
    }
}

/// Height of a body against its width.
pub(super) const HEIGHT: f32 = 1.35;
