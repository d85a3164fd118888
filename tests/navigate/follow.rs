//! Following: events in order and once, arrival, being swept away, doors, moving obstacles, and faults of other programs by name.

use glam::dvec2;
use swarmyard::navigate::{Floor, Link, Settings, Zone};
use swarmyard::sim::body::BodyField;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::{GroupId, SimCommand, Value};

use crate::helpers::{Walkers, barrier, block, flat, square};

fn wall(x1: f64, y1: f64, x2: f64, y2: f64) -> Shape {
    Shape::Wall { from: flat(x1, y1), to: flat(x2, y2) }
}

#[test]
fn events_come_in_order_and_once_per_path() {
    let mut walkers = Walkers::new(square(8.0), &barrier(3.0));
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(20.0);
    let mut names = walkers.names();
    // Round the end of a thick wall there are several waypoints, one after the other.
    let numbers: Vec<f64> = walkers.waypoints();
    assert!(numbers.len() >= 2 && numbers.iter().zip(1_u32..).all(|(number, wanted)| *number == f64::from(wanted)));
    names.dedup();
    assert_eq!(names, ["path_changed", "waypoint_reached", "target_reached", "navigation_finished"]);
    assert_eq!(walkers.state(id), "reached");
    let [(first, changed), .., (reached, _), (finished, _)] = walkers.news.as_slice() else { panic!() };
    assert_eq!(reached, finished, "target_reached comes just before navigation_finished");
    assert_eq!(*first, 0);
    let Some(Value::Number(length)) = changed.value else { panic!("{changed:?}") };
    assert!(length > 12.0 && length < 16.0, "{length}");
    assert!(walkers.world.agents.goal[0].is_none(), "an own goal that was reached is forgotten");
}

#[test]
fn an_arrived_agent_stops_and_stays_godot_78840() {
    let mut walkers = Walkers::new(square(8.0), &[]);
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(10.0);
    let there = walkers.at(id);
    assert!(there.distance(dvec2(4.0, 0.0)) < 0.3);
    walkers.run(5.0);
    assert_eq!(walkers.at(id), there);
    assert_eq!(walkers.count("navigation_finished"), 1);
}

#[test]
fn the_target_is_reached_by_its_own_distance_not_by_that_of_waypoints_godot_82560() {
    let settings = Settings { target_desired_distance: Some(1.0), path_desired_distance: Some(5.0), ..square(8.0) };
    let mut walkers = Walkers::new(settings, &barrier(3.0));
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    while walkers.count("target_reached") == 0 {
        walkers.tick();
        assert!(walkers.world.tick < 3000);
    }
    let distance = walkers.at(id).distance(dvec2(4.0, 0.0));
    assert!(distance < 1.0 && distance > 0.9, "{distance}");
    assert_eq!(walkers.names().last(), Some(&"navigation_finished"));
}

#[test]
fn a_zig_zag_is_walked_with_the_defaults_and_without_jitter_godot_62532() {
    let walls: Vec<Shape> = (0..6)
        .map(|i| {
            let x = f64::from(i) * 2.0 - 5.0;
            if i % 2 == 0 { wall(x, -8.0, x, 5.0) } else { wall(x, -5.0, x, 8.0) }
        })
        .collect();
    for speed in [0.3, 1.5, 12.0] {
        let mut walkers = Walkers::new(square(8.0), &walls);
        let id = walkers.add(-7.0, -6.0);
        walkers.world.agents.max_speed[0] = speed;
        walkers.go(id, 7.0, 6.0);
        walkers.plan();
        let length = walkers.world.agents.course[0].left;
        let mut walked = 0.0;
        while walkers.state(id) != "reached" {
            let before = walkers.at(id);
            walkers.tick();
            walked += walkers.at(id).distance(before);
            assert!(walkers.world.tick < 60 * 600, "{speed} m/s: stuck at {}", walkers.at(id));
        }
        assert!(walked < 1.03 * length, "{speed} m/s walked {walked} of {length} m");
        assert_eq!(walkers.count("path_changed"), 1, "{speed} m/s");
    }
}

