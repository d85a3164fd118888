//! The machines of drone and fish: every state is entered and left, thresholds do not chatter, and what the texts ask for is so.

use glam::DVec3;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::AgentKey;
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{expect_no_errors, open, open_with, project, run, small_project};

fn read(file: &str) -> String {
    std::fs::read_to_string(project().join(file)).expect("it is shipped")
}

fn taken(experiment: &mut Experiment, group: usize, label: &str) -> u64 {
    let transitions = experiment.report().groups[group].transitions.clone();
    let found = transitions.iter().find(|(name, _)| name == label);
    found.unwrap_or_else(|| panic!("no line {label} in {transitions:?}")).1
}

/// R089, E20: FLOCK, FORM, AVOID and RETURN are all seen; RETURN is entered by a low battery and left again; nobody touches.
#[test]
fn all_four_states_of_a_drone_are_seen() {
    let mut experiment = open("scenes/41_drone_states.ron");
    let mut seen: Vec<String> = Vec::new();
    let mut trunk = f64::INFINITY;
    while experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        for row in experiment.agent_rows() {
            if !seen.contains(&row.state) {
                seen.push(row.state);
            }
        }
        let world = experiment.world();
        let gaps = world.agents.position.iter().map(|at| world.obstacles.clearance(*at) - 0.3);
        trunk = gaps.fold(trunk, f64::min);
    }
    expect_no_errors(&experiment);
    seen.sort();
    assert_eq!(seen, ["avoid", "flock", "form", "go_home"]);
    let home = taken(&mut experiment, 0, "battery low") + taken(&mut experiment, 0, "clear, battery low");
    assert!(home >= 8, "{home} went home");
    let back = taken(&mut experiment, 0, "charged, back to its place");
    assert!(back >= 7, "{back} of 8 came back");
    assert!(trunk > 0.0, "{trunk} m from a trunk");
    // Chatter of thresholds is counted in switches per agent and second, R029 and E29.
    let switching =
        experiment.report().groups[0].metrics.iter().find(|(id, _)| id == "switching").map(|(_, run)| run.mean);
    assert!(switching.flatten().is_some_and(|mean| mean <= 0.5), "{switching:?} Hz");
    assert!(experiment.problems().iter().all(|problem| problem.code != "flapping"), "{:?}", experiment.problems());
}

