//! The table of the tuning panel: what each rule does on the body, and a button that uses its gains.

use eframe::egui::{self, RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{ParamValue, TuningView};
use crate::experiment::gains;
use crate::experiment::tuning::{Tried, Tuned};

use super::super::state::Cx;
use super::super::widgets;
use super::tuning_plots;

/// Width from which gains have columns of their own.
const WIDE: f32 = 400.0;

/// The table of the rules, and what the chosen one does.
pub fn rules_ui(ui: &mut Ui, cx: &mut Cx<'_>, found: &TuningView, tuned: &Tuned) {
    let best = tuned.best(found.method.goal.objective);
    let wide = ui.available_width() >= WIDE;
    let mut shown = cx.state.tuning.chosen.or(best);
    widgets::heading_ui(ui, cx.tokens, "What the rules do after a step of 0.5 m");
    egui::Grid::new("rules").striped(true).spacing([if wide { 10.0 } else { 6.0 }, 2.0]).min_col_width(0.0).show(
        ui,
        |ui| {
            header_ui(ui, cx, wide);
            for (row, tried) in tuned.all().enumerate() {
                let response = rule_ui(ui, cx, tried, (best == Some(row), cx.state.tuning.chosen == Some(row)));
                if response.clicked() {
                    cx.state.tuning.chosen = if cx.state.tuning.chosen == Some(row) { None } else { Some(row) };
                }
                if response.hovered() || response.clicked() {
                    shown = Some(row);
                }
                if wide {
                    for gain in [tried.kp, tried.ki, tried.kd] {
                        ui.label(RichText::new(widgets::number(Some(gain), 2)).monospace().small());
                    }
                }
                let settled = tried.settled.map_or_else(|| "never".to_owned(), |settled| format!("{settled:.2}"));
                for text in [format!("{:.0}", tried.overshoot), settled, format!("{:.2}", tried.iae)] {
                    let color = if text == "never" { cx.tokens.fault } else { cx.tokens.text };
                    ui.label(RichText::new(text).monospace().small().color(color));
                }
                use_ui(ui, cx, found, tried);
                ui.end_row();
            }
        },
    );
    if let Some(tried) = shown.and_then(|row| tuned.all().nth(row)) {
        tuning_plots::response_ui(ui, cx.tokens, tried, &tuned.search);
    }
}

fn header_ui(ui: &mut Ui, cx: &Cx<'_>, wide: bool) {
    let columns = [
        ("rule", "Ziegler and Nichols 1942 and its descendants; the last row is searched on this body", true),
        ("k1", "proportional gain, 1/s", wide),
        ("k3", "integral gain, 1/s²", wide),
        ("kd", "derivative gain", wide),
        ("over %", "overshoot, percent of the step", true),
        ("settle s", "time until it stays within 2 % of the step", true),
        ("IAE", "integral of the absolute error, m s", true),
        ("", "", true),
    ];
    for (name, about, _) in columns.into_iter().filter(|column| column.2) {
        ui.label(RichText::new(name).small().color(cx.tokens.text_weak)).on_hover_text(about);
    }
    ui.end_row();
}

fn rule_ui(ui: &mut Ui, cx: &Cx<'_>, tried: &Tried, (best, chosen): (bool, bool)) -> egui::Response {
    let (sign, color) = if best { ("● ", cx.tokens.good) } else { ("", cx.tokens.text) };
    let text = RichText::new(format!("{sign}{}", tried.rule)).small().color(color);
    let response = ui.add(egui::Button::selectable(chosen, text));
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, chosen, &tried.rule));
    let gains = format!("k1 {:.3} 1/s, k3 {:.3} 1/s², kd {:.3}", tried.kp, tried.ki, tried.kd);
    let best = if best { "\nthe best of these; overshoot above 2 % counts against" } else { "" };
    response.on_hover_text(format!("{}: {gains}{best}\nclick keeps its response below", tried.rule))
}

fn use_ui(ui: &mut Ui, cx: &mut Cx<'_>, found: &TuningView, tried: &Tried) {
    let frame = cx.frame;
    let Some(group) = frame.groups.iter().position(|group| group.name == found.group) else { return };
    let settings = gains::settings(&frame.parameters, group, tried);
    let value =
        |address: &str| frame.parameters.iter().find(|param| param.address == address).map(|param| &param.value);
    let holds = |(address, wanted): &(String, f64)| value(address) == Some(&ParamValue::Number(*wanted));
    let in_use = settings.as_ref().is_ok_and(|settings| settings.iter().all(holds));
    let button = egui::Button::selectable(in_use, RichText::new("Use").small()).frame_when_inactive(true);
    let response = ui.add_enabled(settings.is_ok(), button);
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, settings.is_ok(), format!("Use {}", tried.rule)));
    match settings {
        Ok(settings) => {
            let lines: Vec<String> = settings.iter().map(|(address, value)| format!("{address} = {value}")).collect();
            let about = format!("{}\nundo takes it back, Save scene keeps it", lines.join("\n"));
            if response.on_hover_text(about).clicked() {
                let values =
                    settings.into_iter().map(|(address, value)| (address, ParamValue::Number(value))).collect();
                cx.send(Command::SetParams { what: format!("Use gains of {}", tried.rule), values });
            }
        }
        Err(why) => drop(response.on_disabled_hover_text(why)),
    }
}
