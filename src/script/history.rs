//! Versions: the last ten texts of each file that were in effect, so that one can be put back.

use std::collections::{BTreeMap, VecDeque};

use super::load::Unit;
use super::sources::Sources;

/// Versions kept per file.
pub const KEPT: usize = 10;

/// One version of a file that was in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Counted per file from 1.
    pub number: u32,
    /// Its text and the modules it used.
    pub unit: Unit,
}

#[derive(Clone, Debug, Default)]
struct FileHistory {
    versions: VecDeque<Version>,
    last_number: u32,
    in_effect: u32,
    /// A version put back by hand, and the text on disk when that was done: it stays until the file is saved again.
    pinned: Option<(u32, u64)>,
}

/// Versions of all files.
#[derive(Clone, Debug, Default)]
pub struct History {
    files: BTreeMap<String, FileHistory>,
}

impl History {
    /// What to try first: the text on disk, or the version put back by hand while the file has not been saved since. Files that
    /// are gone from the disk run on in their last version.
    pub fn choose(&self, sources: &Sources) -> BTreeMap<String, Unit> {
        let mut chosen = BTreeMap::new();
        for (path, source) in sources.definitions() {
            let newest = Unit { source: Some(source.clone()), modules: BTreeMap::new() };
            let pinned = self.files.get(path).and_then(|file| file.pinned_unit(source.hash)).cloned();
            chosen.insert(path.to_owned(), pinned.unwrap_or(newest));
        }
        for (path, file) in &self.files {
            if let (false, Some(version)) = (chosen.contains_key(path), file.current()) {
                chosen.insert(path.clone(), version.unit.clone());
            }
        }
        chosen
    }

    /// The version of a file that is in effect: what to fall back to.
    pub fn last_good(&self, file: &str) -> Option<&Version> {
        self.files.get(file).and_then(FileHistory::current)
    }

    /// The number that a unit has, or would get next.
    pub fn number_of(&self, file: &str, unit: &Unit) -> u32 {
        let Some(history) = self.files.get(file) else { return 1 };
        let hash = unit.hash();
        let known = history.versions.iter().rev().find(|version| version.unit.hash() == hash);
        known.map_or(history.last_number + 1, |version| version.number)
    }

    /// Notes what is in effect from now on.
    pub fn accept(&mut self, units: &BTreeMap<String, Unit>) {
        for (file, unit) in units {
            let number = self.number_of(file, unit);
            let history = self.files.entry(file.clone()).or_default();
            history.in_effect = number;
            if number > history.last_number {
                history.last_number = number;
                history.versions.push_back(Version { number, unit: unit.clone() });
            }
            if history.versions.len() > KEPT {
                history.versions.pop_front();
            }
        }
    }

    /// Versions of a file, oldest first.
    pub fn versions(&self, file: &str) -> impl Iterator<Item = &Version> {
        self.files.get(file).into_iter().flat_map(|history| &history.versions)
    }

    /// The number in effect, 0 for a file that never ran.
    pub fn in_effect(&self, file: &str) -> u32 {
        self.files.get(file).map_or(0, |history| history.in_effect)
    }

    /// Puts a version back with the next load; the file on disk is not touched. False when that version is not kept.
    pub fn put_back(&mut self, file: &str, number: u32, sources: &Sources) -> bool {
        let on_disk = sources.files.get(file).map_or(0, |source| source.hash);
        let Some(history) = self.files.get_mut(file) else { return false };
        if !history.versions.iter().any(|version| version.number == number) {
            return false;
        }
        history.pinned = Some((number, on_disk));
        history.in_effect = number;
        true
    }

    /// Forgets a file that the user has deleted, so that it is not kept running.
    pub fn forget(&mut self, file: &str) {
        self.files.remove(file);
    }
}

impl FileHistory {
    fn current(&self) -> Option<&Version> {
        self.versions.iter().find(|version| version.number == self.in_effect).or_else(|| self.versions.back())
    }

    fn pinned_unit(&self, on_disk: u64) -> Option<&Unit> {
        let (number, then) = self.pinned?;
        let version = self.versions.iter().find(|version| version.number == number)?;
        (then == on_disk).then_some(&version.unit)
    }
}
