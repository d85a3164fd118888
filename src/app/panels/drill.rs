//! The drill in words: what the contract allows, how hard the controller pulls, what the yard shows of it.
//!
//! The same parameters stand below under their addresses; here they are the ones that one turns while watching.

use eframe::egui::{self, RichText, Ui};

use crate::experiment::frame::{Param, TermView};
use crate::experiment::gains;

use super::super::state::Cx;
use super::super::widgets;
use super::super::yard::toolbar;
use super::editor;

/// Terms of the contract: parameter, name of the term that is measured, words.
const CONTRACT: [(&str, &str, &str); 8] = [
    ("spacing", "spacing", "Allowed spacing error"),
    ("cross_track", "cross_track", "Allowed cross-track error ε"),
    ("along_track", "along_track", "Allowed along-track error"),
    ("heading_deg", "heading", "Allowed heading error δ"),
    ("aligned", "aligned", "Aligned means"),
    ("aligned_limit", "aligned", "Allowed misalignment"),
    ("base_line", "", "Base line by"),
    ("settle", "settle", "Time to settle"),
];

/// Gains of the position controller and words.
const CONTROLLER: [(&str, &str); 4] =
    [("k1", "Pull to the place k1"), ("kd", "Damping kd"), ("k2", "Turn to the heading k2"), ("k3", "Integral k3")];

/// The section of a group that has a formation; nothing for others.
pub fn drill_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let view = &cx.frame.groups[group];
    let has_formation = view.formation.is_some() || view.contract.is_some();
    let contract = contract_params(cx, group);
    let controller = controller_params(cx, group);
    if !has_formation || contract.is_empty() && controller.is_empty() {
        return;
    }
    let title = RichText::new("Drill").color(cx.tokens.accent);
    egui::CollapsingHeader::new(title).id_salt(("drill", &view.name)).default_open(true).show_unindented(ui, |ui| {
        if !contract.is_empty() {
            widgets::heading_ui(ui, cx.tokens, "Contract");
        }
        for (param, term, words) in contract {
            let term =
                view.contract.as_ref().and_then(|contract| contract.terms.iter().find(|known| known.name == term));
            let (name, now) = term_text(cx, words, term);
            // The same parameter stands below too.
            ui.push_id("drill", |ui| editor::named_param_ui(ui, cx, param, name, &now));
        }
        if !controller.is_empty() {
            widgets::heading_ui(ui, cx.tokens, "Controller");
        }
        for (param, words) in controller {
            let name = RichText::new(words).color(cx.tokens.text_weak);
            ui.push_id("drill", |ui| editor::named_param_ui(ui, cx, param, name, ""));
        }
        if cx.state.parameters.filter.trim().is_empty() {
            widgets::heading_ui(ui, cx.tokens, "Show in the yard");
            ui.horizontal_wrapped(|ui| toolbar::overlays_ui(ui, cx));
        }
    });
}

fn contract_params<'a>(cx: &Cx<'a>, group: usize) -> Vec<(&'a Param, &'static str, &'static str)> {
    let (frame, name) = (cx.frame, &cx.frame.groups[group].name);
    let rows = CONTRACT.iter().filter_map(|(label, term, words)| {
        let address = format!("{name}.contract.{label}");
        let param = frame.parameters.iter().find(|param| param.address == address)?;
        cx.state.parameters.fits(&address).then_some((param, *term, *words))
    });
    rows.collect()
}

/// Gains by what they are called; those of single states carry its name.
fn controller_params<'a>(cx: &Cx<'a>, group: usize) -> Vec<(&'a Param, String)> {
    let rows = CONTROLLER.iter().flat_map(|(gain, words)| {
        let params = gains::gain_params(&cx.frame.parameters, group, gain);
        params.into_iter().filter(|param| cx.state.parameters.fits(&param.address)).map(move |param| {
            let state = param.state.as_ref().map(|state| format!(" · {state}"));
            (param, format!("{words}{}", state.unwrap_or_default()))
        })
    });
    rows.collect()
}

/// The words of a term, marked where it does not hold, and what it measures now.
fn term_text(cx: &Cx<'_>, words: &str, term: Option<&TermView>) -> (RichText, String) {
    let broken = term.is_some_and(|term| term.ok == Some(false));
    let name = if broken {
        RichText::new(format!("× {words}")).color(cx.tokens.fault)
    } else {
        RichText::new(words).color(cx.tokens.text_weak)
    };
    let now = term.and_then(|term| Some((term.value?, term.unit)));
    let now = now.map(|(value, unit)| format!("now {} {unit}\n", widgets::number(Some(value), 3)));
    (name, now.unwrap_or_default())
}
