//! Tapes in a run: replays whose agents follow a file, and ghosts beside the run with the distance to them.
//!
//! Where an agent of a tape is depends on the tick alone, so a run that goes back to a tick finds everybody there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::record::{self, Format, Pose, Tape, track_id};
use crate::scene::build::SceneTape;
use crate::scene::file::{Role, TapeFile};
use crate::scene::problem::Problem;
use crate::scene::ron::Source;
use crate::scene::{Loaded, Scene, SceneFile, Spanned};
use crate::sim::command::Applied;
use crate::sim::{AgentId, GroupId, SimCommand, World};

use super::core::Experiment;
use super::frame::{GhostView, Level};
use super::measuring::Extra;

/// Where a track's agent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Actor {
    /// Not on the stage.
    #[default]
    Away,
    /// In the world.
    Here(AgentId),
    /// Taken out of the world by somebody else; it comes back with its next entrance.
    Gone,
}

/// Reads a scene, or makes one in which a trajectory file is played; with where it would be saved.
pub(super) fn read_scene(path: &Path, shown: &str) -> Result<(Loaded, PathBuf), Vec<Problem>> {
    if Format::named(path).is_none() {
        return SceneFile::read(path, shown).map(|loaded| (loaded, path.to_path_buf()));
    }
    let recording = record::read(path, shown, None).map_err(|problem| vec![problem])?;
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let scene = record::stage::scene(&recording.tape, &file, &stem);
    let notes = format!("A replay of {file}.\n");
    let loaded = SceneFile::from_text(shown, &scene.to_ron(&notes))?;
    // Saving must not take the place of the trajectories.
    Ok((loaded, path.with_file_name(format!("{stem}_replay.ron"))))
}

/// A tape of the scene with its file.
#[derive(Clone, Debug)]
pub struct Reel {
    /// What the scene says of it.
    pub spec: SceneTape,
    /// The poses.
    pub tape: Arc<Tape>,
    /// One per track, in their order, of a replay.
    cast: Vec<Actor>,
    /// The tracks of agents that are in the world.
    names: BTreeMap<AgentId, i64>,
    /// The metric of each group: how far it is from this ghost.
    errors: Vec<String>,
    /// The mean distance over all groups after the last tick, m.
    error: Option<f64>,
}

/// The file of a tape, as it was when it was read.
#[derive(Clone, Debug)]
struct Read {
    path: PathBuf,
    fps: Option<f64>,
    stamp: (u64, Option<SystemTime>),
    tape: Arc<Tape>,
    warnings: Vec<Problem>,
}

/// All tapes of a run.
#[derive(Clone, Debug, Default)]
pub struct Tapes {
    reels: Vec<Reel>,
    /// Files that were read, so that a reset does not read them again.
    shelf: Vec<Read>,
    /// What was odd about them.
    pub(super) warnings: Vec<Problem>,
    poses: Vec<Option<Pose>>,
}

impl Tapes {
    /// Reads the files of a scene's tapes. Paths count from the folder of the scene, then from the project's.
    pub(super) fn load(
        &mut self,
        specs: &[SceneTape],
        source: &Source,
        folder: &Path,
        project: &Path,
    ) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        let mut reels = Vec::new();
        let mut shelf: Vec<Read> = Vec::new();
        for spec in specs {
            let name = Path::new(&spec.file.value);
            let beside = folder.join(name);
            let path = if beside.exists() { beside } else { project.join(name) };
            let path = if path.exists() { path } else { folder.join(name) };
            match self.take(&path, spec, source, project) {
                Ok(read) => {
                    reels.push(Reel::new(spec.clone(), Arc::clone(&read.tape)));
                    shelf.push(read);
                }
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        self.warnings = shelf.iter().flat_map(|read| read.warnings.clone()).collect();
        (self.reels, self.shelf) = (reels, shelf);
        Ok(())
    }

    /// The file of a tape, from the shelf where it has not changed since.
    fn take(&self, path: &Path, spec: &SceneTape, source: &Source, project: &Path) -> Result<Read, Problem> {
        let stamp = std::fs::metadata(path).map(|data| (data.len(), data.modified().ok())).unwrap_or_default();
        let same = |read: &&Read| read.path == path && read.fps == spec.fps && read.stamp == stamp;
        if let Some(read) = self.shelf.iter().find(same) {
            return Ok(read.clone());
        }
        let shown = super::shown_path(project, path);
        let recording = record::read(path, &shown, spec.fps).map_err(|problem| {
            // A problem inside of the file has its own place; one of the file as a whole stands where the scene names it.
            let whole = problem.line.is_none() && spec.file.span.line > 0;
            if whole { source.locate(spec.file.span, problem) } else { problem }
        })?;
        let (path, fps) = (path.to_path_buf(), spec.fps);
        Ok(Read { path, fps, stamp, tape: Arc::new(recording.tape), warnings: recording.warnings })
    }

    /// Makes ready for tick 0 of a world.
    pub(super) fn start(&mut self, world: &World) {
        for reel in &mut self.reels {
            reel.cast.fill(Actor::Away);
            reel.names.clear();
            reel.error = None;
            reel.name_errors(world);
        }
    }

    /// The tapes.
    pub fn reels(&self) -> &[Reel] {
        &self.reels
    }

    /// Whether agents of a group follow a tape.
    pub fn plays(&self, group: usize) -> bool {
        self.reels.iter().any(|reel| reel.spec.group == Some(group))
    }
}

impl Reel {
    fn new(spec: SceneTape, tape: Arc<Tape>) -> Self {
        let cast = vec![Actor::Away; if spec.role == Role::Replay { tape.tracks.len() } else { 0 }];
        Self { spec, tape, cast, names: BTreeMap::new(), errors: Vec::new(), error: None }
    }

