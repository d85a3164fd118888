//! Changes of file-level variables from inside functions.
//!
//! Several machines may share a group and a reload starts anew, so such a variable would differ between them or be lost:
//! it is refused, with memory as the way out.

use super::lexer::{Kind, Token, tokens};
use crate::machine::finding::Place;

/// One assignment from inside a function to something declared at file level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file-level variable.
    pub name: String,
    /// Whether a field of it is changed rather than the variable.
    pub field: bool,
    /// Where.
    pub place: Place,
}

/// All such assignments, in the order of the text.
pub fn file_level_changes(text: &str) -> Vec<Change> {
    let tokens = tokens(text);
    let mut walk = Walk { tokens: &tokens, scopes: vec![Scope::default()], changes: Vec::new() };
    walk.block(0, tokens.len());
    walk.changes
}

#[derive(Default)]
struct Scope<'a> {
    names: Vec<&'a str>,
    function: bool,
}

struct Walk<'a> {
    tokens: &'a [Token<'a>],
    scopes: Vec<Scope<'a>>,
    changes: Vec<Change>,
}

impl<'a> Walk<'a> {
    /// Walks tokens from `at` to `end`, all of one block.
    fn block(&mut self, at: usize, end: usize) {
        // A text nested deeper than this does not compile either.
        if self.scopes.len() > 190 {
            return;
        }
        let mut at = at;
        while at < end {
            at = self.step(at, end).max(at + 1);
        }
    }

    fn step(&mut self, at: usize, end: usize) -> usize {
        let token = self.tokens[at];
        let close = token.partner.min(end);
        match token.text {
            _ if token.kind == Kind::Name => self.name(at, end),
            _ if !matches!(token.kind, Kind::Keyword | Kind::Sign) => at + 1,
            "local" => self.local(at + 1, end),
            "function" => self.function(at, close),
            "for" => self.for_loop(at, end),
            "do" | "repeat" => self.nested(at + 1, close, Vec::new(), false),
            "if" if !token.is_if_expression(at) => self.nested(at + 1, close, Vec::new(), false),
            // Fields of a table constructor look like assignments; only the functions in it count.
            "{" | "(" | "[" => self.values(at + 1, close),
            _ => at + 1,
        }
    }

    /// Inside brackets: nothing but functions is a statement.
    fn values(&mut self, at: usize, close: usize) -> usize {
        let mut at = at;
        while at < close {
            let token = self.tokens[at];
            at = if token.is("function") { self.function(at, token.partner.min(close)) } else { at + 1 };
        }
        close + 1
    }

    fn nested(&mut self, at: usize, close: usize, names: Vec<&'a str>, function: bool) -> usize {
        self.scopes.push(Scope { names, function });
        self.block(at, close);
        self.scopes.pop();
        close + 1
    }

    fn declare(&mut self, name: &'a str) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(name);
        }
    }

    fn local(&mut self, at: usize, end: usize) -> usize {
        if self.tokens.get(at).is_some_and(|token| token.is("function")) {
            if let Some(name) = self.tokens.get(at + 1) {
                self.declare(name.text);
            }
            return at;
        }
        let mut at = at;
        while at < end && self.tokens[at].kind == Kind::Name {
            self.declare(self.tokens[at].text);
            at += 1;
            if self.tokens.get(at).is_some_and(|token| token.is(":")) {
                at = self.skip_type(at + 1, end);
            }
            if !self.tokens.get(at).is_some_and(|token| token.is(",")) {
                break;
            }
            at += 1;
        }
        at
    }

    fn skip_type(&self, at: usize, end: usize) -> usize {
        let mut at = at;
        while at < end {
            let token = self.tokens[at];
            at = if token.is("{") || token.is("(") { token.partner + 1 } else { at + 1 };
            while self.tokens.get(at).is_some_and(|token| token.is("?")) {
                at += 1;
            }
            let goes_on =
                self.tokens.get(at).is_some_and(|token| ["|", "&", "->", "."].iter().any(|sign| token.is(sign)));
            if !goes_on {
                return at;
            }
            at += 1;
        }
        at
    }

    fn function(&mut self, at: usize, close: usize) -> usize {
        let Some(open) = (at..close).find(|index| self.tokens[*index].is("(")) else { return at + 1 };
        let end = self.tokens[open].partner.min(close);
        let mut names = Vec::new();
        for index in open + 1..end {
            let first = self.tokens[index - 1].is("(") || self.tokens[index - 1].is(",");
            if first && self.tokens[index].kind == Kind::Name {
                names.push(self.tokens[index].text);
            }
        }
        self.nested(end + 1, close, names, true)
    }

    fn for_loop(&mut self, at: usize, end: usize) -> usize {
        let Some(body) = (at..end).find(|index| self.tokens[*index].is("do")) else { return at + 1 };
        let mut names = Vec::new();
        let mut head = at + 1;
        while head < body && !self.tokens[head].is("in") && !self.tokens[head].is("=") {
            if self.tokens[head].kind == Kind::Name {
                names.push(self.tokens[head].text);
            }
            head += 1;
        }
        let close = self.tokens[body].partner.min(end);
        self.nested(body + 1, close, names, false)
    }

    /// A name at the start of a statement: an assignment if `=` follows its fields.
    fn name(&mut self, at: usize, end: usize) -> usize {
        let before = at.checked_sub(1).map(|index| self.tokens[index]);
        if before.is_some_and(|token| [".", ":", "::", "->"].iter().any(|sign| token.is(sign))) {
            return at + 1;
        }
        let mut next = at + 1;
        while next < end {
            let token = self.tokens[next];
            if token.is(".") {
                next += 2;
            } else if token.is("[") {
                next = token.partner + 1;
            } else {
                break;
            }
        }
        let assigns = ["=", "+=", "-=", "*=", "/=", "//=", "%=", "^=", "..="];
        let ends = self.tokens.get(next).is_some_and(|token| assigns.iter().any(|sign| token.is(sign)));
        if ends && self.is_file_level(self.tokens[at].text) {
            let name = self.tokens[at].text.to_owned();
            self.changes.push(Change { name, field: next > at + 1, place: self.tokens[at].place });
        }
        at + 1
    }

    fn is_file_level(&self, name: &str) -> bool {
        let owner = self.scopes.iter().rposition(|scope| scope.names.contains(&name));
        owner == Some(0) && self.scopes.iter().any(|scope| scope.function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> Vec<(String, u32)> {
        file_level_changes(text).into_iter().map(|change| (change.name, change.place.line)).collect()
    }

    #[test]
    fn a_file_level_variable_changed_in_a_function_is_found() {
        let text = "local count, seen = 0, {}\nlocal function add() count += 1 end\nreturn yard.behavior { step = function(agent)\n  seen[agent.id] = true\n  local count = 1\n  count = 2\nend }";
        assert_eq!(changed(text), [("count".to_owned(), 2), ("seen".to_owned(), 4)]);
    }

    #[test]
    fn locals_fields_and_constructors_are_no_changes() {
        let text = "local k = 2\nk = 3\nlocal t = { k = 1 }\nlocal function f(p: {k: number}): number\n  local m: {number}, n = {}, 1\n  m[1] = k\n  n = if k == 1 then 2 else 3\n  for k = 1, 3 do k = 2 end\n  return g { k = 4, t }\nend";
        assert_eq!(changed(text), []);
    }
}
