//! Validation: the cases with their verdicts, run beside the experiment on a thread of their own.

use std::collections::BTreeMap;
use std::time::Duration;

use eframe::egui::{self, Align, Align2, Color32, Layout, Panel, RichText, ScrollArea, Sense, TextStyle, Ui, vec2};

use crate::experiment::validating::{CASES, Case, Outcome, Suite, Verdict, chosen, seconds};

use super::super::state::Cx;
use super::super::theme::Tokens;
use super::super::widgets;
use super::validation_details;

/// Times of running cases are renewed this often.
const RENEW: Duration = Duration::from_millis(200);
/// Height of a row in points.
const ROW: f32 = 20.0;

/// What the panel remembers.
#[derive(Default)]
pub struct ValidationState {
    /// What was measured last, by case.
    pub outcomes: BTreeMap<&'static str, Outcome>,
    /// The case whose details are shown.
    pub picked: Option<&'static str>,
    /// What runs.
    pub suite: Option<Suite>,
    /// How many of it ended.
    pub done: usize,
    /// Why nothing could be started; empty if all is well.
    pub error: String,
}

impl ValidationState {
    /// Takes what ended since the last pass.
    fn keep_up(&mut self) {
        let Some(suite) = &mut self.suite else { return };
        // Asked before the news are read, so that none is left behind.
        let finished = suite.finished();
        for outcome in suite.ended() {
            self.done += 1;
            self.outcomes.insert(outcome.name, outcome);
        }
        if finished {
            self.suite = None;
        }
    }

    /// The case that runs, and since when.
    fn running(&self) -> Option<(&'static str, f64)> {
        self.suite.as_ref().and_then(|suite| suite.running)
    }
}

/// Asks for cases to be run, unless some run.
pub(super) fn start(ui: &Ui, cx: &mut Cx<'_>, cases: Vec<&'static Case>) {
    let Some(project) = cx.state.project.clone() else { return };
    let state = &mut cx.state.validation;
    if state.suite.is_some() {
        return;
    }
    let ctx = ui.ctx().clone();
    state.done = 0;
    match Suite::start(project, cases, 1, move || ctx.request_repaint()) {
        Ok(suite) => (state.suite, state.error) = (Some(suite), String::new()),
        Err(error) => state.error = format!("the system gives no thread: {error}"),
    }
}

/// The panel.
pub fn validation_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    cx.state.validation.keep_up();
    if cx.state.validation.suite.is_some() {
        ui.ctx().request_repaint_after(RENEW);
    }
    controls_ui(ui, cx);
    ui.add_space(4.0);
    let half = (ui.available_height() * 0.5).max(60.0);
    let frame = egui::Frame::new().inner_margin(egui::Margin { top: 6, ..egui::Margin::ZERO });
    Panel::bottom("validation details").frame(frame).default_size(half).resizable(true).show(ui, |ui| {
        ScrollArea::vertical().id_salt("details").auto_shrink(false).show(ui, |ui| {
            validation_details::details_ui(ui, cx);
        });
    });
    table_ui(ui, cx);
}

fn controls_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let idle = cx.state.validation.suite.is_none();
    let ready = idle && cx.state.project.is_some();
    ui.horizontal(|ui| {
        for (text, long, about) in [
            ("Run quick cases", false, "All cases but the long ones, some minutes; the experiment goes on beside them"),
            ("Run all cases", true, "With the long ones: many minutes"),
        ] {
            let response = ui.add_enabled(ready, egui::Button::new(text)).on_hover_text(about);
            if response.on_disabled_hover_text("Cases run already, or there is no project").clicked() {
                start(ui, cx, chosen(long));
            }
        }
        if let Some(suite) = &cx.state.validation.suite {
            let stop = ui.add_enabled(!suite.stopping(), egui::Button::new("Stop"));
            if stop.on_hover_text("What was measured stays").clicked() {
                suite.stop();
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| match &cx.state.validation.suite {
            Some(suite) => progress_ui(ui, cx, suite),
            None => counts_ui(ui, cx),
        });
    });
    if !cx.state.validation.error.is_empty() {
        ui.label(RichText::new(&cx.state.validation.error).color(cx.tokens.fault));
    }
}

fn progress_ui(ui: &mut Ui, cx: &Cx<'_>, suite: &Suite) {
    let (done, asked) = (cx.state.validation.done, suite.asked.max(1));
    let text = match suite.running {
        _ if suite.stopping() => "stopping".to_owned(),
        Some((name, since)) => format!("{} of {asked}: {name}, {:.0} s", done + 1, seconds() - since),
        None => format!("{done} of {asked}"),
    };
    let bar = egui::ProgressBar::new(done as f32 / asked as f32).desired_width(ui.available_width().min(300.0));
    ui.add(bar.text(RichText::new(text).small()));
}

