//! The JSON of `run`, `list` and `check` has exactly the form that is promised.

use serde_json::Value;

use crate::program::{Project, call, package, scene};

/// Numbers are finite or null by the rules of JSON; here: keys and kinds.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn a_run_reports_what_is_promised() {
    let answer = call(&["run", "scenes/01_drill.ron", "--seconds", "4", "--hash-every", "60", "--json"]).with(0);
    let json = answer.json();
    let wanted = ["scene", "seed", "ticks", "seconds", "hash", "hashes", "groups", "reloads", "problems", "timing"];
    assert_eq!(keys(&json), wanted);
    assert_eq!(json["scene"], "scenes/01_drill.ron");
    assert_eq!(
        (json["seed"].as_u64(), json["ticks"].as_u64(), json["seconds"].as_f64()),
        (Some(7), Some(240), Some(4.0))
    );
    let hash = json["hash"].as_str().expect("hash is text");
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase()), "{hash}");
    let hashes = json["hashes"].as_array().expect("hashes is a list");
    assert_eq!(hashes.iter().map(|pair| pair[0].as_u64()).collect::<Vec<_>>(), [60, 120, 180, 240].map(Some));
    assert_eq!(hashes[3][1], json["hash"]);
    let group = &json["groups"][0];
    assert_eq!((group["name"].as_str(), group["agents"].as_u64()), (Some("drill"), Some(20)));
    for id in
        ["slot_error", "slot_error_max", "spacing_error", "spacing_error_max", "cross_track_max", "along_track_max"]
    {
        assert_eq!(keys(&group["metrics"][id]), ["unit", "last", "mean", "max"], "{id}");
        assert_eq!(group["metrics"][id]["unit"], "m", "{id}");
    }
    for id in ["heading_error_max", "heading_sd"] {
        assert_eq!(group["metrics"][id]["unit"], "rad", "{id}");
    }
    let contract = &group["contract"];
    assert_eq!(keys(contract)[..4], ["terms", "ok", "settled_at", "settles"]);
    for term in ["spacing", "cross_track", "heading", "settle"] {
        assert_eq!(keys(&contract["terms"][term]), ["unit", "limit", "value", "ok"], "{term}");
    }
    assert_eq!(keys(&contract["settles"][0]), ["tick", "command", "settled_at", "took"]);
    let timing = json["timing"].as_object().expect("timing is an object");
    for stage in ["commands", "sense", "decide", "avoid", "act", "measure"] {
        assert!(timing.get(stage).and_then(Value::as_f64).is_some_and(|seconds| seconds >= 0.0), "{stage}");
    }
}

#[test]
fn a_problem_has_all_its_fields_even_where_they_are_null() {
    let project = Project::new().with("scenes/bad.ron", &scene("flock").replace("radius: 0.2", "radus: 0.2"));
    let answer = project.call(&["run", "scenes/bad.ron", "--json"]).with(1);
    let problem = &answer.json()["problems"][0];
    for key in ["severity", "code", "message", "file", "line", "column", "hint", "group", "agent", "tick", "count"] {
        assert!(problem.get(key).is_some(), "no {key} in {problem}");
    }
    assert_eq!((problem["file"].as_str(), problem["line"].as_u64()), (Some("scenes/bad.ron"), Some(3)));
    assert!(answer.stderr.contains("radius"), "{}", answer.stderr);
}

#[test]
fn the_list_has_every_kind_and_where_it_comes_from() {
    let json = call(&["list", "--json"]).with(0).json();
    let lines = json.as_array().expect("a list");
    for line in lines {
        assert_eq!(keys(line), ["kind", "name", "about", "origin", "file", "params"]);
        for param in line["params"].as_object().expect("params is an object").values() {
            for key in ["default", "min", "max", "unit", "about"] {
                assert!(param.get(key).is_some(), "{}: no {key}", line["name"]);
            }
        }
    }
    let has = |kind: &str, name: &str| lines.iter().any(|line| line["kind"] == kind && line["name"] == name);
    for (kind, name) in [
        ("force", "separation"),
        ("force", "track_slot"),
        ("force", "track_slot_lua"),
        ("behavior", "shy"),
        ("machine", "soldier"),
        ("formation", "spiral"),
        ("formation", "spiral_lua"),
        ("metric", "slot_error"),
        ("metric", "lane_order"),
        ("metric", "lane_order_lua"),
        ("director", "rush"),
        ("scene", "scenes/01_drill.ron"),
        ("plugin", "fireflies"),
    ] {
        assert!(has(kind, name), "no {kind} {name}");
    }
    let formations = call(&["list", "formation", "--json"]).with(0).json();
    assert!(formations.as_array().is_some_and(|lines| lines.iter().all(|line| line["kind"] == "formation")));
}

#[test]
fn all_that_is_shipped_passes_check() {
    let mut files = Vec::new();
    let list = call(&["list", "--json"]).with(0).json();
    for line in list.as_array().expect("a list") {
        files.extend(line["file"].as_str().map(str::to_owned));
    }
    files.sort();
    files.dedup();
    assert!(files.len() > 20, "{files:?}");
    let mut arguments = vec!["check", "--json"];
    arguments.extend(files.iter().map(String::as_str));
    let answer = crate::program::call_in(package(), &arguments).with(0);
    let json = answer.json();
    assert_eq!(keys(&json), ["files", "problems"]);
    assert_eq!(json["files"].as_array().map(Vec::len), Some(files.len()));
    assert!(json["files"][0]["ok"].as_bool() == Some(true));
}
