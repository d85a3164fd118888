//! Tuning on a thread of its own, so that neither window nor run waits for it.

use std::sync::{Arc, Mutex, PoisonError};

use super::core::Experiment;
use super::frame::{AgentKey, Level, Progress};
use super::tuning::{Goal, Method, Outcome, Plant, Stop, tune_watched};

/// What is to be tuned and how; what is not given is taken from the plant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TuneOrder {
    /// Name of the group.
    pub group: String,
    /// The agent whose body is the plant; none for the first of the group.
    pub agent: Option<AgentKey>,
    /// Output of the relay, m/s.
    pub output: Option<f64>,
    /// Hysteresis of the relay, m.
    pub hysteresis: Option<f64>,
    /// Bias of the relay, m/s.
    pub bias: f64,
    /// What the search is for.
    pub goal: Goal,
}

/// A finished tuning.
#[derive(Clone, Debug)]
pub struct TuningView {
    /// Name of the group.
    pub group: String,
    /// The agent.
    pub agent: AgentKey,
    /// How it was done.
    pub method: Method,
    /// What came of it.
    pub outcome: Outcome,
}

/// A tuning under way.
struct Going {
    stop: Stop,
    what: String,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    done: f32,
    result: Option<TuningView>,
    over: bool,
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the work when the thread ends, however it ends.
struct Over(Arc<Mutex<Shared>>);

impl Drop for Over {
    fn drop(&mut self) {
        lock(&self.0).over = true;
    }
}

/// The tuning under way, and what the last one found. One at a time: a new one supersedes it.
#[derive(Default)]
pub struct Tuner {
    going: Option<Going>,
    last: Option<Arc<TuningView>>,
    shown: f32,
}

impl Tuner {
    /// Starts a tuning in the place of the one under way.
    ///
    /// # Errors
    /// A sentence for a person: there is no such agent, or the system gives no thread.
    pub fn start(&mut self, experiment: &Experiment, order: &TuneOrder) -> Result<(), String> {
        self.cancel();
        let agent = order.agent.map(AgentKey::number);
        let Some((plant, group, agent)) = experiment.plant(Some(&order.group), agent) else {
            return Err(format!("`{}` has no agent to tune", order.group));
        };
        let (method, shared, stop) = (method(order, &plant), Arc::new(Mutex::default()), Stop::default());
        self.going = Some(Going { stop: stop.clone(), what: format!("tuning {group}"), shared: Arc::clone(&shared) });
        let work = move || {
            let over = Over(shared);
            let on = |done| lock(&over.0).done = done;
            let outcome = tune_watched((&plant, group.clone(), agent), method, &stop, &on);
            let agent = AgentKey::from_number(agent).unwrap_or_default();
            lock(&over.0).result = outcome.map(|outcome| TuningView { group, agent, method, outcome });
        };
        let thread = std::thread::Builder::new().name("tuning".to_owned()).spawn(work);
        // The thread ends by itself: when it is done, or soon after it is asked to stop.
        thread.map(drop).map_err(|error| {
            self.going = None;
            format!("no thread for the tuning: {error}")
        })
    }

    /// Stops the tuning under way; what the last one found stays.
    pub fn cancel(&mut self) {
        if let Some(going) = self.going.take() {
            going.stop.ask();
        }
    }

    /// Forgets everything: another scene has other bodies.
    pub fn clear(&mut self) {
        self.cancel();
        self.last = None;
    }

    /// Takes what the thread found; whether there is something new to show.
    pub fn poll(&mut self) -> bool {
        let Some(going) = &self.going else { return false };
        let mut shared = lock(&going.shared);
        if shared.over {
            self.last = shared.result.take().map(Arc::new).or_else(|| self.last.take());
            drop(shared);
            self.going = None;
            return true;
        }
        let moved = shared.done != self.shown;
        self.shown = shared.done;
        moved
    }

    /// What the last tuning found.
    pub fn found(&self) -> Option<Arc<TuningView>> {
        self.last.clone()
    }

    /// The tuning under way.
    pub fn progress(&self) -> Option<Progress> {
        let going = self.going.as_ref()?;
        Some(Progress { what: going.what.clone(), done: Some(lock(&going.shared).done), cancellable: true })
    }
}

impl Drop for Tuner {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl Experiment {
    /// Says that something asked for cannot be done.
    pub(super) fn refuse(&mut self, source: &str, text: String) {
        self.log.toast(self.world.time(), Level::Warning, source, text);
    }
}

fn method(order: &TuneOrder, plant: &Plant) -> Method {
    let mut method = Method { goal: order.goal, ..Method::of(plant) };
    method.relay.output = order.output.unwrap_or(method.relay.output).min(plant.body.max_speed);
    method.relay.hysteresis = order.hysteresis.unwrap_or(method.relay.hysteresis);
    method.relay.bias = order.bias;
    method
}
