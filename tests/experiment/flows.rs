//! Flows in a running experiment: events move machines, scripts lead journeys, reports and plots say what happened.

use swarmyard::experiment::command::Command;
use swarmyard::experiment::{Experiment, FrameCache, Options};

use crate::helpers::{expect_no_errors, open_with, run, small_project};

const GUEST: &str = r#"return yard.machine {
  memory = { heard = "", most = 0, at = "", seconds = 0 },
  initial = "walking",
  forces = { driving = { speed = 1.3 } },
  states = { walking = {}, queueing = {}, served = {}, home = {} },
  transitions = {
    { from = "walking", to = "queueing", on = "stop_reached" },
    { from = "queueing", to = "served", on = "served" },
    { from = "served", to = "home", on = "journey_done" },
  },
  step = function(agent)
    local m = agent.memory
    m.most = math.max(m.most, agent.queue_place)
    m.seconds = math.max(m.seconds, agent.stop_secs)
    if agent.stop then m.at = agent.stop end
  end,
  on = {
    stop_reached = function(agent, p, event) agent.memory.heard ..= "r" .. event.value .. " " end,
    queue_moved = function(agent, p, event) agent.memory.heard ..= "m" .. event.value .. " " end,
    served = function(agent, p, event) agent.memory.heard ..= "s" .. event.value .. " " end,
    journey_done = function(agent, p, event) agent.memory.heard ..= "d" end,
  },
}"#;

const TILL: &str = r#"Scene(format: 1, title: "t", tick_hz: 30,
  groups: [Group(name: "guests", spawn: Points([(0, 4), (0, 6)]), behavior: "guest", journey: ["till", "way"],
    body: (radius: 0.2, max_speed: 2, max_acceleration: 6))],
  stops: [Queue(name: "till", points: [(0, 0), (0, 3)], service: 3), Waypoint(name: "way", at: (4, 0))],
  plots: ["stops.till.count"])"#;

#[test]
fn machines_hear_of_their_journey_and_scripts_read_it() {
    let (_folder, mut experiment) = small_project(TILL, &[("scripts/machines/guest.luau", GUEST)]);
    run(&mut experiment, 30 * 25);
    expect_no_errors(&experiment);
    for (slot, heard) in [(0, "rtill still rway d"), (1, "rtill m1 still rway d")] {
        let memory = memory(&mut experiment, slot);
        let field = |name: &str| memory.iter().find(|(known, _)| known == name).map_or("?", |(_, text)| text.as_str());
        assert_eq!(field("heard"), heard, "agent {slot}: {memory:?}");
        assert_eq!(field("most").parse::<f64>(), Ok(f64::from(slot) + 1.0), "{memory:?}");
        assert_eq!(field("at"), "way");
        assert!(field("seconds").parse::<f64>().is_ok_and(|seconds| seconds >= 2.9), "{memory:?}");
        assert_eq!(experiment.world().agents.state[slot as usize], 3, "it is home");
    }
}

fn memory(experiment: &mut Experiment, slot: u32) -> Vec<(String, String)> {
    let key = swarmyard::experiment::frame::AgentKey::from(experiment.world().agents.id(slot));
    experiment.apply(&Command::Inspect(Some(key)));
    let frame = experiment.frame(&mut FrameCache::default());
    let fields = frame.inspected.as_ref().map(|inspected| inspected.memory.clone()).unwrap_or_default();
    fields.into_iter().map(|field| (field.name, field.value.trim_matches('"').to_owned())).collect()
}

const SHOPPER: &str = r#"return yard.behavior {
  memory = { told = false },
  forces = { driving = { speed = 1.3 } },
  step = function(agent)
    if not agent.memory.told then
      agent.memory.told = true
      agent:set_journey { { shuffle = { "a", "b", "c" }, take = 2 }, { least_crowded = { "till" } }, JOURNEY }
    elseif agent.stop == "till" and agent.stop_secs > 1 then
      agent:skip_stop()
    end
  end,
}"#;

#[test]
fn a_script_builds_a_shopping_list_and_leaves_a_queue() {
    let scene = r#"Scene(format: 1, title: "t", tick_hz: 30,
      groups: [Group(name: "guests", spawn: Points([(0, 4), (2, 6)]), behavior: "shopper", body: (radius: 0.2, max_speed: 2, max_acceleration: 6))],
      stops: [Waypoint(name: "a", at: (1, 0)), Waypoint(name: "b", at: (3, 0)), Waypoint(name: "c", at: (5, 0)),
        Queue(name: "till", points: [(8, 0), (8, 3)], service: 1000), Exit(name: "out", area: Line((10, -3), (10, 8)))])"#;
    let script = SHOPPER.replace("JOURNEY", r#""out""#);
    let (_folder, mut experiment) = small_project(scene, &[("scripts/behaviors/shopper.luau", &script)]);
    run(&mut experiment, 30 * 40);
    expect_no_errors(&experiment);
    let report = experiment.report();
    assert_eq!((report.exits[0].count, report.groups[0].agents), (2, 0));
    assert_eq!(report.exits[0].times[0].1.len(), 2);
}

