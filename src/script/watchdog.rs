//! Stops scripts that run too long: a thread that, at the deadline, makes Luau raise an error at its next safe point.
//!
//! While time is left nothing is installed, so a running script pays nothing. After the deadline the error is raised again and
//! again, past every `pcall`, until the guard is dropped. Where the system tells it, what counts is the time that the worker had
//! a processor, so a busy machine stops nobody.
#![expect(
    unsafe_code,
    reason = "Luau's interrupt pointer can only be set through its C interface, and only from another thread without cost"
)]

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mlua::ffi;

/// The text that every stop by time carries.
pub const OUT_OF_TIME: &str = "ran over its time";

/// A script that got no processor is stopped after this many times its budget all the same: three seconds of a callback's
/// five milliseconds. Where the system tells processor times, a loop that never ends is stopped long before.
const PATIENCE: u32 = 600;

/// How long the thread sleeps between guards that come one after the other; no longer than the shortest usual budget.
const LOOK: Duration = Duration::from_millis(4);

type Interrupt = unsafe extern "C-unwind" fn(*mut ffi::lua_State, std::os::raw::c_int);

struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    /// `&mut lua_callbacks(L).interrupt`, which lives as long as the machine does.
    slot: *const AtomicPtr<std::ffi::c_void>,
    fired: AtomicBool,
    /// The first eight bytes of a Luau buffer that say whose callback runs; null without one.
    progress: AtomicPtr<AtomicU64>,
    /// Where the system tells the worker's processor time, if it does.
    worker: Option<String>,
}

// SAFETY: `slot` points to an aligned pointer-sized field that lives until `Watchdog::drop` has joined the thread, and is only
// touched through atomic operations while `state` is locked.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

#[derive(Default)]
struct State {
    deadline: Option<Instant>,
    /// Time that was given, and when the clock on the wall ends it in any case.
    budget: Duration,
    latest: Option<Instant>,
    /// What the progress was when the time began: another value begins it anew.
    progress: u64,
    /// Processor time of the worker when the deadline first came.
    seen: Option<Duration>,
    /// When the thread looks again by itself; none while it sleeps without a limit.
    looks_at: Option<Instant>,
    /// A guard was armed since the thread last looked.
    armed: bool,
    closing: bool,
}

/// The guard thread of one machine. It must be dropped before the machine is.
pub struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// Time is running while this lives; dropping it calls the watchdog off.
pub struct Running<'a> {
    shared: &'a Shared,
}

impl Watchdog {
    /// Starts a watchdog for this machine.
    ///
    /// # Errors
    /// When the machine cannot be entered or the thread cannot be started.
    pub fn new(lua: &mlua::Lua) -> mlua::Result<Self> {
        let mut slot: *const AtomicPtr<std::ffi::c_void> = std::ptr::null();
        let target = &raw mut slot;
        // SAFETY: the closure only reads the address of the interrupt field, which is valid for the life of the machine; an
        // `Option` of a function pointer and an `AtomicPtr` have the same size and alignment.
        unsafe {
            lua.exec_raw::<()>((), move |state| {
                target.write((&raw mut (*ffi::lua_callbacks(state)).interrupt).cast());
            })?;
        }
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            wake: Condvar::new(),
            slot,
            fired: AtomicBool::new(false),
            progress: AtomicPtr::new(std::ptr::null_mut()),
            worker: worker_stat(),
        });
        let watched = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("script watchdog".to_owned()).spawn(move || watch(&watched))?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Counts time by callback: it begins anew whenever the first eight bytes of `buffer` change. The buffer must live as long
    /// as the machine.
    ///
    /// # Errors
    /// When the machine cannot be entered.
    pub fn follow(&self, lua: &mlua::Lua, buffer: &mlua::Buffer) -> mlua::Result<()> {
        if buffer.len() < 8 {
            return Ok(());
        }
        let mut bytes: *mut AtomicU64 = std::ptr::null_mut();
        let target = &raw mut bytes;
        // SAFETY: the closure only reads the address of the buffer's bytes, which Luau never moves and aligns to eight.
        unsafe {
            lua.exec_raw::<()>(buffer.clone(), move |state| {
                let mut length = 0;
                target.write(ffi::lua_tobuffer(state, -1, &raw mut length).cast());
            })?;
        }
        if bytes.is_aligned() {
            self.shared.progress.store(bytes, Ordering::Release);
        }
        Ok(())
    }

    /// From now on scripts may run this long.
    pub fn arm(&self, budget: Duration) -> Running<'_> {
        let mut state = lock(&self.shared.state);
        self.shared.fired.store(false, Ordering::Relaxed);
        start(&self.shared, &mut state, budget);
        drop(state);
        Running { shared: &self.shared }
    }

    /// Whether the last armed time ran out.
    pub fn fired(&self) -> bool {
        self.shared.fired.load(Ordering::Relaxed)
    }
}

impl Running<'_> {
    /// Whether the time has run out.
    pub fn fired(&self) -> bool {
        self.shared.fired.load(Ordering::Relaxed)
    }

    /// Gives as much time again, for the next of several callbacks under one guard.
    pub fn again(&self, budget: Duration) {
        let mut state = lock(&self.shared.state);
        set(self.shared, None);
        self.shared.fired.store(false, Ordering::Relaxed);
        start(self.shared, &mut state, budget);
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.deadline = None;
        set(self.shared, None);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        lock(&self.shared.state).closing = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A watchdog that panicked has nothing left to stop.
            drop(thread.join());
        }
    }
}

