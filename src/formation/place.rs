//! Places on a curve: spacing, capacity, and what happens when the curve is too short.

use super::curve::Curve;
use super::error::FormationError;
use super::offset;
use super::slots::{Measure, Overflow, Slots, Spacing};
use super::track::Track;
use super::walk::{Walk, headed, walk};

/// The largest number of places a formation may have.
pub const MAX_PLACES: usize = 1_000_000;

/// More rows than this are a curve of no length, not a formation.
const MOST_ROWS: usize = 10_000;

/// `n` places on `curve`, head at its start.
///
/// A closed curve spreads them evenly and uses no distance. On an open one neighbors are `spacing.distance` apart; if it is
/// too short the overflow policy decides.
///
/// # Errors
/// Bad distance, too many places, [`FormationError::Capacity`], or a curve that is too fine to be measured.
pub fn place(curve: &dyn Curve, spacing: &Spacing, n: usize) -> Result<Slots, FormationError> {
    check_count(n)?;
    if curve.closed() {
        return spread(curve, spacing.measure, n);
    }
    check_distance("spacing", spacing.distance)?;
    let mut track = Track::new(curve);
    let found = walk_open(&mut track, spacing, n);
    if !found.ran_out {
        return Ok(one_row(&track, &found, spacing, None));
    }
    if track.too_fine() {
        return Err(too_fine());
    }
    match spacing.overflow {
        Overflow::Error => Err(FormationError::Capacity {
            asked: n,
            capacity: found.spots.len(),
            length: track.measured(),
            spacing: spacing.distance,
            measure: spacing.measure.name(),
            note: String::new(),
        }),
        Overflow::Shrink => {
            let steps = if curve.joins() { n } else { n - 1 };
            let distance = fitting(&mut track, spacing.measure, steps)?;
            let shrunk = walk(&mut track, distance, spacing.measure, n);
            let shrunk = complete(&mut track, shrunk, n);
            Ok(one_row(&track, &shrunk, &Spacing { distance, ..*spacing }, Some(found.spots.len())))
        }
        Overflow::Rows => rows(curve, spacing, n, &track, &found),
    }
}

/// An error unless `n` is a number of places that a formation may have.
pub(crate) fn check_count(n: usize) -> Result<(), FormationError> {
    if n > MAX_PLACES { Err(FormationError::TooMany { asked: n, most: MAX_PLACES }) } else { Ok(()) }
}

/// An error unless `distance` is finite and above 0.
pub(crate) fn check_distance(param: &str, distance: f64) -> Result<(), FormationError> {
    if distance.is_finite() && distance > 0.0 {
        return Ok(());
    }
    Err(FormationError::BadValue {
        param: param.to_owned(),
        value: distance.to_string(),
        message: "must be a finite number above 0 (meters)".to_owned(),
    })
}

fn too_fine() -> FormationError {
    FormationError::Curve(
        "the curve needs more than a million steps for so many places: it is too fine for this spacing; \
         use a smaller spacing or a longer wave"
            .to_owned(),
    )
}

/// Spots on an open curve; where the end is the start again, the last ones stay one distance short of it.
fn walk_open(track: &mut Track<'_>, spacing: &Spacing, n: usize) -> Walk {
    let mut found = walk(track, spacing.distance, spacing.measure, n);
    if !track.curve().joins() || found.spots.len() < 2 {
        return found;
    }
    let Some(total) = track.total() else {
        return found;
    };
    let first = found.spots[0].point;
    let near = |spot: &super::track::Spot| match spacing.measure {
        Measure::Arc => total - spot.length < spacing.distance * (1.0 - 1e-9),
        Measure::Chord => {
            total - spot.length < 0.5 * total && spot.point.distance(first) < spacing.distance * (1.0 - 1e-9)
        }
    };
    while found.spots.len() > 1 && found.spots.last().is_some_and(near) {
        found.spots.pop();
        found.ran_out = true;
    }
    found
}

fn one_row(track: &Track<'_>, found: &Walk, spacing: &Spacing, capacity: Option<usize>) -> Slots {
    let mut places = Vec::with_capacity(found.spots.len());
    headed(track, &found.spots, &mut places);
    Slots {
        length: found.spots.last().map_or(0.0, |spot| spot.length),
        closed: false,
        spacing: spacing.distance,
        rows: usize::from(!places.is_empty()),
        capacity,
        places,
    }
}

