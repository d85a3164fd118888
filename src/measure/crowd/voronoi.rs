//! Voronoi cells of people, cut to the walkable ground and to a largest reach (PedPy `compute_individual_voronoi_polygons`).
//!
//! Each cell is cut out of its bounds by the bisectors to its neighbors, nearest first, until no other can matter: O(n) for
//! n people, and no triangulation. What is left is convex; where the ground is not, the cell is the part that hangs together
//! with its person, as a list of convex pieces.

use glam::DVec2;

use super::polygon::{Clip, Polygon, cut, length_inside, signed_area};
use super::walkable::{NOTHING, Walkable};

/// The largest reach of a cell: a polygon with its corners on a circle, as in PedPy (`Cutoff`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutOff {
    /// Radius of the circle, m.
    pub radius: f64,
    /// Edges per quarter of the circle; 3 makes a polygon of 12 corners.
    pub quad_segments: u32,
}

impl CutOff {
    /// A reach of `radius` m, with three edges per quarter.
    pub const fn new(radius: f64) -> Self {
        Self { radius, quad_segments: 3 }
    }

    fn write(self, out: &mut Vec<DVec2>) {
        let corners = 4 * self.quad_segments.max(1);
        out.clear();
        out.extend((0..corners).map(|corner| {
            let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
            DVec2::new(libm::cos(angle), libm::sin(angle)) * self.radius
        }));
    }
}

/// Where cells may lie.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Lowest and highest coordinates, m: cells end here at the latest.
    pub bounds: (DVec2, DVec2),
    /// Size of a world whose edges wrap, m; 0 where an axis does not.
    pub period: DVec2,
    /// The ground, if it is known better than by its bounds. Where the world wraps it must reach beyond the bounds.
    pub walkable: Option<&'a Walkable>,
    /// The largest reach, if any.
    pub cut_off: Option<CutOff>,
}

impl Field<'_> {
    /// The bounds alone.
    pub const fn within(low: DVec2, high: DVec2) -> Self {
        Self { bounds: (low, high), period: DVec2::ZERO, walkable: None, cut_off: None }
    }
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    first: u32,
    end: u32,
    area: f64,
}

/// Cells of all people at one moment, in buffers that are used again.
#[derive(Debug, Clone, Default)]
pub struct Voronoi {
    /// Person of each cell, brought into the bounds of a world that wraps.
    points: Vec<DVec2>,
    /// Where the pieces of each cell begin; one more than cells.
    first: Vec<u32>,
    pieces: Vec<Piece>,
    /// Corners of all pieces, from the person on.
    corners: Vec<DVec2>,
    areas: Vec<f64>,
    /// Largest distance of a corner from the person, by cell.
    reach: Vec<f64>,
    period: DVec2,
    grid: Grid,
    cell: Vec<DVec2>,
    spare: Vec<DVec2>,
    clip: Clip,
    stack: Vec<u32>,
    /// The last cell that looked at each polygon of the ground.
    seen: Vec<u32>,
}

