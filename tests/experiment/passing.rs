//! What the window and a teacher see of machines: counts, traces, agents that flap, agents that are stuck.

use swarmyard::experiment::Experiment;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::view::FrameCache;

use super::helpers::{run, small_project};

const SCENE: &str = "Scene(format: 1, title: \"It\", groups: [Group(name: \"them\", count: 3, \
                     spawn: Grid(columns: 3, spacing: 2), behavior: \"it\")])";

fn machine(forth: &str, back: &str) -> String {
    format!(
        "return yard.machine {{ initial = 'a', states = {{ a = {{}}, b = {{}} }}, transitions = {{
           {{ from = 'a', to = 'b', label = 'forth', {forth} }}, {{ from = 'b', to = 'a', label = 'back', {back} }} }} }}"
    )
}

#[test]
fn transitions_are_counted_and_traced_and_counts_outlive_a_reload() {
    let script = machine("after = 0.5", "after = 0.5");
    let (folder, mut experiment) = small_project(SCENE, &[("scripts/machines/it.luau", &script)]);
    run(&mut experiment, 135); // 2.25 s: forth at 0.5 and 1.5 s, back at 1 and 2 s
    let key = {
        let frame = experiment.frame(&mut FrameCache::default());
        let counts: Vec<_> = frame.groups[0].transitions.iter().map(|line| (line.label.clone(), line.count)).collect();
        assert_eq!(counts, [("forth".to_owned(), 6), ("back".to_owned(), 6)]);
        assert_eq!((frame.groups[0].flapping, frame.groups[0].stuck), (0, 0));
        frame.agents.key[1]
    };
    experiment.apply(&Command::Inspect(Some(key)));
    let frame = experiment.frame(&mut FrameCache::default());
    let trace = frame.inspected.as_ref().expect("picked").trace.clone();
    let labels: Vec<_> = trace.iter().map(|line| line.label.as_str()).collect();
    assert_eq!(labels, ["forth", "back", "forth", "back"]);
    assert!(trace.windows(2).all(|pair| pair[1].tick - pair[0].tick == 30), "{trace:?}");
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());

    let file = folder.path().join("scripts/machines/it.luau");
    let other = script.replace("label = 'back', after = 0.5", "label = 'back again', after = 0.5");
    std::fs::write(file, other).expect("saved");
    experiment.reload_scripts();
    let frame = experiment.frame(&mut FrameCache::default());
    let counts: Vec<_> = frame.groups[0].transitions.iter().map(|line| (line.label.clone(), line.count)).collect();
    assert_eq!(counts, [("forth".to_owned(), 6), ("back again".to_owned(), 0)]);
}

#[test]
fn more_than_two_transitions_in_a_second_are_flapping_and_named_once() {
    let script = machine("after = 0.1", "after = 0.1");
    let (_folder, mut experiment) = small_project(SCENE, &[("scripts/machines/it.luau", &script)]);
    run(&mut experiment, 120);
    let flapping: Vec<_> = experiment.problems().iter().filter(|problem| problem.code == "flapping").collect();
    assert_eq!(flapping.len(), 1, "{:?}", experiment.problems());
    assert!(flapping[0].message.contains("forth, back, forth"), "{}", flapping[0].message);
    assert!(!experiment.faulted(), "a warning is no fault");
    assert_eq!(experiment.frame(&mut FrameCache::default()).groups[0].flapping, 3);
}

#[test]
fn a_chain_of_states_that_is_run_through_quickly_is_no_flapping() {
    let script = "return yard.machine { initial = 'a', states = { a = {}, b = {}, c = {}, d = {} }, transitions = {
        { from = 'a', to = 'b', after = 0.1 }, { from = 'b', to = 'c', after = 0.1 }, { from = 'c', to = 'd', after = 0.1 },
        { from = 'd', to = 'a', after = 1 } } }";
    let (_folder, mut experiment) = small_project(SCENE, &[("scripts/machines/it.luau", script)]);
    run(&mut experiment, 300);
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());
}

#[test]
fn who_asks_to_move_and_does_not_get_on_is_stuck() {
    let push = "return yard.behavior { control = 'velocity', step = function(agent)
        return if yard.time < 8 then vector.create(1, 0) else vector.zero end }";
    let scene = SCENE.replace("groups:", "obstacles: [Wall(name: \"wall\", from: (5, -1), to: (5, 1))], groups:");
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/behaviors/it.luau", push)]);
    let stuck = |experiment: &mut Experiment| experiment.frame(&mut FrameCache::default()).groups[0].stuck;
    run(&mut experiment, 4 * 60);
    assert_eq!(stuck(&mut experiment), 0);
    run(&mut experiment, 3 * 60 + 30);
    assert_eq!(stuck(&mut experiment), 1, "the first stands at the wall since 1 s; the others pushed on until later");
    run(&mut experiment, 60);
    assert_eq!(stuck(&mut experiment), 0, "who rests is not stuck");
}

/// The inspector shows the forces that a script computes beside the native ones, and looking changes nothing.
#[test]
fn scripted_forces_and_steps_are_seen_and_looking_leaves_no_trace() {
    let script = "return yard.behavior { memory = { n = 0 },
        step = function(agent) agent.memory.n += 1 yard.log('x') return vector.create(0, 3) end,
        forces = { separation = { weight = 1, radius = 5 },
          pull = { weight = 2, compute = function(agent) return vector.create(yard.uniform(0, 1), 0) end },
          off = { weight = 0, compute = function() return vector.one end } } }";
    let (_folder, mut looked) = small_project(SCENE, &[("scripts/behaviors/it.luau", script)]);
    let (_other, mut alone) = small_project(SCENE, &[("scripts/behaviors/it.luau", script)]);
    let mut cache = FrameCache::default();
    for _ in 0..30 {
        run(&mut looked, 1);
        run(&mut alone, 1);
        let key = looked.frame(&mut cache).agents.key[0];
        looked.apply(&Command::Inspect(Some(key)));
        let frame = looked.frame(&mut cache);
        let forces = &frame.inspected.as_ref().expect("picked").forces;
        let names: Vec<_> = forces.iter().map(|force| force.name.as_str()).collect();
        assert_eq!(names, ["step", "pull", "separation"]);
        assert_eq!(forces[0].push.y, 3.0);
        assert!(forces[1].push.x >= 0.0 && forces[1].push.x < 2.0);
    }
    assert_eq!(looked.hash(), alone.hash());
    assert_eq!(looked.log_serial(), alone.log_serial());
}
