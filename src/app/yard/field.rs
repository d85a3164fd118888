//! Overlays of the drill: which are shown, base lines, and how far repulsion reaches.

use eframe::egui::{Align2, Color32, Painter, vec2};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::experiment::frame::{ForceView, Frame, ObstacleView, ParamValue};

use super::super::theme::Tokens;
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::scenery;

/// An overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// From the first place of a formation to the last.
    BaseLines,
    /// How far repulsion of agents and obstacles reaches.
    Repulsion,
    /// Paths of the last seconds.
    Trails,
    /// The navigation mesh.
    Mesh,
    /// Cells of people by density.
    Density,
}

impl Overlay {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::BaseLines, Self::Repulsion, Self::Trails, Self::Mesh, Self::Density];

    /// As shown.
    pub fn text(self) -> &'static str {
        match self {
            Self::BaseLines => "Base lines",
            Self::Repulsion => "Repulsion field",
            Self::Trails => "Trails",
            Self::Mesh => "Navigation mesh",
            Self::Density => "Density of people",
        }
    }

    /// One sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::BaseLines => "From the first place of each formation to the last, dashed",
            Self::Repulsion => "How far soft walls and separation reach, around agents and obstacles",
            Self::Trails => "Where agents were in the last seconds, in their colors, fainter the longer ago",
            Self::Mesh => "Convex polygons on which agents find their paths, and the edges between them",
            Self::Density => "The Voronoi cell of each person, colored by Fruin's levels of density in 1/m²",
        }
    }
}

/// Which overlays are shown; remembered from start to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overlays {
    /// Base lines.
    pub base_lines: bool,
    /// Repulsion field.
    pub repulsion: bool,
    /// Trails.
    pub trails: bool,
    /// Navigation mesh.
    pub mesh: bool,
    /// Density of people.
    pub density: bool,
}

impl Default for Overlays {
    fn default() -> Self {
        Self { base_lines: true, repulsion: false, trails: false, mesh: false, density: false }
    }
}

impl Overlays {
    /// Whether an overlay is shown.
    pub fn shows(self, overlay: Overlay) -> bool {
        match overlay {
            Overlay::BaseLines => self.base_lines,
            Overlay::Repulsion => self.repulsion,
            Overlay::Trails => self.trails,
            Overlay::Mesh => self.mesh,
            Overlay::Density => self.density,
        }
    }

    /// Shows or hides an overlay.
    pub fn toggle(&mut self, overlay: Overlay) {
        let shown = match overlay {
            Overlay::BaseLines => &mut self.base_lines,
            Overlay::Repulsion => &mut self.repulsion,
            Overlay::Trails => &mut self.trails,
            Overlay::Mesh => &mut self.mesh,
            Overlay::Density => &mut self.density,
        };
        *shown = !*shown;
    }
}

/// More agents than this have no circles: the field would be one grey.
const MOST_CIRCLES: usize = 2000;
/// Circles with a smaller radius on the screen say nothing, in points.
const SMALLEST: f64 = 3.0;

/// How far the repulsion of a group reaches, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// Between centers of agents: soft walls and separation.
    pub agents: f64,
    /// From a center to the surface of an obstacle: soft walls only.
    pub obstacles: f64,
}

/// The reach of each group, by the radius of its forces that are switched on.
pub fn reaches(frame: &Frame) -> Vec<Reach> {
    let mut reaches = vec![Reach::default(); frame.groups.len()];
    for param in frame.parameters.iter().filter(|param| param.label == "radius") {
        let (Some(force), ParamValue::Number(radius)) = (param.force.as_deref(), &param.value) else { continue };
        let wall = force.starts_with("soft_wall");
        let off = |view: &&ForceView| {
            view.group == param.group && view.name == force && view.state == param.state && !view.enabled
        };
        if !wall && !force.starts_with("separation") || frame.forces.iter().any(|view| off(&view)) {
            continue;
        }
        let Some(reach) = reaches.get_mut(param.group) else { continue };
        reach.agents = reach.agents.max(*radius);
        if wall {
            reach.obstacles = reach.obstacles.max(*radius);
        }
    }
    reaches
}

/// The repulsion field: a circle around each agent, a band that fades around each obstacle.
pub fn repulsion(ink: &mut Ink, view: &View, frame: &Frame, shown: &[Shown], tokens: &Tokens) {
    let reaches = reaches(frame);
    let body = frame.agents.radius.iter().copied().fold(0.0, f32::max);
    let wall = reaches.iter().map(|reach| reach.obstacles).fold(0.0, f64::max);
    if wall > 0.0 {
        // An obstacle acts from a center up to the reach of the wall and the radius of the body.
        let width = wall + f64::from(body);
        for obstacle in frame.obstacles.iter().filter(|obstacle| !obstacle.open) {
            band(ink, view, obstacle, width, tokens.warning.gamma_multiply(0.30));
        }
    }
    if shown.len() > MOST_CIRCLES {
        return;
    }
    for (agent, group) in shown.iter().zip(&frame.agents.group) {
        let group = usize::from(*group);
        let Some(reach) = reaches.get(group).filter(|reach| reach.agents > 0.0) else { continue };
        let Some(spot) = view.project(agent.position) else { continue };
        if reach.agents * spot.scale < SMALLEST {
            continue;
        }
        let color = tokens.category(group);
        let ring = ring(view, agent.position, reach.agents);
        ink.fan(spot.pos, &ring, color.gamma_multiply(0.10), color.gamma_multiply(0.02));
        ink.polyline(&ring, true, 0.8, color.gamma_multiply(0.45));
    }
}

