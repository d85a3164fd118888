//! The running experiment that window and command line share: world, minds, recorder, clock, problems and undo.
//!
//! Commands go in through one door ([`Experiment::apply`]), frames come out ([`Experiment::frame`]). The command line drives
//! it synchronously, the window through a [`Runner`] on its own thread; both make the same ticks.

pub mod apart;
mod asking;
pub mod authoring;
pub mod checking;
pub mod clock;
pub mod command;
pub mod core;
pub mod counting;
pub mod delivering;
pub mod doing;
pub mod edits;
pub mod exporting;
pub mod flowing;
pub mod forming;
pub mod frame;
pub mod gains;
pub mod gauges_view;
mod gauging;
mod inspecting;
pub mod leading;
pub mod library;
pub mod listing;
pub mod log;
mod looking;
pub mod measuring;
pub mod mind;
pub mod native;
pub mod navigating;
pub mod news;
mod opening;
pub mod options;
pub mod ordering;
pub mod panel;
mod params;
pub mod passing;
pub mod plant;
mod plotting;
pub mod populating;
pub mod posting;
pub mod problems;
pub mod progress;
pub mod reloading;
pub mod report;
pub mod reporting;
pub mod runner;
mod saving;
mod scheduling;
mod scripted;
pub mod scripts;
pub mod serving;
pub mod session;
pub mod slots;
pub mod spawning;
mod staging;
pub mod standing;
pub mod tapes;
pub mod trailing;
mod trying;
pub mod tuner;
pub mod tuning;
pub mod validating;
pub mod values;
pub mod view;

use std::path::Path;

pub use self::core::Experiment;
pub use crate::record::Rate;
pub use crate::scene::problem::{Problem, Severity};
pub use crate::scene::suggestion;
pub use options::{OpenError, Options};
pub use runner::Runner;
pub use view::FrameCache;

/// A path as people see it: from the project folder where it lies inside, with forward slashes.
pub fn shown_path(project: &Path, path: &Path) -> String {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (root, full) = (canonical(project), canonical(path));
    let shown = full.strip_prefix(&root).map_or_else(|_| path.to_path_buf(), Path::to_path_buf);
    shown.to_string_lossy().replace('\\', "/")
}
