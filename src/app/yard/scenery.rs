//! What lies under the agents: grid, area, obstacles from above, routes, formations, and the scale bar.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Shape, pos2, vec2};
use glam::DVec3;

use crate::experiment::frame::{FormationView, Frame, GroupView, ObstacleView};

use super::super::theme::{SMALL, Tokens};
use super::camera::View;
use super::ink::{Ink, distance_to_segment};

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

/// Grid on the ground in a color, every fifth line a little stronger; from a side a grid of heights.
pub fn grid(ink: &mut Ink, view: &View, lines: Color32, tokens: &Tokens) {
    let step = round_step(56.0 / view.zoom());
    if view.camera.perspective {
        return perspective_grid(ink, view, step, lines, tokens.line);
    }
    let reach = f64::from(view.rect.width().max(view.rect.height())) * 0.5 / view.zoom() + step;
    let (right, up, _) = view.camera.side.axes();
    let middle = view.camera.center;
    for (across, along) in [(right, up), (up, right)] {
        let at = middle.dot(across);
        for i in ((at - reach) / step).floor() as i64..=((at + reach) / step).ceil() as i64 {
            let foot = across * (i as f64 * step) + along * middle.dot(along);
            let ground = view.is_sideways() && i == 0 && across == up;
            let color = if ground { mix(tokens.line, tokens.text_weak, 0.5) } else { shade(i, lines, tokens.line) };
            let width = if ground { 1.4 } else { 0.4 };
            line(ink, view, foot - along * reach, foot + along * reach, width, color);
        }
    }
}

fn shade(i: i64, color: Color32, strong: Color32) -> Color32 {
    if i % 5 == 0 { color.lerp_to_gamma(strong, 0.45 * f32::from(color.a()) / 255.0) } else { color }
}

/// Pieces of a line of the grid in perspective, each of a color of its own.
const PIECES: i32 = 24;

/// The grid in perspective: it fades with the distance from the middle, so that it has no edge.
fn perspective_grid(ink: &mut Ink, view: &View, step: f64, lines: Color32, strong: Color32) {
    let reach = f64::from(view.rect.width()) * 1.2 / view.zoom();
    let middle = view.camera.center.truncate().extend(0.0);
    for (across, along) in [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::X)] {
        let at = middle.dot(across);
        for i in ((at - reach) / step).floor() as i64..=((at + reach) / step).ceil() as i64 {
            let foot = across * (i as f64 * step) + along * middle.dot(along);
            let point = |k: i32| foot + along * (reach * (f64::from(k) / f64::from(PIECES) * 2.0 - 1.0));
            let color = shade(i, lines, strong);
            for k in 0..PIECES {
                let (from, to) = (point(k), point(k + 1));
                let far = ((from + to) * 0.5).distance(middle) / reach;
                if far < 1.0 {
                    line(ink, view, from, to, 0.4, color.gamma_multiply((1.0 - far * far) as f32));
                }
            }
        }
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

/// Whether the pointer is on an obstacle seen from above.
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

/// Way points and goal of a group; `joined` by lines, unless paths lead from one to the next.
pub fn ways(ink: &mut Ink, view: &View, group: &GroupView, color: Color32, joined: bool) {
    let faint = color.gamma_multiply(0.55);
    for pair in group.route.windows(2).filter(|_| joined) {
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

/// Whether the knob stands clear of the ring; seen along the way it points, it does not.
pub fn turns(at: Pos2, ahead: Pos2) -> bool {
    at.distance(ahead) > 16.0
}

/// The handles: a ring round the head, a knob to turn.
pub fn draw_handles(ink: &mut Ink, view: &View, formation: &FormationView, color: Color32, hot: bool) {
    let Some((at, ahead)) = handles(view, formation) else { return };
    let width = if hot { 2.2 } else { 1.4 };
    ink.circle(at, 9.0, width, color);
    if turns(at, ahead) {
        ink.line(at + (ahead - at).normalized() * 9.0, ahead, width, color);
        ink.disc(ahead, 4.0, color);
    }
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
