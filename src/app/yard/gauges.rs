//! Measuring lines with their positive direction, measuring areas, and cells of people by density.

use eframe::egui::{Align2, Color32, Painter, Pos2, Rect, vec2};

use crate::experiment::frame::Frame;
use crate::measure::crowd::fundamental::level;
use crate::measure::crowd::{LEVELS, Line};

use super::super::theme::Tokens;
use super::super::widgets;
use super::camera::View;
use super::ink::Ink;
use super::labels::Names;
use super::scenery;

/// Length of the arrow of a line, points.
const ARROW: f32 = 22.0;

/// Cells of people, colored by level of service.
pub fn heat(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(heat) = &frame.heat else { return };
    let rim = tokens.ground.gamma_multiply(0.75);
    for (density, piece) in &heat.pieces {
        let corners: Option<Vec<Pos2>> = piece.iter().map(|at| view.project(*at).map(|spot| spot.pos)).collect();
        let Some(corners) = corners else { continue };
        ink.polygon(&corners, color(level(*density), tokens));
        ink.polyline(&corners, true, 1.0, rim);
    }
}

fn color(level: usize, tokens: &Tokens) -> Color32 {
    tokens.ramp(level as f32 / (LEVELS.len() - 1) as f32).gamma_multiply(if tokens.dark { 0.42 } else { 0.5 })
}

/// Levels of service with their colors, lower right.
pub fn heat_legend(painter: &Painter, frame: &Frame, rect: Rect, tokens: &Tokens) {
    if frame.heat.is_none() {
        return;
    }
    let mut ink = Ink::default();
    let mut at = rect.right_bottom() + vec2(-112.0, -48.0 - 15.0 * LEVELS.len() as f32);
    scenery::halo_text(painter, at, Align2::LEFT_CENTER, "density, 1/m² (Fruin)", tokens.text_weak, tokens);
    for (index, (level, end)) in LEVELS.iter().enumerate() {
        at.y += 15.0;
        ink.disc(at + vec2(5.0, 0.0), 5.0, color(index, tokens));
        let text = match index {
            _ if end.is_finite() => format!("{} up to {end:.2}", level.name),
            _ => format!("{} above {:.2}", level.name, LEVELS[index - 1].1),
        };
        scenery::halo_text(painter, at + vec2(15.0, 0.0), Align2::LEFT_CENTER, &text, tokens.text_weak, tokens);
    }
    painter.add(ink.into_shape());
}

/// Areas and lines.
pub fn draw(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    for area in frame.areas.iter() {
        let corners: Option<Vec<Pos2>> = area.points.iter().map(|at| view.project(*at).map(|spot| spot.pos)).collect();
        let Some(corners) = corners else { continue };
        if frame.heat.is_none() {
            ink.polygon(&corners, tokens.accent.gamma_multiply(0.06));
        }
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            ink.dashed(*from, *to, 1.4, 6.0, tokens.accent.gamma_multiply(0.9));
        }
    }
    for line in frame.lines.iter() {
        let (Some(from), Some(to)) = (view.project(line.from), view.project(line.to)) else { continue };
        ink.line(from.pos, to.pos, 2.0, tokens.accent);
        for end in [from.pos, to.pos] {
            ink.disc(end, 3.0, tokens.accent);
        }
        let middle = from.pos + 0.5 * (to.pos - from.pos);
        if let Some(way) = way(view, line.from, line.to) {
            ink.arrow(middle, middle + way * ARROW, 2.0, tokens.accent);
        }
    }
}

/// The positive direction of a line on the screen.
fn way(view: &View, from: glam::DVec3, to: glam::DVec3) -> Option<eframe::egui::Vec2> {
    let line = Line { from: from.truncate(), to: to.truncate() };
    let middle = 0.5 * (from + to);
    let ahead = view.project(middle + line.normal().extend(0.0))?.pos - view.project(middle)?.pos;
    (ahead.length() > 1e-3).then(|| ahead.normalized())
}

/// Names and numbers of areas and lines.
pub fn labels(names: &mut Names<'_>, view: &View, frame: &Frame) {
    let tokens = names.tokens;
    for area in frame.areas.iter() {
        let top = area.points.iter().filter_map(|at| view.project(*at)).map(|spot| spot.pos);
        let Some(at) = top.reduce(|a, b| if (b.y, b.x) < (a.y, a.x) { b } else { a }) else { continue };
        let text = format!("{}  {} 1/m²", area.name, widgets::number(area.density, 2));
        names.write((at + vec2(2.0, -8.0), Align2::LEFT_CENTER), &text, tokens.text);
    }
    for line in frame.lines.iter() {
        let (Some(from), Some(to)) = (view.project(line.from), view.project(line.to)) else { continue };
        // Below its lower end, where the arrow does not point.
        let at = if from.pos.y > to.pos.y { from.pos } else { to.pos };
        let count = match line.backward {
            0 => format!("{}", line.forward),
            back => format!("{} → {back} ←", line.forward),
        };
        let text = format!("{}  {} 1/s  N {count}", line.name, widgets::number(line.flow, 2));
        names.write((at + vec2(0.0, 13.0), Align2::CENTER_CENTER), &text, tokens.text);
    }
}
