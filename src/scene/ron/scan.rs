//! Characters, blanks, comments, words, numbers and strings of RON.

use super::{Number, Source, Span};
use crate::scene::problem::Problem;

/// A position in the text.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) offset: usize,
    line: u32,
    column: u32,
}

/// Reads a text character by character and counts lines and columns.
pub(super) struct Scanner<'a> {
    pub(super) source: &'a Source,
    text: &'a str,
    at: Mark,
}

/// A fault of the scanner: code and message, at a span.
pub(super) type Fault = Box<Problem>;

impl<'a> Scanner<'a> {
    pub(super) fn new(source: &'a Source) -> Self {
        let text: &str = &source.text;
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { source, text, at: Mark { offset: start, line: 1, column: 1 } }
    }

    pub(super) fn mark(&self) -> Mark {
        self.at
    }

    /// From the mark to here.
    pub(super) fn span(&self, from: Mark) -> Span {
        Span { offset: from.offset as u32, end: self.at.offset as u32, line: from.line, column: from.column }
    }

    pub(super) fn fault(&self, from: Mark, code: &str, message: impl Into<String>) -> Fault {
        Box::new(self.source.error(self.span(from), code, message))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at.offset..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at.offset += c.len_utf8();
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    /// Takes the character if it is the next one.
    pub(super) fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> &'a str {
        let start = self.at.offset;
        while self.peek().is_some_and(&mut accept) {
            self.next();
        }
        &self.text[start..self.at.offset]
    }

