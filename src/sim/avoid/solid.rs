//! What obstacles forbid: a tangent per convex piece, for which the agent alone is responsible.
//!
//! The velocities that touch a convex piece K within a time τ are s·(K ⊕ ball of one's radius), s ≥ 1/τ: convex again. For a
//! unit vector n let m(n) be the support of K ⊕ ball along n, as seen from the agent. Where m(n) ≤ 0 the half-space n·v ≥ m(n)/τ
//! parts the set from rest, so any of them is safe. The best is the one that the wanted velocity keeps most easily, as far as the
//! point that the agent goes to now: obstacles do not answer, so there is nothing to agree upon by what both do now, and the
//! tangent by the current velocity keeps who passes a door from turning into it; and a wall behind that point must not be turned
//! round, for there the way turns.

use super::pair::{self, Manner};
use super::space::HalfSpace;
use crate::sim::obstacle::{Obstacles, Piece, PieceShape};
use glam::{DVec2, DVec3};

/// An overlap below this is the gap that bodies keep by themselves, m.
const TOUCH: f64 = 1e-5;

/// Who keeps clear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    /// m.
    pub(super) at: DVec3,
    /// The velocity that it aims at, m/s, no faster than it takes to its point within the horizon.
    pub(super) aim: DVec3,
    /// m.
    pub(super) radius: f64,
    /// The most that it can do, m/s.
    pub(super) top: f64,
    /// Whether it moves in the plane only.
    pub(super) planar: bool,
    /// Time horizon, parting time and side.
    pub(super) manner: Manner,
}

/// What obstacles say.
#[derive(Debug, Default)]
pub(super) struct Walls {
    pieces: Vec<Piece>,
    /// Never violated: nothing here asks for more than to stand still.
    pub(super) hard: Vec<HalfSpace>,
    /// The way out of what the agent stands in.
    pub(super) soft: Vec<HalfSpace>,
}

impl Walls {
    /// No obstacle.
    pub(super) fn clear(&mut self) {
        self.hard.clear();
        self.soft.clear();
    }

    /// Finds what the obstacles near the agent forbid.
    pub(super) fn find(&mut self, obstacles: &Obstacles, walker: &Walker) {
        self.clear();
        let horizon = walker.manner.horizon;
        obstacles.pieces(walker.at, walker.radius + horizon * walker.top + TOUCH, &mut self.pieces);
        for piece in &self.pieces {
            if piece.distance <= walker.radius {
                self.hard.push(HalfSpace { normal: piece.normal, offset: 0.0 });
                let deep = walker.radius - piece.distance;
                if deep > TOUCH {
                    let out = (deep / walker.manner.parting).min(0.5 * walker.top);
                    self.soft.push(HalfSpace { normal: piece.normal, offset: out });
                }
                continue;
            }
            let covered = |line: &HalfSpace| {
                let support = support(piece, walker, line.normal);
                support <= 0.0 && support <= line.offset * horizon
            };
            if self.hard.iter().any(covered) {
                continue;
            }
            if let Some(line) = tangent(piece, walker).filter(|line| line.offset > -walker.top) {
                self.hard.push(line);
            }
        }
    }
}

/// How far a piece reaches along a direction, its agent's radius included, m.
fn support(piece: &Piece, walker: &Walker, n: DVec3) -> f64 {
    let at = walker.at;
    walker.radius
        + match piece.shape {
            PieceShape::Round { at: center, radius, flat } => {
                let to = if flat { (center - at).truncate().extend(0.0) } else { center - at };
                // A prism without end reaches as far as its slope lets it.
                if flat && n.z != 0.0 {
                    return f64::INFINITY;
                }
                n.dot(to) + radius
            }
            PieceShape::Block { min, max, flat } => {
                if flat && n.z != 0.0 {
                    return f64::INFINITY;
                }
                let z = if flat { 0.0 } else { (n.z * (min.z - at.z)).max(n.z * (max.z - at.z)) };
                (n.x * (min.x - at.x)).max(n.x * (max.x - at.x)) + (n.y * (min.y - at.y)).max(n.y * (max.y - at.y)) + z
            }
            PieceShape::Edge { from, to } => {
                if n.z != 0.0 {
                    return f64::INFINITY;
                }
                let (n, at) = (n.truncate(), at.truncate());
                n.dot(from - at).max(n.dot(to - at))
            }
            PieceShape::Inside => f64::INFINITY,
        }
}