/// How many stand how.
fn counts_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let outcomes = &cx.state.validation.outcomes;
    for verdict in [Verdict::NotRun, Verdict::Fails, Verdict::KnownToFail, Verdict::HoldsNow, Verdict::Holds] {
        let count = outcomes.values().filter(|outcome| outcome.verdict == verdict).count();
        if count > 0 {
            let (sign, word, color) = chip(verdict, cx.tokens);
            ui.label(RichText::new(format!("{sign} {count} {word}")).small().color(color));
        }
    }
}

/// Sign, word and color of a verdict: never color alone.
pub(super) fn chip(verdict: Verdict, tokens: &Tokens) -> (&'static str, &'static str, Color32) {
    match verdict {
        Verdict::Holds => ("●", "holds", tokens.good),
        Verdict::KnownToFail => ("▲", "known to fail", tokens.warning),
        Verdict::HoldsNow => ("●", "holds now", tokens.accent),
        Verdict::Fails => ("×", "fails", tokens.fault),
        Verdict::NotRun => ("×", "not run", tokens.fault),
    }
}

/// Left edges of the columns by the width of the table: verdict, name, about, source, time.
fn columns(width: f32) -> [f32; 5] {
    let source = width - 60.0 - (width * 0.24).min(220.0);
    [4.0, 112.0, 290.0, source.max(300.0), width - 56.0]
}

fn table_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let weak = cx.tokens.text_weak;
    // As wide as the rows, which leave room for the bar.
    let width = ui.available_width() - ui.spacing().scroll.allocated_width();
    let (rect, _) = ui.allocate_exact_size(vec2(width, 16.0), Sense::hover());
    for (x, name) in columns(rect.width()).into_iter().zip(["verdict", "case", "what it asks", "source", "time"]) {
        let font = TextStyle::Small.resolve(ui.style());
        ui.painter().text(rect.left_center() + vec2(x, 0.0), Align2::LEFT_CENTER, name, font, weak);
    }
    ScrollArea::vertical().id_salt("cases").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for case in CASES {
            row_ui(ui, cx, case);
        }
    });
}

fn row_ui(ui: &mut Ui, cx: &mut Cx<'_>, case: &'static Case) {
    let state = &cx.state.validation;
    let running = state.running().filter(|running| running.0 == case.name);
    let outcome = state.outcomes.get(case.name);
    let (sign, word, color) = match (running, outcome) {
        (Some(_), _) => ("→", "runs", cx.tokens.accent),
        (None, Some(outcome)) => chip(outcome.verdict, cx.tokens),
        (None, None) if case.long => ("–", "long", cx.tokens.text_weak),
        (None, None) => ("–", "", cx.tokens.text_weak),
    };
    let time = match (running, outcome) {
        (Some((_, since)), _) => format!("{:.0} s", seconds() - since),
        (None, Some(outcome)) => format!("{:.1} s", outcome.seconds),
        (None, None) => String::new(),
    };
    let picked = state.picked == Some(case.name);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        let label = format!("{} {word}", case.name);
        egui::WidgetInfo::selected(egui::Role::Button, true, picked, label.trim())
    });
    if picked || response.hovered() || response.has_focus() {
        let fill = if picked { cx.tokens.accent_soft } else { cx.tokens.surface_high };
        ui.painter().rect_filled(rect, 4.0, fill);
    }
    let edges = columns(rect.width());
    let (body, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let cells = [
        (format!("{sign} {word}"), &small, color),
        (case.name.to_owned(), &body, cx.tokens.text),
        (case.about.to_owned(), &small, cx.tokens.text_weak),
        (case.source.to_owned(), &small, cx.tokens.text_weak),
        (time, &small, cx.tokens.text),
    ];
    for (at, (text, font, color)) in cells.into_iter().enumerate() {
        let room = edges.get(at + 1).copied().unwrap_or_else(|| rect.width()) - edges[at] - 8.0;
        let text = widgets::shortened(ui.painter(), &text, font, room);
        ui.painter().text(rect.left_center() + vec2(edges[at], 0.0), Align2::LEFT_CENTER, text, font.clone(), color);
    }
    let response = response.on_hover_text(format!("{}\n{}", case.about, case.source));
    if response.clicked() {
        cx.state.validation.picked = if picked { None } else { Some(case.name) };
    }
}
