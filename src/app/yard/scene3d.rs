//! Agents and obstacles in space, far ones first, so that what stands behind a trunk is hidden by it; shadows and heights.

use eframe::egui::{Color32, Pos2};
use glam::DVec3;

use crate::experiment::frame::{BodyShape, Frame};

use super::super::theme::Tokens;
use super::bodies::{self, Outline, Shown};
use super::camera::View;
use super::ink::Ink;
use super::scenery;
use super::solid::{Paint, Solid};

/// What is drawn.
pub struct Stage<'a> {
    /// Agents, groups and obstacles.
    pub frame: &'a Frame,
    /// Where the agents are now, row by row.
    pub shown: &'a [Shown],
    /// From where they are seen.
    pub view: &'a View,
    /// Colors.
    pub tokens: &'a Tokens,
}

/// Up to this many flyers each has a line down to the ground.
const MOST_LINES: usize = 200;
/// Beyond this many none has.
const NO_LINES: usize = 1000;
/// Nearer to the ground than this it is on it, in metres.
const ON_GROUND: f64 = 0.05;
/// Of a body's upper side less than this share is seen: it is as good as edge on.
const EDGE_ON: f64 = 0.35;
/// The upright plane of a body of radius 1 from nose to tail: forward, left, up.
const KEEL: [(f64, f64, f64); 4] = [(1.0, 0.0, 0.0), (-0.4, 0.0, 0.42), (-0.75, 0.0, 0.0), (-0.4, 0.0, -0.42)];
/// The plane across it.
const CROSS: [(f64, f64, f64); 4] = [(0.0, 0.6, 0.0), (0.0, 0.0, 0.38), (0.0, -0.6, 0.0), (0.0, 0.0, -0.38)];
/// A quad leans at most this much, in radians: it climbs without standing on its tail.
const LEAN: f64 = 0.35;

