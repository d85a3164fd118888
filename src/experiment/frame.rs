//! What the panels see: one immutable picture of the running experiment, published as `Arc<Frame>`.
//!
//! It knows nothing of how it is drawn. Parts that change rarely are shared by `Arc`, so that publishing is cheap;
//! the columns of the agents are compact (living agents only), in ascending order of [`AgentKey`].

use std::sync::Arc;
use std::time::Instant;

use glam::DVec3;

pub use super::tuner::TuningView;
use crate::comms::Status;
use crate::scene::problem::{Problem, Severity};
use crate::sim::AgentId;

/// An agent as the front ends name it: slot in the upper, generation in the lower half, so that keys sort like ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentKey(u64);

impl AgentKey {
    /// The key of the agent that lives in `slot` in its `generation`.
    pub fn new(slot: u32, generation: u32) -> Self {
        Self((u64::from(slot) << 32) | u64::from(generation))
    }

    /// Index into the columns of the world.
    pub fn slot(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// How many agents have lived in the slot before.
    pub fn generation(self) -> u32 {
        self.0 as u32
    }

    /// The id as scripts and reports write it: `slot + 1 + generation / 1e6`; 0 would be nobody.
    pub fn number(self) -> f64 {
        f64::from(self.slot()) + 1.0 + f64::from(self.generation()) / 1e6
    }
}

impl AgentKey {
    /// The key of the agent that scripts and reports call `number`; none for 0 and for what is no id.
    pub fn from_number(number: f64) -> Option<Self> {
        let whole = number.floor();
        if !(whole >= 1.0 && whole <= f64::from(u32::MAX)) {
            return None;
        }
        Some(Self::new(whole as u32 - 1, ((number - whole) * 1e6).round() as u32))
    }

    /// The id in the world.
    pub fn id(self) -> AgentId {
        AgentId { slot: self.slot(), generation: self.generation() }
    }
}

impl From<AgentId> for AgentKey {
    fn from(id: AgentId) -> Self {
        Self::new(id.slot, id.generation)
    }
}

impl std::fmt::Display for AgentKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.generation() {
            0 => write!(f, "{}", self.slot() + 1),
            generation => write!(f, "{}.{generation:06}", self.slot() + 1),
        }
    }
}

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

/// Columns of the living agents: all of equal length, ascending by key.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    /// Who.
    pub key: Vec<AgentKey>,
    /// Where, in metres.
    pub position: Vec<DVec3>,
    /// How fast, in m/s.
    pub velocity: Vec<DVec3>,
    /// Radians, counter-clockwise from +x.
    pub heading: Vec<f64>,
    /// Radius of the body in metres.
    pub radius: Vec<f32>,
    /// Index into `Frame::groups`.
    pub group: Vec<u16>,
    /// Index into `GroupView::states`; `u16::MAX` without a machine.
    pub state: Vec<u16>,
    /// The place in the formation.
    pub slot: Vec<Option<SlotPose>>,
    /// Distance to the place in metres; 0 without one.
    pub slot_error: Vec<f32>,
    /// Taken out of the run because its state was not finite.
    pub quarantined: Vec<bool>,
}

impl Agents {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// Row of an agent in the columns.
    pub fn row(&self, key: AgentKey) -> Option<usize> {
        self.key.binary_search(&key).ok()
    }
}

/// A place in a formation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotPose {
    /// Metres.
    pub position: DVec3,
    /// Radians.
    pub heading: f64,
}

/// Every field of one agent, as text with unit, and what moves it.
#[derive(Clone, Debug, Default)]
pub struct Inspected {
    /// Who.
    pub key: AgentKey,
    /// Name of its group.
    pub group: String,
    /// Name of its behavior or machine.
    pub behavior: String,
    /// Name of its state ("calm.idle" when nested); empty without a machine.
    pub state: String,
    /// Fields of the body and the senses.
    pub fields: Vec<FieldView>,
    /// Declared memory of the scripts.
    pub memory: Vec<FieldView>,
    /// What each force contributes.
    pub forces: Vec<ForceArrow>,
    /// Its neighbors, for links.
    pub neighbors: Vec<AgentKey>,
    /// Last transitions, newest last.
    pub trace: Vec<TraceLine>,
    /// Whether it asks to move and does not get on.
    pub stuck: bool,
}

