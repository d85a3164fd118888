//! Orders: formations and marches that arrive with the network, and who follows which.

use glam::DVec3;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::view::FrameCache;
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{expect_no_errors, open, open_with, run, small_project};

const FOLLOWER: &str =
    "return yard.machine { control = 'velocity', initial = 'deaf', states = { deaf = {}, told = {} },
  forces = { track_slot = { k1 = 3, kd = 0.5 } },
  transitions = { { from = 'deaf', to = 'told', on = 'form_up' }, { from = 'told', to = 'deaf', on = 'halt' } } }";

fn scene(more: &str, schedule: &str) -> String {
    format!(
        "Scene(format: 1, title: \"It\", seed: 3, groups: [Group(name: \"them\", count: 4, \
         spawn: Grid(columns: 4, spacing: 1.2), behavior: \"it\", formation: (name: \"line\"){more})], \
         schedule: [{schedule}])"
    )
}

fn opened(more: &str, schedule: &str) -> (tempfile::TempDir, Experiment) {
    small_project(&scene(more, schedule), &[("scripts/machines/it.luau", FOLLOWER)])
}

/// Where the places are that agents believe in: y of each, none without a place.
fn places(experiment: &Experiment) -> Vec<Option<f64>> {
    experiment.world().agents.place.iter().map(|place| place.map(|place| place.position.y)).collect()
}

const FORM: &str = "At(1, Form(group: \"them\", formation: \"line\", pose: (at: (0, 1))))";

#[test]
fn without_a_network_everybody_follows_at_once() {
    let (_folder, mut experiment) = opened("", FORM);
    assert_eq!(places(&experiment), [Some(0.0); 4]);
    run(&mut experiment, 61);
    assert_eq!(places(&experiment), [Some(1.0); 4]);
}

#[test]
fn a_place_arrives_with_its_order_and_not_before() {
    let more = ", network: (delay: 0.1), agents: {\"2\": {\"network.delay\": 0.3}}, contract: (spacing: 0.05)";
    let (_folder, mut experiment) = opened(more, FORM);
    assert_eq!(places(&experiment), [None; 4], "nobody has heard of the first formation yet");
    run(&mut experiment, 60);
    assert_eq!(places(&experiment), [Some(0.0); 4]);
    run(&mut experiment, 12);
    assert_eq!(
        places(&experiment),
        [Some(1.0), Some(0.0), Some(1.0), Some(1.0)],
        "the second hears 0.3 s after the order"
    );
    let error = |experiment: &mut Experiment| {
        let report = experiment.report();
        report.groups[0].metrics.iter().find(|(id, _)| id == "slot_error_max").and_then(|(_, run)| run.last)
    };
    assert!(error(&mut experiment).is_some_and(|error| error > 0.9), "it is judged by the place it ought to have");
    run(&mut experiment, 10);
    assert_eq!(places(&experiment), [Some(1.0); 4]);
    let latency = |slot| experiment.world().latency(slot);
    assert!((latency(0) - 0.1).abs() < 1e-9 && (latency(1) - 0.3).abs() < 1e-9);
}

#[test]
fn an_older_order_that_comes_late_is_dropped() {
    // The order of 1.0 s is sent again until it gets through; that of 1.05 s may overtake it.
    let schedule = "At(1, Form(group: \"them\", formation: \"line\", pose: (at: (0, 1)))), \
                    At(1.05, Form(group: \"them\", formation: \"line\", pose: (at: (0, 2))))";
    let mut overtaken = 0;
    for seed in 0..12 {
        let text =
            scene(", network: (delay: 0.15, jitter: 0.15)", schedule).replace("seed: 3", &format!("seed: {seed}"));
        let (_folder, mut experiment) = small_project(&text, &[("scripts/machines/it.luau", FOLLOWER)]);
        let mut seen: Vec<Vec<Option<f64>>> = Vec::new();
        for _ in 0..120 {
            run(&mut experiment, 1);
            seen.push(places(&experiment));
        }
        assert_eq!(places(&experiment), [Some(2.0); 4]);
        for agent in 0..4 {
            let ys: Vec<f64> = seen.iter().filter_map(|places| places[agent]).collect();
            assert!(ys.windows(2).all(|pair| pair[1] >= pair[0]), "never back to an older order: {ys:?}");
            overtaken += usize::from(!ys.contains(&1.0));
        }
    }
    assert!(overtaken > 0, "with this jitter some orders overtake others");
}

