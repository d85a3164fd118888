//! The machine `follower` and its scenes: times to the tick, speeds, history, the door, the birds (R209–R215, R219).

use glam::DVec3;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{expect_no_errors, open, open_with, project, run, small_project};

fn follower() -> String {
    std::fs::read_to_string(project().join("scripts/machines/follower.luau")).expect("it is shipped")
}

fn alone(rest: &str) -> (tempfile::TempDir, Experiment) {
    let scene = format!(
        "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [Group(name: \"f\", spawn: Points([(0, 0)]), body: (radius: 0.3, max_speed: 10, max_acceleration: 10), behavior: \"follower\"{rest})"
    );
    small_project(&format!("{scene}])"), &[("scripts/machines/follower.luau", &follower())])
}

fn state(experiment: &Experiment, row: usize) -> String {
    experiment.agent_rows().nth(row).expect("it lives").state
}

fn tell(experiment: &mut Experiment, name: &str) {
    experiment.apply(&Command::SendEvent { group: "f".to_owned(), name: name.to_owned(), value: None });
}

/// R213: IDLE for 2.0 s, then WANDERING with a target within ±10 m that is a new one after 5.0 s; the timer starts anew on each change.
#[test]
fn idle_and_wandering_change_at_their_times_to_the_tick() {
    // So slow that it never arrives.
    let (_folder, mut experiment) = alone(", set: {\"speed\": 0.01}");
    let mut changes = Vec::new();
    let mut last = (String::new(), None);
    for tick in 0..=121 + 3 * 300 {
        experiment.tick();
        let now = (state(&experiment, 0), experiment.world().agents.goal[0]);
        if now != last {
            changes.push((tick, now.0.clone(), now.1));
            last = now;
        }
    }
    expect_no_errors(&experiment);
    let states: Vec<(i32, &str)> = changes.iter().map(|(tick, state, _)| (*tick, state.as_str())).collect();
    // What `go` asks for is done before the next tick.
    assert_eq!(states[0], (0, "calm.idle"));
    assert_eq!(states[1], (120, "calm.wandering"), "2.0 s after birth");
    let targets: Vec<i32> = changes
        .iter()
        .filter(|(_, state, goal)| state == "calm.wandering" && goal.is_some())
        .map(|(tick, ..)| *tick)
        .collect();
    assert_eq!(targets, [121, 421, 721, 1021], "a new target every 5.0 s");
    for (_, _, goal) in &changes {
        if let Some(goal) = goal {
            assert!(goal.abs().max_element() <= 10.0 + 0.2, "{goal}");
        }
    }
}

/// R213: on arrival the next target comes at once.
#[test]
fn a_wanderer_that_arrives_goes_on_at_once() {
    let (_folder, mut experiment) = alone("");
    let mut arrivals = 0;
    for _ in 0..60 * 40 {
        experiment.tick();
        let world = experiment.world();
        arrivals += world.events_for(0).iter().filter(|event| event.name == "target_reached").count();
    }
    expect_no_errors(&experiment);
    let report = experiment.report();
    let taken =
        |label: &str| report.groups[0].transitions.iter().find(|(name, _)| name == label).map_or(0, |(_, n)| *n);
    assert!(arrivals >= 5, "{arrivals} arrivals in 40 s");
    assert!(arrivals as u64 - taken("arrived") <= 1, "{arrivals} arrivals, {} new targets", taken("arrived"));
}

