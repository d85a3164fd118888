//! Everything that a user, a schedule or a director can do to an experiment: one enum, one door.
//!
//! Menus, palette, shortcuts, buttons and drags all end here. A command says what is meant; whether it can be done
//! is decided where it is applied, and a refusal is a problem or a log line, never a panic.

use glam::DVec3;

use super::frame::{AgentKey, ParamValue, Speed, Watch};
pub use super::leading::Lead;
pub use super::tuner::TuneOrder;

/// What can be done to an experiment.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Make ticks.
    Play,
    /// Stop making ticks.
    Pause,
    /// Play if paused, pause if playing.
    TogglePlay,
    /// Make so many ticks and pause.
    Step(u32),
    /// The scene file as loaded, same seed.
    Reset,
    /// Reset, but moved sliders and obstacles stay.
    ResetKeepEdits,
    /// Reset after a reload of all scripts.
    RestartWithNewCode,
    /// Set the speed against the clock.
    SetSpeed(Speed),
    /// Open a scene file.
    LoadScene(String),
    /// Write the scene to a file; none means where it came from.
    SaveScene(Option<String>),
    /// Look at all script files now, and put what passes into effect; state is kept.
    ReloadScripts,
    /// Put an earlier version of a script back.
    RollBack {
        /// File from the project folder.
        file: String,
        /// Version; none means the one before.
        version: Option<u32>,
    },

    /// Set a parameter.
    SetParam {
        /// Address as in `--set`.
        address: String,
        /// New value.
        value: ParamValue,
    },
    /// Set several parameters that belong together: one undo step.
    SetParams {
        /// What is done, for the history.
        what: String,
        /// Addresses and new values.
        values: Vec<(String, ParamValue)>,
    },
    /// Give a parameter back to scene and script.
    ResetParam(String),
    /// Give all parameters back to scene and script.
    ResetAllParams,
    /// Switch a force on or off.
    EnableForce {
        /// Address of the force, without parameter.
        address: String,
        /// Whether it acts.
        on: bool,
    },
    /// Put agents elsewhere; a drag sends many, `last` ends it (one undo step for a drag).
    MoveAgents {
        /// Who.
        agents: Vec<AgentKey>,
        /// By how much, in metres.
        by: DVec3,
        /// Whether the drag is over.
        last: bool,
    },
    /// Take agents out.
    RemoveAgents(Vec<AgentKey>),
    /// Put new agents in.
    SpawnAgents {
        /// Group.
        group: String,
        /// Center in metres.
        at: DVec3,
        /// How many.
        count: u32,
    },
    /// Put the frame of a formation elsewhere.
    MoveFormation {
        /// Group.
        group: String,
        /// Origin of the frame in metres.
        at: DVec3,
        /// Turn of the frame in radians.
        turn: f64,
        /// Whether the drag is over.
        last: bool,
    },
    /// Order a formation.
    Form {
        /// Group.
        group: String,
        /// Name of the formation.
        formation: String,
        /// Parameters that differ from the defaults.
        params: Vec<(String, f64)>,
    },
    /// Set the formation of a group in motion, or halt it.
    March {
        /// Group.
        group: String,
        /// Speed in m/s; 0 halts.
        speed: f64,
        /// Direction in radians from where the head looks.
        heading: f64,
        /// Wheeling of the frame in rad/s.
        turn: f64,
    },
    /// Lead the first agent of a group by hand; a pointer or key that steers sends one per pass at most.
    Lead {
        /// Group.
        group: String,
        /// Where to.
        lead: Lead,
    },
    /// Add an obstacle.
    AddObstacle(ObstacleSpec),
    /// Put an obstacle elsewhere.
    MoveObstacle {
        /// Id in the frame.
        id: u64,
        /// New place of its anchor in metres.
        to: DVec3,
        /// Whether the drag is over.
        last: bool,
    },
    /// Take an obstacle away.
    RemoveObstacle(u64),
    /// Open or close an obstacle.
    OpenObstacle {
        /// Id in the frame.
        id: u64,
        /// Whether agents may pass.
        open: bool,
    },
    /// Open or close the sources and stops of a name, and the obstacle of that name.
    OpenFlow {
        /// Name.
        name: String,
        /// Whether it opens.
        open: bool,
    },
    /// Press a button of a director.
    PressButton {
        /// Director.
        director: String,
        /// Event.
        name: String,
    },
    /// Send an event to a group.
    SendEvent {
        /// Group.
        group: String,
        /// Event.
        name: String,
        /// Value that goes with it.
        value: Option<f64>,
    },
    /// Take the last edit back.
    Undo,
    /// Bring it again.
    Redo,

    /// Publish all fields of one agent.
    Inspect(Option<AgentKey>),
    /// Collect what scripts draw.
    ShowDebug(bool),
    /// Publish whom forces see, and the cells of the neighbor grid.
    Watch(Watch),
    /// Plot a metric.
    WatchPlot(String),
    /// Do not plot a metric.
    UnwatchPlot(String),
    /// Take a problem off the list.
    DismissProblem(u64),
    /// Tune the position controller of an agent's body, beside the run; it changes nothing.
    Tune(TuneOrder),
    /// Stop long work.
    CancelWork,
    /// A line of the console: an address shows its value, `address = value` sets it.
    Evaluate(String),
}

