//! Pedestrians in shipped scenes: lanes form, and rooms empty.

use swarmyard::experiment::validating::{CASES, Context};

use super::helpers::{open, project, run};

/// R169, and case 37 of the literature.
#[test]
fn two_streams_in_a_corridor_form_lanes() {
    let case = CASES.iter().find(|case| case.name == "lane-formation").expect("a case");
    let outcome = case.run(&Context { project: project(), clock: || 0.0 });
    assert!(outcome.ok, "{outcome:#?}");
}

/// Fault 17: no arch stands for good. R196: the event `panic` reaches all.
#[test]
fn the_bottleneck_lets_people_out_and_panic_changes_their_state() {
    let mut experiment = open("scenes/47_bottleneck.ron");
    run(&mut experiment, 25 * 120);
    let left = experiment.world().agents.count();
    assert!(left < 105, "{left} of 120 are still inside after 25 s");
    assert!(experiment.problems().is_empty(), "{:?}", experiment.problems());

    let mut experiment = open("scenes/50_panic_room.ron");
    run(&mut experiment, 12 * 500 - 10);
    assert!(experiment.agent_rows().all(|row| row.state != "panicking"));
    run(&mut experiment, 20);
    assert!(experiment.agent_rows().all(|row| row.state == "panicking"));
}
