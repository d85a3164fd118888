//! What is wrong: what, where, and what to try.

use eframe::egui::{self, RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::ProblemView;

use super::super::action::Action;
use super::super::layout::Pane;
use super::super::state::Cx;
use super::super::widgets;

/// The panel.
pub fn problems_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if frame.problems.is_empty() {
        widgets::empty_ui(
            ui,
            cx.tokens,
            "No problems. What goes wrong in a scene or script is listed here, with file and line.",
        );
        return;
    }
    for problem in frame.problems.iter().rev() {
        ui.push_id(problem.id, |ui| problem_ui(ui, cx, problem));
    }
}

/// "file:line:column" as far as known.
pub fn place_text(problem: &ProblemView) -> Option<String> {
    let file = problem.file.as_ref()?;
    Some(match (problem.line, problem.column) {
        (Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        (Some(line), None) => format!("{file}:{line}"),
        _ => file.clone(),
    })
}

/// Everything about a problem, for the clipboard.
pub fn full_text(problem: &ProblemView) -> String {
    let mut lines = Vec::new();
    if let Some(place) = place_text(problem) {
        lines.push(place);
    }
    lines.push(format!("{}: {}", problem.code, problem.message));
    lines.extend(problem.hint.as_ref().map(|hint| format!("hint: {hint}")));
    lines.extend(problem.excerpt.clone());
    lines.extend(problem.traceback.clone());
    lines.join("\n")
}

fn problem_ui(ui: &mut Ui, cx: &mut Cx<'_>, problem: &ProblemView) {
    let open = cx.state.open_problem == Some(problem.id);
    let color = widgets::level_color(problem.level, cx.tokens);
    let mut text = egui::text::LayoutJob::default();
    let format = |color| egui::TextFormat { font_id: egui::FontId::proportional(13.0), color, ..Default::default() };
    text.append(&format!("{} ", widgets::level_sign(problem.level)), 0.0, format(color));
    text.append(&problem.message, 0.0, format(cx.tokens.text));
    if problem.count > 1 {
        text.append(&format!("  ×{}", problem.count), 0.0, format(cx.tokens.text_weak));
    }
    let row = ui.add(egui::Button::selectable(open, text).wrap().min_size(egui::vec2(ui.available_width(), 0.0)));
    row.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, open, &problem.message));
    if row.clicked() {
        cx.state.open_problem = if open { None } else { Some(problem.id) };
        if let Some(agent) = problem.agent.filter(|&agent| cx.frame.agents.row(agent).is_some()) {
            cx.state.pick(agent);
            cx.ask(Action::Show(Pane::Inspector));
        }
    }
    if let Some(place) = place_text(problem) {
        ui.label(RichText::new(place).monospace().small().color(cx.tokens.accent));
    }
    if open {
        details_ui(ui, cx, problem);
    }
    ui.add_space(2.0);
}

fn details_ui(ui: &mut Ui, cx: &mut Cx<'_>, problem: &ProblemView) {
    if let Some(excerpt) = &problem.excerpt {
        egui::Frame::new().fill(cx.tokens.surface_low).corner_radius(4).inner_margin(6).show(ui, |ui| {
            egui::ScrollArea::horizontal().id_salt("excerpt").show(ui, |ui| {
                for line in excerpt.lines() {
                    let color = if line.starts_with('>') { cx.tokens.text } else { cx.tokens.text_weak };
                    ui.add(
                        egui::Label::new(RichText::new(line).monospace().color(color))
                            .wrap_mode(egui::TextWrapMode::Extend),
                    );
                }
            });
        });
    }
    if let Some(hint) = &problem.hint {
        ui.label(RichText::new(hint).color(cx.tokens.good));
    }
    let agent = problem.agent.map(|agent| format!("agent {agent}"));
    let tick = problem.tick.map(|tick| format!("tick {tick}"));
    let facts: Vec<String> =
        [problem.callback.clone(), problem.group.clone(), agent, tick].into_iter().flatten().collect();
    if !facts.is_empty() {
        ui.label(RichText::new(facts.join(" · ")).small().color(cx.tokens.text_weak));
    }
    if let Some(traceback) = &problem.traceback {
        egui::CollapsingHeader::new(RichText::new("Traceback").small()).show(ui, |ui| {
            ui.label(RichText::new(traceback).monospace().small());
        });
    }
    ui.horizontal(|ui| {
        if ui.small_button("Copy").on_hover_text("Place, message, hint and excerpt").clicked() {
            ui.copy_text(full_text(problem));
        }
        if ui.small_button("Dismiss").on_hover_text("It comes back if it happens again").clicked() {
            cx.send(Command::DismissProblem(problem.id));
        }
        let file = problem
            .file
            .clone()
            .filter(|file| cx.frame.scripts.iter().any(|s| s.file == *file && !s.earlier.is_empty()));
        if let Some(file) = file
            && ui.small_button("Put the version before back").clicked()
        {
            cx.send(Command::RollBack { file, version: None });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_copied_whole() {
        let problem = ProblemView {
            code: "script.fault".to_owned(),
            message: "agent has no field `velocty`".to_owned(),
            hint: Some("did you mean `velocity`?".to_owned()),
            file: Some("scripts/shy.luau".to_owned()),
            line: Some(7),
            ..ProblemView::default()
        };
        let text = full_text(&problem);
        assert!(text.starts_with("scripts/shy.luau:7\n"));
        assert!(text.contains("velocty") && text.contains("did you mean"));
    }
}
