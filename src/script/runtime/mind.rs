//! The mind of a group whose behavior or machine runs in a script machine: scripts decide there, native forces are added here.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;

use super::engine::ask;
use super::look::Share;
use super::memory::{Datum, GroupState, ImportReport};
use super::plan::{OUT_ENTERED, OUT_FAULTED, OUT_HEAD, OUT_KEPT, Plan};
use super::request::{Binding, Decision, Leavings};
use crate::machine::def::Limit;
use crate::machine::program::{Program, Source};
use crate::scene::problem::Problem;
use crate::script::host::{Door, HostGone};
use crate::sim::{Control, Group, GroupId, Intent, Intents, Limits, Mind, StateHash, Workers, World};
use crate::steer::param::Value;
use crate::steer::registry::NOBODY;
use crate::steer::{Blends, Bound, LeafSpec, Sighting, group_code};

/// Events that the core itself raises; nobody has to listen.
const OF_CORE: [&str; 11] = [
    "target_reached",
    "stuck",
    "freed",
    "path_changed",
    "waypoint_reached",
    "link_reached",
    "navigation_finished",
    "stop_reached",
    "queue_moved",
    "served",
    "journey_done",
];

/// Where minds leave what is no intent: problems, logs, plots, marks, transitions. Shared with whoever shows them.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    inner: Arc<Mutex<Leavings>>,
}

