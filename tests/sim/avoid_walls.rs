//! Obstacles under avoidance: never entered, whatever their winding; they hide neighbors; who starts inside comes out.

use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{Avoid, BodySpec, Orca, SimCommand, WorldSettings};

use super::crossing::{all_there, crossing, join, walker};
use super::helpers::Bench;

fn at(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

fn with(bench: &mut Bench, shape: Shape) {
    bench.world().apply(SimCommand::AddObstacle(String::new(), shape)).expect("a sound shape");
}

fn one(orca: Orca, from: DVec3, to: DVec3) -> Bench {
    let settings = WorldSettings { tick_hz: 20.0, ..WorldSettings::default() };
    crossing(settings, walker(0.5, 2.0, orca), &[(from, to)])
}

/// Failure aamks#8: a box given clockwise was walked into.
#[test]
fn polygons_of_either_winding_are_solid() {
    let ring = [at(3.0, -1.0), at(5.0, -1.0), at(5.0, 1.0), at(3.0, 1.0)];
    for reversed in [false, true] {
        for (y, horizon) in [(0.0, 1.0), (0.05, 1.0), (0.9, 0.0), (-0.3, 0.0), (0.2, 5.0), (1.2, 3.0)] {
            let mut points = ring.to_vec();
            if reversed {
                points.reverse();
            }
            let orca = Orca { time_horizon_obstacles: horizon, ..Orca::default() };
            let mut bench = one(orca, at(-2.0, y), at(10.0, y));
            with(&mut bench, Shape::Polygon { points, holes: Vec::new() });
            let mut nearest = f64::INFINITY;
            for _ in 0..400 {
                bench.run(1);
                nearest = nearest.min(bench.world.clearance(0));
            }
            assert!(nearest > 0.5 - 1e-5, "reversed {reversed}, y {y}, horizon {horizon}: {nearest}");
            if y.abs() > 1.0 {
                assert!(all_there(&bench.world, 0.1), "y {y}: stuck at {}", bench.world.agents.position[0]);
            }
        }
    }
}

#[test]
fn every_shape_is_passed_beside_and_never_touched() {
    let shapes = [
        Shape::Disc { at: at(4.0, 0.0), radius: 1.0 },
        Shape::Sphere { at: at(4.0, 0.0), radius: 1.0 },
        Shape::Box { min: at(3.0, -1.0), max: at(5.0, 1.0) },
        Shape::Box { min: DVec3::new(3.0, -1.0, -1.0), max: DVec3::new(5.0, 1.0, 1.0) },
        Shape::Wall { from: at(4.0, -1.0), to: at(4.0, 1.0) },
        Shape::Polyline { points: vec![at(3.0, -1.0), at(4.0, 1.0), at(5.0, -1.0)] },
        Shape::Polygon { points: vec![at(3.0, -1.0), at(5.0, 0.0), at(3.0, 1.0)], holes: Vec::new() },
    ];
    for shape in shapes {
        for planar in [true, false] {
            for y in [0.0, 0.3, -0.7, 1.1] {
                let settings = WorldSettings { tick_hz: 20.0, planar, ..WorldSettings::default() };
                let orca = Orca { time_horizon_obstacles: 2.0, ..Orca::default() };
                let mut bench = crossing(settings, walker(0.4, 1.5, orca), &[(at(-3.0, y), at(11.0, y))]);
                with(&mut bench, shape.clone());
                let mut nearest = f64::INFINITY;
                for _ in 0..600 {
                    bench.run(1);
                    nearest = nearest.min(bench.world.clearance(0));
                }
                let name = format!("{} planar {planar} y {y}", shape.kind());
                println!("{name}: {nearest} {}", bench.world.agents.position[0]);
                assert!(nearest > 0.4 - 1e-5, "{name}: {nearest}");
                let round = matches!(shape, Shape::Disc { .. } | Shape::Sphere { .. });
                if round || y == 1.1 {
                    assert!(all_there(&bench.world, 0.1), "{name}: stuck at {}", bench.world.agents.position[0]);
                }
            }
        }
    }
}

/// Measured in the reference: it stopped with its center 0.4 m before the face, its radius being 0.5 m.
#[test]
fn a_horizon_of_nothing_does_not_penetrate() {
    for speed in [1.0, 5.0] {
        let orca = Orca { time_horizon_obstacles: 0.0, ..Orca::default() };
        let mut bench = Bench::new(WorldSettings { tick_hz: 20.0, ..WorldSettings::default() });
        let mind = super::helpers::Ask::new(swarmyard::sim::Control::Velocity, move |_: &_, _| DVec3::X * speed);
        bench.group(walker(0.5, 5.0, orca), Box::new(mind), &[at(-4.0, 0.0)]);
        with(&mut bench, Shape::Wall { from: at(3.0, -5.0), to: at(3.0, 5.0) });
        for _ in 0..200 {
            bench.run(1);
            assert!(bench.world.agents.position[0].x <= 2.5, "{speed} m/s: {}", bench.world.agents.position[0]);
        }
        assert!(bench.world.agents.position[0].x > 2.49, "{speed} m/s: {}", bench.world.agents.position[0]);
    }
}

#[test]
fn who_starts_inside_a_box_leaves_by_the_nearest_face_and_gently() {
    let shapes = [
        Shape::Box { min: at(3.0, -1.0), max: at(9.0, 1.0) },
        Shape::Polygon { points: vec![at(3.0, -1.0), at(9.0, -1.0), at(9.0, 1.0), at(3.0, 1.0)], holes: Vec::new() },
    ];
    for shape in shapes {
        // The nearest face is the upper one; the goal lies to the left.
        let mut bench = one(Orca::default(), at(5.0, 0.6), at(-4.0, 0.6));
        with(&mut bench, shape.clone());
        let mut fastest = 0.0_f64;
        let mut left = None;
        for _ in 0..400 {
            bench.run(1);
            fastest = fastest.max(bench.world.agents.speed(0));
            if left.is_none() && bench.world.clearance(0) > 0.49 {
                left = Some((bench.world.time(), bench.world.agents.position[0]));
            }
        }
        let (after, place) = left.expect("it comes out");
        assert!(after < 4.0 && place.y > 1.48 && fastest <= 1.42, "{}: {after} s, {place}, {fastest}", shape.kind());
        assert!(all_there(&bench.world, 0.1), "{}: {}", shape.kind(), bench.world.agents.position[0]);
    }
}

/// Failure jupedsim#355: agents on both sides of a thin wall acted on each other.
#[test]
fn walls_hide_neighbors_until_they_open() {
    let run = |open: bool| {
        let settings = WorldSettings { tick_hz: 20.0, ..WorldSettings::default() };
        // They pass each other 0.2 m apart, on both sides of a wall.
        let orca = Orca { time_horizon_obstacles: 0.2, ..Orca::default() };
        let mut bench = crossing(settings, walker(0.2, 1.5, orca), &[(at(-5.0, 0.25), at(5.0, 0.25))]);
        join(&mut bench, walker(0.2, 1.5, orca), &[(at(5.0, -0.1), at(-5.0, -0.1))]);
        let door = bench.world().obstacles.insert("door", Shape::Wall { from: at(-7.0, 0.0), to: at(7.0, 0.0) });
        let door = door.expect("a wall");
        bench.world().apply(SimCommand::OpenObstacle(door, open)).expect("it is there");
        let mut aside = 0.0_f64;
        for _ in 0..300 {
            bench.run(1);
            aside = aside.max((bench.world.agents.position[0].y - 0.25).abs());
        }
        aside
    };
    assert!(run(false) < 1e-9, "{}", run(false));
    assert!(run(true) > 0.01, "{}", run(true));
}

/// Failure group-social-force#3.
#[test]
fn a_runner_never_tunnels() {
    let body = BodySpec { avoid: Some(Avoid::Orca(Orca::default())), ..walker(0.2, 5.0, Orca::default()) };
    let mut bench = Bench::new(WorldSettings { tick_hz: 10.0, ..WorldSettings::default() });
    let mind = super::helpers::Ask::new(swarmyard::sim::Control::Velocity, |_: &_, _| at(5.0, 1.0));
    bench.group(body, Box::new(mind), &[at(-3.0, 0.0)]);
    with(&mut bench, Shape::Wall { from: at(2.0, -50.0), to: at(2.0, 50.0) });
    bench.run(300);
    let p = bench.world.agents.position[0];
    // It slides on along the wall.
    assert!(p.x < 1.81 && p.x > 1.7 && p.y > 20.0, "{p}");
}

#[test]
fn a_gap_that_fits_is_walked_through_at_full_speed() {
    let orca = Orca { time_horizon_obstacles: 3.0, ..Orca::default() };
    let mut bench = one(orca, at(-6.0, 0.0), at(9.0, 0.0));
    for (low, high) in [(0.7, 9.0), (-9.0, -0.7)] {
        with(&mut bench, Shape::Wall { from: at(0.0, low), to: at(0.0, high) });
    }
    bench.run(20 * 10);
    assert!((bench.world.agents.position[0].x - 4.0).abs() < 1e-6, "{}", bench.world.agents.position[0]);
}
