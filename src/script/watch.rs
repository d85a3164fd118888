//! Notices saves in any editor's way: the system's hints and a poll, then a quiet moment, then a look at the content.
//!
//! Folders are watched, not files, so a save by rename is seen; what counts is the hash of the text, so a touched file that
//! did not change is not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use notify::{RecursiveMode, Watcher as _};

use super::project::{Scan, scan};
use super::sources::{is_data_name, is_script_name};

/// Without a hint the disk is looked at this often.
const POLL: Duration = Duration::from_secs(1);
/// A save counts as done after this much quiet.
const QUIET: Duration = Duration::from_millis(100);
/// Under constant noise the disk is looked at after this much anyway.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// A file that has become empty is given this much time to be filled.
const EMPTY_WAIT: Duration = Duration::from_millis(500);

/// What has changed on disk.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Everything as it stands now.
    pub scan: Scan,
    /// Whether any script, module or manifest differs: a reload is due.
    pub scripts: bool,
    /// `.ron` files that differ, are new or are gone: scenes and formations as data.
    pub data: Vec<String>,
}

/// The watching thread; dropping the handle ends it.
pub struct Watch {
    saved: Receiver<Saved>,
    stop: Sender<()>,
    _hints: Option<notify::RecommendedWatcher>,
}

impl Watch {
    /// Starts watching a project whose present state is `known`. Where the system gives no hints the poll alone does the work.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(project: &Path, known: Scan) -> std::io::Result<Self> {
        let (hint_sender, hints) = unbounded();
        let (saved_sender, saved) = unbounded();
        let (stop, stopped) = bounded(1);
        let watcher = system_hints(project, hint_sender);
        let looker = Looker { project: project.to_owned(), known, hints, stopped, saved: saved_sender };
        std::thread::Builder::new().name("watch".to_owned()).spawn(move || looker.run())?;
        Ok(Self { saved, stop, _hints: watcher })
    }

    /// The latest save that nobody has taken yet.
    pub fn poll(&self) -> Option<Saved> {
        self.saved.try_iter().reduce(merge)
    }

    /// Waits for a save, at most this long.
    pub fn wait(&self, longest: Duration) -> Option<Saved> {
        let first = self.saved.recv_timeout(longest).ok()?;
        Some(self.saved.try_iter().fold(first, merge))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread is gone already when nobody takes the message.
        self.stop.try_send(()).ok();
    }
}

fn merge(earlier: Saved, later: Saved) -> Saved {
    let mut data = earlier.data;
    data.extend(later.data);
    data.sort();
    data.dedup();
    Saved { scan: later.scan, scripts: earlier.scripts || later.scripts, data }
}

fn system_hints(project: &Path, hints: Sender<()>) -> Option<notify::RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| concerns_us(&event)) {
            // The looker is gone when the watch was dropped.
            hints.send(()).ok();
        }
    })
    .ok()?;
    let folders = ["scripts", "plugins", "scenes"].map(|name| project.join(name));
    let mut any = false;
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        any |= watcher.watch(folder, RecursiveMode::Recursive).is_ok();
    }
    any.then_some(watcher)
}

/// Events of files that cannot be ours (an editor's temporary names) are no reason to look.
fn concerns_us(event: &notify::Event) -> bool {
    if matches!(event.kind, notify::EventKind::Access(_)) {
        return false;
    }
    event.paths.iter().any(|path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = !name.contains('.') && !name.chars().all(|c| c.is_ascii_digit());
        folder || is_script_name(&name) || is_data_name(&name)
    })
}

struct Looker {
    project: PathBuf,
    known: Scan,
    hints: Receiver<()>,
    stopped: Receiver<()>,
    saved: Sender<Saved>,
}

impl Looker {
    fn run(mut self) {
        loop {
            match self.hints.recv_timeout(POLL) {
                Ok(()) => self.settle(),
                Err(RecvTimeoutError::Timeout) => {}
                // No hints from the system: the poll alone.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(POLL),
            }
            if self.stopped.try_recv() != Err(crossbeam_channel::TryRecvError::Empty) {
                return;
            }
            if !self.look() {
                return;
            }
        }
    }

    /// Waits until nothing has happened for a moment.
    fn settle(&self) {
        let start = now();
        while start.elapsed() < LONGEST_WAIT && self.hints.recv_timeout(QUIET).is_ok() {}
    }

    /// Compares the disk with what is known; false when nobody listens any more.
    fn look(&mut self) -> bool {
        let mut seen = scan(&self.project);
        let start = now();
        while start.elapsed() < EMPTY_WAIT && became_empty(&self.known, &seen) {
            std::thread::sleep(QUIET / 4);
            seen = scan(&self.project);
        }
        let scripts = seen.sources != self.known.sources
            || seen.plugins != self.known.plugins
            || seen.problems != self.known.problems;
        let data = differing(&self.known.data, &seen.data);
        if !scripts && data.is_empty() {
            return true;
        }
        self.known = seen.clone();
        self.saved.send(Saved { scan: seen, scripts, data }).is_ok()
    }
}

/// Editors that truncate before they write leave a file empty for a moment.
fn became_empty(known: &Scan, seen: &Scan) -> bool {
    seen.sources.files.iter().any(|(path, source)| {
        source.text.trim().is_empty()
            && known.sources.files.get(path).is_some_and(|before| !before.text.trim().is_empty())
    })
}

fn differing(known: &BTreeMap<String, u64>, seen: &BTreeMap<String, u64>) -> Vec<String> {
    let changed = seen.iter().filter(|(path, hash)| known.get(*path) != Some(hash)).map(|(path, _)| path);
    let gone = known.keys().filter(|path| !seen.contains_key(*path));
    let mut paths: Vec<String> = changed.chain(gone).cloned().collect();
    paths.sort();
    paths
}

#[expect(clippy::disallowed_methods, reason = "watching files is about the clock of the machine, not about the run")]
fn now() -> Instant {
    Instant::now()
}
