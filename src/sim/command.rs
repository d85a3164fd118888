//! What can be done to a world from outside, always between ticks; refused where it would put nonsense into the core.

use super::obstacle::{ObstacleError, ObstacleId, Shape};
use super::{AgentId, Avoid, BodySpec, Event, GroupId, Place, UpdateRate, Value, body::BodyField};
use glam::DVec3;

/// A change of the world.
#[derive(Clone, Debug, PartialEq)]
pub enum SimCommand {
    /// A new agent; the reply names it.
    Spawn {
        /// Its group.
        group: GroupId,
        /// Where, metres.
        position: DVec3,
        /// Heading, radians.
        heading: f64,
        /// m/s.
        velocity: DVec3,
    },
    /// An agent leaves.
    Remove(AgentId),
    /// An agent is put somewhere, at rest.
    Put(AgentId, DVec3),
    /// An agent is where somebody else says, moving as they say: it follows a record, not its forces.
    Pose {
        /// Who.
        agent: AgentId,
        /// Where, metres.
        position: DVec3,
        /// m/s.
        velocity: DVec3,
        /// Heading, radians.
        heading: f64,
    },
    /// An agent gets or loses a place of a formation.
    SetPlace(AgentId, Option<Place>),
    /// An agent gets or loses a goal of its own.
    SetGoal(AgentId, Option<DVec3>),
    /// An agent hears something in the coming tick.
    Tell(Event),
    /// A number of a group's body changes, for all members.
    SetBody(GroupId, BodyField, f64),
    /// Another avoidance for all members of a group, or none.
    SetAvoid(GroupId, Option<Avoid>),
    /// How often the agents of a group decide.
    SetUpdate(GroupId, UpdateRate),
    /// A number of one agent's body, whatever its group has.
    SetOwnBody(AgentId, BodyField, f64),
    /// How long a command takes to an agent, seconds.
    SetLinkDelay(AgentId, f64),
    /// A new obstacle; the reply names it.
    AddObstacle(String, Shape),
    /// An obstacle moves so that its anchor is there.
    MoveObstacle(ObstacleId, DVec3),
    /// An obstacle gets another shape.
    ReplaceObstacle(ObstacleId, Shape),
    /// An obstacle goes.
    RemoveObstacle(ObstacleId),
    /// A door opens (true) or closes.
    OpenObstacle(ObstacleId, bool),
    /// An agent leaves quarantine and acts again.
    Release(AgentId),
}

/// What a command made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// Nothing new.
    Done,
    /// This agent.
    Agent(AgentId),
    /// This obstacle.
    Obstacle(ObstacleId),
}

/// Why a command was refused. The world is as before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimError {
    /// A number is not finite or absurdly large.
    #[error("{what} is not a usable number ({value}); give a finite one below 1e9")]
    NotFinite {
        /// What it was for.
        what: String,
        /// The number or vector.
        value: String,
    },
    /// A body value out of range.
    #[error("body.{field} cannot be {value}; {hint}")]
    Body {
        /// The field.
        field: &'static str,
        /// The value.
        value: f64,
        /// What to try.
        hint: &'static str,
    },
    /// A number of an avoidance out of range.
    #[error("body.avoid.{field} cannot be {value}; {hint}")]
    Avoid {
        /// The field.
        field: &'static str,
        /// The value.
        value: f64,
        /// What to try.
        hint: &'static str,
    },
    /// A rate out of range.
    #[error("update cannot be {from} to {to} s; {hint}")]
    Update {
        /// The shortest period, s.
        from: f64,
        /// The longest period, s.
        to: f64,
        /// What to try.
        hint: &'static str,
    },
    /// Nobody of that id lives.
    #[error("no agent {0} in the world")]
    NoAgent(AgentId),
    /// No group of that id.
    #[error("no group number {}", .0.0)]
    NoGroup(GroupId),
    /// No such obstacle (any more).
    #[error("no obstacle {} in the world", .0.number())]
    NoObstacle(ObstacleId),
    /// More agents than ids.
    #[error("a world holds at most 16 million agents")]
    Full,
    /// The obstacle was refused.
    #[error(transparent)]
    Obstacle(#[from] ObstacleError),
}

/// The largest coordinate, metres: far beyond it a step of a walker is below the resolution of f64.
pub const FARTHEST: f64 = 1e9;

/// Checks a point for use in the core.
pub fn check_point(what: &str, p: DVec3) -> Result<(), SimError> {
    if p.is_finite() && p.abs().max_element() <= FARTHEST {
        return Ok(());
    }
    Err(SimError::NotFinite { what: what.to_owned(), value: Value::Vector(p).to_string() })
}

/// Checks a body value; `Ok` if the body works with it.
pub fn check_body(field: BodyField, value: f64) -> Result<(), SimError> {
    let name = BodyField::ALL.iter().find(|(known, _)| *known == field).map_or("?", |(_, name)| *name);
    let refuse = |hint| Err(SimError::Body { field: name, value, hint });
    match field {
        _ if value.is_nan() => refuse("give a number"),
        BodyField::Radius if !(value > 0.0 && value <= 1e3) => refuse("a radius is above 0 and at most 1000 m"),
        BodyField::Relaxation if !(value > 0.0 && value.is_finite()) => refuse("a relaxation time is above 0 s"),
        BodyField::DeadTime if !(0.0..=10.0).contains(&value) => refuse("dead time is between 0 and 10 s"),
        BodyField::Stride if !(0.01..=100.0).contains(&value) => refuse("a stride is a factor between 0.01 and 100"),
        BodyField::Lag if !(0.0..=100.0).contains(&value) => refuse("lag is between 0 and 100 s"),
        _ if field.is_of_paths() && !value.is_finite() => refuse("give a finite number"),
        _ if value < 0.0 => refuse("it is 0 or more"),
        _ => Ok(()),
    }
}

/// Checks the numbers of an avoidance.
pub fn check_avoid(avoid: Option<&Avoid>) -> Result<(), SimError> {
    match avoid.and_then(Avoid::refusal) {
        Some((field, value, hint)) => Err(SimError::Avoid { field: field.name(), value, hint }),
        None => Ok(()),
    }
}

/// Checks all values of a body.
pub fn check_body_spec(body: &BodySpec) -> Result<(), SimError> {
    for (field, _) in BodyField::ALL {
        check_body(field, body.get(field))?;
    }
    check_avoid(body.avoid.as_ref())
}
