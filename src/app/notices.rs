//! Toasts for what happens, and the three hints of the first start.

use std::time::Duration;

use eframe::egui::{self, RichText, Ui};
use egui_notify::{Anchor, Toasts};

use crate::experiment::frame::Frame;

use super::state::{Cx, Notice, State};
use super::theme::Tokens;
use super::widgets;

/// The hints, in the order in which they are shown.
pub const HINTS: [&str; 3] = [
    "Drag an agent away, or a formation by the ring round its head, and watch what the others do",
    "Take the tool “Disc” and put a pillar in the way; drag it about, Ctrl+Z takes it back",
    "Open a file under scripts/ in your editor and save it: the agents follow within a second",
];

/// How long a toast floats.
const LIFE: Duration = Duration::from_secs(4);

/// Toasts of the window.
pub fn toasts() -> Toasts {
    Toasts::new().with_anchor(Anchor::BottomRight).with_margin(egui::vec2(12.0, 36.0))
}

/// Float what is new in the log, and the window's own notices.
pub fn float(toasts: &mut Toasts, state: &mut State, frame: &Frame, tokens: &Tokens) {
    let seen = state.console.seen;
    let newest = frame.events.last().map_or(0, |line| line.serial);
    // A new run counts from the beginning again.
    let seen = if newest < seen { 0 } else { seen };
    let fresh = frame.events.iter().filter(|line| line.serial > seen && line.toast);
    let mut notices: Vec<Notice> = fresh.map(|line| Notice { level: line.level, text: line.text.clone() }).collect();
    state.console.seen = newest;
    notices.append(&mut state.notices);
    // More than a few at once are noise; the console has them all.
    let extra = notices.len().saturating_sub(4);
    for notice in notices.into_iter().skip(extra) {
        let (sign, color) = (widgets::level_sign(notice.level), widgets::level_color(notice.level, tokens));
        let toast = toasts.custom(notice.text, sign.to_owned(), color);
        toast.duration(Some(LIFE)).show_progress_bar(false).closable(false);
    }
}

/// The strip with the first hint that was not dismissed, in the first scene of the start only: whoever opened another one is on their way.
pub fn hints_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    if let Some(here) = &cx.frame.scene.path {
        let first = cx.state.hints_in.get_or_insert_with(|| here.clone());
        if first != here {
            return;
        }
    }
    let Some(index) = cx.state.settings.hints_dismissed.iter().position(|dismissed| !dismissed) else { return };
    egui::Frame::new().fill(cx.tokens.accent_soft).inner_margin(egui::Margin::symmetric(8, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui
                    .small_button("No more hints")
                    .on_hover_text("Help › Show the hints again brings them back")
                    .clicked()
                {
                    cx.state.settings.hints_dismissed = [true; 3];
                }
                if ui.small_button("Got it").on_hover_text("Never show this hint again").clicked() {
                    cx.state.settings.hints_dismissed[index] = true;
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let text = RichText::new(format!("{} of 3  {}", index + 1, HINTS[index])).color(cx.tokens.text);
                    ui.add(egui::Label::new(text).truncate());
                });
            });
        });
    });
}
