//! What must not matter: where the origin is, how the world is turned, who has which id, how many threads there are.

use crate::yard::{Yard, at, close, scatter};
use glam::DVec3;
use swarmyard::sim::{Area, BodySpec, Control, Edge, GroupId, Space, Workers, WorldSettings};
use swarmyard::steer::blend::Term;

fn flock_terms() -> [Term; 3] {
    [
        Term::native("separation", 1.6).with("radius", 1.5),
        Term::native("alignment", 0.9).with("radius", 3.0),
        Term::native("cohesion", 0.7).with("radius", 3.0),
    ]
}

fn body() -> BodySpec {
    BodySpec { max_speed: 2.0, max_acceleration: 10.0, ..BodySpec::default() }
}

/// A flock of `count`, each mapped by `put` (position) and `aim` (velocity), born in the order of `order`.
fn flock(count: u64, order: &[u64], put: impl Fn(DVec3) -> DVec3, aim: impl Fn(DVec3) -> DVec3) -> Yard {
    let mut yard = Yard::plain();
    let group = yard.group("flock", body(), Control::Acceleration, &flock_terms());
    let side = (count as f64).sqrt() * 0.8;
    for index in order {
        let spot = scatter(3, *index);
        let way = scatter(4, *index);
        let position = put(at(spot.x, spot.y) * side);
        yard.spawn(group, position, aim(at(way.x - 0.5, way.y - 0.5)));
    }
    yard
}

fn in_order(count: u64) -> Vec<u64> {
    (0..count).collect()
}

#[test]
fn f07_a_lone_agent_feels_nothing_and_keeps_its_course() {
    let mut yard = Yard::plain();
    let group = yard.behavior("flock", body());
    let id = yard.spawn(group, at(7.0, 3.0), at(1.0, 0.0));
    assert_eq!(yard.push(id), DVec3::ZERO);
    yard.run(60);
    close(yard.position(id), at(8.0, 3.0), 1e-9);
}

#[test]
fn f06_coincident_agents_are_neighbors_with_opposite_directions() {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("separation", 1.0)]);
    let a = yard.spawn(group, at(1.0, 1.0), DVec3::ZERO);
    let b = yard.spawn(group, at(1.0, 1.0), DVec3::ZERO);
    let (push_a, push_b) = (yard.push(a), yard.push(b));
    assert!((push_a.length() - 2.0).abs() < 1e-12);
    close(push_a, -push_b, 0.0);
}

/// V25: nothing tells ahead from behind.
#[test]
fn v25_seek_ahead_and_behind_are_mirror_images() {
    let seek = |x: f64| {
        let mut yard = Yard::plain();
        let target = swarmyard::steer::blend::Bind::Constant(swarmyard::steer::param::Value::Vector(at(x, 0.3 * x)));
        let group = yard.group("a", body(), Control::Acceleration, &[Term::native("seek", 1.0).with("target", target)]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        (yard, id)
    };
    let ((mut ahead, a), (mut behind, b)) = (seek(4.0), seek(-4.0));
    for _ in 0..400 {
        ahead.step();
        behind.step();
        close(ahead.position(a), -behind.position(b), 1e-12);
    }
    assert!(ahead.position(a).x > 1.0);
}

/// V25: the middle of two stays where it is.
#[test]
fn v25_two_agents_in_cohesion_meet_in_the_middle() {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("cohesion", 1.0).with("radius", 9.0)]);
    let a = yard.spawn(group, at(-2.0, 0.5), DVec3::ZERO);
    let b = yard.spawn(group, at(2.0, -0.5), DVec3::ZERO);
    for _ in 0..200 {
        yard.step();
        close(yard.position(a) + yard.position(b), DVec3::ZERO, 1e-12);
    }
    assert!(yard.position(a).length() < 2.0);
}

