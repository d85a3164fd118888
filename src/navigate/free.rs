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

/// Ground that reaches farther than this from the origin, m, has its grid about its own middle: nearer, a line is 15 µm at most.
const FAR_M: f64 = 8192.0;
/// Ground for which a line would be longer than this, m, is refused.
const MOST_LINE_M: f64 = 0.01;

/// A grid with a power of two of lines per metre round a middle of whole metres: grid points are exact as `f64`. Its points are
/// counted from the middle, in metres too, so that ground far away is computed as it would be at the origin.
#[derive(Clone, Copy, Debug)]
struct Grid {
    middle: DVec2,
    per_m: f64,
}

impl Grid {
    /// The finest grid that holds the ground between two corners, m, and a metre more.
    fn new(low: DVec2, high: DVec2) -> Self {
        let far = |middle: DVec2| (low - middle).abs().max((high - middle).abs()).max_element().max(1.0) + 1.0;
        let own = (0.5 * low + 0.5 * high).round();
        let middle = if far(DVec2::ZERO) > FAR_M && own.is_finite() { own } else { DVec2::ZERO };
        let mut per_m = f64::from(1_u32 << 24);
        while per_m * far(middle) > MOST {
            per_m *= 0.5;
        }
        Self { middle, per_m }
    }

    fn of(settings: &Settings) -> Self {
        let (low, high) = settings.area;
        let floors = settings.floors.iter().flat_map(|floor| &floor.points);
        if settings.floors.is_empty() || low != high {
            return floors.fold((low, high), |(low, high), point| (low.min(*point), high.max(*point))).into();
        }
        // Without an area the floors alone are the ground.
        floors.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p))).into()
    }

    fn point(self, at: DVec2) -> IntPoint<i32> {
        let number = |x: f64| libm::round((x * self.per_m).clamp(-MOST, MOST)) as i32;
        IntPoint::new(number(at.x), number(at.y))
    }

    fn metres(self, at: IntPoint<i32>) -> DVec2 {
        DVec2::new(f64::from(at.x), f64::from(at.y)) / self.per_m
    }

    fn ring(self, points: &[DVec2]) -> Ring {
        let reach = DVec2::splat(MOST / self.per_m);
        if points.iter().all(|point| point.abs().cmple(reach).all()) {
            return points.iter().map(|point| self.point(*point)).collect();
        }
        cut(points, -reach, reach).into_iter().map(|point| self.point(point)).collect()
    }

    /// A ring of the scene.
    fn scene_ring(self, points: &[DVec2]) -> Ring {
        let points: Vec<DVec2> = points.iter().map(|point| *point - self.middle).collect();
        self.ring(&points)
    }
}

impl From<(DVec2, DVec2)> for Grid {
    fn from((low, high): (DVec2, DVec2)) -> Self {
        Self::new(low, high)
    }
}

/// A ring without what lies outside of a box, side by side after Sutherland and Hodgman 1974: what is pressed onto the box
/// instead would slant all edges that leave it.
fn cut(points: &[DVec2], low: DVec2, high: DVec2) -> Vec<DVec2> {
    let sides = [(DVec2::X, low.x), (DVec2::NEG_X, -high.x), (DVec2::Y, low.y), (DVec2::NEG_Y, -high.y)];
    sides.iter().fold(points.to_vec(), |ring, (inward, border)| {
        let depth = |point: DVec2| point.dot(*inward) - border;
        let mut kept = Vec::with_capacity(ring.len() + 4);
        for (from, to) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let (a, b) = (depth(*from), depth(*to));
            if a >= 0.0 {
                kept.push(*from);
            }
            if (a >= 0.0) != (b >= 0.0) {
                kept.push(*from + (*to - *from) * (a / (a - b)));
            }
        }
        kept
    })
}

/// The resolution of the mesh of a scene, m, where that is too coarse to walk by.
pub(super) fn too_coarse(settings: &Settings) -> Option<f64> {
    let line = 1.0 / Grid::of(settings).per_m;
    (line > MOST_LINE_M).then_some(line)
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
    let grid = Grid::of(settings);
    let (low, high) = settings.area;
    let ground = if settings.floors.is_empty() {
        let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
        vec![grid.scene_ring(&corners.map(|(x, y)| DVec2::new(x, y)))]
    } else {
        floors_of(settings, grid, radius)
    };
    let mut grown = Vec::new();
    let mut holed = Vec::new();
    for obstacle in obstacles.iter().filter(|obstacle| !obstacle.open) {
        let near = (grid.middle != DVec2::ZERO).then(|| obstacle.shape.shifted(-grid.middle.extend(0.0)));
        let shape = near.as_ref().unwrap_or(&obstacle.shape);
        grow::grown(shape, radius, &mut grown);
        let inside = grow::inside(shape);
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
    let mut rings: Vec<Ring> = settings.floors.iter().map(|floor| grid.scene_ring(&floor.points)).collect();
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
    for ring in subject.iter().filter(|ring| ring.len() > 2) {
        overlay.add_contour(ring, ShapeType::Subject);
    }
    for ring in clip.iter().filter(|ring| ring.len() > 2) {
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
                    free.points.push(grid.middle + grid.metres(*point));
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
