//! The stopwatch of the tick: time per stage, read from the CPU's clock, never by the simulation.

use std::time::{Duration, Instant};

use crate::sim::{Stage, Stopwatch};

/// How much of the smoothed time a new tick replaces.
const SMOOTHING: f64 = 0.05;

/// Time per stage: in all, and smoothed per tick.
#[derive(Clone, Debug, Default)]
pub struct StageClock {
    last: Option<Instant>,
    total: [Duration; Stage::ALL.len()],
    smooth_ms: [f64; Stage::ALL.len()],
    ticks: u64,
}

impl StageClock {
    /// Forgets everything.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// A tick begins.
    #[expect(clippy::disallowed_methods, reason = "this is the stopwatch that is handed to the core")]
    pub fn start(&mut self) {
        self.last = Some(Instant::now());
        self.ticks += 1;
    }

    /// Seconds per stage since the reset, in the order of [`Stage::ALL`].
    pub fn seconds(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        Stage::ALL.iter().zip(&self.total).map(|((_, name), total)| (*name, total.as_secs_f64()))
    }

    /// Milliseconds per tick and stage, smoothed.
    pub fn millis(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        Stage::ALL.iter().zip(&self.smooth_ms).map(|((_, name), millis)| (*name, *millis))
    }
}

impl Stopwatch for StageClock {
    #[expect(clippy::disallowed_methods, reason = "this is the stopwatch that is handed to the core")]
    fn lap(&mut self, stage: Stage) {
        let now = Instant::now();
        let index = stage as usize;
        let spent = self.last.map_or(Duration::ZERO, |last| now.duration_since(last));
        self.total[index] += spent;
        let millis = spent.as_secs_f64() * 1e3;
        let share = if self.ticks <= 1 { 1.0 } else { SMOOTHING };
        self.smooth_ms[index] += share * (millis - self.smooth_ms[index]);
        self.last = Some(now);
    }
}
