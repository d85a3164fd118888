//! Edits, undo and saving: what is saved loads to the same hash.

use glam::DVec3;
use swarmyard::experiment::command::{Command, ObstacleShape, ObstacleSpec};
use swarmyard::experiment::frame::{AgentKey, ParamValue};
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{open, project, run, try_open};

fn disc(x: f64, y: f64) -> Command {
    let shape = ObstacleShape::Disc { at: DVec3::new(x, y, 0.0), radius: 0.7 };
    Command::AddObstacle(ObstacleSpec { name: String::new(), shape })
}

fn set(address: &str, value: f64) -> Command {
    Command::SetParam { address: address.to_owned(), value: ParamValue::Number(value) }
}

fn reload(experiment: &Experiment) -> Experiment {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("saved.ron");
    std::fs::write(&path, experiment.scene_text().expect("every address is the scene's")).expect("written");
    let options = Options { project: Some(project()), ..Options::default() };
    try_open(&path, options).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_saved_scene_loads_to_the_same_hash() {
    let mut edited = open("scenes/01_drill.ron");
    for command in [
        disc(3.0, 4.0),
        disc(6.0, -4.0),
        set("drill.k1", 3.0),
        set("drill.formation.spacing", 1.1),
        set("drill.body.lag", 0.15),
        Command::MoveAgents { agents: vec![AgentKey::new(3, 0)], by: DVec3::new(0.1, -0.4, 0.0), last: true },
    ] {
        edited.apply(&command);
    }
    super::helpers::expect_no_errors(&edited);
    edited.apply(&Command::ResetKeepEdits);
    let mut loaded = reload(&edited);
    assert_eq!(edited.hash(), loaded.hash(), "at the start");
    for tick in 0..6 {
        run(&mut edited, 60);
        run(&mut loaded, 60);
        assert_eq!(edited.hash(), loaded.hash(), "after {} s", tick + 1);
    }
}

#[test]
fn undo_takes_back_and_redo_brings_again() {
    let mut experiment = open("scenes/01_drill.ron");
    let before = experiment.scene_text().expect("text");
    let start = experiment.hash();
    let commands = [disc(3.0, 4.0), set("drill.k1", 3.0), Command::RemoveAgents(vec![AgentKey::new(5, 0)])];
    for command in &commands {
        experiment.apply(command);
    }
    assert_ne!(experiment.hash(), start);
    experiment.apply(&Command::Undo);
    experiment.apply(&Command::Undo);
    experiment.apply(&Command::Undo);
    assert_eq!(experiment.world().obstacles.len(), 1, "the pillar of the scene alone");
    assert_eq!(experiment.value("drill.k1").and_then(|value| value.number()), Some(3.75));
    assert_eq!(experiment.world().agents.count(), 20);
    experiment.apply(&Command::Redo);
    assert_eq!(experiment.world().obstacles.len(), 2);
    experiment.apply(&Command::Undo);
    experiment.apply(&Command::Reset);
    assert_eq!(experiment.scene_text().expect("text"), before);
    assert_eq!(experiment.hash(), start);
}

#[test]
fn values_that_belong_together_are_one_step_and_all_or_none() {
    let mut experiment = open("scenes/01_drill.ron");
    let number = |experiment: &Experiment, address: &str| experiment.value(address).and_then(|value| value.number());
    let gains = |kd: f64| Command::SetParams {
        what: "Use gains".to_owned(),
        values: [("drill.k1", 3.0), ("drill.kd", kd)]
            .map(|(address, value)| (address.to_owned(), ParamValue::Number(value)))
            .to_vec(),
    };
    experiment.apply(&gains(0.5));
    assert_eq!(number(&experiment, "drill.kd"), Some(0.5));
    experiment.apply(&Command::Undo);
    let both = (number(&experiment, "drill.k1"), number(&experiment, "drill.kd"));
    assert_eq!(both, (Some(3.75), Some(0.66)));
    experiment.apply(&Command::Redo);
    assert_eq!(number(&experiment, "drill.k1"), Some(3.0));
    experiment.apply(&Command::Undo);
    experiment.apply(&gains(99.0));
    assert_eq!(number(&experiment, "drill.k1"), Some(3.75), "the second is refused, so the first is not set either");
    assert!(experiment.problems().iter().any(|problem| problem.code == "bad-value"));
}

#[test]
fn refused_edits_are_problems_and_change_nothing() {
    let mut experiment = open("scenes/01_drill.ron");
    let start = experiment.hash();
    let bad = ObstacleSpec {
        name: String::new(),
        shape: ObstacleShape::Disc { at: DVec3::new(f64::NAN, 0.0, 0.0), radius: 1.0 },
    };
    for command in [
        Command::AddObstacle(bad),
        set("drill.k9", 1.0),
        set("drill.k1", f64::NAN),
        set("drill.body.radius", -1.0),
        set("nobody.k1", 1.0),
        Command::RemoveObstacle(99),
        Command::Form { group: "drill".to_owned(), formation: "nothing".to_owned(), params: Vec::new() },
        Command::LoadScene("scenes/none.ron".to_owned()),
    ] {
        experiment.apply(&command);
    }
    assert_eq!(experiment.hash(), start);
    let text: Vec<String> = experiment.problems().iter().map(|problem| problem.to_text()).collect();
    assert!(text.iter().any(|text| text.contains("k1")), "the nearest address is named: {text:#?}");
    assert!(text.len() >= 6, "{text:#?}");
}

#[test]
fn threads_and_processes_never_show() {
    let hash = |threads| {
        let options = Options { threads, ..Options::default() };
        let mut experiment = super::helpers::open_with("scenes/02_boids.ron", options);
        run(&mut experiment, 120);
        experiment.hash()
    };
    let one = hash(1);
    assert_eq!(one, hash(2));
    assert_eq!(one, hash(8));
}

#[test]
fn absent_things_are_valid() {
    for groups in [
        "[]",
        "[Group(name: \"a\", count: 0)]",
        "[Group(name: \"a\", count: 1, spawn: Points([(0, 0)]), behavior: \"flock\")]",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("empty.ron");
        std::fs::write(&path, format!("Scene(format: 1, title: \"Empty\", groups: {groups})")).expect("written");
        let mut experiment = try_open(&path, Options::default()).unwrap_or_else(|error| panic!("{groups}: {error}"));
        run(&mut experiment, 30);
        super::helpers::expect_no_errors(&experiment);
    }
}

/// A scene that somebody else saved meanwhile is not overwritten without a word; one's own save is no such change.
#[test]
fn a_scene_that_changed_on_disk_is_overwritten_only_on_purpose() {
    let scene = "Scene(format: 1, title: \"Mine\", groups: [Group(name: \"g\", count: 2, spawn: Grid(spacing: 2), behavior: \"flock\")])";
    let (folder, mut experiment) = super::helpers::small_project(scene, &[]);
    let file = folder.path().join("scenes/it.ron");
    experiment.apply(&Command::SaveScene(None));
    experiment.apply(&Command::SaveScene(None));
    let warned =
        |experiment: &Experiment| experiment.log_lines().filter(|line| line.text.contains("changed on disk")).count();
    assert_eq!(warned(&experiment), 0, "its own save is what it knows");
    let foreign = scene.replace("Mine", "Theirs");
    std::fs::write(&file, &foreign).expect("saved");
    experiment.apply(&Command::SaveScene(None));
    assert_eq!(std::fs::read_to_string(&file).expect("there"), foreign);
    assert_eq!(warned(&experiment), 1);
    experiment.apply(&Command::SaveScene(None));
    assert!(std::fs::read_to_string(&file).expect("there").contains("Mine"), "asked for twice");
}
