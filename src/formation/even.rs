//! A fixed number of equal steps from the start of a curve exactly to its end: closed curves, and spacing made to fit.

use super::error::FormationError;
use super::slots::Measure;
use super::track::{Spot, Track};

/// Newton rounds; a handful is usual.
const ROUNDS: usize = 60;

/// Spots 0 to `steps` (both ends included), and their distance.
///
/// # Errors
/// If the curve cannot be measured, or no equal straight distance is found on it.
pub(crate) fn even(track: &mut Track<'_>, measure: Measure, steps: usize) -> Result<(f64, Vec<Spot>), FormationError> {
    let steps = steps.max(1);
    let Some(total) = track.total().filter(|_| !track.too_fine()) else {
        return Err(super::place::too_fine());
    };
    let lengths: Vec<f64> = (0..=steps).map(|i| total * i as f64 / steps as f64).collect();
    let spots = spots_at(track, &lengths)?;
    match measure {
        Measure::Arc => Ok((total / steps as f64, spots)),
        Measure::Chord if total == 0.0 => Ok((0.0, spots)),
        Measure::Chord => equal_chords(track, spots),
    }
}

fn spots_at(track: &mut Track<'_>, lengths: &[f64]) -> Result<Vec<Spot>, FormationError> {
    let end = track.measured();
    lengths.iter().map(|&length| track.at(length.min(end)).ok_or_else(super::place::too_fine)).collect()
}

/// Moves the spots between both ends until all straight gaps are alike: Newton's method on the differences of successive gaps,
/// which form a tridiagonal system in the arc lengths.
fn equal_chords(track: &mut Track<'_>, mut spots: Vec<Spot>) -> Result<(f64, Vec<Spot>), FormationError> {
    let mut uneven = unevenness(&spots);
    for _ in 0..ROUNDS {
        let mean = mean_chord(&spots);
        if uneven <= 4e-16 * mean {
            break;
        }
        let step = newton_step(track, &spots);
        let Some((better, less)) = damped(track, &spots, &step, uneven)? else {
            break;
        };
        (spots, uneven) = (better, less);
    }
    let distance = mean_chord(&spots);
    if uneven <= 1e-10 * distance {
        return Ok((distance, spots));
    }
    Err(FormationError::Curve("no equal straight distance fits this curve; use measure = \"arc\"".to_owned()))
}

fn chord(pair: &[Spot]) -> f64 {
    pair[0].point.distance(pair[1].point)
}

fn mean_chord(spots: &[Spot]) -> f64 {
    spots.windows(2).map(chord).sum::<f64>() / (spots.len() - 1) as f64
}

/// Largest difference of a gap from the mean; infinite if any is not a number.
fn unevenness(spots: &[Spot]) -> f64 {
    let mean = mean_chord(spots);
    let worst = |most: f64, pair: &[Spot]| {
        let off = (chord(pair) - mean).abs();
        if off.is_nan() { f64::INFINITY } else { most.max(off) }
    };
    spots.windows(2).fold(0.0, worst)
}

/// Changes of the arc lengths of the inner spots (Thomas algorithm).
fn newton_step(track: &Track<'_>, spots: &[Spot]) -> Vec<f64> {
    let tangents: Vec<_> = spots.iter().map(|spot| track.curve().derivative(spot.s).normalize_or_zero()).collect();
    let ways: Vec<_> = spots.windows(2).map(|pair| (pair[1].point - pair[0].point).normalize_or_zero()).collect();
    let inner = spots.len() - 2;
    // Rows of the system for spot i = 1..=inner: F_i = c_i − c_(i−1), c_i the gap after spot i.
    let (mut above, mut right) = (vec![0.0; inner], vec![0.0; inner]);
    for row in 0..inner {
        let i = row + 1;
        let lower = tangents[i - 1].dot(ways[i - 1]);
        let diagonal = -(tangents[i].dot(ways[i]) + tangents[i].dot(ways[i - 1]));
        let upper = tangents[i + 1].dot(ways[i]);
        let miss = chord(&spots[i..=i + 1]) - chord(&spots[i - 1..=i]);
        let (carried, known) = if row == 0 { (0.0, 0.0) } else { (above[row - 1], right[row - 1]) };
        let lower = if row == 0 { 0.0 } else { lower };
        let pivot = diagonal - lower * carried;
        // A pivot of nothing: leave this spot where it is for now.
        let scale = if pivot.abs() > 1e-12 { 1.0 / pivot } else { 0.0 };
        above[row] = upper * scale;
        right[row] = (-miss - lower * known) * scale;
    }
    for row in (0..inner.saturating_sub(1)).rev() {
        right[row] -= above[row] * right[row + 1];
    }
    right
}

type Better = Option<(Vec<Spot>, f64)>;

/// The step, or the largest half, quarter… of it that keeps the order of spots and makes the gaps more even.
fn damped(track: &mut Track<'_>, spots: &[Spot], step: &[f64], uneven: f64) -> Result<Better, FormationError> {
    let mut part = 1.0;
    for _ in 0..30 {
        let mut lengths: Vec<f64> = spots.iter().map(|spot| spot.length).collect();
        for (length, change) in lengths.iter_mut().skip(1).zip(step) {
            *length += part * change;
        }
        if lengths.windows(2).all(|pair| pair[1] > pair[0]) {
            let moved = spots_at(track, &lengths)?;
            let less = unevenness(&moved);
            if less < uneven {
                return Ok(Some((moved, less)));
            }
        }
        part *= 0.5;
    }
    Ok(None)
}
