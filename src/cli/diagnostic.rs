//! Prints problems for people: source excerpt, what to try, who and when; in color only on a terminal.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;

use ariadne::{CharSet, Color, Config, IndexType, Label, Report, ReportKind, Source};

use super::out;
use crate::experiment::{Problem, Severity};

/// A source larger than this is not shown, in bytes: its line stands in the problem itself.
const LARGEST_SOURCE: u64 = 1 << 20;

/// A source line longer than this, in characters, is shown as the problem shortens it.
const LONGEST_LINE: usize = 200;

/// Prints problems to stderr; files are named from the folder `project`.
pub(super) fn print(problems: &[Problem], project: &Path) {
    let color = std::io::stderr().is_terminal();
    let mut sources = Sources { project, texts: BTreeMap::new() };
    for problem in problems {
        out::stderr(&sources.text(problem, color));
    }
}

struct Sources<'p> {
    project: &'p Path,
    texts: BTreeMap<String, Option<String>>,
}

impl Sources<'_> {
    fn text(&mut self, problem: &Problem, color: bool) -> String {
        let mut text = self.excerpt(problem, color).unwrap_or_else(|| {
            let mut text = problem.to_text();
            text.push('\n');
            text
        });
        append_facts(&mut text, problem);
        text
    }

    /// The problem with its lines of source; nothing if they cannot be had.
    fn excerpt(&mut self, problem: &Problem, color: bool) -> Option<String> {
        let (file, line) = (problem.file.as_deref()?, problem.line? as usize);
        let source = self.source(file)?;
        let text = source.lines().nth(line.checked_sub(1)?)?;
        let length = text.chars().count();
        if length > LONGEST_LINE {
            return None;
        }
        let before: usize = source.split_inclusive('\n').take(line - 1).map(|line| line.chars().count()).sum();
        let blank = text.chars().take_while(|c| c.is_whitespace()).count();
        let column = problem.column.map_or(blank, |column| column as usize - 1).min(length);
        let word = text.chars().skip(column).take_while(|c| c.is_alphanumeric() || *c == '_').count();
        let span = before + column..before + column + word.max(1);
        let kind = match problem.severity {
            Severity::Error => ReportKind::Error,
            Severity::Warning => ReportKind::Warning,
            Severity::Note => ReportKind::Custom("Note", Color::Cyan),
        };
        let config =
            Config::default().with_color(color).with_char_set(CharSet::Unicode).with_index_type(IndexType::Char);
        let label = problem.hint.as_deref().unwrap_or("here");
        let mut report = Report::build(kind, (file, span.clone()))
            .with_config(config)
            .with_code(&problem.code)
            .with_message(&problem.message)
            .with_label(Label::new((file, span)).with_message(label).with_color(Color::Yellow));
        if problem.count > 1 {
            report.set_note(format!("happened {} times", problem.count));
        }
        let mut bytes = Vec::new();
        report.finish().write((file, Source::from(source)), &mut bytes).ok()?;
        String::from_utf8(bytes).ok()
    }

    fn source(&mut self, file: &str) -> Option<&str> {
        let project = self.project;
        let text = self.texts.entry(file.to_owned()).or_insert_with(|| {
            let paths = [project.join(file), Path::new(file).to_path_buf()];
            let path = paths.iter().find(|path| path.is_file())?;
            let size = std::fs::metadata(path).ok()?.len();
            if size > LARGEST_SOURCE {
                return None;
            }
            std::fs::read_to_string(path).ok()
        });
        text.as_deref()
    }
}

/// Who, when, in which callback, and how it got there.
fn append_facts(text: &mut String, problem: &Problem) {
    let mut facts = Vec::new();
    facts.extend(problem.callback.as_ref().map(|callback| format!("in {callback}")));
    facts.extend(problem.group.as_ref().map(|group| format!("group {group}")));
    facts.extend(problem.agent.map(|agent| format!("agent {agent}")));
    facts.extend(problem.tick.map(|tick| format!("tick {tick}")));
    if !facts.is_empty() {
        text.extend(["  ", &facts.join(", "), "\n"]);
    }
    for line in problem.traceback.iter().flat_map(|traceback| traceback.lines()) {
        text.extend(["    ", line.trim(), "\n"]);
    }
}
