//! What all fish share: the outline of a body, station by station, and the wave that runs down its spine.

use std::f32::consts::TAU;
use std::sync::LazyLock;

/// Nose to tail: place along the body as a share of its length, and half its width there.
const FISH: [(f32, f32); 11] = [
    (0.0, 0.012),
    (0.03, 0.038),
    (0.08, 0.066),
    (0.16, 0.093),
    (0.26, 0.108),
    (0.37, 0.108),
    (0.49, 0.094),
    (0.61, 0.070),
    (0.72, 0.045),
    (0.81, 0.026),
    (0.88, 0.018),
];
/// A predator is heavier in front and has a longer, thinner stalk.
const PREDATOR: [(f32, f32); 11] = [
    (0.0, 0.020),
    (0.03, 0.046),
    (0.08, 0.074),
    (0.16, 0.102),
    (0.26, 0.116),
    (0.37, 0.108),
    (0.49, 0.084),
    (0.61, 0.058),
    (0.72, 0.036),
    (0.81, 0.021),
    (0.88, 0.016),
];
/// Stations of a plain body among them.
pub(super) const PLAIN: [usize; 7] = [0, 2, 4, 6, 8, 9, 10];
/// Where the tail fin begins, its notch and its tips.
const TAIL: (f32, f32, f32) = (0.86, 0.95, 1.0);
/// The front part of the body that a bend leaves straight.
pub(super) const STIFF: f32 = 0.2;
/// Length of the wave that runs down the body, in body lengths: about one in fish that swim with body and tail fin
/// (Videler 1993, "Fish Swimming", ch. 6).
pub(super) const WAVE: f32 = 1.0;

/// Half the way that the spine moves sideways, in body lengths: 0.1 at the tail, least behind the head
/// (Videler & Hess 1984, "Fast continuous swimming of two pelagic predators", J. Exp. Biol. 109).
pub(super) fn amplitude(s: f32) -> f32 {
    0.02 - 0.0825 * s + 0.1625 * s * s
}

fn amplitude_slope(s: f32) -> f32 {
    -0.0825 + 0.325 * s
}

/// A place along the body with what does not change from fish to fish.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Station {
    pub(super) s: f32,
    pub(super) half: f32,
    pub(super) sway: f32,
    pub(super) slope: f32,
    pub(super) sin: f32,
    pub(super) cos: f32,
}

impl Station {
    pub(super) fn new(s: f32, half: f32) -> Self {
        let (sin, cos) = (TAU * s / WAVE).sin_cos();
        Self { s, half, sway: amplitude(s), slope: amplitude_slope(s), sin, cos }
    }
}

/// The stations of both kinds, and those of the tail, made once.
pub(super) struct Stations {
    pub(super) fish: [Station; 11],
    pub(super) predator: [Station; 11],
    pub(super) tail: [Station; 3],
}

pub(super) static STATIONS: LazyLock<Stations> = LazyLock::new(|| Stations {
    fish: FISH.map(|(s, half)| Station::new(s, half)),
    predator: PREDATOR.map(|(s, half)| Station::new(s, half)),
    tail: [TAIL.0, TAIL.1, TAIL.2].map(|s| Station::new(s, 0.0)),
});
