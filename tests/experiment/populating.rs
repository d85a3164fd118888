//! Numbers of agents that are changed live, and the sliders that come first.

use glam::DVec3;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::ParamValue;
use swarmyard::experiment::view::FrameCache;
use swarmyard::experiment::{Experiment, Options};
use swarmyard::sim::{AgentId, Value};

use super::helpers::{expect_no_errors, open, project, run, small_project, try_open};

fn set(experiment: &mut Experiment, address: &str, value: f64) {
    experiment.apply(&Command::SetParam { address: address.to_owned(), value: ParamValue::Number(value) });
}

fn members(experiment: &Experiment, group: usize) -> Vec<(AgentId, DVec3, DVec3)> {
    let world = experiment.world();
    let slots = world.groups[group].members.iter();
    let agents = &world.agents;
    slots.map(|slot| (agents.id(*slot), agents.position[*slot as usize], agents.velocity[*slot as usize])).collect()
}

fn nearest_pair(places: &[DVec3]) -> f64 {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut nearest = f64::INFINITY;
    for (i, a) in sorted.iter().enumerate() {
        let known = nearest;
        for b in sorted[i + 1..].iter().take_while(|b| b.x - a.x < known) {
            nearest = nearest.min(a.distance(*b));
        }
    }
    nearest
}

const FLOCK: &str = "Scene(format: 1, title: \"It\", seed: 5, edge: Wrap, area: (min: (-40, -30), max: (40, 30)), groups: [Group(name: \"them\", count: 100, \
                     spawn: Disc(at: (0, 0), radius: 6, heading_deg: 0, speed: 1), body: (radius: 0.1, max_speed: 2, heading: AlongVelocity), \
                     behavior: \"flock\", max_neighbors: 12)])";

#[test]
fn from_a_hundred_to_three_thousand_and_back_those_that_stay_go_on_undisturbed() {
    let (_folder, mut experiment) = small_project(FLOCK, &[]);
    run(&mut experiment, 30);
    let before = members(&experiment, 0);
    for count in [400.0, 1500.0, 3000.0] {
        set(&mut experiment, "them.count", count);
        assert_eq!(members(&experiment, 0).len() as f64, count);
        run(&mut experiment, 1);
    }
    set(&mut experiment, "them.count", 3001.0);
    let now = members(&experiment, 0);
    assert!(before.iter().all(|(id, ..)| now.iter().any(|(other, ..)| id == other)), "nobody was exchanged");
    set(&mut experiment, "them.count", 100.0);
    let ids = |members: &[(AgentId, DVec3, DVec3)]| members.iter().map(|(id, ..)| *id).collect::<Vec<_>>();
    assert_eq!(ids(&members(&experiment, 0)), ids(&before), "who came last goes first");
    expect_no_errors(&experiment);
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());
}

#[test]
fn a_change_of_the_number_moves_nobody_and_is_taken_back_by_undo() {
    let (_folder, mut experiment) = small_project(FLOCK, &[]);
    run(&mut experiment, 30);
    let before = members(&experiment, 0);
    set(&mut experiment, "them.count", 250.0);
    let grown = members(&experiment, 0);
    assert!(before.iter().all(|member| grown.contains(member)), "places and velocities are as they were");
    let newcomers = grown.iter().filter(|member| !before.contains(member));
    assert!(newcomers.into_iter().all(|(_, _, velocity)| velocity.x > 0.3), "they go along with the others");
    experiment.apply(&Command::Undo);
    assert_eq!(members(&experiment, 0), before);
    experiment.apply(&Command::Redo);
    assert_eq!(members(&experiment, 0).len(), 250);
}

#[test]
fn growing_by_parts_is_free_of_overlap_and_equal_run_for_run() {
    let grow = || {
        let (folder, mut experiment) = small_project(FLOCK, &[]);
        // Without a tick between, as with the slider in a paused window.
        for count in (200..=3000).step_by(400) {
            set(&mut experiment, "them.count", f64::from(count));
        }
        let places: Vec<DVec3> = members(&experiment, 0).into_iter().map(|(_, place, _)| place).collect();
        run(&mut experiment, 20);
        set(&mut experiment, "them.count", 500.0);
        set(&mut experiment, "them.count", 900.0);
        run(&mut experiment, 5);
        drop(folder);
        (places, experiment.hash())
    };
    let (places, hash) = grow();
    assert!(nearest_pair(&places) >= 0.2 - 1e-9, "two are {} m apart", nearest_pair(&places));
    assert_eq!(grow(), (places, hash));
}

/// It took 20 s in a release build, and grew with the square of the number; this is a build without optimization.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test is about how long it takes")]
fn a_hundred_thousand_come_and_go_in_seconds_even_in_a_debug_build() {
    let scene = FLOCK.replace("(-40, -30)", "(-400, -300)").replace("(40, 30)", "(400, 300)");
    let (_folder, mut experiment) = small_project(&scene, &[]);
    let since = std::time::Instant::now();
    set(&mut experiment, "them.count", 100_000.0);
    let added = since.elapsed();
    assert_eq!(experiment.world().groups[0].members.len(), 100_000);
    let since = std::time::Instant::now();
    set(&mut experiment, "them.count", 100.0);
    let removed = since.elapsed();
    assert!(added.as_secs_f64() < 8.0 && removed.as_secs_f64() < 8.0, "added {added:?}, removed {removed:?}");
}

