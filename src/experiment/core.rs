//! The running experiment: world, minds, formations, schedule, measures and problems behind one door.
//!
//! Window and command line share it; it never looks at the wall clock except through its stopwatch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::machine::program::Program;
use crate::scene::build::SceneGroup;
use crate::scene::problem::Problem;
use crate::scene::{Address, Loaded, Scene, SceneFile, SetValue};
use crate::sim::tick::{TickScratch, perform_with};
use crate::sim::{
    Event, Group, GroupId, SimCommand, Stage, Stopwatch as _, TickReport, Value, Workers, World, WorldSettings,
};

use super::apart::AssignmentRun;
use super::clock::StageClock;
use super::counting::Counting;
use super::edits::History;
use super::flowing::Flowing;
use super::forming::Forming;
use super::leading::Lead;
use super::log::Log;
use super::measuring::Measuring;
use super::mind::{GroupMind, Still};
use super::options::{OpenError, Options};
use super::passing::Passing;
use super::posting::Posting;
use super::problems::Problems;
use super::progress::{Change, Progress, Telling};
use super::scripts::Scripts;
use super::trailing::Stand;

/// How near an agent's own goal counts as reached, m, where its body is smaller than that.
const REACHED_M: f64 = 0.3;

/// What the experiment keeps of a group beside the world's columns.
#[derive(Debug)]
pub struct GroupState {
    /// Name of its behavior; none stands still.
    pub behavior: Option<String>,
    /// What its mind runs.
    pub program: Arc<Program>,
    /// Values of the program's sliders, in their order.
    pub values: Vec<Value>,
    /// Sliders that the scene or `--set` gave a value, by address.
    pub scene_values: BTreeMap<String, Value>,
    /// Sliders of forces that are switched off: address of the weight and the weight to come back to.
    pub off: BTreeMap<String, Value>,
    /// Values for the parameters of every formation of the group, from the scene or `--set`.
    pub formation_values: BTreeMap<String, Value>,
    /// The formation that was ordered last.
    pub forming: Option<Forming>,
    /// Orders before it that somebody still follows, because the last one has not reached him.
    pub earlier: Vec<Forming>,
    /// The order that each agent heard last, where a network carries orders.
    pub heard: BTreeMap<crate::sim::AgentId, u64>,
    /// Orders so far: the number of the last one.
    pub orders: u64,
    /// What the last one came to.
    pub assignment: Option<Arc<AssignmentRun>>,
    /// How often places were given out anew without an order, and how often they were not, though it was looked.
    pub reassigned: (u64, u64),
    /// How its first agent is led by hand.
    pub led: Option<Lead>,
}

/// The running experiment.
pub struct Experiment {
    pub(super) options: Options,
    pub(super) project: PathBuf,
    pub(super) path: PathBuf,
    pub(super) shown: String,
    /// The scene file as loaded.
    pub(super) loaded: Loaded,
    /// The scene file with the edits of this session.
    pub(super) doc: SceneFile,
    /// What the user set in this session, by whole address.
    pub(super) user: BTreeMap<String, Value>,
    pub(super) scene: Scene,
    pub(super) scripts: Scripts,
    pub(super) world: Arc<World>,
    pub(super) minds: Vec<Box<dyn GroupMind>>,
    pub(super) groups: Vec<GroupState>,
    pub(super) obstacle_ids: Vec<crate::sim::obstacle::ObstacleId>,
    pub(super) next_line: usize,
    pub(super) workers: Workers,
    pub(super) scratch: TickScratch,
    pub(super) report: TickReport,
    pub(super) clock: StageClock,
    pub(super) measuring: Measuring,
    pub(super) passing: Passing,
    pub(super) posting: Posting,
    pub(super) counting: Counting,
    /// Finds and follows paths, where the scene has navigation.
    pub(super) navigator: Option<crate::navigate::Navigator>,
    pub(super) path_news: Vec<crate::navigate::News>,
    pub(super) flowing: Flowing,
    pub(super) progress: Progress,
    /// Replays and ghosts.
    pub(super) tapes: super::tapes::Tapes,
    /// Trajectory files that grow with the run.
    pub(super) exports: super::exporting::Exports,
    turns: Vec<Change>,
    /// Somebody was told that the scene file changed on disk, and saves all the same.
    pub(super) overwrites: bool,
    pub(super) problems: Problems,
    pub(super) log: Log,
    pub(super) history: History,
    pub(super) inspected: Option<crate::sim::AgentId>,
    /// What the debug layer wants to see.
    pub(super) watch: super::frame::Watch,
    pub(super) epoch: u64,
    /// Grows with every change of a value or of code.
    pub(super) changes: u64,
    pub(super) faulted: bool,
    /// Whether a time or memory stop makes a second run differ.
    pub(super) clock_stopped: bool,
    pub(super) reloads: Vec<super::scripts::Reload>,
    pub(super) digests: Vec<u64>,
    pub(super) digest_rows: Vec<u64>,
}

