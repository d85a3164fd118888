//! Navigation in a running experiment: bodies follow paths, scripts and machines hear of them, runs are the same everywhere.

use swarmyard::experiment::{Experiment, Options};
use swarmyard::sim::PathState;

use crate::helpers::{expect_no_errors, open_with, run, small_project};

const WALKER: &str = r#"return yard.machine {
  memory = { waypoints = 0, length = 0, points = 0, order = "" },
  initial = "waiting",
  forces = { follow_path = 1 },
  states = { waiting = {}, walking = {}, home = {} },
  transitions = {
    { from = "waiting", to = "walking", on = "path_changed", label = "off" },
    { from = "walking", to = "home", on = "navigation_finished" },
  },
  step = function(agent)
    if agent.path_state == "moving" then
      agent.memory.points = #agent:path()
      agent.memory.length = math.max(agent.memory.length, agent.path_left)
    end
  end,
  on = {
    path_changed = function(agent, p, event) agent.memory.order ..= "c" end,
    waypoint_reached = function(agent, p, event) agent.memory.waypoints = event.value end,
    target_reached = function(agent, p, event) agent.memory.order ..= "t" end,
    navigation_finished = function(agent, p, event) agent.memory.order ..= "f" end,
  },
}"#;

const YARD: &str = r#"Scene(format: 1, title: "t", area: (min: (-8, -8), max: (8, 8)),
  obstacles: [Box(min: (-0.2, -8), max: (0.2, 5))], NAVIGATION
  groups: [Group(name: "a", count: 1, spawn: Points([(-4, 0)]), behavior: "walker", goal: (4, 0),
    body: (radius: 0.25, max_speed: 1.4, max_acceleration: 3))])"#;

#[test]
fn a_machine_hears_of_its_path_and_a_script_reads_it() {
    let scene = YARD.replace("NAVIGATION", "navigation: (),");
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/machines/walker.luau", WALKER)]);
    run(&mut experiment, 60 * 15);
    expect_no_errors(&experiment);
    let world = experiment.world();
    assert_eq!(world.agents.course[0].state, PathState::Reached);
    assert!(world.agents.position[0].distance(glam::DVec3::new(4.0, 0.0, 0.0)) < 0.35);
    let memory = memory(&mut experiment);
    let field = |name: &str| memory.iter().find(|(known, _)| known == name).map_or("?", |(_, text)| text.as_str());
    assert_eq!(field("order"), "ctf", "{memory:?}");
    assert!(field("waypoints").parse::<f64>().is_ok_and(|count| count >= 2.0), "{memory:?}");
    assert!(field("length").parse::<f64>().is_ok_and(|length| length > 12.0 && length < 16.0), "{memory:?}");
    assert_eq!(field("points").parse::<f64>(), Ok(1.0), "{memory:?}");
    assert_eq!(world_state(&experiment), "home");
}

fn memory(experiment: &mut Experiment) -> Vec<(String, String)> {
    let key = swarmyard::experiment::frame::AgentKey::from(experiment.world().agents.id(0));
    experiment.apply(&swarmyard::experiment::command::Command::Inspect(Some(key)));
    let mut cache = swarmyard::experiment::FrameCache::default();
    let frame = experiment.frame(&mut cache);
    let fields = frame.inspected.as_ref().map(|inspected| inspected.memory.clone()).unwrap_or_default();
    fields.into_iter().map(|field| (field.name, field.value.trim_matches('"').to_owned())).collect()
}

fn world_state(experiment: &Experiment) -> String {
    let state = usize::from(experiment.world().agents.state[0]);
    ["waiting", "walking", "home"][state].to_owned()
}

#[test]
fn without_navigation_follow_path_goes_straight_and_nothing_is_off() {
    let scene = YARD.replace("NAVIGATION", "").replace("walker", "follow_path");
    let (_folder, mut experiment) = small_project(&scene, &[]);
    run(&mut experiment, 60 * 10);
    expect_no_errors(&experiment);
    let world = experiment.world();
    assert_eq!(world.agents.course[0].state, PathState::Off);
    assert!(world.agents.position[0].x < 0.0, "the box is in its way: {}", world.agents.position[0]);
}

