//! What the tests of formations share.

use glam::DVec3;
use swarmyard::formation::{FormationError, Slots, Value, slots};

pub(crate) fn set(pairs: &[(&str, f64)]) -> Vec<(String, Value)> {
    pairs.iter().map(|(name, number)| ((*name).to_owned(), Value::Number(*number))).collect()
}

pub(crate) fn with(pairs: &[(&str, f64)], words: &[(&str, &str)]) -> Vec<(String, Value)> {
    let mut all = set(pairs);
    all.extend(words.iter().map(|(name, word)| ((*name).to_owned(), Value::from(*word))));
    all
}

pub(crate) fn made(name: &str, params: &[(String, Value)], n: usize) -> Slots {
    slots(name, params, n).unwrap_or_else(|error| panic!("{name} with {n} places: {error}"))
}

pub(crate) fn refused(name: &str, params: &[(String, Value)], n: usize) -> FormationError {
    slots(name, params, n).expect_err("this formation has to be refused")
}

pub(crate) fn points(slots: &Slots) -> Vec<DVec3> {
    slots.places.iter().map(|place| place.position).collect()
}

pub(crate) fn near(is: f64, ought: f64, within: f64, what: &str) {
    assert!((is - ought).abs() <= within, "{what}: {is} instead of {ought} (off by {:e})", (is - ought).abs());
}

pub(crate) fn near_point(is: DVec3, x: f64, y: f64, within: f64, what: &str) {
    assert!(
        (is - DVec3::new(x, y, 0.0)).abs().max_element() <= within,
        "{what}: {is} instead of ({x}, {y}) (off by {:e})",
        (is - DVec3::new(x, y, 0.0)).abs().max_element()
    );
}

/// A repeatable stream of numbers in [0, 1).
pub(crate) struct Luck(u64);

impl Luck {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn point(&mut self, size: f64) -> DVec3 {
        DVec3::new(self.next() * size, self.next() * size, 0.0)
    }

    /// Points of a square, none nearer than `apart` to another.
    pub(crate) fn spread(&mut self, n: usize, size: f64, apart: f64) -> Vec<DVec3> {
        let mut out: Vec<DVec3> = Vec::new();
        while out.len() < n {
            let p = self.point(size);
            if out.iter().all(|q| q.distance(p) >= apart) {
                out.push(p);
            }
        }
        out
    }
}
