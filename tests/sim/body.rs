//! Bodies in the tick: dead time, lag, limits, heading.

use glam::DVec3;
use swarmyard::sim::{BodySpec, Control, HeadingMode, WorldSettings};

use super::helpers::{Ask, Bench, free_body};

/// Position of a velocity-driven body after a unit step at t = 0: the exact response of e^(−Ls)/(s(τs+1)).
fn step_response(t: f64, lag: f64, dead: f64) -> f64 {
    let t = (t - dead).max(0.0);
    t - lag * (1.0 - libm::exp(-t / lag))
}

#[test]
fn dead_time_is_exact_at_any_fraction_of_a_tick() {
    for dead in [0.0, 0.01, 0.05, 0.1, 0.12, 0.16, 0.21] {
        let mut bench = Bench::new(WorldSettings::default());
        let body = BodySpec { lag: 0.2, dead_time: dead, ..free_body() };
        let mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::X);
        bench.group(body, Box::new(mind), &[DVec3::ZERO]);
        for tick in 1..=90 {
            bench.run(1);
            let expected = step_response(f64::from(tick) / 60.0, 0.2, dead);
            let x = bench.world.agents.position[0].x;
            assert!((x - expected).abs() < 1e-9, "dead {dead}, tick {tick}: {x} instead of {expected}");
        }
    }
}

#[test]
fn substeps_change_nothing_for_an_exact_body() {
    let run = |substeps| {
        let mut bench = Bench::new(WorldSettings::default());
        let body = BodySpec { lag: 0.2, dead_time: 0.12, substeps, ..free_body() };
        let mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::X);
        bench.group(body, Box::new(mind), &[DVec3::ZERO]);
        bench.run(60);
        bench.world.agents.position[0].x
    };
    assert!((run(1) - run(7)).abs() < 1e-9);
}

#[test]
fn speed_acceleration_and_turn_rate_are_limits() {
    let mut bench = Bench::new(WorldSettings::default());
    let body = BodySpec { max_speed: 2.0, max_acceleration: 3.0, turn_rate: 1.0, ..BodySpec::default() };
    let mut mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::new(0.0, 50.0, 0.0));
    mind.turn = Some(100.0);
    bench.group(body, Box::new(mind), &[DVec3::ZERO]);
    let mut before = 0.0;
    for tick in 1..=120 {
        bench.run(1);
        let speed = bench.world.agents.speed(0);
        assert!(speed <= 2.0 + 1e-12 && speed - before <= 3.0 / 60.0 + 1e-12);
        let turned = f64::from(tick) / 60.0;
        assert!((bench.world.agents.heading[0] - turned).abs() < 1e-9);
        before = speed;
    }
    assert!((before - 2.0).abs() < 1e-9);
}

#[test]
fn an_acceleration_reaches_a_velocity_driven_body_and_the_reverse() {
    use swarmyard::sim::Drive;
    for (control, drive) in [(Control::Acceleration, Drive::Velocity), (Control::Velocity, Drive::Acceleration)] {
        let mut bench = Bench::new(WorldSettings::default());
        let body = BodySpec { drive: Some(drive), relaxation: 0.5, ..free_body() };
        let mind = Ask::new(control, |_: &_, _| DVec3::X);
        bench.group(body, Box::new(mind), &[DVec3::ZERO]);
        bench.run(60);
        let v = bench.world.agents.velocity[0].x;
        assert!(v > 0.5 && v.is_finite(), "{control:?} {drive:?}: {v}");
    }
}

#[test]
fn heading_follows_the_velocity_unless_the_mind_turns() {
    for (heading, turn, expected) in [
        (HeadingMode::Auto, None, std::f64::consts::FRAC_PI_2),
        (HeadingMode::AlongVelocity, None, std::f64::consts::FRAC_PI_2),
        (HeadingMode::Free, None, 0.0),
        (HeadingMode::Auto, Some(0.0), 0.0),
    ] {
        let mut bench = Bench::new(WorldSettings::default());
        let mut mind = Ask::new(Control::Velocity, |_: &_, _| DVec3::Y);
        mind.turn = turn;
        bench.group(BodySpec { heading, ..free_body() }, Box::new(mind), &[DVec3::ZERO]);
        bench.run(10);
        assert!((bench.world.agents.heading[0] - expected).abs() < 1e-9, "{heading:?} {turn:?}");
    }
}

#[test]
fn f23_a_wall_is_never_passed_whatever_the_speed() {
    for speed in [1.0, 5.0, 10.0, 100.0] {
        let mut bench = Bench::new(WorldSettings::default());
        let wall = swarmyard::sim::obstacle::Shape::Wall {
            from: DVec3::new(3.0, -5000.0, 0.0),
            to: DVec3::new(3.0, 5000.0, 0.0),
        };
        bench.world().obstacles.insert("wall", wall).expect("a wall is accepted");
        let mind = Ask::new(Control::Velocity, move |_: &_, _| DVec3::new(speed, 0.3 * speed, 0.0));
        bench.group(free_body(), Box::new(mind), &[DVec3::ZERO]);
        for _ in 0..300 {
            bench.run(1);
            assert!(bench.world.agents.position[0].x < 3.0 - 0.199, "{speed}");
        }
        assert!(bench.world.agents.position[0].y > 0.3 * speed, "it slides along the wall");
    }
}
