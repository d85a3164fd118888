//! Broken scenes, one fault each: `tests/fixtures/scenes/*.ron` end with the problems that they must give.

use std::fmt::Write as _;
use std::path::Path;

use crate::load;

/// `LINE:COLUMN code: message; hint` of each problem.
fn found(text: &str) -> String {
    let problems = match load("", text) {
        Ok(scene) => scene.warnings,
        Err(problems) => problems,
    };
    let mut found = String::new();
    for problem in problems {
        let place = format!("{}:{}", problem.line.unwrap_or_default(), problem.column.unwrap_or_default());
        let hint = problem.hint.map_or_else(String::new, |hint| format!("; {hint}"));
        writeln!(found, "// {place} {}: {}{hint}", problem.code, problem.message).expect("a string takes all text");
    }
    found
}

#[test]
fn every_broken_scene_gives_its_problems_with_place_and_hint() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scenes");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder is part of the sources")
        .map(|entry| entry.expect("readable").path())
        .collect();
    files.sort();
    assert!(files.len() > 15, "{} fixtures", files.len());
    let mut wrong = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let expected: Vec<_> = text.lines().filter(|line| line.starts_with("// ")).collect();
        let found = found(&text);
        if found.lines().ne(expected) {
            writeln!(wrong, "== {}\n{found}", file.display()).expect("a string takes all text");
        }
    }
    assert!(wrong.is_empty(), "these fixtures gave other problems than they say:\n{wrong}");
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let text =
        "Scene(format: 1, title: 5, tick_hz: -1, edge: Warp, colour: \"red\", groups: [Group(name: \"a\", count: -3)])";
    let found = found(text);
    assert_eq!(found.lines().count(), 5, "{found}");
}

#[test]
fn a_problem_shows_its_line_with_a_caret() {
    let problems = load("scenes/a.ron", "Scene(format: 1,\n  titel: \"x\")").expect_err("no title");
    let excerpt = problems[0].excerpt.as_deref();
    assert_eq!(excerpt, Some("2 |   titel: \"x\")\n      ^"), "{problems:?}");
    assert_eq!(problems[0].to_string(), "scenes/a.ron:2:3: Scene has no field `titel`; did you mean `title`?");
}
