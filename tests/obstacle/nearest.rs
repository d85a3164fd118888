//! The nearest surface.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::obstacle::{Hit, Obstacles, Shape};

use super::brute::{distance, flat, shape, space};

/// Distances computed in two ways may differ by this, m.
const SAME: f64 = 1e-9;

fn set_of(shapes: &[Shape]) -> Obstacles {
    let mut set = Obstacles::new();
    for shape in shapes {
        set.insert("", shape.clone()).expect("random shapes are valid");
    }
    set
}

fn assert_sound(hit: &Hit, at: DVec3) {
    assert!(hit.point.is_finite() && hit.normal.is_finite() && hit.distance.is_finite(), "{hit:?}");
    assert!((hit.normal.length() - 1.0).abs() < 1e-12, "not a unit normal: {hit:?}");
    let back = hit.point + hit.normal * hit.distance;
    assert!((back - at).length() < 1e-6, "point + normal · distance is not the asking point {at}: {hit:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn f03_within_equals_brute_force(
        shapes in prop::collection::vec(shape(), 0..25), at in space(), radius in 0.0..15.0_f64,
    ) {
        let set = set_of(&shapes);
        let mut hits = Vec::new();
        set.within(at, radius, &mut hits);
        let ids: Vec<_> = set.iter().map(|obstacle| obstacle.id).collect();
        for (id, shape) in ids.iter().zip(&shapes) {
            let slow = distance(shape, at);
            let found: Vec<_> = hits.iter().filter(|hit| hit.id == *id).collect();
            prop_assert!(found.len() <= 1, "one answer per obstacle");
            match found.first() {
                Some(hit) => prop_assert!((hit.distance - slow).abs() < SAME, "{hit:?} but {slow}"),
                None => prop_assert!(slow > radius - SAME, "{id:?} at {slow} is missing within {radius}"),
            }
        }
        for hit in &hits {
            assert_sound(hit, at);
        }
        prop_assert!(hits.windows(2).all(|pair| (pair[0].distance, pair[0].id) < (pair[1].distance, pair[1].id)));
        let nearest = set.nearest(at, radius);
        prop_assert_eq!(nearest, hits.first().copied());
        prop_assert_eq!(set.nearest(at, f64::INFINITY).map_or(f64::INFINITY, |hit| hit.distance), set.clearance(at));
        let inside = shapes.iter().zip(&ids).find(|(shape, _)| shape.is_solid() && distance(shape, at) < -SAME);
        if let Some((_, id)) = inside {
            prop_assert!(set.contains(at).is_some_and(|found| found <= *id));
        }
        let free = shapes.iter().all(|shape| !shape.is_solid() || distance(shape, at) > SAME);
        prop_assert!(!free || set.contains(at).is_none());
    }

    #[test]
    fn f03_answers_do_not_depend_on_the_tree(
        shapes in prop::collection::vec(shape(), 1..40), points in prop::collection::vec(flat(), 8),
    ) {
        let set = set_of(&shapes);
        let mut packed = set.clone();
        packed.repack();
        // The same obstacles again under the same ids, the tree grown in another order.
        let mut shuffled = set.clone();
        let ids: Vec<_> = set.iter().map(|obstacle| obstacle.id).collect();
        for id in ids.iter().rev() {
            shuffled.open(*id).expect("alive");
        }
        for id in ids.iter().rev() {
            shuffled.close(*id).expect("alive");
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for pair in points.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            for other in [&packed, &shuffled] {
                set.within(from, 6.0, &mut a);
                other.within(from, 6.0, &mut b);
                prop_assert_eq!(&a, &b);
                prop_assert_eq!(set.nearest(from, 50.0), other.nearest(from, 50.0));
                prop_assert_eq!(set.contains(from), other.contains(from));
                prop_assert_eq!(set.sees(from, to), other.sees(from, to));
                prop_assert_eq!(set.sweep(from, to, 0.3), other.sweep(from, to, 0.3));
            }
        }
    }
}

#[test]
fn overlapping_obstacles_tie_by_id() {
    let mut set = Obstacles::new();
    let wall = |x: f64| Shape::Wall { from: DVec3::new(x, -5.0, 0.0), to: DVec3::new(x, 5.0, 0.0) };
    let first = set.insert("left", wall(-1.0)).expect("valid");
    let second = set.insert("right", wall(1.0)).expect("valid");
    assert_eq!(set.nearest(DVec3::ZERO, 9.0).map(|hit| hit.id), Some(first));
    let mut hits = Vec::new();
    set.within(DVec3::ZERO, 9.0, &mut hits);
    assert_eq!(hits.iter().map(|hit| hit.id).collect::<Vec<_>>(), [first, second]);
    // F26: both answers are there, so a force need not jump from one to the other.
    assert_eq!(hits[0].normal, -hits[1].normal);
}

