//! One parameter as a control: name, slider, unit, where its value comes from, and the way back.

use eframe::egui::{self, Align, Layout, RichText, Ui, vec2};

use crate::experiment::command::Command;
use crate::experiment::frame::{Param, ParamValue, ValueSource};

use super::super::state::Cx;
use super::super::widgets;

/// Width of the name.
const NAME: f32 = 78.0;
/// Width of the name of a parameter that comes first.
const MAIN: f32 = 104.0;
/// Width of a name in words.
const WORDS: f32 = 172.0;
/// Height of a row.
const ROW: f32 = 20.0;

/// A parameter under its short name.
pub fn param_ui(ui: &mut Ui, cx: &mut Cx<'_>, param: &Param) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let name = ui.allocate_ui_with_layout(vec2(NAME, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME);
            let label = egui::Label::new(RichText::new(&param.label).color(cx.tokens.text_weak)).truncate();
            ui.add(label).on_hover_text(help_text(param))
        });
        editor_ui(ui, cx, param, name.inner.id, true);
    });
}

/// A parameter that comes first, under its name there, without the word for its source.
pub fn main_param_ui(ui: &mut Ui, cx: &mut Cx<'_>, param: &Param, name: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let width = MAIN.min((ui.available_width() - 104.0).max(40.0));
        let label = ui.allocate_ui_with_layout(vec2(width, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(RichText::new(name).color(cx.tokens.text)).truncate())
                .on_hover_text(help_text(param))
        });
        editor_ui(ui, cx, param, label.inner.id, false);
    });
}

/// The ends of the slider of a parameter; none without a range.
pub fn ends(param: &Param) -> Option<(f64, f64)> {
    param.reach.or_else(|| param.min.zip(param.max)).filter(|(min, max)| min < max)
}

/// Whether the number counts something.
fn is_whole(param: &Param) -> bool {
    param.unit == "agents"
}

/// A number of a slider without digits that nobody can tell apart.
pub fn rounded(param: &Param, number: f64) -> f64 {
    let span = ends(param).map_or(1.0, |(min, max)| max - min);
    let power = if is_whole(param) { 1.0 } else { 10_f64.powi(decimals(span).max(2) as i32) };
    (number * power).round() / power
}

/// A number with its unit.
pub fn number_text(param: &Param, number: f64) -> String {
    let span = ends(param).map_or(1.0, |(min, max)| max - min);
    let places = if is_whole(param) { 0 } else { decimals(span) };
    format!("{number:.places$} {}", widgets::pretty_unit(&param.unit)).trim_end().to_owned()
}

/// A parameter under a name in words, without the word for its source; `more` is said on hover beside its help.
pub fn named_param_ui(ui: &mut Ui, cx: &mut Cx<'_>, param: &Param, name: RichText, more: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let label = ui.allocate_ui_with_layout(vec2(WORDS, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(WORDS);
            ui.add(egui::Label::new(name).truncate()).on_hover_text(format!("{more}{}", help_text(param)))
        });
        editor_ui(ui, cx, param, label.inner.id, false);
    });
}

/// Control, source and reset of a parameter, from the right edge on.
fn editor_ui(ui: &mut Ui, cx: &mut Cx<'_>, param: &Param, label: egui::Id, source: bool) {
    let mut value = cx.state.parameters.shown(param);
    let before = value.clone();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let moved = param.source == ValueSource::User;
        let reset = widgets::sign_button(ui, "↺", &format!("Reset {}", param.address), moved);
        if reset.clicked() {
            cx.state.parameters.forget(&param.address);
            cx.send(Command::ResetParam(param.address.clone()));
        }
        if source {
            source_ui(ui, cx, param);
        }
        if let Some(bound) = &param.bound {
            ui.label(RichText::new(bound).monospace().color(cx.tokens.text_weak))
                .on_hover_text("Bound to another value");
            return;
        }
        control_ui(ui, param, &mut value, label, &help_text(param));
    });
    if value != before {
        cx.state.parameters.remember(param, &value);
        cx.send(Command::SetParam { address: param.address.clone(), value });
    }
}

