//! What the machines of a run do: transitions counted per line, the last ones of each agent, agents that flap or are stuck.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use glam::DVec3;

use super::frame::{TraceLine, TransitionCount};
use crate::machine::program::Program;
use crate::scene::problem::Problem;
use crate::script::runtime::request::Passage;
use crate::sim::{AgentId, Control, Intents, World};

/// Transitions that are kept of each agent.
const KEPT: usize = 8;

/// More transitions of one agent than this in one second are flapping, if it comes back to one of them.
const FLAPPING: usize = 2;

/// An agent that asks to move and comes no further than its radius in this time is stuck, s.
const STUCK_SECS: f64 = 5.0;

/// Checks for stuck agents per second.
const CHECKS_HZ: f64 = 10.0;

/// The share of its speed limit that an agent must ask for, so that it counts as wanting to move.
const ASKS_SHARE: f64 = 0.1;

/// What the machine of one group did.
#[derive(Debug, Default)]
struct GroupPassing {
    /// Labels of the program's lines, counted through all nodes.
    labels: Vec<Arc<str>>,
    counts: Vec<u64>,
    flapped: bool,
    /// Ticks of the transitions of the last second.
    recent: VecDeque<u64>,
}

/// Where an agent stood when it last got on, and when.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    life: u32,
    at: DVec3,
    tick: u64,
}

/// The doings of all machines since the start of the run.
#[derive(Debug, Default)]
pub struct Passing {
    groups: Vec<GroupPassing>,
    traces: BTreeMap<AgentId, VecDeque<(u64, Arc<str>)>>,
    /// By slot.
    anchors: Vec<Option<Anchor>>,
}

fn labels(program: &Program) -> Vec<Arc<str>> {
    program.nodes.iter().flat_map(|node| &node.lines).map(|line| Arc::from(line.label.as_str())).collect()
}

