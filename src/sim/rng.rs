//! Random numbers as a function of (seed, agent, tick, use): no stream is shared, so adding an agent shifts nobody's luck.

use std::f64::consts::TAU;

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every input bit moves about half of the output bits.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Step of SplitMix64: the golden ratio in 64 bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A short stream of numbers for one purpose of one agent in one tick. Copy it to draw the same numbers again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
    count: u64,
}

/// What a stream is for; each use has its own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Use {
    /// Where agents are put at the start.
    Spawn = 1,
    /// Per-agent spread of body values.
    Body = 2,
    /// Sensor noise.
    Sensor = 3,
    /// What a script draws.
    Script = 4,
    /// What a native force draws.
    Force = 5,
    /// Delay, jitter and loss of the command network.
    Network = 6,
    /// What a director draws.
    Director = 7,
    /// What an observer (metric, plot) draws.
    Observer = 8,
    /// Which way somebody avoids somebody.
    Avoid = 9,
    /// How often an agent decides.
    Update = 10,
    /// Who enters when and where, which stops it visits, and how long it stays.
    Flow = 11,
}

impl Stream {
    /// The stream of `agent` (any number that names it, such as its slot) at `tick` for `purpose`.
    #[must_use]
    pub fn new(seed: u64, agent: u64, tick: u64, purpose: Use) -> Self {
        Self::with_salt(seed, agent, tick, purpose, 0)
    }

    /// As [`Self::new`], with a salt that tells several streams of the same use apart.
    #[must_use]
    pub fn with_salt(seed: u64, agent: u64, tick: u64, purpose: Use, salt: u64) -> Self {
        let mut key = mix(seed.wrapping_add(GOLDEN));
        for part in [agent, tick, purpose as u64, salt] {
            key = mix(key ^ part.wrapping_mul(GOLDEN).wrapping_add(GOLDEN));
        }
        Self { key, count: 0 }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.count = self.count.wrapping_add(1);
        mix(self.key.wrapping_add(self.count.wrapping_mul(GOLDEN)))
    }

    /// The next number in [0, 1), 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next number in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// The next whole number in [low, high], both included; `low` if the range is empty.
    pub fn integer(&mut self, low: i64, high: i64) -> i64 {
        if high <= low {
            return low;
        }
        let span = high.wrapping_sub(low) as u64 + 1;
        let scaled = (u128::from(self.next_u64()) * u128::from(span)) >> 64;
        low + scaled as i64
    }

    /// The next normally distributed number (Box and Muller 1958).
    pub fn normal(&mut self, mean: f64, deviation: f64) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        mean + deviation * radius * libm::cos(TAU * self.unit())
    }
}

/// A number in [−1, 1) that belongs to the seed and to three whole numbers, the same at every tick: a knot of smooth noise.
#[must_use]
pub fn steady(seed: u64, at: [i64; 3]) -> f64 {
    let [a, b, c] = at.map(|whole| whole as u64);
    Stream::with_salt(seed, a, b, Use::Force, c).uniform(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Stream, Use};

    #[test]
    fn a_stream_depends_on_each_of_its_keys_and_on_nothing_else() {
        let draw = |seed, agent, tick, purpose| Stream::new(seed, agent, tick, purpose).next_u64();
        let base = draw(1, 2, 3, Use::Script);
        assert_eq!(base, draw(1, 2, 3, Use::Script));
        let others = [
            draw(2, 2, 3, Use::Script),
            draw(1, 3, 3, Use::Script),
            draw(1, 2, 4, Use::Script),
            draw(1, 2, 3, Use::Force),
        ];
        assert!(others.iter().all(|other| *other != base));
    }

    #[test]
    fn mean_and_deviation_are_as_asked() {
        let mut sum = 0.0;
        let mut squares = 0.0;
        let n = 20_000;
        for agent in 0..n {
            let x = Stream::new(7, agent, 0, Use::Sensor).normal(1.0, 2.0);
            sum += x;
            squares += (x - 1.0) * (x - 1.0);
        }
        assert!((sum / n as f64 - 1.0).abs() < 0.05);
        assert!((squares / n as f64 - 4.0).abs() < 0.15);
    }

    #[test]
    fn whole_numbers_reach_both_ends() {
        let mut seen = [0_u32; 4];
        for agent in 0..4_000 {
            seen[Stream::new(7, agent, 0, Use::Script).integer(0, 3) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
    }
}
