//! The trait of all minds: a frozen world in, intents out, for a whole group at once.

use super::{AgentId, Errand, Group, GroupId, Value, Workers, World};
use glam::DVec3;
use std::sync::Arc;

/// What the sum of an agent's forces means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// An acceleration, m/s².
    #[default]
    Acceleration,
    /// A commanded velocity, m/s.
    Velocity,
}

/// Limits that a state puts in the place of the body's while it lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Speed, m/s.
    pub max_speed: Option<f64>,
    /// Acceleration, m/s².
    pub max_acceleration: Option<f64>,
    /// Turn rate, rad/s.
    pub turn_rate: Option<f64>,
}

/// What one agent wants in this tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intent {
    /// The sum of its forces, m/s² or m/s after `control`.
    pub push: DVec3,
    /// The turn rate it asks for, rad/s; none leaves the heading to the body.
    pub turn: Option<f64>,
    /// What `push` means.
    pub control: Control,
    /// Limits of its state.
    pub limits: Limits,
    /// Its leaf state after this tick's transition, an index into [`Mind::states`].
    pub state: u16,
    /// Set when the state was entered in this tick, also when a state entered itself again.
    pub entered: bool,
}

/// An act that a mind asks for; it is done at the start of the next tick, in the order of agents.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    /// The agent's goal becomes this point; `None` forgets the goal.
    Go(AgentId, Option<DVec3>),
    /// The agent leaves the world.
    Remove(AgentId),
    /// Another journey for the agent, or on with it.
    Travel(AgentId, Errand),
    /// A message to one agent or to all of a group (by name).
    Send {
        /// Who sends.
        from: AgentId,
        /// To whom.
        to: Recipient,
        /// The name of the event that it raises.
        name: String,
        /// What it carries.
        value: Option<Value>,
    },
}

/// Who gets a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// One agent.
    Agent(AgentId),
    /// Every agent of a group.
    Group(String),
}

/// Something went wrong in one agent's native computation. The agent goes into quarantine, the others act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose.
    pub agent: AgentId,
    /// The force or stage that produced it.
    pub source: String,
    /// What it is.
    pub message: String,
}

/// All that a group wants in one tick: buffers that are reused.
///
/// Either a row per member, or, from minds whose members differ in nothing but their push ([`Mind::alike`]), the pushes and
/// what all have in common. [`Self::get`] reads both.
#[derive(Clone, Debug, Default)]
pub struct Intents {
    /// One per member, in the order of [`Group::members`].
    pub rows: Vec<Intent>,
    /// What all members have in common, where `pushes` stand instead of rows.
    pub common: Intent,
    /// One per member, m/s² or m/s after `common.control`.
    pub pushes: Vec<DVec3>,
    /// Where native forces want each member to go, m/s: zero to be where it is, NaN where it did not decide; empty where no
    /// force leads anywhere.
    pub wishes: Vec<DVec3>,
    /// Acts in the order of agents.
    pub acts: Vec<Act>,
    /// Faults of native code in the order of agents.
    pub faults: Vec<Fault>,
}

impl Intents {
    /// Makes ready for `count` members: rows at their defaults, nothing queued.
    pub fn reset(&mut self, count: usize) {
        self.clear();
        self.rows.resize(count, Intent::default());
    }

    /// Nothing wanted, nothing queued.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.pushes.clear();
        self.wishes.clear();
        self.common = Intent::default();
        self.acts.clear();
        self.faults.clear();
    }

    /// What a member wants; none beyond the last one.
    #[inline]
    pub fn get(&self, member: usize) -> Option<Intent> {
        if let Some(row) = self.rows.get(member) {
            return Some(*row);
        }
        self.pushes.get(member).map(|push| Intent { push: *push, ..self.common })
    }

    /// As [`Self::get`], without a copy: the push, and the rest (whose own push says nothing).
    #[inline]
    pub(super) fn want(&self, member: usize) -> Option<(DVec3, &Intent)> {
        if let Some(row) = self.rows.get(member) {
            return Some((row.push, row));
        }
        self.pushes.get(member).map(|push| (*push, &self.common))
    }

    /// What all members want, in their order.
    pub fn each(&self) -> impl Iterator<Item = Intent> + '_ {
        (0..self.rows.len().max(self.pushes.len())).filter_map(|member| self.get(member))
    }
}

/// What decides for the agents of a group. Native behaviors and the script host implement it.
///
/// A mind reads the frozen world only; nothing that it does changes the world before all minds have decided, so the order
/// of agents and groups never shows. State that a mind keeps per agent is indexed by slot and starts anew when the
/// generation of the slot changes.
pub trait Mind: Send {
    /// Fills `out` (already reset to one row per member) for all members of `group`. A mind that hands the world to another
    /// thread gets its clone of the `Arc` back before it returns.
    fn decide(&mut self, world: &Arc<World>, group: GroupId, workers: &Workers, out: &mut Intents);

    /// Writes one number per member: a hash of what the mind keeps for it (machine states, hold counters, declared memory,
    /// integrators), in the order of [`Group::members`].
    fn digest(&mut self, world: &Arc<World>, group: &Group, out: &mut Vec<u64>);

    /// Names of the leaf states, dotted when nested; at least one (empty for a plain behavior).
    fn states(&self) -> &[String];

    /// Whether it may ask for a turn rate. Bodies with automatic heading follow their velocity otherwise.
    fn turns(&self) -> bool;

    /// The largest distance within which it asks for neighbors as a rule, metres: the tick lays the neighbor cells after the
    /// largest of all minds. 0 says nothing.
    fn reach(&self) -> f64 {
        0.0
    }

    /// Whether its members differ in nothing but what they push in this tick: then `decide` gets `out` without rows and
    /// fills [`Intents::pushes`] and [`Intents::common`], which is less to write and to read.
    fn alike(&self) -> bool {
        false
    }

    /// What its sums mean (a state may differ).
    fn control(&self) -> Control;
}
