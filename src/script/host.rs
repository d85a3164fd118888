//! The script host: a handle to the worker thread that owns the machine, and the door for reloads.
//!
//! A machine never leaves its thread. Work goes to it as closures over owned data; a reload starts a second worker, which
//! takes over between two ticks, and the first is dropped.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded, unbounded};

use super::define::Kind;
use super::history::{History, Version};
use super::library::{Library, Natives};
use super::migrate::{Change, change};
use super::project::{Plugin, Scan, scan};
use super::reload::{DryRun, Live, Outcome, Plan, build};
use super::sources::Sources;
use crate::scene::problem::Problem;

/// Bytes of stack for a worker: Luau's own limits on nesting are reached before it is.
const STACK: usize = 16 << 20;

/// How a host is opened.
#[derive(Clone, Default)]
pub struct HostOptions {
    /// What is built in.
    pub natives: Natives,
    /// Whether per-tick code is compiled to native code; a mere check does without.
    pub native_code: bool,
    /// Tried on every new machine before it takes over.
    pub dry_run: Option<DryRun>,
}

/// The worker thread is gone: it could not be started, or this program has a fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the script thread is gone: {0}")]
pub struct HostGone(pub String);

type Job = Box<dyn FnOnce(&mut Live) + Send>;

struct Worker {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

/// A build under way.
struct Pending {
    outcome: Receiver<Result<Outcome, String>>,
    worker: Worker,
    sources: Arc<Sources>,
}

/// An answer that is on its way.
pub struct Ticket<R> {
    answer: Receiver<R>,
}

impl<R> Ticket<R> {
    /// Waits for the answer.
    ///
    /// # Errors
    /// When the worker is gone.
    pub fn wait(self) -> Result<R, HostGone> {
        self.answer.recv().map_err(|error| HostGone(error.to_string()))
    }
}

/// A way to the machine in effect that minds keep: after a takeover it leads to the new one.
#[derive(Clone, Default)]
pub struct Door {
    jobs: Arc<Mutex<Option<Sender<Job>>>>,
}

impl Door {
    fn lead_to(&self, jobs: Option<Sender<Job>>) {
        *self.jobs.lock().unwrap_or_else(PoisonError::into_inner) = jobs;
    }

    /// Sends work to the machine and waits for the answer.
    ///
    /// # Errors
    /// When the machine is gone.
    pub fn call<R: Send + 'static>(&self, work: impl FnOnce(&mut Live) -> R + Send + 'static) -> Result<R, HostGone> {
        let (sender, answer) = bounded(1);
        let job: Job = Box::new(move |live| drop(sender.send(work(live))));
        {
            let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(jobs) = &*jobs else { return Err(HostGone("nothing is loaded".to_owned())) };
            jobs.send(job).map_err(|error| HostGone(error.to_string()))?;
        }
        answer.recv().map_err(|error| HostGone(error.to_string()))
    }
}

/// A new machine, ready to take over.
pub struct Candidate {
    worker: Worker,
    sources: Arc<Sources>,
    /// What it came to.
    pub outcome: Outcome,
}

/// What a takeover did, one line per definition that changed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReloadReport {
    /// Definitions that are in both, with what changed in them.
    pub changes: Vec<Change>,
    /// `kind name` of definitions that are new.
    pub added: Vec<String>,
    /// `kind name` of definitions that are gone.
    pub removed: Vec<String>,
    /// `FILE vN → vM` of files in another version than before.
    pub versions: Vec<String>,
    /// Everything wrong with the texts of this load.
    pub problems: Vec<Problem>,
    /// The load that is in effect now.
    pub generation: u64,
}

/// The handle. It may be sent to the thread that ticks.
pub struct Host {
    options: HostOptions,
    natives: Arc<Natives>,
    project: PathBuf,
    sources: Arc<Sources>,
    plugins: Vec<Plugin>,
    scan_problems: Vec<Problem>,
    history: History,
    worker: Option<Worker>,
    library: Arc<Library>,
    problems: Vec<Problem>,
    generation: u64,
    pending: Option<Pending>,
    door: Door,
}

impl Drop for Host {
    fn drop(&mut self) {
        // Minds may live longer than the host; the machine must not.
        self.door.lead_to(None);
    }
}

impl Host {
    /// Opens a project and loads all of its scripts.
    ///
    /// # Errors
    /// When no worker thread can be started. Problems of scripts are no error: see [`Host::problems`].
    pub fn open(project: &Path, options: HostOptions) -> Result<Self, HostGone> {
        Self::open_scan(project, scan(project), options)
    }

