//! The window as a whole: takes frames, lays out panels, runs what was asked.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, Key, Panel, Ui, ViewportCommand};
use egui_tiles::{Behavior, SimplificationOptions, TileId, Tree, UiResponse};

use crate::experiment::command::Command;
use crate::experiment::frame::{AgentKey, Frame, Level, Watch};
use crate::experiment::session::Session;

use super::action::{self, Action, Entry};
use super::dialogs::{Dialog, PathField};
use super::layout::{self, Pane};
use super::palette::Palette;
use super::panels::diagram;
use super::plots::Follow;
use super::run::Options;
use super::state::{Cx, Notice, Settings, State, ThemeChoice};
use super::theme::{self, Tokens};
use super::yard::look::Look;
use super::yard::tool::Tool;
use super::yard::{lead, senses};
use super::{bar, dialogs, notices, palette, panels, yard};

/// Frames are drawn at most this often.
const REPAINT: Duration = Duration::from_micros(16_667);
/// Ages in lists and status bar are renewed this often.
const SLOW_REPAINT: Duration = Duration::from_secs(5);
/// Key of the remembered settings.
const SETTINGS: &str = "swarmyard settings";
/// Files remembered as opened last.
const RECENT: usize = 8;

/// The window.
pub struct Workbench {
    session: Arc<dyn Session>,
    state: State,
    tree: Tree<Pane>,
    table: Vec<Entry>,
    toasts: egui_notify::Toasts,
    inspected: Option<AgentKey>,
    watched: Watch,
    title: String,
    fresh: bool,
    leaving: bool,
}

impl Workbench {
    /// Take what was remembered, unless `options.fresh` says not to.
    pub fn new(cc: &eframe::CreationContext<'_>, options: &Options) -> Self {
        let storage = cc.storage.filter(|_| !options.fresh);
        let mut settings: Settings =
            storage.and_then(|storage| eframe::get_value(storage, SETTINGS)).unwrap_or_default();
        if let Some(theme) = options.theme {
            settings.theme = theme;
        }
        Self::with_settings(&cc.egui_ctx, Arc::clone(&options.session), settings, options.fresh)
    }

    /// A window with these settings; with `fresh` nothing is remembered.
    pub fn with_settings(ctx: &egui::Context, session: Arc<dyn Session>, settings: Settings, fresh: bool) -> Self {
        theme::apply(ctx);
        set_theme(ctx, settings.theme);
        let wake = ctx.clone();
        session.set_wake(Arc::new(move || wake.request_repaint_after(REPAINT)));
        let mut state = State { project: session.project(), ..State::default() };
        let tree = match settings.layout.as_str() {
            "" => layout::default_tree(),
            text => layout::read_tree(text).unwrap_or_else(|error| {
                state.notices.push(Notice { level: Level::Warning, text: format!("Default layout: {error}") });
                layout::default_tree()
            }),
        };
        state.settings = settings;
        Self {
            session,
            state,
            tree,
            table: action::table(),
            toasts: notices::toasts(),
            inspected: None,
            watched: Watch::default(),
            title: String::new(),
            fresh,
            leaving: false,
        }
    }

    /// What the window remembers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The layout.
    pub fn tree(&self) -> &Tree<Pane> {
        &self.tree
    }

