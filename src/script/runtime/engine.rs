//! The runtime of one machine: programs bound to groups, their buffers, and the tick.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use mlua::{Buffer, Function, Lua, Table, Value as Lv};

use super::bridge::{self, Kit};
use super::build::Build;
use super::context::Turn;
use super::director::Directors;
use super::fields::{DUE, row};
use super::foresight::Foresight;
use super::formation::Formations;
use super::generate::generate;
use super::mentions::Mentions;
use super::metric::Metrics;
use super::plan::{OUT_ENTERED, Plan};
use super::request::{Binding, Bound, Decision, Leavings, Passage, Stop};
use super::values::{to_lua, vector};
use crate::machine::program::{Program, Source, UnitKind};
use crate::scene::problem::Problem;
use crate::script::api::define::Kind;
use crate::script::load::LoadedFile;
use crate::script::reload::Live;
use crate::script::require::Loading;
use crate::sim::{Group, World};
use crate::steer::param::Value;

/// Time that one callback may take in one tick.
pub const CALLBACK_BUDGET: Duration = Duration::from_millis(5);

/// Public memory by unit: the unit's number and its field names.
type PublicFields = Vec<(usize, Vec<String>)>;

/// A program of a group with all that runs it.
pub(super) struct Instance {
    pub(super) name: String,
    pub(super) program: Arc<Program>,
    pub(super) plan: Arc<Plan>,
    pub(super) values: Vec<Value>,
    pub(super) machine: Table,
    pub(super) records: Table,
    sliders: Table,
    pub(super) params: Vec<Table>,
    pub(super) functions: Vec<Function>,
    pub(super) places: Vec<String>,
    pub(super) files: Vec<String>,
    run: Function,
    birth: Function,
    routes: Table,
    routes_of: Vec<glam::DVec3>,
    input: Buffer,
    pub(super) output: Buffer,
    pub(super) state: Buffer,
    rows_held: usize,
    slots_held: usize,
    bytes: Vec<u8>,
    /// Life of the agent that each slot's record belongs to, counted from 1; 0 for none.
    pub(super) lives: Vec<u32>,
    /// Slots whose agent has not entered its state yet.
    pub(super) fresh: Vec<bool>,
    /// The first problem of each callback that faulted.
    pub(super) reported: BTreeMap<usize, Problem>,
    public: Option<(Table, PublicFields)>,
    foresight: Foresight,
}

/// All that a machine runs. It lives in [`Live::runtime`] on the machine's thread.
pub struct Runtime {
    pub(super) kit: Kit,
    pub(super) groups: Vec<Option<Instance>>,
    pub(super) formations: Formations,
    pub(super) metrics: Metrics,
    pub(super) directors: Directors,
    state_names: Vec<Vec<String>>,
    named: Vec<String>,
    /// Groups that the scene lacks and that were asked for: noted once.
    noted: BTreeSet<String>,
    began: Option<(u64, u64)>,
    /// Which run this is: two worlds of one tick number are told apart by it.
    pub(super) run: u64,
    /// Leavings of births, which happen before any group decides.
    pub(super) early: Leavings,
    pub(super) guarded: bool,
}

/// Lends the runtime of a machine; the first call makes it.
///
/// # Errors
/// When the machine has no prelude, which is a fault of this program.
pub fn with<R>(live: &mut Live, work: impl FnOnce(&Live, &mut Runtime) -> mlua::Result<R>) -> mlua::Result<R> {
    let kept = live.runtime.take().and_then(|kept| kept.downcast::<Runtime>().ok());
    let mut runtime = match kept {
        Some(runtime) => runtime,
        None => Box::new(Runtime::new(live.vm.lua())?),
    };
    let result = work(live, &mut runtime);
    runtime.kit.context.borrow_mut().world = None;
    live.runtime = Some(runtime);
    result
}

/// As [`with`], with an error that may leave the thread.
///
/// # Errors
/// The text of the machine's error.
pub fn ask<R>(live: &mut Live, work: impl FnOnce(&Live, &mut Runtime) -> mlua::Result<R>) -> Result<R, String> {
    with(live, work).map_err(|error| error.to_string())
}

