//! A slow second opinion on every query, and random sets to ask both about.

use glam::{DVec2, DVec3};
use proptest::prelude::*;
use swarmyard::sim::obstacle::Shape;

/// Coordinates of random tests, m, both signs.
pub(crate) const SPAN: f64 = 12.0;

pub(crate) fn coordinate() -> impl Strategy<Value = f64> {
    // Whole numbers now and then, so that ties and touching happen.
    prop_oneof![3 => -SPAN..SPAN, 1 => (-12_i32..12).prop_map(f64::from)]
}

pub(crate) fn flat() -> impl Strategy<Value = DVec3> {
    (coordinate(), coordinate()).prop_map(|(x, y)| DVec3::new(x, y, 0.0))
}

pub(crate) fn space() -> impl Strategy<Value = DVec3> {
    (coordinate(), coordinate(), -3.0..3.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

/// A star-shaped ring around `at`: never crosses itself.
fn star(at: DVec3, radii: &[f64], scale: f64, backward: bool) -> Vec<DVec3> {
    let step = std::f64::consts::TAU / radii.len() as f64;
    let mut ring: Vec<_> = radii
        .iter()
        .enumerate()
        .map(|(index, radius)| {
            let angle = step * index as f64;
            at + DVec3::new(angle.cos(), angle.sin(), 0.0) * (*radius * scale)
        })
        .collect();
    if backward {
        ring.reverse();
    }
    ring
}

pub(crate) fn polygon() -> impl Strategy<Value = Shape> {
    let radii = prop::collection::vec(1.0..4.0, 3..24);
    (flat(), radii, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(at, radii, backward, hole, hole_backward)| {
            // The hole is the ring itself, smaller: it stays inside of a star.
            let holes = if hole { vec![star(at, &radii, 0.5, hole_backward)] } else { Vec::new() };
            Shape::Polygon { points: star(at, &radii, 1.0, backward), holes }
        },
    )
}

pub(crate) fn shape() -> impl Strategy<Value = Shape> {
    let size = 0.05..3.0;
    prop_oneof![
        (flat(), size.clone()).prop_map(|(at, radius)| Shape::Disc { at, radius }),
        (space(), size.clone()).prop_map(|(at, radius)| Shape::Sphere { at, radius }),
        (flat(), size.clone(), size.clone())
            .prop_map(|(min, a, b)| Shape::Box { min, max: min + DVec3::new(a, b, 0.0) }),
        (space(), size.clone(), size.clone(), size.clone())
            .prop_map(|(min, a, b, c)| Shape::Box { min, max: min + DVec3::new(a, b, c) }),
        (flat(), flat())
            .prop_filter("a wall has a length", |(from, to)| from != to)
            .prop_map(|(from, to)| Shape::Wall { from, to }),
        prop::collection::vec(flat(), 2..30)
            .prop_filter("a line has a length", |points| points.iter().any(|point| *point != points[0]))
            .prop_map(|points| Shape::Polyline { points }),
        polygon(),
    ]
}

/// Signed distance to a shape, written down without any of the code under test.
pub(crate) fn distance(shape: &Shape, at: DVec3) -> f64 {
    match shape {
        Shape::Disc { at: center, radius } => at.truncate().distance(center.truncate()) - radius,
        Shape::Sphere { at: center, radius } => at.distance(*center) - radius,
        Shape::Box { min, max } => {
            let half = (*max - *min) / 2.0;
            let mut q = (at - (*min + *max) / 2.0).abs() - half;
            if min.z == max.z {
                q.z = f64::NEG_INFINITY;
            }
            q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
        }
        Shape::Wall { .. } | Shape::Polyline { .. } => rim(shape, at.truncate()),
        Shape::Polygon { .. } => {
            let rim = rim(shape, at.truncate());
            if inside(shape, at.truncate()) { -rim } else { rim }
        }
    }
}

fn chains(shape: &Shape) -> Vec<Vec<DVec2>> {
    let flat = |points: &Vec<DVec3>| points.iter().map(|point| point.truncate()).collect::<Vec<_>>();
    let closed = |points: &Vec<DVec3>| {
        let mut ring = flat(points);
        ring.push(ring[0]);
        ring
    };
    match shape {
        Shape::Wall { from, to } => vec![vec![from.truncate(), to.truncate()]],
        Shape::Polyline { points } => vec![flat(points)],
        Shape::Polygon { points, holes } => std::iter::once(points).chain(holes).map(closed).collect(),
        _ => Vec::new(),
    }
}

fn rim(shape: &Shape, at: DVec2) -> f64 {
    let pairs = chains(shape).into_iter().flat_map(|chain| chain.windows(2).map(|p| (p[0], p[1])).collect::<Vec<_>>());
    pairs.map(|(a, b)| to_segment(a, b, at)).fold(f64::INFINITY, f64::min)
}

fn to_segment(a: DVec2, b: DVec2, at: DVec2) -> f64 {
    if a == b {
        return at.distance(a);
    }
    let t = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    at.distance(a + (b - a) * t)
}

/// Even-odd over all rings.
fn inside(shape: &Shape, at: DVec2) -> bool {
    let mut odd = false;
    for chain in chains(shape) {
        for pair in chain.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                odd = !odd;
            }
        }
    }
    odd
}
