//! Questions: which file, what about unsaved edits. A typed path always works; the desktop's file dialog is a convenience.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Instant;

use eframe::egui::{self, Key, RichText, Ui};

use crate::experiment::command::Command;

use super::action::{self, Action};
use super::state::Cx;

/// A question that is asked.
pub enum Dialog {
    /// Which scene to open.
    Open(PathField),
    /// Where to save.
    Save(PathField),
    /// Where to write trajectories.
    Export(PathField),
    /// A trajectory file was dropped; what is it for.
    Trajectory {
        /// The file.
        path: String,
    },
    /// The scene has unsaved edits; what then.
    Unsaved {
        /// What waits for the answer.
        then: Box<Action>,
    },
}

/// A field for a path, and the desktop's dialog beside it.
#[derive(Default)]
pub struct PathField {
    /// What was typed.
    pub path: String,
    browsing: Option<(Receiver<Option<PathBuf>>, Instant)>,
    note: Option<String>,
    fresh: bool,
}

impl PathField {
    /// A field that starts with `path`.
    pub fn new(path: &str) -> Self {
        Self { path: path.to_owned(), fresh: true, ..Self::default() }
    }

    fn browse(&mut self, save: bool, kind: Kind, ctx: &egui::Context) {
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        // The desktop's dialog blocks; it gets a thread of its own.
        let spawned = std::thread::Builder::new().name("file dialog".to_owned()).spawn(move || {
            let dialog = rfd::FileDialog::new();
            let dialog = match kind {
                Kind::Scene => dialog.add_filter("Scenes", &["ron"]).add_filter("Trajectories", &TRAJECTORIES),
                Kind::Trajectories => dialog.add_filter("Trajectories", &TRAJECTORIES),
            };
            let chosen = if save { dialog.save_file() } else { dialog.pick_file() };
            // The window may be gone by now; then nobody wants the answer.
            drop(sender.send(chosen));
            ctx.request_repaint();
        });
        match spawned {
            Ok(_) => self.browsing = Some((receiver, now())),
            Err(error) => self.note = Some(format!("No file dialog: {error}")),
        }
    }

    fn poll(&mut self) {
        let Some((receiver, since)) = &self.browsing else { return };
        match receiver.try_recv() {
            Ok(Some(path)) => self.path = path.display().to_string(),
            Ok(None) if since.elapsed().as_millis() < 300 => {
                self.note = Some("This desktop has no file dialog; type the path.".to_owned());
            }
            Ok(None) | Err(TryRecvError::Disconnected) => {}
            Err(TryRecvError::Empty) => return,
        }
        self.browsing = None;
    }
}

#[expect(clippy::disallowed_methods, reason = "how long the desktop took to answer is wall-clock time")]
fn now() -> Instant {
    Instant::now()
}

/// Endings of trajectory files.
const TRAJECTORIES: [&str; 3] = ["sqlite", "txt", "csv"];

/// What the desktop's dialog is asked for.
#[derive(Clone, Copy)]
enum Kind {
    Scene,
    Trajectories,
}

enum Outcome {
    Stay,
    Close,
    Go(Vec<Action>),
}

/// The open question, and the list of keys.
pub fn dialogs_ui(ui: &Ui, cx: &mut Cx<'_>) {
    keys_ui(ui, cx);
    let Some(mut dialog) = cx.state.dialog.take() else { return };
    let outcome = match &mut dialog {
        Dialog::Open(field) => path_ui(ui, cx, field, false),
        Dialog::Save(field) => path_ui(ui, cx, field, true),
        Dialog::Export(field) => export_ui(ui, cx, field),
        Dialog::Trajectory { path } => trajectory_ui(ui, cx, path),
        Dialog::Unsaved { then } => unsaved_ui(ui, cx, then),
    };
    match outcome {
        Outcome::Stay => cx.state.dialog = Some(dialog),
        Outcome::Close => {}
        Outcome::Go(actions) => cx.queue.extend(actions),
    }
}

