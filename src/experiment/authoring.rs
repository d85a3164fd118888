//! What authors are given: first scripts and scenes that run, and the types of the script interface for their editors.

use std::path::Path;

use super::scripts::Scripts;
use crate::scene::problem::Problem;
use crate::scene::{Catalogue as _, Known, Noun};
use crate::script::templates::Template;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Where, from the project folder.
    pub file: String,
    /// What.
    pub text: String,
    /// What to do next, one line.
    pub next: String,
}

/// The start of a new `kind` ("behavior", "machine", "formation", "force", "scene", "metric" or "director").
///
/// # Errors
/// When the name cannot be one or is taken.
pub fn start(kind: &str, name: &str, project: &Path) -> Result<Start, Problem> {
    let Some(template) = Template::from_word(kind) else {
        return Err(Problem::error("unknown-kind", format!("there is no start for a `{kind}`")));
    };
    check_name(kind, name)?;
    if let Some(noun) = noun(kind) {
        let (scripts, _) = Scripts::load(project, false);
        let file = template.path(name);
        let taken = scripts.library().knows(noun, name) != Known::No && !project.join(&file).exists();
        if taken {
            let message = format!("there is a {} `{name}` already", noun.word());
            return Err(Problem::error("name-taken", message).hint("see `swarmyard list`"));
        }
    }
    let file = template.path(name);
    let next = if kind == "scene" {
        format!("run it: swarmyard run {file}, or open it: swarmyard {file}")
    } else {
        format!("check it: swarmyard check {file}; name it in a scene: `{name}`")
    };
    Ok(Start { text: template.text(name), file, next })
}

/// `yard.d.luau`.
pub fn types() -> String {
    crate::script::types::text()
}

fn noun(kind: &str) -> Option<Noun> {
    match kind {
        "behavior" | "machine" => Some(Noun::Behavior),
        "formation" => Some(Noun::Formation),
        "force" => Some(Noun::Force),
        "metric" => Some(Noun::Metric),
        "director" => Some(Noun::Director),
        _ => None,
    }
}

/// Words that Luau keeps for itself.
const WORDS_OF_LUA: [&str; 21] = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
    "repeat", "return", "then", "true", "until", "while",
];

/// A name is a letter, then letters, digits and `_`; of a scene it may begin with a digit.
fn check_name(kind: &str, name: &str) -> Result<(), Problem> {
    let scene = kind == "scene";
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || (scene && c.is_ascii_digit()));
    let all = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let problem = |message: String| Problem::error("bad-name", message);
    if !starts || !all || name.len() > 64 {
        return Err(problem(format!("`{name}` cannot be the name of a {kind}"))
            .hint("a letter, then letters, digits and `_`, at most 64"));
    }
    if WORDS_OF_LUA.contains(&name) {
        return Err(problem(format!("`{name}` is a word of Lua")).hint(format!("call it `my_{name}`")));
    }
    Ok(())
}
