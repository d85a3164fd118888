//! Real time for `run --watch`: decides when a tick is made, never what it computes.

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
    #[expect(clippy::disallowed_methods, reason = "real speed is what --watch is for; no tick sees the clock")]
    pub(super) fn new(dt: f64) -> Self {
        Self { next: Instant::now(), step: Duration::from_secs_f64(dt) }
    }

    /// Sleeps until the next tick is due.
    #[expect(clippy::disallowed_methods, reason = "real speed is what --watch is for; no tick sees the clock")]
    pub(super) fn wait(&mut self) {
        self.next += self.step;
        let now = Instant::now();
        if now > self.next + LONGEST_STALL {
            self.next = now;
        }
        std::thread::sleep(self.next.saturating_duration_since(now));
    }
}
