//! How such programs fail, as people reported: faults that need several agents, forces and bodies at once.

use std::f64::consts::{PI, TAU};

use crate::yard::{Yard, at, close, scatter};
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{BodySpec, Control, Workers, WorldSettings, wrap_angle};
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::param::Value;
use swarmyard::steer::pid::{Gains, Pid};

fn body() -> BodySpec {
    BodySpec { radius: 0.25, max_speed: 2.0, max_acceleration: 10.0, ..BodySpec::default() }
}

/// F05: the D term spikes where a heading passes ±π.
#[test]
fn f05_damping_does_not_spike_where_the_heading_wraps() {
    let law = Gains { k: 2.0, td: 0.2, n: 10.0, ..Gains::default() }.law();
    let (h, rate) = (1.0 / 60.0, 0.7);
    let (mut pid, mut heading, mut steady) = (Pid::<f64>::default(), 2.5, None);
    for tick in 0..1200 {
        let next = wrap_angle(heading + rate * h);
        // The only way in which headings are subtracted.
        pid.step_by(&law, h, (0.0, 0.0), wrap_angle(next - heading), 0.0, |u| u);
        heading = next;
        // By then the filter has settled; two turns and more are left.
        if tick >= 300 {
            let first = *steady.get_or_insert(pid.derivative);
            assert!((pid.derivative - first).abs() < 1e-9, "{} at heading {heading}", pid.derivative);
        }
    }
    assert!((pid.derivative + 2.0 * 0.2 * rate).abs() < 1e-9, "{}", pid.derivative);
}

/// F05, in the drill controller: a soldier that turns with its place at a constant rate, through ±π, is asked for a constant rate.
#[test]
fn f05_a_place_that_turns_through_the_seam_asks_no_jump() {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Velocity, &[Term::native("track_slot", 1.0)]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    let rate = 0.5;
    for step in 0..1500 {
        let heading = wrap_angle(2.0 + rate * f64::from(step) / 60.0);
        let place = swarmyard::sim::Place {
            index: 0,
            position: DVec3::ZERO,
            velocity: DVec3::ZERO,
            heading,
            turn_rate: rate,
            way: swarmyard::sim::Way::default(),
        };
        yard.world().apply(swarmyard::sim::SimCommand::SetPlace(id, Some(place))).expect("legal");
        if step > 600 {
            let turn = yard.intents(group).0[0].turn.expect("it turns");
            assert!((turn - rate).abs() < 1e-6, "{turn} at heading {heading}");
        }
        yard.step();
    }
}

/// Runs a crowd whose members each have a goal; the tick after which all stand at theirs.
fn all_arrive(yard: &mut Yard, goals: &[DVec3], seconds: usize) -> Option<usize> {
    for (slot, goal) in goals.iter().enumerate() {
        yard.world().agents.goal[slot] = Some(*goal);
    }
    for tick in 0..seconds * 60 {
        yard.step();
        let there = |(place, goal): (&DVec3, &DVec3)| place.distance(*goal) < 0.1;
        if yard.world.agents.position.iter().zip(goals).all(there) {
            return Some(tick);
        }
    }
    None
}

/// F19: two who walk at each other along one line stop face to face for good.
#[test]
fn f19_two_exactly_head_on_pass_each_other() {
    for wall in [0.0, 0.2, 1.0] {
        let mut yard = Yard::plain();
        let terms = [
            Term::native("seek_goal", 1.0),
            Term::native("separation", 0.5),
            Term::native("obstacle", 1.0),
            Term::native("soft_wall", wall),
        ];
        let group = yard.group("a", body(), Control::Acceleration, &terms);
        yard.spawn(group, at(-6.0, 0.0), at(1.0, 0.0));
        yard.spawn(group, at(6.0, 0.0), at(-1.0, 0.0));
        let arrived = all_arrive(&mut yard, &[at(6.0, 0.0), at(-6.0, 0.0)], 60);
        assert!(arrived.is_some(), "soft wall {wall}: they stand at {:?}", yard.world.agents.position);
    }
}

