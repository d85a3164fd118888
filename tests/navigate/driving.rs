//! What drives people follows the mesh: a crowd needs no other behavior to find its way.

use glam::DVec2;
use swarmyard::navigate::{Settings, Zone};
use swarmyard::sim::{Avoid, Control, Orca, PathState};
use swarmyard::steer::blend::{Bind, Term};
use swarmyard::steer::param::Value;

use super::helpers::{block, flat, square};
use super::street::{Street, person, shy};

const ALL: [&str; 7] = ["crowd", "crowd_1995", "crowd_2000", "crowd_2009", "crowd_csm", "seek_goal", "follow_path"];

#[test]
fn every_crowd_goes_round_a_box_on_the_mesh() {
    for name in ALL {
        let mut street = Street::new(Some(square(8.0)), &[block(-1.0, -4.0, 2.0, 8.0)], 3);
        let people = street.people(name, person());
        let ids: Vec<_> = (0..6)
            .map(|index| {
                street.add(people, (-6.0, 0.7 * f64::from(index) - 1.8), Some((6.0, 1.8 - 0.7 * f64::from(index))))
            })
            .collect();
        street.run(25.0, |world| {
            for p in &world.agents.position {
                assert!(p.x.abs() > 1.0 || p.y.abs() > 4.0, "{name}: in the box at {p}");
            }
        });
        for id in &ids {
            assert_eq!(street.state(*id), PathState::Reached, "{name} at {}", street.at(*id));
        }
        // Who arrived makes room for the others, and comes to rest.
        street.run(6.0, |_| {});
        for id in ids {
            assert!(street.at(id).x > 4.0 && street.velocity(id).length() < 0.05, "{name}: {}", street.velocity(id));
        }
    }
}

#[test]
fn who_is_told_a_way_does_not_ask_the_mesh() {
    let mut street = Street::new(Some(square(8.0)), &[], 1);
    let way = Bind::Constant(Value::Vector(flat(0.0, 1.0)));
    let people = street.group(person(), Control::Acceleration, &[Term::native("driving", 1.0).with("way", way)]);
    let id = street.add(people, (0.0, 0.0), Some((6.0, 0.0)));
    street.run(3.0, |_| {});
    assert!(street.at(id).y > 2.0 && street.at(id).x.abs() < 1e-9, "{}", street.at(id));
}

#[test]
fn on_slow_ground_they_are_slower() {
    let zone = Zone {
        name: "stairs".to_owned(),
        points: vec![DVec2::new(-2.0, -8.0), DVec2::new(2.0, -8.0), DVec2::new(2.0, 8.0), DVec2::new(-2.0, 8.0)],
        cost: 1.0,
        speed: 0.5,
    };
    for name in ["crowd", "crowd_csm", "seek_goal"] {
        let mut street = Street::new(Some(Settings { zones: vec![zone.clone()], ..square(8.0) }), &[], 1);
        let people = street.people(name, person());
        let id = street.add(people, (-6.0, 0.0), Some((6.0, 0.0)));
        let (mut plain, mut slow) = (0.0_f64, f64::INFINITY);
        for _ in 0..900 {
            street.step();
            let (x, speed) = (street.at(id).x, street.velocity(id).length());
            if (-3.5..-2.5).contains(&x) {
                plain = plain.max(speed);
            }
            if (-0.5..0.5).contains(&x) {
                slow = slow.min(speed);
            }
        }
        assert!((slow / plain - 0.5).abs() < 0.05, "{name}: {slow} m/s on stairs, {plain} m/s before");
    }
}

#[test]
fn without_a_way_they_stand() {
    let room = [block(3.0, -3.0, 0.2, 6.0), block(3.0, 2.8, 5.0, 0.2), block(3.0, -3.0, 5.0, 0.2)];
    for name in ALL {
        let mut street = Street::new(Some(square(8.0)), &room, 1);
        let people = street.people(name, person());
        let id = street.add(people, (-4.0, 0.0), Some((5.5, 0.0)));
        street.run(4.0, |_| {});
        assert_eq!(street.state(id), PathState::NoPath, "{name}");
        assert!(street.at(id).distance(flat(-4.0, 0.0)) < 0.1, "{name}: {}", street.at(id));
    }
}

#[test]
fn avoidance_never_changes_the_path() {
    let path = |avoid: Option<Avoid>| {
        let body = avoid.map_or_else(person, shy);
        let mut street = Street::new(Some(square(8.0)), &[block(-1.0, -4.0, 2.0, 8.0)], 1);
        let people = street.people("crowd", body);
        let id = street.add(people, (-6.0, 0.3), Some((6.0, 0.0)));
        street.add(people, (-3.0, 3.5), None);
        street.run(1.5, |_| {});
        street.world.agents.course[id.slot as usize].path.clone()
    };
    assert!(path(None).is_some());
    assert_eq!(path(None), path(Some(Avoid::Orca(Orca::default()))));
}
