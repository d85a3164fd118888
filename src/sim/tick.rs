//! One tick: commands → sense → decide → avoid → act → measure. It cannot fail and cannot panic.
//!
//! Commands are applied by the owner before ([`World::apply`]), measures are taken by the owner after; both are timed here
//! through the same stopwatch, since the room knows no clock.

use super::body::{self, Drive, HeadingMode, Motion, Plant, command_of, delayed};
use super::mind::Recipient;
use super::space::wrap_coordinate;
use super::workers::Scratch;
use super::{
    Act, AgentId, Control, Edge, Event, Fault, Group, Intent, Intents, Mind, Stream, Workers, World, body::Command,
    rng::Use,
};
use glam::DVec3;
use std::sync::Arc;

/// The stages of a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Commands change the world.
    Commands,
    /// Neighbor cells, sensors.
    Sense,
    /// Minds decide.
    Decide,
    /// Wanted becomes safe velocity.
    Avoid,
    /// Bodies move.
    Act,
    /// Metrics, hashes, records.
    Measure,
}

impl Stage {
    /// All stages with their names in reports.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Commands, "commands"),
        (Self::Sense, "sense"),
        (Self::Decide, "decide"),
        (Self::Avoid, "avoid"),
        (Self::Act, "act"),
        (Self::Measure, "measure"),
    ];
}

/// A clock that the owner hands in.
pub trait Stopwatch {
    /// The stage that ran since the last call ends now.
    fn lap(&mut self, stage: Stage);
}

/// A stopwatch that measures nothing.
impl Stopwatch for () {
    fn lap(&mut self, _: Stage) {}
}

/// What happened in a tick beside motion; buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct TickReport {
    /// Agents that were put into quarantine, with the reason.
    pub quarantined: Vec<Fault>,
    /// Agents that left at the edge of the world.
    pub left: Vec<AgentId>,
    /// Acts of minds, in the order of groups and agents: the owner does them before the next tick.
    pub acts: Vec<Act>,
    /// Events of this tick that had a recipient (for "unheard" checks the owner compares with the minds).
    pub delivered: usize,
}

/// Buffers of the tick that are kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub struct TickScratch {
    /// Intents per group.
    pub intents: Vec<Intents>,
    moved: Vec<Moved>,
    unused: Scratch<()>,
}

/// One agent's way through the act stage.
#[derive(Clone, Copy, Debug)]
struct Moved {
    slot: u32,
    turns: bool,
    drive: Drive,
    command: Command,
    motion: Motion,
}

/// Runs sense, decide, avoid and act. `minds` stand in the order of the groups.
pub fn tick<M: Mind + ?Sized>(
    world: &mut Arc<World>,
    minds: &mut [Box<M>],
    workers: &Workers,
    scratch: &mut TickScratch,
    report: &mut TickReport,
    watch: &mut dyn Stopwatch,
) {
    report.quarantined.clear();
    report.left.clear();
    report.acts.clear();
    let frozen = Arc::make_mut(world);
    let reach = minds.iter().map(|mind| mind.reach()).fold(0.0, f64::max);
    if reach > 0.0 {
        // Measured: 9 cells as large as the reach cost less than 25 half as large, which hold fewer agents beside the circle.
        frozen.cell_side = reach;
    }
    sense(frozen);
    watch.lap(Stage::Sense);
    decide(world, minds, workers, &mut scratch.intents);
    watch.lap(Stage::Decide);
    watch.lap(Stage::Avoid);
    let world = Arc::make_mut(world);
    report.delivered = world.inbox.len();
    world.inbox.clear();
    quarantine(world, scratch, report);
    command_bodies(world, minds, scratch);
    act(world, workers, scratch, report);
    world.tick += 1;
    watch.lap(Stage::Act);
}

/// Neighbor cells, looks and sensor noise for the positions as they are.
pub fn sense(world: &mut World) {
    let (seed, tick, planar) = (world.settings.seed, world.tick, world.settings.planar);
    world.grid.rebuild(&world.agents, world.settings.space, world.cell_side);
    let agents = &mut world.agents;
    for group in &world.groups {
        let (noise, turn) = group.sensor_noise;
        if noise <= 0.0 && turn <= 0.0 {
            continue;
        }
        for slot in &group.members {
            let mut luck = Stream::new(seed, u64::from(*slot), tick, Use::Sensor);
            let z = if planar { 0.0 } else { luck.normal(0.0, noise) };
            let slot = *slot as usize;
            agents.sensed_shift[slot] = DVec3::new(luck.normal(0.0, noise), luck.normal(0.0, noise), z);
            agents.sensed_turn[slot] = luck.normal(0.0, turn);
        }
    }
}

