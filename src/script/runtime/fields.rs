//! The fields of an agent that a loop refreshes: their columns and how the frozen world gives them.

use glam::DVec3;

use super::mentions::Mentions;
use crate::sim::{World, wrap_angle};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Three f32.
    Vector,
    /// One f64.
    Number,
    /// One f64, 0 or 1.
    Flag,
}

/// One column of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Which field.
    pub field: AgentField,
    /// Its bytes in a row start here.
    pub offset: usize,
    /// Whether the script mentions it, so that its record has it.
    pub shown: bool,
}

/// Fields with a column. The others (`group`, `state`, `memory`, `route`, `goal`, `leader`) are kept another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the fields of the contract, each named as there")]
pub enum AgentField {
    Id,
    Position,
    Velocity,
    Speed,
    Heading,
    Forward,
    Radius,
    MaxSpeed,
    MaxAcceleration,
    Lag,
    DeadTime,
    Clearance,
    Slot,
    SlotVelocity,
    SlotHeading,
    SlotTurnRate,
    SlotError,
    SlotTurn,
    HasSlot,
    SlotIndex,
    SlotFrom,
    SlotSince,
    SlotSecs,
    Waypoint,
    PathLeft,
    PathSpeed,
    Elapsed,
    StopSecs,
    AtStop,
    QueuePlace,
    Latency,
}

impl AgentField {
    /// All of them with their names in scripts.
    pub const ALL: [(Self, &'static str); 31] = [
        (Self::Id, "id"),
        (Self::Position, "position"),
        (Self::Velocity, "velocity"),
        (Self::Speed, "speed"),
        (Self::Heading, "heading"),
        (Self::Forward, "forward"),
        (Self::Radius, "radius"),
        (Self::MaxSpeed, "max_speed"),
        (Self::MaxAcceleration, "max_acceleration"),
        (Self::Lag, "lag"),
        (Self::DeadTime, "dead_time"),
        (Self::Clearance, "clearance"),
        (Self::Slot, "slot"),
        (Self::SlotVelocity, "slot_velocity"),
        (Self::SlotHeading, "slot_heading"),
        (Self::SlotTurnRate, "slot_turn_rate"),
        (Self::SlotError, "slot_error"),
        (Self::SlotTurn, "slot_turn"),
        (Self::HasSlot, "has_slot"),
        (Self::SlotIndex, "slot_index"),
        (Self::SlotFrom, "slot_from"),
        (Self::SlotSince, "slot_since"),
        (Self::SlotSecs, "slot_secs"),
        (Self::Waypoint, "waypoint"),
        (Self::PathLeft, "path_left"),
        (Self::PathSpeed, "path_speed"),
        (Self::Elapsed, "elapsed"),
        (Self::StopSecs, "stop_secs"),
        (Self::AtStop, "at_stop"),
        (Self::QueuePlace, "queue_place"),
        (Self::Latency, "latency"),
    ];

    /// The field of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }

    /// Its name in scripts.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(field, _)| *field == self).map_or("?", |(_, name)| name)
    }

    /// What its column holds.
    pub fn shape(self) -> Shape {
        match self {
            Self::Position
            | Self::Velocity
            | Self::Forward
            | Self::Slot
            | Self::SlotVelocity
            | Self::SlotFrom
            | Self::Waypoint => Shape::Vector,
            Self::HasSlot | Self::AtStop => Shape::Flag,
            _ => Shape::Number,
        }
    }

    /// Its value where it is a vector.
    pub fn vector(self, world: &World, slot: usize) -> DVec3 {
        let agents = &world.agents;
        match self {
            Self::Position => agents.sensed_position(slot),
            Self::Velocity => agents.velocity[slot],
            Self::Forward => agents.forward(slot),
            Self::Slot => agents.place[slot].map_or_else(|| agents.sensed_position(slot), |place| place.position),
            Self::SlotVelocity => agents.place[slot].map_or(DVec3::ZERO, |place| place.velocity),
            Self::SlotFrom => agents.place[slot].map_or_else(|| agents.sensed_position(slot), |place| place.way.from),
            Self::Waypoint => world.waypoint(slot),
            _ => DVec3::ZERO,
        }
    }

    /// Its value where it is a number or a flag.
    pub fn number(self, world: &World, slot: usize) -> f64 {
        let agents = &world.agents;
        let place = agents.place[slot];
        match self {
            Self::Id => agents.id(slot as u32).number(),
            Self::Speed => agents.speed(slot),
            Self::Heading => agents.sensed_heading(slot),
            Self::Radius => agents.radius[slot],
            Self::MaxSpeed => agents.max_speed[slot],
            Self::MaxAcceleration => agents.max_acceleration[slot],
            Self::Lag => agents.lag[slot],
            Self::DeadTime => agents.dead_time[slot],
            Self::Clearance => world.clearance(slot),
            Self::SlotHeading => place.map_or_else(|| agents.sensed_heading(slot), |place| place.heading),
            Self::SlotTurnRate => place.map_or(0.0, |place| place.turn_rate),
            Self::SlotError => {
                place.map_or(0.0, |place| world.offset(agents.sensed_position(slot), place.position).length())
            }
            Self::SlotTurn => place.map_or(0.0, |place| wrap_angle(place.heading - agents.sensed_heading(slot))),
            Self::HasSlot => f64::from(u8::from(place.is_some())),
            Self::SlotIndex => place.map_or(-1.0, |place| f64::from(place.index)),
            Self::SlotSince => {
                place.map_or(0.0, |place| world.tick.saturating_sub(place.way.began) as f64 * world.dt())
            }
            Self::SlotSecs => place.map_or(0.0, |place| place.way.secs),
            Self::PathLeft => agents.course[slot].left,
            // Where nobody navigates the ground is plain.
            Self::PathSpeed if agents.is_navigated(slot) => agents.course[slot].speed,
            Self::PathSpeed => 1.0,
            Self::Elapsed => world.secs_since(slot),
            Self::StopSecs if agents.visit[slot].there => {
                world.tick.saturating_sub(agents.visit[slot].since) as f64 * world.dt()
            }
            Self::AtStop => f64::from(u8::from(agents.visit[slot].there)),
            Self::QueuePlace if agents.visit[slot].queues => {
                agents.visit[slot].place.map_or(0.0, |place| f64::from(place) + 1.0)
            }
            Self::Latency => world.latency(slot),
            _ => 0.0,
        }
    }
}