impl Outbox {
    /// Adds to it.
    pub fn put(&self, leavings: Leavings) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).append(leavings);
    }

    /// Takes everything out.
    pub fn take(&self) -> Leavings {
        std::mem::take(&mut *self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The mind of a scripted group.
pub struct ScriptMind {
    door: Door,
    outbox: Outbox,
    group: usize,
    name: String,
    program: Arc<Program>,
    plan: Arc<Plan>,
    blends: Blends,
    values: Vec<Value>,
    pending: Vec<(usize, Value)>,
    states: Vec<String>,
    turns: bool,
    /// What agents decided last, by slot with its life: it holds between the decisions of a `period`.
    held: Vec<(u32, Intent)>,
    periods: bool,
    rows: Vec<f64>,
    active: Vec<bool>,
    heard: BTreeSet<String>,
    gone: bool,
}

/// Why a mind could not be made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MindError {
    /// The machine's thread is gone.
    #[error(transparent)]
    Gone(#[from] HostGone),
    /// The machine refused the program, which is a fault of this program.
    #[error("the machine refused `{0}`: {1}")]
    Refused(String, String),
}

impl ScriptMind {
    /// Binds a program to a group in the machine behind `door`. `values` are the sliders in the program's order.
    ///
    /// # Errors
    /// When the machine is gone or refuses.
    pub fn new(
        door: Door,
        outbox: Outbox,
        group: usize,
        name: &str,
        program: Arc<Program>,
        values: Vec<Value>,
    ) -> Result<Self, MindError> {
        let binding = Binding { group, name: name.to_owned(), program: Arc::clone(&program), values: values.clone() };
        let bound = door.call(move |live| ask(live, |live, runtime| runtime.bind(live, binding)))?;
        let bound = bound.map_err(|error| MindError::Refused(program.name.clone(), error))?;
        let leaves: Vec<LeafSpec> = program.leaves.iter().map(crate::machine::program::Leaf::native_blend).collect();
        let blends = Blends::new(&leaves).map_err(|errors| {
            let text = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            MindError::Refused(program.name.clone(), text)
        })?;
        let turns = blends.turns();
        Ok(Self {
            door,
            outbox,
            group,
            name: name.to_owned(),
            states: program.leaves.iter().map(|leaf| leaf.path.clone()).collect(),
            turns,
            held: Vec::new(),
            periods: program.leaves.iter().any(|leaf| leaf.period.is_some()),
            plan: bound.plan,
            program,
            blends,
            values,
            pending: Vec::new(),
            rows: Vec::new(),
            active: Vec::new(),
            heard: BTreeSet::new(),
            gone: false,
        })
    }

    /// The program that runs.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The native forces, for switches and arrows.
    pub fn blends(&mut self) -> &mut Blends {
        &mut self.blends
    }

    /// The sliders as they stand.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Sets the slider at an address below the group, from the next tick on. False if there is none of that address or kind.
    pub fn set(&mut self, address: &str, value: Value) -> bool {
        let Some(slider) = self.program.slider(address) else { return false };
        if self.program.sliders[slider].spec.refusal(&value).is_some() {
            return false;
        }
        self.values[slider] = value.clone();
        self.pending.push((slider, value));
        true
    }

    /// What its agents keep, as plain data.
    ///
    /// # Errors
    /// When the machine is gone.
    pub fn export(&self, world: &Arc<World>) -> Result<Option<GroupState>, HostGone> {
        let (world, group) = (Arc::clone(world), self.group);
        let state =
            self.door.call(move |live| ask(live, |live, runtime| runtime.export(live.vm.lua(), &world, group)))?;
        state.map_err(HostGone)
    }

    /// Puts kept state into this (new) mind, by the reload rules.
    ///
    /// # Errors
    /// When the machine is gone.
    pub fn import(&self, world: &Arc<World>, state: GroupState) -> Result<ImportReport, HostGone> {
        let (world, group) = (Arc::clone(world), self.group);
        let report =
            self.door.call(move |live| ask(live, |live, runtime| runtime.import(live, &world, group, &state)))?;
        report.map_err(HostGone)
    }

    /// What intents held and native forces keep passes on to the mind that takes over.
    pub fn adopt(&mut self, before: &Self) {
        self.blends.adopt(&before.blends);
        self.turns |= before.turns && !before.blends.turns();
        if self.program.leaves.len() == before.program.leaves.len() {
            self.held.clone_from(&before.held);
        }
    }

    /// Declared memory of an agent: definition, field, value.
    ///
    /// # Errors
    /// When the machine is gone.
    pub fn inspect(&self, world: &Arc<World>, slot: u32) -> Result<Vec<(String, String, Datum)>, HostGone> {
        let (world, group) = (Arc::clone(world), self.group);
        let fields = self
            .door
            .call(move |live| ask(live, |live, runtime| runtime.inspect(live.vm.lua(), &world, group, slot)))?;
        fields.map_err(HostGone)
    }

    /// The largest radius that its native forces look around, m.
    pub fn native_reach(&self) -> f64 {
        self.blends.reach(&self.values)
    }

    /// What each native force does to an agent, by what was bound to them in its last decision.
    pub fn shares(&mut self, world: &World, slot: u32) -> Vec<(String, DVec3)> {
        let Some((member, intent)) = self.present(world, slot) else { return Vec::new() };
        let bound = Bound { sliders: &self.values, rows: &self.rows, active: &[] };
        let shares = self.blends.contributions(world, GroupId(self.group as u16), member, &bound, &intent);
        shares.into_iter().map(|share| (share.key, share.push)).collect()
    }

    /// Whom each native force and each scripted one that asks for neighbors sees, by what was bound to them in its last
    /// decision.
    pub fn looks(&mut self, world: &Arc<World>, slot: u32) -> Vec<Sighting> {
        let mut looks = Vec::new();
        if let Some((member, intent)) = self.present(world, slot) {
            let bound = Bound { sliders: &self.values, rows: &self.rows, active: &[] };
            looks = self.blends.looks(world, GroupId(self.group as u16), member, &bound, &intent);
        }
        let scripted = self.scripted_shares(world, slot).unwrap_or_default();
        looks.extend(scripted.into_iter().filter_map(|share| share.found(world, slot)));
        looks
    }

    /// The member that lives in a slot and the state it decides in; none where nothing is bound to its native forces yet.
    fn present(&self, world: &World, slot: u32) -> Option<(usize, Intent)> {
        let members = &world.groups[self.group].members;
        let member = members.binary_search(&slot).ok()?;
        if self.rows.len() < self.blends.stride() * members.len() {
            return None;
        }
        let leaf = usize::from(world.agents.state[slot as usize]);
        self.program.leaves.get(leaf).filter(|leaf| !leaf.terms.is_empty())?;
        Some((member, Intent { control: self.control_of(leaf), state: leaf as u16, ..Intent::default() }))
    }

    /// What each scripted force and `step` does to an agent, by its last decision.
    ///
    /// # Errors
    /// When the machine is gone.
    pub fn scripted_shares(&self, world: &Arc<World>, slot: u32) -> Result<Vec<Share>, HostGone> {
        let (world, group) = (Arc::clone(world), self.group);
        let shares =
            self.door.call(move |live| ask(live, |live, runtime| runtime.shares(live, &world, group, slot)))?;
        shares.map_err(HostGone)
    }

    fn ask(&mut self, world: &Arc<World>) -> Result<Decision, HostGone> {
        let (world, group) = (Arc::clone(world), self.group);
        let changes = std::mem::take(&mut self.pending);
        let decision = self.door.call(move |live| {
            ask(live, |live, runtime| {
                if !changes.is_empty() {
                    runtime.set_values(live.vm.lua(), group, &changes)?;
                }
                runtime.decide(live, &world, group)
            })
        })?;
        decision.map_err(HostGone)
    }

    /// Reads the answer's rows into intents, and into what native forces are bound to.
    fn read(&mut self, world: &World, members: &[u32], decision: &Decision, out: &mut Intents) {
        let stride = self.blends.stride();
        self.rows.clear();
        self.rows.resize(stride * members.len(), 0.0);
        self.active.clear();
        self.active.resize(members.len(), true);
        let rows = decision.rows.chunks_exact(self.plan.out_stride.max(1));
        for (index, (slot, row)) in members.iter().zip(rows).enumerate() {
            let Some(intent) = out.rows.get_mut(index) else { break };
            let word = u32::from_le_bytes(bytes(row, 12));
            if word & OUT_KEPT != 0 {
                self.active[index] = false;
                if let Some((life, held)) = self.held.get(*slot as usize)
                    && *life == world.agents.generation[*slot as usize] + 1
                {
                    *intent = Intent { entered: false, ..*held };
                }
                continue;
            }
            let leaf = (word & 0xffff) as usize;
            let turn = f64::from_le_bytes(bytes(row, 16));
            // Only running tells whether a script turns its agents; from then on their headings are their own.
            self.turns |= !turn.is_nan();
            *intent = Intent {
                push: vector(row, 0),
                turn: (!turn.is_nan()).then_some(turn),
                control: self.control_of(leaf),
                limits: self.limits(leaf, row),
                state: leaf as u16,
                entered: word & OUT_ENTERED != 0,
            };
            if stride > 0 {
                let numbers = &mut self.rows[index * stride..(index + 1) * stride];
                fill(
                    &self.plan,
                    &self.program,
                    &self.blends,
                    world,
                    leaf,
                    row,
                    word & OUT_FAULTED != 0,
                    &decision.texts,
                    numbers,
                );
            }
        }
    }

    fn control_of(&self, leaf: usize) -> Control {
        match self.program.leaves.get(leaf).map(|leaf| leaf.control) {
            Some(crate::machine::def::Control::Velocity) => Control::Velocity,
            _ => Control::Acceleration,
        }
    }

    fn limits(&self, leaf: usize, row: &[u8]) -> Limits {
        let mut limits = Limits::default();
        let Some(leaf) = self.program.leaves.get(leaf) else { return limits };
        for (limit, source) in &leaf.limits {
            let number = match source {
                Source::Slider(slider) => self.values.get(*slider).and_then(Value::number),
                Source::Memory(field) => self.plan.bound_offset(*field).map(|at| f64::from_le_bytes(bytes(row, at))),
            };
            // A bound number that is no limit leaves the body's.
            let number = number.filter(|number| *number >= 0.0);
            match limit {
                Limit::MaxSpeed => limits.max_speed = number,
                Limit::MaxAcceleration => limits.max_acceleration = number,
                Limit::TurnRate => limits.turn_rate = number,
            }
        }
        limits
    }

    /// Keeps intents for the ticks in which agents do not decide.
    fn hold(&mut self, world: &World, members: &[u32], out: &Intents) {
        if !self.periods {
            return;
        }
        self.held.resize(world.agents.slots(), (0, Intent::default()));
        for (slot, intent) in members.iter().zip(&out.rows) {
            self.held[*slot as usize] = (world.agents.generation[*slot as usize] + 1, *intent);
        }
    }

    /// Events that the machine names nowhere, each noted once.
    fn note_unheard(&mut self, world: &World, members: &[u32]) {
        let machine = self.program.nodes.iter().any(|node| !node.lines.is_empty());
        if !machine || world.inbox.is_empty() {
            return;
        }
        let known = self.program.events();
        for event in members.iter().flat_map(|slot| world.events_for(*slot)) {
            // What the core itself says is for who cares.
            let of_core = OF_CORE.contains(&event.name.as_str());
            if of_core || known.contains(event.name.as_str()) || self.heard.contains(&event.name) {
                continue;
            }
            self.heard.insert(event.name.clone());
            let near = crate::steer::nearest::did_you_mean(&event.name, known.iter().copied());
            let message = format!(
                "event `{}` reached group `{}`, whose machine `{}` names it nowhere{near}",
                event.name, self.name, self.program.name
            );
            let problem = Problem::note("unheard-event", message).group(self.name.clone()).tick(world.tick);
            self.outbox.put(Leavings { problems: vec![problem], ..Leavings::default() });
        }
    }
}

fn bytes<const N: usize>(row: &[u8], at: usize) -> [u8; N] {
    let mut word = [0; N];
    if let Some(found) = row.get(at..at + N) {
        word.copy_from_slice(found);
    }
    word
}

fn vector(row: &[u8], at: usize) -> DVec3 {
    let part = |offset| f64::from(f32::from_le_bytes(bytes(row, at + offset)));
    DVec3::new(part(0), part(4), part(8))
}

/// Memory lanes and scale factors of one member.
#[expect(clippy::too_many_arguments, reason = "one row needs that much to be read")]
fn fill(
    plan: &Plan,
    program: &Program,
    blends: &Blends,
    world: &World,
    leaf: usize,
    row: &[u8],
    faulted: bool,
    texts: &[String],
    numbers: &mut [f64],
) {
    for lane in blends.lanes() {
        let Some(at) = plan.bound_offset(lane.memory).filter(|_| !faulted) else { continue };
        if lane.width == 3 {
            let v = vector(row, at);
            numbers[lane.at..lane.at + 3].copy_from_slice(&v.to_array());
            continue;
        }
        let number = f64::from_le_bytes(bytes(row, at));
        let default = program.memory[lane.memory].spec.default.as_ref();
        let is_text = default.is_some_and(|default| default.kind() == "string");
        numbers[lane.at] =
            if is_text { texts.get(number as usize).map_or(NOBODY, |name| group_code(world, name)) } else { number };
    }
    for (position, (_, at)) in blends.scales(leaf).enumerate() {
        numbers[at] = if faulted { 0.0 } else { f64::from_le_bytes(bytes(row, OUT_HEAD + 8 * position)) };
    }
}

impl Mind for ScriptMind {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, workers: &Workers, out: &mut Intents) {
        let Some(members) = world.groups.get(group.index()).map(|group| group.members.clone()) else { return };
        let mut decision = match self.ask(world) {
            Ok(decision) => decision,
            Err(error) => {
                if !self.gone {
                    self.gone = true;
                    let problem =
                        Problem::error("script-gone", error.to_string()).group(self.name.clone()).tick(world.tick);
                    self.outbox.put(Leavings { problems: vec![problem], faults: 1, ..Leavings::default() });
                }
                return;
            }
        };
        self.read(world, &members, &decision, out);
        out.acts.append(&mut decision.acts);
        self.outbox.put(std::mem::take(&mut decision.leavings));
        let active: &[bool] = if self.active.iter().all(|active| *active) { &[] } else { &self.active };
        let bound = Bound { sliders: &self.values, rows: &self.rows, active };
        self.blends.evaluate(world, group, workers, &bound, out);
        self.hold(world, &members, out);
        self.note_unheard(world, &members);
    }

    fn digest(&mut self, world: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        let first = out.len();
        let index = group.id.index();
        let frozen = Arc::clone(world);
        let numbers = self.door.call(move |live| {
            ask(live, |live, runtime| {
                let mut numbers = Vec::new();
                runtime.digest(live.vm.lua(), &frozen, index, &mut numbers)?;
                Ok(numbers)
            })
        });
        let numbers = numbers.ok().and_then(Result::ok).unwrap_or_default();
        for (index, slot) in group.members.iter().enumerate() {
            let mut hash = StateHash::new();
            hash.integer(numbers.get(index).copied().unwrap_or(0));
            self.blends.digest(world, *slot, &mut hash);
            out.push(hash.finish());
        }
        debug_assert_eq!(out.len() - first, group.members.len());
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn turns(&self) -> bool {
        self.turns
    }

    fn control(&self) -> Control {
        self.control_of(self.program.initial)
    }
}
