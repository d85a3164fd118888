//! The collision-free speed: the direction stays, the gap ahead sets the speed, and nobody stands for ever.

use glam::DVec3;
use swarmyard::sim::{Avoid, BodySpec, Control, Csm, WorldSettings};

use super::crossing::{crossing, least_gap, until_there};
use super::helpers::{Ask, Bench, free_body};

fn body(radius: f64) -> BodySpec {
    BodySpec { radius, max_speed: 1.2, avoid: Some(Avoid::Csm(Csm::default())), ..free_body() }
}

/// Single file at a spacing d goes at min(v0, (d − 2r)/T): the model's own fundamental diagram.
#[test]
fn single_file_has_the_speed_of_its_gaps() {
    use swarmyard::sim::{Area, Edge, Space};
    for count in [10, 20, 30, 40, 60] {
        let length = 30.0;
        let area = Area { min: DVec3::new(0.0, -5.0, 0.0), max: DVec3::new(length, 5.0, 0.0) };
        let space = Space { area: Some(area), edge: Edge::Wrap };
        let mut bench = Bench::new(WorldSettings { space, tick_hz: 50.0, ..WorldSettings::default() });
        let gap = length / f64::from(count);
        let at: Vec<_> = (0..count).map(|index| DVec3::X * (gap * (f64::from(index) + 0.5))).collect();
        bench.group(body(0.2), Box::new(Ask::new(Control::Velocity, |_: &_, _| DVec3::X * 1.2)), &at);
        bench.run(100);
        let expected = (gap - 0.4).min(1.2);
        let agents = &bench.world.agents;
        for v in &agents.velocity {
            assert!((v.x - expected).abs() < 1e-6 && v.y == 0.0, "{count}: {v} instead of {expected}");
        }
    }
}

/// Measured in the reference: two who face each other were still there after 60 s.
#[test]
fn a_frozen_pair_comes_free_after_a_while() {
    for seed in 1..6 {
        let ways = [(DVec3::X * -5.0, DVec3::X * 5.0), (DVec3::X * 5.0, DVec3::X * -5.0)];
        let settings = WorldSettings { tick_hz: 20.0, seed, ..WorldSettings::default() };
        let mut bench = crossing(settings, body(0.3), &ways);
        bench.run(20 * 6);
        let first = bench.world.agents.position[0];
        assert!(first.x < 0.0 && first.y == 0.0, "they keep their direction: {first}");
        let (there, gap) = until_there(&mut bench, 0.2, 60.0);
        println!("csm seed {seed}: {there:?} {gap}");
        assert!(there.is_some_and(|secs| secs < 40.0), "seed {seed}: {:?}", bench.world.agents.position);
        assert!(gap > 0.59, "seed {seed}: {gap}");
    }
}

#[test]
fn a_follower_never_touches_and_coincident_agents_part() {
    let settings = WorldSettings { tick_hz: 20.0, ..WorldSettings::default() };
    let mut bench = crossing(settings, body(0.3), &[(DVec3::ZERO, DVec3::X * 9.0), (DVec3::ZERO, DVec3::X * 9.0)]);
    bench.run(20 * 20);
    let agents = &bench.world.agents;
    assert!(least_gap(&bench.world) > 0.5 && agents.position.iter().all(|p| p.is_finite()), "{:?}", agents.position);
}

/// Stacked bodies stood in each other for ever: the room ahead was below 0 on every side.
#[test]
fn stacked_bodies_come_apart_step_by_step_by_seed() {
    for count in [2, 3, 5, 12] {
        let ends = |seed| {
            let ways: Vec<_> = (0..count).map(|_| (DVec3::new(2.0, -1.0, 0.0), DVec3::new(2.0, -1.0, 0.0))).collect();
            let settings = WorldSettings { tick_hz: 60.0, seed, ..WorldSettings::default() };
            let mut bench = crossing(settings, body(0.3), &ways);
            for slot in 0..count {
                // They want to stand where they are.
                bench.world().agents.goal[slot] = None;
            }
            for _ in 0..60 * 4 {
                let before = bench.world.agents.position.clone();
                bench.run(1);
                let step = before.iter().zip(&bench.world.agents.position).map(|(a, b)| a.distance(*b));
                assert!(step.fold(0.0, f64::max) < 0.51 / 60.0, "nobody jumps");
            }
            assert!(least_gap(&bench.world) > 0.54, "{count}: {}", least_gap(&bench.world));
            bench.world.agents.position.clone()
        };
        let first = ends(1);
        assert_eq!(first, ends(1));
        assert_ne!(first, ends(2), "the lot is of the seed");
    }
}
