//! Each force at points computed by hand.

use crate::yard::{Yard, at, close};
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{AgentId, Area, BodySpec, Control, Edge, Group, GroupId, SimCommand, Space, Way, WorldSettings};
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::law;
use swarmyard::steer::param::Value;

fn body() -> BodySpec {
    BodySpec { max_speed: 2.0, max_acceleration: 10.0, relaxation: 0.5, ..BodySpec::default() }
}

fn one(term: Term) -> (Yard, AgentId) {
    let mut yard = Yard::plain();
    let group = yard.group("a", body(), Control::Acceleration, &[term]);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    (yard, id)
}

fn vector(v: DVec3) -> Bind {
    Bind::Constant(Value::Vector(v))
}

fn text(name: &str) -> Bind {
    Bind::Constant(Value::Text(name.to_owned()))
}

#[test]
fn separation_is_linear_in_closeness_and_saturates() {
    let (mut yard, id) = one(Term::native("separation", 1.0).with("radius", 2.0));
    yard.spawn(GroupId(0), at(1.8, 0.0), DVec3::ZERO);
    // Closeness 1 − 1.8/2 = 0.1, over soft 0.5, times strength 2.
    close(yard.push(id), at(-0.4, 0.0), 1e-12);
    yard.spawn(GroupId(0), at(0.2, 0.0), DVec3::ZERO);
    // 0.1 + 0.9 is beyond soft: full strength.
    close(yard.push(id), at(-2.0, 0.0), 1e-12);
}

#[test]
fn alignment_takes_the_mean_velocity_relative_to_its_own() {
    let (mut yard, id) = one(Term::native("alignment", 0.9).with("radius", 5.0));
    yard.spawn(GroupId(0), at(1.0, 0.0), at(0.6, 0.0));
    yard.spawn(GroupId(0), at(0.0, 2.0), at(0.0, 0.8));
    // Mean (0.3, 0.4) is 0.5 long, below soft 1: strength 2 × weight 0.9.
    close(yard.push(id), at(0.54, 0.72), 1e-12);
}

#[test]
fn cohesion_pulls_to_the_mean_offset() {
    let (mut yard, id) = one(Term::native("cohesion", 1.0).with("radius", 5.0).with("soft", 4.0));
    yard.spawn(GroupId(0), at(2.0, 0.0), DVec3::ZERO);
    yard.spawn(GroupId(0), at(0.0, 4.0), DVec3::ZERO);
    // Mean offset (1, 2) over 4, times strength 2.
    close(yard.push(id), at(0.5, 1.0), 1e-12);
}

#[test]
fn soft_of_zero_is_bang_bang() {
    let (mut yard, id) = one(Term::native("cohesion", 1.0).with("radius", 5.0).with("soft", 0.0));
    yard.spawn(GroupId(0), at(1e-3, 0.0), DVec3::ZERO);
    close(yard.push(id), at(2.0, 0.0), 1e-9);
}

#[test]
fn a_view_cone_hides_who_is_behind() {
    let (mut yard, id) = one(Term::native("cohesion", 1.0).with("radius", 5.0).with("half_angle", 1.0));
    yard.spawn(GroupId(0), at(-2.0, 0.0), DVec3::ZERO);
    close(yard.push(id), DVec3::ZERO, 0.0);
    yard.spawn(GroupId(0), at(2.0, 0.5), DVec3::ZERO);
    assert!(yard.push(id).x > 0.0);
}

#[test]
fn only_the_nearest_few_count_where_max_neighbors_says_so() {
    let (mut yard, id) = one(Term::native("cohesion", 1.0).with("radius", 9.0).with("max_neighbors", 1.0));
    yard.spawn(GroupId(0), at(-3.0, 0.0), DVec3::ZERO);
    yard.spawn(GroupId(0), at(2.0, 0.0), DVec3::ZERO);
    yard.spawn(GroupId(0), at(0.0, 4.0), DVec3::ZERO);
    close(yard.push(id), at(2.0, 0.0), 1e-12);
}

