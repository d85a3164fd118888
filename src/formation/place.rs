//! Places on a curve: spacing, capacity, and what happens when the curve is too short.

use super::curve::Curve;
use super::error::FormationError;
use super::even::even;
use super::offset;
use super::slots::{Measure, Overflow, Slots, Spacing};
use super::track::{Spot, Track};
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
            let (distance, mut spots) = even(&mut track, spacing.measure, steps)?;
            spots.truncate(n);
            let shrunk = Walk { spots, ran_out: false };
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

pub(crate) fn too_fine() -> FormationError {
    FormationError::Curve(
        "the curve needs more than 400000 steps for so many places: it is too fine for this spacing; \
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
    let near = |spot: &Spot| match spacing.measure {
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

/// `n` places spread over a closed curve.
fn spread(curve: &dyn Curve, measure: Measure, n: usize) -> Result<Slots, FormationError> {
    let mut track = Track::new(curve);
    let Some(total) = track.total() else {
        return Err(FormationError::Curve("a closed curve needs a range, such as 0 to 2 pi".to_owned()));
    };
    if track.too_fine() {
        return Err(too_fine());
    }
    let (distance, mut spots) = even(&mut track, measure, n)?;
    spots.truncate(n);
    let found = Walk { spots, ran_out: false };
    let spacing = Spacing { distance, measure, overflow: Overflow::Error };
    let slots = one_row(&track, &found, &spacing, None);
    Ok(Slots { length: total, closed: true, ..slots })
}

/// Further rows outside the first until all have a place.
fn rows(
    curve: &dyn Curve,
    spacing: &Spacing,
    n: usize,
    track: &Track<'_>,
    found: &Walk,
) -> Result<Slots, FormationError> {
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
