//! Many agents that avoid each other: crossings, rings, space, and what must not change a result.

use glam::{DMat3, DVec3};
use swarmyard::sim::{Avoid, Orca, Stream, Workers, WorldSettings, rng::Use};

use super::crossing::{crossing, until_there, walker};

/// Ways across a circle, `count` agents, radius of the circle in m.
fn across(count: usize, radius: f64, turn: f64) -> Vec<(DVec3, DVec3)> {
    let on = |index: usize| {
        let angle = turn + std::f64::consts::TAU * index as f64 / count as f64;
        DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * radius
    };
    (0..count).map(|index| (on(index), -on(index))).collect()
}

#[test]
fn crossings_and_rings_do_not_lock() {
    for count in [3, 4, 5, 6, 8, 12, 20] {
        for (tau, seed) in [(2.0, 1), (2.0, 2), (5.0, 1)] {
            for turn in [0.0, 0.3] {
                let orca = Orca { neighbor_distance: 10.0, time_horizon_agents: tau, ..Orca::default() };
                let settings = WorldSettings { tick_hz: 20.0, seed, ..WorldSettings::default() };
                let mut bench = crossing(settings, walker(0.4, 1.5, orca), &across(count, 8.0, turn));
                let (there, gap) = until_there(&mut bench, 0.1, 120.0);
                println!("{count} tau {tau} seed {seed} turn {turn}: {there:?} {gap}");
                assert!(there.is_some(), "{count} agents, horizon {tau}, seed {seed}, turned {turn}: locked");
                assert!(gap > 0.7, "{count} agents, horizon {tau}, seed {seed}, turned {turn}: {gap}");
            }
        }
    }
}

/// Four exactly at right angles, with coordinates that have no rounding.
#[test]
fn four_at_right_angles_do_not_lock() {
    let ways: Vec<_> = [DVec3::X, DVec3::Y, DVec3::NEG_X, DVec3::NEG_Y].map(|way| (way * 8.0, way * -8.0)).to_vec();
    for tau in [1.0, 2.0, 4.0, 10.0] {
        let orca = Orca { neighbor_distance: 10.0, time_horizon_agents: tau, ..Orca::default() };
        let mut bench = crossing(WorldSettings::default(), walker(0.4, 1.5, orca), &ways);
        let (there, gap) = until_there(&mut bench, 0.1, 60.0);
        println!("right angles tau {tau}: {there:?} {gap}");
        assert!(there.is_some() && gap > 0.78, "horizon {tau}: {there:?}, {gap}");
    }
}

#[test]
fn two_pass_each_other_in_space() {
    for way in [DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.48, 0.6, 0.64)] {
        let orca = Orca { neighbor_distance: 15.0, ..Orca::default() };
        let settings = WorldSettings { planar: false, tick_hz: 10.0, ..WorldSettings::default() };
        let mut bench = crossing(settings, walker(0.5, 2.0, orca), &[(way * -8.0, way * 8.0), (way * 8.0, way * -8.0)]);
        let (there, gap) = until_there(&mut bench, 0.1, 40.0);
        println!("space {way}: {there:?} {gap}");
        assert!(there.is_some() && gap >= 0.999, "{way}: {there:?}, {gap}");
    }
}

#[test]
fn a_sphere_of_agents_swaps_sides() {
    let count = 40;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let on = |index: usize| {
        let z = 1.0 - (2.0 * index as f64 + 1.0) / count as f64;
        let (across, angle) = ((1.0 - z * z).sqrt(), golden * index as f64);
        DVec3::new(across * libm::cos(angle), across * libm::sin(angle), z) * 8.0
    };
    let ways: Vec<_> = (0..count).map(|index| (on(index), -on(index))).collect();
    let orca = Orca { neighbor_distance: 10.0, max_neighbors: 39, ..Orca::default() };
    let settings = WorldSettings { planar: false, tick_hz: 20.0, ..WorldSettings::default() };
    let mut bench = crossing(settings, walker(0.5, 2.0, orca), &ways);
    let (there, gap) = until_there(&mut bench, 0.2, 60.0);
    println!("sphere: {there:?} {gap}");
    // Where all meet there is no velocity that all constraints allow, as in the originals: they press each other a little.
    assert!(there.is_some() && gap > 0.9, "{there:?}, {gap}");
}

