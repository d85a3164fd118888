//! Ctrl-C: the first ends the run with the report so far, the second ends the program.

use std::sync::atomic::{AtomicU8, Ordering};

static PRESSED: AtomicU8 = AtomicU8::new(0);

/// Listens from now on.
pub(super) fn listen() {
    let handler = || {
        if PRESSED.fetch_add(1, Ordering::Relaxed) > 0 {
            end_now();
        }
    };
    // Without a handler Ctrl-C ends the program at once, which is all right too.
    drop(ctrlc::set_handler(handler));
}

/// Whether the run should end.
pub(super) fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed) > 0
}

#[expect(clippy::exit, reason = "somebody pressed Ctrl-C twice and wants out at once")]
fn end_now() {
    std::process::exit(130);
}