    /// Loads texts that are not on disk.
    ///
    /// # Errors
    /// As [`Host::open`].
    pub fn open_texts(sources: Sources, options: HostOptions) -> Result<Self, HostGone> {
        Self::open_scan(Path::new("."), Scan { sources, ..Scan::default() }, options)
    }

    fn open_scan(project: &Path, scan: Scan, options: HostOptions) -> Result<Self, HostGone> {
        let natives = Arc::new(options.natives.clone());
        let mut host = Self {
            options,
            natives,
            project: project.to_owned(),
            sources: Arc::default(),
            plugins: Vec::new(),
            scan_problems: Vec::new(),
            history: History::default(),
            worker: None,
            library: Arc::default(),
            problems: Vec::new(),
            generation: 0,
            pending: None,
            door: Door::default(),
        };
        host.begin_reload(scan)?;
        let candidate = host.finish_reload()?;
        host.take_over(candidate);
        Ok(host)
    }

    /// A way to the machine in effect, for minds.
    pub fn door(&self) -> Door {
        self.door.clone()
    }

    /// The project's folder.
    pub fn project(&self) -> &Path {
        &self.project
    }

    /// Definitions in effect.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// What is wrong with the scripts as they stand on disk.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Plugins in effect.
    pub fn plugins(&self) -> &[Plugin] {
        &self.plugins
    }

    /// Texts of the load in effect, and of refused files.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// Versions of a file that can be put back, oldest first.
    pub fn versions(&self, file: &str) -> Vec<Version> {
        self.history.versions(file).cloned().collect()
    }

    /// The version of a file that is in effect, 0 if it never ran.
    pub fn version_in_effect(&self, file: &str) -> u32 {
        self.history.in_effect(file)
    }

    /// Sets what is tried on every new machine from now on.
    pub fn set_dry_run(&mut self, dry_run: Option<DryRun>) {
        self.options.dry_run = dry_run;
    }

    /// Starts building a new machine from what the watcher saw; an unfinished build before it is dropped.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn begin_reload(&mut self, scan: Scan) -> Result<(), HostGone> {
        let sources = Arc::new(scan.sources);
        self.plugins = scan.plugins;
        self.scan_problems = scan.problems;
        self.build(sources)
    }

    /// Starts building with an older version of one file. The file on disk is not touched; saving it again wins.
    ///
    /// # Errors
    /// When that version is not kept, or no thread can be started.
    pub fn put_back(&mut self, file: &str, version: u32) -> Result<(), HostGone> {
        let sources = Arc::clone(&self.sources);
        if !self.history.put_back(file, version, &sources) {
            return Err(HostGone(format!("version {version} of {file} is not kept")));
        }
        self.build(sources)
    }

    /// Looks at the disk and starts building ("reload now").
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn reload_now(&mut self) -> Result<(), HostGone> {
        self.begin_reload(scan(&self.project))
    }

    fn build(&mut self, sources: Arc<Sources>) -> Result<(), HostGone> {
        let plan = Plan {
            sources: Arc::clone(&sources),
            history: self.history.clone(),
            natives: Arc::clone(&self.natives),
            native_code: self.options.native_code,
            dry_run: self.options.dry_run.clone(),
            generation: self.generation + 1,
        };
        let (outcome_sender, outcome) = bounded(1);
        let (jobs, inbox) = unbounded::<Job>();
        let thread = std::thread::Builder::new()
            .name(format!("scripts {}", plan.generation))
            .stack_size(STACK)
            .spawn(move || serve(&plan, &outcome_sender, &inbox))
            .map_err(|error| HostGone(error.to_string()))?;
        self.pending = Some(Pending { outcome, worker: Worker { jobs, thread }, sources });
        Ok(())
    }

    /// Whether a build is under way.
    pub fn is_building(&self) -> bool {
        self.pending.is_some()
    }

    /// The finished build, if there is one.
    ///
    /// # Errors
    /// When its worker is gone.
    pub fn poll_reload(&mut self) -> Result<Option<Candidate>, HostGone> {
        let Some(Pending { outcome, worker, sources }) = self.pending.take() else { return Ok(None) };
        match outcome.try_recv() {
            Ok(Ok(outcome)) => Ok(Some(Candidate { worker, sources, outcome })),
            Ok(Err(message)) => Err(HostGone(message)),
            Err(TryRecvError::Empty) => {
                self.pending = Some(Pending { outcome, worker, sources });
                Ok(None)
            }
            Err(TryRecvError::Disconnected) => Err(gone(worker)),
        }
    }

    /// Waits for the build that is under way.
    ///
    /// # Errors
    /// When there is none, or its worker is gone.
    pub fn finish_reload(&mut self) -> Result<Candidate, HostGone> {
        let Some(Pending { outcome, worker, sources }) = self.pending.take() else {
            return Err(HostGone("no build is under way".to_owned()));
        };
        match outcome.recv() {
            Ok(Ok(outcome)) => Ok(Candidate { worker, sources, outcome }),
            Ok(Err(message)) => Err(HostGone(message)),
            Err(_) => Err(gone(worker)),
        }
    }

    /// The new machine takes over; the old one is dropped. To be called between two ticks.
    pub fn take_over(&mut self, candidate: Candidate) -> ReloadReport {
        let Candidate { worker, sources, outcome } = candidate;
        let mut report = compare(&self.library, &outcome.library);
        self.generation += 1;
        self.history.accept(&outcome.units);
        self.library = outcome.library;
        self.sources = sources;
        self.problems = [self.scan_problems.clone(), outcome.problems].concat();
        self.door.lead_to(Some(worker.jobs.clone()));
        self.worker = Some(worker);
        report.problems.clone_from(&self.problems);
        report.generation = self.generation;
        report
    }

    /// Sends work to the machine. Answers come in the order of the calls.
    ///
    /// # Errors
    /// When the worker is gone.
    pub fn start<R: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Live) -> R + Send + 'static,
    ) -> Result<Ticket<R>, HostGone> {
        let Some(worker) = &self.worker else { return Err(HostGone("nothing is loaded".to_owned())) };
        let (sender, answer) = bounded(1);
        let job: Job = Box::new(move |live| {
            // Nobody waits any more when the ticket was dropped: then the answer is not wanted.
            drop(sender.send(work(live)));
        });
        worker.jobs.send(job).map_err(|error| HostGone(error.to_string()))?;
        Ok(Ticket { answer })
    }

    /// Sends work to the machine and waits for the answer.
    ///
    /// # Errors
    /// When the worker is gone.
    pub fn call<R: Send + 'static>(&self, work: impl FnOnce(&mut Live) -> R + Send + 'static) -> Result<R, HostGone> {
        self.start(work)?.wait()
    }
}

