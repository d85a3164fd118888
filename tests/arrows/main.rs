//! Guards the walls of the house: which room may use which, and what no room of a ring may know.
//!
//! Reads the source text, so that an arrow is found in every build, whatever features it has.

mod paths;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use source::SourceFile;

/// A room, the rooms it may use, and whether it is part of the inner ring.
struct Room {
    name: &'static str,
    may_use: &'static [&'static str],
    ring: Ring,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ring {
    /// Geometry and rules: no files at all.
    Core,
    /// Files, but neither Lua nor a window.
    Files,
    /// The script host and what runs it: no window.
    Middle,
    /// The window.
    Outer,
}

/// The table of the house. Rooms that are still to come stand in it as well.
const ROOMS: &[Room] = &[
    Room { name: "sim", may_use: &[], ring: Ring::Core },
    Room { name: "steer", may_use: &["sim"], ring: Ring::Core },
    Room { name: "formation", may_use: &["sim"], ring: Ring::Core },
    Room { name: "machine", may_use: &["sim", "steer"], ring: Ring::Core },
    Room { name: "navigate", may_use: &["sim"], ring: Ring::Core },
    Room { name: "flow", may_use: &["sim"], ring: Ring::Core },
    Room { name: "comms", may_use: &["sim"], ring: Ring::Core },
    Room { name: "measure", may_use: &["sim", "formation"], ring: Ring::Core },
    Room {
        name: "scene",
        may_use: &["sim", "steer", "formation", "machine", "navigate", "flow", "comms", "measure"],
        ring: Ring::Files,
    },
    Room {
        name: "record",
        may_use: &["sim", "steer", "formation", "machine", "navigate", "flow", "comms", "measure", "scene"],
        ring: Ring::Files,
    },
    Room {
        name: "script",
        may_use: &["sim", "steer", "formation", "machine", "navigate", "flow", "comms", "measure", "scene", "record"],
        ring: Ring::Middle,
    },
    Room {
        name: "experiment",
        may_use: &[
            "sim",
            "steer",
            "formation",
            "machine",
            "navigate",
            "flow",
            "comms",
            "measure",
            "scene",
            "record",
            "script",
        ],
        ring: Ring::Middle,
    },
    Room { name: "cli", may_use: &["experiment"], ring: Ring::Middle },
    Room {
        name: "app",
        may_use: &[
            "sim",
            "steer",
            "formation",
            "machine",
            "navigate",
            "flow",
            "comms",
            "measure",
            "scene",
            "record",
            "experiment",
        ],
        ring: Ring::Outer,
    },
];

/// Crates of the window.
const WINDOW: &[&str] =
    &["eframe", "egui", "egui_plot", "egui_tiles", "egui_notify", "egui_kittest", "rfd", "winit", "epaint", "emath"];
/// Crates of the script host and the command line.
const HOST: &[&str] = &["mlua", "notify", "clap", "indicatif", "ariadne", "ctrlc", "crossbeam_channel", "serde_json"];
/// Names that look at the wall clock. A stopwatch is handed in.
const CLOCK: &[&str] = &["Instant", "SystemTime"];

fn package() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<SourceFile> {
    let files = source::read_all(&package().join("src"));
    assert!(files.len() > 30, "only {} files found below src/", files.len());
    files
}

