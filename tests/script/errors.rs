//! What a beginner reads when something is wrong with a file (the part of the ten mistakes that shows at load).

use crate::support::{only, problems};

fn behavior(body: &str) -> String {
    format!("return yard.behavior {{\n{body}\n}}\n")
}

#[test]
fn a_file_that_returns_nothing_says_how_a_script_ends() {
    assert_eq!(
        only("local x = 1"),
        "shy.luau:1: the file returns nothing; a script ends with \"return yard.behavior { … }\""
    );
    assert!(only("return { forces = {} }").contains("plain table"));
    assert!(only("return 5").contains("returns a number"));
}

#[test]
fn unknown_keys_name_the_nearest() {
    assert_eq!(
        only(&behavior("  froces = { separation = 1 },")),
        "shy.luau:2:3: behavior has no key `froces`; did you mean `forces`?"
    );
    assert_eq!(
        only(&behavior("  forces = { separation = { raduis = 2 } },")),
        "shy.luau:2:14: force `separation` has no parameter `raduis`; did you mean `radius`?"
    );
    assert!(
        only(&behavior("  forces = { seperation = 1 },"))
            .contains("no force is called `seperation`; did you mean `separation`?")
    );
    assert!(only(&behavior("  params = { a = 1 }, forces = { separation = \"p.b\" },")).contains("names no parameter"));
    assert!(
        only(&behavior("  memory = { count = 1 }, limits = { max_speed = \"memory.cuont\" },"))
            .contains("did you mean `count`?")
    );
    assert!(only("return yard.behaviour {}").contains("yard has no `behaviour`; did you mean `behavior`?"));
    assert!(only("return yard.behavior { step = math.sqroot }").contains("math has no `sqroot`; did you mean `sqrt`?"));
}

#[test]
fn globals_are_refused_with_advice() {
    let written = only("count = 0\nreturn yard.behavior {}");
    assert_eq!(
        written,
        "shy.luau:1:1: `count = …` makes a global; write `local count`, or declare memory = { count = 0 } to keep it for each agent"
    );
    assert!(only("wait(1)\nreturn yard.behavior {}").contains("no global `wait`: nothing can wait inside a tick"));
    assert!(only("local t = maht.pi\nreturn yard.behavior {}").contains("no global `maht`; did you mean `math`?"));
}

#[test]
fn a_missing_comma_and_a_reserved_word_get_a_hint() {
    let comma = only("return yard.behavior {\n  control = \"velocity\"\n  forces = {},\n}");
    assert!(comma.starts_with("shy.luau:3"), "{comma}");
    assert!(comma.contains("the line before may lack a comma"), "{comma}");
    let word = only("return yard.machine { initial = \"a\", states = { a = {}, return = {} }, transitions = {} }");
    assert!(word.contains("`return` is a word of Lua"), "{word}");
}

#[test]
fn every_problem_of_a_file_is_reported_at_once() {
    let text = behavior(
        "  params = { a = { 1, mni = 0 } },\n  memory = { f = coroutine.create(function() end) },\n  forces = { separation = true },\n  step = 3,",
    );
    let problems = problems(&text);
    let lines: Vec<Option<u32>> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(problems.len(), 4, "{problems:#?}");
    for line in 2..=5 {
        assert!(lines.contains(&Some(line)), "{lines:?}");
    }
    assert!(problems.iter().all(|problem| problem.excerpt.is_some()));
}

#[test]
fn a_controller_under_acceleration_says_what_to_add() {
    let text = "return yard.machine { initial = \"moving\", states = { moving = { forces = { track_slot = 1 } } }, transitions = {} }";
    let shown = only(text);
    assert!(shown.contains("track_slot yields a velocity (m/s), but state `moving` is controlled by acceleration; add control = \"velocity\""), "{shown}");
}

#[test]
fn a_file_level_variable_changed_in_a_callback_is_refused() {
    let shown = only("local count = 0\nreturn yard.behavior {\n  step = function(agent)\n    count += 1\n  end,\n}");
    assert!(shown.starts_with("shy.luau:4:5: `count` belongs to the whole file"), "{shown}");
    assert!(shown.contains("declare memory = { count = … }"), "{shown}");
}

#[test]
fn a_nil_at_load_gives_place_and_traceback() {
    let problems = problems(
        "local function f() return nil + 1 end\nlocal function g() return f() end\nlocal x = g()\nreturn yard.behavior {}",
    );
    assert_eq!(problems[0].line, Some(1));
    assert!(problems[0].traceback.as_deref().is_some_and(|trace| trace.lines().count() >= 3), "{problems:#?}");
}

#[test]
fn defaults_must_fit_their_range_and_be_finite() {
    assert!(only(&behavior("  params = { a = { 5, min = 0, max = 2 } },")).contains("must be from 0 to 2, got 5"));
    assert!(only(&behavior("  params = { a = 0/0 },")).contains("must be finite"));
    assert!(only(&behavior("  params = { a = { 1, min = 3, max = 2 } },")).contains("min 3 is above max 2"));
    assert!(only(&behavior("  params = { count = 3 },")).contains("addresses below a group"));
    assert!(only(&behavior("  memory = { list = { 1, true } },")).contains("must hold one type"));
}