#[test]
fn who_is_offline_is_out_of_the_contract_until_it_answers() {
    let more = ", network: (delay: 0.02), agents: {\"3\": {\"network.loss\": 1.0}}, contract: (spacing: 0.05, cross_track: 0.05)";
    let (_folder, mut experiment) = opened(more, FORM);
    run(&mut experiment, 400);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("it has one");
    assert!(contract.ok, "{contract:?}");
    let network = report.groups[0].network.as_ref().expect("it has one");
    assert_eq!((&network.offline[..], network.messages, network.delivered), (&[3.0][..], 8, 6));
    assert_eq!(places(&experiment)[2], None, "it never heard of any");
}

#[test]
fn a_march_takes_the_frame_along_and_feeds_its_speed_forward() {
    let schedule = "At(0.5, March(group: \"them\", speed: 1.2)), At(4, March(group: \"them\", speed: 0))";
    let (_folder, mut experiment) = opened("", schedule);
    run(&mut experiment, 30 + 60 * 3);
    let agents = &experiment.world().agents;
    let place = agents.place[0].expect("a place");
    // A second to 1.2 m/s at 1 m/s², then 1.8 s at full speed.
    assert!((place.velocity - DVec3::X * 1.2).length() < 1e-9, "{}", place.velocity);
    assert!((agents.position[0].x - (0.72 + 1.8 * 1.2)).abs() < 0.05, "{}", agents.position[0].x);
    assert!(agents.position[0].distance(place.position) < 0.01);
    run(&mut experiment, 240);
    let agents = &experiment.world().agents;
    let place = agents.place[0].expect("a place");
    assert!(place.velocity == DVec3::ZERO && agents.position[0].distance(place.position) < 0.005);
    assert!((place.position.x - (3.5 * 1.2)).abs() < 0.05, "{}", place.position.x);
    expect_no_errors(&experiment);
}

#[test]
fn a_wheel_turns_places_about_the_frame() {
    let schedule = "At(0, March(group: \"them\", speed: 1.2, turn_deg: 45, acceleration: 100))";
    let (_folder, mut experiment) = opened("", schedule);
    run(&mut experiment, 5);
    let before = experiment.world().agents.place.clone();
    run(&mut experiment, 1);
    for (before, after) in before.iter().zip(&experiment.world().agents.place) {
        let (before, after) = (before.expect("a place"), after.expect("a place"));
        assert!((before.turn_rate - 45_f64.to_radians()).abs() < 1e-12);
        assert!((before.heading + before.turn_rate / 60.0 - after.heading).abs() < 1e-9);
        let moved = (after.position - before.position) * 60.0;
        assert!((moved - before.velocity).length() < 0.02, "{moved} {}", before.velocity);
    }
}

#[test]
fn one_who_has_not_heard_the_halt_marches_on() {
    let more = ", network: (delay: 0.05), agents: {\"4\": {\"network.delay\": 1.0}}";
    let schedule = "At(2, March(group: \"them\", speed: 1)), At(6, March(group: \"them\", speed: 0, acceleration: 10))";
    let (_folder, mut experiment) = opened(more, schedule);
    run(&mut experiment, 60 * 6 + 50);
    let x = |experiment: &Experiment, slot: usize| experiment.world().agents.place[slot].expect("a place").velocity.x;
    assert_eq!((x(&experiment, 0), x(&experiment, 3)), (0.0, 1.0));
    run(&mut experiment, 30);
    assert_eq!(x(&experiment, 3), 0.0);
}

#[test]
fn marching_formations_are_equal_run_for_run_and_for_any_thread_count() {
    let hash = |threads| {
        let mut experiment = open_with("scenes/15_reference.ron", Options { threads, ..Options::default() });
        run(&mut experiment, 60 * 20);
        experiment.hash()
    };
    assert_eq!(hash(1), hash(2));
}

