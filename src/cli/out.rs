//! Writes to stdout and stderr; a reader who has gone away is no fault.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be written to stdout.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes text to stdout. Nobody may be reading any more (`swarmyard … | head`): that ends the text, not the program. Anything
/// else that is in the way, such as a full disk, is a failure.
pub(super) fn stdout(text: &str) {
    write(text);
}

/// Tells whether the text got out.
fn write(text: &str) -> bool {
    let mut out = io::stdout().lock();
    let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) else { return true };
    if error.kind() != io::ErrorKind::BrokenPipe && !LOST.swap(true, Ordering::Relaxed) {
        stderr(&format!("error: stdout could not be written: {error}\n"));
    }
    false
}

/// Writes a value as one line of JSON to stdout; tells whether it got out.
pub(super) fn json_line(value: &impl serde::Serialize) -> bool {
    // Plain data, as below.
    let mut text = serde_json::to_string(value).unwrap_or_default();
    text.push('\n');
    write(&text)
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
