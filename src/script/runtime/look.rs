//! What each scripted force and `step` does to one agent, for the inspector: called once more, with nothing left behind.

use std::sync::Arc;

use glam::DVec3;
use mlua::{Function, Table, Value as Lv};

use super::bridge::{Kit, filter_of};
use super::context::Turn;
use super::engine::{CALLBACK_BUDGET, Runtime};
use super::fields::memory_key;
use super::foresight::{Asked, Query};
use super::instance::Instance;
use super::plan::Role;
use super::values::dvec3;
use crate::machine::program::Source;
use crate::script::reload::Live;
use crate::sim::{NeighborFilter, World};
use crate::steer::Sighting;

/// A call that is looked at: its callback, whose unit it is, its parameter table, and what its result is weighted with.
struct Look {
    key: String,
    number: usize,
    unit: usize,
    table: usize,
    weight: f64,
    scale: Option<usize>,
}

/// What a call gave, and the first neighbors that it asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// Key of the force in the blend, or of the step.
    pub key: String,
    /// Its weighted push, m/s² or m/s.
    pub push: DVec3,
    /// What it asked `agent:neighbors` first, if it did.
    pub query: Option<Query>,
}

impl Share {
    /// Whom the call saw.
    pub fn found(self, world: &World, slot: u32) -> Option<Sighting> {
        let query = self.query?;
        let filter = filter_of(world, world.agents.group[slot as usize], query.group.as_deref())?;
        let mut rows = Vec::new();
        let asked = NeighborFilter { half_angle: query.half_angle, ..filter };
        world.neighbors(slot, query.radius, asked, &mut rows);
        Some(Sighting {
            key: self.key,
            force: String::new(),
            radius: query.radius,
            half_angle: query.half_angle.filter(|half| *half < std::f64::consts::PI),
            from: filter.group,
            found: rows.into_iter().map(|row| (row.slot, row.offset)).collect(),
        })
    }
}

impl Runtime {
    /// The weighted shares of an agent's scripted forces and steps, in the order in which the loop adds them. The agent's fields
    /// are those of its last decision; acts, logs and memory are as if nobody had looked.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn shares(&self, live: &Live, world: &Arc<World>, index: usize, slot: u32) -> mlua::Result<Vec<Share>> {
        let Some(instance) = self.groups.get(index).and_then(Option::as_ref) else { return Ok(Vec::new()) };
        if !instance.is_current(slot, world) {
            return Ok(Vec::new());
        }
        let Lv::Table(record) = instance.records.raw_get::<Lv>(slot + 1)? else { return Ok(Vec::new()) };
        let looks = instance.looks(slot, &record)?;
        if looks.is_empty() {
            return Ok(Vec::new());
        }
        let before = {
            let mut context = self.kit.context.borrow_mut();
            context.world = Some(Arc::clone(world));
            (context.log.len(), context.plots.len(), context.marks.len())
        };
        instance.enter_context(&self.kit, Turn::Agent)?;
        self.kit.shared.raw_set("quiet", true)?;
        self.kit.context.borrow().cur.write_bytes(0, &slot.to_le_bytes());
        let shares = instance.call_all(live, &self.kit, &record, &looks);
        self.kit.shared.raw_set("quiet", false)?;
        let mut context = self.kit.context.borrow_mut();
        context.log.truncate(before.0);
        context.plots.truncate(before.1);
        context.marks.truncate(before.2);
        context.asked = Asked::default();
        context.soft.clear();
        context.records = None;
        context.turn = Turn::Nobody;
        context.clear_moment();
        shares
    }
}

