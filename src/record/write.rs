//! A run becomes a trajectory file, a frame at a time; nothing is kept in memory but the ground.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use glam::DVec2;

use super::format::Format;
use super::tape::Row;
use crate::scene::Problem;
use crate::sim::obstacle::Obstacles;

/// A trajectory file that grows with a run.
pub struct Writer {
    path: PathBuf,
    sink: Sink,
    frames: i64,
    rows: u64,
}

enum Sink {
    Text {
        file: BufWriter<File>,
        format: Format,
        text: String,
    },
    #[cfg(feature = "script")]
    Database(super::sqlite_write::Database, super::grounds::Grounds),
}

/// What became of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    /// Frames.
    pub frames: i64,
    /// Rows.
    pub rows: u64,
    /// What is odd but no error.
    pub warnings: Vec<Problem>,
}

impl Writer {
    /// Creates the file, in the format that its name says. `area` is what the walkable area is cut out of (m); without one
    /// that is the box round all agents and obstacles.
    ///
    /// # Errors
    /// An ending that is no format; a file that cannot be made.
    #[cfg_attr(not(feature = "script"), expect(unused_variables, reason = "only databases have room for the ground"))]
    pub fn create(path: &Path, fps: f64, area: Option<(DVec2, DVec2)>) -> Result<Self, Problem> {
        let sink = match Format::of(path)? {
            #[cfg(feature = "script")]
            Format::Sqlite => {
                let grounds = super::grounds::Grounds::of(area);
                Sink::Database(super::sqlite_write::Database::create(path, fps)?, grounds)
            }
            #[cfg(not(feature = "script"))]
            Format::Sqlite => return Err(Problem::error("no-sqlite", "this build writes no .sqlite files")),
            format => {
                let file = File::create(path).map_err(|error| cannot(path, &error))?;
                let head = if format == Format::Txt { super::txt::head(fps) } else { super::csv::head(fps) };
                Sink::Text { file: BufWriter::new(file), format, text: head }
            }
        };
        let path = path.to_path_buf();
        Ok(Self { path, sink, frames: 0, rows: 0 })
    }

    /// Writes the next frame; the frame numbers of `rows` do not count.
    ///
    /// # Errors
    /// What keeps it from being written, such as a full disk.
    #[cfg_attr(not(feature = "script"), expect(unused_variables, reason = "only databases have room for the ground"))]
    pub fn frame(&mut self, rows: &[Row], obstacles: &Obstacles) -> Result<(), Problem> {
        let frame = self.frames;
        match &mut self.sink {
            Sink::Text { file, format, text } => {
                let push = if *format == Format::Txt { super::txt::push_row } else { super::csv::push_row };
                for row in rows {
                    push(text, row.id, frame, row.position);
                }
                file.write_all(text.as_bytes()).map_err(|error| cannot(&self.path, &error))?;
                text.clear();
            }
            #[cfg(feature = "script")]
            Sink::Database(database, grounds) => {
                database.frame(frame, rows)?;
                grounds.note(frame, rows, obstacles);
            }
        }
        self.frames += 1;
        self.rows += rows.len() as u64;
        Ok(())
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub fn finish(self) -> Result<Written, Problem> {
        #[cfg_attr(not(feature = "script"), expect(unused_mut, reason = "only databases warn"))]
        let mut written = Written { frames: self.frames, rows: self.rows, warnings: Vec::new() };
        match self.sink {
            Sink::Text { mut file, text, .. } => {
                let done = file.write_all(text.as_bytes()).and_then(|()| file.flush());
                done.map_err(|error| cannot(&self.path, &error))?;
            }
            #[cfg(feature = "script")]
            Sink::Database(database, grounds) => {
                let (grounds, parted) = grounds.solve();
                database.finish(self.frames, &grounds)?;
                let shown = self.path.display().to_string();
                written.warnings.extend(parted.map(|problem| problem.in_file(shown)));
            }
        }
        Ok(written)
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("path", &self.path).field("frames", &self.frames).finish_non_exhaustive()
    }
}

pub(super) fn cannot(path: &Path, error: &dyn std::fmt::Display) -> Problem {
    let problem = Problem::error("cannot-write", format!("{} cannot be written: {error}", path.display()));
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => problem.hint(format!("there is no folder {}", folder.display())),
        None => problem,
    }
}
