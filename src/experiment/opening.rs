//! Opening a scene: its files, what `--set` changes of them, and the world at tick 0.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scene::build::SceneGroup;
use crate::scene::problem::Problem;
use crate::scene::{Address, Loaded, Scene, SetValue};
use crate::sim::tick::TickScratch;
use crate::sim::{Group, GroupId, SimCommand, TickReport, Workers, World, WorldSettings};

use super::clock::StageClock;
use super::core::{Experiment, GroupState};
use super::counting::Counting;
use super::edits::History;
use super::flowing::Flowing;
use super::log::Log;
use super::measuring::Measuring;
use super::mind::{GroupMind, Still};
use super::options::{OpenError, Options};
use super::passing::Passing;
use super::posting::Posting;
use super::problems::Problems;
use super::progress::Progress;
use super::scripts::Scripts;
use super::trailing::Stand;

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
