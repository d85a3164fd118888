//! The gallery of symptoms: the number that shows a fault differs clearly from that of its cure; and the turning wave.

use swarmyard::experiment::Experiment;
use swarmyard::experiment::validating::{CASES, Context};

use super::helpers::{open, project, run};

fn mean(experiment: &mut Experiment, group: &str, metric: &str) -> f64 {
    let report = experiment.report();
    let found = report.groups.iter().find(|run| run.name == group).unwrap_or_else(|| panic!("no group {group}"));
    let value = found.metrics.iter().find(|(id, _)| id == metric).and_then(|(_, run)| run.mean);
    value.unwrap_or_else(|| panic!("{group}.{metric} was not measured"))
}

/// Each line: fault, metric, and by which factor it is above (or, below 1, under) that of `FAULT_cure`.
fn expect(scene: &str, secs: u64, lines: &[(&str, &str, f64)]) {
    let mut experiment = open(scene);
    run(&mut experiment, secs * 60);
    for (fault, metric, factor) in lines {
        let (ill, well) =
            (mean(&mut experiment, fault, metric), mean(&mut experiment, &format!("{fault}_cure"), metric));
        let shows = if *factor > 1.0 { ill > factor * well } else { ill < factor * well };
        assert!(shows, "{scene}: {fault}.{metric} is {ill}, cured {well}, not {factor} times as much");
    }
    assert!(experiment.problems().is_empty(), "{scene}: {:?}", experiment.problems());
}

/// R130: scatter, rigid plate, dense jittering ball, flattened row.
#[test]
fn shapes_show_their_fault_beside_the_cure() {
    expect(
        "scenes/42_gallery_shape.ron",
        40,
        &[
            ("scatter", "extension", 1.8),
            ("plate", "velocity_mismatch", 0.5),
            ("ball", "nearest_neighbor", 0.3),
            ("row", "elongation", 2.0),
        ],
    );
}

/// R162: a school at rest, overlap, an alarm that does not end.
#[test]
fn rest_overlap_and_alarm_show_their_fault_beside_the_cure() {
    expect("scenes/43_gallery_rest.ron", 20, &[("rest", "speed", 0.05), ("overlap", "collisions", 20.0)]);
    let mut experiment = open("scenes/43_gallery_rest.ron");
    let mut startled = [0_u64; 2];
    while experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        for row in experiment.agent_rows().filter(|row| row.state == "startled") {
            startled[usize::from(row.group == "alarm_cure")] += 1;
        }
    }
    let [ill, well] = startled.map(|ticks| ticks as f64 / (24.0 * 60.0));
    assert!(ill > 15.0 && well > 1.0 && ill > 2.5 * well, "startled for {ill} s, cured {well} s");
}

/// R162: stuck at an edge that clamps, piled up by a current that is faster than the fish.
#[test]
fn edges_show_their_fault_beside_the_cure() {
    expect("scenes/44_gallery_edge.ron", 40, &[("stuck", "edge_share", 4.0), ("piled", "edge_share", 8.0)]);
}

/// R132: with the view cone the turn of a few at the front runs to the tail; from the tail it does not run to the front.
#[test]
fn the_turning_wave_runs_from_front_to_back() {
    let case = CASES.iter().find(|case| case.name == "turning-wave").expect("a case");
    let outcome = case.run(&Context::new(project()));
    assert!(outcome.ok, "{outcome:#?}");
}
