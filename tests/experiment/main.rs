//! The experiment as window and command line use it: scenes, formations, values, undo, saving, reload.

mod avoiding;
#[path = "../common/copy.rs"]
mod copy;
mod crowd;
mod crowd_faults;
mod drill;
mod faults;
mod flocks;
mod flows;
mod followers;
mod gallery;
mod helpers;
mod leading;
mod machines;
mod measuring;
mod navigation;
mod orders;
mod passing;
mod populating;
mod posting;
mod progress;
mod reload;
mod saving;
mod senses;
mod trailing;
mod transit;
mod updating;