impl std::fmt::Debug for Experiment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Experiment").field("path", &self.path).field("tick", &self.world.tick).finish_non_exhaustive()
    }
}

impl Experiment {
    /// Opens a scene with the scripts of its project.
    ///
    /// # Errors
    /// All problems of the files, or of what `--set` asks for.
    pub fn open(scene_path: &Path, options: Options) -> Result<Self, OpenError> {
        let project = options.project.clone().unwrap_or_else(|| project_of(scene_path));
        if !project.is_dir() {
            let message = format!("the project {}: there is no such folder", project.display());
            return Err(OpenError::Files(vec![Problem::error("no-project", message)]));
        }
        let shown = super::shown_path(&project, scene_path);
        let (loaded, scene_path) = super::tapes::read_scene(scene_path, &shown).map_err(OpenError::Files)?;
        let (scripts, problems) = Scripts::load(&project, options.watch);
        let sets = parse_sets(&options.sets)?;
        let mut doc = loaded.scene.clone();
        // Before anything is drawn by lot: places and spreads come from the seed too.
        doc.seed = options.seed.unwrap_or(doc.seed);
        for (address, value) in &sets {
            doc.assign(address, value.clone()).map_err(|problem| OpenError::Usage(vec![problem]))?;
        }
        let built = Scene::build(&Loaded { scene: doc.clone(), ..loaded.clone() }, scripts.library());
        let scene = match built {
            Ok(scene) => scene,
            Err(mut found) => {
                // What the file alone gets right is the fault of `--set`.
                let usage = !sets.is_empty() && Scene::build(&loaded, scripts.library()).is_ok();
                found.extend(problems);
                return Err(if usage { OpenError::Usage(found) } else { OpenError::Files(found) });
            }
        };
        let mut experiment = Self {
            project,
            path: scene_path,
            shown,
            doc,
            loaded,
            user: BTreeMap::new(),
            world: Arc::new(World::new(WorldSettings::default())),
            minds: Vec::new(),
            groups: Vec::new(),
            obstacle_ids: Vec::new(),
            next_line: 0,
            workers: Workers::new(options.threads),
            scratch: TickScratch::default(),
            report: TickReport::default(),
            clock: StageClock::default(),
            measuring: Measuring::default(),
            passing: Passing::default(),
            posting: Posting::default(),
            counting: Counting::default(),
            navigator: None,
            path_news: Vec::new(),
            flowing: Flowing::default(),
            progress: Progress::default(),
            tapes: super::tapes::Tapes::default(),
            exports: super::exporting::Exports::default(),
            turns: Vec::new(),
            overwrites: false,
            problems: Problems::default(),
            log: Log::default(),
            history: History::default(),
            inspected: None,
            watch: super::frame::Watch::default(),
            epoch: 0,
            changes: 0,
            faulted: false,
            clock_stopped: false,
            reloads: Vec::new(),
            digests: Vec::new(),
            digest_rows: Vec::new(),
            scene,
            scripts,
            options,
        };
        for problem in problems {
            experiment.problems.add(problem);
        }
        let scene = experiment.scene.clone();
        experiment.load_tapes(&scene).map_err(OpenError::Files)?;
        experiment.start();
        Ok(experiment)
    }

