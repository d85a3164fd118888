//! The debug layer: velocities, forces, neighbors, numbers, and what scripts draw.

use eframe::egui::{Align2, Color32, Painter, Pos2, vec2};
use glam::DVec3;

use crate::experiment::frame::{Drawing, Inspected};

use super::super::state::Cx;
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::scenery;

/// Velocity arrows show where an agent will be after this time, in seconds.
const AHEAD: f64 = 0.5;
/// The largest force of an agent is drawn as long as this, in points.
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
        let neighbors = agent.neighbors.iter().filter(|_| layers.neighbors).filter_map(|&key| frame.agents.row(key));
        for neighbor in neighbors {
            scenery::line(ink, view, from, shown[neighbor].position, 1.0, tokens.accent.gamma_multiply(0.6));
        }
    }
    if layers.drawings {
        drawings(ink, cx, view);
    }
}

/// Where the arrows of the forces end on the screen: long ones are told from short ones at any zoom.
fn force_tips(view: &View, agent: &Inspected, from: DVec3) -> Vec<Option<Pos2>> {
    let largest =
        agent.forces.iter().map(|force| force.push.length()).filter(|length| length.is_finite()).fold(1e-9, f64::max);
    let scale = view.project(from).map_or(1.0, |spot| spot.scale);
    let tip = |push: DVec3| view.project(from + push / largest * (FORCE_LENGTH / scale)).map(|spot| spot.pos);
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
    if layers.ids && (view.zoom() > 22.0 || shown.len() <= 40) {
        let mut drawn = 0;
        for (row, agent) in shown.iter().enumerate() {
            // The arrows of the picked agent carry their names; its number is in the inspector.
            if frame.inspected.as_ref().is_some_and(|picked| layers.forces && picked.key == frame.agents.key[row]) {
                continue;
            }
            let Some(spot) = view.project(agent.position).filter(|spot| view.rect.contains(spot.pos)) else { continue };
            let below = ((f64::from(frame.agents.radius[row]) * spot.scale) as f32).max(4.0) + 3.0;
            let at = spot.pos + vec2(0.0, below);
            scenery::halo_text(
                painter,
                at,
                Align2::CENTER_TOP,
                &frame.agents.key[row].to_string(),
                tokens.text_weak,
                tokens,
            );
            drawn += 1;
            if drawn > 400 {
                break;
            }
        }
    }
    if let Some(agent) = frame.inspected.as_ref().filter(|_| layers.forces) {
        let Some(from) = frame.agents.row(agent.key).map(|row| shown[row].position) else { return };
        let Some(middle) = view.project(from).map(|spot| spot.pos) else { return };
        for (i, (force, tip)) in agent.forces.iter().zip(force_tips(view, agent, from)).enumerate() {
            let Some(tip) = tip.filter(|tip| tip.distance(middle) > 12.0) else { continue };
            let right = tip.x >= middle.x;
            let anchor = if right { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER };
            let at = tip + vec2(if right { 6.0 } else { -6.0 }, 0.0);
            let text = format!("{} {:.2} {}", force.name, force.push.length(), force.unit);
            scenery::halo_text(painter, at, anchor, &text, tokens.category(i), tokens);
        }
    }
    for drawing in frame.drawings.iter().filter(|_| layers.drawings) {
        if let Drawing::Text { at, text, color } = drawing
            && let Some(spot) = view.project(*at)
        {
            scenery::halo_text(painter, spot.pos, Align2::LEFT_BOTTOM, text, tokens.category(*color), tokens);
        }
    }
}