#[test]
fn a_corner_of_a_connected_wall_counts_once() {
    let corner = vec![DVec3::new(0.0, 5.0, 0.0), DVec3::ZERO, DVec3::new(5.0, 0.0, 0.0)];
    let mut set = Obstacles::new();
    set.insert("door frame", Shape::Polyline { points: corner }).expect("valid");
    let mut hits = Vec::new();
    set.within(DVec3::new(-0.3, -0.4, 0.0), 2.0, &mut hits);
    assert_eq!(hits.len(), 1);
    assert!((hits[0].distance - 0.5).abs() < 1e-12);
    // In the fork of the corner both segments are equally near.
    set.within(DVec3::new(1.0, 1.0, 0.0), 2.0, &mut hits);
    assert_eq!(hits.len(), 1);
}

#[test]
fn a_long_polyline_over_many_chunks_counts_once() {
    let points = (0..200).map(|i| DVec3::new(f64::from(i) * 0.1, f64::from(i % 2) * 0.01, 0.0)).collect();
    let mut set = Obstacles::new();
    set.insert("fence", Shape::Polyline { points }).expect("valid");
    let mut hits = Vec::new();
    set.within(DVec3::new(10.0, 1.0, 0.0), 50.0, &mut hits);
    assert_eq!(hits.len(), 1);
}

#[test]
fn normals_exist_where_there_is_no_direction() {
    let mut set = Obstacles::new();
    let at = DVec3::new(3.0, -2.0, 0.0);
    let ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)].map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
    let shapes = [
        Shape::Disc { at, radius: 1.0 },
        Shape::Sphere { at, radius: 1.0 },
        Shape::Box { min: at - DVec3::ONE, max: at + DVec3::ONE },
        Shape::Wall { from: at - DVec3::X, to: at + DVec3::X },
        Shape::Polygon { points: ring.clone(), holes: Vec::new() },
    ];
    for shape in shapes {
        let id = set.insert("", shape).expect("valid");
        for point in [at, DVec3::new(4.0, 2.0, 0.0), DVec3::new(4.0, 4.0, 0.0), at + DVec3::X] {
            let hit = set.measure(id, point).expect("finite");
            assert_sound(&hit, point);
        }
    }
    // On the rim of a solid the normal points out.
    let rim = set.nearest(DVec3::new(4.0, 2.0, 0.0), 0.1).expect("on the rim");
    assert_eq!((rim.normal, rim.distance), (DVec3::X, 0.0));
    // Inside it points out by the nearest edge.
    let inside = set.nearest(DVec3::new(2.0, 3.5, 0.0), 0.1).expect("inside");
    assert_eq!((inside.normal, inside.distance), (DVec3::Y, -0.5));
}

#[test]
fn a_hole_is_free_whatever_the_windings() {
    let square =
        |half: f64| [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let turned = |points: [DVec3; 4], backward: bool| {
        let mut points = points.to_vec();
        if backward {
            points.reverse();
        }
        points
    };
    for (outer, hole) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut set = Obstacles::new();
        let shape = Shape::Polygon { points: turned(square(5.0), outer), holes: vec![turned(square(3.0), hole)] };
        let id = set.insert("room", shape).expect("valid");
        let hit = set.nearest(DVec3::new(2.0, 0.0, 0.0), 9.0).expect("near the wall of the room");
        assert_eq!((hit.distance, hit.normal), (1.0, -DVec3::X));
        assert_eq!(set.contains(DVec3::ZERO), None);
        assert_eq!(set.contains(DVec3::new(4.0, 0.0, 0.0)), Some(id));
        let hit = set.nearest(DVec3::new(3.25, 0.0, 0.0), 9.0).expect("in the wall");
        assert_eq!((hit.distance, hit.normal), (-0.25, -DVec3::X));
    }
}

#[test]
fn an_empty_set_answers_everything() {
    let set = Obstacles::new();
    let mut hits = Vec::new();
    set.within(DVec3::ZERO, f64::INFINITY, &mut hits);
    assert!(hits.is_empty());
    assert_eq!(set.nearest(DVec3::ZERO, f64::INFINITY), None);
    assert_eq!(set.clearance(DVec3::ZERO), f64::INFINITY);
    assert_eq!(set.contains(DVec3::ZERO), None);
    assert!(set.sees(DVec3::ZERO, DVec3::ONE));
    assert_eq!(set.sweep(DVec3::ZERO, DVec3::ONE, 1.0), None);
}

#[test]
fn flat_shapes_ignore_the_height() {
    let mut set = Obstacles::new();
    let id = set.insert("pillar", Shape::Disc { at: DVec3::ZERO, radius: 1.0 }).expect("valid");
    let hit = set.nearest(DVec3::new(3.0, 0.0, 80.0), 5.0).expect("a prism");
    assert_eq!((hit.id, hit.distance, hit.point), (id, 2.0, DVec3::new(1.0, 0.0, 80.0)));
    set.insert("ball", Shape::Sphere { at: DVec3::new(9.0, 0.0, 0.0), radius: 1.0 }).expect("valid");
    assert_eq!(set.contains(DVec3::new(9.0, 0.0, 1.5)), None);
}
