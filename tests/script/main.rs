//! The script host: loading, checks, guards, modules, reload.

mod errors;
mod examples;
mod files;
mod fuzz;
mod hostile;
mod machines;
mod modules;
mod reload;
mod support;
mod templates;
mod twins;
