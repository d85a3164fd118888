//! How a running experiment stands at a tick, for a program that drives it: groups, metrics, contracts, agents.

use serde::Serialize;

use super::core::Experiment;
use super::report::{ContractRun, as_map, hash_text};
use super::reporting::AgentRow;

/// What there is at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hello {
    /// Version of the protocol.
    pub protocol: u32,
    /// The scene file.
    pub scene: String,
    /// What the scene is called.
    pub title: String,
    /// The seed in effect.
    pub seed: u64,
    /// Ticks per simulated second.
    pub tick_hz: f64,
    /// Groups in the order of the scene.
    pub groups: Vec<GroupHead>,
    /// Formations that may be ordered, by name.
    pub formations: Vec<String>,
}

/// What a group is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupHead {
    /// Name.
    pub name: String,
    /// Living agents.
    pub agents: usize,
    /// Name of its behavior.
    pub behavior: Option<String>,
    /// Name of the formation that it holds.
    pub formation: Option<String>,
}

/// How all stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Ticks done.
    pub tick: u64,
    /// Simulated seconds.
    pub time: f64,
    /// State hash, as `run --json` writes it.
    pub hash: String,
    /// Groups in the order of the scene.
    pub groups: Vec<GroupStanding>,
    /// All agents, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<Vec<AgentRow>>,
}

/// How a group stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GroupStanding {
    /// What it is.
    #[serde(flatten)]
    pub head: GroupHead,
    /// Metrics at the last tick, by id.
    #[serde(serialize_with = "as_map")]
    pub metrics: Vec<(String, Option<f64>)>,
    /// Its contract as in a report, of all commands only the last; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractRun>,
}

impl Experiment {
    /// What there is at the start.
    pub fn hello(&self, protocol: u32) -> Hello {
        Hello {
            protocol,
            scene: self.shown.clone(),
            title: self.scene.title.clone(),
            seed: self.world.settings.seed,
            tick_hz: self.world.settings.tick_hz,
            groups: (0..self.world.groups.len()).map(|group| self.group_head(group)).collect(),
            formations: self.library().formations.keys().cloned().collect(),
        }
    }

    /// How all stands now.
    pub fn standing(&mut self, with_agents: bool) -> Standing {
        Standing {
            tick: self.ticks(),
            time: self.time(),
            hash: hash_text(self.hash()),
            groups: (0..self.world.groups.len()).map(|group| self.group_standing(group)).collect(),
            agents: with_agents.then(|| self.agent_rows().collect()),
        }
    }

    fn group_head(&self, group: usize) -> GroupHead {
        let state = &self.world.groups[group];
        GroupHead {
            name: state.name.clone(),
            agents: state.members.len(),
            behavior: self.groups[group].behavior.clone(),
            formation: self.forming(group).map(|forming| forming.order.name.clone()),
        }
    }

    fn group_standing(&self, group: usize) -> GroupStanding {
        let run = self.group_run(group);
        let last_settle = |mut contract: ContractRun| {
            let before = contract.settles.len().saturating_sub(1);
            contract.settles.drain(..before);
            contract
        };
        GroupStanding {
            head: self.group_head(group),
            metrics: run.metrics.into_iter().map(|(id, metric)| (id, metric.last)).collect(),
            contract: run.contract.map(last_settle),
        }
    }
}
