//! `check`: every mistake of a beginner, with file, line and what to try.

use crate::program::{Project, package, scene};

/// Checks one script; gives status and stderr.
fn check(file: &str, text: &str) -> (i32, String) {
    let answer = Project::new().with(file, text).call(&["check", file]);
    (answer.status, answer.stderr)
}

#[test]
fn ten_mistakes_of_beginners_have_a_message_that_helps() {
    let behavior = |body: &str| format!("return yard.behavior {{\n{body}\n}}\n");
    let cases = [
        ("yard.behavior { forces = { separation = 1 } }\n".to_owned(), "return"),
        (behavior("  step = function(agent) return agent.velocty end,"), "`velocity`"),
        (behavior("  step = function(agent) return agent.neighbors(2)[1].offset end,"), "colon"),
        (behavior("  forces = { shy = { compute = function(agent) local a = 1 end } },"), "returned nothing"),
        (behavior("  step = function(agent) return 5 end,"), "vector"),
        (behavior("  step = function(agent) agent.position = vector.zero end,"), "read-only"),
        (behavior("  step = function(agent) count = 1 end,"), "local"),
        (behavior("  forces = { separation = 1 }\n  params = { a = 1 },"), "comma"),
        (behavior("  step = function(agent) wait(1) end,"), "`wait`"),
        (behavior("  forces = { separation = { raduis = 1 } },"), "`radius`"),
        (behavior("  forces = { seperation = 1 },"), "`separation`"),
        (behavior("  step = function(agent) agent.memory.count = 1 end,"), "memory"),
    ];
    for (text, wanted) in cases {
        let (status, stderr) = check("scripts/behaviors/bad.luau", &text);
        assert_eq!(status, 1, "{text}\n{stderr}");
        assert!(stderr.contains(wanted) && stderr.contains("bad.luau"), "no {wanted:?} for\n{text}\n{stderr}");
    }
}

#[test]
fn a_scene_shows_all_its_problems_at_once_with_places() {
    let text = scene("nobody").replace("radius", "raduis").replace("title", "titel");
    let project = Project::new().with("scenes/bad.ron", &text);
    let answer = project.call(&["check", "scenes/bad.ron", "--json"]).with(1);
    let json = answer.json();
    assert_eq!(json["files"][0]["ok"], false);
    let problems = json["problems"].as_array().expect("problems is a list");
    assert!(problems.len() >= 2, "{problems:#?}");
    assert!(problems.iter().all(|problem| problem["line"].as_u64().is_some()));
    assert!(answer.stderr.contains("did you mean"), "{}", answer.stderr);
}

#[test]
fn a_scene_that_names_what_is_missing_says_what_there_is() {
    let project = Project::new().with("scenes/a.ron", &scene("flok"));
    project.call(&["check", "scenes/a.ron"]).with(1).saying("flock");
}

#[test]
fn garbage_of_any_size_is_an_error_and_no_panic() {
    let project = Project::new();
    let garbage: Vec<u8> = (0..10_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for file in ["scenes/big.ron", "scripts/behaviors/big.luau", "scripts/formations/big.ron"] {
        project.write(file, "");
        std::fs::write(project.file(file), &garbage).expect("the file can be written");
        project.call(&["check", file]).with(1).saying("big");
        std::fs::remove_file(project.file(file)).expect("the file can be removed");
    }
    project.write("scenes/deep.ron", &"(".repeat(100_000));
    project.call(&["check", "scenes/deep.ron"]).with(1);
    project.write("scenes/empty.ron", "");
    project.call(&["check", "scenes/empty.ron"]).with(1);
}

#[test]
fn formations_manifests_and_unknown_files_are_told_apart() {
    let project = Project::new()
        .with("scripts/formations/good.ron", "(kind: \"spiral\", growth_rate: 0.2)\n")
        .with("scripts/formations/bad.ron", "(kind: \"spiral\", grwth_rate: 0.2)\n")
        .with("plugins/mine/plugin.ron", "Plugin(name: \"mine\", version: \"1.0.0\", api: 1)\n")
        .with("plugins/yours/plugin.ron", "Plugin(name: \"yours\", version: \"1.0.0\", api: 99)\n")
        .with("notes.txt", "hello\n");
    project.call(&["check", "scripts/formations/good.ron", "plugins/mine/plugin.ron"]).with(0);
    project.call(&["check", "scripts/formations/bad.ron"]).with(1).saying("growth_rate");
    project.call(&["check", "plugins/yours/plugin.ron"]).with(1).saying("api");
    project.call(&["check", "notes.txt"]).with(1).saying(".luau");
    project.call(&["check", "missing.luau"]).with(1).saying("missing.luau");
}

#[test]
fn one_broken_file_does_not_condemn_the_others() {
    let project = Project::new()
        .with("scripts/behaviors/good.luau", "return yard.behavior { forces = { separation = 1 } }\n")
        .with("scripts/behaviors/bad.luau", "return yard.behavior {\n");
    project.call(&["check", "scripts/behaviors/good.luau"]).with(0);
    let json =
        project.call(&["check", "scripts/behaviors/good.luau", "scripts/behaviors/bad.luau", "--json"]).with(1).json();
    assert_eq!((json["files"][0]["ok"].as_bool(), json["files"][1]["ok"].as_bool()), (Some(true), Some(false)));
}

#[test]
fn a_script_outside_of_a_project_can_be_checked() {
    let project = Project::new().with("loose.luau", "return yard.behavior { forces = { separation = 1 } }\n");
    project.call(&["check", "loose.luau"]).with(0);
    project.write("loose.luau", "return yard.behavior { forces = { seperation = 1 } }\n");
    project.call(&["check", "loose.luau"]).with(1).saying("separation");
}

#[test]
fn a_scheduled_value_that_will_not_be_taken_is_found_by_check() {
    let schedule = "schedule: [At(1, Set(\"drill.k1\", 99)), At(1, Set(\"drill.rule\", \"zzz\"))],\n)";
    let text = std::fs::read_to_string(package().join("scenes/01_drill.ron")).expect("it is shipped");
    let from = text.find("  schedule:").expect("it has one");
    let soldier = std::fs::read_to_string(package().join("scripts/machines/soldier.luau")).expect("it is shipped");
    let project = Project::new()
        .with("scenes/it.ron", &format!("{}  {schedule}", &text[..from]))
        .with("scripts/machines/soldier.luau", &soldier);
    let answer = project.call(&["check", "scenes/it.ron", "--json"]).with(1);
    let found = answer.json();
    let problems = found["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 2, "{found:#}");
    assert!(problems.iter().all(|problem| problem["line"].is_u64() && problem["column"].is_u64()), "{found:#}");
}
