//! From rings of free ground to triangles: constrained Delaunay, with the borders of zones as further constraints.

use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

use super::free::Free;
use super::settings::Zone;

/// A triangle of free ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    /// Its corners, counterclockwise.
    pub(super) corners: [usize; 3],
    /// Whether the edge from each corner to the next is a border: of the ground or of a zone.
    pub(super) border: [bool; 3],
    /// The zone it lies in, counted from 1; 0 is plain ground.
    pub(super) zone: u16,
}

/// Points and triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Triangles {
    /// m.
    pub(super) points: Vec<DVec2>,
    pub(super) list: Vec<Triangle>,
}

type Cdt = ConstrainedDelaunayTriangulation<Point2<f64>>;

/// Triangulates the free ground.
pub(super) fn triangulate(free: &Free, zones: &[Zone]) -> Triangles {
    if free.edges.is_empty() {
        return Triangles::default();
    }
    let vertices = free.points.iter().map(|point| Point2::new(point.x, point.y)).collect();
    // The rings come from an overlay, so no two edges cross; one that did would be left out.
    let Ok(mut cdt) = Cdt::try_bulk_load_cdt(vertices, free.edges.clone(), |_| {}) else {
        return Triangles::default();
    };
    for zone in zones {
        add_zone(&mut cdt, zone);
    }
    let points: Vec<DVec2> =
        cdt.vertices().map(|vertex| DVec2::new(vertex.position().x, vertex.position().y)).collect();
    let faces: Vec<_> = cdt
        .inner_faces()
        .map(|face| {
            let corners = face.vertices().map(|vertex| vertex.fix().index());
            let edges = face.adjacent_edges();
            let border = edges.map(|edge| edge.is_constraint_edge());
            let behind = edges.map(|edge| edge.rev().face().as_inner().map(|face| face.fix().index()));
            (face.fix().index(), corners, border, behind)
        })
        .collect();
    let parts = Faces { free, zones, points: &points };
    let kept = parts.keep(&faces);
    Triangles { points, list: kept }
}

fn add_zone(cdt: &mut Cdt, zone: &Zone) {
    let mut handles = Vec::with_capacity(zone.points.len());
    for point in &zone.points {
        if let Ok(handle) = cdt.insert(Point2::new(point.x, point.y)) {
            handles.push(handle);
        }
    }
    for (from, to) in handles.iter().zip(handles.iter().cycle().skip(1)) {
        if from != to {
            cdt.add_constraint_and_split(*from, *to, |point| point);
        }
    }
}

/// Number, corners, constraints, and what lies behind each edge.
type Face = (usize, [usize; 3], [bool; 3], [Option<usize>; 3]);

struct Faces<'a> {
    free: &'a Free,
    zones: &'a [Zone],
    points: &'a [DVec2],
}

impl Faces<'_> {
    /// Triangles of one part (what no constraint divides) are free together: the center of the largest one decides, where no
    /// rounding of a split edge can matter.
    fn keep(&self, faces: &[Face]) -> Vec<Triangle> {
        let count = faces.iter().map(|face| face.0 + 1).max().unwrap_or(0);
        let mut place = vec![usize::MAX; count];
        for (at, face) in faces.iter().enumerate() {
            place[face.0] = at;
        }
        let mut part = vec![usize::MAX; faces.len()];
        let mut kept = Vec::new();
        let mut stack = Vec::new();
        for first in 0..faces.len() {
            if part[first] != usize::MAX {
                continue;
            }
            let (mut largest, mut area) = (first, -1.0);
            let mut members = Vec::new();
            part[first] = first;
            stack.push(first);
            while let Some(at) = stack.pop() {
                members.push(at);
                let (_, corners, border, behind) = &faces[at];
                let size = self.area(*corners);
                if size > area {
                    (largest, area) = (at, size);
                }
                for (edge, other) in behind.iter().enumerate() {
                    let other = other.map_or(usize::MAX, |other| place[other]);
                    if !border[edge] && other != usize::MAX && part[other] == usize::MAX {
                        part[other] = first;
                        stack.push(other);
                    }
                }
            }
            let center = self.center(faces[largest].1);
            if !self.is_free(center) {
                continue;
            }
            let zone = self.zones.iter().rposition(|zone| encloses(&zone.points, center));
            let zone = zone.map_or(0, |zone| zone as u16 + 1);
            kept.extend(members.into_iter().map(|at| (at, zone)));
        }
        kept.sort_unstable();
        kept.iter().map(|(at, zone)| Triangle { corners: faces[*at].1, border: faces[*at].2, zone: *zone }).collect()
    }

    fn area(&self, [a, b, c]: [usize; 3]) -> f64 {
        let (a, b, c) = (self.points[a], self.points[b], self.points[c]);
        (b - a).perp_dot(c - a)
    }

    fn center(&self, [a, b, c]: [usize; 3]) -> DVec2 {
        (self.points[a] + self.points[b] + self.points[c]) / 3.0
    }

    fn is_free(&self, at: DVec2) -> bool {
        let points = &self.free.points;
        self.free.edges.iter().filter(|[a, b]| crosses(points[*a], points[*b], at)).count() % 2 == 1
    }
}

/// Whether a ray from `at` to +x crosses the edge.
fn crosses(a: DVec2, b: DVec2, at: DVec2) -> bool {
    if (a.y > at.y) == (b.y > at.y) {
        return false;
    }
    at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
}

/// Whether a ring has the point inside.
pub(super) fn encloses(ring: &[DVec2], at: DVec2) -> bool {
    ring.iter().zip(ring.iter().cycle().skip(1)).filter(|(a, b)| crosses(**a, **b, at)).count() % 2 == 1
}
