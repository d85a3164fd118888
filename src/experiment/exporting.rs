//! A run is written into a trajectory file while it goes on.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::record::{Rate, Row, Writer, Written};
use crate::scene::problem::Problem;
use crate::scene::suggestion;
use crate::sim::Edge;

use super::core::Experiment;
use super::frame::{ExportView, Level};

/// What is to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Export {
    /// Where to; the ending says the format.
    pub path: PathBuf,
    /// How often; none is the usual rate.
    pub rate: Option<Rate>,
    /// Names of the groups; all without any.
    pub groups: Vec<String>,
}

/// A file that was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExportRun {
    /// The file.
    pub file: String,
    /// Frames per second.
    pub fps: f64,
    /// Ticks from frame to frame.
    pub every: u64,
    /// Frames.
    pub frames: i64,
    /// Rows: agents over all frames.
    pub rows: u64,
}

/// Files that grow with the run.
#[derive(Debug, Default)]
pub struct Exports {
    running: Vec<Running>,
    /// Files that are done.
    pub done: Vec<ExportRun>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Running {
    writer: Writer,
    run: ExportRun,
    /// The tick of frame 0.
    since: u64,
    groups: Vec<usize>,
}

impl Exports {
    /// Whether a file is being written.
    pub fn is_running(&self) -> bool {
        !self.running.is_empty()
    }
}

impl Experiment {
    /// Writes the run into a file from now on; frame 0 is the present tick.
    ///
    /// # Errors
    /// A group that the scene lacks, an ending that is no format, a file that cannot be made.
    pub fn export(&mut self, order: &Export) -> Result<ExportRun, Problem> {
        let names = || self.world.groups.iter().map(|group| group.name.as_str());
        let index = |wanted: &String| {
            names().position(|name| name == wanted).ok_or_else(|| {
                let message = format!("there is no group `{wanted}` to write");
                Problem::error("unknown-group", message).maybe_hint(suggestion(wanted, names()))
            })
        };
        let groups = order.groups.iter().map(index).collect::<Result<Vec<_>, _>>()?;
        let groups = if groups.is_empty() { (0..self.world.groups.len()).collect() } else { groups };
        let rate = order.rate.unwrap_or_else(|| Rate::usual(self.world.settings.tick_hz));
        let space = self.world.settings.space;
        // Beyond the edge of an open area people walk on; there the file's area is what they walked on.
        let area = space.area.filter(|_| space.edge != Edge::Open);
        let writer =
            Writer::create(&order.path, rate.fps, area.map(|area| (area.min.truncate(), area.max.truncate())))?;
        let file = order.path.display().to_string();
        let run = ExportRun { file, fps: rate.fps, every: rate.every, frames: 0, rows: 0 };
        let mut running = Running { writer, run: run.clone(), since: self.world.tick, groups };
        self.write_frame(&mut running)?;
        self.exports.running.push(running);
        Ok(run)
    }

    /// Writes the frames that are due after this tick.
    pub(super) fn write_frames(&mut self) {
        if self.exports.running.is_empty() {
            return;
        }
        let mut running = std::mem::take(&mut self.exports.running);
        running.retain_mut(|export| self.write_frame(export).map_err(|problem| self.give_up(problem)).is_ok());
        self.exports.running = running;
        if self.finished() {
            self.finish_exports();
        }
    }

    /// Writes a frame if one is due.
    fn write_frame(&mut self, export: &mut Running) -> Result<(), Problem> {
        if !(self.world.tick - export.since).is_multiple_of(export.run.every) {
            return Ok(());
        }
        let mut rows = std::mem::take(&mut self.exports.rows);
        rows.clear();
        self.collect_rows(&export.groups, &mut rows);
        let written = export.writer.frame(&rows, &self.world.obstacles);
        export.run.frames += 1;
        export.run.rows += rows.len() as u64;
        self.exports.rows = rows;
        written
    }

    fn collect_rows(&self, groups: &[usize], rows: &mut Vec<Row>) {
        let agents = &self.world.agents;
        for group in groups {
            rows.extend(self.world.groups[*group].members.iter().map(|slot| {
                let at = *slot as usize;
                let id = self.trajectory_id(agents.id(*slot));
                Row { id, frame: 0, position: agents.position[at], heading: Some(agents.heading[at]) }
            }));
        }
        // By number, whichever group comes first: the same agents give the same file.
        rows.sort_unstable_by_key(|row| row.id);
    }

    fn give_up(&mut self, problem: Problem) {
        let text = format!("no longer written: {}", problem.message);
        self.log.toast(self.world.time(), Level::Error, "export", text);
        self.problems.add(problem.tick(self.world.tick));
    }

    /// Ends all files that are being written.
    pub fn finish_exports(&mut self) {
        for export in std::mem::take(&mut self.exports.running) {
            match export.writer.finish() {
                Ok(Written { warnings, frames, rows }) => {
                    let run = ExportRun { frames, rows, ..export.run };
                    let text = format!("{}: {frames} frames, {rows} rows", run.file);
                    self.log.toast(self.world.time(), Level::Info, "export", text);
                    self.exports.done.push(run);
                    for warning in warnings {
                        self.problems.add(warning);
                    }
                }
                Err(problem) => self.give_up(problem),
            }
        }
    }

    /// The window's order: from tick 0 with the edits of this session, or from now on.
    pub(super) fn export_from_window(&mut self, path: &str, restart: bool) {
        let path = Path::new(path);
        let path = if path.is_absolute() { path.to_path_buf() } else { self.project.join(path) };
        let clash = path.canonicalize().ok().is_some_and(|path| self.path.canonicalize().ok() == Some(path));
        if clash {
            let text = "that is the file of the scene; name another one";
            self.log.toast(self.world.time(), Level::Error, "export", text);
            return;
        }
        if restart && self.world.tick > 0 {
            self.reset(true);
        }
        match self.export(&Export { path, ..Export::default() }) {
            Ok(run) => {
                let text = format!("writing {} at {} frames per second", run.file, run.fps);
                self.log.toast(self.world.time(), Level::Info, "export", text);
            }
            Err(problem) => self.give_up(problem),
        }
    }

    /// The file that is being written.
    pub(super) fn export_view(&self) -> Option<ExportView> {
        let export = self.exports.running.first()?;
        Some(ExportView { file: export.run.file.clone(), frames: export.run.frames, fps: export.run.fps })
    }
}
