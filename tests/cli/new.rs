//! `new` and `types`: what they write passes check and runs.

use crate::program::{Project, scene};

#[test]
fn every_start_passes_check() {
    let project = Project::new();
    for (kind, folder, ending) in [
        ("behavior", "scripts/behaviors", "luau"),
        ("machine", "scripts/machines", "luau"),
        ("formation", "scripts/formations", "luau"),
        ("force", "scripts/forces", "luau"),
        ("metric", "scripts/metrics", "luau"),
        ("director", "scripts/directors", "luau"),
        ("scene", "scenes", "ron"),
    ] {
        let name = format!("my_{kind}");
        let file = format!("{folder}/{name}.{ending}");
        let answer = project.call(&["new", kind, &name]).with(0);
        assert!(answer.stdout.contains(&file), "{}", answer.stdout);
        let checked = project.call(&["check", &file]);
        assert_eq!(checked.status, 0, "{kind}:\n{}", checked.stderr);
        let again = project.call(&["new", kind, &name]).with(1);
        assert!(again.stderr.contains("exists"), "{}", again.stderr);
    }
    project.call(&["run", "scenes/my_scene.ron", "--seconds", "5", "--json"]).with(0);
    for behavior in ["my_behavior", "my_machine"] {
        project.write("scenes/try.ron", &scene(behavior));
        project.call(&["run", "scenes/try.ron", "--seconds", "5", "--json"]).with(0);
    }
    let with = scene("flock").replace("groups:", "metrics: [\"my_metric\"], directors: [\"my_director\"], groups:");
    project.write("scenes/try.ron", &with.replace("\"line\"", "\"my_formation\""));
    project.call(&["run", "scenes/try.ron", "--seconds", "5", "--json"]).with(0);
}

#[test]
fn a_name_that_cannot_be_one_is_wrong_usage() {
    let project = Project::new();
    for name in ["../up", "with space", "9lives", "", "end", "a/b", "\u{e9}t\u{e9}"] {
        project.call(&["new", "behavior", name]).with(2);
    }
    project.call(&["new", "force", "separation"]).with(2).saying("already");
    assert!(!project.file("scripts").exists());
}

#[test]
fn types_writes_the_definition_file() {
    let project = Project::new();
    project.call(&["types"]).with(0);
    let text = std::fs::read_to_string(project.file("scripts/yard.d.luau")).expect("the file is written");
    assert!(text.contains("declare yard") && text.contains("read neighbors"));
}
