//! What lies under the agents: grid, area, obstacles, routes, formations, and the scale bar.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Shape, pos2, vec2};
use glam::DVec3;

use crate::experiment::frame::{FormationView, Frame, GroupView, ObstacleView};

use super::super::theme::{SMALL, Tokens};
use super::camera::View;
use super::ink::{Ink, distance_to_segment, ring};

/// Round distances for grid and scale bar: 1, 2 or 5 times a power of ten.
pub fn round_step(at_least: f64) -> f64 {
    let power = 10f64.powf(at_least.max(1e-6).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|digit| digit * power).find(|&step| step >= at_least * 0.999).unwrap_or(power)
}

/// A line in metres, cut where it goes behind the camera.
pub fn line(ink: &mut Ink, view: &View, from: DVec3, to: DVec3, width: f32, color: Color32) {
    if let (Some(a), Some(b)) = (view.project(from), view.project(to)) {
        ink.line(a.pos, b.pos, width, color);
    }
}

/// Grid on the ground, every fifth line a little nearer to `strong`.
pub fn grid(ink: &mut Ink, view: &View, color: Color32, strong: Color32) {
    let step = round_step(56.0 / view.zoom());
    let reach = if view.camera.perspective {
        f64::from(view.rect.width()) * 1.2 / view.zoom()
    } else {
        f64::from(view.rect.width().max(view.rect.height())) * 0.5 / view.zoom() + step
    };
    let middle = view.camera.center;
    let range = |center: f64| ((center - reach) / step).floor() as i64..=((center + reach) / step).ceil() as i64;
    let (low_x, high_x) = (middle.x - reach, middle.x + reach);
    let (low_y, high_y) = (middle.y - reach, middle.y + reach);
    let shade =
        |i: i64| if i % 5 == 0 { color.lerp_to_gamma(strong, 0.45 * f32::from(color.a()) / 255.0) } else { color };
    for i in range(middle.x) {
        let x = i as f64 * step;
        pieces(ink, view, DVec3::new(x, low_y, 0.0), DVec3::new(x, high_y, 0.0), shade(i));
    }
    for i in range(middle.y) {
        let y = i as f64 * step;
        pieces(ink, view, DVec3::new(low_x, y, 0.0), DVec3::new(high_x, y, 0.0), shade(i));
    }
}

/// In perspective a long line is drawn in pieces, so that only what is behind the camera is missing.
fn pieces(ink: &mut Ink, view: &View, from: DVec3, to: DVec3, color: Color32) {
    let count = if view.camera.perspective { 12 } else { 1 };
    for i in 0..count {
        let at = |k: i32| from.lerp(to, f64::from(k) / f64::from(count));
        line(ink, view, at(i), at(i + 1), 0.4, color);
    }
}

/// Halfway between two colors.
pub fn mix(a: Color32, b: Color32, share: f32) -> Color32 {
    let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * share) as u8;
    Color32::from_rgb(mix(a.r(), b.r()), mix(a.g(), b.g()), mix(a.b(), b.b()))
}

/// The area of the scene, dashed.
pub fn area(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some((low, high)) = frame.scene.area else { return };
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
    for i in 0..4 {
        let (a, b) = (corners[i], corners[(i + 1) % 4]);
        let ends = (view.project(DVec3::new(a.0, a.1, 0.0)), view.project(DVec3::new(b.0, b.1, 0.0)));
        if let (Some(a), Some(b)) = ends {
            ink.dashed(a.pos, b.pos, 1.0, 7.0, mix(tokens.line, tokens.text_weak, 0.3));
        }
    }
}

/// An outline on the screen at a height; none if a part of it is behind the camera.
fn outline_at(view: &View, points: &[DVec3], z: f64) -> Option<Vec<Pos2>> {
    points.iter().map(|p| view.project(DVec3::new(p.x, p.y, p.z + z)).map(|spot| spot.pos)).collect()
}

