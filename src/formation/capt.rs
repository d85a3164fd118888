//! Whether straight ways that all go in step keep bodies apart: the guarantee, and what the ways of an order really leave.
//!
//! If starts are at least δ apart, places too, and the sum of squared ways is the least, then no two centers come closer than
//! δ/√2 on straight ways with one time law (Turpin, Michael, Kumar, IJRR 2014, doi 10.1177/0278364913515307, CAPT): with
//! δ ≥ 2√2·R bodies of radius R never touch. The proof needs only that no two would gain by exchanging their places.

use std::f64::consts::SQRT_2;

use glam::DVec3;

/// Up to this many ways are looked at pair by pair; it costs about 10 ms.
pub const GUARANTEED_UP_TO: usize = 1500;

/// Two ways and a distance between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Meters between two centers.
    pub distance: f64,
    /// Which ways, by their position in the list, the smaller first.
    pub pair: (usize, usize),
}

impl Nearest {
    /// Keeps the nearer of the two; the first of equals.
    fn take(best: &mut Option<Self>, distance: f64, pair: (usize, usize)) {
        if best.is_none_or(|best| distance < best.distance) {
            *best = Some(Self { distance, pair });
        }
    }
}

/// What straight ways in step leave between the bodies of a group.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Capt {
    /// Radius of the largest body, m.
    pub radius: f64,
    /// Nearest starts; none with fewer than two ways.
    pub starts: Option<Nearest>,
    /// Nearest places among those taken.
    pub places: Option<Nearest>,
    /// The least distance of two centers on the way, if all are exactly in step.
    pub closest: Option<Nearest>,
    /// Two that would gain by exchanging their places, which the proof forbids.
    pub unordered: Option<(usize, usize)>,
}

impl Capt {
    /// Looks at every pair of ways from `starts[i]` to `goals[i]`; none if there are more than [`GUARANTEED_UP_TO`].
    pub fn of(starts: &[DVec3], goals: &[DVec3], radius: f64) -> Option<Self> {
        let count = starts.len().min(goals.len());
        if count > GUARANTEED_UP_TO {
            return None;
        }
        let mut found = Self { radius, ..Self::default() };
        for i in 0..count {
            for j in i + 1..count {
                let (from, to) = (starts[j] - starts[i], goals[j] - goals[i]);
                Nearest::take(&mut found.starts, from.length(), (i, j));
                Nearest::take(&mut found.places, to.length(), (i, j));
                Nearest::take(&mut found.closest, closest(from, to), (i, j));
                // From here on an exchange gains 2·(−from·to); what rounding may hide counts as nothing.
                if found.unordered.is_none() && from.dot(to) < -1e-9 * (from.length_squared() + to.length_squared()) {
                    found.unordered = Some((i, j));
                }
            }
        }
        Some(found)
    }

    /// How far apart starts and places must be, m: 2√2·R.
    pub fn needed(&self) -> f64 {
        2.0 * SQRT_2 * self.radius
    }

    /// The smaller of the two distances, m; infinite with fewer than two ways.
    pub fn delta(&self) -> f64 {
        let distance = |nearest: Option<Nearest>| nearest.map_or(f64::INFINITY, |nearest| nearest.distance);
        distance(self.starts).min(distance(self.places))
    }

    /// How far each agent may be off its way, m, before two can touch: half of δ/√2 − 2R. Negative where nothing is
    /// guaranteed at all.
    pub fn slack(&self) -> f64 {
        (self.delta() / SQRT_2 - 2.0 * self.radius) / 2.0
    }

    /// Whether the conditions of the proof on starts, places and assignment hold.
    pub fn holds(&self) -> bool {
        self.unordered.is_none() && self.delta() >= self.needed()
    }
}

/// The least length of a vector that goes from `from` to `to` in a straight line.
fn closest(from: DVec3, to: DVec3) -> f64 {
    let change = to - from;
    let square = change.length_squared();
    let when = if square > 0.0 { (-from.dot(change) / square).clamp(0.0, 1.0) } else { 0.0 };
    (from + change * when).length()
}
