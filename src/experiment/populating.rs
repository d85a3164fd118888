//! More or fewer agents in a group while it runs: those that stay go on undisturbed.

use glam::DVec3;

use super::Problem;
use super::core::Experiment;
use crate::sim::command::Applied;
use crate::sim::{AgentId, GroupId, SimCommand};

/// A disc is widened at most so often, when it has too little room.
const WIDER: usize = 4;

impl Experiment {
    /// Brings a group to `count` agents. Who came last goes first; newcomers stand about the middle of the group, without overlap,
    /// and move as it does on average.
    pub(super) fn set_count(&mut self, group: usize, count: usize) {
        let members = self.world.groups[group].members.len();
        if count < members {
            let leaving = self.latest(group, members - count);
            self.remove_agents(&leaving);
        } else {
            self.add_agents(group, count - members);
        }
    }

    /// The agents of a group that were born last, the latest first.
    fn latest(&self, group: usize, count: usize) -> Vec<AgentId> {
        let agents = &self.world.agents;
        let mut members: Vec<(u64, AgentId)> = self.world.groups[group]
            .members
            .iter()
            .map(|slot| (agents.born[*slot as usize], agents.id(*slot)))
            .collect();
        members.sort_unstable_by_key(|(born, id)| std::cmp::Reverse((*born, id.generation, id.slot)));
        members.into_iter().take(count).map(|(_, id)| id).collect()
    }

    fn add_agents(&mut self, group: usize, missing: usize) {
        let agents = &self.world.agents;
        let members = &self.world.groups[group].members;
        let moving = members.iter().map(|slot| *slot as usize).filter(|slot| !agents.quarantined[*slot]);
        let (place, velocity, n) = moving.fold((DVec3::ZERO, DVec3::ZERO, 0.0), |(place, velocity, n), slot| {
            (place + agents.position[slot], velocity + agents.velocity[slot], n + 1.0)
        });
        let (center, velocity) = if n > 0.0 { (place / n, velocity / n) } else { (self.entry(group), DVec3::ZERO) };
        let body = self.world.groups[group].body.radius;
        let count = members.len() + missing;
        let mut radius = 4.0 * body * (count as f64).sqrt().max(1.0) + 2.0;
        let mut left = missing;
        for _ in 0..WIDER {
            let places = super::spawning::places(&self.world, group, left, center, radius);
            left -= places.len();
            self.spawn_at(group, places, velocity);
            if left == 0 {
                return;
            }
            radius *= 1.6;
        }
        let name = self.world.groups[group].name.clone();
        let message = format!("only {} of {missing} new agents of `{name}` find room", missing - left);
        let problem = Problem::warning("no-room", message).group(name).tick(self.world.tick);
        self.problems.add(problem.hint("fewer agents, smaller bodies, or a larger area"));
    }

    /// Where the first agents of an empty group come in: the start of its route, its goal, its formation, or the middle of the
    /// area.
    fn entry(&self, group: usize) -> DVec3 {
        let known = &self.world.groups[group];
        let formation = self.groups[group].forming.as_ref().map(|forming| forming.order.pose.at);
        let middle = self.world.settings.space.area.map(|area| (area.min + area.max) * 0.5);
        known.route.first().copied().or(known.goal).or(formation).or(middle).unwrap_or_default()
    }

    /// Adds agents to a group, overlap-free in a disc; fewer where there is no room.
    pub(super) fn spawn_in_disc(&mut self, group: usize, count: u32, at: DVec3, radius: f64) -> Vec<AgentId> {
        let places = super::spawning::places(&self.world, group, count as usize, at, radius);
        if places.len() < count as usize {
            let name = self.world.groups[group].name.clone();
            let message = format!("only {} of {count} new agents of `{name}` find room", places.len());
            let problem = Problem::warning("no-room", message)
                .group(name)
                .tick(self.world.tick)
                .hint("a larger radius, or fewer agents");
            self.problems.add(problem);
        }
        self.spawn_at(group, places, DVec3::ZERO)
    }

    /// Adds agents to a group at free places, all with one velocity (m/s).
    pub(super) fn spawn_at(&mut self, group: usize, places: Vec<DVec3>, velocity: DVec3) -> Vec<AgentId> {
        let heading = libm::atan2(velocity.y, velocity.x);
        let mut ids = Vec::with_capacity(places.len());
        for position in places {
            let command = SimCommand::Spawn { group: GroupId(group as u16), position, heading, velocity };
            if let Some(Applied::Agent(id)) = self.apply_sim(command) {
                ids.push(id);
            }
        }
        self.refit_formation(group);
        ids
    }

    /// Takes agents out of the world and closes the ranks of their formations.
    pub(super) fn remove_agents(&mut self, ids: &[AgentId]) {
        for id in ids {
            self.apply_sim(SimCommand::Remove(*id));
        }
        self.refit_formations();
    }
}
