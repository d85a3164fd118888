//! Every parameter as a control with unit, default and the place where its value comes from.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use eframe::egui::{self, Align, Layout, RichText, ScrollArea, Ui, vec2};

use crate::experiment::command::Command;
use crate::experiment::frame::{ForceView, Param, ParamValue, Section, ValueSource};

use super::super::state::Cx;
use super::super::widgets;

/// What the panel remembers.
#[derive(Default)]
pub struct ParameterState {
    /// Filter text.
    pub filter: String,
    /// Values sent and not yet seen in a frame: shown meanwhile, so that a drag does not jump back.
    sent: BTreeMap<String, (ParamValue, Instant)>,
}

/// After this time a value that was refused jumps back.
const PATIENCE: Duration = Duration::from_millis(400);

impl ParameterState {
    fn shown(&mut self, param: &Param) -> ParamValue {
        let Some((value, since)) = self.sent.get(&param.address) else { return param.value.clone() };
        if *value != param.value && since.elapsed() < PATIENCE {
            return value.clone();
        }
        self.sent.remove(&param.address);
        param.value.clone()
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a widget waits for the experiment is wall-clock time")]
fn now() -> Instant {
    Instant::now()
}

/// The panel.
pub fn parameters_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    if cx.frame.parameters.is_empty() && cx.frame.forces.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "No parameters. Open a scene whose groups have a behavior.");
        return;
    }
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 74.0).max(60.0);
        let field =
            egui::TextEdit::singleline(&mut cx.state.parameters.filter).hint_text("Filter").desired_width(width);
        ui.add(field).on_hover_text("Show only parameters whose address contains this");
        let changed = cx.frame.parameters.iter().any(|p| p.source == ValueSource::User);
        let reset = ui.add_enabled(changed, egui::Button::new("Reset all"));
        if reset.on_hover_text("Give every parameter back to scene and script").clicked() {
            cx.send(Command::ResetAllParams);
        }
    });
    ui.add_space(2.0);
    ScrollArea::vertical().id_salt("parameters").auto_shrink(false).show(ui, |ui| {
        for group in 0..cx.frame.groups.len() {
            group_ui(ui, cx, group);
        }
    });
}

fn group_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let view = &cx.frame.groups[group];
    let title = RichText::new(format!("{} · {}", view.name, view.behavior)).strong();
    egui::CollapsingHeader::new(title).id_salt(("group", &view.name)).default_open(true).show_unindented(ui, |ui| {
        for (section, name) in SECTIONS {
            section_ui(ui, cx, group, section, name);
        }
    });
}

const SECTIONS: [(Section, &str); 6] = [
    (Section::Behavior, "Behavior"),
    (Section::Forces, "Forces"),
    (Section::Formation, "Formation"),
    (Section::Contract, "Contract"),
    (Section::Body, "Body"),
    (Section::Other, "Other"),
];

fn section_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize, section: Section, name: &str) {
    let frame = cx.frame;
    let filter = cx.state.parameters.filter.trim().to_lowercase();
    let fits = |address: &str| filter.is_empty() || address.to_lowercase().contains(&filter);
    let params: Vec<&Param> =
        frame.parameters.iter().filter(|p| p.group == group && p.section == section && fits(&p.address)).collect();
    let mut forces: Vec<&ForceView> = Vec::new();
    if section == Section::Forces {
        forces.extend(frame.forces.iter().filter(|f| f.group == group && fits(&f.address)));
    }
    if params.is_empty() && forces.is_empty() {
        return;
    }
    let salt = (frame.groups[group].name.as_str(), name);
    egui::CollapsingHeader::new(RichText::new(name).color(cx.tokens.text_weak))
        .id_salt(salt)
        .default_open(true)
        .show_unindented(ui, |ui| {
            // Forces with a switch first, each with its own parameters; then what belongs to no listed force.
            let owner = |p: &Param, f: &ForceView| p.force.as_deref() == Some(&f.name) && p.state == f.state;
            for force in &forces {
                force_ui(ui, cx, force);
                for param in params.iter().filter(|p| owner(p, force)) {
                    param_ui(ui, cx, param);
                }
            }
            for param in params.iter().filter(|p| !forces.iter().any(|f| owner(p, f))) {
                param_ui(ui, cx, param);
            }
        });
}

