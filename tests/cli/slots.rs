//! `slots`: places of native formations and of their Luau twins.

use crate::program::{Project, call};

fn points(arguments: &[&str]) -> (Vec<[f64; 4]>, f64) {
    let json = call(arguments).with(0).json();
    assert_eq!(json.as_object().map(serde_json::Map::len), Some(2), "slots and length, nothing else");
    let number = |slot: &serde_json::Value, key: &str| slot[key].as_f64().expect("numbers are finite");
    let slots = json["slots"].as_array().expect("slots is a list");
    let points = slots.iter().map(|slot| ["x", "y", "z", "heading"].map(|key| number(slot, key))).collect();
    (points, json["length"].as_f64().expect("length is a number"))
}

/// First slots of the tables (x, y, heading), computed with 40 digits: equal arc length, then equal chord.
const SPIRAL: [[f64; 3]; 4] = [
    [1.0, 0.0, 1.421906379185],
    [0.868058307625, 0.674062866886, 2.095409240021],
    [0.356347297594, 1.135394661315, 2.712086485955],
    [-0.327382262001, 1.231822232470, -2.998973517809],
];
const SPIRAL_CHORD: [[f64; 2]; 3] = [[1.0, 0.0], [0.861011277536, 0.686062777760], [0.333096272047, 1.145742826249]];
const S_WAVE: [[f64; 3]; 4] = [
    [0.0, 0.0, 1.003884821854],
    [0.665434729695, 0.998323667302, 0.937162510992],
    [1.501593605167, 1.848715561799, 0.539905285239],
    [2.619161348977, 1.768147304024, -0.633252335359],
];

#[test]
fn slots_are_those_of_the_tables() {
    let near = |a: f64, b: f64, tolerance: f64| (a - b).abs() < tolerance;
    for (name, table) in [("spiral", SPIRAL), ("s_wave", S_WAVE)] {
        for (name, tolerance) in [(name.to_owned(), 1e-9), (format!("{name}_lua"), 1e-6)] {
            let (slots, length) = points(&["slots", &name, "--n", "10", "--json"]);
            assert_eq!(slots.len(), 10);
            for (slot, row) in slots.iter().zip(&table) {
                let same = near(slot[0], row[0], tolerance)
                    && near(slot[1], row[1], tolerance)
                    && near(slot[3], row[2], tolerance);
                assert!(same, "{name}: {slot:?} is not {row:?}");
            }
            let spacing = if name.starts_with("spiral") { 0.7 } else { 1.2 };
            assert!(near(length, 9.0 * spacing, 10.0 * tolerance), "{name}: {length}");
        }
    }
    let (slots, _) = points(&["slots", "spiral", "--n", "10", "--measure", "chord", "--json"]);
    for (slot, row) in slots.iter().zip(&SPIRAL_CHORD) {
        assert!(near(slot[0], row[0], 1e-9) && near(slot[1], row[1], 1e-9), "{slot:?} is not {row:?}");
    }
}

#[test]
fn the_luau_twins_agree_with_the_native_formations() {
    for name in ["spiral", "s_wave"] {
        for measure in ["arc", "chord"] {
            let native = points(&["slots", name, "--n", "20", "--measure", measure, "--json"]);
            let twin = points(&["slots", &format!("{name}_lua"), "--n", "20", "--measure", measure, "--json"]);
            assert!((native.1 - twin.1).abs() < 1e-6, "{name} {measure}: {} and {}", native.1, twin.1);
            for (a, b) in native.0.iter().zip(&twin.0) {
                let apart = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(apart < 1e-6, "{name} {measure}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn no_place_one_place_and_two_are_all_right() {
    for n in ["0", "1", "2"] {
        for name in ["line", "column", "row", "arc", "circle", "v", "grid", "spiral", "s_wave"] {
            let (slots, length) = points(&["slots", name, "-n", n, "--json"]);
            assert_eq!(slots.len().to_string(), n, "{name}");
            assert!(length.is_finite());
        }
    }
}

#[test]
fn a_slip_of_the_pen_is_wrong_usage_with_the_nearest_name() {
    call(&["slots", "spirl", "--n", "5", "--json"]).with(2).saying("spiral");
    call(&["slots", "spiral", "--n", "5", "--set", "grwth_rate=1"]).with(2).saying("growth_rate");
    call(&["slots", "spiral", "--n", "5", "--set", "spacing=wide"]).with(2).saying("spacing");
    call(&["slots", "spiral", "--n", "-5"]).with(2);
}

#[test]
fn more_agents_than_fit_is_an_error_until_the_policy_says_otherwise() {
    let arc = ["slots", "arc", "--n", "200", "--set", "radius=3", "--json"];
    let answer = call(&arc).with(1).saying("overflow");
    assert_eq!(answer.json()["slots"].as_array().map(Vec::len), Some(0));
    for policy in ["shrink", "rows"] {
        let mut arguments = arc.to_vec();
        let set = format!("overflow={policy}");
        arguments.extend(["--set", &set]);
        assert_eq!(points(&arguments).0.len(), 200, "{policy}");
    }
}

#[test]
fn a_formation_as_data_has_places_too() {
    let project = Project::new().with("scripts/formations/wide.ron", "(kind: \"line\", spacing: 3)\n");
    let json = project.call(&["slots", "wide", "-n", "3", "--json"]).with(0).json();
    assert_eq!(json["length"].as_f64(), Some(6.0));
}

#[test]
fn a_broken_formation_is_a_failure_with_its_place() {
    let project = Project::new().with("scripts/formations/bad.luau", "return yard.formation {\n  curve = 5,\n}\n");
    let answer = project.call(&["slots", "bad", "-n", "3", "--json"]).with(1).saying("bad.luau");
    assert_eq!(answer.json()["problems"][0]["line"].as_u64(), Some(2));
}
