//! How agents sense, for the debug layer: perception circles and view cones, separation radii, links to those whom forces see,
//! and the cells of the neighbor grid.

use std::collections::BTreeMap;

use eframe::egui::{Align2, Color32, Painter, Pos2, pos2, vec2};
use glam::DVec3;

use crate::experiment::frame::{AgentKey, CellsView, Frame, LookKind, LookView, SensesView, Watch};

use super::super::panels::diagram;
use super::super::state::{Cx, State};
use super::super::theme::Tokens;
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::labels::Labels;
use super::scenery;

/// So many agents or fewer all show their senses while none is picked; else only the picked ones do.
pub const FEW: usize = 24;
/// Senses of so many picked agents are asked for at most.
const MOST_PICKED: usize = 32;
/// Circles of so many agents carry labels.
const LABELLED: usize = 3;

/// What the debug layer wants published; nothing while it is hidden.
pub fn wanted(state: &State, frame: &Frame) -> Watch {
    let layers = state.yard.layers;
    let diagram = diagram::watched(state, frame);
    let measured = Watch { density: state.settings.overlays.density, diagram, ..Watch::default() };
    if !state.yard.debug {
        return measured;
    }
    let senses = layers.perception || layers.separation || layers.links;
    let agents = if !senses {
        Vec::new()
    } else if state.picked.is_empty() && frame.agents.len() <= FEW {
        frame.agents.key.clone()
    } else {
        state.picked.iter().take(MOST_PICKED).copied().collect()
    };
    Watch { agents, cells: layers.cells, ..measured }
}

/// A circle or cone of an agent, with the forces that look so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// Metres.
    pub radius: f64,
    /// Half angle of the cone in radians; none for all round.
    pub half_angle: Option<f64>,
    /// What the forces do with whom they see.
    pub kind: LookKind,
    /// Names of the forces, and how they look, e.g. "alignment, cohesion 3.00 m ±140°".
    pub text: String,
}

/// The circles of an agent: forces that look alike share one.
pub fn reaches(senses: &SensesView) -> Vec<Reach> {
    let mut reaches: Vec<(Vec<&str>, &LookView)> = Vec::new();
    for look in &senses.looks {
        let same = |known: &LookView| {
            (known.radius, known.half_angle, known.kind, &known.from)
                == (look.radius, look.half_angle, look.kind, &look.from)
        };
        match reaches.iter_mut().find(|(_, known)| same(known)) {
            Some((names, _)) => names.push(&look.name),
            None => reaches.push((vec![&look.name], look)),
        }
    }
    let text = |names: &[&str], look: &LookView| {
        let cone = look.half_angle.map_or_else(String::new, |half| format!(" ±{:.0}°", half.to_degrees()));
        format!("{} {:.2} m{cone}", names.join(", "), look.radius)
    };
    let reach = |(names, look): (Vec<&str>, &LookView)| Reach {
        radius: look.radius,
        half_angle: look.half_angle,
        kind: look.kind,
        text: text(&names, look),
    };
    reaches.into_iter().map(reach).collect()
}

fn color_of(kind: LookKind, tokens: &Tokens) -> Color32 {
    match kind {
        LookKind::Flock => tokens.accent,
        LookKind::Apart => tokens.warning,
        LookKind::Hunt => tokens.fault,
    }
}

/// Points round the reach of a look, on the level of the agent; of a cone only its arc.
fn rim(agent: &Shown, reach: &Reach) -> Vec<DVec3> {
    let half = reach.half_angle.unwrap_or(std::f64::consts::PI);
    let steps = (64.0 * half / std::f64::consts::PI).ceil().max(2.0) as i32;
    let at = |i: i32| {
        let angle = agent.heading - half + 2.0 * half * f64::from(i) / f64::from(steps);
        let (sin, cos) = angle.sin_cos();
        agent.position + DVec3::new(cos, sin, 0.0) * reach.radius
    };
    (0..=steps).map(at).collect()
}

/// Which layer a look belongs to is switched on.
fn is_shown(cx: &Cx<'_>, kind: LookKind) -> bool {
    let layers = cx.state.yard.layers;
    if kind == LookKind::Apart { layers.separation } else { layers.perception }
}

/// Circles and cones, under the agents.
pub fn circles(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    for senses in cx.frame.senses.iter() {
        let Some(row) = cx.frame.agents.row(senses.key) else { continue };
        // Where all show theirs, none shouts.
        let strength = if cx.state.is_picked(senses.key) { 1.0 } else { 0.5 };
        for reach in reaches(senses).iter().filter(|reach| reach.radius > 0.0 && is_shown(cx, reach.kind)) {
            circle(ink, view, &shown[row], reach, color_of(reach.kind, cx.tokens).gamma_multiply(strength));
        }
    }
}

