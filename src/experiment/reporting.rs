//! Reads a running experiment for reports and tables: what was measured, how contracts stand, where agents are.

use glam::DVec3;
use serde::{Serialize, Serializer};

use super::core::Experiment;
use super::measuring::{Extra, GroupMeasure};
use super::report::{BlameRun, ContractRun, GroupRun, MetricRun, NetworkRun, ReloadRun, Report, hash_text};
use crate::measure::{Blame, Metric, Term};

/// One agent as tables show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentRow {
    /// Name of its group.
    pub group: String,
    /// Its number, as scripts see it.
    pub agent: f64,
    /// m.
    #[serde(serialize_with = "as_list")]
    pub position: DVec3,
    /// m/s.
    #[serde(serialize_with = "as_list")]
    pub velocity: DVec3,
    /// rad.
    pub heading: f64,
    /// Its state; empty where its behavior has none.
    pub state: String,
    /// Number of its place in the formation, from 0.
    pub slot: Option<u32>,
    /// Distance to that place, m.
    pub slot_error: Option<f64>,
}

impl Experiment {
    /// The run so far.
    pub fn report(&mut self) -> Report {
        let hash = hash_text(self.hash());
        let groups = (0..self.world.groups.len()).map(|group| self.group_run(group)).collect();
        let problems = self.problems.list().to_vec();
        let reload = |reload: &super::scripts::Reload| ReloadRun {
            tick: reload.tick,
            files: reload.files.clone(),
            note: reload.lines.join("; "),
        };
        Report {
            scene: self.shown.clone(),
            seed: Some(self.world.settings.seed),
            ticks: self.ticks(),
            seconds: self.time(),
            hash: Some(hash),
            hashes: Vec::new(),
            groups,
            lines: self.line_runs(),
            areas: self.area_runs(),
            sources: self.source_runs(),
            stops: self.stop_runs(),
            exits: self.exit_runs(),
            reloads: self.reloads.iter().map(reload).collect(),
            problems,
            timing: self.clock.seconds().map(|(stage, seconds)| (stage.to_owned(), seconds)).collect(),
            reproducible: self.clock_stopped.then_some(false),
        }
    }

    pub(super) fn group_run(&self, group: usize) -> GroupRun {
        let state = &self.world.groups[group];
        let measure = self.measuring.groups.get(group);
        let mut metrics: Vec<(String, MetricRun)> = measure.map(native_metrics).unwrap_or_default();
        // What belongs to lines, areas, sources, stops and exits stands there.
        let flows = |id: &str| crate::flow::metrics::is_one(id, |name| self.scene.group_index(name).is_some());
        let extra = self.measuring.extra.iter().filter(|(id, _)| super::gauging::parts(id).is_none() && !flows(id));
        let extra = extra.filter(|(id, _)| self.group_of_extra(id) == group);
        metrics.extend(extra.map(|(id, extra)| (short(id, &state.name), extra_run(extra))));
        let judge = measure.and_then(|measure| measure.judge.as_ref());
        GroupRun {
            name: state.name.clone(),
            agents: state.members.len(),
            metrics,
            contract: judge
                .map(|judge| ContractRun::new(&judge.report(), self.world.dt(), |term| self.blamed(group, term, 8))),
            commands: self.counting.of(group).to_vec(),
            transitions: self.passing.counts(group).into_iter().map(|line| (line.label, line.count)).collect(),
            network: self.network_view(group).map(|view| NetworkRun {
                messages: view.messages,
                sends: view.sends,
                delivered: view.delivered + view.acknowledged,
                failed: view.failed,
                offline: self.offline(group),
            }),
            assignment: self.groups[group].assignment.as_deref().cloned(),
            progress: self.progress.of(group),
        }
    }

    /// The agents of a group that are offline, by number.
    fn offline(&self, group: usize) -> Vec<f64> {
        let ids = self.world.groups[group].members.iter().map(|slot| self.world.agents.id(*slot));
        ids.filter(|id| self.posting.is_offline(group, *id)).map(crate::sim::AgentId::number).collect()
    }

    /// Who breaks a term of a group's contract now, worst first.
    pub(super) fn blamed(&self, group: usize, term: Term, most: usize) -> Vec<BlameRun> {
        let Some(measure) = self.measuring.groups.get(group) else { return Vec::new() };
        let members = &self.world.groups[group].members;
        let run = |blame: &Blame| {
            let slot = *members.get(blame.agent as usize)?;
            let agent = self.world.agents.id(slot).number();
            Some(BlameRun { agent, value: blame.value, since: blame.since as f64 * self.world.dt() })
        };
        measure.blames.of(term).iter().take(most).filter_map(run).collect()
    }

    /// The group that a metric of a script is reported with: the one in its id, else the first that it looks at.
    fn group_of_extra(&self, id: &str) -> usize {
        let (head, name) = id.split_once('.').unwrap_or(("", id));
        let named = self.world.groups.iter().position(|group| group.name == head);
        let entry = self.scene.metrics.iter().find(|entry| entry.name == name);
        named.or_else(|| entry.and_then(|entry| entry.of.first().copied())).unwrap_or(0)
    }

    /// All living agents, by group and then by id.
    pub fn agent_rows(&self) -> impl Iterator<Item = AgentRow> + '_ {
        let world = &self.world;
        world.groups.iter().enumerate().flat_map(move |(index, group)| {
            let states = self.minds[index].states();
            group.members.iter().map(move |slot| {
                let (agents, slot) = (&world.agents, *slot as usize);
                let place = agents.place[slot];
                let gap = |position| world.offset(agents.position[slot], position).length();
                AgentRow {
                    group: group.name.clone(),
                    agent: agents.id(slot as u32).number(),
                    position: agents.position[slot],
                    velocity: agents.velocity[slot],
                    heading: agents.heading[slot],
                    state: states.get(usize::from(agents.state[slot])).cloned().unwrap_or_default(),
                    slot: place.map(|place| place.index),
                    slot_error: place.map(|place| gap(place.position)),
                }
            })
        })
    }
}

/// Writes a vector as a list of three numbers.
fn as_list<S: Serializer>(vector: &DVec3, serializer: S) -> Result<S::Ok, S::Error> {
    vector.to_array().serialize(serializer)
}

fn native_metrics(measure: &GroupMeasure) -> Vec<(String, MetricRun)> {
    let measured = Metric::ALL.iter().zip(&measure.stats).filter(|(_, stats)| stats.count() > 0);
    measured.map(|(metric, stats)| (metric.info().id.to_owned(), MetricRun::new(metric.info().unit, stats))).collect()
}

fn extra_run(extra: &Extra) -> MetricRun {
    MetricRun::new(&extra.unit, &extra.stats)
}

/// The id without the name of its own group.
fn short(id: &str, group: &str) -> String {
    match id.split_once('.') {
        Some((head, rest)) if head == group => rest.to_owned(),
        _ => id.to_owned(),
    }
}
