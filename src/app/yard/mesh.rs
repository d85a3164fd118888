//! The navigation mesh under the agents, and the paths ahead of them.

use eframe::egui::{Align2, Color32};

use crate::experiment::frame::{AgentKey, Frame, PathView};
use crate::sim::PathState;

use super::super::theme::Tokens;
use super::bodies::Shown;
use super::camera::View;
use super::ink::Ink;
use super::labels::Names;
use super::senses::FEW;

/// Polygons, portals and borders of the mesh for the smallest agents, zones and links.
pub fn draw(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(navigation) = &frame.navigation else { return };
    // Before anybody has a goal there is no mesh yet.
    let Some(mesh) = navigation.meshes.first() else { return ground(ink, view, frame, tokens) };
    let fill = tokens.accent.gamma_multiply(if tokens.dark { 0.07 } else { 0.09 });
    for polygon in &mesh.polygons {
        let corners: Option<Vec<_>> = polygon.iter().map(|at| view.project(*at).map(|spot| spot.pos)).collect();
        if let Some(corners) = corners {
            ink.polygon(&corners, fill);
        }
    }
    let mut line = |lines: &[crate::experiment::frame::Line], width: f32, color: Color32| {
        for (from, to) in lines {
            if let (Some(from), Some(to)) = (view.project(*from), view.project(*to)) {
                ink.line(from.pos, to.pos, width, color);
            }
        }
    };
    line(&mesh.portals, 1.0, tokens.accent.gamma_multiply(0.35));
    line(&mesh.borders, 1.4, tokens.accent.gamma_multiply(0.8));
    ground(ink, view, frame, tokens);
}

/// Zones and links: part of the scene, whether the mesh is shown or not.
pub fn ground(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(navigation) = &frame.navigation else { return };
    for (_, points, _) in &navigation.zones {
        let corners: Option<Vec<_>> = points.iter().map(|at| view.project(*at).map(|spot| spot.pos)).collect();
        let Some(corners) = corners else { continue };
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            ink.dashed(*from, *to, 1.2, 4.0, tokens.warning.gamma_multiply(0.9));
        }
    }
    for (from, to, both) in &navigation.links {
        let (Some(from), Some(to)) = (view.project(*from), view.project(*to)) else { continue };
        ink.dashed(from.pos, to.pos, 1.4, 7.0, tokens.text_weak);
        ink.circle(from.pos, 4.0, 1.4, tokens.text_weak);
        if *both {
            ink.circle(to.pos, 4.0, 1.4, tokens.text_weak);
        } else {
            ink.disc(to.pos, 4.0, tokens.text_weak);
        }
    }
}

/// Names of the zones.
pub fn labels(names: &mut Names<'_>, view: &View, frame: &Frame) {
    let tokens = names.tokens;
    let Some(navigation) = &frame.navigation else { return };
    for (name, points, speed) in &navigation.zones {
        let center = points.iter().sum::<glam::DVec3>() / points.len().max(1) as f64;
        let Some(spot) = view.project(center) else { continue };
        let text = if (speed - 1.0).abs() > 1e-9 { format!("{name} ×{speed}") } else { name.clone() };
        if !text.trim().is_empty() {
            names.write((spot.pos, Align2::CENTER_CENTER), text.trim(), tokens.text_weak);
        }
    }
}

/// The paths of the picked agents, else of all when they are few.
pub fn paths(ink: &mut Ink, view: &View, frame: &Frame, shown: &[Shown], picked: &[AgentKey], tokens: &Tokens) {
    let all = picked.is_empty() && frame.agents.len() <= FEW;
    for path in frame.paths.iter().filter(|path| all || picked.contains(&path.key)) {
        let Some(row) = frame.agents.row(path.key) else { continue };
        let color = color_of(path, frame, row, tokens);
        let Some(mut from) = shown.get(row).and_then(|agent| view.project(agent.position)) else { continue };
        let ahead = path.points.get(path.next..).unwrap_or(&[]);
        for (index, at) in ahead.iter().enumerate() {
            let Some(spot) = view.project(*at) else { continue };
            ink.line(from.pos, spot.pos, if all { 1.0 } else { 1.8 }, color);
            if index + 1 < ahead.len() {
                ink.disc(spot.pos, 2.5, color);
            } else {
                ink.circle(spot.pos, 5.0, 1.6, color);
            }
            from = spot;
        }
    }
}

fn color_of(path: &PathView, frame: &Frame, row: usize, tokens: &Tokens) -> Color32 {
    match path.state {
        PathState::Blocked => tokens.fault,
        PathState::AgentOffMesh => tokens.warning,
        _ => tokens.category(usize::from(frame.agents.group[row])).gamma_multiply(0.85),
    }
}