impl Stage<'_> {
    /// Shadow dots on the ground, and lines up to who flies above them; nothing in views from a side, which show heights as
    /// they are.
    pub fn shadows(&self, ink: &mut Ink, picked: impl Fn(usize) -> bool) {
        if !self.view.camera.perspective {
            return;
        }
        let flyers = self.shown.iter().filter(|agent| agent.position.z > ON_GROUND).count();
        let share = 1.0 - (flyers.saturating_sub(MOST_LINES)) as f32 / (NO_LINES - MOST_LINES) as f32;
        let shade = if self.tokens.dark { Color32::from_black_alpha(150) } else { Color32::from_black_alpha(60) };
        for (row, agent) in self.shown.iter().enumerate() {
            if agent.position.z <= ON_GROUND {
                continue;
            }
            let foot = agent.position.truncate().extend(0.0);
            let Some(spot) = self.view.project(foot).filter(|spot| self.view.rect.contains(spot.pos)) else { continue };
            let radius = (f64::from(self.frame.agents.radius[row]) * spot.scale * 0.6) as f32;
            ink.disc(spot.pos, radius.clamp(1.4, 12.0), shade);
            let strength = if picked(row) { 1.0 } else { share };
            if strength > 0.0 {
                let color = self.tokens.text_weak.gamma_multiply(0.3 * strength);
                scenery::line(ink, self.view, foot, agent.position, 0.6, color);
            }
        }
    }

    /// Agents among obstacles. `paint` says how an obstacle is drawn, `agent` draws the one of a row.
    pub fn draw(
        &self,
        ink: &mut Ink,
        solids: &[Solid],
        paint: impl Fn(usize) -> Paint,
        mut agent: impl FnMut(&mut Ink, usize),
    ) {
        let mut next = 0;
        for (place, _, row) in self.order(solids) {
            for solid in &solids[next..place] {
                solid.draw(ink, self.tokens, paint(solid.obstacle));
            }
            next = place;
            agent(ink, row);
        }
        for solid in &solids[next..] {
            solid.draw(ink, self.tokens, paint(solid.obstacle));
        }
    }

    /// The body of an agent, nose along its heading and up or down with its velocity.
    pub fn body(&self, ink: &mut Ink, outline: &Outline, row: usize, color: Color32) {
        let shape = self.frame.groups.get(usize::from(self.frame.agents.group[row])).map(|group| group.shape);
        let pitch = self.pitch(row, shape.unwrap_or_default());
        let radius = self.frame.agents.radius[row];
        if let Some(body) = bodies::place(self.view, outline, self.shown[row], radius, pitch) {
            bodies::fill(ink, &body, color, true);
            self.draw_height(ink, row, pitch, color);
        }
    }

    /// A body that is seen nearly edge on would vanish: there a keel and a cross-section are seen.
    fn draw_height(&self, ink: &mut Ink, row: usize, pitch: f64, color: Color32) {
        let agent = self.shown[row];
        let Some(spot) = self.view.project(agent.position) else { return };
        let ((sin, cos), (sin_pitch, cos_pitch)) = (agent.heading.sin_cos(), pitch.sin_cos());
        let forward = DVec3::new(cos * cos_pitch, sin * cos_pitch, sin_pitch);
        let left = DVec3::new(-sin, cos, 0.0);
        let up = forward.cross(left);
        if self.edge_on(agent, up) > EDGE_ON {
            return;
        }
        let radius = f64::from(self.frame.agents.radius[row]);
        let radius = radius.max(f64::from(self.view.smallest) / spot.scale);
        let corner = |x: f64, y: f64, z: f64| {
            let point = agent.position + (forward * x + left * y + up * z) * radius;
            self.view.project(point).map(|spot| spot.pos)
        };
        for shape in [KEEL, CROSS] {
            let corners: Option<Vec<Pos2>> = shape.iter().map(|&(x, y, z)| corner(x, y, z)).collect();
            if let Some(corners) = corners {
                ink.fan(spot.pos, &corners, bodies::brighten(color, 0.15), color);
            }
        }
    }

    /// How much of the upper side of a body is seen: 0 edge on, 1 from right above or below.
    fn edge_on(&self, agent: Shown, up: DVec3) -> f64 {
        self.view.sight_to(agent.position).dot(up).abs()
    }

    /// How far the nose of an agent points up, in radians.
    fn pitch(&self, row: usize, shape: BodyShape) -> f64 {
        let climb = bodies::climb(self.frame.agents.velocity[row]);
        if shape == BodyShape::Quad { climb.clamp(-LEAN, LEAN) } else { climb }
    }

    /// Agents in the order in which they are drawn: how many solids come before, depth, row.
    ///
    /// An agent comes after all solids whose middle is further away, except that it comes before the first one that hides its
    /// own middle, and after every one that it hides: the middles of long or high solids say little.
    pub fn order(&self, solids: &[Solid]) -> Vec<(usize, f64, usize)> {
        let columns = Columns::new(self.view, solids);
        let mut order = Vec::with_capacity(self.shown.len());
        for (row, agent) in self.shown.iter().enumerate() {
            let Some(spot) = self.view.project(agent.position) else { continue };
            let mut place = solids.partition_point(|solid| solid.depth > spot.depth);
            let mut hidden = solids.len();
            for &index in columns.at(spot.pos) {
                let Some(surface) = solids[index].surface(self.view, spot.pos) else { continue };
                if surface < spot.depth {
                    hidden = hidden.min(index);
                } else {
                    place = place.max(index + 1);
                }
            }
            order.push((place.min(hidden), spot.depth, row));
        }
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        order
    }
}

/// Width of a column in points.
const COLUMN: f32 = 24.0;

/// Which solids are where on the screen, by columns, so that an agent looks at few of them.
struct Columns {
    left: f32,
    solids: Vec<Vec<usize>>,
}

impl Columns {
    fn new(view: &View, solids: &[Solid]) -> Self {
        let count = (view.rect.width() / COLUMN).ceil().clamp(1.0, 1000.0) as usize;
        let mut columns = Self { left: view.rect.left(), solids: vec![Vec::new(); count] };
        for (index, solid) in solids.iter().enumerate() {
            for column in &mut columns.solids[columns_of(solid.rect.left() - columns.left, count)
                ..=columns_of(solid.rect.right() - columns.left, count)]
            {
                column.push(index);
            }
        }
        columns
    }

    /// Those that may cover a place.
    fn at(&self, pos: Pos2) -> &[usize] {
        &self.solids[columns_of(pos.x - self.left, self.solids.len())]
    }
}

fn columns_of(x: f32, count: usize) -> usize {
    ((x / COLUMN).max(0.0) as usize).min(count - 1)
}
