//! Local avoidance: the filter of a body from the velocity that its agent wants to one that is safe. It knows no path: who stands
//! before a wall with a goal behind it stays there.
//!
//! ORCA in the plane and in space (van den Berg, Guy, Lin and Manocha 2011) and the speed of the collision-free speed model
//! (Tordeux, Chraibi and Seyfried 2016). Both are functions of the world as it was when the minds decided.

pub mod csm;
mod orca;
mod pair;
pub mod parting;
pub mod plane;
mod solid;
pub mod space;
mod stage;

pub(super) use stage::{Buffers, Verdict, decide, reach};

/// How a body avoids others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Avoid {
    /// Optimal reciprocal collision avoidance.
    Orca(Orca),
    /// Only the speed is filtered, the direction stays.
    Csm(Csm),
}

/// Parameters of optimal reciprocal collision avoidance, by the names that Godot's agents have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orca {
    /// Agents within this distance count, m.
    pub neighbor_distance: f64,
    /// The nearest so many of them count.
    pub max_neighbors: u32,
    /// Time ahead in which agents do not touch, s; less than a tick counts as one.
    pub time_horizon_agents: f64,
    /// Time ahead in which obstacles are not touched, s; less than a tick counts as one.
    pub time_horizon_obstacles: f64,
    /// The layers it is in, one bit each.
    pub avoidance_layers: u32,
    /// The layers that it avoids, one bit each.
    pub avoidance_mask: u32,
    /// It avoids nobody of lower priority; who has a lower one does all.
    pub avoidance_priority: f64,
}

impl Default for Orca {
    fn default() -> Self {
        Self {
            neighbor_distance: 5.0,
            max_neighbors: 10,
            time_horizon_agents: 2.0,
            time_horizon_obstacles: 1.0,
            avoidance_layers: 1,
            avoidance_mask: 1,
            avoidance_priority: 1.0,
        }
    }
}

/// Parameters of the collision-free speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Csm {
    /// Time gap to the one in front, s.
    pub time_gap: f64,
}

impl Default for Csm {
    fn default() -> Self {
        Self { time_gap: 1.0 }
    }
}

/// The numbers of an avoidance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AvoidField {
    /// Metres.
    NeighborDistance,
    /// A count.
    MaxNeighbors,
    /// Seconds.
    TimeHorizonAgents,
    /// Seconds.
    TimeHorizonObstacles,
    /// Bits.
    AvoidanceLayers,
    /// Bits.
    AvoidanceMask,
    /// A pure number.
    AvoidancePriority,
    /// Seconds.
    TimeGap,
}

impl AvoidField {
    /// All fields with their names in scene files.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::NeighborDistance, "neighbor_distance"),
        (Self::MaxNeighbors, "max_neighbors"),
        (Self::TimeHorizonAgents, "time_horizon_agents"),
        (Self::TimeHorizonObstacles, "time_horizon_obstacles"),
        (Self::AvoidanceLayers, "avoidance_layers"),
        (Self::AvoidanceMask, "avoidance_mask"),
        (Self::AvoidancePriority, "avoidance_priority"),
        (Self::TimeGap, "time_gap"),
    ];

    /// The field of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(field, _)| *field)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(known, _)| *known == self).map_or("?", |(_, name)| *name)
    }

    /// Why a value does not fit, if it does not.
    #[must_use]
    pub fn refusal(self, value: f64) -> Option<&'static str> {
        let whole = value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
        match self {
            _ if !value.is_finite() => Some("give a finite number"),
            Self::NeighborDistance if !(value > 0.0 && value <= 1e4) => Some("it is above 0 and at most 10000 m"),
            Self::MaxNeighbors if !whole || value > 1000.0 => Some("it is a whole number from 0 to 1000"),
            Self::TimeHorizonAgents | Self::TimeHorizonObstacles if !(0.0..=1000.0).contains(&value) => {
                Some("a time horizon is from 0 to 1000 s")
            }
            Self::AvoidanceLayers | Self::AvoidanceMask if !whole => Some("it is a whole number, one bit per layer"),
            Self::AvoidancePriority if !(0.0..=1e6).contains(&value) => Some("it is from 0 to 1000000"),
            Self::TimeGap if !(value > 0.0 && value <= 1000.0) => Some("a time gap is above 0 and at most 1000 s"),
            _ => None,
        }
    }
}

impl Avoid {
    /// The names of the kinds in scene files, with that of none at the front.
    pub const NAMES: [&'static str; 3] = ["None", "Orca", "Csm"];

    /// The kind of that name at its defaults; the outer option is none for an unknown name.
    #[must_use]
    #[expect(clippy::option_option, reason = "no avoidance is one of the kinds")]
    pub fn named(name: &str) -> Option<Option<Self>> {
        match name {
            "None" => Some(None),
            "Orca" => Some(Some(Self::Orca(Orca::default()))),
            "Csm" => Some(Some(Self::Csm(Csm::default()))),
            _ => None,
        }
    }

    /// The name of a kind.
    #[must_use]
    pub fn name_of(avoid: Option<&Self>) -> &'static str {
        match avoid {
            None => "None",
            Some(Self::Orca(_)) => "Orca",
            Some(Self::Csm(_)) => "Csm",
        }
    }

    /// The value of a field that this kind has.
    #[must_use]
    pub fn get(&self, field: AvoidField) -> Option<f64> {
        Some(match (self, field) {
            (Self::Orca(orca), AvoidField::NeighborDistance) => orca.neighbor_distance,
            (Self::Orca(orca), AvoidField::MaxNeighbors) => f64::from(orca.max_neighbors),
            (Self::Orca(orca), AvoidField::TimeHorizonAgents) => orca.time_horizon_agents,
            (Self::Orca(orca), AvoidField::TimeHorizonObstacles) => orca.time_horizon_obstacles,
            (Self::Orca(orca), AvoidField::AvoidanceLayers) => f64::from(orca.avoidance_layers),
            (Self::Orca(orca), AvoidField::AvoidanceMask) => f64::from(orca.avoidance_mask),
            (Self::Orca(orca), AvoidField::AvoidancePriority) => orca.avoidance_priority,
            (Self::Csm(csm), AvoidField::TimeGap) => csm.time_gap,
            _ => return None,
        })
    }

    /// Sets a field; one that this kind lacks changes nothing.
    pub fn set(&mut self, field: AvoidField, value: f64) {
        match (self, field) {
            (Self::Orca(orca), AvoidField::NeighborDistance) => orca.neighbor_distance = value,
            (Self::Orca(orca), AvoidField::MaxNeighbors) => orca.max_neighbors = value as u32,
            (Self::Orca(orca), AvoidField::TimeHorizonAgents) => orca.time_horizon_agents = value,
            (Self::Orca(orca), AvoidField::TimeHorizonObstacles) => orca.time_horizon_obstacles = value,
            (Self::Orca(orca), AvoidField::AvoidanceLayers) => orca.avoidance_layers = value as u32,
            (Self::Orca(orca), AvoidField::AvoidanceMask) => orca.avoidance_mask = value as u32,
            (Self::Orca(orca), AvoidField::AvoidancePriority) => orca.avoidance_priority = value,
            (Self::Csm(csm), AvoidField::TimeGap) => csm.time_gap = value,
            _ => {}
        }
    }

    /// The first number that does not fit, with the reason.
    #[must_use]
    pub fn refusal(&self) -> Option<(AvoidField, f64, &'static str)> {
        AvoidField::ALL.iter().find_map(|(field, _)| {
            let value = self.get(*field)?;
            field.refusal(value).map(|hint| (*field, value, hint))
        })
    }
}
