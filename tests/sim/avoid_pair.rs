//! Two agents that avoid each other: head-on, at one place, at rest, of different rank.

use glam::DVec3;
use swarmyard::sim::{Avoid, Control, Drive, Orca, WorldSettings};

use super::crossing::{crossing, join, least_gap, until_there, walker};
use super::helpers::{Ask, Bench};

fn head_on(tau: f64) -> Bench {
    let orca = Orca { neighbor_distance: 15.0, time_horizon_agents: tau, ..Orca::default() };
    let ways = [(DVec3::X * -10.0, DVec3::X * 10.0), (DVec3::X * 10.0, DVec3::X * -10.0)];
    let settings = WorldSettings { tick_hz: 10.0, ..WorldSettings::default() };
    crossing(settings, walker(0.5, 2.0, orca), &ways)
}

/// Reference case 34: two head-on, radius 0.5 m, 20 m, horizon 10 s, steps of 0.1 s.
#[test]
fn two_meet_head_on_with_a_long_horizon() {
    let mut bench = head_on(10.0);
    let (mut lateral, mut gap, mut there) = (0.0_f64, f64::INFINITY, None);
    while there.is_none() && bench.world.time() < 60.0 {
        bench.run(1);
        let p = &bench.world.agents.position;
        lateral = lateral.max(p[0].y.abs());
        gap = gap.min(p[0].distance(p[1]));
        assert!((p[0] + p[1]).length() < 1e-9, "mirror images: {} and {}", p[0], p[1]);
        there = (p[0].distance(DVec3::X * 10.0) < 0.1).then(|| bench.world.time());
    }
    let there = there.expect("they pass");
    assert!((there - 21.3).abs() <= 0.2, "after {there} s");
    assert!(gap >= 0.999, "{gap}");
    assert!((0.45..=0.52).contains(&lateral), "{lateral}");
}

/// Reference case 35, failure godot#84938: exactly head-on with horizon 2 s they braked to a stand for ever.
#[test]
fn two_meet_head_on_with_a_short_horizon() {
    for (tau, seed) in [(0.5, 1), (1.0, 1), (2.0, 1), (2.0, 2), (2.0, 3), (5.0, 1)] {
        let mut bench = head_on(tau);
        bench.world().settings.seed = seed;
        let mut passed = None;
        let mut gap = f64::INFINITY;
        for _ in 0..300 {
            bench.run(1);
            let p = &bench.world.agents.position;
            gap = gap.min(p[0].distance(p[1]));
            if passed.is_none() && p[0].x > p[1].x {
                passed = Some((bench.world.time(), p[0].y));
            }
        }
        let (after, side) = passed.unwrap_or_else(|| panic!("horizon {tau}: they never pass"));
        assert!(after < 30.0 && gap >= 0.999 && side.abs() > 0.4, "horizon {tau}: after {after} s, {gap}, {side}");
        let p = &bench.world.agents.position;
        assert!(p[0].distance(DVec3::X * 10.0) < 2.0, "horizon {tau}: {}", p[0]);
    }
}

#[test]
fn the_seed_says_on_which_side_they_pass_and_says_it_again() {
    let side = |seed: u64| {
        let mut bench = head_on(2.0);
        bench.world().settings.seed = seed;
        bench.run(300);
        let hash = bench.world.hash(&[]);
        let mut again = head_on(2.0);
        again.world().settings.seed = seed;
        let mut deepest = 0.0_f64;
        for _ in 0..300 {
            again.run(1);
            let y = again.world.agents.position[0].y;
            deepest = if y.abs() > deepest.abs() { y } else { deepest };
        }
        assert_eq!(again.world.hash(&[]), hash);
        deepest.signum()
    };
    let right = (0..16).filter(|seed| side(*seed) < 0.0).count();
    assert!((2..=14).contains(&right), "{right} of 16 on the right");
}

