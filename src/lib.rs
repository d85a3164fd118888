//! swarmyard: a plugin-scripted simulation workbench for many agents that move together.
//!
//! This page is the map of the house.

pub mod formation;
pub mod machine;
pub mod measure;
pub mod record;
pub mod scene;
pub mod sim;
pub mod steer;

#[cfg(feature = "script")]
pub mod cli;
#[cfg(feature = "script")]
pub mod experiment;
#[cfg(feature = "script")]
pub mod script;

#[cfg(feature = "app")]
pub mod app;