/// R214: 8 m/s in flight, at most 5 otherwise; E61: whoever has arrived stands.
#[test]
fn who_flees_is_faster_and_who_has_arrived_stands() {
    let (_folder, mut experiment) = alone("");
    let mut fastest = 0.0_f64;
    for _ in 0..1200 {
        experiment.tick();
        fastest = fastest.max(experiment.world().agents.velocity[0].length());
    }
    assert!((4.5..=5.0 + 1e-6).contains(&fastest), "{fastest} m/s at most");
    let ahead = experiment.world().agents.forward(0);
    tell(&mut experiment, "alarm");
    run(&mut experiment, 90);
    assert_eq!(state(&experiment, 0), "fleeing");
    let velocity = experiment.world().agents.velocity[0];
    assert!(
        (velocity.length() - 8.0).abs() < 1e-3 && velocity.dot(ahead) > 7.9,
        "{velocity}, away from what is behind"
    );
    tell(&mut experiment, "all_clear");
    run(&mut experiment, 12);
    assert_eq!(state(&experiment, 0), "calm.wandering", "ten ticks later it is back at what it did");
    expect_no_errors(&experiment);

    let (_folder, mut experiment) = alone("");
    run(&mut experiment, 60);
    assert_eq!(experiment.world().agents.velocity[0], DVec3::ZERO, "an idle one stands");
}

/// Hysteresis: at the edge of its fear a follower changes its state seldom, and comes back to where it was.
#[test]
fn fear_has_two_distances_and_ends_where_it_began() {
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [\
        Group(name: \"chief\", spawn: Points([(0, 0)]), body: (max_speed: 1), behavior: \"chief\"),\
        Group(name: \"f\", spawn: Points([(-3, 0)]), body: (radius: 0.3, max_speed: 10, max_acceleration: 10), behavior: \"follower\", leader: \"chief\", set: {\"threat\": \"wolf\", \"fright\": 6, \"calm\": 9}),\
        Group(name: \"wolf\", spawn: Points([(-14, 0)]), body: (max_speed: 3, max_acceleration: 9), behavior: \"wolf\")],\
        schedule: [At(1, Send(to: \"f\", name: \"follow\"))])";
    let chief = "return yard.behavior { about = \"stands\" }";
    // Comes near, stays for 3 s, and goes.
    let wolf = "return yard.behavior { control = \"velocity\", step = function(agent)
      local x = if yard.time < 8 then -7 else -30
      return yard.desired.arrive(agent, vector.create(x, 0, 0)) end }";
    let (_folder, mut experiment) = small_project(
        scene,
        &[
            ("scripts/machines/follower.luau", &follower()),
            ("scripts/behaviors/chief.luau", chief),
            ("scripts/behaviors/wolf.luau", wolf),
        ],
    );
    let mut states: Vec<String> = Vec::new();
    for _ in 0..60 * 25 {
        experiment.tick();
        let now = state(&experiment, 1);
        if states.last() != Some(&now) {
            states.push(now);
        }
    }
    expect_no_errors(&experiment);
    assert_eq!(states.first().map(String::as_str), Some("calm.idle"));
    assert_eq!(states.last().map(String::as_str), Some("calm.following"), "{states:?}");
    let flights = states.iter().filter(|state| *state == "fleeing").count();
    assert!((1..=3).contains(&flights), "{states:?}");
    // Every flight is followed by what came before it.
    for window in states.windows(3).filter(|window| window[1] == "fleeing") {
        assert_eq!(window[0], window[2], "{states:?}");
    }
}

/// An order that comes in flight is done after it.
#[test]
fn an_order_in_flight_is_remembered() {
    let (_folder, mut experiment) = alone("");
    run(&mut experiment, 10);
    tell(&mut experiment, "alarm");
    run(&mut experiment, 30);
    tell(&mut experiment, "follow");
    run(&mut experiment, 30);
    assert_eq!(state(&experiment, 0), "fleeing");
    tell(&mut experiment, "all_clear");
    run(&mut experiment, 15);
    assert_eq!(state(&experiment, 0), "calm.following");
    expect_no_errors(&experiment);
}

/// R219: twenty birds stay together, hold their height, do not collide, and each keeps its own rate.
#[test]
fn twenty_birds_stay_together_and_do_not_collide() {
    let mut experiment = open("scenes/60_birds_004.ron");
    let mut nearest = f64::INFINITY;
    let mut seen = std::collections::BTreeSet::new();
    let (mut widest, mut fastest) = (0.0_f64, 0.0_f64);
    while experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        let world = experiment.world();
        let at = &world.agents.position[..20];
        for (i, a) in at.iter().enumerate() {
            for b in &at[i + 1..] {
                nearest = nearest.min(a.distance(*b));
            }
        }
        fastest = world.agents.velocity[..20].iter().map(|v| v.length()).fold(fastest, f64::max);
        let middle = at.iter().sum::<DVec3>() / 20.0;
        if world.tick > 120 {
            let spread = at.iter().map(|a| a.distance(middle)).sum::<f64>() / 20.0;
            widest = widest.max(spread);
        }
        seen.extend(experiment.agent_rows().take(20).map(|row| row.state));
    }
    expect_no_errors(&experiment);
    assert!(nearest > 0.6 - 1e-3, "{nearest} m between two birds of 0.3 m");
    assert!(widest < 20.0, "on average {widest} m from the middle");
    assert!(fastest > 5.0 + 1e-6 && fastest <= 8.0 + 1e-6, "{fastest} m/s");
    let all = ["calm.following", "calm.formation", "calm.idle", "calm.wandering", "fleeing"];
    assert_eq!(seen.iter().map(String::as_str).collect::<Vec<_>>(), all);
    let low = experiment.world().agents.position[..20].iter().map(|at| at.z).fold(f64::INFINITY, f64::min);
    assert!(low > 4.0, "{low} m over the ground");
}

