//! Runs scripts tick by tick: the generated loops, records of agents, queries, formations, metrics, directors.
//!
//! A program is analyzed once ([`plan`]) and written as one Luau loop ([`generate`]) that refreshes only what its scripts
//! [mention](mentions). [`engine::Runtime`] lives with the machine on its thread ([`crate::script::reload::Live`]); what
//! crosses the threads is owned data ([`request`]). [`bridge`] installs the prelude and the host functions under it,
//! [`context`] is what these see.

pub mod bridge;
mod build;
pub mod context;
pub mod director;
pub mod dry;
pub mod engine;
mod faults;
pub mod fields;
pub mod foresight;
pub mod formation;
pub mod generate;
mod instance;
mod journey;
mod look;
pub mod memory;
pub mod mentions;
pub mod metric;
pub mod mind;
pub mod plan;
pub mod request;
pub mod spawn;
pub mod values;