/// A circle on the level of its center, as seen; what is behind the camera is left out.
fn ring(view: &View, center: DVec3, radius: f64) -> Vec<eframe::egui::Pos2> {
    let steps = 40;
    let at = |i: i32| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(steps)).sin_cos();
        view.project(center + DVec3::new(cos, sin, 0.0) * radius).map(|spot| spot.pos)
    };
    (0..steps).filter_map(at).collect()
}

/// A band around the outline of an obstacle that fades to nothing at `width` metres.
pub fn band(ink: &mut Ink, view: &View, obstacle: &ObstacleView, width: f64, color: Color32) {
    let Some(outline) = obstacle.outlines.first().filter(|outline| outline.len() > 1) else { return };
    let way = way_round(outline, obstacle.closed);
    let count = way.len();
    let normal = |i: usize| {
        let along = way[(i + 1) % count] - way[i % count];
        DVec3::new(along.y, -along.x, 0.0).normalize_or_zero()
    };
    for i in 0..count {
        let (a, b) = (way[i], way[(i + 1) % count]);
        let (out, next) = (normal(i), normal(i + 1));
        fade(ink, view, (a, b), (a + out * width, b + out * width), color);
        let turn = out.cross(next).z.atan2(out.dot(next));
        // At a corner to the left the strips leave a gap, at an end they face each other; elsewhere they overlap a little.
        let turn = if turn < -3.1 { -turn } else { turn };
        let steps = (turn / 0.25).ceil().max(0.0) as usize;
        let spoke = |k: usize| {
            let (sin, cos) = (turn * k as f64 / steps as f64).sin_cos();
            b + DVec3::new(out.x * cos - out.y * sin, out.x * sin + out.y * cos, 0.0) * width
        };
        for k in 0..steps {
            fade(ink, view, (b, b), (spoke(k), spoke(k + 1)), color);
        }
    }
}

/// The way round an outline with the outside to the right; there and back along a wall.
fn way_round(outline: &[DVec3], closed: bool) -> Vec<DVec3> {
    let mut way = outline.to_vec();
    if closed {
        let area: f64 = (0..way.len()).map(|i| way[i].cross(way[(i + 1) % way.len()]).z).sum();
        if area < 0.0 {
            way.reverse();
        }
    } else {
        way.extend(outline.iter().rev().skip(1).take(outline.len() - 2));
    }
    way
}

/// A four-cornered piece from an edge in color to one in none.
fn fade(ink: &mut Ink, view: &View, (a, b): (DVec3, DVec3), (far_a, far_b): (DVec3, DVec3), color: Color32) {
    let project = |point: DVec3| view.project(point).map(|spot| spot.pos);
    if let (Some(a), Some(b), Some(far_a), Some(far_b)) = (project(a), project(b), project(far_a), project(far_b)) {
        ink.fade([a, b], [far_a, far_b], color);
    }
}

/// The base lines of all formations, dashed; they are labelled by [`base_line_label`].
pub fn base_lines(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    for (index, group) in frame.groups.iter().enumerate() {
        let line = group.formation.as_ref().and_then(|formation| formation.base_line);
        if let Some((a, b)) = line.and_then(|(a, b)| Some((view.project(a)?, view.project(b)?))) {
            ink.dashed(a.pos, b.pos, 1.0, 8.0, tokens.category(index).gamma_multiply(0.8));
        }
    }
}

/// The label of the first base line that is long enough to carry one.
pub fn base_line_label(painter: &Painter, view: &View, frame: &Frame, tokens: &Tokens) {
    let lines = frame.groups.iter().filter_map(|group| group.formation.as_ref()?.base_line);
    let seen = lines.filter_map(|(a, b)| Some((a.distance(b), view.project(a)?.pos, view.project(b)?.pos)));
    let Some((length, a, b)) = seen.into_iter().find(|(_, a, b)| a.distance(*b) > 90.0) else { return };
    // Beyond the end of the line no agent stands; where there is no room, it stands before the end.
    let text = format!("base line {length:.2} m");
    let right = b.x >= a.x;
    let room = if right { view.rect.right() - b.x } else { b.x - view.rect.left() };
    let (anchor, shift) = match (right, room > 110.0) {
        (true, true) => (Align2::LEFT_CENTER, vec2(14.0, 0.0)),
        (false, true) => (Align2::RIGHT_CENTER, vec2(-14.0, 0.0)),
        (true, false) => (Align2::RIGHT_TOP, vec2(0.0, 16.0)),
        (false, false) => (Align2::LEFT_TOP, vec2(0.0, 16.0)),
    };
    scenery::halo_text(painter, b + shift, anchor, &text, tokens.text_weak, tokens);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outside_lies_to_the_right_whichever_way_an_outline_runs() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| DVec3::new(x, y, 0.0));
        let back: Vec<DVec3> = square.iter().rev().copied().collect();
        assert_eq!(way_round(&square, true), square);
        assert_eq!(way_round(&back, true), square);
        let wall = &square[..3];
        assert_eq!(way_round(wall, false), [square[0], square[1], square[2], square[1]], "there and back");
        assert_eq!(way_round(&square[..2], false), square[..2]);
    }
}
