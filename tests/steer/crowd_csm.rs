//! The collision-free speed model: its exact law in single file, and pairs that froze elsewhere.

use crate::crowd::{free, vector, wall};
use crate::yard::{Yard, at};
use glam::DVec3;
use swarmyard::sim::{Area, Control, Edge, Space, WorldSettings};
use swarmyard::steer::blend::Term;

/// v(ρ) = min(v0, (1/ρ − 2r)/T), on a ring.
#[test]
fn in_single_file_the_speed_is_the_gap_by_the_time_gap() {
    for (count, gap) in [(5_u32, 1.0), (12, 1.0), (20, 1.0), (20, 0.5), (38, 1.0)] {
        let area = Some(Area { min: at(0.0, -5.0), max: at(20.0, 5.0) });
        let mut yard = Yard::new(WorldSettings { space: Space { area, edge: Edge::Wrap }, ..WorldSettings::default() });
        let term = Term::native("csm", 1.0).with("way", vector(DVec3::X)).with("time_gap", gap).with("patience", 0.0);
        let group = yard.group("a", free(0.2), Control::Velocity, &[term]);
        for index in 0..count {
            yard.spawn(group, at(20.0 * f64::from(index) / f64::from(count), 0.0), DVec3::ZERO);
        }
        yard.run(60);
        let wanted = 1.2_f64.min((20.0 / f64::from(count) - 0.4) / gap);
        for v in &yard.world.agents.velocity {
            assert!((v.x - wanted).abs() < 1e-9 && v.y.abs() < 1e-9, "{count}: {v} for {wanted}");
        }
        // From unequal gaps it comes to the same.
        for slot in 0..count as usize {
            yard.world().agents.position[slot].x += 0.02 * (slot % 2) as f64;
        }
        yard.run(1200);
        for v in &yard.world.agents.velocity {
            assert!((v.x - wanted).abs() < 1e-3, "{count}: {v} for {wanted} after a disturbance");
        }
    }
}

fn face_to_face(patience: f64, seed: u64) -> Yard {
    let mut yard = Yard::new(WorldSettings { seed, ..WorldSettings::default() });
    for (name, x, way) in [("a", -4.0, 1.0), ("b", 4.0, -1.0)] {
        let term = Term::native("csm", 1.0).with("way", vector(at(way, 0.0))).with("patience", patience);
        let group = yard.group(name, free(0.2), Control::Velocity, &[term]);
        yard.spawn(group, at(x, 0.0), DVec3::ZERO);
    }
    yard
}

/// jupedsim#1516, #1473: two who walk at each other along one line are still there after 60 s.
#[test]
fn two_who_meet_exactly_head_on_do_not_freeze() {
    let mut frozen = face_to_face(0.0, 1);
    frozen.run(1800);
    assert!(frozen.world.agents.position[0].x < 0.0, "without tries they stay: {}", frozen.world.agents.position[0]);
    for seed in 1..=5 {
        let run = || {
            let mut yard = face_to_face(2.0, seed);
            let mut nearest = f64::INFINITY;
            for _ in 0..1800 {
                yard.step();
                let positions = &yard.world.agents.position;
                nearest = nearest.min(positions[0].distance(positions[1]));
            }
            assert!(nearest > 0.4 - 1e-6, "seed {seed}: {nearest} m");
            yard.world.agents.position.clone()
        };
        let ends = run();
        assert!(ends[0].x > 4.0 && ends[1].x < -4.0, "seed {seed}: {ends:?}");
        assert_eq!(ends, run(), "seed {seed}");
    }
}

#[test]
fn agents_in_one_place_part() {
    let mut yard = Yard::plain();
    let term = Term::native("csm", 1.0).with("way", vector(DVec3::X));
    let group = yard.group("a", free(0.2), Control::Velocity, &[term]);
    let (a, b) = (yard.spawn(group, DVec3::ZERO, DVec3::ZERO), yard.spawn(group, DVec3::ZERO, DVec3::ZERO));
    yard.run(120);
    let apart = yard.position(a).distance(yard.position(b));
    assert!(yard.all_finite() && apart > 0.9 * 0.4, "{apart}");
}

/// Three and more in one place: each had somebody ahead wherever it turned, and stood for ever.
#[test]
fn a_stack_of_agents_parts_without_a_jump() {
    for count in [3, 5, 12] {
        let ends = || {
            let mut yard = Yard::plain();
            let group = yard.group("a", free(0.2), Control::Velocity, &[Term::native("csm", 1.0)]);
            let ids: Vec<_> = (0..count).map(|_| yard.spawn(group, at(1.0, 2.0), DVec3::ZERO)).collect();
            for _ in 0..240 {
                let before = yard.world.agents.position.clone();
                yard.step();
                let steps = before.iter().zip(&yard.world.agents.position).map(|(a, b)| a.distance(*b));
                assert!(steps.fold(0.0, f64::max) <= 1.2 / 60.0 + 1e-9);
            }
            let pairs = ids.iter().flat_map(|a| ids.iter().filter(move |b| *b > a).map(move |b| (*a, *b)));
            let gaps = pairs.map(|(a, b)| yard.position(a).distance(yard.position(b)));
            let least = gaps.fold(f64::INFINITY, f64::min);
            assert!(least > 0.9 * 0.4, "{count}: {least}");
            yard.world.agents.position.clone()
        };
        assert_eq!(ends(), ends());
    }
}

/// Case 24 in small: an arch of those who meet at a narrow door dissolves.
#[test]
fn a_crowd_passes_a_door_of_eighty_centimeters() {
    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.2), Control::Velocity, &[Term::native("csm", 1.0).with("time_gap", 0.5)]);
    yard.obstacle(wall((5.0, -6.0), (5.0, -0.4)));
    yard.obstacle(wall((5.0, 0.4), (5.0, 6.0)));
    for index in 0..40 {
        yard.spawn(group, at(f64::from(index / 8) * 0.5, f64::from(index % 8) * 0.5 - 1.75), DVec3::ZERO);
    }
    let mut seconds = 0.0;
    while seconds < 150.0 && yard.world.agents.position.iter().any(|p| p.x < 5.0) {
        let world = yard.world();
        for slot in 0..40 {
            let p = world.agents.position[slot];
            let door = at(5.2, p.y.clamp(-0.2, 0.2));
            world.agents.goal[slot] = Some(if p.x > 5.0 { p + at(50.0, 0.0) } else { p + (door - p) * 50.0 });
        }
        yard.step();
        seconds += 1.0 / 60.0;
    }
    let left = yard.world.agents.position.iter().filter(|p| p.x < 5.0).count();
    assert_eq!(left, 0, "still inside after {seconds} s");
}
