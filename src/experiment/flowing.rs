//! The flows of a run: who enters and goes on before the agents sense, who left after they moved, and what reports and panels say.

use std::sync::Arc;

use serde::Serialize;

use super::Experiment;
use super::frame::{FlowView, SourceView, StopView};
use super::report::as_map;
use crate::flow::{Flow, FlowMetric, Left, News, StopKind, StopState};
use crate::scene::Scene;
use crate::sim::{Event, SimCommand, StateHash, Value, World};

/// A source is reported as blocked after so long without room for one who is due, s.
const BLOCKED_SECS: f64 = 0.5;

/// The flows of a run and their buffers.
#[derive(Debug, Default)]
pub struct Flowing {
    /// Sources, stops, journeys.
    pub flow: Flow,
    news: Vec<News>,
    left: Vec<Left>,
    metrics: Vec<FlowMetric>,
    /// Sources of which it was said that they are blocked.
    told: Vec<bool>,
}

impl Flowing {
    /// The flows of a scene before its first tick.
    pub fn new(scene: &Scene, world: &mut World) -> Self {
        world.stops = scene.flows.stops.iter().map(|stop| stop.name.clone()).collect();
        let flow = Flow::new(scene.flows.clone(), world.settings.seed);
        Self { told: vec![false; flow.sources().len()], flow, ..Self::default() }
    }

    /// All numbers of sources, stops and exits as they stand.
    pub fn metrics(&mut self, world: &World) -> &[FlowMetric] {
        self.metrics.clear();
        self.flow.metrics(world, &mut self.metrics);
        &self.metrics
    }
}

/// A source of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SourceRun {
    /// Name.
    pub name: String,
    /// Name of the group that they join.
    pub group: String,
    /// How many have entered.
    pub entered: u64,
    /// How many are due and find no room.
    pub waiting: u64,
    /// Why; absent while everybody finds room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Since when, in s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<f64>,
}

/// A stop of a run that is no exit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StopRun {
    /// Name.
    pub name: String,
    /// `waypoint`, `waiting` or `queue`.
    pub kind: String,
    /// How many stand there at the end.
    pub count: usize,
    /// How many are on their way there.
    pub coming: usize,
    /// How many were served; absent where nobody is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub served: Option<u64>,
}

/// An exit of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExitRun {
    /// Name.
    pub name: String,
    /// How many left.
    pub count: usize,
    /// How many stand before it and are not let through.
    pub held: usize,
    /// Persons per second between the first and the last one; null below two.
    pub flow: Option<f64>,
    /// When each left, in s, by group: the curve of N over t.
    #[serde(serialize_with = "as_map")]
    pub times: Vec<(String, Vec<f64>)>,
}

impl Experiment {
    /// Newcomers enter and travellers go on; they hear what happened in the same tick.
    pub(super) fn flow_in(&mut self) {
        let world = Arc::make_mut(&mut self.world);
        let mut news = std::mem::take(&mut self.flowing.news);
        let entered = self.flowing.flow.step(world, &mut news);
        for news in news.drain(..) {
            let event = Event { to: news.agent, name: news.name.to_owned(), value: news.value, from: None };
            // Everybody who has news is alive.
            drop(world.apply(SimCommand::Tell(event)));
        }
        self.flowing.news = news;
        if entered > 0 {
            self.refit_formations();
        }
        self.tell_of_sources();
    }

    /// The log and the directors hear once when somebody finds no room, and when all have.
    fn tell_of_sources(&mut self) {
        let (tick, hz) = (self.world.tick, self.world.settings.tick_hz);
        for index in 0..self.flowing.told.len() {
            let source = &self.flowing.flow.sources()[index];
            let long = |since: u64| tick.saturating_sub(since) as f64 >= BLOCKED_SECS * hz;
            let blocked = source.blocked().filter(|(since, _)| long(*since));
            let told = self.flowing.told[index];
            if blocked.is_some() == told || (told && source.blocked().is_some()) {
                continue;
            }
            let name = source.spec.name.clone();
            let (event, text) = match blocked {
                Some((_, reason)) => {
                    let verb = if source.waiting() == 1 { "waits" } else { "wait" };
                    ("source_blocked", format!("source {name}: {} {verb}, {reason}", source.waiting()))
                }
                None => ("source_free", format!("source {name}: everybody has entered who was due")),
            };
            self.flowing.told[index] = !told;
            self.log.info(self.world.time(), "flow", text);
            self.scripts.press("", event, Some(Value::Text(name)));
        }
    }

    /// Who touched an exit in the tick that ended leaves; directors hear of each.
    pub(super) fn flow_out(&mut self) {
        if self.flowing.flow.is_idle() {
            return;
        }
        let mut left = std::mem::take(&mut self.flowing.left);
        self.flowing.flow.cross(Arc::make_mut(&mut self.world), &mut left);
        for gone in &left {
            let exit = self.flowing.flow.stops()[gone.stop].spec.name.clone();
            self.apply_sim(SimCommand::Remove(gone.agent));
            self.scripts.press("", "left", Some(Value::Text(exit)));
        }
        if !left.is_empty() {
            self.refit_formations();
        }
        self.flowing.left = left;
    }

    /// Opens or closes all of a name: sources, stops, and an obstacle; false if there is none.
    pub(super) fn switch(&mut self, name: &str, open: bool) -> bool {
        let obstacle = self.world.obstacles.by_name(name).filter(|_| !name.is_empty());
        if let Some(id) = obstacle {
            self.apply_sim(SimCommand::OpenObstacle(id, open));
        }
        let flow = self.flowing.flow.set_open(name, open);
        if flow {
            let word = if open { "opens" } else { "closes" };
            self.log.info(self.world.time(), "flow", format!("{name} {word}"));
        }
        flow || obstacle.is_some()
    }