#[test]
fn seek_turns_round_for_a_target_straight_behind() {
    let mut yard = Yard::plain();
    let target = swarmyard::steer::blend::Bind::Constant(swarmyard::steer::param::Value::Vector(at(-5.0, 0.0)));
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("seek", 1.0).with("target", target)]);
    let id = yard.spawn(group, DVec3::ZERO, at(2.0, 0.0));
    yard.run(180);
    assert!(yard.velocity(id).x < -1.9);
}

#[test]
fn f07_shifting_turning_and_mirroring_the_world_changes_nothing_else() {
    let shift = at(1e4, -2e4);
    let (sine, cosine) = 0.7_f64.sin_cos();
    let turn = |v: DVec3| at(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y);
    let mirror = |v: DVec3| at(v.x, -v.y);
    let order = in_order(40);
    let mut plain = flock(40, &order, |p| p, |v| v);
    let mut shifted = flock(40, &order, |p| p + shift, |v| v);
    let mut turned = flock(40, &order, turn, turn);
    let mut mirrored = flock(40, &order, mirror, mirror);
    for yard in [&mut plain, &mut shifted, &mut turned, &mut mirrored] {
        yard.run(20);
    }
    for slot in 0..40 {
        let p = plain.world.agents.position[slot];
        // Far from the origin, positions themselves are rounded to 4e-12.
        close(shifted.world.agents.position[slot] - shift, p, 1e-8);
        close(turned.world.agents.position[slot], turn(p), 1e-10);
        close(mirrored.world.agents.position[slot], mirror(p), 1e-10);
    }
}

#[test]
fn f08_permuting_ids_changes_only_the_rounding() {
    let order = in_order(60);
    let mixed: Vec<u64> = (0..60).map(|index| index * 37 % 60).collect();
    let mut plain = flock(60, &order, |p| p, |v| v);
    let mut other = flock(60, &mixed, |p| p, |v| v);
    plain.run(20);
    other.run(20);
    for (slot, original) in mixed.iter().enumerate() {
        close(other.world.agents.position[slot], plain.world.agents.position[*original as usize], 1e-10);
    }
}

/// F08, V26: of one agent per neighbor cell the id decides nothing, not even the order of a sum, so every bit is the same.
#[test]
fn f08_permuting_ids_over_single_cells_changes_no_bit() {
    let mixed: Vec<u64> = (0..60).map(|index| index * 37 % 60).collect();
    let intents = |order: &[u64]| {
        let mut yard = Yard::plain();
        let group = yard.group("flock", body(), Control::Acceleration, &flock_terms());
        for index in order {
            // One in each field of a board, near its middle.
            let (spot, way) = (scatter(3, *index) - DVec3::splat(0.5), scatter(4, *index));
            let field = at((index % 8) as f64, (index / 8) as f64) * 0.8;
            yard.spawn(group, field + at(spot.x, spot.y) * 0.3, at(way.x - 0.5, way.y - 0.5));
        }
        yard.world().cell_side = 0.5;
        let intents = yard.intents(GroupId(0)).0;
        let walk: Vec<u64> = yard.world.grid.order().iter().map(|slot| order[*slot as usize]).collect();
        (intents, walk)
    };
    let ((plain, walk), (other, same)) = (intents(&in_order(60)), intents(&mixed));
    assert_eq!(walk, same, "a cell holds two");
    for (slot, original) in mixed.iter().enumerate() {
        let bits = |push: DVec3| push.to_array().map(f64::to_bits);
        assert_eq!(bits(other[slot].push), bits(plain[*original as usize].push));
    }
}

