//! From what was typed to what it means: names resolved, places computed, degrees turned into radians, times into ticks.
//!
//! All problems are collected; each points at the line that it is about.

mod flow;
mod groups;
mod measuring;
mod names;
mod navigation;
mod obstacles;
mod overlap;
mod own;
mod schedule;
mod spawn;

use glam::DVec3;

use super::address::Address;
use super::catalogue::{Catalogue, Noun};
use super::decode::Spanned;
use super::file::{Loaded, NetworkFile, SceneFile, Use, ViewFile};
use super::problem::Problem;
use super::ron::{MAX_PROBLEMS, Source, Span};
use crate::formation::{BaseLineMethod, Threshold};
use crate::measure::ContractSpec;
use crate::sim::body::BodyField;
use crate::sim::obstacle::Shape;
use crate::sim::{BodySpec, Edge, Integrator, Space, Value};

pub use measuring::{SceneArea, SceneLine};
pub use overlap::Crowd;
pub use spawn::{NoRoom, Region, scatter};

/// What a scene means: plain data that an experiment makes a world of. SI units, radians, ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The name in menus.
    pub title: String,
    /// What it shows.
    pub about: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Ticks per second.
    pub tick_hz: f64,
    /// Length of a run in s.
    pub duration: f64,
    /// How velocity becomes position.
    pub integrator: Integrator,
    /// Area and edge.
    pub space: Space,
    /// What stands in the way, checked.
    pub obstacles: Vec<SceneObstacle>,
    /// Ground and following of paths; none: agents go straight to their goals.
    pub navigation: Option<crate::navigate::Settings>,
    /// The agents; a group's id is its index.
    pub groups: Vec<SceneGroup>,
    /// Sources, stops and journeys.
    pub flows: crate::flow::Settings,
    /// Directors with their settings.
    pub directors: Vec<SceneUse>,
    /// Metrics of scripts with their settings.
    pub metrics: Vec<SceneUse>,
    /// Measuring lines.
    pub lines: Vec<SceneLine>,
    /// Measuring areas.
    pub areas: Vec<SceneArea>,
    /// What is plotted at the start.
    pub plots: Vec<PlotRef>,
    /// The sliders that come first in the window; the behaviors say which if it is empty.
    pub panel: Vec<Address>,
    /// What happens when, by tick; in the order of the file within a tick.
    pub schedule: Vec<Scheduled>,
    /// Where the window looks at first.
    pub view: Option<ViewFile>,
    /// What is odd but no error.
    pub warnings: Vec<Problem>,
}

/// One obstacle.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneObstacle {
    /// Its name; empty for an unnamed one.
    pub name: String,
    /// Whether it is out of the way at the start.
    pub open: bool,
    /// Its shape, checked by the core.
    pub shape: Shape,
}

/// One agent at the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Birth {
    /// m.
    pub position: DVec3,
    /// m/s.
    pub velocity: DVec3,
    /// Radians in (−π, π].
    pub heading: f64,
}

/// Where a formation's frame stands.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScenePose {
    /// The frame's origin in m.
    pub at: DVec3,
    /// Radians counter-clockwise.
    pub turn: f64,
    /// What both count from.
    pub frame: crate::formation::Frame,
}

/// A formation's contract.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SceneContract {
    /// Its limits.
    pub spec: ContractSpec,
    /// How the base line is found.
    pub base_line: BaseLineMethod,
}

/// When agents of a group change their places without a new order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SceneReassign {
    /// Seconds between two looks for better places; none looks only when agents come or go.
    pub every: Option<f64>,
    /// What must be gained.
    pub threshold: Threshold,
}

/// One group.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneGroup {
    /// Its name.
    pub name: String,
    /// Its agents at the start.
    pub births: Vec<Birth>,
    /// The body with sub-steps, spread and avoidance.
    pub body: BodySpec,
    /// The behavior or machine.
    pub behavior: Option<String>,
    /// Values of addresses below the group that belong to the behavior.
    pub set: Vec<(String, Value)>,
    /// Values of parameters of its formations, without the leading `formation.`.
    pub formation_set: Vec<(String, Value)>,
    /// The formation it starts with.
    pub formation: Option<String>,
    /// Where that stands.
    pub pose: ScenePose,
    /// What it must keep.
    pub contract: Option<SceneContract>,
    /// When a better assignment of its places is taken.
    pub reassign: SceneReassign,
    /// Standard deviations of sensed positions (m, per axis) and headings (radians).
    pub sensor_noise: (f64, f64),
    /// The nearest so many neighbors count.
    pub max_neighbors: Option<u32>,
    /// How often its agents decide.
    pub update: crate::sim::UpdateRate,
    /// Points to go through in turn, m.
    pub route: Vec<DVec3>,
    /// Where its agents want to be, m.
    pub goal: Option<DVec3>,
    /// Index of the group whose first agent leads.
    pub leader: Option<usize>,
    /// The network that carries commands.
    pub network: Option<NetworkFile>,
    /// Numbers of single agents' bodies: position in the group, number, value.
    pub own_bodies: Vec<(usize, BodyField, f64)>,
    /// Numbers of single agents' links: position in the group, number, value.
    pub own_links: Vec<(usize, String, f64)>,
}