/// The name under which an agent's record keeps its memory number `index` (from 0).
pub fn memory_key(index: usize) -> String {
    format!("@memory{index}")
}

/// Bytes before the first column: slot (u32), newborn, events, due (u8 each), one unused, ticks since the last decision (u32).
pub const ROW_HEAD: usize = 12;

/// Where a row says how many ticks ago its agent decided last.
pub const SINCE: usize = 8;

/// Where a row says whether its agent is due.
pub const DUE: usize = 6;

/// The columns of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// In the order of [`AgentField::ALL`].
    pub columns: Vec<Column>,
    /// Bytes of a row.
    pub stride: usize,
}

impl Columns {
    /// Columns for what the texts mention and what thresholds compare.
    pub fn new(mentions: &Mentions, compared: &[&str]) -> Self {
        let mut columns = Vec::new();
        let mut offset = ROW_HEAD;
        let steered = mentions.has("steer") || mentions.has("desired");
        for (field, name) in AgentField::ALL {
            let implied = match field {
                AgentField::Position => mentions.has("offset"),
                AgentField::Velocity | AgentField::MaxSpeed => steered,
                _ => false,
            };
            let shown = mentions.has(name) || implied;
            if shown || compared.contains(&name) {
                columns.push(Column { field, offset, shown });
                offset += if field.shape() == Shape::Vector { 12 } else { 8 };
            }
        }
        Self { columns, stride: offset }
    }

    /// Where the column of a field starts.
    pub fn offset(&self, name: &str) -> Option<usize> {
        self.columns.iter().find(|column| column.field.name() == name).map(|column| column.offset)
    }

    /// Appends the row of an agent that is not due: nothing of it is read.
    pub fn skip(&self, slot: u32, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&slot.to_le_bytes());
        out.resize(start + self.stride, 0);
    }

    /// Appends one row.
    pub fn write(&self, world: &World, slot: u32, flags: [u8; 3], out: &mut Vec<u8>) {
        out.extend_from_slice(&slot.to_le_bytes());
        out.extend_from_slice(&flags);
        out.push(0);
        let since = u32::try_from(world.ticks_since(slot as usize)).unwrap_or(u32::MAX);
        out.extend_from_slice(&since.to_le_bytes());
        for column in &self.columns {
            if column.field.shape() == Shape::Vector {
                let v = column.field.vector(world, slot as usize).as_vec3();
                out.extend_from_slice(&v.x.to_le_bytes());
                out.extend_from_slice(&v.y.to_le_bytes());
                out.extend_from_slice(&v.z.to_le_bytes());
            } else {
                out.extend_from_slice(&column.field.number(world, slot as usize).to_le_bytes());
            }
        }
    }
}

/// Fields of a row of another agent, as bits: what a query has to fill in.
pub mod row {
    /// Most bytes of a row, and the bytes of a row of a wall.
    pub const STRIDE: usize = 128;
    /// Bytes before the first field: slot, group (u32 both).
    pub const HEAD: usize = 8;
    /// Names with their bits, in the order in which they stand in a row.
    pub const BITS: [(&str, u32); 13] = [
        ("id", 1),
        ("group", 2),
        ("position", 4),
        ("velocity", 8),
        ("speed", 16),
        ("heading", 32),
        ("forward", 64),
        ("radius", 128),
        ("state", 256),
        ("memory", 512),
        ("offset", 1024),
        ("distance", 2048),
        ("direction", 4096),
    ];
    /// All of them.
    pub const ALL: u32 = 8191;

    /// Bytes that a field takes in a row; group and memory follow from its head.
    fn size(bit: u32) -> usize {
        match bit {
            2 | 512 => 0,
            256 => 4,
            4 | 8 | 64 | 1024 | 4096 => 12,
            _ => 8,
        }
    }

    /// Bytes of a row with these fields.
    pub fn stride(bits: u32) -> usize {
        offset(bits, u32::MAX)
    }

    /// Where a field stands in a row with these fields.
    pub fn offset(bits: u32, field: u32) -> usize {
        let before = BITS.iter().map(|(_, bit)| *bit).filter(|bit| bits & bit != 0 && *bit < field);
        HEAD + before.map(size).sum::<usize>()
    }
}
