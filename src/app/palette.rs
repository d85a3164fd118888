//! The list of everything that can be done, found by a few letters.

use eframe::egui::{self, Align2, Key, RichText, Ui, text::LayoutJob, vec2};

use crate::experiment::command::{Command, TuneOrder};

use super::action::{self, Action};
use super::drill::DrillWord;
use super::fuzzy;
use super::state::Cx;

/// The open palette.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// What was typed.
    pub pattern: String,
    /// Row that Enter takes.
    pub row: usize,
    /// It was just opened: the field wants the focus.
    pub fresh: bool,
}

impl Palette {
    /// A palette that has just been opened.
    pub fn new() -> Self {
        Self { fresh: true, ..Self::default() }
    }
}

struct Row {
    text: String,
    about: String,
    key: String,
    action: Action,
    hits: Vec<usize>,
    score: i32,
}

/// Rows shown at once.
const ROWS: usize = 14;

fn candidates(cx: &Cx<'_>) -> Vec<(String, String, String, Action)> {
    let row = |text: String, about: &str, action: Action| (text, about.to_owned(), String::new(), action);
    let mut rows: Vec<_> = cx
        .table
        .iter()
        .filter(|entry| entry.action != Action::Palette)
        .map(|entry| {
            let text = match &entry.action {
                Action::Show(_) => format!("Panel: {}", entry.text),
                Action::Take(_) => format!("Tool: {}", entry.text),
                _ => entry.text.to_owned(),
            };
            (text, entry.tooltip.to_owned(), action::first_key(entry), entry.action.clone())
        })
        .collect();
    let frame = cx.frame;
    rows.extend(
        frame
            .catalogue
            .iter()
            .map(|scene| row(format!("Open: {}", scene.title), &scene.about, Action::OpenPath(scene.path.clone()))),
    );
    for group in &frame.groups {
        for definition in frame.definitions.iter().filter(|definition| definition.kind == "formation") {
            let command =
                Command::Form { group: group.name.clone(), formation: definition.name.clone(), params: Vec::new() };
            rows.push(row(command.label(), &definition.about, Action::Send(command)));
        }
    }
    for group in frame.groups.iter().filter(|group| group.formation.is_some()) {
        for word in [DrillWord::ForwardMarch, DrillWord::Halt] {
            let command = word.command(&group.name);
            rows.push(row(command.label(), word.about(), Action::Send(command)));
        }
    }
    for group in &frame.groups {
        for event in &group.events {
            let command = Command::SendEvent { group: group.name.clone(), name: event.clone(), value: None };
            rows.push(row(command.label(), "Event that the group's machine names", Action::Send(command)));
        }
    }
    for group in &frame.groups {
        let order = TuneOrder { group: group.name.clone(), ..TuneOrder::default() };
        let about = "Relay experiment, rules and search on the body of its first agent, shown in the panel Tuning";
        rows.push(row(format!("Tune the controller of {}", group.name), about, Action::Send(Command::Tune(order))));
    }
    for button in frame.buttons.iter() {
        let command = Command::PressButton { director: button.director.clone(), name: button.name.clone() };
        rows.push(row(command.label(), "Event of a director", Action::Send(command)));
    }
    for metric in frame.metrics.iter() {
        let id = metric.id.clone();
        let command = if metric.watched { Command::UnwatchPlot(id) } else { Command::WatchPlot(id) };
        rows.push(row(command.label(), &metric.about, Action::Send(command)));
    }
    rows
}

fn matching(cx: &Cx<'_>, pattern: &str) -> Vec<Row> {
    let scored = candidates(cx).into_iter().filter_map(|(text, about, key, action)| {
        let (score, hits) = fuzzy::score(pattern, &text)?;
        Some(Row { text, about, key, action, hits, score })
    });
    let mut rows: Vec<Row> = scored.collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.score));
    // Letters strewn over a text match nearly everything; only what is about as good as the best is of use.
    let best = rows.first().map_or(0, |row| row.score);
    rows.retain(|row| row.score * 2 >= best);
    rows
}

/// The window of the palette, while it is open.
pub fn palette_ui(ui: &Ui, cx: &mut Cx<'_>) {
    let Some(mut palette) = cx.state.palette.clone() else { return };
    let rows = matching(cx, &palette.pattern);
    let (up, down, enter) = ui.input_mut(|input| {
        let mut key = |key| input.consume_key(egui::Modifiers::NONE, key);
        (key(Key::ArrowUp), key(Key::ArrowDown), key(Key::Enter))
    });
    palette.row = palette.row.min(rows.len().saturating_sub(1));
    if down {
        palette.row = (palette.row + 1).min(rows.len().saturating_sub(1));
    }
    if up {
        palette.row = palette.row.saturating_sub(1);
    }
    let mut chosen = enter.then(|| rows.get(palette.row).map(|row| row.action.clone())).flatten();
    let mut close = chosen.is_some();
    let width = 460.0_f32.min(ui.content_rect().width() - 40.0);
    let modal = egui::Modal::new(egui::Id::unique("palette"))
        .area(egui::Modal::default_area(egui::Id::unique("palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 56.0)));
    let response = modal.show(ui, |ui| {
        ui.set_width(width);
        let field =
            egui::TextEdit::singleline(&mut palette.pattern).hint_text("Type a few letters").desired_width(width);
        let response = ui.add(field);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Find a command"));
        if palette.fresh || response.lost_focus() {
            response.request_focus();
            palette.fresh = false;
        }
        if response.changed() {
            palette.row = 0;
        }
        ui.add_space(2.0);
        if rows.is_empty() {
            ui.label(RichText::new("No matching commands").color(cx.tokens.text_weak));
        }
        let first = (palette.row + 1).saturating_sub(ROWS);
        for (index, row) in rows.iter().enumerate().skip(first).take(ROWS) {
            if row_ui(ui, cx, row, index == palette.row, width) {
                chosen = Some(row.action.clone());
                close = true;
            }
        }
    });
    close |= response.should_close();
    cx.state.palette = if close { None } else { Some(palette) };
    if let Some(action) = chosen {
        cx.ask(action);
    }
}

fn row_ui(ui: &mut Ui, cx: &Cx<'_>, row: &Row, selected: bool, width: f32) -> bool {
    let font = egui::FontId::proportional(13.0);
    let mut job = LayoutJob::default();
    for (i, letter) in row.text.chars().enumerate() {
        let hit = row.hits.contains(&i);
        let underline = if hit { egui::Stroke::new(1.0, cx.tokens.accent) } else { egui::Stroke::NONE };
        let color = if hit { cx.tokens.accent } else { cx.tokens.text };
        let format = egui::TextFormat { font_id: font.clone(), color, underline, ..Default::default() };
        job.append(letter.encode_utf8(&mut [0; 4]), 0.0, format);
    }
    let button = egui::Button::selectable(selected, job)
        .min_size(vec2(width, 0.0))
        .right_text(RichText::new(&row.key).small().color(cx.tokens.text_weak));
    let response = ui.add(button).on_hover_text(&row.about);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, selected, &row.text));
    response.clicked()
}