/// One field in the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldView {
    /// Name as scripts write it.
    pub name: String,
    /// Value as shown, fixed decimals.
    pub value: String,
    /// Unit; empty if it has none.
    pub unit: String,
    /// One line of help.
    pub about: String,
}

/// What one force does to one agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceArrow {
    /// Name of the force in the blend.
    pub name: String,
    /// Weighted contribution.
    pub push: DVec3,
    /// "m/s²" or "m/s".
    pub unit: &'static str,
}

/// One change of state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// When.
    pub tick: u64,
    /// Label of the line of the machine, e.g. "any → avoid".
    pub label: String,
}

/// How the body of a group is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyShape {
    /// Soldiers and everything else.
    #[default]
    Chevron,
    /// Fish, with a tail.
    Fish,
    /// Drones.
    Quad,
    /// People: a disc with a nose.
    Disc,
}

/// One group.
#[derive(Clone, Debug, Default)]
pub struct GroupView {
    /// Name in addresses.
    pub name: String,
    /// Living agents.
    pub count: usize,
    /// Behavior or machine.
    pub behavior: String,
    /// "acceleration" or "velocity".
    pub control: &'static str,
    /// How its bodies look.
    pub shape: BodyShape,
    /// Formation ordered last, if any.
    pub formation: Option<FormationView>,
    /// Contract of the formation with live values, if the group has one.
    pub contract: Option<ContractView>,
    /// States of the machine with counts; `Agents::state` indexes this list.
    pub states: Vec<StateCount>,
    /// Lines of the machine with counts.
    pub transitions: Vec<TransitionCount>,
    /// Agents with more than two transitions in the last second.
    pub flapping: usize,
    /// Agents that ask to move and do not get on.
    pub stuck: usize,
    /// What the last command cost so far, if there was one.
    pub command: Option<super::counting::CommandCount>,
    /// Its network, if it has one.
    pub network: Option<NetworkView>,
    /// Way points in metres.
    pub route: Vec<DVec3>,
    /// Goal in metres.
    pub goal: Option<DVec3>,
    /// Noise of the position that its agents sense, m.
    pub noise: f64,
    /// Events that its machine or the handlers of its scripts name, in alphabetical order.
    pub events: Vec<String>,
}

/// How the messages to a group fare, of those that are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkView {
    /// Messages, one per agent.
    pub messages: usize,
    /// Sends of them, with those sent again.
    pub sends: u64,
    /// Nobody knows of yet.
    pub under_way: usize,
    /// The agent has it and the sender does not know.
    pub delivered: usize,
    /// The agent has it and the sender knows.
    pub acknowledged: usize,
    /// Given up.
    pub failed: usize,
    /// Agents that did not answer to the last send.
    pub offline: usize,
    /// The longest smoothed round trip, s.
    pub slowest: Option<f64>,
}

/// How many messages of an order stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderCounts([usize; 4]);

impl OrderCounts {
    /// One more with this status.
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// Messages with this status.
    pub fn of(self, status: Status) -> usize {
        self.0[status as usize]
    }

    /// All messages.
    pub fn total(self) -> usize {
        self.0.iter().sum()
    }
}

/// Messages of one name that were sent to a group at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderView {
    /// Number of its first message; stable while the log keeps it.
    pub number: u64,
    /// Index into `Frame::groups`; none for agents that are gone.
    pub group: Option<usize>,
    /// Name of the event.
    pub name: String,
    /// When it was sent, s.
    pub sent_at: f64,
    /// Where its messages stand.
    pub counts: OrderCounts,
    /// Messages that their agent has, whatever the sender knows of it.
    pub arrived: usize,
    /// The messages, as far as the frame carries them.
    pub rows: Vec<DeliveryView>,
}

