//! One problem that a person should see: a bad file, a faulty script, a warning of the run.
//!
//! Every room from here outwards reports in this one type, so that window, command line and JSON show the same thing.

use std::fmt;

use serde::Serialize;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something asked for could not be done.
    Error,
    /// It runs, but probably not as meant.
    Warning,
    /// Good to know.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// One problem, with its place, what to try, and whom it concerns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// A stable kebab-case name of the kind of problem, such as `unknown-field`.
    pub code: String,
    /// What happened, one sentence without a full stop.
    pub message: String,
    /// The file as the person gave it, relative to the project where possible.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
    /// What to try.
    pub hint: Option<String>,
    /// The group it concerns.
    pub group: Option<String>,
    /// The agent it concerns, as the number that scripts see.
    pub agent: Option<f64>,
    /// The tick at which it happened first.
    pub tick: Option<u64>,
    /// The script callback, such as `step` or `transitions[2].when`.
    pub callback: Option<String>,
    /// The call stack of a script, innermost first, one frame per line.
    pub traceback: Option<String>,
    /// How often it happened.
    pub count: u32,
    /// The source line and a caret below the place.
    pub excerpt: Option<String>,
}

impl Problem {
    /// A problem of the given severity; see [`Problem::error`] and [`Problem::warning`] for the short forms.
    pub fn new(severity: Severity, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            severity,
            code: code.into(),
            message: message.into(),
            file: None,
            line: None,
            column: None,
            hint: None,
            group: None,
            agent: None,
            tick: None,
            callback: None,
            traceback: None,
            count: 1,
            excerpt: None,
        }
    }

    /// An error.
    pub fn error(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, message)
    }

    /// A warning.
    pub fn warning(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, message)
    }

    /// A note.
    pub fn note(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, message)
    }

    /// In this file.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// At this line and column, both from 1.
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// At this line, from 1, where the column is not known.
    pub fn at_line(mut self, line: u32) -> Self {
        self.line = Some(line);
        self
    }

    /// What to try.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What to try, if there is an idea.
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// Concerning this group.
    pub fn group(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// Concerning this agent, as the number that scripts see.
    pub fn agent(mut self, agent: f64) -> Self {
        self.agent = Some(agent);
        self
    }

    /// At this tick.
    pub fn tick(mut self, tick: u64) -> Self {
        self.tick = Some(tick);
        self
    }

    /// In this callback of a script.
    pub fn callback(mut self, callback: impl Into<String>) -> Self {
        self.callback = Some(callback.into());
        self
    }

    /// With this call stack.
    pub fn traceback(mut self, traceback: impl Into<String>) -> Self {
        self.traceback = Some(traceback.into());
        self
    }

    /// Takes the excerpt from the text of the file: the line and a caret below the column (below the first letter without one).
    pub fn with_source(mut self, text: &str) -> Self {
        if let Some(line) = self.line {
            self.excerpt = excerpt(text, line, self.column);
        }
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// `file:line:column`, as far as known; empty without a file and a line.
    pub fn place(&self) -> String {
        let mut place = self.file.clone().unwrap_or_default();
        let Some(line) = self.line else {
            return place;
        };
        if place.is_empty() {
            place.push_str("line ");
        } else {
            place.push(':');
        }
        place.push_str(&line.to_string());
        if let Some(column) = self.column {
            place.push(':');
            place.push_str(&column.to_string());
        }
        place
    }

    /// The one-line form with severity in front and the excerpt below: what a terminal without colors shows.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}: {self}", self.severity);
        if let Some(excerpt) = &self.excerpt {
            text.push('\n');
            text.push_str(excerpt);
        }
        if let Some(traceback) = &self.traceback {
            for frame in traceback.lines() {
                text.push_str("\n    ");
                text.push_str(frame);
            }
        }
        text
    }

    /// Whether `other` is the same problem at another time or of another agent, so that the two are shown once with a count.
    /// Agents that one force sent into quarantine differ in their numbers only.
    pub fn same_cause(&self, other: &Self) -> bool {
        self.severity == other.severity
            && self.code == other.code
            && (self.message == other.message || self.code == "quarantine")
            && self.file == other.file
            && self.line == other.line
            && self.column == other.column
            && self.group == other.group
            && self.callback == other.callback
    }

    /// Adds `problem` to the list, or counts it up where the same cause is there already.
    pub fn add_to(self, list: &mut Vec<Self>) {
        match list.iter_mut().find(|known| known.same_cause(&self)) {
            Some(known) => known.count = known.count.saturating_add(self.count),
            None => list.push(self),
        }
    }
}

