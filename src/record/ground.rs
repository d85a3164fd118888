//! The walkable area: a rectangle without what stands in it, as one polygon with holes per connected part.
//!
//! The overlay of polygons runs on whole numbers, so the same obstacles give the same text, and the same hash, everywhere.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;
use xxhash_rust::xxh3::xxh3_64;

use crate::sim::obstacle::Shape;

/// Half the thickness of a wall that has none in the scene, m: a line parts no polygon.
pub const HALF_WALL_M: f64 = 0.005;
/// Coordinates are kept below this; the overlay needs room for sums.
const MOST: f64 = (1_u32 << 29) as f64;
/// Corners of a disc.
const SIDES: usize = 32;

type Ring = Vec<IntPoint<i32>>;

/// A connected walkable area: corners in m, no ring closed by repeating its first corner.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ground {
    /// The rim.
    pub outer: Vec<DVec2>,
    /// What stands in it.
    pub holes: Vec<Vec<DVec2>>,
}

impl Ground {
    /// The size of the area, m².
    pub fn area(&self) -> f64 {
        let of = |ring: &[DVec2]| {
            let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
            (pairs.map(|(a, b)| a.perp_dot(*b)).sum::<f64>() / 2.0).abs()
        };
        of(&self.outer) - self.holes.iter().map(|hole| of(hole)).sum::<f64>()
    }

    /// Lower and upper corner, m.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let low = self.outer.iter().copied().reduce(DVec2::min).unwrap_or_default();
        let high = self.outer.iter().copied().reduce(DVec2::max).unwrap_or_default();
        (low, high)
    }

    /// Whether a point (m) lies in it.
    pub fn has(&self, at: DVec2) -> bool {
        encloses(&self.outer, at) && !self.holes.iter().any(|hole| encloses(hole, at))
    }

    /// As well-known text.
    pub fn wkt(&self) -> String {
        super::wkt::write(self)
    }
}

/// The number of a geometry in a trajectory file: the same for the same text, on every machine.
pub fn hash(wkt: &str) -> i64 {
    xxh3_64(wkt.as_bytes()).cast_signed()
}

/// Whether a ring goes round a point.
fn encloses(ring: &[DVec2], at: DVec2) -> bool {
    let mut inside = false;
    for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
        let crosses = (a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x;
        inside ^= crosses;
    }
    inside
}

/// Whole numbers per metre: a power of ten, so that 0.1 m stays 0.1 m in the text.
#[derive(Clone, Copy)]
struct Grid(f64);

impl Grid {
    fn new(far: f64) -> Self {
        let mut per_m = 1e6;
        while per_m * far > MOST && per_m > 1e-3 {
            per_m /= 10.0;
        }
        Self(per_m)
    }

    fn ring(self, points: &[DVec2]) -> Ring {
        let number = |x: f64| libm::round((x * self.0).clamp(-MOST, MOST)) as i32;
        points.iter().map(|point| IntPoint::new(number(point.x), number(point.y))).collect()
    }

    fn metres(self, ring: &Ring) -> Vec<DVec2> {
        ring.iter().map(|point| DVec2::new(f64::from(point.x) / self.0, f64::from(point.y) / self.0)).collect()
    }
}

/// The connected parts of a rectangle (lower and upper corner, m) without the shapes, the largest first.
pub fn free(area: (DVec2, DVec2), shapes: &[Shape]) -> Vec<Ground> {
    let (low, high) = area;
    let grid = Grid::new(low.abs().max(high.abs()).max_element().max(1.0) + 1.0);
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
    let rim = grid.ring(&corners.map(|(x, y)| DVec2::new(x, y)));
    let mut solid: Vec<Ring> = Vec::new();
    for shape in shapes {
        solid_of(shape, grid, &mut solid);
    }
    let parts = overlay(&[rim], &solid, OverlayRule::Difference, FillRule::NonZero);
    let mut grounds: Vec<Ground> = parts
        .into_iter()
        .filter_map(|part| {
            let mut rings = part.iter().map(|ring| grid.metres(ring));
            Some(Ground { outer: rings.next()?, holes: rings.collect() })
        })
        .collect();
    grounds.sort_by(|a, b| b.area().total_cmp(&a.area()));
    grounds
}

/// What a shape covers, as rings that all run counterclockwise.
fn solid_of(shape: &Shape, grid: Grid, solid: &mut Vec<Ring>) {
    let flat = |points: &[DVec3]| points.iter().map(|point| point.truncate()).collect::<Vec<_>>();
    match shape {
        Shape::Disc { at, radius } | Shape::Sphere { at, radius } => {
            solid.push(grid.ring(&circle(at.truncate(), *radius)));
        }
        Shape::Box { min, max } => {
            let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
            solid.push(grid.ring(&corners.map(|(x, y)| DVec2::new(x, y))));
        }
        Shape::Wall { from, to } => solid.push(grid.ring(&band(from.truncate(), to.truncate()))),
        Shape::Polyline { points } => {
            solid.extend(points.windows(2).map(|pair| grid.ring(&band(pair[0].truncate(), pair[1].truncate()))));
        }
        Shape::Polygon { points, holes } => {
            // Holes of one polygon must not eat into another one: each is solved for itself.
            let rings: Vec<Ring> = std::iter::once(points).chain(holes).map(|ring| grid.ring(&flat(ring))).collect();
            solid.extend(overlay(&rings, &[], OverlayRule::Subject, FillRule::EvenOdd).into_iter().flatten());
        }
    }
}

