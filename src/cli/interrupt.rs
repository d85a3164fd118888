//! Ctrl-C: the first ends the run with the report so far, the second ends the program.

use std::sync::atomic::{AtomicU8, Ordering};

static PRESSED: AtomicU8 = AtomicU8::new(0);

/// Listens from now on.
pub(super) fn listen() {
    listen_with(|| {});
}

/// Listens from now on; the first Ctrl-C also does `then`.
pub(super) fn listen_with(then: impl Fn() + Send + 'static) {
    let handler = move || {
        if PRESSED.fetch_add(1, Ordering::Relaxed) > 0 {
            end_now();
        }
        then();
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
