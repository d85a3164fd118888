//! F02: what is not finite is refused with its name, and no query panics.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::obstacle::{Obstacles, Shape};

use super::brute::shape;

fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(f64::NAN),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(1e308),
        Just(-1e308),
        Just(f64::MAX),
        Just(f64::MIN_POSITIVE),
        Just(5e-324),
        Just(-0.0),
        Just(1e9),
        Just(1.0),
        -10.0..10.0,
        any::<f64>(),
    ]
}

fn anywhere() -> impl Strategy<Value = DVec3> {
    (wild(), wild(), wild()).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

fn wild_shape() -> impl Strategy<Value = Shape> {
    let points = || prop::collection::vec(anywhere(), 0..6);
    prop_oneof![
        (anywhere(), wild()).prop_map(|(at, radius)| Shape::Disc { at, radius }),
        (anywhere(), wild()).prop_map(|(at, radius)| Shape::Sphere { at, radius }),
        (anywhere(), anywhere()).prop_map(|(min, max)| Shape::Box { min, max }),
        (anywhere(), anywhere()).prop_map(|(from, to)| Shape::Wall { from, to }),
        points().prop_map(|points| Shape::Polyline { points }),
        (points(), prop::collection::vec(points(), 0..3)).prop_map(|(points, holes)| Shape::Polygon { points, holes }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn f02_wild_numbers_never_panic(
        tame in prop::collection::vec(shape(), 0..4), wild in prop::collection::vec(wild_shape(), 1..12),
        at in anywhere(), to in anywhere(), radius in wild(),
    ) {
        let mut set = Obstacles::new();
        for shape in tame {
            set.insert("", shape).expect("random shapes are valid");
        }
        for (index, shape) in wild.into_iter().enumerate() {
            let name = format!("wild {index}");
            match set.insert(&name, shape) {
                Err(error) => prop_assert!(error.to_string().contains(&name)),
                Ok(id) => {
                    let _moved = set.move_to(id, at);
                }
            }
        }
        let mut hits = Vec::new();
        for (a, b) in [(at, to), (DVec3::ZERO, to), (at, DVec3::ZERO)] {
            set.within(a, radius, &mut hits);
            for hit in hits.iter().copied().chain(set.nearest(a, radius)) {
                prop_assert!((hit.normal.length() - 1.0).abs() < 1e-9, "{hit:?}");
                prop_assert!(hit.distance.is_finite() && hit.point.is_finite());
            }
            prop_assert!(!set.clearance(a).is_nan());
            prop_assert!(set.contains(a).is_none_or(|id| set.get(id).is_some()));
            prop_assert_eq!(set.sees(a, b), set.sees(b, a));
            if let Some(sweep) = set.sweep(a, b, radius) {
                prop_assert!((0.0..=1.0).contains(&sweep.t) && (sweep.normal.length() - 1.0).abs() < 1e-9);
            }
        }
        set.repack();
    }
}

#[test]
fn errors_name_object_field_and_what_to_try() {
    let mut set = Obstacles::new();
    let at = DVec3::new(1.0, 2.0, 0.0);
    let nan = DVec3::new(0.0, f64::NAN, 0.0);
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let square = vec![p(0.0, 0.0), p(4.0, 0.0), p(4.0, 4.0), p(0.0, 4.0)];
    let hole = |x: f64| vec![p(x, 1.0), p(x + 1.0, 1.0), p(x, 2.0)];
    let refused = [
        (Shape::Disc { at: nan, radius: 1.0 }, "at"),
        (Shape::Disc { at, radius: 0.0 }, "radius"),
        (Shape::Sphere { at, radius: f64::INFINITY }, "radius"),
        (Shape::Disc { at: DVec3::splat(1.1e9), radius: 1.0 }, "at"),
        (Shape::Box { min: at, max: -at }, "max"),
        (Shape::Box { min: at, max: at }, "max"),
        (Shape::Wall { from: at, to: at }, "to"),
        (Shape::Wall { from: nan, to: at }, "from"),
        (Shape::Polyline { points: vec![at] }, "points"),
        (Shape::Polyline { points: vec![at, at, at] }, "points"),
        (Shape::Polyline { points: vec![at, nan] }, "points[1]"),
        (Shape::Polygon { points: vec![at, -at], holes: Vec::new() }, "points"),
        (Shape::Polygon { points: vec![p(0.0, 0.0), p(1.0, 1.0), p(2.0, 2.0)], holes: Vec::new() }, "points"),
        (
            Shape::Polygon { points: vec![p(0.0, 0.0), p(2.0, 2.0), p(2.0, 0.0), p(0.0, 3.0)], holes: Vec::new() },
            "points",
        ),
        (Shape::Polygon { points: square.clone(), holes: vec![hole(9.0)] }, "holes[0][0]"),
        (Shape::Polygon { points: square.clone(), holes: vec![vec![at, nan, at]] }, "holes[0][1]"),
        (
            Shape::Polygon {
                points: square.clone(),
                holes: vec![hole(1.0), vec![p(1.1, 1.1), p(1.3, 1.1), p(1.1, 1.3)]],
            },
            "holes[1][0]",
        ),
    ];
    for (shape, field) in refused {
        let error = set.insert("gate", shape.clone()).expect_err(&format!("{shape:?} is refused"));
        assert_eq!((error.object.as_str(), error.field.as_str()), ("gate", field), "{error}");
        assert!(!error.hint.is_empty());
    }
    assert!(set.is_empty());
    let error = set.insert("", Shape::Disc { at, radius: -1.0 }).expect_err("negative");
    assert_eq!(error.to_string(), "obstacle \"Disc\": `radius` is -1 m; give a length above 0");
}

#[test]
fn self_touching_polygons_are_taken() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    // Two squares joined at one corner, and a hole that touches the rim.
    let lobes =
        vec![p(0.0, 0.0), p(2.0, 0.0), p(2.0, 2.0), p(4.0, 2.0), p(4.0, 4.0), p(2.0, 4.0), p(2.0, 2.0), p(0.0, 2.0)];
    let hole = vec![p(0.0, 1.0), p(1.0, 0.5), p(1.0, 1.5)];
    let mut set = Obstacles::new();
    let id = set.insert("lobes", Shape::Polygon { points: lobes, holes: vec![hole] }).expect("touching is fine");
    assert_eq!(set.contains(p(3.0, 3.0)), Some(id));
    assert_eq!(set.contains(p(1.5, 1.0)), Some(id));
    assert_eq!(set.contains(p(0.8, 1.0)), None);
    assert_eq!(set.contains(p(3.0, 1.0)), None);
}

#[test]
fn closed_and_repeated_corners_are_cleaned() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let given = vec![p(0.0, 0.0), p(0.0, 0.0), p(0.0, 2.0), p(2.0, 2.0), p(2.0, 2.0), p(2.0, 0.0), p(0.0, 0.0)];
    let shape = Shape::Polygon { points: given, holes: Vec::new() }.checked("x").expect("valid");
    let Shape::Polygon { points, .. } = &shape else { panic!("stays a polygon") };
    assert_eq!(points.len(), 4);
    assert_eq!(shape.clone().checked("x"), Ok(shape));
}
