//! Measuring lines and areas as drawn, and cells of people by density.

use std::sync::Arc;

use glam::DVec3;

/// A measuring line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaugeLine {
    /// Its name.
    pub name: String,
    /// One end, m.
    pub from: DVec3,
    /// The other end, m; to the right of the way there is the positive direction.
    pub to: DVec3,
    /// Passings per second, 1/s.
    pub flow: Option<f64>,
    /// How many passed in the positive direction.
    pub forward: u64,
    /// How many passed in the negative direction.
    pub backward: u64,
}

/// A measuring area.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaugeArea {
    /// Its name.
    pub name: String,
    /// Corners, m.
    pub points: Vec<DVec3>,
    /// Voronoi density where it is measured, else the classic one, 1/m².
    pub density: Option<f64>,
    /// Agents inside.
    pub count: usize,
    /// Time (s), Voronoi density (1/m²) and Voronoi speed (m/s) over time, for the area that is watched.
    pub trace: Arc<[[f64; 3]]>,
}

/// Cells of people.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatView {
    /// Density of a person in 1/m², and the corners of a convex piece of their cell in m.
    pub pieces: Vec<(f64, Vec<DVec3>)>,
}
