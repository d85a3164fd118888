//! The progress bar of long runs: on stderr, and only where that is a terminal.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Ticks between two looks at the bar.
const EVERY: u64 = 32;

/// Shows how far a run is.
pub(super) struct Progress {
    bar: ProgressBar,
    shown: bool,
}

impl Progress {
    /// A bar of `ticks` ticks.
    pub(super) fn new(ticks: u64) -> Self {
        let shown = std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr_with_hz(10) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(ticks), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:32} tick {pos}/{len}  {eta} to go") {
            bar.set_style(style);
        }
        Self { bar, shown }
    }

    /// So many ticks are made.
    pub(super) fn at(&self, tick: u64) {
        if self.shown && tick.is_multiple_of(EVERY) {
            self.bar.set_position(tick);
        }
    }

    /// Writes text to stderr above the bar.
    pub(super) fn say(&self, text: &str) {
        self.hide(|| super::out::stderr(text));
    }

    /// Does something that writes to stderr while the bar is away.
    pub(super) fn hide(&self, work: impl FnOnce()) {
        if self.shown { self.bar.suspend(work) } else { work() }
    }

    /// Takes the bar away.
    pub(super) fn done(self) {
        self.bar.finish_and_clear();
    }
}
