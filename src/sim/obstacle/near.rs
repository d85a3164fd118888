//! The nearest point of each elementary part: disc, ball, box, edge.

use glam::{DVec2, DVec3};

use super::shape::Shape;

/// Closer than this, m, a direction is rounding noise and a fixed one is taken.
const TINY: f64 = 1e-12;

/// Nearest point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    /// Nearest point.
    pub(super) point: DVec3,
    /// Outward unit normal there, from the obstacle to the asking point (the other way round inside).
    pub(super) normal: DVec3,
    /// Distance, m, negative inside.
    pub(super) distance: f64,
}

/// An edge in x and y. Rings run with the solid at their left, so the outward normal is at the right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Start.
    pub(super) from: DVec2,
    /// End, different from the start.
    pub(super) to: DVec2,
}

impl Edge {
    /// All edges of a shape; none for discs, spheres and boxes.
    pub(super) fn of(shape: &Shape) -> Vec<Self> {
        match shape {
            Shape::Wall { from, to } => vec![Self { from: from.truncate(), to: to.truncate() }],
            Shape::Polyline { points } => Self::chain(points),
            Shape::Polygon { points, holes } => {
                let mut edges = Self::ring(points);
                for hole in holes {
                    edges.extend(Self::ring(hole));
                }
                edges
            }
            Shape::Disc { .. } | Shape::Sphere { .. } | Shape::Box { .. } => Vec::new(),
        }
    }

    /// Edges of an open chain.
    pub(super) fn chain(points: &[DVec3]) -> Vec<Self> {
        points.windows(2).map(|pair| Self { from: pair[0].truncate(), to: pair[1].truncate() }).collect()
    }

    /// Edges of a closed ring.
    pub(super) fn ring(points: &[DVec3]) -> Vec<Self> {
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        pairs.map(|(from, to)| Self { from: from.truncate(), to: to.truncate() }).collect()
    }

    /// Unit normal at the right of the direction of travel.
    pub(super) fn right(&self) -> DVec2 {
        let along = unit_or((self.to - self.from).extend(0.0), DVec3::X);
        DVec2::new(along.y, -along.x)
    }

    /// Nearest point of the edge in x and y.
    pub(super) fn project(&self, at: DVec2) -> DVec2 {
        let along = self.to - self.from;
        let t = (at - self.from).dot(along) / along.length_squared();
        // The ends come out exactly, so that two edges agree at the corner they share. An edge too short for its
        // square to be a number gives NaN and falls to the start.
        if t >= 1.0 {
            self.to
        } else if t > 0.0 {
            self.from + along * t
        } else {
            self.from
        }
    }

    /// Nearest point with the distance unsigned.
    pub(super) fn near(&self, at: DVec3) -> Near {
        let flat = at.truncate();
        let point = self.project(flat);
        let apart = flat - point;
        let distance = apart.length();
        let normal = if distance > TINY { apart / distance } else { self.right() };
        Near { point: point.extend(at.z), normal: normal.extend(0.0), distance }
    }

    /// Which side `at` lies on: positive at the left, 0 on the line.
    pub(super) fn side(&self, at: DVec2) -> f64 {
        (self.to - self.from).perp_dot(at - self.from)
    }

    /// Whether the inner parts of two edges cross; touching does not count.
    pub(super) fn crosses_inside(&self, other: &Self) -> bool {
        let (a, b) = (self.side(other.from), self.side(other.to));
        let (c, d) = (other.side(self.from), other.side(self.to));
        ((a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0)) && ((c > 0.0 && d < 0.0) || (c < 0.0 && d > 0.0))
    }

    /// Whether `at`, known to be on the line, is between the ends.
    pub(super) fn spans(&self, at: DVec2) -> bool {
        at.cmpge(self.from.min(self.to)).all() && at.cmple(self.from.max(self.to)).all()
    }

    /// What the edge adds to the winding number around `at`; `None` when `at` is on the edge.
    pub(super) fn turns(&self, at: DVec2) -> Option<i32> {
        let (low, high) = (self.from.y.min(self.to.y), self.from.y.max(self.to.y));
        if at.y < low || at.y > high || at.x > self.from.x.max(self.to.x) {
            return Some(0);
        }
        let side = self.side(at);
        if side == 0.0 && self.spans(at) {
            return None;
        }
        let (up, down) = (self.from.y <= at.y && self.to.y > at.y, self.from.y > at.y && self.to.y <= at.y);
        Some(i32::from(up && side > 0.0) - i32::from(down && side < 0.0))
    }
}

/// How often the edges go around `at`, counterclockwise positive; `None` on an edge.
pub(super) fn winding(edges: &[Edge], at: DVec2) -> Option<i32> {
    edges.iter().try_fold(0, |sum, edge| edge.turns(at).map(|turns| sum + turns))
}

/// Unit vector along `v`, or `fallback` where `v` has no direction worth the name.
pub(super) fn unit_or(v: DVec3, fallback: DVec3) -> DVec3 {
    let largest = v.abs().max_element();
    if largest > 0.0 && largest.is_finite() {
        // Scaled first: the square of a tiny length would be no number any more.
        let scaled = v / largest;
        scaled / scaled.length()
    } else {
        fallback
    }
}

/// Nearest point of a disc (a prism).
pub(super) fn disc(center: DVec2, radius: f64, at: DVec3) -> Near {
    let apart = at.truncate() - center;
    let from_center = apart.length();
    let normal = if from_center > TINY { apart / from_center } else { DVec2::X };
    Near { point: (center + normal * radius).extend(at.z), normal: normal.extend(0.0), distance: from_center - radius }
}

/// Nearest point of a ball.
pub(super) fn ball(center: DVec3, radius: f64, at: DVec3) -> Near {
    let apart = at - center;
    let from_center = apart.length();
    let normal = if from_center > TINY { apart / from_center } else { DVec3::X };
    Near { point: center + normal * radius, normal, distance: from_center - radius }
}

/// Nearest point of a box; with `axes` 2 a prism. Inside, the nearest face wins, lower axis and lower side on a tie.
pub(super) fn solid_box(min: DVec3, max: DVec3, axes: usize, at: DVec3) -> Near {
    let mut point = at.clamp(min, max);
    if axes == 2 {
        point.z = at.z;
    }
    let apart = at - point;
    let distance = apart.length();
    if distance > TINY {
        return Near { point, normal: apart / distance, distance };
    }
    let mut best = (f64::INFINITY, 0, 0.0);
    for axis in 0..axes {
        for (depth, sign) in [(at[axis] - min[axis], -1.0), (max[axis] - at[axis], 1.0)] {
            if depth < best.0 {
                best = (depth, axis, sign);
            }
        }
    }
    let (depth, axis, sign) = best;
    point[axis] = if sign < 0.0 { min[axis] } else { max[axis] };
    let mut normal = DVec3::ZERO;
    normal[axis] = sign;
    Near { point, normal, distance: -depth }
}