fn tangent(piece: &Piece, walker: &Walker) -> Option<HalfSpace> {
    let Walker { at, aim, radius, planar, manner, .. } = *walker;
    let here = at.truncate();
    match piece.shape {
        PieceShape::Round { at: center, radius: own, flat } if flat || planar => {
            // In the plane a ball is the disc that its height cuts out of it, fattened by the agent's ball.
            let up = if flat { 0.0 } else { center.z - at.z };
            let reach = (own + radius) * (own + radius) - up * up;
            let (offset, v) = ((center - at).truncate(), aim.truncate());
            (reach > 0.0).then(|| {
                let owed = pair::in_plane(offset, v, reach.sqrt(), manner, || DVec2::X);
                HalfSpace { normal: owed.normal.extend(0.0), offset: (owed.normal.dot(v) + owed.lack).min(0.0) }
            })
        }
        PieceShape::Round { at: center, radius: own, .. } => {
            let owed = pair::in_space(center - at, aim, own + radius, manner, || DVec3::X);
            Some(HalfSpace { normal: owed.normal, offset: (owed.normal.dot(aim) + owed.lack).min(0.0) })
        }
        PieceShape::Block { min, max, flat } if flat || planar => {
            if !flat && (at.z > max.z + radius || at.z < min.z - radius) {
                return None;
            }
            let (low, high) = (min.truncate() - here, max.truncate() - here);
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
            let faces = [DVec2::NEG_X, DVec2::X, DVec2::NEG_Y, DVec2::Y];
            Some(flat_tangent(&corners, &faces, |point| point.clamp(low, high), walker))
        }
        PieceShape::Block { min, max, .. } => Some(block_tangent(min - at, max - at, walker)),
        PieceShape::Edge { from, to } => {
            let (from, to) = (from - here, to - here);
            let along = (to - from).normalize_or_zero();
            let project = |point: DVec2| {
                let t = (point - from).dot(to - from) / (to - from).length_squared();
                if t > 0.0 { from + (to - from) * t.min(1.0) } else { from }
            };
            Some(flat_tangent(&[from, to], &[along.perp(), -along.perp()], project, walker))
        }
        PieceShape::Inside => None,
    }
}

/// The tangent of a convex piece in the plane that the aim keeps most easily: one of its two legs, one of its faces, or the
/// round front. `nearest` gives the piece's nearest point to any; the agent stands at the origin, outside.
fn flat_tangent(corners: &[DVec2], faces: &[DVec2], nearest: impl Fn(DVec2) -> DVec2, walker: &Walker) -> HalfSpace {
    let (radius, horizon, side) = (walker.radius, walker.manner.horizon, walker.manner.side);
    let v = walker.aim.truncate();
    let support = |n: DVec2| corners.iter().map(|corner| n.dot(*corner)).fold(f64::NEG_INFINITY, f64::max) + radius;
    let mut best = (f64::NEG_INFINITY, DVec2::ZERO, 0.0);
    let mut offer = |n: DVec2, m: f64| {
        let room = n.dot(v) - m / horizon;
        if m <= 0.0 && room > best.0 {
            best = (room, n, m / horizon);
        }
    };
    // Against its nearest point: always a tangent.
    let toward = nearest(DVec2::ZERO);
    let distance = toward.length();
    let facing = -toward / distance.max(1e-12);
    offer(facing, (radius - distance).min(0.0));
    // The legs: the tangents of the corners' circles that turn farthest from the piece, to the preferred side first.
    for turn in [-side, side] {
        let mut leg = DVec2::ZERO;
        for corner in corners {
            let far = corner.length_squared();
            let along = (far - radius * radius).max(0.0).sqrt();
            let way = (*corner * along + corner.perp() * (turn * radius)) / far.max(1e-24);
            if leg == DVec2::ZERO || leg.perp_dot(way) * turn > 0.0 {
                leg = way;
            }
        }
        let length = leg.length();
        if length > 1e-9 {
            offer(leg.perp() * (turn / length), 0.0);
        }
    }
    let ahead = v * horizon;
    let front = ahead - nearest(ahead);
    let length = front.length();
    if length > 1e-9 {
        offer(front / length, support(front / length));
    }
    for face in faces {
        offer(*face, support(*face));
    }
    HalfSpace { normal: best.1.extend(0.0), offset: best.2 }
}

/// A tangent of a box with a height: the one against its nearest point, turned toward what the aim would keep as long as it
/// stays a tangent. Any of them is safe; between the two the turn is found by halving.
fn block_tangent(low: DVec3, high: DVec3, walker: &Walker) -> HalfSpace {
    let (radius, horizon) = (walker.radius, walker.manner.horizon);
    let support = |n: DVec3| radius + (n * low).max(n * high).element_sum();
    let toward = DVec3::ZERO.clamp(low, high);
    let facing = -toward / toward.length().max(1e-12);
    let ahead = walker.aim * horizon;
    let front = ahead - ahead.clamp(low, high);
    let mut best = HalfSpace { normal: facing, offset: support(facing).min(0.0) / horizon };
    if front.length_squared() < 1e-18 {
        return best;
    }
    let front = front.normalize_or_zero();
    let (mut kept, mut lost) = (0.0, 1.0);
    let mut offer = |share: f64| {
        let normal = (facing * (1.0 - share) + front * share).normalize_or_zero();
        let m = support(normal);
        let fits = m <= 0.0 && normal != DVec3::ZERO;
        let line = HalfSpace { normal, offset: m / horizon };
        if fits && line.lack(walker.aim) < best.lack(walker.aim) {
            best = line;
        }
        fits
    };
    if !offer(1.0) {
        for _ in 0..24 {
            let middle = 0.5 * (kept + lost);
            if offer(middle) {
                kept = middle;
            } else {
                lost = middle;
            }
        }
    }
    best
}
