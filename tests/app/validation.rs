//! The panel of published figures: cases, one that runs beside the experiment, what it shows, the scene that it opens.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use swarmyard::app::Workbench;
use swarmyard::app::state::{Settings, ThemeChoice};
use swarmyard::experiment::command::Command;
use swarmyard::experiment::session::{FramePair, Session, Wake};
use swarmyard::experiment::validating::CASES;

use super::fake::Fake;
use super::{Window, click, drill};

/// The fake experiment, with the shipped project behind it.
struct AtHome(Arc<Fake>);

impl Session for AtHome {
    fn frames(&self) -> FramePair {
        self.0.frames()
    }

    fn send(&self, command: Command) {
        self.0.send(command);
    }

    fn set_wake(&self, wake: Wake) {
        self.0.set_wake(wake);
    }

    fn project(&self) -> Option<PathBuf> {
        Some(Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf())
    }
}

fn panel(size: eframe::egui::Vec2, theme: ThemeChoice) -> (Arc<Fake>, Window) {
    let fake = Fake::drill();
    let session = Arc::new(AtHome(Arc::clone(&fake)));
    let settings = Settings { theme, ..Settings::default() };
    let mut window = Harness::builder()
        .with_size(size)
        .build_eframe(move |cc| Workbench::with_settings(&cc.egui_ctx, session, settings, true));
    window.run_steps(4);
    click(&mut window, "Validation");
    (fake, window)
}

fn usual() -> (Arc<Fake>, Window) {
    panel(vec2(1280.0, 800.0), ThemeChoice::Dark)
}

/// Passes until nothing runs; the window is never waited for longer than a pass.
fn finish(window: &mut Window) {
    for _ in 0..3600 {
        window.run_steps(1);
        if window.query_by_label("Stop").is_none() {
            window.run_steps(2);
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it did not end");
}

#[test]
fn a_case_is_run_beside_the_experiment_and_shows_expected_and_measured() {
    let (session, mut window) = usual();
    window.get_by_label_contains("Pick a case to see");
    click(&mut window, "reference-drill");
    window.get_by_label("Not run yet.");
    click(&mut window, "Run this case");
    finish(&mut window);
    let outcome = &window.state().state().validation.outcomes["reference-drill"];
    assert!(outcome.ok, "{outcome:#?}");
    let first = &outcome.quantities[0];
    assert!(window.get_all_by_label(&first.expected.to_string()).count() >= 1);
    assert!(window.get_all_by_label("● ok").count() >= 1);
    window.get_by_label("reference-drill holds");
    window.get_by_label_contains("seed 1");
    window.get_by_label("● 1 holds");
    assert!(session.sent().is_empty(), "the run is not touched: {:?}", session.sent());
}

#[test]
fn a_known_failure_says_so_with_its_reason() {
    let (_, mut window) = usual();
    window.get_by_label("rimea-4-diagram-csm").click_accesskit();
    window.run_steps(3);
    click(&mut window, "Run this case");
    finish(&mut window);
    assert!(window.get_all_by_label_contains("known to fail").count() >= 1);
    assert!(window.get_all_by_label_contains("▲ known: ").count() >= 1);
}

#[test]
fn the_scene_of_a_case_is_opened_in_the_yard_if_it_has_one() {
    let (session, mut window) = usual();
    click(&mut window, "reference-drill");
    click(&mut window, "Open its scene");
    assert!(session.sent().contains(&Command::LoadScene("scenes/15_reference.ron".to_owned())), "{:?}", session.sent());
}

#[test]
fn all_cases_are_stopped_on_demand() {
    let (_, mut window) = usual();
    click(&mut window, "Run quick cases");
    assert!(window.query_by_label("Stop").is_some(), "it runs");
    click(&mut window, "Stop");
    finish(&mut window);
    let ended = window.state().state().validation.outcomes.len();
    assert!(ended < CASES.len() / 2, "{ended} of {}", CASES.len());
}

#[test]
fn without_a_project_nothing_can_be_run() {
    let (_, mut window) = drill();
    click(&mut window, "Validation");
    window.get_by_label("Run quick cases").click();
    window.run_steps(3);
    assert!(window.query_by_label("Stop").is_none() && window.state().state().validation.suite.is_none());
}

/// Every case is listed, in a small window too, and nothing is drawn beyond the panel.
#[test]
fn it_is_whole_in_a_small_window_in_both_themes() {
    for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
        let (_, window) = panel(vec2(1024.0, 700.0), theme);
        let row = window.get_by_label("reference-drill");
        let stop = window.get_by_label("Run all cases");
        assert!(row.rect().right() <= 1024.0 && row.rect().left() > 100.0, "{:?}", row.rect());
        assert!(stop.rect().right() < row.rect().right(), "{:?}", stop.rect());
        let listed = CASES.iter().filter(|case| window.query_all_by_label_contains(case.name).next().is_some()).count();
        assert_eq!(listed, CASES.len(), "every case has its row");
    }
}
