//! The navigator of a world: meshes by radius, paths for all agents with a goal, and what each of them hears on its way.
//!
//! It works between two ticks, before the agents sense: it reads goals and positions, writes [courses](crate::sim::course::Course), and says what
//! happened. What it remembers is a function of the run alone, and part of the state hash.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::mesh::Mesh;
use super::path::{Path, StopKind};
use super::search::Finder;
use super::settings::Settings;
use super::walker::{Here, Step, Walker, Wants};
use crate::sim::obstacle::Shape;
use crate::sim::{AgentId, PathState, Progress, SimCommand, Value, World};

/// Paths that are sought in one tick at most; who waits longest comes first.
const PATHS_PER_TICK: usize = 64;
/// Ways round those who stand that are sought in one tick at most: each needs a mesh of its own.
const ROUNDS_PER_TICK: usize = 2;
/// Slower than this, m/s, an agent stands.
const STANDS: f64 = 0.1;
/// Who stands farther away than this, m, is in nobody's way.
const IN_THE_WAY_M: f64 = 8.0;
/// Ways whose costs differ by less than this factor are the same.
const SAME_COST: f64 = 0.999;
/// Agents look every so many seconds whether their way is free; not all in the same tick.
const LOOKS_SECS: f64 = 0.1;

/// After this share of the time after which it is blocked, an agent that does not get on takes the next point of its way.
const HELD: f64 = 0.5;

/// Something that an agent hears of its way.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Who.
    pub agent: AgentId,
    /// `path_changed`, `waypoint_reached`, `link_reached`, `target_reached` or `navigation_finished`.
    pub name: &'static str,
    /// Length of the new path (m), number of the waypoint from 1, name of the link.
    pub value: Option<Value>,
}

/// All that is known of the ways of a world.
#[derive(Clone, Debug)]
pub struct Navigator {
    settings: Settings,
    /// By class of radius.
    meshes: BTreeMap<u32, Arc<Mesh>>,
    /// The obstacles that the meshes were built of.
    version: Option<u64>,
    /// No rebuild before this tick.
    next_build: u64,
    builds: u64,
    walkers: Vec<Walker>,
    finder: Finder,
    steps: Vec<Step>,
    waiting: Vec<(Wants, u64, u32)>,
}

impl Navigator {
    /// A navigator that has seen nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            meshes: BTreeMap::new(),
            version: None,
            next_build: 0,
            builds: 0,
            walkers: Vec::new(),
            finder: Finder::default(),
            steps: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// What the scene says.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The meshes in use, by ascending radius.
    pub fn meshes(&self) -> impl Iterator<Item = &Arc<Mesh>> {
        self.meshes.values()
    }

    /// Grows when meshes were built anew.
    #[must_use]
    pub fn builds(&self) -> u64 {
        self.builds
    }

    /// What is remembered of an agent, as a number for the state hash.
    #[must_use]
    pub fn digest(&self, slot: usize) -> u64 {
        self.walkers.get(slot).map_or(0, Walker::digest)
    }

    /// The world and its navigator as they will stand once the next step has planned: meshes by the obstacles as they are now,
    /// paths by the goals as they are now. For pictures of a world that stands still; nothing of this is changed.
    #[must_use]
    pub fn ahead(&self, world: &World) -> (Self, World) {
        let (mut ahead, mut world) = (self.clone(), world.clone());
        ahead.next_build = 0;
        ahead.step(&mut world, &mut Vec::new());
        if ahead.meshes.is_empty() {
            // Nobody has a goal yet: the ground of those who may get one.
            for group in &world.groups {
                ahead.mesh_for(&world, group.body.radius);
            }
        }
        (ahead, world)
    }

    /// One step, before the agents sense: meshes follow the obstacles, agents their paths. What they hear is put into `news`, by
    /// agent, in order.
    pub fn step(&mut self, world: &mut World, news: &mut Vec<News>) {
        self.follow_obstacles(world);
        self.walkers.resize_with(world.agents.slots(), Walker::default);
        self.waiting.clear();
        for slot in 0..world.agents.slots() {
            if world.agents.alive[slot] && !world.agents.quarantined[slot] {
                self.step_agent(world, slot, news);
            }
        }
        self.find_paths(world, news);
        for slot in 0..world.agents.slots() {
            if world.agents.alive[slot] {
                self.write_course(world, slot);
            }
        }
    }