    /// Makes the world of the scene at tick 0.
    pub(super) fn start(&mut self) {
        self.finish_exports();
        let seed = self.options.seed.unwrap_or(self.scene.seed);
        let planar = is_planar(&self.scene);
        let settings = WorldSettings {
            seed,
            tick_hz: self.scene.tick_hz,
            integrator: self.scene.integrator,
            space: self.scene.space,
            planar,
        };
        let mut world = World::new(settings);
        self.obstacle_ids.clear();
        for obstacle in &self.scene.obstacles {
            // The scene was built with shapes that the core accepts, so this cannot fail.
            if let Ok(id) = world.obstacles.insert(&obstacle.name, obstacle.shape.clone()) {
                drop(world.obstacles.set_open(id, obstacle.open));
                self.obstacle_ids.push(id);
            }
        }
        for group in &self.scene.groups {
            add_group(&mut world, group);
        }
        self.world = Arc::new(world);
        self.groups.clear();
        self.minds.clear();
        self.scripts.start(&self.scene);
        for index in 0..self.scene.groups.len() {
            self.start_group(index);
        }
        self.next_line = 0;
        self.inspected = None;
        self.epoch += 1;
        self.faulted = false;
        self.clock_stopped = false;
        self.measuring = Measuring::new(&self.scene, &self.world, self.options.live);
        self.want_watched();
        self.passing = Passing::new(self.groups.iter().map(|group| &group.program));
        self.posting = Posting::new(&self.scene, Arc::make_mut(&mut self.world), seed);
        self.counting = Counting::new(self.groups.len());
        self.progress = Progress::new(self.groups.len());
        self.navigator = self.scene.navigation.clone().map(crate::navigate::Navigator::new);
        self.flowing = Flowing::new(&self.scene, Arc::make_mut(&mut self.world));
        for warning in self.scene.warnings.iter().chain(&self.tapes.warnings).cloned().collect::<Vec<_>>() {
            self.problems.add(warning);
        }
        self.tapes.start(&self.world);
        self.play_tapes();
        for index in 0..self.scene.groups.len() {
            let group = &self.scene.groups[index];
            if let Some(formation) = group.formation.clone() {
                let stand = stand_of(&group.pose);
                self.form(index, &formation, Vec::new(), Some(stand), "start");
            }
        }
        crate::sim::tick::sense(Arc::make_mut(&mut self.world));
        self.measure();
        self.clock.reset();
    }

    fn start_group(&mut self, index: usize) {
        let group = &self.scene.groups[index];
        let program = group.behavior.as_ref().and_then(|name| self.scripts.library().programs.get(name)).cloned();
        let program = program.unwrap_or_else(super::library::still_program);
        let mut values = program.defaults();
        let mut scene_values = BTreeMap::new();
        for (address, value) in &group.set {
            if let Some(slider) = program.slider(address) {
                values[slider] = value.clone();
                scene_values.insert(address.clone(), value.clone());
            }
        }
        let name = group.name.clone();
        let mind: Box<dyn GroupMind> = match &group.behavior {
            Some(_) => self.scripts.mind(&program, GroupId(index as u16), &name, values.clone()),
            None => Box::new(Still::new(Arc::clone(&program))),
        };
        let group = &self.scene.groups[index];
        self.minds.push(mind);
        self.groups.push(GroupState {
            behavior: group.behavior.clone(),
            program,
            values,
            scene_values,
            off: BTreeMap::new(),
            formation_values: group.formation_set.iter().cloned().collect(),
            forming: None,
            earlier: Vec::new(),
            heard: BTreeMap::new(),
            orders: 0,
            assignment: None,
            reassigned: (0, 0),
            led: None,
        });
    }

    /// Makes one tick: commands → sense → decide → avoid → act → measure.
    pub fn tick(&mut self) {
        self.clock.start();
        let tick = self.world.tick;
        {
            let mut post = Vec::new();
            let world = Arc::make_mut(&mut self.world);
            let nowhere = perform_with(world, &mut self.report.acts, |_, event| post.push(event));
            for event in post {
                // A message to an agent that is gone is lost, as it would be in the field.
                if self.world.agents.find(event.to).is_some() {
                    self.tell(event);
                }
            }
            for group in nowhere {
                self.log.warning(
                    self.world.time(),
                    "script",
                    format!("a message to the group `{group}`, which the scene lacks"),
                );
            }
        }
        self.run_schedule(tick);
        self.run_directors();
        self.reassign_formations();
        self.lead_on();
        self.flow_in();
        self.deliver();
        self.navigate();
        self.flowing.flow.remember(&self.world);
        self.fit_cells();
        self.clock.lap(Stage::Commands);
        crate::sim::tick::tick(
            &mut self.world,
            &mut self.minds,
            &self.workers,
            &mut self.scratch,
            &mut self.report,
            &mut self.clock,
        );
        self.play_tapes();
        self.after_act(tick);
        self.passing.watch(&self.world, &self.scratch.intents);
        self.counting.watch(&self.world, &self.scratch.intents);
        self.watch_progress();
        self.measure();
        self.write_frames();
        self.clock.lap(Stage::Measure);
    }

