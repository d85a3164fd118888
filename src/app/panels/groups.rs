//! Groups: what they do, whether the contract holds, how many are in which state.

use eframe::egui::{self, RichText, Sense, Ui, vec2};

use crate::experiment::command::Command;
use crate::experiment::frame::{GroupView, NetworkView};

use super::super::drill::DrillWord;
use super::super::state::{ColorBy, Cx};
use super::super::widgets;
use super::{apart, contract, flows};

/// The panel.
pub fn groups_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    if cx.frame.groups.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "No groups. Open a scene on the left.");
        return;
    }
    let frame = cx.frame;
    for (index, group) in frame.groups.iter().enumerate() {
        ui.push_id(&group.name, |ui| group_ui(ui, cx, index, group));
        ui.add_space(4.0);
        ui.separator();
    }
    flows::stops_ui(ui, cx);
    buttons_ui(ui, cx);
}

fn group_ui(ui: &mut Ui, cx: &mut Cx<'_>, index: usize, group: &GroupView) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
        ui.painter().circle_filled(rect.center(), 4.5, cx.tokens.category(index));
        ui.label(RichText::new(&group.name).heading());
        ui.label(RichText::new(format!("{} agents", group.count)).color(cx.tokens.text_weak));
    });
    widgets::field_ui(ui, cx.tokens, "behavior", &group.behavior, group.control);
    let signs = [
        (
            group.flapping,
            "flapping",
            "more than two transitions in the last second: leave room between two thresholds, or hold",
        ),
        (
            group.stuck,
            "stuck",
            "they came no nearer to their goal or place in 3 s, or ask to move and do not get on in 5 s",
        ),
    ];
    for (count, what, about) in signs.into_iter().filter(|(count, ..)| *count > 0) {
        let text = format!("▲ {count} {what}");
        ui.label(RichText::new(text).color(cx.tokens.warning)).on_hover_text(about);
    }
    if let Some(progress) = &group.progress {
        apart::progress_ui(ui, cx, progress);
    }
    flows::sources_ui(ui, cx, index);
    formation_ui(ui, cx, group);
    if let Some(assignment) = group.assignment.as_deref().filter(|_| group.formation.is_some()) {
        apart::assignment_ui(ui, cx, assignment);
    }
    if group.formation.is_some() {
        march_ui(ui, cx, group);
    }
    events_ui(ui, cx, group);
    if let Some(contract) = &group.contract {
        contract::contract_ui(ui, cx, contract);
    }
    if let Some(count) = &group.command {
        contract::count_ui(ui, cx, count);
    }
    if let Some(network) = &group.network {
        network_ui(ui, cx, network);
    }
    if !group.states.is_empty() {
        states_ui(ui, cx, group);
    }
    if group.transitions.iter().any(|line| line.count > 0) {
        widgets::heading_ui(ui, cx.tokens, "Transitions taken");
        for line in group.transitions.iter().filter(|line| line.count > 0) {
            widgets::field_ui(ui, cx.tokens, &line.label, &line.count.to_string(), "");
        }
    }
}

fn formation_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: &GroupView) {
    let now = group.formation.as_ref().map_or("none", |formation| formation.name.as_str());
    let names = cx.frame.definitions.iter().filter(|definition| definition.kind == "formation");
    ui.horizontal(|ui| {
        let label = ui.label(RichText::new("formation").color(cx.tokens.text_weak));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let combo = egui::ComboBox::from_id_salt("formation").selected_text(now).width(110.0);
            let response = combo.show_ui(ui, |ui| {
                for definition in names {
                    let chosen = ui.selectable_label(definition.name == now, &definition.name);
                    if chosen.on_hover_text(&definition.about).clicked() {
                        let (group, formation) = (group.name.clone(), definition.name.clone());
                        cx.queue.push(super::super::action::Action::Send(Command::Form {
                            group,
                            formation,
                            params: Vec::new(),
                        }));
                    }
                }
            });
            response.response.labelled_by(label.id).on_hover_text("Order another formation");
        });
    });
}

/// Sets the formation in motion and halts it.
fn march_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: &GroupView) {
    let speed = group.formation.as_ref().map_or(0.0, |formation| formation.speed);
    widgets::field_ui(ui, cx.tokens, "march", &format!("{speed:.2}"), "m/s");
    ui.horizontal_wrapped(|ui| {
        for word in [DrillWord::ForwardMarch, DrillWord::Halt] {
            if ui.small_button(word.text()).on_hover_text(word.about()).clicked() {
                cx.send(word.command(&group.name));
            }
        }
    });
}

/// Events that the machine of the group hears, as buttons.
fn events_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: &GroupView) {
    if group.events.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("send").color(cx.tokens.text_weak)).on_hover_text("Events that its machine names");
        for event in &group.events {
            let command = Command::SendEvent { group: group.name.clone(), name: event.clone(), value: None };
            let name = command.label();
            let response = ui.small_button(event);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if response.on_hover_text(&name).clicked() {
                cx.send(command);
            }
        }
    });
}

fn network_ui(ui: &mut Ui, cx: &Cx<'_>, network: &NetworkView) {
    widgets::heading_ui(ui, cx.tokens, "Messages to agents");
    let rows = [
        ("acknowledged", network.acknowledged, "the agent has it, and the sender knows"),
        ("delivered", network.delivered, "the agent has it, and the sender does not know"),
        ("under way", network.under_way, "or lost without anybody knowing yet"),
        ("given up", network.failed, "no answer to the last send"),
    ];
    for (name, count, about) in rows.into_iter().filter(|(name, count, _)| *count > 0 || *name == "acknowledged") {
        let value = format!("{count} of {}", network.messages);
        widgets::field_ui(ui, cx.tokens, name, &value, "").on_hover_text(about);
    }
    widgets::field_ui(ui, cx.tokens, "sends", &network.sends.to_string(), "").on_hover_text("with those sent again");
    if let Some(slowest) = network.slowest {
        let text = format!("{slowest:.3}");
        widgets::field_ui(ui, cx.tokens, "slowest round trip", &text, "s").on_hover_text("smoothed");
    }
    if network.offline > 0 {
        ui.label(RichText::new(format!("▲ {} offline", network.offline)).color(cx.tokens.warning));
    }
}

fn states_ui(ui: &mut Ui, cx: &mut Cx<'_>, group: &GroupView) {
    widgets::heading_ui(ui, cx.tokens, "States");
    let total = group.count.max(1) as f32;
    for (i, state) in group.states.iter().enumerate() {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(60.0, 8.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, cx.tokens.surface_high);
            let mut bar = rect;
            bar.set_width(rect.width() * state.count as f32 / total);
            ui.painter().rect_filled(bar, 2.0, cx.tokens.category(i));
            ui.label(&state.name);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.monospace(state.count.to_string())
            });
        });
    }
    if cx.state.yard.color_by != ColorBy::State && ui.small_button("Color the yard by state").clicked() {
        cx.state.yard.color_by = ColorBy::State;
    }
}

fn buttons_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if frame.buttons.is_empty() {
        return;
    }
    widgets::heading_ui(ui, cx.tokens, "Directors");
    ui.horizontal_wrapped(|ui| {
        for button in frame.buttons.iter() {
            if ui.button(&button.name).on_hover_text(format!("Event of director {}", button.director)).clicked() {
                cx.send(Command::PressButton { director: button.director.clone(), name: button.name.clone() });
            }
        }
    });
}
