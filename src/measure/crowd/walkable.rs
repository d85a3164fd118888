//! The ground that people can stand on, as convex polygons and what lies behind their edges.

use glam::DVec2;

use super::polygon::edges;

/// Behind this edge there is no ground.
pub const NOTHING: u32 = u32::MAX;

/// Ground as convex polygons.
///
/// Two polygons hang together where an edge of one is the very edge of the other, to the last bit, as in a navigation mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walkable {
    corners: Vec<DVec2>,
    /// Where each polygon begins in `corners`; one more than polygons.
    first: Vec<u32>,
    /// The polygon behind the edge from each corner to the next.
    behind: Vec<u32>,
    low: DVec2,
    high: DVec2,
    /// Buckets per axis.
    across: (usize, usize),
    /// Where each bucket begins in `listed`.
    bucket: Vec<u32>,
    /// Polygons whose box meets a bucket, ascending.
    listed: Vec<u32>,
}

impl Walkable {
    /// Ground of convex, counterclockwise polygons, in meters. Those of less than three corners are left out.
    pub fn new(polygons: impl IntoIterator<Item = Vec<DVec2>>) -> Self {
        let mut ground = Self { first: vec![0], ..Self::default() };
        for polygon in polygons.into_iter().filter(|polygon| polygon.len() > 2) {
            ground.corners.extend_from_slice(&polygon);
            ground.first.push(ground.corners.len() as u32);
        }
        let start = ground.corners.first().copied().unwrap_or_default();
        (ground.low, ground.high) =
            ground.corners.iter().fold((start, start), |(low, high), p| (low.min(*p), high.max(*p)));
        ground.find_neighbors();
        ground.fill_buckets();
        ground
    }

    /// Number of polygons.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Whether there is no ground.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lowest and highest coordinates, in meters.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        (self.low, self.high)
    }

    /// Corners of a polygon, counterclockwise, in meters.
    pub fn polygon(&self, index: usize) -> &[DVec2] {
        &self.corners[self.range(index)]
    }

    /// Per edge of a polygon: the polygon behind it, or [`NOTHING`].
    pub fn behind(&self, index: usize) -> &[u32] {
        &self.behind[self.range(index)]
    }

    /// The polygon at a point; on a border that of the lowest number.
    pub fn at(&self, point: DVec2) -> Option<usize> {
        let bucket = self.bucket_of(point)?;
        let listed = &self.listed[self.bucket[bucket] as usize..self.bucket[bucket + 1] as usize];
        let inside =
            |index: &&u32| edges(self.polygon(**index as usize)).all(|(a, b)| (b - a).perp_dot(point - a) >= 0.0);
        listed.iter().find(inside).map(|index| *index as usize)
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.first[index] as usize..self.first[index + 1] as usize
    }

    fn find_neighbors(&mut self) {
        let mut keyed = Vec::with_capacity(self.corners.len());
        for index in 0..self.len() {
            let range = self.range(index);
            for (place, (a, b)) in range.clone().zip(edges(&self.corners[range])) {
                let (a, b) = (key(a), key(b));
                keyed.push((a.min(b), a.max(b), place as u32, index as u32));
            }
        }
        keyed.sort_unstable();
        self.behind = vec![NOTHING; self.corners.len()];
        for pair in keyed.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1)) {
            self.behind[pair[0].2 as usize] = pair[1].3;
            self.behind[pair[1].2 as usize] = pair[0].3;
        }
    }

    /// About one bucket per polygon.
    fn fill_buckets(&mut self) {
        let side = (self.len() as f64).sqrt().ceil().clamp(1.0, 256.0) as usize;
        self.across = (side, side);
        let mut pairs = Vec::new();
        for index in 0..self.len() {
            let ring = self.polygon(index);
            let (low, high) = ring.iter().fold((ring[0], ring[0]), |(low, high), p| (low.min(*p), high.max(*p)));
            let ((x0, y0), (x1, y1)) = (self.column_row(low), self.column_row(high));
            pairs.extend((y0..=y1).flat_map(|y| (x0..=x1).map(move |x| (y * side + x, index as u32))));
        }
        pairs.sort_unstable();
        self.bucket = vec![0; side * side + 1];
        for (bucket, _) in &pairs {
            self.bucket[bucket + 1] += 1;
        }
        for bucket in 0..side * side {
            self.bucket[bucket + 1] += self.bucket[bucket];
        }
        self.listed = pairs.into_iter().map(|(_, index)| index).collect();
    }

    fn column_row(&self, point: DVec2) -> (usize, usize) {
        let size = (self.high - self.low).max(DVec2::splat(f64::MIN_POSITIVE));
        let cell = |part: f64, most: usize| ((part * most as f64) as usize).min(most - 1);
        let part = (point - self.low) / size;
        (cell(part.x, self.across.0), cell(part.y, self.across.1))
    }

    fn bucket_of(&self, point: DVec2) -> Option<usize> {
        let inside = point.cmpge(self.low).all() && point.cmple(self.high).all();
        if self.is_empty() || !inside {
            return None;
        }
        let (column, row) = self.column_row(point);
        Some(row * self.across.0 + column)
    }
}

/// A corner as a key: equal points have equal keys.
fn key(point: DVec2) -> (u64, u64) {
    // −0 is 0.
    ((point.x + 0.0).to_bits(), (point.y + 0.0).to_bits())
}
