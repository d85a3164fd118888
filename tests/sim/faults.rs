//! Where each fault that people reported of such programs is tested, by its number. A test is named after the number and what was
//! wrong; the check below fails where one is missing.
//!
//! | fault | what was wrong | tests |
//! | --- | --- | --- |
//! | F01 | a zero vector was normalized into NaN | `tests/steer/behavior.rs` |
//! | F02 | a number that is none reached the tree and panicked | `tests/obstacle/refused.rs`, `tests/sim/quarantine.rs` |
//! | F03 | the tree answered otherwise when built at once | `tests/obstacle/nearest.rs` |
//! | F04 | differences of angles were not wrapped, or once only | `src/sim/angle.rs`, `tests/steer/faults.rs` |
//! | F05 | the D term spiked where a heading wraps | `tests/steer/faults.rs` |
//! | F06 | an agent was its own neighbor; coincident ones were none | `tests/sim/grid.rs`, `tests/steer/invariance.rs` |
//! | F07 | cohesion in the world's coordinates; a lone agent went to the origin | `tests/steer/invariance.rs` |
//! | F08 | states were updated in place, so the order of agents counted | `tests/steer/invariance.rs` |
//! | F09 | the frame rate changed the run | `tests/experiment/faults.rs` |
//! | F10 | a stall was made up for, and every tick made the next stall longer | `src/experiment/runner.rs` |
//! | F11 | one force outweighed all, the more neighbors the more | `tests/steer/behavior.rs` |
//! | F12 | alignment wiggled at every step | `tests/steer/behavior.rs` |
//! | F13 | cells smaller than the radius missed neighbors | `tests/sim/grid.rs` |
//! | F14 | distances and means did not go round the seam | `tests/sim/grid.rs`, `tests/steer/invariance.rs` |
//! | F15 | the integral wound up | `tests/steer/pid.rs` |
//! | F16 | a jump of the set-point kicked the derivative | `tests/steer/pid.rs` |
//! | F17 | oscillation about the target | `tests/steer/behavior.rs`, `tests/steer/control.rs` |
//! | F18 | the braking way was longer than the radius of arrival | `tests/steer/behavior.rs`, `tests/steer/control.rs` |
//! | F19 | two face to face, eight in one middle: nobody got through | `tests/steer/faults.rs` |
//! | F20 | places were exchanged, so that agents went through each other | `tests/formation/assignment.rs` |
//! | F21 | noise changed places to and fro | `tests/formation/assignment.rs` |
//! | F22 | a local minimum held for good | `tests/steer/behavior.rs` |
//! | F23 | who was fast passed walls | `tests/obstacle/motion.rs`, `tests/sim/body.rs` |
//! | F24 | stiff repulsion exploded, and NaN ran on | `tests/steer/behavior.rs`, `tests/sim/quarantine.rs` |
//! | F25 | total overlap had no direction | `tests/steer/behavior.rs` |
//! | F26 | the choice of the nearest obstacle jumped | `tests/steer/behavior.rs` |
//! | F27 | the assignment hung or lied on what is no number | `tests/formation/assignment.rs` |
//! | F28 | same seed, different result | `tests/steer/faults.rs`, `tests/steer/invariance.rs`, `tests/cli/run.rs` |
//! | F29 | thresholds chattered | `tests/measure/contract.rs` |
//! | F30 | an eigenvector flipped | `tests/formation/base_line.rs` |
//! | F31 | who had no target yielded to nobody | `tests/steer/faults.rs` |
//! | F32 | the tuner was off by a factor | `tests/steer/pid.rs` |
//! | F33 | boids between a predator and an obstacle became a vortex | `tests/steer/faults.rs` |

#[test]
fn every_fault_of_the_table_has_a_test_that_bears_its_number() {
    let rows: Vec<&str> = include_str!("faults.rs").lines().filter(|line| line.starts_with("//! | F")).collect();
    assert_eq!(rows.len(), 33);
    for (index, row) in rows.iter().enumerate() {
        let number = format!("F{:02}", index + 1);
        assert!(row.contains(&format!("| {number} |")), "{row} stands where {number} should");
        let files: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!files.is_empty(), "{row}");
        for file in files {
            let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            let named = format!("fn {}_", number.to_lowercase());
            assert!(text.contains(&named), "{file} has no test of {number}");
        }
    }
}
