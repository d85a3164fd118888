//! The handle through which a front end watches and steers an experiment that runs elsewhere.
//!
//! The experiment publishes frames into a [`FrameSlot`]; the window asks a [`Session`] for the two latest.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::command::Command;
use super::frame::Frame;

/// Called after each published frame; wakes the window.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// The two latest frames and how far the present lies between them.
#[derive(Clone, Debug)]
pub struct FramePair {
    /// The one before.
    pub previous: Arc<Frame>,
    /// The latest.
    pub latest: Arc<Frame>,
    /// From 0 (draw the previous one) to 1 (draw the latest one).
    pub alpha: f32,
}

/// What a front end may do: watch frames, send commands.
pub trait Session: Send + Sync {
    /// The two latest frames and the share of the way between them.
    fn frames(&self) -> FramePair;

    /// Queue a command; it is done before the next sense.
    fn send(&self, command: Command);

    /// Hand in what wakes the front end after a new frame.
    fn set_wake(&self, wake: Wake);

    /// The project folder; none without files.
    fn project(&self) -> Option<PathBuf> {
        None
    }
}

/// Where the experiment leaves frames and the front end finds them.
pub struct FrameSlot {
    inner: Mutex<Slot>,
}

struct Slot {
    previous: Arc<Frame>,
    latest: Arc<Frame>,
    published: Instant,
    interval: Duration,
    wake: Option<Wake>,
}

impl Default for FrameSlot {
    fn default() -> Self {
        Self::new(Arc::new(Frame::default()))
    }
}

impl FrameSlot {
    /// A slot that holds `first`.
    #[expect(clippy::disallowed_methods, reason = "publishing frames is wall-clock work; no tick reads it")]
    pub fn new(first: Arc<Frame>) -> Self {
        Self {
            inner: Mutex::new(Slot {
                previous: Arc::clone(&first),
                latest: first,
                published: Instant::now(),
                interval: Duration::ZERO,
                wake: None,
            }),
        }
    }

    /// Make `frame` the latest, and wake the front end.
    #[expect(clippy::disallowed_methods, reason = "publishing frames is wall-clock work; no tick reads it")]
    pub fn publish(&self, frame: Arc<Frame>) {
        let wake = {
            let mut slot = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let same_epoch = slot.latest.epoch == frame.epoch;
            // A pause is not an interval: after one the first frame is shown at once.
            let interval = now.duration_since(slot.published);
            slot.interval = if same_epoch && interval < LONGEST_INTERVAL { interval } else { Duration::ZERO };
            slot.previous = if same_epoch { Arc::clone(&slot.latest) } else { Arc::clone(&frame) };
            slot.latest = frame;
            slot.published = now;
            slot.wake.clone()
        };
        if let Some(wake) = wake {
            wake();
        }
    }

    /// The two latest frames and the share of the way between them.
    pub fn pair(&self) -> FramePair {
        let slot = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let alpha = if slot.interval.is_zero() {
            1.0
        } else {
            (slot.published.elapsed().as_secs_f32() / slot.interval.as_secs_f32()).min(1.0)
        };
        FramePair { previous: Arc::clone(&slot.previous), latest: Arc::clone(&slot.latest), alpha }
    }

    /// Set what is called after each frame.
    pub fn set_wake(&self, wake: Wake) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).wake = Some(wake);
    }
}

/// Longer gaps between frames are pauses (1/20 speed makes a tick in a third of a second).
const LONGEST_INTERVAL: Duration = Duration::from_millis(500);

impl std::fmt::Debug for FrameSlot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrameSlot").finish_non_exhaustive()
    }
}
