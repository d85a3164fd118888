//! Curves known only by their points: those of scripts.

use super::tools::{made, near, points, with};
use glam::DVec3;
use std::f64::consts::TAU;
use swarmyard::formation::{Domain, FormationError, Measure, Overflow, Slots, Spacing, place_source};

/// Places on a curve, and how often it was asked and for how many points.
fn placed(
    curve: impl Fn(f64) -> DVec3,
    domain: Domain,
    spacing: Spacing,
    n: usize,
) -> (Result<Slots, FormationError>, usize, usize) {
    let (mut calls, mut asked) = (0, 0);
    let mut source = |s: &[f64], out: &mut Vec<DVec3>| {
        calls += 1;
        asked += s.len();
        out.extend(s.iter().map(|s| curve(*s)));
        Ok(())
    };
    let result = place_source(&mut source, domain, &spacing, n);
    (result, calls, asked)
}

fn fine(curve: impl Fn(f64) -> DVec3, domain: Domain, spacing: Spacing, n: usize) -> Slots {
    placed(curve, domain, spacing, n).0.unwrap_or_else(|error| panic!("{error}"))
}

fn wave(s: f64) -> DVec3 {
    DVec3::new(s, 2.0 * (TAU * s / 8.0).sin(), 0.0)
}

fn spiral(s: f64) -> DVec3 {
    let r = 1.0 + 0.15 * s;
    DVec3::new(r * s.cos(), r * s.sin(), 0.0)
}

fn ring(s: f64) -> DVec3 {
    DVec3::new(5.0 * s.cos(), 5.0 * s.sin(), 0.0)
}

fn ranged(from: f64, to: f64) -> Domain {
    Domain { range: Some((from, to)), closed: false }
}

fn loop_of(from: f64, to: f64) -> Domain {
    Domain { range: Some((from, to)), closed: true }
}

fn alike(a: &Slots, b: &Slots, within: f64) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.places.iter().zip(&b.places) {
        near(a.position.distance(b.position), 0.0, within, "place");
        near((a.heading - b.heading).sin(), 0.0, within * 10.0, "heading");
    }
    near(a.length, b.length, within * 100.0, "length");
}

#[test]
fn points_alone_give_the_native_places() {
    for measure in [Measure::Arc, Measure::Chord] {
        let words = with(&[], &[("measure", measure.name())]);
        let spacing = |distance| Spacing { distance, measure, overflow: Overflow::Error };
        alike(&fine(spiral, Domain::default(), spacing(0.7), 40), &made("spiral", &words, 40), 1e-9);
        alike(&fine(wave, Domain::default(), spacing(1.2), 60), &made("s_wave", &words, 60), 1e-9);
        alike(&fine(ring, ranged(0.0, TAU / 2.0), spacing(0.8), 19), &made("arc", &words, 19), 1e-9);
        alike(&fine(|s| DVec3::X * s, Domain::default(), spacing(1.2), 20), &made("line", &words, 20), 1e-12);
        let circle = made("circle", &with(&[("radius", 5.0)], &[("measure", measure.name())]), 12);
        alike(&fine(ring, loop_of(0.0, TAU), spacing(1.0), 12), &circle, 1e-9);
    }
}

#[test]
fn a_script_is_asked_few_times() {
    let (result, calls, asked) = placed(wave, Domain::default(), Spacing::arc(1.2), 20);
    assert!(result.is_ok());
    assert!(calls <= 24 && asked <= 1500, "{calls} calls for {asked} points");
    let (result, calls, _) = placed(ring, loop_of(0.0, TAU), Spacing::arc(1.0), 5000);
    assert!(result.is_ok() && calls <= 6, "{calls} calls");
}

#[test]
fn the_unit_of_the_parameter_does_not_matter() {
    let plain = fine(wave, Domain::default(), Spacing::arc(1.2), 20);
    for scale in [1e-6, 1e-3, 7.3, 1e5] {
        let scaled = fine(|s| wave(s / scale), Domain::default(), Spacing::arc(1.2), 20);
        alike(&scaled, &plain, 1e-8);
    }
    // A parameter that starts late, runs backward, or is not proportional to anything.
    alike(&fine(|s| wave(s - 100.0), ranged(100.0, f64::INFINITY), Spacing::arc(1.2), 20), &plain, 1e-8);
    alike(&fine(|s| wave(-s), ranged(0.0, -50.0), Spacing::arc(1.2), 20), &plain, 1e-8);
    alike(&fine(|s| wave(s * s * s + s), Domain::default(), Spacing::arc(1.2), 20), &plain, 1e-8);
}

