//! Outlines of shapes for drawing, as lines in the world; knows no window.

use std::f64::consts::TAU;

use glam::DVec3;

use super::shape::Shape;

/// A line to draw, m.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Points in order.
    pub points: Vec<DVec3>,
    /// Whether the last point joins the first.
    pub closed: bool,
    /// Whether the ring is the rim of a hole.
    pub hole: bool,
}

impl Outline {
    fn ring(points: Vec<DVec3>) -> Self {
        Self { points, closed: true, hole: false }
    }

    fn line(points: Vec<DVec3>) -> Self {
        Self { points, closed: false, hole: false }
    }
}

/// The lines that show a shape: rings of solids (holes marked), lines of walls, the edges of a box with a height, three
/// great circles of a sphere. `steps` is the number of points of a circle, at least 3.
pub fn outlines(shape: &Shape, steps: usize) -> Vec<Outline> {
    match shape {
        Shape::Disc { at, radius } => {
            vec![circle(*at, DVec3::X * *radius, DVec3::Y * *radius, steps)]
        }
        Shape::Sphere { at, radius } => {
            let axes = [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::Z, DVec3::X)];
            axes.into_iter().map(|(a, b)| circle(*at, a * *radius, b * *radius, steps)).collect()
        }
        Shape::Box { min, max } => box_lines(*min, *max),
        Shape::Wall { from, to } => vec![Outline::line(vec![*from, *to])],
        Shape::Polyline { points } => vec![Outline::line(points.clone())],
        Shape::Polygon { points, holes } => {
            let mut rings = vec![Outline::ring(points.clone())];
            rings.extend(holes.iter().map(|hole| Outline { hole: true, ..Outline::ring(hole.clone()) }));
            rings
        }
    }
}

fn circle(at: DVec3, right: DVec3, up: DVec3, steps: usize) -> Outline {
    let steps = steps.max(3);
    let angles = (0..steps).map(|step| TAU * step as f64 / steps as f64);
    Outline::ring(angles.map(|angle| at + right * libm::cos(angle) + up * libm::sin(angle)).collect())
}

fn box_lines(min: DVec3, max: DVec3) -> Vec<Outline> {
    let floor = |z: f64| {
        let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
        corners.map(|(x, y)| DVec3::new(x, y, z)).to_vec()
    };
    let (bottom, top) = (floor(min.z), floor(max.z));
    if min.z == max.z {
        return vec![Outline::ring(bottom)];
    }
    let posts: Vec<_> = bottom.iter().zip(&top).map(|(a, b)| Outline::line(vec![*a, *b])).collect();
    let mut lines = vec![Outline::ring(bottom), Outline::ring(top)];
    lines.extend(posts);
    lines
}
