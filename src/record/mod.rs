//! What a run leaves behind, and what is played again: tapes of poses, and trajectory files in the formats of the field.
//!
//! Knows nothing of scripts and windows. A [`Tape`] is a sequence of poses by frame, whoever made it; files become tapes
//! ([`read()`]) and runs become files ([`Writer`]), a frame at a time.

mod csv;
mod format;
pub mod ground;
#[cfg(feature = "script")]
mod grounds;
mod rate;
mod read;
#[cfg(feature = "script")]
mod sqlite_read;
#[cfg(feature = "script")]
mod sqlite_write;
pub mod stage;
mod tape;
mod text;
mod txt;
pub mod wkt;
mod write;

pub use format::Format;
pub use ground::Ground;
pub use rate::Rate;
pub use read::{Recording, read};
pub use tape::{Pose, Row, RowFault, Tape, TapeMaker, Track, agent_of, track_id};
pub use write::{Writer, Written};
