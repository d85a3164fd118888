//! The act stage: every body is told what its agent wants, and moves. One pass over the slots, on all threads.
//!
//! Each slot is computed from the world as it was and from what its mind wants, and written by one thread only, so that the
//! number of threads never shows.

use super::avoid::Verdict;
use super::body::{self, BodyLimits, Command, Drive, HeadingMode, Motion, Plant, command_of, delayed};
use super::obstacle::Obstacles;
use super::space::wrap_coordinate;
use super::{Agents, Area, Control, Edge, Fault, Group, GroupId, Intent, Intents, Mind, TickReport, Workers, World};
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
struct Notes {
    quarantined: Vec<(u32, String)>,
    left: Vec<u32>,
}

/// What all bodies of a group have in common in this tick.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Whether a commanded turn rate alone changes the heading.
    turns: bool,
    drive: Option<Drive>,
    relaxation: f64,
    substeps: u32,
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
struct Frozen<'a> {
    alive: &'a [bool],
    group: &'a [GroupId],
    born: &'a [u64],
    radius: &'a [f64],
    max_speed: &'a [f64],
    max_acceleration: &'a [f64],
    turn_rate: &'a [f64],
    step: &'a [f64],
    lag: &'a [f64],
    dead_time: &'a [f64],
    member: &'a [u32],
    plans: &'a [Plan],
    intents: &'a [Intents],
    verdicts: &'a [Verdict],
    obstacles: &'a Obstacles,
    settings: &'a super::WorldSettings,
    tick: u64,
    /// Commands in the ring of an agent; 0 while no body has a dead time.
    ring: usize,
    /// Whether the rings are new.
    anew: bool,
    notes: &'a Mutex<Notes>,
}

