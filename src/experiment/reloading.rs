//! Reload between two ticks: new code, old state. And the scripts' other hands: directors, buttons, the console.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::core::{Experiment, GroupState};
use super::forming::March;
use super::frame::Level;
use super::mind::GroupMind;
use super::options::{OpenError, Options};
use super::scripts::Reload;
use crate::scene::problem::{Problem, Severity};
use crate::script::host::Candidate;
use crate::script::runtime::dry::{Extra, Rehearsal, few};
use crate::script::runtime::memory::GroupState as Kept;
use crate::script::runtime::request::{DirectorCommand, Whom};
use crate::sim::obstacle::Shape;
use crate::sim::{Event, GroupId, SimCommand, Value, World};

/// A few agents of each scripted group with all that they keep: what new code is tried on.
fn rehearsal(world: &World, minds: &mut [Box<dyn GroupMind>], groups: &[GroupState]) -> Rehearsal {
    let world = few(world);
    let mut extras = Vec::new();
    for (index, (mind, group)) in minds.iter_mut().zip(groups).enumerate() {
        let Some(mind) = mind.as_script() else { continue };
        extras.push(Extra {
            group: index,
            name: world.groups[index].name.clone(),
            program: Arc::clone(&group.program),
            values: group.values.clone(),
            state: mind.export(&world).ok().flatten(),
        });
    }
    Rehearsal { world, groups: extras, directors: Default::default(), metrics: Vec::new() }
}

impl Experiment {
    /// Looks for saved files and finished builds; what is ready takes over now, between two ticks. True if something changed.
    pub fn poll_scripts(&mut self) -> bool {
        let Self { scripts, minds, groups, world, .. } = self;
        let candidate = scripts.poll(|| rehearsal(world, minds, groups));
        let data = self.scripts.changed_data();
        let mut changed = false;
        if !data.is_empty() {
            self.data_changed(&data);
            changed = true;
        }
        if let Some(candidate) = candidate {
            self.take_over(candidate);
            changed = true;
        }
        changed
    }

    /// Scene and formation files that were saved: formations take effect, a changed scene is offered.
    fn data_changed(&mut self, files: &[String]) {
        self.scripts.refresh_data();
        self.refresh_file_problems(None);
        for group in 0..self.groups.len() {
            let held = self.groups[group].forming.as_ref().map(|forming| forming.order.name.clone());
            let file = held.and_then(|name| self.library().formations.get(&name)?.origin.file.clone());
            if file.is_some_and(|file| files.contains(&file)) {
                self.reshape_formation(group);
            }
        }
        if files.contains(&self.shown) && self.changed_on_disk() {
            self.overwrites = false;
            let text = if self.history.is_unsaved() {
                "the scene file changed on disk; reset loads it (your edits here are not saved)"
            } else {
                "the scene file changed on disk; open it again to load it"
            };
            self.log.toast(self.world.time(), Level::Info, "scene", text);
        }
        self.changes += 1;
    }

    /// Loads all scripts as they stand on disk; state is kept.
    pub fn reload_scripts(&mut self) {
        let rehearsal = rehearsal(&self.world, &mut self.minds, &self.groups);
        self.scripts.rehearse_with(rehearsal);
        if let Some(candidate) = self.scripts.build_now() {
            self.take_over(candidate);
        }
    }

    /// Puts an earlier version of a script back; the file is not touched.
    pub(super) fn roll_back(&mut self, file: &str, version: Option<u32>) {
        let Some(version) = version.or_else(|| self.scripts.version_before(file)) else {
            self.log.toast(
                self.world.time(),
                Level::Warning,
                "reload",
                format!("{file} has no version before this one"),
            );
            return;
        };
        if let Some(candidate) = self.scripts.build_with(file, version) {
            self.take_over(candidate);
        }
    }

