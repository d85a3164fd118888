//! Metrics against their definitions and the values of the reference.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use swarmyard::formation::{Pose, slots};
use swarmyard::measure::{
    GroupSample, GroupView, Measurer, Metric, MetricSet, Values, circular_mean, circular_sd, closest_approach, fit,
};

fn near(is: f64, ought: f64, within: f64, what: &str) {
    assert!((is - ought).abs() <= within, "{what}: {is} instead of {ought}");
}

fn all(sample: &GroupSample) -> Values {
    let mut values = Values::default();
    Measurer::default().measure(&sample.view(), MetricSet::ALL, &mut values);
    values
}

fn get(values: &Values, metric: Metric) -> f64 {
    values.get(metric).unwrap_or_else(|| panic!("{} is missing", metric.id()))
}

/// A group on the places of a formation, each agent moved by `error` and turned by `turn`.
fn on_places(name: &str, n: usize, error: impl Fn(usize) -> (DVec3, f64)) -> GroupSample {
    let places = slots(name, &[], n).expect("a formation of defaults");
    let mut sample = GroupSample::default();
    sample.clear(None);
    for (i, place) in places.places.iter().enumerate() {
        let (off, turn) = error(i);
        sample.push(place.position + off, DVec3::X, place.heading + turn, 0.2, Some(i));
    }
    sample.set_slots(places.places.iter().map(|place| (place.position, place.heading)), places.closed);
    sample
}

