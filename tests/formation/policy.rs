//! Capacity, overflow, and parameters that make no sense.

use super::tools::{made, near, near_point, points, refused, set, with};
use swarmyard::formation::{FormationError, NATIVES, Value, find, slots};

#[test]
fn too_many_for_an_arc_says_how_many_fit_and_what_to_try() {
    let error = refused("arc", &[], 21);
    assert!(matches!(error, FormationError::Capacity { asked: 21, capacity: 20, .. }), "{error:?}");
    let text = error.to_string();
    for part in ["21", "20", "0.8", "shrink", "rows"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn shrinking_fits_exactly_from_end_to_end() {
    for (measure, n) in [("arc", 40), ("chord", 40), ("arc", 21), ("chord", 2000)] {
        let slots = made("arc", &with(&[], &[("overflow", "shrink"), ("measure", measure)]), n);
        assert_eq!(slots.len(), n);
        near_point(slots.places[0].position, 5.0, 0.0, 1e-9, "first");
        near_point(slots.places[n - 1].position, -5.0, 0.0, 1e-9, "last");
        let gaps: Vec<f64> = points(&slots).windows(2).map(|p| p[0].distance(p[1])).collect();
        assert!(gaps.iter().all(|gap| (gap - gaps[0]).abs() < 1e-9));
        assert!(slots.spacing < 0.8);
        assert_eq!(slots.capacity, Some(20));
    }
}

#[test]
fn rows_are_concentric_and_one_spacing_apart() {
    let slots = made("arc", &with(&[], &[("overflow", "rows")]), 50);
    assert_eq!(slots.len(), 50);
    assert_eq!(slots.rows, 3);
    let radius = |i: usize| slots.places[i].position.length();
    near(radius(19), 5.0, 1e-9, "first row");
    near(radius(20), 5.8, 1e-9, "second row");
    // ⌊5.8 π / 0.8⌋ + 1 = 23 places in the second row.
    near(radius(42), 5.8, 1e-9, "end of the second row");
    near(radius(43), 6.6, 1e-9, "third row");
    let gap = slots.places[20].position.distance(slots.places[21].position);
    near(gap, 2.0 * 5.8 * (0.4_f64 / 5.8).sin(), 1e-9, "spacing in the second row");
}

#[test]
fn a_full_turn_leaves_room_between_last_and_first() {
    let turn = [("end_angle", std::f64::consts::TAU)];
    for measure in ["arc", "chord"] {
        // ⌊2πR/d⌋ = 39 for R 5, d 0.8; straight steps of 0.160171 rad make it 39 too.
        assert_eq!(made("arc", &with(&turn, &[("measure", measure)]), 39).len(), 39);
        assert!(matches!(
            refused("arc", &with(&turn, &[("measure", measure)]), 40),
            FormationError::Capacity { capacity: 39, .. }
        ));
    }
    let shrunk = made("arc", &with(&turn, &[("overflow", "shrink")]), 100);
    let (first, last) = (shrunk.places[0].position, shrunk.places[99].position);
    near(first.distance(last), shrunk.places[1].position.distance(first), 1e-9, "the ring closes evenly");
}

#[test]
fn an_inward_spiral_and_a_still_one_have_their_capacity() {
    let inward = set(&[("growth_rate", -0.5), ("initial_radius", 2.0)]);
    let FormationError::Capacity { capacity, length, .. } = refused("spiral", &inward, 100) else {
        panic!("an inward spiral ends");
    };
    assert_eq!(capacity, (length / 0.7).floor() as usize + 1);
    let shrunk = made("spiral", &[inward.clone(), with(&[], &[("overflow", "shrink")])].concat(), 100);
    near_point(shrunk.places[99].position, 0.0, 0.0, 1e-9, "the last one stands in the middle");
    let rows = made("spiral", &[inward, with(&[], &[("overflow", "rows")])].concat(), 40);
    assert!(rows.len() == 40 && rows.rows > 1);
    let still = set(&[("growth_rate", 0.0), ("initial_radius", 0.0)]);
    assert!(matches!(refused("spiral", &still, 2), FormationError::Capacity { capacity: 1, .. }));
    assert_eq!(made("spiral", &still, 1).len(), 1);
}

#[test]
fn rings_are_added_outside_a_circle_that_is_full() {
    let params = with(&[("radius", 2.0), ("spacing", 1.0)], &[("overflow", "rows")]);
    let slots = made("circle", &params, 40);
    assert_eq!(slots.rows, 3);
    near(slots.places[12].position.length(), 3.0, 1e-9, "second ring");
    near(slots.places[39].position.length(), 4.0, 1e-9, "third ring");
    assert_eq!(made("circle", &params, 12).rows, 1);
}

#[test]
fn values_without_meaning_are_refused_by_name() {
    for native in NATIVES {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = refused(native.name, &set(&[("spacing", bad)]), 5);
            assert!(error.to_string().contains("spacing"), "{error}");
        }
        assert!(matches!(refused(native.name, &[], 1_000_001), FormationError::TooMany { .. }));
        assert!(matches!(refused(native.name, &set(&[("spacin", 1.0)]), 5), FormationError::UnknownParam { .. }));
    }
    for (name, param, bad) in [
        ("arc", "radius", 0.0),
        ("arc", "start_angle", f64::NAN),
        ("circle", "radius", -1.0),
        ("grid", "columns", 0.0),
        ("grid", "columns", 2.5),
        ("spiral", "initial_radius", -0.1),
        ("s_wave", "wavelength", 0.0),
        ("s_wave", "amplitude", f64::INFINITY),
        ("v", "half_angle", f64::NAN),
    ] {
        let error = refused(name, &set(&[(param, bad)]), 5);
        assert!(matches!(&error, FormationError::BadValue { param: named, .. } if named == param), "{error}");
    }
    assert!(matches!(refused("line", &with(&[], &[("measure", "diagonal")]), 5), FormationError::BadValue { .. }));
    assert!(matches!(refused("line", &with(&[], &[("spacing", "wide")]), 5), FormationError::BadValue { .. }));
    assert!(matches!(refused("line", &set(&[("overflow", 1.0)]), 5), FormationError::BadValue { .. }));
}

#[test]
fn misspelled_names_get_the_nearest_one() {
    assert!(
        matches!(find("spirale"), Err(FormationError::UnknownFormation { near: Some(near), .. }) if near == "spiral")
    );
    let error = slots("spiral", &set(&[("initial_radios", 1.0)]), 3).expect_err("unknown parameter");
    assert!(error.to_string().contains("initial_radius"), "{error}");
}

#[test]
fn the_last_value_of_a_name_wins() {
    let twice: Vec<(String, Value)> = set(&[("spacing", 1.0), ("spacing", 2.0)]);
    near_point(made("line", &twice, 2).places[1].position, 2.0, 0.0, 1e-12, "second value");
}

#[test]
fn a_hundred_thousand_places_and_absurd_waves_end() {
    assert_eq!(made("spiral", &[], 20_000).len(), 20_000);
    let absurd = slots("s_wave", &set(&[("wavelength", 0.01), ("amplitude", 1e-6), ("spacing", 1e6)]), 100);
    assert!(absurd.is_err());
}
