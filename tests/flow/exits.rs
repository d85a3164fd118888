//! Who leaves when.

use glam::DVec3;
use swarmyard::sim::Leg;

use crate::{RADIUS, Run, SPEED, exit, settings};

#[test]
fn who_touches_an_exit_leaves_once_at_the_moment_of_touching() {
    let door = || exit("door", (5.0, -1.0), (5.0, 1.0), None);
    let mut run = Run::new(settings(vec![door()], vec![Leg::Stop(0)]), 1).with(&[(0.0, 0.0), (1.3, 0.4)]);
    run.run(6.0);
    assert_eq!(run.left.len(), 2);
    assert_eq!(run.world.agents.count(), 0);
    // The second one is nearer, and both leave when their rim touches: to a small part of a tick.
    let times: Vec<f64> = run.left.iter().map(|left| left.time).collect();
    for (time, way) in times.iter().zip([5.0 - 1.3 - RADIUS, 5.0 - RADIUS]) {
        assert!((time - way / SPEED).abs() < 1e-3, "{time} s for {way} m");
    }
}

#[test]
fn nobody_hangs_before_a_door_by_less_than_his_radius() {
    let door = exit("door", (5.0, -1.0), (5.0, 1.0), None);
    let mut run = Run::new(settings(vec![door], vec![Leg::Stop(0)]), 1).with(&[(4.9, 0.0)]);
    run.walks = false;
    run.run(0.1);
    assert_eq!(run.left.len(), 1, "0.1 m before the line is through it");
}

#[test]
fn a_gate_lets_one_through_after_the_other_in_the_order_of_touching() {
    let door = exit("gate", (5.0, -3.0), (5.0, 3.0), Some(2.0));
    let places: Vec<(f64, f64)> = (0..8).map(|i| (3.0 - 0.05 * f64::from(i), 0.7 * f64::from(i) - 2.4)).collect();
    let mut run = Run::new(settings(vec![door], vec![Leg::Stop(0)]), 1).with(&places);
    run.run(12.0);
    let order: Vec<u32> = run.left.iter().map(|left| left.agent.slot).collect();
    assert_eq!(order, (0..8).collect::<Vec<u32>>());
    for pair in run.left.windows(2) {
        assert!((pair[1].time - pair[0].time - 0.5).abs() < 1e-9, "{} s", pair[1].time - pair[0].time);
    }
}

#[test]
fn a_closed_exit_holds_all_and_lets_them_out_when_it_opens() {
    let door = exit("door", (5.0, -1.0), (5.0, 1.0), None);
    let mut run = Run::new(settings(vec![door], vec![Leg::Stop(0)]), 1).with(&[(4.0, 0.0), (3.0, 0.6)]);
    run.flow.set_open("door", false);
    run.run(5.0);
    assert_eq!(run.left.len(), 0);
    assert_eq!(run.flow.stops()[0].count(&run.world), 2, "they stand before it");
    assert!(run.world.agents.position.iter().all(|at| at.x < 5.0 + 1e-9), "nobody walks through");
    run.flow.set_open("door", true);
    run.run(0.1);
    assert_eq!(run.left.len(), 2);
}

#[test]
fn who_has_no_journey_leaves_where_he_comes_by_and_who_has_one_only_where_it_leads() {
    let doors = || vec![exit("near", (2.0, -1.0), (2.0, 1.0), None), exit("far", (5.0, -1.0), (5.0, 1.0), None)];
    let mut led = Run::new(settings(doors(), vec![Leg::Stop(1)]), 1).with(&[(0.0, 0.0)]);
    led.run(6.0);
    assert_eq!(led.left.iter().map(|left| left.stop).collect::<Vec<_>>(), [1]);
    let mut free = Run::new(settings(doors(), Vec::new()), 1).with(&[(0.0, 0.0)]);
    free.world.agents.goal[0] = Some(DVec3::new(9.0, 0.0, 0.0));
    free.run(6.0);
    assert_eq!(free.left.iter().map(|left| left.stop).collect::<Vec<_>>(), [0]);
}
