//! Values that remember their place, and tables of them.

use super::{Decoder, Shape};
use crate::scene::ron::{Kind, Node, Span, shortened};

/// A value that remembers its place, so that a problem found later can point at it. Places do not count in comparisons.
#[derive(Debug, Clone, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands; line 0 if no file contains it.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value that no file contains.
    pub fn new(value: T) -> Self {
        Self { value, span: Span::default() }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<&str> for Spanned<String> {
    fn from(text: &str) -> Self {
        Self::new(text.to_owned())
    }
}

impl<T: Shape> Shape for Spanned<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        T::decode(node, decoder).map(|value| Self { value, span: node.span })
    }
    fn encode(&self) -> Node {
        self.value.encode()
    }
    fn as_number(&self) -> Option<f64> {
        self.value.as_number()
    }
}

/// A map whose keys are text, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T>(pub Vec<(Spanned<String>, Spanned<T>)>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Table<T> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Spanned<T>> {
        self.0.iter().find(|(known, _)| known.value == key).map(|(_, value)| value)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: &str, value: T) {
        match self.0.iter_mut().find(|(known, _)| known.value == key) {
            Some((_, place)) => *place = Spanned::new(value),
            None => self.0.push((Spanned::from(key), Spanned::new(value))),
        }
    }
}

impl<T: Shape> Shape for Table<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            decoder.mismatch(node, "a map `{\"name\": value}`");
            return None;
        };
        let mut table = Self::default();
        let mut seen = std::collections::BTreeSet::new();
        for (key, value) in entries {
            let name = Spanned::<String>::decode(key, decoder);
            let value = Spanned::<T>::decode(value, decoder);
            let (Some(name), Some(value)) = (name, value) else {
                continue;
            };
            if !seen.insert(name.value.clone()) {
                let message = format!("the key \"{}\" stands here twice", shortened(&name.value));
                decoder.error(name.span, "duplicate-field", message, None);
                continue;
            }
            table.0.push((name, value));
        }
        Some(table)
    }
    fn encode(&self) -> Node {
        Node::new(Kind::Map(self.0.iter().map(|(key, value)| (key.encode(), value.encode())).collect()))
    }
}