#[test]
fn a_stop_that_the_scene_lacks_is_an_error_at_its_line_with_the_nearest_name() {
    let script = SHOPPER.replace("JOURNEY", r#""tlil""#);
    let scene = TILL.replace("\"guest\"", "\"shopper\"").replace("stops: [", r#"stops: [Waypoint(name: "a", at: (1, 0)), Waypoint(name: "b", at: (2, 0)), Waypoint(name: "c", at: (3, 0)), "#);
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/behaviors/shopper.luau", &script)]);
    run(&mut experiment, 10);
    let problems: Vec<String> = experiment.problems().iter().map(|problem| problem.to_text()).collect();
    let text = problems.join("\n");
    assert!(
        text.contains("shopper.luau:7") && text.contains("no stop `tlil`") && text.contains("did you mean `till`"),
        "{text}"
    );
}

const STREET: &str = r#"Scene(format: 1, title: "t", tick_hz: 30, edge: Clamp, area: (min: (-2, -1), max: (12, 1)),
  obstacles: [Wall(name: "door", from: (-0.2, -1), to: (-0.2, 1))],
  groups: [Group(name: "people", count: 0, behavior: "crowd", journey: ["out"], body: (radius: 0.2, max_speed: 2, max_acceleration: 6))],
  sources: [Source(name: "street", group: "people", area: Disc((-1, 0), 0.6), rate: 4, most: 40)],
  stops: [Exit(name: "out", area: Line((10, -1), (10, 1)))], plots: ["exits.out.count", "sources.street.waiting"],
  schedule: [At(12, Open("door"))])"#;

#[test]
fn a_blocked_source_is_in_report_log_and_panel_and_recovers() {
    let (_folder, mut experiment) = small_project(STREET, &[]);
    run(&mut experiment, 30 * 11);
    let report = experiment.report();
    let source = &report.sources[0];
    assert_eq!(source.entered + source.waiting, 40);
    assert!(source.waiting > 0, "they stand before the wall: {source:?}");
    assert!(source.reason.as_deref().is_some_and(|reason| reason.starts_with("blocked by")), "{source:?}");
    let json = serde_json::to_value(&report).expect("a report");
    assert_eq!(json["sources"][0]["name"], "street");
    assert!(experiment.log_lines().any(|line| line.source == "flow" && line.text.contains("wait, blocked by")));
    let frame = experiment.frame(&mut FrameCache::default());
    let view = frame.flows.as_ref().expect("it has flows");
    assert_eq!((view.sources[0].waiting, view.sources[0].reason.is_some()), (source.waiting, true));
    run(&mut experiment, 30 * 30);
    expect_no_errors(&experiment);
    let report = experiment.report();
    assert_eq!((report.sources[0].entered, report.sources[0].waiting), (40, 0));
    assert_eq!(report.sources[0].reason, None);
    assert_eq!(report.exits[0].count, 40, "each left once");
    assert!(experiment.log_lines().any(|line| line.text.contains("everybody has entered")));
    let times = &report.exits[0].times[0].1;
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{times:?}");
    // No metric of a group carries them.
    assert!(report.groups[0].metrics.iter().all(|(id, _)| !id.contains("exits.")));
    let count = experiment.flow_metrics().into_iter().find(|metric| metric.id == "exits.out.count");
    assert_eq!(count.map(|metric| metric.value), Some(40.0));
}

#[test]
fn directors_hear_who_left_and_open_and_close() {
    let director = r#"return yard.director {
      memory = { left = 0, blocked = "" },
      on = {
        left = function(world, p, event) world.memory.left += 1; if world.memory.left == 3 then world:close("street") end end,
        source_blocked = function(world, p, event) world.memory.blocked = event.value; world:open("door") end,
      },
      tick = function(world) yard.plot("left", world.memory.left) end,
    }"#;
    let scene =
        STREET.replace("schedule: [At(12, Open(\"door\"))]", "directors: [\"usher\"]").replace("most: 40", "most: 400");
    let (_folder, mut experiment) = small_project(&scene, &[("scripts/directors/usher.luau", director)]);
    run(&mut experiment, 30 * 60);
    expect_no_errors(&experiment);
    let report = experiment.report();
    assert!(report.sources[0].entered < 80, "240 were due, but it was closed at the third: {:?}", report.sources[0]);
    assert_eq!(report.exits[0].count as u64, report.sources[0].entered);
}

#[test]
fn saving_keeps_flows_and_what_a_window_does_to_them_is_no_edit() {
    let (folder, mut experiment) = small_project(STREET, &[]);
    experiment.apply(&Command::OpenFlow { name: "out".to_owned(), open: false });
    run(&mut experiment, 10);
    assert!(!experiment.flow().stops()[0].open);
    experiment.apply(&Command::SetParam {
        address: "people.body.radius".to_owned(),
        value: swarmyard::experiment::frame::ParamValue::Number(0.25),
    });
    let path = folder.path().join("scenes/saved.ron");
    experiment.apply(&Command::SaveScene(Some(path.to_string_lossy().into_owned())));
    let saved = swarmyard::scene::SceneFile::read(&path, "saved.ron").expect("it reads");
    let before = swarmyard::scene::SceneFile::from_text("it.ron", STREET).expect("it reads");
    assert_eq!(saved.scene.sources, before.scene.sources);
    assert_eq!(saved.scene.stops, before.scene.stops);
    assert_eq!(saved.scene.groups[0].value.journey, before.scene.groups[0].value.journey);
    experiment.apply(&Command::Reset);
    assert!(experiment.flow().stops()[0].open, "as the scene says");
}

#[test]
fn hashes_of_flows_are_those_of_any_number_of_threads_and_of_a_second_run() {
    for scene in ["53_station_rush", "54_concert_exit", "55_supermarket", "56_ticket_hall"] {
        let hash = |threads: usize| {
            let options = Options { threads, ..Options::default() };
            let mut experiment = open_with(&format!("scenes/{scene}.ron"), options);
            run(&mut experiment, 30 * 8);
            expect_no_errors(&experiment);
            experiment.hash()
        };
        let one = hash(1);
        assert_eq!(one, hash(2), "{scene}");
        assert_eq!(one, hash(1), "{scene}");
    }
}
