//! What holds for every formation.

use super::tools::{made, near, near_point, points, set, with};
use glam::DVec3;
use proptest::prelude::{ProptestConfig, prop_assert, proptest};
use swarmyard::formation::{NATIVES, ParamKind, Pose, Value};

#[test]
fn zero_one_and_two_places_are_finite_and_counted() {
    for native in NATIVES {
        for measure in ["arc", "chord"] {
            let params =
                if native.param("measure").is_some() { with(&[], &[("measure", measure)]) } else { Vec::new() };
            for n in 0..=2 {
                let slots = made(native.name, &params, n);
                assert_eq!(slots.len(), n, "{}", native.name);
                assert!(slots.length.is_finite());
                assert!(slots.places.iter().all(|place| place.position.is_finite() && place.heading.is_finite()));
            }
        }
    }
}

#[test]
fn the_head_stays_when_the_number_changes() {
    // Centered blocks, circles and spheres that grow with their number are the exception by design.
    for native in NATIVES.iter().filter(|native| !["grid", "circle", "sphere"].contains(&native.name)) {
        let head = made(native.name, &[], 1).places[0];
        for n in [2, 5, 19] {
            assert_eq!(made(native.name, &[], n).places[0], head, "{}", native.name);
        }
    }
}

#[test]
fn every_default_is_one_that_its_table_allows() {
    for native in NATIVES {
        for param in native.params {
            param.check(&param.default()).unwrap_or_else(|error| panic!("{}: {error}", native.name));
            if let ParamKind::Number { default, min, max, .. } = param.kind {
                assert!(min <= default && default <= max, "{}.{}", native.name, param.name);
            }
            assert!(!param.about.is_empty() && !native.about.is_empty());
        }
    }
}

#[test]
fn spiral_without_growth_is_a_circle() {
    let circle = made("spiral", &set(&[("growth_rate", 0.0), ("initial_radius", 2.0)]), 17);
    for (i, place) in circle.places.iter().enumerate() {
        let angle = 0.35 * i as f64;
        near_point(place.position, 2.0 * angle.cos(), 2.0 * angle.sin(), 1e-12, "on the circle");
    }
    let nearly = made("spiral", &set(&[("growth_rate", 1e-10), ("initial_radius", 2.0)]), 17);
    for (a, b) in points(&circle).iter().zip(points(&nearly)) {
        near(a.distance(b), 0.0, 1e-8, "nearly a circle");
    }
}

#[test]
fn wave_without_height_is_a_line() {
    let line = points(&made("line", &[], 30));
    for amplitude in [0.0, 1e-9] {
        let wave = points(&made("s_wave", &set(&[("amplitude", amplitude)]), 30));
        for (a, b) in line.iter().zip(wave) {
            near(a.distance(b), 0.0, 2e-9, "line");
        }
    }
}

#[test]
fn shrinking_spiral_ends_at_its_center() {
    let params = set(&[("growth_rate", -0.15), ("initial_radius", 2.0), ("spacing", 0.5)]);
    let slots = made("spiral", &params, 20);
    let radii: Vec<f64> = points(&slots).iter().map(|p| p.length()).collect();
    assert!(radii.windows(2).all(|pair| pair[1] < pair[0]), "it winds inward: {radii:?}");
}

#[test]
fn a_pose_turns_and_moves_to_the_last_digits() {
    let pose = Pose { at: DVec3::new(12.5, -3.0, 0.0), turn: 2.2 };
    for native in NATIVES {
        let own = made(native.name, &[], 12);
        let posed = own.clone().posed(pose);
        let back = Pose { at: DVec3::ZERO, turn: -2.2 };
        for (a, b) in own.places.iter().zip(&posed.places) {
            near(pose.local(b.position).distance(a.position), 0.0, 1e-12, native.name);
            near(back.place(*b).heading, a.heading, 1e-12, native.name);
        }
    }
    let twice = pose.after(Pose { at: DVec3::new(1.0, 2.0, 0.0), turn: 0.4 });
    let p = DVec3::new(0.3, -0.7, 0.0);
    let inner = Pose { at: DVec3::new(1.0, 2.0, 0.0), turn: 0.4 }.point(p);
    near(twice.point(p).distance(pose.point(inner)), 0.0, 1e-12, "one pose after another");
}

