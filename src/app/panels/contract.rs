//! The contract of a group, live: which term holds, who breaks it since when, and what the last command cost.

use eframe::egui::{self, RichText, Ui};

use crate::experiment::counting::CommandCount;
use crate::experiment::frame::{ContractView, TermView};

use super::super::state::Cx;
use super::super::widgets;
use super::deliveries::agent_ui;

/// Agents that are named per term; the rest is counted.
const NAMED: usize = 3;

/// The contract with its terms.
pub fn contract_ui(ui: &mut Ui, cx: &mut Cx<'_>, contract: &ContractView) {
    ui.horizontal(|ui| {
        widgets::heading_ui(ui, cx.tokens, "Contract");
        match contract.ok {
            Some(true) => widgets::badge_ui(ui, "● holds", cx.tokens.good),
            Some(false) => widgets::badge_ui(ui, "× broken", cx.tokens.fault),
            None => widgets::badge_ui(ui, "not measured yet", cx.tokens.text_weak),
        };
        if let Some(at) = contract.settled_at {
            widgets::badge_ui(ui, &format!("settled at {at:.2} s"), cx.tokens.text_weak);
        }
    });
    for term in &contract.terms {
        term_ui(ui, cx, term);
    }
}

fn term_ui(ui: &mut Ui, cx: &mut Cx<'_>, term: &TermView) {
    let (sign, color) = match term.ok {
        Some(true) => ("●", cx.tokens.good),
        Some(false) => ("×", cx.tokens.fault),
        None => ("–", cx.tokens.text_weak),
    };
    let since = term.since.map_or_else(String::new, |since| {
        let word = if term.ok == Some(false) { "fails" } else { "holds" };
        format!("{word} since {since:.2} s")
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new(sign).color(color)).on_hover_text(&since);
        ui.label(RichText::new(&term.name).color(cx.tokens.text_weak)).on_hover_text(&since);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let limit = format!("≤ {} {}", (term.limit * 1e3).round() / 1e3, term.unit);
            ui.label(RichText::new(limit).small().color(cx.tokens.text_weak));
            ui.monospace(widgets::number(term.value, 3));
        });
    });
    if term.ok == Some(false) && !term.by.is_empty() {
        blame_ui(ui, cx, term);
    }
}

/// Who breaks a term, worst first; a click picks the agent.
fn blame_ui(ui: &mut Ui, cx: &mut Cx<'_>, term: &TermView) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(14.0);
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("by").small().color(cx.tokens.text_weak));
        for (key, value, since) in term.by.iter().take(NAMED) {
            let about = format!("{value:.3} {} since {since:.2} s", term.unit);
            agent_ui(ui, cx, *key).on_hover_text(&about);
            ui.label(RichText::new(format!("{value:.3} {}", term.unit)).small().color(cx.tokens.fault));
        }
        if term.by.len() > NAMED {
            ui.label(RichText::new(format!("and {} more", term.by.len() - NAMED)).small().color(cx.tokens.text_weak));
        }
    });
}

/// What the last command cost so far.
pub fn count_ui(ui: &mut Ui, cx: &Cx<'_>, count: &CommandCount) {
    widgets::heading_ui(ui, cx.tokens, &format!("Since “{}”", count.command));
    let rows = [
        ("position checks", count.position_checks, "an agent compares its position with its place, in one tick"),
        ("angle corrections", count.angle_corrections, "an agent turns, in one tick"),
        (
            "collision predictions",
            count.collision_predictions,
            "a pair of which one moves, and whose closest approach within the next half second is worked out",
        ),
        ("predicted hits", count.predicted_hits, "those of them whose bodies would touch"),
    ];
    for (name, value, about) in rows {
        widgets::field_ui(ui, cx.tokens, name, &value.to_string(), "").on_hover_text(about);
    }
}