/// A message to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DeliveryView {
    /// To whom.
    pub to: AgentKey,
    /// Sends so far.
    pub sends: u32,
    /// From the first send until the agent had it, s.
    pub delivered_after: Option<f64>,
    /// From the first send until the sender knew, s.
    pub acknowledged_after: Option<f64>,
    /// Where it stands.
    pub status: Status,
}

/// What is known of the link to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkView {
    /// The agent.
    pub agent: AgentKey,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// Time that the last message took, s.
    pub one_way: Option<f64>,
    /// Message and answer, smoothed, s.
    pub round_trip: Option<f64>,
    /// Time without an answer until a message is sent again, s.
    pub wait: f64,
    /// It did not answer to the last send.
    pub offline: bool,
}

/// A formation in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormationView {
    /// Name of the definition.
    pub name: String,
    /// Where the frame's origin lies, in metres.
    pub origin: DVec3,
    /// Where the head stands, in metres; drawn as the handle that can be dragged.
    pub head: DVec3,
    /// How far the frame is turned, in radians.
    pub turn: f64,
    /// How fast the frame walks now, in m/s.
    pub speed: f64,
    /// Two ends of the base line in metres.
    pub base_line: Option<(DVec3, DVec3)>,
}

/// A contract with its live values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContractView {
    /// Its terms: spacing, cross_track, heading, heading_sd, settle.
    pub terms: Vec<TermView>,
    /// Whether all hold; none before anything was measured.
    pub ok: Option<bool>,
    /// Time since when all hold, in simulated seconds.
    pub settled_at: Option<f64>,
}

/// One term of a contract.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TermView {
    /// Name.
    pub name: String,
    /// Unit as shown ("m", "°", "s").
    pub unit: &'static str,
    /// What is allowed.
    pub limit: f64,
    /// What is; none before anything was measured.
    pub value: Option<f64>,
    /// Whether it holds.
    pub ok: Option<bool>,
    /// Since when it holds, or does not, in s; changes of fewer than 5 ticks do not count.
    pub since: Option<f64>,
    /// The agents that break it, worst first: who, by how much (in the unit shown), since when in s.
    pub by: Vec<(AgentKey, f64, f64)>,
}

/// A state and how many are in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateCount {
    /// Name.
    pub name: String,
    /// Agents in it.
    pub count: usize,
}

/// A line of a machine and how often it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransitionCount {
    /// Label ("any → avoid").
    pub label: String,
    /// How often it was taken.
    pub count: u64,
}

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// A number in the parameter's unit.
    Number(f64),
    /// On or off.
    Flag(bool),
    /// A vector in the parameter's unit.
    Vector(DVec3),
    /// A word, often one of `Param::options`.
    Text(String),
}

/// Where the value of a parameter comes from; later ones win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ValueSource {
    /// The default of the script or of the native definition.
    #[default]
    Script,
    /// The scene file.
    Scene,
    /// `--set` on the command line.
    CommandLine,
    /// The window.
    User,
}

/// Part of the parameter panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Weights and parameters of forces.
    #[default]
    Forces,
    /// Parameters of behaviors and machines: `p`, thresholds, limits.
    Behavior,
    /// Parameters of the formation.
    Formation,
    /// The body.
    Body,
    /// Limits of the contract.
    Contract,
    /// The network, the sensors, everything else.
    Other,
}

