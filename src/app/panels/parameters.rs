//! Every parameter as a control with unit, default and the place where its value comes from.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use eframe::egui::{self, RichText, ScrollArea, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{ForceView, Param, ParamValue, Section, ValueSource};

use super::super::state::Cx;
use super::super::widgets;
use super::editor;

/// What the panel remembers.
#[derive(Default)]
pub struct ParameterState {
    /// Filter text.
    pub filter: String,
    /// Strengths of stages that are switched off.
    pub strengths: super::stages::Remembered,
    /// Values sent and not yet seen in a frame: shown meanwhile, so that a drag does not jump back.
    sent: BTreeMap<String, (ParamValue, Instant)>,
}

/// After this time a value that was refused jumps back.
const PATIENCE: Duration = Duration::from_millis(400);

impl ParameterState {
    /// Whether the filter lets an address through.
    pub fn fits(&self, address: &str) -> bool {
        address.to_lowercase().contains(&self.filter.trim().to_lowercase())
    }

    /// A value was sent.
    pub fn remember(&mut self, param: &Param, value: &ParamValue) {
        self.sent.insert(param.address.clone(), (value.clone(), now()));
    }

    /// Whatever was sent for an address no longer counts.
    pub fn forget(&mut self, address: &str) {
        self.sent.remove(address);
    }

    /// The value to be shown: the one sent, until the frame has it or has had time to.
    pub fn shown(&mut self, param: &Param) -> ParamValue {
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
        let frame = cx.frame;
        let groups = 0..frame.groups.len();
        if frame.groups.iter().all(|group| group.panel.is_empty()) {
            groups.for_each(|group| group_ui(ui, cx, group));
            return;
        }
        groups.clone().for_each(|group| main_ui(ui, cx, group));
        // Who looks for something finds it.
        let wanted = (!cx.state.parameters.filter.trim().is_empty()).then_some(true);
        let advanced = egui::CollapsingHeader::new(RichText::new("Advanced").strong()).id_salt("advanced").open(wanted);
        advanced.show_unindented(ui, |ui| groups.for_each(|group| group_ui(ui, cx, group)));
    });
}

/// The sliders of a group that come first.
fn main_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let view = &cx.frame.groups[group];
    let rows = view.panel.iter().filter(|row| cx.state.parameters.fits(&row.address));
    let rows: Vec<(&Param, &str)> = rows
        .filter_map(|row| {
            let param = cx.frame.parameters.iter().find(|param| param.address == row.address)?;
            Some((param, row.label.as_str()))
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let title = RichText::new(format!("{} · {}", view.name, view.behavior)).strong();
    let header = egui::CollapsingHeader::new(title).id_salt(("main", &view.name)).default_open(true);
    header.show_unindented(ui, |ui| {
        super::stages::stages_ui(ui, cx, group);
        for (param, name) in rows {
            // The same parameter stands under Advanced too.
            ui.push_id(("main", &param.address), |ui| editor::main_param_ui(ui, cx, param, name));
        }
        ui.add_space(4.0);
    });
}

fn group_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let view = &cx.frame.groups[group];
    let title = RichText::new(format!("{} · {}", view.name, view.behavior)).strong();
    egui::CollapsingHeader::new(title).id_salt(("group", &view.name)).default_open(true).show_unindented(ui, |ui| {
        super::drill::drill_ui(ui, cx, group);
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
    let fits = |address: &str| cx.state.parameters.fits(address);
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
                    editor::param_ui(ui, cx, param);
                }
            }
            for param in params.iter().filter(|p| !forces.iter().any(|f| owner(p, f))) {
                editor::param_ui(ui, cx, param);
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
            reach: None,
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
