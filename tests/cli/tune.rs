//! `tune`: relay, rules and search on the body of an agent.

use crate::program::{Project, call};

/// A scene whose group has a value of its own, a body that can be tuned, and a script that binds a gain.
const SCENE: &str = "Scene(format: 1, title: \"try\", seed: 3, groups: [Group(name: \"squad\", count: 2,
  spawn: Grid(columns: 2, spacing: 1.5), behavior: \"it\", set: {\"near\": 0.25},
  body: (radius: 0.2, max_speed: 2.4, max_acceleration: 6.0, lag: 0.2, dead_time: 0.12), formation: (name: \"line\"))])\n";
const BEHAVIOR: &str =
    "return yard.behavior { control = 'velocity', params = { near = 0.1, k1 = { 1, min = 0, max = 6 } },
  forces = { track_slot = { k1 = 'p.k1' } } }";

fn project() -> Project {
    Project::new().with("scenes/try.ron", SCENE).with("scripts/behaviors/it.luau", BEHAVIOR)
}

#[test]
fn the_gains_of_the_search_are_saved_and_the_rest_stays() {
    let project = project();
    let answer = project.call(&["tune", "scenes/try.ron", "--json", "--save"]).with(0).saying("squad.k1 = ");
    let found = answer.json();
    let text = std::fs::read_to_string(project.file("scenes/try.ron")).expect("it is there");
    let kept = ["\"near\": 0.25", "\"k1\": ", "\"track_slot.kd\": ", "lag: 0.2", "name: \"line\""];
    assert!(kept.iter().all(|part| text.contains(part)), "{text}");
    assert!(!text.contains("track_slot.k1"), "it is bound to k1:\n{text}");
    // What was saved is what a second look tunes to and finds set.
    assert_eq!(project.call(&["tune", "scenes/try.ron", "--json"]).with(0).json()["search"], found["search"]);
    project.call(&["check", "scenes/try.ron"]).with(0);
}

#[test]
fn a_rule_is_saved_by_name_and_what_does_not_fit_leaves_the_file_alone() {
    let project = project();
    project.call(&["tune", "scenes/try.ron", "--save", "--rule", "p"]).with(0).saying("gains of P");
    let text = std::fs::read_to_string(project.file("scenes/try.ron")).expect("it is there");
    assert!(text.contains("\"track_slot.kd\": 0"), "{text}");
    project
        .call(&["tune", "scenes/try.ron", "--save", "--rule", "PI"])
        .with(1)
        .saying("track_slot.k3 takes values from 0");
    project.call(&["tune", "scenes/try.ron", "--save", "--rule", "Smith"]).with(2).saying("Tyreus-Luyben");
    project.call(&["tune", "scenes/try.ron", "--save", "--set", "squad.k1=2"]).with(2);
    project.call(&["tune", "scenes/try.ron", "--rule", "P"]).with(2);
    assert_eq!(std::fs::read_to_string(project.file("scenes/try.ron")).expect("it is there"), text);
}

#[test]
fn the_drill_is_tuned_and_the_search_beats_the_rules() {
    let json = call(&["tune", "scenes/01_drill.ron", "--json"]).with(0).json();
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(f64::INFINITY);
    // The exact ultimate point of lag 0.2 s and dead time 0.12 s; the relay on a sampled, limited body stays within a quarter.
    assert!((number(&json["exact"][0]) - 9.066029132197).abs() < 1e-9);
    assert!((number(&json["ku"]) / 9.066 - 1.0).abs() < 0.25, "{}", json["ku"]);
    assert!((number(&json["tu"]) / 1.0694 - 1.0).abs() < 0.25, "{}", json["tu"]);
    let best = number(&json["search"]["settled"]);
    let rules = json["rules"].as_array().expect("a list");
    assert_eq!(rules.len(), 9);
    assert!(rules.iter().all(|rule| best < number(&rule["settled"])), "{json:#}");
    assert!(best < 1.0 && number(&json["search"]["overshoot"]) < 3.0, "{}", json["search"]);
}

#[test]
fn a_body_without_dead_time_and_an_unknown_group_are_told() {
    call(&["tune", "scenes/01_drill.ron", "--group", "nobody"]).with(2).saying("its groups are drill");
    call(&["tune", "scenes/01_drill.ron", "--agent", "99"]).with(2);
    call(&["tune", "scenes/01_drill.ron", "--output", "-1"]).with(2);
    let noisy = ["tune", "scenes/01_drill.ron", "--json", "--set", "drill.body.dead_time=0.3"];
    let slower = call(&noisy).with(0).json();
    assert!(slower["ku"].as_f64().expect("found") < 6.0, "more delay, less gain");
}
