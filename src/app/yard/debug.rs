//! The debug layer: velocities, forces, numbers, and what scripts draw; what agents sense is drawn by `senses`.

use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, vec2};
use glam::DVec3;

use crate::experiment::frame::{Drawing, Inspected};

use super::super::state::Cx;
use super::super::theme::{SMALL, Tokens};
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::labels::Labels;
use super::{scenery, senses};

/// Velocity arrows show where an agent will be after this time, in seconds.
const AHEAD: f64 = 0.5;
/// The round force that the note names is drawn as long as this, in points; no force is longer.
const FORCE_LENGTH: f64 = 70.0;
/// Shorter arrows are not drawn, in metres.
const SHORTEST: f64 = 0.02;

/// Arrows and links.
pub fn arrows(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    let (frame, layers, tokens) = (cx.frame, cx.state.yard.layers, cx.tokens);
    let mut arrow = |from: DVec3, vector: DVec3, width: f32, color: Color32| {
        if vector.length() > SHORTEST
            && let (Some(a), Some(b)) = (view.project(from), view.project(from + vector))
        {
            ink.arrow(a.pos, b.pos, width, color);
        }
    };
    if layers.velocities {
        for (row, agent) in shown.iter().enumerate() {
            arrow(agent.position, frame.agents.velocity[row] * AHEAD, 1.2, tokens.text_weak);
        }
    }
    if layers.drawings {
        for drawing in frame.drawings.iter() {
            if let Drawing::Arrow { from, vector, color } = drawing {
                arrow(*from, *vector, 1.4, tokens.category(*color));
            }
        }
    }
    let inspected = frame.inspected.as_ref().and_then(|agent| Some((agent, frame.agents.row(agent.key)?)));
    if let Some((agent, row)) = inspected {
        let from = shown[row].position;
        for (i, tip) in force_tips(view, agent, from).into_iter().enumerate().filter(|_| layers.forces) {
            if let (Some(a), Some(b)) = (view.project(from), tip) {
                ink.arrow(a.pos, b, 2.0, tokens.category(i));
            }
        }
    }
    if layers.drawings {
        drawings(ink, cx, view);
    }
}

/// The round force, in its own unit, that is drawn as long as an arrow is at most: it changes only in steps of 1, 2, 5, so that
/// arrows keep their scale while forces change a little.
pub fn force_scale(agent: &Inspected) -> f64 {
    let sizes = agent.forces.iter().map(|force| force.push.length()).filter(|length| length.is_finite());
    scenery::round_step(sizes.fold(1e-3, f64::max))
}

/// Where the arrows of the forces end on the screen: long ones are told from short ones at any zoom.
fn force_tips(view: &View, agent: &Inspected, from: DVec3) -> Vec<Option<Pos2>> {
    let unit = force_scale(agent);
    let scale = view.project(from).map_or(1.0, |spot| spot.scale);
    let tip = |push: DVec3| view.project(from + push / unit * (FORCE_LENGTH / scale)).map(|spot| spot.pos);
    agent.forces.iter().map(|force| tip(force.push).filter(|_| force.push.is_finite())).collect()
}

fn drawings(ink: &mut Ink, cx: &Cx<'_>, view: &View) {
    for drawing in cx.frame.drawings.iter() {
        match drawing {
            Drawing::Line { points, color } => {
                for pair in points.windows(2) {
                    scenery::line(ink, view, pair[0], pair[1], 1.4, cx.tokens.category(*color));
                }
            }
            Drawing::Circle { at, radius, color } => {
                if let Some(spot) = view.project(*at) {
                    ink.circle(spot.pos, (radius * spot.scale) as f32, 1.4, cx.tokens.category(*color));
                }
            }
            Drawing::Arrow { .. } | Drawing::Text { .. } => {}
        }
    }
}

