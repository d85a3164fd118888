//! A run becomes a trajectory file, a frame at a time; nothing is kept in memory but the ground.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use glam::{DVec2, DVec3};

use super::format::Format;
use super::ground::{self, Ground};
use super::tape::Row;
use crate::scene::Problem;
use crate::sim::obstacle::{Obstacles, Shape};

/// Room round agents and obstacles where a scene has no area, m.
const MARGIN_M: f64 = 1.0;

/// A trajectory file that grows with a run.
pub struct Writer {
    path: PathBuf,
    sink: Sink,
    frames: i64,
    rows: u64,
    grounds: Grounds,
}

enum Sink {
    Text {
        file: BufWriter<File>,
        format: Format,
        text: String,
    },
    #[cfg(feature = "script")]
    Database(super::sqlite_write::Database),
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
    pub fn create(path: &Path, fps: f64, area: Option<(DVec2, DVec2)>) -> Result<Self, Problem> {
        let sink = match Format::of(path)? {
            #[cfg(feature = "script")]
            Format::Sqlite => Sink::Database(super::sqlite_write::Database::create(path, fps)?),
            #[cfg(not(feature = "script"))]
            Format::Sqlite => return Err(Problem::error("no-sqlite", "this build writes no .sqlite files")),
            format => {
                let file = File::create(path).map_err(|error| cannot(path, &error))?;
                let head = if format == Format::Txt { super::txt::head(fps) } else { super::csv::head(fps) };
                Sink::Text { file: BufWriter::new(file), format, text: head }
            }
        };
        let path = path.to_path_buf();
        Ok(Self { path, sink, frames: 0, rows: 0, grounds: Grounds { area, ..Grounds::default() } })
    }

    /// Writes the next frame; the frame numbers of `rows` do not count.
    ///
    /// # Errors
    /// What keeps it from being written, such as a full disk.
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
            Sink::Database(database) => {
                database.frame(frame, rows)?;
                self.grounds.note(frame, rows, obstacles);
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
        let mut written = Written { frames: self.frames, rows: self.rows, warnings: Vec::new() };
        match self.sink {
            Sink::Text { mut file, text, .. } => {
                let done = file.write_all(text.as_bytes()).and_then(|()| file.flush());
                done.map_err(|error| cannot(&self.path, &error))?;
            }
            #[cfg(feature = "script")]
            Sink::Database(database) => {
                let (grounds, parted) = self.grounds.solve();
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

/// What stood in the way since a frame, and where agents were then.
struct Standing {
    since: i64,
    version: u64,
    shapes: Vec<Shape>,
    agents: Vec<DVec2>,
}

/// The ground over a run. It is solved at the end, when everybody's ways are known.
#[derive(Default)]
struct Grounds {
    area: Option<(DVec2, DVec2)>,
    bounds: Option<(DVec2, DVec2)>,
    standing: Vec<Standing>,
}

impl Grounds {
    fn note(&mut self, frame: i64, rows: &[Row], obstacles: &Obstacles) {
        let flat = |p: DVec3| p.truncate();
        for at in rows.iter().map(|row| flat(row.position)) {
            self.bounds = Some(self.bounds.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
        }
        let version = obstacles.version();
        let known = self.standing.last_mut().filter(|last| last.version == version);
        if let Some(last) = known {
            if last.agents.is_empty() {
                last.agents.extend(rows.iter().map(|row| flat(row.position)));
            }
            return;
        }
        let blocking = obstacles.iter().filter(|obstacle| !obstacle.open);
        let shapes: Vec<Shape> = blocking.map(|obstacle| obstacle.shape.clone()).collect();
        let agents = rows.iter().map(|row| flat(row.position)).collect();
        self.standing.push(Standing { since: frame, version, shapes, agents });
    }

    /// What the walkable areas are cut out of: the scene's area, or the box round all that was seen.
    fn rim(&self) -> (DVec2, DVec2) {
        if let Some(area) = self.area {
            return area;
        }
        let shapes = self.standing.iter().flat_map(|standing| &standing.shapes).map(Shape::bounds);
        let shapes = shapes.map(|(low, high)| (low.truncate(), high.truncate()));
        let all = self.bounds.into_iter().chain(shapes);
        let around = all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (low, high) = around.unwrap_or((DVec2::ZERO, DVec2::ZERO));
        ((low - MARGIN_M).floor(), (high + MARGIN_M).ceil())
    }

    /// The walkable area from each frame on: of several connected parts the one where most agents are, since a trajectory
    /// file has room for one. The warning says if somebody is elsewhere.
    fn solve(self) -> (Vec<(i64, Ground)>, Option<Problem>) {
        let rim = self.rim();
        let mut warning = None;
        let mut solved = Vec::new();
        for standing in &self.standing {
            let parts = ground::free(rim, &standing.shapes);
            let inside = |part: &Ground| standing.agents.iter().filter(|at| part.has(**at)).count();
            let counts: Vec<usize> = parts.iter().map(inside).collect();
            // The first of the best: parts come by size.
            let most = counts.iter().copied().max().unwrap_or(0);
            let Some(best) = counts.iter().position(|count| *count == most) else { continue };
            let others: usize = counts.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, count)| count).sum();
            if others > 0 && warning.is_none() {
                let message = format!(
                    "the walkable area falls into parts; the file has that of {most} agents and not that of {others} others"
                );
                let hint = "closed doors and walls part it; an opened door joins the parts from that frame on";
                warning = Some(Problem::warning("parted-ground", message).hint(hint));
            }
            solved.extend(parts.into_iter().nth(best).map(|part| (standing.since, part)));
        }
        (solved, warning)
    }
}
