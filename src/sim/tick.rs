//! One tick: commands → sense → decide → avoid → act → measure. It cannot fail and cannot panic.
//!
//! Commands are applied by the owner before ([`World::apply`]), measures are taken by the owner after; both are timed here
//! through the same stopwatch, since the room knows no clock.

use super::mind::Recipient;
use super::{Act, AgentId, Event, Fault, Intent, Intents, Mind, Stream, Workers, World, avoid, rng::Use, update};
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
    avoiding: avoid::Buffers,
    acting: super::act::Buffers,
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
    let reach = minds.iter().map(|mind| mind.reach()).fold(avoid::reach(frozen), f64::max);
    if reach > 0.0 {
        // Measured: 9 cells as large as the reach cost less than 25 half as large, which hold fewer agents beside the circle.
        frozen.cell_side = reach;
    }
    update::begin(frozen);
    sense_with(frozen, workers);
    watch.lap(Stage::Sense);
    decide(world, minds, workers, &mut scratch.intents);
    if world.groups.iter().any(|group| group.update.is_on()) {
        update::hold(Arc::make_mut(world), &mut scratch.intents);
    }
    watch.lap(Stage::Decide);
    avoid::decide(world, &scratch.intents, &mut scratch.avoiding, workers);
    watch.lap(Stage::Avoid);
    let world = Arc::make_mut(world);
    watch_progress(world, &scratch.intents, &scratch.avoiding);
    report.delivered = update::forget_heard(world);
    quarantine(world, scratch, report);
    let wanted = super::act::Wanted { intents: &scratch.intents, verdicts: &scratch.avoiding.verdicts };
    super::act::act(world, minds, wanted, &mut scratch.acting, workers, report);
    world.tick += 1;
    watch.lap(Stage::Act);
}

/// Neighbor cells and sensor noise for the positions as they are.
pub fn sense(world: &mut World) {
    sense_with(world, &Workers::default());
}

/// As [`sense`], on all threads.
pub fn sense_with(world: &mut World, workers: &Workers) {
    let (seed, tick, planar) = (world.settings.seed, world.tick, world.settings.planar);
    world.grid.rebuild_with(&world.agents, world.settings.space, world.cell_side, workers);
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
        let (out, count) = (&mut intents[index], group.members.len());
        let alike = mind.alike();
        if alike {
            out.clear();
        } else {
            out.reset(count);
        }
        if count == 0 {
            continue;
        }
        mind.decide(world, group.id, workers, out);
        if alike {
            out.pushes.resize(count, glam::DVec3::ZERO);
        } else {
            out.rows.resize(count, Intent::default());
        }
    }
}

/// Looks how everybody gets on who wants to go somewhere, as its avoidance or its forces say.
fn watch_progress(world: &mut World, intents: &[Intents], avoiding: &avoid::Buffers) {
    let (dt, space) = (world.dt(), world.settings.space);
    let agents = &mut world.agents;
    for (index, group) in world.groups.iter().enumerate() {
        let wishes = intents.get(index).map_or(&[][..], |of| &of.wishes);
        let avoids = group.body.avoid.is_some();
        if !avoids && wishes.is_empty() {
            continue;
        }
        for (member, slot) in group.members.iter().enumerate() {
            let at = *slot as usize;
            let wish = if avoids { avoiding.wanted(at) } else { wishes.get(member).copied().unwrap_or(DVec3::ZERO) };
            if wish.is_finite() {
                agents.progress[at].look(agents.position[at], wish, dt, |from, to| space.offset(from, to));
            }
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
                // Who is sent to no point of the world keeps the goal that it has.
                let sound = goal.is_none_or(|goal| super::command::check_point("goal", goal).is_ok());
                if let Some(slot) = world.agents.find(id).filter(|_| sound) {
                    world.agents.goal[slot] = goal;
                }
            }
            Act::Remove(id) => {
                if let Some(slot) = world.agents.find(id) {
                    world.remove_slot(slot);
                }
            }
            Act::Travel(id, errand) => world.errands.push((id, errand)),
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
        // Who is navigated hears it from the navigator, in order with the other events of its path; who is on a journey stays
        // where it was sent.
        let own = world.agents.alive[slot] && !world.agents.is_navigated(slot) && !world.agents.is_travelling(slot);
        let Some(goal) = world.agents.goal[slot].filter(|_| own) else {
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