#[test]
fn hashes_are_those_of_any_number_of_threads_and_of_a_second_run() {
    for (scene, ticks) in [("scenes/51_office.ron", 400), ("scenes/52_detour.ron", 700)] {
        let hashes = |threads| {
            let mut experiment = open_with(scene, Options { threads, ..Options::default() });
            let mut hashes = Vec::new();
            for tick in 0..ticks {
                experiment.tick();
                if tick % 50 == 0 {
                    hashes.push(experiment.hash());
                }
            }
            expect_no_errors(&experiment);
            hashes
        };
        let one = hashes(1);
        assert_eq!(one, hashes(1), "{scene}: a second run");
        assert_eq!(one, hashes(2), "{scene}: two threads");
        assert_eq!(one, hashes(8), "{scene}: eight threads");
    }
}

#[test]
fn nobody_walks_through_a_wall_of_the_office_and_all_get_somewhere() {
    let mut experiment = open_with("scenes/51_office.ron", Options::default());
    let mut arrivals = 0;
    let mut before = [PathState::Off; 40];
    for _ in 0..60 * 30 {
        experiment.tick();
        let world = experiment.world();
        for (slot, before) in before.iter_mut().enumerate() {
            let state = world.agents.course[slot].state;
            arrivals += usize::from(state == PathState::Reached && *before != state);
            *before = state;
            let clearance = world.clearance(slot);
            assert!(clearance > 0.1, "agent {slot} is {clearance} m from a wall, radius 0.22 m");
        }
    }
    expect_no_errors(&experiment);
    assert!(arrivals > 45, "{arrivals} arrivals of 40 agents in 30 s");
}

#[test]
fn two_who_meet_head_on_in_a_corridor_pass_jupedsim_1516() {
    let scene = r#"Scene(format: 1, title: "t", area: (min: (-8, -1), max: (8, 1)), navigation: (), groups: [
      Group(name: "a", count: 1, spawn: Points([(-4, 0)]), behavior: "follow_path", goal: (4, 0), body: (radius: 0.25, max_speed: 1.3)),
      Group(name: "b", count: 1, spawn: Points([(4, 0)]), behavior: "follow_path", goal: (-4, 0), body: (radius: 0.25, max_speed: 1.3),
        set: {"separation.from": "any", "separation.weight": 3}),
    ])"#;
    let scene = scene.replace(
        "goal: (4, 0), body",
        r#"goal: (4, 0), set: {"separation.from": "any", "separation.weight": 3}, body"#,
    );
    let (_folder, mut experiment) = small_project(&scene, &[]);
    run(&mut experiment, 60 * 30);
    expect_no_errors(&experiment);
    let states: Vec<_> = experiment.world().agents.course.iter().map(|course| course.state).collect();
    assert_eq!(states, [PathState::Reached; 2], "{:?}", experiment.world().agents.position);
}

#[test]
fn a_reset_begins_anew() {
    let mut experiment = open_with("scenes/52_detour.ron", Options::default());
    run(&mut experiment, 200);
    let hash = experiment.hash();
    experiment.apply(&swarmyard::experiment::command::Command::Reset);
    run(&mut experiment, 200);
    assert_eq!(experiment.hash(), hash);
}

/// What is drawn of the ground and of paths: corners of all polygons, points of all paths.
fn drawn(
    experiment: &mut Experiment,
    cache: &mut swarmyard::experiment::FrameCache,
) -> (Vec<glam::DVec3>, Vec<glam::DVec3>) {
    let frame = experiment.frame(cache);
    let ground = frame.navigation.as_ref().expect("the scene has navigation");
    let corners = ground.meshes.iter().flat_map(|mesh| mesh.polygons.iter().flatten().copied()).collect();
    (corners, frame.paths.iter().flat_map(|path| path.points.iter().copied()).collect())
}

