//! Sources, stops and exits in the panel of groups: who came, who waits and why, who left.

use eframe::egui::{RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{SourceView, StopView};

use super::super::state::Cx;
use super::super::widgets;

/// The sources of a group.
pub(super) fn sources_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: usize) {
    let Some(flows) = cx.frame.flows.clone() else { return };
    for source in flows.sources.iter().filter(|source| source.group == group) {
        source_ui(ui, cx, source);
    }
}

fn source_ui(ui: &mut Ui, cx: &mut Cx<'_>, source: &SourceView) {
    let value = format!("{} entered", source.entered);
    let about = format!("{:.2} per second now", source.rate);
    ui.horizontal(|ui| {
        switch_ui(ui, cx, &source.name, source.open);
        widgets::field_ui(ui, cx.tokens, &format!("source {}", source.name), &value, "").on_hover_text(about);
    });
    if source.waiting > 0 {
        let reason = source.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
        let verb = if source.waiting == 1 { "waits" } else { "wait" };
        let text = format!("▲ {} {verb} to enter{reason}", source.waiting);
        ui.label(RichText::new(text).color(cx.tokens.warning)).on_hover_text("they enter as soon as there is room");
    }
}

/// All stops of the scene.
pub(super) fn stops_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let Some(flows) = cx.frame.flows.clone() else { return };
    if flows.stops.is_empty() {
        return;
    }
    widgets::heading_ui(ui, cx.tokens, "Stops");
    for stop in &flows.stops {
        ui.horizontal(|ui| {
            if stop.kind != "waypoint" {
                switch_ui(ui, cx, &stop.name, stop.open);
            }
            let (value, about) = stop_text(stop);
            widgets::field_ui(ui, cx.tokens, &stop.name, &value, "").on_hover_text(about);
        });
    }
    ui.separator();
}

/// What a stop says of itself, and what it is.
fn stop_text(stop: &StopView) -> (String, String) {
    let coming = if stop.coming > 0 { format!(", {} coming", stop.coming) } else { String::new() };
    match stop.kind {
        "exit" => {
            let held = if stop.count > 0 { format!(", {} held", stop.count) } else { String::new() };
            (
                format!("{} left{held}", stop.left),
                format!("exit: {:.2} per second over the last 5 s{coming}", stop.flow),
            )
        }
        "queue" => (format!("{} in line{coming}", stop.count), format!("queue: {} served", stop.served)),
        "waiting" => {
            let full = format!("waiting place: {} of {} spots are taken", stop.count, stop.spots.len());
            (format!("{} waiting{coming}", stop.count), full)
        }
        kind => (format!("{} coming", stop.coming), kind.to_owned()),
    }
}

/// Opens and closes all of a name.
fn switch_ui(ui: &mut Ui, cx: &mut Cx<'_>, name: &str, open: bool) {
    let command = Command::OpenFlow { name: name.to_owned(), open: !open };
    let label = command.label();
    let response = ui.small_button(if open { "Close" } else { "Open" });
    response.widget_info(|| eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Button, true, &label));
    if response.on_hover_text(&label).clicked() {
        cx.send(command);
    }
}