/// The reference drill: lag 0.2 s, dead time 80–160 ms, steps ±5 %.
#[test]
fn the_reference_drill_keeps_its_figures() {
    let mut experiment = open("scenes/15_reference.ron");
    let mut worst: f64 = 0.0;
    let mut sd: f64 = 0.0;
    for tick in 1..=60 * 34 {
        run(&mut experiment, 1);
        // The second half of the march: what is left is the steady error.
        if (60 * 24..60 * 29).contains(&tick) {
            let report = experiment.report();
            let last = |name: &str| {
                let found = report.groups[0].metrics.iter().find(|(id, _)| id == name);
                found.and_then(|(_, run)| run.last).expect("measured")
            };
            worst = worst.max(last("slot_error_max"));
            sd = sd.max(last("heading_sd"));
        }
    }
    assert!(worst <= 0.023, "{worst} m");
    assert!(sd <= 3_f64.to_radians(), "{sd}");
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("it has one");
    for settle in contract.settles.iter().filter(|settle| settle.command.starts_with("form")) {
        assert!(settle.took.is_some_and(|took| took <= 1.2), "{settle:?}");
    }
    assert!(contract.ok, "{contract:?}");
    expect_no_errors(&experiment);
}

#[test]
fn a_command_counts_what_it_costs() {
    let (_folder, mut experiment) = opened("", FORM);
    run(&mut experiment, 60);
    experiment.apply(&Command::SendEvent { group: "them".to_owned(), name: "halt".to_owned(), value: None });
    run(&mut experiment, 30);
    let commands = experiment.report().groups.remove(0).commands;
    assert_eq!(commands.iter().map(|count| count.command.as_str()).collect::<Vec<_>>(), ["form line", "form line"]);
    assert_eq!(commands[0].position_checks, 4 * 60, "four agents, sixty ticks");
    assert_eq!(commands[0].collision_predictions, 0, "nobody moved");
    assert_eq!(commands[1].position_checks, 4 * 30);
    assert!(commands[1].collision_predictions > 0 && commands[1].predicted_hits == 0, "{commands:?}");
}

#[test]
fn row_column_wave_and_arc_change_the_contract_and_nothing_else() {
    let schedule = "At(1, Form(group: \"drill\", formation: \"column\")), At(12, Form(group: \"drill\", formation: \"row\")), \
        At(24, Form(group: \"drill\", formation: \"s_wave\", params: {\"amplitude\": 1})), \
        At(36, Form(group: \"drill\", formation: \"arc\", params: {\"radius\": 6}))";
    let scene = format!(
        "Scene(format: 1, title: \"It\", duration: 48, groups: [Group(name: \"drill\", count: 12, \
         spawn: Grid(columns: 12, spacing: 1.2), body: (radius: 0.2, max_speed: 2.4, max_acceleration: 6, lag: 0.2, dead_time: 0.12), \
         behavior: \"soldier\", formation: (name: \"line\"), \
         contract: (spacing: 0.05, cross_track: 0.05, heading_deg: 3, settle: 1.2, aligned: Projection, aligned_limit: 0.01))], \
         schedule: [{schedule}])"
    );
    let soldier = include_str!("../../scripts/machines/soldier.luau");
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/machines/soldier.luau", soldier)]);
    run(&mut experiment, 48 * 60);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("it has one");
    assert_eq!(contract.settles.len(), 5);
    assert!(contract.ok && contract.settles.iter().all(|settle| settle.took.is_some()), "{contract:?}");
    let base = experiment.frame(&mut FrameCache::default()).groups[0].formation.clone().expect("it forms").base_line;
    assert!(base.is_some());
}