/// Why a worker ended without an answer.
fn gone(worker: Worker) -> HostGone {
    drop(worker.jobs);
    let cause =
        worker.thread.join().err().and_then(|panic| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    HostGone(cause.unwrap_or_else(|| "it ended early".to_owned()))
}

/// The worker: builds, reports, then does what it is sent until the handle is gone.
fn serve(plan: &Plan, outcome: &Sender<Result<Outcome, String>>, inbox: &Receiver<Job>) {
    match build(plan) {
        Ok((mut live, built)) => {
            if outcome.send(Ok(built)).is_err() {
                return; // a newer build has replaced this one
            }
            for job in inbox {
                job(&mut live);
            }
        }
        // Nobody listens any more when a newer build has replaced this one.
        Err(error) => drop(outcome.send(Err(error.to_string()))),
    }
}

fn compare(old: &Library, new: &Library) -> ReloadReport {
    let mut report = ReloadReport::default();
    let title = |kind: Kind, name: &str| format!("{} {name}", kind.word());
    for item in &new.items {
        let Some(before) = old.find(item.kind, &item.name) else {
            report.added.push(title(item.kind, &item.name));
            continue;
        };
        if before.hash == item.hash {
            continue;
        }
        report.versions.push(format!("{} v{} → v{}", item.file, before.version, item.version));
        let programs = old.program(&item.name).zip(new.program(&item.name)).filter(|_| item.kind.space() == "behavior");
        report.changes.push(match programs {
            Some((old, new)) => change(old, new),
            None => params_change(&item.name, before.definition.params(), item.definition.params()),
        });
    }
    let gone = old.items.iter().filter(|item| new.find(item.kind, &item.name).is_none());
    report.removed = gone.map(|item| title(item.kind, &item.name)).collect();
    report
}

fn params_change(name: &str, old: &[crate::steer::param::ParamSpec], new: &[crate::steer::param::ParamSpec]) -> Change {
    let missing = |spec: &crate::steer::param::ParamSpec, others: &[crate::steer::param::ParamSpec]| {
        !others.iter().any(|other| other.name == spec.name && other.default.same_kind(&spec.default))
    };
    let added: Vec<String> = new.iter().filter(|spec| missing(spec, old)).map(|spec| spec.name.clone()).collect();
    Change {
        name: name.to_owned(),
        kept: new.len() - added.len(),
        new: added,
        removed: old.iter().filter(|spec| missing(spec, new)).map(|spec| spec.name.clone()).collect(),
        ..Change::default()
    }
}