/// Numbers of the agents, names of the forces and texts of scripts.
pub fn labels(painter: &Painter, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    let (frame, layers, tokens) = (cx.frame, cx.state.yard.layers, cx.tokens);
    let mut taken = Labels::default();
    let mut notes = 0;
    if let Some(agent) = frame.inspected.as_ref().filter(|_| layers.forces) {
        force_labels(painter, cx, view, shown, agent, &mut taken);
        if let Some(unit) = agent.forces.first().map(|force| force.unit) {
            force_note(painter, view, &format!("{} {unit}", force_scale(agent)), notes, tokens);
            notes += 1;
        }
    }
    senses::labels(painter, cx, view, shown, &mut taken);
    if let Some(cells) = frame.cells.as_ref().filter(|cells| layers.cells && !cells.cells.is_empty()) {
        senses::cell_labels(painter, view, frame, tokens);
        senses::note(painter, view, notes, &senses::cells_text(cells), tokens);
    }
    if layers.ids && (view.zoom() > 22.0 || shown.len() <= 40) {
        numbers(painter, cx, view, shown, &mut taken);
    }
    for drawing in frame.drawings.iter().filter(|_| layers.drawings) {
        if let Drawing::Text { at, text, color } = drawing
            && let Some(spot) = view.project(*at)
        {
            scenery::halo_text(painter, spot.pos, Align2::LEFT_BOTTOM, text, tokens.category(*color), tokens);
        }
    }
}

/// At most so many agents carry their numbers.
const NUMBERED: usize = 400;

/// Numbers of the agents; in a crowd those are left out that would cover other labels.
fn numbers(painter: &Painter, cx: &Cx<'_>, view: &View, shown: &[Shown], taken: &mut Labels) {
    let (frame, tokens) = (cx.frame, cx.tokens);
    let mut drawn = 0;
    for (row, agent) in shown.iter().enumerate() {
        let key = frame.agents.key[row];
        // The arrows of the picked agent carry their names; its number is in the inspector.
        let named = frame.inspected.as_ref().is_some_and(|picked| picked.key == key);
        if named && cx.state.yard.layers.forces {
            continue;
        }
        let Some(spot) = view.project(agent.position).filter(|spot| view.rect.contains(spot.pos)) else { continue };
        let below = ((f64::from(frame.agents.radius[row]) * spot.scale) as f32).max(4.0) + 3.0;
        let (at, text) = (spot.pos + vec2(0.0, below), key.to_string());
        // Digits are about 6 points wide.
        let size = vec2(6.0 * text.len() as f32 + 6.0, 15.0);
        if !taken.take_free(Align2::CENTER_TOP.anchor_size(at, size)) {
            continue;
        }
        scenery::halo_text(painter, at, Align2::CENTER_TOP, &text, tokens.text_weak, tokens);
        drawn += 1;
        if drawn > NUMBERED {
            break;
        }
    }
}

/// Each arrow's name and size at its tip, none over another; forces too small for an arrow are named beside the agent.
fn force_labels(painter: &Painter, cx: &Cx<'_>, view: &View, shown: &[Shown], agent: &Inspected, taken: &mut Labels) {
    let Some(from) = cx.frame.agents.row(agent.key).map(|row| shown[row].position) else { return };
    let Some(middle) = view.project(from).map(|spot| spot.pos).filter(|at| view.rect.contains(*at)) else { return };
    // The agent itself stays free.
    taken.take(Rect::from_center_size(middle, vec2(22.0, 22.0)));
    for (i, (force, tip)) in agent.forces.iter().zip(force_tips(view, agent, from)).enumerate() {
        let Some(tip) = tip else { continue };
        let tip = if tip.distance(middle) > 12.0 { tip } else { middle + vec2(12.0, 0.0) };
        let right = tip.x >= middle.x;
        let anchor = if right { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER };
        let at = tip + vec2(if right { 6.0 } else { -6.0 }, 0.0);
        let text = format!("{} {:.2} {}", force.name, force.push.length(), force.unit);
        taken.write(painter, (at, anchor), &text, cx.tokens.category(i), cx.tokens, view.rect);
    }
}

/// How long an arrow is per force.
fn force_note(painter: &Painter, view: &View, size: &str, row: usize, tokens: &Tokens) {
    let length = FORCE_LENGTH as f32;
    let pad = format!("forces: this long is {size}");
    let at = senses::note(painter, view, row, &pad, tokens);
    let width = painter.layout_no_wrap(pad, FontId::proportional(SMALL), tokens.text_weak).size().x;
    let from = at + vec2(width + 12.0, -7.0);
    let mut ink = Ink::default();
    ink.arrow(from, from + vec2(length, 0.0), 2.0, tokens.text_weak);
    painter.add(ink.into_shape());
}
