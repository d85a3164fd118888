//! The shapes an obstacle can have.

use glam::{DVec2, DVec3};

/// Shape of an obstacle, lengths in m. All but `Sphere` and a `Box` with a height are prisms without end in z.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// Solid disc, a pillar.
    Disc {
        /// Center.
        at: DVec3,
        /// Radius above 0, m.
        radius: f64,
    },
    /// Solid ball.
    Sphere {
        /// Center.
        at: DVec3,
        /// Radius above 0, m.
        radius: f64,
    },
    /// Solid box along the axes; planar (a prism) when both corners have the same z.
    Box {
        /// Lowest corner.
        min: DVec3,
        /// Highest corner.
        max: DVec3,
    },
    /// Wall without thickness.
    Wall {
        /// One end.
        from: DVec3,
        /// Other end.
        to: DVec3,
    },
    /// Connected walls without thickness; answers as one obstacle.
    Polyline {
        /// Corners in order, at least 2.
        points: Vec<DVec3>,
    },
    /// Solid polygon. The outer ring is stored counterclockwise and holes clockwise, whichever way they were given.
    Polygon {
        /// Corners of the outer ring, at least 3, not closed by repeating the first.
        points: Vec<DVec3>,
        /// Rings of free space inside.
        holes: Vec<Vec<DVec3>>,
    },
}

impl Shape {
    /// Name of the kind, as in a scene file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Disc { .. } => "Disc",
            Self::Sphere { .. } => "Sphere",
            Self::Box { .. } => "Box",
            Self::Wall { .. } => "Wall",
            Self::Polyline { .. } => "Polyline",
            Self::Polygon { .. } => "Polygon",
        }
    }

    /// Whether the shape compares in x and y only.
    pub fn is_planar(&self) -> bool {
        match self {
            Self::Sphere { .. } => false,
            Self::Box { min, max } => min.z == max.z,
            _ => true,
        }
    }

    /// Whether the shape has an inside.
    pub fn is_solid(&self) -> bool {
        !matches!(self, Self::Wall { .. } | Self::Polyline { .. })
    }

    /// The point that `Obstacles::move_to` puts somewhere else: center of disc, sphere and box, middle of a wall,
    /// centroid of a polyline (by length) and of a polygon's outer ring (by area).
    pub fn anchor(&self) -> DVec3 {
        match self {
            Self::Disc { at, .. } | Self::Sphere { at, .. } => *at,
            Self::Box { min, max } => (*min + *max) / 2.0,
            Self::Wall { from, to } => (*from + *to) / 2.0,
            Self::Polyline { points } => centroid_by_length(points),
            Self::Polygon { points, .. } => centroid_by_area(points),
        }
    }

    /// The same shape, shifted.
    pub fn shifted(&self, by: DVec3) -> Self {
        let shift = |points: &[DVec3]| points.iter().map(|point| *point + by).collect::<Vec<_>>();
        match self {
            Self::Disc { at, radius } => Self::Disc { at: *at + by, radius: *radius },
            Self::Sphere { at, radius } => Self::Sphere { at: *at + by, radius: *radius },
            Self::Box { min, max } => Self::Box { min: *min + by, max: *max + by },
            Self::Wall { from, to } => Self::Wall { from: *from + by, to: *to + by },
            Self::Polyline { points } => Self::Polyline { points: shift(points) },
            Self::Polygon { points, holes } => {
                Self::Polygon { points: shift(points), holes: holes.iter().map(|hole| shift(hole)).collect() }
            }
        }
    }

    /// Lowest and highest corner around the shape, for drawing and fitting. Prisms have the z of their points.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let around = |points: &[DVec3]| {
            let low = points.iter().copied().reduce(DVec3::min).unwrap_or_default();
            let high = points.iter().copied().reduce(DVec3::max).unwrap_or_default();
            (low, high)
        };
        match self {
            Self::Disc { at, radius } => {
                let reach = DVec3::new(*radius, *radius, 0.0);
                (*at - reach, *at + reach)
            }
            Self::Sphere { at, radius } => (*at - DVec3::splat(*radius), *at + DVec3::splat(*radius)),
            Self::Box { min, max } => (*min, *max),
            Self::Wall { from, to } => (from.min(*to), from.max(*to)),
            Self::Polyline { points } | Self::Polygon { points, .. } => around(points),
        }
    }
}

/// Twice the signed area of a ring in x and y, m²; positive when counterclockwise.
pub(super) fn doubled_area(ring: &[DVec3]) -> f64 {
    let Some(origin) = ring.first() else {
        return 0.0;
    };
    // Relative to the first corner, so that a small ring far from the origin keeps its digits.
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.map(|(a, b)| (*a - *origin).truncate().perp_dot((*b - *origin).truncate())).sum()
}

fn centroid_by_length(points: &[DVec3]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    let mut length = 0.0;
    let origin = points.first().copied().unwrap_or_default();
    for pair in points.windows(2) {
        let part = (pair[1] - pair[0]).truncate().length();
        sum += ((pair[0] - origin) + (pair[1] - origin)) * (part / 2.0);
        length += part;
    }
    if length > 0.0 { origin + sum / length } else { origin }
}

fn centroid_by_area(ring: &[DVec3]) -> DVec3 {
    let origin = ring.first().copied().unwrap_or_default();
    let mut sum = DVec2::ZERO;
    let mut area = 0.0;
    for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        let (a, b) = ((*a - origin).truncate(), (*b - origin).truncate());
        let cross = a.perp_dot(b);
        sum += (a + b) * cross;
        area += cross;
    }
    if area == 0.0 { origin } else { origin + (sum / (3.0 * area)).extend(0.0) }
}
