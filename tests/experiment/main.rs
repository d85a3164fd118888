//! The experiment as window and command line use it: scenes, formations, values, undo, saving, reload.

#[path = "../common/copy.rs"]
mod copy;
mod drill;
mod flocks;
mod helpers;
mod orders;
mod passing;
mod populating;
mod posting;
mod reload;
mod saving;