/// Adds the places that a shrunk walk missed by rounding: they are at the end.
fn complete(track: &mut Track<'_>, mut found: Walk, n: usize) -> Walk {
    let end = track.measured();
    while found.spots.len() < n {
        let Some(spot) = track.at(end) else {
            break;
        };
        found.spots.push(spot);
    }
    found
}

/// The distance at which `steps` equal steps go from the start of a curve exactly to its end.
fn fitting(track: &mut Track<'_>, measure: Measure, steps: usize) -> Result<f64, FormationError> {
    let Some(total) = track.total().filter(|_| !track.too_fine()) else {
        return Err(too_fine());
    };
    let even = if steps == 0 { total } else { total / steps as f64 };
    if measure == Measure::Arc || steps <= 1 || total == 0.0 {
        return Ok(match measure {
            Measure::Chord if steps == 1 && !track.curve().joins() => ends_apart(track, total).unwrap_or(even),
            _ => even,
        });
    }
    // A step of `even` is too long, since no chord is longer than its arc: halve from there until one is too short.
    let mut over = |distance: f64| overshoot(track, distance, steps, total);
    let (mut high, mut high_miss) = (even, over(even));
    if high_miss.abs() <= 1e-15 * total {
        return Ok(even);
    }
    let (mut low, mut low_miss) = (even, high_miss);
    while low_miss > 0.0 {
        low *= 0.5;
        low_miss = over(low);
        if low < 1e-9 * even {
            return Err(FormationError::Curve(
                "no equal straight distance fits this curve; use measure = \"arc\"".to_owned(),
            ));
        }
    }
    for round in 0..200 {
        if high - low <= 1e-15 * high {
            break;
        }
        let secant = low - low_miss * (high - low) / (high_miss - low_miss);
        let trial = if round % 3 != 2 && secant > low && secant < high { secant } else { 0.5 * (low + high) };
        let miss = over(trial);
        if miss.abs() <= 1e-15 * total {
            return Ok(trial);
        }
        if miss > 0.0 { (high, high_miss) = (trial, miss) } else { (low, low_miss) = (trial, miss) }
    }
    Ok(low)
}

fn ends_apart(track: &mut Track<'_>, total: f64) -> Option<f64> {
    let (first, last) = (track.at(0.0)?, track.at(total)?);
    Some(first.point.distance(last.point)).filter(|&apart| apart > 0.0)
}

/// How far `steps` chords of `distance` go beyond the end (negative: how much is left), in meters of arc.
fn overshoot(track: &mut Track<'_>, distance: f64, steps: usize, total: f64) -> f64 {
    let found = walk(track, distance, Measure::Chord, steps + 1);
    let gone = found.spots.last().map_or(0.0, |spot| spot.length);
    let left = (steps + 1 - found.spots.len()) as f64;
    gone - total + if found.ran_out { left * distance } else { 0.0 }
}

/// `n` places spread over a closed curve.
fn spread(curve: &dyn Curve, measure: Measure, n: usize) -> Result<Slots, FormationError> {
    let mut track = Track::new(curve);
    let Some(total) = track.total() else {
        return Err(FormationError::Curve("a closed curve needs a range, such as 0 to 2 pi".to_owned()));
    };
    if track.too_fine() {
        return Err(too_fine());
    }
    let distance = fitting(&mut track, measure, n)?;
    let found = walk(&mut track, distance, measure, n);
    let found = complete(&mut track, found, n);
    let spacing = Spacing { distance, measure, overflow: Overflow::Error };
    let slots = one_row(&track, &found, &spacing, None);
    Ok(Slots { length: total, closed: true, ..slots })
}

/// Further rows outside the first until all have a place.
fn rows(curve: &dyn Curve, spacing: &Spacing, n: usize, track: &Track<'_>, found: &Walk) -> Result<Slots, FormationError> {
    let mut slots = one_row(track, found, spacing, Some(found.spots.len()));
    while slots.places.len() < n {
        if slots.rows >= MOST_ROWS {
            return Err(FormationError::Curve(format!(
                "{n} places need more than {MOST_ROWS} rows: the curve is too short for overflow = \"rows\""
            )));
        }
        let next = offset::outside(curve, slots.rows as f64 * spacing.distance)?;
        let mut track = Track::new(next.as_ref());
        let row = walk_open(&mut track, spacing, n - slots.places.len());
        headed(&track, &row.spots, &mut slots.places);
        slots.length += row.spots.last().map_or(0.0, |spot| spot.length);
        slots.rows += 1;
    }
    Ok(slots)
}