    /// Draw everything and run what was asked.
    pub fn show(&mut self, ui: &mut Ui) {
        let pair = self.session.frames();
        let frame = Arc::clone(&pair.latest);
        self.state.forget_absent(&frame);
        self.state.diagram.visible = false;
        if diagram::opens(&mut self.state.diagram, &frame) {
            layout::show(&mut self.tree, Pane::Diagram);
        }
        let mut queue = Vec::new();
        self.read_keys(ui.ctx(), &mut queue);
        queue.extend(dropped(ui.ctx()));
        let tokens = Tokens::of(ui.ctx());
        let mut cx = Cx {
            frame: &frame,
            previous: &pair.previous,
            alpha: pair.alpha,
            tokens,
            table: &self.table,
            state: &mut self.state,
            queue: &mut queue,
        };
        let margin = egui::Margin::symmetric(8, 2);
        let bar_frame = egui::Frame::new().fill(tokens.surface_low).inner_margin(margin);
        Panel::top("transport bar").frame(bar_frame).resizable(false).show(ui, |ui| bar::top_ui(ui, &mut cx));
        Panel::bottom("status bar").frame(bar_frame).resizable(false).show(ui, |ui| bar::bottom_ui(ui, &mut cx));
        let middle = egui::Frame::new().fill(tokens.surface_low);
        egui::CentralPanel::no_frame().frame(middle).show(ui, |ui| self.tree.ui(&mut Panes { cx: &mut cx }, ui));
        palette::palette_ui(ui, &mut cx);
        dialogs::dialogs_ui(ui, &mut cx);
        notices::float(&mut self.toasts, &mut self.state, &frame, tokens);
        self.toasts.show(ui.ctx());

        for asked in queue {
            self.run(ui.ctx(), asked, &frame);
        }
        self.keep_up(ui.ctx(), &frame);
    }

    /// What follows from a pass: who is inspected, title, next repaint.
    fn keep_up(&mut self, ctx: &egui::Context, frame: &Frame) {
        let wanted = match self.state.picked[..] {
            [only] => Some(only),
            _ => None,
        };
        if wanted != self.inspected {
            self.inspected = wanted;
            self.session.send(Command::Inspect(wanted));
        }
        let watched = senses::wanted(&self.state, frame);
        if watched != self.watched {
            self.watched.clone_from(&watched);
            self.session.send(Command::Watch(watched));
        }
        let mark = if frame.unsaved { "• " } else { "" };
        let title = if frame.scene.title.is_empty() {
            "swarmyard".to_owned()
        } else {
            format!("{mark}{} – swarmyard", frame.scene.title)
        };
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
        if frame.unsaved && !self.leaving && ctx.input(|input| input.viewport().close_requested()) {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.state.dialog = Some(Dialog::Unsaved { then: Box::new(Action::Quit) });
        }
        if frame.run.is_running() {
            ctx.request_repaint_after(REPAINT);
        } else {
            ctx.request_repaint_after(SLOW_REPAINT);
        }
    }

    fn read_keys(&self, ctx: &egui::Context, queue: &mut Vec<Action>) {
        if self.state.palette.is_some() || self.state.dialog.is_some() || self.state.keys_open {
            return;
        }
        let typing = ctx.text_edit_focused();
        let in_menu = egui::Popup::is_any_open(ctx);
        // Combinations with Shift come first: egui takes Ctrl+S for Ctrl+Shift+S as well.
        let mut keys: Vec<(&egui::KeyboardShortcut, &Action)> =
            self.table.iter().flat_map(|row| row.keys.iter().map(move |key| (key, &row.action))).collect();
        keys.sort_by_key(|(key, _)| std::cmp::Reverse(u8::from(key.modifiers.shift) + u8::from(key.modifiers.alt)));
        let mut tab = false;
        for (key, asked) in keys {
            let steers = self.state.yard.tool == Tool::Lead && yard::lead::steers(key.logical_key);
            if steers || typing && is_text_key(*key) || in_menu && key.logical_key == Key::Escape {
                continue;
            }
            if ctx.input_mut(|input| input.consume_shortcut(key)) {
                tab |= key.logical_key == Key::Tab;
                queue.push(asked.clone());
            }
        }
        if tab {
            // egui moves the focus with Tab; here it shows the debug layer.
            ctx.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
        }
    }

