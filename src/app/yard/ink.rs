//! Draws into one mesh: soft-edged lines and polygons by the thousand.

use eframe::egui::{Color32, Mesh, Pos2, Shape, Vec2, pos2};

/// A mesh that grows.
#[derive(Default)]
pub struct Ink {
    mesh: Mesh,
}

/// Width of the soft edge in points.
pub const FEATHER: f32 = 0.8;

impl Ink {
    /// The drawing as one shape; the ink is dry.
    pub fn into_shape(self) -> Shape {
        Shape::mesh(self.mesh)
    }

    /// Triangles so far.
    pub fn triangles(&self) -> usize {
        self.mesh.indices.len() / 3
    }

    /// Corners so far.
    pub fn corners(&self) -> usize {
        self.mesh.vertices.len()
    }

    /// Makes room, so that the mesh need not grow while it is drawn.
    pub fn reserve(&mut self, corners: usize, triangles: usize) {
        self.mesh.reserve_vertices(corners);
        self.mesh.reserve_triangles(triangles);
    }

    /// A band through rows of equally many corners, each row laid beside the one before.
    pub fn rows<const N: usize>(&mut self, rows: impl Iterator<Item = [(Pos2, Color32); N]>) {
        let mut above: Option<u32> = None;
        for row in rows {
            let first = self.mesh.vertices.len() as u32;
            for (pos, color) in row {
                self.vertex(pos, color);
            }
            if let Some(above) = above {
                for i in 0..N as u32 - 1 {
                    self.mesh.add_triangle(above + i, above + i + 1, first + i);
                    self.mesh.add_triangle(above + i + 1, first + i + 1, first + i);
                }
            }
            above = Some(first);
        }
    }

    /// A field of `columns` times some rows of corners, all rows equally long.
    pub fn field(&mut self, columns: usize, corners: impl Iterator<Item = (Pos2, Color32)>) {
        let first = self.mesh.vertices.len() as u32;
        for (pos, color) in corners {
            self.vertex(pos, color);
        }
        let wide = columns as u32;
        let rows = (self.mesh.vertices.len() as u32 - first) / wide.max(1);
        for row in 1..rows {
            for column in 1..wide {
                let corner = first + row * wide + column;
                self.mesh.add_triangle(corner - wide - 1, corner - wide, corner - 1);
                self.mesh.add_triangle(corner - wide, corner, corner - 1);
            }
        }
    }

    fn vertex(&mut self, pos: Pos2, color: Color32) -> u32 {
        let index = self.mesh.vertices.len() as u32;
        self.mesh.colored_vertex(pos, color);
        index
    }

    /// A line with soft edges.
    pub fn line(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32) {
        let along = to - from;
        let length = along.length();
        if !(length > 1e-3 && length < 1e6) {
            return;
        }
        let normal = along.rot90() / length;
        let (inner, outer) = (width * 0.5, width * 0.5 + FEATHER);
        let rows = [(-outer, Color32::TRANSPARENT), (-inner, color), (inner, color), (outer, Color32::TRANSPARENT)];
        let first = self.mesh.vertices.len() as u32;
        for (offset, color) in rows {
            self.vertex(from + normal * offset, color);
            self.vertex(to + normal * offset, color);
        }
        for row in 0..3 {
            let a = first + row * 2;
            self.mesh.add_triangle(a, a + 1, a + 2);
            self.mesh.add_triangle(a + 1, a + 3, a + 2);
        }
    }

    /// A line through points; closed if `closed`.
    pub fn polyline(&mut self, points: &[Pos2], closed: bool, width: f32, color: Color32) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], width, color);
        }
        if closed && points.len() > 2 {
            self.line(points[points.len() - 1], points[0], width, color);
        }
    }

    /// A dashed line.
    pub fn dashed(&mut self, from: Pos2, to: Pos2, width: f32, dash: f32, color: Color32) {
        let along = to - from;
        let length = along.length();
        if !(length > 1e-3 && length < 1e5) {
            return;
        }
        let step = along / length;
        let mut at = 0.0;
        while at < length {
            self.line(from + step * at, from + step * (at + dash).min(length), width, color);
            at += dash * 1.8;
        }
    }

    /// An arrow with an open head.
    pub fn arrow(&mut self, from: Pos2, to: Pos2, width: f32, color: Color32) {
        let along = to - from;
        let length = along.length();
        if length < 2.0 {
            return;
        }
        self.line(from, to, width, color);
        let back = -along / length * (length * 0.4).clamp(4.0, 8.0);
        for side in [0.45_f32, -0.45] {
            let (sin, cos) = side.sin_cos();
            let wing = Vec2::new(back.x * cos - back.y * sin, back.x * sin + back.y * cos);
            self.line(to, to + wing, width, color);
        }
    }

    /// A circle.
    pub fn circle(&mut self, center: Pos2, radius: f32, width: f32, color: Color32) {
        let steps = (radius * 1.5).clamp(10.0, 96.0) as usize;
        let points: Vec<Pos2> = ring(center, radius, steps).collect();
        self.polyline(&points, true, width, color);
    }

    /// A filled circle.
    pub fn disc(&mut self, center: Pos2, radius: f32, color: Color32) {
        let steps = (radius * 1.5).clamp(8.0, 64.0) as usize;
        let points: Vec<Pos2> = ring(center, radius, steps).collect();
        self.fan(center, &points, color, color);
    }

    /// A filled polygon that is seen whole from `center`, with a soft edge; `middle` is the color there.
    pub fn fan(&mut self, center: Pos2, points: &[Pos2], middle: Color32, rim: Color32) {
        let count = points.len() as u32;
        if count < 3 {
            return;
        }
        let middle = self.vertex(center, middle);
        let first = middle + 1;
        for &point in points {
            self.vertex(point, rim);
        }
        for &point in points {
            let out = point - center;
            let length = out.length().max(1e-3);
            self.vertex(point + out / length * FEATHER, Color32::TRANSPARENT);
        }
        for i in 0..count {
            let next = (i + 1) % count;
            self.mesh.add_triangle(middle, first + i, first + next);
            self.mesh.add_triangle(first + i, first + next, first + count + i);
            self.mesh.add_triangle(first + next, first + count + next, first + count + i);
        }
    }

    /// A piece with four corners: one edge in color, the far one in none.
    pub fn fade(&mut self, near: [Pos2; 2], far: [Pos2; 2], color: Color32) {
        let first = self.mesh.vertices.len() as u32;
        for (pos, color) in near.map(|pos| (pos, color)).into_iter().chain(far.map(|pos| (pos, Color32::TRANSPARENT))) {
            self.vertex(pos, color);
        }
        self.mesh.add_triangle(first, first + 1, first + 2);
        self.mesh.add_triangle(first + 1, first + 3, first + 2);
    }

    /// A filled simple polygon of any form.
    pub fn polygon(&mut self, points: &[Pos2], color: Color32) {
        let first = self.mesh.vertices.len() as u32;
        for &point in points {
            self.vertex(point, color);
        }
        for [a, b, c] in ears(points) {
            self.mesh.add_triangle(first + a as u32, first + b as u32, first + c as u32);
        }
    }
}