    fn take_over(&mut self, candidate: Candidate) {
        let kept: Vec<Option<Kept>> = self.export_minds();
        let stage = self.scripts.export_stage();
        let old_specs = self.held_formation_specs();
        let (files, lines) = self.scripts.take_over(candidate);
        if let Some(stage) = stage {
            self.scripts.import_stage(stage);
        }
        let mut notes = files.clone();
        notes.extend(lines);
        for (group, kept) in kept.into_iter().enumerate() {
            self.renew_mind(group, kept, &mut notes);
        }
        for (group, specs) in old_specs.into_iter().enumerate() {
            if specs != self.held_formation_stamp(group) {
                self.reshape_formation(group);
            }
        }
        self.refresh_file_problems(Some(&files));
        self.changes += 1;
        let generation = self.scripts.generation();
        if notes.is_empty() {
            return;
        }
        let level = if self.scripts.problems().iter().any(Problem::is_error) { Level::Warning } else { Level::Info };
        self.log.toast(self.world.time(), level, "reload", notes.join(" · "));
        self.reloads.push(Reload { tick: self.world.tick, files, lines: notes, generation });
    }

    fn export_minds(&mut self) -> Vec<Option<Kept>> {
        let world = Arc::clone(&self.world);
        let kept = self.minds.iter_mut().map(|mind| mind.as_script()?.export(&world).ok().flatten());
        kept.collect()
    }

    /// The same agents get a mind of the new code: values where they fit, state and memory by the reload rules.
    fn renew_mind(&mut self, group: usize, kept: Option<Kept>, notes: &mut Vec<String>) {
        let Some(behavior) = self.groups[group].behavior.clone() else { return };
        let Some(program) = self.library().programs.get(&behavior).cloned() else { return };
        let old = Arc::clone(&self.groups[group].program);
        let migration = crate::script::migrate::migrate(&old, &program);
        let mut values = program.defaults();
        let name = self.world.groups[group].name.clone();
        let mut scene_values = BTreeMap::new();
        for (slider, from) in migration.sliders.iter().enumerate() {
            let (spec, address) = (&program.sliders[slider].spec, program.sliders[slider].address.clone());
            let Some(from) = *from else { continue };
            let before = &old.sliders[from].address;
            let set = self.groups[group].scene_values.contains_key(before);
            let moved = self.user.contains_key(&format!("{name}.{before}"));
            if !set && !moved {
                continue; // nobody set it: it follows the script's new default
            }
            let value = fitted(&self.groups[group].values[from], spec);
            if set {
                scene_values.insert(address.clone(), value.clone());
            }
            if moved && before != &address {
                self.user.remove(&format!("{name}.{before}"));
                self.user.insert(format!("{name}.{address}"), value.clone());
            }
            values[slider] = value;
        }
        let mut mind = self.scripts.mind(&program, GroupId(group as u16), &name, values.clone());
        if let (Some(new), Some(before)) = (mind.as_script(), self.minds[group].as_script()) {
            new.adopt(before);
        }
        if let (Some(new), Some(before)) = (mind.as_native(), self.minds[group].as_native()) {
            new.adopt(before);
        }
        if let (Some(new), Some(kept)) = (mind.as_script(), kept) {
            match new.import(&self.world, kept) {
                Ok(report) => {
                    for (state, to, count) in report.moved {
                        notes.push(format!("{count} agents of `{name}` were in `{state}`, which is gone → `{to}`"));
                    }
                }
                Err(error) => self.problems.add(Problem::error("script-host", error.to_string()).group(name)),
            }
        }
        self.passing.renew(group, &program);
        self.minds[group] = mind;
        let state = &mut self.groups[group];
        (state.program, state.values, state.scene_values) = (program, values, scene_values);
        state.off.clear();
    }

    /// What the held formation of each group was made from: changes of it need new places.
    fn held_formation_specs(&self) -> Vec<Option<(u64, bool)>> {
        (0..self.groups.len()).map(|group| self.held_formation_stamp(group)).collect()
    }

    fn held_formation_stamp(&self, group: usize) -> Option<(u64, bool)> {
        let name = &self.groups[group].forming.as_ref()?.order.name;
        self.scripts.formation_stamp(name).map(|stamp| (stamp, true))
    }