    /// Meshes are built again when obstacles moved, came, went, opened or closed, though not more often than asked.
    fn follow_obstacles(&mut self, world: &World) {
        let version = world.obstacles.version();
        if self.version == Some(version) || world.tick < self.next_build {
            return;
        }
        self.next_build = world.tick + (self.settings.rebuild_secs * world.settings.tick_hz).round() as u64;
        self.version = Some(version);
        self.builds += 1;
        let classes: Vec<u32> = self.meshes.keys().copied().collect();
        for class in classes {
            let radius = self.settings.class_radius(class);
            self.meshes.insert(class, Arc::new(Mesh::build(&self.settings, &world.obstacles, radius)));
        }
        for walker in self.walkers.iter_mut().filter(|walker| walker.goal.is_some() && walker.done.is_none()) {
            walker.ask(if walker.path.is_some() { Wants::Better } else { Wants::Path }, world.tick);
        }
    }

    /// The mesh for agents of a radius (m).
    pub fn mesh_for(&mut self, world: &World, radius: f64) -> Arc<Mesh> {
        let class = self.settings.class(radius);
        if let Some(mesh) = self.meshes.get(&class) {
            return Arc::clone(mesh);
        }
        let radius = self.settings.class_radius(class);
        let mesh = Arc::new(Mesh::build(&self.settings, &world.obstacles, radius));
        self.meshes.insert(class, Arc::clone(&mesh));
        self.builds += 1;
        mesh
    }

    fn step_agent(&mut self, world: &mut World, slot: usize, news: &mut Vec<News>) {
        let agents = &world.agents;
        let (radius, at) = (agents.radius[slot], agents.position[slot].truncate());
        let life = agents.generation[slot] + 1;
        if self.walkers[slot].life != life {
            self.walkers[slot] = Walker::born(life, at);
        }
        let own = agents.goal[slot];
        let Some(goal) = own.or_else(|| world.group_of(slot).goal) else {
            self.walkers[slot].rest();
            self.walkers[slot].last = at;
            return;
        };
        let mesh = self.mesh_for(world, radius);
        let most = world.agents.max_speed[slot];
        // Someone without a limit has no step to speak of.
        let step = if most.is_finite() { most * world.dt() } else { 0.0 };
        let own_distances = world.agents.path_distances[slot];
        let mut distances = self.settings.distances(radius, step, own_distances);
        if own.is_none() && self.settings.target_desired_distance.is_none() && own_distances[1] == 0.0 {
            // A goal of all is reached by all who stand round it, half of the ground between them free.
            let members = world.group_of(slot).members.len() as f64;
            distances.target_desired = distances.target_desired.max(radius * (2.0 * members).sqrt());
        }
        let reach = world.agents.visit[slot].reach;
        if reach > 0.0 {
            distances.target_desired = reach.max(step);
        }
        let walker = &mut self.walkers[slot];
        if !walker.set_goal(goal.truncate(), at, world.tick, &distances) {
            // It is there already: the wish is fulfilled.
            world.agents.goal[slot] = None;
            walker.last = at;
            return;
        }
        let Some(spot) = mesh.nearest(at) else {
            walker.unload();
            walker.last = at;
            return;
        };
        let hz = world.settings.tick_hz;
        if let Some(until) = walker.carried {
            if world.tick < until {
                walker.last = at;
                return;
            }
            self.put_down(world, slot);
            return;
        }
        let every = (LOOKS_SECS * hz).max(1.0) as u64;
        let looks = (world.tick + slot as u64).is_multiple_of(every);
        let held = walker.progress.is_stuck(HELD * self.settings.blocked_secs, world.dt());
        let here =
            Here { mesh: &mesh, at, spot, distances, tick: world.tick, looks, held, walked: at.distance(walker.last) };
        self.steps.clear();
        walker.advance(&here, &mut self.steps);
        if walker.done.is_none() {
            // Who cannot go is blocked as well.
            walker.watch(&here, most.max(1e-3), self.settings.blocked_secs, world.dt());
        }
        walker.last = at;
        let agent = world.agents.id(slot as u32);
        for step in &self.steps {
            let (name, value) = match step {
                Step::Waypoint(number) => ("waypoint_reached", Some(Value::Number(*number as f64 + 1.0))),
                Step::Link(link) => {
                    let link = &self.settings.links[*link as usize];
                    walker.carried = link.seconds.map(|seconds| world.tick + (seconds * hz).round() as u64);
                    ("link_reached", Some(Value::Text(link.name.clone())))
                }
                Step::Target => ("target_reached", None),
                Step::Finished => ("navigation_finished", None),
            };
            news.push(News { agent, name, value });
        }
        if walker.wants == Wants::Round && !self.settings.round_standing {
            walker.wants = Wants::Nothing;
        }
        if walker.done.is_some() {
            world.agents.goal[slot] = None;
        } else if walker.wants != Wants::Nothing {
            self.waiting.push((walker.wants, walker.asked, slot as u32));
        }
    }

