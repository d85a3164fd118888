//! What goes to the machine's thread and what comes back: owned data only.

use std::sync::Arc;

use glam::DVec3;

use super::plan::Plan;
use crate::machine::program::Program;
use crate::scene::problem::Problem;
use crate::sim::{Act, AgentId};
use crate::steer::param::Value;

/// A program of a group and the values of its sliders.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The group, by its place in the scene.
    pub group: usize,
    /// Its name, for messages.
    pub name: String,
    /// The program.
    pub program: Arc<Program>,
    /// One value per slider.
    pub values: Vec<Value>,
}

/// What a binding came to: how to read the answers.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The analysis of the program.
    pub plan: Arc<Plan>,
}

/// A line of `yard.log`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// `file:line` of the call, if known.
    pub place: String,
    /// The text.
    pub text: String,
}

/// Something that a script drew.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// `line`, `arrow`, `circle`, `point` or `text`.
    pub kind: String,
    /// Where, or from where, metres.
    pub from: DVec3,
    /// Where to, metres.
    pub to: DVec3,
    /// Metres.
    pub radius: f64,
    /// Index into the category palette.
    pub color: usize,
    /// What is written.
    pub text: String,
}

/// A transition that an agent made in this tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Line of the program, counted through all nodes, from 0.
    pub line: usize,
    /// Whose.
    pub agent: AgentId,
}

/// A callback that was stopped by time or memory: an event of the tape, for the clock is no part of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Whose.
    pub agent: AgentId,
    /// Number of the callback in the group's program.
    pub callback: usize,
    /// `time` or `memory`.
    pub code: &'static str,
}

/// What scripts left beside their answers.
#[derive(Clone, Debug, Default)]
pub struct Leavings {
    /// Problems, each callback's first one with the number of agents.
    pub problems: Vec<Problem>,
    /// Callbacks that faulted in this call.
    pub faults: usize,
    /// Stops by time or memory among them.
    pub stops: Vec<Stop>,
    /// Log lines.
    pub log: Vec<Note>,
    /// Plotted numbers.
    pub plots: Vec<(String, f64)>,
    /// Drawn marks.
    pub marks: Vec<Mark>,
    /// Transitions.
    pub passages: Vec<Passage>,
}

impl Leavings {
    /// Takes over what another call left.
    pub fn append(&mut self, mut other: Self) {
        for problem in other.problems.drain(..) {
            problem.add_to(&mut self.problems);
        }
        self.faults += other.faults;
        self.stops.append(&mut other.stops);
        self.log.append(&mut other.log);
        self.plots.append(&mut other.plots);
        self.marks.append(&mut other.marks);
        self.passages.append(&mut other.passages);
    }
}

/// The answer for one group and tick.
#[derive(Clone, Debug, Default)]
pub struct Decision {
    /// One output row per member, as [`Plan`] lays them out.
    pub rows: Vec<u8>,
    /// Texts that rows refer to by number.
    pub texts: Vec<String>,
    /// Acts in the order of agents.
    pub acts: Vec<Act>,
    /// The rest.
    pub leavings: Leavings,
}

/// Whom a director's command means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// One agent.
    Agent(AgentId),
    /// A group.
    Group(String),
}

/// What a director orders, in the order of its calls. It is done before the next sense, with origin `script`.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectorCommand {
    /// New agents.
    Spawn {
        /// Their group.
        group: String,
        /// Center, metres.
        at: DVec3,
        /// They stand within this of it, metres.
        radius: f64,
        /// Parameters given.
        params: Vec<(String, Value)>,
        /// The ids that they will get, in order.
        ids: Vec<AgentId>,
    },
    /// An agent, or all of a group, leave.
    Remove(Whom),
    /// An event.
    Send {
        /// For whom.
        to: Whom,
        /// Its name.
        name: String,
        /// What it carries.
        value: Option<Value>,
    },
    /// A formation.
    Form {
        /// For which group.
        group: String,
        /// Which.
        formation: String,
        /// Parameters that differ from the defaults.
        params: Vec<(String, Value)>,
    },
    /// A march.
    March {
        /// Which group.
        group: String,
        /// m/s; 0 halts.
        speed: f64,
        /// rad/s.
        turn: f64,
    },
    /// A slider.
    Set {
        /// Its address.
        address: String,
        /// Its new value.
        value: Value,
    },
    /// A door opens.
    Open(String),
    /// A door closes.
    Close(String),
    /// A new obstacle.
    Place {
        /// Its name.
        name: String,
        /// `disc`, `box`, `wall`, …
        kind: String,
        /// Fields that hold one value.
        values: Vec<(String, Value)>,
        /// `points`, if the shape has them.
        points: Vec<DVec3>,
    },
    /// An obstacle moves.
    Move {
        /// Its name.
        name: String,
        /// Where to, metres.
        to: DVec3,
    },
}

/// A command and the line of the script that gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectorOrder {
    /// What is to be done.
    pub command: DirectorCommand,
    /// `file:line`; empty where that is not known.
    pub place: String,
}

/// What the directors of a scene did in one tick.
#[derive(Clone, Debug, Default)]
pub struct Direction {
    /// Commands in order.
    pub commands: Vec<DirectorOrder>,
    /// The rest.
    pub leavings: Leavings,
}

/// An event for a director: a button or a command of the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Press {
    /// Which director; empty for all.
    pub director: String,
    /// Name of the event.
    pub name: String,
    /// What it carries.
    pub value: Option<Value>,
}
