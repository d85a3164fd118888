//! What the R-tree holds, and the walks over it that allocate nothing.

use std::ops::ControlFlow;

use glam::{DVec2, DVec3};
use rstar::{AABB, ParentNode, RTreeNode, RTreeObject};

use super::set::ObstacleId;

/// Every box in the tree is this much larger than its part, m, so that rounding loses no candidate.
pub(super) const PAD: f64 = 1e-6;

/// Edges per entry: long outlines become many small boxes.
pub(super) const CHUNK: usize = 8;

/// A box in x and y. Parts with a height are found by their shadow and tested exactly.
pub(super) type Flat = AABB<[f64; 2]>;

/// One entry of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// Box around the part, padded.
    pub(super) flat: Flat,
    /// Whose part it is.
    pub(super) id: ObstacleId,
    /// The part.
    pub(super) part: Part,
}

/// The elementary parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Part {
    /// Disc.
    Disc {
        /// Center.
        at: DVec2,
        /// Radius, m.
        radius: f64,
    },
    /// Ball.
    Ball {
        /// Center.
        at: DVec3,
        /// Radius, m.
        radius: f64,
    },
    /// Box; 2 axes for a prism.
    Box {
        /// Lowest corner.
        min: DVec3,
        /// Highest corner.
        max: DVec3,
        /// 2 or 3.
        axes: usize,
    },
    /// A chunk of the obstacle's edges, by its index.
    Edges(usize),
    /// The inside of a polygon.
    Region,
}

/// Some edges of one chain and the box around them.
#[derive(Debug, Clone)]
pub(super) struct Chunk {
    /// Index of the first edge.
    pub(super) first: usize,
    /// Index after the last.
    pub(super) end: usize,
    /// Box around the edges, not padded.
    pub(super) low: DVec2,
    /// Upper corner of it.
    pub(super) high: DVec2,
}

impl RTreeObject for Entry {
    type Envelope = Flat;

    fn envelope(&self) -> Flat {
        self.flat
    }
}

/// A padded box.
pub(super) fn padded(low: DVec2, high: DVec2) -> Flat {
    AABB::from_corners((low - PAD).to_array(), (high + PAD).to_array())
}

/// Squared distance from a point to a box, 0 inside.
pub(super) fn distance_squared(flat: &Flat, at: DVec2) -> f64 {
    at.distance_squared(at.clamp(DVec2::from(flat.lower()), DVec2::from(flat.upper())))
}

/// Visits all entries whose boxes and parents' boxes pass `test`, until `each` breaks.
pub(super) fn visit<T, F>(node: &ParentNode<Entry>, test: &T, each: &mut F) -> ControlFlow<()>
where
    T: Fn(&Flat) -> bool,
    F: FnMut(&Entry) -> ControlFlow<()>,
{
    for child in node.children() {
        match child {
            RTreeNode::Leaf(entry) if test(&entry.flat) => each(entry)?,
            RTreeNode::Parent(parent) if test(&parent.envelope()) => visit(parent, test, each)?,
            _ => {}
        }
    }
    ControlFlow::Continue(())
}

/// Most children of a node that `visit_nearest` sorts; the tree's own limit is 6.
const FAN: usize = 8;

/// Visits entries roughly from near to far; `each` returns the distance beyond which nothing is wanted any more.
/// Entries at exactly that distance are still visited, so that ties can be broken by id.
pub(super) fn visit_nearest<F>(node: &ParentNode<Entry>, at: DVec2, limit: &mut f64, each: &mut F)
where
    F: FnMut(&Entry) -> f64,
{
    let children = node.children();
    let mut order = [(0.0, 0); FAN];
    for (block, part) in children.chunks(FAN).enumerate() {
        let order = &mut order[..part.len()];
        for (index, child) in part.iter().enumerate() {
            order[index] = (distance_squared(&child.envelope(), at), block * FAN + index);
        }
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(far, index) in order.iter() {
            if far > *limit * *limit {
                break;
            }
            match &children[index] {
                RTreeNode::Leaf(entry) => *limit = each(entry).max(0.0),
                RTreeNode::Parent(parent) => visit_nearest(parent, at, limit, each),
            }
        }
    }
}

/// Whether a segment, thickened by `reach`, may touch a box: separating axes in x and y.
pub(super) fn may_touch(flat: &Flat, from: DVec2, to: DVec2, reach: f64) -> bool {
    let (low, high) = (DVec2::from(flat.lower()) - reach, DVec2::from(flat.upper()) + reach);
    let overlaps = from.min(to).cmple(high).all() && from.max(to).cmpge(low).all();
    if !overlaps {
        return false;
    }
    let along = to - from;
    let half = (high - low) / 2.0;
    let middle = (low + high) / 2.0 - from;
    let reach_across = along.x.abs() * half.y + along.y.abs() * half.x;
    let cross = along.perp_dot(middle).abs();
    cross <= reach_across + 1e-9 * along.abs().max_element() * (middle.abs().max_element() + 1.0)
}
