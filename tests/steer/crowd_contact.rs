//! Pressed bodies: friction never adds energy, no step is too long, and the exact figures of the law.

use crate::crowd::{free, settings, vector, wall};
use crate::yard::{Yard, at, close, scatter};
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{Control, GroupId};
use swarmyard::steer::blend::Term;

/// Friction alone.
fn friction() -> Term {
    Term::native("social_force_2000", 1.0).with("A", 0.0).with("k", 0.0)
}

/// Case 28. In JuPedSim the sign at walls is wrong: 2 cm of overlap accelerate a sliding agent from 1 to 4.5 m/s in 40 ms. In Menge the
/// friction of a pair turns one way whatever slides.
#[test]
fn friction_takes_power_from_ten_thousand_pairs_and_walls() {
    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.3), Control::Acceleration, &[friction()]);
    let ids = [yard.spawn(group, DVec3::ZERO, DVec3::ZERO), yard.spawn(group, DVec3::ZERO, DVec3::ZERO)];
    let mut active = 0;
    for index in 0..10_000 {
        let (spot, ways) = (scatter(41, index) - DVec3::splat(0.5), [scatter(42, index), scatter(43, index)]);
        let agents = &mut yard.world().agents;
        agents.position[1] = at(spot.x, spot.y);
        for (slot, way) in ways.iter().enumerate() {
            agents.velocity[slot] = at(way.x - 0.5, way.y - 0.5) * 8.0;
        }
        let pushes = ids.map(|id| yard.push(id));
        let power: f64 = (0..2).map(|slot| pushes[slot].dot(yard.world.agents.velocity[slot])).sum();
        assert!(power <= 1e-12, "{index}: {power}");
        active += usize::from(power < -1e-6);
    }
    assert!(active > 7_000, "{active} of the pairs rub");

    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.2), Control::Acceleration, &[friction().with("margin", 0.1)]);
    yard.obstacle(wall((-9.0, 0.0), (9.0, 0.0)));
    let id = yard.spawn(group, at(0.0, 0.25), DVec3::ZERO);
    for index in 0..10_000 {
        let (spot, way) = (scatter(44, index), scatter(45, index) - DVec3::splat(0.5));
        let agents = &mut yard.world().agents;
        (agents.position[0], agents.velocity[0]) = (at(spot.x, 0.2 + 0.1 * spot.y), at(way.x, way.y) * 8.0);
        let push = yard.push(id);
        assert!(push.x * way.x <= 0.0 && push.y.abs() < 1e-9, "{index}: {push} at {way}");
        // Nor does it turn the sliding round within the tick.
        assert!(push.x.abs() / 60.0 <= way.x.abs() * 8.0 + 1e-12);
    }
}

/// The derivation in the source, on crowds of any density, size and speed: one tick of friction at any step.
#[test]
fn friction_in_a_pressed_crowd_keeps_the_momentum_and_never_adds_energy() {
    for (case, hz) in [60.0, 10.0, 240.0, 2000.0].into_iter().enumerate() {
        for width in [1.0, 2.0, 3.5] {
            let mut yard = Yard::new(settings(hz));
            let group = yard.group("a", free(0.3), Control::Acceleration, &[friction().with("radius", 4.0)]);
            for index in 0..60 {
                let (spot, way) = (scatter(50 + case as u64, index), scatter(60 + case as u64, index));
                let id = yard.spawn(group, at(spot.x, spot.y) * width, at(way.x - 0.5, way.y - 0.5) * 6.0);
                yard.world().agents.radius[id.slot as usize] = 0.2 + 0.15 * way.z;
            }
            let state = |yard: &Yard| {
                let velocities = &yard.world.agents.velocity;
                let energy: f64 = velocities.iter().map(|v| v.length_squared()).sum();
                (energy, velocities.iter().sum::<DVec3>())
            };
            let (before, momentum) = state(&yard);
            yard.step();
            let (after, kept) = state(&yard);
            assert!(after < 0.99 * before, "{hz} Hz, {width} m: {before} to {after}");
            close(kept, momentum, 1e-9);
            let mut last = after;
            for _ in 0..30 {
                yard.step();
                let (now, _) = state(&yard);
                assert!(now <= last * (1.0 + 1e-12), "{hz} Hz, {width} m: {last} to {now}");
                last = now;
            }
        }
    }
}