/// A drone is put where it is in danger by just so much, with noise on the obstacle force.
fn edge_of_danger(machine: &str) -> f64 {
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 30, obstacles: [Disc(at: (0, 0), radius: 1)], groups: [Group(name: \"d\", spawn: Points([(5.05, 0), (-5.1, 0), (0, 5.15), (0, -5.25)]), body: (radius: 0.3, max_speed: 4), behavior: \"drone\")])";
    // Held where it is, and the danger made uncertain by a tenth.
    let text = machine
        .replace("m.danger = vector.magnitude(m.push)", "m.danger = vector.magnitude(m.push) + yard.normal(0, 0.05)");
    assert_ne!(text, machine);
    let text = text.replace("initial = \"flock\",", "initial = \"flock\", limits = { max_speed = 0 },");
    let (_folder, mut experiment) = small_project(scene, &[("scripts/machines/drone.luau", &text)]);
    run(&mut experiment, 30 * 60);
    expect_no_errors(&experiment);
    let count: u64 = experiment.report().groups[0].transitions.iter().map(|(_, count)| *count).sum();
    count as f64 / (4.0 * 30.0)
}

/// E29: with noise on the obstacle force the two thresholds and the hold keep it to 0.5 switches per second; one threshold
/// without a hold chatters.
#[test]
fn a_noisy_obstacle_force_makes_no_chatter() {
    let machine = read("scripts/machines/drone.luau");
    let held = edge_of_danger(&machine);
    let hasty = machine.replace("danger = \"p.leave\"", "danger = \"p.enter\"").replace("hold = 5", "hold = 1");
    let hasty = edge_of_danger(&hasty);
    assert!(held <= 0.5, "{held} switches per second");
    assert!(hasty > 5.0 * held.max(0.2), "one threshold: {hasty} switches per second");
}

/// E30: the obstacle force acts with the same weight in FLOCK and in AVOID, once.
#[test]
fn the_obstacle_force_is_counted_once_in_every_state() {
    let machine = read("scripts/machines/drone.luau");
    // All else off, so that what is left is the push of the obstacle.
    let scene = |enter: &str| {
        format!(
            "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 30, obstacles: [Disc(at: (0, 0), radius: 1)], groups: [Group(name: \"d\", spawn: Points([(4, 0)]), body: (radius: 0.3, max_speed: 20, max_acceleration: 50), behavior: \"drone\", set: {{\"enter\": {enter}, \"brake.weight\": 0}})])"
        )
    };
    let fly = |enter: &str, state: &str| {
        let (_folder, mut experiment) = small_project(&scene(enter), &[("scripts/machines/drone.luau", &machine)]);
        run(&mut experiment, 3);
        expect_no_errors(&experiment);
        assert_eq!(experiment.agent_rows().next().expect("one").state, state);
        experiment.world().agents.velocity[0]
    };
    let (flock, avoid) = (fly("20", "flock"), fly("0.5", "avoid"));
    // k(1/d − 1/8)/d² with k 50 at d = 2.7 m, over three ticks.
    let force = 50.0 * (1.0 / 2.7 - 1.0 / 8.0) / (2.7 * 2.7);
    assert!((flock.x - 3.0 * force / 60.0).abs() < 0.01, "{flock}, {force} m/s²");
    assert!(flock.distance(avoid) < 1e-6, "{flock} in FLOCK, {avoid} in AVOID");
}

/// E20: too far from home it returns too, and flies out again.
#[test]
fn a_drone_that_is_too_far_returns() {
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [Group(name: \"d\", spawn: Points(points: [(0, 0)], speed: 3), body: (radius: 0.3, max_speed: 4), behavior: \"drone\", set: {\"tether\": 20})])";
    let (_folder, mut experiment) =
        small_project(scene, &[("scripts/machines/drone.luau", &read("scripts/machines/drone.luau"))]);
    let mut farthest = 0.0_f64;
    for _ in 0..60 * 60 {
        experiment.tick();
        farthest = farthest.max(experiment.world().agents.position[0].length());
    }
    expect_no_errors(&experiment);
    // Nothing holds it there, so it drifts out anew.
    let (out, back) = (taken(&mut experiment, 0, "too far"), taken(&mut experiment, 0, "charged"));
    assert!(out >= 1 && back >= 1 && out - back <= 1, "{out} times too far, {back} times out again");
    assert!((20.0..26.0).contains(&farthest), "{farthest} m");
}

const FISH: &str = "scripts/machines/fish.luau";

/// Two fish beside each other, one to be stopped; what the other does alone is alignment.
fn pair(set: &str, machine: &str) -> (tempfile::TempDir, Experiment) {
    let scene = format!(
        "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 10, groups: [Group(name: \"fish\", spawn: Points(points: [(0, 0), (0, 1)], speed: 1), body: (radius: 0.12, max_speed: 2.5, heading: AlongVelocity), behavior: \"fish\", set: {{\"separation.weight\": 0, \"cohesion.weight\": 0, \"variety\": 0{set}}}), Group(name: \"sharks\", count: 0)])"
    );
    small_project(&scene, &[(FISH, machine)])
}

/// R135, E44: a fish with a delay of d ticks reacts d ticks later than one without, for all d from 0 to 3: a ring of four.
#[test]
fn the_reaction_delay_is_what_was_drawn() {
    let machine = read(FISH).replace("yard.random(0, math.floor(p.slowest))", "p.slowest");
    let mut first = Vec::new();
    for delay in 0..=3 {
        let set = format!(", \"slowest\": {delay}");
        let (_one, mut still) = pair(&set, &machine);
        let (_two, mut stopped) = pair(&set, &machine);
        run(&mut still, 20);
        run(&mut stopped, 20);
        let other = AgentKey::from_number(stopped.world().agents.id(1).number()).expect("it lives");
        stopped.apply(&Command::MoveAgents { agents: vec![other], by: DVec3::ZERO, last: true });
        let ticks = (1..40).find(|_| {
            still.tick();
            stopped.tick();
            still.world().agents.velocity[0] != stopped.world().agents.velocity[0]
        });
        first.push(ticks.expect("it reacts"));
    }
    let base = first[0];
    assert_eq!(first, [base, base + 1, base + 2, base + 3], "ticks until it reacts");
}

/// R131: who is behind, outside of the cone of 140° to each side, is not followed; who is beside is.
#[test]
fn a_fish_does_not_follow_who_is_behind_it() {
    let machine = read(FISH);
    let follow = |at: &str| {
        let scene = format!(
            "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 10, groups: [Group(name: \"fish\", spawn: Points(points: [(0, 0)], speed: 1), body: (radius: 0.12, max_speed: 2.5, heading: AlongVelocity), behavior: \"fish\", set: {{\"company\": \"up\", \"slowest\": 0}}), Group(name: \"up\", spawn: Points(points: [{at}], heading_deg: 90, speed: 1), body: (max_speed: 2)), Group(name: \"sharks\", count: 0)])"
        );
        let (_folder, mut experiment) = small_project(&scene, &[(FISH, &machine)]);
        run(&mut experiment, 2);
        experiment.world().agents.velocity[0].y
    };
    // Where it meets 135° and 145°.
    assert!(follow("(-0.70, 0.70)") > 1e-4);
    assert!(follow("(-0.82, 0.57)").abs() < 1e-9);
    assert!(follow("(0, 0.9)") > 1e-4);
}

/// R136: a fish that is chased tires, swims slower, recovers in calm water and is quick again; two thresholds, so no flutter.
#[test]
fn a_fish_tires_and_recovers() {
    let machine = read(FISH);
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [Group(name: \"fish\", spawn: Points(points: [(0, 0)], speed: 2.4), body: (radius: 0.12, max_speed: 2.5, max_acceleration: 8, heading: AlongVelocity), behavior: \"fish\", set: {\"current.weight\": 3, \"current.strength\": 0, \"current.drift_x\": 2}), Group(name: \"sharks\", count: 0)])";
    let (_folder, mut experiment) = small_project(scene, &[(FISH, &machine)]);
    // The water pushes it to its limit, so its speed is the limit of the moment.
    let mut speeds = Vec::new();
    for _ in 0..40 * 60 {
        experiment.tick();
        speeds.push(experiment.world().agents.velocity[0].length());
    }
    expect_no_errors(&experiment);
    assert!(speeds[60..300].iter().all(|speed| *speed > 2.4), "fresh");
    let tired = speeds.iter().position(|speed| *speed < 1.3).expect("it tires") as f64 / 60.0;
    // From 1 to 0.3 at 0.1 per second.
    assert!((6.5..8.5).contains(&tired), "tired after {tired} s");
    let changes = speeds.windows(2).filter(|pair| (pair[0] < 1.85) != (pair[1] < 1.85)).count();
    // 0.3 → 0.6 at 0.05 per second takes 6 s, 0.6 → 0.3 takes 3 s: 40 s hold eight changes and no flutter.
    assert!((5..=9).contains(&changes), "{changes} changes between quick and slow");
}

/// R141: startled, alignment rises and cohesion falls, and both decay back: with the alarm gone it schools again.
#[test]
fn an_alarm_fades_and_the_school_comes_back() {
    let scene = |calm: &str| {
        format!(
            "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 40, groups: [Group(name: \"fish\", count: 20, spawn: Disc(at: (0, 0), radius: 2, heading_deg: (-30, 30), speed: 1), body: (radius: 0.12, max_speed: 3, max_acceleration: 8, heading: AlongVelocity), behavior: \"fish\", set: {{\"calm\": {calm}, \"fright\": 5}}), Group(name: \"sharks\", spawn: Points(points: [(4, -8)], heading_deg: 90, speed: 4), body: (radius: 0.5, max_speed: 4), behavior: \"seek_goal\", goal: (4, 90))])"
        )
    };
    let mut took = Vec::new();
    for calm in ["1", "3"] {
        let (_folder, mut experiment) = small_project(&scene(calm), &[(FISH, &read(FISH))]);
        let mut alarmed = Vec::new();
        for _ in 0..40 * 60 {
            experiment.tick();
            alarmed.push(experiment.agent_rows().filter(|row| row.group == "fish" && row.state == "startled").count());
        }
        expect_no_errors(&experiment);
        let first = alarmed.iter().position(|count| *count > 0).expect("somebody is startled");
        let last = alarmed.iter().rposition(|count| *count > 0).expect("somebody was");
        assert!(last < alarmed.len() - 60, "calm {calm}: never at rest again");
        took.push((last - first) as f64 / 60.0);
    }
    // e^(−t/calm) is 0.05 after three times calm; the shark is near for a while.
    assert!(took[0] >= 3.0 && took[1] >= 9.0 && took[1] > took[0] + 4.0, "{took:?} s");
}

/// R141 as numbers: at full alarm the alignment is twice, the cohesion less than a third of what it is in calm water.
#[test]
fn alarm_doubles_alignment_and_takes_cohesion_away() {
    // The scales are read where they act: one force alone, with and without alarm, on the first tick.
    let machine = read(FISH);
    let push = |alarm: &str, set: &str| {
        let text = machine
            .replace("alarm = 0.0", &format!("alarm = {alarm}"))
            .replace("m.alarm *= math.exp(-agent.elapsed / p.calm)", "");
        let scene = format!(
            "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 10, groups: [Group(name: \"fish\", spawn: Points(points: [(0, 0), (0.8, 0.5)], heading_deg: (0, 40), speed: 1), body: (radius: 0.12, max_speed: 2.5, heading: AlongVelocity), behavior: \"fish\", set: {{\"variety\": 0, \"slowest\": 0, \"separation.weight\": 0{set}}}), Group(name: \"sharks\", count: 0)])"
        );
        let (_folder, mut experiment) = small_project(&scene, &[(FISH, &text)]);
        let before = experiment.world().agents.velocity[0];
        run(&mut experiment, 1);
        expect_no_errors(&experiment);
        (experiment.world().agents.velocity[0] - before).length()
    };
    let align = |alarm| push(alarm, ", \"cohesion.weight\": 0");
    let gather = |alarm| push(alarm, ", \"late_alignment.weight\": 0");
    let (more, less) = (align("1.0") / align("0.0"), gather("1.0") / gather("0.0"));
    assert!((more - 2.0).abs() < 1e-3, "alignment times {more}");
    assert!((less - 0.3).abs() < 1e-3, "cohesion times {less}");
}

/// R140: predators are no neighbors of the school and push hard; food of another group draws and is eaten.
#[test]
fn predators_repel_and_food_is_eaten() {
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 40, groups: [Group(name: \"fish\", count: 6, spawn: Grid(at: (0, 0), columns: 3, spacing: 0.8, speed: 0.5), body: (radius: 0.12, max_speed: 2, heading: AlongVelocity), behavior: \"fish\", set: {\"food\": \"crumbs\", \"food.radius\": 8}), Group(name: \"crumbs\", spawn: Points([(4, 1), (5, -1), (3, 2)]), body: (radius: 0.05), behavior: \"morsel\", set: {\"current.weight\": 0}), Group(name: \"sharks\", count: 0)])";
    let scene = scene.replace(", \"food.radius\": 8", ", \"lengths\": 20");
    let scripts = [(FISH, read(FISH)), ("scripts/behaviors/morsel.luau", read("scripts/behaviors/morsel.luau"))];
    let scripts: Vec<(&str, &str)> = scripts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (_folder, mut experiment) = small_project(&scene, &scripts);
    run(&mut experiment, 40 * 60);
    expect_no_errors(&experiment);
    assert!(experiment.world().groups[1].members.len() < 3, "nothing was eaten");
    // The same school with a shark at its side: it flees, and does not line up with it.
    let scene = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 40, groups: [Group(name: \"fish\", spawn: Points(points: [(0, 0)], speed: 1), body: (radius: 0.12, max_speed: 2.5, max_acceleration: 8), behavior: \"fish\"), Group(name: \"sharks\", spawn: Points(points: [(0, 2)], heading_deg: 90, speed: 1), body: (radius: 0.5, max_speed: 2))])";
    let (_folder, mut experiment) = small_project(scene, &[(FISH, &read(FISH))]);
    run(&mut experiment, 30);
    let velocity = experiment.world().agents.velocity[0];
    assert!(velocity.y < -0.5, "away from the shark, though it swims the other way: {velocity}");
}

/// R134, R133: weights differ by up to a fifth from fish to fish, and who is large sees farther.
#[test]
fn no_two_fish_are_alike() {
    let mut experiment = open_with("scenes/29_coral_reef.ron", Options::default());
    run(&mut experiment, 2);
    let ids: Vec<AgentKey> =
        (0..40).filter_map(|slot| AgentKey::from_number(experiment.world().agents.id(slot).number())).collect();
    let mut shy = Vec::new();
    let mut delays = Vec::new();
    for id in ids {
        experiment.apply(&Command::Inspect(Some(id)));
        let frame = experiment.frame(&mut swarmyard::experiment::FrameCache::default());
        let agent = frame.inspected.expect("it is inspected");
        let number = |name: &str| {
            let field = agent.memory.iter().find(|field| field.name.ends_with(name)).expect("declared");
            field.value.trim().parse::<f64>().unwrap_or_else(|_| panic!("{name} is {}", field.value))
        };
        shy.push(number("shy"));
        delays.push(number("delay"));
        assert!((number("range") - 8.0 * 0.24).abs() < 1e-3);
    }
    assert!(shy.iter().all(|shy| (0.8..=1.2).contains(shy)), "{shy:?}");
    let (low, high) = shy.iter().fold((2.0_f64, 0.0_f64), |(low, high), shy| (low.min(*shy), high.max(*shy)));
    assert!(low < 0.85 && high > 1.15, "{low} to {high}");
    for delay in [0.0, 1.0, 2.0, 3.0] {
        assert!(delays.contains(&delay), "nobody has a delay of {delay} ticks");
    }
}
