//! Where a point lies on the mesh, which point of the mesh is nearest, and whether a straight line stays on it.

use glam::DVec2;

use super::convex::NONE;
use super::mesh::Mesh;

/// A point so near to an edge, m, counts as on it.
pub(super) const ON_EDGE: f64 = 1e-6;
/// Polygons per cell, about.
const PER_CELL: f64 = 1.0;

/// A point of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// m.
    pub at: DVec2,
    /// The polygon that it lies in.
    pub polygon: usize,
    /// How far it is from the point that was asked for, m.
    pub distance: f64,
}

/// A grid over the mesh: which polygons touch each cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    low: DVec2,
    side: f64,
    columns: usize,
    rows: usize,
    /// Where each cell begins in `polygons`; one more than cells.
    first: Vec<u32>,
    polygons: Vec<u32>,
    /// Box of each polygon.
    boxes: Vec<(DVec2, DVec2)>,
}

impl Cells {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let boxes: Vec<(DVec2, DVec2)> = (0..mesh.len())
            .map(|polygon| {
                let ends = (DVec2::INFINITY, DVec2::NEG_INFINITY);
                mesh.polygon(polygon).fold(ends, |(low, high), p| (low.min(p), high.max(p)))
            })
            .collect();
        let Some((low, high)) = boxes.iter().copied().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            return Self::default();
        };
        let size = (high - low).max(DVec2::splat(1e-3));
        let wanted = (boxes.len() as f64 / PER_CELL).max(1.0);
        let side = (size.x * size.y / wanted).sqrt().max(size.max_element() / 512.0);
        let (columns, rows) = ((size.x / side) as usize + 1, (size.y / side) as usize + 1);
        let mut cells =
            Self { low, side, columns, rows, first: vec![0; columns * rows + 1], polygons: Vec::new(), boxes };
        let mut pairs = Vec::new();
        for (polygon, (low, high)) in cells.boxes.iter().enumerate() {
            let (a, b) = (cells.cell(*low - ON_EDGE), cells.cell(*high + ON_EDGE));
            for row in a.1..=b.1 {
                pairs.extend((a.0..=b.0).map(|column| (row * columns + column, polygon as u32)));
            }
        }
        pairs.sort_unstable();
        for (cell, _) in &pairs {
            cells.first[cell + 1] += 1;
        }
        for cell in 0..columns * rows {
            cells.first[cell + 1] += cells.first[cell];
        }
        cells.polygons = pairs.into_iter().map(|(_, polygon)| polygon).collect();
        cells
    }

    fn cell(&self, at: DVec2) -> (usize, usize) {
        let number = |x: f64, count: usize| (x / self.side).clamp(0.0, count as f64 - 1.0) as usize;
        (number(at.x - self.low.x, self.columns), number(at.y - self.low.y, self.rows))
    }

    fn at(&self, at: DVec2) -> &[u32] {
        if self.columns == 0 {
            return &[];
        }
        let (column, row) = self.cell(at);
        let cell = row * self.columns + column;
        &self.polygons[self.first[cell] as usize..self.first[cell + 1] as usize]
    }
}

impl Mesh {
    /// The polygon that has a point (m) inside or on its rim; the lowest of several.
    #[must_use]
    pub fn locate(&self, at: DVec2) -> Option<usize> {
        if !at.is_finite() {
            return None;
        }
        let mut best = None;
        for polygon in self.cells.at(at) {
            let depth = self.depth(*polygon as usize, at);
            if depth >= 0.0 {
                return Some(*polygon as usize);
            }
            if depth >= -ON_EDGE && best.is_none_or(|(known, _)| depth > known) {
                best = Some((depth, *polygon as usize));
            }
        }
        best.map(|(_, polygon)| polygon)
    }

    /// How far inside of a polygon a point lies, m; negative outside. Beyond the tip of a sliver both of its long edges are near:
    /// who is outside of its box is outside, whatever they say.
    fn depth(&self, polygon: usize, at: DVec2) -> f64 {
        let (low, high) = self.cells.boxes[polygon];
        if (at - low).min(high - at).min_element() < -ON_EDGE {
            return f64::NEG_INFINITY;
        }
        let mut depth = f64::INFINITY;
        for place in self.places(polygon) {
            let (a, b) = (self.point(place), self.point(self.after(place)));
            let along = b - a;
            depth = depth.min(along.perp_dot(at - a) / along.length().max(1e-300));
        }
        depth
    }

