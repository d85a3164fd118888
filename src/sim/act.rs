//! The act stage: every body is told what its agent wants, and moves. One pass over the slots, on all threads.
//!
//! Each slot is computed from the world as it was and from what its mind wants, and written by one thread only, so that the
//! number of threads never shows.

use super::avoid::Verdict;
use super::body::{Command, Drive, HeadingMode};
use super::moving::{ANY, move_all, way_of};
use super::neighbors::Lanes;
use super::obstacle::Obstacles;
use super::{Agents, Fault, Group, GroupId, Intents, Mind, TickReport, Workers, World};
use glam::DVec3;
use std::sync::{Mutex, PoisonError};

/// Buffers of the stage that are kept from tick to tick.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    /// Place of each slot among its group's members.
    member: Vec<u32>,
    plans: Vec<Plan>,
    notes: Mutex<Notes>,
}

impl Clone for Buffers {
    /// A clone starts with empty buffers.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What happened to single agents, in no order.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) quarantined: Vec<(u32, String)>,
    pub(super) left: Vec<u32>,
}

/// What all bodies of a group have in common in this tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Whether a commanded turn rate alone changes the heading.
    pub(super) turns: bool,
    pub(super) drive: Option<Drive>,
    pub(super) relaxation: f64,
    pub(super) substeps: u32,
    /// Length of a substep as a share of the tick, s.
    pub(super) step: f64,
    /// What is known of it beforehand: see [`way_of`].
    pub(super) way: u8,
}

/// What the minds want, and what the avoid stage made of it.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// Intents per group.
    pub(super) intents: &'a [Intents],
    /// One per slot; none where no body avoids anybody.
    pub(super) verdicts: &'a [Verdict],
}

/// What the stage reads.
pub(super) struct Frozen<'a> {
    pub(super) alive: &'a [bool],
    pub(super) group: &'a [GroupId],
    pub(super) born: &'a [u64],
    pub(super) radius: &'a [f64],
    pub(super) max_speed: &'a [f64],
    pub(super) max_acceleration: &'a [f64],
    pub(super) turn_rate: &'a [f64],
    pub(super) step: &'a [f64],
    pub(super) lag: &'a [f64],
    pub(super) dead_time: &'a [f64],
    pub(super) member: &'a [u32],
    pub(super) plans: &'a [Plan],
    pub(super) intents: &'a [Intents],
    pub(super) verdicts: &'a [Verdict],
    pub(super) obstacles: &'a Obstacles,
    pub(super) settings: &'a super::WorldSettings,
    pub(super) tick: u64,
    pub(super) lanes: Lanes,
    /// Commands in the ring of an agent; 0 while no body has a dead time.
    pub(super) ring: usize,
    /// Whether the rings are new.
    pub(super) anew: bool,
    pub(super) notes: &'a Mutex<Notes>,
}

/// What the stage writes: columns of slots that stand one after the other.
pub(super) struct Bodies<'a> {
    pub(super) first: usize,
    pub(super) ring: usize,
    pub(super) position: &'a mut [DVec3],
    pub(super) velocity: &'a mut [DVec3],
    pub(super) heading: &'a mut [f64],
    pub(super) thrust: &'a mut [DVec3],
    pub(super) state: &'a mut [u16],
    pub(super) state_since: &'a mut [u64],
    pub(super) quarantined: &'a mut [bool],
    pub(super) rings: &'a mut [Command],
}

impl Bodies<'_> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (position, positions) = self.position.split_at_mut(at);
        let (velocity, velocities) = self.velocity.split_at_mut(at);
        let (heading, headings) = self.heading.split_at_mut(at);
        let (thrust, thrusts) = self.thrust.split_at_mut(at);
        let (state, states) = self.state.split_at_mut(at);
        let (state_since, states_since) = self.state_since.split_at_mut(at);
        let (quarantined, quarantines) = self.quarantined.split_at_mut(at);
        let (rings, more_rings) = self.rings.split_at_mut(at * self.ring);
        let (first, ring) = (self.first, self.ring);
        let low = Self { first, ring, position, velocity, heading, thrust, state, state_since, quarantined, rings };
        let high = Self {
            first: first + at,
            ring,
            position: positions,
            velocity: velocities,
            heading: headings,
            thrust: thrusts,
            state: states,
            state_since: states_since,
            quarantined: quarantines,
            rings: more_rings,
        };
        (low, high)
    }
}

/// Tells all bodies what their agents want and moves them.
pub(super) fn act<M: Mind + ?Sized>(
    world: &mut World,
    minds: &[Box<M>],
    wanted: Wanted<'_>,
    buffers: &mut Buffers,
    workers: &Workers,
    report: &mut TickReport,
) {
    let Buffers { member, plans, notes } = buffers;
    member.resize(world.agents.slots(), u32::MAX);
    plans.clear();
    for ((group, mind), intents) in world.groups.iter().zip(minds).zip(wanted.intents) {
        for (place, slot) in group.members.iter().enumerate() {
            member[*slot as usize] = place as u32;
        }
        let mut plan = plan_of(group, mind.turns(), world.settings.tick_hz);
        plan.way = way_of(&plan, intents);
        plans.push(plan);
    }
    let Agents {
        alive,
        group,
        born,
        radius,
        max_speed,
        max_acceleration,
        turn_rate,
        stride: step,
        lag,
        dead_time,
        position,
        velocity,
        heading,
        thrust,
        state,
        state_since,
        quarantined,
        ..
    } = &mut world.agents;
    let anew = world.delay.anew;
    let (ring, rings) = world.delay.rings();
    let frozen = Frozen {
        alive,
        group,
        born,
        radius,
        max_speed,
        max_acceleration,
        turn_rate,
        step,
        lag,
        dead_time,
        member,
        plans,
        intents: wanted.intents,
        verdicts: wanted.verdicts,
        obstacles: &world.obstacles,
        settings: &world.settings,
        tick: world.tick,
        lanes: world.grid.lanes,
        ring,
        anew,
        notes,
    };
    let slots = position.len();
    let rings = &mut rings[..slots * ring];
    let bodies = Bodies { first: 0, ring, position, velocity, heading, thrust, state, state_since, quarantined, rings };
    workers.halve(bodies, slots, Bodies::split_at, |bodies| move_all(&frozen, bodies));
    world.delay.anew = false;
    let notes = notes.get_mut().unwrap_or_else(PoisonError::into_inner);
    take_notes(world, notes, report);
}

/// Hands on what happened, in the order of ids.
fn take_notes(world: &mut World, notes: &mut Notes, report: &mut TickReport) {
    notes.quarantined.sort_unstable();
    for (slot, message) in notes.quarantined.drain(..) {
        report.quarantined.push(Fault { agent: world.agents.id(slot), source: "body".to_owned(), message });
    }
    notes.left.sort_unstable();
    for slot in notes.left.drain(..) {
        report.left.push(world.agents.id(slot));
        world.groups[world.agents.group[slot as usize].index()].left_world += 1;
        world.remove_slot(slot as usize);
    }
}

fn plan_of(group: &Group, mind_turns: bool, tick_hz: f64) -> Plan {
    let turns = match group.body.heading {
        HeadingMode::Free => true,
        HeadingMode::AlongVelocity => false,
        HeadingMode::Auto => mind_turns,
    };
    let substeps = group.body.substeps.max(1);
    let step = 1.0 / tick_hz / f64::from(substeps);
    Plan { turns, drive: group.body.drive, relaxation: group.body.relaxation, substeps, step, way: ANY }
}
