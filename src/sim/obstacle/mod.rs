//! Obstacles: solids and walls in an R-tree, added, moved, opened and removed at any tick.
//!
//! Planar shapes (disc, flat box, wall, polyline, polygon) are prisms without end in z and compare in x and y only;
//! spheres and boxes with a height are solids of three dimensions. An answer never depends on the shape of the tree or
//! on the order of insertion: equal distances go to the lower id. Nothing non-finite reaches the tree, which would
//! panic on it (georust/rstar#112, #161).

mod check;
mod error;
mod hash;
mod near;
mod outline;
mod piece;
mod query;
mod set;
mod shape;
mod sight;
mod sweep;
mod tree;

pub use error::ObstacleError;
pub use outline::{Outline, outlines};
pub use piece::{Piece, PieceShape};
pub use query::Hit;
pub use set::{Obstacle, ObstacleId, Obstacles};
pub use shape::Shape;
pub use sweep::{CONTACT_GAP, Slide, Sweep};

/// Largest coordinate or size of an obstacle, m. Beyond it f64 resolves less than a tenth of a micrometer.
pub const COORDINATE_LIMIT: f64 = 1e9;