/// A director or a metric with its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneUse {
    /// Its name.
    pub name: String,
    /// Indices of the groups it looks at; empty for all.
    pub of: Vec<usize>,
    /// Values of its parameters.
    pub set: Vec<(String, Value)>,
}

/// What a plot shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlotRef {
    /// Index of the group; none for a value of the scene (`yard.plot`).
    pub group: Option<usize>,
    /// The metric's id.
    pub metric: String,
}

/// One line of the schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduled {
    /// The tick before whose sense it is done.
    pub tick: u64,
    /// What is done.
    pub action: SceneAction,
}

/// How a schedule leads an agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SceneLead {
    /// To a point, m.
    To(DVec3),
    /// Along with a velocity, m/s.
    Along(DVec3),
    /// No more.
    Release,
}

/// What the schedule can do.
#[derive(Debug, Clone, PartialEq)]
pub enum SceneAction {
    /// Orders a formation.
    Form {
        /// Index of the group.
        group: usize,
        /// The formation's name.
        formation: String,
        /// Values of its parameters.
        params: Vec<(String, Value)>,
        /// Where it stands; where the last one stood without it.
        pose: Option<ScenePose>,
    },
    /// Sets a formation in motion.
    March {
        /// Index of the group.
        group: usize,
        /// m/s; 0 halts.
        speed: f64,
        /// Radians from where the head looks.
        heading: f64,
        /// rad/s.
        turn: f64,
        /// m/s².
        acceleration: f64,
    },
    /// Leads the first agent of a group.
    Lead {
        /// Index of the group.
        group: usize,
        /// Where to.
        lead: SceneLead,
    },
    /// Sends a message to all agents of a group.
    SendGroup {
        /// Index of the group.
        group: usize,
        /// Name of the event.
        name: String,
        /// Its value.
        value: Option<Value>,
    },
    /// Sends a message to one agent.
    SendAgent {
        /// The number that scripts see.
        agent: f64,
        /// Name of the event.
        name: String,
        /// Its value.
        value: Option<Value>,
    },
    /// Sets a value.
    Set {
        /// The whole address.
        address: Address,
        /// The value.
        value: Value,
    },
    /// Adds agents, overlap-free in a disc.
    Spawn {
        /// Index of the group.
        group: usize,
        /// How many.
        count: u32,
        /// Center in m.
        at: DVec3,
        /// Radius in m.
        radius: f64,
    },
    /// Removes the oldest agents of a group.
    Remove {
        /// Index of the group.
        group: usize,
        /// How many; all without it.
        count: Option<u32>,
    },
    /// Opens or closes sources and stops of a name.
    Flow {
        /// The name.
        name: String,
        /// Whether it opens.
        open: bool,
    },
    /// Takes an obstacle out of the way.
    Open {
        /// Index of the obstacle.
        obstacle: usize,
    },
    /// Puts an opened obstacle back.
    Close {
        /// Index of the obstacle.
        obstacle: usize,
    },
}

impl Scene {
    /// Makes the scene of a file that could be read.
    ///
    /// # Errors
    /// All problems, each with the place it is about.
    pub fn build(loaded: &Loaded, catalogue: &dyn Catalogue) -> Result<Self, Vec<Problem>> {
        let mut builder = Builder::new(loaded, catalogue);
        let scene = builder.scene();
        let (errors, warnings): (Vec<_>, Vec<_>) = builder.problems.into_iter().partition(Problem::is_error);
        if errors.is_empty() {
            return Ok(Self { warnings, ..scene });
        }
        Err(errors.into_iter().chain(warnings).collect())
    }