    /// Quarantine, agents that left, faults of scripts.
    fn after_act(&mut self, tick: u64) {
        let quarantined = std::mem::take(&mut self.report.quarantined);
        for fault in &quarantined {
            let slot = fault.agent.slot as usize;
            let group = self.world.group_of(slot).name.clone();
            let behavior = self.groups[self.world.agents.group[slot].index()].behavior.clone().unwrap_or_default();
            let message = format!(
                "agent {} of `{group}` is in quarantine: {} of `{behavior}`: {}",
                fault.agent, fault.source, fault.message
            );
            let problem = Problem::error("quarantine", message)
                .group(group)
                .callback(fault.source.clone())
                .agent(fault.agent.number())
                .tick(tick)
                .hint("the others act on; a force that divides by a distance of 0 does that, or a number of its memory that is none");
            self.problems.add(problem);
            self.faulted = true;
        }
        self.report.quarantined = quarantined;
        let left = !self.report.left.is_empty();
        let world = Arc::make_mut(&mut self.world);
        crate::sim::tick::arrivals(world, REACHED_M);
        self.flow_out();
        if left {
            self.refit_formations();
        }
        self.hear_scripts();
        self.move_formations();
    }

    /// Who came no nearer to its goal, and who did again, hears of it in the next tick; the log says so once per group and tick.
    fn watch_progress(&mut self) {
        let mut turns = std::mem::take(&mut self.turns);
        self.progress.watch(&self.world, &self.groups, &self.scratch.intents, &mut turns);
        for turn in &turns {
            let name = if turn.stuck { "stuck" } else { "freed" }.to_owned();
            let event = Event { to: turn.agent, name, value: Some(Value::Number(turn.secs)), from: None };
            self.apply_sim(SimCommand::Tell(event));
        }
        for group in 0..self.groups.len() {
            if turns.iter().all(|turn| turn.group != group) {
                continue;
            }
            match self.progress.tells(group, self.world.time()) {
                Some(Telling::Each) => {}
                Some(Telling::Sum) => {
                    let (run, name) = (self.progress.of(group).unwrap_or_default(), &self.world.groups[group].name);
                    let text = format!(
                        "{} of `{name}` come no nearer to their goals now; {} times so far",
                        run.now, run.stuck
                    );
                    self.log.info(self.world.time(), "watchdog", text);
                    continue;
                }
                None => continue,
            }
            for (stuck, words) in [(true, "comes no nearer to its goal"), (false, "gets on again")] {
                let mut of_group = turns.iter().filter(|turn| turn.group == group && turn.stuck == stuck);
                let Some(first) = of_group.next() else { continue };
                let others = match of_group.count() {
                    0 => String::new(),
                    others => format!(", and {others} more"),
                };
                let name = &self.world.groups[group].name;
                let text = format!("agent {} of `{name}` {words}{others}", first.agent);
                self.log.info(self.world.time(), "watchdog", text);
            }
        }
        self.turns = turns;
    }

    /// Neighbor cells as large as the radius that the most agents look around.
    fn fit_cells(&mut self) {
        let reach = self
            .minds
            .iter()
            .zip(&self.world.groups)
            .map(|(mind, group)| (group.members.len(), GroupMind::reach(mind.as_ref())));
        let (_, side) = reach.filter(|(_, reach)| *reach > 0.0).max_by_key(|(count, _)| *count).unwrap_or((0, 2.0));
        if side != self.world.cell_side {
            Arc::make_mut(&mut self.world).cell_side = side;
        }
    }

    /// Applies a command of the core; a refusal becomes a problem.
    pub(super) fn apply_sim(&mut self, command: SimCommand) -> Option<crate::sim::command::Applied> {
        match Arc::make_mut(&mut self.world).apply(command) {
            Ok(applied) => Some(applied),
            Err(error) => {
                self.problems.add(Problem::error("refused", error.to_string()).tick(self.world.tick));
                None
            }
        }
    }

    /// Adds agents to a group, overlap-free in a disc; fewer where there is no room.
    pub(super) fn spawn_in_disc(
        &mut self,
        group: usize,
        count: u32,
        at: glam::DVec3,
        radius: f64,
    ) -> Vec<crate::sim::AgentId> {
        let places = super::spawning::places(&self.world, group, count as usize, at, radius);
        if places.len() < count as usize {
            let name = self.world.groups[group].name.clone();
            let message = format!("only {} of {count} new agents of `{name}` find room", places.len());
            let problem = Problem::warning("no-room", message)
                .group(name)
                .tick(self.world.tick)
                .hint("a larger radius, or fewer agents");
            self.problems.add(problem);
        }
        self.spawn_at(group, places, glam::DVec3::ZERO)
    }

    /// Adds agents to a group at free places, all with one velocity (m/s).
    pub(super) fn spawn_at(
        &mut self,
        group: usize,
        places: Vec<glam::DVec3>,
        velocity: glam::DVec3,
    ) -> Vec<crate::sim::AgentId> {
        let heading = libm::atan2(velocity.y, velocity.x);
        let mut ids = Vec::with_capacity(places.len());
        for position in places {
            let command = SimCommand::Spawn { group: GroupId(group as u16), position, heading, velocity };
            if let Some(crate::sim::command::Applied::Agent(id)) = self.apply_sim(command) {
                ids.push(id);
            }
        }
        self.refit_formation(group);
        ids
    }