/// An obstacle to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleSpec {
    /// Name; empty for one of the experiment's choosing.
    pub name: String,
    /// Its shape.
    pub shape: ObstacleShape,
}

/// Shape of a new obstacle, in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleShape {
    /// A disc.
    Disc {
        /// Center.
        at: DVec3,
        /// Radius.
        radius: f64,
    },
    /// A ball.
    Sphere {
        /// Center.
        at: DVec3,
        /// Radius.
        radius: f64,
    },
    /// A box along the axes.
    Box {
        /// Lower corner.
        min: DVec3,
        /// Upper corner.
        max: DVec3,
    },
    /// A straight wall.
    Wall {
        /// One end.
        from: DVec3,
        /// Other end.
        to: DVec3,
    },
    /// Connected walls.
    Polyline(Vec<DVec3>),
    /// A filled polygon.
    Polygon(Vec<DVec3>),
}

impl Command {
    /// What the command is called in menus, in the history and in the log.
    pub fn label(&self) -> String {
        match self {
            Self::Play => "Play".to_owned(),
            Self::Pause => "Pause".to_owned(),
            Self::TogglePlay => "Play or pause".to_owned(),
            Self::Step(1) => "Step".to_owned(),
            Self::Step(ticks) => format!("Step {ticks} ticks"),
            Self::Reset => "Reset".to_owned(),
            Self::ResetKeepEdits => "Reset, keep edits".to_owned(),
            Self::RestartWithNewCode => "Restart with new code".to_owned(),
            Self::SetSpeed(speed) => format!("Speed {speed}"),
            Self::LoadScene(path) => format!("Open {path}"),
            Self::SaveScene(None) => "Save scene".to_owned(),
            Self::SaveScene(Some(path)) => format!("Save scene as {path}"),
            Self::ReloadScripts => "Reload code, keep state".to_owned(),
            Self::RollBack { file, version: None } => format!("Put the version before back: {file}"),
            Self::RollBack { file, version: Some(version) } => format!("Put version {version} back: {file}"),
            Self::SetParam { address, .. } => format!("Set {address}"),
            Self::SetParams { what, .. } => what.clone(),
            Self::ResetParam(address) => format!("Reset {address}"),
            Self::ResetAllParams => "Reset all parameters".to_owned(),
            Self::EnableForce { address, on: true } => format!("Switch {address} on"),
            Self::EnableForce { address, on: false } => format!("Switch {address} off"),
            Self::MoveAgents { agents, .. } => format!("Move {}", agents_text(agents.len())),
            Self::RemoveAgents(agents) => format!("Remove {}", agents_text(agents.len())),
            Self::SpawnAgents { group, count, .. } => format!("Add {} to {group}", agents_text(*count as usize)),
            Self::MoveFormation { group, .. } => format!("Move the formation of {group}"),
            Self::Form { group, formation, .. } => format!("Form {formation} with {group}"),
            Self::March { group, speed, .. } if *speed > 0.0 => format!("Forward march: {group}, {speed} m/s"),
            Self::March { group, .. } => format!("Halt: {group}"),
            Self::Lead { group, lead: Lead::Release } => format!("Release {group}"),
            Self::Lead { group, .. } => format!("Lead {group}"),
            Self::AddObstacle(spec) => format!("Add {}", spec.shape.noun()),
            Self::MoveObstacle { .. } => "Move obstacle".to_owned(),
            Self::RemoveObstacle(_) => "Remove obstacle".to_owned(),
            Self::OpenObstacle { open: true, .. } => "Open obstacle".to_owned(),
            Self::OpenObstacle { open: false, .. } => "Close obstacle".to_owned(),
            Self::OpenFlow { name, open: true } => format!("Open {name}"),
            Self::OpenFlow { name, open: false } => format!("Close {name}"),
            Self::PressButton { director, name } => format!("{director}: {name}"),
            Self::SendEvent { group, name, .. } => format!("Send {name} to {group}"),
            Self::Undo => "Undo".to_owned(),
            Self::Redo => "Redo".to_owned(),
            Self::Inspect(Some(agent)) => format!("Inspect agent {agent}"),
            Self::Inspect(None) => "Inspect nobody".to_owned(),
            Self::ShowDebug(true) => "Show the debug layer".to_owned(),
            Self::ShowDebug(false) => "Hide the debug layer".to_owned(),
            Self::Watch(_) => "Watch senses and cells".to_owned(),
            Self::WatchPlot(id) => format!("Plot {id}"),
            Self::UnwatchPlot(id) => format!("Stop plotting {id}"),
            Self::DismissProblem(_) => "Dismiss problem".to_owned(),
            Self::Tune(order) => format!("Tune {}", order.group),
            Self::CancelWork => "Cancel".to_owned(),
            Self::Evaluate(line) => line.trim().to_owned(),
        }
    }

