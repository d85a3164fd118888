//! Real time for `run --watch` and `serve --realtime`: decides when a tick is made, never what it computes.

use std::time::{Duration, Instant};

/// A stall longer than this is forgotten, not caught up.
const LONGEST_STALL: Duration = Duration::from_millis(250);

/// Makes ticks as fast as time goes.
pub(super) struct Pace {
    next: Instant,
    step: Duration,
}

impl Pace {
    /// Steps of `dt` seconds from now on.
    #[expect(clippy::disallowed_methods, reason = "real speed is what was asked for; no tick sees the clock")]
    pub(super) fn new(dt: f64) -> Self {
        Self { next: Instant::now(), step: Duration::from_secs_f64(dt) }
    }

    /// Sleeps until the next tick is due.
    pub(super) fn wait(&mut self) {
        self.advance();
        std::thread::sleep(self.left());
    }

    /// A tick is made: the next is due a step later.
    #[expect(clippy::disallowed_methods, reason = "real speed is what was asked for; no tick sees the clock")]
    pub(super) fn advance(&mut self) {
        self.next += self.step;
        let now = Instant::now();
        if now > self.next + LONGEST_STALL {
            self.next = now;
        }
    }

    /// How long it is until the next tick is due; nothing if it is.
    #[expect(clippy::disallowed_methods, reason = "real speed is what was asked for; no tick sees the clock")]
    pub(super) fn left(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }
}