fn path_ui(ui: &Ui, cx: &Cx<'_>, field: &mut PathField, save: bool) -> Outcome {
    field.poll();
    let mut outcome = Outcome::Stay;
    let response = egui::Modal::new(egui::Id::unique("path dialog")).show(ui, |ui| {
        ui.set_width(420.0);
        ui.label(RichText::new(if save { "Save scene as" } else { "Open scene" }).heading());
        ui.horizontal(|ui| {
            let edit = egui::TextEdit::singleline(&mut field.path).hint_text("scenes/name.ron").desired_width(330.0);
            let response = ui.add(edit);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path of the scene file"));
            if field.fresh {
                response.request_focus();
                field.fresh = false;
            }
            let browse = ui.add_enabled(field.browsing.is_none(), egui::Button::new("Browse…"));
            if browse.on_hover_text("Ask the desktop").clicked() {
                field.browse(save, Kind::Scene, ui.ctx());
            }
        });
        if let Some(note) = &field.note {
            ui.label(RichText::new(note).color(cx.tokens.warning));
        }
        if !save {
            for recent in cx.state.settings.recent.iter().take(6) {
                if ui.link(recent).clicked() {
                    field.path.clone_from(recent);
                }
            }
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let path = field.path.trim();
            let entered = ui.input(|input| input.key_pressed(Key::Enter)) && !path.is_empty();
            let go = ui.add_enabled(!path.is_empty(), egui::Button::new(if save { "Save" } else { "Open" })).clicked();
            if go || entered {
                let path = path.to_owned();
                let action = if save {
                    Action::Send(Command::SaveScene(Some(with_ending(path))))
                } else {
                    Action::OpenPath(path)
                };
                outcome = Outcome::Go(vec![action]);
            }
            if ui.button("Cancel").clicked() {
                outcome = Outcome::Close;
            }
        });
    });
    if response.should_close() && matches!(outcome, Outcome::Stay) { Outcome::Close } else { outcome }
}

/// Where to write trajectories, and from when on.
fn export_ui(ui: &Ui, cx: &Cx<'_>, field: &mut PathField) -> Outcome {
    field.poll();
    let mut outcome = Outcome::Stay;
    let response = egui::Modal::new(egui::Id::unique("export dialog")).show(ui, |ui| {
        ui.set_width(420.0);
        ui.label(RichText::new("Export trajectories").heading());
        ui.horizontal(|ui| {
            let edit = egui::TextEdit::singleline(&mut field.path).hint_text("run.sqlite").desired_width(330.0);
            let response = ui.add(edit);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path of the file"));
            if field.fresh {
                response.request_focus();
                field.fresh = false;
            }
            let browse = ui.add_enabled(field.browsing.is_none(), egui::Button::new("Browse…"));
            if browse.on_hover_text("Ask the desktop").clicked() {
                field.browse(true, Kind::Trajectories, ui.ctx());
            }
        });
        let (path, known) = (field.path.trim().to_owned(), is_trajectory(&field.path));
        let note = if path.is_empty() || known {
            ".sqlite is JuPedSim's, with the walkable area; .txt is PeTrack's; .csv is a table."
        } else {
            "The ending says the format: .sqlite, .txt or .csv."
        };
        let color = if path.is_empty() || known { cx.tokens.text_weak } else { cx.tokens.warning };
        ui.label(RichText::new(field.note.as_deref().unwrap_or(note)).color(color));
        let until = "The file grows while the run goes on; it ends with the run, with a reset, or from the menu.";
        ui.label(RichText::new(until).color(cx.tokens.text_weak));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let mut order = |restart| {
                let export = Action::Send(Command::Export { path: path.clone(), restart });
                outcome = Outcome::Go(vec![export, Action::Send(Command::Play)]);
            };
            if cx.frame.tick == 0 {
                let entered = ui.input(|input| input.key_pressed(Key::Enter)) && known;
                if ui.add_enabled(known, egui::Button::new("Write the run")).clicked() || entered {
                    order(false);
                }
            } else {
                let whole = ui.add_enabled(known, egui::Button::new("Start again and write"));
                if whole.on_hover_text("From tick 0, with the edits of this session").clicked() {
                    order(true);
                }
                let rest = ui.add_enabled(known, egui::Button::new("Write from now on"));
                if rest.on_hover_text(format!("Frame 0 is tick {}", cx.frame.tick)).clicked() {
                    order(false);
                }
            }
            if ui.button("Cancel").clicked() {
                outcome = Outcome::Close;
            }
        });
    });
    if response.should_close() && matches!(outcome, Outcome::Stay) { Outcome::Close } else { outcome }
}

