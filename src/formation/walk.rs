//! Walking along a curve in equal steps, by arc or by straight distance.

use glam::DVec3;

use super::slots::{Measure, Place};
use super::track::{Spot, Track};
use crate::sim::wrap_angle;

/// Places found on one curve.
pub(crate) struct Walk {
    pub(crate) spots: Vec<Spot>,
    /// Whether the curve ended before all places were found.
    pub(crate) ran_out: bool,
}

/// Up to `n` spots from the start, `distance` apart.
pub(crate) fn walk(track: &mut Track<'_>, distance: f64, measure: Measure, n: usize) -> Walk {
    let mut spots: Vec<Spot> = Vec::with_capacity(n.min(4096));
    while spots.len() < n {
        let next = match (spots.last(), measure) {
            (None, _) => track.at(0.0),
            (Some(_), Measure::Arc) => arc_step(track, distance * spots.len() as f64),
            (Some(&last), Measure::Chord) => chord_step(track, last, distance),
        };
        let Some(spot) = next else {
            return Walk { spots, ran_out: true };
        };
        spots.push(spot);
    }
    Walk { spots, ran_out: false }
}

/// The spot at `length`; a length that misses the end by rounding is the end.
fn arc_step(track: &mut Track<'_>, length: f64) -> Option<Spot> {
    track.at(length).or_else(|| {
        let end = track.measured();
        if length - end <= 1e-9 * length { track.at(end) } else { None }
    })
}

/// The first spot after `from` whose straight distance from it is `distance`.
///
/// The straight distance ρ grows no faster than the arc, so the crossing cannot come before an arc of `distance − ρ`: a step
/// of that length never jumps over one.
fn chord_step(track: &mut Track<'_>, from: Spot, distance: f64) -> Option<Spot> {
    let mut low = from;
    let mut gap = distance;
    for _ in 0..4096 {
        let ahead = low.length + gap.max(distance / 64.0);
        let (high, at_end) = match track.at(ahead) {
            Some(spot) => (spot, false),
            None => (track.at(track.measured())?, true),
        };
        gap = distance - high.point.distance(from.point);
        if gap <= 0.0 {
            return Some(cross(track, from.point, distance, low, high));
        }
        if gap <= 1e-15 * distance || (at_end && gap <= 1e-9 * distance) {
            return Some(high);
        }
        if at_end {
            return None;
        }
        low = high;
    }
    None
}

/// Bracketed Newton for |point(s) − center| = distance between two spots.
fn cross(track: &Track<'_>, center: DVec3, distance: f64, low: Spot, high: Spot) -> Spot {
    let curve = track.curve();
    let (mut a, mut b) = (low.s, high.s);
    let mut s = b;
    for _ in 0..80 {
        let offset = curve.point(s) - center;
        let far = offset.length();
        let miss = far - distance;
        if miss.abs() <= 2e-16 * distance {
            break;
        }
        if miss > 0.0 {
            b = s;
        } else {
            a = s;
        }
        let slope = offset.dot(curve.derivative(s)) / far;
        let newton = s - miss / slope;
        let next = if newton > a && newton < b { newton } else { 0.5 * (a + b) };
        if (next - s).abs() <= 1e-16 * (1.0 + s.abs()) {
            s = next;
            break;
        }
        s = next;
    }
    Spot { s, length: track.length_at(s), point: curve.point(s) }
}

/// Spots with the curve's tangent as heading. Where the curve stands still its heading is that of the place before.
pub(crate) fn headed(track: &Track<'_>, spots: &[Spot], out: &mut Vec<Place>) {
    let mut heading = 0.0;
    for spot in spots {
        heading = tangent(track, spot.s).unwrap_or(heading);
        out.push(Place { position: spot.point, heading: wrap_angle(heading) });
    }
}

/// Direction of travel at s in the plane, or `None` where there is none.
fn tangent(track: &Track<'_>, s: f64) -> Option<f64> {
    let curve = track.curve();
    let moving = |d: DVec3| (d.x != 0.0 || d.y != 0.0).then(|| libm::atan2(d.y, d.x));
    let d = curve.derivative(s);
    if d.truncate().length_squared() > 1e-18 * (1.0 + d.length_squared()) {
        return moving(d);
    }
    // At a cusp or at a start at rest the way onward says where the curve heads.
    let (from, to) = curve.range();
    let ahead = s + 1e-4 * (curve.stretch(s) - s);
    let ahead = to.map_or(ahead, |to| ahead.min(to));
    let behind = (s - 1e-4 * (curve.stretch(s) - s)).max(from);
    let way = if ahead > s { curve.point(ahead) - curve.point(s) } else { curve.point(s) - curve.point(behind) };
    moving(way)
}
