//! Words and signs of a Luau text with their places. Comments and blanks are dropped, a broken text never fails.

use crate::machine::finding::Place;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name that is no keyword.
    Name,
    /// A reserved word.
    Keyword,
    /// A number.
    Number,
    /// A string of any kind; `text` is what stands between the quotes.
    Text,
    /// An operator or a bracket.
    Sign,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// Its text (for strings without the quotes).
    pub text: &'a str,
    /// Where it starts.
    pub place: Place,
    /// For a block opener the index of its closer, for an `if` that is an expression its own index.
    pub partner: usize,
}

impl Token<'_> {
    /// Whether it is this keyword or sign.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Keyword | Kind::Sign) && self.text == text
    }

    /// Whether it is an `if` that yields a value and has no `end`.
    pub fn is_if_expression(&self, index: usize) -> bool {
        self.is("if") && self.partner == index
    }
}

const KEYWORDS: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
    "repeat", "return", "then", "true", "until", "while",
];

/// Whether a word is reserved in Luau.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

const SIGNS: [&str; 20] = [
    "...", "..=", "//=", "..", "//", "+=", "-=", "*=", "/=", "%=", "^=", "==", "~=", "<=", ">=", "::", "->", "!=",
    "&&", "||",
];

/// All tokens of a text, block openers joined to their closers.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, line: 1, counted_to: 0, column: 1 };
    let mut found = Vec::new();
    while let Some(token) = lexer.next() {
        found.push(token);
    }
    pair(&mut found);
    found
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// Up to here the characters of the line are counted, which gives the column there.
    counted_to: usize,
    column: u32,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The place of `at`. Counts on from the last place asked for, so that a line of any length costs its length once.
    fn place(&mut self) -> Place {
        self.column += self.text[self.counted_to..self.at].chars().count() as u32;
        self.counted_to = self.at;
        Place { line: self.line, column: self.column }
    }

    /// Moves on by `bytes`, counting lines.
    fn skip(&mut self, bytes: usize) {
        let end = self.at + bytes;
        while let Some(step) = self.text[self.at..end].find('\n') {
            self.at += step + 1;
            self.line += 1;
            self.counted_to = self.at;
            self.column = 1;
        }
        self.at = end;
    }

    fn next(&mut self) -> Option<Token<'a>> {
        self.skip_blank();
        let first = self.rest().chars().next()?;
        let place = self.place();
        let start = self.at;
        let (kind, text) = if first.is_alphabetic() || first == '_' {
            let word = self.take_while(|c| c.is_alphanumeric() || c == '_');
            (if is_keyword(word) { Kind::Keyword } else { Kind::Name }, word)
        } else if first.is_ascii_digit() || (first == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()))
        {
            self.skip_number();
            (Kind::Number, &self.text[start..self.at])
        } else if matches!(first, '"' | '\'' | '`') {
            (Kind::Text, self.take_quoted(first))
        } else if let Some(level) = long_bracket(self.rest()) {
            (Kind::Text, self.take_long(level))
        } else {
            let sign = SIGNS
                .iter()
                .find(|sign| self.rest().starts_with(**sign))
                .map_or_else(|| first.len_utf8(), |sign| sign.len());
            self.skip(sign);
            (Kind::Sign, &self.text[start..self.at])
        };
        Some(Token { kind, text, place, partner: usize::MAX })
    }

    fn skip_blank(&mut self) {
        loop {
            let blank = self.rest().len() - self.rest().trim_start().len();
            self.skip(blank);
            let Some(comment) = self.rest().strip_prefix("--") else { return };
            if let Some(level) = long_bracket(comment) {
                self.skip(2);
                self.take_long(level);
            } else {
                let end = self.rest().find('\n').unwrap_or_else(|| self.rest().len());
                self.skip(end);
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.skip(end);
        &rest[..end]
    }

    fn skip_number(&mut self) {
        let mut previous = ' ';
        let rest = self.rest();
        let end = rest.find(|c: char| {
            let exponent = matches!(previous, 'e' | 'E') && matches!(c, '+' | '-') && !rest.starts_with("0x");
            let keep = c.is_ascii_alphanumeric() || c == '_' || c == '.' || exponent;
            previous = c;
            !keep
        });
        self.skip(end.unwrap_or(rest.len()));
    }

    fn take_quoted(&mut self, quote: char) -> &'a str {
        let rest = &self.rest()[1..];
        let mut escaped = false;
        let mut end = rest.len();
        for (index, c) in rest.char_indices() {
            if !escaped && (c == quote || (c == '\n' && quote != '`')) {
                end = index;
                break;
            }
            escaped = c == '\\' && !escaped;
        }
        self.skip(1 + end + usize::from(rest[end..].starts_with(quote)));
        &rest[..end]
    }

    fn take_long(&mut self, level: usize) -> &'a str {
        let rest = &self.rest()[level + 2..];
        let close = format!("]{}]", "=".repeat(level));
        let end = rest.find(&close).unwrap_or(rest.len());
        let skip = level + 2 + (end + close.len()).min(rest.len());
        self.skip(skip);
        &rest[..end]
    }
}

/// The number of `=` in an opening `[==[`.
fn long_bracket(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('[')?;
    let level = inner.len() - inner.trim_start_matches('=').len();
    inner[level..].starts_with('[').then_some(level)
}

/// Joins `function`, `do`, `repeat`, `if` and brackets to their closers, and tells statements from expressions for `if`.
fn pair(tokens: &mut [Token<'_>]) {
    let mut open: Vec<usize> = Vec::new();
    let mut else_of_expression = false;
    for index in 0..tokens.len() {
        let token = tokens[index];
        match token.text {
            _ if !matches!(token.kind, Kind::Keyword | Kind::Sign) => {}
            "if" => {
                let inside = open.last().is_some_and(|top| tokens[*top].is_if_expression(*top));
                if index > 0 && yields_value(&tokens[index - 1], inside, else_of_expression) {
                    tokens[index].partner = index;
                }
                open.push(index);
            }
            "else" => {
                else_of_expression = open.last().is_some_and(|top| tokens[*top].is_if_expression(*top));
                if else_of_expression {
                    open.pop();
                }
            }
            "function" | "do" | "repeat" | "(" | "[" | "{" => open.push(index),
            "end" | "until" | ")" | "]" | "}" => {
                if let Some(top) = open.pop() {
                    tokens[top].partner = index;
                }
            }
            _ => {}
        }
    }
    let last = tokens.len().saturating_sub(1);
    for top in open {
        if !tokens[top].is_if_expression(top) {
            tokens[top].partner = last;
        }
    }
}

/// Whether an `if` after `before` is an expression.
fn yields_value(before: &Token<'_>, inside_expression: bool, after_expression_else: bool) -> bool {
    match before.kind {
        Kind::Sign => !matches!(before.text, ")" | "]" | "}" | ";" | "..." | "::"),
        Kind::Keyword if before.text == "then" => inside_expression,
        Kind::Keyword if before.text == "else" => after_expression_else,
        Kind::Keyword => {
            matches!(before.text, "and" | "or" | "not" | "return" | "in" | "if" | "elseif" | "while" | "until")
        }
        _ => false,
    }
}