    /// Problems of files are those of the files as they stand; what was mended goes. `loaded` are scripts that were loaded
    /// anew; none where only data were.
    fn refresh_file_problems(&mut self, loaded: Option<&[String]>) {
        let now = self.scripts.problems();
        self.problems.clear(|problem| problem.tick.is_none() && problem.file.is_some());
        if let Some(loaded) = loaded {
            // A fault of a tick is over for a callback that was loaded anew. While a file is broken what ran before runs on, and
            // so do its faults, which a paused run would not show again.
            let broken: Vec<&str> = now.iter().filter(|p| p.is_error()).filter_map(|p| p.file.as_deref()).collect();
            let is_new = |file: &str| loaded.iter().any(|new| new == file) && !broken.contains(&file);
            self.problems.clear(|problem| {
                problem.callback.is_some() && (broken.is_empty() || problem.file.as_deref().is_some_and(is_new))
            });
        }
        for problem in now {
            self.problems.add(problem);
        }
        self.faulted = false;
    }

    /// Directors act; their commands are done before the next sense, with origin `script`.
    pub(super) fn run_directors(&mut self) {
        let direction = self.scripts.direct(&self.world);
        for order in direction.commands {
            self.problems.blame(&order.place);
            self.obey_director(order.command);
        }
        self.problems.blame("");
    }

    fn obey_director(&mut self, command: DirectorCommand) {
        match command {
            DirectorCommand::Spawn { group, at, radius, ids, params: _ } => {
                if let Some(index) = self.named_group(&group) {
                    let spawned = self.spawn_in_disc(index, ids.len() as u32, at, radius);
                    debug_assert!(spawned.iter().zip(&ids).all(|(a, b)| a == b), "ids were reserved");
                }
            }
            DirectorCommand::Remove(Whom::Group(name)) if self.is_obstacle_only(&name) => {
                if let Some(id) = self.world.obstacles.by_name(&name) {
                    self.apply_sim(SimCommand::RemoveObstacle(id));
                }
            }
            DirectorCommand::Remove(whom) => {
                let ids = self.whom(&whom);
                self.remove_agents(&ids);
            }
            DirectorCommand::Send { to, name, value } => {
                for to in self.whom(&to) {
                    let event = Event { to, name: name.clone(), value: value.clone(), from: None };
                    self.tell(event);
                }
            }
            DirectorCommand::Form { group, formation, params } => {
                if let Some(index) = self.named_group(&group) {
                    self.form(index, &formation, params, None, "script");
                }
            }
            DirectorCommand::March { group, speed, turn } => {
                if let Some(index) = self.named_group(&group) {
                    self.march(index, March { speed, turn, ..March::default() }, "script");
                }
            }
            DirectorCommand::Set { address, value } => {
                if let Err(problem) = self.set_value(&address, &value) {
                    self.problems.add(problem.tick(self.world.tick));
                }
            }
            DirectorCommand::Open(name) => self.switch_obstacle(&name, true),
            DirectorCommand::Close(name) => self.switch_obstacle(&name, false),
            DirectorCommand::Move { name, to } => {
                if let Some(id) = self.world.obstacles.by_name(&name) {
                    self.apply_sim(SimCommand::MoveObstacle(id, to));
                } else {
                    self.no_obstacle(&name);
                }
            }
            DirectorCommand::Place { name, kind, values, points } => match shape_of(&kind, &values, points) {
                Ok(shape) => match self.world.obstacles.by_name(&name) {
                    Some(id) => drop(self.apply_sim(SimCommand::ReplaceObstacle(id, shape))),
                    None => drop(self.apply_sim(SimCommand::AddObstacle(name, shape))),
                },
                Err(text) => {
                    let problem = Problem::error("bad-obstacle", format!("world:place(\"{name}\"): {text}"));
                    self.problems.add(problem.tick(self.world.tick));
                }
            },
        }
    }

    fn is_obstacle_only(&self, name: &str) -> bool {
        !self.world.groups.iter().any(|group| group.name == name) && self.world.obstacles.by_name(name).is_some()
    }

    fn named_group(&mut self, name: &str) -> Option<usize> {
        let index = self.world.groups.iter().position(|group| group.name == name);
        if index.is_none() {
            let known = self.world.groups.iter().map(|group| group.name.as_str());
            let problem = Problem::error("unknown-group", format!("there is no group `{name}`"));
            let hint = crate::scene::suggestion(name, known);
            self.problems.add(problem.maybe_hint(hint).tick(self.world.tick));
        }
        index
    }