impl Runtime {
    fn new(lua: &Lua) -> mlua::Result<Self> {
        let kit = lua.app_data_ref::<Kit>().map(|kit| kit.clone());
        let Some(kit) = kit else { return Err(mlua::Error::runtime("the machine has no prelude")) };
        Ok(Self {
            kit,
            groups: Vec::new(),
            formations: Formations::default(),
            metrics: Metrics::default(),
            directors: Directors::default(),
            state_names: Vec::new(),
            named: Vec::new(),
            noted: BTreeSet::new(),
            began: None,
            run: 0,
            early: Leavings::default(),
            guarded: false,
        })
    }

    /// Forgets all agents and bindings: a reset, or the end of a dry run.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.directors = Directors::default();
        self.metrics = Metrics::default();
        self.began = None;
        self.run += 1;
        self.named.clear();
    }

    /// Guarded records are slower and name the line of a wrong write; for checks and dry runs.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn set_guarded(&mut self, guarded: bool) -> mlua::Result<()> {
        self.guarded = guarded;
        self.kit.shared.raw_set("guarded", guarded)
    }

    /// The next call begins its tick anew: state was put in from outside.
    pub(super) fn restart_tick(&mut self) {
        self.began = None;
    }

    /// Turns a callback off for an agent: a replay repeats the stops of its tape.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn switch_off(&self, lua: &Lua, group: usize, stop: &Stop) -> mlua::Result<()> {
        let Some(instance) = self.groups.get(group).and_then(Option::as_ref) else { return Ok(()) };
        bridge::switch_off(lua, &instance.records, stop.agent.slot, stop.callback)
    }

    /// Whether `yard.draw` collects.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn set_drawing(&self, drawing: bool) -> mlua::Result<()> {
        self.kit.shared.raw_set("drawing", drawing)
    }

    /// Names of the leaf states of every group, native and scripted, by group: what `other.state` says.
    pub fn set_state_names(&mut self, names: Vec<Vec<String>>) {
        self.state_names = names;
        self.named.clear();
    }

    /// Binds a program to a group; its agents are born at the next tick.
    ///
    /// # Errors
    /// When the loop does not compile, which is a fault of this program.
    pub fn bind(&mut self, live: &Live, binding: Binding) -> mlua::Result<Bound> {
        let group = binding.group;
        let instance = Instance::new(live, &self.kit, binding)?;
        let plan = Arc::clone(&instance.plan);
        if self.groups.len() <= group {
            self.groups.resize_with(group + 1, || None);
        }
        if self.state_names.len() <= group {
            self.state_names.resize_with(group + 1, Vec::new);
        }
        self.state_names[group] = instance.program.leaves.iter().map(|leaf| leaf.path.clone()).collect();
        self.named.clear();
        self.began = None;
        self.groups[group] = Some(instance);
        Ok(Bound { plan })
    }

    /// Sets sliders of a group: index and value, from the next call on.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn set_values(&mut self, lua: &Lua, group: usize, changes: &[(usize, Value)]) -> mlua::Result<()> {
        let Some(instance) = self.groups.get_mut(group).and_then(Option::as_mut) else { return Ok(()) };
        for (slider, value) in changes {
            if let Some(held) = instance.values.get_mut(*slider) {
                held.clone_from(value);
            }
        }
        instance.give_values(lua)
    }

    /// What every script may rely on in this tick: time, names, births of all groups, last tick's public memory. Does nothing
    /// when this tick has begun.
    ///
    /// # Errors
    /// When the machine is out of order; scripts' own errors are faults.
    pub fn begin_tick(&mut self, live: &Live, world: &Arc<World>) -> mlua::Result<()> {
        let lua = live.vm.lua();
        self.kit.context.borrow_mut().world = Some(Arc::clone(world));
        if self.began == Some((self.run, world.tick)) {
            return Ok(());
        }
        self.began = Some((self.run, world.tick));
        let (time, tick, dt) = (world.time(), world.tick as f64, world.dt());
        for (name, value) in [("time", time), ("tick", tick), ("dt", dt), ("hz", world.settings.tick_hz)] {
            self.kit.shared.raw_set(name, value)?;
        }
        self.kit.yard.set_readonly(false);
        for (name, value) in [("time", time), ("tick", tick), ("dt", dt)] {
            self.kit.yard.raw_set(name, value)?;
        }
        self.kit.yard.raw_set("planar", world.settings.planar)?;
        self.kit.yard.set_readonly(true);
        self.give_names(lua, world)?;
        for index in 0..world.groups.len() {
            self.births(live, world, index)?;
        }
        for index in 0..world.groups.len() {
            self.publish(lua, world, index)?;
        }
        Ok(())
    }

    fn give_names(&mut self, lua: &Lua, world: &World) -> mlua::Result<()> {
        if self.named.iter().eq(world.groups.iter().map(|group| &group.name)) && !self.named.is_empty() {
            return Ok(());
        }
        self.named = world.groups.iter().map(|group| group.name.clone()).collect();
        self.kit.shared.raw_set("groups", self.named.clone())?;
        let states = lua.create_table()?;
        let public = lua.create_table()?;
        for index in 0..world.groups.len() {
            let names = self.state_names.get(index).cloned().unwrap_or_default();
            states.raw_set(index + 1, names)?;
            let of = self.groups.get(index).and_then(Option::as_ref).and_then(|instance| instance.public.as_ref());
            match of {
                Some((table, _)) => public.raw_set(index + 1, table)?,
                None => public.raw_set(index + 1, false)?,
            }
        }
        self.kit.shared.raw_set("states", states)?;
        self.kit.shared.raw_set("public", public)?;
        let period = world.settings.space.period();
        self.kit.shared.raw_set("wrapped", period != glam::DVec3::ZERO)?;
        for (name, value) in [("wrap_x", period.x), ("wrap_y", period.y), ("wrap_z", period.z)] {
            self.kit.shared.raw_set(name, value)?;
        }
        let space = world.settings.space;
        self.kit.shared.raw_set("area_low", space.area.map(|area| vector(area.min)))?;
        self.kit.shared.raw_set("area_high", space.area.map(|area| vector(area.max)))?;
        self.kit.shared.raw_set("edge", space.edge.word())?;
        Ok(())
    }

    /// Makes records and memories for agents that have none yet.
    fn births(&mut self, live: &Live, world: &Arc<World>, index: usize) -> mlua::Result<()> {
        let Some(instance) = self.groups.get_mut(index).and_then(Option::as_mut) else { return Ok(()) };
        let born = instance.unborn(&world.groups[index], world);
        if born.is_empty() {
            return Ok(());
        }
        let lua = live.vm.lua();
        instance.fit(lua, world, born.len())?;
        instance.give_routes(lua, &world.groups[index])?;
        instance.enter_context(&self.kit, Turn::Birth)?;
        instance.bytes.clear();
        for slot in &born {
            instance.plan.columns.write(world, *slot, [0, 0, 1], &mut instance.bytes);
        }
        instance.input.write_bytes(0, &instance.bytes);
        let running = live.vm.guard(CALLBACK_BUDGET);
        let made = instance.birth.call::<()>((
            born.len(),
            &instance.input,
            &instance.state,
            world.tick as f64,
            &instance.routes,
        ));
        drop(running);
        for slot in &born {
            instance.lives[*slot as usize] = world.agents.generation[*slot as usize] + 1;
            instance.fresh[*slot as usize] = true;
        }
        let mut leavings = Leavings::default();
        if let Err(error) = made {
            live.vm.recover(&error);
            instance.fault(live, &self.kit, world, index, &error, &mut leavings)?;
            // Those behind the fault have no record yet: they are born in the next tick.
            for slot in &born {
                if instance.records.raw_get::<Lv>(*slot + 1)?.is_nil() {
                    instance.lives[*slot as usize] = 0;
                }
            }
        }
        instance.soft_faults(live, &self.kit, world, index, &mut leavings);
        self.early.append(leavings);
        Ok(())
    }

    /// Copies public memory, so that others read the last tick's.
    fn publish(&self, lua: &Lua, world: &World, index: usize) -> mlua::Result<()> {
        let Some(instance) = self.groups.get(index).and_then(Option::as_ref) else { return Ok(()) };
        let Some((table, memories)) = &instance.public else { return Ok(()) };
        let copy: Function = self.kit.kit.raw_get("publish")?;
        let members = &world.groups[index].members;
        let bytes: Vec<u8> = members.iter().flat_map(|slot| slot.to_le_bytes()).collect();
        let slots = lua.create_buffer(&bytes)?;
        for (memory, fields) in memories {
            copy.call::<()>((
                &instance.records,
                members.len(),
                &slots,
                fields.clone(),
                super::fields::memory_key(*memory),
                table,
            ))?;
        }
        Ok(())
    }

    /// Decides for all members of a group.
    ///
    /// # Errors
    /// When the machine is out of order; scripts' own errors are faults in the answer.
    pub fn decide(&mut self, live: &Live, world: &Arc<World>, index: usize) -> mlua::Result<Decision> {
        self.begin_tick(live, world)?;
        let mut decision = Decision { leavings: std::mem::take(&mut self.early), ..Decision::default() };
        // The first tick of a run is the trial that a reload gets beforehand: wrong writes are named with their line.
        let guarded = self.guarded || world.tick == 0;
        self.kit.shared.raw_set("guarded", guarded)?;
        let Some(instance) = self.groups.get_mut(index).and_then(Option::as_mut) else { return Ok(decision) };
        let group = &world.groups[index];
        let lua = live.vm.lua();
        instance.fit(lua, world, group.members.len())?;
        instance.give_routes(lua, group)?;
        instance.enter_context(&self.kit, Turn::Agent)?;
        let events = instance.write_input(lua, &self.kit, world, group)?;
        Foresight::begin(&self.kit)?;
        instance.drive(live, &self.kit, world, index, &events, guarded, &mut decision.leavings)?;
        instance.foresight.learn(&self.kit, group.members.len())?;
        self.kit.shared.raw_set("guarded", self.guarded)?;
        instance.soft_faults(live, &self.kit, world, index, &mut decision.leavings);
        decision.rows.resize(group.members.len() * instance.plan.out_stride, 0);
        bridge::read_into(&instance.output, &mut decision.rows);
        for slot in group.members.iter().filter(|slot| world.is_due(**slot as usize)) {
            instance.fresh[*slot as usize] = false;
        }
        let mut context = self.kit.context.borrow_mut();
        decision.acts = std::mem::take(&mut context.acts);
        decision.texts = std::mem::take(&mut context.texts);
        drop(context);
        self.collect(world, &mut decision.leavings);
        Ok(decision)
    }

    /// Takes what scripts left in the context.
    pub(super) fn collect(&mut self, world: &World, leavings: &mut Leavings) {
        let mut context = self.kit.context.borrow_mut();
        leavings.log.append(&mut context.log);
        leavings.plots.append(&mut context.plots);
        leavings.marks.append(&mut context.marks);
        let passages = context
            .transitions
            .drain(..)
            .map(|(line, slot)| Passage { line: line as usize, agent: world.agents.id(slot) });
        leavings.passages.extend(passages);
        for name in std::mem::take(&mut context.unknown_groups) {
            if !self.noted.contains(&name) {
                let names = world.groups.iter().map(|group| group.name.as_str());
                let near = crate::steer::nearest::did_you_mean(&name, names);
                let message = format!("a script asks for group `{name}`, which the scene lacks: it is empty{near}");
                leavings.problems.push(Problem::note("unknown-group", message));
                self.noted.insert(name);
            }
        }
        context.acts.clear();
        context.texts.clear();
        context.soft.clear();
        context.records = None;
        context.turn = Turn::Nobody;
        context.clear_moment();
    }
}