fn decide<M: Mind + ?Sized>(world: &Arc<World>, minds: &mut [Box<M>], workers: &Workers, intents: &mut Vec<Intents>) {
    intents.resize_with(minds.len(), Intents::default);
    for (index, mind) in minds.iter_mut().enumerate() {
        let Some(group) = world.groups.get(index) else {
            break;
        };
        let out = &mut intents[index];
        out.reset(group.members.len());
        if !group.members.is_empty() {
            mind.decide(world, group.id, workers, out);
            out.rows.resize(group.members.len(), Intent::default());
        }
    }
}

/// Faults of minds put agents into quarantine; acts are handed on.
fn quarantine(world: &mut World, scratch: &mut TickScratch, report: &mut TickReport) {
    let agents = &mut world.agents;
    for intents in &mut scratch.intents {
        for fault in intents.faults.drain(..) {
            if let Some(slot) = agents.find(fault.agent).filter(|slot| !agents.quarantined[*slot]) {
                agents.quarantined[slot] = true;
                report.quarantined.push(fault);
            }
        }
        report.acts.append(&mut intents.acts);
    }
}

/// Lines up all members of all groups, clamps every intent into a command and writes it to the delay line.
fn command_bodies<M: Mind + ?Sized>(world: &mut World, minds: &[Box<M>], scratch: &mut TickScratch) {
    let World { agents, groups, delay, tick, .. } = world;
    let (stride, rings) = delay.rings();
    let now = (*tick % stride.max(1) as u64) as usize; // nobody was ever born: no ring
    scratch.moved.clear();
    for ((group, mind), intents) in groups.iter().zip(minds).zip(&scratch.intents) {
        let turns = match group.body.heading {
            HeadingMode::Free => true,
            HeadingMode::AlongVelocity => false,
            HeadingMode::Auto => mind.turns(),
        };
        for (slot, intent) in group.members.iter().zip(&intents.rows) {
            let at = *slot as usize;
            let limits = body::BodyLimits {
                max_speed: agents.max_speed[at],
                max_acceleration: agents.max_acceleration[at],
                turn_rate: agents.turn_rate[at],
                stride: agents.stride[at],
            };
            let drive = drive_of(group, intent.control);
            let velocity = agents.velocity[at];
            let command = command_of(intent, velocity, drive, group.body.relaxation, limits);
            rings[at * stride + now] = command;
            if intent.entered {
                agents.state_since[at] = *tick;
            }
            agents.state[at] = intent.state;
            let motion = Motion {
                position: agents.position[at],
                velocity,
                heading: agents.heading[at],
                thrust: agents.thrust[at],
            };
            scratch.moved.push(Moved { slot: *slot, turns, drive, command, motion });
        }
    }
}

fn act(world: &mut World, workers: &Workers, scratch: &mut TickScratch, report: &mut TickReport) {
    let TickScratch { moved, unused, .. } = scratch;
    let tick = world.tick;
    let (stride, rings) = world.delay.rings();
    let rings = &*rings;
    let frozen = Moving { agents: &world.agents, groups: &world.groups, obstacles: &world.obstacles, tick };
    let (dt, hz, integrator, planar) =
        (1.0 / world.settings.tick_hz, world.settings.tick_hz, world.settings.integrator, world.settings.planar);
    workers.for_each(moved, unused, |_, row, ()| {
        let slot = row.slot as usize;
        if frozen.agents.quarantined[slot] {
            row.motion.velocity = DVec3::ZERO;
            row.motion.thrust = DVec3::ZERO;
            return;
        }
        let group = &frozen.groups[frozen.agents.group[slot].index()];
        let plant = Plant { drive: row.drive, lag: frozen.agents.lag[slot], integrator, follows_velocity: !row.turns };
        let steps = group.body.substeps.max(1);
        let from = row.motion.position;
        for (ago, share) in delayed(frozen.agents.dead_time[slot] * hz) {
            if share <= 0.0 {
                continue;
            }
            let mut command = if ago == 0 {
                row.command
            } else {
                let ring = &rings[slot * stride..(slot + 1) * stride];
                let told = frozen.tick.checked_sub(ago as u64).map(|then| ring[(then % stride as u64) as usize]);
                told.unwrap_or_default()
            };
            command.max_speed = row.command.max_speed;
            command.max_acceleration = row.command.max_acceleration;
            command.turn_rate = row.command.turn_rate;
            if row.turns && command.turn.is_none() {
                command.turn = Some(0.0);
            }
            for _ in 0..steps {
                body::advance(&mut row.motion, &command, plant, share * dt / f64::from(steps));
            }
        }
        if planar {
            row.motion.position.z = from.z;
            row.motion.velocity.z = 0.0;
        }
        stay_outside(&frozen, slot, from, &mut row.motion);
    });
    for row in &*moved {
        settle(world, row, report);
    }
    for id in &report.left {
        let slot = id.slot as usize;
        world.groups[world.agents.group[slot].index()].left_world += 1;
        world.remove_slot(slot);
    }
}

/// What the parallel part of the act stage reads.
struct Moving<'a> {
    agents: &'a super::Agents,
    groups: &'a [Group],
    obstacles: &'a super::obstacle::Obstacles,
    tick: u64,
}