impl Instance {
    fn looks(&self, slot: u32, record: &Table) -> mlua::Result<Vec<Look>> {
        let index = self.leaf(slot) as usize;
        let Some(leaf) = self.program.leaves.get(index) else { return Ok(Vec::new()) };
        let mut looks = Vec::new();
        for node in &leaf.chain {
            let Some(number) = self.plan.number(&Role::Step(*node)) else { continue };
            let (unit, path) = (self.program.nodes[*node].unit, self.program.nodes[*node].path.as_str());
            let key = if path.is_empty() { "step".to_owned() } else { format!("{path}.step") };
            looks.push(Look { key, number, unit, table: unit, weight: 1.0, scale: None });
        }
        for (position, term) in leaf.terms.iter().enumerate() {
            let scale = term.scale.and_then(|node| self.plan.number(&Role::Scale(node, term.key.clone())));
            let weight = self.number(term.weight, record)?;
            let force = self.plan.force(&self.program, index, position, term).filter(|_| weight != 0.0);
            let Some((number, unit, table)) = force else { continue };
            looks.push(Look { key: term.key.clone(), number, unit, table, weight, scale });
        }
        Ok(looks)
    }

    fn value(&self, source: Source, record: &Table) -> mlua::Result<Lv> {
        match source {
            Source::Slider(slider) => Ok(match self.values.get(slider).and_then(crate::steer::param::Value::number) {
                Some(number) => Lv::Number(number),
                None => Lv::Nil,
            }),
            Source::Memory(field) => {
                let key = memory_key(self.plan.memory_of(field).unwrap_or(0));
                let memory: Table = record.raw_get(key)?;
                memory.raw_get(self.program.memory[field].spec.name.as_str())
            }
        }
    }

    fn number(&self, source: Source, record: &Table) -> mlua::Result<f64> {
        Ok(self.value(source, record)?.as_f64().unwrap_or(0.0))
    }

    /// Calls all, and puts memory back as it was.
    fn call_all(&self, live: &Live, kit: &Kit, record: &Table, looks: &[Look]) -> mlua::Result<Vec<Share>> {
        let (copy, restore): (Function, Function) =
            (kit.kit.raw_get("copy_fields")?, kit.kit.raw_get("restore_fields")?);
        let keys = (0..self.plan.memories.len()).map(memory_key);
        let memories = keys.map(|key| record.raw_get::<Lv>(key)).collect::<mlua::Result<Vec<_>>>()?;
        let kept = memories.iter().map(|memory| copy.call::<Lv>(memory)).collect::<mlua::Result<Vec<_>>>()?;
        let mut shares = Vec::new();
        for look in looks {
            kit.context.borrow_mut().asked = Asked::default();
            // A callback that faults here faults in the run as well, and is named there.
            if let Ok(Some(push)) = self.call_one(live, record, look) {
                let query = std::mem::take(&mut kit.context.borrow_mut().asked).first();
                shares.push(Share { key: look.key.clone(), push, query });
            }
        }
        for (memory, kept) in memories.into_iter().zip(kept) {
            restore.call::<()>((memory, kept))?;
        }
        Ok(shares)
    }

    fn call_one(&self, live: &Live, record: &Table, look: &Look) -> mlua::Result<Option<DVec3>> {
        if let Lv::Table(off) = record.raw_get::<Lv>("@off")?
            && off.raw_get::<Option<bool>>(look.number)?.is_some()
        {
            return Ok(None);
        }
        let own: Function = self.machine.raw_get("own")?;
        own.call::<()>((record, look.unit + 1))?;
        let mut factor = look.weight;
        if let Some(scale) = look.scale {
            let params = &self.params[self.plan.callbacks[scale - 1].unit];
            factor *= self.functions[scale - 1].call::<f64>((record, params))?;
        }
        let params = &self.params[look.table];
        for (name, source) in &self.plan.params[look.table] {
            if matches!(source, Source::Memory(_)) {
                params.raw_set(name.as_str(), self.value(*source, record)?)?;
            }
        }
        let running = live.vm.guard(CALLBACK_BUDGET);
        let result = self.functions[look.number - 1].call::<Lv>((record, params));
        drop(running);
        if let Err(error) = &result {
            live.vm.recover(error);
        }
        Ok(match result? {
            Lv::Vector(push) => Some(dvec3(push) * factor),
            _ => None,
        })
    }
}
