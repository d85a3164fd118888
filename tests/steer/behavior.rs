//! How such programs fail, as people reported, with native behaviors.

use crate::yard::{Yard, at, scatter};
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{AgentId, BodySpec, Control, SimCommand};
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::param::Value;

fn body() -> BodySpec {
    BodySpec { max_speed: 2.0, max_acceleration: 10.0, ..BodySpec::default() }
}

/// F01: NaN from normalizing a zero vector.
#[test]
fn f01_zero_vectors_make_no_nan_in_ten_thousand_steps() {
    let mut yard = Yard::plain();
    let all: Vec<Term> = swarmyard::steer::FORCES.iter().map(|force| Term::native(force.name, 1.0)).collect();
    let group = yard.group("all", body(), Control::Velocity, &all);
    for _ in 0..4 {
        yard.spawn(group, at(1.0, 2.0), DVec3::ZERO);
    }
    yard.spawn(group, at(500.0, 0.0), DVec3::ZERO);
    yard.obstacle(Shape::Disc { at: at(1.0, 2.0), radius: 0.5 });
    yard.world().groups[0].route = vec![at(1.0, 2.0), at(1.0, 2.0)];
    yard.world().groups[0].goal = Some(at(1.0, 2.0));
    yard.world().groups[0].leader = Some(group);
    yard.run(10_000);
    assert!(yard.all_finite());
}

/// F11: one force dominates because sums grow with the number of neighbors.
#[test]
fn f11_ten_times_the_neighbors_do_not_push_harder_than_the_strength() {
    for name in ["separation", "alignment", "cohesion"] {
        for count in [12, 120] {
            let mut yard = Yard::plain();
            let group = yard.group("a", body(), Control::Acceleration, &[Term::native(name, 1.0).with("radius", 5.0)]);
            let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
            for index in 0..count {
                let spot = scatter(8, index);
                yard.spawn(group, at(spot.x, spot.y) * 2.0 + at(0.2, 0.2), at(1.5, 0.0));
            }
            let push = yard.push(id).length();
            assert!(push > 0.5 && push <= 2.0 + 1e-12, "{name} {count} {push}");
        }
    }
}

/// F11: the sum of goals loses to flocking.
#[test]
fn f11_a_flock_with_a_goal_makes_progress_with_default_weights() {
    let mut yard = Yard::plain();
    let terms = [
        Term::native("separation", 1.6),
        Term::native("alignment", 0.9),
        Term::native("cohesion", 0.7),
        Term::native("seek_goal", 1.0),
    ];
    let group = yard.group("a", body(), Control::Acceleration, &terms);
    yard.world().groups[0].goal = Some(at(20.0, 0.0));
    for index in 0..50 {
        let spot = scatter(9, index) * 5.0;
        yard.spawn(group, at(spot.x, spot.y), DVec3::ZERO);
    }
    let mean = |yard: &Yard| yard.world.agents.position.iter().sum::<DVec3>() / 50.0;
    let start = mean(&yard);
    yard.run(600);
    assert!(mean(&yard).x > start.x + 8.0, "{}", mean(&yard));
}

/// F12: wiggle from alignment each step.
#[test]
fn f12_straight_flight_does_not_wiggle() {
    let mut yard = Yard::plain();
    let group = yard.behavior("flock", body());
    for index in 0..30 {
        let spot = scatter(10, index) * 5.0;
        yard.spawn(group, at(spot.x, spot.y), at(1.5, 0.0));
    }
    yard.run(600);
    let mut flips = 0;
    let mut last = vec![0.0_f64; 30];
    for _ in 0..600 {
        let before = yard.world.agents.heading.clone();
        yard.step();
        for slot in 0..30 {
            let change = swarmyard::sim::wrap_angle(yard.world.agents.heading[slot] - before[slot]);
            if change.abs() > 1e-6 {
                flips += usize::from(change * last[slot] < 0.0);
                last[slot] = change;
            }
        }
    }
    assert!(flips < 30 * 10, "{flips} changes of sign in 300 agent seconds");
}

fn arrive_at(x: f64) -> Term {
    Term::native("arrive", 1.0).with("target", Bind::Constant(Value::Vector(at(x, 0.0))))
}