#[test]
fn predators_come_in_where_their_route_begins_and_hunt() {
    for scene in ["scenes/29_coral_reef.ron", "scenes/30_rapids.ron", "scenes/31_deep_sea.ron", "scenes/32_startle.ron"]
    {
        let mut experiment = open(scene);
        run(&mut experiment, 5);
        set(&mut experiment, "sharks.count", 4.0);
        let sharks = members(&experiment, 1);
        assert_eq!(sharks.len(), 4, "{scene}");
        run(&mut experiment, 60);
        let moved = members(&experiment, 1);
        assert!(moved.iter().all(|(.., velocity)| velocity.length() > 0.3), "{scene}: they swim");
        set(&mut experiment, "sharks.count", 0.0);
        assert!(members(&experiment, 1).is_empty());
        run(&mut experiment, 2);
        expect_no_errors(&experiment);
    }
}

/// R150: nine sliders come first, and each of them can be moved while the scene runs.
#[test]
fn the_nine_sliders_of_a_school_are_there_and_work_live() {
    for scene in ["scenes/29_coral_reef.ron", "scenes/30_rapids.ron", "scenes/31_deep_sea.ron", "scenes/32_startle.ron"]
    {
        let mut experiment = open(scene);
        let panel = experiment.panel(0);
        let labels: Vec<&str> = panel.iter().map(|row| row.label.as_str()).collect();
        assert_eq!(
            labels,
            [
                "count",
                "separation",
                "alignment",
                "cohesion",
                "max speed",
                "perception",
                "cone half angle",
                "current",
                "sharks count"
            ],
            "{scene}"
        );
        for row in &panel {
            let value = experiment.value(&row.address).and_then(|value| value.number()).expect("a number");
            let other = if row.address.ends_with("count") { value + 3.0 } else { value * 0.9 + 0.1 };
            set(&mut experiment, &row.address, other);
            assert_eq!(experiment.value(&row.address), Some(Value::Number(other)), "{scene}: {}", row.address);
        }
        run(&mut experiment, 3);
        expect_no_errors(&experiment);
        let params = experiment.params();
        for row in &panel {
            let param = params.iter().find(|param| param.address == row.address).expect("it is a parameter");
            assert!(param.reach.is_some() || param.min.zip(param.max).is_some(), "{} has no slider", row.address);
        }
    }
    let two = open("scenes/35_species.ron");
    let last = |group: usize| two.panel(group).last().map(|row| row.address.clone());
    assert_eq!((last(0), last(1)), (Some("large.count".to_owned()), Some("small.count".to_owned())));
}

/// The perception of a fish is so many of its own lengths (R133).
#[test]
fn perception_is_counted_in_body_lengths() {
    let mut experiment = open("scenes/31_deep_sea.ron");
    run(&mut experiment, 2);
    let frame = |experiment: &mut Experiment| {
        let key = experiment.frame(&mut FrameCache::default()).agents.key[0];
        experiment.apply(&Command::Inspect(Some(key)));
        let frame = experiment.frame(&mut FrameCache::default());
        let memory = &frame.inspected.as_ref().expect("picked").memory;
        memory.iter().find(|field| field.name == "range").expect("declared").value.parse::<f64>().expect("a number")
    };
    for lengths in [6.0, 10.0] {
        set(&mut experiment, "fish.lengths", lengths);
        run(&mut experiment, 2);
        let range = frame(&mut experiment);
        assert!((range - lengths * 2.0 * 0.45).abs() < 1e-3, "{lengths} lengths of 0.9 m are {range} m");
    }
}

#[test]
fn a_scene_says_itself_what_comes_first_and_is_told_what_does_not_exist() {
    let scene = FLOCK.replace("groups:", "panel: [\"them.cohesion.weight\", \"them.body.max_speed\"], groups:");
    let (_folder, experiment) = small_project(&scene, &[]);
    let rows: Vec<_> = experiment.panel(0).into_iter().map(|row| (row.address, row.label)).collect();
    let row = |address: &str, label: &str| (address.to_owned(), label.to_owned());
    assert_eq!(rows, [row("them.cohesion.weight", "cohesion"), row("them.body.max_speed", "max speed")]);

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.ron");
    std::fs::write(&path, scene.replace("them.cohesion.weight", "them.cohesoin.weight")).expect("written");
    let error = try_open(&path, Options { project: Some(project()), ..Options::default() });
    let text = error.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("cohesion.weight"), "{text}");
}

#[test]
fn a_script_that_puts_a_slider_first_that_it_has_not_is_told_so() {
    let scene = "Scene(format: 1, title: \"It\", groups: [Group(name: \"them\", count: 1, behavior: \"it\")])";
    for (panel, words) in [
        ("\"sepration.weight\"", "separation.weight"),
        ("\"p.range.count\"", "groups"),
        ("{ label = 'x' }", "an address"),
    ] {
        let script = format!(
            "return yard.behavior {{ params = {{ range = {{ 2, min = 0, max = 9 }} }}, panel = {{ \"range\", \"count\", {panel} }}, \
             forces = {{ separation = 1 }} }}"
        );
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in [("scenes/it.ron", scene), ("scripts/behaviors/it.luau", script.as_str())] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        let opened = try_open(&folder.path().join("scenes/it.ron"), Options::default());
        let text = match opened {
            Ok(experiment) => format!("{:?}", experiment.problems()),
            Err(error) => error.to_string(),
        };
        assert!(text.contains("panel") && text.contains(words), "{panel}: {text}");
    }
}
