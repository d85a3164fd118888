//! The shortest path by brute force: a visibility graph of all border corners of a mesh, and Dijkstra's search on it.

use glam::DVec2;
use swarmyard::navigate::Mesh;

/// A point nearer to the border than this, m, is on it.
const ON_BORDER: f64 = 1e-5;

pub(crate) struct Brute {
    corners: Vec<DVec2>,
    edges: Vec<(DVec2, DVec2)>,
    mesh: Mesh,
    /// Lower and upper corner of each polygon.
    boxes: Vec<(DVec2, DVec2)>,
}

impl Brute {
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let mut edges = Vec::new();
        for polygon in 0..mesh.len() {
            edges.extend(mesh.edges(polygon).filter(|edge| !edge.2).map(|edge| (edge.0, edge.1)));
        }
        let mut corners: Vec<DVec2> = edges.iter().map(|edge| edge.0).collect();
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        corners.dedup();
        let ends = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let bounds = |polygon| mesh.polygon(polygon).fold(ends, |(low, high), at| (low.min(at), high.max(at)));
        let boxes = (0..mesh.len()).map(bounds).collect();
        Self { corners, edges, mesh: mesh.clone(), boxes }
    }

    /// Whether a line stays on free ground: between all points at which it meets the border, its middle is free. Nothing of the
    /// mesh's own walking is used, only which polygon has a point inside.
    pub(crate) fn free(&self, from: DVec2, to: DVec2) -> bool {
        let along = to - from;
        let mut cuts = vec![0.0, 1.0];
        for (a, b) in &self.edges {
            let edge = *b - *a;
            let across = along.perp_dot(edge);
            if across.abs() < 1e-12 {
                continue;
            }
            let t = (*a - from).perp_dot(edge) / across;
            let u = (*a - from).perp_dot(along) / across;
            if (-1e-9..=1.0 + 1e-9).contains(&u) && (0.0..=1.0).contains(&t) {
                cuts.push(t);
            }
        }
        for (a, _) in &self.edges {
            let t = (*a - from).dot(along) / along.length_squared();
            if (0.0..=1.0).contains(&t) && (from + along * t).distance(*a) < ON_BORDER {
                cuts.push(t);
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.windows(2).all(|pair| {
            let middle = from + along * (0.5 * (pair[0] + pair[1]));
            self.inside(middle)
        })
    }

    fn inside(&self, at: DVec2) -> bool {
        // What `locate` finds is inside, as another test says; what it does not may still lie on the border.
        if self.mesh.locate(at).is_some() {
            return true;
        }
        let polygons = 0..self.mesh.len();
        polygons.into_iter().any(|polygon| {
            // A sliver has both of its long edges near far beyond its tip, but not its box.
            let (low, high) = self.boxes[polygon];
            (at - low).min(high - at).min_element() >= -ON_BORDER
                && self.mesh.edges(polygon).all(|(a, b, _)| (b - a).perp_dot(at - a) >= -ON_BORDER * (b - a).length())
        })
    }

    /// Length of the shortest way; none without one.
    pub(crate) fn shortest(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let mut points = vec![from, to];
        points.extend(&self.corners);
        let mut length = vec![f64::INFINITY; points.len()];
        let mut done = vec![false; points.len()];
        length[0] = 0.0;
        loop {
            let next = (0..points.len()).filter(|at| !done[*at]).min_by(|a, b| length[*a].total_cmp(&length[*b]))?;
            if length[next].is_infinite() {
                return None;
            }
            if next == 1 {
                return Some(length[1]);
            }
            done[next] = true;
            for other in 0..points.len() {
                let way = length[next] + points[next].distance(points[other]);
                if !done[other] && way < length[other] && self.free(points[next], points[other]) {
                    length[other] = way;
                }
            }
        }
    }
}
