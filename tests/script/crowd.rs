//! The example `walker`: each sets out at its own time, at its own pace.

use glam::DVec3;

use crate::stage::Stage;
use crate::support::open;

/// Ten walkers far from each other, with other defaults.
fn walkers(changes: &[(&str, &str)]) -> Stage {
    let path = format!("{}/scripts/behaviors/walker.luau", env!("CARGO_MANIFEST_DIR"));
    let mut text = std::fs::read_to_string(path).expect("it is shipped");
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let mut stage = Stage::with(open(&[("scripts/behaviors/walker.luau", &text)]), &[("them", "walker", 10)], 60.0, 1);
    let world = stage.world_mut();
    world.groups[0].goal = Some(DVec3::new(0.0, 500.0, 0.0));
    for slot in 0..10 {
        world.agents.position[slot] = DVec3::new(slot as f64 * 10.0, 0.0, 0.0);
    }
    stage
}

/// RiMEA 5: pre-movement times are kept within one step.
#[test]
fn each_sets_out_at_its_own_time() {
    let mut stage = walkers(&[("earliest = { 0,", "earliest = { 1,"), ("latest = { 0,", "latest = { 6,")]);
    let mut began = [0.0; 10];
    for _ in 0..400 {
        let now = stage.world.time();
        stage.tick();
        for (slot, began) in began.iter_mut().enumerate() {
            if *began == 0.0 && stage.world.agents.velocity[slot].length() > 1e-6 {
                *began = now;
            }
        }
    }
    assert_eq!(stage.problems(), Vec::<String>::new());
    for (slot, began) in began.iter().enumerate() {
        let start = stage.number(slot as u32, "start");
        assert!((1.0..=6.0).contains(&start) && (began - start).abs() <= 1.0 / 60.0 + 1e-6, "{began} for {start}");
    }
}

#[test]
fn each_walks_at_its_own_pace_and_the_slider_moves_all() {
    let mut stage = walkers(&[]);
    stage.ticks(300);
    let mut speeds: Vec<f64> = stage.world.agents.velocity[..10].iter().map(|v| v.length()).collect();
    for (slot, speed) in speeds.iter().enumerate() {
        let wanted = 1.34 + 0.26 * stage.number(slot as u32, "quick");
        assert!((speed - wanted).abs() < 0.01, "{speed} for {wanted}");
    }
    speeds.sort_by(f64::total_cmp);
    assert!(speeds[9] - speeds[0] > 0.2, "{speeds:?}");
}
