//! A group: agents that share a body, a mind and a formation.

use super::body::BodyField;
use super::{AgentId, BodySpec, GroupId, UpdateRate};
use glam::DVec3;

/// The place that a formation gives an agent, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its number in the formation; 0 is the head.
    pub index: u32,
    /// Where it is, metres.
    pub position: DVec3,
    /// How it moves, m/s.
    pub velocity: DVec3,
    /// Where its occupant looks, radians.
    pub heading: f64,
    /// How that turns, rad/s.
    pub turn_rate: f64,
    /// From where and how long its occupant goes there, in step with the others.
    pub way: Way,
}

/// The way to a place that all of a group go in the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Way {
    /// Where the agent was when it got the place, metres.
    pub from: DVec3,
    /// The tick of that.
    pub began: u64,
    /// How long the way takes, seconds; 0: it is over.
    pub secs: f64,
}

/// What all agents of a group have in common.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its id, the index in the scene's list.
    pub id: GroupId,
    /// Its name, unique in the scene.
    pub name: String,
    /// Slots of its living agents, ascending.
    pub members: Vec<u32>,
    /// The body that new members get, before their spread.
    pub body: BodySpec,
    /// Points its agents go through in turn, metres.
    pub route: Vec<DVec3>,
    /// Where its agents want to be, unless they have a goal of their own.
    pub goal: Option<DVec3>,
    /// The group whose first living agent leads this one.
    pub leader: Option<GroupId>,
    /// Numbers of single agents' bodies, whatever the group has.
    pub own: Vec<(AgentId, BodyField, f64)>,
    /// Standard deviation of the sensed position, metres per axis, and of the sensed heading, radians.
    pub sensor_noise: (f64, f64),
    /// The most neighbors an agent takes into account.
    pub max_neighbors: Option<usize>,
    /// How often its agents decide.
    pub update: UpdateRate,
    /// Mean delay of the command network, seconds.
    pub network_delay: f64,
    /// Agents this group has had that were removed at the edge of the world.
    pub left_world: u64,
}

impl Group {
    /// An empty group.
    #[must_use]
    pub fn new(id: GroupId, name: impl Into<String>, body: BodySpec) -> Self {
        Self {
            id,
            name: name.into(),
            members: Vec::new(),
            body,
            route: Vec::new(),
            goal: None,
            leader: None,
            own: Vec::new(),
            sensor_noise: (0.0, 0.0),
            max_neighbors: None,
            update: UpdateRate::default(),
            network_delay: 0.0,
            left_world: 0,
        }
    }
}
