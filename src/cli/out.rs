//! Writes to stdout and stderr; a reader who has gone away is no fault.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be written to stdout.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes text to stdout. Nobody may be reading any more (`swarmyard … | head`): that ends the text, not the program. Anything
/// else that is in the way, such as a full disk, is a failure.
pub(super) fn stdout(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush())
        && error.kind() != io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        stderr(&format!("error: stdout could not be written: {error}\n"));
    }
}

/// Whether output was lost.
pub(super) fn was_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Writes text to stderr.
pub(super) fn stderr(text: &str) {
    drop(io::stderr().lock().write_all(text.as_bytes()));
}

/// Writes a value as JSON to stdout.
pub(super) fn json(value: &impl serde::Serialize) {
    // Plain data: the only error is one of the writer, and a string cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    stdout(&text);
}
