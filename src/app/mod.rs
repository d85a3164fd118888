//! The window: panels, yard, plots, palette.
//!
//! It reads [`Frame`](crate::experiment::frame::Frame)s and pushes [`Command`](crate::experiment::command::Command)s; it never
//! touches the simulation. Drawing is decoupled from the tick: the two latest frames are interpolated, and a slow window
//! changes nothing in the run.

pub mod action;
pub mod bar;
pub mod dialogs;
pub mod drill;
pub mod fuzzy;
pub mod layout;
pub mod notices;
pub mod palette;
pub mod panels;
pub mod plots;
pub mod run;
pub mod state;
pub mod theme;
pub mod widgets;
pub mod workbench;
pub mod yard;

pub use run::{AppError, Options, RendererChoice, run};
pub use workbench::Workbench;
