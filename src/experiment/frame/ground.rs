//! What stands in the yard or is drawn on it.

use std::sync::Arc;

use glam::DVec3;

/// An obstacle as drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleView {
    /// Id in commands.
    pub id: u64,
    /// Name; empty if it has none.
    pub name: String,
    /// "disc", "sphere", "box", "wall", "polyline" or "polygon".
    pub kind: &'static str,
    /// Outlines in metres; the first is the outside, others are holes.
    pub outlines: Arc<[Vec<DVec3>]>,
    /// Whether outlines are closed (and filled).
    pub closed: bool,
    /// Open obstacles let everybody through.
    pub open: bool,
    /// Where it is held when dragged, in metres.
    pub anchor: DVec3,
    /// Height above the ground for perspective views, in metres.
    pub height: f64,
}

/// What a script drew.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// A line through points in metres.
    Line {
        /// Points.
        points: Vec<DVec3>,
        /// Index into the category palette.
        color: usize,
    },
    /// An arrow in metres.
    Arrow {
        /// Tail.
        from: DVec3,
        /// Vector.
        vector: DVec3,
        /// Index into the category palette.
        color: usize,
    },
    /// A circle in metres.
    Circle {
        /// Center.
        at: DVec3,
        /// Radius.
        radius: f64,
        /// Index into the category palette.
        color: usize,
    },
    /// Text.
    Text {
        /// Where.
        at: DVec3,
        /// What.
        text: String,
        /// Index into the category palette.
        color: usize,
    },
}
