//! Convex pieces of obstacles near a point, for who must keep clear of each of them by a tangent of its own.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use glam::{DVec2, DVec3};

use super::query::answerable;
use super::set::{ObstacleId, Obstacles};
use super::tree::{Entry, Part, distance_squared, visit};

/// The shape of a piece, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PieceShape {
    /// A disc (a prism) or a ball.
    Round {
        /// Center.
        at: DVec3,
        /// Radius.
        radius: f64,
        /// Whether it is a disc.
        flat: bool,
    },
    /// A box along the axes.
    Block {
        /// Lowest corner.
        min: DVec3,
        /// Highest corner.
        max: DVec3,
        /// Whether it is a prism.
        flat: bool,
    },
    /// A straight piece of wall or an edge of a polygon, a prism.
    Edge {
        /// One end.
        from: DVec2,
        /// The other.
        to: DVec2,
    },
    /// The inside of a polygon that has the point in it.
    Inside,
}

/// A convex piece as seen from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Whose piece it is.
    pub id: ObstacleId,
    /// Its shape.
    pub shape: PieceShape,
    /// Distance to its surface, m; negative inside.
    pub distance: f64,
    /// Outward unit normal at its nearest point, from the piece to the point.
    pub normal: DVec3,
}

impl Piece {
    /// Nearest first, then by obstacle; what follows tells the pieces of one obstacle apart.
    fn order(&self, other: &Self) -> Ordering {
        let ends = |piece: &Self| match piece.shape {
            PieceShape::Edge { from, to } => [from.x, from.y, to.x, to.y],
            _ => [0.0; 4],
        };
        let rest = || {
            let numbers = ends(self).into_iter().zip(ends(other));
            numbers.map(|(a, b)| a.total_cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        };
        self.distance.total_cmp(&other.distance).then(self.id.cmp(&other.id)).then_with(rest)
    }
}

impl Obstacles {
    /// Writes into `pieces` the convex pieces whose surface is at most `radius` m away or that have the point inside, nearest
    /// first. Edges of a polygon that turn their back to the point are left out: others of its edges hide them. Clears
    /// `pieces` first; a reused one is not reallocated.
    pub fn pieces(&self, point: DVec3, radius: f64, pieces: &mut Vec<Piece>) {
        pieces.clear();
        if !answerable(point) || radius.is_nan() || self.blocks_nothing() {
            return;
        }
        let (flat, reach) = (point.truncate(), radius.max(0.0));
        let _all =
            visit(self.tree.root(), &|flat_box| distance_squared(flat_box, flat) <= reach * reach, &mut |entry| {
                self.add_pieces(entry, point, radius, pieces);
                ControlFlow::Continue(())
            });
        pieces.sort_unstable_by(Piece::order);
    }

    fn add_pieces(&self, entry: &Entry, point: DVec3, radius: f64, pieces: &mut Vec<Piece>) {
        let shape = match entry.part {
            Part::Disc { at, radius } => PieceShape::Round { at: at.extend(0.0), radius, flat: true },
            Part::Ball { at, radius } => PieceShape::Round { at, radius, flat: false },
            Part::Box { min, max, axes } => PieceShape::Block { min, max, flat: axes == 2 },
            Part::Region => PieceShape::Inside,
            Part::Edges(chunk) => {
                let Some(stored) = self.find(entry.id) else {
                    return;
                };
                let solid = stored.obstacle.shape.is_solid();
                for edge in stored.chunk(chunk) {
                    let near = edge.near(point);
                    // Rings run with the solid at their left.
                    if near.distance > radius || (solid && edge.side(point.truncate()) > 0.0) {
                        continue;
                    }
                    let shape = PieceShape::Edge { from: edge.from, to: edge.to };
                    pieces.push(Piece { id: entry.id, shape, distance: near.distance, normal: near.normal });
                }
                return;
            }
        };
        if let Some(hit) = self.near_part(entry, point).filter(|hit| hit.distance <= radius) {
            pieces.push(Piece { id: entry.id, shape, distance: hit.distance, normal: hit.normal });
        }
    }
}