    /// Names its metrics after the groups of a world.
    fn name_errors(&mut self, world: &World) {
        let metric = |group: &crate::sim::Group| format!("{}.{}_error", group.name, self.spec.name);
        self.errors = world.groups.iter().map(metric).collect();
    }

    /// The frame of a tick.
    fn frame(&self, world: &World) -> f64 {
        self.tape.frame_of(self.spec.from + world.time())
    }

    /// A pose of the tape as the scene has it.
    fn placed(&self, pose: Pose, planar: bool) -> Pose {
        let mut pose = Pose { position: pose.position + self.spec.offset, ..pose };
        if planar {
            // Trackers note the height of heads; on a plane that is none of the ground's business.
            (pose.position.z, pose.velocity.z) = (0.0, 0.0);
        }
        pose
    }

    /// How far agents of a group are from those of the tape with their numbers: sum of distances in m, and how many.
    fn distance(&self, world: &World, group: usize, frame: f64, id_of: impl Fn(AgentId) -> i64) -> (f64, usize) {
        let (mut sum, mut count) = (0.0, 0);
        for slot in &world.groups[group].members {
            let Some(pose) = self.tape.pose(id_of(world.agents.id(*slot)), frame) else { continue };
            let ghost = self.placed(pose, world.settings.planar);
            sum += world.offset(world.agents.position[*slot as usize], ghost.position).length();
            count += 1;
        }
        (sum, count)
    }
}

impl Experiment {
    /// Reads the files of the tapes of a scene.
    pub(super) fn load_tapes(&mut self, scene: &Scene) -> Result<(), Vec<Problem>> {
        let folder = self.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        self.tapes.load(&scene.tapes, &self.loaded.source, &folder, &self.project)
    }

    /// The number of an agent in trajectory files. A scene with nobody but a replay keeps the numbers of its file; all others
    /// have the number of [`track_id`].
    pub fn trajectory_id(&self, agent: AgentId) -> i64 {
        let sole = self.tapes.reels.iter().find(|reel| reel.spec.role == Role::Replay);
        let sole = sole.filter(|_| self.world.groups.len() == 1);
        sole.and_then(|reel| reel.names.get(&agent).copied()).unwrap_or_else(|| track_id(agent))
    }

    /// Agents of replays go where their tapes have them in this tick; they come and go as there.
    pub(super) fn play_tapes(&mut self) {
        if self.tapes.reels.iter().all(|reel| reel.spec.role == Role::Ghost) {
            return;
        }
        let mut tapes = std::mem::take(&mut self.tapes);
        let mut poses = std::mem::take(&mut tapes.poses);
        for reel in tapes.reels.iter_mut().filter(|reel| reel.spec.role == Role::Replay) {
            self.play(reel, &mut poses);
        }
        tapes.poses = poses;
        self.tapes = tapes;
    }

    fn play(&mut self, reel: &mut Reel, poses: &mut Vec<Option<Pose>>) {
        let Some(group) = reel.spec.group else { return };
        let (frame, longest, planar) = (reel.frame(&self.world), reel.tape.longest_gap(), self.world.settings.planar);
        poses.clear();
        poses.extend(reel.tape.tracks.values().map(|track| track.pose_at(frame, longest)));
        // Who leaves goes first: the slots are those of who comes.
        for (actor, pose) in reel.cast.iter_mut().zip(poses.iter()) {
            if pose.is_some() {
                continue;
            }
            if let Actor::Here(agent) = *actor
                && self.world.agents.find(agent).is_some()
            {
                self.apply_sim(SimCommand::Remove(agent));
            }
            if let Actor::Here(agent) = *actor {
                reel.names.remove(&agent);
            }
            *actor = Actor::Away;
        }
        let tape = Arc::clone(&reel.tape);
        for (at, (id, pose)) in tape.tracks.keys().zip(poses.iter()).enumerate() {
            let Some(pose) = pose else { continue };
            let Pose { position, velocity, heading } = reel.placed(*pose, planar);
            match reel.cast[at] {
                Actor::Here(agent) if self.world.agents.find(agent).is_some() => {
                    self.apply_sim(SimCommand::Pose { agent, position, velocity, heading });
                }
                Actor::Here(agent) => {
                    reel.names.remove(&agent);
                    reel.cast[at] = Actor::Gone;
                }
                Actor::Gone => {}
                Actor::Away => {
                    let spawn = SimCommand::Spawn { group: GroupId(group as u16), position, heading, velocity };
                    if let Some(Applied::Agent(agent)) = self.apply_sim(spawn) {
                        reel.cast[at] = Actor::Here(agent);
                        reel.names.insert(agent, *id);
                    }
                }
            }
        }
    }

