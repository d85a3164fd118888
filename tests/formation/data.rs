//! Formations as plain data, and places from a list.

use super::tools::{made, near, near_point, set};
use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI};
use swarmyard::formation::{DataValue, FormationData, ListPlace, Slots, Value};

fn number(key: &str, number: f64) -> (String, DataValue) {
    (key.to_owned(), DataValue::Number(number))
}

fn text(key: &str, text: &str) -> (String, DataValue) {
    (key.to_owned(), DataValue::Text(text.to_owned()))
}

fn point(key: &str, parts: &[f64]) -> (String, DataValue) {
    (key.to_owned(), DataValue::Point(parts.to_vec()))
}

fn read(pairs: &[(String, DataValue)]) -> FormationData {
    FormationData::from_pairs("test", pairs).unwrap_or_else(|problems| panic!("{problems:?}"))
}

#[test]
fn the_line_of_the_text_goes_north() {
    let line =
        read(&[text("kind", "line"), text("direction", "north"), number("spacing", 1.2), point("offset", &[0.0, 0.0])]);
    let slots = line.slots(&[], 3).expect("three places");
    near_point(slots.places[2].position, 0.0, 2.4, 1e-12, "third place");
    near(slots.places[2].heading, FRAC_PI_2, 1e-12, "heading");
}

#[test]
fn the_arc_and_the_spiral_of_the_text_are_read_with_their_own_spelling() {
    let arc = read(&[
        text("kind", "arc"),
        point("center", &[1.0, 2.0]),
        number("radius", 5.0),
        number("startAngle", 0.0),
        number("endAngle", PI),
        number("spacing", 0.8),
    ]);
    near_point(arc.slots(&[], 20).expect("twenty").places[0].position, 6.0, 2.0, 1e-12, "head");
    let spiral = read(&[
        text("kind", "spiral"),
        number("initialRadius", 1.0),
        number("growthRate", 0.15),
        number("spacing", 0.7),
    ]);
    assert_eq!(spiral.slots(&[], 10).expect("ten"), made("spiral", &[], 10));
    assert_eq!(spiral.params[1].0, "growth_rate");
}

#[test]
fn direction_turns_the_front_of_each_kind() {
    for (kind, word, heading) in [
        ("column", "north", FRAC_PI_2),
        ("column", "east", 0.0),
        ("v", "west", PI),
        ("row", "south", -FRAC_PI_2),
        ("line", "east", 0.0),
    ] {
        let slots = read(&[text("kind", kind), text("direction", word)]).slots(&[], 2).expect("two");
        near((slots.places[0].heading - heading).sin(), 0.0, 1e-12, kind);
        near((slots.places[0].heading - heading).cos(), 1.0, 1e-12, kind);
    }
    let east = read(&[text("kind", "column"), text("direction", "east")]).slots(&[], 2).expect("two");
    near_point(east.places[1].position, -1.2, 0.0, 1e-12, "behind the head");
    let by_number = read(&[text("kind", "line"), number("direction", 1.0)]);
    near(by_number.frame.turn, 1.0, 1e-12, "radians");
    let by_degrees = read(&[text("kind", "line"), number("direction_deg", 90.0)]);
    near(by_degrees.frame.turn, FRAC_PI_2, 1e-12, "degrees");
}

#[test]
fn changes_win_over_the_file() {
    let data = read(&[text("kind", "line"), number("spacing", 2.0)]);
    near_point(data.slots(&set(&[("spacing", 3.0)]), 2).expect("two").places[1].position, 3.0, 0.0, 1e-12, "changed");
    assert_eq!(data.default("spacing"), Some(Value::Number(2.0)));
    assert_eq!(data.default("measure"), Some(Value::from("arc")));
    assert_eq!(data.default("nothing"), None);
}

#[test]
fn all_problems_come_at_once_with_the_key_as_written() {
    let problems = FormationData::from_pairs(
        "bad",
        &[
            text("kind", "spiral"),
            number("initialRadios", 1.0),
            number("growthRate", f64::NAN),
            text("spacing", "wide"),
            text("direction", "up"),
            point("offset", &[0.0, f64::INFINITY]),
            point("center", &[0.0, 0.0]),
            number("growth_rate", 0.1),
        ],
    )
    .expect_err("many problems");
    let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(keys, ["initialRadios", "growthRate", "spacing", "direction", "offset", "center", "growth_rate"]);
    assert!(problems[0].hint.as_ref().is_some_and(|hint| hint.contains("initial_radius")), "{problems:?}");
}

#[test]
fn a_missing_or_unknown_kind_is_named() {
    for pairs in [vec![], vec![number("kind", 3.0)], vec![text("kind", "spirale")]] {
        let problems = FormationData::from_pairs("bad", &pairs).expect_err("no kind");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].key, "kind");
        assert!(problems[0].hint.as_ref().is_some_and(|hint| hint.contains("spiral")));
    }
}

#[test]
fn a_list_keeps_its_places_and_faces_the_front() {
    let list = [
        ListPlace { position: DVec3::new(1.0, 2.0, 3.0), heading: Some(7.0) },
        ListPlace { position: DVec3::new(1.0, 3.0, 3.0), heading: None },
    ];
    let slots = Slots::from_list(&list).expect("finite");
    near(slots.places[0].heading, 7.0 - std::f64::consts::TAU, 1e-12, "wrapped");
    near(slots.places[1].heading, FRAC_PI_2, 0.0, "front");
    near(slots.length, 1.0, 1e-12, "length");
    assert!(Slots::from_list(&[]).expect("empty").is_empty());
    let bad = ListPlace { position: DVec3::NAN, heading: None };
    let error = Slots::from_list(&[list[0], bad]).expect_err("not finite");
    assert!(error.to_string().contains("place 2"), "{error}");
}
