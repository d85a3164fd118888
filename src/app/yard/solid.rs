//! Obstacles as solids: their faces, what they hide, and whether the pointer is on them.
//!
//! It knows nothing of agents; [`super::scene3d`] draws these among them.

use eframe::egui::{Color32, Pos2, Rect, vec2};
use glam::DVec3;

use crate::experiment::frame::ObstacleView;

use super::super::theme::Tokens;
use super::camera::View;
use super::ink::{Ink, contains, ring};
use super::scenery::mix;

/// A flat piece of a surface.
struct Face {
    corners: Vec<Pos2>,
    point: DVec3,
    normal: DVec3,
    /// How bright, from 0 to 1.
    light: f32,
    /// Whether the edge where it begins, and the one where it ends, are seen against what lies behind.
    rims: [bool; 2],
}

enum Form {
    /// Faces that show their front, far ones first.
    Faces(Vec<Face>),
    /// A ball: middle and radius on the screen.
    Ball(Pos2, f32),
}

/// An obstacle, or a piece of a long wall, as seen.
pub struct Solid {
    /// Index of the obstacle in the frame.
    pub obstacle: usize,
    /// Depth of its middle in metres.
    pub depth: f64,
    /// What it covers on the screen, at most.
    pub rect: Rect,
    form: Form,
    open: bool,
    edged: bool,
}

/// Colors of a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Edges.
    pub edge: Color32,
    /// Width of the edges in points.
    pub width: f32,
}

/// More sides than this are something round.
const ROUND: usize = 12;
/// Pieces of a wall are not longer than this, in metres: what stands before one end may stand behind the other.
const PIECE: f64 = 3.0;
/// A wall has at most this many pieces.
const MOST_PIECES: f64 = 48.0;
/// Height of a wall that has none of its own, in metres.
const WALL: f64 = 0.8;

/// All obstacles as seen, far ones first.
pub fn solids(view: &View, obstacles: &[ObstacleView]) -> Vec<Solid> {
    let mut found = Vec::with_capacity(obstacles.len());
    for (index, obstacle) in obstacles.iter().enumerate() {
        let Some(outline) = obstacle.outlines.first().filter(|outline| outline.len() > 1) else { continue };
        if obstacle.kind == "sphere" {
            found.extend(ball(view, index, obstacle, outline));
        } else if obstacle.closed {
            found.extend(prism(view, index, obstacle, outline));
        } else {
            for pair in outline.windows(2) {
                wall(view, index, obstacle, (pair[0], pair[1]), &mut found);
            }
        }
    }
    found.retain(|solid| solid.rect.intersects(view.rect));
    found.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    found
}

fn height_of(obstacle: &ObstacleView) -> f64 {
    if obstacle.height > 0.0 { obstacle.height } else { WALL }
}

fn ball(view: &View, index: usize, obstacle: &ObstacleView, outline: &[DVec3]) -> Option<Solid> {
    let spot = view.project(obstacle.anchor)?;
    let radius = (obstacle.anchor.distance(outline[0]) * spot.scale) as f32;
    Some(Solid {
        obstacle: index,
        depth: spot.depth,
        rect: Rect::from_center_size(spot.pos, vec2(radius, radius) * 2.0),
        form: Form::Ball(spot.pos, radius),
        open: obstacle.open,
        edged: true,
    })
}

/// A face through corners; none if one of them is behind the camera.
fn face(view: &View, corners: &[DVec3], normal: DVec3) -> Option<Face> {
    let seen: Option<Vec<Pos2>> = corners.iter().map(|&p| view.project(p).map(|spot| spot.pos)).collect();
    let side = normal.dot(DVec3::new(0.4, -0.7, 0.0)).abs();
    let light = if normal.z > 0.5 { 0.0 } else { 0.15 + 0.35 * side };
    Some(Face { corners: seen?, point: corners[0], normal, light: light as f32, rims: [false; 2] })
}

fn bounds<'a>(faces: impl Iterator<Item = &'a Face>) -> Rect {
    faces.flat_map(|face| &face.corners).fold(Rect::NOTHING, |mut rect, corner| {
        rect.extend_with(*corner);
        rect
    })
}

