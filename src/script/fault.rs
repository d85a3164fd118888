//! From an error of Luau to a problem that a person can act on: place, excerpt, what to try.

use crate::scene::problem::Problem;

use super::sources::Sources;
use super::watchdog::OUT_OF_TIME;

/// A place inside a text that Luau names as `file:line`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// File relative to the project, as chunks are named.
    pub file: String,
    /// Line from 1.
    pub line: u32,
}

/// An error taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Where, if the text names a script's line.
    pub spot: Option<Spot>,
    /// What, without place and without traceback.
    pub message: String,
    /// Frames of the call, innermost first.
    pub traceback: String,
    /// Kind of error, for `Problem::code`.
    pub code: &'static str,
}

/// Takes an error of mlua apart.
pub fn parts(error: &mlua::Error) -> Parts {
    match error {
        mlua::Error::SyntaxError { message, .. } => split(message, "syntax"),
        mlua::Error::MemoryError(_) => {
            Parts { message: "not enough memory".to_owned(), code: "memory", ..Parts::default() }
        }
        mlua::Error::RuntimeError(message) => split(message, "script"),
        mlua::Error::CallbackError { traceback, cause } => {
            let mut inner = parts(cause);
            if inner.spot.is_none() {
                inner.spot = first_spot(traceback);
            }
            inner.traceback = frames(traceback);
            inner
        }
        mlua::Error::WithContext { cause, .. } | mlua::Error::BadArgument { cause, .. } => {
            let inner = parts(cause);
            let mut outer = split(&error.to_string(), "script");
            outer.spot = outer.spot.or(inner.spot);
            outer
        }
        other => split(&other.to_string(), "script"),
    }
}

fn split(text: &str, code: &'static str) -> Parts {
    let (head, trace) = text.split_once("\nstack traceback:").unwrap_or((text, ""));
    let (spot, message) = match spot_at_start(head) {
        Some((spot, rest)) => (Some(spot), rest),
        None => (first_spot(trace), head),
    };
    // An error thrown on by a helper names two places; the inner one is the person's own.
    let (spot, message) = match spot_at_start(message) {
        Some((inner, rest)) => (Some(inner), rest),
        None => (spot, message),
    };
    let code = if message.contains(OUT_OF_TIME) {
        "time"
    } else if message.contains("not enough memory") {
        "memory"
    } else {
        code
    };
    Parts { spot, message: message.trim().to_owned(), traceback: frames(trace), code }
}

/// `file:line: rest` at the start of a text.
fn spot_at_start(text: &str) -> Option<(Spot, &str)> {
    let text = text.trim_start();
    let ending = [".luau:", ".lua:"].iter().filter_map(|ending| text.find(ending).map(|at| at + ending.len())).min()?;
    let file = &text[..ending - 1];
    let digits = text[ending..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - ending);
    let line = text[ending..ending + digits].parse().ok()?;
    let rest = text[ending + digits..].strip_prefix(':').or_else(|| Some(&text[ending + digits..]))?;
    (!file.contains(' ') && !file.contains('\n')).then(|| (Spot { file: file.to_owned(), line }, rest.trim_start()))
}

/// The innermost script line of a traceback.
fn first_spot(traceback: &str) -> Option<Spot> {
    traceback.lines().find_map(|line| spot_at_start(line).map(|(spot, _)| spot))
}

/// The script frames of a traceback; those of the host say nothing to an author.
fn frames(traceback: &str) -> String {
    let lines = traceback.lines().map(str::trim).filter(|line| spot_at_start(line).is_some());
    lines.collect::<Vec<_>>().join("\n")
}

