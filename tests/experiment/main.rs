//! The experiment as window and command line use it: scenes, formations, values, undo, saving, reload.

mod drill;
mod helpers;
mod passing;
mod posting;
mod reload;
mod saving;