/// Time since a moment, for the check that native code works.
#[derive(Clone, Copy, Debug)]
pub struct Since(Instant);

impl Since {
    /// From now on.
    pub fn now() -> Self {
        Self(now())
    }

    /// So far.
    pub fn elapsed(self) -> Duration {
        now().saturating_duration_since(self.0)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a time budget needs the clock; what it stops is a fault, never a result"
)]
fn now() -> Instant {
    Instant::now()
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs or removes the interrupt. The caller holds the lock.
fn set(shared: &Shared, interrupt: Option<Interrupt>) {
    let pointer = interrupt.map_or(std::ptr::null_mut(), |function| function as *mut std::ffi::c_void);
    // SAFETY: see `Shared`; the machine outlives its watchdog.
    unsafe { (*shared.slot).store(pointer, Ordering::Release) };
}

fn watch(shared: &Shared) {
    let mut state = lock(&shared.state);
    while !state.closing {
        let Some(deadline) = state.deadline else {
            // While guards come one after the other, waking by time is cheaper than by signal.
            if std::mem::take(&mut state.armed) {
                state = wait_until(shared, state, now() + LOOK);
            } else {
                state.looks_at = None;
                state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            continue;
        };
        let left = deadline.saturating_duration_since(now());
        if left.is_zero() && has_moved(shared, &mut state) {
            continue;
        }
        if left.is_zero() && was_waiting(shared, &mut state) {
            continue;
        }
        if left.is_zero() {
            state.deadline = None;
            shared.fired.store(true, Ordering::Relaxed);
            set(shared, Some(stop));
            continue;
        }
        state = wait_until(shared, state, deadline);
    }
}

/// The progress as it stands; 0 where none is followed.
fn progress(shared: &Shared) -> u64 {
    let bytes = shared.progress.load(Ordering::Acquire);
    // SAFETY: see `Watchdog::follow`; Luau writes the bytes as two aligned words, and a torn value only differs from the last.
    if bytes.is_null() { 0 } else { unsafe { (*bytes).load(Ordering::Relaxed) } }
}

/// Another callback runs than when the time began: it gets the whole budget.
fn has_moved(shared: &Shared, state: &mut State) -> bool {
    let now_at = progress(shared);
    if now_at == state.progress {
        return false;
    }
    let (progress, budget) = (now_at, state.budget);
    give(state, budget);
    state.progress = progress;
    true
}

/// On a busy machine the worker may have had no processor: what counts is the time it ran. Gives more time while that is less
/// than the budget.
fn was_waiting(shared: &Shared, state: &mut State) -> bool {
    let Some(used) = shared.worker.as_deref().and_then(processor_time) else {
        return false;
    };
    let time = now();
    if state.latest.is_some_and(|latest| time >= latest) {
        return false;
    }
    let seen = *state.seen.get_or_insert(used);
    // Nine tenths: the system counts in steps.
    let left = (state.budget * 9 / 10).saturating_sub(used.saturating_sub(seen));
    state.deadline = time.checked_add(left.max(Duration::from_micros(500)));
    !left.is_zero()
}

/// The file that tells the processor time of the calling thread; none where the system has no such file.
fn worker_stat() -> Option<String> {
    let thread = std::fs::read_link("/proc/thread-self").ok()?;
    Some(format!("/proc/{}/schedstat", thread.to_str()?))
}

fn processor_time(file: &str) -> Option<Duration> {
    let text = std::fs::read_to_string(file).ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn wait_until<'a>(shared: &'a Shared, mut state: MutexGuard<'a, State>, time: Instant) -> MutexGuard<'a, State> {
    state.looks_at = Some(time);
    let left = time.saturating_duration_since(now());
    shared.wake.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
}

/// Sets the deadline and wakes the thread only if it would look too late by itself.
fn start(shared: &Shared, state: &mut State, budget: Duration) {
    give(state, budget);
    state.armed = true;
    state.progress = progress(shared);
    let looks_in_time = state.looks_at.zip(state.deadline).is_some_and(|(looks, deadline)| looks <= deadline);
    if !looks_in_time {
        shared.wake.notify_one();
    }
}

fn give(state: &mut State, budget: Duration) {
    let begin = now();
    state.deadline = begin.checked_add(budget);
    state.budget = budget;
    state.latest = begin.checked_add(budget.saturating_mul(PATIENCE));
    state.seen = None;
}

/// What Luau calls at its next safe point after the deadline.
unsafe extern "C-unwind" fn stop(state: *mut ffi::lua_State, gc: std::os::raw::c_int) {
    if gc >= 0 {
        return; // called from the collector, where no error may be raised
    }
    // SAFETY: Luau calls this at a point where errors are allowed; the text is a C string without format signs, and
    // `lua_error` unwinds to the nearest protected call.
    unsafe {
        ffi::luaL_where(state, 0);
        ffi::lua_pushstring(state, c"ran over its time".as_ptr());
        ffi::lua_concat(state, 2);
        ffi::lua_error(state);
    }
}
