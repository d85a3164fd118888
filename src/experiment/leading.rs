//! Leading by hand: the first agent of a group gets a goal, or is pushed along, and hears `lead` (with its
//! speed, 0 for its own) and `release`.
//!
//! What steers is a command with its tick, whoever sends it (pointer, keys, schedule), so a run with it repeats.

use glam::DVec3;

use super::core::Experiment;
pub use crate::scene::build::SceneLead as Lead;
use crate::sim::{AgentId, Event, SimCommand, Value};
use crate::steer::law::BRAKING_SHARE;

/// The speed that a leader is to keep, m/s; 0 leaves it to the leader.
fn pace(lead: Lead) -> f64 {
    match lead {
        Lead::Along(velocity) => velocity.length(),
        Lead::To(_) | Lead::Release => 0.0,
    }
}

/// The point that a leader who is pushed along goes to is this far ahead of it, s: so far that it never brakes for it.
const AHEAD_SECS: f64 = 10.0;

impl Experiment {
    /// The agent of a group that is led: its first.
    fn led(&self, group: usize) -> Option<AgentId> {
        let slot = *self.world.groups.get(group)?.members.first()?;
        Some(self.world.agents.id(slot))
    }

    /// Leads the first agent of a group. It hears `lead` when that begins, `release` when it ends.
    pub(super) fn lead(&mut self, group: usize, lead: Lead, by: &str) {
        let Some(agent) = self.led(group) else { return };
        let name = self.world.groups[group].name.clone();
        let before = self.groups[group].led;
        self.groups[group].led = match lead {
            Lead::Release => None,
            lead => Some(lead),
        };
        let word = match lead {
            Lead::Release => before.map(|_| "release"),
            // With the speed it is to keep: another one is said again, another point is not.
            lead => (before.map(pace) != Some(pace(lead))).then_some("lead"),
        };
        if let Some(word) = word {
            let value = (word == "lead").then(|| Value::Number(pace(lead)));
            self.tell(Event { to: agent, name: word.to_owned(), value, from: None });
        }
        if before.is_none() || lead == Lead::Release {
            self.log.info(self.world.time(), by, format!("{} {name}", word.unwrap_or("release")));
        }
        match lead {
            Lead::To(point) => drop(self.apply_sim(SimCommand::SetGoal(agent, Some(point)))),
            Lead::Along(_) => self.push_along(group),
            Lead::Release => drop(self.apply_sim(SimCommand::SetGoal(agent, None))),
        }
    }

    /// Before sense: who is pushed along has its goal ahead of it.
    pub(super) fn lead_on(&mut self) {
        for group in 0..self.groups.len() {
            if matches!(self.groups[group].led, Some(Lead::Along(velocity)) if velocity != DVec3::ZERO) {
                self.push_along(group);
            }
        }
    }

    fn push_along(&mut self, group: usize) {
        let Some(Lead::Along(velocity)) = self.groups[group].led else { return };
        let Some((agent, slot)) = self.led(group).and_then(|agent| Some((agent, self.world.agents.find(agent)?)))
        else {
            return;
        };
        let agents = &self.world.agents;
        let wanted = crate::sim::body::limit(velocity, agents.max_speed[slot]);
        // Who is held comes to rest where it can: on the way that braking takes.
        let now = agents.velocity[slot];
        let rest = now * (now.length() / (2.0 * BRAKING_SHARE * agents.max_acceleration[slot].max(1e-3)));
        let goal = agents.position[slot] + if wanted == DVec3::ZERO { rest } else { wanted * AHEAD_SECS };
        self.apply_sim(SimCommand::SetGoal(agent, Some(goal)));
    }
}
