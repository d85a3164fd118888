//! The only door: what users, menus, schedules and tapes may do to an experiment.

use std::sync::Arc;

use glam::DVec3;

use crate::formation::Pose;
use crate::scene::decode::Spanned;
use crate::scene::file::{
    BoxFile, DiscFile, FormationUse, ObstacleFile, PointsRecord, PointsSpawn, PolygonFile, PolylineFile, PoseFile,
    SpawnFile, SphereFile, WallFile,
};
use crate::scene::problem::Problem;
use crate::scene::{Address, Loaded, Scene, SetValue};
use crate::sim::command::Applied;
use crate::sim::{AgentId, GroupId, SimCommand, Value};

use super::command::{Command, ObstacleShape, ObstacleSpec};
use super::core::Experiment;
use super::edits::{Edit, Op};
use super::forming::March;
use super::frame::AgentKey;
use super::params::from_param;

impl Experiment {
    /// Does a command. Transport (play, speed, step) is the runner's; here they do nothing. What is refused becomes a
    /// problem, and nothing changes.
    pub fn apply(&mut self, command: &Command) {
        match command {
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Reset => self.reset(false),
            Command::ResetKeepEdits => self.reset(true),
            Command::RestartWithNewCode => {
                self.reload_scripts();
                self.reset(true);
            }
            Command::LoadScene(path) => self.load_scene(path),
            Command::SaveScene(path) => self.save_scene(path.as_deref()),
            Command::ReloadScripts => self.reload_scripts(),
            Command::RollBack { file, version } => self.roll_back(file, *version),
            Command::Export { path, restart } => self.export_from_window(path, *restart),
            Command::FinishExport => self.finish_exports(),
            Command::AddGhost(path) => self.add_ghost(path),
            Command::Inspect(agent) => self.inspected = agent.map(id_of),
            Command::Watch(watch) => {
                self.watch.clone_from(watch);
                self.want_watched();
            }
            Command::WatchPlot(id) => self.measuring.watch(&self.world, id),
            Command::UnwatchPlot(id) => self.measuring.unwatch(id),
            Command::DismissProblem(id) => self.problems.dismiss(*id),
            Command::Form { group, formation, params } => {
                if let Some(index) = self.group(group) {
                    let params = params.iter().map(|(name, value)| (name.clone(), Value::Number(*value))).collect();
                    self.form(index, formation, params, None, "user");
                }
            }
            Command::March { group, speed, heading, turn } => {
                if let Some(index) = self.group(group) {
                    let march =
                        March { speed: speed.clamp(0.0, 100.0), heading: *heading, turn: *turn, ..March::default() };
                    self.march(index, march, "user");
                }
            }
            Command::Lead { group, lead } => {
                if let Some(index) = self.group(group) {
                    self.lead(index, *lead, "user");
                }
            }
            Command::SendEvent { group, name, value } => {
                if let Some(index) = self.group(group) {
                    self.tell_group(index, name, value.map(Value::Number).as_ref());
                }
            }
            Command::OpenFlow { name, open } => {
                self.switch(name, *open);
            }
            Command::PressButton { director, name } => self.press(director, name),
            Command::ShowDebug(on) => self.scripts.collect_drawings(*on),
            Command::Evaluate(line) => self.evaluate(line),
            Command::Play
            | Command::Pause
            | Command::TogglePlay
            | Command::Step(_)
            | Command::SetSpeed(_)
            | Command::Tune(_)
            | Command::CancelWork => {}
            edit => self.edit(edit),
        }
    }

    /// A console line: `ADDRESS = VALUE` sets, `ADDRESS` shows.
    fn evaluate(&mut self, line: &str) {
        let (address, value) = line.split_once('=').map_or((line, None), |(left, right)| (left, Some(right)));
        let address = address.trim();
        if let Some(value) = value {
            let value = super::params::to_param(&SetValue::parse(value.trim()).0);
            self.edit(&Command::SetParam { address: address.to_owned(), value });
        }
        if let Some(value) = self.value(address) {
            self.log.info(self.world.time(), "console", format!("{address} = {value}"));
        } else {
            let known = self.addresses();
            let problem = crate::scene::address::unknown_address(address, known.iter().map(String::as_str));
            self.log.warning(self.world.time(), "console", problem.to_string());
        }
    }

