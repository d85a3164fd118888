//! Pedestrians in shipped scenes: lanes form, and rooms empty.

use swarmyard::experiment::validating::{CASES, Context};

use super::helpers::{open, project, run};

/// R169, and case 37 of the literature.
#[test]
fn two_streams_in_a_corridor_form_lanes() {
    let case = CASES.iter().find(|case| case.name == "lane-formation").expect("a case");
    let outcome = case.run(&Context::new(project()));
    assert!(outcome.ok, "{outcome:#?}");
}

/// Fault 17: no arch stands for good.
#[test]
fn the_bottleneck_lets_people_out() {
    let mut experiment = open("scenes/47_bottleneck.ron");
    run(&mut experiment, 15 * 120);
    let early = experiment.world().agents.count();
    run(&mut experiment, 5 * 120);
    let late = experiment.world().agents.count();
    assert!(early < 115 && late + 3 < early, "{early} of 120 are inside after 15 s, {late} after 20 s");
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());
}
