//! Linear programs in the plane of velocities: a disc, half-planes, and the best velocity in them; where there is none, the least bad.
//!
//! Programs 1 to 3 of van den Berg, Guy, Lin and Manocha 2011 (Reciprocal n-body collision avoidance), here over half-planes as
//! a unit normal and an offset: with the foot of a line at `normal · offset` the disc cuts it symmetrically round 0.

use glam::DVec2;

/// Lines closer to parallel than this, in sine of their angle, count as parallel.
const PARALLEL: f64 = 1e-10;

/// A violation that is none: rounding of parallel lines, m/s.
pub(super) const SLACK: f64 = 1e-9;

/// Velocities v with `normal · v ≥ offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfPlane {
    /// Unit normal, into the allowed side.
    pub normal: DVec2,
    /// m/s.
    pub offset: f64,
}

impl HalfPlane {
    /// How far a velocity is on the wrong side, m/s; negative where it is allowed.
    #[must_use]
    #[inline]
    pub fn lack(&self, v: DVec2) -> f64 {
        self.offset - self.normal.dot(v)
    }
}

/// What the best velocity is.
#[derive(Clone, Copy, Debug)]
pub enum Aim<V> {
    /// The nearest to this one, m/s.
    Near(V),
    /// The farthest along this direction, a unit vector.
    Along(V),
}

/// Program 1: the best velocity on the edge of half-plane `at` within the disc and the half-planes before it.
#[inline]
fn on_edge(planes: &[HalfPlane], at: usize, most: f64, aim: Aim<DVec2>) -> Option<DVec2> {
    let edge = planes[at];
    let room = most * most - edge.offset * edge.offset;
    if room.is_nan() || room < 0.0 {
        return None;
    }
    let (foot, along, half) = (edge.normal * edge.offset, edge.normal.perp(), room.sqrt());
    let (mut low, mut high) = (-half, half);
    for other in &planes[..at] {
        let (slope, rest) = (other.normal.dot(along), other.lack(foot));
        if slope.abs() <= PARALLEL {
            if rest > SLACK {
                return None;
            }
            continue;
        }
        let end = rest / slope;
        if slope > 0.0 {
            low = low.max(end);
        } else {
            high = high.min(end);
        }
        if low > high {
            return None;
        }
    }
    let wanted = match aim {
        // The foot is at right angles to the edge.
        Aim::Near(v) => v.dot(along).min(high).max(low),
        Aim::Along(way) if way.dot(along) > 0.0 => high,
        Aim::Along(_) => low,
    };
    Some(foot + along * wanted)
}

/// Program 2: the best velocity of at most `most` m/s in all half-planes. Where there is none, the best in those before the
/// one whose index is returned too.
#[must_use]
#[inline]
pub fn best(planes: &[HalfPlane], most: f64, aim: Aim<DVec2>) -> (DVec2, Option<usize>) {
    let mut v = match aim {
        Aim::Near(wanted) => limit(wanted, most),
        Aim::Along(way) => way * most,
    };
    for at in 0..planes.len() {
        if planes[at].lack(v) > 0.0 {
            match on_edge(planes, at, most, aim) {
                Some(better) => v = better,
                None => return (v, Some(at)),
            }
        }
    }
    (v, None)
}

/// Program 3: the velocity whose largest violation is least, found from half-plane `from` on, at which program 2 failed with
/// `start`. The first `hard` half-planes are never violated.
pub fn least_bad(
    planes: &[HalfPlane],
    hard: usize,
    from: usize,
    most: f64,
    start: DVec2,
    spare: &mut Vec<HalfPlane>,
) -> DVec2 {
    // With hard ones that contradict each other there is nothing to keep.
    let hard = if from < hard { 0 } else { hard };
    let (mut v, mut worst) = (start, 0.0);
    for (at, plane) in planes.iter().enumerate().skip(from) {
        if plane.lack(v) <= worst {
            continue;
        }
        spare.clear();
        spare.extend_from_slice(&planes[..hard]);
        for other in &planes[hard..at] {
            // Where the other is violated no more than this one.
            let across = other.normal - plane.normal;
            let length = across.length();
            if length > SLACK {
                spare.push(HalfPlane { normal: across / length, offset: (other.offset - plane.offset) / length });
            }
        }
        if let (better, None) = best(spare, most, Aim::Along(plane.normal)) {
            v = better;
        }
        worst = plane.lack(v);
    }
    v
}

#[inline]
fn limit(v: DVec2, most: f64) -> DVec2 {
    let squared = v.length_squared();
    if squared <= most * most { v } else { v * (most / squared.sqrt()) }
}
