//! The core by itself: neighbor grid, edges, bodies, quarantine, commands, hash.

mod avoid_csm;
mod avoid_many;
mod avoid_pair;
mod avoid_program;
mod avoid_walls;
mod body;
mod crossing;
mod edges;
mod faults;
mod grid;
mod hash;
mod helpers;
mod quarantine;
mod sums;
mod update;
mod world;
