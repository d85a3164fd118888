//! The examples `walker` and `evacuee`: each sets out at its own time, at its own pace; panic is an event.

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

/// R196.
#[test]
fn panic_makes_evacuees_press_on_and_calm_ends_it() {
    let path = format!("{}/scripts/machines/evacuee.luau", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("it is shipped").replace("herding = { 0.4,", "herding = { 0,");
    let text =
        text.replace("trembling = { 0.4,", "trembling = { 0,").replace("disturbance = { 2.0,", "disturbance = { 0,");
    let mut stage = Stage::with(open(&[("scripts/machines/evacuee.luau", &text)]), &[("them", "evacuee", 2)], 60.0, 1);
    stage.world_mut().agents.position[0] = DVec3::new(-40.0, 0.0, 0.0);
    stage.world_mut().agents.position[1] = DVec3::new(-60.0, 3.0, 0.0);
    stage.ticks(300);
    assert!((stage.world.agents.velocity[0].length() - 1.34).abs() < 0.01 && stage.state(0) == "leaving");
    for slot in 0..2 {
        stage.tell(slot, "panic", None);
    }
    stage.ticks(240);
    assert!((stage.world.agents.velocity[1].length() - 4.0).abs() < 0.05 && stage.state(1) == "panicking");
    stage.tell(1, "calm", None);
    stage.ticks(240);
    assert!(stage.state(0) == "panicking" && stage.state(1) == "leaving");
    assert!((stage.world.agents.velocity[1].length() - 1.34).abs() < 0.05);
    assert_eq!(stage.problems(), Vec::<String>::new());
}
