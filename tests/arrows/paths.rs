//! Finds every path in a source file and resolves `crate`, `self` and `super`.

use super::source::SourceFile;

/// A path as written, resolved to the package where it begins with `crate`, `self` or `super`.
pub(crate) struct FoundPath {
    /// Line from 1.
    pub(crate) line: usize,
    /// Parts; the first is `crate` for paths inside the package.
    pub(crate) parts: Vec<String>,
}

impl FoundPath {
    /// The room that it leads to, `*` for a glob over all; none for paths out of the package.
    pub(crate) fn room(&self) -> Option<&str> {
        let head = self.parts.first()?;
        let inside = head == "crate" || head == "swarmyard";
        self.parts.get(1).filter(|_| inside).map(String::as_str)
    }
}

/// All paths of the file.
pub(crate) fn paths(file: &SourceFile) -> Vec<FoundPath> {
    let mut reader =
        Reader { tokens: tokens(&file.code), at: 0, found: Vec::new(), module: file.module(), opened: Vec::new() };
    reader.read();
    reader.found
}

#[derive(Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Colons,
    Mark(char),
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
    found: Vec<FoundPath>,
    module: Vec<String>,
    /// One entry for each open brace: whether it began an inline module.
    opened: Vec<bool>,
}

impl Reader {
    fn read(&mut self) {
        while let Some((_, token)) = self.tokens.get(self.at).cloned() {
            match token {
                Token::Word(word) if word == "use" => {
                    self.at += 1;
                    self.tree(&[]);
                }
                Token::Word(word) if word == "mod" && self.mark(2) == Some('{') => {
                    if let Some((_, Token::Word(name))) = self.tokens.get(self.at + 1) {
                        self.module.push(name.clone());
                    }
                    self.opened.push(true);
                    self.at += 3;
                }
                Token::Word(_) => self.path(),
                Token::Mark('{') => {
                    self.opened.push(false);
                    self.at += 1;
                }
                Token::Mark('}') => {
                    if self.opened.pop() == Some(true) {
                        self.module.pop();
                    }
                    self.at += 1;
                }
                Token::Mark(_) | Token::Colons => self.at += 1,
            }
        }
    }

    fn mark(&self, ahead: usize) -> Option<char> {
        match self.tokens.get(self.at + ahead) {
            Some((_, Token::Mark(mark))) => Some(*mark),
            _ => None,
        }
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |(line, _)| *line)
    }

    /// A path in an expression or a type.
    fn path(&mut self) {
        let line = self.line();
        let mut parts = Vec::new();
        while let Some((_, Token::Word(word))) = self.tokens.get(self.at) {
            parts.push(word.clone());
            self.at += 1;
            if !matches!(self.tokens.get(self.at), Some((_, Token::Colons))) {
                break;
            }
            self.at += 1;
        }
        self.keep(line, parts);
    }

    /// The tree of a `use`, below `prefix`.
    fn tree(&mut self, prefix: &[String]) {
        let line = self.line();
        let mut parts = prefix.to_vec();
        loop {
            match self.tokens.get(self.at).map(|(_, token)| token.clone()) {
                Some(Token::Word(word)) if word == "as" => {
                    self.at += 2;
                    break;
                }
                Some(Token::Word(word)) => parts.push(word),
                Some(Token::Mark('*')) => parts.push("*".to_owned()),
                Some(Token::Colons) => {}
                Some(Token::Mark('{')) => {
                    self.at += 1;
                    self.branches(&parts);
                    return;
                }
                _ => break,
            }
            self.at += 1;
        }
        self.keep(line, parts);
    }

    fn branches(&mut self, prefix: &[String]) {
        loop {
            match self.mark(0) {
                Some('}') => {
                    self.at += 1;
                    return;
                }
                Some(',') => self.at += 1,
                None if self.at >= self.tokens.len() => return,
                _ => {
                    let before = self.at;
                    self.tree(prefix);
                    self.at = self.at.max(before + 1);
                }
            }
        }
    }

    fn keep(&mut self, line: usize, parts: Vec<String>) {
        if parts.len() < 2 && !matches!(parts.first().map(String::as_str), Some("mlua" | "egui" | "clap")) {
            return;
        }
        let parts = self.resolve(parts);
        self.found.push(FoundPath { line, parts });
    }

    fn resolve(&self, parts: Vec<String>) -> Vec<String> {
        let up = parts.iter().take_while(|part| *part == "super").count();
        let here = parts.first().is_some_and(|part| part == "self");
        if up == 0 && !here {
            return parts;
        }
        let depth = self.module.len().saturating_sub(up);
        let rest = parts.into_iter().skip(if here { 1 } else { up });
        std::iter::once("crate".to_owned()).chain(self.module[..depth].iter().cloned()).chain(rest).collect()
    }
}

fn tokens(code: &str) -> Vec<(usize, Token)> {
    let mut tokens = Vec::new();
    for (index, line) in code.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let word = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
            let (token, length) = if word > 0 {
                (Some(Token::Word(rest[..word].to_owned())), word)
            } else if rest.starts_with("::") {
                (Some(Token::Colons), 2)
            } else if first.is_whitespace() {
                (None, first.len_utf8())
            } else {
                (Some(Token::Mark(first)), first.len_utf8())
            };
            tokens.extend(token.map(|token| (index + 1, token)));
            rest = &rest[length..];
        }
    }
    tokens
}
