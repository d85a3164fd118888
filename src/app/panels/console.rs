//! What happened, and a line for commands.

use eframe::egui::{self, Key, RichText, ScrollArea, Ui};
use glam::DVec3;

use crate::experiment::command::Command;
use crate::experiment::frame::{Frame, Level, ParamValue};

use super::super::state::Cx;
use super::super::widgets;

/// What the console remembers.
#[derive(Default)]
pub struct ConsoleState {
    /// The line that is typed.
    pub line: String,
    /// Lines typed before, and answers.
    pub answers: Vec<(String, Result<String, String>)>,
    /// Whether only warnings and errors are shown.
    pub only_warnings: bool,
    /// Serial of the newest line that floated as a toast.
    pub seen: u64,
}

/// Answers kept.
const ANSWERS: usize = 20;

/// The panel.
pub fn console_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 112.0).max(60.0);
        let hint = "group.param = value, form GROUP NAME, send GROUP EVENT";
        let field = egui::TextEdit::singleline(&mut cx.state.console.line).hint_text(hint).desired_width(width).id_salt("console line");
        let response = ui.add(field).on_hover_text("A command: group.param = value · reset group.param · form GROUP NAME · send GROUP EVENT [VALUE] · open NAME · close NAME");
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            enter(cx);
            response.request_focus();
        }
        ui.checkbox(&mut cx.state.console.only_warnings, "Only warnings");
    });
    let answers = cx.state.console.answers.iter().rev().take(2).rev();
    for (line, answer) in answers {
        let (text, color) = match answer {
            Ok(text) => (text, cx.tokens.good),
            Err(text) => (text, cx.tokens.fault),
        };
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(format!("> {line}")).monospace().color(cx.tokens.text_weak));
            ui.label(RichText::new(text).color(color));
        });
    }
    lines_ui(ui, cx);
}

fn lines_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let least = if cx.state.console.only_warnings { Level::Warning } else { Level::Info };
    let lines: Vec<_> = cx.frame.events.iter().filter(|line| line.level >= least).collect();
    if lines.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "Nothing has happened yet. Reloads, orders and edits are listed here.");
        return;
    }
    let height = ui.text_style_height(&egui::TextStyle::Body);
    ScrollArea::vertical().id_salt("console").auto_shrink(false).stick_to_bottom(true).show_rows(
        ui,
        height,
        lines.len(),
        |ui, rows| {
            for line in &lines[rows] {
                ui.horizontal(|ui| {
                    ui.label(RichText::new(format!("{:8.2} s", line.time)).monospace().color(cx.tokens.text_weak));
                    ui.label(
                        RichText::new(widgets::level_sign(line.level))
                            .color(widgets::level_color(line.level, cx.tokens)),
                    );
                    ui.label(RichText::new(&line.source).color(cx.tokens.text_weak));
                    ui.add(egui::Label::new(&line.text).truncate());
                });
            }
        },
    );
}

fn enter(cx: &mut Cx<'_>) {
    let line = std::mem::take(&mut cx.state.console.line);
    if line.trim().is_empty() {
        return;
    }
    let answer = match parse(&line, cx.frame) {
        Ok(command) => {
            let label = command.label();
            cx.send(command);
            Ok(label)
        }
        Err(error) => Err(error),
    };
    cx.state.console.answers.push((line, answer));
    let extra = cx.state.console.answers.len().saturating_sub(ANSWERS);
    cx.state.console.answers.drain(..extra);
}

/// A line of the console as a command.
///
/// # Errors
/// What is wrong with the line and what would be right.
pub fn parse(line: &str, frame: &Frame) -> Result<Command, String> {
    if let Some((address, value)) = line.split_once('=') {
        let address = address.trim().to_owned();
        known_address(frame, &address)?;
        return Ok(Command::SetParam { address, value: value_of(value.trim())? });
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["reset", address] => {
            known_address(frame, address)?;
            Ok(Command::ResetParam(address.to_owned()))
        }
        ["form", group, formation] => {
            Ok(Command::Form { group: known_group(frame, group)?, formation: formation.to_owned(), params: Vec::new() })
        }
        ["send", group, name] => {
            Ok(Command::SendEvent { group: known_group(frame, group)?, name: name.to_owned(), value: None })
        }
        ["send", group, name, value] => {
            let value = value.parse().map_err(|_error| format!("`{value}` is not a number"))?;
            Ok(Command::SendEvent { group: known_group(frame, group)?, name: name.to_owned(), value: Some(value) })
        }
        [verb @ ("open" | "close"), name] => {
            let obstacle = frame.obstacles.iter().find(|o| o.name == name);
            let id = obstacle.ok_or_else(|| format!("no obstacle is named `{name}`"))?.id;
            Ok(Command::OpenObstacle { id, open: verb == "open" })
        }
        [address] if frame.parameters.iter().any(|param| param.address == address) => {
            Ok(Command::Evaluate(address.to_owned()))
        }
        _ => Err("not understood; try `group.param = value`, `form GROUP NAME` or `send GROUP EVENT`".to_owned()),
    }
}

fn known_address(frame: &Frame, address: &str) -> Result<(), String> {
    if frame.parameters.iter().any(|param| param.address == address) {
        return Ok(());
    }
    let nearest = frame
        .parameters
        .iter()
        .max_by(|a, b| strsim::jaro_winkler(&a.address, address).total_cmp(&strsim::jaro_winkler(&b.address, address)));
    Err(match nearest {
        Some(param) => format!("no parameter `{address}`; did you mean `{}`?", param.address),
        None => format!("no parameter `{address}`: the scene has none"),
    })
}

fn known_group(frame: &Frame, name: &str) -> Result<String, String> {
    if frame.groups.iter().any(|group| group.name == name) {
        return Ok(name.to_owned());
    }
    let names: Vec<&str> = frame.groups.iter().map(|group| group.name.as_str()).collect();
    Err(format!("no group `{name}`; there is {}", names.join(", ")))
}

fn value_of(text: &str) -> Result<ParamValue, String> {
    if text.is_empty() {
        return Err("a value is missing after `=`".to_owned());
    }
    if let Ok(number) = text.parse::<f64>() {
        return if number.is_finite() {
            Ok(ParamValue::Number(number))
        } else {
            Err("the value must be finite".to_owned())
        };
    }
    let parts: Option<Vec<f64>> = text
        .trim_matches(['(', ')'])
        .split(',')
        .map(|part| part.trim().parse().ok().filter(|n: &f64| n.is_finite()))
        .collect();
    Ok(match (text, parts.as_deref()) {
        ("true" | "on", _) => ParamValue::Flag(true),
        ("false" | "off", _) => ParamValue::Flag(false),
        (_, Some(&[x, y])) => ParamValue::Vector(DVec3::new(x, y, 0.0)),
        (_, Some(&[x, y, z])) => ParamValue::Vector(DVec3::new(x, y, z)),
        _ => ParamValue::Text(text.trim_matches('"').to_owned()),
    })
}
