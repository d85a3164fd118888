//! The bar above (menus, title, transport) and the bar below (seed, scripts, hash, why it is stopped).

use eframe::egui::{self, Align, Layout, RichText, Ui};

use crate::experiment::command::Command;
use crate::experiment::frame::{Frame, Level, ScriptStatus, Speed};

use super::action::{self, Action, SPEEDS};
use super::drill::DrillWord;
use super::layout::Pane;
use super::state::Cx;
use super::widgets::{self, Icon};
use super::yard::field::Overlay;
use super::yard::layers::DebugLayer;
use super::yard::look::Look;

/// An item of a menu; text, key and tooltip come from the table.
fn item(ui: &mut Ui, cx: &mut Cx<'_>, wanted: &Action, enabled: bool) {
    let Some(row) = action::find(cx.table, wanted) else { return };
    let button = egui::Button::new(row.text).shortcut_text(action::first_key(row));
    let response = ui.add_enabled(enabled, button).on_hover_text(row.tooltip);
    if response.clicked() {
        cx.ask(wanted.clone());
    }
}

/// In a narrower window the menus are one, in points.
const NARROW: f32 = 760.0;

/// The bar above.
pub fn top_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let middle = ui.max_rect();
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        if middle.width() < NARROW {
            ui.menu_button("Menu", |ui| menus_ui(ui, cx));
        } else {
            menus_ui(ui, cx);
        }
        let title_room = (middle.center().x - 190.0 - ui.cursor().left()).max(0.0);
        title_ui(ui, cx, title_room);
        let transport = egui::Rect::from_center_size(middle.center(), egui::vec2(380.0, 26.0));
        let left = transport.left().max(ui.cursor().left());
        let transport = egui::Rect::from_min_size(egui::pos2(left, transport.top()), egui::vec2(420.0, 26.0));
        ui.scope_builder(
            egui::UiBuilder::new().max_rect(transport).layout(Layout::left_to_right(Align::Center)),
            |ui| {
                transport_ui(ui, cx);
            },
        );
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| right_ui(ui, cx));
    });
}

fn menus_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    use Action as A;
    use Command as C;
    let frame = cx.frame;
    let has_file = frame.scene.path.is_some();
    ui.menu_button("File", |ui| {
        item(ui, cx, &A::OpenScene, true);
        item(ui, cx, &A::Save, has_file);
        item(ui, cx, &A::SaveAs, true);
        ui.separator();
        item(ui, cx, &A::ExportTrajectories, frame.export.is_none());
        item(ui, cx, &A::Send(C::FinishExport), frame.export.is_some());
        ui.separator();
        item(ui, cx, &A::Quit, true);
    });
    ui.menu_button("Edit", |ui| {
        let undo = frame.undo.as_ref().map_or_else(|| "Undo".to_owned(), |label| format!("Undo: {label}"));
        let redo = frame.redo.as_ref().map_or_else(|| "Redo".to_owned(), |label| format!("Redo: {label}"));
        if ui.add_enabled(frame.undo.is_some(), egui::Button::new(undo).shortcut_text("Ctrl+Z")).clicked() {
            cx.send(C::Undo);
        }
        if ui.add_enabled(frame.redo.is_some(), egui::Button::new(redo).shortcut_text("Ctrl+Y")).clicked() {
            cx.send(C::Redo);
        }
        ui.separator();
        let picked = !cx.state.picked.is_empty() || cx.state.picked_obstacle.is_some();
        item(ui, cx, &A::Delete, picked);
        item(ui, cx, &A::SelectAll, true);
        item(ui, cx, &A::LetGo, true);
        ui.separator();
        item(ui, cx, &A::Send(C::ResetAllParams), true);
    });
    ui.menu_button("Run", |ui| {
        for action in [A::Send(C::TogglePlay), A::Send(C::Step(1)), A::Send(C::Step(60))] {
            item(ui, cx, &action, true);
        }
        ui.separator();
        for action in [A::Send(C::Reset), A::Send(C::ResetKeepEdits)] {
            item(ui, cx, &action, true);
        }
        ui.separator();
        for action in [A::Send(C::ReloadScripts), A::Send(C::RestartWithNewCode)] {
            item(ui, cx, &action, true);
        }
        ui.separator();
        for action in [A::Slower, A::Faster, A::Send(C::SetSpeed(Speed::Times(1.0))), A::Send(C::SetSpeed(Speed::Max))]
        {
            item(ui, cx, &action, true);
        }
    });
    if cx.frame.groups.iter().any(|group| group.formation.is_some()) {
        ui.menu_button("Drill", |ui| {
            for word in DrillWord::ALL {
                item(ui, cx, &A::Drill(word), true);
            }
        });
    }
    ui.menu_button("View", |ui| {
        item(ui, cx, &A::Fit, true);
        item(ui, cx, &A::Follow, !cx.state.picked.is_empty());
        for look in Look::ALL {
            item(ui, cx, &A::LookFrom(look), true);
        }
        item(ui, cx, &A::TogglePerspective, true);
        ui.separator();
        for action in [A::ToggleDebug, A::ToggleTouch, A::ToggleTheme, A::FullScreen] {
            item(ui, cx, &action, true);
        }
        ui.separator();
        for overlay in Overlay::ALL {
            item(ui, cx, &A::ToggleOverlay(overlay), true);
        }
        ui.menu_button("Debug layer", |ui| {
            for part in DebugLayer::ALL {
                item(ui, cx, &A::ToggleLayer(part), true);
            }
        });
        ui.separator();
        ui.menu_button("Panels", |ui| {
            for pane in Pane::ALL {
                item(ui, cx, &A::Show(pane), true);
            }
        });
        item(ui, cx, &A::PausePlots, true);
        item(ui, cx, &A::ResetLayout, true);
    });
    ui.menu_button("Help", |ui| {
        for action in [A::Palette, A::Keys, A::ShowHints] {
            item(ui, cx, &action, true);
        }
        ui.separator();
        ui.label(RichText::new(concat!("swarmyard ", env!("CARGO_PKG_VERSION"))).small().weak());
    });
}

