//! How the places of a formation were given out, whether the ways keep bodies apart, and who got stuck on the way.

use eframe::egui::{RichText, Sense, Ui};

use crate::experiment::apart::{ApartRun, AssignmentRun, PairRun};
use crate::experiment::frame::AgentKey;
use crate::experiment::progress::ProgressRun;

use super::super::state::Cx;
use super::super::widgets;

/// Method, cost, guarantee.
pub fn assignment_ui(ui: &mut Ui, cx: &mut Cx<'_>, run: &AssignmentRun) {
    let greedy = run.greedy.map_or_else(String::new, |greedy| format!("; nearest first would cost {greedy:.2} m²"));
    widgets::field_ui(ui, cx.tokens, "squared ways", &format!("{:.2}", run.squared), "m²")
        .on_hover_text(format!("{}{greedy}", run.method));
    widgets::field_ui(ui, cx.tokens, "longest way", &format!("{:.2}", run.largest_move), "m");
    if run.seconds > 0.0 {
        widgets::field_ui(ui, cx.tokens, "in step", &format!("{:.2}", run.seconds), "s")
            .on_hover_text("what all take to their places");
    }
    if run.reassigned > 0 {
        widgets::field_ui(ui, cx.tokens, "places exchanged", &run.reassigned.to_string(), "")
            .on_hover_text("without an order, because it gained more than the group's `reassign` asks for");
    }
    if let Some(apart) = run.apart.as_ref().filter(|apart| apart.starts.is_some()) {
        apart_ui(ui, cx, apart);
    }
}

/// The guarantee: what it rests on, and the pair that breaks it, which a click picks.
fn apart_ui(ui: &mut Ui, cx: &mut Cx<'_>, apart: &ApartRun) {
    let needed = format!("2√2·{} m; starts and places must be so far apart", apart.radius);
    widgets::field_ui(ui, cx.tokens, "apart at least", &format!("{:.2}", apart.needed), "m").on_hover_text(needed);
    let pairs =
        [("nearest starts", &apart.starts), ("nearest places", &apart.places), ("nearest on the way", &apart.closest)];
    for (what, pair) in pairs {
        let Some(pair) = pair else { continue };
        let text = format!("{:.2}", pair.distance);
        let row = widgets::field_ui(ui, cx.tokens, what, &text, "m").interact(Sense::click());
        if row.on_hover_text(names(pair)).clicked() {
            cx.state.picked = keys(pair);
            cx.state.picked.sort_unstable();
        }
    }
    if apart.guaranteed {
        let slack =
            apart.slack.map_or_else(String::new, |slack| format!("as long as each is within {slack:.2} m of its way"));
        ui.label(RichText::new("✔ no two can touch").color(cx.tokens.good)).on_hover_text(slack);
    } else {
        let text = RichText::new("not guaranteed apart").color(cx.tokens.text_weak);
        ui.label(text).on_hover_text(apart.why.join("\n"));
    }
}

fn keys(pair: &PairRun) -> Vec<AgentKey> {
    [pair.agents.0, pair.agents.1].into_iter().filter_map(AgentKey::from_number).collect()
}

fn names(pair: &PairRun) -> String {
    let names: Vec<String> = keys(pair).iter().map(ToString::to_string).collect();
    format!("agents {}; a click picks them", names.join(" and "))
}

/// What the watchdog of progress saw.
pub fn progress_ui(ui: &mut Ui, cx: &Cx<'_>, run: &ProgressRun) {
    let text = format!("{} · {} freed", run.stuck, run.freed);
    let about = format!("the longest was {:.1} s; events `stuck` and `freed` say so to machines", run.longest);
    widgets::field_ui(ui, cx.tokens, "no progress", &text, "times").on_hover_text(about);
}
