//! The experiment on its own thread: it makes ticks at the speed asked for, does commands between ticks and publishes frames.
//!
//! The wall clock decides only *when* a tick is made, never what it computes.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};

use super::command::Command;
use super::core::Experiment;
use super::frame::{RunState, Speed};
use super::session::{FramePair, FrameSlot, Session, Wake};
use super::tuner::Tuner;
use super::view::FrameCache;

/// Frames per second at most.
const FRAME: Duration = Duration::from_millis(16);

/// How long ticks may be made without looking at commands.
const BURST: Duration = Duration::from_millis(12);

/// Ticks that a stall may leave behind; the rest is forgotten, so that slow never becomes slower.
const CATCH_UP: f64 = 8.0;

/// How long an experiment at rest sleeps before it looks at files and scripts.
const IDLE: Duration = Duration::from_millis(50);

/// An experiment that runs on its own thread.
pub struct Runner {
    slot: Arc<FrameSlot>,
    project: PathBuf,
    commands: Option<Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").finish_non_exhaustive()
    }
}

impl Runner {
    /// Starts the thread; `playing` makes ticks at once.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(experiment: Experiment, playing: bool) -> std::io::Result<Self> {
        let (sender, receiver) = unbounded();
        let slot = Arc::new(FrameSlot::default());
        let (shared, project) = (Arc::clone(&slot), experiment.project().to_owned());
        let thread = std::thread::Builder::new().name("experiment".to_owned()).spawn(move || {
            Loop::new(experiment, receiver, shared, playing).run();
        })?;
        Ok(Self { slot, project, commands: Some(sender), thread: Some(thread) })
    }
}

impl Session for Runner {
    fn frames(&self) -> FramePair {
        self.slot.pair()
    }

    fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            // The thread is gone only when the program ends.
            drop(commands.send(command));
        }
    }

    fn set_wake(&self, wake: Wake) {
        self.slot.set_wake(wake);
    }

    fn project(&self) -> Option<PathBuf> {
        Some(self.project.clone())
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            // A panic in there has been printed; there is nothing left to save here.
            drop(thread.join());
        }
    }
}

struct Loop {
    experiment: Experiment,
    commands: Receiver<Command>,
    slot: Arc<FrameSlot>,
    cache: FrameCache,
    tuner: Tuner,
    playing: bool,
    speed: Speed,
    /// Simulated seconds that are due.
    owed: f64,
    last: Instant,
    published: Option<Instant>,
    serial: u64,
    dirty: bool,
    /// Speed reached: ticks and since when.
    pace: (u64, Instant),
    reached: f64,
}

#[expect(clippy::disallowed_methods, reason = "the runner paces ticks against the clock; no tick reads it")]
fn now() -> Instant {
    Instant::now()
}

impl Loop {
    fn new(experiment: Experiment, commands: Receiver<Command>, slot: Arc<FrameSlot>, playing: bool) -> Self {
        let now = now();
        Self {
            experiment,
            commands,
            slot,
            cache: FrameCache::default(),
            tuner: Tuner::default(),
            playing,
            speed: Speed::default(),
            owed: 0.0,
            last: now,
            published: None,
            serial: 0,
            dirty: true,
            pace: (0, now),
            reached: 0.0,
        }
    }

    fn run(mut self) {
        loop {
            if !self.listen() {
                self.experiment.finish_exports();
                return;
            }
            self.dirty |= self.experiment.poll_scripts() | self.tuner.poll();
            self.make_ticks();
            self.publish();
        }
    }

