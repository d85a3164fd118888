//! The 64-bit state hash: xxh3 over agents in id order, then obstacles.

use glam::DVec3;
use xxhash_rust::xxh3::Xxh3;

/// A hasher that takes numbers by their bits, with −0 as 0.
#[derive(Clone, Default)]
pub struct StateHash {
    hasher: Xxh3,
}

impl std::fmt::Debug for StateHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StateHash").finish_non_exhaustive()
    }
}

impl StateHash {
    /// An empty hash.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a whole number.
    pub fn integer(&mut self, n: u64) {
        self.hasher.update(&n.to_le_bytes());
    }

    /// Takes a number by its bits.
    pub fn number(&mut self, x: f64) {
        self.integer(bits(x));
    }

    /// Takes a vector.
    pub fn vector(&mut self, v: DVec3) {
        self.number(v.x);
        self.number(v.y);
        self.number(v.z);
    }

    /// Takes text, length first.
    pub fn text(&mut self, text: &str) {
        self.integer(text.len() as u64);
        self.hasher.update(text.as_bytes());
    }

    /// The hash of all that was taken.
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.hasher.digest()
    }

    /// The hasher itself, for rooms that feed it directly.
    pub fn inner(&mut self) -> &mut Xxh3 {
        &mut self.hasher
    }
}

/// The bits of a number, −0 as 0 and every NaN as one.
#[must_use]
pub fn bits(x: f64) -> u64 {
    if x == 0.0 {
        0
    } else if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}
