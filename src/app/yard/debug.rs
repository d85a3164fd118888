//! The debug layer: velocities, forces, neighbors, numbers, and what scripts draw.

use eframe::egui::{Align2, Color32, Painter};

use crate::experiment::frame::Drawing;

use super::super::state::Cx;
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::scenery;

/// Velocity arrows show where an agent will be after this time, in seconds.
const AHEAD: f64 = 0.5;
/// A force of 1 m/s² or 1 m/s is drawn as long as this, in metres.
const FORCE_LENGTH: f64 = 0.4;
/// Shorter arrows are not drawn, in metres.
const SHORTEST: f64 = 0.02;

/// Arrows and links.
pub fn arrows(ink: &mut Ink, cx: &Cx<'_>, view: &View, shown: &[Shown]) {
    let (frame, layers, tokens) = (cx.frame, cx.state.yard.layers, cx.tokens);
    let mut arrow = |from: glam::DVec3, vector: glam::DVec3, width: f32, color: Color32| {
        if vector.length() > SHORTEST {
            if let (Some(a), Some(b)) = (view.project(from), view.project(from + vector)) {
                ink.arrow(a.pos, b.pos, width, color);
            }
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
        for (i, force) in agent.forces.iter().enumerate().filter(|_| layers.forces) {
            arrow(from, force.push * FORCE_LENGTH, 2.0, tokens.category(i));
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
            let Some(spot) = view.project(agent.position).filter(|spot| view.rect.contains(spot.pos)) else { continue };
            let below = ((f64::from(frame.agents.radius[row]) * spot.scale) as f32).max(4.0) + 3.0;
            let at = spot.pos + eframe::egui::vec2(0.0, below);
            scenery::halo_text(painter, at, Align2::CENTER_TOP, &frame.agents.key[row].to_string(), tokens.text_weak, tokens);
            drawn += 1;
            if drawn > 400 {
                break;
            }
        }
    }
    if let Some(agent) = frame.inspected.as_ref().filter(|_| layers.forces) {
        let Some(from) = frame.agents.row(agent.key).map(|row| shown[row].position) else { return };
        for (i, force) in agent.forces.iter().enumerate().filter(|(_, force)| force.push.length() * FORCE_LENGTH > 0.15) {
            if let Some(spot) = view.project(from + force.push * FORCE_LENGTH) {
                let text = format!("{} {:.2} {}", force.name, force.push.length(), force.unit);
                scenery::halo_text(painter, spot.pos, Align2::LEFT_BOTTOM, &text, tokens.category(i), tokens);
            }
        }
    }
    for drawing in frame.drawings.iter().filter(|_| layers.drawings) {
        if let Drawing::Text { at, text, color } = drawing {
            if let Some(spot) = view.project(*at) {
                scenery::halo_text(painter, spot.pos, Align2::LEFT_BOTTOM, text, tokens.category(*color), tokens);
            }
        }
    }
}
