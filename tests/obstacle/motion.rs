//! F23: nothing walks through a wall, however fast and thin.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::obstacle::{CONTACT_GAP, Obstacles, Shape};

use super::brute::{coordinate, distance, flat, shape, space};

const DT: f64 = 1.0 / 60.0;

fn set_of(shapes: &[Shape]) -> Obstacles {
    let mut set = Obstacles::new();
    for shape in shapes {
        set.insert("", shape.clone()).expect("random shapes are valid");
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_sweep_stops_at_the_first_contact(
        shapes in prop::collection::vec(shape(), 1..10), from in space(), to in space(), radius in 0.0..0.5_f64,
    ) {
        let set = set_of(&shapes);
        prop_assume!(set.clearance(from) > radius + 0.01);
        let sweep = set.sweep(from, to, radius);
        let t = sweep.map_or(1.0, |sweep| sweep.t);
        for i in 0..=500 {
            let at = from + (to - from) * (t * f64::from(i) / 500.0);
            let clear = shapes.iter().map(|shape| distance(shape, at)).fold(f64::INFINITY, f64::min);
            prop_assert!(clear > radius, "at {} of {t} the distance is {clear}, radius {radius}", f64::from(i) / 500.0);
        }
        if let Some(sweep) = sweep {
            let stop = from + (to - from) * t;
            let clear = set.measure(sweep.id, stop).map_or(f64::INFINITY, |hit| hit.distance);
            prop_assert!(clear < radius + 2.0 * CONTACT_GAP, "stopped at {clear}, radius {radius}");
            prop_assert!((sweep.normal.length() - 1.0).abs() < 1e-12 && sweep.normal.dot(to - from) < 0.0);
        }
    }

    #[test]
    fn f23_ten_meters_a_second_never_pass_a_thin_wall(
        offset in -4.0..4.0_f64, angle in 0.0..std::f64::consts::TAU, radius in prop_oneof![Just(0.0), 0.0..0.4_f64],
        speed in 0.1..10.0_f64,
    ) {
        // A box of walls; the body bounces about inside for five seconds.
        let corners = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0), (-5.0, -5.0)];
        let points: Vec<_> = corners.iter().map(|(x, y)| DVec3::new(*x, *y, 0.0)).collect();
        let set = set_of(&[Shape::Polyline { points }]);
        let mut at = DVec3::new(offset, -offset * 0.5, 0.0);
        let mut heading = angle;
        for tick in 0..300 {
            let velocity = DVec3::new(heading.cos(), heading.sin(), 0.0) * speed;
            let slide = set.slide(at, at + velocity * DT, radius, velocity);
            at = slide.at;
            heading += 0.01 * f64::from(tick % 7);
            prop_assert!(at.abs().max_element() <= 5.0 - radius, "outside at {at} in tick {tick}");
            prop_assert!(slide.velocity.length() <= velocity.length() * (1.0 + 1e-12));
        }
    }

    #[test]
    fn a_point_in_free_space_never_enters_anything(
        shapes in prop::collection::vec(shape(), 1..10), from in flat(), angle in 0.0..std::f64::consts::TAU,
        radius in 0.01..0.3_f64,
    ) {
        let set = set_of(&shapes);
        prop_assume!(set.clearance(from) > radius + 0.01);
        let mut at = from;
        for tick in 0..120 {
            let turn = angle + 0.05 * f64::from(tick);
            let velocity = DVec3::new(turn.cos(), turn.sin(), 0.0) * 10.0;
            at = set.slide(at, at + velocity * DT, radius, velocity).at;
            let clear = set.clearance(at);
            prop_assert!(clear > radius - 1e-9, "clearance {clear} of {radius} at {at} in tick {tick}");
        }
    }

    #[test]
    fn an_overlapping_body_may_leave(x in coordinate(), y in coordinate(), radius in 0.1..0.5_f64) {
        let set = set_of(&[
            Shape::Disc { at: DVec3::ZERO, radius: 8.0 },
        ]);
        let at = DVec3::new(x, y, 0.0);
        prop_assume!(at.length() < 8.0 && at.length() > 0.1);
        prop_assert_eq!(set.sweep(at, at * 1.5, radius), None, "outward is free");
        prop_assert_eq!(set.sweep(at, at * 0.9, radius).map(|sweep| sweep.t), Some(0.0), "deeper is not");
    }
}