    /// Skips blanks and comments; an unclosed block comment is a fault.
    pub(super) fn blanks(&mut self) -> Result<(), Fault> {
        loop {
            self.take_while(char::is_whitespace);
            if self.starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if self.starts_with("/*") {
                self.block_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    /// Block comments nest in RON.
    fn block_comment(&mut self) -> Result<(), Fault> {
        let from = self.mark();
        let mut depth = 0_usize;
        loop {
            if self.starts_with("/*") {
                depth += 1;
                self.next();
            } else if self.starts_with("*/") {
                depth -= 1;
                self.next();
            }
            if self.next().is_none() {
                let mut fault = self.fault(from, "unclosed-comment", "this comment is never closed");
                fault.hint = Some("end it with `*/`".to_owned());
                return Err(fault);
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A word (`Group`, `tick_hz`, `r#type`); `None` if none starts here.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let raw = self.starts_with("r#") && self.rest()[2..].starts_with(|c: char| c == '_' || c.is_alphabetic());
        if raw {
            self.next();
            self.next();
        }
        if !self.peek().is_some_and(|c| c == '_' || c.is_alphabetic()) {
            return None;
        }
        Some(self.take_while(|c| c == '_' || c.is_alphanumeric()))
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.at = mark;
    }

    /// Whether a number starts here.
    pub(super) fn at_number(&self) -> bool {
        let mut chars = self.rest().chars();
        match chars.next() {
            Some(c) if c.is_ascii_digit() => true,
            Some('.') => chars.next().is_some_and(|c| c.is_ascii_digit()),
            Some('+' | '-') => chars.next().is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | 'i' | 'N')),
            _ => false,
        }
    }

    /// A number: decimal, hex, octal, binary, with underscores, exponent and Rust's type suffixes; `inf` and `NaN` with a sign.
    pub(super) fn number(&mut self) -> Result<Number, Fault> {
        let from = self.mark();
        let negative = match self.peek() {
            Some('-') => {
                self.next();
                true
            }
            Some('+') => {
                self.next();
                false
            }
            _ => false,
        };
        let mut previous = ' ';
        let written = self.take_while(|c| {
            let exponent_sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E');
            previous = c;
            c.is_ascii_alphanumeric() || c == '_' || c == '.' || exponent_sign
        });
        number_of(written, negative).ok_or_else(|| {
            let whole = &self.text[from.offset..self.at.offset];
            self.fault(from, "bad-number", format!("`{}` is not a number", super::shortened(whole)))
        })
    }

    /// Whether a string starts here, plain, raw or bytes.
    pub(super) fn at_string(&self) -> bool {
        let rest = self.rest();
        let raw = rest.strip_prefix('r').is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'));
        rest.starts_with('"') || raw || rest.starts_with("b\"") || rest.starts_with("br\"") || rest.starts_with("br#")
    }

    /// A string.
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        let from = self.mark();
        let bytes = self.take('b');
        let text = if self.take('r') { self.raw_string(from)? } else { self.plain_string(from)? };
        if bytes {
            return Err(self.fault(from, "wrong-type", "expected text, found a byte string"));
        }
        Ok(text)
    }

    /// Skips to the closing quote or the end of the line, while the reader looks for where to go on.
    pub(super) fn skip_string(&mut self) {
        self.next();
        loop {
            match self.next() {
                Some('\\') => _ = self.next(),
                Some('"' | '\n') | None => return,
                Some(_) => {}
            }
        }
    }

    fn plain_string(&mut self, from: Mark) -> Result<String, Fault> {
        self.next();
        let mut text = String::new();
        loop {
            let plain = self.take_while(|c| c != '"' && c != '\\');
            text.push_str(plain);
            match self.peek() {
                Some('"') => {
                    self.next();
                    return Ok(text);
                }
                Some(_) => match self.escape()? {
                    Some(c) => text.push(c),
                    None => _ = self.take_while(char::is_whitespace),
                },
                None => {
                    let mut fault = self.fault(from, "unclosed-text", "this text is never closed");
                    fault.hint = Some("end it with `\"`".to_owned());
                    return Err(fault);
                }
            }
        }
    }

    fn raw_string(&mut self, from: Mark) -> Result<String, Fault> {
        let hashes = self.take_while(|c| c == '#').len();
        if !self.take('"') {
            return Err(self.fault(from, "bad-text", "expected `\"` after `r#`"));
        }
        let end = format!("\"{}", "#".repeat(hashes));
        let start = self.at.offset;
        let Some(length) = self.rest().find(&end) else {
            while self.next().is_some() {}
            let mut fault = self.fault(from, "unclosed-text", "this text is never closed");
            fault.hint = Some(format!("end it with `{end}`"));
            return Err(fault);
        };
        while self.at.offset < start + length + end.len() {
            self.next();
        }
        Ok(self.text[start..start + length].to_owned())
    }

    /// What a backslash and its letters stand for; `None` for an escaped end of line.
    fn escape(&mut self) -> Result<Option<char>, Fault> {
        let from = self.mark();
        self.next();
        let found = match self.next() {
            Some('\n') => return Ok(None),
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('0') => Some('\0'),
            Some(c @ ('\\' | '"' | '\'')) => Some(c),
            Some('x') => self.hex(2),
            Some('u') if self.take('{') => {
                let found = self.hex(6);
                found.filter(|_| self.take('}'))
            }
            _ => None,
        };
        found.map(Some).ok_or_else(|| {
            let mut fault = self.fault(from, "bad-escape", "unknown escape in text");
            fault.hint =
                Some("known are \\n \\t \\r \\0 \\\\ \\\" \\' \\x41 \\u{e9}; a backslash itself is \\\\".to_owned());
            fault
        })
    }

    fn hex(&mut self, most: usize) -> Option<char> {
        let mut left = most;
        let digits = self.take_while(|c| {
            let more = left > 0 && c.is_ascii_hexdigit();
            left = left.saturating_sub(1);
            more
        });
        u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
    }

    /// A character in single quotes.
    pub(super) fn character(&mut self) -> Result<char, Fault> {
        let from = self.mark();
        self.next();
        let found = if self.peek() == Some('\\') { self.escape()? } else { self.next() };
        match found {
            Some(c) if self.take('\'') => Ok(c),
            _ => {
                let mut fault = self.fault(from, "bad-character", "single quotes hold one character");
                fault.hint = Some("text stands in double quotes".to_owned());
                Err(fault)
            }
        }
    }
}

/// The value of a written number without its sign.
fn number_of(written: &str, negative: bool) -> Option<Number> {
    let sign = if negative { -1.0 } else { 1.0 };
    let written = without_suffix(written);
    match written {
        "inf" => return Some(Number { value: sign * f64::INFINITY, integer: None }),
        "NaN" => return Some(Number { value: f64::NAN, integer: None }),
        _ => {}
    }
    if !written.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let digits: String = written.chars().filter(|&c| c != '_').collect();
    let radix = match digits.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0b" | "0B") => 2,
        Some("0o" | "0O") => 8,
        _ => 10,
    };
    let plain = if radix == 10 { &*digits } else { &digits[2..] };
    if plain.chars().all(|c| c.is_digit(radix))
        && let Ok(magnitude) = i128::from_str_radix(plain, radix)
    {
        let integer = if negative { -magnitude } else { magnitude };
        // `-0` keeps its sign only as a float.
        return Some(Number { value: sign * magnitude as f64, integer: Some(integer) });
    }
    if radix != 10 {
        return None;
    }
    let value: f64 = digits.parse().ok()?;
    Some(Number { value: sign * value, integer: None })
}

/// Cuts Rust's type suffix: `1u8`, `2.5f64`; not the last digits of a hex number.
fn without_suffix(written: &str) -> &str {
    const SUFFIXES: [&str; 12] = ["i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32", "f64"];
    let hex = written.starts_with("0x") || written.starts_with("0X");
    SUFFIXES
        .iter()
        .filter(|suffix| !hex || !suffix.starts_with('f'))
        .find_map(|suffix| written.strip_suffix(suffix))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(written)
}