    /// Takes what is remembered of journeys into the numbers that minds wrote; nothing without any.
    pub(super) fn digest_journeys(&mut self) {
        if self.flowing.flow.is_idle() {
            return;
        }
        for (slot, digest) in self.digests.iter_mut().enumerate() {
            let mut hash = StateHash::new();
            hash.integer(*digest);
            hash.integer(self.flowing.flow.digest(slot));
            self.world.agents.visit[slot].hash_into(&mut hash);
            *digest = hash.finish();
        }
    }

    /// A hash of the whole state, with flows that are no agent's own.
    pub(super) fn with_flows(&self, hash: u64) -> u64 {
        if self.flowing.flow.is_idle() {
            return hash;
        }
        let mut all = StateHash::new();
        all.integer(hash);
        self.flowing.flow.hash_into(&mut all);
        all.finish()
    }

    /// Sources, stops and journeys as they stand.
    pub fn flow(&self) -> &Flow {
        &self.flowing.flow
    }

    /// All numbers of sources, stops and exits, in the order of the scene.
    pub fn flow_metrics(&self) -> Vec<FlowMetric> {
        let mut metrics = Vec::new();
        self.flowing.flow.metrics(&self.world, &mut metrics);
        metrics
    }

    pub(super) fn source_runs(&self) -> Vec<SourceRun> {
        let run = |source: &crate::flow::Source| SourceRun {
            name: source.spec.name.clone(),
            group: self.world.groups[source.spec.group].name.clone(),
            entered: source.entered(),
            waiting: source.waiting(),
            reason: source.blocked().map(|(_, reason)| reason.to_string()),
            since: source.blocked().map(|(since, _)| since as f64 * self.world.dt()),
        };
        self.flowing.flow.sources().iter().map(run).collect()
    }

    pub(super) fn stop_runs(&self) -> Vec<StopRun> {
        let stops = self.flowing.flow.stops().iter().filter(|stop| !matches!(stop.state, StopState::Exit(_)));
        let run = |stop: &crate::flow::Stop| {
            let count = stop.count(&self.world);
            StopRun {
                name: stop.spec.name.clone(),
                kind: stop.spec.word().to_owned(),
                count,
                coming: stop.bound.len().saturating_sub(count),
                served: if let StopState::Queue(queue) = &stop.state { Some(queue.served()) } else { None },
            }
        };
        stops.map(run).collect()
    }

    pub(super) fn exit_runs(&self) -> Vec<ExitRun> {
        let exits = self.flowing.flow.stops().iter().filter_map(|stop| match &stop.state {
            StopState::Exit(exit) => Some((stop, exit)),
            _ => None,
        });
        let run = |(stop, exit): (&crate::flow::Stop, &crate::flow::Exit)| {
            let passed = exit.passed();
            let span = passed.first().zip(passed.last()).map_or(0.0, |(first, last)| last.0 - first.0);
            let groups = self.world.groups.iter().enumerate();
            let times = groups.map(|(index, group)| {
                let own = passed.iter().filter(|(_, of)| usize::from(*of) == index);
                (group.name.clone(), own.map(|(time, _)| *time).collect::<Vec<f64>>())
            });
            ExitRun {
                name: stop.spec.name.clone(),
                count: exit.count(),
                held: stop.count(&self.world),
                flow: (span > 0.0).then(|| (passed.len() - 1) as f64 / span),
                times: times.filter(|(_, times)| !times.is_empty()).collect(),
            }
        };
        exits.map(run).collect()
    }

    /// Sources and stops as drawn; none where the scene has none.
    pub(super) fn flow_view(&self) -> Option<Arc<FlowView>> {
        let flow = &self.flowing.flow;
        if flow.sources().is_empty() && flow.stops().is_empty() {
            return None;
        }
        let ring =
            |area: &crate::flow::Area| area.outline().into_iter().map(|point| point.extend(0.0)).collect::<Vec<_>>();
        let source = |source: &crate::flow::Source| SourceView {
            name: source.spec.name.clone(),
            group: source.spec.group,
            outline: ring(&source.spec.area),
            open: source.open,
            entered: source.entered(),
            waiting: source.waiting(),
            rate: source.rate(self.world.time()),
            reason: source.blocked().map(|(_, reason)| reason.to_string()),
        };
        let stop = |stop: &crate::flow::Stop| {
            let count = stop.count(&self.world);
            let mut view = StopView {
                name: stop.spec.name.clone(),
                kind: stop.spec.word(),
                at: stop.spec.middle(),
                open: stop.open,
                count,
                coming: stop.bound.len().saturating_sub(count),
                ..StopView::default()
            };
            match (&stop.spec.kind, &stop.state) {
                (StopKind::Waypoint(waypoint), _) => view.radius = waypoint.distance,
                (StopKind::Waiting(spec), StopState::Waiting(waiting)) => {
                    view.outline = spec.area.as_ref().map(ring).unwrap_or_default();
                    let taken = waiting.spots().iter().map(Option::is_some);
                    view.spots = spec.spots.iter().copied().zip(taken).collect();
                }
                (StopKind::Queue(spec), StopState::Queue(queue)) => {
                    let shown = spec.spots().max(queue.line().len());
                    view.spots = (0..shown).map(|place| (spec.spot(place), place < queue.line().len())).collect();
                    view.served = queue.served();
                }
                (StopKind::Exit(spec), StopState::Exit(exit)) => {
                    view.outline = ring(&spec.area);
                    view.left = exit.count();
                    view.flow = exit.flow(self.world.time());
                }
                _ => {}
            }
            view
        };
        let sources = flow.sources().iter().map(source).collect();
        Some(Arc::new(FlowView { sources, stops: flow.stops().iter().map(stop).collect() }))
    }
}
