//! Runs cases beside each other and tells what became of them; for the window on a thread of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use super::{CASES, Case, Context, Outcome, STOPPED};

/// Seconds since the first call.
#[expect(clippy::disallowed_methods, reason = "what a case costs is shown, never judged")]
pub fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// What happened to a case.
#[derive(Clone, Debug)]
enum News {
    /// It began.
    Began(&'static str),
    /// It ended.
    Ended(Box<Outcome>),
}

/// Runs cases, so many at a time, and tells of each when it begins and when it ends; the ends come in the order of the cases.
/// Once the context is told to stop, no other begins.
fn run_all(cases: &[&'static Case], context: &Context, jobs: usize, tell: &(dyn Fn(News) + Sync)) {
    let next = AtomicUsize::new(0);
    // What ended before its turn, and whose turn it is.
    let waiting: Mutex<(usize, BTreeMap<usize, Outcome>)> = Mutex::default();
    let work = || {
        while context.go_on().is_ok() {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(at) else { return };
            tell(News::Began(case.name));
            let outcome = case.run(context);
            let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.1.insert(at, outcome);
            loop {
                let turn = waiting.0;
                let Some(outcome) = waiting.1.remove(&turn) else { break };
                tell(News::Ended(Box::new(outcome)));
                waiting.0 += 1;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.clamp(1, cases.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
}

/// Cases that run on a thread of their own, for a front end that must not wait.
pub struct Suite {
    context: Context,
    news: Receiver<News>,
    thread: Option<thread::JoinHandle<()>>,
    /// How many were asked for.
    pub asked: usize,
    /// What began last and runs, and since when on the clock of [`seconds`].
    pub running: Option<(&'static str, f64)>,
}

impl Suite {
    /// Starts cases, so many at a time; `wake` is called when there is news.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(
        project: PathBuf,
        cases: Vec<&'static Case>,
        jobs: usize,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let (context, (sender, news)) = (Context::new(project), channel());
        let (theirs, asked) = (context.clone(), cases.len());
        let sender = Mutex::new(sender);
        let work = move || {
            let tell = |happened: News| {
                // Nobody listens once the window is gone.
                drop(sender.lock().unwrap_or_else(PoisonError::into_inner).send(happened));
                wake();
            };
            run_all(&cases, &theirs, jobs, &tell);
        };
        let thread = thread::Builder::new().name("validation".to_owned()).spawn(work)?;
        Ok(Self { context, news, thread: Some(thread), asked, running: None })
    }

    /// What ended since the last call; cases that were stopped are not among them.
    pub fn ended(&mut self) -> Vec<Outcome> {
        let mut ended = Vec::new();
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::Began(name) => self.running = Some((name, seconds())),
                News::Ended(outcome) => {
                    self.running = None;
                    ended.extend((outcome.error != STOPPED).then_some(*outcome));
                }
            }
        }
        ended
    }

    /// Whether nothing runs any more.
    pub fn finished(&self) -> bool {
        self.thread.as_ref().is_none_or(thread::JoinHandle::is_finished)
    }

    /// Asks it to stop: the case that runs ends as soon as it looks, and no other begins.
    pub fn stop(&self) {
        self.context.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn stopping(&self) -> bool {
        self.context.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Suite {
    fn drop(&mut self) {
        // The thread is left to end by itself: nobody waits for a long case to close a window.
        self.stop();
    }
}

/// The cases of a default run, or with the long ones all.
pub fn chosen(long: bool) -> Vec<&'static Case> {
    CASES.iter().filter(|case| long || !case.long).collect()
}
