//! Agents: the columns of all, and what the inspector shows of one.

use glam::DVec3;

use super::AgentKey;

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