/// Points round a circle.
pub fn ring(center: Pos2, radius: f32, steps: usize) -> impl Iterator<Item = Pos2> {
    (0..steps).map(move |i| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / steps as f32).sin_cos();
        pos2(center.x + radius * cos, center.y + radius * sin)
    })
}

fn cross(a: Pos2, b: Pos2, c: Pos2) -> f32 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Triangles of a simple polygon, by cutting ears; what cannot be cut is left out.
fn ears(points: &[Pos2]) -> Vec<[usize; 3]> {
    let area: f32 = (0..points.len()).map(|i| cross(Pos2::ZERO, points[i], points[(i + 1) % points.len()])).sum();
    let sign = if area < 0.0 { -1.0 } else { 1.0 };
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut triangles = Vec::with_capacity(points.len().saturating_sub(2));
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|&i| is_ear(points, &left, i, sign));
        let Some(i) = ear else { break };
        triangles.push([left[(i + count - 1) % count], left[i], left[(i + 1) % count]]);
        left.remove(i);
    }
    if let [a, b, c] = left[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

fn is_ear(points: &[Pos2], left: &[usize], i: usize, sign: f32) -> bool {
    let count = left.len();
    let (a, b, c) = (points[left[(i + count - 1) % count]], points[left[i]], points[left[(i + 1) % count]]);
    if cross(a, b, c) * sign < 0.0 {
        return false;
    }
    let inside = |p: Pos2| cross(a, b, p) * sign > 0.0 && cross(b, c, p) * sign > 0.0 && cross(c, a, p) * sign > 0.0;
    !left.iter().any(|&other| inside(points[other]))
}

/// Whether a point lies in a polygon (even-odd rule).
pub fn contains(points: &[Pos2], p: Pos2) -> bool {
    let mut inside = false;
    for (i, &a) in points.iter().enumerate() {
        let b = points[(i + 1) % points.len()];
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

/// Distance from a point to a line segment.
pub fn distance_to_segment(p: Pos2, a: Pos2, b: Pos2) -> f32 {
    let along = b - a;
    let share = ((p - a).dot(along) / along.length_sq().max(1e-9)).clamp(0.0, 1.0);
    p.distance(a + along * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bay_is_not_filled() {
        // A U: seven triangles less one for the bay would be wrong; its area must be exact.
        let u =
            [(0., 0.), (3., 0.), (3., 3.), (2., 3.), (2., 1.), (1., 1.), (1., 3.), (0., 3.)].map(|(x, y)| pos2(x, y));
        for points in [u.to_vec(), u.iter().rev().copied().collect()] {
            let area: f32 =
                ears(&points).iter().map(|&[a, b, c]| cross(points[a], points[b], points[c]).abs() / 2.0).sum();
            assert!((area - 7.0).abs() < 1e-4, "area {area}");
        }
        assert!(contains(&u, pos2(0.5, 2.0)) && !contains(&u, pos2(1.5, 2.0)));
    }

    #[test]
    fn lines_that_are_not_finite_are_not_drawn() {
        let mut ink = Ink::default();
        ink.line(pos2(f32::NAN, 0.0), pos2(1.0, 1.0), 1.0, Color32::WHITE);
        ink.line(pos2(0.0, 0.0), pos2(f32::INFINITY, 1.0), 1.0, Color32::WHITE);
        ink.dashed(pos2(0.0, 0.0), pos2(f32::INFINITY, 1.0), 1.0, 4.0, Color32::WHITE);
        assert_eq!(ink.triangles(), 0);
    }
}