impl Voronoi {
    /// Makes the cells of people at these points, in meters. Who stands nowhere (not finite, or outside of the ground) has an
    /// empty cell; people at the very same point share one, which counts for each of them.
    pub fn run(&mut self, points: &[DVec2], field: &Field<'_>) {
        self.period = field.period;
        let (low, high) = field.bounds;
        self.points.clear();
        self.points.extend(points.iter().map(|p| wrapped(*p, low, field.period)));
        self.grid.fill(&self.points, low, field.period);
        self.first.clear();
        self.first.push(0);
        self.pieces.clear();
        self.corners.clear();
        self.areas.clear();
        self.reach.clear();
        self.seen.clear();
        self.seen.resize(field.walkable.map_or(0, Walkable::len), NOTHING);
        for index in 0..self.points.len() {
            let point = self.points[index];
            self.cell.clear();
            if point.is_finite() {
                self.bound(point, (low, high), field);
                self.cut_by_neighbors(index);
                match field.walkable {
                    Some(ground) => self.keep_connected(index, ground),
                    None => self.keep_cell(),
                }
            }
            let from = self.first[index] as usize;
            let pieces = &self.pieces[from..];
            self.areas.push(pieces.iter().map(|piece| piece.area).sum());
            let start = pieces.first().map_or(self.corners.len(), |piece| piece.first as usize);
            self.reach.push(farthest(&self.corners[start..]));
            self.first.push(self.pieces.len() as u32);
        }
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Area of a cell in m²; 0 if it is empty.
    pub fn area(&self, cell: usize) -> f64 {
        self.areas[cell]
    }

    /// Density of a person, 1/area in 1/m² (PedPy: individual density); none for an empty cell.
    pub fn density(&self, cell: usize) -> Option<f64> {
        let area = self.areas[cell];
        (area > 0.0).then(|| 1.0 / area)
    }

    /// The person of a cell, in meters; within the bounds where the world wraps.
    pub fn point(&self, cell: usize) -> DVec2 {
        self.points[cell]
    }

    /// Convex pieces of a cell, counterclockwise, in meters from its person.
    pub fn pieces(&self, cell: usize) -> impl Iterator<Item = &[DVec2]> + '_ {
        let pieces = &self.pieces[self.first[cell] as usize..self.first[cell + 1] as usize];
        pieces.iter().map(|piece| &self.corners[piece.first as usize..piece.end as usize])
    }

    /// Area in m² that a cell shares with a polygon, in all its images in a world that wraps.
    pub fn shared_area(&self, cell: usize, polygon: &Polygon, clip: &mut Clip) -> f64 {
        let mut sum = 0.0;
        for image in images(self.period) {
            let shift = image - self.points[cell];
            let (low, high) = polygon.bounds();
            if !self.near(cell, low + shift, high + shift) {
                continue;
            }
            for piece in self.pieces(cell) {
                sum += signed_area(clip.by_convex(polygon.ring(), shift, piece)).abs();
            }
        }
        sum
    }

    /// Length in meters of the part of a segment inside a cell, in all its images in a world that wraps.
    pub fn shared_length(&self, cell: usize, from: DVec2, to: DVec2) -> f64 {
        let mut sum = 0.0;
        for image in images(self.period) {
            let shift = image - self.points[cell];
            let (from, to) = (from + shift, to + shift);
            if self.near(cell, from.min(to), from.max(to)) {
                sum += self.pieces(cell).map(|piece| length_inside(from, to, piece)).sum::<f64>();
            }
        }
        sum
    }

    /// Whether a box, from the person on, can meet the cell.
    fn near(&self, cell: usize, low: DVec2, high: DVec2) -> bool {
        let reach = self.reach[cell];
        low.max_element() <= reach && high.min_element() >= -reach && self.areas[cell] > 0.0
    }

    /// Starts with the largest cell that there can be.
    fn bound(&mut self, point: DVec2, (low, high): (DVec2, DVec2), field: &Field<'_>) {
        let wraps = field.period.cmpgt(DVec2::ZERO);
        let half = 0.5 * field.period;
        let low = DVec2::select(wraps, -half, low - point);
        let high = DVec2::select(wraps, half, high - point);
        match field.cut_off {
            Some(cut_off) => cut_off.write(&mut self.cell),
            None => self.cell.extend([low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]),
        }
        if field.cut_off.is_some() {
            for (on, normal) in [(low, DVec2::NEG_X), (low, DVec2::NEG_Y), (high, DVec2::X), (high, DVec2::Y)] {
                cut(&self.cell, on, normal, &mut self.spare);
                std::mem::swap(&mut self.cell, &mut self.spare);
            }
        }
    }

