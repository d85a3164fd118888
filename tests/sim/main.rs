//! The core by itself: neighbor grid, edges, bodies, quarantine, commands, hash.

mod body;
mod edges;
mod faults;
mod grid;
mod hash;
mod helpers;
mod quarantine;
mod sums;
mod world;
