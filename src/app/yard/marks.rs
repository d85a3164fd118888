//! Marks at the edge of the yard: the axes with their heights, and where the pointer is.

use eframe::egui::{Align2, Painter, Pos2, Vec2, pos2, vec2};
use glam::DVec3;

use super::super::theme::Tokens;
use super::camera::View;
use super::look::Look;
use super::scenery;

/// Length of an axis of the sign in points.
const ARM: f32 = 24.0;
/// Room below the axes for the scale bar, in points.
const BELOW: f32 = 46.0;

/// Which way x, y and z go, where that is not plain; from a side the heights along the right edge too.
pub fn axes(painter: &Painter, view: &View, tokens: &Tokens) {
    if !view.solid() {
        return;
    }
    sign(painter, view, tokens);
    if view.is_sideways() {
        heights(painter, view, tokens);
    }
}

fn sign(painter: &Painter, view: &View, tokens: &Tokens) {
    let middle = view.rect.left_bottom() + vec2(ARM + 16.0, -BELOW - 8.0);
    for (axis, letter) in [(DVec3::X, "x"), (DVec3::Y, "y"), (DVec3::Z, "z")] {
        let way = view.direction(axis) * ARM;
        // An axis along the line of sight has no direction on the screen.
        if way.length() < 5.0 {
            continue;
        }
        let color = if letter == "z" { tokens.accent } else { tokens.text_weak };
        painter.line_segment([middle, middle + way], (1.5, color));
        let at = middle + way + way.normalized() * 8.0;
        painter.text(at, Align2::CENTER_CENTER, letter, eframe::egui::FontId::proportional(11.0), color);
    }
}

/// The numbers of the grid's lines along the right edge.
fn heights(painter: &Painter, view: &View, tokens: &Tokens) {
    let step = scenery::round_step(56.0 / view.zoom());
    let (high, low) = (view.at_depth(view.rect.right_top(), 0.0).z, view.at_depth(view.rect.right_bottom(), 0.0).z);
    let mut heading = true;
    for i in ((low / step).ceil() as i64..=(high / step).floor() as i64).rev() {
        let z = i as f64 * step;
        let Some(spot) = view.project(DVec3::new(view.camera.center.x, view.camera.center.y, z)) else { continue };
        let at = pos2(view.rect.right() - 8.0, spot.pos.y);
        // Room for the toolbar above and the coordinates below.
        if at.y < view.rect.top() + 12.0 || at.y > view.rect.bottom() - 30.0 {
            continue;
        }
        let number = if step < 1.0 { format!("{z:.2}") } else { format!("{z:.0}") };
        let text = if std::mem::take(&mut heading) { format!("z {number} m") } else { number };
        scenery::halo_text(painter, at, Align2::RIGHT_CENTER, &text, tokens.text_weak, tokens);
    }
}

/// Where the pointer is, lower right.
pub fn coordinates(painter: &Painter, view: &View, pointer: Option<Pos2>, tokens: &Tokens) {
    let Some(at) = pointer.and_then(|pointer| view.ground(pointer)) else { return };
    let ((a, x), (b, y)) = match view.camera.look() {
        Look::Flat(side) => {
            let (right, up, _) = side.axes();
            let (first, second) = side.letters();
            ((first, at.dot(right)), (second, at.dot(up)))
        }
        Look::Perspective => (('x', at.x), ('y', at.y)),
    };
    let text = format!("{a} {x:8.2}  {b} {y:8.2} m");
    let corner = view.rect.right_bottom() - Vec2::new(10.0, 8.0);
    scenery::halo_text(painter, corner, Align2::RIGHT_BOTTOM, &text, tokens.text_weak, tokens);
}
