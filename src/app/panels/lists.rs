//! Scenes, scripts and plugins.

use eframe::egui::{self, RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{SceneEntry, ScriptStatus, ScriptView};

use super::super::action::Action;
use super::super::layout::Pane;
use super::super::state::Cx;
use super::super::widgets;

/// Scenes that can be opened.
pub fn scenes_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if frame.catalogue.is_empty() {
        widgets::empty_ui(
            ui,
            cx.tokens,
            "No scenes here. Put a .ron file into the folder scenes/, or open one by its path.",
        );
    }
    let of_cases = |scene: &&SceneEntry| scene.path.starts_with("scenes/validation/");
    for scene in frame.catalogue.iter().filter(|scene| !of_cases(scene)) {
        scene_ui(ui, cx, scene);
    }
    if frame.catalogue.iter().any(|scene| of_cases(&scene)) {
        egui::CollapsingHeader::new("Validation scenes").show(ui, |ui| {
            for scene in frame.catalogue.iter().filter(of_cases) {
                scene_ui(ui, cx, scene);
            }
        });
    }
    ui.add_space(4.0);
    if ui.button("Open scene…").on_hover_text("Choose a scene file (Ctrl+O)").clicked() {
        cx.ask(Action::OpenScene);
    }
}

fn scene_ui(ui: &mut Ui, cx: &mut Cx<'_>, scene: &SceneEntry) {
    let open = cx.frame.scene.path.as_deref() == Some(&scene.path);
    let origin = RichText::new(origin_text(&scene.origin)).small().color(cx.tokens.text_weak);
    let button = egui::Button::selectable(open, &scene.title)
        .right_text(origin)
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 0.0));
    let hover = format!("{}\n{}", scene.about, scene.path);
    if ui.add(button).on_hover_text(hover).clicked() {
        cx.ask(Action::OpenPath(scene.path.clone()));
    }
}

/// Where a scene comes from, if not from the project.
fn origin_text(origin: &str) -> &str {
    if origin == "project" { "" } else { origin }
}

/// Scripts in effect.
pub fn scripts_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    if ui
        .button("Reload code")
        .on_hover_text("Read all script files again; agents go on where they are (Ctrl+R)")
        .clicked()
    {
        cx.send(Command::ReloadScripts);
    }
    if frame.scripts.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "No scripts. Put a .luau file into the folder scripts/; it is seen at once.");
        return;
    }
    for used in [true, false] {
        let list: Vec<&ScriptView> = frame.scripts.iter().filter(|script| script.used == used).collect();
        if list.is_empty() {
            continue;
        }
        widgets::heading_ui(ui, cx.tokens, if used { "Used by this scene" } else { "Others" });
        for script in list {
            script_ui(ui, cx, script);
        }
    }
}

fn script_ui(ui: &mut Ui, cx: &mut Cx<'_>, script: &ScriptView) {
    let (word, color) = match script.status {
        ScriptStatus::Current => ("", cx.tokens.text_weak),
        ScriptStatus::Editing => ("checking", cx.tokens.warning),
        ScriptStatus::Broken => ("× broken, old code runs", cx.tokens.fault),
        ScriptStatus::RolledBack => ("↺ put back", cx.tokens.warning),
    };
    let age = widgets::age(script.since.elapsed().as_secs_f64());
    let hover = format!("{}\n{} · version {} · {} · {age}", script.file, script.kind, script.version, script.hash);
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(&script.name).truncate()).on_hover_text(&hover);
        ui.label(RichText::new(format!("v{}", script.version)).small().color(cx.tokens.text_weak))
            .on_hover_text(&hover);
        if script.earlier.is_empty() {
            return;
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.menu_button("↺", |ui| {
                for &version in &script.earlier {
                    if ui.button(format!("Put version {version} back")).clicked() {
                        cx.send(Command::RollBack { file: script.file.clone(), version: Some(version) });
                    }
                }
            })
            .response
            .on_hover_text(format!("Put an earlier version of {} back", script.name));
        });
    });
    if !word.is_empty() && ui.link(RichText::new(word).small().color(color)).clicked() {
        cx.ask(Action::Show(Pane::Problems));
    }
}

/// Plugins that were found.
pub fn plugins_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let frame = cx.frame;
    if frame.plugins.is_empty() {
        widgets::empty_ui(ui, cx.tokens, "No plugins. A folder plugins/NAME with a plugin.ron is one.");
    }
    for plugin in frame.plugins.iter() {
        ui.horizontal(|ui| {
            ui.label(RichText::new(&plugin.name).strong());
            ui.label(RichText::new(&plugin.version).small().color(cx.tokens.text_weak));
        });
        if !plugin.about.is_empty() {
            ui.label(RichText::new(&plugin.about).color(cx.tokens.text_weak));
        }
        if let Some(problem) = &plugin.problem {
            ui.label(RichText::new(format!("× {problem}")).color(cx.tokens.fault));
        }
        ui.label(RichText::new(plugin.definitions.join(", ")).small().color(cx.tokens.text_weak))
            .on_hover_text(&plugin.path);
        ui.add_space(4.0);
    }
}