    /// The index of a group.
    pub fn group_index(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|group| group.name == name)
    }

    /// The tick at which the run ends.
    pub fn last_tick(&self) -> u64 {
        (self.duration * self.tick_hz).round() as u64
    }
}

/// What is at hand while a scene is built.
struct Builder<'a> {
    file: SceneFile,
    source: &'a Source,
    catalogue: &'a dyn Catalogue,
    problems: Vec<Problem>,
}

impl<'a> Builder<'a> {
    fn new(loaded: &'a Loaded, catalogue: &'a dyn Catalogue) -> Self {
        Self { file: loaded.scene.clone(), source: &loaded.source, catalogue, problems: Vec::new() }
    }

    fn scene(&mut self) -> Scene {
        self.structural_settings();
        let space = self.space();
        let obstacles = self.obstacles();
        let navigation = self.navigation(&space);
        let groups = self.groups(&space, &obstacles);
        let lines = self.measuring_lines();
        let areas = self.measuring_areas();
        let flows = self.flows(&space, &obstacles);
        let plots = self.plots();
        let panel = self.panel();
        let schedule = self.schedule();
        let directors = self.uses(Noun::Director);
        let metrics = self.uses(Noun::Metric);
        Scene {
            title: self.file.title.clone(),
            about: self.file.about.clone(),
            seed: self.file.seed,
            tick_hz: self.file.tick_hz,
            duration: self.file.duration,
            integrator: self.file.integrator,
            space,
            obstacles,
            navigation,
            groups,
            flows,
            directors,
            metrics,
            lines,
            areas,
            plots,
            panel,
            schedule,
            view: self.file.view.clone(),
            warnings: Vec::new(),
        }
    }

    /// Reports an error at a place.
    fn error(&mut self, span: Span, code: &str, message: impl Into<String>) -> Option<&mut Problem> {
        if self.problems.len() >= MAX_PROBLEMS {
            return None;
        }
        self.problems.push(self.source.error(span, code, message));
        self.problems.last_mut()
    }

    /// Reports an error at a place, of a group, with a hint.
    fn group_error(&mut self, group: &str, span: Span, code: &str, message: impl Into<String>, hint: Option<String>) {
        if let Some(problem) = self.error(span, code, message) {
            problem.group = Some(group.to_owned());
            problem.hint = hint;
        }
    }

    fn warn(&mut self, span: Span, code: &str, message: impl Into<String>, hint: &str) {
        let problem = self.source.warning(span, code, message).hint(hint);
        self.problems.push(problem);
    }

    fn space(&mut self) -> Space {
        let edge = self.file.edge.value;
        let area = self.file.area.clone();
        if area.is_none() && edge != Edge::Open {
            let span = self.file.edge.span;
            if let Some(problem) = self.error(span, "missing-field", format!("the edge {edge:?} needs an area")) {
                problem.hint = Some("add `area: (min: (-20, -15), max: (40, 15))`".to_owned());
            }
        }
        let Some(Spanned { value: area, span }) = area else {
            return Space { area: None, edge };
        };
        let size = area.max - area.min;
        if size.min_element() < 0.0 || size.x == 0.0 || size.y == 0.0 {
            let message = format!("the area is empty: it is {} m wide and {} m high", size.x, size.y);
            if let Some(problem) = self.error(span, "out-of-range", message) {
                problem.hint = Some("each number of `min` must be below that of `max`".to_owned());
            }
        }
        Space { area: Some(area.area()), edge }
    }

    /// Directors or metrics.
    fn uses(&mut self, noun: Noun) -> Vec<SceneUse> {
        let list = if noun == Noun::Director { self.file.directors.clone() } else { self.file.metrics.clone() };
        list.iter().map(|entry| self.one_use(noun, entry)).collect()
    }

    fn one_use(&mut self, noun: Noun, Use(entry): &Use) -> SceneUse {
        self.known_name(noun, &entry.name, None);
        let name = entry.name.value.clone();
        let parameters = self.catalogue.parameters(noun, &name);
        for (key, _) in &entry.set.0 {
            self.known_parameter(noun, &name, key, parameters.as_deref(), None);
        }
        let of = entry.of.iter().filter_map(|group| self.group_index(group)).collect();
        SceneUse { name, of, set: plain(&entry.set) }
    }
}

/// The table without places.
fn plain(table: &super::decode::Table<super::SetValue>) -> Vec<(String, Value)> {
    table.0.iter().map(|(key, value)| (key.value.clone(), value.value.0.clone())).collect()
}
