//! Source files of the package, and their text without comments and strings.

use std::path::Path;

/// One file below `src/`.
pub(crate) struct SourceFile {
    /// Path from the package, with `/`.
    pub(crate) shown: String,
    /// The text as it is.
    pub(crate) text: String,
    /// The text with comments, strings and character literals blanked; lines keep their numbers.
    pub(crate) code: String,
}

impl SourceFile {
    pub(crate) fn new(shown: &str, text: &str) -> Self {
        Self { shown: shown.to_owned(), text: text.to_owned(), code: blank(text) }
    }

    /// The room that the file belongs to; none for `lib.rs` and `main.rs`.
    pub(crate) fn room(&self) -> Option<&str> {
        let inside = self.shown.strip_prefix("src/")?;
        inside.split_once('/').map(|(room, _)| room)
    }

    /// The module path of the file: `src/sim/obstacle/mod.rs` is `sim`, `obstacle`.
    pub(crate) fn module(&self) -> Vec<String> {
        let inside = self.shown.trim_start_matches("src/").trim_end_matches(".rs");
        let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
        if parts.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
            parts.pop();
        }
        parts
    }

    /// Name of the module and the file that must declare it.
    pub(crate) fn name_and_parent(&self) -> Option<(String, String)> {
        let mut module = self.module();
        let name = module.pop()?;
        let parent =
            if module.is_empty() { "src/lib.rs".to_owned() } else { format!("src/{}/mod.rs", module.join("/")) };
        Some((name, parent))
    }

    /// Whether the file has `mod NAME;`.
    pub(crate) fn declares(&self, name: &str) -> bool {
        let wanted = format!("mod {name};");
        self.code.lines().any(|line| line.trim_start().trim_start_matches("pub").contains(&wanted))
    }
}

/// All `.rs` files below `root`, sorted by path.
pub(crate) fn read_all(root: &Path) -> Vec<SourceFile> {
    let mut files = Vec::new();
    collect(root, "src", &mut files);
    files.sort_by(|a, b| a.shown.cmp(&b.shown));
    files
}

fn collect(folder: &Path, shown: &str, files: &mut Vec<SourceFile>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed").filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        let shown = format!("{shown}/{name}");
        if path.is_dir() {
            collect(&path, &shown, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(SourceFile::new(&shown, &std::fs::read_to_string(&path).expect("the file is text")));
        }
    }
}

/// The text with comments, strings and character literals blanked.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
            continue;
        }
        out.extend(chars[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    out
}

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
fn skipped(chars: &[char], at: usize) -> usize {
    let next = |offset: usize| chars.get(at + offset).copied().unwrap_or(' ');
    match (chars[at], next(1)) {
        ('/', '/') => (at..chars.len()).find(|&i| chars[i] == '\n').unwrap_or(chars.len()),
        ('/', '*') => block_comment(chars, at),
        ('"', _) => string(chars, at + 1),
        ('r', '"' | '#') if !word_before(chars, at) => raw_string(chars, at),
        ('\'', '\\') => (at + 3..chars.len()).find(|&i| chars[i] == '\'').map_or(chars.len(), |i| i + 1),
        ('\'', _) if next(2) == '\'' => at + 3,
        _ => at,
    }
}

fn word_before(chars: &[char], at: usize) -> bool {
    at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_') && chars[at - 1] != 'b'
}

fn block_comment(chars: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut i = at;
    while i + 1 < chars.len() {
        match (chars[i], chars[i + 1]) {
            ('/', '*') => (depth, i) = (depth + 1, i + 2),
            ('*', '/') => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            return i;
        }
    }
    chars.len()
}

fn string(chars: &[char], mut i: usize) -> usize {
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

fn raw_string(chars: &[char], at: usize) -> usize {
    let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(at + 1 + hashes) != Some(&'"') {
        return at; // a raw identifier
    }
    let closes = |i: usize| chars[i] == '"' && chars[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes;
    (at + 2 + hashes..chars.len()).find(|&i| closes(i)).map_or(chars.len(), |i| i + 1 + hashes)
}