/// The largest eigenvalues of N (1/s²) and T of one of some bodies, as the derivation in the source defines them.
fn loads(me: usize, places: &[DVec3], radii: &[f64], dt: f64) -> (f64, f64) {
    let largest = |[xx, xy, yy]: [f64; 3]| 0.5 * (xx + yy) + (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
    let (mut normal, mut tangent) = ([0.0; 3], [0.0; 3]);
    for other in (0..places.len()).filter(|other| *other != me) {
        let (offset, both) = (places[other] - places[me], radii[me] + radii[other]);
        let overlap = both - offset.length();
        if overlap > 0.0 {
            let n = offset / offset.length();
            let (slope, rub) = (25.0 / 0.08 * libm::exp(overlap / 0.08) + 1500.0, dt * 3000.0 * overlap);
            for (at, (a, b)) in [(n.x, n.x), (n.x, n.y), (n.y, n.y)].into_iter().enumerate() {
                normal[at] += slope * a * b;
                tangent[at] += rub * (if at == 1 { 0.0 } else { 1.0 } - a * b);
            }
        }
    }
    (largest(normal), largest(tangent))
}

/// Each of a pair takes the load of the other from the same store: it must be the other's own.
#[test]
fn in_a_pile_every_push_is_that_of_the_definition() {
    let mut yard = Yard::new(settings(60.0));
    let group = yard.group("a", free(0.3), Control::Acceleration, &[Term::native("social_force_2000", 1.0)]);
    let ids: Vec<_> = (0..40)
        .map(|index| {
            let (spot, way) = (scatter(81, index), scatter(82, index));
            let id = yard.spawn(group, at(spot.x, spot.y) * 1.5, at(way.x - 0.5, way.y - 0.5) * 3.0);
            yard.world().agents.radius[id.slot as usize] = 0.2 + 0.15 * way.z;
            id
        })
        .collect();
    let (places, radii) = (yard.world.agents.position.clone(), yard.world.agents.radius.clone());
    let (velocities, dt) = (yard.world.agents.velocity.clone(), 1.0 / 60.0);
    let each: Vec<_> = (0..40).map(|me| loads(me, &places, &radii, dt)).collect();
    let mut limited = 0;
    for (me, id) in ids.iter().enumerate() {
        let mut sum = DVec3::ZERO;
        for other in (0..40).filter(|other| *other != me) {
            let (offset, both) = (places[other] - places[me], radii[me] + radii[other]);
            let (distance, n) = (offset.length(), offset / offset.length());
            let (overlap, cut) = (both - distance, 25.0 * libm::exp((both - 2.0) / 0.08));
            let social = 25.0 * libm::exp(overlap / 0.08);
            if overlap <= 0.0 {
                sum -= n * (social - cut);
                continue;
            }
            let (normal, tangent) = (each[me].0 + each[other].0, each[me].1 + each[other].1);
            let theta = (1.8 / (dt * dt * normal)).min(1.0);
            let sliding = velocities[me] - velocities[other];
            sum -= n * (25.0 + theta * (social - 25.0 + 1500.0 * overlap) - cut);
            sum -= (sliding - n * sliding.dot(n)) * (3000.0 * overlap / tangent.max(1.0));
            limited += usize::from(theta < 1.0 && tangent > 1.0);
        }
        let push = yard.push(*id);
        close(push, sum, 1e-9 * sum.length().max(1.0));
    }
    assert!(limited > 200, "{limited} contacts are limited");
}

/// Of two alone at a short step the friction is the published one: κ·g·Δv·t.
#[test]
fn a_single_contact_has_the_published_law_where_the_step_is_short() {
    let mut yard = Yard::new(settings(2000.0));
    let group = yard.group("a", free(0.3), Control::Acceleration, &[Term::native("social_force_2000", 1.0)]);
    let id = yard.spawn(group, DVec3::ZERO, at(0.3, 0.7));
    yard.spawn(group, at(0.57, 0.0), at(-0.2, -0.4));
    let normal = (2000.0 * libm::exp(0.03 / 0.08) + 1.2e5 * 0.03) / 80.0 - 25.0 * libm::exp(-1.4 / 0.08);
    close(yard.push(id), at(-normal, -2.4e5 * 0.03 * 1.1 / 80.0), 1e-9);
}

/// Case 26: d* = r + B·ln(A·τ/(m·v0)) = 0.4786 m, and small oscillations of 1.10 s about it.
#[test]
fn before_a_wall_one_stands_and_sways_as_the_equations_say() {
    let mut yard = Yard::new(settings(1000.0));
    let terms = [
        Term::native("driving", 1.0).with("speed", 1.34).with("way", vector(DVec3::X)).with("patience", 0.0),
        Term::native("social_force_2000", 1.0),
    ];
    let group = yard.group("a", free(0.3), Control::Acceleration, &terms);
    yard.obstacle(wall((5.0, -50.0), (5.0, 50.0)));
    let rest = 0.3 + 0.08 * libm::log(25.0 * 0.5 / 1.34);
    let id = yard.spawn(group, at(5.0 - rest - 0.005, 0.0), DVec3::ZERO);
    let (mut crossings, mut before) = (Vec::new(), -1.0);
    for tick in 0..4000 {
        yard.step();
        let side = yard.position(id).x - (5.0 - rest);
        if before < 0.0 && side >= 0.0 {
            crossings.push(f64::from(tick) / 1000.0);
        }
        before = side;
    }
    let period = (crossings[2] - crossings[0]) / 2.0;
    assert!((period / 1.10 - 1.0).abs() < 0.03, "{period}");
    yard.run(20_000);
    let gap = 5.0 - yard.position(id).x;
    assert!((gap - 0.4786).abs() < 1e-3, "{gap}");
}

/// jupedsim#81.
#[test]
fn a_hundred_pressed_against_a_wall_stay_outside_of_it() {
    for speed in [1.34, 8.0] {
        let mut yard = Yard::plain();
        let terms = [
            Term::native("driving", 1.0).with("speed", speed).with("way", vector(DVec3::X)),
            Term::native("social_force_2000", 1.0).with("margin", 0.05),
        ];
        let group = yard.group("a", free(0.2), Control::Acceleration, &terms);
        yard.obstacle(Shape::Box { min: at(6.0, -4.0), max: at(7.0, 4.0) });
        yard.obstacle(wall((0.0, -2.0), (6.0, -2.0)));
        yard.obstacle(wall((0.0, 2.0), (6.0, 2.0)));
        for index in 0..100 {
            yard.spawn(group, at(f64::from(index / 7) * 0.55 - 2.6, f64::from(index % 7) * 0.55 - 1.65), DVec3::ZERO);
        }
        for _ in 0..360 {
            yard.step();
            for slot in 0..100 {
                let p = yard.world.agents.position[slot];
                assert!(p.x < 5.8 + 1e-5 || p.y.abs() > 4.0, "{speed} m/s: {p} is in the box");
                assert!(p.x < 0.0 || (p.y.abs() - 2.0).abs() > 0.2 - 1e-5, "{speed} m/s: {p} is in a wall");
            }
        }
        // Some of the last go round the walls outside.
        let agents = &yard.world.agents;
        let pressed = (0..100).filter(|slot| agents.position[*slot].x > 0.0 && agents.position[*slot].y.abs() < 2.0);
        let speeds: Vec<f64> = pressed.map(|slot| agents.velocity[slot].length()).collect();
        assert!(speeds.len() > 50, "{}", speeds.len());
        assert!(speeds.iter().all(|v| *v < 0.5 * speed), "{speed} m/s: they still move at {speeds:?} m/s");
    }
}

/// The walls of a room of 15 m with a door of 1 m and a corridor of 2 m behind it, as five connected walls.
pub(crate) fn room() -> [Shape; 5] {
    let line = |points: &[(f64, f64)]| Shape::Polyline { points: points.iter().map(|(x, y)| at(*x, *y)).collect() };
    [
        line(&[(0.0, 0.0), (0.0, 15.0)]),
        line(&[(0.0, 15.0), (15.0, 15.0)]),
        line(&[(0.0, 0.0), (15.0, 0.0)]),
        line(&[(15.0, 15.0), (15.0, 8.0), (17.0, 8.0)]),
        line(&[(15.0, 0.0), (15.0, 7.0), (17.0, 7.0)]),
    ]
}

/// Explicit steps blow up here: 1.5 m/s at 50 ticks per second, 8 m/s at 500, thousands of metres per second.
#[test]
fn two_hundred_at_a_door_never_blow_up_at_sixty_ticks_per_second() {
    for speed in [0.8, 2.0, 5.0, 8.0] {
        let mut yard = Yard::plain();
        let terms = [
            Term::native("driving", 1.0).with("speed", speed),
            Term::native("social_force_2000", 1.0).with("margin", 0.1),
        ];
        let group = yard.group("a", free(0.2), Control::Acceleration, &terms);
        for shape in room() {
            yard.obstacle(shape);
        }
        for index in 0..200 {
            let (column, row) = (index / 20, index % 20);
            let jitter = scatter(71, index as u64) * 0.05;
            let p = at(14.4 - f64::from(column) * 0.65, 1.1 + f64::from(row) * 0.67) + at(jitter.x, jitter.y);
            let id = yard.spawn(group, p, DVec3::ZERO);
            yard.world().agents.radius[id.slot as usize] = 0.15 + 2.0 * jitter.z;
        }
        let mut fastest = 0.0_f64;
        for _ in 0..300 {
            let world = yard.world();
            for slot in 0..200 {
                let p = world.agents.position[slot];
                let door = at(15.2, p.y.clamp(7.35, 7.65));
                world.agents.goal[slot] = Some(if p.x > 15.0 { p + at(50.0, 0.0) } else { p + (door - p) * 50.0 });
            }
            yard.step();
            fastest = yard.world.agents.velocity.iter().map(|v| v.length()).fold(fastest, f64::max);
        }
        assert!(fastest < 2.0 * speed + 3.0, "{speed} m/s: {fastest} m/s");
        for p in &yard.world.agents.position {
            let corridor = p.x > 14.5 && p.y > 6.9 && p.y < 8.1;
            assert!(corridor || p.x > 17.0 || (p.x > 0.0 && p.x < 15.0 && p.y > 0.0 && p.y < 15.0), "{p} is outside");
        }
    }
}

/// A body that starts deep in another is let out, not shot out.
#[test]
fn overlapping_bodies_part_without_a_burst() {
    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.3), Control::Acceleration, &[Term::native("social_force_2000", 1.0)]);
    for (x, y) in [(0.0, 0.0), (1e-4, 0.0), (0.1, 0.1), (0.0, 0.2)] {
        yard.spawn(group, at(x, y), DVec3::ZERO);
    }
    let mut fastest = 0.0_f64;
    for _ in 0..60 {
        yard.step();
        fastest = yard.world.agents.velocity.iter().map(|v| v.length()).fold(fastest, f64::max);
    }
    assert!(fastest < 20.0, "{fastest} m/s");
    let (intents, _) = yard.intents(GroupId(0));
    assert!(intents.iter().all(|intent| intent.push.is_finite()));
}
