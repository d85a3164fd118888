//! Forces of pedestrians: the traps of their equations, each named after what went wrong, and what must not matter.

use crate::yard::{Yard, at, close, scatter};
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{AgentId, BodySpec, Control, GroupId, WorldSettings};
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::force::crowd::ellipse::semi_minor;
use swarmyard::steer::force::crowd::heuristic::interaction;
use swarmyard::steer::param::Value;

/// All forces between pedestrians under acceleration.
const MODELS: [&str; 4] = ["social_force", "social_force_1995", "social_force_2000", "moussaid_2009"];

pub(crate) fn vector(v: DVec3) -> Bind {
    Bind::Constant(Value::Vector(v))
}

pub(crate) fn switch(on: bool) -> Bind {
    Bind::Constant(Value::Bool(on))
}

/// A body that limits nothing.
pub(crate) fn free(radius: f64) -> BodySpec {
    BodySpec { radius, max_speed: 1e3, max_acceleration: 1e6, turn_rate: 1e3, ..BodySpec::default() }
}

pub(crate) fn settings(tick_hz: f64) -> WorldSettings {
    WorldSettings { tick_hz, ..WorldSettings::default() }
}

fn two(term: Term, radius: f64, a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (Yard, AgentId, AgentId) {
    let mut yard = Yard::plain();
    let group = yard.group("a", free(radius), Control::Acceleration, &[term]);
    let a = yard.spawn(group, a.0, a.1);
    let b = yard.spawn(group, b.0, b.1);
    (yard, a, b)
}

pub(crate) fn wall(from: (f64, f64), to: (f64, f64)) -> Shape {
    Shape::Wall { from: at(from.0, from.1), to: at(to.0, to.1) }
}

/// The push of one agent at rest on another at rest, `distance` away along x.
fn push_at(term: &Term, distance: f64) -> f64 {
    let (mut yard, a, _) = two(term.clone(), 0.3, (DVec3::ZERO, DVec3::ZERO), (at(distance, 0.0), DVec3::ZERO));
    -yard.push(a).x
}

#[test]
fn e50_the_push_does_not_jump_where_its_range_ends() {
    for (name, range) in MODELS.into_iter().zip([2.0, 4.0, 2.0, 5.0]) {
        let term = Term::native(name, 1.0);
        assert!(push_at(&term, range + 1e-9) == 0.0, "{name}");
        let edge = push_at(&term, range - 1e-6).abs();
        assert!(edge < 1e-5, "{name}: {edge} at the range");
        // Nor anywhere else: 2B beyond contact the text drops 13.5 % of A.
        let mut before = push_at(&term, 0.3);
        for step in 1..=4 * ((range * 100.0) as u32) {
            let now = push_at(&term, 0.3 + f64::from(step) / 400.0);
            let most = if name == "social_force_2000" { 10.0 } else { 0.2 };
            assert!((now - before).abs() < most, "{name} jumps by {} at step {step}", now - before);
            before = now;
        }
    }
}

/// E51, jupedsim#172, #187, #811; in RVO2 and `JuPedSim` they stay one for ever.
#[test]
fn e51_agents_in_one_place_part_the_same_way_every_time() {
    for name in MODELS {
        let run = || {
            let same = (at(3.0, 4.0), DVec3::ZERO);
            let (mut yard, a, b) = two(Term::native(name, 1.0), 0.3, same, same);
            let (push_a, push_b) = (yard.push(a), yard.push(b));
            assert!(push_a.is_finite() && push_a.length() > 0.5, "{name}: {push_a}");
            close(push_a, -push_b, 1e-9 * push_a.length());
            yard.run(120);
            assert!(yard.all_finite());
            let apart = yard.position(a).distance(yard.position(b));
            assert!(apart > 0.9 * 0.6, "{name}: {apart} m apart after 2 s");
            (yard.position(a), yard.position(b))
        };
        assert_eq!(run(), run(), "{name}");
    }
}

/// E52 and E56: with the numbers of the text two who press against each other stand 0.478 m apart, not 0.621 m.
#[test]
fn e52_the_push_is_not_divided_by_the_distance_once_more() {
    let mut yard = Yard::plain();
    for (x, way) in [(-2.0, 1.0), (2.0, -1.0)] {
        let driving = Term::native("driving", 1.0).with("speed", 1.5).with("way", vector(at(way, 0.0)));
        let terms = [driving.with("patience", 0.0), Term::native("social_force", 1.0)];
        let group = yard.group(if way > 0.0 { "a" } else { "b" }, free(0.3), Control::Acceleration, &terms);
        yard.spawn(group, at(x, 0.0), DVec3::ZERO);
    }
    yard.run(1800);
    let positions = &yard.world.agents.position;
    let apart = positions[0].distance(positions[1]);
    assert!((apart - 0.478).abs() < 0.003, "{apart}");
}

/// E53: rays count a wall up to three times, and miss thin pillars. One force per connected wall, by its nearest point.
#[test]
fn e53_a_wall_counts_once_however_it_is_drawn() {
    for name in MODELS {
        let push = |shapes: &[Shape], from: DVec3| {
            let mut yard = Yard::plain();
            let group = yard.group("a", free(0.3), Control::Acceleration, &[Term::native(name, 1.0)]);
            for shape in shapes {
                yard.obstacle(shape.clone());
            }
            let id = yard.spawn(group, from, DVec3::ZERO);
            yard.push(id)
        };
        let here = at(0.0, 0.4);
        let plain = push(&[wall((-5.0, 0.0), (5.0, 0.0))], here);
        assert!(plain.y > 0.1 && plain.x.abs() < 1e-12, "{name}: {plain}");
        let points = (0..=40).map(|i| at(-5.0 + f64::from(i) * 0.25, 0.0)).collect();
        close(push(&[Shape::Polyline { points }], here), plain, 1e-12);
        // At the end of a door jamb, whose two segments meet there: the distance counts, not the number of segments.
        let jamb = Shape::Polyline { points: vec![at(0.0, -5.0), at(0.0, 0.0), at(5.0, 0.0)] };
        let corner = push(&[jamb], at(-0.3, 0.4 * 0.661_437_827_766));
        assert!((corner.length() - plain.length()).abs() < 1e-9, "{name}: {corner} for {plain}");
        let pillar = push(&[Shape::Disc { at: at(0.0, -0.005), radius: 0.005 }], here);
        close(pillar, plain, 1e-9);
    }
}

/// jupedsim#355, #1636.
#[test]
fn no_force_goes_through_a_thin_wall() {
    for name in MODELS {
        let alone = |others: bool, sight: bool| {
            let mut yard = Yard::plain();
            let term = Term::native(name, 1.0).with("sight", switch(sight)).with("radius", 4.0);
            let group = yard.group("a", free(0.2), Control::Acceleration, &[term]);
            yard.obstacle(wall((0.0, -3.0), (0.0, 3.0)));
            let id = yard.spawn(group, at(-0.3, 0.0), at(0.5, 0.0));
            if others {
                yard.spawn(group, at(0.3, 0.05), at(-0.5, 0.0));
            }
            yard.push(id)
        };
        close(alone(true, true), alone(false, true), 1e-12);
        assert!((alone(true, false) - alone(false, false)).length() > 0.1, "{name}");
        // Beside its end they see each other.
        let mut yard = Yard::plain();
        let group = yard.group("a", free(0.2), Control::Acceleration, &[Term::native(name, 1.0).with("radius", 4.0)]);
        yard.obstacle(wall((0.0, 3.0), (0.0, 9.0)));
        let a = yard.spawn(group, at(-0.3, 2.5), DVec3::ZERO);
        let with_wall = yard.push(a);
        yard.spawn(group, at(0.3, 2.5), DVec3::ZERO);
        assert!((yard.push(a) - with_wall).x < -0.05, "{name}");
    }
}

/// R194.
#[test]
fn those_outside_of_the_field_of_view_weigh_less() {
    for (name, default) in [("social_force", std::f64::consts::PI), ("social_force_1995", 1.745)] {
        let push = |x: f64, half_angle: f64| {
            let term = Term::native(name, 1.0).with("half_angle", half_angle).with("behind", 0.25);
            let (mut yard, a, b) = two(term, 0.3, (DVec3::ZERO, DVec3::ZERO), (at(x, 0.0), DVec3::ZERO));
            yard.world().agents.heading[a.slot as usize] = 0.0;
            let _ = b;
            yard.push(a).x.abs()
        };
        assert!((push(1.0, 1.5) - push(1.0, 4.0_f64.min(3.15))).abs() < 1e-12, "{name}: ahead");
        assert!((push(-1.0, 1.5) - 0.25 * push(-1.0, 3.15)).abs() < 1e-12, "{name}: behind");
        let force = swarmyard::steer::force_named(name).expect("it is registered");
        let spec = force.specs().into_iter().find(|spec| spec.name == "half_angle").expect("it has one");
        assert_eq!(spec.default.number(), Some(default));
    }
}

/// R173.
#[test]
fn the_tangential_part_brakes_sliding_and_nothing_else() {
    let with = Term::native("social_force", 1.0).with("tangent", 2.0);
    let without = Term::native("social_force", 1.0);
    let pair = |term: &Term, v: DVec3| {
        let (mut yard, a, b) = two(term.clone(), 0.3, (DVec3::ZERO, v), (at(0.5, 0.0), -v));
        (yard.push(a), yard.push(b))
    };
    let (sliding, along) = (at(0.0, 1.0), at(1.0, 0.0));
    let (a, b) = pair(&with, sliding);
    let (plain, _) = pair(&without, sliding);
    // Closer than contact the weight is 1, less what is left of it at the range.
    let cut = libm::exp((0.6 - 2.0) / 0.3);
    close(a - plain, at(0.0, -2.0 * 2.0 * (1.0 - cut)), 1e-12);
    close(a, -b, 1e-12);
    close(pair(&with, along).0, pair(&without, along).0, 1e-12);
}

/// E58: an empty branch at the goal makes agents orbit it.
#[test]
fn e58_who_arrives_stays() {
    for speed in [0.8, 1.34, 3.0] {
        let mut yard = Yard::plain();
        let term = Term::native("driving", 1.0).with("speed", speed);
        let group = yard.group("a", free(0.2), Control::Acceleration, &[term]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        yard.world().groups[group.index()].goal = Some(at(8.0, 0.0));
        let mut beyond = 0.0_f64;
        for _ in 0..1500 {
            yard.step();
            beyond = beyond.max(yard.position(id).x - 8.0);
        }
        assert!(beyond < 0.07 * speed, "{speed} m/s: {beyond} m beyond");
        assert!(yard.position(id).distance(at(8.0, 0.0)) < 1e-3 && yard.velocity(id).length() < 1e-3);
    }
}

/// Case 27: v = v0·(1 − exp(−t/τ)); case 1: 40 m take 40/1.33 + τ.
#[test]
fn free_acceleration_is_exponential_with_tau() {
    let mut yard = Yard::new(settings(100.0));
    let term = Term::native("driving", 1.0).with("speed", 1.33).with("way", vector(at(3.0, 0.0)));
    let group = yard.group("a", free(0.2), Control::Acceleration, &[term]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    let mut arrived = 0.0;
    for tick in 1..=4000 {
        yard.step();
        let t = f64::from(tick) / 100.0;
        let exact = 1.33 * (1.0 - libm::exp(-t / 0.5));
        assert!((yard.velocity(id).x - exact).abs() < 0.01 * 1.33, "{t}: {} for {exact}", yard.velocity(id).x);
        if arrived == 0.0 && yard.position(id).x >= 40.0 {
            arrived = t;
        }
    }
    assert!((arrived - (40.0 / 1.33 + 0.5)).abs() < 0.02, "{arrived}");
}

#[test]
fn driving_goes_its_own_way_then_to_its_goal_then_along_the_route() {
    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.2), Control::Acceleration, &[Term::native("driving", 1.0)]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    close(yard.push(id), DVec3::ZERO, 0.0);
    yard.world().groups[0].route = vec![at(0.0, 30.0), at(9.0, 30.0)];
    close(yard.push(id), at(0.0, 2.68), 1e-12);
    yard.world().groups[0].goal = Some(at(-30.0, 0.0));
    close(yard.push(id), at(-2.68, 0.0), 1e-12);
    yard.world().agents.goal[0] = Some(at(0.0, -30.0));
    close(yard.push(id), at(0.0, -2.68), 1e-12);
    yard.minds[0].set("driving.way", Value::Vector(at(0.1, 0.0)), swarmyard::steer::Origin::User).expect("a vector");
    close(yard.push(id), at(2.68, 0.0), 1e-12);
}

#[test]
fn the_herd_draws_along_who_does_not_know_the_way() {
    let push = |herding: f64| {
        let mut yard = Yard::plain();
        let term = Term::native("driving", 1.0).with("herding", herding).with("way", vector(at(1.0, 0.0)));
        let group = yard.group("a", free(0.2), Control::Acceleration, &[term]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        for x in [1.0, 2.0, 3.0] {
            yard.spawn(group, at(x, 1.0), at(0.0, x));
        }
        yard.spawn(group, at(0.0, 40.0), at(-5.0, 0.0));
        yard.push(id)
    };
    close(push(0.0), at(2.68, 0.0), 1e-12);
    close(push(1.0), at(0.0, 2.68), 1e-12);
    // e ∝ 0.6·x + 0.4·y.
    close(push(0.4), at(0.6, 0.4).normalize_or_zero() * 2.68, 1e-12);
}

/// 1.1 (c): a gradient written by hand needs the difference quotient beside it.
#[test]
fn the_gradient_of_the_ellipse_is_that_of_its_potential() {
    for index in 0..2000 {
        let (spot, way) = (scatter(11, index) - DVec3::splat(0.5), scatter(12, index) - DVec3::splat(0.5));
        let (from, step) = (at(spot.x, spot.y) * 6.0, at(way.x, way.y) * 4.0);
        let (b, gradient) = semi_minor(from, step);
        // Near the foci and on the line between them the gradient turns faster than a difference can follow.
        if b < 0.05 || from.length() < 0.1 || (from - step).length() < 0.1 {
            continue;
        }
        let h = 1e-6;
        let along = |v: DVec3| (semi_minor(from + v * h, step).0 - semi_minor(from - v * h, step).0) / (2.0 * h);
        close(gradient, at(along(DVec3::X), along(DVec3::Y)), 1e-6);
    }
}

/// 1.1 (a) and (b).
#[test]
fn the_ellipse_has_a_finite_gradient_on_the_way_of_the_other_too() {
    for step in [DVec3::ZERO, at(2.6, 0.0), at(1e-9, 0.0), at(1.0, 1.0)] {
        for share in [0.0, 0.25, 0.5, 0.999_999, 1.0, 1.5, -0.3] {
            for aside in [0.0, 1e-12, 1e-6, 1e-3] {
                let (b, gradient) = semi_minor(step * share + at(0.0, aside), step);
                assert!(b > 0.0 && b.is_finite() && gradient.length() < 40.0, "{step} {share} {aside}: {b} {gradient}");
            }
        }
    }
    // Without a step the lines are circles.
    let (b, gradient) = semi_minor(at(0.6, 0.8), DVec3::ZERO);
    assert!((b - 1.0).abs() < 1e-6);
    close(gradient, at(0.6, 0.8), 1e-6);
}

/// The numbers of the model, as the registry has them.
const NUMBERS: [f64; 6] = [4.5, 2.0, 0.35, 2.0, 3.0, 0.005];

/// In `PySocialForce` a scene turned to 175–179° gives an agent no force, and at 355–359° another: a difference of two angles that was not
/// wrapped.
#[test]
fn turning_two_pedestrians_turns_their_push_at_every_degree() {
    let (to, closing) = (at(0.8, 0.6), at(1.4, -0.3));
    let plain = interaction(to, 1.2, closing, NUMBERS);
    assert!(plain.length() > 0.1, "{plain}");
    for degree in 0..360 {
        let (sine, cosine) = libm::sincos(f64::from(degree).to_radians());
        let turn = |v: DVec3| at(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y);
        close(interaction(turn(to), 1.2, turn(closing), NUMBERS), turn(plain), 1e-12);
    }
}

/// 1.3 (b): λ·Δv = −e makes D zero, and the range γ·|D| with it.
#[test]
fn a_pair_whose_interaction_direction_vanishes_gets_a_finite_push() {
    for closing in [at(-0.5, 0.0), at(-0.5 + 1e-12, 0.0), at(-0.5, 1e-300)] {
        for distance in [0.0, 1e-9, 0.5, 2.0] {
            let push = interaction(DVec3::X, distance, closing, NUMBERS);
            assert!(push.is_finite() && push.length() <= 4.5 * 1.5, "{closing} {distance}: {push}");
        }
    }
}

/// 1.3 (c): sign(0) = 0 gives those who meet head-on no push aside, so they stand for good.
#[test]
fn two_who_meet_exactly_head_on_pass_on_the_right() {
    assert!(interaction(DVec3::X, 1.0, at(2.0, 0.0), NUMBERS).y < -0.1, "to the right");
    let mut left = NUMBERS;
    left[5] = -0.005;
    assert!(interaction(DVec3::X, 1.0, at(2.0, 0.0), left).y > 0.1, "to the left");
    left[5] = 0.0;
    assert!(interaction(DVec3::X, 1.0, at(2.0, 0.0), left).y.abs() > 0.1, "to either side");
    let mut yard = Yard::plain();
    for (name, x, way) in [("a", -5.0, 1.0), ("b", 5.0, -1.0)] {
        let driving = Term::native("driving", 1.0).with("speed", 1.29).with("tau", 0.54);
        let terms = [driving.with("way", vector(at(way, 0.0))), Term::native("moussaid_2009", 1.0)];
        let group = yard.group(name, free(0.2), Control::Acceleration, &terms);
        yard.spawn(group, at(x, 0.0), DVec3::ZERO);
    }
    let mut nearest = f64::INFINITY;
    for _ in 0..720 {
        yard.step();
        let positions = &yard.world.agents.position;
        nearest = nearest.min(positions[0].distance(positions[1]));
    }
    assert!(yard.world.agents.position[0].x > 4.0 && yard.world.agents.position[1].x < -4.0);
    assert!(nearest > 0.4, "{nearest} m");
}

/// Fifty at random, some of them pressed together, mapped by `map`; velocities as the difference to the origin's image.
fn crowd(name: &str, map: impl Fn(DVec3) -> DVec3) -> (Vec<DVec3>, Yard) {
    let origin = map(DVec3::ZERO);
    let turned = |v: DVec3| map(v) - origin;
    let (control, term) = if name == "csm" {
        (Control::Velocity, Term::native(name, 1.0).with("way", vector(turned(DVec3::X))))
    } else {
        (Control::Acceleration, Term::native(name, 1.0))
    };
    let mut yard = Yard::plain();
    let group = yard.group("a", free(0.25), control, &[term]);
    for index in 0..50 {
        let (spot, way) = (scatter(21, index), scatter(22, index) - DVec3::splat(0.5));
        yard.spawn(
            group,
            map(at(spot.x, spot.y) * if name == "csm" { 11.0 } else { 5.0 }),
            turned(at(way.x, way.y) * 3.0),
        );
    }
    for (from, to) in [((-0.4, -1.0), (-0.3, 6.0)), ((1.0, 5.2), (4.0, 5.4))] {
        yard.obstacle(Shape::Wall { from: map(at(from.0, from.1)), to: map(at(to.0, to.1)) });
    }
    let pushes = yard.intents(group).0.iter().map(|intent| intent.push).collect();
    (pushes, yard)
}

/// Case 29.
#[test]
fn turning_moving_and_mirroring_a_crowd_changes_nothing_else() {
    for name in MODELS.into_iter().chain(["csm"]) {
        let (plain, _) = crowd(name, |p| p);
        assert!(plain.iter().filter(|push| push.length() > 0.1).count() > 30, "{name} does little");
        let compare = |other: &[DVec3], map: &dyn Fn(DVec3) -> DVec3, within: f64, what: &str| {
            for (slot, (push, other)) in plain.iter().zip(other).enumerate() {
                let off = (map(*push) - *other).length();
                assert!(off <= within * push.length().max(1.0), "{name}, {what}, agent {slot}: {off} off {push}");
            }
        };
        for degree in 0..360 {
            let (sine, cosine) = libm::sincos(f64::from(degree).to_radians());
            let turn = move |v: DVec3| at(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y);
            compare(&crowd(name, turn).0, &turn, 1e-9, &format!("turned by {degree}°"));
        }
        let shift = at(1e5, -1e5);
        compare(&crowd(name, |p| p + shift).0, &|v| v, 1e-6, "moved");
        if name != "moussaid_2009" {
            // That one prefers the right side.
            let mirror = |v: DVec3| at(v.x, -v.y);
            compare(&crowd(name, mirror).0, &mirror, 1e-9, "mirrored");
        }
    }
}

/// Case 30: what one pushes pushes back, pressed or not.
#[test]
fn pushes_add_up_to_nothing() {
    for name in ["social_force", "social_force_2000"] {
        let mut yard = Yard::plain();
        let term = Term::native(name, 1.0);
        let group = yard.group("a", free(0.25), Control::Acceleration, &[term]);
        for index in 0..60 {
            let (spot, way) = (scatter(31, index), scatter(32, index) - DVec3::splat(0.5));
            let id = yard.spawn(group, at(spot.x, spot.y) * 4.0, at(way.x, way.y) * 3.0);
            yard.world().agents.radius[id.slot as usize] = 0.2 + 0.15 * spot.z;
        }
        let pushes: Vec<DVec3> = yard.intents(group).0.iter().map(|intent| intent.push).collect();
        let size: f64 = pushes.iter().map(|push| push.length()).sum();
        let sum: DVec3 = pushes.iter().sum();
        assert!(size > 100.0 && sum.length() < 1e-9, "{name}: {sum} of {size}");
    }
}

/// R195.
#[test]
fn companions_end_at_the_distance_they_like() {
    let mut yard = Yard::plain();
    let terms = [
        Term::native("companions", 1.0).with("size", 2.0).with("distance", 0.9),
        Term::native("driving", 1.0).with("way", vector(DVec3::X)),
    ];
    let group = yard.group("a", free(0.2), Control::Acceleration, &terms);
    for (x, y) in [(0.0, 0.0), (0.0, 4.0), (0.0, 8.0), (0.0, 8.3)] {
        yard.spawn(group, at(x, y), DVec3::ZERO);
    }
    yard.run(1200);
    for pair in [(0, 1), (2, 3)] {
        let positions = &yard.world.agents.position;
        let apart = positions[pair.0].distance(positions[pair.1]);
        assert!((apart - 0.9).abs() < 0.01, "{apart}");
    }
    assert!(yard.world.agents.position[1].distance(yard.world.agents.position[2]) > 2.0, "they are no companions");
}

/// R175.
#[test]
fn a_place_attracts_the_more_the_nearer_and_lets_rest() {
    let mut yard = Yard::plain();
    let place = Term::native("attraction", 1.0).with("target", vector(at(5.0, 0.0))).with("strength", 2.0);
    let terms = [place, Term::native("driving", 1.0).with("speed", 0.1)];
    let group = yard.group("a", free(0.2), Control::Acceleration, &terms);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    close(yard.push(id), at(2.0 * (1.0 / 5.0 - 1.0 / 6.0), 0.0), 1e-12);
    yard.world().agents.position[0] = at(-1.001, 0.0);
    close(yard.push(id), DVec3::ZERO, 0.0);
    yard.world().agents.position[0] = at(2.5, 0.0);
    yard.run(1800);
    close(yard.position(id), at(5.0, 0.0), 1e-3);
}

/// group-social-force#3.
#[test]
fn who_runs_at_a_wall_stops_or_slides_and_never_tunnels() {
    for name in MODELS {
        for speed in [1.34, 5.0, 8.0] {
            let mut yard = Yard::plain();
            let driving = Term::native("driving", 1.0).with("speed", speed).with("way", vector(at(1.0, 0.2)));
            let group = yard.group("a", free(0.25), Control::Acceleration, &[driving, Term::native(name, 1.0)]);
            yard.obstacle(wall((3.0, -50.0), (3.0, 200.0)));
            let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
            for _ in 0..600 {
                yard.step();
                assert!(yard.position(id).x < 3.0 - 0.249, "{name} at {speed} m/s: {}", yard.position(id));
                assert!(yard.velocity(id).length() < 1.5 * speed, "{name}: {}", yard.velocity(id));
            }
            assert!(yard.velocity(id).y > 0.05 * speed, "{name} at {speed} m/s slides: {}", yard.velocity(id));
        }
    }
}

/// A wall that an agent was put into pushes it out by the nearest face, with a number.
#[test]
fn who_was_put_deep_into_a_solid_gets_a_finite_push_outward() {
    for name in MODELS {
        let mut yard = Yard::plain();
        let group = yard.group("a", free(0.25), Control::Acceleration, &[Term::native(name, 1.0)]);
        yard.obstacle(Shape::Box { min: at(0.0, 0.0), max: at(300.0, 300.0) });
        let id = yard.spawn(group, at(100.0, 140.0), DVec3::ZERO);
        let (intents, faults) = yard.intents(GroupId(0));
        assert!(faults.is_empty() && intents[0].push.is_finite() && intents[0].push.x < 0.0, "{name} {id:?}");
    }
}
