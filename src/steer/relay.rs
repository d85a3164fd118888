//! Automatic tuning by a relay (Åström and Hägglund 1984, Automatica 20:645), and the rules that start from what it finds.
//!
//! A relay ±d in the place of the controller makes the plant oscillate near its ultimate frequency. From the period T and the
//! amplitude a (half of peak to peak) the describing function gives Ku ≈ 4d/(π√(a² − ε²)). It is an estimate: for a velocity
//! behind a lag of 0.2 s and a dead time of 0.12 s it is 6.7 % low, for a dead time alone 19 % low, since the wave is no sine.

use std::f64::consts::PI;

use super::pid::Gains;

/// A relay experiment on one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relay {
    /// Output on either side, d.
    pub output: f64,
    /// Hysteresis ε: the error must pass it before the relay switches; two or three times the noise.
    pub hysteresis: f64,
    /// What is added to the output on both sides: it makes up for what pushes the plant to one side.
    pub bias: f64,
    /// Half periods that must agree within [`AGREE`] before the experiment ends.
    pub agreeing: usize,
}

impl Default for Relay {
    fn default() -> Self {
        Self { output: 1.0, hysteresis: 0.0, bias: 0.0, agreeing: 3 }
    }
}

/// How far the last half periods may differ, as a share.
pub const AGREE: f64 = 0.02;

/// Switches that are looked at; the start is no part of the oscillation.
const WARM: usize = 4;

/// More time than this many first half periods gives up.
const MOST_HALVES: usize = 60;

/// What a relay experiment found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ultimate {
    /// The gain at which a P controller oscillates for ever.
    pub gain: f64,
    /// The period of that oscillation, s.
    pub period: f64,
    /// Half of peak to peak of the oscillation under the relay.
    pub amplitude: f64,
    /// How far the two half periods differ, as a share of the period.
    pub lopsided: f64,
}

/// Two half periods that differ by more than this share of the period are no oscillation to measure.
pub const LOPSIDED: f64 = 0.1;

/// Why a relay experiment ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RelayError {
    /// It did not come to rest in a limit cycle.
    #[error(
        "the oscillation did not settle: its half periods still differ by {0:.0} %; raise the hysteresis above the noise"
    )]
    Unsettled(f64),
    /// The two sides take different times.
    #[error(
        "the oscillation is lopsided by {0:.0} %: something pushes the agent to one side; bias the relay against it"
    )]
    Lopsided(f64),
    /// The amplitude is no more than the hysteresis.
    #[error("the oscillation is no larger than the hysteresis; lower it or raise the relay's output")]
    Flat,
    /// The output never switched.
    #[error("the agent did not answer to the relay")]
    Still,
}

/// A relay experiment under way: give it the error of each step, set its output.
#[derive(Clone, Debug)]
pub struct Run {
    relay: Relay,
    high: bool,
    time: f64,
    switches: Vec<f64>,
    lowest: f64,
    highest: f64,
    /// Highest and lowest measurement between two switches.
    peaks: Vec<f64>,
}

impl Run {
    /// An experiment that starts by pushing up.
    #[must_use]
    pub fn new(relay: Relay) -> Self {
        Self {
            relay,
            high: true,
            time: 0.0,
            switches: Vec::new(),
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            peaks: Vec::new(),
        }
    }

    /// The output for a measurement (the set-point is 0), `h` seconds after the last one.
    pub fn step(&mut self, y: f64, h: f64) -> f64 {
        self.time += h;
        self.lowest = self.lowest.min(y);
        self.highest = self.highest.max(y);
        let switch = if self.high { y > self.relay.hysteresis } else { y < -self.relay.hysteresis };
        if switch {
            // The peak of the half wave that ends here lies on the side that the relay pushed away from.
            self.peaks.push(if self.high { self.lowest } else { self.highest });
            (self.lowest, self.highest) = (y, y);
            self.switches.push(self.time);
            self.high = !self.high;
        }
        self.output()
    }

    /// The output now.
    #[must_use]
    pub fn output(&self) -> f64 {
        self.relay.bias + if self.high { self.relay.output } else { -self.relay.output }
    }

