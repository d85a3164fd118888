//! `require` stays inside, names what it cannot find, and refuses circles.

use crate::support::open;

const USER: &str = "scripts/behaviors/user.luau";

fn asked(name: &str) -> String {
    let text = format!("local m = require(\"{name}\")\nreturn yard.behavior {{}}");
    let host = open(&[
        (USER, &text),
        ("scripts/lib/walls.luau", "return { far = 3 }"),
        ("scripts/lib/deep/more.luau", "return require(\"./inner\")"),
        ("scripts/lib/deep/inner.luau", "return { 1 }"),
        ("scripts/behaviors/other.luau", "return yard.behavior {}"),
    ]);
    host.problems().first().map(|problem| problem.to_string()).unwrap_or_default()
}

#[test]
fn modules_are_found_by_path_and_relative_to_the_file() {
    for name in ["lib/walls", "walls", "lib/deep/more", "./../../lib/walls"] {
        let problem = asked(name);
        assert_eq!(problem.is_empty(), !name.contains(".."), "{name}: {problem}");
    }
}

#[test]
fn every_way_out_is_refused() {
    for name in [
        "../secret",
        "lib/../../secret",
        "/etc/passwd",
        "..\\\\..\\\\secret",
        "C:/secret",
        "~/secret",
        "./flock/../../secret",
    ] {
        let problem = asked(name);
        assert!(problem.contains("refused"), "{name}: {problem}");
    }
}

#[test]
fn a_missing_module_names_the_nearest_and_a_definition_is_none() {
    assert!(asked("lib/wals").contains("did you mean `lib/walls`?"));
    assert!(asked("behaviors/other").contains("is a definition, not a module"));
}

#[test]
fn a_circle_is_refused_with_its_members() {
    let host = open(&[
        (USER, "require(\"lib/a\")\nreturn yard.behavior {}"),
        ("scripts/lib/a.luau", "return require(\"lib/b\")"),
        ("scripts/lib/b.luau", "return require(\"lib/a\")"),
    ]);
    let problem = host.problems()[0].to_string();
    assert!(problem.contains("goes in a circle"), "{problem}");
    assert_eq!(host.problems()[0].file.as_deref(), Some("scripts/lib/b.luau"));
}

#[test]
fn a_module_cannot_be_changed_and_is_asked_for_at_load_only() {
    let text = "local m = require(\"lib/m\")\nm.list[1] = 2\nreturn yard.behavior {}";
    let host = open(&[(USER, text), ("scripts/lib/m.luau", "return { list = { 1 } }")]);
    assert!(host.problems()[0].message.contains("readonly"), "{:?}", host.problems());
    let host = open(&[(USER, "require(\"lib/m\")\nreturn yard.behavior {}"), ("scripts/lib/m.luau", "local x = 1")]);
    assert!(host.problems()[0].message.contains("a module returns one value"), "{:?}", host.problems());
}

#[test]
fn an_error_in_a_module_is_shown_in_the_module() {
    let host =
        open(&[(USER, "require(\"lib/m\")\nreturn yard.behavior {}"), ("scripts/lib/m.luau", "return {\n  1 +\n}")]);
    let problem = &host.problems()[0];
    assert_eq!((problem.file.as_deref(), problem.line), (Some("scripts/lib/m.luau"), Some(3)));
}
