//! Any-angle paths are the shortest there are, and stay on the ground.

use glam::{DVec2, dvec2};
use swarmyard::navigate::{Finder, Link, Mesh, Path, StopKind, Zone};

use crate::brute::Brute;
use crate::helpers::{block, house, luck, point, random_obstacles, set, square};

fn path(mesh: &Mesh, from: DVec2, to: DVec2) -> Option<Path> {
    Finder::default().path(mesh, from, to, 0.0)
}

fn length(path: &Path) -> f64 {
    let points: Vec<DVec2> = path.points().collect();
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[test]
fn the_shortest_path_equals_a_visibility_graph_on_random_maps() {
    let mut compared = 0;
    for seed in 0..24 {
        let mut luck = luck(seed);
        let obstacles = random_obstacles(&mut luck, 3 + seed as usize % 9, 8.0);
        let mesh = Mesh::build(&square(8.0), &obstacles, if seed % 3 == 0 { 0.0 } else { 0.3 });
        let brute = Brute::new(&mesh);
        let mut finder = Finder::default();
        for _ in 0..4 {
            let (from, to) = (point(&mut luck, 7.5), point(&mut luck, 7.5));
            let (Some(from), Some(to)) = (mesh.nearest(from), mesh.nearest(to)) else { continue };
            let found = finder.path(&mesh, from.at, to.at, 0.0);
            let shortest = brute.shortest(from.at, to.at);
            match (&found, shortest) {
                (Some(path), Some(shortest)) => {
                    let own = length(path);
                    assert!((own - path.length).abs() < 1e-9, "seed {seed}: says {}, is {own}", path.length);
                    let error = own - shortest;
                    assert!(
                        error.abs() < 1e-4,
                        "seed {seed}: from {} to {}: {own} against {shortest}: {path:?}",
                        from.at,
                        to.at
                    );
                    compared += 1;
                }
                (None, None) => {}
                other => panic!("seed {seed}: from {} to {}: {other:?}", from.at, to.at),
            }
        }
    }
    assert!(compared > 60, "only {compared} pairs had a way");
}

#[test]
fn who_looks_through_a_house_sees_through_its_doors_only() {
    let (mut seen, mut hidden) = (0, 0);
    for seed in 200..260 {
        let mut luck = luck(seed);
        let obstacles = if seed % 3 == 0 { random_obstacles(&mut luck, 9, 8.0) } else { house(&mut luck) };
        let mesh = Mesh::build(&square(8.0), &obstacles, luck.uniform(0.05, 0.3));
        let brute = Brute::new(&mesh);
        for _ in 0..400 {
            let (from, to) = (point(&mut luck, 7.5), point(&mut luck, 7.5));
            // Half of the points on the border, where walkers that press against a wall are.
            let place = |at: DVec2, inside: bool| mesh.nearest(at).filter(|spot| !inside || spot.distance == 0.0);
            let (Some(from), Some(to)) = (place(from, false), place(to, true)) else { continue };
            let free = brute.free(from.at, to.at);
            assert_eq!(mesh.sees(from.at, to.at), free, "seed {seed}: from {} to {}", from.at, to.at);
            assert_eq!(mesh.sees(to.at, from.at), free, "seed {seed}: from {} to {}", to.at, from.at);
            (seen, hidden) = (seen + i32::from(free), hidden + i32::from(!free));
        }
    }
    assert!(seen > 500 && hidden > 2000, "{seen} seen, {hidden} hidden");
}

/// Askew houses have slivers, whose long edges are near to each other far beyond their tips.
#[test]
fn what_lies_beyond_the_tip_of_a_sliver_is_not_on_the_ground() {
    let mut asked = 0;
    for seed in 200..230 {
        let mut luck = luck(seed);
        let obstacles = house(&mut luck);
        let radius = luck.uniform(0.05, 0.3);
        let mesh = Mesh::build(&square(8.0), &obstacles, radius);
        for (a, b, _) in (0..mesh.len()).flat_map(|polygon| mesh.edges(polygon)) {
            for share in [1.001, 1.1, 1.5, 2.0, 4.0] {
                let at = a.lerp(b, share);
                if at.abs().max_element() < 8.0 - radius {
                    let clearance = obstacles.clearance(at.extend(0.0));
                    assert!(
                        mesh.locate(at).is_none() || clearance >= radius - 1e-5,
                        "seed {seed}: {clearance} m at {at}"
                    );
                    asked += i32::from(clearance < radius - 1e-5);
                }
            }
        }
    }
    assert!(asked > 1000, "{asked}");
}

#[test]
fn the_shortest_path_through_a_house_equals_a_visibility_graph() {
    let mut compared = 0;
    for seed in 300..330 {
        let mut luck = luck(seed);
        let obstacles = house(&mut luck);
        let mesh = Mesh::build(&square(8.0), &obstacles, luck.uniform(0.05, 0.3));
        let brute = Brute::new(&mesh);
        for _ in 0..3 {
            let (Some(from), Some(to)) = (mesh.nearest(point(&mut luck, 7.5)), mesh.nearest(point(&mut luck, 7.5)))
            else {
                continue;
            };
            let (found, shortest) = (path(&mesh, from.at, to.at), brute.shortest(from.at, to.at));
            let own = found.as_ref().map(length);
            let near = own.zip(shortest).map_or(own == shortest, |(own, shortest)| (own - shortest).abs() < 1e-4);
            assert!(near, "seed {seed}: from {} to {}: {own:?} against {shortest:?}: {found:?}", from.at, to.at);
            compared += i32::from(shortest.is_some());
        }
    }
    assert!(compared > 20, "only {compared} pairs had a way");
}

#[test]
fn every_path_stays_on_the_ground_and_the_radius_off_the_obstacles() {
    for seed in 100..180 {
        let mut luck = luck(seed);
        let obstacles = if seed < 140 { random_obstacles(&mut luck, 8, 8.0) } else { house(&mut luck) };
        let radius = luck.uniform(0.1, 0.5);
        let mesh = Mesh::build(&square(8.0), &obstacles, radius);
        let mut finder = Finder::default();
        for margin in [0.0, 0.2, 0.6] {
            for _ in 0..6 {
                let (from, to) = (point(&mut luck, 7.5), point(&mut luck, 7.5));
                let Some(path) = finder.path(&mesh, from, to, margin) else { continue };
                let points: Vec<DVec2> = path.points().collect();
                for leg in points.windows(2) {
                    assert!(mesh.sees(leg[0], leg[1]), "seed {seed}, margin {margin}: {} to {}", leg[0], leg[1]);
                    for share in 0..=40 {
                        let at = leg[0].lerp(leg[1], f64::from(share) / 40.0);
                        let clearance = obstacles.clearance(at.extend(0.0));
                        assert!(clearance >= radius - 1e-5, "seed {seed}: {clearance} m of {radius} m at {at}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_margin_makes_lanes_and_never_a_shorter_path() {
    let mesh = Mesh::build(&square(8.0), &set(&[block(-1.0, -8.0, 2.0, 10.0)]), 0.2);
    let (from, to) = (dvec2(-4.0, -2.0), dvec2(4.0, -2.0));
    let mut last = 0.0;
    let mut corners = Vec::new();
    for margin in [0.0, 0.2, 0.4, 0.8] {
        let path = Finder::default().path(&mesh, from, to, margin).expect("a way over the top");
        assert!(path.length > last, "margin {margin}: {} after {last}", path.length);
        last = path.length;
        corners.push(path.stops[0].at);
    }
    assert!(corners[0].distance(corners[3]) > 0.3, "all turn at one point: {corners:?}");
}

#[test]
fn stairs_that_cost_more_are_used_only_where_they_are_the_cheaper_way() {
    // A wall with a short way over stairs and a way round.
    let walls = [block(-0.5, -8.0, 1.0, 7.0), block(-0.5, 1.0, 1.0, 4.0)];
    let stairs = |cost| Zone {
        name: "stairs".to_owned(),
        points: vec![dvec2(-0.5, -1.0), dvec2(0.5, -1.0), dvec2(0.5, 1.0), dvec2(-0.5, 1.0)],
        cost,
        speed: 0.5,
    };
    let way = |cost| {
        let settings = swarmyard::navigate::Settings { zones: vec![stairs(cost)], ..square(8.0) };
        let mesh = Mesh::build(&settings, &set(&walls), 0.2);
        path(&mesh, dvec2(-3.0, 0.0), dvec2(3.0, 0.0)).expect("a way")
    };
    let cheap = way(1.5);
    assert!((cheap.cost - (5.0 + 1.5)).abs() < 1e-6, "straight over the stairs costs {}", cheap.cost);
    let dear = way(20.0);
    assert!(dear.points().all(|at| at.y > -1e-9) && dear.points().any(|at| at.y > 5.0), "round the wall: {dear:?}");
    assert!(dear.cost < 25.0, "{}", dear.cost);
}

#[test]
fn a_path_breaks_at_the_border_of_a_zone_as_light_does() {
    let zone = Zone {
        name: "mud".to_owned(),
        points: vec![dvec2(-8.0, 0.0), dvec2(8.0, 0.0), dvec2(8.0, 8.0), dvec2(-8.0, 8.0)],
        cost: 2.0,
        speed: 0.5,
    };
    let settings = swarmyard::navigate::Settings { zones: vec![zone], ..square(8.0) };
    let mesh = Mesh::build(&settings, &set(&[]), 0.2);
    let path = path(&mesh, dvec2(-5.0, -4.0), dvec2(5.0, 4.0)).expect("a way");
    let points: Vec<DVec2> = path.points().collect();
    assert_eq!(points.len(), 3, "{points:?}");
    let sine = |from: DVec2, to: DVec2| (to.x - from.x) / from.distance(to);
    let (before, after) = (sine(points[0], points[1]), sine(points[1], points[2]));
    assert!((before - 2.0 * after).abs() < 1e-5, "n₁ sin α₁ = n₂ sin α₂: {before} and 2·{after}");
}

#[test]
fn links_join_floors_and_are_taken_in_their_direction_only() {
    let floor = |x: f64| swarmyard::navigate::Floor {
        name: String::new(),
        points: vec![dvec2(x, 0.0), dvec2(x + 4.0, 0.0), dvec2(x + 4.0, 4.0), dvec2(x, 4.0)],
    };
    let link = Link {
        name: "lift".to_owned(),
        from: dvec2(3.0, 2.0),
        to: dvec2(11.0, 2.0),
        cost: 3.0,
        both_ways: false,
        seconds: Some(4.0),
    };
    let settings = swarmyard::navigate::Settings {
        floors: vec![floor(0.0), floor(10.0)],
        links: vec![link.clone()],
        ..square(20.0)
    };
    let mesh = Mesh::build(&settings, &set(&[]), 0.2);
    let there = path(&mesh, dvec2(1.0, 2.0), dvec2(13.0, 2.0)).expect("by the lift");
    let kinds: Vec<StopKind> = there.stops.iter().map(|stop| stop.kind).collect();
    assert_eq!(kinds, [StopKind::LinkFrom(0, Some(4.0)), StopKind::LinkTo(0), StopKind::Goal]);
    assert!((there.cost - (2.0 + 3.0 + 2.0)).abs() < 1e-6, "{}", there.cost);
    assert!(path(&mesh, dvec2(13.0, 2.0), dvec2(1.0, 2.0)).is_none(), "the link leads one way only");
    let both = swarmyard::navigate::Settings { links: vec![Link { both_ways: true, ..link }], ..settings };
    let mesh = Mesh::build(&both, &set(&[]), 0.2);
    assert!(path(&mesh, dvec2(13.0, 2.0), dvec2(1.0, 2.0)).is_some());
}
