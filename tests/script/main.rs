//! The script host: loading, checks, guards, modules, reload.

mod crowd;
mod errors;
mod examples;
mod files;
mod fuzz;
mod hostile;
mod machines;
mod modules;
mod reload;
mod runtime_agent;
mod runtime_faults;
mod runtime_machine;
mod runtime_stage;
mod stage;
mod support;
mod templates;
mod twins;
mod twins_forces;
