//! The estimate of a round trip, and how long to wait for an answer.

/// Smoothed round trip and its deviation, s (RFC 6298, 2).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoundTrip {
    /// SRTT, s; none before the first answer.
    pub smoothed: Option<f64>,
    /// RTTVAR, s.
    pub deviation: f64,
}

impl RoundTrip {
    /// Takes a measured round trip, s (α 1/8, β 1/4).
    pub fn measure(&mut self, seconds: f64) {
        match &mut self.smoothed {
            None => {
                self.smoothed = Some(seconds);
                self.deviation = 0.5 * seconds;
            }
            Some(smoothed) => {
                self.deviation = 0.75 * self.deviation + 0.25 * (*smoothed - seconds).abs();
                *smoothed = 0.875 * *smoothed + 0.125 * seconds;
            }
        }
    }

    /// How long to wait for an answer to send number `send` (from 1), s: SRTT + 4·RTTVAR, never less than `least`. While no
    /// round trip is known the wait doubles with each send (RFC 6298, 5.5), so that a slow agent is not taken for a dead one.
    #[must_use]
    pub fn wait(&self, least: f64, send: u32) -> f64 {
        let unknown = || least * f64::from(2_u32.saturating_pow(send.saturating_sub(1).min(16)));
        self.smoothed.map_or_else(unknown, |smoothed| least.max(smoothed + 4.0 * self.deviation))
    }
}