/// The scripted definition of a unit: its table and file.
pub(super) fn loaded<'a>(live: &'a Live, kind: UnitKind, name: &str) -> Option<&'a LoadedFile> {
    live.files.values().find(|loaded| {
        let space = match loaded.definition.kind() {
            Kind::Force => UnitKind::Force,
            Kind::Behavior | Kind::Machine => UnitKind::Behavior,
            _ => return false,
        };
        space == kind && loaded.definition.name() == name
    })
}

/// The texts of a definition and its modules.
pub(super) fn scan_texts(loaded: &LoadedFile, mentions: &mut Mentions) {
    let own = loaded.unit.source.iter();
    for source in own.chain(loaded.unit.modules.values()) {
        mentions.scan(&source.text);
    }
}

impl Instance {
    fn new(live: &Live, kit: &Kit, binding: Binding) -> mlua::Result<Self> {
        let lua = live.vm.lua();
        let program = binding.program;
        let mut mentions = Mentions::default();
        for unit in program.units.iter().filter(|unit| unit.scripted) {
            if let Some(loaded) = loaded(live, unit.kind, &unit.definition) {
                scan_texts(loaded, &mut mentions);
            }
        }
        let plan = Arc::new(Plan::new(&program, mentions));
        let machine = lua.create_table()?;
        let records = lua.create_table()?;
        machine.raw_set("records", &records)?;
        machine.raw_set("group", binding.name.as_str())?;
        for name in ["pool", "walls"] {
            machine.raw_set(name, lua.create_table()?)?;
        }
        let build = Build { lua, live, kit, program: &program, plan: &plan };
        let (functions, files) = build.functions()?;
        let places = functions.iter().map(bridge::place_of).collect();
        let (params, sliders) = (build.params()?, lua.create_table()?);
        let memory = build.memory_tables()?;
        build.describe(&machine, &functions, &params)?;
        kit.kit.raw_set("X", &machine)?;
        let text = generate(&program, &plan);
        let native = lua.app_data_ref::<Loading>().is_none_or(|loading| loading.native);
        let chunk = live.vm.compile(&format!("machine {}", program.name), &text, native)?;
        let (run, birth, own, check, fill): (Function, Function, Function, Function, Function) = chunk.call((
            &kit.kit,
            functions.clone(),
            params.clone(),
            &sliders,
            memory.defaults,
            memory.metas,
            memory.kinds,
            memory.bases,
            &kit.context.borrow().cur,
        ))?;
        machine.raw_set("own", own)?;
        machine.raw_set("check", check)?;
        machine.raw_set("fill", fill)?;
        let state = lua.create_buffer_with_capacity(plan.state_stride * 16)?;
        machine.raw_set("state", &state)?;
        let public: Vec<(usize, Vec<String>)> = plan
            .memories
            .iter()
            .enumerate()
            .filter(|(_, memory)| !memory.public.is_empty())
            .map(|(index, memory)| (index, memory.public.clone()))
            .collect();
        let public = if public.is_empty() { None } else { Some((lua.create_table()?, public)) };
        let instance = Self {
            name: binding.name,
            values: binding.values,
            machine,
            records,
            sliders,
            params,
            functions,
            places,
            files,
            run,
            birth,
            routes: lua.create_table()?,
            routes_of: Vec::new(),
            input: lua.create_buffer_with_capacity(plan.columns.stride * 16)?,
            output: lua.create_buffer_with_capacity(plan.out_stride * 16)?,
            state,
            rows_held: 16,
            slots_held: 16,
            bytes: Vec::new(),
            lives: Vec::new(),
            fresh: Vec::new(),
            reported: BTreeMap::new(),
            public,
            foresight: Foresight::default(),
            program,
            plan,
        };
        instance.give_values(lua)?;
        Ok(instance)
    }