#[test]
fn single_precision_vectors_are_good_to_a_tenth_of_a_millimeter() {
    let rough = |s: f64| spiral(s).as_vec3().as_dvec3();
    for spacing in [Spacing::arc(0.7), Spacing::chord(0.7)] {
        let exact = fine(spiral, Domain::default(), spacing, 40);
        let (result, _, asked) = placed(rough, Domain::default(), spacing, 40);
        let result = result.unwrap_or_else(|error| panic!("{error}"));
        for (a, b) in exact.places.iter().zip(&result.places) {
            near(a.position.distance(b.position), 0.0, 1e-4, "place");
            near((a.heading - b.heading).sin(), 0.0, 2e-3, "heading");
        }
        assert!(asked < 5000, "{asked} points");
    }
}

#[test]
fn corners_are_found() {
    // A square of side 4, by its way round.
    let square = |s: f64| {
        let s = s.rem_euclid(16.0);
        match (s / 4.0) as u32 {
            0 => DVec3::new(s, 0.0, 0.0),
            1 => DVec3::new(4.0, s - 4.0, 0.0),
            2 => DVec3::new(12.0 - s, 4.0, 0.0),
            _ => DVec3::new(0.0, 16.0 - s, 0.0),
        }
    };
    let slots = fine(square, loop_of(0.0, 16.0), Spacing::arc(1.0), 32);
    near(slots.length, 16.0, 1e-6, "all round");
    for (i, place) in slots.places.iter().enumerate() {
        near(place.position.distance(square(0.5 * i as f64)), 0.0, 1e-6, "on the square");
    }
    let open = fine(square, Domain::default(), Spacing::chord(1.3), 9);
    for pair in points(&open).windows(2) {
        near(pair[0].distance(pair[1]), 1.3, 1e-9, "round the corner");
    }
}

#[test]
fn a_spatial_curve_keeps_its_height() {
    let helix = |s: f64| DVec3::new(3.0 * s.cos(), 3.0 * s.sin(), 0.5 * s);
    let slots = fine(helix, Domain::default(), Spacing::arc(1.0), 30);
    let per_radian = 9.25_f64.sqrt();
    for (i, place) in slots.places.iter().enumerate() {
        near(place.position.z, 0.5 * i as f64 / per_radian, 1e-9, "height");
    }
}

#[test]
fn closed_curves_close_with_equal_straight_gaps() {
    let ellipse = |s: f64| DVec3::new(6.0 * s.cos(), 2.0 * s.sin(), 0.0);
    for n in [3, 4, 7, 20] {
        let slots = fine(ellipse, loop_of(0.0, TAU), Spacing::chord(1.0), n);
        let mut all = points(&slots);
        all.push(all[0]);
        let gaps: Vec<f64> = all.windows(2).map(|p| p[0].distance(p[1])).collect();
        assert!(gaps.iter().all(|gap| (gap - gaps[0]).abs() < 1e-7), "{n}: {gaps:?}");
    }
    for n in 0..3 {
        assert_eq!(fine(ellipse, loop_of(0.0, TAU), Spacing::chord(1.0), n).len(), n);
        assert_eq!(fine(ellipse, loop_of(0.0, TAU), Spacing::arc(1.0), n).len(), n);
    }
}

#[test]
fn a_curve_that_is_not_finite_is_refused_only_where_it_is_needed() {
    // Real up to s = 10 only.
    let half = |s: f64| DVec3::new(s, (10.0 - s).sqrt(), 0.0);
    assert_eq!(fine(half, Domain::default(), Spacing::arc(1.0), 8).len(), 8);
    let error = placed(half, Domain::default(), Spacing::arc(1.0), 40).0.expect_err("beyond its end");
    let FormationError::NotFinite { s } = error else { panic!("{error}") };
    near(s, 10.0, 1e-3, "where it breaks");
    let nowhere = |_: f64| DVec3::splat(f64::NAN);
    for (domain, n) in [(Domain::default(), 1), (Domain::default(), 5), (loop_of(0.0, 1.0), 5), (ranged(0.0, 0.0), 1)] {
        let error = placed(nowhere, domain, Spacing::arc(1.0), n).0.expect_err("nowhere finite");
        assert!(matches!(error, FormationError::NotFinite { .. }), "{error}");
    }
    let hole = |s: f64| if (s - 3.0).abs() < 0.5 { DVec3::NAN } else { ring(s) };
    assert!(placed(hole, loop_of(0.0, TAU), Spacing::arc(1.0), 5).0.is_err());
    let shrink = Spacing { overflow: Overflow::Shrink, ..Spacing::arc(5.0) };
    assert!(placed(hole, ranged(0.0, TAU), shrink, 50).0.is_err(), "a fault is not made to fit");
}

