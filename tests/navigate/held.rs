//! Who does not get on: kept off a point of its way, held by a wall, blocked, sent round people who stand.

use glam::DVec2;
use swarmyard::navigate::Settings;
use swarmyard::sim::SimCommand;

use crate::helpers::{Walkers, barrier, block, square};

#[test]
fn who_cannot_move_is_blocked_and_then_moves_again() {
    let mut walkers = Walkers::new(square(8.0), &[]);
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(1.0);
    walkers.world.agents.max_speed[0] = 0.0;
    walkers.run(1.5);
    assert_eq!(walkers.state(id), "moving");
    walkers.run(1.0);
    assert_eq!(walkers.state(id), "blocked");
    walkers.world.agents.max_speed[0] = 1.5;
    walkers.run(1.0);
    assert_eq!(walkers.state(id), "moving");
}

#[test]
fn the_blocked_go_round_a_wall_of_standing_agents_if_asked_to_godot_94670() {
    for round_standing in [true, false] {
        let mut walkers = Walkers::new(Settings { round_standing, ..square(8.0) }, &[]);
        let id = walkers.add(-4.0, 0.0);
        for step in 0..7 {
            walkers.add(0.0, f64::from(step) * 0.45 - 1.35);
        }
        walkers.go(id, 4.0, 0.0);
        for _ in 0..900 {
            let before = walkers.at(id);
            walkers.tick();
            // Bodies do not pass through each other.
            let pushed = (1..8).any(|other| {
                let at = walkers.world.agents.position[other].truncate();
                at.distance(walkers.at(id)) < 0.49 && at.distance(walkers.at(id)) < at.distance(before)
            });
            if pushed {
                walkers.world.agents.position[0] = before.extend(0.0);
            }
        }
        let expected = if round_standing { "reached" } else { "blocked" };
        assert_eq!(walkers.state(id), expected, "at {}", walkers.at(id));
    }
}

/// One tick in which the first walker comes no nearer to a point than `off` m: it slides round what keeps it off.
fn tick_kept_off(walkers: &mut Walkers, from: DVec2, off: f64) {
    walkers.plan();
    let (at, dt) = (walkers.world.agents.position[0], walkers.world.dt());
    if let Some(target) = walkers.world.agents.course[0].target {
        let way = target - at;
        let to = at + way * (walkers.world.agents.max_speed[0] * dt / way.length().max(1e-9)).min(1.0);
        let out = to.truncate() - from;
        let kept = off.min(at.truncate().distance(from));
        let to = if out.length() < kept { (from + out * (kept / out.length().max(1e-9))).extend(0.0) } else { to };
        walkers.world.agents.position[0] = to;
    }
    walkers.world.tick += 1;
}

/// From 15 cm before a waypoint off the corner the next one is in sight, from 4 cm before one at the corner it is not.
#[test]
fn who_is_kept_off_a_waypoint_takes_the_next_one() {
    for (spread, off) in [(Some(1.0), 0.15), (Some(0.0), 0.04)] {
        let mut walkers = Walkers::new(Settings { corner_spread: spread, ..square(8.0) }, &barrier(3.0));
        let id = walkers.add(-4.0, 0.0);
        walkers.go(id, 4.0, 0.0);
        walkers.plan();
        let first = walkers.world.agents.course[0].path.as_ref().expect("a path")[1].truncate();
        for _ in 0..60 * 15 {
            tick_kept_off(&mut walkers, first, off);
        }
        assert_eq!(walkers.state(id), "reached", "kept off by {off} m: {}", walkers.at(id));
        assert_eq!(walkers.count("path_changed"), 1, "kept off by {off} m: it needs no other way");
    }
}

#[test]
fn a_way_round_people_is_given_up_when_they_are_gone() {
    let shapes = [block(-0.1, -8.0, 0.2, 7.4), block(-0.1, 0.6, 0.2, 4.4)];
    let mut walkers = Walkers::new(square(8.0), &shapes);
    let id = walkers.add(-0.8, 0.0);
    let others: Vec<_> = (-1..=1).map(|step| walkers.add(0.0, 0.45 * f64::from(step))).collect();
    walkers.go(id, 4.0, 0.0);
    let stand = |walkers: &mut Walkers| {
        walkers.plan();
        walkers.world.tick += 1;
    };
    let mut ticks = 0;
    while walkers.count("path_changed") < 2 {
        stand(&mut walkers);
        ticks += 1;
        assert!(ticks < 150, "no way round after {ticks} ticks");
    }
    assert_eq!(walkers.state(id), "blocked", "a new way is no progress");
    assert!(walkers.world.agents.course[0].left > 9.0, "round: {}", walkers.world.agents.course[0].left);
    for other in others {
        walkers.world.apply(SimCommand::Remove(other)).expect("a living agent");
    }
    while walkers.count("path_changed") < 3 {
        stand(&mut walkers);
        ticks += 1;
        assert!(ticks < 300, "it keeps to the way round");
    }
    assert!(walkers.world.agents.course[0].left < 5.0, "through: {}", walkers.world.agents.course[0].left);
    walkers.run(6.0);
    assert_eq!(walkers.state(id), "reached");
}

/// One tick in which everybody goes at `speed` m/s at most, whatever its limit, and stands where a wall would press it to half
/// of its radius.
fn tick_at(walkers: &mut Walkers, speed: f64) {
    let dt = walkers.world.dt();
    walkers.plan();
    for slot in 0..walkers.world.agents.slots() {
        let at = walkers.world.agents.position[slot];
        let Some(target) = walkers.world.agents.course[slot].target else { continue };
        walkers.world.agents.position[slot] = at + (target - at).clamp_length_max(speed * dt);
        if walkers.world.clearance(slot) < 0.5 * walkers.world.agents.radius[slot] {
            walkers.world.agents.position[slot] = at;
        }
    }
    walkers.world.tick += 1;
}

/// Who could go much faster than it does is not let round a corner from farther away: it would stand at the wall behind it.
#[test]
fn how_fast_one_may_be_does_not_say_when_a_corner_is_turned() {
    let shapes = [block(-0.1, -8.0, 0.2, 7.55), block(-0.1, 0.45, 0.2, 7.55)];
    for radius in [0.05, 0.1, 0.25] {
        for limit in [1.2, 4.0, 12.0, 120.0] {
            let mut walkers = Walkers::new(square(8.0), &shapes);
            for step in -6_i32..=6 {
                let id = walkers.add(-0.5, f64::from(step));
                walkers.world.agents.radius[id.slot as usize] = radius;
                walkers.world.agents.max_speed[id.slot as usize] = limit;
                walkers.go(id, 0.5, -f64::from(step) - 0.5);
            }
            walkers.plan();
            let longest = walkers.world.agents.course.iter().map(|course| course.left).fold(0.0, f64::max);
            while walkers.world.time() < 1.1 * longest / 1.2 + 0.2 {
                tick_at(&mut walkers, 1.2);
            }
            let states: Vec<_> = walkers.world.agents.course.iter().map(|course| course.state.word()).collect();
            assert!(states.iter().all(|state| *state == "reached"), "{radius} m, {limit} m/s: {states:?}");
        }
    }
}