#[test]
fn a_body_dropped_into_a_polygon_may_leave_it() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let set = set_of(&[Shape::Polygon {
        points: vec![p(0.0, 0.0), p(4.0, 0.0), p(4.0, 4.0), p(0.0, 4.0)],
        holes: Vec::new(),
    }]);
    assert_eq!(set.sweep(p(3.5, 2.0), p(6.0, 2.0), 0.3), None);
    assert_eq!(set.sweep(p(3.5, 2.0), p(3.0, 2.0), 0.3).map(|sweep| sweep.t), Some(0.0));
    let hit = set.sweep(p(6.0, 2.0), p(2.0, 2.0), 0.5).expect("comes from outside");
    assert!((hit.t - (1.5 - CONTACT_GAP) / 4.0).abs() < 1e-7 && hit.normal == DVec3::X);
}

#[test]
fn sliding_keeps_the_speed_along_the_wall() {
    let wall = Shape::Wall { from: DVec3::new(-50.0, 0.0, 0.0), to: DVec3::new(50.0, 0.0, 0.0) };
    let set = set_of(&[wall]);
    let velocity = DVec3::new(3.0, -4.0, 0.0);
    let mut at = DVec3::new(0.0, 0.5, 0.0);
    for _ in 0..60 {
        let slide = set.slide(at, at + velocity * DT, 0.4, velocity);
        at = slide.at;
        assert!((slide.velocity.x - 3.0).abs() < 1e-9);
    }
    assert!((at.x - 3.0).abs() < 1e-6 && at.y >= 0.4 && at.y < 0.4 + 2.0 * CONTACT_GAP);
}

#[test]
fn a_corner_stops() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let set = set_of(&[Shape::Polyline { points: vec![p(5.0, 0.0), p(0.0, 0.0), p(0.0, 5.0)] }]);
    let mut at = p(0.6, 0.7);
    for _ in 0..30 {
        let velocity = p(-6.0, -5.0);
        at = set.slide(at, at + velocity * DT, 0.3, velocity).at;
        assert!(at.x >= 0.3 && at.y >= 0.3);
    }
    assert!((at - p(0.3, 0.3)).length() < 1e-4);
}

#[test]
fn two_obstacles_touched_at_once_give_the_lower_id() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let set = set_of(&[Shape::Disc { at: p(5.0, 1.0), radius: 0.5 }, Shape::Disc { at: p(5.0, -1.0), radius: 0.5 }]);
    let sweep = set.sweep(p(0.0, 0.0), p(5.0, 0.0), 0.8).expect("both in the way");
    assert_eq!(sweep.id.slot, 0);
}

/// What goes along a surface goes on, wherever the world is: far from the origin the normal of a corner and the end of a step are
/// rounded by more than the share of a step that counts as going in.
#[test]
fn a_body_slides_round_a_corner_however_far_from_the_origin() {
    let p = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let mut turns = 0.0_f64;
    for origin in [DVec3::ZERO, DVec3::new(1e4, -2e4, 0.0), DVec3::new(4e5, 5.6e6, 0.0), DVec3::new(-1e7, 3e6, 0.0)] {
        let at = |x: f64, y: f64| origin + p(x, y);
        let corner =
            Shape::Polygon { points: vec![at(0.0, 0.0), at(-2.0, 0.0), at(-2.0, -2.0), at(0.0, -2.0)], holes: vec![] };
        for (obstacles, radius) in [
            (set_of(std::slice::from_ref(&corner)), 0.05),
            (set_of(std::slice::from_ref(&corner)), 0.25),
            (set_of(&[corner, Shape::Wall { from: at(0.0, 0.0), to: at(0.0, -1.0) }]), 0.25),
            (set_of(&[Shape::Wall { from: at(-2.0, 0.0), to: at(0.0, 0.0) }]), 0.25),
        ] {
            for step in 1..60 {
                turns += 0.61;
                let angle = f64::from(step) * std::f64::consts::FRAC_PI_2 / 60.0;
                let normal = p(angle.cos(), angle.sin());
                // Along the surface, by all shares of rounding into it and off it.
                for into in [0.0, 1e-15, 1e-13, 1e-11, 1e-10, 1e-9, 1e-8, 1e-4, 0.3] {
                    for side in [-1.0, 1.0] {
                        let way = p(-normal.y, normal.x) * side - normal * into * turns.sin().abs();
                        let from = at(0.0, 0.0) + normal * (radius + CONTACT_GAP);
                        let slide = obstacles.slide(from, from + way * 0.1, radius, way);
                        let came = slide.at.distance(from);
                        assert!(came > 0.09, "{origin}, {radius} m, {angle} rad, {into}: {came} m of 0.1 m");
                        let depth = radius - obstacles.clearance(slide.at);
                        assert!(depth < 1e-7, "{origin}, {radius} m, {angle} rad, {into}: {depth} m deep");
                    }
                }
            }
        }
    }
}