impl Passing {
    /// Nothing happened yet.
    pub fn new<'a>(programs: impl Iterator<Item = &'a Arc<Program>>) -> Self {
        let groups = programs.map(|program| {
            let labels = labels(program);
            GroupPassing { counts: vec![0; labels.len()], labels, ..GroupPassing::default() }
        });
        Self { groups: groups.collect(), ..Self::default() }
    }

    /// A group runs new code: lines keep their counts by label.
    pub fn renew(&mut self, group: usize, program: &Program) {
        let Some(own) = self.groups.get_mut(group) else { return };
        let labels = labels(program);
        let count =
            |label: &Arc<str>| own.labels.iter().position(|known| known == label).map_or(0, |at| own.counts[at]);
        let counts = labels.iter().map(count).collect();
        *own = GroupPassing { labels, counts, flapped: false, recent: std::mem::take(&mut own.recent) };
    }

    /// Takes the transitions of a tick; gives a warning for the first agent of a group that flaps.
    pub fn take(&mut self, world: &World, tick: u64, passages: &[Passage]) -> Vec<Problem> {
        let mut warnings = Vec::new();
        for passage in passages {
            let slot = passage.agent.slot as usize;
            let Some(group) = world.agents.group.get(slot).copied() else { continue };
            let Some(own) = self.groups.get_mut(group.index()) else { continue };
            let Some(label) = own.labels.get(passage.line).cloned() else { continue };
            own.counts[passage.line] += 1;
            own.recent.push_back(tick);
            let trace = self.traces.entry(passage.agent).or_default();
            if trace.len() == KEPT {
                trace.pop_front();
            }
            trace.push_back((tick, label));
            if !own.flapped && flaps(trace, tick, world.settings.tick_hz) {
                own.flapped = true;
                let name = &world.group_of(slot).name;
                let last: Vec<&str> = trace.iter().rev().take(FLAPPING + 1).rev().map(|(_, label)| &**label).collect();
                let message = format!(
                    "agent {} of `{name}` flaps: more than {FLAPPING} transitions in a second ({})",
                    passage.agent,
                    last.join(", ")
                );
                let warning = Problem::warning("flapping", message)
                    .group(name.clone())
                    .agent(passage.agent.number())
                    .tick(tick)
                    .hint("leave room between the two thresholds, or let a line hold = 5");
                warnings.push(warning);
            }
        }
        warnings
    }

    /// Transitions per agent and second of a group, over the last second; none without agents or without a machine.
    pub fn rate(&mut self, world: &World, group: usize) -> Option<f64> {
        let own = self.groups.get_mut(group).filter(|own| !own.labels.is_empty())?;
        let hz = world.settings.tick_hz;
        while own.recent.front().is_some_and(|at| world.tick.saturating_sub(*at) as f64 > hz) {
            own.recent.pop_front();
        }
        let agents = world.groups[group].members.len();
        (agents > 0).then(|| own.recent.len() as f64 / agents as f64)
    }

    /// Looks who asks to move and gets on. `intents` are those of the tick that ended.
    pub fn watch(&mut self, world: &World, intents: &[Intents]) {
        let every = (world.settings.tick_hz / CHECKS_HZ).max(1.0) as u64;
        if !world.tick.is_multiple_of(every) {
            return;
        }
        let agents = &world.agents;
        self.anchors.resize(agents.slots(), None);
        if world.tick.is_multiple_of(every * 64) {
            self.traces.retain(|agent, _| agents.find(*agent).is_some());
        }
        for (group, intents) in world.groups.iter().zip(intents) {
            for (slot, intent) in group.members.iter().zip(intents.each()) {
                let slot = *slot as usize;
                let asked = match intent.control {
                    Control::Velocity => intent.push.length(),
                    Control::Acceleration => intent.push.length() * group.body.relaxation,
                };
                let (life, at) = (agents.generation[slot], agents.position[slot]);
                let gets_on = |anchor: &Anchor| {
                    anchor.life != life || world.offset(anchor.at, at).length() > agents.radius[slot].max(0.05)
                };
                let wants = asked > ASKS_SHARE * agents.max_speed[slot];
                if !wants || self.anchors[slot].as_ref().is_none_or(gets_on) {
                    self.anchors[slot] = Some(Anchor { life, at, tick: world.tick });
                }
            }
        }
    }

    /// Whether an agent is stuck.
    pub fn is_stuck(&self, world: &World, slot: usize) -> bool {
        let anchor = self.anchors.get(slot).copied().flatten();
        anchor.is_some_and(|anchor| {
            anchor.life == world.agents.generation[slot]
                && (world.tick - anchor.tick.min(world.tick)) as f64 >= STUCK_SECS * world.settings.tick_hz
        })
    }

    /// How many agents of a group flap now.
    pub fn flapping(&self, world: &World, group: usize) -> usize {
        let of_group =
            |agent: &AgentId| world.agents.find(*agent).is_some_and(|slot| world.agents.group[slot].index() == group);
        let flap = |(agent, trace): &(&AgentId, &VecDeque<(u64, Arc<str>)>)| {
            flaps(trace, world.tick, world.settings.tick_hz) && of_group(agent)
        };
        self.traces.iter().filter(flap).count()
    }

    /// Lines of a group's machine with their counts, in the order of the program.
    pub fn counts(&self, group: usize) -> Vec<TransitionCount> {
        let Some(own) = self.groups.get(group) else { return Vec::new() };
        let lines = own.labels.iter().zip(&own.counts);
        lines.map(|(label, count)| TransitionCount { label: (**label).to_owned(), count: *count }).collect()
    }

    /// The last transitions of an agent, newest last.
    pub fn trace(&self, agent: AgentId) -> Vec<TraceLine> {
        let lines = self.traces.get(&agent).into_iter().flatten();
        lines.map(|(tick, label)| TraceLine { tick: *tick, label: (**label).to_owned() }).collect()
    }
}

/// Whether the transitions of the last second were too many, and some line among them was taken twice: a chain of states that
/// is run through quickly is no flapping.
fn flaps(trace: &VecDeque<(u64, Arc<str>)>, tick: u64, hz: f64) -> bool {
    let recent = trace.iter().rev().take_while(|(at, _)| (tick.saturating_sub(*at) as f64) < hz);
    let lines: Vec<&Arc<str>> = recent.map(|(_, label)| label).collect();
    lines.len() > FLAPPING && lines.iter().enumerate().any(|(at, label)| lines[at + 1..].contains(label))
}