    /// Does what was asked; false when nobody asks any more. Sleeps until something is due.
    fn listen(&mut self) -> bool {
        match self.commands.recv_timeout(self.nap()) {
            Ok(command) => self.obey(command),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        while let Ok(command) = self.commands.try_recv() {
            self.obey(command);
        }
        true
    }

    fn nap(&self) -> Duration {
        if !self.is_running() {
            return if self.dirty { Duration::ZERO } else { IDLE };
        }
        let Speed::Times(times) = self.speed else { return Duration::ZERO };
        let missing = (self.experiment.world().dt() - self.owed).max(0.0) / times.max(1e-3);
        let elapsed = now().duration_since(self.last).as_secs_f64();
        Duration::from_secs_f64((missing - elapsed).clamp(0.0, 0.05))
    }

    fn is_running(&self) -> bool {
        self.playing && !self.experiment.finished()
    }

    fn obey(&mut self, command: Command) {
        self.dirty = true;
        match command {
            Command::Play => self.play(true),
            Command::Pause => self.play(false),
            Command::TogglePlay => self.play(!self.playing || self.experiment.finished()),
            Command::Step(ticks) => {
                self.playing = false;
                for _ in 0..ticks {
                    self.experiment.tick();
                }
            }
            Command::SetSpeed(speed) => self.speed = speed,
            Command::Tune(order) => {
                if let Err(refusal) = self.tuner.start(&self.experiment, &order) {
                    self.experiment.refuse("tuning", refusal);
                }
            }
            Command::CancelWork => self.tuner.cancel(),
            Command::LoadScene(path) => {
                self.tuner.clear();
                self.experiment.apply(&Command::LoadScene(path));
            }
            command => self.experiment.apply(&command),
        }
    }

    fn play(&mut self, playing: bool) {
        if playing && self.experiment.finished() {
            self.experiment.extend();
        }
        self.playing = playing;
        self.owed = 0.0;
        self.last = now();
    }

    fn make_ticks(&mut self) {
        let start = now();
        let elapsed = start.duration_since(self.last).as_secs_f64();
        self.last = start;
        if !self.is_running() {
            self.owed = 0.0;
            return;
        }
        let dt = self.experiment.world().dt();
        match self.speed {
            Speed::Times(times) => {
                let most = CATCH_UP.max(2.0 * times) * dt;
                self.owed = (self.owed + elapsed * times).min(most);
            }
            Speed::Max => self.owed = f64::INFINITY,
        }
        while self.owed >= dt && self.is_running() {
            self.experiment.tick();
            self.owed -= dt;
            self.dirty = true;
            if now().duration_since(start) > BURST {
                break;
            }
        }
        if self.experiment.stopped_by_fault() {
            self.playing = false;
        }
    }

    fn publish(&mut self) {
        let at = now();
        let due = self.published.is_none_or(|last| at.duration_since(last) >= FRAME);
        if !self.dirty || !due {
            return;
        }
        self.measure_pace(at);
        let mut frame = self.experiment.frame(&mut self.cache);
        self.serial += 1;
        frame.serial = self.serial;
        frame.run = self.run_state();
        frame.speed = self.speed;
        frame.speed_reached = self.reached;
        frame.tuning = self.tuner.found();
        frame.progress = self.tuner.progress();
        self.slot.publish(Arc::new(frame));
        self.published = Some(at);
        self.dirty = false;
    }

    fn measure_pace(&mut self, at: Instant) {
        let (tick, since) = self.pace;
        let spent = at.duration_since(since).as_secs_f64();
        let now_tick = self.experiment.ticks();
        if now_tick < tick || spent > 1.0 {
            let done = now_tick.saturating_sub(tick) as f64 * self.experiment.world().dt();
            self.reached = if now_tick < tick { 0.0 } else { done / spent };
            self.pace = (now_tick, at);
        }
    }

    fn run_state(&self) -> RunState {
        if self.experiment.finished() {
            return RunState::Finished;
        }
        if self.playing {
            return RunState::Running;
        }
        if self.experiment.stopped_by_fault() {
            let fault = self.experiment.problems().iter().rev().find(|problem| problem.is_error());
            if let Some(fault) = fault {
                return RunState::ScriptFault {
                    file: fault.file.clone().unwrap_or_default(),
                    line: fault.line.unwrap_or(0),
                    message: fault.message.clone(),
                };
            }
        }
        RunState::Paused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::options::Options;

    fn running() -> (Loop, Sender<Command>) {
        let scene = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/02_boids.ron");
        let experiment = Experiment::open(&scene, Options::default()).expect("a shipped scene");
        let (sender, commands) = unbounded();
        (Loop::new(experiment, commands, Arc::new(FrameSlot::default()), true), sender)
    }

    /// F10: after a stall all ticks of it were made at once, which took so long that the next stall was longer.
    #[test]
    fn f10_a_stall_of_five_seconds_is_not_made_up_for() {
        let (mut running, _sender) = running();
        for times in [1.0, 0.25, 8.0] {
            running.speed = Speed::Times(times);
            let before = running.experiment.ticks();
            running.last = now().checked_sub(Duration::from_secs(5)).expect("the clock has run for longer");
            running.make_ticks();
            let first = running.experiment.ticks() - before;
            let most = CATCH_UP.max(2.0 * times) as u64;
            assert!(first >= 1 && first <= most, "{first} ticks at once, of {most}");
            // What a slow machine did not get done in its burst is owed still, but never more than that.
            for _ in 0..50 {
                running.last = now();
                running.make_ticks();
            }
            let all = running.experiment.ticks() - before;
            assert!(all <= most + 1, "{all} ticks for a stall, of {most}");
        }
        let speeds = &running.experiment.world().agents.velocity;
        assert!(speeds.iter().all(|v| v.is_finite() && v.length() < 20.0), "a stall made somebody fly off");
    }

    /// F10: however far behind, a burst of ticks ends and the window gets its frame.
    #[test]
    fn f10_at_full_speed_there_is_still_time_for_frames() {
        let (mut running, _sender) = running();
        running.speed = Speed::Max;
        let began = now();
        running.make_ticks();
        running.publish();
        assert_eq!(running.serial, 1);
        assert!(now().duration_since(began) < Duration::from_secs(2));
    }
}
