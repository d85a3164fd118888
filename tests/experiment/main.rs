//! The experiment as window and command line use it: scenes, formations, values, undo, saving, reload.

mod avoiding;
#[path = "../common/copy.rs"]
mod copy;
mod crowd;
mod drill;
mod faults;
mod flocks;
mod flows;
mod gallery;
mod helpers;
mod leading;
mod machines;
mod navigation;
mod orders;
mod passing;
mod populating;
mod posting;
mod progress;
mod reload;
mod saving;
mod senses;
mod transit;