fn circle(ink: &mut Ink, view: &View, agent: &Shown, reach: &Reach, color: Color32) {
    let Some(middle) = view.project(agent.position) else { return };
    let points: Vec<Pos2> = rim(agent, reach).into_iter().filter_map(|p| Some(view.project(p)?.pos)).collect();
    if points.len() < 3 || !points.iter().all(|p| p.is_finite()) {
        return;
    }
    // Metres on the screen: a radius that fills it has nothing to say.
    if reach.radius * middle.scale < 3.0 || reach.radius * middle.scale > 8000.0 {
        return;
    }
    let cone = reach.half_angle.is_some();
    // A cone wider than a half circle is not seen whole from its ends, but from the agent it is.
    if reach.kind == LookKind::Flock {
        let corners: Vec<Pos2> =
            if cone { std::iter::once(middle.pos).chain(points.iter().copied()).collect() } else { points.clone() };
        sector(ink, middle.pos, &corners, color.gamma_multiply(0.09));
    }
    if reach.kind == LookKind::Apart {
        for pair in points.chunks_exact(2) {
            ink.line(pair[0], pair[1], 1.2, color.gamma_multiply(0.9));
        }
    } else {
        ink.polyline(&points, false, 1.0, color.gamma_multiply(0.75));
    }
    if cone {
        ink.line(middle.pos, points[0], 1.0, color.gamma_multiply(0.75));
        ink.line(middle.pos, points[points.len() - 1], 1.0, color.gamma_multiply(0.75));
    }
    if view.camera.perspective && agent.position.z.abs() > 0.05 {
        // The ball that the circle is the middle of.
        ink.circle(middle.pos, (reach.radius * middle.scale) as f32, 0.8, color.gamma_multiply(0.35));
    }
}

fn sector(ink: &mut Ink, middle: Pos2, corners: &[Pos2], color: Color32) {
    ink.rows(corners.iter().chain(corners.first()).map(|&corner| [(middle, color), (corner, color)]));
}

/// A line to somebody whom a force sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Whose force.
    pub from: AgentKey,
    /// Whom it sees.
    pub to: AgentKey,
    /// Both ends in metres.
    pub ends: (DVec3, DVec3),
}

/// The links that are drawn: one to each agent that a force of a watched agent sees.
pub fn links(frame: &Frame, shown: &[Shown]) -> Vec<Link> {
    let mut links = Vec::new();
    for senses in frame.senses.iter() {
        let Some(from) = frame.agents.row(senses.key).and_then(|row| shown.get(row)) else { continue };
        for (to, offset) in senses.links() {
            let there = frame.agents.row(to).and_then(|row| shown.get(row)).map(|other| other.position);
            // Over the seam of a wrapped area the line leaves the area on the short way.
            let seam = |there: &DVec3| (*there - from.position).distance(offset) > offset.length() + 1.0;
            let end = there.filter(|there| !seam(there)).unwrap_or(from.position + offset);
            links.push(Link { from: senses.key, to, ends: (from.position, end) });
        }
    }
    links
}

/// Links, under the agents.
pub fn draw_links(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    for link in links(cx.frame, shown) {
        let strength = if cx.state.is_picked(link.from) { 0.7 } else { 0.35 };
        scenery::line(ink, view, link.ends.0, link.ends.1, 1.0, cx.tokens.text.gamma_multiply(strength));
    }
}

/// Names and sizes of the circles of the first picked agents.
pub fn labels(painter: &Painter, cx: &Cx<'_>, view: &View, shown: &[Shown], labels: &mut Labels) {
    let picked = cx.frame.senses.iter().filter(|senses| cx.state.is_picked(senses.key));
    for senses in picked.take(LABELLED) {
        let Some(row) = cx.frame.agents.row(senses.key) else { continue };
        for (i, reach) in reaches(senses).iter().filter(|reach| is_shown(cx, reach.kind)).enumerate() {
            // Each circle is labelled at another place of its arc.
            let half = reach.half_angle.unwrap_or(std::f64::consts::PI);
            let angle = shown[row].heading + half * (0.55 - 0.35 * i as f64);
            let at = shown[row].position + DVec3::new(angle.cos(), angle.sin(), 0.0) * reach.radius;
            let Some(spot) = view.project(at).filter(|spot| view.rect.contains(spot.pos)) else { continue };
            let color = color_of(reach.kind, cx.tokens);
            labels.write(painter, (spot.pos, Align2::CENTER_CENTER), &reach.text, color, cx.tokens, view.rect);
        }
    }
}

/// Cells as seen from above: lower corner and agents, columns of a deep grid taken together.
pub fn columns(cells: &CellsView) -> Vec<(DVec3, u32)> {
    let side = cells.side.max(DVec3::splat(1e-9));
    let floor = cells.cells.iter().map(|cell| cell.0.z).fold(f64::INFINITY, f64::min);
    let mut columns: BTreeMap<(i64, i64), (DVec3, u32)> = BTreeMap::new();
    for (corner, count) in &cells.cells {
        let key = ((corner.x / side.x).round() as i64, (corner.y / side.y).round() as i64);
        columns.entry(key).or_insert_with(|| (DVec3::new(corner.x, corner.y, floor), 0)).1 += count;
    }
    columns.into_values().collect()
}