    fn run(&mut self, ctx: &egui::Context, asked: Action, frame: &Frame) {
        match asked {
            Action::Send(command) => self.session.send(command),
            Action::Slower => self.session.send(Command::SetSpeed(action::next_speed(frame.speed, false))),
            Action::Faster => self.session.send(Command::SetSpeed(action::next_speed(frame.speed, true))),
            Action::OpenScene => {
                self.state.dialog =
                    Some(Dialog::Open(PathField::new(frame.scene.path.as_deref().unwrap_or("scenes/"))));
            }
            Action::OpenPath(path) if frame.unsaved => {
                self.state.dialog = Some(Dialog::Unsaved { then: Box::new(Action::OpenPath(path)) });
            }
            Action::OpenPath(path) => self.open(path),
            Action::Save if frame.scene.path.is_some() => self.session.send(Command::SaveScene(None)),
            Action::Save | Action::SaveAs => {
                let path = frame.scene.path.as_deref().unwrap_or("scenes/untitled.ron");
                self.state.dialog = Some(Dialog::Save(PathField::new(path)));
            }
            Action::ExportTrajectories => {
                self.state.dialog = Some(Dialog::Export(PathField::new(&trajectory_path(frame))));
            }
            Action::Dropped(path) if dialogs::is_trajectory(&path) => {
                self.state.dialog = Some(Dialog::Trajectory { path });
            }
            Action::Dropped(path) => self.run(ctx, Action::OpenPath(path), frame),
            Action::Delete => self.delete(),
            Action::SelectAll => {
                self.state.picked.clone_from(&frame.agents.key);
                self.state.picked_obstacle = None;
            }
            Action::Drill(word) => {
                for command in word.commands(frame, &self.state.picked) {
                    self.session.send(command);
                }
            }
            Action::LetGo => {
                if !self.state.yard.let_go() {
                    self.state.picked.clear();
                    self.state.picked_obstacle = None;
                }
            }
            Action::Fit => self.state.yard.fit(frame),
            Action::ToggleDebug => {
                self.state.yard.debug = !self.state.yard.debug;
                self.session.send(Command::ShowDebug(self.state.yard.debug));
            }
            Action::ToggleLayer(part) => {
                let yard = &mut self.state.yard;
                let shown = std::mem::replace(&mut yard.debug, true);
                yard.layers.toggle(part, shown);
                if !shown {
                    self.session.send(Command::ShowDebug(true));
                }
            }
            Action::ToggleOverlay(overlay) => self.state.settings.overlays.toggle(overlay),
            Action::TogglePerspective => {
                let camera = self.state.yard.camera;
                let look = if camera.perspective { Look::Flat(camera.side) } else { Look::Perspective };
                self.state.yard.take(look, frame);
            }
            Action::LookFrom(look) => self.state.yard.take(look, frame),
            Action::Follow => {
                if self.state.picked.is_empty() {
                    let text = "Pick an agent first: a click on it does".to_owned();
                    self.state.notices.push(Notice { level: Level::Info, text });
                }
                self.state.yard.toggle_following(&self.state.picked);
            }
            Action::ToggleTouch => self.state.settings.touch_sliders = Some(!self.state.touch_sliders()),
            Action::ToggleTheme => {
                let dark = ctx.theme() == egui::Theme::Dark;
                self.state.settings.theme = if dark { ThemeChoice::Light } else { ThemeChoice::Dark };
                set_theme(ctx, self.state.settings.theme);
            }
            Action::ResetLayout => self.tree = layout::default_tree(),
            Action::Show(pane) => layout::show(&mut self.tree, pane),
            Action::Palette => self.state.palette = Some(Palette::new()),
            Action::FullScreen => {
                let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!full));
            }
            Action::Keys => self.state.keys_open = true,
            Action::ShowHints => {
                self.state.settings.hints_dismissed = [false; 3];
                self.state.hints_in = None;
            }
            Action::Take(tool) => {
                self.state.yard.tool = tool;
                self.state.yard.drag = None;
                let advice = if tool == Tool::Lead { lead::advice(frame) } else { None };
                self.state.notices.extend(advice.map(|text| Notice { level: Level::Warning, text }));
            }
            Action::PausePlots => {
                let plots = &mut self.state.plots;
                plots.frozen = if plots.frozen.is_some() { None } else { Some(Arc::clone(&frame.plots)) };
            }
            Action::FollowPlots => self.state.plots.follow = Follow::Newest,
            Action::Quit if frame.unsaved => self.state.dialog = Some(Dialog::Unsaved { then: Box::new(Action::Quit) }),
            Action::Quit | Action::Leave => {
                self.leaving = true;
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
        }
    }

    fn open(&mut self, path: String) {
        let recent = &mut self.state.settings.recent;
        recent.retain(|other| *other != path);
        recent.insert(0, path.clone());
        recent.truncate(RECENT);
        self.state.picked.clear();
        self.session.send(Command::LoadScene(path));
    }

    fn delete(&mut self) {
        if !self.state.picked.is_empty() {
            self.session.send(Command::RemoveAgents(std::mem::take(&mut self.state.picked)));
        }
        if let Some(id) = self.state.picked_obstacle.take() {
            self.session.send(Command::RemoveObstacle(id));
        }
    }
}