#[test]
fn a_curve_that_stands_still_or_converges_has_a_capacity() {
    let still = |_: f64| DVec3::ONE;
    assert_eq!(fine(still, Domain::default(), Spacing::arc(1.0), 1).len(), 1);
    let error = placed(still, Domain::default(), Spacing::arc(1.0), 2).0.expect_err("no second place");
    assert!(matches!(error, FormationError::Capacity { capacity: 1, .. }), "{error}");
    let fading = |s: f64| DVec3::X * 10.0 * (1.0 - (-s).exp());
    assert_eq!(fine(fading, Domain::default(), Spacing::arc(1.0), 9).len(), 9);
    let error = placed(fading, Domain::default(), Spacing::arc(1.0), 30).0.expect_err("ten meters");
    assert!(matches!(error, FormationError::Capacity { capacity: 10 | 11, .. }), "{error}");
    assert!(error.to_string().contains("stands still"), "{error}");
}

#[test]
fn a_curve_that_is_noise_is_an_error_not_a_hang() {
    let noise = |s: f64| DVec3::new(s, (s * 1e9).sin() * 3.0, 0.0);
    let error = placed(noise, ranged(0.0, 1000.0), Spacing::arc(1.0), 50).0.expect_err("noise");
    assert!(error.to_string().contains("smooth"), "{error}");
    let tight = |s: f64| DVec3::new(0.1 * s.cos(), 0.1 * s.sin(), 0.0);
    assert!(
        placed(tight, Domain::default(), Spacing::chord(1.0), 3).0.is_err(),
        "no straight meter on a ring of 20 cm"
    );
}

#[test]
fn bad_ranges_and_answers_are_named() {
    for range in [(f64::NAN, 1.0), (0.0, f64::NAN), (f64::NEG_INFINITY, 0.0)] {
        let domain = Domain { range: Some(range), closed: false };
        assert!(matches!(placed(ring, domain, Spacing::arc(1.0), 3).0, Err(FormationError::Curve(_))));
    }
    let endless = Domain { range: None, closed: true };
    let error = placed(ring, endless, Spacing::arc(1.0), 3).0.expect_err("a loop without range");
    assert!(error.to_string().contains("range"), "{error}");
    let mut short = |_: &[f64], out: &mut Vec<DVec3>| {
        out.push(DVec3::ZERO);
        Ok(())
    };
    assert!(matches!(
        place_source(&mut short, Domain::default(), &Spacing::arc(1.0), 3),
        Err(FormationError::Curve(_))
    ));
    let mut faulty = |_: &[f64], _: &mut Vec<DVec3>| Err("wave.luau:3: nil".to_owned());
    assert_eq!(
        place_source(&mut faulty, Domain::default(), &Spacing::arc(1.0), 3),
        Err(FormationError::Source("wave.luau:3: nil".to_owned()))
    );
}

#[test]
fn overflow_policies_hold_for_points_alone() {
    let part = ranged(0.0, TAU / 2.0);
    let shrink = Spacing { overflow: Overflow::Shrink, ..Spacing::arc(0.8) };
    alike(&fine(ring, part, shrink, 50), &made("arc", &with(&[], &[("overflow", "shrink")]), 50), 1e-9);
    let rows = Spacing { overflow: Overflow::Rows, ..Spacing::arc(0.8) };
    alike(&fine(ring, part, rows, 50), &made("arc", &with(&[], &[("overflow", "rows")]), 50), 1e-8);
    assert!(matches!(placed(ring, part, Spacing::arc(0.8), 50).0, Err(FormationError::Capacity { capacity: 20, .. })));
}
