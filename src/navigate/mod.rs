//! Navigation: a mesh of convex polygons built from the walkable ground, exact any-angle paths over it, and following them.
//!
//! The mesh belongs to one radius: obstacles are grown by it, so that a path is one for the center of an agent. Everything
//! lies in the plane; height is left alone. Knows no Lua, no egui, no files.

mod convex;
mod corridor;
mod free;
mod grow;
mod locate;
pub mod mesh;
pub mod navigator;
pub mod path;
pub mod search;
pub mod settings;
mod triangles;
mod walker;

pub use mesh::Mesh;
pub use navigator::{Navigator, News};
pub use path::{Path, Stop, StopKind};
pub use search::Finder;
pub use settings::{Floor, Link, Settings, Zone};
