//! Behaviors and state machines as data: states, transitions, holds, timers, events, nesting; static checks.
//!
//! Knows no Lua, no egui, no files. A [`def::BehaviorDef`] is what an author wrote (a script or a native table), a
//! [`program::Program`] is what runs: leaf states with merged blends, resolved lines, and one list of sliders.

pub mod catalogue;
pub mod check;
pub mod def;
pub mod finding;
pub mod flatten;
pub mod panel;
pub mod program;