    /// Takes agents out of the world and closes the ranks of their formations.
    pub(super) fn remove_agents(&mut self, ids: &[crate::sim::AgentId]) {
        for id in ids {
            self.apply_sim(SimCommand::Remove(*id));
        }
        self.refit_formations();
    }

    fn measure(&mut self) {
        self.measuring.note(self.flowing.metrics(&self.world));
        self.measure_ghosts();
        for (group, measure) in self.measuring.groups.iter_mut().enumerate() {
            measure.switching = self.passing.rate(&self.world, group);
        }
        let intents = &self.scratch.intents;
        self.measuring.tick(&self.scene, &self.world, &self.groups, &self.posting, intents, &mut self.scripts);
    }
}

/// Where a scene puts a formation.
pub(super) fn stand_of(pose: &crate::scene::build::ScenePose) -> Stand {
    Stand { pose: crate::formation::Pose { at: pose.at, turn: pose.turn }, frame: pose.frame }
}

fn add_group(world: &mut World, scene: &SceneGroup) {
    let id = GroupId(world.groups.len() as u16);
    let mut group = Group::new(id, scene.name.clone(), scene.body.clone());
    group.route.clone_from(&scene.route);
    group.goal = scene.goal;
    group.leader = scene.leader.map(|leader| GroupId(leader as u16));
    group.sensor_noise = scene.sensor_noise;
    group.max_neighbors = scene.max_neighbors.map(|max| max as usize);
    group.update = scene.update;
    group.network_delay = scene.network.as_ref().map_or(0.0, |network| network.delay);
    let id = world.add_group(group);
    for birth in &scene.births {
        let spawn =
            SimCommand::Spawn { group: id, position: birth.position, heading: birth.heading, velocity: birth.velocity };
        // The scene was built with numbers that the core accepts.
        drop(world.apply(spawn));
    }
    for (index, field, value) in &scene.own_bodies {
        let Some(slot) = world.groups[id.index()].members.get(*index) else { continue };
        let agent = world.agents.id(*slot);
        // The scene was built with numbers that a body accepts.
        drop(world.apply(SimCommand::SetOwnBody(agent, *field, *value)));
    }
}

/// Whether all of a scene lies in the plane z = 0.
fn is_planar(scene: &Scene) -> bool {
    let flat = |p: glam::DVec3| p.z == 0.0;
    scene.space.area.is_none_or(|area| area.min.z == area.max.z)
        && scene.groups.iter().all(|group| {
            group.births.iter().all(|birth| flat(birth.position) && flat(birth.velocity))
                && group.route.iter().all(|point| flat(*point))
                && group.goal.is_none_or(flat)
                && flat(group.pose.at)
        })
        && scene.flows.stops.iter().all(|stop| flat(stop.middle()))
}

/// The folder above `scenes/` of the scene (above `plugins/` for the scene of a plugin), else the working folder.
fn project_of(scene: &Path) -> PathBuf {
    let mut folder = scene.parent();
    while let Some(at) = folder {
        if at.file_name().is_some_and(|name| name == "scenes") {
            let parent = at.parent().unwrap_or_else(|| Path::new(""));
            // The scene of a plugin belongs to the project that has the plugin.
            let plugins = parent.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "plugins"));
            let project = plugins.filter(|_| parent.join("plugin.ron").is_file()).and_then(Path::parent);
            let project = project.unwrap_or(parent);
            return if project.as_os_str().is_empty() { PathBuf::from(".") } else { project.to_path_buf() };
        }
        folder = at.parent();
    }
    PathBuf::from(".")
}

fn parse_sets(sets: &[(String, String)]) -> Result<Vec<(Address, SetValue)>, OpenError> {
    let mut problems = Vec::new();
    let mut parsed = Vec::new();
    for (address, value) in sets {
        match Address::parse(address) {
            // Text in quotes is no number.
            Ok(_) if value.trim().parse::<f64>().is_ok_and(|number| !number.is_finite()) => {
                let message = format!("{address}: `{}` is not a finite number", value.trim());
                problems.push(
                    Problem::error("not-finite", message).hint("give a number such as `0.5`; text stands in quotes"),
                );
            }
            Ok(address) => parsed.push((address, SetValue::parse(value))),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(parsed) } else { Err(OpenError::Usage(problems)) }
}