/// F17: oscillation about the target.
#[test]
fn f17_arrival_crosses_the_target_at_most_once_and_comes_to_rest() {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Acceleration, &[arrive_at(10.0)]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    let (mut crossings, mut arrived, mut before) = (0, None, -10.0);
    for tick in 0..1200 {
        yard.step();
        let gap = yard.position(id).x - 10.0;
        crossings += usize::from(gap * before < 0.0 && gap.abs() > 1e-9);
        before = gap;
        if gap.abs() < 0.05 && arrived.is_none() {
            arrived = Some(tick);
        }
    }
    assert!(crossings <= 1, "{crossings}");
    assert!(arrived.is_some_and(|tick| tick < 1000), "{arrived:?}");
    assert!(yard.velocity(id).length() < 0.01);
}

/// F18: arrival radius smaller than the braking distance.
#[test]
fn f18_arrival_does_not_overshoot_whatever_the_body() {
    for index in 0..60 {
        let draw = scatter(11, index);
        let lagging = scatter(12, index);
        let body = BodySpec {
            max_speed: 0.5 + 15.0 * draw.x,
            max_acceleration: 0.5 + 12.0 * draw.y,
            relaxation: 0.1 + 0.9 * draw.z,
            lag: 0.3 * lagging.x,
            dead_time: 0.2 * lagging.y,
            ..BodySpec::default()
        };
        let mut yard = Yard::plain();
        let group = yard.group("a", body.clone(), Control::Acceleration, &[arrive_at(20.0)]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        let mut peak = 0.0_f64;
        for _ in 0..60 * 60 {
            yard.step();
            peak = peak.max(yard.position(id).x);
        }
        assert!(peak < 20.0 * 1.01, "{peak} {body:?}");
        assert!((yard.position(id).x - 20.0).abs() < 0.5, "{} {body:?}", yard.position(id).x);
    }
}

/// F24: stiff repulsion explodes.
#[test]
fn f24_an_overlapping_start_stays_within_its_caps_and_calms_down() {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("soft_wall", 1.0)]);
    for index in 0..20 {
        let spot = scatter(13, index) * 0.5;
        yard.spawn(group, at(spot.x, spot.y), DVec3::ZERO);
    }
    for _ in 0..600 {
        let before = yard.world.agents.velocity.clone();
        yard.step();
        for (slot, before) in before.iter().enumerate() {
            let change = yard.world.agents.velocity[slot] - *before;
            assert!(change.length() <= 10.0 / 60.0 + 1e-12);
        }
    }
    assert!(yard.all_finite());
    let energy = |yard: &Yard| yard.world.agents.velocity.iter().map(|v| v.length_squared()).sum::<f64>();
    let then = energy(&yard);
    yard.run(300);
    assert!(energy(&yard) <= then + 1e-9);
}

/// F25: total overlap has no direction.
#[test]
fn f25_coincident_agents_part_within_a_second_and_always_alike() {
    let run = || {
        let mut yard = Yard::plain();
        let group = yard.group("a", body(), Control::Velocity, &[Term::native("soft_wall", 0.2)]);
        let ids: Vec<AgentId> = (0..3).map(|_| yard.spawn(group, at(3.0, 3.0), DVec3::ZERO)).collect();
        yard.run(60);
        ids.iter().map(|id| yard.position(*id)).collect::<Vec<_>>()
    };
    let first = run();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!(first[a].distance(first[b]) > 0.3, "{first:?}");
    }
    assert_eq!(first, run());
}

/// F26: the choice of the nearest obstacle jumps.
#[test]
fn f26_between_two_equal_obstacles_nothing_jitters() {
    let mut yard = Yard::plain();
    let group = yard.behavior("seek_goal", body());
    yard.world().groups[0].goal = Some(at(10.0, 0.0));
    for y in [-1.2, 1.2] {
        yard.obstacle(Shape::Disc { at: at(4.0, y), radius: 0.6 });
    }
    let id = yard.spawn(group, at(0.0, 0.01), DVec3::ZERO);
    let (mut flips, mut last, ticks) = (0, 0.0_f64, 600);
    for _ in 0..ticks {
        yard.step();
        let side = yard.velocity(id).y;
        if side.abs() > 1e-3 {
            flips += usize::from(side * last < 0.0);
            last = side;
        }
    }
    assert!(yard.position(id).distance(at(10.0, 0.0)) < 0.1, "{}", yard.position(id));
    assert!(flips <= 2 * ticks / 60, "{flips}");
}