    fn group(&mut self, name: &str) -> Option<usize> {
        let found = self.world.groups.iter().position(|group| group.name == name);
        if found.is_none() {
            let known = self.world.groups.iter().map(|group| group.name.as_str());
            let hint = crate::scene::suggestion(name, known);
            let problem = Problem::error("unknown-group", format!("there is no group `{name}`")).maybe_hint(hint);
            self.problems.add(problem);
        }
        found
    }

    /// An edit of the scene: done, remembered for undo.
    fn edit(&mut self, command: &Command) {
        let last = match command {
            Command::MoveAgents { last, .. }
            | Command::MoveFormation { last, .. }
            | Command::MoveObstacle { last, .. } => *last,
            Command::SetParam { .. } => false,
            _ => true,
        };
        let Some(op) = self.op_of(command) else { return };
        self.changes += 1;
        match self.perform(op) {
            Ok(inverse) => self.history.add(command.label(), command.merge_key(), inverse, last),
            Err(problem) => self.problems.add(problem),
        }
    }

    fn op_of(&mut self, command: &Command) -> Option<Op> {
        Some(match command {
            Command::SetParam { address, value } => Op::Value(address.clone(), Some(from_param(value))),
            Command::SetParams { values, .. } => {
                Op::Values(values.iter().map(|(address, value)| (address.clone(), Some(from_param(value)))).collect())
            }
            Command::ResetParam(address) => Op::Value(address.clone(), None),
            Command::ResetAllParams => Op::Values(self.user.keys().map(|address| (address.clone(), None)).collect()),
            Command::EnableForce { address, on } => Op::Force(address.clone(), *on),
            Command::MoveAgents { agents, by, .. } => {
                let ids = agents.iter().map(|key| id_of(*key));
                let living = ids.filter_map(|id| self.world.agents.find(id).map(|slot| (id, slot)));
                Op::Move(living.map(|(id, slot)| (id, self.world.agents.position[slot] + *by)).collect())
            }
            Command::RemoveAgents(agents) => Op::Remove(agents.iter().map(|key| id_of(*key)).collect()),
            Command::SpawnAgents { group, at, count } => {
                let index = self.group(group)?;
                let body = self.world.groups[index].body.radius;
                let radius = if *count == 1 { 2.0 * body } else { 4.0 * body * f64::from(*count).sqrt() };
                let places = super::spawning::places(&self.world, index, *count as usize, *at, radius);
                Op::Spawn(places.into_iter().map(|place| (index, place, 0.0)).collect())
            }
            Command::MoveFormation { group, at, turn, .. } => {
                Op::Pose(self.group(group)?, Pose { at: *at, turn: crate::sim::wrap_angle(*turn) }, None)
            }
            Command::AddObstacle(spec) => Op::AddObstacle(self.doc.obstacles.len(), self.obstacle_file(spec)),
            Command::MoveObstacle { id, to, .. } => {
                let index = self.obstacle_index(*id)?;
                let file = &self.doc.obstacles[index].value;
                let shape = file.shape();
                Op::ReplaceObstacle(index, with_shape(file, &shape.shifted(*to - shape.anchor())))
            }
            Command::RemoveObstacle(id) => Op::RemoveObstacle(self.obstacle_index(*id)?),
            Command::OpenObstacle { id, open } => {
                let index = self.obstacle_index(*id)?;
                let mut file = self.doc.obstacles[index].value.clone();
                set_open(&mut file, *open);
                Op::ReplaceObstacle(index, file)
            }
            _ => return None,
        })
    }

