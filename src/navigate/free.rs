//! The free ground for the center of an agent: floors minus grown obstacles, on a grid of whole numbers.
//!
//! The overlay of polygons runs on whole numbers, so it has no rounding to disagree about: the same rings on every machine,
//! whatever touches or overlaps.

use std::collections::BTreeMap;

use glam::DVec2;
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;

use super::grow;
use super::settings::Settings;
use crate::sim::obstacle::Obstacles;

type Ring = Vec<IntPoint<i32>>;

/// Coordinates are kept below this; the overlay needs room for sums.
const MOST: f64 = (1_u32 << 29) as f64;

/// A grid with a power of two of lines per metre: grid points are exact as `f64`.
#[derive(Clone, Copy, Debug)]
struct Grid {
    per_m: f64,
}

impl Grid {
    /// The finest grid that holds points up to `far` m from the origin.
    fn new(far: f64) -> Self {
        let mut per_m = f64::from(1_u32 << 24);
        while per_m * far > MOST {
            per_m *= 0.5;
        }
        Self { per_m }
    }

    fn point(self, at: DVec2) -> IntPoint<i32> {
        let number = |x: f64| libm::round((x * self.per_m).clamp(-MOST, MOST)) as i32;
        IntPoint::new(number(at.x), number(at.y))
    }

    fn metres(self, at: IntPoint<i32>) -> DVec2 {
        DVec2::new(f64::from(at.x), f64::from(at.y)) / self.per_m
    }

    fn ring(self, points: &[DVec2]) -> Ring {
        points.iter().map(|point| self.point(*point)).collect()
    }
}

/// Rings of the free ground: points without doubles, and edges between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Free {
    /// m.
    pub(super) points: Vec<DVec2>,
    /// Edges of all rings; outer rings counterclockwise, holes clockwise.
    pub(super) edges: Vec<[usize; 2]>,
}

/// The free ground for agents of `radius` m.
pub(super) fn free_ground(settings: &Settings, obstacles: &Obstacles, radius: f64) -> Free {
    let (low, high) = settings.area;
    let mut far = low.abs().max(high.abs()).max_element().max(1.0);
    let floors = settings.floors.iter().flat_map(|floor| &floor.points);
    far = floors.fold(far, |far, point| far.max(point.abs().max_element()));
    let grid = Grid::new(far + 1.0);
    let ground = if settings.floors.is_empty() {
        let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
        vec![grid.ring(&corners.map(|(x, y)| DVec2::new(x, y)))]
    } else {
        floors_of(settings, grid, radius)
    };
    let mut grown = Vec::new();
    let mut holed = Vec::new();
    for obstacle in obstacles.iter().filter(|obstacle| !obstacle.open) {
        grow::grown(&obstacle.shape, radius, &mut grown);
        let inside = grow::inside(&obstacle.shape);
        if !inside.is_empty() {
            // Holes of one polygon must not eat into another one: each is solved for itself.
            let rings: Vec<Ring> = inside.iter().map(|ring| grid.ring(ring)).collect();
            holed.extend(combine(&rings, &[], OverlayRule::Subject, FillRule::EvenOdd));
        }
    }
    let mut solid: Vec<Ring> = grown.iter().map(|ring| grid.ring(ring)).collect();
    solid.extend(holed);
    let free = combine(&ground, &solid, OverlayRule::Difference, FillRule::NonZero);
    indexed(&free, grid)
}

/// Floors together, without a rim of `radius` along what is no floor.
fn floors_of(settings: &Settings, grid: Grid, radius: f64) -> Vec<Ring> {
    let mut rings: Vec<Ring> = settings.floors.iter().map(|floor| grid.ring(&floor.points)).collect();
    for ring in &mut rings {
        make_counterclockwise(ring);
    }
    let union = combine(&rings, &[], OverlayRule::Subject, FillRule::NonZero);
    let mut rim = Vec::new();
    for ring in &union {
        let points: Vec<DVec2> = ring.iter().map(|point| grid.metres(*point)).collect();
        grow::along(&points, radius, &mut rim);
    }
    let rim: Vec<Ring> = rim.iter().map(|ring| grid.ring(ring)).collect();
    combine(&union, &rim, OverlayRule::Difference, FillRule::NonZero)
}

fn make_counterclockwise(ring: &mut Ring) {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    let area: i128 = pairs.map(|(a, b)| i128::from(a.x) * i128::from(b.y) - i128::from(b.x) * i128::from(a.y)).sum();
    if area < 0 {
        ring.reverse();
    }
}

/// All rings of the result, outer ones counterclockwise, holes clockwise.
fn combine(subject: &[Ring], clip: &[Ring], rule: OverlayRule, fill: FillRule) -> Vec<Ring> {
    let count = subject.iter().chain(clip).map(Vec::len).sum();
    let mut overlay = Overlay::<i32>::new(count);
    for ring in subject {
        overlay.add_contour(ring, ShapeType::Subject);
    }
    for ring in clip {
        overlay.add_contour(ring, ShapeType::Clip);
    }
    overlay.overlay(rule, fill).into_iter().flatten().collect()
}

/// Equal corners become one point.
fn indexed(rings: &[Ring], grid: Grid) -> Free {
    let mut known: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    let mut free = Free::default();
    for ring in rings {
        let numbers: Vec<usize> = ring
            .iter()
            .map(|point| {
                *known.entry((point.x, point.y)).or_insert_with(|| {
                    free.points.push(grid.metres(*point));
                    free.points.len() - 1
                })
            })
            .collect();
        for (from, to) in numbers.iter().zip(numbers.iter().cycle().skip(1)) {
            if from != to {
                free.edges.push([*from, *to]);
            }
        }
    }
    free
}