fn source_ui(ui: &mut Ui, cx: &Cx<'_>, param: &Param) {
    let (badge, color) = widgets::source_badge(param.source, cx.tokens);
    let word = ui.allocate_ui_with_layout(vec2(32.0, ROW), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(32.0);
        widgets::badge_ui(ui, badge, color)
    });
    word.inner.on_hover_text("Where the value comes from: script, scene, --set or user");
}

fn help_text(param: &Param) -> String {
    let mut text = String::new();
    if !param.about.is_empty() {
        text += &param.about;
        text.push('\n');
    }
    text += &param.address;
    let default = match &param.default {
        ParamValue::Number(number) => format!("{number} {}", param.unit).trim_end().to_owned(),
        ParamValue::Flag(flag) => if *flag { "on" } else { "off" }.to_owned(),
        ParamValue::Vector(v) => format!("({}, {}, {}) {}", v.x, v.y, v.z, param.unit).trim_end().to_owned(),
        ParamValue::Text(text) => text.clone(),
    };
    match (param.min, param.max) {
        (Some(min), Some(max)) => format!("{text}\ndefault {default}, from {min} to {max}"),
        _ => format!("{text}\ndefault {default}"),
    }
}

fn control_ui(ui: &mut Ui, param: &Param, value: &mut ParamValue, label: egui::Id, help: &str) {
    match value {
        ParamValue::Number(number) => number_ui(ui, param, number, label, help),
        ParamValue::Flag(flag) => {
            ui.checkbox(flag, "").labelled_by(label).on_hover_text(help);
        }
        ParamValue::Vector(vector) => {
            for part in [&mut vector.z, &mut vector.y, &mut vector.x] {
                let drag = egui::DragValue::new(part).speed(0.02).max_decimals(3);
                ui.add(drag).labelled_by(label).on_hover_text(help);
            }
        }
        ParamValue::Text(text) if param.options.is_empty() => {
            let width = ui.available_width();
            ui.add(egui::TextEdit::singleline(text).desired_width(width)).labelled_by(label).on_hover_text(help);
        }
        ParamValue::Text(text) => {
            let combo = egui::ComboBox::from_id_salt(&param.address).selected_text(text.as_str());
            let response = combo.show_ui(ui, |ui| {
                for option in &param.options {
                    ui.selectable_value(text, option.clone(), option);
                }
            });
            response.response.labelled_by(label).on_hover_text(help);
        }
    }
}

/// Decimals that tell values of a range apart.
fn decimals(span: f64) -> usize {
    match span.abs() {
        s if s >= 200.0 => 0,
        s if s >= 20.0 => 1,
        s if s >= 2.0 => 2,
        s if s >= 0.2 => 3,
        _ => 4,
    }
}

fn number_ui(ui: &mut Ui, param: &Param, number: &mut f64, label: egui::Id, help: &str) {
    // A name such as "count" says what is counted.
    let bare = param.unit.is_empty() || is_whole(param);
    let unit = if bare { String::new() } else { format!(" {}", widgets::pretty_unit(&param.unit)) };
    let bounds = ends(param);
    let span = bounds.map_or_else(|| number.abs().max(1.0) * 2.0, |(min, max)| max - min);
    let whole = is_whole(param);
    let places = decimals(span);
    let low = param.min.unwrap_or(f64::NEG_INFINITY);
    let high = param.max.unwrap_or(f64::INFINITY);
    let drag = egui::DragValue::new(&mut *number)
        .speed(span / 400.0)
        .range(low..=high)
        .clamp_existing_to_range(false)
        .suffix(unit)
        .min_decimals(if whole { 0 } else { places.min(2) })
        .max_decimals(if whole { 0 } else { places.max(3) });
    ui.allocate_ui_with_layout(vec2(68.0, ROW), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(68.0);
        ui.add(drag).labelled_by(label).on_hover_text(help);
    });
    let Some((min, max)) = bounds else { return };
    let room = ui.available_width();
    if room < 40.0 {
        return;
    }
    ui.spacing_mut().slider_width = room - 2.0;
    let slider = egui::Slider::new(number, min..=max).show_value(false).clamping(egui::SliderClamping::Edits);
    let slider = if whole { slider.step_by(1.0) } else { slider };
    ui.add(slider).labelled_by(label).on_hover_text(help);
}
