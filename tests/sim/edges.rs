//! What happens at the edge of the world.

use glam::DVec3;
use swarmyard::sim::body::BodyField;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{Area, Control, Edge, SimCommand, Space, WorldSettings};

use super::helpers::{Ask, Bench, free_body};

fn bench(edge: Edge) -> Bench {
    let area = Area { min: DVec3::new(-5.0, -5.0, 0.0), max: DVec3::new(5.0, 5.0, 0.0) };
    let settings = WorldSettings { space: Space { area: Some(area), edge }, ..WorldSettings::default() };
    let mut bench = Bench::new(settings);
    let mind = Ask::new(Control::Acceleration, |_: &_, _| DVec3::ZERO);
    let group = bench.group(free_body(), Box::new(mind), &[]);
    bench.spawn(group, DVec3::new(4.5, 0.0, 0.0), DVec3::new(3.0, 0.0, 0.0));
    bench.run(60);
    bench
}

#[test]
fn open_lets_go() {
    assert!((bench(Edge::Open).world.agents.position[0].x - 7.5).abs() < 1e-9);
}

#[test]
fn wrap_comes_in_on_the_other_side() {
    let bench = bench(Edge::Wrap);
    assert!((bench.world.agents.position[0].x + 2.5).abs() < 1e-9);
    assert_eq!(bench.world.offset(DVec3::new(4.9, 0.0, 0.0), DVec3::new(-4.9, 0.0, 0.0)).x.signum(), 1.0);
}

#[test]
fn clamp_stops_with_the_body_inside() {
    let bench = bench(Edge::Clamp);
    assert!((bench.world.agents.position[0].x - 4.8).abs() < 1e-9);
    assert_eq!(bench.world.agents.velocity[0].x, 0.0);
}

#[test]
fn turn_comes_back() {
    let bench = bench(Edge::Turn);
    assert!(bench.world.agents.velocity[0].x < 0.0);
    assert!(bench.world.agents.position[0].x < 4.8);
}

#[test]
fn remove_takes_it_out_and_counts() {
    let bench = bench(Edge::Remove);
    assert_eq!(bench.world.agents.count(), 0);
    assert_eq!(bench.world.groups[0].left_world, 1);
    assert!(bench.world.groups[0].members.is_empty());
}

/// Who crosses the edge of the widest area that a scene may have is outside of all numbers for a moment only.
#[test]
fn a_world_as_wide_as_they_come_wraps_too() {
    let far = 1e9;
    let area = Area { min: DVec3::new(-far, -far, 0.0), max: DVec3::new(far, far, 0.0) };
    let space = Space { area: Some(area), edge: Edge::Wrap };
    let mut bench = Bench::new(WorldSettings { space, ..WorldSettings::default() });
    let mind = Ask::new(Control::Acceleration, |_: &_, _| DVec3::ZERO);
    let group = bench.group(free_body(), Box::new(mind), &[]);
    bench.spawn(group, DVec3::new(far - 0.1, 0.0, 0.0), DVec3::new(3.0, 0.0, 0.0));
    bench.run(60);
    assert!(!bench.world.agents.quarantined[0]);
    assert!((bench.world.agents.position[0].x + far - 2.9).abs() < 1e-3, "{}", bench.world.agents.position[0].x);
}

/// The edge puts who grew as far inside as it is wide: through no wall, however wide it is and wherever it goes.
#[test]
fn a_body_that_grows_beyond_its_room_stays_on_its_side_of_the_walls() {
    let area = Area { min: DVec3::new(-10.0, -10.0, 0.0), max: DVec3::new(10.0, 10.0, 0.0) };
    for edge in [Edge::Clamp, Edge::Turn] {
        for radius in [0.9, 1.6, 4.0, 9.0, 50.0] {
            let settings = WorldSettings { space: Space { area: Some(area), edge }, ..WorldSettings::default() };
            let mut bench = Bench::new(settings);
            let along = |slot: usize| if slot == 0 { DVec3::new(2.0, 1.0, 0.0) } else { DVec3::new(-1.0, 2.0, 0.0) };
            let mind = Ask::new(Control::Velocity, move |_: &_, slot| along(slot));
            let group = bench.group(free_body(), Box::new(mind), &[]);
            bench.spawn(group, DVec3::new(-9.0, 0.0, 0.0), DVec3::ZERO);
            bench.spawn(group, DVec3::new(0.0, 9.2, 0.0), DVec3::ZERO);
            for (from, to) in [((-8.0, -10.0), (-8.0, 8.5)), ((-8.0, 8.5), (10.0, 8.5))] {
                let flat = |(x, y): (f64, f64)| DVec3::new(x, y, 0.0);
                let wall = Shape::Wall { from: flat(from), to: flat(to) };
                bench.world().apply(SimCommand::AddObstacle(String::new(), wall)).expect("a sound shape");
            }
            bench.run(10);
            bench.world().apply(SimCommand::SetBody(group, BodyField::Radius, radius)).expect("a radius");
            for _ in 0..300 {
                bench.run(1);
                let at = &bench.world.agents.position;
                assert!(at[0].x < -8.0 && at[1].y > 8.5, "{edge:?}, radius {radius}: {at:?}");
            }
        }
    }
}
