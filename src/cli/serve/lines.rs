//! Lines of stdin, read on a thread of their own: bounded, and never a reason to stop.

use std::io::{self, BufRead, Read as _};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::experiment::Problem;

/// The longest line, in bytes.
const LONGEST: usize = 1_000_000;

/// Lines that wait to be done; a client that is faster than that waits.
const WAITING: usize = 8;

/// A line without its end, or why there is none.
pub(super) type Line = Result<String, Problem>;

/// Reads stdin from now on, to its end.
pub(super) fn listen() -> io::Result<Receiver<Line>> {
    let (sender, receiver) = sync_channel(WAITING);
    std::thread::Builder::new().name("stdin".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        // What cannot be read any more has ended.
        while let Ok(Some(line)) = next(&mut input) {
            if sender.send(line).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let ended = bytes.pop_if(|last| *last == b'\n').is_some();
    if !ended && bytes.len() > LONGEST {
        input.skip_until(b'\n')?;
        let message = format!("the line is longer than {LONGEST} bytes");
        return Ok(Some(Err(Problem::error("too-long", message))));
    }
    let line = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Problem::error("not-utf8", format!("the line is not UTF-8 at byte {at}"))
    });
    Ok(Some(line))
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Line, next};

    fn all(mut text: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next(&mut text).expect("memory can be read")).collect()
    }

    #[test]
    fn lines_end_at_their_end_and_at_the_end_of_the_input() {
        let lines: Vec<String> = all(b"a\n\nb").into_iter().map(|line| line.expect("short")).collect();
        assert_eq!(lines, ["a", "", "b"]);
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_hides_no_other() {
        let mut text = vec![b'x'; LONGEST];
        text.extend(b"\n\xff\n");
        text.extend(vec![b'y'; 3 * LONGEST]);
        text.extend(b"\nz\n");
        let lines = all(&text);
        let codes = lines.iter().map(|line| line.as_ref().err().map_or("", |problem| problem.code.as_str()));
        assert_eq!(codes.collect::<Vec<_>>(), ["", "not-utf8", "too-long", ""]);
    }
}