/// Reference case 36, failures jupedsim#172 and godot#72772: at one place they stayed, a hair apart they flew.
#[test]
fn agents_at_one_place_part_gently_and_the_same_way_again() {
    for planar in [true, false] {
        for (count, apart) in [(2_u32, 0.0), (2, 1e-4), (2, 1e-9), (5, 0.0)] {
            let run = || {
                let at = DVec3::new(3.0, -2.0, 0.0);
                let ways = (0..count).map(|index| at + DVec3::X * (apart * f64::from(index))).map(|p| (p, p));
                let settings = WorldSettings { planar, ..WorldSettings::default() };
                let mut bench = crossing(settings, walker(0.2, 5.0, Orca::default()), &ways.collect::<Vec<_>>());
                // Nothing draws them together again.
                bench.minds[0] = Box::new(Ask::new(Control::Velocity, |_: &_, _| DVec3::ZERO));
                let mut fastest = 0.0_f64;
                for _ in 0..120 {
                    bench.run(1);
                    fastest = (0..count as usize).map(|slot| bench.world.agents.speed(slot)).fold(fastest, f64::max);
                }
                assert!(bench.world.agents.position.iter().all(|p| p.is_finite()));
                (least_gap(&bench.world), fastest, bench.world.hash(&[]))
            };
            let (gap, fastest, hash) = run();
            let name = format!("planar {planar}, {count} agents {apart} m apart");
            // More than two are in each other's way.
            assert!(gap > if count == 2 { 0.36 } else { 0.3 }, "{name}: {gap}");
            assert!(fastest < if count == 2 { 0.9 } else { 2.0 }, "{name}: {fastest} m/s of 5");
            assert_eq!(run().2, hash, "{name}");
        }
    }
}

#[test]
fn who_walks_alone_walks_as_it_wants() {
    let mut bench = crossing(
        WorldSettings::default(),
        walker(0.3, 2.0, Orca::default()),
        &[(DVec3::ZERO, DVec3::new(9.0, 4.0, 0.0))],
    );
    bench.run(300);
    let p = bench.world.agents.position[0];
    assert!((p.y / p.x - 4.0 / 9.0).abs() < 1e-12 && (p.length() - 5.0).abs() < 1e-9, "{p}");
}

/// Failure godot#78840: who arrived rests.
#[test]
fn who_arrived_rests_and_yields_to_who_goes() {
    let mut bench =
        crossing(WorldSettings::default(), walker(0.4, 2.0, Orca::default()), &[(DVec3::X * -8.0, DVec3::X * 8.0)]);
    join(&mut bench, walker(0.4, 2.0, Orca::default()), &[(DVec3::Y * 0.05, DVec3::Y * 0.05)]);
    let (mut aside, mut detour, mut gap) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for _ in 0..60 * 20 {
        bench.run(1);
        let p = &bench.world.agents.position;
        gap = gap.min(p[0].distance(p[1]));
        detour = detour.max(p[0].y.abs());
        aside = aside.max(p[1].distance(DVec3::Y * 0.05));
    }
    assert!(gap > 0.79 && aside > 0.4 && detour < aside, "{gap}, aside {aside}, detour {detour}");
    let agents = &bench.world.agents;
    assert!(agents.position[0].distance(DVec3::X * 8.0) < 0.05 && agents.position[1].length() < 0.15);
    let before = agents.position.clone();
    bench.run(600);
    let agents = &bench.world.agents;
    assert!(agents.speed(0) < 1e-3 && agents.speed(1) < 1e-3);
    assert!(before.iter().zip(&agents.position).all(|(a, b)| a.distance(*b) < 0.05));
}

