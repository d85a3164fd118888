//! The world: all state of a run, and the only ways to change it between ticks.

use super::body::{BodyField, BodyLimits, DelayLine};
use super::command::{Applied, SimCommand, SimError, check_avoid, check_body, check_point};
use super::neighbors::{Neighbor, NeighborFilter, NeighborGrid};
use super::obstacle::Obstacles;
use super::update::Updates;
use super::{
    AgentId, Agents, BodySpec, Errand, Event, Group, GroupId, Integrator, Space, StateHash, Stream, hash::bits,
    rng::Use,
};
use glam::DVec3;
use std::sync::Arc;

/// What cannot change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSettings {
    /// Seed of all random streams.
    pub seed: u64,
    /// Ticks per second.
    pub tick_hz: f64,
    /// How velocity becomes position.
    pub integrator: Integrator,
    /// Area and edge.
    pub space: Space,
    /// Whether agents move in the plane z = 0 only.
    pub planar: bool,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self { seed: 1, tick_hz: 60.0, integrator: Integrator::default(), space: Space::default(), planar: true }
    }
}

/// All state of a run. Minds read it frozen; commands and the tick change it.
#[derive(Clone, Debug)]
pub struct World {
    /// What cannot change.
    pub settings: WorldSettings,
    /// Ticks done.
    pub tick: u64,
    /// Agents as columns.
    pub agents: Agents,
    /// Groups in the scene's order.
    pub groups: Vec<Group>,
    /// Obstacles in their R-tree.
    pub obstacles: Obstacles,
    /// Neighbor cells, as of the last sense stage.
    pub grid: NeighborGrid,
    /// What agents hear in this tick, ordered by recipient, then by arrival.
    pub inbox: Vec<Event>,
    /// Names of the places that journeys lead to; [`Visit::stop`](super::Visit::stop) is an index into them.
    pub stops: Arc<[String]>,
    /// What minds wish for journeys, in the order of agents; who leads journeys takes it out.
    pub errands: Vec<(AgentId, Errand)>,
    pub(super) delay: DelayLine,
    pub(super) updates: Updates,
    /// Side of the neighbor cells, metres: about the radius of the most common query.
    pub cell_side: f64,
}

impl World {
    /// An empty world.
    #[must_use]
    pub fn new(settings: WorldSettings) -> Self {
        Self {
            agents: Agents::new(settings.planar),
            settings,
            tick: 0,
            groups: Vec::new(),
            obstacles: Obstacles::default(),
            grid: NeighborGrid::default(),
            inbox: Vec::new(),
            stops: Arc::default(),
            errands: Vec::new(),
            delay: DelayLine::default(),
            updates: Updates::default(),
            cell_side: 2.0,
        }
    }

    /// Length of a tick, seconds.
    #[must_use]
    pub fn dt(&self) -> f64 {
        1.0 / self.settings.tick_hz
    }