/// F19, by places: two soldiers whose places are swapped along one line.
#[test]
fn f19_two_soldiers_whose_places_are_swapped_get_there() {
    let mut yard = Yard::plain();
    let group = yard.behavior("drill", body());
    let (a, b) = (yard.spawn(group, at(-2.0, 0.0), DVec3::ZERO), yard.spawn(group, at(2.0, 0.0), DVec3::ZERO));
    yard.place(a, 0, at(2.0, 0.0), 0.0);
    yard.place(b, 1, at(-2.0, 0.0), 0.0);
    yard.run(60 * 20);
    close(yard.position(a), at(2.0, 0.0), 0.05);
    close(yard.position(b), at(-2.0, 0.0), 0.05);
}

/// F19: eight on a circle who all want to the far side meet in the middle and jam.
#[test]
fn f19_eight_on_a_circle_get_to_the_far_side() {
    for wall in [0.0, 0.2, 1.0] {
        let mut yard = Yard::plain();
        let terms = [Term::native("seek_goal", 1.0), Term::native("separation", 0.5), Term::native("soft_wall", wall)];
        let group = yard.group("a", body(), Control::Acceleration, &terms);
        let mut goals = Vec::new();
        for index in 0..8 {
            let (sine, cosine) = (TAU * f64::from(index) / 8.0).sin_cos();
            yard.spawn(group, at(cosine, sine) * 6.0, DVec3::ZERO);
            goals.push(at(-cosine, -sine) * 6.0);
        }
        let arrived = all_arrive(&mut yard, &goals, 60);
        assert!(arrived.is_some(), "soft wall {wall}: they stand at {:?}", yard.world.agents.position);
    }
}

/// F28: same seed, different result, by the order of a map or of threads.
#[test]
fn f28_two_runs_and_two_numbers_of_threads_agree_every_hundred_steps() {
    let run = |threads: usize| {
        let mut yard = Yard::new(WorldSettings::default());
        yard.workers = Workers::new(threads);
        let terms = [
            Term::native("alignment", 0.9),
            Term::native("cohesion", 0.7).with("max_neighbors", 7.0),
            Term::native("separation", 1.6),
            Term::native("wander", 0.5),
            Term::native("obstacle", 1.0),
            Term::native("seek_goal", 0.3),
        ];
        let group = yard.group("a", body(), Control::Acceleration, &terms);
        yard.obstacle(Shape::Disc { at: at(6.0, 6.0), radius: 1.0 });
        yard.world().groups[0].goal = Some(at(20.0, 20.0));
        for index in 0..200 {
            let spot = scatter(21, index) * 14.0;
            yard.spawn(group, at(spot.x, spot.y), DVec3::ZERO);
        }
        let mut hashes = Vec::new();
        for _ in 0..5 {
            yard.run(100);
            hashes.push(yard.hash());
        }
        hashes
    };
    let first = run(1);
    assert_eq!(first, run(1), "the second run");
    assert_eq!(first, run(2), "two threads");
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
}

/// F31: an agent without a target yields to nobody, because avoidance rests with the wish.
#[test]
fn f31_who_wants_nothing_still_makes_way() {
    for name in ["seek_goal", "follow_route", "form", "flock"] {
        let mut yard = Yard::plain();
        let idlers = yard.behavior(name, body());
        let idle = yard.spawn(idlers, DVec3::ZERO, DVec3::ZERO);
        assert_eq!(yard.push(idle), DVec3::ZERO, "{name}: alone it rests");
        let other = yard.spawn(idlers, at(-0.4, 0.3), DVec3::ZERO);
        let push = yard.push(idle);
        assert!(push.dot(at(0.4, -0.3)) > 0.0, "{name}: {push} does not lead away from who stands close");
        yard.run(120);
        assert!(yard.position(idle).distance(yard.position(other)) > 0.6, "{name}");
    }
}