#[test]
fn the_lower_priority_does_all_and_masks_hide_layers() {
    let way = |y: f64, dir: f64| (DVec3::new(-8.0 * dir, y, 0.0), DVec3::new(8.0 * dir, y, 0.0));
    let run = |one: Orca, two: Orca| {
        let mut bench = crossing(WorldSettings::default(), walker(0.4, 2.0, one), &[way(0.0, 1.0)]);
        join(&mut bench, walker(0.4, 2.0, two), &[way(0.1, -1.0)]);
        let (mut detours, mut gap) = ([0.0_f64; 2], f64::INFINITY);
        for _ in 0..60 * 20 {
            bench.run(1);
            let p = &bench.world.agents.position;
            gap = gap.min(p[0].distance(p[1]));
            detours = [detours[0].max(p[0].y.abs()), detours[1].max((p[1].y - 0.1).abs())];
        }
        (detours, gap)
    };
    let usual = Orca::default();
    let (both, gap) = run(usual, usual);
    assert!(both[0] > 0.2 && (both[0] - both[1]).abs() < 0.05 && gap > 0.79, "{both:?}, {gap}");
    let (lower, gap) = run(usual, Orca { avoidance_priority: 0.5, ..usual });
    assert!(lower[0] < 1e-12 && lower[1] > 0.6 && gap > 0.79, "{lower:?}, {gap}");
    // The first sees layer 1 only, the second is in layer 2 and sees it.
    let (hidden, gap) = run(usual, Orca { avoidance_layers: 2, ..usual });
    assert!(hidden[0] < 1e-12 && hidden[1] > 0.6 && gap > 0.79, "{hidden:?}, {gap}");
    let (blind, gap) = run(Orca { avoidance_mask: 2, ..usual }, Orca { avoidance_mask: 2, ..usual });
    assert!(blind[0] < 1e-12 && blind[1] < 1e-12 && gap < 0.2, "{blind:?}, {gap}");
}

#[test]
fn who_avoids_nobody_is_avoided_by_those_who_do() {
    let mut bench =
        crossing(WorldSettings::default(), walker(0.4, 2.0, Orca::default()), &[(DVec3::X * -8.0, DVec3::X * 8.0)]);
    let body = swarmyard::sim::BodySpec { avoid: None, ..walker(0.4, 2.0, Orca::default()) };
    join(&mut bench, body, &[(DVec3::new(8.0, 0.05, 0.0), DVec3::new(-8.0, 0.05, 0.0))]);
    let mut gap = f64::INFINITY;
    for _ in 0..60 * 20 {
        bench.run(1);
        gap = gap.min(least_gap(&bench.world));
        assert_eq!(bench.world.agents.position[1].y, 0.05);
    }
    assert!(gap > 0.79, "{gap}");
}

/// An acceleration is first the velocity that it leads to; a body driven by acceleration goes on as it is driven.
#[test]
fn driven_by_acceleration_it_goes_as_before_alone_and_avoids_in_company() {
    let body = |avoid| swarmyard::sim::BodySpec {
        drive: Some(Drive::Acceleration),
        relaxation: 0.3,
        max_acceleration: 8.0,
        avoid,
        ..walker(0.3, 1.5, Orca::default())
    };
    let orca = Orca { time_horizon_agents: 4.0, neighbor_distance: 12.0, ..Orca::default() };
    let ask = |goals: [DVec3; 2]| {
        Ask::new(Control::Acceleration, move |world: &swarmyard::sim::World, slot: usize| {
            let gap = goals[slot] - world.agents.position[slot];
            (gap.clamp_length_max(1.2) - world.agents.velocity[slot]) / 0.3
        })
    };
    let goals = [DVec3::X * 8.0, DVec3::X * -8.0];
    let alone = |avoid| {
        let mut bench = Bench::new(WorldSettings::default());
        bench.group(body(avoid), Box::new(ask(goals)), &[DVec3::X * -8.0]);
        bench.run(200);
        bench.world.agents.position[0]
    };
    assert!(alone(Some(Avoid::Orca(orca))).distance(alone(None)) < 1e-9);
    let mut bench = Bench::new(WorldSettings::default());
    bench.group(body(Some(Avoid::Orca(orca))), Box::new(ask(goals)), &[DVec3::X * -8.0, DVec3::X * 8.0]);
    for (slot, goal) in goals.iter().enumerate() {
        bench.world().agents.goal[slot] = Some(*goal);
    }
    let (there, gap) = until_there(&mut bench, 0.2, 40.0);
    assert!(there.is_some() && gap > 0.55, "{there:?}, {gap}");
}
