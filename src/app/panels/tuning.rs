//! Tuning: the relay experiment on the body of an agent, what the rules of the table do on it, and gains to use.

use eframe::egui::{self, Align, Layout, RichText, Ui};

use crate::experiment::command::{Command, TuneOrder};
use crate::experiment::frame::{ParamValue, TuningView};
use crate::experiment::tuning::{Controller, Objective, Tuned};

use super::super::state::Cx;
use super::super::widgets;
use super::{tuning_plots, tuning_table};

/// What the panel remembers.
#[derive(Default)]
pub struct TuningState {
    /// The next order: what is not given is taken from the body.
    pub order: TuneOrder,
    /// Row whose response is shown; none for the best.
    pub chosen: Option<usize>,
}

/// The panel.
pub fn tuning_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    if cx.frame.groups.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "No agents to tune. Open a scene on the left.");
        return;
    }
    subject_ui(ui, cx);
    controls_ui(ui, cx);
    run_ui(ui, cx);
    let found = cx.frame.tuning.clone();
    match found.filter(|found| cx.frame.groups.iter().any(|group| group.name == found.group)) {
        Some(found) => found_ui(ui, cx, &found),
        None => widgets::empty_ui(
            ui,
            cx.tokens,
            "A relay in the place of the controller makes the agent's body swing. From that swing come the gains of the \
             classic rules; here they are tried on the same body. The run is not touched.",
        ),
    }
}

/// Whose body: the picked agent, or the first of a group.
fn subject_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    let picked = match cx.state.picked[..] {
        [only] => frame.agents.row(only).map(|row| (only, usize::from(frame.agents.group[row]))),
        _ => None,
    };
    let order = &mut cx.state.tuning.order;
    order.agent = picked.map(|(key, _)| key);
    if let Some(group) = picked.and_then(|(_, group)| frame.groups.get(group)) {
        order.group.clone_from(&group.name);
    } else if !frame.groups.iter().any(|group| group.name == order.group) {
        order.group.clone_from(&frame.groups[0].name);
    }
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new("body of").color(cx.tokens.text_weak));
        if let Some((key, _)) = picked {
            ui.label(RichText::new(format!("agent {key} of {}", order.group)).strong());
            return;
        }
        let text = format!("the first of {}", order.group);
        let combo = egui::ComboBox::from_id_salt("tuned group").selected_text(text).width(130.0);
        let response = combo.show_ui(ui, |ui| {
            for group in &frame.groups {
                ui.selectable_value(&mut order.group, group.name.clone(), &group.name);
            }
        });
        response.response.labelled_by(label.id).on_hover_text("Pick an agent in the yard to tune another one");
    });
}

/// A number that is taken from the body unless the user gives one.
fn given_ui(ui: &mut Ui, cx: &Cx<'_>, (name, about): (&str, &str), unit: &str, value: &mut Option<f64>, usual: f64) {
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new(name).color(cx.tokens.text_weak)).on_hover_text(about);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if widgets::sign_button(ui, "↺", &format!("Reset {name}"), value.is_some()).clicked() {
                *value = None;
            }
            let mut shown = value.unwrap_or(usual);
            let drag = egui::DragValue::new(&mut shown).speed(0.005).range(0.0..=100.0).fixed_decimals(3);
            if ui.add(drag.suffix(unit)).labelled_by(label.id).on_hover_text(about).changed() {
                *value = Some(shown);
            }
        });
    });
}

fn controls_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let mut order = cx.state.tuning.order.clone();
    let frame = cx.frame;
    let address = format!("{}.body.max_speed", order.group);
    let fastest = frame.parameters.iter().find(|param| param.address == address).map(|param| &param.value);
    let fastest = if let Some(ParamValue::Number(speed)) = fastest { *speed } else { 1.0 };
    let noise = frame.groups.iter().find(|group| group.name == order.group).map_or(0.0, |group| group.noise);
    let output = ("relay output", "What the relay commands on either side; 0.4 of the speed limit unless given");
    given_ui(ui, cx, output, " m/s", &mut order.output, 0.4 * fastest);
    let hysteresis = (
        "hysteresis",
        "The error must pass it before the relay switches; three times the noise of the sensor unless given",
    );
    given_ui(ui, cx, hysteresis, " m", &mut order.hysteresis, 3.0 * noise);
    let mut bias = (order.bias != 0.0).then_some(order.bias);
    let about = "Added to the output on both sides, against something that pushes the agent to one side";
    given_ui(ui, cx, ("bias", about), " m/s", &mut bias, 0.0);
    order.bias = bias.unwrap_or(0.0);
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new("search for").color(cx.tokens.text_weak));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let combo = egui::ComboBox::from_id_salt("objective").selected_text(objective_text(order.goal.objective));
            let response = combo.width(120.0).show_ui(ui, |ui| {
                for objective in [Objective::Settle, Objective::Iae] {
                    ui.selectable_value(&mut order.goal.objective, objective, objective_text(objective));
                }
            });
            let about = "What the search makes as small as it can. IAE is the integral of the absolute error";
            response.response.labelled_by(label.id).on_hover_text(about);
            let about =
                "With an integral or without; the body integrates by itself, so an integral has to earn its overshoot";
            for (controller, text) in [(Controller::Pid, "PID"), (Controller::Pd, "PD")] {
                ui.selectable_value(&mut order.goal.controller, controller, text).on_hover_text(about);
            }
        });
    });
    cx.state.tuning.order = order;
}