    fn whom(&mut self, whom: &Whom) -> Vec<crate::sim::AgentId> {
        match whom {
            Whom::Agent(id) => vec![*id],
            Whom::Group(name) => self.named_group(name).map_or_else(Vec::new, |index| {
                self.world.groups[index].members.iter().map(|slot| self.world.agents.id(*slot)).collect()
            }),
        }
    }

    fn switch_obstacle(&mut self, name: &str, open: bool) {
        if !self.switch(name, open) {
            self.no_obstacle(name);
        }
    }

    fn no_obstacle(&mut self, name: &str) {
        let obstacles = self.world.obstacles.iter().map(|obstacle| obstacle.name.as_str());
        let stops = self.flowing.flow.stops().iter().map(|stop| stop.spec.name.as_str());
        let sources = self.flowing.flow.sources().iter().map(|source| source.spec.name.as_str());
        let known: Vec<&str> = obstacles.chain(stops).chain(sources).collect();
        let hint = crate::scene::suggestion(name, known);
        let problem = Problem::error("unknown-obstacle", format!("there is no obstacle `{name}`")).maybe_hint(hint);
        self.problems.add(problem.tick(self.world.tick));
    }

    /// A button of a director.
    pub(super) fn press(&mut self, director: &str, name: &str) {
        self.scripts.press(director, name, None);
    }

    /// Takes what scripts left: problems, log lines.
    pub(super) fn hear_scripts(&mut self) {
        let leavings = self.scripts.drain();
        for problem in leavings.problems {
            self.faulted |= problem.severity == Severity::Error;
            self.problems.add(problem);
        }
        let tick = self.world.tick.saturating_sub(1);
        for warning in self.passing.take(&self.world, tick, &leavings.passages) {
            self.problems.add(warning);
        }
        self.faulted |= leavings.faults > 0;
        self.clock_stopped |= !leavings.stops.is_empty();
        for note in leavings.log {
            let text = if note.place.is_empty() { note.text } else { format!("{}: {}", note.place, note.text) };
            self.log.info(self.world.time(), "script", text);
        }
    }

    /// Another scene takes this one's place; on failure all stays as it is.
    pub(super) fn reopened(&mut self, path: &Path, options: Options) -> Result<(), OpenError> {
        let epoch = self.epoch;
        let mut next = Self::open(path, options)?;
        next.epoch = epoch + 1;
        std::mem::swap(&mut next.log, &mut self.log);
        *self = next;
        Ok(())
    }

    /// The run goes on after its end, for as long again.
    pub fn extend(&mut self) {
        let more = self.scene.last_tick().max(1);
        self.options.ticks = Some(self.world.tick + more);
    }
}

/// A value that stays where it still fits, and is clamped into a narrower range.
fn fitted(value: &Value, spec: &crate::steer::param::ParamSpec) -> Value {
    if let Value::Number(number) = value {
        let low = spec.min.unwrap_or(f64::NEG_INFINITY);
        let high = spec.max.unwrap_or(f64::INFINITY);
        return Value::Number(number.clamp(low, high.max(low)));
    }
    if spec.refusal(value).is_some() { spec.default.clone() } else { value.clone() }
}

fn shape_of(kind: &str, values: &[(String, Value)], points: Vec<glam::DVec3>) -> Result<Shape, String> {
    let get = |name: &str| values.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let vector = |name: &str| match get(name) {
        Some(Value::Vector(vector)) => Ok(vector),
        _ => Err(format!("a {kind} needs `{name} = vector.create(x, y)`")),
    };
    let number = |name: &str| match get(name) {
        Some(Value::Number(number)) => Ok(number),
        _ => Err(format!("a {kind} needs the number `{name}`")),
    };
    match kind {
        "disc" => Ok(Shape::Disc { at: vector("at")?, radius: number("radius")? }),
        "sphere" => Ok(Shape::Sphere { at: vector("at")?, radius: number("radius")? }),
        "box" => Ok(Shape::Box { min: vector("min")?, max: vector("max")? }),
        "wall" => Ok(Shape::Wall { from: vector("from")?, to: vector("to")? }),
        "polyline" => Ok(Shape::Polyline { points }),
        "polygon" => Ok(Shape::Polygon { points, holes: Vec::new() }),
        other => Err(format!("there is no obstacle kind `{other}`; disc, sphere, box, wall, polyline or polygon")),
    }
}