    /// The link has carried an agent: it stands at its other end.
    fn put_down(&mut self, world: &mut World, slot: usize) {
        let walker = &mut self.walkers[slot];
        walker.carried = None;
        let end = walker.path.as_ref().and_then(|path| path.stops.get(walker.next)).map(|stop| stop.at);
        let Some(end) = end else { return };
        let id = world.agents.id(slot as u32);
        let to = end.extend(world.agents.position[slot].z);
        // The end of a link is a point of the mesh, so the core takes it.
        drop(world.apply(SimCommand::Put(id, to)));
        (walker.last, walker.left, walker.progress) = (end, None, Progress::default());
    }

    /// Seeks paths for those who wait: first who has none, then who asked first, then by number.
    fn find_paths(&mut self, world: &World, news: &mut Vec<News>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_unstable();
        let rounds = waiting.partition_point(|(wants, _, _)| *wants < Wants::Round);
        waiting.truncate(PATHS_PER_TICK.min(rounds + ROUNDS_PER_TICK));
        // Their news stand in the order of agents.
        waiting.sort_unstable_by_key(|(_, _, slot)| *slot);
        for (wants, _, slot) in &waiting {
            let slot = *slot as usize;
            let (radius, at) = (world.agents.radius[slot], world.agents.position[slot].truncate());
            let mesh = self.mesh_for(world, radius);
            let crowded = if *wants == Wants::Round { self.crowded(world, slot, &mesh) } else { Arc::clone(&mesh) };
            let distances = self.settings.distances(radius, 0.0, [0.0; 3]);
            let margin = distances.corner_spread * lane(slot);
            let walker = &mut self.walkers[slot];
            walker.wants = Wants::Nothing;
            let Some(goal) = walker.goal else { continue };
            let round = !Arc::ptr_eq(&crowded, &mesh);
            let found = self.finder.path(&crowded, at, goal, margin);
            let kept = match (*wants, mesh.nearest(at)) {
                (Wants::Better | Wants::Round, Some(spot)) => walker.rest_of_path(&mesh, &spot),
                _ => None,
            };
            match (found, kept) {
                // The way that it has leads past them already; a shorter one is free since those who stood there left.
                (Some(path), Some(old))
                    if *wants == Wants::Round && path.cost >= SAME_COST * old && SAME_COST * path.cost <= old => {}
                (Some(path), Some(old))
                    if *wants == Wants::Better && path.cost >= (1.0 - self.settings.repath_gain) * old => {}
                (Some(path), _) => {
                    let length = path.length;
                    walker.load(path, round);
                    let agent = world.agents.id(slot as u32);
                    news.push(News { agent, name: "path_changed", value: Some(Value::Number(length)) });
                }
                // Nobody lets it pass: it waits where it is.
                (None, _) if *wants == Wants::Round => {}
                (None, _) => walker.unload(),
            }
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// The ground around an agent without the places of those who stand near it.
    fn crowded(&self, world: &World, slot: usize, mesh: &Arc<Mesh>) -> Arc<Mesh> {
        let agents = &world.agents;
        let at = agents.position[slot];
        let in_the_way = |other: &usize| {
            agents.alive[*other]
                && *other != slot
                && agents.velocity[*other].length() < STANDS
                && agents.position[*other].distance(at) < IN_THE_WAY_M
        };
        let mut obstacles = world.obstacles.clone();
        let before = obstacles.len();
        for other in (0..agents.slots()).filter(in_the_way) {
            // Who overlaps it already cannot be walked round.
            let touching = agents.position[other].distance(at) - agents.radius[slot];
            let radius = agents.radius[other].min(touching - 1e-3);
            if radius > 1e-3 {
                let shape = Shape::Disc { at: agents.position[other], radius };
                // A disc at a finite place, as all agents are, is a shape that the core takes.
                drop(obstacles.insert("", shape));
            }
        }
        if obstacles.len() == before {
            return Arc::clone(mesh);
        }
        Arc::new(Mesh::build(&self.settings, &obstacles, mesh.radius))
    }

    fn write_course(&self, world: &mut World, slot: usize) {
        let walker = &self.walkers[slot];
        let at = world.agents.position[slot];
        let mesh = self.meshes.get(&self.settings.class(world.agents.radius[slot]));
        let raised = |point: DVec2| point.extend(at.z);
        let goal = world.agents.goal[slot].or_else(|| world.group_of(slot).goal);
        let course = &mut world.agents.course[slot];
        (course.target, course.then) = (None, None);
        (course.left, course.speed) = (0.0, 1.0);
        let path = walker.path.as_ref().filter(|_| walker.done.is_none());
        match (path, &course.path) {
            (None, _) => course.path = None,
            (Some(path), Some(known)) if same(path, known) => {}
            (Some(path), _) => course.path = Some(path.points().map(raised).collect()),
        }
        course.next = if path.is_some() { walker.next as u32 + 1 } else { 0 };
        if let Some(at_target) = walker.done {
            course.state = if at_target { PathState::Reached } else { PathState::TargetOffMesh };
            return;
        }
        if goal.is_none() || walker.goal.is_none() {
            course.state = PathState::Idle;
            return;
        }
        let spot = mesh.and_then(|mesh| mesh.nearest(at.truncate()));
        if let (Some(mesh), Some(spot)) = (mesh, &spot) {
            course.speed = mesh.ground(spot.polygon).1;
        }
        if walker.carried.is_some() {
            course.state = PathState::OnLink;
            return;
        }
        let Some(path) = path else {
            course.state = if walker.no_path { PathState::NoPath } else { PathState::Moving };
            return;
        };
        let Some(stop) = path.stops.get(walker.next) else { return };
        course.left = stop.left + at.truncate().distance(stop.at);
        let across = matches!(stop.kind, StopKind::LinkTo(_));
        let tolerance = (0.5 * world.agents.radius[slot]).max(0.05);
        if let Some(spot) = spot.filter(|spot| spot.distance > tolerance && !across) {
            course.state = PathState::AgentOffMesh;
            course.target = Some(raised(spot.at));
            course.then = Some(raised(stop.at));
            return;
        }
        course.state = if walker.blocked { PathState::Blocked } else { PathState::Moving };
        let last = walker.next + 1 == path.stops.len();
        // The end itself is the goal where that lies on the mesh, height and all.
        let end = goal.filter(|goal| last && goal.truncate().distance(stop.at) < super::walker::SAME_GOAL_M);
        course.target = Some(end.unwrap_or_else(|| raised(stop.at)));
        course.then = path.stops.get(walker.next + 1).map(|stop| raised(stop.at));
    }
}

fn same(path: &Path, points: &[DVec3]) -> bool {
    points.len() == path.stops.len() + 1 && path.points().zip(points).all(|(a, b)| a == b.truncate())
}

/// The share of the corridor's width that belongs to an agent, from 0 to 1: neighbors in number are far apart.
fn lane(slot: usize) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let turns = (slot as f64 + 1.0) * GOLDEN;
    turns - turns.floor()
}
