//! From text to tree, going on after an error where it can.

use std::path::Path;

use super::scan::{Fault, Mark, Scanner};
use super::{Field, Kind, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, Node, Number, Source};
use crate::scene::problem::Problem;

/// What a file says, and what is wrong with it.
#[derive(Debug, Clone)]
pub struct Document {
    /// The text, for later problems.
    pub source: Source,
    /// The one value of the file; `Kind::Broken` if there is none.
    pub root: Node,
    /// The comment lines before the first value, without their slashes.
    pub notes: String,
    /// The faults, in the order of the text.
    pub problems: Vec<Problem>,
}

/// Reads bytes; text that is not UTF-8 is a problem with its place.
pub fn read_bytes(file: &str, bytes: &[u8]) -> Document {
    if bytes.len() > MAX_BYTES {
        return too_large(file, bytes.len() as u64);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read_text(file, text),
        Err(error) => {
            let good = error.valid_up_to();
            let line = bytes[..good].split(|&b| b == b'\n').count() as u32;
            let start = bytes[..good].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
            let column = String::from_utf8_lossy(&bytes[start..good]).chars().count() as u32 + 1;
            let message = format!("this is not text: byte {good} is not valid UTF-8");
            let hint = "save the file as UTF-8";
            refused(file, Problem::error("not-text", message).at(line, column).hint(hint))
        }
    }
}

/// Reads a file on disk; `shown` is the name that problems show.
///
/// # Errors
/// The one problem of a file that cannot be read at all.
pub fn read_file(path: &Path, shown: &str) -> Result<Document, Vec<Problem>> {
    let failed = |error: &std::io::Error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let (code, why) = if missing {
            ("missing-file", "there is no such file".to_owned())
        } else {
            ("unreadable-file", format!("cannot be read: {error}"))
        };
        vec![Problem::error(code, why).in_file(shown)]
    };
    let length = std::fs::metadata(path).map_err(|error| failed(&error))?.len();
    if length > MAX_BYTES as u64 {
        return Ok(too_large(shown, length));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
    Ok(read_bytes(shown, &bytes))
}

fn too_large(file: &str, length: u64) -> Document {
    let most = MAX_BYTES / 1_048_576;
    let message = format!("the file has {:.1} MB; at most {most} MB are read", length as f64 / 1_048_576.0);
    refused(file, Problem::error("file-too-large", message))
}

/// Reads a text.
pub fn read_text(file: &str, text: &str) -> Document {
    if text.len() > MAX_BYTES {
        return read_bytes(file, text.as_bytes());
    }
    let source = Source::new(file, text);
    let mut parser = Parser { scan: Scanner::new(&source), problems: Vec::new(), nodes: 0, depth: 0, at_end: false };
    let root = parser.document();
    let mut problems = parser.problems;
    if problems.len() >= MAX_PROBLEMS {
        problems.truncate(MAX_PROBLEMS);
        let message = format!("more than {MAX_PROBLEMS} problems; the rest of the file was not read");
        problems.push(Problem::note("too-many-problems", message).in_file(file));
    }
    Document { notes: notes_of(text), root, problems, source: source.clone() }
}

/// A document that could not be read at all.
fn refused(file: &str, problem: Problem) -> Document {
    Document {
        source: Source::new(file, ""),
        root: Node::new(Kind::Broken),
        notes: String::new(),
        problems: vec![problem.in_file(file)],
    }
}

