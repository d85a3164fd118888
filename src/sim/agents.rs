//! Agents as a struct of arrays: one column per quantity, indexed by slot.

use super::{AgentId, Course, GroupId, PathState, Place, Progress, Visit, stuck};
use glam::DVec3;

/// All agents that live or lived: columns of equal length, indexed by [`AgentId::slot`].
///
/// A dead slot keeps its last values until it is used again; [`Agents::alive`] tells.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    /// Whether the slot holds a living agent.
    pub alive: Vec<bool>,
    /// How often the slot was used before.
    pub generation: Vec<u32>,
    /// The agent's group.
    pub group: Vec<GroupId>,
    /// True position, metres.
    pub position: Vec<DVec3>,
    /// Velocity, m/s.
    pub velocity: Vec<DVec3>,
    /// Heading, radians in (−π, π], 0 = +x, counter-clockwise.
    pub heading: Vec<f64>,
    /// What the sensors add to the true position, metres; zero without sensor noise.
    pub sensed_shift: Vec<DVec3>,
    /// What the sensors add to the true heading, radians; zero without sensor noise.
    pub sensed_turn: Vec<f64>,
    /// Body radius, metres.
    pub radius: Vec<f64>,
    /// Speed limit, m/s.
    pub max_speed: Vec<f64>,
    /// Acceleration limit, m/s².
    pub max_acceleration: Vec<f64>,
    /// Turn rate limit, rad/s.
    pub turn_rate: Vec<f64>,
    /// Time constant of the first-order lag, seconds; 0 is none.
    pub lag: Vec<f64>,
    /// Dead time between command and effect, seconds.
    pub dead_time: Vec<f64>,
    /// Factor from the commanded to the taken step.
    pub stride: Vec<f64>,
    /// Distances to a waypoint, to the target and from the path by which it follows paths, metres; 0: the scene's.
    pub path_distances: Vec<[f64; 3]>,
    /// Time that a command takes over the network to the agent, as it measured it, seconds.
    pub link_delay: Vec<f64>,
    /// Lagged acceleration of bodies that are driven by acceleration, m/s².
    pub thrust: Vec<DVec3>,
    /// The place a formation gives the agent.
    pub place: Vec<Option<Place>>,
    /// Where the scene, a script's `go` or the user wants the agent, metres.
    pub goal: Vec<Option<DVec3>>,
    /// Where it goes next on its way to the goal, where somebody navigates it.
    pub course: Vec<Course>,
    /// Where it is on its journey, where it has one.
    pub visit: Vec<Visit>,
    /// The leaf state of the agent's mind: an index into its list of states.
    pub state: Vec<u16>,
    /// The tick at which that state was entered.
    pub state_since: Vec<u64>,
    /// The tick of its birth.
    pub born: Vec<u64>,
    /// How it gets on along the way that it wants.
    pub progress: Vec<Progress>,
    /// Set when a non-finite command or state stopped the agent; it rests where it last was finite.
    pub quarantined: Vec<bool>,
    /// Whether agents look along their heading; else along their velocity while they have one.
    pub planar: bool,
    free: Vec<u32>,
}

impl Agents {
    /// No agents yet; in a planar world they look along their heading.
    #[must_use]
    pub fn new(planar: bool) -> Self {
        Self { planar, ..Self::default() }
    }