fn title_ui(ui: &mut Ui, cx: &Cx<'_>, room: f32) {
    let scene = &cx.frame.scene;
    let title = if scene.title.is_empty() { "No scene" } else { &scene.title };
    let mark = if cx.frame.unsaved { " •" } else { "" };
    if room < 40.0 {
        return;
    }
    ui.allocate_ui_with_layout(egui::vec2(room, 26.0), Layout::left_to_right(Align::Center), |ui| {
        ui.separator();
        let label = egui::Label::new(RichText::new(format!("{title}{mark}")).strong()).truncate();
        let path = scene.path.as_deref().unwrap_or("not saved yet");
        let unsaved = if cx.frame.unsaved { "\nunsaved edits" } else { "" };
        ui.add(label).on_hover_text(format!("{}\n{path}{unsaved}", scene.about));
    });
}

fn transport_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    let running = frame.run.is_running();
    if widgets::icon_button(ui, Icon::Reset, "Reset", "Reset (R)", false, cx.tokens).clicked() {
        cx.send(Command::Reset);
    }
    let (icon, name) = if running { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
    if widgets::icon_button(ui, icon, name, &format!("{name} (Space)"), true, cx.tokens).clicked() {
        cx.send(if running { Command::Pause } else { Command::Play });
    }
    if widgets::icon_button(ui, Icon::Step, "Step", "Make one tick and pause (.)", false, cx.tokens).clicked() {
        cx.send(Command::Step(1));
    }
    if widgets::sign_button(ui, "−", "Slower", true).clicked() {
        cx.ask(Action::Slower);
    }
    let combo = egui::ComboBox::from_id_salt("speed").width(58.0).selected_text(frame.speed.to_string());
    let response = combo.show_ui(ui, |ui| {
        for speed in SPEEDS.map(Speed::Times).into_iter().chain([Speed::Max]) {
            if ui.selectable_label(frame.speed == speed, speed.to_string()).clicked() {
                cx.send(Command::SetSpeed(speed));
            }
        }
    });
    let reached = format!("Speed asked for; reached ×{:.2}", frame.speed_reached);
    let response = response.response.on_hover_text(reached);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, "Speed"));
    if widgets::sign_button(ui, "+", "Faster", true).clicked() {
        cx.ask(Action::Faster);
    }
    let tick_hz = if frame.dt > 0.0 { format!("{:.0} ticks per second", 1.0 / frame.dt) } else { String::new() };
    ui.label(RichText::new(format!("{:8.2} s", frame.time)).monospace()).on_hover_text("Simulated time");
    ui.label(RichText::new(format!("tick {:<6}", frame.tick)).monospace().color(cx.tokens.text_weak))
        .on_hover_text(tick_hz);
}

/// Problems of at least a warning.
pub fn problem_count(frame: &Frame) -> usize {
    frame.problems.iter().filter(|problem| problem.level >= Level::Warning).count()
}

