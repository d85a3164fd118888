//! The panels beside the yard, one file each.

pub mod apart;
pub mod console;
pub mod contract;
pub mod deliveries;
pub mod diagram;
pub mod drill;
pub mod editor;
mod flows;
pub mod groups;
pub mod inspector;
pub mod lists;
pub mod parameters;
pub mod problems;
pub mod stages;
pub mod tuning;
pub mod tuning_plots;
pub mod tuning_table;
pub mod validation;
pub mod validation_details;

use eframe::egui::{self, ScrollArea, Ui};

use super::layout::Pane;
use super::state::Cx;

/// Draw a panel in its own frame.
pub fn pane_ui(ui: &mut Ui, pane: Pane, cx: &mut Cx<'_>) {
    ui.painter().rect_filled(ui.max_rect(), 0.0, cx.tokens.surface);
    match pane {
        Pane::Yard => super::yard::yard_ui(ui, cx),
        Pane::Plots => padded(ui, |ui| super::plots::plots_ui(ui, cx)),
        Pane::Console => padded(ui, |ui| console::console_ui(ui, cx)),
        Pane::Parameters => padded(ui, |ui| parameters::parameters_ui(ui, cx)),
        Pane::Validation => padded(ui, |ui| validation::validation_ui(ui, cx)),
        Pane::Scenes => scrolled(ui, pane, |ui| lists::scenes_ui(ui, cx)),
        Pane::Scripts => scrolled(ui, pane, |ui| lists::scripts_ui(ui, cx)),
        Pane::Plugins => scrolled(ui, pane, |ui| lists::plugins_ui(ui, cx)),
        Pane::Inspector => scrolled(ui, pane, |ui| inspector::inspector_ui(ui, cx)),
        Pane::Groups => scrolled(ui, pane, |ui| groups::groups_ui(ui, cx)),
        Pane::Tuning => scrolled(ui, pane, |ui| tuning::tuning_ui(ui, cx)),
        Pane::Diagram => padded(ui, |ui| diagram::diagram_ui(ui, cx)),
        Pane::Deliveries => scrolled(ui, pane, |ui| deliveries::deliveries_ui(ui, cx)),
        Pane::Problems => scrolled(ui, pane, |ui| problems::problems_ui(ui, cx)),
    }
}

fn padded(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    egui::Frame::new().inner_margin(egui::Margin::same(8)).show(ui, content);
}

fn scrolled(ui: &mut Ui, pane: Pane, content: impl FnOnce(&mut Ui)) {
    padded(ui, |ui| {
        ScrollArea::vertical().id_salt(pane.title()).auto_shrink(false).show(ui, content);
    });
}