    /// The point of the mesh nearest to a point (m): the point itself where it lies on the mesh. None on an empty mesh.
    #[must_use]
    pub fn nearest(&self, at: DVec2) -> Option<Spot> {
        if let Some(polygon) = self.locate(at) {
            return Some(Spot { at, polygon, distance: 0.0 });
        }
        if !at.is_finite() {
            return None;
        }
        let mut best: Option<Spot> = None;
        for (polygon, (low, high)) in self.cells.boxes.iter().enumerate() {
            let least = (*low - at).max(at - *high).max(DVec2::ZERO).length();
            if best.is_some_and(|best| least >= best.distance) {
                continue;
            }
            for place in self.places(polygon).filter(|place| self.twin[*place] == NONE) {
                let near = nearest_of(self.point(place), self.point(self.after(place)), at);
                let distance = near.distance(at);
                if best.is_none_or(|best| distance < best.distance) {
                    best = Some(Spot { at: near, polygon, distance });
                }
            }
        }
        best
    }

    /// Whether the straight line between two points (m) stays on the mesh; touching its border is allowed.
    #[must_use]
    pub fn sees(&self, from: DVec2, to: DVec2) -> bool {
        let Some(first) = self.locate(from) else { return false };
        if self.walk(from, first, to).is_some() {
            return true;
        }
        // From a corner several polygons begin, and one that looks the other way leads nowhere.
        let others = self.cells.at(from).iter().map(|polygon| *polygon as usize);
        let mut others = others.filter(|polygon| *polygon != first && self.depth(*polygon, from) >= -ON_EDGE);
        others.any(|polygon| self.walk(from, polygon, to).is_some())
    }

    /// Goes straight from a point in a polygon; the polygon in which the line ends, if it stays on the mesh.
    pub(super) fn walk(&self, from: DVec2, polygon: usize, to: DVec2) -> Option<usize> {
        let along = to - from;
        let length = along.length();
        if length <= ON_EDGE {
            return Some(polygon);
        }
        let way = along / length;
        let (mut polygon, mut entry) = (polygon, NONE as usize);
        // Each step leaves a polygon for good; corners may be walked round, which takes as many steps as they have edges.
        for _ in 0..4 * self.len() + 16 {
            if self.depth(polygon, to) >= -ON_EDGE {
                return Some(polygon);
            }
            let (place, at) = self.leaving(polygon, entry, from, way)?;
            if at >= length {
                return Some(polygon);
            }
            let twin = self.twin[place];
            if twin == NONE {
                return None;
            }
            polygon = self.owner[twin as usize] as usize;
            entry = twin as usize;
        }
        None
    }

    /// Through which edge a line leaves a convex polygon, and after how many m. Several edges may lie on one line, a door between
    /// two walls: through those to another polygon leads only what crosses the edge itself.
    fn leaving(&self, polygon: usize, entry: usize, from: DVec2, way: DVec2) -> Option<(usize, f64)> {
        let mut best: Option<(usize, f64)> = None;
        for place in self.places(polygon).filter(|place| *place != entry) {
            let (a, b) = (self.point(place), self.point(self.after(place)));
            let edge = b - a;
            // Outward: the line goes to the right of the edge.
            let (steep, size) = (edge.perp_dot(way), edge.length());
            if steep >= -1e-12 * size {
                continue;
            }
            let mut at = edge.perp_dot(a - from) / steep;
            if self.twin[place] == NONE {
                // Who grazes the border of the ground does not leave it.
                at -= ON_EDGE * size / steep;
            } else {
                let along = (from + way * at - a).dot(edge) / size;
                if !(-ON_EDGE..=size + ON_EDGE).contains(&along) {
                    continue;
                }
            }
            if best.is_none_or(|(_, known)| at < known) {
                best = Some((place, at));
            }
        }
        best
    }
}

/// The point of a line that is nearest.
pub(super) fn nearest_of(a: DVec2, b: DVec2, at: DVec2) -> DVec2 {
    let along = b - a;
    let share = (at - a).dot(along) / along.length_squared().max(1e-300);
    a + along * share.clamp(0.0, 1.0)
}
