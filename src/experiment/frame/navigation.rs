//! The navigation mesh and paths, as drawn.

use std::sync::Arc;

use glam::DVec3;

use super::AgentKey;
use crate::sim::PathState;

/// A line in metres.
pub type Line = (DVec3, DVec3);

/// The mesh of one radius.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshView {
    /// Radius of the agents it is for, in metres.
    pub radius: f64,
    /// Corners of each convex polygon, in metres.
    pub polygons: Vec<Vec<DVec3>>,
    /// Edges between two polygons.
    pub portals: Vec<Line>,
    /// Edges where the ground ends.
    pub borders: Vec<Line>,
}

/// What the navigator knows of the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NavigationView {
    /// By ascending radius.
    pub meshes: Vec<MeshView>,
    /// Name, corners in metres and factor on the speed of each zone.
    pub zones: Vec<(String, Vec<DVec3>, f64)>,
    /// From, to in metres, and whether it leads back.
    pub links: Vec<(DVec3, DVec3, bool)>,
}

/// The path of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct PathView {
    /// Whose.
    pub key: AgentKey,
    /// All points, the beginning first, in metres.
    pub points: Arc<[DVec3]>,
    /// Which of them it goes to.
    pub next: usize,
    /// How it is doing.
    pub state: PathState,
}
