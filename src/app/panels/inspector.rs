//! Every field of the picked agent, live; a summary for several; the picked obstacle.

use eframe::egui::{self, RichText, Sense, Ui, vec2};

use crate::experiment::command::Command;
use crate::experiment::frame::{FieldView, Inspected, ObstacleView};

use super::super::action::Action;
use super::super::state::Cx;
use super::super::widgets;

/// The panel.
pub fn inspector_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    if let Some(id) = cx.state.picked_obstacle {
        if let Some(obstacle) = cx.frame.obstacles.iter().find(|o| o.id == id) {
            obstacle_ui(ui, cx, obstacle);
        }
        return;
    }
    match cx.state.picked.len() {
        0 => widgets::empty_ui(ui, cx.tokens, "Pick an agent in the yard to see its fields and forces."),
        1 => match cx.frame.inspected.clone().filter(|agent| agent.key == cx.state.picked[0]) {
            Some(agent) => agent_ui(ui, cx, &agent),
            None => widgets::empty_ui(ui, cx.tokens, "Waiting for the fields of this agent."),
        },
        _ => several_ui(ui, cx),
    }
}

fn agent_ui(ui: &mut Ui, cx: &mut Cx<'_>, agent: &Inspected) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("Agent {}", agent.key)).heading());
        ui.label(RichText::new(&agent.group).color(cx.tokens.text_weak));
    });
    let what =
        if agent.state.is_empty() { agent.behavior.clone() } else { format!("{} › {}", agent.behavior, agent.state) };
    ui.label(RichText::new(what).color(cx.tokens.accent));
    if agent.stuck {
        let about = "it came no nearer to its goal or place in 3 s, or asks to move and does not get on in 5 s";
        ui.label(RichText::new("▲ stuck").color(cx.tokens.warning)).on_hover_text(about);
    }
    fields_ui(ui, cx, "Fields", &agent.fields);
    fields_ui(ui, cx, "Memory", &agent.memory);
    forces_ui(ui, cx, agent);
    if !agent.trace.is_empty() {
        widgets::heading_ui(ui, cx.tokens, "Last transitions");
        for line in agent.trace.iter().rev().take(8) {
            let seconds = format!("{:.2}", line.tick as f64 * cx.frame.dt);
            widgets::field_ui(ui, cx.tokens, &line.label, &seconds, "s").on_hover_text(format!("tick {}", line.tick));
        }
    }
    ui.add_space(4.0);
    if ui.button("Remove agent").on_hover_text("Undo brings it back").clicked() {
        cx.ask(Action::Delete);
    }
}

fn fields_ui(ui: &mut Ui, cx: &Cx<'_>, title: &str, fields: &[FieldView]) {
    if fields.is_empty() {
        return;
    }
    widgets::heading_ui(ui, cx.tokens, title);
    for field in fields {
        let response = widgets::field_ui(ui, cx.tokens, &field.name, &field.value, &field.unit);
        if !field.about.is_empty() {
            response.on_hover_text(&field.about);
        }
    }
}

fn forces_ui(ui: &mut Ui, cx: &Cx<'_>, agent: &Inspected) {
    if agent.forces.is_empty() {
        return;
    }
    widgets::heading_ui(ui, cx.tokens, "Forces (arrows in the debug layer)");
    let largest = agent.forces.iter().map(|force| force.push.length()).fold(1e-9, f64::max);
    for (i, force) in agent.forces.iter().enumerate() {
        let size = force.push.length();
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(48.0, 8.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, cx.tokens.surface_high);
            let mut bar = rect;
            bar.set_width(rect.width() * (size / largest) as f32);
            ui.painter().rect_filled(bar, 2.0, cx.tokens.category(i));
            ui.add(egui::Label::new(&force.name).truncate());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(force.unit).small().color(cx.tokens.text_weak));
                ui.monospace(format!("{size:.3}"));
            });
        })
        .response
        .on_hover_text(format!("({:.3}, {:.3}, {:.3}) {}", force.push.x, force.push.y, force.push.z, force.unit));
    }
}

fn several_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let agents = &cx.frame.agents;
    let rows: Vec<usize> = cx.state.picked.iter().filter_map(|&key| agents.row(key)).collect();
    let count = rows.len().max(1) as f64;
    ui.label(RichText::new(format!("{} agents", rows.len())).heading());
    let mean = |value: &dyn Fn(usize) -> f64| rows.iter().map(|&row| value(row)).sum::<f64>() / count;
    let speed = mean(&|row| agents.velocity[row].length());
    widgets::field_ui(ui, cx.tokens, "mean speed", &format!("{speed:.3}"), "m/s");
    let placed = rows.iter().filter(|&&row| agents.slot[row].is_some()).count();
    if placed > 0 {
        let error = mean(&|row| f64::from(agents.slot_error[row]));
        let worst = rows.iter().map(|&row| agents.slot_error[row]).fold(0.0, f32::max);
        widgets::field_ui(ui, cx.tokens, "mean slot error", &format!("{error:.3}"), "m");
        widgets::field_ui(ui, cx.tokens, "largest slot error", &format!("{worst:.3}"), "m");
    }
    let middle = rows.iter().map(|&row| agents.position[row]).sum::<glam::DVec3>() / count;
    widgets::field_ui(ui, cx.tokens, "middle", &format!("{:.2}, {:.2}", middle.x, middle.y), "m");
    ui.add_space(4.0);
    if ui.button("Remove these agents").on_hover_text("Undo brings them back").clicked() {
        cx.ask(Action::Delete);
    }
}

fn obstacle_ui(ui: &mut Ui, cx: &mut Cx<'_>, obstacle: &ObstacleView) {
    let name = if obstacle.name.is_empty() { obstacle.kind } else { &obstacle.name };
    ui.label(RichText::new(name).heading());
    widgets::field_ui(ui, cx.tokens, "kind", obstacle.kind, "");
    widgets::field_ui(ui, cx.tokens, "at", &format!("{:.2}, {:.2}", obstacle.anchor.x, obstacle.anchor.y), "m");
    let mut open = obstacle.open;
    if ui.checkbox(&mut open, "Open").on_hover_text("Agents pass through what is open").changed() {
        cx.send(Command::OpenObstacle { id: obstacle.id, open });
    }
    if ui.button("Remove obstacle").on_hover_text("Undo brings it back").clicked() {
        cx.ask(Action::Delete);
    }
}
