//! What a scene schedules is done in its tick.

use crate::scene::build::SceneAction;
use crate::sim::{Event, SimCommand, Value};

use super::core::Experiment;
use super::forming::March;
use super::opening::stand_of;

impl Experiment {
    /// Does the lines of the schedule that are due before this tick's sense.
    pub(super) fn run_schedule(&mut self, tick: u64) {
        while let Some(line) = self.scene.schedule.get(self.next_line).filter(|line| line.tick <= tick) {
            let action = line.action.clone();
            self.next_line += 1;
            self.act_on(action);
        }
    }

    fn act_on(&mut self, action: SceneAction) {
        match action {
            SceneAction::Form { group, formation, params, pose } => {
                let stand = pose.as_ref().map(stand_of);
                self.form(group, &formation, params, stand, "schedule");
            }
            SceneAction::March { group, speed, heading, turn, acceleration } => {
                let march = March { speed, heading, turn, acceleration, ..March::default() };
                self.march(group, march, "schedule");
            }
            SceneAction::Lead { group, lead } => self.lead(group, lead, "schedule"),
            SceneAction::SendGroup { group, name, value } => {
                self.tell_group(group, &name, value.as_ref());
                let text = format!("{name} to {}", self.world.groups[group].name);
                self.log.info(self.world.time(), "schedule", text);
            }
            SceneAction::SendAgent { agent, name, value } => {
                if let Some(to) = crate::sim::AgentId::from_number(agent) {
                    self.tell(Event { to, name, value, from: None });
                }
            }
            SceneAction::Set { address, value } => {
                if let Err(problem) = self.set_value(&address.to_string(), &value) {
                    self.problems.add(problem);
                }
            }
            SceneAction::Spawn { group, count, at, radius } => {
                self.spawn_in_disc(group, count, at, radius);
            }
            SceneAction::Remove { group, count } => {
                let members = &self.world.groups[group].members;
                let count = count.map_or(members.len(), |count| count as usize);
                let ids: Vec<_> = members.iter().take(count).map(|slot| self.world.agents.id(*slot)).collect();
                self.remove_agents(&ids);
            }
            SceneAction::Flow { name, open } => {
                self.switch(&name, open);
            }
            SceneAction::Open { obstacle } => self.open_obstacle(obstacle, true),
            SceneAction::Close { obstacle } => self.open_obstacle(obstacle, false),
        }
    }

    pub(super) fn open_obstacle(&mut self, index: usize, open: bool) {
        if let Some(id) = self.obstacle_ids.get(index).copied() {
            self.apply_sim(SimCommand::OpenObstacle(id, open));
        }
    }

    /// Tells every agent of a group something in the coming tick.
    pub(super) fn tell_group(&mut self, group: usize, name: &str, value: Option<&Value>) {
        let ids: Vec<_> = self.world.groups[group].members.iter().map(|slot| self.world.agents.id(*slot)).collect();
        for to in ids {
            let event = Event { to, name: name.to_owned(), value: value.cloned(), from: None };
            self.tell(event);
        }
    }
}
