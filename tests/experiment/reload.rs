//! Save, break, mend: the agents follow the new code and nothing restarts.

use swarmyard::experiment::{Experiment, Options};

use super::copy::copy_folder;
use super::helpers::{project, run, try_open};

fn own_project() -> (tempfile::TempDir, Experiment) {
    let folder = tempfile::tempdir().expect("a folder");
    for part in ["scripts", "scenes"] {
        copy_folder(&project().join(part), &folder.path().join(part));
    }
    let experiment =
        try_open(&folder.path().join("scenes/01_drill.ron"), Options { keep_going: true, ..Options::default() });
    (folder, experiment.unwrap_or_else(|error| panic!("{error}")))
}

fn highest_place(experiment: &Experiment) -> f64 {
    let world = experiment.world();
    let places = world.groups[0].members.iter().filter_map(|slot| world.agents.place[*slot as usize]);
    places.map(|place| place.position.y).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_saved_formation_takes_effect_where_the_agents_are() {
    let (folder, mut experiment) = own_project();
    run(&mut experiment, 9 * 60);
    assert!((highest_place(&experiment) - 2.0).abs() < 0.2, "the S-wave has its amplitude");
    let before: Vec<_> = experiment.world().agents.position.clone();
    let file = folder.path().join("scripts/formations/s_wave_lua.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    std::fs::write(&file, text.replacen("amplitude = { 2.0", "amplitude = { 4.0", 1)).expect("saved");
    experiment.reload_scripts();
    assert_eq!(experiment.world().agents.position, before, "nobody jumps");
    assert_eq!(experiment.ticks(), 9 * 60, "nothing restarts");
    assert!((highest_place(&experiment) - 4.0).abs() < 0.4, "{}", highest_place(&experiment));
    run(&mut experiment, 5 * 60);
    let report = experiment.report();
    assert_eq!(report.reloads.len(), 1);
    assert!(
        report.groups[0]
            .metrics
            .iter()
            .any(|(id, metric)| id == "slot_error_max" && metric.last.is_some_and(|last| last < 0.05))
    );
}

#[test]
fn a_broken_file_is_named_and_the_old_code_runs_on_until_it_is_mended() {
    let (folder, mut experiment) = own_project();
    run(&mut experiment, 60);
    let file = folder.path().join("scripts/machines/soldier.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    std::fs::write(&file, text.replacen("initial = \"idle\",", "initial = \"idle\"", 1)).expect("saved");
    experiment.reload_scripts();
    let problem = experiment.problems().iter().find(|problem| problem.is_error()).cloned();
    let problem = problem.expect("the break is a problem");
    assert_eq!(problem.file.as_deref(), Some("scripts/machines/soldier.luau"));
    assert!(problem.line.is_some() && problem.excerpt.is_some(), "{problem:?}");
    run(&mut experiment, 240);
    let error =
        experiment.report().groups[0].metrics.iter().find(|(id, _)| id == "slot_error").map(|(_, metric)| metric.last);
    assert!(error.flatten().is_some_and(|error| error < 0.05), "the old code runs on");
    std::fs::write(&file, text).expect("saved");
    experiment.reload_scripts();
    super::helpers::expect_no_errors(&experiment);
}

#[test]
fn state_and_memory_survive_a_reload_that_changes_nothing_else() {
    let (folder, mut experiment) = own_project();
    let mut plain = try_open(&folder.path().join("scenes/01_drill.ron"), Options::default())
        .unwrap_or_else(|error| panic!("{error}"));
    run(&mut experiment, 200);
    run(&mut plain, 200);
    let file = folder.path().join("scripts/machines/soldier.luau");
    let text = std::fs::read_to_string(&file).expect("the script");
    std::fs::write(&file, format!("{text}\n-- a comment\n")).expect("saved");
    experiment.reload_scripts();
    assert_eq!(experiment.hash(), plain.hash(), "states, timers and memory are what they were");
    run(&mut experiment, 300);
    run(&mut plain, 300);
    assert_eq!(experiment.hash(), plain.hash(), "and so is what follows");
}

/// What runs is not put out because it fails a trial: neither by a second broken save nor by a file beside it.
#[test]
fn a_second_broken_save_leaves_the_code_that_runs_with_all_it_keeps() {
    let good = "return yard.behavior { memory = { n = 0 }, step = function(agent) agent.memory.n += 1 return vector.zero end }";
    let bad = |from: u32| {
        good.replace(
            "return vector.zero",
            &format!("if agent.memory.n > {from} then local t t.x = 1 end return vector.zero"),
        )
    };
    let scene = "Scene(format: 1, title: \"t\", groups: [Group(name: \"g\", count: 2, spawn: Grid(spacing: 2), behavior: \"it\")])";
    let (folder, mut experiment) = super::helpers::small_project(scene, &[("scripts/behaviors/it.luau", good)]);
    let save = |text: &str| std::fs::write(folder.path().join("scripts/behaviors/it.luau"), text).expect("saved");
    run(&mut experiment, 10);
    save(&bad(15)); // passes its trial: nobody is beyond 15 yet
    experiment.reload_scripts();
    run(&mut experiment, 10);
    assert!(experiment.faulted(), "it broke on the way");
    let hash = experiment.hash();
    save(&bad(14));
    experiment.reload_scripts();
    assert_eq!(experiment.hash(), hash, "nothing that is kept has changed");
    save(good);
    experiment.reload_scripts();
    assert_eq!(experiment.hash(), hash, "memory and state are those of before");
    let before: Vec<_> = experiment.problems().iter().filter(|problem| problem.is_error()).collect();
    assert!(before.is_empty(), "{before:?}");
}

/// A run that stands still does not show a fault again, so saving another file must not hide it.
#[test]
fn a_fault_stays_listed_until_its_own_file_is_mended() {
    let faulty = "return yard.behavior { memory = { n = 0 }, step = function(agent) agent.memory.n += 1 if agent.memory.n > 3 then error(\"gone\") end return vector.zero end }";
    let fine = "return yard.behavior { step = function(agent) return vector.zero end }";
    let scene = "Scene(format: 1, title: \"t\", groups: [Group(name: \"g\", count: 2, spawn: Grid(spacing: 2), behavior: \"it\"), \
                 Group(name: \"h\", count: 1, spawn: Grid(at: (9, 9)), behavior: \"other\")])";
    let files = [("scripts/behaviors/it.luau", faulty), ("scripts/behaviors/other.luau", fine)];
    let (folder, mut experiment) = super::helpers::small_project(scene, &files);
    let save = |name: &str, text: &str| {
        std::fs::write(folder.path().join("scripts/behaviors").join(name), text).expect("saved");
    };
    let faults = |experiment: &Experiment| experiment.problems().iter().filter(|p| p.callback.is_some()).count();
    run(&mut experiment, 10);
    let before = faults(&experiment);
    assert!(before > 0, "it faults");
    save("other.luau", "return yard.behavior {");
    experiment.reload_scripts();
    assert_eq!(faults(&experiment), before, "another file is broken, and this one faults as before");
    save("other.luau", fine);
    save("it.luau", &faulty.replace("error(\"gone\")", "agent.memory.n = 0"));
    experiment.reload_scripts();
    assert_eq!(faults(&experiment), 0, "what faulted was loaded anew");
    run(&mut experiment, 10);
    super::helpers::expect_no_errors(&experiment);
}
