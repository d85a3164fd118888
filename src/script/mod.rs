//! The Luau host: sandbox, guards, modules, reload, errors. Knows no egui.
//!
//! Who does what:
//!
//! * [`vm`] one machine: what a script may see, limits; [`watchdog`] stops what runs too long (the only unsafe code);
//!   [`api`] what stands in `yard`, one thin file per noun.
//! * [`project`] finds files on disk, [`sources`] holds their texts, [`text`] tells places, order of keys and changed
//!   file-level variables from a text; [`require`] finds modules.
//! * [`define`] reads the table that a file returns into a typed definition; [`load`] does it for a file, [`library`] for all
//!   files together; [`fault`] makes problems of Luau's errors.
//! * [`history`] the last ten versions, [`reload`] builds what shall run next, [`migrate`] says what becomes of sliders, memory
//!   and states, [`watch`] notices saves, [`host`] is the handle to the worker thread that owns the machine.
//! * [`types`] and [`templates`] write `yard.d.luau` and first scripts.
//! * `runtime` runs it all, tick by tick: the generated loops, the records of agents, the director's world. It works through
//!   [`host::Host::call`] on [`reload::Live`] (machine, tables of functions by file, library, and a slot for what it keeps).

pub mod api;
pub mod define;
pub mod fault;
pub mod history;
pub mod host;
pub mod library;
pub mod load;
pub mod migrate;
pub mod project;
pub mod reload;
pub mod require;
pub mod runtime;
pub mod sources;
pub mod templates;
pub mod text;
pub mod types;
pub mod vm;
pub mod watch;
pub mod watchdog;