    /// How far the run is from its ghosts in this tick.
    pub(super) fn measure_ghosts(&mut self) {
        if self.tapes.reels.iter().all(|reel| reel.spec.role == Role::Replay) {
            return;
        }
        let mut tapes = std::mem::take(&mut self.tapes.reels);
        for reel in tapes.iter_mut().filter(|reel| reel.spec.role == Role::Ghost) {
            let frame = reel.frame(&self.world);
            let (mut sum, mut count) = (0.0, 0);
            for group in 0..self.world.groups.len() {
                let (of_group, agents) = reel.distance(&self.world, group, frame, |agent| self.trajectory_id(agent));
                (sum, count) = (sum + of_group, count + agents);
                let mean = (agents > 0).then(|| of_group / agents as f64);
                let Some(metric) = reel.errors.get(group) else { continue };
                if let Some(extra) = self.measuring.extra.get_mut(metric) {
                    extra.last = mean;
                    extra.stats.push(mean);
                } else if mean.is_some() {
                    let mut extra = Extra { last: mean, unit: "m".to_owned(), ..Extra::default() };
                    extra.about = format!("mean distance to the ghost `{}`, agent by agent", reel.spec.name);
                    extra.stats.push(mean);
                    self.measuring.extra.insert(metric.clone(), extra);
                }
            }
            reel.error = (count > 0).then(|| sum / count as f64);
        }
        self.tapes.reels = tapes;
    }

    /// The ghosts as they stand in this tick.
    pub(super) fn ghosts_view(&self) -> Arc<[GhostView]> {
        let ghosts = self.tapes.reels.iter().filter(|reel| reel.spec.role == Role::Ghost);
        ghosts.map(|reel| self.ghost_view(reel)).collect()
    }

    fn ghost_view(&self, reel: &Reel) -> GhostView {
        let (frame, planar) = (reel.frame(&self.world), self.world.settings.planar);
        let mut view = GhostView { name: reel.spec.name.clone(), error: reel.error, ..GhostView::default() };
        for (id, track) in &reel.tape.tracks {
            let Some(pose) = track.pose_at(frame, reel.tape.longest_gap()) else { continue };
            let pose = reel.placed(pose, planar);
            let twin = record::agent_of(*id).and_then(|agent| self.world.agents.find(agent));
            let radius = twin.map_or(reel.spec.radius, |slot| self.world.agents.radius[slot]);
            view.id.push(*id);
            view.position.push(pose.position);
            view.heading.push(pose.heading);
            view.radius.push(radius as f32);
        }
        view
    }

    /// Puts a trajectory file beside the run as a ghost, its frame 0 at tick 0; the scene has it from then on.
    pub(super) fn add_ghost(&mut self, path: &str) {
        let at = self.found(path);
        let folder = self.path.parent().unwrap_or_else(|| Path::new("")).to_path_buf();
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let inside = canonical(&at).strip_prefix(canonical(&folder)).map(Path::to_path_buf).ok();
        let file = inside.unwrap_or_else(|| canonical(&at)).to_string_lossy().replace('\\', "/");
        let name = self.free_tape_name(&at);
        let spec = TapeFile {
            name: name.as_str().into(),
            file: file.as_str().into(),
            role: Spanned::new(Role::Ghost),
            ..TapeFile::default()
        };
        let specs: Vec<SceneTape> = self.scene.tapes.iter().cloned().chain([SceneTape::of(&spec, None)]).collect();
        let (before, source) = (self.tapes.reels.len(), self.loaded.source.clone());
        let mut tapes = self.tapes.clone();
        match tapes.load(&specs, &source, &folder, &self.project) {
            Ok(()) => {
                // Those that play go on where they are.
                let fresh = tapes.reels.split_off(before);
                tapes.reels.clone_from(&self.tapes.reels);
                tapes.reels.extend(fresh);
                for reel in &mut tapes.reels[before..] {
                    reel.name_errors(&self.world);
                }
                self.tapes = tapes;
                self.scene.tapes = specs;
                self.doc.tapes.push(Spanned::new(spec));
                self.changes += 1;
                let ways = self.tapes.reels[before].tape.tracks.len();
                let text = format!("ghost `{name}`: {ways} agents of {file}");
                self.log.toast(self.world.time(), Level::Info, "tape", text);
            }
            Err(problems) => {
                for problem in problems {
                    self.problems.add(problem);
                }
                let text = format!("{path} is no ghost, see the problems");
                self.log.toast(self.world.time(), Level::Error, "tape", text);
            }
        }
    }

    /// A name for a tape after its file.
    fn free_tape_name(&self, path: &Path) -> String {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let stem: String = stem.chars().map(plain).collect();
        let stem = if stem.is_empty() { "ghost".to_owned() } else { stem };
        let taken = |name: &String| self.scene.tapes.iter().any(|tape| tape.name == *name);
        let numbered = (2..).map(|number: usize| format!("{stem}_{number}"));
        std::iter::once(stem.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(stem)
    }
}
