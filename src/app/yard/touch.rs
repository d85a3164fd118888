//! Large sliders for fingers below the yard, and when they are shown.

use eframe::egui::{self, Align2, FontId, Key, Rect, Response, Sense, Ui, WidgetInfo, vec2};

use crate::experiment::command::Command;
use crate::experiment::frame::{Frame, Param, ParamValue, Section};

use super::super::panels::editor;
use super::super::state::Cx;
use super::super::widgets;

/// Height of what a finger is to hit, in points.
pub const TARGET: f32 = 44.0;
/// Between two sliders, and round them, in points.
const GAP: f32 = 6.0;
/// A slider narrower than this has no room for its words, in points.
const NARROW: f32 = 112.0;
/// How many sliders there are at most.
const SLIDERS: usize = 4;

/// Height of the strip in a yard of this width, in points; 0 where it is not shown.
pub fn height(cx: &Cx<'_>, width: f32) -> f32 {
    let count = if cx.state.touch_sliders() { main_params(cx.frame).len() } else { 0 };
    let rows = rows(count, width);
    if rows == 0 { 0.0 } else { rows as f32 * (TARGET + GAP) + GAP }
}

fn columns(count: usize, width: f32) -> usize {
    let fit = ((width - GAP) / (NARROW + GAP)) as usize;
    // Two by two reads better than three and one.
    if fit >= count { count } else { fit.min(2) }.max(1)
}

fn rows(count: usize, width: f32) -> usize {
    count.div_ceil(columns(count, width))
}

/// The parameters that the strip shows, with their names: of those that come first the first ones that are no numbers of agents;
/// where none comes first, the first weights and parameters of the behavior.
pub fn main_params(frame: &Frame) -> Vec<(&Param, String)> {
    let named = |address: &str| frame.parameters.iter().find(|param| param.address == *address);
    let counts = |address: &str| address.rsplit('.').next() == Some("count");
    let first = frame.groups.iter().flat_map(|group| &group.panel).filter(|row| !counts(&row.address));
    let first = first.filter_map(|row| Some((named(&row.address)?, row.label.clone())));
    let mut found: Vec<(&Param, String)> = first.filter(|(param, _)| slides(param)).take(SLIDERS).collect();
    if found.is_empty() {
        let own = frame.parameters.iter().filter(|param| matches!(param.section, Section::Behavior | Section::Forces));
        let own = own.filter(|param| slides(param)).take(SLIDERS);
        found.extend(own.map(|param| (param, plain_name(param))));
    }
    found
}

fn slides(param: &Param) -> bool {
    param.bound.is_none() && editor::ends(param).is_some() && matches!(param.value, ParamValue::Number(_))
}

fn plain_name(param: &Param) -> String {
    match &param.force {
        Some(force) if param.label == "weight" => force.replace('_', " "),
        Some(force) => format!("{} {}", force.replace('_', " "), param.label),
        None => param.label.replace('_', " "),
    }
}

/// The strip below the yard, while it is shown.
pub fn strip_ui(ui: &Ui, cx: &mut Cx<'_>) {
    if ui.input(egui::InputState::any_touches) {
        cx.state.touch_seen = true;
    }
    let frame = cx.frame;
    let params = if cx.state.touch_sliders() { main_params(frame) } else { Vec::new() };
    if params.is_empty() {
        return;
    }
    let width = ui.available_width();
    let columns = columns(params.len(), width);
    let area = Rect::from_min_size(ui.cursor().min, vec2(width, height(cx, width)));
    ui.painter().rect_filled(area, 0.0, cx.tokens.surface_low);
    let each = (width - GAP) / columns as f32 - GAP;
    for (index, (param, name)) in params.into_iter().enumerate() {
        let (column, row) = ((index % columns) as f32, (index / columns) as f32);
        let corner = area.min + vec2(GAP + column * (each + GAP), GAP + row * (TARGET + GAP));
        slider_ui(ui, cx, Rect::from_min_size(corner, vec2(each, TARGET)), param, &name);
    }
}

fn slider_ui(ui: &Ui, cx: &mut Cx<'_>, rect: Rect, param: &Param, name: &str) {
    let (Some((low, high)), ParamValue::Number(now)) = (editor::ends(param), cx.state.parameters.shown(param)) else {
        return;
    };
    let response = ui.interact(rect, ui.scope_id().with(("touch", &param.address)), Sense::click_and_drag());
    let wanted = asked(ui, &response, rect, (low, high), now).map(|value| editor::rounded(param, value));
    let value = wanted.unwrap_or(now);
    if value != now {
        let value = ParamValue::Number(value);
        cx.state.parameters.remember(param, &value);
        cx.send(Command::SetParam { address: param.address.clone(), value });
    }
    paint(ui, cx, rect, &response, ((value - low) / (high - low)) as f32, name, &editor::number_text(param, value));
    response.widget_info(|| WidgetInfo::slider(true, value, name));
    response.on_hover_text(format!("{}\n{}", param.about, param.address));
}

/// The value that a finger or a key asks for.
fn asked(ui: &Ui, response: &Response, rect: Rect, (low, high): (f64, f64), now: f64) -> Option<f64> {
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked()) {
        // The ends can be reached without leaving the slider.
        let inner = rect.shrink2(vec2(10.0, 0.0));
        let share = ((pointer.x - inner.left()) / inner.width()).clamp(0.0, 1.0);
        return Some(low + (high - low) * f64::from(share));
    }
    if !response.has_focus() {
        return None;
    }
    let step = ui.input(|input| {
        f64::from(input.num_presses(Key::ArrowRight) as u32) - f64::from(input.num_presses(Key::ArrowLeft) as u32)
    });
    (step != 0.0).then(|| (now + step * (high - low) / 50.0).clamp(low, high))
}

fn paint(ui: &Ui, cx: &Cx<'_>, rect: Rect, response: &Response, share: f32, name: &str, value: &str) {
    let (tokens, painter) = (cx.tokens, ui.painter());
    let lit = response.hovered() || response.dragged() || response.has_focus();
    painter.rect_filled(rect, 6.0, tokens.surface);
    // Words above, the track below them: the knob never covers what it changes.
    let inner = rect.shrink2(vec2(10.0, 0.0));
    let at = |share: f32| egui::pos2(inner.left() + inner.width() * share.clamp(0.0, 1.0), rect.bottom() - 13.0);
    let track = |to: f32| Rect::from_two_pos(at(0.0), at(to)).expand2(vec2(0.0, 2.0));
    painter.rect_filled(track(1.0), 2.0, tokens.line);
    painter.rect_filled(track(share), 2.0, tokens.accent);
    painter.circle_filled(at(share), if lit { 9.0 } else { 7.5 }, tokens.accent);
    let font = FontId::proportional(13.0);
    let number = painter.layout_no_wrap(value.to_owned(), font.clone(), tokens.text);
    let words = widgets::shortened(painter, name, &font, inner.width() - number.size().x - 8.0);
    let line = rect.top() + 13.0;
    painter.text(egui::pos2(inner.left(), line), Align2::LEFT_CENTER, words, font, tokens.text_weak);
    painter.galley(egui::pos2(inner.right() - number.size().x, line - number.size().y * 0.5), number, tokens.text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_sliders_stand_in_a_row_where_there_is_room_and_two_by_two_where_not() {
        for (width, wanted) in [(800.0, 1), (510.0, 1), (460.0, 2), (360.0, 2), (200.0, 4)] {
            assert_eq!(rows(4, width), wanted, "{width}");
        }
        assert_eq!(rows(0, 500.0), 0);
        assert_eq!(rows(3, 500.0), 1);
    }
}