    /// Does an operation on world and scene; yields what takes it back.
    fn perform(&mut self, op: Op) -> Result<Op, Problem> {
        match op {
            Op::Value(address, value) => self.perform_value(address, value),
            Op::Values(values) => {
                let mut inverse = Vec::new();
                for (address, value) in values {
                    match self.perform_value(address, value) {
                        Ok(Op::Value(address, before)) => inverse.push((address, before)),
                        Ok(_) => {}
                        Err(problem) => {
                            // All or nothing: what was done is taken back, which nothing refuses.
                            drop(self.perform(Op::Values(inverse)));
                            return Err(problem);
                        }
                    }
                }
                Ok(Op::Values(inverse))
            }
            Op::Force(address, on) => self.perform_force(address, on),
            Op::AddObstacle(index, file) => {
                let index = index.min(self.doc.obstacles.len());
                let added =
                    Arc::make_mut(&mut self.world).apply(SimCommand::AddObstacle(file.name().to_owned(), file.shape()));
                let Applied::Obstacle(id) = added.map_err(refused)? else {
                    return Err(Problem::error("refused", "the obstacle was not made"));
                };
                if file.open() {
                    self.apply_sim(SimCommand::OpenObstacle(id, true));
                }
                self.obstacle_ids.insert(index, id);
                self.doc.obstacles.insert(index, Spanned::new(file));
                Ok(Op::RemoveObstacle(index))
            }
            Op::RemoveObstacle(index) => {
                let Some(id) = self.obstacle_ids.get(index).copied() else {
                    return Err(Problem::error("refused", "there is no such obstacle any more"));
                };
                Arc::make_mut(&mut self.world).apply(SimCommand::RemoveObstacle(id)).map_err(refused)?;
                self.obstacle_ids.remove(index);
                let file = self.doc.obstacles.remove(index).value;
                Ok(Op::AddObstacle(index, file))
            }
            Op::ReplaceObstacle(index, file) => {
                let Some(id) = self.obstacle_ids.get(index).copied() else {
                    return Err(Problem::error("refused", "there is no such obstacle any more"));
                };
                let world = Arc::make_mut(&mut self.world);
                world.apply(SimCommand::ReplaceObstacle(id, file.shape())).map_err(refused)?;
                world.apply(SimCommand::OpenObstacle(id, file.open())).map_err(refused)?;
                let before = std::mem::replace(&mut self.doc.obstacles[index].value, file);
                Ok(Op::ReplaceObstacle(index, before))
            }
            Op::Pose(group, pose, start) => Ok(self.perform_pose(group, pose, start)),
            Op::Move(moves) => {
                let mut before = Vec::new();
                for (id, to) in moves {
                    let Some(slot) = self.world.agents.find(id) else { continue };
                    before.push((id, self.world.agents.position[slot]));
                    Arc::make_mut(&mut self.world).apply(SimCommand::Put(id, to)).map_err(refused)?;
                }
                self.keep_start();
                Ok(Op::Move(before))
            }
            Op::Spawn(births) => {
                let mut ids = Vec::new();
                for (group, position, heading) in births {
                    let group = GroupId(group as u16);
                    let spawn = SimCommand::Spawn { group, position, heading, velocity: DVec3::ZERO };
                    if let Some(Applied::Agent(id)) = self.apply_sim(spawn) {
                        ids.push(id);
                    }
                }
                self.refit_formations();
                self.keep_start();
                Ok(Op::Remove(ids))
            }
            Op::Remove(ids) => {
                let agents = &self.world.agents;
                let births = ids
                    .iter()
                    .filter_map(|id| agents.find(*id))
                    .map(|slot| (agents.group[slot].index(), agents.position[slot], agents.heading[slot]));
                let births = births.collect();
                self.remove_agents(&ids);
                self.keep_start();
                Ok(Op::Spawn(births))
            }
        }
    }

    fn perform_value(&mut self, address: String, value: Option<Value>) -> Result<Op, Problem> {
        let before = self.user.get(&address).cloned();
        if let Some(value) = value {
            self.assign_value(&address, &super::params::to_param(&value))?;
        } else {
            self.user.remove(&address);
            if address.contains(".formation.") {
                self.forget_formation_value(&address);
            } else if let Some(value) = self.value_without_user(&address) {
                self.set_value(&address, &value)?;
            }
        }
        Ok(Op::Value(address, before))
    }

    /// Switches a force by its weight; the weight comes back when it is switched on.
    fn perform_force(&mut self, address: String, on: bool) -> Result<Op, Problem> {
        let Some((group, below)) = address.split_once('.') else {
            return Err(Problem::error("unknown-address", format!("`{address}` names no force")));
        };
        let index = self.group(group).ok_or_else(|| Problem::error("unknown-group", format!("no group `{group}`")))?;
        let weight = format!("{below}.weight");
        let state = &mut self.groups[index];
        let Some(slider) = state.program.slider(&weight) else {
            let message = format!("the weight of `{address}` follows the script and cannot be switched here");
            return Err(Problem::error("bound-weight", message));
        };
        let value = if on {
            state.off.remove(&weight).unwrap_or_else(|| state.program.sliders[slider].spec.default.clone())
        } else {
            let before = state.values[slider].clone();
            state.off.insert(weight, before);
            Value::Number(0.0)
        };
        state.values[slider] = value.clone();
        self.minds[index].set(slider, &value);
        Ok(Op::Force(address, !on))
    }