/// The file that was dropped on the window.
fn dropped(ctx: &egui::Context) -> Option<Action> {
    let path = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()))?;
    Some(Action::Dropped(path.to_string_lossy().into_owned()))
}

/// A file for the trajectories of a scene: named like it, in the working folder.
fn trajectory_path(frame: &Frame) -> String {
    let stem = frame.scene.path.as_deref().and_then(|path| std::path::Path::new(path).file_stem());
    format!("{}.sqlite", stem.map_or_else(|| "run".into(), |stem| stem.to_string_lossy()))
}

/// Keys that belong to a text field: all plain ones but function keys, and those that edit text with Ctrl held.
fn is_text_key(key: egui::KeyboardShortcut) -> bool {
    if key.modifiers.command {
        return matches!(key.logical_key, Key::A | Key::Z | Key::Y);
    }
    !matches!(key.logical_key, Key::F1 | Key::F5 | Key::F11)
}

fn set_theme(ctx: &egui::Context, choice: ThemeChoice) {
    ctx.set_theme(match choice {
        ThemeChoice::System => egui::ThemePreference::System,
        ThemeChoice::Light => egui::ThemePreference::Light,
        ThemeChoice::Dark => egui::ThemePreference::Dark,
    });
}

impl eframe::App for Workbench {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.show(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        if self.fresh {
            return;
        }
        self.state.settings.layout = layout::write_tree(&self.tree).unwrap_or_default();
        eframe::set_value(storage, SETTINGS, &self.state.settings);
    }

    fn persist_egui_memory(&self) -> bool {
        !self.fresh
    }
}

struct Panes<'a, 'b> {
    cx: &'a mut Cx<'b>,
}

impl Behavior<Pane> for Panes<'_, '_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile_id: TileId, pane: &mut Pane) -> UiResponse {
        panels::pane_ui(ui, *pane, self.cx);
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        match (*pane, bar::problem_count(self.cx.frame)) {
            (Pane::Problems, count) if count > 0 => format!("{} ({count})", pane.title()).into(),
            _ => pane.title().into(),
        }
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &egui_tiles::Tiles<Pane>,
        ui: &mut Ui,
        _id: TileId,
        tabs: &egui_tiles::Tabs,
        _scroll: &mut f32,
    ) {
        let active = tabs.active.and_then(|id| tiles.get_pane(&id));
        if active == Some(&Pane::Plots) {
            super::plots::controls_ui(ui, self.cx);
        }
    }

    fn tab_title_spacing(&self, _visuals: &egui::Visuals) -> f32 {
        7.0
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        3.0
    }

    fn min_size(&self) -> f32 {
        80.0
    }

    fn tab_bar_height(&self, _style: &egui::Style) -> f32 {
        24.0
    }

    fn tab_bar_color(&self, _visuals: &egui::Visuals) -> egui::Color32 {
        self.cx.tokens.surface_low
    }

    fn tab_text_color(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &egui_tiles::Tiles<Pane>,
        _id: TileId,
        tab: &egui_tiles::TabState,
    ) -> egui::Color32 {
        if tab.active { self.cx.tokens.text } else { self.cx.tokens.text_weak }
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &egui::Visuals,
        _tiles: &egui_tiles::Tiles<Pane>,
        _id: TileId,
        _tab: &egui_tiles::TabState,
    ) -> egui::Stroke {
        egui::Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, _visuals: &egui::Visuals) -> egui::Stroke {
        egui::Stroke::new(1.0, self.cx.tokens.line)
    }
}
