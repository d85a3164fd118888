//! Trajectories as PeTrack and JuPedSim write them: comments, then rows `id frame x y z` with blanks between.

use std::fmt::Write as _;
use std::path::Path;

use glam::DVec3;

use super::read::{Recording, finish, row_fault};
use super::tape::{Row, TapeMaker};
use super::text::{Lines, frame_rate, unit};
use crate::scene::Problem;

/// How a file says its frame rate.
const HOW: &str = "write the line `# framerate: 25.00 fps` at the top, or `fps: 25` into the tape of the scene";

/// The comments at the top.
pub(super) fn head(fps: f64) -> String {
    format!("# framerate: {} fps\n# id frame x/m y/m z/m\n", decimals(fps))
}

/// A frame rate with two decimals, or as many as it takes.
pub(super) fn decimals(fps: f64) -> String {
    let short = format!("{fps:.2}");
    if short.parse() == Ok(fps) { short } else { fps.to_string() }
}

/// Appends a row.
pub(super) fn push_row(text: &mut String, id: i64, frame: i64, at: DVec3) {
    let _infallible = writeln!(text, "{id} {frame} {} {} {}", at.x, at.y, at.z);
}

pub(super) fn read(path: &Path, shown: &str, fps: Option<f64>) -> Result<Recording, Problem> {
    let mut lines = Lines::open(path, shown)?;
    let (mut rate, mut metres) = (None, None);
    let mut maker = TapeMaker::default();
    while lines.advance()? {
        let line = lines.text();
        if line.starts_with('#') || line.trim_start().is_empty() {
            rate = rate.or_else(|| frame_rate(line));
            metres = metres.or_else(|| unit(line));
            continue;
        }
        let Some(scale) = metres else {
            let message = "no comment before the first row says the unit of x and y".to_owned();
            let hint = "write the line `# id frame x/m y/m z/m` (or x/cm …) at the top";
            return Err(lines.fault(line, "no-unit", message, hint));
        };
        let mut words = line.split_whitespace();
        let mut next = |what: &str| {
            words.next().ok_or_else(|| {
                let message = format!("the row has no {what}");
                lines.fault(&line[line.len()..], "bad-row", message, "a row is `id frame x y z`, with blanks between")
            })
        };
        let id = lines.whole(next("id")?, "id")?;
        let frame = lines.whole(next("frame")?, "frame")?;
        let x = lines.metres(next("x")?, "x", scale)?;
        let y = lines.metres(next("y")?, "y", scale)?;
        let z = words.next().map_or(Ok(0.0), |word| lines.metres(word, "z", scale))?;
        let row = Row { id, frame, position: DVec3::new(x, y, z), heading: None };
        if let Err(fault) = maker.take(row) {
            let (message, hint) = row_fault(fault, id, frame);
            return Err(lines.fault(line, "bad-row", message, hint));
        }
    }
    finish(maker, shown, rate.or(fps), HOW)
}
