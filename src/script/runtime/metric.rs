//! Metrics of scripts: one number per tick for a group, or for several seen as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, Table, Value as Lv};

use super::bridge::place_of;
use super::context::Turn;
use super::engine::{ALL_ROWS, CALLBACK_BUDGET, Runtime};
use super::faults::plain_problem;
use super::formation::{Given, param_table};
use super::memory::Datum;
use super::request::Leavings;
use super::values::number as number_of;
use crate::script::define::{Definition, MetricDef};
use crate::script::load::LoadedFile;
use crate::script::reload::Live;
use crate::sim::{Neighbor, World};
use crate::steer::param::Value;

/// A metric over some groups: its own memory and parameters.
struct Meter {
    memory: Table,
    kinds: Table,
    given: Vec<(String, Value)>,
    params: Table,
    off: bool,
}

/// All metrics in use, by metric and groups.
#[derive(Default)]
pub struct Metrics {
    meters: BTreeMap<(String, Vec<usize>), Meter>,
}

fn find<'a>(live: &'a Live, name: &str) -> Option<(&'a LoadedFile, &'a MetricDef)> {
    live.files.values().find_map(|loaded| match &loaded.definition {
        Definition::Metric(def) if def.name == name => Some((loaded, &**def)),
        _ => None,
    })
}

/// A fresh memory table of declared fields and their kinds; functions as defaults are called with `args`.
#[expect(clippy::needless_pass_by_value, reason = "arguments of Luau are handed over")]
pub(super) fn declared(
    live: &Live,
    kit: &Table,
    loaded: &LoadedFile,
    specs: &[crate::machine::def::MemorySpec],
    whose: &str,
    args: impl mlua::IntoLuaMulti + Clone,
) -> mlua::Result<(Table, Table)> {
    let lua = live.vm.lua();
    let (memory, kinds) = (lua.create_table()?, lua.create_table()?);
    let source: Option<Table> = loaded.table.raw_get("memory")?;
    let (copy, kind_of): (Function, Function) = (kit.raw_get("copy")?, kit.raw_get("kind_of")?);
    for spec in specs {
        let name = spec.name.as_str();
        let value = source.as_ref().map_or(Ok(Lv::Nil), |source| source.raw_get::<Lv>(name))?;
        let value = match value {
            Lv::Function(function) => function.call::<Lv>(args.clone())?,
            other => copy.call::<Lv>(other)?,
        };
        kinds.raw_set(name, kind_of.call::<Lv>(&value)?)?;
        memory.raw_set(name, value)?;
    }
    let meta: Function = kit.raw_get("memory_meta")?;
    let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
    memory.set_metatable(Some(meta.call::<Table>((names, whose))?))?;
    Ok((memory, kinds))
}

/// Refuses a memory whose fields have lost their types.
pub(super) fn check_memory(kit: &Table, memory: &Table, kinds: &Table, function: &Function) -> mlua::Result<()> {
    let misfit: Function = kit.raw_get("misfit")?;
    for pair in kinds.pairs::<String, String>() {
        let (name, kind) = pair?;
        let value = memory.raw_get::<Lv>(name.as_str())?;
        if let Some(why) = misfit.call::<Option<String>>((value, kind.as_str()))? {
            return Err(mlua::Error::RuntimeError(format!(
                "{}memory.{name} is a {kind} and {why}",
                place_of(function)
            )));
        }
    }
    Ok(())
}

/// The memory as plain data.
pub(super) fn export_table(memory: &Table) -> BTreeMap<String, Datum> {
    let pairs = memory.pairs::<String, Lv>().filter_map(Result::ok);
    pairs.filter_map(|(name, value)| Some((name, Datum::from_lua(&value, 0)?))).collect()
}

/// Puts back what has the same type.
pub(super) fn import_table(
    live: &Live,
    memory: &Table,
    kinds: &Table,
    kept: &BTreeMap<String, Datum>,
) -> mlua::Result<()> {
    for (name, datum) in kept {
        if kinds.raw_get::<Option<String>>(name.as_str())? == Some(datum.kind()) {
            memory.raw_set(name.as_str(), datum.to_lua(live.vm.lua())?)?;
        }
    }
    Ok(())
}

/// What a metric keeps for its groups.
pub type MeterState = ((String, Vec<usize>), BTreeMap<String, Datum>);

