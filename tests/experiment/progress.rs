//! The watchdog of progress: it fires within 5 s in a trap, hears nobody who gets on, and what frees an agent is heard too.

use swarmyard::experiment::progress::ProgressRun;
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{expect_no_errors, open, open_with, run, small_project};

fn progress(experiment: &mut Experiment) -> Option<ProgressRun> {
    experiment.report().groups[0].progress
}

/// F22: in a U-trap and before a gap of two pillars each walker is found stuck within 5 s of its last progress, and following the
/// wall frees it.
#[test]
fn the_watchdog_fires_within_five_seconds_and_the_wall_frees() {
    let mut experiment = open("scenes/34_traps.ron");
    let goal = glam::DVec3::new(12.0, 0.0, 0.0);
    // The nearest that each came so far, and the tick of that.
    let mut best = [(f64::INFINITY, 0_u64); 3];
    let mut heard = 0;
    while experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        let world = experiment.world();
        for (slot, best) in best.iter_mut().enumerate() {
            let distance = world.agents.position[slot].distance(goal);
            if distance < best.0 - 0.1 {
                *best = (distance, world.tick);
            }
            for event in world.events_for(slot as u32).iter().filter(|event| event.name == "stuck") {
                heard += 1;
                let waited = (world.tick - best.1) as f64 * world.dt();
                assert!(waited <= 5.0, "agent {} waited {waited} s for the watchdog", event.to);
                assert!(waited >= 2.5, "agent {} is found stuck after {waited} s", event.to);
            }
        }
    }
    expect_no_errors(&experiment);
    let run = progress(&mut experiment).expect("somebody was stuck");
    assert_eq!((run.stuck, run.freed, run.now), (heard, heard, 0), "{run:?}");
    assert!(heard >= 2, "both in the U were stuck");
    assert!(run.first_at.is_some_and(|at| at < 20.0) && run.longest > 5.0, "{run:?}");
}

/// Without patience nobody follows the wall: the watchdog fires all the same, and nobody is freed.
#[test]
fn who_does_not_follow_the_wall_stays_stuck() {
    let sets = vec![("walkers.seek_goal.patience".to_owned(), "0".to_owned())];
    let mut experiment = open_with("scenes/34_traps.ron", Options { sets, ..Options::default() });
    run(&mut experiment, 40 * 60);
    let run = progress(&mut experiment).expect("somebody is stuck");
    assert!(run.now >= 2 && run.freed < run.stuck && run.longest > 15.0, "{run:?}");
}

#[test]
fn who_gets_on_is_not_stuck() {
    for scene in ["scenes/36_forest.ron", "scenes/33_drone_show.ron", "scenes/01_drill.ron"] {
        let mut experiment = open(scene);
        run(&mut experiment, 25 * 60);
        assert_eq!(progress(&mut experiment), None, "{scene}");
    }
}

/// A machine hears `stuck` with the seconds, and `freed`: here it makes its own way out, over the wall's end.
#[test]
fn a_machine_hears_that_it_is_stuck_and_freed() {
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 40, obstacles: [Wall(from: (3, -3), to: (3, 3))], groups: [Group(name: \"a\", spawn: Points([(0, 0)]), body: (radius: 0.25, max_speed: 1.5), behavior: \"clever\", goal: (6, 0))])";
    let machine = "return yard.machine {
  memory = { waited = 0.0, freed = 0.0 },
  initial = 'straight',
  forces = { obstacle = { weight = 1, tangent = 0 } },
  states = {
    straight = { forces = { seek_goal = { weight = 1, patience = 0 } } },
    around = { forces = { arrive = { weight = 1, target = vector.create(3, 5, 0) } },
      enter = function(agent, _, event) agent.memory.waited = event.value end },
  },
  transitions = {
    { from = 'straight', to = 'around', on = 'stuck' },
    { from = 'around', to = 'straight', after = 6 },
    { from = 'straight', to = 'straight', on = 'freed' },
  },
}";
    let (_folder, mut experiment) = small_project(scene, &[("scripts/machines/clever.luau", machine)]);
    let mut states = Vec::new();
    for _ in 0..40 * 60 {
        experiment.tick();
        let state = experiment.agent_rows().next().expect("one agent").state;
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    expect_no_errors(&experiment);
    assert_eq!(states, ["straight", "around", "straight"]);
    assert!(experiment.world().agents.position[0].distance(glam::DVec3::new(6.0, 0.0, 0.0)) < 0.3);
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());
    assert!(experiment.log_lines().any(|line| line.source == "watchdog" && line.text.contains("comes no nearer")));
}