fn force_ui(ui: &mut Ui, cx: &mut Cx<'_>, force: &ForceView) {
    ui.add_space(2.0);
    let name = match &force.state {
        Some(state) => format!("{state} › {}", force.name),
        None => force.name.clone(),
    };
    let mut on = force.enabled;
    let text = RichText::new(&name).strong();
    let about = format!("{}\n{}", force.about, force.address);
    if ui.checkbox(&mut on, text).on_hover_text(about).changed() {
        cx.send(Command::EnableForce { address: force.address.clone(), on });
    }
}

/// Width of the name.
const NAME: f32 = 78.0;
/// Height of a row.
const ROW: f32 = 20.0;

fn param_ui(ui: &mut Ui, cx: &mut Cx<'_>, param: &Param) {
    let mut value = cx.state.parameters.shown(param);
    let before = value.clone();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (badge, badge_color) = widgets::source_badge(param.source, cx.tokens);
        let help = help_text(param);
        let name = ui.allocate_ui_with_layout(vec2(NAME, ROW), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME);
            let label = egui::Label::new(RichText::new(&param.label).color(cx.tokens.text_weak)).truncate();
            ui.add(label).on_hover_text(&help)
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let moved = param.source == ValueSource::User;
            let reset = widgets::sign_button(ui, "↺", &format!("Reset {}", param.address), moved);
            if reset.clicked() {
                cx.state.parameters.sent.remove(&param.address);
                cx.send(Command::ResetParam(param.address.clone()));
            }
            let word = ui.allocate_ui_with_layout(vec2(32.0, ROW), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(32.0);
                widgets::badge_ui(ui, badge, badge_color)
            });
            word.inner.on_hover_text("Where the value comes from: script, scene, --set or user");
            if let Some(bound) = &param.bound {
                ui.label(RichText::new(bound).monospace().color(cx.tokens.text_weak))
                    .on_hover_text("Bound to another value");
                return;
            }
            control_ui(ui, param, &mut value, name.inner.id, &help);
        });
    });
    if value != before {
        cx.state.parameters.sent.insert(param.address.clone(), (value.clone(), now()));
        cx.send(Command::SetParam { address: param.address.clone(), value });
    }
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
    let unit = if param.unit.is_empty() { String::new() } else { format!(" {}", widgets::pretty_unit(&param.unit)) };
    let bounds = param.min.zip(param.max).filter(|(min, max)| min < max);
    let span = bounds.map_or_else(|| number.abs().max(1.0) * 2.0, |(min, max)| max - min);
    let places = decimals(span);
    let low = param.min.unwrap_or(f64::NEG_INFINITY);
    let high = param.max.unwrap_or(f64::INFINITY);
    let drag = egui::DragValue::new(&mut *number)
        .speed(span / 400.0)
        .range(low..=high)
        .clamp_existing_to_range(false)
        .suffix(unit)
        .min_decimals(places.min(2))
        .max_decimals(places.max(3));
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
    ui.add(slider).labelled_by(label).on_hover_text(help);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sent_value_is_shown_until_the_frame_has_it() {
        let param = Param {
            address: "drill.k1".to_owned(),
            label: "k1".to_owned(),
            group: 0,
            state: None,
            force: None,
            section: Section::Behavior,
            value: ParamValue::Number(1.0),
            default: ParamValue::Number(1.0),
            min: None,
            max: None,
            unit: String::new(),
            about: String::new(),
            options: Vec::new(),
            source: ValueSource::Script,
            bound: None,
        };
        let mut state = ParameterState::default();
        state.sent.insert(param.address.clone(), (ParamValue::Number(2.0), now()));
        assert_eq!(state.shown(&param), ParamValue::Number(2.0));
        let arrived = Param { value: ParamValue::Number(2.0), ..param.clone() };
        assert_eq!(state.shown(&arrived), ParamValue::Number(2.0));
        // It has arrived; whatever the next frame says is right.
        assert_eq!(state.shown(&param), ParamValue::Number(1.0));
    }
}