/// What a trajectory file is for.
fn trajectory_ui(ui: &Ui, cx: &Cx<'_>, path: &str) -> Outcome {
    let mut outcome = Outcome::Stay;
    let response = egui::Modal::new(egui::Id::unique("trajectory dialog")).show(ui, |ui| {
        ui.set_width(420.0);
        ui.label(RichText::new("A trajectory file").heading());
        ui.add(egui::Label::new(RichText::new(path).color(cx.tokens.text_weak)).truncate());
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let replay = ui.button("Replay it");
            if replay.on_hover_text("Open a scene in which its agents walk as in the file").clicked() {
                outcome = Outcome::Go(vec![Action::OpenPath(path.to_owned())]);
            }
            let ghost = ui.button("Ghost beside this run");
            if ghost.on_hover_text("Outlines that nobody sees, and how far the run is from them").clicked() {
                outcome = Outcome::Go(vec![Action::Send(Command::AddGhost(path.to_owned()))]);
            }
            if ui.button("Cancel").clicked() {
                outcome = Outcome::Close;
            }
        });
    });
    if response.should_close() && matches!(outcome, Outcome::Stay) { Outcome::Close } else { outcome }
}

/// Whether a name ends like a trajectory file.
pub fn is_trajectory(path: &str) -> bool {
    crate::record::Format::named(std::path::Path::new(path.trim())).is_some()
}

/// A scene file without an ending gets one.
fn with_ending(path: String) -> String {
    if PathBuf::from(&path).extension().is_some() { path } else { path + ".ron" }
}

fn unsaved_ui(ui: &Ui, cx: &Cx<'_>, then: &Action) -> Outcome {
    let mut outcome = Outcome::Stay;
    let response = egui::Modal::new(egui::Id::unique("unsaved dialog")).show(ui, |ui| {
        ui.set_width(360.0);
        ui.label(RichText::new("The scene has unsaved edits").heading());
        ui.label(RichText::new("Opening another one, or leaving, loses them.").color(cx.tokens.text_weak));
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let target = cx.frame.scene.path.is_some();
            if ui.add_enabled(target, egui::Button::new("Save first")).clicked() {
                outcome = Outcome::Go(vec![Action::Send(Command::SaveScene(None)), unguarded(then)]);
            }
            if ui.button("Lose the edits").clicked() {
                outcome = Outcome::Go(vec![unguarded(then)]);
            }
            if ui.button("Cancel").clicked() {
                outcome = Outcome::Close;
            }
        });
    });
    if response.should_close() && matches!(outcome, Outcome::Stay) { Outcome::Close } else { outcome }
}

/// The action without the question.
fn unguarded(action: &Action) -> Action {
    match action {
        Action::OpenPath(path) => Action::Send(Command::LoadScene(path.clone())),
        Action::Quit => Action::Leave,
        other => other.clone(),
    }
}

const MOUSE: [(&str, &str); 10] = [
    ("Click", "pick; Shift adds"),
    ("Drag an agent", "move what is picked, at its height"),
    ("Drag with Shift or Alt", "in 3-D and from a side: move it vertically"),
    ("Drag the ring or the knob", "move or turn the formation"),
    ("Drag an obstacle", "move it"),
    ("Drag on the ground", "pick by a box"),
    ("Wheel", "zoom at the pointer"),
    ("Middle or right drag", "pan; in 3-D right drag orbits"),
    ("Two fingers", "pan, zoom; in 3-D turn"),
    ("Right click", "what can be done there"),
];

fn keys_ui(ui: &Ui, cx: &mut Cx<'_>) {
    if !cx.state.keys_open {
        return;
    }
    let table = cx.table;
    let response = egui::Modal::new(egui::Id::unique("keys dialog")).show(ui, |ui| {
        ui.set_width(520.0);
        ui.label(RichText::new("Keys and mouse").heading());
        let height = (ui.content_rect().height() - 160.0).max(120.0);
        egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
            egui::Grid::new("keys").num_columns(2).striped(true).spacing([24.0, 3.0]).show(ui, |ui| {
                for (mouse, meaning) in MOUSE {
                    ui.label(RichText::new(mouse).color(cx.tokens.accent));
                    ui.label(meaning);
                    ui.end_row();
                }
                for entry in table.iter().filter(|entry| !entry.keys.is_empty()) {
                    let keys: Vec<String> = entry.keys.iter().map(action::keys_text).collect();
                    ui.label(RichText::new(keys.join("  ")).color(cx.tokens.accent));
                    ui.label(entry.text).on_hover_text(entry.tooltip);
                    ui.end_row();
                }
            });
        });
        ui.add_space(4.0);
        ui.button("Close").clicked()
    });
    if response.inner || response.should_close() {
        cx.state.keys_open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_file_gets_its_ending_once() {
        assert_eq!(with_ending("scenes/mine".to_owned()), "scenes/mine.ron");
        assert_eq!(with_ending("scenes/mine.ron".to_owned()), "scenes/mine.ron");
    }
}