    /// Writes slider values into the tables that scripts and the loop read.
    fn give_values(&self, lua: &Lua) -> mlua::Result<()> {
        for (index, value) in self.values.iter().enumerate() {
            self.sliders.raw_set(index + 1, to_lua(lua, value)?)?;
        }
        for (table, sources) in self.params.iter().zip(&self.plan.params) {
            table.set_readonly(false);
            let mut personal = false;
            for (name, source) in sources {
                match source {
                    Source::Slider(slider) => {
                        let value = self.values.get(*slider).map_or(Ok(Lv::Nil), |value| to_lua(lua, value))?;
                        table.raw_set(name.as_str(), value)?;
                    }
                    Source::Memory(_) => {
                        personal = true;
                        if table.raw_get::<Lv>(name.as_str())?.is_nil() {
                            table.raw_set(name.as_str(), 0.0)?;
                        }
                    }
                }
            }
            // A table that also follows memory is written by the loop.
            table.set_readonly(!personal);
        }
        Ok(())
    }

    /// The group's route as a read-only list.
    fn give_routes(&mut self, lua: &Lua, group: &Group) -> mlua::Result<()> {
        if self.routes_of == group.route && self.routes.is_readonly() {
            return Ok(());
        }
        self.routes_of.clone_from(&group.route);
        let points: Vec<_> = group.route.iter().map(|point| vector(*point)).collect();
        self.routes = lua.create_sequence_from(points)?;
        self.routes.set_readonly(true);
        for pair in self.records.clone().pairs::<Lv, Table>() {
            pair?.1.raw_set("route", &self.routes)?;
        }
        Ok(())
    }