    /// Cuts by the bisectors to all who are near enough, ring by ring of the grid.
    fn cut_by_neighbors(&mut self, index: usize) {
        let point = self.points[index];
        let home = self.grid.home(point);
        let mut reach = farthest(&self.cell);
        for ring in 0.. {
            if self.grid.nearest_of(ring) > 2.0 * reach || self.cell.is_empty() {
                break;
            }
            let mut walk = RingWalk::new(ring);
            while let Some(step) = walk.next() {
                let Some((bucket, lap)) = self.grid.at(home, step) else { continue };
                for &other in self.grid.members(bucket) {
                    let offset = self.points[other as usize] + lap - point;
                    let square = offset.length_squared();
                    // Who stands at the very same point shares the cell.
                    if square == 0.0 || square >= 4.0 * reach * reach {
                        continue;
                    }
                    cut(&self.cell, 0.5 * offset, offset, &mut self.spare);
                    std::mem::swap(&mut self.cell, &mut self.spare);
                    reach = farthest(&self.cell);
                }
            }
        }
    }

    fn keep_cell(&mut self) {
        let area = signed_area(&self.cell);
        if area > 0.0 {
            let first = self.corners.len() as u32;
            self.corners.extend_from_slice(&self.cell);
            self.pieces.push(Piece { first, end: self.corners.len() as u32, area });
        }
    }

    /// Keeps the parts of the cell on polygons that can be reached from the person's own without leaving the cell.
    fn keep_connected(&mut self, index: usize, ground: &Walkable) {
        let point = self.points[index];
        let Some(start) = ground.at(point) else { return };
        self.stack.clear();
        self.stack.push(start as u32);
        self.seen[start] = index as u32;
        while let Some(at) = self.stack.pop() {
            let ring = self.clip.by_convex(ground.polygon(at as usize), -point, &self.cell);
            let area = signed_area(ring);
            if area > 0.0 {
                let first = self.corners.len() as u32;
                self.corners.extend_from_slice(ring);
                self.pieces.push(Piece { first, end: self.corners.len() as u32, area });
            }
            let polygon = ground.polygon(at as usize);
            for (edge, &behind) in ground.behind(at as usize).iter().enumerate() {
                if behind == NOTHING || self.seen[behind as usize] == index as u32 {
                    continue;
                }
                let (a, b) = (polygon[edge] - point, polygon[(edge + 1) % polygon.len()] - point);
                if length_inside(a, b, &self.cell) > 0.0 {
                    self.seen[behind as usize] = index as u32;
                    self.stack.push(behind);
                }
            }
        }
    }
}

/// Shifts to all images that can matter in a world that wraps, its own first; only that where nothing wraps.
pub(super) fn images(period: DVec2) -> impl Iterator<Item = DVec2> {
    let laps = [0.0, -1.0, 1.0];
    let (columns, rows) = (if period.x > 0.0 { 3 } else { 1 }, if period.y > 0.0 { 3 } else { 1 });
    (0..columns).flat_map(move |x| (0..rows).map(move |y| DVec2::new(laps[x] * period.x, laps[y] * period.y)))
}

fn wrapped(point: DVec2, low: DVec2, period: DVec2) -> DVec2 {
    use crate::sim::space::wrap_coordinate;
    DVec2::new(wrap_coordinate(point.x, low.x, period.x), wrap_coordinate(point.y, low.y, period.y))
}

fn farthest(ring: &[DVec2]) -> f64 {
    ring.iter().map(|p| p.length_squared()).fold(0.0, f64::max).sqrt()
}

/// Cells of a square ring of the grid, row by row.
struct RingWalk {
    ring: i64,
    x: i64,
    y: i64,
}

impl RingWalk {
    const fn new(ring: i64) -> Self {
        Self { ring, x: -ring, y: -ring }
    }

    fn next(&mut self) -> Option<(i64, i64)> {
        if self.y > self.ring {
            return None;
        }
        let at = (self.x, self.y);
        let whole = self.y == -self.ring || self.y == self.ring || self.ring == 0;
        self.x += if whole { 1 } else { 2 * self.ring };
        if self.x > self.ring {
            (self.x, self.y) = (-self.ring, self.y + 1);
        }
        Some(at)
    }
}