#[test]
fn a_fast_agent_skips_no_waypoint() {
    // 150 m/s are 2.5 m in a tick, a corridor of corners less than that apart.
    let walls = [wall(-4.0, -8.0, -4.0, 2.0), wall(-2.5, -2.0, -2.5, 8.0), wall(-1.0, -8.0, -1.0, 2.0)];
    let mut walkers = Walkers::new(square(8.0), &walls);
    let id = walkers.add(-7.0, 0.0);
    walkers.world.agents.max_speed[0] = 150.0;
    walkers.go(id, 6.0, 0.0);
    walkers.run(2.0);
    let numbers = walkers.waypoints();
    let expected: Vec<f64> = (1..=numbers.len()).map(|number| number as f64).collect();
    assert_eq!(numbers, expected, "every waypoint, in order");
    assert!(numbers.len() >= 3);
    assert_eq!(walkers.count("path_changed"), 1);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn the_same_target_in_every_tick_is_no_new_path_godot_76670() {
    let mut walkers = Walkers::new(square(8.0), &barrier(3.0));
    let id = walkers.add(-4.0, 0.0);
    for _ in 0..1500 {
        walkers.go(id, 4.0, 0.0);
        walkers.tick();
    }
    assert_eq!(walkers.count("path_changed"), 1);
    assert_eq!(walkers.count("target_reached"), 1, "and it is reached once");
}

#[test]
fn of_two_ways_of_equal_length_it_keeps_the_one_it_took_godot_95628() {
    let mut walkers = Walkers::new(square(8.0), &[block(-1.0, -2.0, 2.0, 4.0), block(6.5, 6.5, 0.5, 0.5)]);
    let id = walkers.add(-5.0, 0.0);
    walkers.go(id, 5.0, 0.0);
    let moved = walkers.world.obstacles.iter().nth(1).expect("two").id;
    let mut side = None;
    for tick in 0..600 {
        // The ground changes all the time, far away.
        let to = flat(6.5, 6.0 + 0.001 * f64::from(tick % 7));
        walkers.world.apply(SimCommand::MoveObstacle(moved, to)).expect("it is there");
        walkers.tick();
        let y = walkers.world.agents.course[0].ahead().first().map(|point| point.y).filter(|y| y.abs() > 1.0);
        if let Some(y) = y {
            assert_eq!(*side.get_or_insert(y > 0.0), y > 0.0, "it changed its mind");
        }
    }
    assert_eq!(walkers.count("path_changed"), 1);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn without_a_target_nothing_is_sought_godot_107513() {
    let mut walkers = Walkers::new(square(8.0), &barrier(3.0));
    let id = walkers.add(-4.0, 0.0);
    walkers.run(0.5);
    let moved = walkers.world.obstacles.iter().next().expect("one").id;
    walkers.world.apply(SimCommand::OpenObstacle(moved, true)).expect("it is there");
    walkers.run(0.5);
    assert_eq!((walkers.names().len(), walkers.state(id)), (0, "idle"));
}

#[test]
fn a_goal_behind_a_box_is_reached_round_it_godot_94709() {
    let mut walkers = Walkers::new(square(8.0), &[block(-1.0, -1.0, 2.0, 2.0)]);
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(10.0);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn a_waypoint_at_a_wall_is_turned_round_jupedsim_1056() {
    // The inner corner at (0, −0.0001): thin walls that meet at a right angle.
    let mut walkers = Walkers::new(square(8.0), &[wall(-8.0, -0.0001, 0.0, -0.0001), wall(0.0, -0.0001, 0.0, -6.0)]);
    let id = walkers.add(-3.0, 1.0);
    walkers.go(id, 2.0, -3.0);
    walkers.run(8.0);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn who_comes_to_a_door_within_a_hands_breadth_crosses_it_jupedsim_259() {
    let mut walkers = Walkers::new(square(8.0), &[block(-0.1, -8.0, 0.2, 7.5), block(-0.1, 0.5, 0.2, 7.5)]);
    for step in -4_i32..=4 {
        let id = walkers.add(-0.6, f64::from(step) * 0.2);
        walkers.go(id, 3.0, f64::from(step) * 0.5);
    }
    walkers.run(8.0);
    for id in 0..9 {
        let state = walkers.world.agents.course[id].state.word();
        assert_eq!(state, "reached", "agent {id} at {}", walkers.world.agents.position[id]);
    }
}

#[test]
fn who_is_swept_away_gets_a_path_from_where_it_is_menge_84() {
    let mut walkers = Walkers::new(square(8.0), &[block(-0.2, -8.0, 0.4, 13.0), block(-5.0, -2.0, 3.0, 0.4)]);
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(1.0);
    // Behind the other obstacle, where no waypoint is in sight.
    walkers.world.agents.position[0] = flat(-3.5, -4.0);
    walkers.run(0.3);
    assert_eq!(walkers.count("path_changed"), 2);
    walkers.run(20.0);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn from_open_ground_the_way_into_a_door_is_straight_recast4j_26() {
    let mut walkers = Walkers::new(square(8.0), &[block(0.0, -8.0, 0.3, 7.2), block(0.0, 0.8, 0.3, 7.2)]);
    let id = walkers.add(-6.0, -5.0);
    walkers.go(id, 6.0, 5.0);
    walkers.plan();
    let mut last = 0.0;
    let mut turned = 0.0_f64;
    while walkers.at(id).x < 0.0 {
        let before = walkers.at(id);
        walkers.tick();
        let way = walkers.at(id) - before;
        if way.length() > 1e-9 && walkers.world.tick > 1 {
            let heading = way.y.atan2(way.x);
            if last != 0.0 {
                turned += (heading - last).abs();
            }
            last = heading;
        }
    }
    assert!(turned < 0.6, "it turned by {turned} rad on its way to the door");
}

#[test]
fn a_target_near_a_wall_or_in_it_is_the_nearest_valid_point_vleue_85() {
    let mut walkers = Walkers::new(square(8.0), &[block(0.0, -2.0, 4.0, 4.0)]);
    let id = walkers.add(-5.0, 0.0);
    walkers.go(id, -0.1, 0.0);
    walkers.run(6.0);
    assert_eq!(walkers.state(id), "reached", "0.1 m from the wall is as good as there");
    assert!((walkers.at(id).x - -0.4).abs() < 0.16, "{}", walkers.at(id));
    walkers.go(id, 1.5, 0.0);
    walkers.run(6.0);
    assert_eq!(walkers.state(id), "target_off_mesh", "1.5 m inside");
    assert_eq!(walkers.count("target_reached"), 1);
    assert_eq!(walkers.count("navigation_finished"), 2);
}

#[test]
fn who_stands_off_the_mesh_goes_to_the_nearest_point_of_it_landmass_161() {
    let mut walkers = Walkers::new(square(8.0), &[block(0.0, -2.0, 4.0, 4.0)]);
    let id = walkers.add(0.5, 0.0);
    walkers.go(id, -5.0, 0.0);
    walkers.tick();
    assert_eq!(walkers.state(id), "agent_off_mesh");
    walkers.run(6.0);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn a_door_that_shuts_turns_them_round_and_one_that_opens_lets_them_through() {
    let mut obstacles = vec![block(-0.1, -8.0, 0.2, 7.0), block(-0.1, 1.0, 0.2, 7.0)];
    obstacles.push(wall(0.0, -1.0, 0.0, 1.0));
    let mut walkers = Walkers::new(square(8.0), &obstacles);
    let door = walkers.world.obstacles.iter().nth(2).expect("a door").id;
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    walkers.run(1.0);
    assert_eq!(walkers.state(id), "no_path");
    walkers.world.apply(SimCommand::OpenObstacle(door, true)).expect("a door");
    walkers.run(1.0);
    assert_eq!(walkers.state(id), "moving");
    walkers.world.apply(SimCommand::OpenObstacle(door, false)).expect("a door");
    walkers.run(0.5);
    assert_eq!(walkers.state(id), "no_path", "shut again before it came there");
    walkers.world.apply(SimCommand::OpenObstacle(door, true)).expect("a door");
    walkers.run(8.0);
    assert_eq!(walkers.state(id), "reached");
}

#[test]
fn an_obstacle_that_moves_into_the_way_changes_the_path() {
    let mut walkers = Walkers::new(square(8.0), &[block(-1.0, 4.0, 2.0, 2.0)]);
    let id = walkers.add(-5.0, 0.0);
    walkers.go(id, 5.0, 0.0);
    walkers.run(0.5);
    let block = walkers.world.obstacles.iter().next().expect("one").id;
    walkers.world.apply(SimCommand::MoveObstacle(block, flat(0.0, 0.3))).expect("it is there");
    walkers.run(0.5);
    assert_eq!(walkers.count("path_changed"), 2);
    let mut nearest = f64::INFINITY;
    while walkers.state(id) != "reached" {
        walkers.tick();
        nearest = nearest.min(walkers.world.clearance(0));
        assert!(walkers.world.tick < 2000);
    }
    assert!(nearest >= 0.25 - 1e-6, "{nearest} m from the block, radius 0.25 m");
}

#[test]
fn on_stairs_they_are_slower() {
    let points = vec![dvec2(-1.0, -8.0), dvec2(1.0, -8.0), dvec2(1.0, 8.0), dvec2(-1.0, 8.0)];
    let stairs = Zone { name: "stairs".to_owned(), points, cost: 2.0, speed: 0.5 };
    let mut walkers = Walkers::new(Settings { zones: vec![stairs], ..square(8.0) }, &[]);
    let id = walkers.add(-4.0, 0.0);
    walkers.go(id, 4.0, 0.0);
    while walkers.state(id) != "reached" {
        walkers.tick();
    }
    // 5.7 m at 1.5 m/s and 2 m at half of it.
    let expected = (5.7 + 2.0 * 2.0) / 1.5;
    assert!((walkers.world.time() - expected).abs() < 0.1, "{} s for {expected} s", walkers.world.time());
}

#[test]
fn a_lift_carries_to_the_other_floor_and_says_so_once() {
    let floor = |x: f64| Floor {
        name: String::new(),
        points: vec![dvec2(x, 0.0), dvec2(x + 4.0, 0.0), dvec2(x + 4.0, 4.0), dvec2(x, 4.0)],
    };
    let lift = Link {
        name: "lift".to_owned(),
        from: dvec2(3.0, 2.0),
        to: dvec2(11.0, 2.0),
        cost: 3.0,
        both_ways: true,
        seconds: Some(4.0),
    };
    let settings = Settings { floors: vec![floor(0.0), floor(10.0)], links: vec![lift], ..square(20.0) };
    let mut walkers = Walkers::new(settings, &[]);
    let id = walkers.add(1.0, 2.0);
    walkers.go(id, 13.0, 2.0);
    walkers.run(2.0);
    assert_eq!(walkers.state(id), "on_link");
    assert!(walkers.at(id).distance(dvec2(3.0, 2.0)) < 0.2, "it waits in the lift");
    walkers.run(6.0);
    assert_eq!(walkers.state(id), "reached");
    assert_eq!(walkers.count("link_reached"), 1);
    let link = walkers.news.iter().find(|(_, news)| news.name == "link_reached").expect("one");
    assert_eq!(link.1.value, Some(Value::Text("lift".to_owned())));
    assert_eq!(walkers.count("path_changed"), 1);
}

#[test]
fn a_goal_of_all_is_reached_by_all_recast_305() {
    let mut walkers = Walkers::new(square(8.0), &[]);
    for step in 0..50 {
        walkers.add(f64::from(step % 10) * 0.6 - 7.0, f64::from(step / 10) * 0.6 - 7.0);
    }
    walkers.world.groups[0].goal = Some(flat(4.0, 4.0));
    walkers.run(14.0);
    assert_eq!(walkers.count("navigation_finished"), 50);
    assert!((0..50).all(|slot| walkers.world.agents.position[slot].distance(flat(4.0, 4.0)) < 0.25 * 10.0));
}

#[test]
fn a_mesh_that_is_built_for_the_first_goal_counts_as_a_build() {
    let mut walkers = Walkers::new(square(8.0), &[]);
    let id = walkers.add(-4.0, 0.0);
    walkers.run(0.1);
    let before = walkers.navigator.builds();
    assert_eq!(walkers.navigator.meshes().count(), 0, "nobody needs one yet");
    walkers.go(id, 4.0, 0.0);
    walkers.tick();
    assert_eq!(walkers.navigator.meshes().count(), 1);
    assert!(walkers.navigator.builds() > before, "who caches the mesh would not see it");
}

#[test]
fn two_radii_have_two_meshes_and_only_the_slim_one_fits() {
    let mut walkers = Walkers::new(square(8.0), &[block(-0.1, -8.0, 0.2, 7.6), block(-0.1, 0.4, 0.2, 7.6)]);
    let (slim, wide) = (walkers.add(-4.0, 0.0), walkers.add(-4.0, 2.0));
    walkers.world.agents.radius[1] = 0.5;
    walkers.go(slim, 4.0, 0.0);
    walkers.go(wide, 4.0, 2.0);
    walkers.run(7.0);
    assert_eq!((walkers.state(slim), walkers.state(wide)), ("reached", "no_path"));
    assert_eq!(walkers.navigator.meshes().count(), 2);
}

#[test]
fn a_clone_in_the_middle_of_the_way_goes_on_like_the_original() {
    let mut walkers = Walkers::new(square(8.0), &barrier(3.0));
    for step in 0..8 {
        let id = walkers.add(-4.0, f64::from(step) - 4.0);
        walkers.go(id, 4.0, f64::from(step) - 4.0);
    }
    walkers.run(2.0);
    let (world, navigator) = (walkers.world.clone(), walkers.navigator.clone());
    let mut copy = Walkers { world, navigator, news: Vec::new() };
    for _ in 0..600 {
        walkers.tick();
        copy.tick();
        for slot in 0..8 {
            assert_eq!(walkers.navigator.digest(slot), copy.navigator.digest(slot));
        }
        assert_eq!(walkers.world.hash(&[]), copy.world.hash(&[]));
    }
}

#[test]
fn an_agent_may_have_distances_of_its_own() {
    let mut walkers = Walkers::new(Settings { target_desired_distance: Some(0.6), ..square(8.0) }, &barrier(3.0));
    let (own, usual) = (walkers.add(-4.0, 0.0), walkers.add(-4.0, 1.0));
    let set = SimCommand::SetOwnBody(own, BodyField::TargetDesiredDistance, 1.5);
    walkers.world.apply(set).expect("a distance");
    let off = |walkers: &mut Walkers, x: f64| {
        walkers.go(own, x, 0.0);
        walkers.go(usual, x, 1.0);
        walkers.run(14.0);
        [walkers.at(own).distance(dvec2(x, 0.0)), walkers.at(usual).distance(dvec2(x, 1.0))]
    };
    let [first, second] = off(&mut walkers, 4.0);
    assert!((1.4..1.5).contains(&first) && (0.5..0.6).contains(&second), "{first} m and {second} m off");
    let all = SimCommand::SetBody(GroupId(0), BodyField::TargetDesiredDistance, 0.0);
    walkers.world.apply(SimCommand::SetOwnBody(own, BodyField::TargetDesiredDistance, 0.0)).expect("a distance");
    walkers.world.apply(all).expect("a distance");
    let [first, second] = off(&mut walkers, -4.0);
    assert!((0.5..0.6).contains(&first) && (0.5..0.6).contains(&second), "{first} m and {second} m off");
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        let set = SimCommand::SetBody(GroupId(0), BodyField::PathMaxDistance, wrong);
        assert!(walkers.world.apply(set).is_err(), "{wrong} m");
    }
    // Who may be farther off its path is swept that far without another one.
    for (most, paths) in [(0.0, 2), (6.0, 1)] {
        let mut walkers = Walkers::new(square(8.0), &[]);
        let id = walkers.add(-6.0, 0.0);
        let set = SimCommand::SetOwnBody(id, BodyField::PathMaxDistance, most);
        walkers.world.apply(set).expect("a distance");
        walkers.go(id, 6.0, 0.0);
        walkers.run(1.0);
        walkers.world.agents.position[0].y += 4.0;
        walkers.run(1.0);
        assert_eq!(walkers.count("path_changed"), paths, "at most {most} m off its path");
    }
}