/// F31, from obstacles: a pillar that is put down beside an idle agent pushes it off.
#[test]
fn f31_who_wants_nothing_still_keeps_off_a_wall() {
    for force in ["obstacle", "soft_wall"] {
        let mut yard = Yard::plain();
        let group = yard.group("a", body(), Control::Acceleration, &[Term::native(force, 1.0)]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        yard.run(10);
        yard.obstacle(Shape::Disc { at: at(1.3, 0.2), radius: 1.0 });
        yard.run(60);
        assert!(yard.position(id).x < -0.1, "{force}: {}", yard.position(id));
    }
}

/// F31: an idle agent in the way of a walker is pushed aside by it and the walker gets through.
#[test]
fn f31_an_idle_agent_lets_a_walker_pass() {
    let mut yard = Yard::plain();
    let idlers = yard.group(
        "idle",
        body(),
        Control::Acceleration,
        &[Term::native("separation", 1.0).with("from", Bind::Constant(Value::Text("any".to_owned())))],
    );
    let walkers = yard.behavior("seek_goal", body());
    let idle = yard.spawn(idlers, at(0.0, 0.05), DVec3::ZERO);
    let walker = yard.spawn(walkers, at(-6.0, 0.0), at(1.0, 0.0));
    yard.world().agents.goal[walker.slot as usize] = Some(at(6.0, 0.0));
    yard.run(60 * 15);
    close(yard.position(walker), at(6.0, 0.0), 0.1);
    assert!(yard.position(idle).length() > 0.3, "it stayed in the way: {}", yard.position(idle));
}

/// F33: boids between a predator and an obstacle turn into a vortex that never ends.
#[test]
fn f33_boids_between_a_hawk_and_a_wall_do_not_become_a_vortex() {
    for side in [-1.0, 1.0] {
        let mut yard = Yard::plain();
        let hawk = Bind::Constant(Value::Text("hawks".to_owned()));
        let terms = [
            Term::native("alignment", 0.9),
            Term::native("cohesion", 0.7),
            Term::native("obstacle", 1.0),
            Term::native("separation", 1.6),
            Term::native("flee", 1.0).with("from", hawk).with("radius", 8.0),
        ];
        let group = yard.group("boids", body(), Control::Acceleration, &terms);
        let hawks = yard.group("hawks", body(), Control::Acceleration, &[]);
        let points = [at(-3.0, -4.0), at(3.0, -4.0), at(3.0, 4.0), at(-3.0, 4.0)].to_vec();
        yard.obstacle(Shape::Polyline { points });
        yard.spawn(hawks, at(-5.0, 0.0), DVec3::ZERO);
        // They are milling when the hawk comes.
        for index in 0..16 {
            let (sine, cosine) = (TAU * f64::from(index) / 16.0).sin_cos();
            let out = 1.0 + f64::from(index % 2);
            yard.spawn(group, at(cosine, sine) * out, at(-sine, cosine) * (side * 1.5));
        }
        let spin = |yard: &Yard| {
            let (places, velocities) = (&yard.world.agents.position[1..], &yard.world.agents.velocity[1..]);
            let middle = places.iter().sum::<DVec3>() / places.len() as f64;
            let mean = velocities.iter().sum::<DVec3>() / places.len() as f64;
            let turning = places.iter().zip(velocities);
            // As a share of what all at full speed round one center would have.
            turning.map(|(p, v)| (*p - middle).normalize_or_zero().cross(*v - mean).z).sum::<f64>() / (16.0 * 2.0)
        };
        assert!((spin(&yard) * side) > 0.5, "they begin with a mill: {}", spin(&yard));
        yard.run(600);
        let mut most = 0.0_f64;
        for _ in 0..120 {
            yard.step();
            most = most.max(spin(&yard).abs());
        }
        assert!(most < 0.2, "{most} of a full vortex is left");
        assert!(yard.all_finite());
    }
}

/// A heading and the same one turns later steer alike (F04), also where the seam is hit exactly.
#[test]
fn f04_a_place_asks_for_the_same_turn_however_its_heading_is_written() {
    let turn = |heading: f64, own: f64| {
        let mut yard = Yard::plain();
        let group = yard.group("a", body(), Control::Velocity, &[Term::native("track_slot", 1.0)]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        yard.world().agents.heading[0] = own;
        yard.place(id, 0, DVec3::ZERO, heading);
        yard.intents(group).0[0].turn.expect("it turns")
    };
    for (heading, own) in [(0.3, -0.4), (179_f64.to_radians(), -179_f64.to_radians()), (3.0, -3.0), (-2.0, 2.0)] {
        let plain = turn(heading, own);
        assert!((plain - 1.5 * wrap_angle(heading - own)).abs() < 1e-12);
        for k in [-3.0, -1.0, 1.0, 2.0, 7.0] {
            assert!((turn(heading + k * TAU, own) - plain).abs() < 1e-9, "{heading} {k}");
        }
    }
    assert!((turn(PI, 0.5) - turn(-PI, 0.5)).abs() < 1e-12);
}
