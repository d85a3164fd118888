//! Avoidance in a running experiment: sliders, kinds, undo, and the shipped scenes.

use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{ParamValue, Section};
use swarmyard::experiment::{Experiment, Options};
use swarmyard::sim::{Avoid, Value};

use super::helpers::{expect_no_errors, open, open_with, run, small_project};

const SCENE: &str = r#"Scene(
  format: 1, title: "t", seed: 2,
  groups: [
    Group(name: "walkers", count: 8, spawn: Ring(radius: 6), behavior: "crosser",
      body: (radius: 0.4, max_speed: 1.5, avoid: Orca(time_horizon_agents: 3))),
    Group(name: "others", count: 1, spawn: Grid(at: (0, 9)), behavior: "crosser"),
  ],
)"#;

fn opened() -> (tempfile::TempDir, Experiment) {
    let crosser = include_str!("../../scripts/behaviors/crosser.luau");
    small_project(SCENE, &[("scripts/behaviors/crosser.luau", crosser)])
}

fn set(experiment: &mut Experiment, address: &str, value: ParamValue) {
    experiment.apply(&Command::SetParam { address: address.to_owned(), value });
}

fn number(experiment: &Experiment, address: &str) -> Option<f64> {
    experiment.value(address).and_then(|value| value.number())
}

#[test]
fn an_avoidance_has_sliders_of_its_kind() {
    let (_folder, mut experiment) = opened();
    let shown = |experiment: &Experiment| {
        let params = experiment.params().into_iter().filter(|param| param.section == Section::Body);
        params.map(|param| param.address).filter(|address| address.contains("avoid")).collect::<Vec<_>>()
    };
    assert_eq!(shown(&experiment).len(), 1 + 7 + 1, "{:?}", shown(&experiment));
    let address = "walkers.body.avoid.time_horizon_agents";
    assert_eq!(number(&experiment, address), Some(3.0));
    set(&mut experiment, address, ParamValue::Number(5.0));
    assert!(
        matches!(experiment.world().groups[0].body.avoid, Some(Avoid::Orca(orca)) if orca.time_horizon_agents == 5.0)
    );
    experiment.apply(&Command::Undo);
    assert_eq!(number(&experiment, address), Some(3.0));
    // Another kind and back: as the scene has it.
    set(&mut experiment, "walkers.body.avoid", ParamValue::Text("Csm".to_owned()));
    assert_eq!(number(&experiment, "walkers.body.avoid.time_gap"), Some(1.0));
    assert_eq!(number(&experiment, address), None);
    set(&mut experiment, "walkers.body.avoid", ParamValue::Text("Orca".to_owned()));
    assert_eq!(number(&experiment, address), Some(3.0));
    set(&mut experiment, "others.body.avoid", ParamValue::Text("Orca".to_owned()));
    assert_eq!(number(&experiment, "others.body.avoid.max_neighbors"), Some(10.0));
    expect_no_errors(&experiment);
    for (address, value) in [
        ("walkers.body.avoid", Value::Text("Rvo".to_owned())),
        ("walkers.body.avoid.time_gap", Value::Number(1.0)),
        (address, Value::Number(-1.0)),
        ("walkers.body.avoid.max_neighbors", Value::Number(2.5)),
    ] {
        assert!(experiment.set_value(address, &value).is_err(), "{address} = {value}");
    }
}

#[test]
fn without_avoidance_they_walk_through_each_other_and_with_it_not() {
    for (kind, least) in [("Orca", 0.79), ("None", 0.0)] {
        let (_folder, mut experiment) = opened();
        set(&mut experiment, "walkers.body.avoid", ParamValue::Text(kind.to_owned()));
        let mut gap = f64::INFINITY;
        for _ in 0..60 * 12 {
            experiment.tick();
            let p = &experiment.world().agents.position;
            gap =
                (0..8).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| p[i].distance(p[j])).fold(gap, f64::min);
        }
        assert!(if kind == "Orca" { gap > least } else { gap < 0.1 }, "{kind}: {gap}");
        expect_no_errors(&experiment);
    }
}

#[test]
fn a_saved_avoidance_loads_to_the_same_hash() {
    let (folder, mut edited) = opened();
    set(&mut edited, "walkers.body.avoid.time_horizon_agents", ParamValue::Number(1.5));
    set(&mut edited, "others.body.avoid", ParamValue::Text("Csm".to_owned()));
    set(&mut edited, "others.body.avoid.time_gap", ParamValue::Number(0.6));
    let path = folder.path().join("scenes/saved.ron");
    std::fs::write(&path, edited.scene_text().expect("every address is the scene's")).expect("written");
    let mut again = Experiment::open(&path, Options::default()).unwrap_or_else(|error| panic!("{error}"));
    run(&mut edited, 200);
    run(&mut again, 200);
    assert_eq!(edited.hash(), again.hash());
}

/// Two threads show nothing in the scenes that show avoidance, and nobody enters a block.
#[test]
fn the_scenes_of_avoidance_run_alike_on_two_threads() {
    for scene in ["scenes/45_circle.ron", "scenes/46_blocks.ron"] {
        let hash = |threads: usize| {
            let mut experiment = open_with(scene, Options { threads, ..Options::default() });
            run(&mut experiment, 120);
            expect_no_errors(&experiment);
            experiment.hash()
        };
        assert_eq!(hash(1), hash(2), "{scene}");
    }
    let mut experiment = open("scenes/46_blocks.ron");
    for _ in 0..240 {
        experiment.tick();
        let world = experiment.world();
        for slot in 0..world.agents.slots() {
            assert!(world.clearance(slot) > 2.0 - 1e-5, "agent {slot}: {}", world.clearance(slot));
        }
    }
}
