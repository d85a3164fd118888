//! Ghosts of other runs, and the trajectory file that is being written.

use glam::DVec3;

/// A ghost: columns of its agents, ascending by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GhostView {
    /// Name of the tape.
    pub name: String,
    /// Number of the agent on the tape.
    pub id: Vec<i64>,
    /// Metres.
    pub position: Vec<DVec3>,
    /// Radians.
    pub heading: Vec<f64>,
    /// Metres.
    pub radius: Vec<f32>,
    /// Mean distance of the run's agents from those of the ghost with their numbers, m; none where no numbers meet.
    pub error: Option<f64>,
}

/// A trajectory file that grows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportView {
    /// The file.
    pub file: String,
    /// Frames so far.
    pub frames: i64,
    /// Frames per second.
    pub fps: f64,
}
