//! Scenes: RON in, a checked description of an experiment out.
//!
//! [`file`](mod@ron) … the walk: text → [`ron`] tree with places → typed file → meaning. All problems of a file are collected.

mod nearest;
pub mod problem;
pub mod ron;

pub use nearest::{nearest, nearest_few, suggestion};
pub use problem::{Problem, Severity, excerpt};