/// A face of a solid, to be sorted by depth.
pub struct Face {
    /// Corners on the screen.
    pub corners: Vec<Pos2>,
    /// Distance of its middle in metres.
    pub depth: f64,
    /// Color.
    pub color: Color32,
    /// Whether its edges are drawn; the sides of something round have none.
    pub edged: bool,
}

/// More sides than this are something round.
const ROUND: usize = 12;

/// Faces of an obstacle in perspective: sides and top.
pub fn faces(view: &View, obstacle: &ObstacleView, tokens: &Tokens, out: &mut Vec<Face>) {
    let Some(outline) = obstacle.outlines.first().filter(|outline| outline.len() > 1) else { return };
    if obstacle.kind == "sphere" {
        let radius = obstacle.anchor.distance(outline[0]);
        if let Some(spot) = view.project(obstacle.anchor) {
            let corners = ring(spot.pos, (radius * spot.scale) as f32, 36).collect();
            let color = if obstacle.open {
                tokens.obstacle.gamma_multiply(0.35)
            } else {
                mix(tokens.obstacle, tokens.obstacle_edge, 0.2)
            };
            out.push(Face { corners, depth: spot.depth, color, edged: true });
        }
        return;
    }
    let height = if obstacle.height > 0.0 { obstacle.height } else { 0.8 };
    let sides = if obstacle.closed { outline.len() } else { outline.len() - 1 };
    let fade = |color: Color32| if obstacle.open { color.gamma_multiply(0.35) } else { color };
    for i in 0..sides {
        let (a, b) = (outline[i], outline[(i + 1) % outline.len()]);
        let up = DVec3::Z * height;
        let corners: Option<Vec<Pos2>> =
            [a, b, b + up, a + up].iter().map(|&p| view.project(p).map(|spot| spot.pos)).collect();
        let middle = view.project((a + b + up) * 0.5);
        let (Some(corners), Some(middle)) = (corners, middle) else { continue };
        let normal = (b - a).cross(DVec3::Z).normalize_or_zero();
        let light = (normal.dot(DVec3::new(0.4, -0.7, 0.0)).abs()) as f32;
        let color = fade(mix(tokens.obstacle, tokens.obstacle_edge, 0.15 + 0.35 * light));
        out.push(Face { corners, depth: middle.depth, color, edged: sides <= ROUND });
    }
    if !obstacle.closed {
        return;
    }
    let middle: DVec3 = outline.iter().sum::<DVec3>() / outline.len() as f64;
    if let (Some(corners), Some(spot)) = (outline_at(view, outline, height), view.project(middle + DVec3::Z * height)) {
        out.push(Face { corners, depth: spot.depth, color: fade(tokens.obstacle), edged: true });
    }
}

/// An obstacle seen from above: muted fill, clear edge.
pub fn obstacle(ink: &mut Ink, view: &View, obstacle: &ObstacleView, picked: bool, hovered: bool, tokens: &Tokens) {
    let edge = if picked {
        tokens.picked
    } else if hovered {
        tokens.accent
    } else {
        tokens.obstacle_edge
    };
    let width = if picked || hovered { 2.0 } else { 1.4 };
    // The further outlines of a sphere are its great circles, not holes.
    let count = if obstacle.kind == "sphere" { 1 } else { obstacle.outlines.len() };
    for (i, points) in obstacle.outlines.iter().take(count).enumerate() {
        let Some(points) = outline_at(view, points, 0.0) else { continue };
        if obstacle.closed && !obstacle.open {
            ink.polygon(&points, if i == 0 { tokens.obstacle } else { tokens.ground });
        }
        if obstacle.open {
            let ends = if obstacle.closed { points.len() } else { points.len().saturating_sub(1) };
            for k in 0..ends {
                ink.dashed(points[k], points[(k + 1) % points.len()], width, 5.0, edge);
            }
        } else {
            ink.polyline(&points, obstacle.closed, if obstacle.closed { width } else { width + 1.6 }, edge);
        }
    }
}