/// A polygon with the area of the disc, so that densities come out right.
fn circle(at: DVec2, radius: f64) -> Vec<DVec2> {
    let step = TAU / SIDES as f64;
    let reach = radius * libm::sqrt(step / libm::sin(step));
    let corner = |i: usize| at + reach * DVec2::new(libm::cos(step * i as f64), libm::sin(step * i as f64));
    (0..SIDES).map(corner).collect()
}

/// A wall with a thickness and square ends, so that walls that meet leave no gap.
fn band(from: DVec2, to: DVec2) -> Vec<DVec2> {
    let along = (to - from).normalize_or(DVec2::X) * HALF_WALL_M;
    let side = along.perp();
    vec![from - along - side, to + along - side, to + along + side, from - along + side]
}

fn overlay(subject: &[Ring], clip: &[Ring], rule: OverlayRule, fill: FillRule) -> Vec<Vec<Ring>> {
    let count = subject.iter().chain(clip).map(Vec::len).sum();
    let mut overlay = Overlay::<i32>::new(count);
    for ring in subject {
        overlay.add_contour(ring, ShapeType::Subject);
    }
    for ring in clip {
        overlay.add_contour(ring, ShapeType::Clip);
    }
    overlay.overlay(rule, fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> DVec3 {
        DVec3::new(x, y, 0.0)
    }

    #[test]
    fn a_room_of_walls_is_cut_out_and_its_door_joins_two_rooms() {
        let wall = |a: (f64, f64), b: (f64, f64)| Shape::Wall { from: at(a.0, a.1), to: at(b.0, b.1) };
        let mut shapes = vec![
            Shape::Polyline { points: vec![at(0.0, 0.0), at(8.0, 0.0), at(8.0, 4.0), at(0.0, 4.0), at(0.0, 0.0)] },
            wall((4.0, 0.0), (4.0, 1.5)),
            wall((4.0, 2.5), (4.0, 4.0)),
        ];
        let area = (DVec2::splat(-1.0), DVec2::new(9.0, 5.0));
        let open = free(area, &shapes);
        assert_eq!(open.len(), 2, "inside and outside");
        let inside = open.iter().find(|ground| ground.has(DVec2::new(1.0, 1.0))).expect("the rooms");
        assert!(inside.has(DVec2::new(7.0, 1.0)), "through the door");
        shapes.push(wall((4.0, 1.5), (4.0, 2.5)));
        let shut = free(area, &shapes);
        assert_eq!(shut.len(), 3);
        let room = shut.iter().find(|ground| ground.has(DVec2::new(1.0, 1.0))).expect("a room");
        assert!(!room.has(DVec2::new(7.0, 1.0)));
        assert!((room.area() - 3.99 * 3.99).abs() < 1e-9, "walls of 1 cm: {}", room.area());
    }

    #[test]
    fn solids_are_holes_of_their_size() {
        let shapes = [
            Shape::Disc { at: at(2.0, 2.0), radius: 0.5 },
            Shape::Box { min: at(4.0, 1.0), max: at(5.0, 2.0) },
            Shape::Polygon {
                points: vec![at(6.0, 1.0), at(9.0, 1.0), at(9.0, 4.0), at(6.0, 4.0)],
                holes: vec![vec![at(7.0, 2.0), at(7.0, 3.0), at(8.0, 3.0), at(8.0, 2.0)]],
            },
        ];
        let grounds = free((DVec2::ZERO, DVec2::new(10.0, 5.0)), &shapes);
        assert_eq!(grounds.len(), 2, "the yard in the polygon is a part of its own");
        let disc = std::f64::consts::PI * 0.25;
        assert!((grounds[0].area() - (50.0 - disc - 1.0 - 9.0)).abs() < 1e-4, "{}", grounds[0].area());
        assert_eq!(grounds[0].holes.len(), 3);
        assert!((grounds[1].area() - 1.0).abs() < 1e-9);
        assert!(grounds[0].wkt().starts_with("POLYGON ((0 5, 0 0, 10 0, 10 5, 0 5), ("), "{}", grounds[0].wkt());
    }

    #[test]
    fn the_hash_is_one_of_the_text_alone() {
        let wkt = "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))";
        // As the reference implementation has it, in Python: xxhash.xxh3_64_intdigest(…), as a signed number.
        assert_eq!(hash(wkt), -6_761_633_531_555_333_655, "files of different machines name a geometry alike");
        assert_ne!(hash(wkt), hash("POLYGON ((0 0, 10 0, 10 5, 0 4, 0 0))"));
    }
}