    /// Simulated time, seconds.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.tick as f64 / self.settings.tick_hz
    }

    /// The vector from one point to another, metres, the short way round in a wrapped world.
    #[must_use]
    pub fn offset(&self, from: DVec3, to: DVec3) -> DVec3 {
        self.settings.space.offset(from, to)
    }

    /// A group by name.
    #[must_use]
    pub fn group_named(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// The group of an agent.
    #[must_use]
    pub fn group_of(&self, slot: usize) -> &Group {
        &self.groups[self.agents.group[slot].index()]
    }

    /// What an agent hears in this tick.
    #[must_use]
    pub fn events_for(&self, slot: u32) -> &[Event] {
        let from = self.inbox.partition_point(|event| event.to.slot < slot);
        let to = self.inbox.partition_point(|event| event.to.slot <= slot);
        &self.inbox[from..to]
    }

    /// Where an agent goes next: the next point of its path, else its own goal, else its group's, else where it is.
    #[must_use]
    pub fn waypoint(&self, slot: usize) -> DVec3 {
        if self.agents.is_navigated(slot) {
            return self.agents.course[slot].target.unwrap_or(self.agents.position[slot]);
        }
        self.agents.goal[slot].or_else(|| self.group_of(slot).goal).unwrap_or(self.agents.position[slot])
    }

    /// The agent that leads a group: the first living one of its leader group.
    #[must_use]
    pub fn leader_of(&self, group: GroupId) -> Option<u32> {
        let leader = self.groups[group.index()].leader?;
        self.groups.get(leader.index())?.members.first().copied()
    }

    /// Delay between a command to an agent and its effect, seconds: network plus dead time.
    #[must_use]
    pub fn latency(&self, slot: usize) -> f64 {
        self.agents.link_delay[slot] + self.agents.dead_time[slot]
    }

    /// Distance from an agent's centre to the nearest obstacle's surface, metres; infinite without obstacles.
    #[must_use]
    pub fn clearance(&self, slot: usize) -> f64 {
        self.obstacles.clearance(self.agents.position[slot])
    }

    /// The neighbors of an agent as of the last sense stage, ascending by id. The group's `max_neighbors` holds where the
    /// filter says none.
    pub fn neighbors(&self, slot: u32, radius: f64, filter: NeighborFilter, out: &mut Vec<Neighbor>) {
        let max = filter.max.or_else(|| self.group_of(slot as usize).max_neighbors);
        let filter = NeighborFilter { max, ..filter };
        self.grid.neighbors(&self.agents, self.agents.position[slot as usize], Some(slot), radius, filter, out);
    }

    /// Limits of an agent's body.
    #[must_use]
    pub fn limits(&self, slot: usize) -> BodyLimits {
        BodyLimits {
            max_speed: self.agents.max_speed[slot],
            max_acceleration: self.agents.max_acceleration[slot],
            turn_rate: self.agents.turn_rate[slot],
            stride: self.agents.stride[slot],
        }
    }

    /// Adds a group.
    pub fn add_group(&mut self, mut group: Group) -> GroupId {
        let id = GroupId(self.groups.len() as u16);
        group.id = id;
        self.groups.push(group);
        id
    }

    /// Does one command.
    ///
    /// # Errors
    /// Says why it was refused; the world is then as before.
    pub fn apply(&mut self, command: SimCommand) -> Result<Applied, SimError> {
        match command {
            SimCommand::Spawn { group, position, heading, velocity } => {
                return self.spawn(group, position, heading, velocity).map(Applied::Agent);
            }
            SimCommand::Remove(id) => {
                let slot = self.living(id)?;
                self.remove_slot(slot);
            }
            SimCommand::Put(id, position) => {
                check_point("the position", position)?;
                let slot = self.living(id)?;
                self.agents.position[slot] = position;
                self.agents.velocity[slot] = DVec3::ZERO;
                self.agents.thrust[slot] = DVec3::ZERO;
                self.agents.progress[slot].forget();
                self.delay.clear(slot);
            }
            SimCommand::Pose { agent, position, velocity, heading } => {
                check_point("the position", position)?;
                check_point("the velocity", velocity)?;
                check_point("the heading", DVec3::new(heading, 0.0, 0.0))?;
                let slot = self.living(agent)?;
                self.agents.position[slot] = position;
                self.agents.velocity[slot] = velocity;
                self.agents.heading[slot] = super::wrap_angle(heading);
                self.agents.thrust[slot] = DVec3::ZERO;
            }
            SimCommand::SetPlace(id, place) => {
                let slot = self.living(id)?;
                if let Some(place) = place {
                    check_point("the place", place.position)?;
                    check_point("the place's velocity", place.velocity)?;
                    check_point("the place's heading", DVec3::new(place.heading, place.turn_rate, 0.0))?;
                }
                self.agents.place[slot] = place;
            }
            SimCommand::SetGoal(id, goal) => {
                let slot = self.living(id)?;
                if let Some(goal) = goal {
                    check_point("the goal", goal)?;
                }
                self.agents.goal[slot] = goal;
            }
            SimCommand::Tell(event) => {
                self.living(event.to)?;
                let at = self.inbox.partition_point(|other| other.to.slot <= event.to.slot);
                self.inbox.insert(at, event);
            }
            SimCommand::SetBody(group, field, value) => self.set_body(group, field, value)?,
            SimCommand::SetAvoid(group, avoid) => {
                check_avoid(avoid.as_ref())?;
                self.groups.get_mut(group.index()).ok_or(SimError::NoGroup(group))?.body.avoid = avoid;
            }
            SimCommand::SetUpdate(group, rate) => self.set_update(group, rate)?,
            SimCommand::SetOwnBody(id, field, value) => self.set_own_body(id, field, value)?,
            SimCommand::SetLinkDelay(id, seconds) => {
                check_point("the delay", DVec3::new(seconds, 0.0, 0.0))?;
                let slot = self.living(id)?;
                self.agents.link_delay[slot] = seconds.max(0.0);
            }
            SimCommand::AddObstacle(name, shape) => {
                return Ok(Applied::Obstacle(self.obstacles.insert(&name, shape)?));
            }
            SimCommand::MoveObstacle(id, to) => self.obstacles.move_to(id, to)?,
            SimCommand::ReplaceObstacle(id, shape) => self.obstacles.replace(id, shape)?,
            SimCommand::RemoveObstacle(id) => {
                self.obstacles.remove(id).ok_or(SimError::NoObstacle(id))?;
            }
            SimCommand::OpenObstacle(id, open) => self.obstacles.set_open(id, open)?,
            SimCommand::Release(id) => {
                let slot = self.living(id)?;
                self.agents.quarantined[slot] = false;
            }
        }
        Ok(Applied::Done)
    }

    fn living(&self, id: AgentId) -> Result<usize, SimError> {
        self.agents.find(id).ok_or(SimError::NoAgent(id))
    }

    fn spawn(&mut self, group: GroupId, position: DVec3, heading: f64, velocity: DVec3) -> Result<AgentId, SimError> {
        check_point("the position", position)?;
        check_point("the velocity", velocity)?;
        check_point("the heading", DVec3::new(heading, 0.0, 0.0))?;
        if self.groups.get(group.index()).is_none() {
            return Err(SimError::NoGroup(group));
        }
        if self.agents.slots() >= 16_000_000 {
            return Err(SimError::Full);
        }
        let slot = self.agents.take_slot(group, self.tick);
        let agents = &mut self.agents;
        agents.position[slot] = position;
        agents.velocity[slot] = velocity;
        agents.heading[slot] = super::wrap_angle(heading);
        agents.link_delay[slot] = self.groups[group.index()].network_delay;
        self.fit_body(slot);
        self.delay.clear(slot);
        let members = &mut self.groups[group.index()].members;
        let at = members.partition_point(|member| (*member as usize) < slot);
        members.insert(at, slot as u32);
        Ok(self.agents.id(slot as u32))
    }

    /// The body that an agent of this id and group has: its group's, with the spread drawn for it.
    #[must_use]
    pub fn body_of(&self, id: AgentId, group: GroupId) -> BodySpec {
        let group = &self.groups[group.index()];
        let mut own = group.body.clone();
        let mut luck =
            Stream::with_salt(self.settings.seed, u64::from(id.slot), 0, Use::Body, u64::from(id.generation));
        for (field, low, high) in &group.body.spread {
            own.set(*field, luck.uniform(*low, *high));
        }
        for (_, field, value) in group.own.iter().filter(|(of, ..)| *of == id) {
            own.set(*field, *value);
        }
        own
    }

    fn fit_body(&mut self, slot: usize) {
        let own = self.body_of(self.agents.id(slot as u32), self.agents.group[slot]);
        let agents = &mut self.agents;
        agents.radius[slot] = own.radius;
        agents.max_speed[slot] = own.max_speed;
        agents.max_acceleration[slot] = own.max_acceleration;
        agents.turn_rate[slot] = own.turn_rate;
        agents.lag[slot] = own.lag;
        agents.dead_time[slot] = own.dead_time;
        agents.stride[slot] = own.stride;
        agents.path_distances[slot] = [own.path_desired_distance, own.target_desired_distance, own.path_max_distance];
        let ticks = own.dead_time * self.settings.tick_hz;
        self.delay.fit(self.agents.slots(), ticks);
    }

    fn set_own_body(&mut self, id: AgentId, field: BodyField, value: f64) -> Result<(), SimError> {
        check_body(field, value)?;
        let slot = self.living(id)?;
        let own = &mut self.groups[self.agents.group[slot].index()].own;
        own.retain(|(of, known, _)| (*of, *known) != (id, field));
        own.push((id, field, value));
        self.fit_body(slot);
        Ok(())
    }

    fn set_body(&mut self, group: GroupId, field: BodyField, value: f64) -> Result<(), SimError> {
        check_body(field, value)?;
        let Some(of) = self.groups.get_mut(group.index()) else {
            return Err(SimError::NoGroup(group));
        };
        of.body.set(field, value);
        of.body.spread.retain(|(spread, _, _)| *spread != field);
        let members = std::mem::take(&mut of.members);
        for slot in &members {
            self.fit_body(*slot as usize);
        }
        self.groups[group.index()].members = members;
        Ok(())
    }

    pub(super) fn remove_slot(&mut self, slot: usize) {
        if self.agents.free_slot(slot) {
            let group = self.agents.group[slot].index();
            let id = self.agents.id(slot as u32);
            let members = &mut self.groups[group].members;
            if let Ok(at) = members.binary_search(&(slot as u32)) {
                members.remove(at);
            }
            self.groups[group].own.retain(|(of, ..)| *of != id);
            self.inbox.retain(|event| event.to.slot as usize != slot);
        }
    }

    /// The state hash: agents in id order (id, position, velocity, heading, what their mind keeps), then obstacles.
    /// `digests` holds one number per slot, as the minds wrote them.
    #[must_use]
    pub fn hash(&self, digests: &[u64]) -> u64 {
        let mut hash = StateHash::new();
        let agents = &self.agents;
        for slot in 0..agents.slots() {
            if agents.alive[slot] {
                let id = agents.id(slot as u32);
                hash.integer(u64::from(id.slot) << 32 | u64::from(id.generation));
                hash.vector(agents.position[slot]);
                hash.vector(agents.velocity[slot]);
                hash.integer(bits(agents.heading[slot]));
                hash.integer(u64::from(agents.state[slot]));
                hash.integer(digests.get(slot).copied().unwrap_or(0));
                if agents.is_stuck(slot, self.dt()) {
                    agents.progress[slot].hash_into(&mut hash);
                }
                if agents.is_navigated(slot) {
                    agents.course[slot].hash_into(&mut hash);
                }
                self.hash_update(slot, &mut hash);
            }
        }
        self.obstacles.hash_into(hash.inner());
        hash.finish()
    }
}