    /// Puts a formation elsewhere. In the scene that is where its start stands, unless it has walked from there since; `start` is
    /// what the scene is to say where an undo knows it.
    fn perform_pose(&mut self, group: usize, pose: Pose, start: Option<FormationUse>) -> Op {
        let before = self.groups[group].forming.as_ref().map(|forming| forming.order.pose);
        let walked =
            self.groups[group].forming.as_ref().is_some_and(|forming| forming.walked || forming.trail.is_some());
        if let Some(forming) = &mut self.groups[group].forming {
            forming.order.pose = pose;
            if let Some(trail) = &mut forming.trail {
                trail.put(pose, &self.world, group);
            }
        }
        self.write_places(group);
        let largest = self.largest_gap(group);
        self.measuring.dragged(group, &self.world, "move", largest);
        let held = self.groups[group].forming.as_ref().map(|forming| forming.order.name.clone());
        let file = self.doc.groups.get_mut(group).map(|group| &mut group.value.formation);
        let started_with = file.as_ref().and_then(|formation| (**formation).clone());
        if let (Some(file), Some(first), Some(held)) = (file, started_with.clone(), held)
            && first.name.value == held
        {
            let pose = PoseFile { at: pose.at, turn_deg: pose.turn.to_degrees(), ..PoseFile::default() };
            let dragged = if walked { first.clone() } else { FormationUse { pose, ..first } };
            *file = Some(start.unwrap_or(dragged));
        }
        Op::Pose(group, before.unwrap_or(pose), started_with)
    }

    /// At tick 0 the scene's start is what one sees: agents moved, added or removed then belong to the scene.
    fn keep_start(&mut self) {
        if self.world.tick > 0 {
            return;
        }
        for (index, group) in self.world.groups.iter().enumerate() {
            let positions = group.members.iter().map(|slot| self.world.agents.position[*slot as usize]);
            let now: Vec<DVec3> = positions.collect();
            let same = now.len() == self.scene.groups[index].births.len()
                && now.iter().zip(&self.scene.groups[index].births).all(|(now, birth)| *now == birth.position);
            if same {
                continue;
            }
            if let Some(file) = self.doc.groups.get_mut(index) {
                let common = file.value.spawn.as_ref().map(|spawn| spawn.value.common());
                let points = now.into_iter().map(Spanned::new).collect();
                let mut record = PointsRecord { points, ..PointsRecord::default() };
                if let Some(common) = common {
                    (record.heading_deg, record.speed) = (common.heading_deg, common.speed);
                }
                file.value.count = None;
                file.value.spawn = Some(Spanned::new(SpawnFile::Points(PointsSpawn(record))));
            }
        }
    }

    fn undo(&mut self) {
        if let Some(edit) = self.history.pop_undo() {
            let again = self.replay(edit);
            self.history.push_redo(again);
        }
    }

    fn redo(&mut self) {
        if let Some(edit) = self.history.pop_redo() {
            let back = self.replay(edit);
            self.history.push_undo(back);
        }
    }

    fn replay(&mut self, edit: Edit) -> Edit {
        self.changes += 1;
        let mut inverse = Vec::new();
        for op in edit.inverse {
            match self.perform(op) {
                Ok(back) => inverse.push(back),
                Err(problem) => self.problems.add(problem),
            }
        }
        inverse.reverse();
        Edit { inverse, ..edit }
    }

    fn obstacle_index(&self, id: u64) -> Option<usize> {
        self.obstacle_ids.iter().position(|known| key_of(*known) == id)
    }

