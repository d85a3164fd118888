//! Values that a file gives to parameters: number, boolean, text or vector.

use glam::DVec3;

use super::decode::{Decoder, Shape, finite};
use super::ron::{Kind, Node};
use crate::sim::Value;

/// A value of a `set` table, a command of the schedule or `--set`.
#[derive(Debug, Clone, PartialEq)]
pub struct SetValue(pub Value);

impl Default for SetValue {
    fn default() -> Self {
        Self(Value::Number(0.0))
    }
}

impl SetValue {
    /// Reads what a command line gives: `3`, `true`, `(1, 2)`, else text with or without quotes.
    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        let document = super::ron::read_text("", text);
        let mut decoder = Decoder::new(&document.source);
        let value = if document.problems.is_empty() { Self::decode(&document.root, &mut decoder) } else { None };
        value.unwrap_or_else(|| Self(Value::Text(text.to_owned())))
    }
}

impl Shape for SetValue {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let value = match &node.kind {
            Kind::Number(_) => Value::Number(finite(node, decoder)?),
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Text(text) => Value::Text(text.clone()),
            Kind::Tuple { name: None, .. } => Value::Vector(DVec3::decode(node, decoder)?),
            _ => {
                decoder.mismatch(node, "a number, `true` or `false`, text, or a vector `(x, y)`");
                return None;
            }
        };
        Some(Self(value))
    }
    fn encode(&self) -> Node {
        match &self.0 {
            Value::Number(number) => Node::number(*number),
            Value::Bool(value) => Node::new(Kind::Bool(*value)),
            Value::Vector(vector) => vector.encode(),
            Value::Text(text) => Node::text(text.clone()),
        }
    }
}
