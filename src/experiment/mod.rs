//! The running experiment that window and command line share.

pub mod command;
pub mod frame;
pub mod report;
pub mod session;
