//! What happened, for the console and the toasts: bounded, newest last.

use std::collections::VecDeque;

use super::frame::{Level, LogLine};

/// Lines kept.
const LINES: usize = 500;

/// The lines of the run.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: VecDeque<LogLine>,
    next: u64,
}

impl Log {
    /// Something worth knowing.
    pub fn info(&mut self, time: f64, source: &str, text: impl Into<String>) {
        self.add(time, Level::Info, false, source, text.into());
    }

    /// Something worth a toast.
    pub fn toast(&mut self, time: f64, level: Level, source: &str, text: impl Into<String>) {
        self.add(time, level, true, source, text.into());
    }

    /// Something that is probably not what was meant.
    pub fn warning(&mut self, time: f64, source: &str, text: impl Into<String>) {
        self.add(time, Level::Warning, false, source, text.into());
    }

    fn add(&mut self, time: f64, level: Level, toast: bool, source: &str, text: String) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        let serial = self.next;
        self.next += 1;
        self.lines.push_back(LogLine { serial, time, level, toast, source: source.to_owned(), text });
    }

    /// How many lines there ever were: tells whether something is new.
    pub fn serial(&self) -> u64 {
        self.next
    }

    /// The lines kept, oldest first.
    pub fn lines(&self) -> impl Iterator<Item = &LogLine> {
        self.lines.iter()
    }
}
