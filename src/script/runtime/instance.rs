//! A program bound to a group: its buffers, and one crossing into the machine per tick.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use mlua::{Buffer, Function, Lua, Table, Value as Lv};

use super::bridge::{self, Kit};
use super::build::Build;
use super::context::Turn;
use super::engine::{CALLBACK_BUDGET, loaded, scan_texts};
use super::fields::DUE;
use super::foresight::Foresight;
use super::generate::generate;
use super::mentions::Mentions;
use super::plan::{OUT_ENTERED, Plan};
use super::request::{Binding, Leavings};
use super::values::{to_lua, vector};
use crate::machine::program::{Program, Source};
use crate::scene::problem::Problem;
use crate::script::reload::Live;
use crate::script::require::Loading;
use crate::sim::{Group, World};
use crate::steer::param::Value;

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
    pub(super) sliders: Table,
    pub(super) params: Vec<Table>,
    pub(super) functions: Vec<Function>,
    pub(super) places: Vec<String>,
    pub(super) files: Vec<String>,
    pub(super) run: Function,
    pub(super) birth: Function,
    pub(super) routes: Table,
    pub(super) routes_of: Vec<glam::DVec3>,
    pub(super) input: Buffer,
    pub(super) output: Buffer,
    pub(super) state: Buffer,
    pub(super) rows_held: usize,
    pub(super) slots_held: usize,
    pub(super) bytes: Vec<u8>,
    /// Life of the agent that each slot's record belongs to, counted from 1; 0 for none.
    pub(super) lives: Vec<u32>,
    /// Slots whose agent has not entered its state yet.
    pub(super) fresh: Vec<bool>,
    /// The first problem of each callback that faulted.
    pub(super) reported: BTreeMap<usize, Problem>,
    pub(super) public: Option<(Table, PublicFields)>,
    pub(super) foresight: Foresight,
}

impl Instance {
    pub(super) fn new(live: &Live, kit: &Kit, binding: Binding) -> mlua::Result<Self> {
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
    pub(super) fn give_values(&self, lua: &Lua) -> mlua::Result<()> {
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
    pub(super) fn give_routes(&mut self, lua: &Lua, group: &Group) -> mlua::Result<()> {
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
    pub(super) fn fit(&mut self, lua: &Lua, world: &World, rows: usize) -> mlua::Result<()> {
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
    pub(super) fn unborn(&self, group: &Group, world: &World) -> Vec<u32> {
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
    pub(super) fn write_input(&mut self, lua: &Lua, kit: &Kit, world: &World, group: &Group) -> mlua::Result<Table> {
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
    pub(super) fn foresee(
        &mut self,
        lua: &Lua,
        kit: &Kit,
        world: &World,
        group: &Group,
        range: Range<usize>,
    ) -> mlua::Result<()> {
        let (stride, bytes) = (self.plan.columns.stride, &self.bytes);
        let due = |member: usize| bytes.get(member * stride + DUE).is_some_and(|due| *due == 1);
        self.foresight.look(lua, kit, (world, group), range, self.plan.row_bits, due)
    }

    pub(super) fn is_due(&self, slot: u32, world: &World) -> bool {
        let leaf = self.program.leaves.get(self.leaf(slot) as usize);
        let Some(period) = leaf.and_then(|leaf| leaf.period) else { return true };
        is_due(slot, world.tick, period * world.settings.tick_hz)
    }

    /// Runs the loop over all members; after a fault it goes on at the next agent.
    #[expect(clippy::too_many_arguments, reason = "all of them are one call's own")]
    pub(super) fn drive(
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
    pub(super) fn write_faulted(&self, at: usize, slot: u32, tick: u64) {
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
fn is_due(slot: u32, tick: u64, ticks: f64) -> bool {
    if ticks <= 1.0 {
        return true;
    }
    let phase = (f64::from(slot) * 0.618_033_988_749_894_9).fract();
    let at = |tick: f64| (tick / ticks + phase + 1e-9).floor();
    tick == 0 || at(tick as f64) > at(tick as f64 - 1.0)
}
