//! Building what shall run next: every file in its newest version that passes, in one fresh machine.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::history::History;
use super::library::{Attempt, Library, Natives, attempt};
use super::load::{LoadedFile, Unit};
use super::sources::Sources;
use super::vm::Vm;
use crate::scene::problem::Problem;

/// A machine with its definitions, as its worker thread holds it.
pub struct Live {
    /// The machine.
    pub vm: Vm,
    /// Files with the tables that hold their functions, by path.
    pub files: BTreeMap<String, LoadedFile>,
    /// What they amount to.
    pub library: Arc<Library>,
    /// Whatever the runtime keeps with the machine: records, buffers, generated loops.
    pub runtime: Option<Box<dyn Any>>,
}

/// Tries a loaded machine for a tick on copies of a few agents; gives the files that failed and why.
pub type DryRun = Arc<dyn Fn(&mut Live) -> Vec<(String, Problem)> + Send + Sync>;

/// What a build starts from.
#[derive(Clone)]
pub struct Plan {
    /// The texts.
    pub sources: Arc<Sources>,
    /// What ran so far.
    pub history: History,
    /// What is built in.
    pub natives: Arc<Natives>,
    /// Whether to make native code; a mere check does not need it.
    pub native_code: bool,
    /// The dry run, if there is something to try it on.
    pub dry_run: Option<DryRun>,
    /// Number of this load.
    pub generation: u64,
}

/// What a build came to; it may be sent anywhere.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Definitions that will run.
    pub library: Arc<Library>,
    /// The texts in effect, by file.
    pub units: BTreeMap<String, Unit>,
    /// Everything that is wrong, errors of refused texts too.
    pub problems: Vec<Problem>,
    /// Files whose newest text was refused and that run on in an older version.
    pub held_back: Vec<String>,
    /// Files that have no version that passes.
    pub dropped: Vec<String>,
}

/// Builds a machine by the plan. A file that fails falls back to the version in effect; one without any is left out.
///
/// # Errors
/// When Luau cannot be set up, which is a fault of this program.
pub fn build(plan: &Plan) -> mlua::Result<(Live, Outcome)> {
    let mut chosen = plan.history.choose(&plan.sources);
    let mut outcome = Outcome::default();
    note_missing(plan, &chosen, &mut outcome);
    // Each round either passes or puts at least one file back or out, so the number of rounds is bounded by twice the files; the
    // usual number is one, and two with a broken file.
    loop {
        let tried = attempt(&plan.sources, &chosen, &plan.natives, plan.native_code)?;
        let Attempt { vm, files, library, failures, warnings } = tried;
        let mut live = Live { vm, files, library: Arc::new(library), runtime: None };
        let mut failures = failures;
        if failures.is_empty() {
            number(&mut live, plan);
            for (file, problem) in plan.dry_run.as_ref().map_or_else(Vec::new, |dry_run| dry_run(&mut live)) {
                // What runs already is not put out by a trial: its faults are those of the run.
                let runs = plan.history.last_good(&file).map(|version| version.unit.hash());
                if runs.is_none() || runs != chosen.get(&file).map(Unit::hash) {
                    failures.entry(file).or_default().push(problem);
                }
            }
        }
        if failures.is_empty() {
            outcome.problems.extend(warnings);
            outcome.library = Arc::clone(&live.library);
            outcome.units = live.files.values().map(|loaded| (loaded.file.clone(), loaded.unit.clone())).collect();
            return Ok((live, outcome));
        }
        drop(live);
        step_back(plan, &mut chosen, failures, &mut outcome);
    }
}

/// Puts every failed file back to its version in effect, or out.
fn step_back(
    plan: &Plan,
    chosen: &mut BTreeMap<String, Unit>,
    failures: BTreeMap<String, Vec<Problem>>,
    outcome: &mut Outcome,
) {
    for (file, problems) in failures {
        let silent = problems.is_empty();
        for problem in problems {
            problem.add_to(&mut outcome.problems);
        }
        let tried = chosen.remove(&file);
        let last_good = plan.history.last_good(&file).map(|version| version.unit.clone());
        let older = last_good.filter(|unit| tried.as_ref().is_some_and(|tried| tried.hash() != unit.hash()));
        match older {
            Some(unit) if !outcome.held_back.contains(&file) => {
                chosen.insert(file.clone(), unit);
                outcome.held_back.push(file);
            }
            _ => {
                if silent {
                    let message = "left out because a definition that it names has problems";
                    Problem::error("depends-on-broken", message).in_file(file.clone()).add_to(&mut outcome.problems);
                }
                outcome.held_back.retain(|held| *held != file);
                outcome.dropped.push(file);
            }
        }
    }
}

/// Files that ran and are gone from the disk.
fn note_missing(plan: &Plan, chosen: &BTreeMap<String, Unit>, outcome: &mut Outcome) {
    for file in chosen.keys().filter(|file| !plan.sources.files.contains_key(*file)) {
        let problem =
            Problem::warning("missing-file", "the file is gone; its last version runs on").in_file(file.clone());
        outcome.problems.push(problem.hint("save it again, or restart without it"));
    }
}

/// Writes the version numbers into the library.
fn number(live: &mut Live, plan: &Plan) {
    let library = Arc::make_mut(&mut live.library);
    library.generation = plan.generation;
    for item in &mut library.items {
        if let Some(loaded) = live.files.get(&item.file) {
            item.version = plan.history.number_of(&item.file, &loaded.unit);
        }
    }
}