/// Eight in a V go through a door of 1.2 m: nobody touches, nobody is stuck, the contract breaks at the door and settles again.
#[test]
fn a_v_goes_through_a_door_and_forms_up_again() {
    let mut experiment = open("scenes/62_through_the_door.ron");
    let mut nearest = f64::INFINITY;
    let mut narrowest = f64::INFINITY;
    let mut held = Vec::new();
    while experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        let world = experiment.world();
        let at = &world.agents.position;
        for (i, a) in at.iter().enumerate() {
            for b in &at[i + 1..] {
                nearest = nearest.min(a.distance(*b));
            }
        }
        let gaps = at.iter().map(|at| world.obstacles.clearance(*at) - 0.25);
        narrowest = gaps.fold(narrowest, f64::min);
        if experiment.ticks().is_multiple_of(60) {
            let report = experiment.report();
            held.push(report.groups[1].contract.as_ref().is_some_and(|contract| contract.ok));
        }
    }
    expect_no_errors(&experiment);
    let stuck: Vec<_> = experiment.problems().iter().filter(|problem| problem.code == "stuck").collect();
    assert!(stuck.is_empty(), "{stuck:?}");
    assert!(nearest > 0.5 - 0.01, "two bodies of 0.25 m were {nearest} m apart");
    assert!(narrowest > -0.01, "{narrowest} m into a wall");
    let world = experiment.world();
    assert!(world.agents.position.iter().all(|at| at.x > 2.0), "all are through: {:?}", world.agents.position);
    let first = held.iter().position(|ok| *ok).expect("it forms up before the door");
    let broken = held[first..].iter().position(|ok| !*ok).expect("the door breaks it") + first;
    assert!(held[broken..].iter().any(|ok| *ok), "{held:?}");
    assert!(held.ends_with(&[true, true, true]), "{held:?}");
}

/// Visitors flee the intruder and the alarm, and go back to what they did.
#[test]
fn visitors_flee_and_come_back() {
    let mut experiment = open_with("scenes/61_patrol_and_flee.ron", Options::default());
    let fleeing = |experiment: &Experiment| experiment.agent_rows().filter(|row| row.state == "fleeing").count();
    run(&mut experiment, 9 * 60);
    assert_eq!(fleeing(&experiment), 0, "nobody is there to flee from");
    let mut most = 0;
    for _ in 9 * 60..20 * 60 {
        experiment.tick();
        most = most.max(fleeing(&experiment));
    }
    assert!(most >= 3, "{most} fled from the intruder");
    run(&mut experiment, 8 * 60);
    assert_eq!(fleeing(&experiment), 24, "an alarm is for all");
    run(&mut experiment, 10 * 60);
    assert!(fleeing(&experiment) <= 2, "{} still flee", fleeing(&experiment));
    expect_no_errors(&experiment);
}