fn room(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_arrow_between_rooms_is_in_the_table() {
    let mut faults = Vec::new();
    for file in sources() {
        let Some(from) = file.room().and_then(room) else {
            continue;
        };
        for path in paths::paths(&file) {
            let Some(target) = path.room() else { continue };
            if target == "*" {
                faults.push(format!("{}:{}: names every room at once", file.shown, path.line));
                continue;
            }
            let known = room(target).is_some();
            if known && target != from.name && !from.may_use.contains(&target) {
                faults.push(format!("{}:{}: `{}` may not use `{target}`", file.shown, path.line, from.name));
            }
        }
    }
    report(&faults);
}

#[test]
fn no_room_knows_what_its_ring_must_not_know() {
    let mut faults = Vec::new();
    for file in sources() {
        let Some(from) = file.room().and_then(room) else {
            continue;
        };
        let inner = matches!(from.ring, Ring::Core | Ring::Files);
        for path in paths::paths(&file) {
            let head = path.parts.first().map_or("", String::as_str);
            let host = inner && HOST.contains(&head);
            let window = from.ring != Ring::Outer && WINDOW.contains(&head);
            if host || window {
                faults.push(format!("{}:{}: `{}` must not know `{head}`", file.shown, path.line, from.name));
            }
            let std_part = |part: &str| path.parts.len() > 1 && head == "std" && path.parts[1] == part;
            if from.ring == Ring::Core && std_part("fs") {
                faults.push(format!("{}:{}: `{}` must not know files", file.shown, path.line, from.name));
            }
            let clock = path.parts.iter().any(|part| CLOCK.contains(&part.as_str()));
            if inner && clock {
                faults.push(format!("{}:{}: `{}` must not look at the clock", file.shown, path.line, from.name));
            }
            if from.name == "sim" && head == "serde" {
                faults.push(format!("{}:{}: no type in `sim` is a file format", file.shown, path.line));
            }
        }
    }
    report(&faults);
}

#[test]
fn every_folder_below_src_is_a_room_of_the_table_and_of_the_map() {
    let src = package().join("src");
    let map = std::fs::read_to_string(src.join("lib.rs")).expect("src/lib.rs is there");
    let mut faults = Vec::new();
    for name in folders(&src) {
        if room(&name).is_none() {
            faults.push(format!("src/{name}/ is not in the table of rooms"));
        }
        if !map.contains(&format!("pub mod {name};")) {
            faults.push(format!("src/{name}/ is not declared in src/lib.rs"));
        }
        if !map.contains(&format!("[`{name}`]")) {
            faults.push(format!("the map in src/lib.rs does not link to `{name}`"));
        }
    }
    report(&faults);
}

#[test]
fn every_file_is_reached_from_the_module_above_it() {
    let files = sources();
    let mut faults = Vec::new();
    for file in &files {
        let Some((name, parent)) = file.name_and_parent() else {
            continue;
        };
        let declared = files.iter().filter(|other| other.shown == parent).any(|other| other.declares(&name));
        if !declared {
            faults.push(format!("{}: no `mod {name};` in {parent}", file.shown));
        }
    }
    report(&faults);
}

#[test]
fn the_first_line_of_each_file_says_what_it_is_for() {
    let faults: Vec<String> = sources()
        .iter()
        .filter(|file| !file.text.starts_with("//! ") || file.text.lines().next().is_some_and(|line| line.len() < 14))
        .map(|file| format!("{}: begins without `//! what it is for`", file.shown))
        .collect();
    report(&faults);
}

#[test]
fn the_reader_of_paths_sees_through_groups_comments_and_supers() {
    let text = "//! crate::app\nuse crate::{sim::{self, World}, app as window};\n\
                fn f() { super::super::cli::run(); let _ = \"crate::record\"; /* crate::script */ }\n\
                mod tests { use super::super::super::measure::Series; }\n";
    let file = SourceFile::new("src/steer/deep/file.rs", text);
    let rooms: BTreeSet<String> =
        paths::paths(&file).iter().filter_map(|path| path.room().map(str::to_owned)).collect();
    let expected = ["app", "sim", "steer"].map(str::to_owned);
    assert_eq!(rooms, BTreeSet::from(expected), "a chain of two supers from src/steer/deep/file.rs ends in steer");

    let file = SourceFile::new("src/steer/file.rs", text);
    let rooms: BTreeSet<String> =
        paths::paths(&file).iter().filter_map(|path| path.room().map(str::to_owned)).collect();
    assert_eq!(rooms, ["app", "sim", "cli", "measure"].map(str::to_owned).into());
}

fn folders(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path)
        .expect("src/ can be listed")
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
