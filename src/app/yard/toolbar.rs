//! The strip above the yard: tools, view, layers, colors.

use eframe::egui::{self, RichText, Ui};

use super::super::action::{self, Action};
use super::super::state::{ColorBy, Cx};
use super::field::Overlay;
use super::layers::DebugLayer;
use super::look::Look;
use super::tool::Tool;

/// The strip.
pub fn toolbar_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(8, 4)).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            // So narrow that all of it stands in one row of a window of 1280 points.
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 3.0;
            for tool in Tool::ALL {
                let button = egui::Button::selectable(cx.state.yard.tool == tool, tool.sign());
                if action_button(ui, cx, button, &Action::Take(tool), tool.text()) {
                    cx.ask(Action::Take(tool));
                }
            }
            ui.separator();
            if action_button(ui, cx, egui::Button::selectable(false, "Fit"), &Action::Fit, "Fit") {
                cx.ask(Action::Fit);
            }
            for look in Look::ALL {
                let button = egui::Button::selectable(cx.state.yard.camera.look() == look, look.sign());
                if action_button(ui, cx, button, &Action::LookFrom(look), look.text()) {
                    cx.ask(Action::LookFrom(look));
                }
            }
            follow_ui(ui, cx);
            ui.separator();
            let debug = egui::Button::selectable(cx.state.yard.debug, "Debug");
            if action_button(ui, cx, debug, &Action::ToggleDebug, "Debug layer") {
                cx.ask(Action::ToggleDebug);
            }
            layers_ui(ui, cx);
            // Label and list stay together when the strip breaks.
            ui.horizontal(|ui| color_ui(ui, cx));
            if action_button(ui, cx, egui::Button::selectable(false, "?"), &Action::Keys, "Keys and mouse") {
                cx.ask(Action::Keys);
            }
        });
    });
}

/// The toggle that keeps the picked agents in the middle; without any it says what to do.
fn follow_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let enabled = !cx.state.picked.is_empty();
    let response = ui.add_enabled(enabled, egui::Button::selectable(cx.state.yard.following, "Follow"));
    let Some(row) = action::find(cx.table, &Action::Follow) else { return };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, row.text));
    let response = response.on_hover_text(format!("{} ({})", row.tooltip, action::first_key(row)));
    if response.on_disabled_hover_text("Pick an agent to follow it").clicked() {
        cx.ask(Action::Follow);
    }
}

/// A button of the table: tooltip and key come from there.
fn action_button(ui: &mut Ui, cx: &Cx<'_>, button: egui::Button<'_>, wanted: &Action, name: &str) -> bool {
    let response = ui.add(button);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let Some(row) = action::find(cx.table, wanted) else { return response.clicked() };
    response.on_hover_text(format!("{} ({})", row.tooltip, action::first_key(row))).clicked()
}

fn layers_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.menu_button("Layers", |ui| {
        let debug = cx.state.yard.debug;
        let layers = &mut cx.state.yard.layers;
        ui.checkbox(&mut layers.slots, "Places");
        ui.checkbox(&mut layers.errors, "Lines to the places");
        ui.checkbox(&mut layers.grid, "Grid");
        ui.checkbox(&mut layers.ways, "Routes and goals");
        ui.checkbox(&mut layers.measuring, "Measuring lines and areas");
        ui.checkbox(&mut layers.flows, "Sources, stops and exits");
        overlays_ui(ui, cx);
        ui.separator();
        let text = if debug { "In the debug layer" } else { "In the debug layer (Tab shows it)" };
        ui.label(RichText::new(text).small().weak());
        for part in DebugLayer::ALL {
            ui.checkbox(cx.state.yard.layers.of(part), part.text()).on_hover_text(part.about());
        }
    });
}

/// Overlays as check boxes.
pub fn overlays_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    for overlay in Overlay::ALL {
        let mut on = cx.state.settings.overlays.shows(overlay);
        if ui.checkbox(&mut on, overlay.text()).on_hover_text(overlay.about()).changed() {
            cx.ask(Action::ToggleOverlay(overlay));
        }
    }
}

fn color_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let label = ui.label(RichText::new("Color").color(cx.tokens.text_weak));
    let combo = egui::ComboBox::from_id_salt("color by").width(48.0).selected_text(cx.state.yard.color_by.text());
    let response = combo.show_ui(ui, |ui| {
        for by in ColorBy::ALL {
            ui.selectable_value(&mut cx.state.yard.color_by, by, by.text());
        }
    });
    response.response.labelled_by(label.id);
}
