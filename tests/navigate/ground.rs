//! The mesh covers the free ground, whatever touches, overlaps or rings.

use glam::{DVec2, dvec2};
use swarmyard::navigate::{Finder, Mesh, Settings};
use swarmyard::sim::obstacle::Shape;

use crate::helpers::{block, flat, luck, point, random_obstacles, set, square};

fn area(mesh: &Mesh) -> f64 {
    let of = |polygon: usize| {
        let points: Vec<_> = mesh.polygon(polygon).collect();
        let pairs = points.iter().zip(points.iter().cycle().skip(1));
        0.5 * pairs.map(|(a, b)| a.perp_dot(*b)).sum::<f64>()
    };
    (0..mesh.len()).map(of).sum()
}

#[test]
fn polygons_are_convex_and_cover_what_is_free() {
    for seed in 0..40 {
        let mut luck = luck(seed);
        let obstacles = random_obstacles(&mut luck, 10, 8.0);
        let mesh = Mesh::build(&square(8.0), &obstacles, 0.3);
        for polygon in 0..mesh.len() {
            let points: Vec<_> = mesh.polygon(polygon).collect();
            for corner in 0..points.len() {
                let [a, b, c] = [0, 1, 2].map(|step| points[(corner + step) % points.len()]);
                assert!((b - a).perp_dot(c - b) >= -1e-9, "seed {seed}: polygon {polygon} turns right at {b}");
            }
        }
        for _ in 0..400 {
            let at = point(&mut luck, 7.99);
            let clearance = obstacles.clearance(at.extend(0.0));
            // The round parts are polygons that lie up to 2 % or 2 cm outside.
            if clearance > 0.3 * 1.02 + 0.02 {
                assert!(mesh.locate(at).is_some(), "seed {seed}: {at} is free by {clearance} m");
            } else if clearance < 0.3 - 1e-5 {
                assert!(mesh.locate(at).is_none(), "seed {seed}: {at} is only {clearance} m off");
            }
        }
    }
}

/// How far a point of one line is off another at most, m.
fn astray(line: &[DVec2], other: &[DVec2]) -> f64 {
    let off = |at: &DVec2| {
        let legs = other.windows(2).map(|leg| nearest_on(leg[0], leg[1], *at).distance(*at));
        legs.fold(other[0].distance(*at), f64::min)
    };
    line.iter().map(off).fold(0.0, f64::max)
}

fn nearest_on(from: DVec2, to: DVec2, at: DVec2) -> DVec2 {
    let leg = to - from;
    from + leg * ((at - from).dot(leg) / leg.length_squared().max(1e-12)).clamp(0.0, 1.0)
}

/// Sixty metres of a town in the coordinates of a survey, and the same at the origin: the shortest paths, which are unique, and
/// where all corners fall on the same lines the lanes as well.
#[test]
fn far_from_the_origin_paths_are_those_at_the_origin() {
    let lines = |p: DVec2| (p * 1024.0).round() / 1024.0;
    for (far, lane) in [(dvec2(500_000.3, 5_800_000.7), 0.0), (dvec2(500_000.0, 5_800_000.0), 0.3)] {
        let (mut compared, mut turned) = (0, 0);
        // On the lines of the grid a gap may be exactly as wide as the body: then the last bit decides.
        let snap = |p: DVec2| if lane > 0.0 { lines(p) } else { p };
        for seed in 0..4 {
            let mut luck = luck(seed);
            let shapes: Vec<Shape> =
                random_obstacles(&mut luck, 40, 30.0).iter().map(|known| known.shape.clone()).collect();
            let shapes: Vec<Shape> = shapes
                .iter()
                .map(|shape| shape.shifted((snap(shape.anchor().truncate()) - shape.anchor().truncate()).extend(0.0)))
                .collect();
            let moved: Vec<Shape> = shapes.iter().map(|shape| shape.shifted(far.extend(0.0))).collect();
            let meshes = [(DVec2::ZERO, &shapes), (far, &moved)].map(|(at, shapes)| {
                let settings = Settings { area: (at - 30.0, at + 30.0), ..Settings::default() };
                Mesh::build(&settings, &set(shapes), 0.25)
            });
            for _ in 0..100 {
                let (from, to) = (lines(point(&mut luck, 29.0)), lines(point(&mut luck, 29.0)));
                let here = Finder::default().path(&meshes[0], from, to, lane);
                let there = Finder::default().path(&meshes[1], from + far, to + far, lane);
                let (Some(here), Some(there)) = (&here, &there) else {
                    assert_eq!(here.is_some(), there.is_some(), "seed {seed}: from {from} to {to}");
                    continue;
                };
                assert!((here.length - there.length).abs() < 1e-3, "seed {seed}: {} and {}", here.length, there.length);
                // A straight leg may have points on it.
                let there: Vec<DVec2> = there.points().map(|at| at - far).collect();
                let here: Vec<DVec2> = here.points().collect();
                let off = astray(&here, &there).max(astray(&there, &here));
                assert!(off < 1e-3, "lane {lane}, seed {seed}: {here:?} became {there:?}");
                compared += 1;
                turned += usize::from(here.len() > 2);
            }
        }
        assert!(compared > 200 && turned > 50, "{compared} paths, {turned} with corners");
    }
    let settings =
        |half: f64| Settings { area: (DVec2::splat(6e6 - half), DVec2::splat(6e6 + half)), ..Settings::default() };
    assert_eq!(settings(2e6).too_coarse(), None, "four thousand kilometres in lines below a centimetre");
    assert!(settings(1e7).too_coarse().is_some_and(|line| line > 0.01));
}