#[test]
fn other_groups_count_only_where_named() {
    let mut yard = Yard::plain();
    let own = yard.group("own", body(), Control::Acceleration, &[Term::native("cohesion", 1.0).with("radius", 9.0)]);
    let other = yard.group("other", body(), Control::Acceleration, &[]);
    let id = yard.spawn(own, DVec3::ZERO, DVec3::ZERO);
    yard.spawn(other, at(2.0, 0.0), DVec3::ZERO);
    close(yard.push(id), DVec3::ZERO, 0.0);
    for name in ["other", "any"] {
        let from = Value::Text(name.to_owned());
        yard.minds[0].set("cohesion.from", from, swarmyard::steer::Origin::User).expect("a group");
        close(yard.push(id), at(2.0, 0.0), 1e-12);
    }
}

#[test]
fn seek_asks_full_speed_and_arrive_slows_down() {
    let (mut yard, id) = one(Term::native("seek", 1.0).with("target", vector(at(3.0, 4.0))));
    // (vmax·unit − v)/τ = 2·(0.6, 0.8)/0.5.
    close(yard.push(id), at(2.4, 3.2), 1e-12);
    let (mut yard, id) = one(Term::native("arrive", 1.0).with("target", vector(at(0.1, 0.0))));
    // Linear part: gain 1/(4·0.5 s) = 0.5/s, so 0.05 m/s, over τ 0.5 s.
    close(yard.push(id), at(0.1, 0.0), 1e-12);
}

#[test]
fn arrival_speed_is_the_square_root_law_with_equal_slope_at_the_joint() {
    // Braking 7, response 0.5: gain 0.5, joint at 28 m.
    let speed = |d: f64| law::arrive(DVec3::X * d, DVec3::ZERO, 1e3, 7.0, 0.5).x;
    assert!((speed(28.0) - 14.0).abs() < 1e-12);
    assert!((speed(100.0) - (2.0_f64 * 7.0 * 86.0).sqrt()).abs() < 1e-12);
    let (before, after) = (speed(28.0) - speed(27.999), speed(28.001) - speed(28.0));
    assert!((before - after).abs() < 1e-6);
    close(law::arrive(DVec3::ZERO, DVec3::Y, 1.0, 7.0, 0.5), DVec3::Y, 0.0);
}

#[test]
fn seek_goal_and_seek_slot_do_nothing_without_a_goal_or_a_place() {
    for name in
        ["seek_goal", "seek_slot", "follow_route", "follow_leader", "bounds", "obstacle", "flee", "pursue", "evade"]
    {
        let (mut yard, id) = one(Term::native(name, 1.0));
        yard.world().agents.velocity[0] = at(1.0, 0.0);
        yard.spawn(GroupId(0), at(1.0, 0.0), DVec3::ZERO);
        assert_eq!(yard.push(id), DVec3::ZERO, "{name}");
    }
}

#[test]
fn seek_slot_moves_along_with_its_place() {
    let (mut yard, id) = one(Term::native("seek_slot", 1.0));
    let place = swarmyard::sim::Place {
        index: 0,
        position: DVec3::ZERO,
        velocity: at(0.5, 0.0),
        heading: 0.0,
        turn_rate: 0.0,
        way: Way::default(),
    };
    yard.world().apply(SimCommand::SetPlace(id, Some(place))).expect("legal");
    close(yard.push(id), at(1.0, 0.0), 1e-12);
}

#[test]
fn flee_is_zero_at_the_radius_and_grows_inwards() {
    let mut yard = Yard::plain();
    let terms = [Term::native("flee", 1.0).with("from", text("hawks")).with("radius", 4.0)];
    let own = yard.group("own", body(), Control::Acceleration, &terms);
    let hawks = yard.group("hawks", body(), Control::Acceleration, &[]);
    let id = yard.spawn(own, DVec3::ZERO, DVec3::ZERO);
    let hawk = yard.spawn(hawks, at(3.9999, 0.0), DVec3::ZERO);
    assert!(yard.push(id).length() < 1e-5);
    yard.world().apply(SimCommand::Put(hawk, at(2.0, 0.0))).expect("legal");
    // Half way: ramp full, boost 1 + 0.5, (2 m/s)/(0.5 s).
    close(yard.push(id), at(-6.0, 0.0), 1e-12);
    yard.world().apply(SimCommand::Put(hawk, at(1.0, 0.0))).expect("legal");
    close(yard.push(id), at(-7.0, 0.0), 1e-12);
}