    /// Makes room for rows and slots.
    fn fit(&mut self, lua: &Lua, world: &World, rows: usize) -> mlua::Result<()> {
        if rows > self.rows_held {
            self.rows_held = rows.next_power_of_two();
            self.input = lua.create_buffer_with_capacity(self.rows_held * self.plan.columns.stride)?;
            self.output = lua.create_buffer_with_capacity(self.rows_held * self.plan.out_stride)?;
        }
        let slots = world.agents.slots();
        if slots > self.slots_held {
            let old = self.state.to_vec();
            self.slots_held = slots.next_power_of_two();
            self.state = lua.create_buffer_with_capacity(self.slots_held * self.plan.state_stride)?;
            self.state.write_bytes(0, &old);
            self.machine.raw_set("state", &self.state)?;
        }
        if self.lives.len() < slots {
            self.lives.resize(slots, 0);
            self.fresh.resize(slots, false);
        }
        Ok(())
    }

    /// Members without a record, or with one of an earlier life of their slot.
    fn unborn(&self, group: &Group, world: &World) -> Vec<u32> {
        let missing = |slot: &&u32| {
            let life = world.agents.generation[**slot as usize] + 1;
            self.lives.get(**slot as usize).copied() != Some(life)
        };
        group.members.iter().filter(missing).copied().collect()
    }

