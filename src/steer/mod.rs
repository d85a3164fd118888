//! Native forces and controllers as pure functions, and the registry table. Knows no Lua, no egui, no files.

pub mod blend;
pub mod nearest;
pub mod param;