#[test]
fn pursue_leads_its_target_and_evade_turns_from_it() {
    let mut yard = Yard::plain();
    let terms =
        [Term::native("pursue", 1.0).with("from", text("prey")), Term::native("evade", 0.0).with("from", text("prey"))];
    let own = yard.group("own", body(), Control::Acceleration, &terms);
    let prey = yard.group("prey", body(), Control::Acceleration, &[]);
    let id = yard.spawn(own, DVec3::ZERO, at(2.0, 0.0));
    yard.spawn(prey, at(1.0, 0.0), at(0.0, 2.0));
    // Met after 1 m / 2 m/s = 0.5 s at (1, 1).
    let way = at(1.0, 1.0).normalize_or_zero() * 2.0;
    close(yard.push(id), (way - at(2.0, 0.0)) / 0.5, 1e-12);
    yard.minds[0].set("pursue.weight", 0.0.into(), swarmyard::steer::Origin::User).expect("a weight");
    yard.minds[0].set("evade.weight", 1.0.into(), swarmyard::steer::Origin::User).expect("a weight");
    close(yard.push(id), (-way - at(2.0, 0.0)) / 0.5, 1e-12);
}

#[test]
fn follow_leader_goes_behind_and_keeps_the_last_heading_of_a_resting_leader() {
    let mut yard = Yard::plain();
    let leaders = yard.group("leaders", body(), Control::Acceleration, &[]);
    let terms = [Term::native("follow_leader", 1.0).with("behind", 2.0)];
    let own = yard.group("own", body(), Control::Acceleration, &terms);
    yard.world().groups[own.index()].leader = Some(leaders);
    let leader = yard.spawn(leaders, at(5.0, 0.0), at(0.0, 1.0));
    let id = yard.spawn(own, at(5.0, -2.0), at(0.0, 1.0));
    // It is where it should be, at the leader's velocity.
    close(yard.push(id), DVec3::ZERO, 1e-12);
    let slot = leader.slot as usize;
    yard.world().agents.velocity[slot] = DVec3::ZERO;
    yard.world().agents.heading[slot] = 2.0;
    yard.world().agents.velocity[id.slot as usize] = DVec3::ZERO;
    close(yard.push(id), DVec3::ZERO, 1e-12);
}

#[test]
fn follow_route_visits_all_points_in_turn() {
    let mut yard = Yard::plain();
    let terms = [Term::native("follow_route", 1.0).with("closed", Bind::Constant(Value::Bool(false)))];
    let own = yard.group("own", body(), Control::Acceleration, &terms);
    yard.world().groups[0].route = vec![at(3.0, 0.0), at(3.0, 3.0), at(0.0, 3.0)];
    let id = yard.spawn(own, DVec3::ZERO, DVec3::ZERO);
    let mut nearest = [f64::INFINITY; 3];
    for _ in 0..900 {
        yard.step();
        for (best, point) in nearest.iter_mut().zip(&yard.world.groups[0].route) {
            *best = best.min(yard.position(id).distance(*point));
        }
    }
    assert!(nearest.iter().all(|best| *best < 0.8), "{nearest:?}");
    assert!(yard.position(id).distance(at(0.0, 3.0)) < 0.02 && yard.velocity(id).length() < 0.02);
}

#[test]
fn soft_wall_is_khatibs_law_with_a_cap() {
    assert_eq!(law::soft_wall(0.4, 0.4, 1.0, 10.0), 0.0);
    assert!((law::soft_wall(0.4, 0.6, 1.0, 10.0) - (1.0 / 0.4 - 1.0 / 0.6) / 0.16).abs() < 1e-12);
    assert_eq!(law::soft_wall(0.0, 0.6, 1.0, 10.0), 10.0);
    let (mut yard, id) = one(Term::native("soft_wall", 1.0));
    yard.spawn(GroupId(0), at(0.0, 0.4), DVec3::ZERO);
    close(yard.push(id), at(0.0, -(1.0 / 0.4 - 1.0 / 0.6) / 0.16), 1e-12);
    let (mut yard, id) = one(Term::native("soft_wall", 1.0));
    yard.obstacle(Shape::Disc { at: at(1.5, 0.0), radius: 1.0 });
    // Reach 0.6 + body 0.2; the surface is 0.5 m from the center.
    close(yard.push(id), at(-(1.0 / 0.5 - 1.0 / 0.8) / 0.25, 0.0), 1e-12);
}

