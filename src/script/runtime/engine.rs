//! The runtime of one machine: programs bound to groups, their buffers, and the tick.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use mlua::{Function, Lua, Value as Lv};

use super::bridge::{self, Kit};
use super::context::Turn;
use super::director::Directors;
use super::fields::row;
use super::foresight::Foresight;
use super::formation::Formations;
use super::instance::Instance;
use super::mentions::Mentions;
use super::metric::Metrics;
use super::request::{Binding, Bound, Decision, Leavings, Passage, Stop};
use super::values::vector;
use crate::machine::program::UnitKind;
use crate::scene::problem::Problem;
use crate::script::api::define::Kind;
use crate::script::load::LoadedFile;
use crate::script::reload::Live;
use crate::sim::World;
use crate::steer::param::Value;

/// Time that one callback may take in one tick.
pub const CALLBACK_BUDGET: Duration = Duration::from_millis(5);

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

/// All row fields, for directors and metrics.
pub(super) const ALL_ROWS: u32 = row::ALL;
