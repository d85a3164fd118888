//! A short fuzz run of everything that reads files: shipped scenes, scripts, formations and manifests with bytes changed at
//! random. Whatever comes, it is data: it loads or it is a list of problems, and nothing panics.
//!
//! The run is the same every time: a case is named by a file and a number, and a failure says both.

mod mutate;
mod scenes;
mod scripts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use mutate::Mutator;

/// A shipped file.
struct Seed {
    /// Path from the package.
    name: String,
    bytes: Vec<u8>,
}

/// All shipped files with one of the extensions, sorted.
fn seeds(folders: &[&str], extensions: &[&str]) -> Vec<Seed> {
    let package = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = Vec::new();
    for folder in folders {
        collect(&package, &package.join(folder), extensions, &mut seeds);
    }
    seeds.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!seeds.is_empty(), "no files below {folders:?}");
    seeds
}

fn collect(package: &Path, folder: &Path, extensions: &[&str], seeds: &mut Vec<Seed>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            collect(package, &path, extensions, seeds);
        } else if extensions.contains(&extension) {
            let name = path.strip_prefix(package).unwrap_or(&path).to_string_lossy().into_owned();
            seeds.push(Seed { name, bytes: std::fs::read(&path).expect("a shipped file can be read") });
        }
    }
}

/// Feeds every seed, changed in `cases` ways, to `reader`.
fn run(seeds: &[Seed], cases: u64, reader: impl Fn(&str, &[u8])) {
    for seed in seeds {
        for case in 0..cases {
            let donor = &seeds[(case as usize * 7 + 3) % seeds.len()].bytes;
            let bytes = Mutator::new(&seed.name, case).mutate(&seed.bytes, donor);
            let outcome = catch_unwind(AssertUnwindSafe(|| reader(&seed.name, &bytes)));
            assert!(outcome.is_ok(), "{} case {case} panics on:\n{}", seed.name, String::from_utf8_lossy(&bytes));
        }
    }
}
