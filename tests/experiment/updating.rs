//! Update rates as scenes and scripts see them: values, timers of machines, holds, reload, hashes (R217, E66).

use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{AgentKey, Inspected};
use swarmyard::experiment::{Experiment, FrameCache, Options};
use swarmyard::sim::{UpdateRate, Value};

use super::helpers::{expect_no_errors, open_with, run, small_project, try_open};

/// Timers, holds and waits of a machine on a period of 0.35 s, 21 ticks: what counts is seconds, not decisions.
const TIMED: &str = r#"
return yard.machine {
  memory = { beats = 0, sum = 0.0, first = -1.0, second = -1.0, once = 0 },
  step = function(agent)
    local m = agent.memory
    if yard.every(0.5) then m.beats += 1 end
    if yard.at(1.0) then m.once += 1 end
    m.sum += agent.elapsed
  end,
  initial = "waiting",
  states = {
    waiting = {},
    ready = { enter = function(agent) agent.memory.first = yard.time end },
    done = { final = true, enter = function(agent) agent.memory.second = yard.time end },
  },
  transitions = {
    { from = "waiting", to = "ready", after = 2.0 },
    { from = "ready", to = "done", hold = 60, when = function() return true end },
  },
}
"#;

fn scene(update: &str, count: usize) -> String {
    format!(
        "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [Group(name: \"d\", count: {count}, spawn: Grid(at: (0, 0), spacing: 2), behavior: \"timed\", update: {update})])"
    )
}

fn inspected(experiment: &mut Experiment, slot: u32) -> Inspected {
    let key = AgentKey::from(experiment.world().agents.id(slot));
    experiment.apply(&Command::Inspect(Some(key)));
    experiment.frame(&mut FrameCache::default()).inspected.map(|picked| (*picked).clone()).expect("it is picked")
}

fn numbers(experiment: &mut Experiment, slot: u32, field: &str) -> f64 {
    let view = inspected(experiment, slot);
    let found = view.memory.iter().find(|known| known.name == field).expect("a field");
    found.value.parse().expect("a number")
}

#[test]
fn timers_and_holds_of_machines_stay_right_in_seconds() {
    let period = 0.35;
    let (_folder, mut experiment) =
        small_project(&scene(&format!("{period}"), 8), &[("scripts/machines/timed.luau", TIMED)]);
    run(&mut experiment, 600);
    expect_no_errors(&experiment);
    for slot in 0..8 {
        let first = numbers(&mut experiment, slot, "first");
        assert!((2.0..2.0 + period + 0.02).contains(&first), "`after = 2` took {first} s");
        let held = numbers(&mut experiment, slot, "second") - first;
        // 60 ticks in a row are 59 after the first. It is looked at first a period after the state began, and then once a period.
        let ticks = 59.0 / 60.0;
        assert!((ticks - 0.001..ticks + 2.0 * period + 0.02).contains(&held), "`hold = 60` took {held} s");
        let beats = numbers(&mut experiment, slot, "beats");
        assert!((20.0 - beats).abs() <= 1.0, "yard.every(0.5) was true {beats} times in 10 s");
        assert_eq!(numbers(&mut experiment, slot, "once"), 1.0, "yard.at is true once");
        let sum = numbers(&mut experiment, slot, "sum");
        assert!((sum - 10.0).abs() <= period + 0.02, "agent.elapsed adds up to {sum} s of 10");
    }
}

#[test]
fn without_a_rate_timers_are_as_they_were_to_the_tick() {
    let (_folder, mut experiment) = small_project(&scene("0", 1), &[("scripts/machines/timed.luau", TIMED)]);
    run(&mut experiment, 600);
    assert_eq!(numbers(&mut experiment, 0, "first"), 2.0);
    assert!((numbers(&mut experiment, 0, "second") - (2.0 + 60.0 / 60.0)).abs() < 1e-9);
    assert_eq!(numbers(&mut experiment, 0, "beats"), 20.0);
}

/// `GROUP.update` is an address like others: scene, `set`, slider, undo, and what cannot be.
#[test]
fn the_rate_is_an_address() {
    let (_folder, mut experiment) = small_project(&scene("(0.05, 0.2)", 4), &[("scripts/machines/timed.luau", TIMED)]);
    assert_eq!(experiment.world().groups[0].update, UpdateRate { from: 0.05, to: 0.2 });
    assert_eq!(experiment.value("d.update"), Some(Value::Number(0.125)));
    experiment.set_value("d.update", &Value::Number(0.1)).expect("a period");
    assert_eq!(experiment.world().groups[0].update, UpdateRate::of(0.1));
    experiment.set_value("d.update", &Value::Vector(glam::DVec3::new(0.1, 0.3, 0.0))).expect("a range");
    assert_eq!(experiment.world().groups[0].update, UpdateRate { from: 0.1, to: 0.3 });
    for bad in [Value::Number(-1.0), Value::Text("often".to_owned()), Value::Vector(glam::DVec3::new(0.3, 0.1, 0.0))] {
        let problem = experiment.set_value("d.update", &bad).expect_err("it cannot be");
        assert_eq!(problem.code, "bad-value", "{problem}");
    }
    run(&mut experiment, 10);
    let fields = inspected(&mut experiment, 0).fields;
    assert!(fields.iter().any(|field| field.name == "next update"), "{fields:?}");
}

#[test]
fn a_rate_that_cannot_be_is_a_problem_at_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("scenes")).expect("made");
    for (bad, place) in [("-0.1", "-0.1"), ("(0.3, 0.1)", "(0.3"), ("\"often\"", "\"often\""), ("1e9", "1e9")] {
        let text = scene(bad, 1).replace("behavior: \"timed\", ", "");
        let path = folder.path().join("scenes/it.ron");
        std::fs::write(&path, &text).expect("written");
        let error = try_open(&path, Options::default()).err().unwrap_or_else(|| panic!("{bad} is accepted"));
        let shown = error.to_string();
        let problems = error.problems();
        let column = text.lines().nth(1).and_then(|line| line.find(place)).expect("it stands there") + 1;
        assert!(
            problems.iter().any(|problem| problem.line == Some(2) && problem.column == Some(column as u32)),
            "{bad}: {shown}, column {column}"
        );
    }
}

/// One thread or two, and a reload of the same code in the middle: the same hash.
#[test]
fn threads_and_reloads_never_show_under_a_rate() {
    let hash = |threads: usize| {
        let mut experiment = open_with("scenes/60_birds_004.ron", Options { threads, ..Options::default() });
        run(&mut experiment, 700);
        expect_no_errors(&experiment);
        experiment.hash()
    };
    assert_eq!(hash(1), hash(2));
}
