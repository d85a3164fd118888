//! The places of any formation by name, without a scene: native, data file or script.

use std::path::Path;

use serde::Serialize;

use super::library::{FormationEntry, FormationKind, Library, native_slots};
use super::scripts::Scripts;
use crate::formation::{FormationError, Slots};
use crate::scene::Noun;
use crate::scene::nearest::suggestion;
use crate::scene::problem::Problem;
use crate::sim::Value;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct SlotsAsked<'a> {
    /// Name of the formation.
    pub name: &'a str,
    /// How many places.
    pub n: usize,
    /// Parameters as text.
    pub params: &'a [(String, String)],
    /// The project folder.
    pub project: &'a Path,
}

/// One place in the formation's own frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SlotMade {
    /// m.
    pub x: f64,
    /// m.
    pub y: f64,
    /// m.
    pub z: f64,
    /// rad, 0 = +x, counter-clockwise.
    pub heading: f64,
}

/// All places, the head first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlotsMade {
    /// The places.
    pub slots: Vec<SlotMade>,
    /// Arc length from first to last place (closed curves: all round), m.
    pub length: f64,
}

/// Why there are no places.
#[derive(Clone, Debug, PartialEq)]
pub enum SlotsError {
    /// An unknown name, an unknown parameter, a value that does not fit.
    Usage(Vec<Problem>),
    /// A script or data file with problems, or places that do not fit on the curve.
    Failed(Vec<Problem>),
}

impl SlotsError {
    /// The problems, whichever kind.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Usage(problems) | Self::Failed(problems) => problems,
        }
    }
}

/// Makes the places.
///
/// # Errors
/// See [`SlotsError`].
pub fn slots(asked: &SlotsAsked<'_>) -> Result<SlotsMade, SlotsError> {
    // A native formation needs no look at the project.
    let native = Library::native();
    if native.formations.contains_key(asked.name) {
        return from_library(asked, &native, None);
    }
    let (mut scripts, problems) = Scripts::load(asked.project, false);
    let library = scripts.library().clone();
    if library.broken.contains(&(Noun::Formation, asked.name.to_owned())) {
        return Err(SlotsError::Failed(problems));
    }
    from_library(asked, &library, Some(&mut scripts))
}

fn from_library(
    asked: &SlotsAsked<'_>,
    library: &Library,
    scripts: Option<&mut Scripts>,
) -> Result<SlotsMade, SlotsError> {
    let Some(entry) = library.formations.get(asked.name) else {
        let problem = Problem::error("unknown-formation", format!("there is no formation `{}`", asked.name));
        let hint = suggestion(asked.name, library.formations.keys().map(String::as_str));
        return Err(SlotsError::Usage(vec![problem.maybe_hint(hint)]));
    };
    let mut params = Vec::new();
    let mut problems = Vec::new();
    for (name, text) in asked.params {
        match param(asked.name, entry, name, text) {
            Ok(value) => params.push((name.clone(), value)),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(SlotsError::Usage(problems));
    }
    match (&entry.kind, scripts) {
        (FormationKind::Script, Some(scripts)) => {
            scripts.slots(asked.name, &params, asked.n, 0.0).map(|made| plain(&made.slots)).map_err(failed)
        }
        (kind, _) => match native_slots(kind, &params, asked.n) {
            Some(Ok(made)) => Ok(plain(&made)),
            Some(Err(error)) => Err(refused(asked.name, &error)),
            None => {
                Err(failed(Problem::error("no-script", format!("`{}` is a script that is not loaded", asked.name))))
            }
        },
    }
}

fn param(formation: &str, entry: &FormationEntry, name: &str, text: &str) -> Result<Value, Problem> {
    let specs = &entry.params;
    let Some(spec) = specs.iter().find(|spec| spec.name == name) else {
        let message = format!("formation `{formation}` has no parameter `{name}`");
        let hint = suggestion(name, specs.iter().map(|spec| spec.name.as_str()));
        return Err(Problem::error("unknown-parameter", message).maybe_hint(hint));
    };
    let value = match (&spec.default, text.parse::<f64>()) {
        (Value::Number(_), Ok(number)) => Value::Number(number),
        (Value::Bool(_), _) if text == "true" || text == "false" => Value::Bool(text == "true"),
        _ => Value::Text(text.to_owned()),
    };
    // What a native one accepts it says itself: its sliders are shorter than what is legal.
    match spec.refusal(&value).filter(|_| matches!(entry.kind, FormationKind::Script)) {
        Some(refusal) => Err(Problem::error("bad-value", refusal)),
        None => Ok(value),
    }
}

fn failed(problem: Problem) -> SlotsError {
    SlotsError::Failed(vec![problem])
}

/// Places that do not fit are an answer of the formation; anything else was asked for wrongly.
fn refused(name: &str, error: &FormationError) -> SlotsError {
    let problem = Problem::error("no-places", format!("formation `{name}`: {error}"));
    match error {
        FormationError::Capacity { .. } => SlotsError::Failed(vec![problem]),
        _ => SlotsError::Usage(vec![problem]),
    }
}

fn plain(made: &Slots) -> SlotsMade {
    let slots = made.places.iter().map(|place| SlotMade {
        x: place.position.x,
        y: place.position.y,
        z: place.position.z,
        heading: place.heading,
    });
    SlotsMade { slots: slots.collect(), length: made.length }
}