/// One parameter, one control.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Address as in `--set`, e.g. "drill.aligning.track_slot.k1".
    pub address: String,
    /// Short name, e.g. "k1".
    pub label: String,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// State it belongs to, for machines.
    pub state: Option<String>,
    /// Name of the force it belongs to.
    pub force: Option<String>,
    /// Where it is shown.
    pub section: Section,
    /// The value in effect.
    pub value: ParamValue,
    /// What a reset gives.
    pub default: ParamValue,
    /// Smallest value, if bounded.
    pub min: Option<f64>,
    /// Largest value, if bounded.
    pub max: Option<f64>,
    /// Unit; empty without.
    pub unit: String,
    /// One line of help.
    pub about: String,
    /// Words to choose from.
    pub options: Vec<String>,
    /// Where the value comes from.
    pub source: ValueSource,
    /// A binding such as "p.clear" or "memory.leg": shown, not edited.
    pub bound: Option<String>,
}

/// A force that can be switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceView {
    /// Address without parameter, e.g. "drones.form.separation".
    pub address: String,
    /// Name in the blend.
    pub name: String,
    /// Index into `Frame::groups`.
    pub group: usize,
    /// State, for machines.
    pub state: Option<String>,
    /// Whether it acts.
    pub enabled: bool,
    /// One line of help.
    pub about: String,
}

/// An obstacle as drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleView {
    /// Id in commands.
    pub id: u64,
    /// Name; empty if it has none.
    pub name: String,
    /// "disc", "sphere", "box", "wall", "polyline" or "polygon".
    pub kind: &'static str,
    /// Outlines in metres; the first is the outside, others are holes.
    pub outlines: Arc<[Vec<DVec3>]>,
    /// Whether outlines are closed (and filled).
    pub closed: bool,
    /// Open obstacles let everybody through.
    pub open: bool,
    /// Where it is held when dragged, in metres.
    pub anchor: DVec3,
    /// Height above the ground for perspective views, in metres.
    pub height: f64,
}

/// A metric over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// "group.metric".
    pub id: String,
    /// Metric without group: series with the same metric share one plot.
    pub metric: String,
    /// Name of the group.
    pub group: String,
    /// Unit.
    pub unit: String,
    /// One line on the definition.
    pub about: String,
    /// Index into the palette; the same metric has the same color everywhere.
    pub color: usize,
    /// Time in s and value, ascending in time; peaks are kept when thinned; a NaN is a gap.
    pub points: Arc<[[f64; 2]]>,
    /// Value at this tick.
    pub last: Option<f64>,
    /// Limit of the contract.
    pub limit: Option<f64>,
    /// When commands were issued and when all terms held again.
    pub settles: Arc<[SettleMark]>,
}

/// A settling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettleMark {
    /// When the command was issued, in s.
    pub ordered_at: f64,
    /// What was ordered.
    pub command: String,
    /// When all terms held; none while they do not.
    pub settled_at: Option<f64>,
}

/// A metric that can be plotted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricInfo {
    /// "group.metric".
    pub id: String,
    /// Unit.
    pub unit: String,
    /// One line on the definition.
    pub about: String,
    /// Whether it is plotted now.
    pub watched: bool,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Worth knowing.
    #[default]
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something does not act.
    Error,
}

/// A problem as listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemView {
    /// Handle for `Command::DismissProblem`; stable while the problem stands.
    pub id: u64,
    /// How bad.
    pub level: Level,
    /// Short code, e.g. "script.fault".
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// File from the project folder.
    pub file: Option<String>,
    /// Line from 1.
    pub line: Option<u32>,
    /// Column from 1.
    pub column: Option<u32>,
    /// Source lines around, already numbered; the marked line starts with ">".
    pub excerpt: Option<String>,
    /// Traceback, if there is one.
    pub traceback: Option<String>,
    /// Callback, e.g. "step" or "compute of force shy".
    pub callback: Option<String>,
    /// Group.
    pub group: Option<String>,
    /// First agent it happened to.
    pub agent: Option<AgentKey>,
    /// First tick.
    pub tick: Option<u64>,
    /// How often.
    pub count: u64,
}

