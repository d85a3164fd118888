//! Formations as plain data: `scripts/formations/NAME.ron`, a kind and its parameters, every key with its place.

use std::path::Path;

use glam::DVec3;

use super::decode::{Decoder, Shape, Spanned};
use super::problem::Problem;
use crate::formation::{DataProblem, DataValue, FormationData};

use super::ron::{self, Document, Kind, Node, Source, Span};

/// The value of one key.
#[derive(Debug, Clone, PartialEq)]
pub enum FormationValue {
    /// A number.
    Number(f64),
    /// A word, with or without quotes.
    Text(String),
    /// A point in m.
    Point(DVec3),
}

/// A formation file: its keys in order. What they mean is for the room `formation` to say.
#[derive(Debug, Clone)]
pub struct FormationFile {
    /// Keys and values, each with its place.
    pub pairs: Vec<(Spanned<String>, Spanned<FormationValue>)>,
    /// The place of the whole, for what is missing.
    pub span: Span,
    /// The text.
    pub source: Source,
}

impl FormationFile {
    /// Reads `(kind: "spiral", growth_rate: 0.2)` or `Formation(…)`; `file` is the name that problems show.
    ///
    /// # Errors
    /// All problems of the text with their places.
    pub fn from_text(file: &str, text: &str) -> Result<Self, Vec<Problem>> {
        Self::from_document(ron::read_text(file, text))
    }

    /// Reads bytes; see [`Self::from_text`].
    pub fn from_bytes(file: &str, bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        Self::from_document(ron::read_bytes(file, bytes))
    }

    /// Reads a file on disk; `shown` is the name that problems show.
    pub fn read(path: &Path, shown: &str) -> Result<Self, Vec<Problem>> {
        Self::from_document(ron::read_file(path, shown)?)
    }

    /// A problem about one key; about the whole if the file does not have the key.
    pub fn problem_at(&self, key: &str, code: &str, message: impl Into<String>, hint: Option<String>) -> Problem {
        let place = self.pairs.iter().find(|(known, _)| known.value == key).map_or(self.span, |(key, _)| key.span);
        self.source.error(place, code, message).maybe_hint(hint)
    }

    /// What the file means, under the name of its stem.
    ///
    /// # Errors
    /// All problems, each at its key.
    pub fn to_data(&self, name: &str) -> Result<FormationData, Vec<Problem>> {
        let pairs: Vec<_> = self.pairs.iter().map(|(key, value)| (key.value.clone(), data(&value.value))).collect();
        let located = |problem: DataProblem| {
            let message = format!("`{}` {}", ron::shortened(&problem.key), problem.message);
            self.problem_at(&problem.key, "bad-formation", message, problem.hint)
        };
        FormationData::from_pairs(name, &pairs).map_err(|problems| problems.into_iter().map(located).collect())
    }

    fn from_document(document: Document) -> Result<Self, Vec<Problem>> {
        let mut decoder = Decoder::new(&document.source);
        let mut pairs: Vec<(Spanned<String>, Spanned<FormationValue>)> = Vec::new();
        match &document.root.kind {
            Kind::Struct { name, fields } if name.as_deref().is_none_or(|name| name == "Formation") => {
                for field in fields {
                    if pairs.iter().any(|(known, _)| known.value == field.name) {
                        let message = format!("the formation has `{}` twice", ron::shortened(&field.name));
                        decoder.error(field.span, "duplicate-field", message, None);
                        continue;
                    }
                    let key = Spanned { value: field.name.clone(), span: field.span };
                    let value = Spanned::<FormationValue>::decode(&field.value, &mut decoder);
                    pairs.extend(value.map(|value| (key, value)));
                }
            }
            _ => decoder.mismatch(&document.root, "a formation such as `(kind: \"arc\", radius: 5)`"),
        }
        let mut problems = document.problems;
        problems.append(&mut decoder.problems);
        problems.truncate(ron::MAX_PROBLEMS + 1);
        if problems.is_empty() {
            return Ok(Self { pairs, span: document.root.span, source: document.source });
        }
        Err(problems)
    }
}

fn data(value: &FormationValue) -> DataValue {
    match value {
        FormationValue::Number(number) => DataValue::Number(*number),
        FormationValue::Text(text) => DataValue::Text(text.clone()),
        FormationValue::Point(point) => DataValue::Point(point.to_array().to_vec()),
    }
}

impl Shape for FormationValue {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            Kind::Number(_) => f64::decode(node, decoder).map(Self::Number),
            Kind::Text(text) | Kind::Word(text) => Some(Self::Text(text.clone())),
            Kind::Tuple { name: None, .. } => DVec3::decode(node, decoder).map(Self::Point),
            _ => {
                decoder.mismatch(node, "a number, text or a point `(x, y)`");
                None
            }
        }
    }
    fn encode(&self) -> Node {
        match self {
            Self::Number(number) => Node::number(*number),
            Self::Text(text) => Node::text(text.clone()),
            Self::Point(point) => point.encode(),
        }
    }
}
