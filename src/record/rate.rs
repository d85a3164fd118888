//! How often a run is written down: every so many ticks, which gives frames per second without rounding.

use crate::scene::Problem;

/// The frame rate that is aimed at where nobody asks for another, 1/s.
const USUAL: f64 = 25.0;

/// Rates that a refusal lists at most.
const LISTED: usize = 12;

/// Every how many ticks a frame is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Ticks from frame to frame, at least 1.
    pub every: u64,
    /// Frames per second.
    pub fps: f64,
}

impl Rate {
    /// A frame every `every` ticks.
    pub fn every(tick_hz: f64, every: u64) -> Self {
        let every = every.max(1);
        Self { every, fps: tick_hz / every as f64 }
    }

    /// The rate nearest to 25 per second, the higher one of two equally near, that a text file can say with two decimals.
    pub fn usual(tick_hz: f64) -> Self {
        let far = |rate: &Self| (rate.fps - USUAL).abs();
        let plain = plain_rates(tick_hz);
        plain.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or_else(|| Self::every(tick_hz, 1))
    }

    /// Exactly so many frames per second.
    ///
    /// # Errors
    /// Where ticks do not divide into that, with the rates that they do divide into.
    pub fn exactly(tick_hz: f64, fps: f64) -> Result<Self, Problem> {
        let every = (tick_hz / fps).round();
        let exact = every >= 1.0 && (every * fps - tick_hz).abs() <= 1e-9 * tick_hz;
        if exact {
            return Ok(Self::every(tick_hz, every as u64));
        }
        let mut listed: Vec<Self> = plain_rates(tick_hz).collect();
        // Those near to what was asked for say most.
        listed.sort_by(|a, b| (a.fps - fps).abs().total_cmp(&(b.fps - fps).abs()));
        listed.truncate(LISTED);
        listed.sort_by(|a, b| b.fps.total_cmp(&a.fps));
        let listed: Vec<String> = listed.iter().map(|rate| rate.fps.to_string()).collect();
        let message = format!("{tick_hz} ticks per second cannot be written as {fps} frames per second exactly");
        Err(Problem::error("frame-rate", message).hint(format!("possible are {}", listed.join(", "))))
    }
}

/// Rates that ticks divide into and that two decimals write exactly, the highest first.
fn plain_rates(tick_hz: f64) -> impl Iterator<Item = Rate> {
    let most = (tick_hz / 0.1).clamp(1.0, 100_000.0) as u64;
    let rates = (1..=most).map(move |every| Rate::every(tick_hz, every));
    rates.filter(|rate| (rate.fps * 100.0 - (rate.fps * 100.0).round()).abs() < 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_rate_is_25_or_the_nearest_that_ticks_divide_into() {
        for (tick_hz, fps) in [(100.0, 25.0), (50.0, 25.0), (60.0, 30.0), (120.0, 24.0), (10.0, 10.0), (25.0, 25.0)] {
            assert_eq!(Rate::usual(tick_hz).fps, fps, "{tick_hz} Hz");
        }
        assert_eq!(Rate::usual(1.0 / 3.0), Rate::every(1.0 / 3.0, 1));
    }

    #[test]
    fn what_cannot_be_exact_is_refused_with_what_can() {
        assert_eq!(Rate::exactly(60.0, 15.0), Ok(Rate { every: 4, fps: 15.0 }));
        assert_eq!(Rate::exactly(100.0, 12.5), Ok(Rate { every: 8, fps: 12.5 }));
        let refused = Rate::exactly(60.0, 25.0).expect_err("60 / 25 is 2.4");
        let hint = refused.hint.expect("what can");
        assert!(hint.contains("30, 20, 15, 12"), "{hint}");
        assert!(Rate::exactly(60.0, 120.0).is_err(), "more frames than ticks");
        assert!(Rate::exactly(60.0, f64::NAN).is_err());
    }
}
