//! Polygons of the plane: area, inside, and what half-planes and convex polygons leave of them.

use glam::DVec2;

/// This near to an edge a segment lies on it, in meters.
const ON_EDGE_M: f64 = 1e-9;

/// A simple polygon with its area and its box, in meters. Either direction of the corners is fine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Polygon {
    ring: Vec<DVec2>,
    area: f64,
    low: DVec2,
    high: DVec2,
}

impl Polygon {
    /// A polygon of these corners; the last one is joined to the first. Corners are turned counterclockwise.
    pub fn new(mut ring: Vec<DVec2>) -> Self {
        if signed_area(&ring) < 0.0 {
            ring.reverse();
        }
        let area = signed_area(&ring);
        let start = ring.first().copied().unwrap_or_default();
        let (low, high) = ring.iter().fold((start, start), |(low, high), p| (low.min(*p), high.max(*p)));
        Self { ring, area, low, high }
    }

    /// The box between two corners, whichever they are.
    pub fn rectangle(a: DVec2, b: DVec2) -> Self {
        let (low, high) = (a.min(b), a.max(b));
        Self::new(vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)])
    }

    /// Corners, counterclockwise, in meters.
    pub fn ring(&self) -> &[DVec2] {
        &self.ring
    }

    /// Area in m².
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Its box: lowest and highest coordinates.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        (self.low, self.high)
    }

    /// Center of its area; its first corner if it has none.
    pub fn center(&self) -> DVec2 {
        let Some(&origin) = self.ring.first() else { return DVec2::ZERO };
        let mut sum = DVec2::ZERO;
        for (a, b) in edges(&self.ring) {
            let (a, b) = (a - origin, b - origin);
            sum += (a + b) * a.perp_dot(b);
        }
        if self.area > 0.0 { origin + sum / (6.0 * self.area) } else { origin }
    }

    /// Whether a point is inside; one on the border is not, as in PedPy (`shapely.contains`).
    pub fn contains(&self, at: DVec2) -> bool {
        if at.cmplt(self.low).any() || at.cmpgt(self.high).any() {
            return false;
        }
        let mut inside = false;
        for (a, b) in edges(&self.ring) {
            let (to_a, to_b) = (a - at, b - at);
            if to_a.perp_dot(to_b) == 0.0 && to_a.dot(to_b) <= 0.0 {
                return false;
            }
            if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
        }
        inside
    }
}

/// The edges of a ring, the last one back to the first corner.
pub fn edges(ring: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Area of a ring in m², negative if clockwise (shoelace formula, taken from the first corner, so that far from the origin
/// nothing cancels).
pub fn signed_area(ring: &[DVec2]) -> f64 {
    let Some(&origin) = ring.first() else { return 0.0 };
    0.5 * ring.windows(2).map(|pair| (pair[0] - origin).perp_dot(pair[1] - origin)).sum::<f64>()
}

/// Writes the part of a ring with (p − on)·normal ≤ 0 (Sutherland and Hodgman 1974). Parts of a ring that is not convex may
/// stay joined by an edge there and back, which has no area.
pub fn cut(ring: &[DVec2], on: DVec2, normal: DVec2, out: &mut Vec<DVec2>) {
    out.clear();
    let Some(&last) = ring.last() else { return };
    let mut from = last;
    let mut from_side = (from - on).dot(normal);
    for &to in ring {
        let to_side = (to - on).dot(normal);
        if (from_side < 0.0 && to_side > 0.0) || (from_side > 0.0 && to_side < 0.0) {
            out.push(from + (to - from) * (from_side / (from_side - to_side)));
        }
        if to_side <= 0.0 {
            out.push(to);
        }
        (from, from_side) = (to, to_side);
    }
}

/// Two buffers to clip in.
#[derive(Debug, Clone, Default)]
pub struct Clip {
    ring: Vec<DVec2>,
    spare: Vec<DVec2>,
}

impl Clip {
    /// What a convex, counterclockwise polygon leaves of a ring that is moved by `shift`.
    pub fn by_convex(&mut self, ring: &[DVec2], shift: DVec2, convex: &[DVec2]) -> &[DVec2] {
        self.ring.clear();
        self.ring.extend(ring.iter().map(|p| *p + shift));
        for (a, b) in edges(convex) {
            if self.ring.is_empty() {
                break;
            }
            // The outer side of a counterclockwise edge is on its right.
            cut(&self.ring, a, DVec2::new(b.y - a.y, a.x - b.x), &mut self.spare);
            std::mem::swap(&mut self.ring, &mut self.spare);
        }
        &self.ring
    }
}

/// Length of the part of a segment inside a convex, counterclockwise polygon, in meters (Cyrus and Beck 1978). A segment along
/// an edge counts half, so that two polygons that share the edge have it once.
pub fn length_inside(from: DVec2, to: DVec2, convex: &[DVec2]) -> f64 {
    let length = from.distance(to);
    let (mut enter, mut leave, mut weight) = (0.0_f64, 1.0_f64, 1.0);
    for (a, b) in edges(convex) {
        let normal = DVec2::new(b.y - a.y, a.x - b.x);
        let size = normal.length();
        let (start, end) = ((from - a).dot(normal), (to - a).dot(normal));
        if start.abs() <= ON_EDGE_M * size && end.abs() <= ON_EDGE_M * size {
            // An edge without length is none.
            weight = if size > ON_EDGE_M { 0.5 } else { weight };
            continue;
        }
        if start > 0.0 && end > 0.0 {
            return 0.0;
        }
        if start > 0.0 {
            enter = enter.max(start / (start - end));
        } else if end > 0.0 {
            leave = leave.min(start / (start - end));
        }
    }
    weight * length * (leave - enter).max(0.0)
}
