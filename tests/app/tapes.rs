//! Trajectory files in the window: dropped, exported, shown as ghosts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use eframe::egui::{DroppedFile, Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use glam::DVec3;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{ExportView, GhostView};

use super::fake::{self, Fake};
use super::{Window, click, drill, key, open};

#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }
    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_file(window: &mut Window, path: &str) {
    window.input_mut().dropped_files.push(Arc::new(Dropped(path.into())));
    window.run_steps(3);
}

#[test]
fn a_dropped_trajectory_file_is_replayed_or_a_ghost_and_a_scene_is_opened() {
    let (session, mut window) = drill();
    drop_file(&mut window, "/data/walk.sqlite");
    click(&mut window, "Ghost beside this run");
    assert!(session.sent().contains(&Command::AddGhost("/data/walk.sqlite".to_owned())));
    drop_file(&mut window, "/data/walk.txt");
    click(&mut window, "Replay it");
    assert!(session.sent().contains(&Command::LoadScene("/data/walk.txt".to_owned())));
    drop_file(&mut window, "/data/yard.ron");
    assert!(session.sent().contains(&Command::LoadScene("/data/yard.ron".to_owned())));
}

#[test]
fn trajectories_are_exported_from_tick_0_or_from_now_on() {
    let mut frame = fake::drill_frame();
    Arc::make_mut(&mut frame.scene).path = Some("scenes/07_lanes.ron".to_owned());
    frame.tick = 90;
    let session = Fake::with(frame);
    let mut window = open(&session, swarmyard::app::state::Settings::default());
    key(&mut window, Modifiers::COMMAND, Key::E);
    click(&mut window, "Start again and write");
    let export = |restart| Command::Export { path: "07_lanes.sqlite".to_owned(), restart };
    assert!(session.sent().contains(&export(true)));
    key(&mut window, Modifiers::COMMAND, Key::E);
    click(&mut window, "Write from now on");
    assert!(session.sent().contains(&export(false)));

    session.change(|frame| frame.export = Some(ExportView { file: "a/run.sqlite".to_owned(), frames: 12, fps: 30.0 }));
    window.run_steps(3);
    click(&mut window, "● run.sqlite: 12 frames");
    assert_eq!(session.sent().last(), Some(&Command::FinishExport));
}

#[test]
fn a_ghost_is_an_overlay_that_can_be_hidden() {
    let (session, mut window) = drill();
    session.change(|frame| {
        frame.ghosts = Arc::new([GhostView {
            name: "before".to_owned(),
            id: vec![1, 2],
            position: vec![DVec3::ZERO, DVec3::X],
            heading: vec![0.0, 1.0],
            radius: vec![0.2, 0.2],
            error: Some(0.5),
        }]);
    });
    window.run_steps(3);
    assert!(window.state().state().settings.overlays.ghosts, "shown at first");
    key(&mut window, Modifiers::SHIFT, Key::H);
    assert!(!window.state().state().settings.overlays.ghosts);
    assert!(window.query_by_label("Ghost beside this run").is_none());
}