#[test]
fn an_obstacle_that_reaches_far_beyond_the_ground_keeps_its_slope() {
    let wall = Shape::Wall { from: flat(-200.0, -100.0), to: flat(200.0, 100.0) };
    let beam = Shape::Polygon {
        points: vec![flat(0.0, -90.0), flat(1e6, -90.0), flat(1e6, -80.0), flat(0.5, -4.0), flat(0.0, -4.0)],
        holes: Vec::new(),
    };
    let obstacles = set(&[wall, beam]);
    let mesh = Mesh::build(&square(10.0), &obstacles, 0.2);
    let mut luck = luck(1);
    for _ in 0..2000 {
        let at = point(&mut luck, 9.99);
        let clearance = obstacles.clearance(at.extend(0.0));
        if (clearance - 0.2).abs() > 0.01 {
            assert_eq!(mesh.locate(at).is_some(), clearance > 0.2, "{at} is {clearance} m off");
        }
    }
    assert!(!mesh.sees(dvec2(8.0, 3.0), dvec2(8.0, 5.0)) && mesh.sees(dvec2(8.0, 5.0), dvec2(8.0, 9.0)));
}

#[test]
fn a_ring_has_an_inside_that_no_way_leads_to() {
    let hole = vec![flat(-2.0, -2.0), flat(2.0, -2.0), flat(2.0, 2.0), flat(-2.0, 2.0)];
    let outer = vec![flat(-3.0, -3.0), flat(3.0, -3.0), flat(3.0, 3.0), flat(-3.0, 3.0)];
    let ring = Shape::Polygon { points: outer, holes: vec![hole] };
    let mesh = Mesh::build(&square(8.0), &set(&[ring]), 0.25);
    assert!(mesh.locate(dvec2(0.0, 0.0)).is_some(), "the inside is ground too");
    assert!(mesh.locate(dvec2(2.5, 0.0)).is_none());
    let mut finder = Finder::default();
    assert!(finder.path(&mesh, dvec2(-1.0, -1.0), dvec2(1.5, 1.0), 0.0).is_some());
    assert!(finder.path(&mesh, dvec2(0.0, 0.0), dvec2(6.0, 0.0), 0.0).is_none());
    // A goal in the ring itself is moved to the nearest valid point, on whichever side that is.
    let path = finder.path(&mesh, dvec2(6.0, 0.0), dvec2(2.9, 0.0), 0.0).expect("a way to the outside of the ring");
    assert!(path.end().distance(dvec2(3.25, 0.0)) < 1e-6, "{}", path.end());
}

#[test]
fn an_obstacle_over_the_outer_edge_only_cuts_the_area() {
    let mesh = Mesh::build(&square(5.0), &set(&[block(-9.0, -1.0, 6.0, 2.0)]), 0.5);
    let expected = 100.0 - (2.5 * 3.0 - 2.0 * (0.25 - 0.25 * std::f64::consts::FRAC_PI_4));
    assert!((area(&mesh) - expected).abs() < 0.02, "{} for {expected}", area(&mesh));
    // All ground covered: an empty mesh, no path, no panic.
    let none = Mesh::build(&square(5.0), &set(&[block(-9.0, -9.0, 18.0, 18.0)]), 0.5);
    assert!(none.is_empty() && none.nearest(dvec2(0.0, 0.0)).is_none());
    assert!(Finder::default().path(&none, dvec2(0.0, 0.0), dvec2(1.0, 1.0), 0.0).is_none());
}

#[test]
fn a_clockwise_box_is_an_obstacle_as_well() {
    let clockwise = vec![flat(-1.0, -1.0), flat(-1.0, 1.0), flat(1.0, 1.0), flat(1.0, -1.0)];
    let mesh = Mesh::build(&square(5.0), &set(&[Shape::Polygon { points: clockwise, holes: Vec::new() }]), 0.2);
    assert!(mesh.locate(dvec2(0.0, 0.0)).is_none());
    let path = Finder::default().path(&mesh, dvec2(-3.0, 0.0), dvec2(3.0, 0.0), 0.0).expect("a way round");
    assert!(path.length > 6.5);
}

#[test]
fn a_gap_narrower_than_the_body_is_no_way() {
    let walls = [block(-0.1, -5.0, 0.2, 4.6), block(-0.1, 0.4, 0.2, 4.6)];
    let through = |radius| {
        let mesh = Mesh::build(&square(5.0), &set(&walls), radius);
        Finder::default().path(&mesh, dvec2(-3.0, 0.0), dvec2(3.0, 0.0), 0.0).map(|path| path.length)
    };
    assert!((through(0.39).expect("a gap of 0.8 m lets 0.78 m through") - 6.0).abs() < 1e-6);
    assert!(through(0.41).is_none());
}