fn right_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let palette = egui::Button::new(RichText::new("Ctrl+P").color(cx.tokens.text_weak));
    let response = ui.add(palette).on_hover_text("Find any command by a few letters");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, "All commands"));
    if response.clicked() {
        cx.ask(Action::Palette);
    }
    let count = problem_count(cx.frame);
    let worst = cx.frame.problems.iter().map(|problem| problem.level).max().unwrap_or_default();
    let color = if count == 0 { cx.tokens.text_weak } else { widgets::level_color(worst, cx.tokens) };
    let response = ui.add(egui::Button::new(RichText::new(format!("▲ {count}")).color(color)));
    let name = match count {
        1 => "1 problem".to_owned(),
        count => format!("{count} problems"),
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    if response.on_hover_text("Show what is wrong").clicked() {
        cx.ask(Action::Show(Pane::Problems));
    }
    if let Some(progress) = &cx.frame.progress {
        let bar = egui::ProgressBar::new(progress.done.unwrap_or(0.0)).desired_width(90.0).text(progress.what.as_str());
        if progress.cancellable && widgets::sign_button(ui, "×", "Cancel", true).clicked() {
            cx.send(Command::CancelWork);
        }
        ui.add(bar);
    }
}

/// The bar below.
pub fn bottom_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    let weak = cx.tokens.text_weak;
    ui.horizontal(|ui| {
        ui.set_height(20.0);
        let small = |text: String| RichText::new(text).small();
        let agents = frame.agents.len();
        ui.label(small(format!("seed {}", frame.seed)).color(weak))
            .on_hover_text("Random numbers are a function of seed, agent and tick");
        ui.separator();
        ui.label(small(format!("{agents} agent{}", if agents == 1 { "" } else { "s" })).color(weak));
        let newest = frame.scripts.iter().filter(|script| script.used && script.status == ScriptStatus::Current);
        if let Some(script) = newest.max_by_key(|script| script.since) {
            ui.separator();
            let age = widgets::age(script.since.elapsed().as_secs_f64());
            let text = small(format!("{} v{} ({age})", script.name, script.version)).color(weak);
            if ui
                .add(egui::Label::new(text).sense(egui::Sense::click()))
                .on_hover_text("The newest script in effect")
                .clicked()
            {
                cx.ask(Action::Show(Pane::Scripts));
            }
        }
        let broken = frame.scripts.iter().filter(|script| script.status == ScriptStatus::Broken).count();
        if broken > 0 {
            ui.separator();
            ui.label(small(format!("× {broken} broken, old code runs")).color(cx.tokens.fault));
        }
        if let Some(hash) = frame.hash {
            ui.separator();
            let text = small(format!("hash {:04x}…", hash >> 48)).monospace().color(weak);
            let label = ui.add(egui::Label::new(text).sense(egui::Sense::click()));
            if label.on_hover_text(format!("State hash {hash:016x} at tick {}; click copies it", frame.tick)).clicked()
            {
                ui.copy_text(format!("{hash:016x}"));
            }
        }
        if let Some(export) = &frame.export {
            ui.separator();
            let name = export.file.rsplit('/').next().unwrap_or(&export.file);
            let text = small(format!("● {name}: {} frames", export.frames)).color(cx.tokens.accent);
            let label = ui.add(egui::Label::new(text).sense(egui::Sense::click()));
            let about = format!("Writing {} at {} frames per second; click ends it", export.file, export.fps);
            if label.on_hover_text(about).clicked() {
                cx.send(Command::FinishExport);
            }
        }
        let reason = frame.run.reason();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let stages: Vec<String> =
                frame.stages.iter().map(|stage| format!("{} {:.3} ms", stage.name, stage.millis)).collect();
            let total: f64 = frame.stages.iter().map(|stage| stage.millis).sum();
            ui.label(small(format!("{total:.2} ms/tick")).color(weak)).on_hover_text(stages.join("\n"));
            if !reason.is_empty() {
                ui.separator();
                let color = match frame.run {
                    crate::experiment::frame::RunState::Paused | crate::experiment::frame::RunState::Finished => {
                        cx.tokens.warning
                    }
                    crate::experiment::frame::RunState::Loading { .. } => weak,
                    _ => cx.tokens.fault,
                };
                ui.add(egui::Label::new(small(reason.clone()).color(color)).truncate()).on_hover_text(reason);
            }
        });
    });
}