fn objective_text(objective: Objective) -> &'static str {
    match objective {
        Objective::Settle => "settle time",
        Objective::Iae => "IAE",
    }
}

fn run_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.add_space(4.0);
    let about = "On a copy of the body alone, beside the run; starting it again supersedes the one under way";
    if ui.button("Run the relay experiment").on_hover_text(about).clicked() {
        cx.state.tuning.chosen = None;
        cx.send(Command::Tune(cx.state.tuning.order.clone()));
    }
    if let Some(progress) = &cx.frame.progress {
        ui.horizontal(|ui| {
            let room = (ui.available_width() - 64.0).max(60.0);
            let bar = egui::ProgressBar::new(progress.done.unwrap_or(0.0)).desired_width(room);
            ui.add(bar.text(RichText::new(&progress.what).small()));
            let button = egui::Button::new("Cancel");
            if ui.add_enabled(progress.cancellable, button).on_hover_text("What was found before stays").clicked() {
                cx.send(Command::CancelWork);
            }
        });
    }
}

fn found_ui(ui: &mut Ui, cx: &mut Cx<'_>, found: &TuningView) {
    ui.add_space(4.0);
    ui.separator();
    let who = format!("agent {} of {}", found.agent, found.group);
    match &found.outcome.found {
        Ok(tuned) => {
            let plant = format!("{who} · lag {} s, dead time {} s", trim(tuned.lag), trim(tuned.dead_time));
            ui.label(RichText::new(plant).small().color(cx.tokens.text_weak));
            ultimate_ui(ui, cx, tuned);
            tuning_plots::relay_ui(ui, cx.tokens, &found.outcome.trace);
            tuning_table::rules_ui(ui, cx, found, tuned);
        }
        Err(error) => {
            ui.label(RichText::new(who).small().color(cx.tokens.text_weak));
            ui.label(RichText::new(format!("▲ {error}")).color(cx.tokens.warning));
            tuning_plots::relay_ui(ui, cx.tokens, &found.outcome.trace);
        }
    }
}

/// A number without needless zeros.
fn trim(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
}

/// Ku and Tu by the relay, beside the exact ones.
fn ultimate_ui(ui: &mut Ui, cx: &Cx<'_>, tuned: &Tuned) {
    let weak = |text: &str| RichText::new(text).small().color(cx.tokens.text_weak);
    egui::Grid::new("ultimate").num_columns(4).spacing([14.0, 2.0]).show(ui, |ui| {
        ui.label("");
        ui.label(weak("relay")).on_hover_text("By the describing function: an estimate");
        ui.label(weak("exact")).on_hover_text("Of a lag behind a dead time, without ticks, limits and noise");
        ui.label(weak("off by"));
        ui.end_row();
        let rows = [
            ("Ku", "1/s", tuned.ku, tuned.exact.map(|exact| exact.0), "ultimate gain: a P controller swings for ever"),
            ("Tu", "s", tuned.tu, tuned.exact.map(|exact| exact.1), "ultimate period of that swing"),
        ];
        for (name, unit, value, exact, about) in rows {
            ui.label(RichText::new(format!("{name}, {unit}")).color(cx.tokens.text_weak)).on_hover_text(about);
            ui.monospace(widgets::number(Some(value), 3));
            ui.monospace(widgets::number(exact, 3));
            let off = exact.map_or_else(|| "–".to_owned(), |exact| format!("{:+.0} %", 100.0 * (value / exact - 1.0)));
            ui.monospace(off);
            ui.end_row();
        }
    });
    for text in doubts(tuned) {
        ui.label(RichText::new(format!("▲ {text}")).small().color(cx.tokens.warning));
    }
}

/// Why the estimate of the relay may be of little use.
fn doubts(tuned: &Tuned) -> Vec<String> {
    let mut doubts = Vec::new();
    if tuned.lopsided > 0.03 {
        let share = 100.0 * tuned.lopsided;
        doubts.push(format!("the half periods differ by {share:.0} %; above 10 % bias the relay"));
    }
    // A limited acceleration alone makes it some 20 % low.
    match tuned.exact.map(|exact| tuned.ku / exact.0) {
        Some(share) if share > 1.4 => {
            doubts.push("far above the exact gain: noise switches the relay; raise the hysteresis".to_owned());
        }
        Some(share) if share < 0.6 => doubts
            .push("far below the exact gain: the hysteresis is large beside the swing; raise the output".to_owned()),
        _ => {}
    }
    doubts
}