/// Whether the pointer is on an obstacle.
pub fn hits(view: &View, obstacle: &ObstacleView, pointer: Pos2) -> bool {
    let Some(outline) = obstacle.outlines.first().and_then(|points| outline_at(view, points, 0.0)) else {
        return false;
    };
    if obstacle.closed && super::ink::contains(&outline, pointer) {
        return true;
    }
    let ends = if obstacle.closed { outline.len() } else { outline.len().saturating_sub(1) };
    (0..ends).any(|k| distance_to_segment(pointer, outline[k], outline[(k + 1) % outline.len()]) < 6.0)
}

/// Way points and goal of a group.
pub fn ways(ink: &mut Ink, view: &View, group: &GroupView, color: Color32) {
    let faint = color.gamma_multiply(0.55);
    for pair in group.route.windows(2) {
        if let (Some(a), Some(b)) = (view.project(pair[0]), view.project(pair[1])) {
            ink.dashed(a.pos, b.pos, 1.2, 5.0, faint);
        }
    }
    for spot in group.route.iter().filter_map(|&p| view.project(p)) {
        ink.circle(spot.pos, 4.0, 1.2, faint);
    }
    if let Some(spot) = group.goal.and_then(|goal| view.project(goal)) {
        ink.circle(spot.pos, 6.0, 1.4, color);
        ink.disc(spot.pos, 2.0, color);
    }
}

/// Where the two handles of a formation are: the head, and the knob that turns.
pub fn handles(view: &View, formation: &FormationView) -> Option<(Pos2, Pos2)> {
    let at = view.project(formation.head)?;
    let (sin, cos) = formation.turn.sin_cos();
    // +y of the frame is forward; the handle stands off by a fixed length on the screen.
    let ahead = view.project(formation.head + DVec3::new(-sin, cos, 0.0) * (38.0 / at.scale))?;
    Some((at.pos, ahead.pos))
}

/// The handles: a ring round the head, a knob to turn.
pub fn draw_handles(ink: &mut Ink, view: &View, formation: &FormationView, color: Color32, hot: bool) {
    let Some((at, ahead)) = handles(view, formation) else { return };
    let width = if hot { 2.2 } else { 1.4 };
    ink.circle(at, 9.0, width, color);
    ink.line(at + (ahead - at).normalized() * 9.0, ahead, width, color);
    ink.disc(ahead, 4.0, color);
}

/// Scale bar, lower left.
pub fn scale_bar(painter: &Painter, view: &View, tokens: &Tokens) {
    let length_m = round_step(64.0 / view.zoom());
    let length = (length_m * view.zoom()) as f32;
    let from = pos2(view.rect.left() + 12.0, view.rect.bottom() - 12.0);
    let stroke = (1.5, tokens.text_weak);
    painter.line_segment([from, from + vec2(length, 0.0)], stroke);
    for end in [0.0, length] {
        painter.line_segment([from + vec2(end, -4.0), from + vec2(end, 0.0)], stroke);
    }
    let text = if length_m < 1.0 { format!("{:.0} cm", length_m * 100.0) } else { format!("{length_m:.0} m") };
    let at = from + vec2(length * 0.5, -5.0);
    halo_text(painter, at, Align2::CENTER_BOTTOM, &text, tokens.text_weak, tokens);
}

/// Small text with a rim of the ground's color, readable on anything.
pub fn halo_text(painter: &Painter, at: Pos2, anchor: Align2, text: &str, color: Color32, tokens: &Tokens) {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), color);
    let rect = anchor.anchor_size(at, galley.size());
    painter.add(Shape::rect_filled(rect.expand2(vec2(3.0, 1.0)), 3.0, tokens.ground.gamma_multiply(0.8)));
    painter.galley(rect.min, galley, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [(0.03, 0.05), (0.9, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (70.0, 100.0)];
        for (at_least, step) in steps {
            assert!((round_step(at_least) - step).abs() < 1e-9 * step, "{at_least} gave {}", round_step(at_least));
        }
    }
}