/// What the stage writes: columns of slots that stand one after the other.
struct Bodies<'a> {
    first: usize,
    ring: usize,
    position: &'a mut [DVec3],
    velocity: &'a mut [DVec3],
    heading: &'a mut [f64],
    thrust: &'a mut [DVec3],
    state: &'a mut [u16],
    state_since: &'a mut [u64],
    quarantined: &'a mut [bool],
    rings: &'a mut [Command],
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
    for (group, mind) in world.groups.iter().zip(minds) {
        for (place, slot) in group.members.iter().enumerate() {
            member[*slot as usize] = place as u32;
        }
        plans.push(plan_of(group, mind.turns()));
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

fn plan_of(group: &Group, mind_turns: bool) -> Plan {
    let turns = match group.body.heading {
        HeadingMode::Free => true,
        HeadingMode::AlongVelocity => false,
        HeadingMode::Auto => mind_turns,
    };
    Plan { turns, drive: group.body.drive, relaxation: group.body.relaxation, substeps: group.body.substeps.max(1) }
}

fn move_all(frozen: &Frozen<'_>, mut bodies: Bodies<'_>) {
    for at in 0..bodies.position.len() {
        move_one(frozen, &mut bodies, at);
    }
}

/// Moves the body at a place of `bodies`.
#[inline]
fn move_one(frozen: &Frozen<'_>, bodies: &mut Bodies<'_>, at: usize) {
    let slot = bodies.first + at;
    if !frozen.alive[slot] {
        return;
    }
    let (group, member) = (frozen.group[slot].index(), frozen.member[slot] as usize);
    let (Some(plan), Some(intents)) = (frozen.plans.get(group), frozen.intents.get(group)) else {
        return;
    };
    let Some((push, intent)) = intents.want(member) else {
        return;
    };
    let drive = plan.drive.unwrap_or(match intent.control {
        Control::Acceleration => Drive::Acceleration,
        Control::Velocity => Drive::Velocity,
    });
    // A safe velocity takes the place of what is wanted; the body goes on as it is driven.
    let filtered;
    let (push, intent) = match frozen.verdicts.get(slot).and_then(|verdict| verdict.safe) {
        Some(safe) => {
            filtered = Intent { control: Control::Velocity, ..*intent };
            (safe, &filtered)
        }
        None => (push, intent),
    };
    let limits = BodyLimits {
        max_speed: frozen.max_speed[slot],
        max_acceleration: frozen.max_acceleration[slot],
        turn_rate: frozen.turn_rate[slot],
        stride: frozen.step[slot],
    };
    let mut motion = Motion {
        position: bodies.position[at],
        velocity: bodies.velocity[at],
        heading: bodies.heading[at],
        thrust: bodies.thrust[at],
    };
    let mut command = command_of(push, intent, motion.velocity, drive, plan.relaxation, limits);
    if plan.turns && command.turn.is_none() {
        command.turn = Some(0.0);
    }
    bodies.state[at] = intent.state;
    if intent.entered {
        bodies.state_since[at] = frozen.tick;
    }
    if frozen.ring > 0 {
        remember(frozen, bodies, at, command);
    }
    if bodies.quarantined[at] {
        motion.velocity = DVec3::ZERO;
        motion.thrust = DVec3::ZERO;
    } else {
        advance(frozen, bodies, at, plan, drive, &command, &mut motion);
    }
    settle(frozen, bodies, at, &command, motion);
}

/// Writes down what an agent is told.
fn remember(frozen: &Frozen<'_>, bodies: &mut Bodies<'_>, at: usize, command: Command) {
    let ring = &mut bodies.rings[at * frozen.ring..(at + 1) * frozen.ring];
    if frozen.anew && frozen.born[bodies.first + at] < frozen.tick {
        ring.fill(command);
    }
    ring[(frozen.tick % frozen.ring as u64) as usize] = command;
}

/// Moves a body for one tick.
#[inline]
fn advance(
    frozen: &Frozen<'_>,
    bodies: &Bodies<'_>,
    at: usize,
    plan: &Plan,
    drive: Drive,
    command: &Command,
    motion: &mut Motion,
) {
    let slot = bodies.first + at;
    let settings = frozen.settings;
    let (dt, integrator) = (1.0 / settings.tick_hz, settings.integrator);
    let plant = Plant { drive, lag: frozen.lag[slot], integrator, follows_velocity: !plan.turns };
    let from = motion.position;
    let dead_time = frozen.dead_time[slot];
    let share = dt / f64::from(plan.substeps);
    if dead_time <= 0.0 || frozen.ring == 0 {
        for _ in 0..plan.substeps {
            body::advance(motion, command, plant, share);
        }
    } else {
        let ring = &bodies.rings[at * frozen.ring..(at + 1) * frozen.ring];
        for (ago, part) in delayed(dead_time * settings.tick_hz) {
            let told = frozen.tick.checked_sub(ago as u64);
            let mut held = told.map(|then| ring[(then % frozen.ring as u64) as usize]).unwrap_or_default();
            held.max_speed = command.max_speed;
            held.max_acceleration = command.max_acceleration;
            held.turn_rate = command.turn_rate;
            if plan.turns && held.turn.is_none() {
                held.turn = Some(0.0);
            }
            for _ in 0..plan.substeps {
                body::advance(motion, &held, plant, part * share);
            }
        }
    }
    if settings.planar {
        motion.position.z = from.z;
        motion.velocity.z = 0.0;
    }
    stay_outside(frozen, slot, from, motion);
}

/// Keeps a body out of obstacles: it stops at the first contact of its way and slides on along the surface.
fn stay_outside(frozen: &Frozen<'_>, slot: usize, from: DVec3, motion: &mut Motion) {
    if frozen.obstacles.blocks_nothing() || !motion.position.is_finite() {
        return;
    }
    let slide = frozen.obstacles.slide(from, motion.position, frozen.radius[slot], motion.velocity);
    motion.position = slide.at;
    motion.velocity = slide.velocity;
    if let Some(contact) = slide.contact {
        motion.thrust -= contact.normal * motion.thrust.dot(contact.normal).min(0.0);
    }
}

/// Writes one body back, with the edge of the world and the check for finite numbers.
#[inline]
fn settle(frozen: &Frozen<'_>, bodies: &mut Bodies<'_>, at: usize, command: &Command, mut motion: Motion) {
    let slot = bodies.first + at;
    let notes = || frozen.notes.lock().unwrap_or_else(PoisonError::into_inner);
    let space = frozen.settings.space;
    let sound = |motion: &Motion| {
        let numbers = motion.position.is_finite() && motion.velocity.is_finite() && motion.thrust.is_finite();
        numbers && motion.heading.is_finite()
    };
    // The edge first: who leaves a wide area on one side is far away only until it comes in on the other.
    let mut outside = false;
    if let Some(area) = space.area.filter(|_| sound(&motion)) {
        outside = at_edge(space.edge, area, frozen.radius[slot], &mut motion);
    }
    let finite = sound(&motion) && motion.position.abs().max_element() <= super::command::FARTHEST;
    if !finite {
        bodies.velocity[at] = DVec3::ZERO;
        bodies.thrust[at] = DVec3::ZERO;
        if !bodies.quarantined[at] {
            bodies.quarantined[at] = true;
            let message = if command.push.is_finite() {
                format!(
                    "the body left the numbers: position {}, velocity {}",
                    short(motion.position),
                    short(motion.velocity)
                )
            } else {
                format!("the sum of its forces is {}", short(command.push))
            };
            notes().quarantined.push((slot as u32, message));
        }
        return;
    }
    if outside && space.edge == Edge::Remove {
        notes().left.push(slot as u32);
    }
    bodies.position[at] = motion.position;
    bodies.velocity[at] = motion.velocity;
    bodies.heading[at] = motion.heading;
    bodies.thrust[at] = motion.thrust;
}

/// A vector with few digits, however large it is.
fn short(v: DVec3) -> String {
    format!("({:.3e}, {:.3e}, {:.3e})", v.x, v.y, v.z)
}

/// Applies the edge to one body; true if it was outside.
#[inline]
fn at_edge(edge: Edge, area: Area, radius: f64, motion: &mut Motion) -> bool {
    let mut outside = false;
    for axis in 0..3 {
        let (low, high) = (area.min[axis], area.max[axis]);
        let x = motion.position[axis];
        if low >= high {
            continue;
        }
        match edge {
            Edge::Open => {}
            Edge::Remove => outside |= x < low || x > high,
            Edge::Wrap => motion.position[axis] = wrap_coordinate(x, low, high - low),
            Edge::Clamp | Edge::Turn => {
                let margin = radius.min(0.5 * (high - low));
                let held = x.clamp(low + margin, high - margin);
                let outward = motion.velocity[axis] * (x - held) > 0.0;
                if held != x && outward {
                    outside = true;
                    let kept = if edge == Edge::Turn { -motion.velocity[axis] } else { 0.0 };
                    motion.velocity[axis] = kept;
                    motion.thrust[axis] = 0.0;
                }
                motion.position[axis] = held;
            }
        }
    }
    outside
}