    /// Tells host functions whose scripts run now.
    pub(super) fn enter_context(&self, kit: &Kit, turn: Turn) -> mlua::Result<()> {
        let mut context = kit.context.borrow_mut();
        context.begin_turn(turn);
        context.row_bits = self.plan.row_bits;
        context.callbacks.clone_from(&self.plan.callbacks);
        context.places.clone_from(&self.places);
        context.records = Some(self.records.clone());
        drop(context);
        kit.shared.raw_set("fill", self.machine.raw_get::<Function>("fill")?)?;
        kit.shared.raw_set("used", self.machine.raw_get::<Table>("pool")?)?;
        kit.shared.raw_set("walls", self.machine.raw_get::<Table>("walls")?)?;
        kit.shared.raw_set("lists", 0)
    }

    /// The leaf of an agent as the machine's state has it.
    pub(super) fn leaf(&self, slot: u32) -> u32 {
        u32::from_le_bytes(self.state.read_bytes::<4>(slot as usize * self.plan.state_stride))
    }

    /// Writes columns and flags of all members; gives the events of those that have some.
    fn write_input(&mut self, lua: &Lua, kit: &Kit, world: &World, group: &Group) -> mlua::Result<Table> {
        let events = lua.create_table()?;
        let periods = self.program.leaves.iter().any(|leaf| leaf.period.is_some());
        self.bytes.clear();
        for (index, slot) in group.members.iter().enumerate() {
            let due = world.is_due(*slot as usize);
            // What it hears while it is not due waits until it is.
            let heard = if due { world.events_for(*slot) } else { &[] };
            if !heard.is_empty() {
                let list = lua.create_table()?;
                for event in heard {
                    list.raw_push(bridge::event(lua, kit, &event.name, event.value.as_ref(), event.from)?)?;
                }
                events.raw_set(index + 1, list)?;
            }
            // An agent whose birth failed has no record: it waits for the next tick.
            let born = self.lives[*slot as usize] == world.agents.generation[*slot as usize] + 1;
            let fresh = self.fresh[*slot as usize];
            let due = due && (fresh || !heard.is_empty() || !periods || self.is_due(*slot, world));
            if !due {
                self.plan.columns.skip(*slot, &mut self.bytes);
                continue;
            }
            let flags = [u8::from(fresh), u8::from(!heard.is_empty()), u8::from(born)];
            self.plan.columns.write(world, *slot, flags, &mut self.bytes);
        }
        self.input.write_bytes(0, &self.bytes);
        Ok(events)
    }

