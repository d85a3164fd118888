//! Automatic tuning of the position controller of one agent: the relay experiment on its own body, the rules of the table with
//! what they do on it, and a search that beats them.

use serde::Serialize;

pub use super::plant::{Controller, Goal, Objective, Plant, STEP_M, Sample, Stop, Tried};
pub use crate::steer::relay::Relay;
use crate::steer::relay::{self, RULES, RelayError};

/// What tuning does: how the relay is set and what the search looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Method {
    /// The relay.
    pub relay: Relay,
    /// What the search is for.
    pub goal: Goal,
}

impl Method {
    /// What suits a plant: 0.4 of the speed limit, and three times the noise as hysteresis.
    pub fn of(plant: &Plant) -> Self {
        let relay = Relay { output: 0.4 * plant.body.max_speed, hysteresis: 3.0 * plant.noise, ..Relay::default() };
        Self { relay, goal: Goal::default() }
    }
}

/// What tuning found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// Group.
    pub group: String,
    /// Agent.
    pub agent: f64,
    /// Time constant of its lag, s.
    pub lag: f64,
    /// Its dead time, s.
    pub dead_time: f64,
    /// Ultimate gain by the relay, 1/s.
    pub ku: f64,
    /// Ultimate period by the relay, s.
    pub tu: f64,
    /// Half of peak to peak under the relay, m.
    pub amplitude: f64,
    /// How far the half periods under the relay differ, as a share of the period.
    #[serde(skip)]
    pub lopsided: f64,
    /// Exact ultimate gain and period of a lag behind a dead time, without ticks and noise; none without dead time.
    pub exact: Option<(f64, f64)>,
    /// The rules of the table on this plant.
    pub rules: Vec<Tried>,
    /// The best that the search found.
    pub search: Tried,
}

impl Tuned {
    /// The rules of the table, then the search.
    pub fn all(&self) -> impl Iterator<Item = &Tried> {
        self.rules.iter().chain([&self.search])
    }

    /// The row of [`Self::all`] that costs least by an objective, of those that settle; none if nothing does.
    pub fn best(&self, objective: Objective) -> Option<usize> {
        let rows = self.all().enumerate().filter(|(_, tried)| tried.settled.is_some());
        let rows = rows.map(|(row, tried)| (row, objective.cost(tried)));
        rows.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
    }
}

/// What came of tuning.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The relay experiment, whether or not it has an answer.
    pub trace: Vec<Sample>,
    /// What was found, or why nothing was.
    pub found: Result<Tuned, RelayError>,
}

/// Share of the work that is done when the relay, and when the rules are.
const RELAY_DONE: f32 = 0.1;
const RULES_DONE: f32 = 0.4;

/// Tunes a plant: relay, rules, search. `on` is told the share that is done; none is given back once `stop` was asked.
pub fn tune_watched(
    (plant, group, agent): (&Plant, String, f64),
    method: Method,
    stop: &Stop,
    on: &dyn Fn(f32),
) -> Option<Outcome> {
    let (trace, found) = plant.relay(method.relay, stop);
    let found = match found {
        Ok(found) => found,
        Err(error) => return (!stop.is_asked()).then_some(Outcome { trace, found: Err(error) }),
    };
    let mut rules = Vec::with_capacity(RULES.len());
    for (row, rule) in RULES.iter().enumerate() {
        on(RELAY_DONE + (RULES_DONE - RELAY_DONE) * row as f32 / RULES.len() as f32);
        if stop.is_asked() {
            return None;
        }
        rules.push(plant.step(rule.0, &relay::apply(rule, found.gain, found.period)));
    }
    let start = relay::apply(&RULES[2], found.gain, found.period);
    let search = plant.search(&start, method.goal, |share| {
        on(RULES_DONE + (1.0 - RULES_DONE) * share);
        !stop.is_asked()
    });
    if stop.is_asked() {
        return None;
    }
    let tuned = Tuned {
        group,
        agent,
        lag: plant.body.lag,
        dead_time: plant.body.dead_time,
        ku: found.gain,
        tu: found.period,
        amplitude: found.amplitude,
        lopsided: found.lopsided,
        exact: relay::exact(plant.body.lag, plant.body.dead_time),
        rules,
        search,
    };
    Some(Outcome { trace, found: Ok(tuned) })
}

/// Tunes a plant: relay, rules, search.
///
/// # Errors
/// When the relay experiment has no answer.
pub fn tune(subject: (&Plant, String, f64), method: Method) -> Result<Tuned, RelayError> {
    // Nobody asks it to stop, so there is an outcome.
    tune_watched(subject, method, &Stop::default(), &|_| {}).map_or(Err(RelayError::Still), |outcome| outcome.found)
}