#[test]
fn motion_is_the_change_of_places_over_time() {
    let now = made("circle", &set(&[("radius", 5.0)]), 8);
    let later = now.clone().posed(Pose { at: DVec3::X, turn: 0.01 });
    let mut motion = Vec::new();
    now.motion_to(&later, 0.1, &mut motion);
    assert_eq!(motion.len(), 8);
    near(motion[3].turn_rate, 0.1, 1e-12, "turn rate");
    near(motion[0].velocity.x, 10.0 + (5.0 * 0.01_f64.cos() - 5.0) / 0.1, 1e-9, "velocity");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn steps_of_a_spiral_are_equal(r0 in 0.0..4.0_f64, b in 0.02..1.0_f64, d in 0.2..3.0_f64, n in 2_usize..40) {
        let params = [("initial_radius", r0), ("growth_rate", b), ("spacing", d)];
        let arc = made("spiral", &set(&params), n);
        prop_assert!((arc.length - d * (n - 1) as f64).abs() < 1e-9);
        // L(θ) in closed form, from the angle of each place.
        let length = |theta: f64| {
            let primitive = |u: f64| 0.5 * b * (u * (1.0 + u * u).sqrt() + u.asinh());
            primitive((r0 + b * theta) / b) - primitive(r0 / b)
        };
        for (i, place) in arc.places.iter().enumerate() {
            let theta = (place.position.length() - r0) / b;
            prop_assert!((length(theta) - d * i as f64).abs() < 1e-8, "place {i} at {theta}");
        }
        let chord = made("spiral", &with(&params, &[("measure", "chord")]), n);
        for pair in chord.places.windows(2) {
            prop_assert!((pair[0].position.distance(pair[1].position) - d).abs() < 1e-9);
        }
    }

    #[test]
    fn steps_of_a_wave_are_equal(a in 0.0..8.0_f64, wavelength in 0.5..40.0_f64, d in 0.2..4.0_f64, n in 2_usize..30) {
        let params = [("amplitude", a), ("wavelength", wavelength), ("spacing", d)];
        let chord = made("s_wave", &with(&params, &[("measure", "chord")]), n);
        for pair in chord.places.windows(2) {
            prop_assert!((pair[0].position.distance(pair[1].position) - d).abs() < 1e-9);
        }
        let arc = made("s_wave", &set(&params), n);
        let k = std::f64::consts::TAU / wavelength;
        let speed = |x: f64| (1.0 + (a * k * (k * x).cos()).powi(2)).sqrt();
        for pair in arc.places.windows(2) {
            let (from, to) = (pair[0].position.x, pair[1].position.x);
            let steps = 4000;
            let h = (to - from) / f64::from(steps);
            let sum: f64 = (0..steps).map(|i| speed(from + (f64::from(i) + 0.5) * h)).sum();
            prop_assert!((sum * h - d).abs() < 1e-5 * (1.0 + a), "{} instead of {d}", sum * h);
        }
    }

    #[test]
    fn places_are_no_closer_than_nine_tenths_of_the_spacing(n in 2_usize..60, d in 0.3..3.0_f64) {
        for name in ["line", "column", "row", "circle", "v", "grid"] {
            let slots = made(name, &[("spacing".to_owned(), Value::Number(d))], n);
            let all = points(&slots);
            // On two and three places of a circle the chord is much shorter than its arc.
            let least = if name == "circle" && n < 5 { 0.6 } else { 0.9 };
            for (i, a) in all.iter().enumerate() {
                for b in &all[i + 1..] {
                    prop_assert!(a.distance(*b) > least * d, "{name}: {} of {d}", a.distance(*b));
                }
            }
        }
    }
}

#[test]
fn a_sphere_is_evenly_covered_at_its_spacing_and_a_helix_climbs_evenly() {
    for n in [12, 50, 200, 1000] {
        let sphere = points(&made("sphere", &set(&[("spacing", 2.0)]), n));
        let radius = sphere[0].length();
        assert!(sphere.iter().all(|p| (p.length() - radius).abs() < 1e-9));
        let nearest =
            |a: &DVec3| sphere.iter().filter(|b| *b != a).map(|b| a.distance(*b)).fold(f64::INFINITY, f64::min);
        let least = sphere.iter().map(nearest).fold(f64::INFINITY, f64::min);
        assert!((1.7..2.4).contains(&least), "{n}: {least}");
    }
    let helix = made("helix", &set(&[("radius", 3.0), ("pitch", 2.0), ("spacing", 1.0)]), 40);
    near(helix.length, 39.0, 1e-9, "along the curve");
    let rise = 1.0 * (2.0 / std::f64::consts::TAU) / (9.0 + (2.0 / std::f64::consts::TAU).powi(2)).sqrt();
    for pair in helix.places.windows(2) {
        near(pair[1].position.z - pair[0].position.z, rise, 1e-9, "rise per step");
    }
    let flat = made("helix", &set(&[("pitch", 0.0), ("spacing", 2.0)]), 10);
    near(flat.places[9].position.z, 0.0, 0.0, "no pitch");
}