impl Runtime {
    /// The value of a metric over the given groups: none is a gap, also while the metric is off after a fault.
    ///
    /// # Errors
    /// When the machine is out of order; the script's own error is a fault in `leavings`.
    pub fn measure(
        &mut self,
        live: &Live,
        world: &Arc<World>,
        name: &str,
        groups: &[usize],
        given: &Given,
        leavings: &mut Leavings,
    ) -> mlua::Result<Option<f64>> {
        self.begin_tick(live, world)?;
        let Some((loaded, def)) = find(live, name) else { return Ok(None) };
        let key = (name.to_owned(), groups.to_vec());
        if !self.metrics.meters.contains_key(&key) {
            let meter = self.new_meter(live, loaded, def, given)?;
            self.metrics.meters.insert(key.clone(), meter);
        }
        let Some(meter) = self.metrics.meters.get_mut(&key) else { return Ok(None) };
        if meter.off {
            return Ok(None);
        }
        if meter.given.as_slice() != given {
            meter.params = param_table(live.vm.lua(), &self.kit.kit, &def.params, given)?;
            meter.given = given.to_vec();
        }
        let function: Function = loaded.table.raw_get("compute")?;
        let number = xxhash_rust::xxh3::xxh3_64(name.as_bytes()) ^ groups.first().map_or(0, |group| *group as u64 + 1);
        let title = groups.iter().filter_map(|group| world.groups.get(*group)).map(|group| group.name.as_str());
        let title = title.collect::<Vec<_>>().join("+");
        let mut members: Vec<u32> = groups
            .iter()
            .filter_map(|group| world.groups.get(*group))
            .flat_map(|group| group.members.clone())
            .collect();
        members.sort_unstable();
        let call = || -> mlua::Result<Option<f64>> {
            let count = {
                let mut context = self.kit.context.borrow_mut();
                context.begin_turn(Turn::Observer(number));
                context.row_bits = ALL_ROWS;
                context.records = None;
                context.clear_moment();
                context.neighbors.clear();
                let rows =
                    members.iter().map(|slot| Neighbor { slot: *slot, offset: glam::DVec3::ZERO, distance: 0.0 });
                context.neighbors.extend(rows);
                context.give_neighbors(live.vm.lua(), u32::MAX)?
            };
            use_own_rows(live, &self.kit.shared)?;
            let seen: Function = self.kit.kit.raw_get("seen_group")?;
            let group = seen.call::<Table>((title.as_str(), count, &meter.memory))?;
            let running = live.vm.guard(CALLBACK_BUDGET * 4);
            let result = function.call::<Lv>((group, &meter.params));
            drop(running);
            let result = result?;
            check_memory(&self.kit.kit, &meter.memory, &meter.kinds, &function)?;
            match result {
                Lv::Nil => Ok(None),
                other => match number_of(&other).filter(|number| number.is_finite()) {
                    Some(number) => Ok(Some(number)),
                    None => Err(mlua::Error::RuntimeError(format!(
                        "{}compute of `{name}` must return a finite number or nil, got {}",
                        place_of(&function),
                        other.to_string().unwrap_or_else(|_| other.type_name().to_owned())
                    ))),
                },
            }
        };
        let value = match call() {
            Ok(value) => value,
            Err(error) => {
                live.vm.recover(&error);
                if let Some(meter) = self.metrics.meters.get_mut(&key) {
                    meter.off = true;
                }
                leavings.faults += 1;
                let problem = plain_problem(live, &loaded.file, &format!("compute of `{name}`"), world.tick, &error);
                problem.group(title).add_to(&mut leavings.problems);
                None
            }
        };
        self.collect(world, leavings);
        Ok(value)
    }

    fn new_meter(&self, live: &Live, loaded: &LoadedFile, def: &MetricDef, given: &Given) -> mlua::Result<Meter> {
        let params = param_table(live.vm.lua(), &self.kit.kit, &def.params, given)?;
        let (memory, kinds) = declared(live, &self.kit.kit, loaded, &def.memory, "group.memory", &params)?;
        Ok(Meter { memory, kinds, given: given.to_vec(), params, off: false })
    }

    /// What metrics keep.
    pub fn export_metrics(&self) -> Vec<MeterState> {
        self.metrics.meters.iter().map(|(key, meter)| (key.clone(), export_table(&meter.memory))).collect()
    }

    /// Puts it into this machine; fields of another type keep their new default.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn import_metrics(&mut self, live: &Live, states: &[MeterState]) -> mlua::Result<()> {
        for (key, kept) in states {
            let Some((loaded, def)) = find(live, &key.0) else { continue };
            let meter = self.new_meter(live, loaded, def, &[])?;
            import_table(live, &meter.memory, &meter.kinds, kept)?;
            self.metrics.meters.insert(key.clone(), meter);
        }
        Ok(())
    }
}

/// Metrics and directors lend rows of their own, with every field.
pub(super) fn use_own_rows(live: &Live, shared: &Table) -> mlua::Result<()> {
    let own: Option<Table> = shared.raw_get("own_rows")?;
    let own = if let Some(own) = own {
        own
    } else {
        let own = live.vm.lua().create_table()?;
        shared.raw_set("own_rows", &own)?;
        own
    };
    shared.raw_set("used", own)?;
    shared.raw_set("lists", 0)
}
