//! Static checks of states and lines.

use swarmyard::scene::problem::Problem;

use crate::support::problems;

fn machine(states: &str, lines: &str) -> Vec<Problem> {
    problems(&format!(
        "return yard.machine {{\n  params = {{ near = {{ 2, min = 0, max = 9 }}, far = {{ 3, min = 0, max = 9 }} }},\n  initial = \"a\",\n  states = {{ {states} }},\n  transitions = {{\n{lines}\n  }},\n}}\n"
    ))
}

fn codes(problems: &[Problem]) -> Vec<(&str, Option<u32>)> {
    problems.iter().map(|problem| (problem.code.as_str(), problem.line)).collect()
}

const BACK: &str = "{ from = 'b', to = 'a', on = 'back' },";

#[test]
fn unknown_states_are_errors_with_the_nearest_name() {
    let found = machine(
        "alpha = {}, a = {}",
        "{ from = 'a', to = 'alpah', on = 'go' },\n{ from = 'alpha', to = 'a', on = 'x' },",
    );
    assert!(
        found.iter().any(|problem| problem.message.contains("did you mean `alpha`?") && problem.line == Some(6)),
        "{found:#?}"
    );
}

#[test]
fn unreachable_and_trap_states_are_warned_of() {
    let found =
        machine("a = {}, b = {}, c = {}", "{ from = 'a', to = 'b', on = 'go' },\n{ from = 'c', to = 'a', on = 'x' },");
    assert_eq!(codes(&found), [("trap", Some(4)), ("unreachable", Some(4))]);
    let fine = machine("a = {}, b = { final = true }", "{ from = 'a', to = 'b', on = 'go' },");
    assert_eq!(codes(&fine), []);
}

#[test]
fn a_shadowed_line_is_warned_of() {
    let found = machine(
        "a = {}, b = {}",
        &format!(
            "{BACK}\n{{ from = 'any', to = 'b', below = {{ clearance = 2 }} }},\n{{ from = 'a', to = 'b', below = {{ clearance = 1, speed = 2 }} }},"
        ),
    );
    assert_eq!(codes(&found), [("shadowed", Some(8))]);
    let fine = machine(
        "a = {}, b = {}",
        &format!(
            "{BACK}\n{{ from = 'a', to = 'b', below = {{ clearance = 1 }}, hold = 3 }},\n{{ from = 'a', to = 'b', below = {{ clearance = 1, speed = 2 }} }},"
        ),
    );
    assert_eq!(codes(&fine), []);
}

#[test]
fn hold_with_an_event_can_never_be() {
    let found = machine("a = {}, b = {}", &format!("{BACK}\n{{ from = 'a', to = 'b', on = 'go', hold = 3 }},"));
    assert_eq!(codes(&found), [("hold-with-on", Some(7))]);
}

#[test]
fn thresholds_without_a_gap_flap() {
    let found = machine(
        "a = {}, b = {}",
        "{ from = 'a', to = 'b', below = { clearance = 'p.far' } },\n{ from = 'b', to = 'a', above = { clearance = 'p.near' } },",
    );
    assert_eq!(codes(&found), [("no-hysteresis", Some(7))]);
    let fine = machine(
        "a = {}, b = {}",
        "{ from = 'a', to = 'b', below = { clearance = 'p.near' } },\n{ from = 'b', to = 'a', above = { clearance = 'p.far' } },",
    );
    assert_eq!(codes(&fine), []);
}

#[test]
fn a_threshold_on_something_that_is_no_number_is_an_error() {
    let found = machine("a = {}, b = {}", &format!("{BACK}\n{{ from = 'a', to = 'b', below = {{ claerance = 2 }} }},"));
    assert!(found[0].message.contains("did you mean `clearance`?"), "{found:#?}");
}