#[test]
fn mesh_and_paths_are_drawn_before_the_first_tick_and_follow_an_obstacle_that_is_moved_while_it_is_paused() {
    use swarmyard::experiment::command::Command;
    let scene = YARD.replace("NAVIGATION", "navigation: (),").replace("walker", "follow_path");
    let (_folder, mut looked) = small_project(&scene, &[]);
    let (_folder, mut unseen) = small_project(&scene, &[]);
    let mut cache = swarmyard::experiment::FrameCache::default();
    let opened = drawn(&mut looked, &mut cache);
    assert!(opened.0.len() > 6 && opened.1.len() > 2, "{opened:?}");
    assert_eq!(looked.navigator().map(|navigator| navigator.meshes().count()), Some(0), "the run has built none");
    let both = |looked: &mut Experiment, unseen: &mut Experiment, ticks| {
        for _ in 0..ticks {
            looked.tick();
            unseen.tick();
            assert_eq!(looked.hash(), unseen.hash(), "tick {}", looked.ticks());
        }
    };
    both(&mut looked, &mut unseen, 1);
    assert_eq!(drawn(&mut looked, &mut cache), opened, "what was drawn is what the run found");
    both(&mut looked, &mut unseen, 30);
    drawn(&mut looked, &mut cache);
    let paused = drawn(&mut looked, &mut cache);
    let id = looked.world().obstacles.iter().next().map(|known| known.id.number()).expect("a box");
    let to = looked.world().obstacles.iter().next().map(|known| known.shape.anchor()).expect("a box");
    let to = to + glam::DVec3::new(1.0, 3.0, 0.0);
    let key = looked.frame(&mut cache).obstacles.first().map(|known| known.id).expect("it is drawn");
    for experiment in [&mut looked, &mut unseen] {
        experiment.apply(&Command::MoveObstacle { id: key, to, last: true });
    }
    let moved = drawn(&mut looked, &mut cache);
    assert!(
        moved.0 != paused.0 && moved.1 != paused.1,
        "box {id}: the way over the top is closed, the one below is open"
    );
    both(&mut looked, &mut unseen, 10);
    let went_on = drawn(&mut looked, &mut cache);
    assert_eq!(went_on.0, moved.0, "the ground is that which was drawn");
    both(&mut looked, &mut unseen, 200);
    expect_no_errors(&looked);
}

#[test]
fn a_goal_that_is_no_point_of_the_world_is_a_fault_of_its_line_and_the_old_goal_stays() {
    for point in ["0 / 0, 0", "1 / 0, 0", "3e9, 0"] {
        let script = format!(
            "return yard.behavior {{ step = function(agent)\n  if yard.tick == 0 then agent:go(vector.create(3, 1)) end\n  \
             if yard.tick == 5 then\n    agent:go(vector.create({point}))\n  end\nend }}"
        );
        let scene = YARD.replace("NAVIGATION", "navigation: (),").replace("walker", "it");
        let (_folder, mut experiment) = small_project(&scene, &[("scripts/behaviors/it.luau", &script)]);
        run(&mut experiment, 20);
        let problems: Vec<String> = experiment.problems().iter().map(ToString::to_string).collect();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains("it.luau:4") && problems[0].contains("agent:go"), "{problems:?}");
        assert_eq!(experiment.world().agents.goal[0], Some(glam::DVec3::new(3.0, 1.0, 0.0)), "{point}");
    }
}

#[test]
fn a_command_of_a_director_that_is_refused_names_its_line() {
    let director = "return yard.director { tick = function(world)\n  if yard.tick == 3 then\n    world:open('dor')\n    \
                    world:move('wall', vector.create(1 / 0, 0))\n  end\nend }";
    let scene = YARD
        .replace("NAVIGATION", "directors: [\"boss\"],")
        .replace("walker", "follow_path")
        .replace("Box(min", "Box(name: \"wall\", min");
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/directors/boss.luau", director)]);
    run(&mut experiment, 20);
    let problems: Vec<String> = experiment.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].contains("scripts/directors/boss.luau:3") && problems[0].contains("dor"), "{problems:?}");
    assert!(problems[1].contains("scripts/directors/boss.luau:4"), "{problems:?}");
}

#[test]
fn distances_of_a_group_stand_in_its_body_and_change_while_it_runs() {
    let scene =
        YARD.replace("NAVIGATION", "navigation: (target_desired_distance: 0.5),").replace("walker", "follow_path");
    let scene = scene.replace("body: (", "body: (target_desired_distance: 4, ");
    let (_folder, mut experiment) = small_project(&scene, &[]);
    run(&mut experiment, 60 * 15);
    let off = |experiment: &Experiment| experiment.world().agents.position[0].distance(glam::DVec3::new(4.0, 0.0, 0.0));
    assert!((2.5..4.0).contains(&off(&experiment)), "{} m off", off(&experiment));
    let address = "a.body.target_desired_distance";
    assert_eq!(experiment.value(address), Some(swarmyard::sim::Value::Number(4.0)));
    experiment.set_value(address, &swarmyard::sim::Value::Number(-1.0)).expect_err("no distance");
    experiment.set_value(address, &swarmyard::sim::Value::Number(0.0)).expect("the navigation's from now on");
    run(&mut experiment, 60 * 5);
    assert!(off(&experiment) < 0.6, "{} m off", off(&experiment));
    let without = YARD.replace("NAVIGATION", "").replace("walker", "follow_path");
    let (_folder, experiment) = small_project(&without, &[]);
    assert!(!experiment.addresses().iter().any(|known| known.contains("path_max")), "no sliders for nothing");
}
