//! The water under fish: deeper away from the middle, with a calm light on it that drifts with the time of the run.
//!
//! It is shading of the ground only: it lies below everything, and no color of a fish comes near to it.

use eframe::egui::{Color32, Pos2, lerp, pos2, remap_clamp};
use glam::DVec2;

use crate::experiment::frame::Frame;

use super::super::theme::Tokens;
use super::camera::View;
use super::field;
use super::ink::Ink;
use super::scenery::mix;

/// Side of a piece of the shading, in points.
const PIECE: f32 = 16.0;
/// Length of the ripples of light, in points; they keep to it at any zoom.
const RIPPLE: f64 = 190.0;
/// Share of the way from deep to shallow that the light makes up.
const LIGHT: f32 = 0.5;
/// How far shallow water reaches around what stands in it, in metres.
const SHELF: f64 = 1.2;

/// The shading of the whole yard.
pub fn ground(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let rect = view.rect;
    let columns = (rect.width() / PIECE).ceil().max(1.0) as usize + 1;
    let rows = (rect.height() / PIECE).ceil().max(1.0) as usize + 1;
    let basin = Basin::of(view, frame);
    let corners = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))).map(|(row, column)| {
        let share = |i: usize, count: usize| i as f32 / (count - 1) as f32;
        let at = pos2(
            lerp(rect.left()..=rect.right(), share(column, columns)),
            lerp(rect.top()..=rect.bottom(), share(row, rows)),
        );
        (at, basin.color(view, at, frame.time, tokens))
    });
    ink.field(columns, corners);
}

/// Shallow water around obstacles.
pub fn shelves(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    for obstacle in frame.obstacles.iter().filter(|obstacle| !obstacle.open) {
        field::band(ink, view, obstacle, SHELF, tokens.water_shallow.gamma_multiply(0.75));
    }
}

/// Where the water is and how it ripples.
struct Basin {
    middle: DVec2,
    half: DVec2,
    /// Two lengths of ripples, in metres, and the share of the longer one: between powers of two one fades into the other.
    ripples: (f64, f64, f64),
    /// Beyond this distance from the middle of the view nothing is seen of it, in metres.
    far: f64,
}

impl Basin {
    fn of(view: &View, frame: &Frame) -> Self {
        let size = DVec2::new(f64::from(view.rect.width()), f64::from(view.rect.height())) * 0.5 / view.zoom();
        let (middle, half) = match frame.scene.area {
            Some((low, high)) => ((low + high).truncate() * 0.5, (high - low).truncate() * 0.5),
            None => (view.camera.center.truncate(), size),
        };
        let octave = (RIPPLE / view.zoom()).log2();
        let short = octave.floor().exp2();
        let far = f64::from(view.rect.width()) * 1.6 / view.zoom();
        Self { middle, half: half.max(DVec2::splat(1e-3)), ripples: (short, 2.0 * short, octave - octave.floor()), far }
    }

    fn color(&self, view: &View, at: Pos2, time: f64, tokens: &Tokens) -> Color32 {
        let Some(p) = view.ground(at) else { return tokens.ground };
        let (p, centre) = (p.truncate(), view.camera.center.truncate());
        let mut seen = 1.0;
        let mut near = 1.0;
        if view.camera.perspective {
            seen = remap_clamp(p.distance(centre), 0.4 * self.far..=self.far, 1.0..=0.0) as f32;
            let scale = view.project(p.extend(0.0)).map_or(0.0, |spot| spot.scale / view.zoom());
            near = remap_clamp(scale, 0.4..=0.9, 0.0..=1.0) as f32;
        }
        let off = ((p - self.middle) / self.half).length();
        let shallow = remap_clamp(off, 0.1..=1.5, 0.62..=0.0) as f32;
        let (short, long, share) = self.ripples;
        let light = caustic(p / short, time) * (1.0 - share) as f32 + caustic(p / long, time) * share as f32;
        let value = (shallow + LIGHT * near * (light - 0.25)).clamp(0.0, 1.0);
        mix(tokens.ground, mix(tokens.water_deep, tokens.water_shallow, value), seen)
    }
}

/// A net of light as under moving water, 0 to 1: the ridges of a few warped waves, one ripple per unit of length.
fn caustic(p: DVec2, time: f64) -> f32 {
    let (q, t) = (p * std::f64::consts::TAU * 0.5, time * 0.35);
    let x = (q.x + 1.2 * (0.8 * q.y + t).sin()).sin();
    let y = (1.1 * q.y - 1.1 * (0.9 * q.x - 0.8 * t).sin()).sin();
    let diagonal = (0.7 * (q.x - q.y) + 0.5 * t).sin();
    let ridge = 1.0 - (0.75 * x * y + 0.35 * diagonal).abs();
    (ridge * ridge * ridge) as f32
}

#[cfg(test)]
mod tests {
    use super::super::super::theme::{DARK, LIGHT};
    use super::super::camera::Camera;
    use super::*;
    use eframe::egui::{Rect, vec2};
    use glam::DVec3;

    fn light(c: Color32) -> i32 {
        i32::from(c.r()) + i32::from(c.g()) + i32::from(c.b())
    }

    fn at(view: &View, frame: &Frame, tokens: &Tokens, p: DVec3) -> Color32 {
        let spot = view.project(p).expect("on the ground before the camera");
        Basin::of(view, frame).color(view, spot.pos, frame.time, tokens)
    }

    #[test]
    fn water_deepens_outwards_and_stands_while_the_run_stands() {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0));
        let view = View::new(Camera { zoom: 12.0, ..Camera::default() }, rect);
        let mut frame = Frame::default();
        let mean = |frame: &Frame, tokens: &Tokens, from: f64| {
            let ring = (0..90).map(|i| {
                let (sin, cos) = f64::from(i * 4).to_radians().sin_cos();
                light(at(&view, frame, tokens, DVec3::new(cos, sin, 0.0) * from))
            });
            ring.sum::<i32>() / 90
        };
        for tokens in [DARK, LIGHT] {
            let (inner, outer) = (mean(&frame, &tokens, 3.0), mean(&frame, &tokens, 24.0));
            let (deep, shallow) = (light(tokens.water_deep), light(tokens.water_shallow));
            assert!(inner > outer + (shallow - deep) / 6, "{inner} {outer}");
            assert!(outer >= deep && inner <= shallow);
        }
        let p = DVec3::new(2.0, 1.0, 0.0);
        let (before, again) = (at(&view, &frame, &DARK, p), at(&view, &frame, &DARK, p));
        assert_eq!(before, again);
        frame.time = 6.0;
        assert_ne!(at(&view, &frame, &DARK, p), before, "it drifts with the run");
    }

    #[test]
    fn there_is_no_water_in_the_sky() {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(900.0, 600.0));
        let view = View::new(Camera { perspective: true, pitch: 0.1, ..Camera::default() }, rect);
        let basin = Basin::of(&view, &Frame::default());
        assert_eq!(basin.color(&view, pos2(450.0, 1.0), 0.0, &DARK), DARK.ground);
        assert_ne!(basin.color(&view, pos2(450.0, 420.0), 0.0, &DARK), DARK.ground);
    }
}