    fn obstacle_file(&self, spec: &ObstacleSpec) -> ObstacleFile {
        let name =
            if spec.name.is_empty() { self.world.obstacles.free_name(spec.shape.noun()) } else { spec.name.clone() };
        let open = false;
        match &spec.shape {
            ObstacleShape::Disc { at, radius } => ObstacleFile::Disc(DiscFile { name, at: *at, radius: *radius, open }),
            ObstacleShape::Sphere { at, radius } => {
                ObstacleFile::Sphere(SphereFile { name, at: *at, radius: *radius, open })
            }
            ObstacleShape::Box { min, max } => ObstacleFile::Box(BoxFile { name, min: *min, max: *max, open }),
            ObstacleShape::Wall { from, to } => ObstacleFile::Wall(WallFile { name, from: *from, to: *to, open }),
            ObstacleShape::Polyline(points) => {
                ObstacleFile::Polyline(PolylineFile { name, points: points.clone(), open })
            }
            ObstacleShape::Polygon(points) => {
                ObstacleFile::Polygon(PolygonFile { name, points: points.clone(), holes: Vec::new(), open })
            }
        }
    }

    /// Back to tick 0: the scene file as loaded, or with the edits of this session.
    pub fn reset(&mut self, keep_edits: bool) {
        if !keep_edits {
            self.doc = self.loaded.scene.clone();
            self.user.clear();
            self.history.clear();
        }
        self.restart();
    }

    /// Builds the scene of the edited file anew and starts it. A scene that no longer builds leaves all as it is.
    pub(super) fn restart(&mut self) {
        let mut doc = self.doc.clone();
        for (address, value) in &self.options.sets {
            if let Ok(address) = Address::parse(address) {
                drop(doc.assign(&address, SetValue::parse(value)));
            }
        }
        let source = Loaded { scene: doc, ..self.loaded.clone() };
        match Scene::build(&source, self.scripts.library()) {
            Ok(scene) => {
                if let Err(problems) = self.load_tapes(&scene) {
                    for problem in problems {
                        self.problems.add(problem);
                    }
                    return;
                }
                self.scene = scene;
                self.problems.clear(|problem| problem.tick.is_some());
                self.start();
                let user: Vec<_> = self.user.clone().into_iter().collect();
                for (address, value) in user {
                    if let Err(problem) = self.set_value(&address, &value) {
                        self.problems.add(problem);
                    }
                }
            }
            Err(problems) => {
                for problem in problems {
                    self.problems.add(problem);
                }
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "stands in map_err")]
fn refused(error: crate::sim::SimError) -> Problem {
    Problem::error("refused", error.to_string())
}

/// The agent of a key.
pub fn id_of(key: AgentKey) -> AgentId {
    AgentId { slot: key.slot(), generation: key.generation() }
}

/// The number by which front ends name an obstacle.
pub fn key_of(id: crate::sim::obstacle::ObstacleId) -> u64 {
    u64::from(id.slot) << 32 | u64::from(id.generation)
}

fn set_open(file: &mut ObstacleFile, to: bool) {
    match file {
        ObstacleFile::Disc(file) => file.open = to,
        ObstacleFile::Sphere(file) => file.open = to,
        ObstacleFile::Box(file) => file.open = to,
        ObstacleFile::Wall(file) => file.open = to,
        ObstacleFile::Polyline(file) => file.open = to,
        ObstacleFile::Polygon(file) => file.open = to,
    }
}

/// The same obstacle with another shape of its kind.
fn with_shape(file: &ObstacleFile, shape: &crate::sim::obstacle::Shape) -> ObstacleFile {
    use crate::sim::obstacle::Shape;
    let mut file = file.clone();
    match (&mut file, shape) {
        (ObstacleFile::Disc(file), Shape::Disc { at, radius }) => (file.at, file.radius) = (*at, *radius),
        (ObstacleFile::Sphere(file), Shape::Sphere { at, radius }) => (file.at, file.radius) = (*at, *radius),
        (ObstacleFile::Box(file), Shape::Box { min, max }) => (file.min, file.max) = (*min, *max),
        (ObstacleFile::Wall(file), Shape::Wall { from, to }) => (file.from, file.to) = (*from, *to),
        (ObstacleFile::Polyline(file), Shape::Polyline { points }) => file.points.clone_from(points),
        (ObstacleFile::Polygon(file), Shape::Polygon { points, holes }) => {
            file.points.clone_from(points);
            file.holes.clone_from(holes);
        }
        _ => {}
    }
    file
}