    /// Number of slots, living or not.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.alive.len()
    }

    /// Number of living agents.
    #[must_use]
    pub fn count(&self) -> usize {
        self.alive.iter().filter(|alive| **alive).count()
    }

    /// Slots that new agents get first, ascending: who orders several agents at once can tell their ids.
    #[must_use]
    pub fn free_slots(&self) -> &[u32] {
        &self.free
    }

    /// The id of the agent in a slot (its last one if it is dead).
    #[must_use]
    pub fn id(&self, slot: u32) -> AgentId {
        AgentId { slot, generation: self.generation[slot as usize] }
    }

    /// The slot of a living agent.
    #[must_use]
    pub fn find(&self, id: AgentId) -> Option<usize> {
        let slot = id.slot as usize;
        (slot < self.slots() && self.alive[slot] && self.generation[slot] == id.generation).then_some(slot)
    }

    /// Unit vector the agent looks along: in three dimensions its velocity's, else its heading's.
    #[must_use]
    pub fn forward(&self, slot: usize) -> DVec3 {
        let v = self.velocity[slot];
        if !self.planar && v.length_squared() > 1e-12 {
            v.normalize_or_zero()
        } else {
            super::angle::direction(self.heading[slot])
        }
    }

    /// Speed of an agent, m/s.
    #[must_use]
    pub fn speed(&self, slot: usize) -> f64 {
        self.velocity[slot].length()
    }

    /// Where the agent believes to be, metres.
    #[must_use]
    pub fn sensed_position(&self, slot: usize) -> DVec3 {
        self.position[slot] + self.sensed_shift[slot]
    }

    /// Where the agent believes to head, radians.
    #[must_use]
    pub fn sensed_heading(&self, slot: usize) -> f64 {
        super::wrap_angle(self.heading[slot] + self.sensed_turn[slot])
    }

    /// Whether somebody navigates an agent.
    #[must_use]
    pub fn is_navigated(&self, slot: usize) -> bool {
        self.course[slot].state != PathState::Off
    }

    /// Whether an agent wants to go on and has not got on for [`stuck::PATIENCE_SECS`]; `dt` is the length of a tick, s. What
    /// its body's avoidance or a native force of its blend wants counts; forces of scripts say nothing.
    #[must_use]
    #[inline]
    pub fn is_stuck(&self, slot: usize, dt: f64) -> bool {
        self.alive[slot] && self.progress[slot].is_stuck(stuck::PATIENCE_SECS, dt)
    }

    /// How many of some agents are stuck.
    #[must_use]
    pub fn stuck_among(&self, slots: &[u32], dt: f64) -> usize {
        slots.iter().filter(|slot| self.is_stuck(**slot as usize, dt)).count()
    }

    /// Whether an agent is on a journey: somebody else says when it has arrived.
    #[must_use]
    pub fn is_travelling(&self, slot: usize) -> bool {
        self.visit[slot].stop.is_some()
    }

    /// The id that the next new agent gets.
    #[must_use]
    pub fn next_id(&self) -> AgentId {
        match self.free.last() {
            Some(slot) => AgentId { slot: *slot, generation: self.generation[*slot as usize] + 1 },
            None => AgentId { slot: self.slots() as u32, generation: 0 },
        }
    }

    /// Takes the lowest free slot, or a new one, and marks it alive; every column has a value for it.
    pub(super) fn take_slot(&mut self, group: GroupId, tick: u64) -> usize {
        let slot = if let Some(slot) = self.free.pop() {
            self.generation[slot as usize] += 1;
            slot as usize
        } else {
            self.grow();
            self.slots() - 1
        };
        self.alive[slot] = true;
        self.group[slot] = group;
        self.born[slot] = tick;
        self.state[slot] = 0;
        self.state_since[slot] = tick;
        self.velocity[slot] = DVec3::ZERO;
        self.thrust[slot] = DVec3::ZERO;
        self.sensed_shift[slot] = DVec3::ZERO;
        self.sensed_turn[slot] = 0.0;
        self.place[slot] = None;
        self.goal[slot] = None;
        self.course[slot] = Course::default();
        self.progress[slot] = Progress::default();
        self.visit[slot] = Visit::default();
        self.quarantined[slot] = false;
        slot
    }

    /// Gives a slot back; false if it was free already.
    pub(super) fn free_slot(&mut self, slot: usize) -> bool {
        if !self.alive[slot] {
            return false;
        }
        self.alive[slot] = false;
        let at = self.free.partition_point(|free| (*free as usize) > slot);
        self.free.insert(at, slot as u32);
        true
    }

    fn grow(&mut self) {
        self.alive.push(false);
        self.generation.push(0);
        self.group.push(GroupId(0));
        self.position.push(DVec3::ZERO);
        self.velocity.push(DVec3::ZERO);
        self.heading.push(0.0);
        self.sensed_shift.push(DVec3::ZERO);
        self.sensed_turn.push(0.0);
        self.radius.push(0.0);
        self.max_speed.push(0.0);
        self.max_acceleration.push(0.0);
        self.turn_rate.push(0.0);
        self.lag.push(0.0);
        self.dead_time.push(0.0);
        self.stride.push(1.0);
        self.path_distances.push([0.0; 3]);
        self.link_delay.push(0.0);
        self.thrust.push(DVec3::ZERO);
        self.place.push(None);
        self.goal.push(None);
        self.course.push(Course::default());
        self.visit.push(Visit::default());
        self.state.push(0);
        self.state_since.push(0);
        self.born.push(0);
        self.progress.push(Progress::default());
        self.quarantined.push(false);
    }
}
