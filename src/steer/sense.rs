//! What one agent senses while its forces are computed.

use super::force::crowd::load::Loads;
use super::registry::group_of_code;
use super::summing::looks_at_few;
use crate::sim::neighbors::sums::{Sums, TOUCHING};
use crate::sim::neighbors::{Row, RowEntry};
use crate::sim::obstacle::Hit;
use crate::sim::stuck::{self, Try};
use crate::sim::{AgentId, Group, Limits, Place, World, wrap_angle};
use glam::DVec3;

/// What a force keeps for one agent from tick to tick; what the fields mean is the force's own matter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// An integral, an offset.
    pub vector: DVec3,
    /// A number.
    pub number: f64,
    /// A counter or mark; 0 is fresh.
    pub tag: u32,
    /// Further vectors.
    pub more: [DVec3; 4],
}

/// Buffers of one thread.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) row: Row,
    pub(super) hits: Vec<Hit>,
    /// What was added up for each agent of a batch.
    pub(super) sums: Vec<Sums>,
    /// Agents of a batch that could not be added up, as places in it.
    pub(super) odd: Vec<u32>,
}

/// One agent in the frozen world.
#[derive(Clone, Copy, Debug)]
pub struct Sense<'a> {
    /// The frozen world.
    pub world: &'a World,
    /// Its group.
    pub group: &'a Group,
    /// Its slot.
    pub slot: usize,
    /// Limits of its state.
    pub limits: &'a Limits,
    /// Agents within the largest radius of its forces.
    pub row: &'a Row,
    /// Whether the row holds agents of its own group only.
    pub own_only: bool,
    /// What the vector kernel added up for the force, if it did.
    pub sums: Option<&'a Sums>,
    /// Loads of pressed bodies that are shared by all agents of the group; none for a force whose numbers are each agent's own.
    pub loads: Option<&'a Loads>,
}

/// Which neighbors a force takes into account: its parameters `radius`, `half_angle` (as a cosine), `from`, `max_neighbors`.
#[derive(Clone, Copy, Debug)]
pub struct Want {
    /// Up to this distance, m.
    pub radius: f64,
    /// Cosine of the half angle of view; −2 for all round.
    pub cosine: f64,
    /// Code of the group.
    pub from: f64,
    /// The nearest so many; 0 for the group's own limit.
    pub most: f64,
}

/// A neighbor as forces see it.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// The vector to it, m.
    pub offset: DVec3,
    /// Its length, m.
    pub distance: f64,
    /// Its entry in the neighbor grid.
    pub entry: u32,
}

