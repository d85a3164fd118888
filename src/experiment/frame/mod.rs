//! What the panels see: one immutable picture of the running experiment, published as `Arc<Frame>`.
//!
//! It knows nothing of how it is drawn. Parts that change rarely are shared by `Arc`, so that publishing is cheap;
//! the columns of the agents are compact (living agents only), in ascending order of [`AgentKey`].

mod agents;
mod flows;
mod gauges;
mod ground;
mod group;
mod key;
mod looks;
mod navigation;
mod orders;
mod params;
mod problems;
mod series;
mod shelf;

use std::sync::Arc;

use glam::DVec3;

pub use self::agents::{Agents, FieldView, ForceArrow, Inspected, SlotPose, TraceLine};
pub use self::flows::{FlowView, SourceView, StopView};
pub use self::gauges::{GaugeArea, GaugeLine, HeatView};
pub use self::ground::{Drawing, ObstacleView};
pub use self::group::{
    BodyShape, ContractView, FormationView, GroupView, PanelRow, StateCount, TermView, TransitionCount,
};
pub use self::key::AgentKey;
pub use self::looks::{CellsView, LookKind, LookView, SensesView, Watch};
pub use self::navigation::{Line, MeshView, NavigationView, PathView};
pub use self::orders::{DeliveryView, LinkView, NetworkView, OrderCounts, OrderView};
pub use self::params::{ForceView, Param, ParamValue, Section, ValueSource};
pub use self::problems::{Level, LogLine, ProblemView};
pub use self::series::{MetricInfo, Series, SettleMark};
pub use self::shelf::{Definition, DirectorButton, PluginView, SceneEntry, ScriptStatus, ScriptView};
pub use super::tuner::TuningView;

/// Everything that panels show, at one tick.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Counts published frames; a paused experiment publishes a new one only if something changed.
    pub serial: u64,
    /// Grows with each jump (reset, load, undo): never interpolate between two frames of different epochs.
    pub epoch: u64,
    /// Ticks since the start of the run.
    pub tick: u64,
    /// Simulated seconds since the start of the run.
    pub time: f64,
    /// Step in seconds.
    pub dt: f64,
    /// Seed of the run.
    pub seed: u64,
    /// The scene that runs.
    pub scene: Arc<SceneInfo>,
    /// Whether the scene holds edits that no file has.
    pub unsaved: bool,
    /// Whether it runs, and if not, why.
    pub run: RunState,
    /// The speed asked for.
    pub speed: Speed,
    /// The speed reached: simulated seconds per second, over the last second.
    pub speed_reached: f64,
    /// State hash at this tick, where it was taken.
    pub hash: Option<u64>,
    /// Time spent in each stage of the tick, in tick order.
    pub stages: Vec<StageTime>,
    /// The living agents.
    pub agents: Agents,
    /// Details of the agent asked for with `Command::Inspect`.
    pub inspected: Option<Arc<Inspected>>,
    /// Groups in scene order; `Agents::group` indexes this list.
    pub groups: Vec<GroupView>,
    /// All parameters, in the order in which they are shown.
    pub parameters: Arc<[Param]>,
    /// All forces that can be switched, in the order in which they are shown.
    pub forces: Arc<[ForceView]>,
    /// Obstacles by id.
    pub obstacles: Arc<[ObstacleView]>,
    /// The metrics that are plotted.
    pub plots: Arc<[Series]>,
    /// Every metric that could be plotted.
    pub metrics: Arc<[MetricInfo]>,
    /// What is wrong now, newest last.
    pub problems: Arc<[ProblemView]>,
    /// What happened, newest last; bounded by the publisher.
    pub events: Arc<[LogLine]>,
    /// Buttons of directors.
    pub buttons: Arc<[DirectorButton]>,
    /// Scripts in effect.
    pub scripts: Arc<[ScriptView]>,
    /// Scenes that can be opened.
    pub catalogue: Arc<[SceneEntry]>,
    /// Everything that can be named: behaviors, machines, formations, forces, metrics, directors.
    pub definitions: Arc<[Definition]>,
    /// Plugins found.
    pub plugins: Arc<[PluginView]>,
    /// What scripts drew with `yard.draw` (empty unless `Command::ShowDebug(true)`).
    pub drawings: Arc<[Drawing]>,
    /// Whom the forces of the agents see that `Command::Watch` names, ascending by key.
    pub senses: Arc<[SensesView]>,
    /// The cells of the neighbor grid (none unless `Command::Watch` asks for them).
    pub cells: Option<Arc<CellsView>>,
    /// The navigation mesh; none without navigation.
    pub navigation: Option<Arc<NavigationView>>,
    /// Sources, stops and exits; none without any.
    pub flows: Option<Arc<FlowView>>,
    /// Paths of the agents that have one, ascending by key.
    pub paths: Arc<[PathView]>,
    /// Measuring lines in the order of the scene.
    pub lines: Arc<[GaugeLine]>,
    /// Measuring areas in the order of the scene.
    pub areas: Arc<[GaugeArea]>,
    /// Cells of people (none unless `Command::Watch` asks for them).
    pub heat: Option<Arc<HeatView>>,
    /// Label of the edit that undo takes back.
    pub undo: Option<String>,
    /// Label of the edit that redo brings again.
    pub redo: Option<String>,
    /// Long work that is going on.
    pub progress: Option<Progress>,
    /// What the last tuning found.
    pub tuning: Option<Arc<TuningView>>,
    /// Orders that went over a network, newest first; bounded by the publisher.
    pub deliveries: Arc<[OrderView]>,
    /// Links to the agents of groups with a network; bounded by the publisher.
    pub links: Arc<[LinkView]>,
}

