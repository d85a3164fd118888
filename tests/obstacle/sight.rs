//! Line of sight.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::obstacle::{Obstacles, Shape};

use super::brute::{distance, flat, shape, space};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn sight_equals_walking_along_the_line(
        shapes in prop::collection::vec(shape(), 0..8), a in space(), b in space(),
    ) {
        let mut set = Obstacles::new();
        for shape in &shapes {
            set.insert("", shape.clone()).expect("random shapes are valid");
        }
        prop_assert_eq!(set.sees(a, b), set.sees(b, a));
        // Samples along the line: none may be inside when seen; walls are caught by coming very near on both sides.
        let steps = 2000;
        let step = a.distance(b) / f64::from(steps);
        let at = |i: i32| a + (b - a) * (f64::from(i) / f64::from(steps));
        let lowest = |shape: &Shape| (0..=steps).map(|i| distance(shape, at(i))).fold(f64::INFINITY, f64::min);
        let lows: Vec<_> = shapes.iter().map(lowest).collect();
        if lows.iter().any(|low| *low < -1e-9) {
            prop_assert!(!set.sees(a, b), "went through a solid");
        }
        if lows.iter().all(|low| *low > step) {
            prop_assert!(set.sees(a, b), "nothing is near the line");
        }
    }

    #[test]
    fn no_view_slips_through_the_corners_of_a_fence(at in flat(), angle in 0.0..std::f64::consts::TAU) {
        let ring: Vec<_> = (0..24).map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / 24.0;
            at + DVec3::new(angle.cos(), angle.sin(), 0.0) * 5.0
        }).collect();
        let mut fence = ring.clone();
        fence.push(ring[0]);
        let mut set = Obstacles::new();
        set.insert("fence", Shape::Polyline { points: fence }).expect("valid");
        prop_assert!(!set.sees(at, at + DVec3::new(angle.cos(), angle.sin(), 0.0) * 9.0));
        for corner in ring {
            prop_assert!(!set.sees(at, at + (corner - at) * 2.0));
            prop_assert!(set.sees(at, at + (corner - at) * 0.99));
        }
    }
}
