//! Places of a formation, how they are spaced, and the pose that carries them into the world.

use glam::DVec3;

use crate::sim::wrap_angle;

/// One place of a formation.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Place {
    /// Meters.
    pub position: DVec3,
    /// Radians, (−π, π], 0 = +x, counter-clockwise.
    pub heading: f64,
}

/// The places of a formation, head first, in the formation's own frame unless moved by a [`Pose`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slots {
    /// Slot 0 is the head.
    pub places: Vec<Place>,
    /// Meters of arc from the first to the last place, of all rows together; of a closed curve all the way round.
    pub length: f64,
    /// Whether the last place is a neighbor of the first.
    pub closed: bool,
    /// Meters between neighbors along the curve as placed; less than asked for after a shrink. 0 if it has no meaning.
    pub spacing: f64,
    /// Number of parallel or concentric rows; 1 unless the overflow policy added some, 0 without places.
    pub rows: usize,
    /// How many places one row holds at the spacing asked for; `None` if there is no end to it.
    pub capacity: Option<usize>,
}

/// A place as a script or a file lists it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListPlace {
    /// Meters, in the formation's frame.
    pub position: DVec3,
    /// Radians; `None` faces +y, the front of the frame.
    pub heading: Option<f64>,
}

/// How a place moves, for feed-forward.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Motion {
    /// Meters per second.
    pub velocity: DVec3,
    /// Radians per second.
    pub turn_rate: f64,
}

impl Slots {
    /// Places from a list, head first; `length` goes from place to place. Non-finite entries are refused with their
    /// one-based number.
    ///
    /// # Errors
    /// [`FormationError::Curve`](super::FormationError::Curve) names the first bad entry.
    pub fn from_list(list: &[ListPlace]) -> Result<Self, super::FormationError> {
        let bad = |place: &ListPlace| {
            !place.position.is_finite() || place.heading.is_some_and(|heading| !heading.is_finite())
        };
        if let Some(index) = list.iter().position(bad) {
            return Err(super::FormationError::Curve(format!("place {} of the list is not finite", index + 1)));
        }
        let places: Vec<Place> = list
            .iter()
            .map(|place| Place {
                position: place.position,
                heading: wrap_angle(place.heading.unwrap_or(std::f64::consts::FRAC_PI_2)),
            })
            .collect();
        let length = through(&places);
        let rows = usize::from(!places.is_empty());
        Ok(Self { places, length, closed: false, spacing: 0.0, rows, capacity: None })
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no place at all.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The same places carried into the world.
    pub fn posed(mut self, pose: Pose) -> Self {
        for place in &mut self.places {
            *place = pose.place(*place);
        }
        self
    }

    /// How each place moves if these places become `later` after `dt` seconds: the feed-forward of a curve that takes
    /// time. Places that only one of the two has do not move. `out` is cleared first.
    pub fn motion_to(&self, later: &Self, dt: f64, out: &mut Vec<Motion>) {
        out.clear();
        out.extend(self.places.iter().enumerate().map(|(index, now)| {
            later.places.get(index).filter(|_| dt > 0.0).map_or_else(Motion::default, |then| Motion {
                velocity: (then.position - now.position) / dt,
                turn_rate: wrap_angle(then.heading - now.heading) / dt,
            })
        }));
    }
}

/// Meters from place to place in their order.
pub(crate) fn through(places: &[Place]) -> f64 {
    places.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum()
}

/// What equal spacing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measure {
    /// Equal length along the curve.
    #[default]
    Arc,
    /// Equal straight distance between neighbors.
    Chord,
}

impl Measure {
    /// All names, in the order of the enum.
    pub const NAMES: &'static [&'static str] = &["arc", "chord"];

    /// The name in scenes, scripts and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arc => "arc",
            Self::Chord => "chord",
        }
    }

    /// The measure of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Arc, Self::Chord].into_iter().find(|measure| measure.name() == name)
    }
}

/// What happens when a curve is too short for the number of agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overflow {
    /// Say so, and place nobody.
    #[default]
    Error,
    /// Make the spacing smaller until all fit.
    Shrink,
    /// Add parallel or concentric rows, one spacing apart.
    Rows,
}

impl Overflow {
    /// All names, in the order of the enum.
    pub const NAMES: &'static [&'static str] = &["error", "shrink", "rows"];

    /// The name in scenes, scripts and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Shrink => "shrink",
            Self::Rows => "rows",
        }
    }

    /// The policy of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Error, Self::Shrink, Self::Rows].into_iter().find(|policy| policy.name() == name)
    }
}

/// How places are set on a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spacing {
    /// Meters between neighbors; not used by a closed curve, which spreads its places.
    pub distance: f64,
    /// Along the curve or straight.
    pub measure: Measure,
    /// What to do when the curve is too short.
    pub overflow: Overflow,
}

impl Spacing {
    /// Equal arc length, error on overflow: the defaults.
    pub const fn arc(distance: f64) -> Self {
        Self { distance, measure: Measure::Arc, overflow: Overflow::Error }
    }

    /// Equal straight distance, error on overflow.
    pub const fn chord(distance: f64) -> Self {
        Self { distance, measure: Measure::Chord, overflow: Overflow::Error }
    }
}

/// What a formation's pose counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Frame {
    /// The world.
    #[default]
    World,
    /// The leader, who has the first place: the followers get those behind it.
    Leader,
    /// The leader, who stands in the middle of the places: the followers get all of them.
    Around,
}

impl Frame {
    /// Places that `n` followers need.
    pub fn count(self, n: usize) -> usize {
        if self == Self::Leader && n > 0 { n + 1 } else { n }
    }

    /// The places of the followers about the leader at the origin.
    pub fn fit(self, slots: &mut Slots) {
        if self == Self::World || slots.places.is_empty() {
            return;
        }
        let origin = if self == Self::Leader {
            slots.places.remove(0).position
        } else {
            slots.places.iter().map(|place| place.position).sum::<DVec3>() / slots.places.len() as f64
        };
        for place in &mut slots.places {
            place.position -= origin;
        }
    }
}

/// Where a formation's frame stands in the world.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose {
    /// Where the frame's origin is, in meters.
    pub at: DVec3,
    /// How far the frame is turned about +z, in radians.
    pub turn: f64,
}

impl Pose {
    /// A point of the frame, in the world: turned, then moved.
    pub fn point(self, local: DVec3) -> DVec3 {
        let (sin, cos) = (libm::sin(self.turn), libm::cos(self.turn));
        self.at + DVec3::new(cos * local.x - sin * local.y, sin * local.x + cos * local.y, local.z)
    }

    /// A point of the world, in the frame: the inverse of [`Pose::point`].
    pub fn local(self, world: DVec3) -> DVec3 {
        let (sin, cos) = (libm::sin(self.turn), libm::cos(self.turn));
        let d = world - self.at;
        DVec3::new(cos * d.x + sin * d.y, cos * d.y - sin * d.x, d.z)
    }

    /// A place of the frame, in the world.
    pub fn place(self, local: Place) -> Place {
        Place { position: self.point(local.position), heading: wrap_angle(local.heading + self.turn) }
    }

    /// `inner` first, then this pose.
    pub fn after(self, inner: Self) -> Self {
        Self { at: self.point(inner.at), turn: wrap_angle(self.turn + inner.turn) }
    }
}