impl ProblemView {
    /// How a problem is listed under the handle `id`.
    pub fn new(id: u64, problem: &Problem) -> Self {
        Self {
            id,
            level: problem.severity.into(),
            code: problem.code.clone(),
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            file: problem.file.clone(),
            line: problem.line,
            column: problem.column,
            excerpt: problem.excerpt.clone(),
            traceback: problem.traceback.clone(),
            callback: problem.callback.clone(),
            group: problem.group.clone(),
            agent: problem.agent.and_then(AgentKey::from_number),
            tick: problem.tick,
            count: u64::from(problem.count),
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogLine {
    /// Grows by one with each line of the run, so that a front end knows which are new.
    pub serial: u64,
    /// Simulated time in s.
    pub time: f64,
    /// How important.
    pub level: Level,
    /// Whether it deserves a toast.
    pub toast: bool,
    /// Who says it ("scene", "script", "reload", "user", …).
    pub source: String,
    /// What.
    pub text: String,
}

/// A button that a director offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectorButton {
    /// Director.
    pub director: String,
    /// Name of the event.
    pub name: String,
}

/// A script in effect.
#[derive(Clone, Debug)]
pub struct ScriptView {
    /// File from the project folder.
    pub file: String,
    /// "behavior", "machine", "formation", …, "module".
    pub kind: String,
    /// Name of the definition.
    pub name: String,
    /// Counts from 1.
    pub version: u32,
    /// Short content hash.
    pub hash: String,
    /// When this version came into effect.
    pub since: Instant,
    /// Whether the file says the same.
    pub status: ScriptStatus,
    /// Earlier versions that can be put back, newest first.
    pub earlier: Vec<u32>,
    /// Whether something in the scene uses it.
    pub used: bool,
}

/// Whether a script's file and the code in effect agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ScriptStatus {
    /// They agree.
    #[default]
    Current,
    /// The file has changed and is being checked.
    Editing,
    /// The file has problems; the old code runs on.
    Broken,
    /// An older version was put back.
    RolledBack,
}

/// A scene in the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneEntry {
    /// File.
    pub path: String,
    /// Title.
    pub title: String,
    /// One line.
    pub about: String,
    /// Project or plugin it belongs to.
    pub origin: String,
}

/// Something with a name that scenes and scripts can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// "behavior", "machine", "formation", "force", "metric" or "director".
    pub kind: String,
    /// Name.
    pub name: String,
    /// One line.
    pub about: String,
    /// "native", "project" or the plugin.
    pub origin: String,
}

/// A plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginView {
    /// Name.
    pub name: String,
    /// Version from the manifest.
    pub version: String,
    /// One line.
    pub about: String,
    /// Folder.
    pub path: String,
    /// Names it defines.
    pub definitions: Vec<String>,
    /// Why it does not work, if it does not.
    pub problem: Option<String>,
}

/// What a script drew.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// A line through points in metres.
    Line {
        /// Points.
        points: Vec<DVec3>,
        /// Index into the category palette.
        color: usize,
    },
    /// An arrow in metres.
    Arrow {
        /// Tail.
        from: DVec3,
        /// Vector.
        vector: DVec3,
        /// Index into the category palette.
        color: usize,
    },
    /// A circle in metres.
    Circle {
        /// Center.
        at: DVec3,
        /// Radius.
        radius: f64,
        /// Index into the category palette.
        color: usize,
    },
    /// Text.
    Text {
        /// Where.
        at: DVec3,
        /// What.
        text: String,
        /// Index into the category palette.
        color: usize,
    },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_like_ids_and_survive_being_numbers() {
        assert!(AgentKey::new(3, 9) < AgentKey::new(4, 0));
        for key in [AgentKey::new(0, 0), AgentKey::new(11, 1), AgentKey::new(99_999, 123)] {
            assert_eq!(AgentKey::from_number(key.number()), Some(key));
        }
        assert_eq!(AgentKey::from_number(0.0), None);
        assert_eq!(AgentKey::from_number(f64::NAN), None);
        assert_eq!(AgentKey::new(11, 1).to_string(), "12.000001");
    }
}
