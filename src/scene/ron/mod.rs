//! A reader and a writer for RON that know where everything stands.
//!
//! The crate `ron` stops at the first error and forgets positions after it. A scene author wants all faults of a file at
//! once, each with line and column, also those that are found later, when names are looked up. So this reads the text
//! into a tree whose nodes keep their spans, goes on after an error where it can, and never panics, whatever the bytes are.

mod parse;
mod patch;
mod scan;
mod write;

use std::fmt;
use std::sync::Arc;

use super::problem::{Problem, excerpt_of_line};

pub use parse::{Document, read_bytes, read_file, read_text};
pub use patch::patch;
pub use write::to_text;

/// Files above this many bytes are refused; the largest useful scene (a million explicit points) is about 16 MB.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Brackets inside brackets at most, so that no file can exhaust the stack.
pub const MAX_DEPTH: usize = 100;
/// Values in one file at most, which bounds the memory that a file can ask for.
pub const MAX_NODES: usize = 4_000_000;
/// After this many problems a reader gives up on a file.
pub const MAX_PROBLEMS: usize = 50;

/// Where a value stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First byte.
    pub offset: u32,
    /// The byte after the last one.
    pub end: u32,
    /// Line, from 1; 0 for a value that no file contains.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A value of the file and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Any number; integers keep all their digits.
    Number(Number),
    /// A string.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A character in single quotes.
    Char(char),
    /// `()`.
    Unit,
    /// A bare word, such as `Open`.
    Word(String),
    /// `[a, b]`.
    List(Vec<Node>),
    /// `(a, b)` or `Name(a, b)`, also `Name()`.
    Tuple {
        /// The name in front of the bracket.
        name: Option<String>,
        /// The items in order.
        items: Vec<Node>,
    },
    /// `(a: 1)` or `Name(a: 1)`.
    Struct {
        /// The name in front of the bracket.
        name: Option<String>,
        /// The fields in the order of the text; a name may come twice.
        fields: Vec<Field>,
    },
    /// `{key: value}`.
    Map(Vec<(Node, Node)>),
    /// `None` or `Some(x)`.
    Option(Option<Box<Node>>),
    /// Nothing that could be read; the problem has been reported.
    Broken,
}

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The value, not finite for `inf` and `NaN`.
    pub value: f64,
    /// The exact value of an integer.
    pub integer: Option<i128>,
}

/// `name: value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name.
    pub name: String,
    /// Where the name stands.
    pub span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// A value that no file contains.
    pub fn new(kind: Kind) -> Self {
        Self { span: Span::default(), kind }
    }

    /// A number.
    pub fn number(value: f64) -> Self {
        Self::new(Kind::Number(Number { value, integer: None }))
    }

    /// An integer.
    pub fn integer(value: i128) -> Self {
        Self::new(Kind::Number(Number { value: value as f64, integer: Some(value) }))
    }

    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Kind::Text(text.into()))
    }

    /// A tuple without a name.
    pub fn tuple(items: Vec<Self>) -> Self {
        Self::new(Kind::Tuple { name: None, items })
    }

    /// The name of a struct, a tuple or a word.
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(name) => Some(name),
            Kind::Tuple { name, .. } | Kind::Struct { name, .. } => name.as_deref(),
            _ => None,
        }
    }

    /// The value of a field of a struct.
    pub fn field(&self, name: &str) -> Option<&Self> {
        let Kind::Struct { fields, .. } = &self.kind else {
            return None;
        };
        fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    /// What it is, for a message: "a number", "text", "the word `Open`".
    pub fn what(&self) -> String {
        match &self.kind {
            Kind::Number(_) => "a number".to_owned(),
            Kind::Text(_) => "text".to_owned(),
            Kind::Bool(_) => "a boolean".to_owned(),
            Kind::Char(_) => "a character".to_owned(),
            Kind::Unit => "`()`".to_owned(),
            Kind::Word(word) => format!("the word `{}`", shortened(word)),
            Kind::List(_) => "a list".to_owned(),
            Kind::Tuple { name: Some(name), .. } | Kind::Struct { name: Some(name), .. } => {
                format!("`{}(…)`", shortened(name))
            }
            Kind::Tuple { name: None, items } => format!("a tuple of {}", items.len()),
            Kind::Struct { name: None, .. } => "a record `(field: …)`".to_owned(),
            Kind::Map(_) => "a map `{…}`".to_owned(),
            Kind::Option(None) => "`None`".to_owned(),
            Kind::Option(Some(_)) => "`Some(…)`".to_owned(),
            Kind::Broken => "something unreadable".to_owned(),
        }
    }
}

/// A word of the file, cut for a message.
pub fn shortened(word: &str) -> String {
    const MOST: usize = 60;
    if word.chars().count() <= MOST {
        return word.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    }
    let mut cut: String = word.chars().take(MOST - 1).collect();
    cut.push('…');
    shortened(&cut)
}

/// A text with its name: what spans point into.
#[derive(Clone)]
pub struct Source {
    /// The file as the person gave it.
    pub file: String,
    /// The whole text.
    pub text: Arc<str>,
}

impl Source {
    /// A text under the name that problems show.
    pub fn new(file: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), text: text.into() }
    }

    /// An error at a place of this text, with its excerpt.
    pub fn error(&self, span: Span, code: &str, message: impl Into<String>) -> Problem {
        self.locate(span, Problem::error(code, message))
    }

    /// A warning at a place of this text, with its excerpt.
    pub fn warning(&self, span: Span, code: &str, message: impl Into<String>) -> Problem {
        self.locate(span, Problem::warning(code, message))
    }

    /// Puts file, line, column and excerpt into a problem.
    pub fn locate(&self, span: Span, problem: Problem) -> Problem {
        let mut problem = problem.in_file(self.file.clone());
        if span.line == 0 {
            return problem;
        }
        problem = problem.at(span.line, span.column);
        let at = (span.offset as usize).min(self.text.len());
        let bytes = self.text.as_bytes();
        let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |newline| at + newline);
        let line = self.text.get(start..end).unwrap_or_default();
        problem.excerpt = Some(excerpt_of_line(line, span.line, Some(span.column)));
        problem
    }
}

/// The text itself may be megabytes and is left out.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({:?}, {} bytes)", self.file, self.text.len())
    }
}
