//! Line of sight.

use std::ops::ControlFlow;

use glam::{DVec2, DVec3};

use super::near::Edge;
use super::query::answerable;
use super::set::Obstacles;
use super::tree::{Entry, Part, may_touch, visit};

impl Obstacles {
    /// Whether nothing stands between two points. Touching counts as blocked, so that no view slips through the corner
    /// of two walls; a point inside of a solid sees nothing. Symmetric: `sees(a, b) == sees(b, a)`.
    pub fn sees(&self, a: DVec3, b: DVec3) -> bool {
        if !answerable(a) || !answerable(b) {
            return false;
        }
        if self.blocks_nothing() {
            return true;
        }
        // One order for both directions makes the rounding the same.
        let swap = a.to_array().iter().zip(b.to_array()).map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne());
        let (a, b) = if swap.is_some_and(|order| order.is_gt()) { (b, a) } else { (a, b) };
        let (from, to) = (a.truncate(), b.truncate());
        let free = visit(self.tree.root(), &|flat| may_touch(flat, from, to, 0.0), &mut |entry| {
            if self.part_blocks(entry, a, b) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        free.is_continue()
    }

    fn part_blocks(&self, entry: &Entry, a: DVec3, b: DVec3) -> bool {
        let (from, to) = (a.truncate(), b.truncate());
        match entry.part {
            Part::Disc { at, radius } => {
                let flat = |v: DVec2| v.extend(0.0);
                distance_to_segment(flat(from), flat(to), flat(at)) <= radius
            }
            Part::Ball { at, radius } => distance_to_segment(a, b, at) <= radius,
            Part::Box { min, max, axes } => enters_box(a, b, min, max, axes),
            Part::Edges(chunk) => {
                let view = Edge { from, to };
                self.find(entry.id).is_some_and(|stored| stored.chunk(chunk).iter().any(|edge| touches(&view, edge)))
            }
            Part::Region => self.find(entry.id).is_some_and(|stored| stored.encloses(from)),
        }
    }
}

/// Distance of a point from a segment, which may have no length.
fn distance_to_segment(from: DVec3, to: DVec3, at: DVec3) -> f64 {
    let along = to - from;
    let t = (at - from).dot(along) / along.length_squared();
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 };
    at.distance(from + along * t)
}

/// Whether a segment and a closed box share a point: slabs.
fn enters_box(from: DVec3, to: DVec3, min: DVec3, max: DVec3, axes: usize) -> bool {
    let along = to - from;
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..axes {
        if along[axis] == 0.0 {
            if from[axis] < min[axis] || from[axis] > max[axis] {
                return false;
            }
            continue;
        }
        let (a, b) = ((min[axis] - from[axis]) / along[axis], (max[axis] - from[axis]) / along[axis]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave
}

/// Whether two edges share a point; the view may have no length.
fn touches(view: &Edge, edge: &Edge) -> bool {
    let (a, b) = (view.side(edge.from), view.side(edge.to));
    let (c, d) = (edge.side(view.from), edge.side(view.to));
    let apart = |a: f64, b: f64| (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
    if apart(a, b) || apart(c, d) {
        return false;
    }
    // Along one line: the boxes decide. Otherwise the signs already did.
    let low = view.from.min(view.to).max(edge.from.min(edge.to));
    let high = view.from.max(view.to).min(edge.from.max(edge.to));
    low.cmple(high).all()
}