/// What a scene says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneInfo {
    /// Title for people.
    pub title: String,
    /// One line on what it shows.
    pub about: String,
    /// File it came from; none for a scene never saved.
    pub path: Option<String>,
    /// Ends by itself after so many seconds.
    pub duration: Option<f64>,
    /// Whether all of it lies in the plane z = 0.
    pub planar: bool,
    /// Lower and upper corner of the area in metres, if it has one.
    pub area: Option<(DVec3, DVec3)>,
    /// Name of the edge rule ("Open", "Wrap", …).
    pub edge: String,
    /// How the scene wants to be seen first.
    pub view: ViewHint,
}

/// How a scene wants to be seen first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewHint {
    /// Center in metres.
    pub center: Option<DVec3>,
    /// Pixels per metre.
    pub zoom: Option<f64>,
    /// Perspective instead of from above.
    pub perspective: bool,
    /// "group", "state", "speed" or "error".
    pub color_by: Option<String>,
}

/// Whether the experiment runs, and if not, why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RunState {
    /// Ticks are made.
    Running,
    /// Stopped by the user, or not started.
    #[default]
    Paused,
    /// The scene's duration is over.
    Finished,
    /// A script faulted and the experiment stops on faults.
    ScriptFault {
        /// File of the fault, from the project folder.
        file: String,
        /// Line of the fault, from 1.
        line: u32,
        /// What happened.
        message: String,
    },
    /// Something else stops it (a scene with errors, …).
    Problem {
        /// What is in the way and what to try.
        message: String,
    },
    /// Work that must end first.
    Loading {
        /// What is loaded.
        what: String,
    },
}

impl RunState {
    /// Whether ticks are made.
    pub fn is_running(&self) -> bool {
        matches!(self, Self::Running)
    }

    /// Why it stands, in a few words; empty while it runs.
    pub fn reason(&self) -> String {
        match self {
            Self::Running => String::new(),
            Self::Paused => "paused".to_owned(),
            Self::Finished => "finished: the scene's duration is over".to_owned(),
            Self::ScriptFault { file, line, message } => format!("stopped by a script fault: {file}:{line}: {message}"),
            Self::Problem { message } => format!("stopped: {message}"),
            Self::Loading { what } => format!("loading {what}"),
        }
    }
}

/// Speed of the run against the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Simulated seconds per second.
    Times(f64),
    /// As fast as the machine goes.
    Max,
}

impl Default for Speed {
    fn default() -> Self {
        Self::Times(1.0)
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Max => write!(f, "max"),
            Self::Times(times) if *times < 0.995 && *times > 0.0 => write!(f, "×1/{:.0}", 1.0 / times),
            Self::Times(times) => write!(f, "×{times:.1}"),
        }
    }
}

/// Time of one stage of the tick.
#[derive(Clone, Debug, PartialEq)]
pub struct StageTime {
    /// "commands", "sense", "decide", "avoid", "act", "measure" or "script".
    pub name: &'static str,
    /// Milliseconds per tick, smoothed.
    pub millis: f64,
}

/// Long work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is done.
    pub what: String,
    /// From 0 to 1; none if unknown.
    pub done: Option<f32>,
    /// Whether `Command::CancelWork` stops it.
    pub cancellable: bool,
}