    /// Whether it is an edit of the scene: it marks the scene unsaved, and undo takes it back.
    pub fn undoable(&self) -> bool {
        matches!(
            self,
            Self::SetParam { .. }
                | Self::SetParams { .. }
                | Self::ResetParam(_)
                | Self::ResetAllParams
                | Self::EnableForce { .. }
                | Self::MoveAgents { .. }
                | Self::RemoveAgents(_)
                | Self::SpawnAgents { .. }
                | Self::MoveFormation { .. }
                | Self::AddObstacle(_)
                | Self::MoveObstacle { .. }
                | Self::RemoveObstacle(_)
                | Self::OpenObstacle { .. }
        )
    }

    /// Whether it changes what the simulation computes, so that it belongs on a tape.
    pub fn changes_run(&self) -> bool {
        self.undoable()
            || matches!(
                self,
                Self::Form { .. }
                    | Self::March { .. }
                    | Self::Lead { .. }
                    | Self::OpenFlow { .. }
                    | Self::PressButton { .. }
                    | Self::SendEvent { .. }
                    | Self::Undo
                    | Self::Redo
            )
    }

    /// Key of a drag or slider movement: consecutive commands with the same key are one undo step.
    pub fn merge_key(&self) -> Option<String> {
        match self {
            Self::SetParam { address, .. } => Some(format!("param {address}")),
            Self::MoveAgents { agents, .. } => Some(format!("agents {agents:?}")),
            Self::MoveFormation { group, .. } => Some(format!("formation {group}")),
            Self::MoveObstacle { id, .. } => Some(format!("obstacle {id}")),
            _ => None,
        }
    }
}

impl ObstacleShape {
    /// What it is called.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Disc { .. } => "disc",
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Wall { .. } => "wall",
            Self::Polyline(_) => "polyline",
            Self::Polygon(_) => "polygon",
        }
    }
}

fn agents_text(count: usize) -> String {
    match count {
        1 => "1 agent".to_owned(),
        count => format!("{count} agents"),
    }
}