/// The problem of an error that happened in `file` (used where the error names no place itself).
pub fn problem(error: &mlua::Error, file: &str, sources: &Sources) -> Problem {
    let parts = parts(error);
    let spot = parts.spot.clone().unwrap_or_else(|| Spot { file: file.to_owned(), line: 0 });
    let text = sources.files.get(&spot.file).map(|source| std::sync::Arc::clone(&source.text));
    let line_text =
        text.as_deref().and_then(|text| text.lines().nth(spot.line.saturating_sub(1) as usize)).unwrap_or("");
    let (message, hint) = advise(&parts, line_text, text.as_deref().unwrap_or(""));
    let mut problem = Problem::error(parts.code, message).in_file(spot.file);
    if spot.line > 0 {
        problem = match column_of(&parts.message, line_text) {
            Some(column) => problem.at(spot.line, column),
            None => problem.at_line(spot.line),
        };
    }
    if let Some(hint) = hint {
        problem = problem.hint(hint);
    }
    if parts.traceback.lines().count() > 1 {
        problem = problem.traceback(parts.traceback);
    }
    match text {
        Some(text) => problem.with_source(&text),
        None => problem,
    }
}

/// Column of the name that a message speaks of, if the line has it.
fn column_of(message: &str, line: &str) -> Option<u32> {
    let quoted = message.split(['`', '\'']).skip(1).step_by(2);
    quoted
        .map(|name| name.split(' ').next().unwrap_or(name))
        .flat_map(|name| [name, name.rsplit(['.', ':']).next().unwrap_or(name)])
        .filter(|name| !name.is_empty())
        .find_map(|name| line.find(name))
        .map(|byte| line[..byte].chars().count() as u32 + 1)
}

/// Luau's text and what to try. The message itself is only replaced where Luau's words mislead.
fn advise(parts: &Parts, line: &str, text: &str) -> (String, Option<String>) {
    let message = parts.message.clone();
    let hint = match parts.code {
        "syntax" => syntax_hint(&message),
        "time" => Some("is there a loop that never ends?".to_owned()),
        "memory" => Some("is there a table or a string that grows for ever?".to_owned()),
        _ => runtime_hint(&message, line, text),
    };
    (message, hint)
}

fn syntax_hint(message: &str) -> Option<String> {
    let got = message.rsplit_once("got ").map(|(_, got)| got.trim_matches(['\'', '"', '`', ',', '.']));
    if let Some(word) = got.filter(|word| super::text::lexer::is_keyword(word)) {
        let as_key = message.contains("table") || message.contains('}') || message.contains("identifier");
        if as_key && !matches!(word, "end" | "local") {
            return Some(format!("`{word}` is a word of Lua; as a name write another, as a key [\"{word}\"]"));
        }
    }
    if message.contains("Expected '}'") || message.contains("Expected ','") || message.contains("expected ','") {
        return Some("the line before may lack a comma".to_owned());
    }
    message.contains("<eof>").then(|| "the file stops too early: is an `end` or a `}` missing?".to_owned())
}

fn runtime_hint(message: &str, line: &str, text: &str) -> Option<String> {
    if message.contains("attempt to index nil") || message.contains("on nil") || message.contains("nil and") {
        let searched = [":nearest(", ":find("].iter().find(|call| line.contains(**call) || text.contains(**call));
        return searched.map(|call| {
            let (name, when) =
                if *call == ":nearest(" { ("nearest", "nobody is near") } else { ("find", "nobody has the id") };
            format!("agent:{name} gives nil when {when}; test it first")
        });
    }
    if message.contains("readonly table") {
        return Some("the libraries and what the host hands in are read-only".to_owned());
    }
    message.contains("stack overflow").then(|| "a function calls itself without an end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_luau_is_taken_apart() {
        let error = mlua::Error::RuntimeError(
            "scripts/a.luau:3: attempt to index nil with 'x'\nstack traceback:\n[C]: in ?\nscripts/a.luau:3 function update\nscripts/a.luau:9\n".to_owned(),
        );
        let parts = parts(&error);
        assert_eq!(parts.spot, Some(Spot { file: "scripts/a.luau".to_owned(), line: 3 }));
        assert_eq!(parts.message, "attempt to index nil with 'x'");
        assert_eq!(parts.traceback, "scripts/a.luau:3 function update\nscripts/a.luau:9");
    }
}
