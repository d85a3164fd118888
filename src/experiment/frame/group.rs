//! Groups: their states, formation and contract.

use glam::DVec3;

use super::{AgentKey, NetworkView};

/// How the body of a group is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyShape {
    /// Soldiers and everything else.
    #[default]
    Chevron,
    /// Fish, with a tail.
    Fish,
    /// What fish flee from: a larger, heavier fish.
    Predator,
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
    /// Agents that come no nearer to where they want to be, or ask to move and do not get on.
    pub stuck: usize,
    /// What the watchdog of progress saw, if anybody ever got stuck.
    pub progress: Option<crate::experiment::progress::ProgressRun>,
    /// How the places of the formation were given out.
    pub assignment: Option<std::sync::Arc<crate::experiment::apart::AssignmentRun>>,
    /// Whether another group follows its first agent.
    pub leads: bool,
    /// Speed limit of its body, m/s.
    pub max_speed: f64,
    /// What the last command cost so far, if there was one.
    pub command: Option<crate::experiment::counting::CommandCount>,
    /// Its network, if it has one.
    pub network: Option<NetworkView>,
    /// Way points in metres.
    pub route: Vec<DVec3>,
    /// Goal in metres.
    pub goal: Option<DVec3>,
    /// Noise of the position that its agents sense, m.
    pub noise: f64,
    /// Sliders that come first in the panel Parameters, in that order.
    pub panel: Vec<PanelRow>,
    /// Events that its machine or the handlers of its scripts name, in alphabetical order.
    pub events: Vec<String>,
}

/// A slider that comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelRow {
    /// Whole address.
    pub address: String,
    /// What it is called.
    pub label: String,
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
