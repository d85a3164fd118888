//! Obstacles grown by a radius, as rings of corners that enclose the true shape.
//!
//! Growing is the Minkowski sum with a disc. Its round parts become polygons round the outside of the arcs, so that a path along
//! their edges keeps at least the radius; straight sides stay exactly the radius away.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use crate::sim::obstacle::Shape;

/// Corners of a full circle, a multiple of 4: a circle of that many sides round the outside is 2 % too large at its corners.
const SIDES: usize = 16;
/// The largest part, m, by which the sides of a disc may lie outside of it at its corners.
const DISC_ERROR: f64 = 0.02;

/// Rings that together cover a shape grown by `radius` m; all counterclockwise, they may overlap. Holes that remain are none of
/// their business: they are what no ring covers.
pub(super) fn grown(shape: &Shape, radius: f64, rings: &mut Vec<Vec<DVec2>>) {
    match shape {
        Shape::Disc { at, radius: own } | Shape::Sphere { at, radius: own } => {
            rings.push(circle(at.truncate(), own + radius));
        }
        Shape::Box { min, max } => {
            let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
            solid(&corners.map(|(x, y)| DVec2::new(x, y)), radius, rings);
        }
        Shape::Wall { from, to } => capsule(from.truncate(), to.truncate(), radius, rings),
        Shape::Polyline { points } => {
            for pair in points.windows(2) {
                capsule(pair[0].truncate(), pair[1].truncate(), radius, rings);
            }
        }
        Shape::Polygon { points, holes } => {
            // A polygon with holes is its own rim: the inside is cut into one ring that runs along the holes by `free`.
            along(&flat(points), radius, rings);
            for hole in holes {
                along(&flat(hole), radius, rings);
            }
        }
    }
}

/// The inside of a shape that is not covered by its grown rim: outer rings counterclockwise, holes clockwise.
pub(super) fn inside(shape: &Shape) -> Vec<Vec<DVec2>> {
    match shape {
        Shape::Polygon { points, holes } => {
            std::iter::once(flat(points)).chain(holes.iter().map(|h| flat(h))).collect()
        }
        _ => Vec::new(),
    }
}

fn flat(points: &[DVec3]) -> Vec<DVec2> {
    points.iter().map(|point| point.truncate()).collect()
}

/// A convex ring and its rim.
fn solid(ring: &[DVec2], radius: f64, rings: &mut Vec<Vec<DVec2>>) {
    rings.push(ring.to_vec());
    along(ring, radius, rings);
}

/// The rim of a closed ring.
pub(super) fn along(ring: &[DVec2], radius: f64, rings: &mut Vec<Vec<DVec2>>) {
    for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        capsule(*from, *to, radius, rings);
    }
}

/// A line grown by a radius. A radius of 0 still has a width, so that a thin wall parts the ground.
fn capsule(from: DVec2, to: DVec2, radius: f64, rings: &mut Vec<Vec<DVec2>>) {
    let radius = radius.max(1e-3);
    let along = (to - from).normalize_or_zero();
    if along == DVec2::ZERO {
        rings.push(circle(from, radius));
        return;
    }
    let left = along.perp();
    let outer = radius / libm::cos(TAU / (2.0 * SIDES as f64));
    // Corners half a step from the sides, so that the sides lie exactly `radius` away.
    let corner = |step: usize| {
        let angle = TAU * (step as f64 + 0.5) / SIDES as f64;
        (-left * libm::cos(angle) + along * libm::sin(angle)) * outer
    };
    let half = SIDES / 2;
    let mut ring = Vec::with_capacity(SIDES + 4);
    ring.push(to - left * radius);
    ring.extend((0..half).map(|step| to + corner(step)));
    ring.push(to + left * radius);
    ring.push(from + left * radius);
    ring.extend((half..SIDES).map(|step| from + corner(step)));
    ring.push(from - left * radius);
    rings.push(ring);
}

/// A polygon round the outside of a circle.
fn circle(at: DVec2, radius: f64) -> Vec<DVec2> {
    // 1/cos(π/n) − 1 ≈ π²/2n².
    let needed = (0.5 * std::f64::consts::PI.powi(2) * radius / DISC_ERROR).sqrt();
    let sides = (needed / 4.0).ceil().clamp(3.0, 16.0) as usize * 4;
    let outer = radius / libm::cos(TAU / (2.0 * sides as f64));
    let corner = |step: usize| {
        let angle = TAU * (step as f64 + 0.5) / sides as f64;
        at + outer * DVec2::new(libm::cos(angle), libm::sin(angle))
    };
    (0..sides).map(corner).collect()
}
