//! The drill scene, the main job end to end: it settles in time after every command.

use swarmyard::experiment::Options;

use super::helpers::{expect_no_errors, open, open_with, run};

#[test]
fn every_scene_runs_for_two_seconds_without_a_fault() {
    let mut failed = Vec::new();
    let mut scenes: Vec<_> = std::fs::read_dir(super::helpers::project().join("scenes"))
        .expect("scenes are there")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .collect();
    scenes.sort();
    for path in scenes {
        match super::helpers::try_open(&path, Options::default()) {
            Ok(mut experiment) => {
                run(&mut experiment, 120);
                for problem in experiment.problems().iter().filter(|problem| problem.is_error()) {
                    failed.push(format!("{}: {}", path.display(), problem.to_text()));
                }
            }
            Err(error) => failed.push(format!("{}: {error}", path.display())),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn drill_settles_in_time_after_each_command() {
    let mut experiment = open("scenes/01_drill.ron");
    let ticks = experiment.last_tick();
    run(&mut experiment, ticks);
    expect_no_errors(&experiment);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("the drill has a contract");
    assert_eq!(contract.settles.len(), 3, "line, S-wave, spiral");
    assert!(contract.ok, "{contract:#?}");
}

#[test]
fn sensor_noise_of_two_millimeters_does_not_unsettle_the_drill() {
    let mut experiment = open_with("scenes/01_drill.ron", Options::default());
    let world = experiment.world();
    assert_eq!(world.groups[0].sensor_noise, (0.0, 0.0));
    let project = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(super::helpers::project().join("scenes/01_drill.ron")).expect("the scene");
    let noisy = text.replacen("contract:", "sensor_noise: (position: 0.002), contract:", 1);
    let path = project.path().join("noisy.ron");
    std::fs::write(&path, noisy).expect("written");
    let options = Options { project: Some(super::helpers::project()), ..Options::default() };
    experiment = super::helpers::try_open(&path, options).unwrap_or_else(|error| panic!("{error}"));
    let ticks = experiment.last_tick();
    run(&mut experiment, ticks);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("the drill has a contract");
    assert!(contract.ok, "{contract:#?}");
}