fn drive_of(group: &Group, control: Control) -> Drive {
    group.body.drive.unwrap_or(match control {
        Control::Acceleration => Drive::Acceleration,
        Control::Velocity => Drive::Velocity,
    })
}

/// Keeps a body out of obstacles: it stops at the first contact of its way and slides on along the surface.
fn stay_outside(frozen: &Moving<'_>, slot: usize, from: DVec3, motion: &mut Motion) {
    if frozen.obstacles.blocks_nothing() || !motion.position.is_finite() {
        return;
    }
    let slide = frozen.obstacles.slide(from, motion.position, frozen.agents.radius[slot], motion.velocity);
    motion.position = slide.at;
    motion.velocity = slide.velocity;
    if let Some(contact) = slide.contact {
        motion.thrust -= contact.normal * motion.thrust.dot(contact.normal).min(0.0);
    }
}

/// Writes one body back, with the edge of the world and the check for finite numbers.
fn settle(world: &mut World, row: &Moved, report: &mut TickReport) {
    let slot = row.slot as usize;
    let space = world.settings.space;
    let agents = &mut world.agents;
    let mut motion = row.motion;
    let finite = motion.position.is_finite()
        && motion.velocity.is_finite()
        && motion.heading.is_finite()
        && motion.thrust.is_finite()
        && motion.position.abs().max_element() <= super::command::FARTHEST;
    if !finite {
        agents.velocity[slot] = DVec3::ZERO;
        agents.thrust[slot] = DVec3::ZERO;
        if !agents.quarantined[slot] {
            agents.quarantined[slot] = true;
            let message = if row.command.push.is_finite() {
                format!("the body left the numbers: position {}, velocity {}", motion.position, motion.velocity)
            } else {
                format!("the sum of its forces is {}", row.command.push)
            };
            report.quarantined.push(Fault { agent: agents.id(row.slot), source: "body".to_owned(), message });
        }
        return;
    }
    if let Some(area) = space.area {
        let outside = at_edge(space.edge, area, agents.radius[slot], &mut motion);
        if outside && space.edge == Edge::Remove {
            report.left.push(agents.id(row.slot));
        }
    }
    agents.position[slot] = motion.position;
    agents.velocity[slot] = motion.velocity;
    agents.heading[slot] = motion.heading;
    agents.thrust[slot] = motion.thrust;
}

/// Applies the edge to one body; true if it was outside.
fn at_edge(edge: Edge, area: super::Area, radius: f64, motion: &mut Motion) -> bool {
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

/// Does the acts of a tick before the next one: goals, removals, and messages as events. Messages by name to a group that
/// the scene lacks go nowhere; the names are returned.
pub fn perform(world: &mut World, acts: &mut Vec<Act>) -> Vec<String> {
    perform_with(world, acts, |world, event| {
        // A message to an agent that is gone is lost, as it would be in the field.
        drop(world.apply(super::SimCommand::Tell(event)));
    })
}

/// As [`perform`], with messages handed to `post`: they may go over a network.
pub fn perform_with(world: &mut World, acts: &mut Vec<Act>, mut post: impl FnMut(&mut World, Event)) -> Vec<String> {
    let mut nowhere = Vec::new();
    for act in acts.drain(..) {
        match act {
            Act::Go(id, goal) => {
                if let Some(slot) = world.agents.find(id) {
                    world.agents.goal[slot] = goal.filter(|goal| super::command::check_point("goal", *goal).is_ok());
                }
            }
            Act::Remove(id) => {
                if let Some(slot) = world.agents.find(id) {
                    world.remove_slot(slot);
                }
            }
            Act::Send { from, to, name, value } => {
                let event = |to| Event { to, name: name.clone(), value: value.clone(), from: Some(from) };
                match to {
                    Recipient::Agent(to) => post(world, event(to)),
                    Recipient::Group(group) => {
                        let Some(group) = world.group_named(&group) else {
                            nowhere.push(group);
                            continue;
                        };
                        let members: Vec<AgentId> = group.members.iter().map(|slot| world.agents.id(*slot)).collect();
                        for to in members {
                            post(world, event(to));
                        }
                    }
                }
            }
        }
    }
    nowhere
}

/// Which agents reached their goal in this tick get the event `target_reached` in the next; their goal is forgotten when
/// they have one of their own and stand within `distance` metres of it.
pub fn arrivals(world: &mut World, distance: f64) {
    for slot in 0..world.agents.slots() {
        let Some(goal) = world.agents.goal[slot].filter(|_| world.agents.alive[slot]) else {
            continue;
        };
        if world.offset(world.agents.position[slot], goal).length_squared() <= distance * distance {
            world.agents.goal[slot] = None;
            let to = world.agents.id(slot as u32);
            let event = Event { to, name: "target_reached".to_owned(), value: None, from: None };
            drop(world.apply(super::SimCommand::Tell(event)));
        }
    }
}
