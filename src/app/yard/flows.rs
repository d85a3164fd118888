//! Sources, stops and exits under the agents: areas with their names, spots and the order of queues, counts at exits.

use eframe::egui::{Align2, Color32, Pos2, vec2};

use crate::experiment::frame::{Frame, SourceView, StopView};

use super::super::theme::Tokens;
use super::camera::View;
use super::ink::Ink;
use super::labels::Names;
use super::scenery;

/// Spots nearer to each other on the screen are not drawn, in points.
const LEAST_GAP: f32 = 5.0;
/// Where a queue is so long, only its first spots are worth a mark.
const MOST_SPOTS: usize = 2000;

/// All of them.
pub fn draw(ink: &mut Ink, view: &View, frame: &Frame, tokens: &Tokens) {
    let Some(flows) = frame.flows.as_deref() else { return };
    for source in &flows.sources {
        let color =
            if source.waiting > 0 && source.reason.is_some() { tokens.warning } else { tokens.category(source.group) };
        place(ink, view, &source.outline, source.open, color, tokens);
    }
    for stop in &flows.stops {
        match stop.kind {
            "exit" => place(ink, view, &stop.outline, stop.open, exit_color(stop, tokens), tokens),
            "waypoint" => waypoint(ink, view, stop, tokens),
            "queue" => queue(ink, view, stop, tokens),
            _ => {
                place(ink, view, &stop.outline, true, tokens.accent.gamma_multiply(0.5), tokens);
                spots(ink, view, stop, tokens.accent, tokens);
            }
        }
    }
}

fn exit_color(stop: &StopView, tokens: &Tokens) -> Color32 {
    if stop.open { tokens.good } else { tokens.fault }
}

fn corners(view: &View, outline: &[glam::DVec3]) -> Option<Vec<Pos2>> {
    outline.iter().map(|at| view.project(*at).map(|spot| spot.pos)).collect()
}

/// An area or a line; dashed where it is closed.
fn place(ink: &mut Ink, view: &View, outline: &[glam::DVec3], open: bool, color: Color32, tokens: &Tokens) {
    let Some(corners) = corners(view, outline).filter(|corners| corners.len() > 1) else { return };
    let (width, rim) = if corners.len() == 2 { (3.0, color) } else { (1.2, color.gamma_multiply(0.8)) };
    if corners.len() > 2 {
        ink.polygon(&corners, color.gamma_multiply(if tokens.dark { 0.10 } else { 0.12 }));
    }
    let closed = corners.len() > 2;
    if open {
        ink.polyline(&corners, closed, width, rim);
        return;
    }
    let sides = if closed { corners.len() } else { 1 };
    for side in 0..sides {
        ink.dashed(corners[side], corners[(side + 1) % corners.len()], width, 5.0, rim);
    }
}

fn waypoint(ink: &mut Ink, view: &View, stop: &StopView, tokens: &Tokens) {
    let Some(spot) = view.project(stop.at) else { return };
    let radius = (stop.radius * spot.scale) as f32;
    let color = tokens.accent.gamma_multiply(0.6);
    ink.disc(spot.pos, 2.5, color);
    if radius > 4.0 {
        let ring: Vec<Pos2> = super::ink::ring(spot.pos, radius, 32).collect();
        for pair in ring.chunks_exact(2) {
            ink.line(pair[0], pair[1], 1.2, color);
        }
    }
}

/// The line of a queue from its end to its head, a mark at every spot, and a bar where the head is served.
fn queue(ink: &mut Ink, view: &View, stop: &StopView, tokens: &Tokens) {
    let color = if stop.open { tokens.accent } else { tokens.fault };
    let shown: Vec<Pos2> =
        stop.spots.iter().take(MOST_SPOTS).filter_map(|(at, _)| view.project(*at)).map(|spot| spot.pos).collect();
    for pair in shown.windows(2) {
        ink.line(pair[1], pair[0], 1.0, color.gamma_multiply(0.45));
    }
    if let [head, next, ..] = shown.as_slice() {
        let ahead = (*head - *next).normalized();
        let (middle, across) = (*head + ahead * 6.0, vec2(-ahead.y, ahead.x) * 6.0);
        ink.line(middle - across, middle + across, 2.4, color);
    }
    spots(ink, view, stop, color, tokens);
}

/// A small mark at every spot: hollow where it is free.
fn spots(ink: &mut Ink, view: &View, stop: &StopView, color: Color32, tokens: &Tokens) {
    let gap = match stop.spots.as_slice() {
        [(first, _), (second, _), ..] => match (view.project(*first), view.project(*second)) {
            (Some(first), Some(second)) => first.pos.distance(second.pos),
            _ => return,
        },
        _ => f32::INFINITY,
    };
    if gap < LEAST_GAP {
        return;
    }
    let radius = (0.2 * gap).clamp(1.2, 3.0);
    for (at, taken) in stop.spots.iter().take(MOST_SPOTS) {
        let Some(spot) = view.project(*at) else { continue };
        if *taken {
            ink.disc(spot.pos, radius, color.gamma_multiply(0.8));
        } else {
            ink.circle(spot.pos, radius, 1.0, scenery::mix(color, tokens.ground, 0.45));
        }
    }
}

/// Names and counts.
pub fn labels(names: &mut Names<'_>, view: &View, frame: &Frame) {
    let tokens = names.tokens;
    let Some(flows) = frame.flows.as_deref() else { return };
    for source in &flows.sources {
        let middle = source.outline.iter().sum::<glam::DVec3>() / source.outline.len().max(1) as f64;
        let Some(spot) = view.project(middle) else { continue };
        let color = if source.waiting > 0 { tokens.warning } else { tokens.text_weak };
        names.write((spot.pos, Align2::CENTER_CENTER), &source_text(source), color);
    }
    for stop in &flows.stops {
        let Some(spot) = view.project(stop.at) else { continue };
        let color = if stop.open || stop.kind == "waiting" { tokens.text_weak } else { tokens.fault };
        // Queues stand below their head, so that their name goes beyond it.
        let at = match (stop.kind, stop.spots.as_slice()) {
            ("queue", [_, (next, _), ..]) => match view.project(*next) {
                Some(next) => spot.pos + (spot.pos - next.pos).normalized() * 18.0,
                None => continue,
            },
            _ => spot.pos,
        };
        names.write((at, Align2::CENTER_CENTER), &stop_text(stop), color);
    }
}

fn source_text(source: &SourceView) -> String {
    let closed = if source.open { "" } else { " closed" };
    let waiting = if source.waiting > 0 { format!(", {} wait", source.waiting) } else { String::new() };
    format!("{}{closed} {}{waiting}", source.name, source.entered)
}

fn stop_text(stop: &StopView) -> String {
    let closed = if stop.open || stop.kind == "waiting" { "" } else { " closed" };
    match stop.kind {
        "exit" => format!("{}{closed} {}", stop.name, stop.left),
        "waypoint" => stop.name.clone(),
        _ => format!("{}{closed} {}", stop.name, stop.count),
    }
}
