//! Sources, stops and exits, as drawn and listed.

use glam::DVec3;

/// All of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlowView {
    /// In the scene's order.
    pub sources: Vec<SourceView>,
    /// In the scene's order.
    pub stops: Vec<StopView>,
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceView {
    /// Name.
    pub name: String,
    /// Index of the group that they join.
    pub group: usize,
    /// Corners of its area in metres; two of a line.
    pub outline: Vec<DVec3>,
    /// Whether anybody may enter.
    pub open: bool,
    /// How many have entered.
    pub entered: u64,
    /// How many are due and find no room.
    pub waiting: u64,
    /// Persons per second now.
    pub rate: f64,
    /// Why somebody waits.
    pub reason: Option<String>,
}

/// A stop.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopView {
    /// Name.
    pub name: String,
    /// "waypoint", "waiting", "queue" or "exit".
    pub kind: &'static str,
    /// Where its name stands, in metres.
    pub at: DVec3,
    /// How near counts as there, in metres, of a waypoint.
    pub radius: f64,
    /// Corners of its area in metres; two of a line, none without area.
    pub outline: Vec<DVec3>,
    /// Where people stand, in metres, the head of a queue first, and whether somebody has the spot.
    pub spots: Vec<(DVec3, bool)>,
    /// Whether one may leave it, is served, is let through.
    pub open: bool,
    /// How many stand there.
    pub count: usize,
    /// How many are on their way there.
    pub coming: usize,
    /// How many were served.
    pub served: u64,
    /// How many left there.
    pub left: usize,
    /// Persons per second who left there, mean over the last 5 s.
    pub flow: f64,
}
