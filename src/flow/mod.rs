//! Flows of people: sources where they enter, stops that they visit, queues in which they are served, exits where they leave.
//!
//! The room knows bodies and obstacles only through [`sim`](crate::sim): it writes an agent's goal, and whatever leads agents
//! to their goals leads them along their journeys.

mod area;
mod choice;
mod exit;
mod gate;
mod leading;
pub mod metrics;
mod queue;
mod settings;
mod source;
mod traveller;
mod waiting;

use std::sync::Arc;

use glam::DVec3;

pub use area::Area;
pub use exit::{Exit, FLOW_SECS, Left};
pub use metrics::FlowMetric;
pub use queue::Queue;
pub use settings::{ExitSpec, QueueSpec, Settings, SourceSpec, Spread, StopKind, StopSpec, WaitingSpec, WaypointSpec};
pub use source::{Reason, Source};
pub use waiting::Waiting;

use crate::sim::{AgentId, Leg, StateHash, Value, World};
use traveller::Traveller;

/// Something that an agent hears on its journey.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Who.
    pub agent: AgentId,
    /// `stop_reached`, `queue_moved`, `served` or `journey_done`.
    pub name: &'static str,
    /// Name of the stop; the new place in the queue, 1 is the head.
    pub value: Option<Value>,
}

/// What a stop keeps beside what the scene says.
#[derive(Clone, Debug)]
pub enum StopState {
    /// Nothing: one passes by.
    Waypoint,
    /// Who has which spot.
    Waiting(Waiting),
    /// Who stands in it.
    Queue(Queue),
    /// Who left.
    Exit(Exit),
}

/// A stop as it is now.
#[derive(Clone, Debug)]
pub struct Stop {
    /// What the scene says.
    pub spec: StopSpec,
    /// What it keeps.
    pub state: StopState,
    /// Whether one may leave it (waiting), is served (queue), is let through (exit).
    pub open: bool,
    /// Agents on their way to it or at it, ascending, as of the last step.
    pub bound: Vec<u32>,
}

/// All flows of a world. What it remembers is a function of the run alone, and part of the state hash.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    sources: Vec<Source>,
    stops: Vec<Stop>,
    /// By group.
    journeys: Vec<Arc<[Leg]>>,
    travellers: Vec<Traveller>,
    /// Where agents were before they moved, m.
    before: Vec<DVec3>,
    seed: u64,
    /// Errands were given: journeys exist though the scene names none.
    used: bool,
}

impl Flow {
    /// The flows of a scene before its first tick.
    #[must_use]
    pub fn new(settings: Settings, seed: u64) -> Self {
        let used = !settings.is_empty();
        let sources = settings.sources.into_iter().enumerate().map(|(index, spec)| Source::new(spec, index, seed));
        Self {
            sources: sources.collect(),
            stops: settings.stops.into_iter().map(Stop::new).collect(),
            journeys: settings.journeys,
            seed,
            used,
            ..Self::default()
        }
    }

    /// Whether nothing flows, so that nothing is stepped or hashed.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        !self.used
    }

    /// The sources in the scene's order.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// The stops in the scene's order.
    #[must_use]
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Opens or closes every source and stop of a name; false if there is none.
    pub fn set_open(&mut self, name: &str, open: bool) -> bool {
        let mut found = false;
        for source in self.sources.iter_mut().filter(|source| source.spec.name == name) {
            source.open = open;
            found = true;
        }
        for stop in self.stops.iter_mut().filter(|stop| stop.spec.name == name) {
            stop.open = open;
            found = true;
        }
        found
    }

    /// One step, before the agents sense: newcomers enter, travellers go on. What they hear is put into `news`, in order.
    /// Returns how many entered.
    pub fn step(&mut self, world: &mut World, news: &mut Vec<News>) -> usize {
        if !world.errands.is_empty() {
            self.used = true;
        }
        if self.is_idle() {
            return 0;
        }
        let mut entered = 0;
        for index in 0..self.sources.len() {
            let first = self.journeys.get(self.sources[index].spec.group).and_then(|legs| legs.first());
            let ahead = first.and_then(|leg| self.middle_of(leg));
            entered += self.sources[index].step(world, ahead);
        }
        self.lead(world, news);
        entered
    }

    /// Keeps where agents are before they move.
    pub fn remember(&mut self, world: &World) {
        if self.stops.iter().any(|stop| matches!(stop.state, StopState::Exit(_))) {
            self.before.clone_from(&world.agents.position);
        }
    }

    /// The middle of where a leg leads first, m.
    fn middle_of(&self, leg: &Leg) -> Option<DVec3> {
        let stops = leg.stops();
        let middles = stops.iter().filter_map(|stop| Some(self.stops.get(usize::from(*stop))?.spec.middle()));
        let (sum, count) = middles.fold((DVec3::ZERO, 0.0), |(sum, count), middle| (sum + middle, count + 1.0));
        (count > 0.0).then(|| sum / count)
    }

    /// Takes what is no agent's own into a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        for source in &self.sources {
            source.hash_into(hash);
        }
        for stop in &self.stops {
            hash.integer(u64::from(stop.open));
            match &stop.state {
                StopState::Waypoint => {}
                StopState::Waiting(waiting) => waiting.hash_into(hash),
                StopState::Queue(queue) => queue.hash_into(hash),
                StopState::Exit(exit) => exit.hash_into(hash),
            }
        }
    }

    /// What is remembered of an agent, as a number for the state hash.
    #[must_use]
    pub fn digest(&self, slot: usize) -> u64 {
        self.travellers.get(slot).map_or(0, Traveller::digest)
    }
}

impl Stop {
    fn new(spec: StopSpec) -> Self {
        let state = match &spec.kind {
            StopKind::Waypoint(_) => StopState::Waypoint,
            StopKind::Waiting(waiting) => StopState::Waiting(Waiting::new(waiting.spots.len())),
            StopKind::Queue(_) => StopState::Queue(Queue::default()),
            StopKind::Exit(_) => StopState::Exit(Exit::default()),
        };
        Self { open: spec.open, spec, state, bound: Vec::new() }
    }

    /// Whether one more may set out to it.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.spec.most().is_none_or(|most| self.bound.len() < most)
    }

    /// How many are there, not on their way.
    #[must_use]
    pub fn count(&self, world: &World) -> usize {
        self.bound.iter().filter(|slot| world.agents.visit[**slot as usize].there).count()
    }
}
