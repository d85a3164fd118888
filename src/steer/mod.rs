//! Native forces and controllers as pure functions, and the registry table. Knows no Lua, no egui, no files.

mod batch;
pub mod behavior;
pub mod blend;
pub mod compiled;
pub mod evaluate;
pub mod force;
pub mod law;
pub mod looking;
pub mod native;
pub mod nearest;
pub mod param;
pub mod pid;
pub mod registry;
pub mod relay;
pub mod sense;
pub mod source;
mod summing;
pub mod table;

pub use compiled::{BlendError, Blends, Bound, Contribution, Lane, LeafSpec, TermSpec};
pub use looking::Sighting;
pub use native::NativeMind;
pub use registry::{FORCES, ForceSpec, force_named, group_code};
pub use source::Source;
pub use table::{Origin, ParamTable};
