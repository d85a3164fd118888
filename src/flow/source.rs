//! A source: how many are due, and who of them finds room.
//!
//! How many are due is the integral of the rate over the time that the source was open, so nothing is lost between two ticks.
//! Random arrivals are those of a process with rate 1 in that integral instead of time (time rescaling: Daley and Vere-Jones,
//! *An Introduction to the Theory of Point Processes*, 2003, 7.4), which is exact for rates that change too.

use glam::{DVec2, DVec3};

use super::settings::{SourceSpec, Spread};
use crate::sim::command::Applied;
use crate::sim::obstacle::ObstacleId;
use crate::sim::rng::Use;
use crate::sim::{AgentId, Edge, GroupId, SimCommand, StateHash, Stream, World};

/// Places that are tried for one agent in a tick; who finds none tries again in the next.
const TRIES: u32 = 24;
/// Who enters in one tick at most.
const PER_TICK: u64 = 64;
/// Rounding of the integral must not make anybody a tick late.
const ROUNDING: f64 = 1e-6;

/// Why nobody can enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// So many agents stand where newcomers would.
    Agents(usize),
    /// An obstacle does; its name, empty for one without.
    Obstacle(String),
    /// The place lies outside of the world's area.
    Outside,
    /// The world holds no more agents.
    Full,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Agents(1) => write!(f, "blocked by 1 agent"),
            Self::Agents(count) => write!(f, "blocked by {count} agents"),
            Self::Obstacle(name) if name.is_empty() => write!(f, "blocked by an obstacle without a name"),
            Self::Obstacle(name) => write!(f, "blocked by obstacle `{name}`"),
            Self::Outside => write!(f, "it lies outside of the area"),
            Self::Full => write!(f, "the world holds no more agents"),
        }
    }
}

/// A source as it is now.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the scene says.
    pub spec: SourceSpec,
    /// Whether it is open.
    pub open: bool,
    index: u64,
    seed: u64,
    /// The integral of the rate so far, persons.
    owed: f64,
    /// Arrivals so far, whether they found room or not.
    due: u64,
    /// The integral at which the next ones arrive, batches.
    next: f64,
    /// Random numbers drawn for that.
    drawn: u64,
    entered: u64,
    blocked: Option<(u64, Reason)>,
}

impl Source {
    pub(super) fn new(spec: SourceSpec, index: usize, seed: u64) -> Self {
        let open = spec.open;
        let mut source = Self {
            spec,
            open,
            index: index as u64,
            seed,
            owed: 0.0,
            due: 0,
            next: 0.0,
            drawn: 0,
            entered: 0,
            blocked: None,
        };
        source.next = source.gap();
        source
    }

    /// How many have entered.
    #[must_use]
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// How many wait for room.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.due - self.entered
    }

    /// Since which tick somebody waits, and why; none while everybody found room.
    #[must_use]
    pub fn blocked(&self) -> Option<(u64, &Reason)> {
        self.blocked.as_ref().map(|(since, reason)| (*since, reason))
    }

    /// The rate at a time (s), persons per second; 0 while it is closed.
    #[must_use]
    pub fn rate(&self, time: f64) -> f64 {
        let before = self.spec.rates.iter().rev().find(|(from, _)| *from <= time);
        before.map_or(0.0, |(_, rate)| *rate).max(0.0) * f64::from(u8::from(self.open))
    }

    /// The integral of the rate from one time to another, s.
    fn integral(&self, from: f64, to: f64) -> f64 {
        let rates = &self.spec.rates;
        let pieces = rates.iter().enumerate().map(|(i, (start, rate))| {
            let end = rates.get(i + 1).map_or(f64::INFINITY, |(next, _)| *next);
            rate * (to.min(end) - from.max(*start)).max(0.0)
        });
        pieces.sum()
    }

    /// Batches from one arrival to the next: exactly one, or by lot one on average.
    fn gap(&mut self) -> f64 {
        if self.spec.spread == Spread::Regular {
            return 1.0;
        }
        let mut luck = Stream::with_salt(self.seed, self.index, self.drawn, Use::Flow, 1);
        self.drawn += 1;
        -libm::log(1.0 - luck.unit())
    }

    /// Counts who is due, and lets in who finds room. `ahead` is where they go first, m. Returns how many entered.
    pub(super) fn step(&mut self, world: &mut World, ahead: Option<DVec3>) -> usize {
        if self.open && world.tick > 0 {
            let now = world.time();
            self.owed += self.integral(now - world.dt(), now);
        }
        let most = self.spec.most.unwrap_or(u64::MAX);
        let batch = self.spec.batch.max(1);
        while self.due < most && self.next * f64::from(batch) <= self.owed + ROUNDING {
            self.due = (self.due + u64::from(batch)).min(most);
            self.next += self.gap();
        }
        if self.waiting() == 0 {
            self.blocked = None;
            return 0;
        }
        self.let_in(world, ahead)
    }

    fn let_in(&mut self, world: &mut World, ahead: Option<DVec3>) -> usize {
        let wanted = self.waiting().min(PER_TICK);
        let mut luck = Stream::with_salt(self.seed, self.index, world.tick, Use::Flow, 2);
        let group = GroupId(self.spec.group as u16);
        let mut room = Room::new(world, self);
        for done in 0..wanted {
            let radius = world.body_of(world.agents.next_id(), group).radius;
            let mut place = None;
            for _ in 0..TRIES {
                let at = self.spec.area.draw(&mut luck, radius);
                if room.takes(world, at, radius) {
                    place = Some(at);
                    break;
                }
            }
            let entered = place.and_then(|at| self.enter(world, at, ahead));
            let Some(id) = entered else {
                let since = self.blocked.as_ref().map_or(world.tick, |(since, _)| *since);
                let reason = if place.is_some() { Reason::Full } else { room.reason(world) };
                self.blocked = Some((since, reason));
                return done as usize;
            };
            room.add(world, id);
        }
        if self.waiting() == 0 {
            self.blocked = None;
        }
        wanted as usize
    }

    fn enter(&mut self, world: &mut World, at: DVec2, ahead: Option<DVec3>) -> Option<AgentId> {
        let position = at.extend(0.0);
        let group = &world.groups[self.spec.group];
        let ahead = ahead.or(group.goal).or_else(|| group.route.first().copied());
        let there = ahead.map_or(DVec3::ZERO, |point| world.offset(position, point));
        let heading = self.spec.heading.unwrap_or_else(|| libm::atan2(there.y, there.x));
        let velocity = crate::sim::angle::direction(heading) * self.spec.speed;
        let group = GroupId(self.spec.group as u16);
        let spawned = world.apply(SimCommand::Spawn { group, position, heading, velocity });
        let Ok(Applied::Agent(id)) = spawned else { return None };
        self.entered += 1;
        Some(id)
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.number(self.owed);
        hash.integer(self.due);
        hash.integer(self.entered << 1 | u64::from(self.open));
        hash.number(self.next);
    }
}

