//! The case that is picked: what was expected, what was measured, and where to see it.

use eframe::egui::{self, Color32, RichText, Ui};

use crate::experiment::validating::{Case, Mark, Outcome, Quantity};

use super::super::action::Action;
use super::super::layout::Pane;
use super::super::state::Cx;
use super::super::theme::Tokens;
use super::super::widgets;
use super::validation::{chip, start};

/// Its details, or what to do to see some.
pub(super) fn details_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let Some(case) = cx.state.validation.picked.and_then(Case::by_name) else {
        let text = "Pick a case to see what is expected and what was measured. `swarmyard validate` runs the same cases \
                    without a window.";
        widgets::empty_ui(ui, cx.tokens, text);
        return;
    };
    let outcome = cx.state.validation.outcomes.get(case.name).cloned();
    head_ui(ui, cx, case, outcome.as_ref());
    let Some(outcome) = outcome else {
        widgets::empty_ui(ui, cx.tokens, "Not run yet.");
        return;
    };
    if !outcome.error.is_empty() {
        ui.label(RichText::new(format!("× could not run: {}", outcome.error)).color(cx.tokens.fault));
        return;
    }
    quantities_ui(ui, cx, &outcome);
    reasons_ui(ui, cx, &outcome);
}

fn head_ui(ui: &mut Ui, cx: &mut Cx<'_>, case: &'static Case, outcome: Option<&Outcome>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(case.name).strong());
        if let Some(outcome) = outcome {
            let (sign, word, color) = chip(outcome.verdict, cx.tokens);
            ui.label(RichText::new(format!("{sign} {word}")).color(color));
        }
        let idle = cx.state.validation.suite.is_none() && cx.state.project.is_some();
        let run = ui.add_enabled(idle, egui::Button::new("Run this case"));
        let run = run.on_disabled_hover_text("Cases run already, or there is no project");
        if run.clicked() {
            start(ui, cx, vec![case]);
        }
        let about = if case.scene.is_empty() {
            "It builds a world of its own, which no scene file holds"
        } else {
            "Loads the scene in which the case measures into the yard"
        };
        let open = ui.add_enabled(!case.scene.is_empty(), egui::Button::new("Open its scene"));
        if open.on_hover_text(format!("{about}\n{}", case.scene)).on_disabled_hover_text(about).clicked() {
            cx.ask(Action::OpenPath(case.scene.to_owned()));
            cx.ask(Action::Show(Pane::Yard));
        }
    });
    ui.label(case.about);
    let mut facts = vec![format!("source: {}", case.source)];
    if let Some(outcome) = outcome {
        if !outcome.seed.is_empty() {
            facts.push(format!("seed {}", outcome.seed));
        }
        facts.push(format!("{:.1} s", outcome.seconds));
    }
    if !case.scene.is_empty() {
        facts.push(case.scene.to_owned());
    }
    ui.label(RichText::new(facts.join(" · ")).small().color(cx.tokens.text_weak));
    ui.add_space(4.0);
}

/// Sign and color of a mark.
fn sign(mark: Mark, tokens: &Tokens) -> (&'static str, Color32) {
    match mark {
        Mark::Holds => ("●", tokens.good),
        Mark::Fails => ("×", tokens.fault),
        Mark::KnownToFail => ("▲", tokens.warning),
        Mark::HoldsNow => ("●", tokens.accent),
        Mark::Shown => ("–", tokens.text_weak),
    }
}

fn quantities_ui(ui: &mut Ui, cx: &Cx<'_>, outcome: &Outcome) {
    let weak = |text: &str| RichText::new(text).small().color(cx.tokens.text_weak);
    // Names wrap, so that the numbers stay in view in a narrow panel.
    let names = (ui.available_width() - 330.0).clamp(120.0, 420.0);
    egui::Grid::new(("quantities", outcome.name)).striped(true).spacing([12.0, 3.0]).min_col_width(0.0).show(
        ui,
        |ui| {
            for (name, about) in [
                ("quantity", ""),
                ("measured", "here, just now"),
                ("expected", "with its tolerance; a dash where nothing is judged"),
                ("", ""),
                ("the text says", "in the words of the source"),
            ] {
                let label = ui.label(weak(name));
                if !about.is_empty() {
                    label.on_hover_text(about);
                }
            }
            ui.end_row();
            for quantity in &outcome.quantities {
                ui.scope(|ui| {
                    ui.set_max_width(names);
                    ui.add(egui::Label::new(RichText::new(&quantity.what).small()).wrap());
                });
                ui.label(RichText::new(measured(quantity)).monospace().small());
                ui.label(RichText::new(quantity.expected.to_string()).monospace().small());
                let (sign, color) = sign(quantity.mark(), cx.tokens);
                let text = format!("{sign} {}", quantity.mark().text());
                let label = ui.label(RichText::new(text).small().color(color));
                if let Some(known) = quantity.known {
                    label.on_hover_text(known);
                }
                ui.label(weak(quantity.text));
                ui.end_row();
            }
        },
    );
}

/// What was measured, with its unit, in as many digits as help.
fn measured(quantity: &Quantity) -> String {
    let value = quantity.measured;
    let number = match value.abs() {
        size if !size.is_finite() => "never".to_owned(),
        size if size == 0.0 || size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 0.1 => format!("{value:.3}"),
        size if size >= 1e-3 => format!("{value:.4}"),
        _ => format!("{value:.1e}"),
    };
    format!("{number} {}", widgets::pretty_unit(quantity.unit)).trim_end().to_owned()
}

/// Why what is known to fail does.
fn reasons_ui(ui: &mut Ui, cx: &Cx<'_>, outcome: &Outcome) {
    let mut said: Vec<&str> = Vec::new();
    for quantity in &outcome.quantities {
        let Some(known) = quantity.known.filter(|known| !said.contains(known)) else { continue };
        said.push(known);
        let text = match quantity.mark() {
            Mark::HoldsNow => format!("● holds now, though it is known to fail: {known}"),
            _ => format!("▲ known: {known}"),
        };
        ui.label(RichText::new(text).small().color(cx.tokens.warning));
    }
}
