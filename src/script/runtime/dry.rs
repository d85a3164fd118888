//! The dry run: a tick of new code on copies of a few agents of the scene, with guarded records, before it takes over.

use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;

use super::director::DirectorState;
use super::engine::with;
use super::memory::GroupState;
use super::request::{Binding, Leavings};
use crate::machine::program::Program;
use crate::scene::problem::Problem;
use crate::script::define::Definition;
use crate::script::migrate::migrate;
use crate::script::reload::{DryRun, Live};
use crate::sim::World;
use crate::steer::param::Value;

/// Members of each group that take part.
pub const MOST_MEMBERS: usize = 16;

/// A group of the scene as it stands.
#[derive(Clone, Debug)]
pub struct Extra {
    /// Its place in the scene.
    pub group: usize,
    /// Its name.
    pub name: String,
    /// The program that it runs, with the values of its sliders.
    pub program: Arc<Program>,
    /// One per slider of that program.
    pub values: Vec<Value>,
    /// What its members keep.
    pub state: Option<GroupState>,
}

/// A metric of the scene: its name, the groups that it looks at, its parameters.
pub type MetricUse = (String, Vec<usize>, Vec<(String, Value)>);

/// What a dry run is tried on.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    /// A copy of the world with few members per group: see [`few`].
    pub world: Arc<World>,
    /// Groups with scripted minds.
    pub groups: Vec<Extra>,
    /// Directors with their parameters, and what they keep.
    pub directors: (Vec<Named>, Vec<DirectorState>),
    /// Metrics with their groups and parameters.
    pub metrics: Vec<MetricUse>,
}

/// A definition by name with the parameters that it is given.
pub type Named = (String, Vec<(String, Value)>);

/// A copy of the world in which every group has at most [`MOST_MEMBERS`] members; the others stand there still.
pub fn few(world: &World) -> Arc<World> {
    let mut copy = world.clone();
    for group in &mut copy.groups {
        group.members.truncate(MOST_MEMBERS);
        // All are tried, due or not.
        group.update = crate::sim::UpdateRate::default();
    }
    Arc::new(copy)
}

/// Where the owner of the scene puts what the next dry run is tried on.
#[derive(Clone, Debug, Default)]
pub struct Rehearsals {
    next: Arc<Mutex<Option<Rehearsal>>>,
}

impl Rehearsals {
    /// Sets it; none tries nothing but formations.
    pub fn set(&self, rehearsal: Option<Rehearsal>) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = rehearsal;
    }

    /// The dry run for [`crate::script::host::HostOptions`].
    pub fn dry_run(&self) -> DryRun {
        let next = Arc::clone(&self.next);
        Arc::new(move |live| {
            let rehearsal = next.lock().unwrap_or_else(PoisonError::into_inner).clone();
            rehearse(live, rehearsal.as_ref())
        })
    }
}

/// Runs a tick of every group with guarded records, and asks every formation for three places. Gives the files whose code
/// faulted, with the faults; what it did is forgotten.
pub fn rehearse(live: &mut Live, rehearsal: Option<&Rehearsal>) -> Vec<(String, Problem)> {
    let tried = with(live, |live, runtime| {
        let mut leavings = Leavings::default();
        formations(live, runtime, &mut leavings);
        if let Some(rehearsal) = rehearsal {
            runtime.set_guarded(true)?;
            let bound = bind_all(live, runtime, rehearsal)?;
            for group in bound {
                leavings.append(runtime.decide(live, &rehearsal.world, group)?.leavings);
            }
            let (wanted, kept) = &rehearsal.directors;
            runtime.seat_directors(live, wanted, kept)?;
            leavings.append(runtime.direct(live, &rehearsal.world, &[])?.leavings);
            for (name, of, given) in &rehearsal.metrics {
                runtime.measure(live, &rehearsal.world, name, of, given, &mut leavings)?;
            }
            runtime.set_guarded(false)?;
        }
        Ok(leavings)
    });
    // A machine that has run is the same as a fresh one but for what the runtime holds.
    live.runtime = None;
    match tried {
        Ok(leavings) => {
            let problems = leavings.problems.into_iter().filter(Problem::is_error);
            problems.filter_map(|problem| Some((problem.file.clone()?, problem))).collect()
        }
        Err(_) => Vec::new(),
    }
}

fn bind_all(live: &Live, runtime: &mut super::engine::Runtime, rehearsal: &Rehearsal) -> mlua::Result<Vec<usize>> {
    let mut bound = Vec::new();
    for extra in &rehearsal.groups {
        let Some(program) = live.library.program(&extra.program.name) else { continue };
        let migration = migrate(&extra.program, program);
        let mut values = program.defaults();
        for (slider, old) in migration.sliders.iter().enumerate() {
            let old = old.and_then(|old| extra.values.get(old));
            if let Some(value) = old.filter(|value| program.sliders[slider].spec.refusal(value).is_none()) {
                values[slider] = value.clone();
            }
        }
        let binding = Binding { group: extra.group, name: extra.name.clone(), program: Arc::clone(program), values };
        runtime.bind(live, binding)?;
        if let Some(state) = &extra.state {
            runtime.import(live, &rehearsal.world, extra.group, state)?;
        }
        bound.push(extra.group);
    }
    Ok(bound)
}

fn formations(live: &Live, runtime: &mut super::engine::Runtime, leavings: &mut Leavings) {
    let names = live.files.values().filter_map(|loaded| match &loaded.definition {
        Definition::Formation(def) => Some((def.name.clone(), def.curve)),
        _ => None,
    });
    for (name, curve) in names.collect::<Vec<_>>() {
        let result = if curve {
            let range = runtime.range(live, &name, &[]);
            let from = range.map(|range| range.map_or(0.0, |(from, _)| from));
            let mut points: Vec<DVec3> = Vec::new();
            from.and_then(|from| runtime.curve(live, &name, &[], 0.0, &[from, from + 1e-3, from + 2e-3], &mut points))
        } else {
            runtime.slots(live, &name, &[], 0.0, 3).map(drop)
        };
        if let Err(problem) = result {
            leavings.problems.push(*problem);
        }
    }
}