/// R035: another state is one entry and its lines in the script.
#[test]
fn saluting_is_one_more_state_in_the_script() {
    let soldier = include_str!("../../scripts/machines/soldier.luau")
        .replace("    dressing = {},\n", "    dressing = {},\n    saluting = {},\n")
        .replace("  transitions = {\n", "  transitions = {\n    { from = \"any\", to = \"saluting\", on = \"salute\" },\n    { from = \"saluting\", to = \"aligning\", after = 1.0 },\n");
    assert!(soldier.contains("saluting = {}") && soldier.contains("on = \"salute\""));
    let scene = "Scene(format: 1, title: \"It\", duration: 6, groups: [Group(name: \"drill\", count: 3, \
         spawn: Grid(columns: 3, spacing: 1.2), behavior: \"soldier\", formation: (name: \"line\"))], \
         schedule: [At(2, Send(to: \"drill\", name: \"salute\"))])";
    let (_folder, mut experiment) = small_project(scene, &[("scripts/machines/soldier.luau", &soldier)]);
    let mut states = Vec::new();
    for _ in 0..5 * 60 {
        run(&mut experiment, 1);
        let state = experiment.agent_rows().next().expect("an agent").state;
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    assert_eq!(states, ["moving", "aligning", "stabilizing", "saluting", "aligning", "stabilizing"]);
    expect_no_errors(&experiment);
}

#[test]
fn a_drag_is_one_command_that_counts_from_its_end() {
    let (_folder, mut experiment) = opened(", contract: (spacing: 0.05, cross_track: 0.05, settle: 1.2)", "");
    run(&mut experiment, 60);
    for step in 1..=30 {
        let at = DVec3::new(0.0, f64::from(step) * 0.01, 0.0);
        let group = "them".to_owned();
        experiment.apply(&Command::MoveFormation { group, at, turn: 0.0, last: step == 30 });
        run(&mut experiment, 1);
    }
    run(&mut experiment, 120);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("it has one");
    let commands: Vec<&str> = contract.settles.iter().map(|settle| settle.command.as_str()).collect();
    assert_eq!(commands, ["form line", "move"]);
    assert_eq!(contract.settles[1].tick, 60 + 29, "from the last step of the drag");
    assert!(contract.ok, "{contract:?}");
}

#[test]
fn a_wheel_that_no_body_can_follow_is_a_warning() {
    let schedule = "At(0, March(group: \"them\", speed: 1.2, turn_deg: 90))";
    let (_folder, mut experiment) = opened("", schedule);
    run(&mut experiment, 2);
    let found: Vec<&str> = experiment.problems().iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(found.iter().filter(|code| **code == "too-fast").count(), 1, "{found:?}");
    let (_folder, mut experiment) = opened("", &schedule.replace("90", "5"));
    run(&mut experiment, 2);
    assert!(experiment.problems().iter().all(|problem| problem.code != "too-fast"));
}

/// An order that is still on its way when the next is given is followed from when it arrives.
#[test]
fn an_order_on_its_way_is_kept_when_another_is_given() {
    let schedule = "At(5, Form(group: \"them\", formation: \"line\", pose: (at: (0, 10)))), \
                    At(7, Form(group: \"them\", formation: \"line\", pose: (at: (0, -10))))";
    let (_folder, mut experiment) = opened(", network: (delay: 3, timeout: 10)", schedule);
    run(&mut experiment, 60 * 9);
    assert_eq!(places(&experiment), [Some(10.0); 4], "the first order came at 8 s, the second comes at 10 s");
    run(&mut experiment, 61);
    assert_eq!(places(&experiment), [Some(-10.0); 4]);
}

#[test]
fn a_march_ordered_every_tick_over_a_network_moves_them() {
    let director = "return yard.director { tick = function(world) world:march('them', 1.1, 0) end }";
    let text = scene(", network: (delay: 0.1)", "").replace("schedule:", "directors: [\"mad\"], schedule:");
    let scripts = [("scripts/machines/it.luau", FOLLOWER), ("scripts/directors/mad.luau", director)];
    let (_folder, mut experiment) = small_project(&text, &scripts);
    run(&mut experiment, 300);
    let place = experiment.world().agents.place[0].expect("it heard of an order");
    assert_eq!(place.velocity.x, 1.1, "in f64, as it was written");
    assert!(experiment.world().agents.position[0].x > 2.0);
}

#[test]
fn where_nobody_is_judged_nothing_holds() {
    let more = ", network: (loss: 1), contract: (spacing: 0.05, cross_track: 0.05, settle: 1.2)";
    let (_folder, mut experiment) = opened(more, FORM);
    run(&mut experiment, 300);
    let report = experiment.report();
    let contract = report.groups[0].contract.as_ref().expect("it has one");
    assert!(!contract.ok && contract.settled_at.is_none(), "{contract:?}");
}