/// The three rules written down once more, over all pairs, from one snapshot.
fn brute_force(yard: &Yard, me: usize) -> DVec3 {
    let agents = &yard.world.agents;
    let (mut apart, mut mean_v, mut mean_p, mut near) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, 0.0);
    for other in (0..agents.slots()).filter(|other| *other != me) {
        let offset = yard.world.offset(agents.position[me], agents.position[other]);
        let distance = offset.length();
        if distance <= 1.5 {
            apart -= offset / distance * (1.0 - distance / 1.5);
        }
        if distance <= 3.0 {
            mean_v += agents.velocity[other];
            mean_p += offset;
            near += 1.0;
        }
    }
    let saturate = |v: DVec3, soft: f64| v / v.length().max(soft) * 2.0;
    let mut sum = 1.6 * saturate(apart, 0.5);
    if near > 0.0 {
        sum += 0.9 * saturate(mean_v / near - agents.velocity[me], 1.0) + 0.7 * saturate(mean_p / near, 1.0);
    }
    sum
}

#[test]
fn f08_one_step_equals_brute_force_over_a_snapshot() {
    let mut yard = flock(300, &in_order(300), |p| p, |v| v);
    let expected: Vec<DVec3> = (0..300).map(|me| brute_force(&yard, me)).collect();
    let before = yard.world.agents.velocity.clone();
    for side in [0.7, 1.5, 9.0] {
        yard.world().cell_side = side;
        let (intents, _) = yard.intents(GroupId(0));
        for (intent, expected) in intents.iter().zip(&expected) {
            close(intent.push, *expected, 1e-10);
        }
    }
    yard.step();
    for (slot, expected) in expected.iter().enumerate() {
        close(yard.world.agents.velocity[slot], before[slot] + *expected / 60.0, 1e-10);
    }
}

#[test]
fn f14_a_wrapped_world_has_no_seam() {
    let area = Some(Area { min: DVec3::ZERO, max: at(12.0, 12.0) });
    let settings = WorldSettings { space: Space { area, edge: Edge::Wrap }, ..WorldSettings::default() };
    let build = |shift: DVec3| {
        let mut yard = Yard::new(settings.clone());
        let group = yard.group("flock", body(), Control::Acceleration, &flock_terms());
        for index in 0..80 {
            let spot = scatter(5, index) * 12.0 + shift;
            yard.spawn(group, at(spot.x.rem_euclid(12.0), spot.y.rem_euclid(12.0)), DVec3::ZERO);
        }
        yard
    };
    let (mut plain, mut shifted) = (build(DVec3::ZERO), build(at(7.3, 4.1)));
    let (a, _) = plain.intents(GroupId(0));
    let (b, _) = shifted.intents(GroupId(0));
    for (me, (a, b)) in a.iter().zip(&b).enumerate() {
        close(a.push, b.push, 1e-10);
        close(a.push, brute_force(&plain, me), 1e-10);
    }
}

#[test]
fn f28_one_two_and_eight_threads_give_the_same_hash() {
    let run = |threads: usize, planar: bool| {
        let mut yard = Yard::new(WorldSettings { planar, ..WorldSettings::default() });
        yard.workers = Workers::new(threads);
        let flock = yard.behavior("flock", body());
        let drill = yard.behavior("drill", body());
        for index in 0..900 {
            let spot = scatter(6, index) * 25.0;
            let spot = if planar { at(spot.x, spot.y) } else { spot };
            yard.spawn(flock, spot, DVec3::ZERO);
            let soldier = yard.spawn(drill, spot + at(0.5, 0.0), DVec3::ZERO);
            yard.place(soldier, index as u32, spot, 1.0);
        }
        yard.minds[1].set("track_slot.k3", 0.1.into(), swarmyard::steer::Origin::User).expect("a gain");
        yard.run(30);
        yard.hash()
    };
    for planar in [true, false] {
        let one = run(1, planar);
        assert_eq!(one, run(2, planar));
        assert_eq!(one, run(8, planar));
    }
}

#[test]
fn three_dimensional_flocks_use_all_axes() {
    let mut yard = Yard::new(WorldSettings { planar: false, ..WorldSettings::default() });
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("cohesion", 1.0).with("radius", 9.0)]);
    let a = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.spawn(group, DVec3::new(0.0, 0.0, 2.0), DVec3::ZERO);
    close(yard.push(a), DVec3::new(0.0, 0.0, 2.0), 1e-12);
}
