//! What is said of the thing under the pointer, and what a right click offers to do there.

use eframe::egui;

use crate::experiment::command::{Command, ObstacleShape, ObstacleSpec};

use super::super::state::Cx;
use super::bodies::Shown;
use super::camera::View;
use super::gestures::{self, Hit};

/// What is said of what lies under the pointer.
pub fn hover_text(cx: &Cx<'_>, hit: Hit) -> String {
    let frame = cx.frame;
    match hit {
        Hit::Agent(row) => {
            let group = usize::from(frame.agents.group[row]);
            let group_view = frame.groups.get(group);
            let name = group_view.map_or("", |group| group.name.as_str());
            let state = group_view.and_then(|group| group.states.get(usize::from(frame.agents.state[row])));
            let state = state.map(|state| format!(" · {}", state.name)).unwrap_or_default();
            let error =
                frame.agents.slot[row].map(|_| format!(" · {:.3} m from its place", frame.agents.slot_error[row]));
            let bad = if frame.agents.quarantined[row] { "\nin quarantine: its state was not finite" } else { "" };
            let speed = frame.agents.velocity[row].length();
            format!("agent {} · {name}{state}\n{speed:.2} m/s{}{bad}", frame.agents.key[row], error.unwrap_or_default())
        }
        Hit::Obstacle(index) => {
            let obstacle = &frame.obstacles[index];
            let name = if obstacle.name.is_empty() { obstacle.kind } else { &obstacle.name };
            format!("{name}{}\ndrag to move, right-click for more", if obstacle.open { " (open)" } else { "" })
        }
        Hit::Formation(index) => {
            let group = &frame.groups[index];
            let formation = group.formation.as_ref().map_or("formation", |f| f.name.as_str());
            format!("{formation} of {}\ndrag to move it", group.name)
        }
        Hit::Turn(index) => format!("drag to turn the formation of {}", frame.groups[index].name),
    }
}

/// What can be done there.
pub fn context_menu(response: &egui::Response, cx: &mut Cx<'_>, view: &View, shown: &[Shown]) {
    if response.secondary_clicked() {
        let pointer = response.interact_pointer_pos();
        cx.state.yard.menu = pointer.and_then(|p| Some((gestures::hit(cx, view, shown, p), view.ground(p)?)));
    }
    let Some((hit, at)) = cx.state.yard.menu else { return };
    let ground = at.truncate().extend(0.0);
    let at = if cx.frame.scene.planar { ground } else { at };
    response.context_menu(|ui| match hit {
        Some(Hit::Obstacle(index)) if index < cx.frame.obstacles.len() => {
            let obstacle = &cx.frame.obstacles[index];
            if ui.button(if obstacle.open { "Close" } else { "Open" }).clicked() {
                cx.send(Command::OpenObstacle { id: obstacle.id, open: !obstacle.open });
            }
            if ui.button("Remove").clicked() {
                cx.send(Command::RemoveObstacle(obstacle.id));
            }
        }
        Some(Hit::Agent(row)) if row < cx.frame.agents.len() => {
            let key = cx.frame.agents.key[row];
            if ui.button("Inspect").clicked() {
                cx.state.pick(key);
                cx.ask(super::super::action::Action::Show(super::super::layout::Pane::Inspector));
            }
            if ui.button("Remove").clicked() {
                cx.send(Command::RemoveAgents(vec![key]));
            }
        }
        _ => {
            if ui.button("Put a pillar here").clicked() {
                let shape = ObstacleShape::Disc { at: ground, radius: 0.5 };
                cx.send(Command::AddObstacle(ObstacleSpec { name: String::new(), shape }));
            }
            for group in &cx.frame.groups {
                if ui.button(format!("Add an agent of {}", group.name)).clicked() {
                    cx.queue.push(super::super::action::Action::Send(Command::SpawnAgents {
                        group: group.name.clone(),
                        at,
                        count: 1,
                    }));
                }
                let Some(formation) = &group.formation else { continue };
                if ui.button(format!("Bring the formation of {} here", group.name)).clicked() {
                    // On the ground nobody says how high; a formation in the air stays as high as it is.
                    let at = if view.is_sideways() { at } else { at.truncate().extend(formation.head.z) };
                    let at = at + formation.origin - formation.head;
                    let command =
                        Command::MoveFormation { group: group.name.clone(), at, turn: formation.turn, last: true };
                    cx.queue.push(super::super::action::Action::Send(command));
                }
            }
        }
    });
}
