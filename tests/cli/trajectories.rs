//! `run --trajectory`: rates, formats, groups, and what is refused.

use crate::program::{Project, call};

const SCENE: &str = "scenes/59_ghost.ron";

#[test]
fn the_rate_that_is_taken_is_told_and_what_cannot_be_exact_is_refused_with_what_can() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (txt, csv) = (file("a.txt"), file("a.csv"));
    let answer = call(&["run", SCENE, "--seconds", "1", "--trajectory", &txt, "--trajectory", &csv, "--json"]).with(0);
    let answer = answer.saying("30 frames per second: every 2 ticks of 60 per second");
    let exports = answer.json()["exports"].clone();
    assert_eq!(exports[0]["frames"], 31);
    assert_eq!(exports[1]["rows"], 31 * 16);
    assert_eq!(exports[1]["fps"], 30.0);
    let text = std::fs::read_to_string(&txt).expect("written");
    assert!(text.starts_with("# framerate: 30.00 fps\n"), "{}", &text[..40]);

    call(&["run", SCENE, "--ticks", "9", "--trajectory", &txt, "--fps", "20", "--json"])
        .with(0)
        .saying("every 3 ticks");
    call(&["run", SCENE, "--ticks", "9", "--trajectory", &txt, "--every", "4", "--json"]).with(0).saying("15 frames");
    call(&["run", SCENE, "--ticks", "9", "--trajectory", &txt, "--fps", "25"]).with(2).saying("30, 20, 15");
    call(&["run", SCENE, "--ticks", "9", "--trajectory", &txt, "--fps", "30", "--every", "4"])
        .with(2)
        .saying("one of the two");
    call(&["run", SCENE, "--ticks", "9", "--fps", "30"]).with(2).saying("--trajectory");
    call(&["run", SCENE, "--ticks", "9", "--every", "3"]).with(2).saying("--trajectory");
}

#[test]
fn bad_names_of_files_and_groups_are_wrong_usage_and_bad_places_are_failures() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let to = |name: &str| call(&["run", SCENE, "--ticks", "3", "--json", "--trajectory", &file(name)]);
    to("a.sqlit").with(2).saying("sqlite");
    to("a").with(2).saying(".csv");
    to("none/a.txt").with(1).saying("no folder");
    to("none/a.sqlite").with(1).saying("no folder");
    call(&["run", SCENE, "--ticks", "3", "--trajectory", &file("a.txt"), "--groups", "poeple"])
        .with(2)
        .saying("people");
    call(&["run", SCENE, "--ticks", "3", "--trajectory", SCENE]).with(2).saying("overwrite");
    let project = Project::new();
    std::fs::write(folder.path().join("in.txt"), "# framerate: 25 fps\n# in m\n1 0 0 0 0\n1 1 1 0 0\n")
        .expect("written");
    let path = file("in.txt");
    project.call(&["run", &path, "--trajectory", &path]).with(2).saying("overwrite");
}

#[test]
fn only_the_groups_that_are_asked_for_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.csv").display().to_string();
    let scene = "scenes/58_replay.ron";
    let answer =
        call(&["run", scene, "--seconds", "1", "--trajectory", &path, "--groups", "late", "--fps", "25", "--json"]);
    assert_eq!(answer.with(0).json()["exports"][0]["rows"], 26 * 8);
}

#[test]
fn a_trajectory_file_runs_like_a_scene_and_a_bad_one_is_refused_with_its_line() {
    let answer = call(&["run", "scenes/data/gate.sqlite", "--json"]).with(0);
    let json = answer.json();
    assert_eq!(json["groups"][0]["agents"], 16);
    assert!(json["groups"][0]["metrics"]["speed"]["mean"].as_f64().is_some_and(|speed| speed > 0.5 && speed < 1.5));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bad.txt");
    std::fs::write(&path, "# framerate: 25 fps\n# in m\n1 0 0 0 0\n1 1 NaN 0 0\n").expect("written");
    let answer = call(&["run", &path.display().to_string(), "--json"]).with(1);
    assert_eq!(answer.json()["problems"][0]["line"], 4);
    assert_eq!(answer.json()["problems"][0]["column"], 5);
}