/// A repeatable stream of numbers in [0, 1).
fn luck(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn ids_are_unique_and_those_of_the_contract() {
    let ids: Vec<&str> = Metric::ALL.iter().map(|metric| metric.id()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len());
    for id in [
        "slot_error",
        "slot_error_max",
        "spacing_error",
        "spacing_error_max",
        "cross_track_max",
        "along_track_max",
        "heading_error_max",
        "heading_sd",
    ] {
        assert!(Metric::parse(id).is_some(), "{id}");
    }
    for metric in Metric::ALL {
        assert_eq!(Metric::parse(metric.id()), Some(*metric));
        assert!(!metric.info().about.is_empty() && !metric.info().source.is_empty());
    }
    assert_eq!(MetricSet::ALL.iter().count(), Metric::COUNT);
}

#[test]
fn on_their_places_all_errors_are_zero() {
    for name in ["line", "spiral", "s_wave", "circle", "v", "grid"] {
        let values = all(&on_places(name, 12, |_| (DVec3::ZERO, 0.0)));
        use Metric::{CrossTrackMax, HeadingErrorMax, HeadingSd, ShapeError, SlotErrorMax, SpacingErrorMax};
        for metric in [SlotErrorMax, SpacingErrorMax, CrossTrackMax, HeadingErrorMax, HeadingSd, ShapeError] {
            near(get(&values, metric), 0.0, 1e-7, metric.id());
        }
    }
}

#[test]
fn errors_along_and_across_the_track_are_told_apart() {
    let values = all(&on_places("line", 4, |i| (DVec3::new(0.1 * i as f64, -0.02, 0.0), 0.0)));
    near(get(&values, Metric::CrossTrackMax), 0.02, 1e-12, "cross");
    near(get(&values, Metric::AlongTrackMax), 0.3, 1e-12, "along");
    near(get(&values, Metric::SpacingErrorMax), 0.1, 1e-12, "gap");
    near(get(&values, Metric::SpacingError), 0.1, 1e-12, "mean gap");
    let errors: Vec<f64> = (0..4).map(|i| (0.1 * f64::from(i)).hypot(0.02)).collect();
    near(get(&values, Metric::SlotError), errors.iter().sum::<f64>() / 4.0, 1e-12, "mean");
    near(get(&values, Metric::SlotErrorMax), errors[3], 1e-12, "max");
    near(get(&values, Metric::SlotErrorRms), (errors.iter().map(|e| e * e).sum::<f64>() / 4.0).sqrt(), 1e-12, "rms");
    let row = all(&on_places("row", 4, |_| (DVec3::new(0.0, 0.07, 0.0), 0.0)));
    near(get(&row, Metric::AlongTrackMax), 0.07, 1e-12, "ahead of a row");
}

#[test]
fn gaps_are_judged_against_the_places_own_gaps() {
    // On the wave the straight gaps are up to 8 cm short of the spacing; that is no error.
    let wave = all(&on_places("s_wave", 20, |_| (DVec3::ZERO, 0.0)));
    near(get(&wave, Metric::SpacingErrorMax), 0.0, 1e-12, "wave");
    // Moving all alike changes no gap.
    let moved = all(&on_places("s_wave", 20, |_| (DVec3::new(3.0, 1.0, 0.0), 0.0)));
    near(get(&moved, Metric::SpacingErrorMax), 0.0, 1e-12, "moved");
    near(get(&moved, Metric::ShapeError), 0.0, 1e-9, "shape");
}

#[test]
fn a_closed_formation_has_a_gap_between_last_and_first() {
    let ring = on_places("circle", 6, |i| (if i == 0 { DVec3::new(0.5, 0.0, 0.0) } else { DVec3::ZERO }, 0.0));
    let values = all(&ring);
    // Two of six gaps are wrong, by the same amount.
    let (most, mean) = (get(&values, Metric::SpacingErrorMax), get(&values, Metric::SpacingError));
    near(mean, most / 3.0, 1e-12, "two of six");
}

#[test]
fn the_order_of_gaps_is_that_of_places_not_of_agents() {
    let places = slots("line", &[], 5).expect("five");
    let mut sample = GroupSample::default();
    sample.clear(None);
    for slot in [3, 0, 4, 1, 2] {
        sample.push(places.places[slot].position, DVec3::ZERO, 0.0, 0.2, Some(slot));
    }
    sample.push(DVec3::splat(50.0), DVec3::ZERO, 2.0, 0.2, None);
    sample.set_slots(places.places.iter().map(|place| (place.position, place.heading)), false);
    let values = all(&sample);
    near(get(&values, Metric::SpacingErrorMax), 0.0, 1e-12, "gaps");
    near(get(&values, Metric::SlotErrorMax), 0.0, 1e-12, "the one without a place does not count");
}

#[test]
fn circular_statistics_are_those_of_the_reference() {
    let angles = [178.0_f64, 179.0, -179.0, -178.0, 180.0].map(f64::to_radians);
    near(circular_sd(angles).expect("five").to_degrees(), 1.414260236613, 1e-9, "circular sd");
    near(circular_mean(angles).expect("five").abs(), PI, 1e-12, "mean");
    near(circular_sd([0.3]).expect("one"), 0.0, 1e-7, "one");
    assert_eq!(circular_sd([]), None);
    assert!(circular_sd([0.0, PI]).is_some_and(f64::is_finite));
    assert_eq!(circular_mean([0.0, PI]), None);
    // 3 degrees are R = 0.9986301607: two angles at ± acos R.
    let half = 0.9986301607_f64.acos();
    near(circular_sd([half, -half]).expect("two").to_degrees(), 3.0, 1e-6, "three degrees");
}

#[test]
fn heading_errors_pass_the_wrap() {
    let values = all(&on_places("circle", 9, |i| (DVec3::ZERO, if i % 2 == 0 { 0.1 } else { -0.05 } + TAU)));
    near(get(&values, Metric::HeadingErrorMax), 0.1, 1e-12, "max");
    near(get(&values, Metric::HeadingError), (5.0 * 0.1 + 4.0 * 0.05) / 9.0, 1e-12, "mean");
    let offset = all(&on_places("spiral", 9, |_| (DVec3::ZERO, 0.4)));
    near(get(&offset, Metric::HeadingSd), 0.0, 1e-7, "all alike have no spread");
    near(get(&offset, Metric::HeadingErrorMax), 0.4, 1e-12, "but an error");
}

#[test]
fn shape_error_forgets_turn_and_move() {
    let places = slots("s_wave", &[], 15).expect("fifteen");
    let pose = Pose { at: DVec3::new(4.0, -2.0, 0.0), turn: 0.297516561397 };
    let moved = places.clone().posed(pose);
    let pairs = places.places.iter().zip(&moved.places).map(|(q, p)| (q.position, p.position));
    let found = fit(pairs).expect("fifteen pairs");
    near(found.angle, 0.297516561397, 1e-12, "angle");
    near(found.translation.distance(pose.at), 0.0, 1e-9, "move");
    near(found.rms, 0.0, 1e-9, "rest");
    assert_eq!(fit(std::iter::empty()), None);
    // One of two points off by 0.2 along their line: each ends 0.1 off.
    let two = [(DVec3::ZERO, DVec3::ZERO), (DVec3::X, DVec3::X * 1.2)];
    near(fit(two.into_iter()).expect("two").rms, 0.1, 1e-12, "stretched");
}

#[test]
fn flock_metrics_have_their_known_values() {
    let ring = |turned: f64| {
        let mut sample = GroupSample::default();
        sample.clear(None);
        for i in 0..40 {
            let angle = TAU * f64::from(i) / 40.0;
            let way = DVec3::new((angle + turned).cos(), (angle + turned).sin(), 0.0);
            sample.push(DVec3::new(7.0 * angle.cos(), 7.0 * angle.sin(), 0.0), way * 1.5, angle, 0.1, None);
        }
        all(&sample)
    };
    let mill = ring(FRAC_PI_2);
    near(get(&mill, Metric::Polarization), 0.0, 1e-12, "a mill goes nowhere");
    near(get(&mill, Metric::Rotation), 1.0, 1e-12, "a mill");
    near(get(&mill, Metric::Extension), 7.0, 1e-12, "extension");
    near(get(&mill, Metric::Speed), 1.5, 1e-12, "speed");
    near(get(&ring(0.0), Metric::Rotation), 0.0, 1e-12, "an explosion");
    near(get(&mill, Metric::NearestNeighbor), 14.0 * (PI / 40.0).sin(), 1e-12, "nearest");
    let alike = all(&on_places("grid", 12, |_| (DVec3::ZERO, 0.0)));
    near(get(&alike, Metric::Polarization), 1.0, 1e-12, "all the same way");
}

#[test]
fn polarization_of_random_headings_is_that_of_chance() {
    // √(π/(4N)) = 0.0886 for N = 100.
    let mut state = 5;
    let mut sum = 0.0;
    for _ in 0..400 {
        let mut sample = GroupSample::default();
        sample.clear(None);
        for _ in 0..100 {
            let angle = TAU * luck(&mut state);
            sample.push(DVec3::ZERO, DVec3::new(angle.cos(), angle.sin(), 0.0), 0.0, 0.1, None);
        }
        sum += get(&all(&sample), Metric::Polarization);
    }
    near(sum / 400.0, 0.0886, 0.006, "random");
}

#[test]
fn pairs_equal_brute_force_in_open_and_wrapped_worlds() {
    let mut state = 9;
    for extent in
        [None, Some(DVec3::new(20.0, 12.0, 0.0)), Some(DVec3::new(6.0, 0.0, 0.0)), Some(DVec3::new(0.0, 12.0, 0.0))]
    {
        for n in [2, 3, 10, 120] {
            let mut sample = GroupSample::default();
            sample.clear(extent);
            for _ in 0..n {
                let p = DVec3::new(luck(&mut state) * 20.0 - 10.0, luck(&mut state) * 12.0 - 6.0, 0.0);
                sample.push(p, DVec3::ZERO, 0.0, 0.1 + 0.4 * luck(&mut state), None);
            }
            let values = all(&sample);
            let view = sample.view();
            let (mut least, mut overlaps, mut nearest) = (f64::INFINITY, 0_usize, vec![f64::INFINITY; n]);
            for i in 0..n {
                for j in i + 1..n {
                    let apart = view.offset(view.positions[i], view.positions[j]).length();
                    least = least.min(apart);
                    nearest[i] = nearest[i].min(apart);
                    nearest[j] = nearest[j].min(apart);
                    overlaps += usize::from(apart < view.radii[i] + view.radii[j]);
                }
            }
            near(get(&values, Metric::MinSeparation), least, 1e-12, "least");
            near(get(&values, Metric::NearestNeighbor), nearest.iter().sum::<f64>() / n as f64, 1e-9, "nearest");
            near(get(&values, Metric::Collisions), overlaps as f64, 0.0, "overlaps");
        }
    }
}

#[test]
fn a_group_across_the_edge_of_a_wrapped_world_is_whole() {
    let extent = Some(DVec3::new(10.0, 10.0, 0.0));
    let mut sample = GroupSample::default();
    sample.clear(extent);
    sample.push(DVec3::new(9.9, 5.0, 0.0), DVec3::X, 0.0, 0.2, Some(0));
    sample.push(DVec3::new(0.3, 5.0, 0.0), DVec3::X, 0.0, 0.2, Some(1));
    sample.set_slots([(DVec3::new(-0.1, 5.0, 0.0), 0.0), (DVec3::new(10.1, 5.0, 0.0), 0.0)], false);
    let values = all(&sample);
    near(get(&values, Metric::SlotErrorMax), 0.2, 1e-12, "through the edge");
    near(get(&values, Metric::Extension), 0.2, 1e-12, "extension");
    near(get(&values, Metric::SpacingErrorMax), 0.2, 1e-12, "gap");
}

#[test]
fn nobody_nothing_and_nan_are_gaps() {
    let nobody = all(&GroupSample::default());
    for (metric, value) in nobody.iter().filter(|(metric, _)| *metric != Metric::Count) {
        assert_eq!(value, None, "{}", metric.id());
    }
    assert_eq!(nobody.get(Metric::Count), Some(0.0));
    let alone = all(&on_places("line", 1, |_| (DVec3::ZERO, 0.0)));
    assert_eq!(alone.get(Metric::SpacingErrorMax), None);
    assert_eq!(alone.get(Metric::MinSeparation), None);
    assert_eq!(alone.get(Metric::SlotError), Some(0.0));
    let lost = all(&on_places("line", 5, |i| (if i == 2 { DVec3::NAN } else { DVec3::ZERO }, 0.0)));
    for metric in [Metric::SlotErrorMax, Metric::SlotError, Metric::SpacingErrorMax, Metric::ShapeError] {
        assert_eq!(lost.get(metric), None, "a NaN must not hide: {}", metric.id());
    }
    let mut unplaced = GroupSample::default();
    unplaced.clear(None);
    unplaced.push(DVec3::ZERO, DVec3::ZERO, 0.0, 0.1, None);
    let values = all(&unplaced);
    assert_eq!((values.get(Metric::SlotError), values.get(Metric::Polarization)), (None, None));
    let mut ragged = Values::default();
    let view = GroupView { positions: &[DVec3::ZERO, DVec3::X], ..GroupView::default() };
    Measurer::default().measure(&view, MetricSet::ALL, &mut ragged);
    assert_eq!((ragged.get(Metric::Speed), ragged.get(Metric::MinSeparation)), (None, None));
}

#[test]
fn only_what_is_wanted_is_given() {
    let sample = on_places("line", 5, |_| (DVec3::ZERO, 0.0));
    let mut values = Values::default();
    let wanted = MetricSet::EMPTY.with(Metric::SpacingErrorMax);
    Measurer::default().measure(&sample.view(), wanted, &mut values);
    assert_eq!(values.iter().filter(|(_, value)| value.is_some()).count(), 1);
}

#[test]
fn two_who_pass_within_a_step_are_seen() {
    // 1 m apart, meeting at 20 m/s with 0.1 m to the side: at both ends of the step they are far.
    near(closest_approach(DVec3::new(1.0, 0.1, 0.0), DVec3::new(-20.0, 0.0, 0.0), 0.1), 0.1, 1e-12, "passing");
    near(closest_approach(DVec3::new(1.0, 0.0, 0.0), DVec3::new(20.0, 0.0, 0.0), 0.1), 1.0, 1e-12, "parting");
    near(closest_approach(DVec3::X, DVec3::ZERO, 0.1), 1.0, 1e-12, "at rest");
}

fn group(positions: impl Iterator<Item = DVec3>, extent: Option<DVec3>) -> GroupSample {
    let mut sample = GroupSample::default();
    sample.clear(extent);
    for position in positions {
        sample.push(position, DVec3::X, 0.0, 0.1, None);
    }
    sample
}

/// A square lattice of `n` by `n`, a meter apart, from `from` on.
fn lattice(n: usize, from: DVec3) -> impl Iterator<Item = DVec3> {
    (0..n * n).map(move |i| from + DVec3::new((i % n) as f64, (i / n) as f64, 0.0))
}

#[test]
fn groups_are_connected_components_and_a_lattice_has_no_deviation() {
    let one = all(&group(lattice(5, DVec3::ZERO), None));
    near(get(&one, Metric::Groups), 1.0, 0.0, "groups");
    near(get(&one, Metric::LatticeDeviation), 0.0, 1e-12, "links of a meter; diagonals are beyond the first ring");
    let two = all(&group(lattice(5, DVec3::ZERO).chain(lattice(3, DVec3::X * 20.0)), None));
    near(get(&two, Metric::Groups), 2.0, 0.0, "groups");
    near(get(&two, Metric::LargestGroup), 25.0 / 34.0, 1e-12, "largest");
    let mut state = 5;
    let shaken = lattice(5, DVec3::ZERO).map(|p| p + DVec3::new(luck(&mut state), luck(&mut state), 0.0) * 0.3);
    let shaken: Vec<DVec3> = shaken.collect();
    assert!(get(&all(&group(shaken.into_iter(), None)), Metric::LatticeDeviation) > 1e-3);
}

#[test]
fn groups_hang_together_across_the_seam_of_a_wrapped_world() {
    let halves = || lattice(3, DVec3::new(-2.4, 0.0, 0.0)).chain(lattice(3, DVec3::new(17.0, 0.0, 0.0)));
    let size = Some(DVec3::new(20.0, 20.0, 0.0));
    near(get(&all(&group(halves(), size)), Metric::Groups), 1.0, 0.0, "wrapped: 17.6 and 19 are neighbors of 17");
    near(get(&all(&group(halves(), None)), Metric::Groups), 2.0, 0.0, "open");
}

/// In a world narrower than two links the sweep once met a pair from both sides and counted it twice.
#[test]
fn links_of_a_narrow_wrapped_world_count_once() {
    let mut state = 17;
    for width in [1.5, 2.2, 4.0, 9.0, 30.0] {
        let size = DVec3::new(width, 12.0, 0.0);
        for n in [2, 3, 8, 40] {
            let points: Vec<DVec3> =
                (0..n).map(|_| DVec3::new(luck(&mut state) * width, luck(&mut state) * 12.0, 0.0)).collect();
            let values = all(&group(points.iter().copied(), Some(size)));
            let Some(spacing) = values.get(Metric::NearestNeighbor) else { panic!("{n} have neighbors") };
            let (mut links, mut sum) = (0.0, 0.0);
            for a in 0..n {
                for b in 0..a {
                    let mut way = points[b] - points[a];
                    way -= DVec3::new(width * (way.x / width).round(), 12.0 * (way.y / 12.0).round(), 0.0);
                    if way.length() <= 1.4 * spacing {
                        links += 1.0;
                        sum += (way.length() - spacing).powi(2);
                    }
                }
            }
            let wanted = sum / ((links + 1.0) * spacing * spacing);
            near(get(&values, Metric::LatticeDeviation), wanted, 1e-12, &format!("width {width}, {n} agents"));
        }
    }
}

#[test]
fn groups_agree_with_all_pairs_whatever_the_cloud() {
    let mut state = 11;
    for n in [1, 2, 3, 17, 60] {
        let points: Vec<DVec3> =
            (0..n).map(|_| DVec3::new(luck(&mut state) * 12.0, luck(&mut state) * 12.0, 0.0)).collect();
        let values = all(&group(points.iter().copied(), None));
        let Some(spacing) = values.get(Metric::NearestNeighbor) else { continue };
        let mut label: Vec<usize> = (0..n).collect();
        for _ in 0..n {
            for a in 0..n {
                for b in 0..n {
                    if points[a].distance(points[b]) <= 2.5 * spacing {
                        label[a] = label[a].min(label[b]);
                    }
                }
            }
        }
        label.sort_unstable();
        label.dedup();
        near(get(&values, Metric::Groups), label.len() as f64, 0.0, "groups");
    }
}

#[test]
fn elongation_is_the_ratio_of_the_variances_and_mismatch_the_energy_of_the_rest() {
    let long = lattice(5, DVec3::ZERO).map(|p| DVec3::new(3.0 * p.x, p.y, 0.0));
    near(get(&all(&group(long, None)), Metric::Elongation), 9.0, 1e-9, "three times as long");
    near(get(&all(&group(lattice(4, DVec3::ZERO), None)), Metric::Elongation), 1.0, 1e-9, "square");
    let line = (0..5).map(|i| DVec3::X * f64::from(i));
    assert_eq!(all(&group(line, None)).get(Metric::Elongation), None, "a line has no breadth");
    let mut sample = GroupSample::default();
    sample.clear(None);
    sample.push(DVec3::ZERO, DVec3::X, 0.0, 0.1, None);
    sample.push(DVec3::Y, -DVec3::X, 0.0, 0.1, None);
    near(get(&all(&sample), Metric::VelocityMismatch), 0.5, 1e-12, "½·1");
}
