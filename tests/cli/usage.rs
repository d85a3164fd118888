//! Wrong usage is status 2 and names what is near; a missing file is status 1.

use crate::program::{Project, call, scene};

#[test]
fn a_mistyped_command_names_the_right_one() {
    call(&["rnu"]).with(2).saying("`run`");
    call(&["run"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--secnds", "3"]).with(2).saying("--seconds");
    call(&["run", "scenes/01_drill.ron", "--seconds", "-3"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--seconds", "nan"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--seconds", "3", "--ticks", "3"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--set", "k1"]).with(2).saying("ADDRESS=VALUE");
    call(&["run", "scenes/01_drill.ron", "--threads", "0"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--agents"]).with(2).saying("--csv");
    call(&["list", "behaviours"]).with(2);
    call(&["new", "dragon", "smaug"]).with(2).saying("director");
}

#[test]
fn an_unknown_address_lists_the_nearest_and_is_wrong_usage() {
    for address in
        ["drill.kk1=3", "dril.k1=3", "drill.body.lagg=1", "drill.contract.spacin=1", "drill.formation.ampltude=1"]
    {
        let answer = call(&["run", "scenes/01_drill.ron", "--ticks", "1", "--set", address, "--json"]).with(2);
        assert!(
            answer.stderr.contains("did you mean") || answer.stderr.contains("nearest"),
            "{address}:\n{}",
            answer.stderr
        );
        let json = answer.json();
        assert_eq!(json["problems"][0]["severity"], "error", "{address}");
    }
    call(&["run", "scenes/01_drill.ron", "--ticks", "1", "--set", "drill.k1=fast"]).with(2);
    call(&["run", "scenes/01_drill.ron", "--ticks", "1", "--set", "drill.k1=nan"]).with(2);
}

#[test]
fn a_missing_scene_is_a_failure_with_its_name() {
    let answer = call(&["run", "scenes/nowhere.ron", "--json"]).with(1).saying("nowhere.ron");
    let json = answer.json();
    assert_eq!(json["scene"], "scenes/nowhere.ron");
    assert_eq!(json["ticks"], 0);
    assert!(json["hash"].is_null());
}

#[test]
fn help_and_version_are_no_failures() {
    assert!(call(&["--help"]).with(0).stdout.contains("slots"));
    assert!(call(&["run", "--help"]).with(0).stdout.contains("--require-contract"));
    assert!(call(&["--version"]).with(0).stdout.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_display_the_window_says_how_to_run_headless() {
    let answer = call(&["scenes/01_drill.ron"]).with(1);
    assert_eq!(answer.stderr.lines().count(), 1, "{}", answer.stderr);
    assert!(answer.stderr.contains("run"), "{}", answer.stderr);
    assert!(answer.stdout.is_empty());
}

#[test]
fn a_folder_without_scenes_says_so() {
    Project::new().call(&[]).with(1).saying("scenes/");
}

#[test]
fn a_scene_outside_of_a_project_runs() {
    let project = Project::new().with("alone.ron", &scene("flock"));
    project.call(&["run", "alone.ron", "--ticks", "5", "--json"]).with(0);
}
