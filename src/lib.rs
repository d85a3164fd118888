//! swarmyard: a plugin-scripted simulation workbench for many agents that move together.
//!
//! This page is the map of the house. Read it once, then open the room you need; every room says on its first line
//! what it is for and what it does not know.
//!
//! # The walk of the data
//!
//! ```text
//!  scenes/*.ron          scripts/**/*.luau   plugins/<name>/
//!       │                        │ (watched)
//!       ▼                        ▼
//!   scene::file ──check──▶   script ──▶ minds (native and scripted behind one trait)
//!       │ build                  │
//!       ▼                        │
//!   sim::World ◀── SimCommand ───┼────── experiment::Command ◀── app (clicks, keys, palette) or cli
//!       │                        │                                    ▲
//!       │   sense ▶ decide ▶ avoid ▶ act ▶ measure (one tick)         │ reads a Frame
//!       ▼                                                             │
//!   measure, record ──▶ series, events, hashes ──▶ reports, exports, panels and plots
//! ```
//!
//! Everything flows left to right and down. The only way back up is a command.
//!
//! # The rooms
//!
//! | room | what it is | may use | must not know |
//! | --- | --- | --- | --- |
//! | [`sim`] | the world: agents as columns, obstacles in an R-tree, neighbor grid, minds, avoidance, the tick, random streams, state hash | nothing of ours | Lua, egui, files, the wall clock |
//! | [`steer`] | native forces and controllers as pure functions, and the table that names them | `sim` | Lua, egui, files |
//! | [`comms`] | the simulated command network: delay, loss, acknowledgement, retry, offline | `sim` | Lua, egui, files |
//! | [`formation`] | curves, places at equal spacing, who takes which place | `sim` | Lua, egui, files |
//! | [`machine`] | state machines as data, with their static checks | `sim`, `steer` | Lua, egui, files |
//! | [`navigate`] | navigation mesh, any-angle paths, following them | `sim` | Lua, egui, files |
//! | [`flow`] | sources, stops, queues, journeys and exits: who enters, where they go, where they leave | `sim` | Lua, egui, files |
//! | [`measure`] | metrics, contracts and settling, bounded series that keep their peaks | `sim`, `formation` | Lua, egui, files |
//! | [`scene`] | RON in: what was typed, what it means, and every problem of it with line and column | the rooms above | Lua, egui |
//! | [`record`] | what a run leaves behind: series as tables, tapes, exports | the rooms above | Lua, egui |
#![cfg_attr(
    feature = "script",
    doc = "| [`script`] | the Luau host: sandbox, guards, modules, reload, errors | the rooms above | egui |"
)]
#![cfg_attr(
    feature = "script",
    doc = "| [`experiment`] | the running experiment that window and command line share: world, minds, recorder, clock, problems, undo | all above | egui |"
)]
#![cfg_attr(feature = "script", doc = "| [`cli`] | the command line | `experiment` | egui |")]
#![cfg_attr(
    feature = "app",
    doc = "| [`app`] | the window: panels, canvas, plots, palette | `experiment` (frames and commands); reads the types of the rest | – |"
)]
//!
//! A test (`tests/arrows/`) reads the source and fails on an arrow that this table forbids.
//!
//! # Three rings, three builds
//!
//! * *Inner*, `sim` to `record`: always there, `cargo build --no-default-features`.
//! * *Middle*, `script`, `experiment` and `cli`: feature `script`.
//! * *Outer*, `app`: feature `app`, on by default.
//!
//! # What always holds
//!
//! Time and failure
//!
//! * `sim` counts ticks. The step is fixed (by default 1/60 s); slow and fast motion make fewer or more ticks, never
//!   other steps. `sim` knows no clock: a stopwatch is handed in.
//! * A tick cannot fail and cannot panic. An agent whose state is not finite goes into quarantine and is reported with
//!   the force and the script that did it. A callback that faults is off for that agent until the next reload; everything
//!   else acts on.
//! * Nothing user-made can panic the program: files, scripts, numbers and names are data, and problems with them are
//!   values of one type, `scene::Problem`.
//!
//! Same in, same out
//!
//! * The world is frozen while agents sense and decide. Minds read it and return intents; no call of a mind changes it,
//!   and the order of agents never changes a result.
//! * Same scene, seed, commands and scripts give the same hash at every tick, for any number of threads, any frame rate
//!   and any front end.
//! * A random number is a function of seed, agent, tick and use. One agent more shifts nobody else's luck.
//! * Nothing iterates over a hash map. Neighbors come in a defined order.
//! * Transcendental functions of the core come from `libm` or are sums and products ([`steer::law::exp`], and the angles of many
//!   vectors at once, [`sim::bearing`]), nothing contracts to fused multiply-add but a product with 0 or 1, and vector kernels
//!   keep four partial sums whatever the machine has ([`sim::neighbors::sums`]): the hash of a native scene is the same on every
//!   machine.
//! * Who is stuck is told by one rule, and comes free by one: [`sim::stuck`], for forces, avoidance, paths and the watchdog.
//!
//! Meaning
//!
//! * Forces add. What must override is a state of a machine, not a force.
//! * SI units and radians everywhere inside; every difference of angles passes one gate, [`sim::wrap_angle`]. Degrees
//!   live only at the edges, and then in the name (`heading_deg`).
//! * Numbers are `f64`; planar scenes have z = 0. Luau's vectors are single precision and are converted at the border.
//!
//! Who talks to whom
//!
//! * The experiment ticks on its own thread, and each Luau machine lives on a worker thread of its own. The window reads
//!   the latest published frame, an immutable picture of what panels show, and pushes commands; one function that
//!   applies commands is the only door. A slow script never freezes the window, a slow window never changes the run.
//!   Command line and tests drive the experiment synchronously.
//! * One enum of commands feeds menus, palette, shortcuts, tape and console.
//! * A reload builds the new beside the old, checks it, runs it dry on copies, and takes over between two ticks. On any
//!   failure the old runs on.
//!
//! Form
//!
//! * File formats live in `scene`, `record` and `script`; no type of `sim` is one.
//! * Inside a tick the native path allocates nothing.
//! * Parameter structures, help texts, sliders, script types and manual pages come from one registry table.
//! * A scene is example, test, benchmark and menu entry at once: the catalogue is the folder, nothing is registered twice.
//!
//! # Where to read on
//!
//! `README.md` for the two commands, `scripts/README.md` for authors of scripts, `scenes/README.md` for scenes,
//! `plugins/README.md` for plugins.

pub mod comms;
pub mod flow;
pub mod formation;
pub mod machine;
pub mod measure;
pub mod navigate;
pub mod record;
pub mod scene;
pub mod sim;
pub mod steer;

#[cfg(feature = "script")]
pub mod cli;
#[cfg(feature = "script")]
pub mod experiment;
#[cfg(feature = "script")]
pub mod script;

#[cfg(feature = "app")]
pub mod app;
