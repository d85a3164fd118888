//! Where the nearest surface is: all within a radius, the nearest one, clearance, inside or not.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use glam::DVec3;

use super::near::{Near, ball, disc, solid_box};
use super::set::{ObstacleId, Obstacles, Stored};
use super::tree::{Entry, Part, distance_squared, visit, visit_nearest};

/// Beyond this, m, a query has no answer: squares of the distances would lose every digit.
const QUERY_LIMIT: f64 = 1e12;

/// The nearest point of one obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The obstacle.
    pub id: ObstacleId,
    /// Nearest point of its surface; at the height of the asking point where the obstacle is a prism.
    pub point: DVec3,
    /// Outward unit normal, never zero: from the obstacle to the asking point, inside by the nearest face.
    pub normal: DVec3,
    /// Distance to the surface, m; negative inside of a solid.
    pub distance: f64,
}

impl Hit {
    /// Nearest first, then by id; what follows decides only between features of the same obstacle.
    fn order(&self, other: &Self) -> Ordering {
        let rest = || {
            let (a, b) = ([self.point, self.normal], [other.point, other.normal]);
            let numbers = a.iter().flat_map(|v| v.to_array()).zip(b.iter().flat_map(|v| v.to_array()));
            numbers.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        self.distance.total_cmp(&other.distance).then(self.id.cmp(&other.id)).then_with(rest)
    }
}

impl Obstacles {
    /// Writes into `hits` the nearest point of each obstacle whose surface is at most `radius` m away, or that has the
    /// point inside: one answer per connected obstacle, sorted by distance, then id. Clears `hits` first; a reused one
    /// is not reallocated. A point that is not finite gets no answer.
    pub fn within(&self, point: DVec3, radius: f64, hits: &mut Vec<Hit>) {
        hits.clear();
        if !answerable(point) || radius.is_nan() || self.blocks_nothing() {
            return;
        }
        let flat = point.truncate();
        let reach = radius.max(0.0);
        let _all =
            visit(self.tree.root(), &|flat_box| distance_squared(flat_box, flat) <= reach * reach, &mut |entry| {
                hits.extend(self.near_part(entry, point).filter(|hit| hit.distance <= radius));
                ControlFlow::Continue(())
            });
        if hits.len() > 1 {
            hits.sort_unstable_by(|a, b| a.id.cmp(&b.id).then_with(|| a.order(b)));
            hits.dedup_by_key(|hit| hit.id);
            hits.sort_unstable_by(Hit::order);
        }
    }

    /// The obstacle whose surface is nearest, at most `max` m away (infinity for any). Among obstacles that have the
    /// point inside, the one it is deepest in.
    pub fn nearest(&self, point: DVec3, max: f64) -> Option<Hit> {
        if !answerable(point) || max.is_nan() || self.blocks_nothing() {
            return None;
        }
        let mut best: Option<Hit> = None;
        visit_nearest(self.tree.root(), point.truncate(), &mut max.max(0.0), &mut |entry| {
            let found = self.near_part(entry, point).filter(|hit| hit.distance <= max);
            best = match (best, found) {
                (Some(old), Some(new)) if old.order(&new).is_le() => Some(old),
                (old, new) => new.or(old),
            };
            best.map_or(max, |hit| hit.distance)
        });
        best
    }

    /// Distance to the nearest surface, m, negative inside of a solid, infinite where nothing blocks.
    pub fn clearance(&self, point: DVec3) -> f64 {
        self.nearest(point, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.distance)
    }

    /// The solid that has the point inside or on its surface; the lowest id of several.
    pub fn contains(&self, point: DVec3) -> Option<ObstacleId> {
        if !answerable(point) {
            return None;
        }
        let flat = point.truncate();
        let mut found: Option<ObstacleId> = None;
        let _all = visit(self.tree.root(), &|flat_box| distance_squared(flat_box, flat) <= 0.0, &mut |entry| {
            if self.part_contains(entry, point) {
                found = Some(found.map_or(entry.id, |id| id.min(entry.id)));
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Nearest point of one obstacle, open or not.
    pub fn measure(&self, id: ObstacleId, point: DVec3) -> Option<Hit> {
        let stored = self.find(id)?;
        if !answerable(point) {
            return None;
        }
        let hits = stored.parts().filter_map(|part| stored.near(part, point)).map(|near| hit(id, near));
        hits.min_by(Hit::order)
    }

    /// Nearest point of one entry; nothing for the inside of a polygon that the point is not in.
    pub(super) fn near_part(&self, entry: &Entry, point: DVec3) -> Option<Hit> {
        let near = match entry.part {
            Part::Disc { at, radius } => disc(at, radius, point),
            Part::Ball { at, radius } => ball(at, radius, point),
            Part::Box { min, max, axes } => solid_box(min, max, axes, point),
            part @ (Part::Edges(_) | Part::Region) => self.find(entry.id)?.near(part, point)?,
        };
        Some(hit(entry.id, near))
    }

    pub(super) fn part_contains(&self, entry: &Entry, point: DVec3) -> bool {
        match entry.part {
            Part::Edges(_) => false,
            Part::Region => self.find(entry.id).is_some_and(|stored| stored.encloses(point.truncate())),
            Part::Disc { .. } | Part::Ball { .. } | Part::Box { .. } => {
                self.near_part(entry, point).is_some_and(|hit| hit.distance <= 0.0)
            }
        }
    }
}

impl Stored {
    /// Nearest point of one part. Edges answer unsigned; the inside of a polygon answers with a negative distance,
    /// which is the lower one and so wins.
    fn near(&self, part: Part, point: DVec3) -> Option<Near> {
        match part {
            Part::Disc { at, radius } => Some(disc(at, radius, point)),
            Part::Ball { at, radius } => Some(ball(at, radius, point)),
            Part::Box { min, max, axes } => Some(solid_box(min, max, axes, point)),
            Part::Edges(chunk) => nearest_edge(self.chunk(chunk), point),
            Part::Region => {
                let near = self.encloses(point.truncate()).then(|| nearest_edge(&self.edges, point))??;
                let inside = near.distance > 1e-12;
                let normal = if inside { -near.normal } else { near.normal };
                Some(Near { normal, distance: -near.distance, ..near })
            }
        }
    }
}

/// Nearest of some edges, unsigned; on a tie the one with the lower point.
fn nearest_edge(edges: &[super::near::Edge], point: DVec3) -> Option<Near> {
    let none = ObstacleId::default();
    edges.iter().map(|edge| hit(none, edge.near(point))).min_by(Hit::order).map(|hit| Near {
        point: hit.point,
        normal: hit.normal,
        distance: hit.distance,
    })
}

fn hit(id: ObstacleId, near: Near) -> Hit {
    Hit { id, point: near.point, normal: near.normal, distance: near.distance }
}

/// Whether a query at this point can have an answer.
pub(super) fn answerable(point: DVec3) -> bool {
    point.abs().max_element() <= QUERY_LIMIT && point.is_finite()
}
