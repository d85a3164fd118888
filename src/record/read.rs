//! A trajectory file becomes a tape, or one problem with its place.

use std::path::Path;

use super::format::Format;
use super::tape::{RowFault, Tape, TapeMaker};
use crate::scene::Problem;

/// Frame rates that can be meant, 1/s.
const RATES: std::ops::RangeInclusive<f64> = 0.01..=10_000.0;

/// What a file held.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The poses.
    pub tape: Tape,
    /// What is odd but no error.
    pub warnings: Vec<Problem>,
}

/// Reads a trajectory file; `shown` is the name that problems show, `fps` the frame rate of a file that says none.
///
/// # Errors
/// What keeps it from being played, with the line where there is one.
pub fn read(path: &Path, shown: &str, fps: Option<f64>) -> Result<Recording, Problem> {
    let format = Format::of(path).map_err(|problem| problem.in_file(shown))?;
    if !path.is_file() {
        let what = if path.exists() { "is not a file" } else { "does not exist" };
        let problem = Problem::error("unreadable", format!("the trajectory file {shown} {what}")).in_file(shown);
        return Err(problem.hint("paths in a scene count from its own folder"));
    }
    match format {
        Format::Txt => super::txt::read(path, shown, fps),
        Format::Csv => super::csv::read(path, shown, fps),
        #[cfg(feature = "script")]
        Format::Sqlite => super::sqlite_read::read(path, shown),
        #[cfg(not(feature = "script"))]
        Format::Sqlite => Err(Problem::error("no-sqlite", "this build reads no .sqlite files").in_file(shown)),
    }
}

/// The tape of a file whose rows were all taken.
pub(super) fn finish(maker: TapeMaker, shown: &str, fps: Option<f64>, how: &str) -> Result<Recording, Problem> {
    if maker.is_empty() {
        let problem = Problem::error("no-rows", "the file holds no trajectory").in_file(shown);
        return Err(problem.hint("a row per person and frame is needed"));
    }
    let Some(fps) = fps else {
        let problem = Problem::error("no-frame-rate", "the file does not say how many frames a second has");
        return Err(problem.in_file(shown).hint(how));
    };
    if !RATES.contains(&fps) {
        let message = format!("the frame rate is {fps}; it must be from {} to {}", RATES.start(), RATES.end());
        return Err(Problem::error("no-frame-rate", message).in_file(shown).hint(how));
    }
    let gaps = maker.gaps();
    let warnings = gaps.first().map(|gap| {
        let more = if gaps.len() == 1 { String::new() } else { format!(", and {} more holes", gaps.len() - 1) };
        let message = format!("agent {} has no rows between the frames {} and {}{more}", gap.id, gap.from, gap.to);
        let hint = "up to 1 s it goes on in a straight line; longer than that it is away";
        Problem::warning("missing-frames", message).in_file(shown).hint(hint)
    });
    Ok(Recording { tape: maker.finish(fps), warnings: warnings.into_iter().collect() })
}

/// What is wrong with a row, in words, and what to try.
pub(super) fn row_fault(fault: RowFault, id: i64, frame: i64) -> (String, &'static str) {
    match fault {
        RowFault::Twice => {
            (format!("agent {id} has two rows of frame {frame}"), "one row per agent and frame; are two files in one?")
        }
        RowFault::Backward(last) => (
            format!("frame {frame} of agent {id} comes after its frame {last}"),
            "the rows of an agent must ascend by frame; sort the file",
        ),
        RowFault::TooMany => ("the file has more than 50 million rows".to_owned(), "cut it, or thin it out"),
    }
}