#[test]
fn bounds_push_inwards_with_a_quadratic_ramp() {
    let area = Some(Area { min: at(-5.0, -5.0), max: at(5.0, 5.0) });
    let mut yard = Yard::new(WorldSettings { space: Space { area, edge: Edge::Clamp }, ..WorldSettings::default() });
    let group = yard.group("a", body(), Control::Acceleration, &[Term::native("bounds", 1.0)]);
    let id = yard.spawn(group, at(-4.0, 5.0), DVec3::ZERO);
    close(yard.push(id), at(5.0 * 0.25, -5.0), 1e-12);
}

#[test]
fn obstacle_pushes_along_the_normal_and_brakes_before_it() {
    let (mut yard, id) = one(Term::native("obstacle", 1.0).with("tangent", 0.0));
    yard.obstacle(Shape::Disc { at: at(2.2, 0.0), radius: 1.0 });
    // Gap 1.2 − 0.2 = 1 of range 2: strength 4 · 0.25.
    close(yard.push(id), at(-1.0, 0.0), 1e-12);
    yard.world().agents.velocity[0] = at(4.0, 0.0);
    // v²/(2·0.9) = 8.9 m/s² of 10 available: it brakes at full.
    let expected = 1.0 + 16.0 / 1.8;
    close(yard.push(id), at(-expected, 0.0), 1e-9);
    yard.world().agents.velocity[0] = at(-4.0, 0.0);
    close(yard.push(id), at(-1.0, 0.0), 1e-12);
}

#[test]
fn wander_goes_at_speed_and_the_way_changes_smoothly() {
    let (mut yard, id) = one(Term::native("wander", 1.0));
    yard.run(120);
    let mut before = yard.velocity(id);
    assert!(before.length() > 1.0);
    let mut turned = 0.0_f64;
    for _ in 0..600 {
        yard.step();
        let now = yard.velocity(id);
        let turn = swarmyard::sim::wrap_angle(now.y.atan2(now.x) - before.y.atan2(before.x));
        assert!(turn.abs() < 0.2, "{turn}");
        turned += turn.abs();
        before = now;
    }
    assert!(turned > 1.0);
}

#[test]
fn track_slot_is_the_formula_of_its_lua_twin() {
    let mut yard = Yard::plain();
    let terms = [Term::native("track_slot", 1.0).with("k1", 2.0).with("kd", 0.5).with("k2", 1.5).with("k3", 0.5)];
    let group = yard.group("a", body(), Control::Velocity, &terms);
    let id = yard.spawn(group, at(1.0, 1.0), at(0.2, 0.0));
    let place = swarmyard::sim::Place {
        index: 3,
        position: at(2.0, 1.0),
        velocity: at(0.0, 0.3),
        heading: 3.0,
        turn_rate: 0.1,
        way: Way::default(),
    };
    yard.world().apply(SimCommand::SetPlace(id, Some(place))).expect("legal");
    yard.world().agents.heading[0] = -3.0;
    let mut integral = DVec3::ZERO;
    for _ in 0..3 {
        let intent = yard.intents(group).0[0];
        integral += at(1.0, 0.0) / 60.0;
        let expected = at(0.0, 0.3) + at(1.0, 0.0) * 2.0 + (at(0.0, 0.3) - at(0.2, 0.0)) * 0.5 + integral * 0.5;
        close(intent.push, expected, 1e-12);
        let turn = intent.turn.expect("track_slot turns");
        assert!((turn - (0.1 + 1.5 * (6.0 - std::f64::consts::TAU))).abs() < 1e-12);
        assert_eq!(intent.control, Control::Velocity);
    }
    // A place of another number starts the integral anew.
    yard.world().apply(SimCommand::SetPlace(id, Some(swarmyard::sim::Place { index: 4, ..place }))).expect("legal");
    let expected = at(0.0, 0.3) + at(1.0, 0.0) * 2.0 + (at(0.0, 0.3) - at(0.2, 0.0)) * 0.5 + at(0.5, 0.0) / 60.0;
    close(yard.intents(group).0[0].push, expected, 1e-12);
}