/// E28: the classic potential hits the obstacle at 3.4 m/s; ours brakes and goes round.
#[test]
fn a_fast_drone_goes_round_a_pillar_in_its_way_without_touching() {
    for offset in [0.0, 0.3, -1.0] {
        let mut yard = Yard::plain();
        let drone = BodySpec { max_speed: 5.0, max_acceleration: 5.0, radius: 0.3, ..BodySpec::default() };
        let terms = [Term::native("obstacle", 1.0).with("range", 8.0), Term::native("seek_slot", 2.0)];
        let group = yard.group("a", drone, Control::Acceleration, &terms);
        yard.obstacle(Shape::Disc { at: at(20.0, 0.0), radius: 2.0 });
        let id = yard.spawn(group, at(0.0, offset), at(5.0, 0.0));
        yard.place(id, 0, at(40.0, 0.0), 0.0);
        let mut least = f64::INFINITY;
        for _ in 0..60 * 40 {
            yard.step();
            least = least.min(yard.world.clearance(id.slot as usize));
        }
        assert!(least > 0.3 + 1e-6, "{offset}: {least}");
        assert!(yard.position(id).distance(at(40.0, 0.0)) < 0.2, "{offset}: {}", yard.position(id));
    }
}

/// The soldier's wall alone leads round a pillar that was dropped into the way.
#[test]
fn a_soldier_flows_round_a_pillar_exactly_in_the_way() {
    let mut yard = Yard::plain();
    let soldier = BodySpec { max_speed: 2.4, max_acceleration: 6.0, lag: 0.2, dead_time: 0.12, ..BodySpec::default() };
    let group = yard.behavior("drill", soldier);
    yard.obstacle(Shape::Disc { at: at(3.0, 0.0), radius: 0.5 });
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.place(id, 0, at(6.0, 0.0), 0.0);
    yard.run(600);
    assert!(yard.position(id).distance(at(6.0, 0.0)) < 0.02, "{}", yard.position(id));
}

#[test]
fn flee_outruns_and_follows_nobody_after_the_threat_is_gone() {
    let mut yard = Yard::plain();
    let from = Bind::Constant(Value::Text("hawks".to_owned()));
    let own = yard.group("own", body(), Control::Acceleration, &[Term::native("flee", 4.0).with("from", from)]);
    let hawks = yard.group("hawks", body(), Control::Acceleration, &[]);
    let id = yard.spawn(own, DVec3::ZERO, DVec3::ZERO);
    let hawk = yard.spawn(hawks, at(1.0, 0.0), DVec3::ZERO);
    yard.run(60);
    assert!(yard.position(id).x < -0.5);
    yard.world().apply(SimCommand::Remove(hawk)).expect("it lives");
    assert_eq!(yard.push(id), DVec3::ZERO);
}

/// F22: a U in the way and a gap between two pillars hold nobody for good.
#[test]
fn f22_a_u_trap_and_a_pair_of_pillars_let_everybody_through() {
    use swarmyard::sim::obstacle::Shape;
    let body = BodySpec { radius: 0.25, max_speed: 1.5, max_acceleration: 5.0, ..BodySpec::default() };
    for start in [at(-10.0, 0.0), at(-8.0, 0.5), at(-9.0, -1.0), at(-10.0, 7.0)] {
        let mut yard = Yard::plain();
        let points = [at(-1.0, 3.0), at(2.0, 3.0), at(2.0, -3.0), at(-1.0, -3.0)].to_vec();
        yard.obstacle(Shape::Polyline { points });
        yard.obstacle(Shape::Disc { at: at(2.0, 8.2), radius: 1.0 });
        yard.obstacle(Shape::Disc { at: at(2.0, 5.8), radius: 1.0 });
        let group = yard.behavior("seek_goal", body.clone());
        yard.world().groups[0].goal = Some(at(12.0, 0.0));
        let id = yard.spawn(group, start, DVec3::ZERO);
        for _ in 0..60 * 60 {
            yard.step();
        }
        assert!(yard.position(id).distance(at(12.0, 0.0)) < 0.1, "from {start}: {}", yard.position(id));
    }
}
