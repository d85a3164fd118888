//! Linear programs in the space of velocities: a ball, half-spaces, and the best velocity in them; where there is none, the least bad.
//!
//! Programs 1 to 4: the best velocity on the face of a half-space is a program of the plane, in coordinates of that face.

use super::plane::{self, Aim, HalfPlane, SLACK};
use glam::{DVec2, DVec3};

/// Velocities v with `normal · v ≥ offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfSpace {
    /// Unit normal, into the allowed side.
    pub normal: DVec3,
    /// m/s.
    pub offset: f64,
}

impl HalfSpace {
    /// How far a velocity is on the wrong side, m/s; negative where it is allowed.
    #[must_use]
    #[inline]
    pub fn lack(&self, v: DVec3) -> f64 {
        self.offset - self.normal.dot(v)
    }

    /// The same for velocities in the plane.
    #[must_use]
    pub fn flat(&self) -> HalfPlane {
        HalfPlane { normal: self.normal.truncate(), offset: self.offset }
    }
}

/// Programs 1 and 2: the best velocity on the face of half-space `at` within the ball and the half-spaces before it.
fn on_face(spaces: &[HalfSpace], at: usize, most: f64, aim: Aim<DVec3>, lines: &mut Vec<HalfPlane>) -> Option<DVec3> {
    let face = spaces[at];
    let room = most * most - face.offset * face.offset;
    if room.is_nan() || room < 0.0 {
        return None;
    }
    let foot = face.normal * face.offset;
    let (right, up) = face.normal.any_orthonormal_pair();
    let flat = |v: DVec3| DVec2::new(v.dot(right), v.dot(up));
    lines.clear();
    for other in &spaces[..at] {
        let (normal, rest) = (flat(other.normal), other.lack(foot));
        let length = normal.length();
        if length <= SLACK {
            if rest > SLACK {
                return None;
            }
            continue;
        }
        lines.push(HalfPlane { normal: normal / length, offset: rest / length });
    }
    let aim = match aim {
        Aim::Near(v) => Aim::Near(flat(v - foot)),
        Aim::Along(way) => {
            let way = flat(way);
            let length = way.length();
            // Straight off the face every velocity on it is as good.
            if length > SLACK { Aim::Along(way / length) } else { Aim::Near(DVec2::ZERO) }
        }
    };
    match plane::best(lines, room.sqrt(), aim) {
        (v, None) => Some(foot + right * v.x + up * v.y),
        _ => None,
    }
}

/// Program 3: the best velocity of at most `most` m/s in all half-spaces. Where there is none, the best in those before the
/// one whose index is returned too.
pub fn best(spaces: &[HalfSpace], most: f64, aim: Aim<DVec3>, lines: &mut Vec<HalfPlane>) -> (DVec3, Option<usize>) {
    let mut v = match aim {
        Aim::Near(wanted) => crate::sim::body::limit(wanted, most),
        Aim::Along(way) => way * most,
    };
    for at in 0..spaces.len() {
        if spaces[at].lack(v) > 0.0 {
            match on_face(spaces, at, most, aim, lines) {
                Some(better) => v = better,
                None => return (v, Some(at)),
            }
        }
    }
    (v, None)
}

/// Program 4: the velocity whose largest violation is least, found from half-space `from` on, at which program 3 failed with
/// `start`. The first `hard` half-spaces are never violated.
pub fn least_bad(
    spaces: &[HalfSpace],
    hard: usize,
    from: usize,
    most: f64,
    start: DVec3,
    (spare, lines): (&mut Vec<HalfSpace>, &mut Vec<HalfPlane>),
) -> DVec3 {
    let hard = if from < hard { 0 } else { hard };
    let (mut v, mut worst) = (start, 0.0);
    for (at, space) in spaces.iter().enumerate().skip(from) {
        if space.lack(v) <= worst {
            continue;
        }
        spare.clear();
        spare.extend_from_slice(&spaces[..hard]);
        for other in &spaces[hard..at] {
            let across = other.normal - space.normal;
            let length = across.length();
            if length > SLACK {
                spare.push(HalfSpace { normal: across / length, offset: (other.offset - space.offset) / length });
            }
        }
        if let (better, None) = best(spare, most, Aim::Along(space.normal), lines) {
            v = better;
        }
        worst = space.lack(v);
    }
    v
}