/// Who and what stands where newcomers would, and who was in the way of them.
struct Room {
    near: Vec<u32>,
    agents: Vec<u32>,
    obstacle: Option<ObstacleId>,
}

impl Room {
    /// Looks once at everybody, as they stand now: the neighbor grid knows where they were a tick ago.
    fn new(world: &World, source: &Source) -> Self {
        let agents = &world.agents;
        let (low, high) = source.spec.area.bounds();
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let own = world.groups[source.spec.group].body.clone();
        let spread = own.spread.iter().filter(|(field, ..)| *field == crate::sim::body::BodyField::Radius);
        let own = spread.map(|(_, _, most)| *most).fold(own.radius, f64::max);
        let touches = |slot: &u32| {
            let slot = *slot as usize;
            let reach = half + own + agents.radius[slot];
            let offset = world.offset(middle.extend(0.0), agents.position[slot]).truncate();
            agents.alive[slot] && offset.abs().cmple(reach).all()
        };
        Self { near: (0..agents.slots() as u32).filter(touches).collect(), agents: Vec::new(), obstacle: None }
    }

    /// Whether a body finds room at a point.
    fn takes(&mut self, world: &World, at: DVec2, radius: f64) -> bool {
        let space = world.settings.space;
        let inside = |area: crate::sim::Area| {
            at.cmpge(area.min.truncate() + radius).all() && at.cmple(area.max.truncate() - radius).all()
        };
        if space.edge != Edge::Open && !space.area.is_none_or(inside) {
            return false;
        }
        let (agents, point) = (&world.agents, at.extend(0.0));
        let overlaps = |slot: &u32| {
            let touch = radius + agents.radius[*slot as usize];
            world.offset(point, agents.position[*slot as usize]).truncate().length_squared() < touch * touch
        };
        let before = self.agents.len();
        self.agents.extend(self.near.iter().copied().filter(overlaps));
        if self.agents.len() > before {
            return false;
        }
        let hit = world.obstacles.nearest(point, radius).filter(|hit| hit.distance < radius);
        self.obstacle = hit.map(|hit| hit.id).or(self.obstacle);
        hit.is_none()
    }

    fn add(&mut self, world: &World, id: AgentId) {
        debug_assert!(world.agents.find(id).is_some(), "it has just entered");
        self.near.push(id.slot);
    }

    /// Why the last one found none.
    fn reason(&mut self, world: &World) -> Reason {
        self.agents.sort_unstable();
        self.agents.dedup();
        match (self.agents.len(), self.obstacle) {
            (0, Some(id)) => Reason::Obstacle(world.obstacles.get(id).map_or_else(String::new, |it| it.name.clone())),
            (0, None) => Reason::Outside,
            (count, _) => Reason::Agents(count),
        }
    }
}
