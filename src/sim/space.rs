//! The space agents move in: its area and what happens at the edge.

use glam::DVec3;

/// An axis-aligned box, metres. An axis whose ends agree is not bounded (a planar area says nothing about z).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Lower corner.
    pub min: DVec3,
    /// Upper corner.
    pub max: DVec3,
}

/// What happens to an agent that leaves the area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// Nothing: the world goes on.
    #[default]
    Open,
    /// It is held at the edge.
    Clamp,
    /// It enters again on the other side; distances are taken the short way round.
    Wrap,
    /// It turns back, its outward speed reversed.
    Turn,
    /// It is removed.
    Remove,
}

impl Edge {
    /// The word that scripts read.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Clamp => "clamp",
            Self::Wrap => "wrap",
            Self::Turn => "turn",
            Self::Remove => "remove",
        }
    }
}

/// Area and edge together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Space {
    /// The area; none means unbounded whatever `edge` says.
    pub area: Option<Area>,
    /// What happens at its edge.
    pub edge: Edge,
}

impl Space {
    /// The period of each axis, metres; 0 where the axis does not wrap.
    #[must_use]
    #[inline]
    pub fn period(&self) -> DVec3 {
        match (self.edge, self.area) {
            (Edge::Wrap, Some(area)) => (area.max - area.min).max(DVec3::ZERO),
            _ => DVec3::ZERO,
        }
    }

    /// The vector from one point to another, metres, the short way round where the world wraps.
    #[must_use]
    #[inline]
    pub fn offset(&self, from: DVec3, to: DVec3) -> DVec3 {
        let straight = to - from;
        if self.edge != Edge::Wrap {
            return straight;
        }
        short_way(straight, self.period())
    }
}

/// The shortest image of `straight` (metres) in a world of that period (0: the axis does not wrap).
#[must_use]
#[inline]
pub fn short_way(straight: DVec3, period: DVec3) -> DVec3 {
    DVec3::new(short_axis(straight.x, period.x), short_axis(straight.y, period.y), short_axis(straight.z, period.z))
}

#[inline]
fn short_axis(straight: f64, period: f64) -> f64 {
    let half = 0.5 * period;
    if period <= 0.0 || (straight >= -half && straight < half) {
        return straight;
    }
    // Two points of the area are less than a period apart.
    if straight.abs() < 1.5 * period {
        return if straight > 0.0 { straight - period } else { straight + period };
    }
    straight - period * libm::floor(straight / period + 0.5)
}

/// The point brought back into [min, min + period), metres.
#[must_use]
#[inline]
pub fn wrap_coordinate(x: f64, min: f64, period: f64) -> f64 {
    if period <= 0.0 || (x >= min && x < min + period) {
        return x;
    }
    let wrapped = x - period * libm::floor((x - min) / period);
    if wrapped >= min + period { min } else { wrapped }
}
