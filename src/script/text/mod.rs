//! What can be told from a script's text without running it: places, order of keys, changed file-level variables.
//!
//! Lua tables have no order and no places; the reader of definitions takes both from here.

pub mod lexer;
pub mod lint;
pub mod outline;