/// The `//` lines before the first value.
fn notes_of(text: &str) -> String {
    let lines: Vec<_> = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .map_while(|line| line.strip_prefix("//"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    lines.join("\n")
}

struct Parser<'a> {
    scan: Scanner<'a>,
    problems: Vec<Problem>,
    nodes: usize,
    depth: usize,
    /// The end of the text was met inside a bracket and reported, once for all brackets that are open.
    at_end: bool,
}

impl Parser<'_> {
    fn document(&mut self) -> Node {
        self.extensions();
        let root = self.value();
        if self.problems.is_empty() && self.blanks() && self.scan.peek().is_some() {
            let from = self.scan.mark();
            self.scan.next();
            let mut fault = self.scan.fault(from, "text-after-end", "the file goes on after its last bracket");
            fault.hint = Some("one bracket too many or too early?".to_owned());
            self.problems.push(*fault);
        }
        root
    }

    /// `#![enable(…)]` lines, which change nothing here.
    fn extensions(&mut self) {
        while self.blanks() && self.scan.starts_with("#!") {
            while self.scan.peek().is_some_and(|c| c != '\n' && c != ']') {
                self.scan.next();
            }
            self.scan.take(']');
        }
    }

    fn full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    fn report(&mut self, fault: Fault) {
        // An unclosed text runs to the end; that the brackets round it are open then is no news.
        self.at_end |= fault.code == "unclosed-text";
        if !self.full() {
            self.problems.push(*fault);
        }
    }

    /// Skips blanks; false if a comment is unclosed, after which nothing is left.
    fn blanks(&mut self) -> bool {
        match self.scan.blanks() {
            Ok(()) => true,
            Err(fault) => {
                self.at_end = true;
                self.report(fault);
                false
            }
        }
    }

    /// One value with the blanks before it.
    fn value(&mut self) -> Node {
        self.blanks();
        let from = self.scan.mark();
        self.nodes += 1;
        if self.nodes == MAX_NODES {
            let fault = self.scan.fault(from, "file-too-large", format!("more than {MAX_NODES} values in one file"));
            self.problems.push(*fault);
        }
        let kind = if self.nodes >= MAX_NODES { self.skip_all() } else { self.kind(from) };
        Node { span: self.scan.span(from), kind }
    }

    fn skip_all(&mut self) -> Kind {
        while self.scan.next().is_some() {}
        self.at_end = true;
        Kind::Broken
    }

    fn kind(&mut self, from: Mark) -> Kind {
        if self.full() {
            return self.skip_all();
        }
        let read = match self.scan.peek() {
            Some('(') => return self.bracket(from, None),
            Some('[') => return self.list(from),
            Some('{') => return self.map(from),
            Some('\'') => self.scan.character().map(Kind::Char),
            Some(_) if self.scan.at_string() => self.scan.string().map(Kind::Text),
            Some(_) if self.scan.at_number() => self.scan.number().map(Kind::Number),
            Some(c) if c == '_' || c.is_alphabetic() => return self.named(from),
            Some(c) => Err(self.unexpected(from, c)),
            None => return self.unexpected_end(from),
        };
        read.unwrap_or_else(|fault| {
            self.report(fault);
            self.recover();
            Kind::Broken
        })
    }

    fn unexpected(&mut self, from: Mark, c: char) -> Fault {
        if !matches!(c, ')' | ']' | '}' | ',') {
            self.scan.next();
        }
        self.scan.fault(from, "unexpected-character", format!("expected a value, found `{}`", visible(c)))
    }

    /// The text ends where a value should stand: reported once, however many brackets are open.
    fn unexpected_end(&mut self, from: Mark) -> Kind {
        if !self.at_end {
            self.at_end = true;
            let fault = self.scan.fault(from, "unexpected-end", "the file ends where a value should stand");
            self.report(fault);
        }
        Kind::Broken
    }

    /// A word, and the bracket behind it if there is one.
    fn named(&mut self, from: Mark) -> Kind {
        let word = self.scan.word().unwrap_or_default();
        match word {
            "true" => return Kind::Bool(true),
            "false" => return Kind::Bool(false),
            "inf" | "inff32" | "inff64" => return Kind::Number(Number { value: f64::INFINITY, integer: None }),
            "NaN" | "NaNf32" | "NaNf64" => return Kind::Number(Number { value: f64::NAN, integer: None }),
            _ => {}
        }
        let after_word = self.scan.mark();
        self.blanks();
        if self.scan.peek() == Some('(') {
            return some(self.bracket(from, Some(word.to_owned())));
        }
        self.scan.back_to(after_word);
        if word == "None" { Kind::Option(None) } else { Kind::Word(word.to_owned()) }
    }

    /// `(…)`: a tuple, a struct or the unit.
    fn bracket(&mut self, from: Mark, name: Option<String>) -> Kind {
        let open = self.scan.mark();
        self.scan.next();
        if let Some(broken) = self.too_deep(from, open) {
            return broken;
        }
        self.blanks();
        if self.scan.take(')') {
            return if name.is_some() { Kind::Tuple { name, items: Vec::new() } } else { Kind::Unit };
        }
        self.depth += 1;
        let kind = if self.at_field() {
            Kind::Struct { name, fields: self.items(open, ')', Self::field) }
        } else {
            Kind::Tuple { name, items: self.items(open, ')', |parser| Some(parser.value())) }
        };
        self.depth -= 1;
        kind
    }

    fn list(&mut self, from: Mark) -> Kind {
        let open = self.scan.mark();
        self.scan.next();
        if let Some(broken) = self.too_deep(from, open) {
            return broken;
        }
        self.depth += 1;
        let items = self.items(open, ']', |parser| Some(parser.value()));
        self.depth -= 1;
        Kind::List(items)
    }

    fn map(&mut self, from: Mark) -> Kind {
        let open = self.scan.mark();
        self.scan.next();
        if let Some(broken) = self.too_deep(from, open) {
            return broken;
        }
        self.depth += 1;
        let items = self.items(open, '}', Self::entry);
        self.depth -= 1;
        Kind::Map(items)
    }

    fn too_deep(&mut self, from: Mark, open: Mark) -> Option<Kind> {
        if self.depth < MAX_DEPTH {
            return None;
        }
        let fault = self.scan.fault(from, "too-deep", format!("more than {MAX_DEPTH} brackets inside each other"));
        self.report(fault);
        self.scan.back_to(open);
        self.skip_balanced();
        Some(Kind::Broken)
    }

    /// Whether `word :` comes next, which makes a bracket a struct.
    fn at_field(&mut self) -> bool {
        let mark = self.scan.mark();
        let word = self.scan.word().is_some();
        let colon = word && self.scan.blanks().is_ok() && self.scan.peek() == Some(':');
        self.scan.back_to(mark);
        colon
    }

    /// Items up to the closing bracket, separated by commas.
    fn items<T>(&mut self, open: Mark, close: char, mut item: impl FnMut(&mut Self) -> Option<T>) -> Vec<T> {
        let mut items = Vec::new();
        loop {
            self.blanks();
            if self.scan.take(close) {
                return items;
            }
            if self.ended(open, close) || self.wrong_bracket(close) {
                return items;
            }
            if let Some(item) = item(self) {
                items.push(item);
            }
            self.blanks();
            if self.scan.take(',') || self.scan.peek() == Some(close) {
                continue;
            }
            if self.ended(open, close) || self.wrong_bracket(close) {
                return items;
            }
            self.missing_comma(close);
        }
    }

    /// At the end of the text: reported, and this bracket counts as closed.
    fn ended(&mut self, open: Mark, close: char) -> bool {
        if self.full() {
            self.skip_all();
        }
        if self.scan.peek().is_some() {
            return false;
        }
        if !self.at_end {
            self.at_end = true;
            let mut fault = self.scan.fault(open, "unclosed-bracket", "this bracket is never closed");
            fault.hint = Some(format!("close it with `{close}`"));
            self.report(fault);
        }
        true
    }

    /// A closing bracket of another kind is reported and taken as the one that was meant.
    fn wrong_bracket(&mut self, close: char) -> bool {
        let Some(found @ (')' | ']' | '}')) = self.scan.peek() else {
            return false;
        };
        let from = self.scan.mark();
        self.scan.next();
        let fault = self.scan.fault(from, "wrong-bracket", format!("expected `{close}`, found `{found}`"));
        self.report(fault);
        true
    }

    /// Reports what stands where a comma should, and goes on behind it.
    fn missing_comma(&mut self, close: char) {
        let from = self.scan.mark();
        let found = self.scan.peek().unwrap_or(' ');
        let message = format!("expected `,` or `{close}`, found `{}`", visible(found));
        let fault = self.scan.fault(from, "expected-comma", message);
        self.report(fault);
        let starts_item = found == '"' || found == '_' || found.is_alphanumeric();
        if !starts_item {
            self.scan.next();
            self.recover();
            self.scan.take(',');
        }
    }

    fn field(&mut self) -> Option<Field> {
        let from = self.scan.mark();
        let Some(name) = self.scan.word() else {
            self.expected(from, "a field name");
            return None;
        };
        let span = self.scan.span(from);
        self.blanks();
        if !self.scan.take(':') {
            let from = self.scan.mark();
            self.expected(from, &format!("`:` after the field name `{}`", super::shortened(name)));
            return None;
        }
        let value = self.value();
        Some(Field { name: name.to_owned(), span, value })
    }

    fn entry(&mut self) -> Option<(Node, Node)> {
        let key = self.value();
        self.blanks();
        if !self.scan.take(':') {
            let from = self.scan.mark();
            self.expected(from, "`:` after the key of a map");
            return None;
        }
        let value = self.value();
        Some((key, value))
    }

    fn expected(&mut self, from: Mark, what: &str) {
        let Some(found) = self.scan.peek() else {
            // `ended` reports the bracket that is open.
            return;
        };
        let message = format!("expected {what}, found `{}`", visible(found));
        let fault = self.scan.fault(from, "unexpected-character", message);
        self.report(fault);
        if matches!(found, ')' | ']' | '}' | ',') {
            return;
        }
        self.scan.next();
        self.recover();
    }

    /// Goes on to the next comma or closing bracket of this level.
    fn recover(&mut self) {
        while let Some(c) = self.scan.peek() {
            match c {
                ',' | ')' | ']' | '}' => return,
                '(' | '[' | '{' => self.skip_balanced(),
                _ => self.skip_one(),
            }
        }
    }

    /// Skips a bracket with all that is in it, without recursion.
    fn skip_balanced(&mut self) {
        let mut depth = 0_usize;
        while let Some(c) = self.scan.peek() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.skip_one();
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips a comment, a string or one character; brackets inside strings do not count.
    fn skip_one(&mut self) {
        if self.scan.starts_with("//") || self.scan.starts_with("/*") {
            self.blanks();
            return;
        }
        if self.scan.peek() == Some('"') {
            self.scan.skip_string();
            return;
        }
        self.scan.next();
    }
}

/// `Some(x)` read as a tuple becomes an option.
fn some(kind: Kind) -> Kind {
    match kind {
        Kind::Tuple { name: Some(name), mut items } if name == "Some" && items.len() == 1 => {
            Kind::Option(items.pop().map(Box::new))
        }
        kind => kind,
    }
}

/// The character as a message may show it.
fn visible(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}