/// `file:line:column: message; hint`, on one line.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "; {hint}")?;
        }
        if self.count > 1 {
            write!(f, " (×{})", self.count)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// Characters of a source line that an excerpt shows at most; a file of one endless line must not fill the screen.
const EXCERPT_WIDTH: usize = 110;

/// The line and a caret below the column, two lines of text; `None` if the file has no such line.
pub fn excerpt(text: &str, line: u32, column: Option<u32>) -> Option<String> {
    let source = text.split('\n').nth((line as usize).checked_sub(1)?)?;
    Some(excerpt_of_line(source, line, column))
}

/// The excerpt from the source line itself.
pub(super) fn excerpt_of_line(source: &str, line: u32, column: Option<u32>) -> String {
    let blank = source.chars().take_while(|c| c.is_whitespace()).count();
    let caret = column.map_or(blank, |column| (column as usize).saturating_sub(1));
    let skip = caret.saturating_sub(EXCERPT_WIDTH * 2 / 3);
    let shown: String = source.chars().skip(skip).take(EXCERPT_WIDTH).map(printable).collect();
    let before = if skip > 0 { "…" } else { "" };
    let number = line.to_string();
    let indent = number.len() + 3 + before.chars().count() + caret - skip;
    format!("{number} | {before}{}\n{:indent$}^", shown.trim_end(), "")
}

/// A character that is safe to print; control characters would move the caret or the terminal's cursor.
fn printable(c: char) -> char {
    match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_as_place_message_hint() {
        let problem = Problem::error("unknown-field", "body has no field `radus`")
            .in_file("scenes/a.ron")
            .at(3, 9)
            .hint("did you mean `radius`?")
            .with_source("Scene(\n  groups: [Group(\n  body: (radus: 1)");
        assert_eq!(problem.to_string(), "scenes/a.ron:3:9: body has no field `radus`; did you mean `radius`?");
        assert_eq!(problem.excerpt.as_deref(), Some("3 |   body: (radus: 1)\n            ^"));
    }

    #[test]
    fn an_endless_line_gives_a_short_excerpt_round_the_place() {
        let text = "x".repeat(100_000);
        let shown = excerpt(&text, 1, Some(50_000)).unwrap_or_default();
        assert!(shown.len() < 400, "{} bytes", shown.len());
        assert_eq!(excerpt(&text, 2, None), None);
    }

    #[test]
    fn agents_in_quarantine_by_one_force_are_one_problem_and_by_another_a_second() {
        let mut list = Vec::new();
        for (agent, force) in [(1, "flee"), (2, "flee"), (3, "wander")] {
            let message = format!("agent {agent} is in quarantine: {force} gave NaN");
            Problem::error("quarantine", message).callback(force).add_to(&mut list);
        }
        assert_eq!(list.iter().map(|problem| problem.count).collect::<Vec<_>>(), [2, 1]);
        assert!(list[0].message.contains("agent 1"));
    }

    #[test]
    fn the_same_cause_is_counted_not_repeated() {
        let mut list = Vec::new();
        for tick in 0..3 {
            Problem::error("fault", "division by nothing").tick(tick).add_to(&mut list);
        }
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].count, list[0].tick), (3, Some(0)));
    }
}