#[test]
fn the_integral_of_track_slot_is_limited_by_length_on_both_axes_together() {
    let mut yard = Yard::plain();
    let terms = [Term::native("track_slot", 1.0).with("k1", 0.0).with("kd", 0.0).with("k3", 1.0).with("windup", 0.5)];
    let group = yard.group("a", body(), Control::Velocity, &terms);
    let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
    yard.place(id, 0, at(30.0, 40.0), 0.0);
    for _ in 0..100 {
        yard.intents(group);
    }
    close(yard.push(id), at(0.3, 0.4), 1e-12);
}

#[test]
fn the_registry_is_complete_and_its_entries_work() {
    let names: Vec<&str> = swarmyard::steer::FORCES.iter().map(|force| force.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    assert_eq!(names, sorted);
    for force in swarmyard::steer::FORCES {
        assert!(!force.about.is_empty() && !force.source.is_empty(), "{}", force.name);
        for spec in force.specs() {
            assert_eq!(spec.refusal(&spec.default), None, "{}.{}", force.name, spec.name);
            assert!(!spec.about.is_empty(), "{}.{}", force.name, spec.name);
        }
        // Alone in an empty world, at rest: finite, whatever it is.
        let mut yard = Yard::plain();
        let group = yard.group("a", body(), Control::Velocity, &[Term::native(force.name, 1.0)]);
        let id = yard.spawn(group, DVec3::ZERO, DVec3::ZERO);
        assert!(yard.push(id).is_finite(), "{}", force.name);
        let mut empty = Yard::plain();
        empty.group("a", body(), Control::Velocity, &[Term::native(force.name, 1.0)]);
        empty.run(2);
        let _group: &Group = &empty.world.groups[0];
    }
}

#[test]
fn food_is_the_nearest_morsel_and_one_comes_to_rest_there() {
    let mut yard = Yard::plain();
    let terms = [Term::native("food", 1.0).with("from", text("crumbs")).with("radius", 10.0)];
    let fish = yard.group("fish", body(), Control::Acceleration, &terms);
    let crumbs = yard.group("crumbs", body(), Control::Acceleration, &[]);
    let id = yard.spawn(fish, DVec3::ZERO, DVec3::ZERO);
    yard.spawn(crumbs, at(-4.0, 0.0), DVec3::ZERO);
    yard.spawn(crumbs, at(3.0, 0.0), DVec3::ZERO);
    assert!(yard.push(id).x > 0.0, "the nearer one lies to the right");
    yard.run(600);
    assert!(yard.position(id).distance(at(3.0, 0.0)) < 0.02, "{}", yard.position(id));
    yard.spawn(crumbs, at(100.0, 0.0), DVec3::ZERO);
    assert!(yard.push(id).length() < 0.1, "what is out of reach does not count");
}

#[test]
fn a_current_is_its_strength_on_the_mean_and_depends_on_seed_place_and_time_only() {
    let push = |seed: u64, x: f64, ticks: usize, strength: f64| {
        let mut yard = Yard::new(WorldSettings { seed, ..WorldSettings::default() });
        let term = Term::native("current", 1.0).with("strength", strength).with("drift_x", 0.5);
        let body = BodySpec { max_speed: 0.0, ..body() };
        let group = yard.group("a", body, Control::Acceleration, &[term]);
        let id = yard.spawn(group, at(x, 2.0), DVec3::ZERO);
        yard.run(ticks);
        yard.push(id)
    };
    assert_eq!(push(1, 3.0, 0, 2.0), push(1, 3.0, 0, 2.0));
    assert_ne!(push(1, 3.0, 0, 2.0), push(2, 3.0, 0, 2.0));
    assert_ne!(push(1, 3.0, 0, 2.0), push(1, 3.5, 0, 2.0));
    assert_ne!(push(1, 3.0, 0, 2.0), push(1, 3.0, 120, 2.0));
    close(push(1, 3.0, 0, 0.0), at(0.5, 0.0), 1e-12);
    // At one time and along one line the mean is only near: the lattice is not blended with the next one at time 0.
    let mean = (0..400).map(|k| (push(3, f64::from(k) * 1.7, 0, 2.0) - at(0.5, 0.0)).length()).sum::<f64>() / 400.0;
    assert!((1.4..2.9).contains(&mean), "{mean}");
}