fn prism(view: &View, index: usize, obstacle: &ObstacleView, outline: &[DVec3]) -> Option<Solid> {
    let count = outline.len();
    let up = DVec3::Z * height_of(obstacle);
    let area: f64 = (0..count).map(|i| outline[i].cross(outline[(i + 1) % count]).z).sum();
    let outward = if area < 0.0 { -1.0 } else { 1.0 };
    let corner = |i: usize| (outline[i % count], outline[(i + 1) % count]);
    let normal = |i: usize| {
        let (a, b) = corner(i);
        (b - a).cross(DVec3::Z).normalize_or_zero() * outward
    };
    let front: Vec<bool> = (0..count).map(|i| view.faces(outline[i], normal(i))).collect();
    let mut faces = Vec::with_capacity(count / 2 + 2);
    for i in (0..count).filter(|i| front[*i]) {
        let (a, b) = corner(i);
        let rims = [!front[(i + count - 1) % count], !front[(i + 1) % count]];
        faces.extend(face(view, &[a, b, b + up, a + up], normal(i)).map(|face| Face { rims, ..face }));
    }
    faces.sort_by(|a, b| view.depth(b.point).total_cmp(&view.depth(a.point)));
    if view.faces(outline[0] + up, DVec3::Z) {
        let top: Vec<DVec3> = outline.iter().map(|p| *p + up).collect();
        faces.extend(face(view, &top, DVec3::Z));
    }
    let middle = outline.iter().sum::<DVec3>() / count as f64 + up * 0.5;
    (!faces.is_empty()).then(|| Solid {
        obstacle: index,
        depth: view.depth(middle),
        rect: bounds(faces.iter()),
        form: Form::Faces(faces),
        open: obstacle.open,
        edged: count <= ROUND,
    })
}

fn wall(view: &View, index: usize, obstacle: &ObstacleView, (from, to): (DVec3, DVec3), found: &mut Vec<Solid>) {
    let pieces = (from.distance(to) / PIECE).ceil().clamp(1.0, MOST_PIECES);
    let up = DVec3::Z * height_of(obstacle);
    let across = (to - from).cross(DVec3::Z).normalize_or_zero();
    for i in 0..pieces as usize {
        let at = |k: usize| from.lerp(to, k as f64 / pieces);
        let (a, b) = (at(i), at(i + 1));
        let normal = if view.faces(a, across) { across } else { -across };
        let Some(face) = face(view, &[a, b, b + up, a + up], normal) else { continue };
        found.push(Solid {
            obstacle: index,
            depth: view.depth((a + b + up) * 0.5),
            rect: bounds(std::iter::once(&face)),
            form: Form::Faces(vec![face]),
            open: obstacle.open,
            edged: false,
        });
    }
}

impl Solid {
    /// The depth of its surface under a place on the screen, in metres; none where it is not.
    pub fn surface(&self, view: &View, pos: Pos2) -> Option<f64> {
        // A line of sight along a face has no width; a point of slack lets a wall seen edge on be met.
        if !self.rect.expand(1.0).contains(pos) {
            return None;
        }
        match &self.form {
            Form::Ball(middle, radius) => (middle.distance(pos) <= *radius).then_some(self.depth),
            Form::Faces(faces) => {
                let under = faces.iter().filter(|face| contains(&face.corners, pos));
                let depths = under.filter_map(|face| Some(view.depth(view.on_plane(pos, face.point, face.normal)?)));
                depths.min_by(f64::total_cmp)
            }
        }
    }

    /// Draw it.
    pub fn draw(&self, ink: &mut Ink, tokens: &Tokens, paint: Paint) {
        let fade = |color: Color32| if self.open { color.gamma_multiply(0.35) } else { color };
        let edge = fade(paint.edge);
        match &self.form {
            Form::Ball(middle, radius) => {
                let rim: Vec<Pos2> = ring(*middle, *radius, 36).collect();
                let lit = fade(mix(tokens.obstacle, tokens.obstacle_edge, 0.35));
                ink.fan(*middle - vec2(0.3, 0.35) * *radius, &rim, lit, fade(tokens.obstacle));
                ink.polyline(&rim, true, paint.width, edge);
            }
            Form::Faces(faces) => {
                for face in faces {
                    ink.polygon(&face.corners, fade(mix(tokens.obstacle, tokens.obstacle_edge, face.light)));
                    self.draw_edges(ink, face, paint.width, edge);
                }
            }
        }
    }

    /// Something with corners has all its edges, something round or pieced together only the upper and lower ones and its rims.
    fn draw_edges(&self, ink: &mut Ink, face: &Face, width: f32, color: Color32) {
        if self.edged || face.normal.z > 0.5 {
            ink.polyline(&face.corners, true, width, color);
        } else if let [a, b, c, d] = face.corners[..] {
            ink.line(a, b, width, color);
            ink.line(c, d, width, color);
            for (from, to) in
                [(d, a), (b, c)].into_iter().zip(face.rims).filter_map(|(line, seen)| seen.then_some(line))
            {
                ink.line(from, to, width, color);
            }
        }
    }
}

/// The obstacle under a place on the screen that is nearest, and the depth of its surface there.
pub fn solid_at(view: &View, solids: &[Solid], pos: Pos2) -> Option<(usize, f64)> {
    let under = solids.iter().filter_map(|solid| Some((solid.obstacle, solid.surface(view, pos)?)));
    under.min_by(|a, b| a.1.total_cmp(&b.1))
}
