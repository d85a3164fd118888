//! `tune`: relay, rules and search on the body of an agent.

use crate::program::call;

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
