//! Saving writes what changed into the text that was there: words, lines and comments elsewhere stay.

use swarmyard::scene::{Address, SceneFile, SetValue};
use swarmyard::sim::Value;

const TEXT: &str = "// what it shows\nScene(\n  format: 1, title: \"t\",   // a title\n  groups: [\n    Group(name: \"a\", count: 2, /* two */ spawn: Grid(spacing: 2),\n          set: {\"k1\": 1.5 /* soft */}),\n    // the other one\n    Group(name: \"b\", count: 1, spawn: Grid(at: (0, 9)), body: (radius: 0.2)), // defaults written out\n  ],\n) // the end\n";

fn saved(change: impl Fn(&mut SceneFile)) -> String {
    let loaded = SceneFile::from_text("it.ron", TEXT).expect("it is well formed");
    let mut scene = loaded.scene.clone();
    change(&mut scene);
    scene.patched(&loaded).expect("it can be patched")
}

fn set(scene: &mut SceneFile, address: &str, value: f64) {
    let address = Address::parse(address).expect("an address");
    scene.assign(&address, SetValue(Value::Number(value))).expect("a group of that name");
}

#[test]
fn nothing_changed_is_the_very_text() {
    assert_eq!(saved(|_| {}), TEXT);
}

#[test]
fn a_value_that_is_there_changes_in_place() {
    assert_eq!(saved(|scene| set(scene, "a.k1", 3.0)), TEXT.replace("1.5", "3"));
}

#[test]
fn a_new_value_stands_behind_the_last_and_a_new_field_too() {
    assert_eq!(saved(|scene| set(scene, "a.kd", 0.5)), TEXT.replace("1.5 /*", "1.5, \"kd\": 0.5 /*"));
    let both = saved(|scene| {
        set(scene, "a.k1", 2.0);
        set(scene, "b.k1", 4.0);
    });
    assert_eq!(both, TEXT.replace("1.5", "2").replace("body: (radius: 0.2)", "body: (radius: 0.2), set: {\"k1\": 4}"));
}

#[test]
fn a_default_that_was_written_out_and_a_field_of_a_record_change_in_place() {
    let changed = saved(|scene| {
        scene.title = "u".to_owned();
        scene.groups[1].value.body.value.radius = 0.3;
    });
    assert_eq!(changed, TEXT.replace("\"t\"", "\"u\"").replace("radius: 0.2", "radius: 0.3"));
}

#[test]
fn what_cannot_be_patched_is_refused_so_that_the_file_is_written_anew() {
    let loaded = SceneFile::from_text("it.ron", &TEXT.replace("k1\": 1.5", "k1\": 1.5, \"k1\": 2")).ok();
    assert!(loaded.is_none(), "a key twice is no scene");
    let loaded = SceneFile::from_text("it.ron", TEXT).expect("it is well formed");
    let mut scene = loaded.scene.clone();
    scene.groups[0].value.spawn = None;
    assert_eq!(scene.patched(&loaded), None, "a field that is a default now");
}