/// Cells smaller than this carry no number, in points.
const NUMBERED: f64 = 20.0;

/// The cells of the neighbor grid, the darker the fuller, under everything that moves.
pub fn cells(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(cells) = &frame.cells else { return };
    let columns = columns(cells);
    let fullest = columns.iter().map(|cell| cell.1).max().unwrap_or(1);
    for (corner, count) in columns {
        let (x, y) = (DVec3::X * cells.side.x, DVec3::Y * cells.side.y);
        let spots = [corner, corner + x, corner + y, corner + x + y].map(|p| view.project(p).map(|spot| spot.pos));
        let [Some(a), Some(b), Some(c), Some(d)] = spots else { continue };
        if ![a, b, c, d].iter().any(|p| view.rect.contains(*p)) {
            continue;
        }
        let share = count as f32 / fullest as f32;
        let fill = tokens.accent.gamma_multiply(0.05 + 0.25 * share);
        ink.rows([[(a, fill), (b, fill)], [(c, fill), (d, fill)]].into_iter());
        ink.polyline(&[a, b, d, c], true, 0.4, tokens.accent.gamma_multiply(0.4));
    }
}

/// Numbers in the cells, and what the cells are.
pub fn cell_labels(painter: &Painter, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(cells) = &frame.cells else { return };
    let side = cells.side;
    if side.x.min(side.y) * view.zoom() < NUMBERED {
        return;
    }
    for (corner, count) in columns(cells) {
        let Some(spot) = view.project(corner + side * DVec3::new(0.0, 1.0, 0.0)) else { continue };
        if view.rect.contains(spot.pos) && side.x * spot.scale >= NUMBERED {
            let font = eframe::egui::FontId::proportional(super::super::theme::SMALL);
            painter.text(spot.pos + vec2(3.0, 1.0), Align2::LEFT_TOP, count.to_string(), font, tokens.text_weak);
        }
    }
}

/// What the cells are, in one line.
pub fn cells_text(cells: &CellsView) -> String {
    let side = cells.side;
    let size = if cells.cells.iter().any(|cell| cell.0.z != cells.cells[0].0.z) {
        format!("{:.2} × {:.2} × {:.2} m", side.x, side.y, side.z)
    } else {
        format!("{:.2} × {:.2} m", side.x, side.y)
    };
    format!("cells {size} · {} filled · fullest {}", cells.cells.len(), cells.fullest())
}

/// Notes above the scale bar, lower left: the first is the lowest.
pub fn note(painter: &Painter, view: &View, row: usize, text: &str, tokens: &Tokens) -> Pos2 {
    let at = pos2(view.rect.left() + 12.0, view.rect.bottom() - 44.0 - 18.0 * row as f32);
    scenery::halo_text(painter, at, Align2::LEFT_BOTTOM, text, tokens.text_weak, tokens);
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(name: &str, kind: LookKind, radius: f64, half_angle: Option<f64>) -> LookView {
        LookView { name: name.to_owned(), kind, radius, half_angle, ..LookView::default() }
    }

    #[test]
    fn forces_that_look_alike_share_a_circle() {
        let looks = vec![
            look("alignment", LookKind::Flock, 3.0, Some(2.44)),
            look("cohesion", LookKind::Flock, 3.0, Some(2.44)),
            look("separation", LookKind::Apart, 0.6, None),
        ];
        let texts: Vec<String> =
            reaches(&SensesView { looks, ..SensesView::default() }).into_iter().map(|reach| reach.text).collect();
        assert_eq!(texts, ["alignment, cohesion 3.00 m ±140°", "separation 0.60 m"]);
    }

    #[test]
    fn the_rim_of_a_cone_ends_at_its_half_angle() {
        let agent = Shown { position: DVec3::new(1.0, 2.0, 0.0), heading: 0.5 };
        let reach = Reach { radius: 2.0, half_angle: Some(0.8), kind: LookKind::Flock, text: String::new() };
        let points = rim(&agent, &reach);
        let angle = |p: &DVec3| (p.y - 2.0).atan2(p.x - 1.0);
        assert!(points.iter().all(|p| (p.distance(agent.position) - 2.0).abs() < 1e-12));
        assert!((angle(&points[0]) + 0.3).abs() < 1e-12 && (angle(&points[points.len() - 1]) - 1.3).abs() < 1e-12);
    }

    #[test]
    fn deep_cells_are_taken_together_by_columns() {
        let side = DVec3::new(0.5, 1.0, 2.0);
        let at = |x: f64, y: f64, z: f64, count| (DVec3::new(x, y, z), count);
        let cells = CellsView { side, cells: vec![at(-0.5, 0.0, 0.0, 3), at(0.0, 0.0, 0.0, 1), at(-0.5, 0.0, 2.0, 4)] };
        let columns = columns(&cells);
        assert_eq!(columns, [at(-0.5, 0.0, 0.0, 7), at(0.0, 0.0, 0.0, 1)]);
        assert_eq!(cells_text(&cells), "cells 0.50 × 1.00 × 2.00 m · 3 filled · fullest 4");
    }
}