    fn halves(&self) -> Vec<f64> {
        self.switches.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// How far the last half periods differ, as a share of their mean.
    fn spread(&self) -> Option<f64> {
        let halves = self.halves();
        // Two halves of one period may differ where something is lopsided: whole periods are compared.
        let last = halves.get(halves.len().checked_sub(self.relay.agreeing + 1)?..)?;
        let periods: Vec<f64> = last.windows(2).map(|pair| pair[0] + pair[1]).collect();
        let mean = periods.iter().sum::<f64>() / periods.len() as f64;
        let low = periods.iter().copied().fold(f64::INFINITY, f64::min);
        let high = periods.iter().copied().fold(0.0, f64::max);
        Some((high - low) / mean)
    }

    /// Whether the experiment is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let settled =
            self.switches.len() >= WARM + self.relay.agreeing && self.spread().is_some_and(|spread| spread < AGREE);
        let long = self.switches.first().is_some_and(|first| self.time > MOST_HALVES as f64 * first.max(0.05));
        settled || self.switches.len() > MOST_HALVES || (long && self.switches.len() > WARM) || self.time > 600.0
    }

    /// What it found.
    ///
    /// # Errors
    /// When there is no symmetric oscillation to measure.
    pub fn result(&self) -> Result<Ultimate, RelayError> {
        let halves = self.halves();
        if halves.len() < self.relay.agreeing + 1 {
            return Err(RelayError::Still);
        }
        let spread = self.spread().unwrap_or(1.0);
        if spread >= AGREE {
            return Err(RelayError::Unsettled(100.0 * spread));
        }
        let (one, other) = (halves[halves.len() - 1], halves[halves.len() - 2]);
        let period = one + other;
        let lopsided = (one - other).abs() / period;
        if lopsided > LOPSIDED {
            return Err(RelayError::Lopsided(100.0 * lopsided));
        }
        let last = &self.peaks[self.peaks.len() - 2..];
        let amplitude = 0.5 * (last[0] - last[1]).abs();
        let inside = amplitude * amplitude - self.relay.hysteresis * self.relay.hysteresis;
        if inside <= 0.0 {
            return Err(RelayError::Flat);
        }
        Ok(Ultimate { gain: 4.0 * self.relay.output / (PI * inside.sqrt()), period, amplitude, lopsided })
    }
}

/// The exact ultimate point of a velocity behind a lag τ and a dead time L: atan(ωτ) + ωL = π/2, Ku = ω√(1 + (ωτ)²), Tu = 2π/ω.
/// None without dead time, where no gain is too high.
#[must_use]
pub fn exact(lag: f64, dead_time: f64) -> Option<(f64, f64)> {
    if dead_time <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 0.5 * PI / dead_time);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if libm::atan(middle * lag) + middle * dead_time < 0.5 * PI { low = middle } else { high = middle }
    }
    let omega = 0.5 * (low + high);
    let turned = omega * lag;
    Some((omega * (1.0 + turned * turned).sqrt(), 2.0 * PI / omega))
}

/// A rule of the table: its name and K/Ku, Ti/Tu, Td/Tu (0: off).
pub type Rule = (&'static str, f64, f64, f64);

/// Ziegler and Nichols 1942 (closed loop) and its descendants: Pessen 1954, "some" and "no" overshoot, Tyreus and Luyben 1992.
pub const RULES: [Rule; 9] = [
    ("P", 0.5, 0.0, 0.0),
    ("PI", 0.45, 1.0 / 1.2, 0.0),
    ("PD", 0.8, 0.0, 0.125),
    ("PID", 0.6, 0.5, 0.125),
    ("Pessen", 0.7, 0.4, 0.15),
    ("some overshoot", 1.0 / 3.0, 0.5, 1.0 / 3.0),
    ("no overshoot", 0.2, 0.5, 1.0 / 3.0),
    ("Tyreus-Luyben PI", 1.0 / 3.2, 2.2, 0.0),
    ("Tyreus-Luyben PID", 1.0 / 2.2, 2.2, 1.0 / 6.3),
];

/// The gains that a rule gives.
#[must_use]
pub fn apply(rule: &Rule, gain: f64, period: f64) -> Gains {
    let (_, k, ti, td) = *rule;
    Gains { k: k * gain, ti: ti * period, td: td * period, ..Gains::default() }
}