/// Failure recast#305: a crowd sent to one point stands round it without overlap.
#[test]
fn a_crowd_at_one_point_stands_round_it() {
    let ways: Vec<_> = crowd(60).iter().map(|(from, _)| (*from * 0.6, DVec3::ZERO)).collect();
    let orca = Orca { neighbor_distance: 4.0, ..Orca::default() };
    let settings = WorldSettings { tick_hz: 20.0, ..WorldSettings::default() };
    let mut bench = crossing(settings, walker(0.3, 1.5, orca), &ways);
    bench.run(20 * 40);
    let gap = super::crossing::least_gap(&bench.world);
    let farthest = bench.world.agents.position.iter().map(|p| p.length()).fold(0.0, f64::max);
    println!("one point: {gap} {farthest}");
    // As dense as 60 discs can lie they fill a circle of 2.4 m.
    assert!(gap > 0.57 && farthest < 4.2, "{gap}, {farthest}");
}

fn crowd(count: usize) -> Vec<(DVec3, DVec3)> {
    let mut ways: Vec<(DVec3, DVec3)> = Vec::new();
    let mut luck = Stream::new(11, 0, 0, Use::Spawn);
    while ways.len() < count {
        let from = DVec3::new(luck.uniform(-20.0, 20.0), luck.uniform(-20.0, 20.0), 0.0);
        if ways.iter().all(|(other, _)| other.distance(from) > 0.7) {
            ways.push((from, DVec3::new(luck.uniform(-20.0, 20.0), luck.uniform(-20.0, 20.0), 0.0)));
        }
    }
    ways
}

fn crowd_orca() -> Orca {
    Orca { neighbor_distance: 4.0, ..Orca::default() }
}

/// Reference case 42.
#[test]
fn threads_do_not_show() {
    let ways = crowd(600);
    let run = |threads: usize, planar: bool, avoid: Option<Avoid>| {
        let settings = WorldSettings { tick_hz: 20.0, planar, ..WorldSettings::default() };
        let body = swarmyard::sim::BodySpec { avoid, ..walker(0.3, 1.5, crowd_orca()) };
        let mut bench = crossing(settings, body, &ways);
        bench.workers = Workers::new(threads);
        bench.run(60);
        bench.world.hash(&[])
    };
    let csm = swarmyard::sim::Csm::default();
    for avoid in [Avoid::Orca(crowd_orca()), Avoid::Csm(csm)] {
        for planar in [true, false] {
            let one = run(1, planar, Some(avoid));
            assert_eq!(one, run(2, planar, Some(avoid)));
            assert_eq!(one, run(4, planar, Some(avoid)));
            assert_ne!(one, run(1, planar, None));
        }
    }
}

/// The order of agents never changes a result, nor does a quarter turn, which no coordinate rounds.
#[test]
fn neither_the_order_of_agents_nor_a_quarter_turn_shows() {
    // Few enough that nobody stands for long: what breaks a jam is drawn by lot, and the lot is the agent's.
    let ways = crowd(80);
    let run = |ways: &[(DVec3, DVec3)]| {
        let settings = WorldSettings { tick_hz: 20.0, ..WorldSettings::default() };
        let mut bench = crossing(settings, walker(0.3, 1.5, crowd_orca()), ways);
        bench.run(60);
        bench.world.agents.position.clone()
    };
    let first = run(&ways);
    let reversed: Vec<_> = ways.iter().rev().copied().collect();
    assert!(run(&reversed).iter().rev().zip(&first).all(|(a, b)| a == b), "another order");
    let quarter = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z);
    let turned: Vec<_> = ways.iter().map(|(from, to)| (quarter * *from, quarter * *to)).collect();
    let moved = run(&turned);
    let farthest = moved.iter().zip(&first).map(|(a, b)| a.distance(quarter * *b)).fold(0.0, f64::max);
    assert!(farthest == 0.0, "a quarter turn: {farthest}");
}
