//! From what was typed to what it means.

use glam::DVec3;
use swarmyard::scene::build::SceneAction;
use swarmyard::scene::{Address, FormationFile, PluginFile, Scene, SceneFile, SetValue};
use swarmyard::sim::{Edge, Value};

use crate::{catalogue, load, problems_of};

fn built(text: &str) -> Scene {
    load("t.ron", text).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[test]
fn the_example_of_the_contract_means_what_it_says() {
    let scene = built(
        include_str!("../../scenes/01_drill.ron")
            .replace("\"drill.heading_error_max\", \"drill.cross_track_max\"", "")
            .as_str(),
    );
    assert_eq!((scene.seed, scene.tick_hz, scene.duration, scene.last_tick()), (7, 60.0, 30.0, 1800));
    let group = &scene.groups[0];
    assert_eq!(group.births.len(), 20);
    assert_eq!(group.births[0].position, DVec3::new(0.0, -2.0, 0.0), "`at` is the first agent");
    assert!((group.births[19].position.x - 19.0 * 1.2).abs() < 1e-12);
    assert_eq!(group.body.dead_time, 0.12);
    assert_eq!(group.set, [("k1".to_owned(), Value::Number(3.75))]);
    let contract = group.contract.expect("it has one");
    assert!((contract.spec.heading.unwrap_or_default() - 3.0_f64.to_radians()).abs() < 1e-15);
    let ticks: Vec<_> = scene.schedule.iter().map(|line| line.tick).collect();
    assert_eq!(ticks, [300, 900]);
    assert!(
        matches!(&scene.schedule[1].action, SceneAction::Form { group: 0, formation, .. } if formation == "spiral_lua")
    );
    assert_eq!(scene.space.edge, Edge::Open);
    assert_eq!(scene.obstacles[0].name, "pillar");
}

#[test]
fn zero_of_everything_is_valid() {
    let scene = built("Scene(format: 1, title: \"\")");
    assert!(
        scene.groups.is_empty() && scene.obstacles.is_empty() && scene.schedule.is_empty() && scene.plots.is_empty()
    );
    for spawn in
        ["", "spawn: Grid()", "spawn: Points([])", "spawn: Disc(radius: 1)", "spawn: Box(min: (0, 0), max: (0, 0))"]
    {
        let scene = built(&format!("Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 0, {spawn})])"));
        assert!(scene.groups[0].births.is_empty());
    }
    for count in [1, 2] {
        let scene = built(&format!(
            "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: {count}, spawn: Grid())])"
        ));
        assert_eq!(scene.groups[0].births.len(), count);
    }
}

#[test]
fn rows_of_a_grid_go_to_the_right_and_then_up() {
    let scene = built(
        "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 5, spawn: Grid(at: (1, 1), columns: 2, spacing: 2, heading_deg: 90))])",
    );
    let places: Vec<_> = scene.groups[0].births.iter().map(|birth| (birth.position.x, birth.position.y)).collect();
    assert_eq!(places, [(1.0, 1.0), (3.0, 1.0), (1.0, 3.0), (3.0, 3.0), (1.0, 5.0)]);
    assert!((scene.groups[0].births[0].heading - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn scattered_agents_do_not_overlap_each_other_or_obstacles_and_stay_when_one_more_comes() {
    let scene_of = |count: usize| {
        built(&format!(
            "Scene(format: 1, title: \"\", seed: 3, edge: Wrap, area: (min: (-5, -5), max: (5, 5)),
              obstacles: [Disc(at: (0, 0), radius: 2)],
              groups: [Group(name: \"a\", count: {count}, body: (radius: 0.3), spawn: Box(min: (-5, -5), max: (5, 5), heading_deg: (-180, 180)))])"
        ))
    };
    let scene = scene_of(100);
    let places: Vec<_> = scene.groups[0].births.iter().map(|birth| birth.position).collect();
    for (i, &a) in places.iter().enumerate() {
        assert!(a.length() >= 2.3 - 1e-9);
        for &b in &places[..i] {
            assert!(scene.space.offset(a, b).length() >= 0.6 - 1e-9, "{a} {b}");
        }
    }
    let more = scene_of(101);
    assert_eq!(more.groups[0].births[..100], scene.groups[0].births[..], "one agent more moves nobody else");
}

#[test]
fn jitter_moves_agents_apart_but_never_into_each_other() {
    let scene = built(
        "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 100, spawn: Grid(columns: 10, spacing: 0.6, jitter: 0.3))])",
    );
    let births = &scene.groups[0].births;
    let mut moved = 0;
    for (i, a) in births.iter().enumerate() {
        let planned = DVec3::new((i % 10) as f64, (i / 10) as f64, 0.0) * 0.6;
        let far = a.position.distance(planned);
        assert!(far <= 0.3 + 1e-12);
        moved += usize::from(far > 0.01);
        assert!(births[..i].iter().all(|b| a.position.distance(b.position) >= 0.4 - 1e-9));
    }
    assert!(moved > 50);
}

#[test]
fn a_crowd_that_does_not_fit_says_how_many_do() {
    let text =
        problems_of("Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 80, spawn: Disc(radius: 2))])");
    assert!(
        text.contains("of 80 agents of group `a` fit into the disc without overlap: their centers must be 0.4 m apart"),
        "{text}"
    );
    assert!(text.contains("a radius of 2.8 m gives enough room"), "{text}");
}

#[test]
fn settings_reach_body_contract_count_and_network() {
    let text = "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 1, spawn: Grid(), behavior: \"soldier\", formation: (name: \"s_wave_lua\"))])";
    let mut loaded = SceneFile::from_text("t.ron", text).expect("a good scene");
    for assignment in [
        "a.body.lag=0.3",
        "a.contract.spacing=0.1",
        "a.count=4",
        "a.network.loss=0.2",
        "a.k1=2",
        "a.formation.amplitude=3",
        "a.spawn.spacing=2",
    ] {
        let (address, value) = Address::parse_assignment(assignment).expect("well formed");
        loaded.scene.assign(&address, value).expect("the group is there");
    }
    let scene = Scene::build(&loaded, &catalogue()).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let group = &scene.groups[0];
    assert_eq!((group.body.lag, group.births.len()), (0.3, 4));
    assert_eq!(group.contract.and_then(|contract| contract.spec.spacing), Some(0.1));
    assert_eq!(group.network.as_ref().map(|network| network.loss), Some(0.2));
    assert_eq!(group.set, [("k1".to_owned(), Value::Number(2.0))]);
    assert_eq!(group.formation_set, [("amplitude".to_owned(), Value::Number(3.0))]);
    let (address, value) = Address::parse_assignment("aa.k1=2").expect("well formed");
    let problem = loaded.scene.assign(&address, value).expect_err("no such group");
    assert_eq!((problem.code.as_str(), problem.hint.as_deref()), ("unknown-address", Some("known are `a`")));
    assert!(Address::parse_assignment("a.k1").is_err());
}

#[test]
fn values_of_a_command_line_are_read_as_in_a_scene() {
    assert_eq!(SetValue::parse("2.5").0, Value::Number(2.5));
    assert_eq!(SetValue::parse(" true").0, Value::Bool(true));
    assert_eq!(SetValue::parse("(1, 2)").0, Value::Vector(DVec3::new(1.0, 2.0, 0.0)));
    assert_eq!(SetValue::parse("shrink").0, Value::Text("shrink".to_owned()));
    assert_eq!(SetValue::parse("\"a b\"").0, Value::Text("a b".to_owned()));
    assert_eq!(SetValue::parse("NaN").0, Value::Text("NaN".to_owned()));
}

/// Whatever is no number that can be simulated is told as it was written, with what would do.
#[test]
fn a_number_of_a_command_line_that_is_none_is_told_as_it_was_written() {
    let text = "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 1, spawn: Grid())])";
    for (assignment, said) in [
        ("a.count=nan", "expected a finite number, found `nan`"),
        ("a.count=1e12", "1e12 is beyond what can be simulated"),
        ("a.body.radius=-inf", "expected a finite number, found `-inf`"),
        ("a.body.radius=2e9", "2e9 is beyond what can be simulated"),
        ("a.body.radius=\"0.3\"", "expected a number, found the text `0.3`"),
        ("a.body.radius=wide", "expected a number, found the text `wide`"),
    ] {
        let mut loaded = SceneFile::from_text("t.ron", text).expect("a good scene");
        let (address, value) = Address::parse_assignment(assignment).expect("well formed");
        loaded.scene.assign(&address, value).expect("the group is there");
        let problems = Scene::build(&loaded, &catalogue()).map(|_| ()).expect_err(assignment);
        assert!(problems.iter().any(|problem| problem.message.contains(said)), "{assignment}: {problems:#?}");
    }
    for assignment in ["seed=3", "navigation.cell=2", "tick_hz.x=2"] {
        let mut loaded = SceneFile::from_text("t.ron", text).expect("a good scene");
        let (address, value) = Address::parse_assignment(assignment).expect("well formed");
        let problem = loaded.scene.assign(&address, value).expect_err("no group");
        assert!(problem.hint.as_ref().is_some_and(|hint| hint.contains("is a field of the scene")), "{problem:#?}");
    }
}

#[test]
fn a_schedule_beyond_the_end_and_agents_outside_the_area_are_warnings() {
    let scene = built(
        "Scene(format: 1, title: \"\", duration: 5, edge: Clamp, area: (min: (0, 0), max: (1, 1)),
          groups: [Group(name: \"a\", count: 1, spawn: Grid(at: (3, 3)))], schedule: [At(9, Send(\"a\", \"go\"))])",
    );
    let codes: Vec<_> = scene.warnings.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["outside-area", "after-the-end"]);
}

#[test]
fn a_formation_file_keeps_its_keys_with_their_places() {
    let file =
        FormationFile::from_text("f.ron", "(kind: \"spiral\", initialRadius: 1.0,\n center: (0, 0), direction: north)")
            .expect("good");
    let keys: Vec<_> = file.pairs.iter().map(|(key, _)| (key.value.as_str(), key.span.line)).collect();
    assert_eq!(keys, [("kind", 1), ("initialRadius", 1), ("center", 2), ("direction", 2)]);
    let problem = file.problem_at("center", "unknown-parameter", "no such thing", None);
    assert_eq!((problem.line, problem.column), (Some(2), Some(2)));
    assert!(FormationFile::from_text("f.ron", "(kind: NaN, kind: 2)").is_err());
    assert!(FormationFile::from_text("f.ron", "[1]").is_err());
}

#[test]
fn a_plugin_for_another_api_level_is_refused_with_what_to_do() {
    let good =
        PluginFile::from_text("p.ron", "Plugin(name: \"fish_pack\", version: \"1.0\", api: 1)", Some("fish_pack"));
    assert_eq!(good.map(|plugin| plugin.name.value).as_deref(), Ok("fish_pack"));
    let found = |text: &str| {
        let problems = PluginFile::from_text("p.ron", text, Some("p")).expect_err("faulty");
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        found("Plugin(name: \"p\", version: \"1\", api: 3)"),
        "p.ron:1:38: the plugin was written for api level 3; this program offers level 1; update swarmyard"
    );
    assert!(found("Plugin(name: \"P p\", version: \"1\", api: 1)").contains("cannot be the name"));
    assert!(found("Plugin(name: \"q\", version: \"1\", api: 1)").contains("its folder `p`"));
    assert!(found("Plugin(version: 1, api: 1)").contains("lacks the field `name`"));
}

#[test]
fn a_formation_file_means_a_native_formation_with_other_defaults() {
    let file =
        FormationFile::from_text("f.ron", "(kind: \"spiral\", initialRadius: 2.0, growth_rate: 0.2, center: (1, 0))")
            .expect("good");
    let slots = file.to_data("rising").expect("all known").slots(&[], 3).expect("finite");
    assert_eq!(slots.places[0].position, DVec3::new(3.0, 0.0, 0.0));
    let file = FormationFile::from_text("f.ron", "(kind: \"spiral\",\n  growthrat: 0.2)").expect("well formed");
    let problems = file.to_data("rising").expect_err("no such parameter");
    assert_eq!((problems[0].line, problems[0].column), (Some(2), Some(3)), "{problems:?}");
    let missing =
        FormationFile::from_text("f.ron", "(spacing: 1)").expect("well formed").to_data("x").expect_err("no kind");
    assert_eq!(missing[0].line, Some(1));
}

#[test]
fn every_formation_file_of_the_project_gives_places() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/formations");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is part of the sources") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|ext| ext != "ron") {
            continue;
        }
        count += 1;
        let file = FormationFile::read(&path, "f.ron").unwrap_or_else(|problems| panic!("{path:?}: {problems:?}"));
        let data = file.to_data("f").unwrap_or_else(|problems| panic!("{path:?}: {problems:?}"));
        assert_eq!(data.slots(&[], 12).map(|slots| slots.places.len()).ok(), Some(12), "{path:?}");
    }
    assert!(count >= 3, "{count} files");
}

#[test]
fn an_avoidance_has_the_names_of_godot_and_defaults_that_work() {
    use swarmyard::sim::{Avoid, Csm, Orca};
    let scene = built(
        "Scene(format: 1, title: \"\", groups: [
            Group(name: \"a\", count: 0, body: (avoid: Orca())),
            Group(name: \"b\", count: 0, body: (avoid: Orca(time_horizon_agents: 4, avoidance_mask: 6)), set: {\"body.avoid.max_neighbors\": 20}),
            Group(name: \"c\", count: 0, body: (avoid: None)),
            Group(name: \"d\", count: 0, set: {\"body.avoid\": \"Csm\", \"body.avoid.time_gap\": 0.7}),
            Group(name: \"e\", count: 0, body: (avoid: Orca()), set: {\"body.avoid\": \"None\"}),
        ], schedule: [At(1, Set(address: \"a.body.avoid\", value: \"None\")), At(2, Set(address: \"b.body.avoid.avoidance_priority\", value: 2))])",
    );
    let avoid: Vec<_> = scene.groups.iter().map(|group| group.body.avoid).collect();
    let other = Orca { time_horizon_agents: 4.0, avoidance_mask: 6, max_neighbors: 20, ..Orca::default() };
    let csm = Some(Avoid::Csm(Csm { time_gap: 0.7 }));
    assert_eq!(avoid, [Some(Avoid::Orca(Orca::default())), Some(Avoid::Orca(other)), None, csm, None]);
}

#[test]
fn a_ring_goes_round_from_the_right() {
    let scene = built(
        "Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 4, spawn: Ring(at: (1, 2), radius: 3))])",
    );
    let expected = [(4.0, 2.0), (1.0, 5.0), (-2.0, 2.0), (1.0, -1.0)];
    for (birth, (x, y)) in scene.groups[0].births.iter().zip(expected) {
        assert!(birth.position.distance(DVec3::new(x, y, 0.0)) < 1e-12, "{}", birth.position);
    }
    let scene = built("Scene(format: 1, title: \"\", groups: [Group(name: \"a\", count: 0, spawn: Ring(radius: 3))])");
    assert!(scene.groups[0].births.is_empty());
}
