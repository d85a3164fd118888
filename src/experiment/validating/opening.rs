//! Shipped scenes as cases open them: with settings, with another seed, or with words of their text replaced.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Context;
use crate::experiment::options::Options;
use crate::experiment::{Experiment, Problem};
use crate::scene::SceneFile;

/// A shipped scene, with settings as on the command line.
pub(super) fn open(context: &Context, scene: &str, sets: &[(&str, &str)]) -> Result<Experiment, String> {
    opened(context, scene, None, sets)
}

/// The same with another seed.
pub(super) fn open_seeded(
    context: &Context,
    scene: &str,
    seed: &str,
    sets: &[(&str, &str)],
) -> Result<Experiment, String> {
    opened(context, scene, seed.parse().ok(), sets)
}

/// A shipped scene with another number of ticks per second, which no address reaches: read from a copy.
pub(super) fn open_with_ticks(context: &Context, scene: &str, (from, to): (&str, &str)) -> Result<Experiment, String> {
    open_changed(context, scene, &[(&format!("tick_hz: {from}"), &format!("tick_hz: {to}"))])
}

/// A shipped scene whose text has each `from` replaced by its `to`, for what no address reaches (walls, starting places, ticks per
/// second).
pub(super) fn open_changed(context: &Context, scene: &str, changes: &[(&str, &str)]) -> Result<Experiment, String> {
    open_text(context, scene, &changed(context, scene, changes)?, None)
}

/// The text of a shipped scene with each `from` replaced by its `to`.
///
/// # Errors
/// A `from` that is not there.
pub(super) fn changed(context: &Context, scene: &str, changes: &[(&str, &str)]) -> Result<String, String> {
    let read = std::fs::read_to_string(context.project.join("scenes").join(scene));
    let mut text = read.map_err(|error| format!("{scene}: {error}"))?;
    for (from, to) in changes {
        if !text.contains(from) {
            return Err(format!("{scene}: there is no `{from}`"));
        }
        text = text.replace(from, to);
    }
    Ok(text)
}

/// A scene by its text: read from a copy.
pub(super) fn open_text(context: &Context, scene: &str, text: &str, seed: Option<u64>) -> Result<Experiment, String> {
    static COPIES: AtomicU64 = AtomicU64::new(0);
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let name = scene.replace('/', "-");
    let copy = std::env::temp_dir().join(format!("swarmyard-{}-{number}-{name}", std::process::id()));
    std::fs::write(&copy, text).map_err(|error| format!("{}: {error}", copy.display()))?;
    let opened = Experiment::open(&copy, options(context, seed, &[]));
    drop(std::fs::remove_file(&copy));
    opened.map_err(|error| words(error.problems()))
}

fn opened(context: &Context, scene: &str, seed: Option<u64>, sets: &[(&str, &str)]) -> Result<Experiment, String> {
    let opened = Experiment::open(&context.project.join("scenes").join(scene), options(context, seed, sets));
    opened.map_err(|error| words(error.problems()))
}

fn options(context: &Context, seed: Option<u64>, sets: &[(&str, &str)]) -> Options {
    let sets = sets.iter().map(|(address, value)| ((*address).to_owned(), (*value).to_owned())).collect();
    Options { project: Some(context.project.clone()), sets, seed, ..Options::default() }
}

fn words(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_text).collect::<Vec<_>>().join("\n")
}

/// The seed that a scene names; empty without a scene.
pub(super) fn seed_of(context: &Context, scene: &str) -> String {
    let text = std::fs::read_to_string(context.project.join(scene)).unwrap_or_default();
    SceneFile::from_text(scene, &text).map_or_else(|_| String::new(), |loaded| loaded.scene.seed.to_string())
}
