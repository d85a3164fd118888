//! From tree to typed values: every fault of a record is reported, then reading goes on with the default.
//!
//! Three macros (`record!`, `choice!`, `words!`) are the one place where a file type is declared. Reading, writing, the list
//! of known names and the manual's table of fields follow from that declaration.

mod basic;
mod declare;
mod record;
mod spanned;

use super::nearest::suggestion;
use super::problem::Problem;
use super::ron::{Kind, MAX_PROBLEMS, Node, Source, Span, shortened};

pub use basic::finite;
pub(super) use declare::{choice, record, words};
pub(super) use record::written;
pub use record::{FieldInfo, Limit, Record, checked, leave_group};
pub use spanned::{Spanned, Table};

/// Collects the problems while a tree is read.
pub struct Decoder<'a> {
    /// The text that the tree was read from.
    pub source: &'a Source,
    /// What was found so far.
    pub problems: Vec<Problem>,
    /// The group that is being read, for problems.
    group: Option<String>,
}

impl<'a> Decoder<'a> {
    /// A decoder without problems.
    pub fn new(source: &'a Source) -> Self {
        Self { source, problems: Vec::new(), group: None }
    }

    /// Reports an error at a place.
    pub fn error(&mut self, span: Span, code: &str, message: impl Into<String>, hint: Option<String>) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let mut problem = self.source.error(span, code, message).maybe_hint(hint);
        problem.group.clone_from(&self.group);
        self.problems.push(problem);
    }

    /// Reports that something else stands here; nothing for a place whose fault the reader has reported.
    pub fn mismatch(&mut self, node: &Node, expected: &str) {
        if node.kind != Kind::Broken {
            let message = format!("expected {expected}, found {}", node.what());
            self.error(node.span, "wrong-type", message, None);
        }
    }

    /// Reports a word that is not one of the known ones.
    pub fn unknown_word(&mut self, span: Span, what: &str, word: &str, known: &[&'static str]) {
        let message = format!("unknown {what} `{}`", shortened(word));
        self.error(span, "unknown-word", message, suggestion(word, known.iter().copied()));
    }
}

/// A value that can be read from and written to a tree.
pub trait Shape: Sized {
    /// Reads the value; `None` after a reported problem.
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self>;
    /// The tree of the value.
    fn encode(&self) -> Node;
    /// The number that a limit of the field looks at, if it is one.
    fn as_number(&self) -> Option<f64> {
        None
    }
}

/// A record whose fields can be set by name, as addresses do.
pub trait Fields {
    /// Sets one field; false if there is none of this name. A value that does not fit is reported and changes nothing.
    fn set_field(&mut self, name: &str, node: &Node, decoder: &mut Decoder<'_>) -> bool;
}
