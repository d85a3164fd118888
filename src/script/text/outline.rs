//! The shape of a definition's table as it stands in the text: which keys, in which order, at which places.

use super::lexer::{Kind, Token, tokens};
use crate::machine::finding::Place;

/// A key of a table constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// `name = …` or `["name"] = …`.
    Name(String),
    /// The n-th value without a key, from 1.
    Index(usize),
}

/// A value of a table constructor; a table has entries of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Where its key (else the value) stands.
    pub place: Place,
    /// Keys of a table, in the order of the text.
    pub entries: Vec<(Key, Self)>,
}

impl Entry {
    /// The entry of a named key.
    pub fn named(&self, name: &str) -> Option<&Self> {
        self.entries.iter().find(|(key, _)| matches!(key, Key::Name(known) if known == name)).map(|(_, entry)| entry)
    }

    /// The entry of the n-th value, from 1.
    pub fn indexed(&self, index: usize) -> Option<&Self> {
        self.entries.iter().find(|(key, _)| *key == Key::Index(index)).map(|(_, entry)| entry)
    }

    /// Position of a name in the order of the text; names that the text does not show come last.
    pub fn order(&self, name: &str) -> usize {
        self.entries.iter().position(|(key, _)| matches!(key, Key::Name(known) if known == name)).unwrap_or(usize::MAX)
    }
}

/// The outline of the table given to `yard.KIND { … }`; empty when the text builds its definition in another way.
pub fn outline(text: &str) -> Entry {
    let tokens = tokens(text);
    let found = tokens.windows(4).position(|four| {
        four[0].kind == Kind::Name
            && four[0].text == "yard"
            && four[1].is(".")
            && (four[3].is("{") || four[3].is("("))
            && matches!(four[2].text, "force" | "behavior" | "machine" | "formation" | "metric" | "director")
    });
    let Some(mut at) = found.map(|start| start + 3) else { return Entry::default() };
    let place = tokens[at - 3].place;
    if tokens[at].is("(") {
        at += 1;
    }
    if !tokens.get(at).is_some_and(|token| token.is("{")) {
        return Entry { place, entries: Vec::new() };
    }
    Entry { place, entries: table(&tokens, at, 0) }
}

/// Tables nested deeper than this are not outlined; no definition is.
const DEEPEST: usize = 60;

/// Entries of the constructor whose `{` stands at `open`.
fn table(tokens: &[Token<'_>], open: usize, depth: usize) -> Vec<(Key, Entry)> {
    let close = tokens[open].partner.min(tokens.len());
    let mut entries = Vec::new();
    let mut index = 0;
    let mut at = open + 1;
    while at < close && depth < DEEPEST {
        let place = tokens[at].place;
        let (key, value) = key_at(tokens, at, &mut index);
        let nested =
            tokens.get(value).is_some_and(|token| token.is("{")) && ends_value(tokens, tokens[value].partner + 1);
        let inner = if nested { table(tokens, value, depth + 1) } else { Vec::new() };
        if let Some(key) = key {
            entries.push((key, Entry { place, entries: inner }));
        }
        at = skip_value(tokens, value, close) + 1;
    }
    entries
}

/// The key that starts at `at` and the position of its value; no key for `[expression] =`.
fn key_at(tokens: &[Token<'_>], at: usize, index: &mut usize) -> (Option<Key>, usize) {
    let sign = |offset: usize, text: &str| tokens.get(at + offset).is_some_and(|token| token.is(text));
    if tokens[at].kind == Kind::Name && sign(1, "=") {
        return (Some(Key::Name(tokens[at].text.to_owned())), at + 2);
    }
    if tokens[at].is("[") {
        let after = tokens[at].partner.saturating_add(2);
        let text = tokens.get(at + 1).filter(|token| token.kind == Kind::Text && sign(2, "]"));
        return (text.map(|token| Key::Name(token.text.to_owned())), after.min(tokens.len()));
    }
    *index += 1;
    (Some(Key::Index(*index)), at)
}

fn ends_value(tokens: &[Token<'_>], at: usize) -> bool {
    tokens.get(at).is_none_or(|token| token.is(",") || token.is(";") || token.is("}"))
}

/// The separator after the value at `at`, at most `close`.
fn skip_value(tokens: &[Token<'_>], at: usize, close: usize) -> usize {
    let mut at = at;
    while at < close {
        let token = &tokens[at];
        if token.is(",") || token.is(";") {
            return at;
        }
        let opens = ["(", "[", "{", "function", "do", "repeat"].iter().any(|opener| token.is(opener));
        at = if opens { token.partner.max(at) + 1 } else { at + 1 };
    }
    close
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(entry: &Entry) -> Vec<String> {
        entry.entries.iter().map(|(key, _)| format!("{key:?}")).collect()
    }

    #[test]
    fn keys_keep_the_order_and_places_of_the_text() {
        let text = "local x = 1 -- {\nreturn yard.machine {\n  params = { b = 1, a = { 2, min = if x then 1 else 0, max = 3 } },\n  step = function(agent) if x then return { q = 1 } end end,\n  [\"end\"] = 1,\n  transitions = {\n    { from = 'a', to = 'b' },\n    { from = 'b', to = 'a' },\n  },\n}\n";
        let root = outline(text);
        assert_eq!(names(&root), [r#"Name("params")"#, r#"Name("step")"#, r#"Name("end")"#, r#"Name("transitions")"#]);
        let params = root.named("params").expect("params are there");
        assert_eq!((params.order("b"), params.order("a")), (0, 1));
        assert_eq!(names(params.named("a").expect("a is there")), ["Index(1)", r#"Name("min")"#, r#"Name("max")"#]);
        let line = root.named("transitions").and_then(|list| list.indexed(2)).expect("a second line");
        assert_eq!(line.place, Place { line: 8, column: 5 });
    }
}