impl Sense<'_> {
    /// True position, m.
    #[inline]
    pub fn position(&self) -> DVec3 {
        self.world.agents.position[self.slot]
    }

    /// Velocity, m/s.
    #[inline]
    pub fn velocity(&self) -> DVec3 {
        self.world.agents.velocity[self.slot]
    }

    /// Speed limit of its state, else of its body, m/s.
    pub fn max_speed(&self) -> f64 {
        self.limits.max_speed.unwrap_or_else(|| self.world.agents.max_speed[self.slot])
    }

    /// Acceleration limit of its state, else of its body, m/s².
    pub fn max_acceleration(&self) -> f64 {
        self.limits.max_acceleration.unwrap_or_else(|| self.world.agents.max_acceleration[self.slot])
    }

    /// Seconds since its last decision: a tick, unless its group has an update rate.
    #[inline]
    pub fn since(&self) -> f64 {
        self.world.secs_since(self.slot)
    }

    /// Seconds for which it holds this decision.
    #[inline]
    pub fn ahead(&self) -> f64 {
        self.world.secs_held(self.slot)
    }

    /// Calls `body` for each neighbor that `want` asks for.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub fn each(&self, want: Want, mut body: impl FnMut(Near)) {
        let agents = &self.world.agents;
        let Some(group) = group_of_code(want.from, self.group.id) else {
            return;
        };
        let all_groups = group.is_none() || (self.own_only && group == Some(self.group.id));
        let narrow = want.cosine > -1.0;
        let forward = if narrow { agents.forward(self.slot) } else { DVec3::ZERO };
        let most = self.most(want.most);
        let limit = want.radius * want.radius;
        if all_groups && !narrow && most == usize::MAX {
            for RowEntry { offset, squared, entry } in self.row.entries().iter().copied() {
                if squared <= limit {
                    body(Near { offset, distance: squared.sqrt(), entry });
                }
            }
            return;
        }
        let mut count = 0;
        if most == usize::MAX && looks_at_few(self.world, self.group, want.from) {
            self.each_of_few(want, forward, body);
            return;
        }
        for RowEntry { offset, squared, entry } in self.row.entries().iter().copied() {
            if squared > limit || (!all_groups && Some(agents.group[self.slot_of(entry)]) != group) {
                continue;
            }
            let distance = squared.sqrt();
            if narrow && offset.dot(forward) < want.cosine * distance {
                continue;
            }
            if count == most {
                break;
            }
            count += 1;
            body(Near { offset, distance, entry });
        }
    }

    /// As [`Self::each`] for a group so small that its members are not looked for among the neighbors.
    fn each_of_few(&self, want: Want, forward: DVec3, mut body: impl FnMut(Near)) {
        let (world, here) = (self.world, self.position());
        let Some(group) = world.groups.get(want.from as usize) else {
            return;
        };
        for slot in &group.members {
            let offset = world.offset(here, world.agents.position[*slot as usize]);
            let squared = offset.length_squared();
            let distance = squared.sqrt();
            let outside = squared > want.radius * want.radius;
            if outside || (want.cosine > -1.0 && offset.dot(forward) < want.cosine * distance) {
                continue;
            }
            // One that was born after the last sense stage is not seen yet, as everywhere.
            if let Some(entry) = world.grid.entry(*slot) {
                body(Near { offset, distance, entry });
            }
        }
    }

    /// The slot of a neighbor, from its entry in the grid.
    #[inline]
    pub fn slot_of(&self, entry: u32) -> usize {
        self.world.grid.slot(entry) as usize
    }

    /// The most neighbors that a force with this `max_neighbors` takes.
    pub(super) fn most(&self, asked: f64) -> usize {
        if asked >= 1.0 { asked as usize } else { self.group.max_neighbors.unwrap_or(usize::MAX) }
    }

    /// The unit vector to a neighbor, never zero: agents at one place part along a line that depends on their ids only.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub fn direction(&self, near: &Near) -> DVec3 {
        if near.distance > TOUCHING {
            near.offset / near.distance
        } else {
            self.pair_direction(self.slot_of(near.entry))
        }
    }

    #[cold]
    fn pair_direction(&self, other: usize) -> DVec3 {
        let agents = &self.world.agents;
        pair_direction(agents.id(self.slot as u32), agents.id(other as u32), self.world.settings.planar)
    }

    /// Where the agent believes to be, m.
    pub fn sensed_position(&self) -> DVec3 {
        self.world.agents.sensed_position(self.slot)
    }

    /// The vector from where it believes to be to a point, m.
    pub fn offset_to(&self, point: DVec3) -> DVec3 {
        self.world.offset(self.sensed_position(), point)
    }

    /// Its place in the formation.
    pub fn place(&self) -> Option<Place> {
        self.world.agents.place[self.slot]
    }

    /// Its place, or where it believes to be, at rest, when it has none.
    pub fn place_or_here(&self) -> Place {
        self.place().unwrap_or_else(|| Place {
            index: u32::MAX,
            position: self.sensed_position(),
            velocity: DVec3::ZERO,
            heading: self.world.agents.sensed_heading(self.slot),
            turn_rate: 0.0,
            way: crate::sim::Way::default(),
        })
    }

    /// The signed angle from where it believes to look to a heading, radians.
    pub fn turn_to(&self, heading: f64) -> f64 {
        wrap_angle(heading - self.world.agents.sensed_heading(self.slot))
    }

    /// Relaxation time of its body, s.
    pub fn relaxation(&self) -> f64 {
        self.group.body.relaxation.max(1e-3)
    }

    /// Time in which its body answers: relaxation, lag and dead time together, s.
    pub fn response(&self) -> f64 {
        let agents = &self.world.agents;
        self.relaxation() + agents.lag[self.slot] + agents.dead_time[self.slot]
    }

    /// What it tries while it is stuck: for `patience` seconds it has not got on along what it wants.
    #[inline]
    pub fn attempt(&self, patience: f64) -> Option<Try> {
        let (world, progress) = (self.world, &self.world.agents.progress[self.slot]);
        if !progress.is_stuck(patience, world.dt()) {
            return None;
        }
        let seed = world.settings.seed;
        progress.attempt(patience, seed, self.slot, world.tick, world.dt(), stuck::side(seed))
    }

    /// The vector to where it wants to be (place, else goal), m; none without either.
    pub fn wish(&self) -> Option<DVec3> {
        let agents = &self.world.agents;
        self.place()
            .map(|place| place.position)
            .or(agents.goal[self.slot])
            .or(self.group.goal)
            .map(|point| self.world.offset(self.position(), point))
    }

    /// The vector to where it wants to be, else its velocity, as a unit vector; zero for an agent at rest without a wish.
    pub fn way(&self) -> DVec3 {
        self.wish().filter(|wish| wish.length_squared() > 1e-6).unwrap_or_else(|| self.velocity()).normalize_or_zero()
    }
}

/// The unit vector from `a` to `b` for agents at the same place: a function of the pair, opposite for `b` to `a`.
pub fn pair_direction(a: AgentId, b: AgentId, planar: bool) -> DVec3 {
    let (low, high) = if a <= b { (a, b) } else { (b, a) };
    let key = |id: AgentId| u64::from(id.slot) << 32 | u64::from(id.generation);
    let mut luck = crate::sim::Stream::new(key(low), key(high), 0, crate::sim::rng::Use::Force);
    let angle = luck.uniform(-std::f64::consts::PI, std::f64::consts::PI);
    let flat = crate::sim::angle::direction(angle);
    let vector = if planar {
        flat
    } else {
        let up = luck.uniform(-1.0, 1.0);
        let level = (1.0 - up * up).max(0.0).sqrt();
        DVec3::new(flat.x * level, flat.y * level, up)
    };
    if a <= b { vector } else { -vector }
}