/// People in square cells, about one per cell.
#[derive(Debug, Clone, Default)]
struct Grid {
    low: DVec2,
    size: DVec2,
    columns: i64,
    rows: i64,
    period: DVec2,
    first: Vec<u32>,
    members: Vec<u32>,
    /// Where the next of each bucket goes, while it is filled.
    next: Vec<u32>,
}

impl Grid {
    fn fill(&mut self, points: &[DVec2], low: DVec2, period: DVec2) {
        let finite = || points.iter().filter(|p| p.is_finite());
        let start = finite().next().copied().unwrap_or(low);
        let (least, most) = finite().fold((start, start), |(low, high), p| (low.min(*p), high.max(*p)));
        let wraps = period.cmpgt(DVec2::ZERO);
        self.low = DVec2::select(wraps, low, least);
        self.period = period;
        let extent = DVec2::select(wraps, period, most - least);
        let n = points.len().max(1) as f64;
        let side = (extent.x * extent.y / n).sqrt().max(extent.max_element() / n).max(1e-6);
        // Whole cells in a period.
        let count = |extent: f64| ((extent / side).floor() as i64).clamp(1, 1 << 20);
        (self.columns, self.rows) = (count(extent.x), count(extent.y));
        let cells = DVec2::new(self.columns as f64, self.rows as f64);
        self.size = (extent / cells).max(DVec2::splat(1e-6));
        self.first.clear();
        self.first.resize((self.columns * self.rows) as usize + 1, 0);
        for point in finite() {
            let bucket = self.bucket(*point);
            self.first[bucket + 1] += 1;
        }
        for bucket in 1..self.first.len() {
            self.first[bucket] += self.first[bucket - 1];
        }
        self.members.clear();
        self.members.resize(*self.first.last().unwrap_or(&0) as usize, 0);
        self.next.clear();
        self.next.extend_from_slice(&self.first);
        for (index, point) in points.iter().enumerate().filter(|(_, point)| point.is_finite()) {
            let bucket = self.bucket(*point);
            self.members[self.next[bucket] as usize] = index as u32;
            self.next[bucket] += 1;
        }
    }

    fn home(&self, point: DVec2) -> (i64, i64) {
        let at = (point - self.low) / self.size;
        let cell = |x: f64, most: i64| (x.floor() as i64).clamp(0, most - 1);
        (cell(at.x, self.columns), cell(at.y, self.rows))
    }

    fn bucket(&self, point: DVec2) -> usize {
        let (x, y) = self.home(point);
        (y * self.columns + x) as usize
    }

    fn members(&self, bucket: usize) -> &[u32] {
        &self.members[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }

    /// The bucket at a step from home and the shift of its people, through the edges of a world that wraps.
    fn at(&self, home: (i64, i64), step: (i64, i64)) -> Option<(usize, DVec2)> {
        let (x, y) = (home.0 + step.0, home.1 + step.1);
        let inside = |at: i64, most: i64, period: f64| period > 0.0 || (0..most).contains(&at);
        if !inside(x, self.columns, self.period.x) || !inside(y, self.rows, self.period.y) {
            return None;
        }
        let (lap_x, lap_y) = (x.div_euclid(self.columns), y.div_euclid(self.rows));
        let bucket = y.rem_euclid(self.rows) * self.columns + x.rem_euclid(self.columns);
        Some((bucket as usize, DVec2::new(lap_x as f64, lap_y as f64) * self.period))
    }

    /// No one in this ring is nearer, in meters; infinite where the grid ends before it.
    fn nearest_of(&self, ring: i64) -> f64 {
        let axis = |count: i64, period: f64, size: f64| {
            if period > 0.0 || ring < count { (ring - 1).max(0) as f64 * size } else { f64::INFINITY }
        };
        axis(self.columns, self.period.x, self.size.x).min(axis(self.rows, self.period.y, self.size.y))
    }
}
