//! Trajectories as tables: `frame,id,pos_x,pos_y`, after comments with the frame rate and the unit.

use std::fmt::Write as _;
use std::path::Path;

use glam::DVec3;

use super::read::{Recording, finish, row_fault};
use super::tape::{Row, TapeMaker};
use super::text::{Lines, frame_rate, unit};
use crate::scene::Problem;

/// How a file says its frame rate.
const HOW: &str = "write the line `# framerate: 25.00 fps` at the top, or `fps: 25` into the tape of the scene";

/// Names that a column may have.
const COLUMNS: [(&str, &[&str]); 5] = [
    ("frame", &["frame"]),
    ("id", &["id"]),
    ("pos_x", &["pos_x", "x", "x/m"]),
    ("pos_y", &["pos_y", "y", "y/m"]),
    ("pos_z", &["pos_z", "z", "z/m"]),
];

/// Comments and names of the columns. `pandas.read_csv(…, comment="#")` skips the comments.
pub(super) fn head(fps: f64) -> String {
    format!("# framerate: {} fps\n# positions in m\nframe,id,pos_x,pos_y\n", super::txt::decimals(fps))
}

/// Appends a row.
pub(super) fn push_row(text: &mut String, id: i64, frame: i64, at: DVec3) {
    let _infallible = writeln!(text, "{frame},{id},{},{}", at.x, at.y);
}

pub(super) fn read(path: &Path, shown: &str, fps: Option<f64>) -> Result<Recording, Problem> {
    let mut lines = Lines::open(path, shown)?;
    let (mut rate, mut metres) = (None, None);
    let mut columns: Option<Columns> = None;
    let mut maker = TapeMaker::default();
    while lines.advance()? {
        let line = lines.text();
        if line.starts_with('#') || line.is_empty() {
            rate = rate.or_else(|| frame_rate(line));
            metres = metres.or_else(|| unit(line));
            continue;
        }
        let Some(columns) = &columns else {
            columns = Some(Columns::of(&lines)?);
            continue;
        };
        // A table without a unit is in metres, as JuPedSim writes it.
        let row = columns.row(&lines, metres.unwrap_or(1.0))?;
        if let Err(fault) = maker.take(row) {
            let (message, hint) = row_fault(fault, row.id, row.frame);
            return Err(lines.fault(line, "bad-row", message, hint));
        }
    }
    finish(maker, shown, rate.or(fps), HOW)
}

/// Where the columns stand.
struct Columns([Option<usize>; 5]);

impl Columns {
    fn of(lines: &Lines<'_>) -> Result<Self, Problem> {
        let names: Vec<String> = cells(lines.text()).map(|name| name.trim().to_ascii_lowercase()).collect();
        let place = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let places = COLUMNS.map(|(_, known)| place(known));
        let missing: Vec<&str> = COLUMNS
            .iter()
            .zip(&places)
            .take(4)
            .filter(|(_, place)| place.is_none())
            .map(|(column, _)| column.0)
            .collect();
        if missing.is_empty() {
            return Ok(Self(places));
        }
        let message = format!("the table has no column {}", missing.join(", "));
        let hint = "the first line names the columns: `frame,id,pos_x,pos_y`";
        Err(lines.fault(lines.text(), "bad-columns", message, hint))
    }

    fn row(&self, lines: &Lines<'_>, scale: f64) -> Result<Row, Problem> {
        let line = lines.text();
        let cell = |column: usize| {
            let place = self.0[column];
            place.and_then(|place| cells(line).nth(place)).ok_or_else(|| {
                let message = format!("the row has no {}", COLUMNS[column].0);
                lines.fault(&line[line.len()..], "bad-row", message, "every row has as many cells as the first line")
            })
        };
        let frame = lines.whole(cell(0)?, "frame")?;
        let id = lines.whole(cell(1)?, "id")?;
        let x = lines.metres(cell(2)?, "pos_x", scale)?;
        let y = lines.metres(cell(3)?, "pos_y", scale)?;
        let z = if self.0[4].is_some() { lines.metres(cell(4)?, "pos_z", scale)? } else { 0.0 };
        Ok(Row { id, frame, position: DVec3::new(x, y, z), heading: None })
    }
}

/// Cells of a line, without blanks and quotes round them.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"'))
}