    /// Looks up the neighbors that scripts of these members are expected to ask for.
    fn foresee(&mut self, lua: &Lua, kit: &Kit, world: &World, group: &Group, range: Range<usize>) -> mlua::Result<()> {
        let (stride, bytes) = (self.plan.columns.stride, &self.bytes);
        let due = |member: usize| bytes.get(member * stride + DUE).is_some_and(|due| *due == 1);
        self.foresight.look(lua, kit, (world, group), range, self.plan.row_bits, due)
    }

    fn is_due(&self, slot: u32, world: &World) -> bool {
        let leaf = self.program.leaves.get(self.leaf(slot) as usize);
        let Some(period) = leaf.and_then(|leaf| leaf.period) else { return true };
        is_due(slot, world.tick, period * world.settings.tick_hz)
    }

    /// Runs the loop over all members; after a fault it goes on at the next agent.
    #[expect(clippy::too_many_arguments, reason = "all of them are one call's own")]
    fn drive(
        &mut self,
        live: &Live,
        kit: &Kit,
        world: &Arc<World>,
        index: usize,
        events: &Table,
        guarded: bool,
        leavings: &mut Leavings,
    ) -> mlua::Result<()> {
        let members = &world.groups[index].members;
        let (mut first, mut last) = (1, 0);
        while first <= members.len() {
            if first > last {
                last = last.saturating_add(self.foresight.batch()).min(members.len());
                self.foresee(live.vm.lua(), kit, world, &world.groups[index], first - 1..last)?;
            }
            let running = live.vm.guard(CALLBACK_BUDGET);
            let result = self.run.call::<()>((
                first,
                last,
                &self.input,
                &self.output,
                &self.state,
                events,
                world.tick as f64,
                world.dt(),
                guarded,
            ));
            drop(running);
            let Err(error) = result else {
                first = last + 1;
                continue;
            };
            live.vm.recover(&error);
            let slot = kit.context.borrow().slot();
            let at = members.binary_search(&slot).ok().filter(|at| *at + 1 >= first);
            let Some(at) = at else { return Err(error) };
            self.fault(live, kit, world, index, &error, leavings)?;
            self.write_faulted(at, slot, world.tick);
            first = at + 2;
        }
        Ok(())
    }

    /// The output row of an agent whose turn broke off: no push, its state as it is.
    fn write_faulted(&self, at: usize, slot: u32, tick: u64) {
        let leaf = self.leaf(slot);
        let depth = self.program.leaves.get(leaf as usize).map_or(1, |leaf| leaf.chain.len());
        let since = self.state.read_bytes::<4>(slot as usize * self.plan.state_stride + 12 + 4 * depth);
        let entered = u64::from(u32::from_le_bytes(since)) == tick;
        let mut row = vec![0; self.plan.out_stride];
        let word = leaf | if entered { OUT_ENTERED } else { 0 } | super::plan::OUT_FAULTED;
        row[12..16].copy_from_slice(&word.to_le_bytes());
        row[16..24].copy_from_slice(&f64::NAN.to_le_bytes());
        self.output.write_bytes(at * self.plan.out_stride, &row);
    }
}

/// Whether an agent decides in this tick, when it decides every `ticks` ticks (any number from 1).
///
/// Its phase depends on its
/// slot by the golden ratio, which spreads neighbors in the list over the whole period, and its rate is exact on average.
pub fn is_due(slot: u32, tick: u64, ticks: f64) -> bool {
    if ticks <= 1.0 {
        return true;
    }
    let phase = (f64::from(slot) * 0.618_033_988_749_894_9).fract();
    let at = |tick: f64| (tick / ticks + phase + 1e-9).floor();
    tick == 0 || at(tick as f64) > at(tick as f64 - 1.0)
}

/// All row fields, for directors and metrics.
pub(super) const ALL_ROWS: u32 = row::ALL;
