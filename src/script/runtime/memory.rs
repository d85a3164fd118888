//! What agents keep, as plain data: for the state hash, for reloads, for snapshots and the inspector.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Lua, LuaString, Table, Value as Lv};

use super::context::Turn;
use super::engine::Runtime;
use super::fields::memory_key;
use super::instance::Instance;
use super::values::{from_lua, to_lua};
use crate::machine::def::MemoryValue;
use crate::machine::program::Program;
use crate::script::migrate::migrate;
use crate::script::reload::Live;
use crate::sim::{AgentId, StateHash, World};
use crate::steer::param::Value;

/// A value of memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Number, boolean, vector or text.
    One(Value),
    /// A list.
    List(Vec<Self>),
    /// A table with names, in name order.
    Table(BTreeMap<String, Self>),
}

/// Tables nested deeper than this are cut.
const DEEPEST: usize = 8;

impl Datum {
    /// Reads a value of Luau; none for what cannot be kept.
    pub fn from_lua(value: &Lv, depth: usize) -> Option<Self> {
        if let Some(plain) = from_lua(value) {
            return Some(Self::One(plain));
        }
        let Lv::Table(table) = value else { return None };
        if depth >= DEEPEST {
            return None;
        }
        let length = table.raw_len();
        if length > 0 {
            let entries = (1..=length)
                .map(|index| table.raw_get::<Lv>(index).ok().and_then(|entry| Self::from_lua(&entry, depth + 1)));
            return entries.collect::<Option<Vec<_>>>().map(Self::List);
        }
        let mut fields = BTreeMap::new();
        for (key, value) in table.pairs::<Lv, Lv>().filter_map(Result::ok) {
            if let (Ok(key), Some(value)) = (key.to_string(), Self::from_lua(&value, depth + 1)) {
                fields.insert(key, value);
            }
        }
        Some(Self::Table(fields))
    }

    /// Writes it for Luau.
    pub fn to_lua(&self, lua: &Lua) -> mlua::Result<Lv> {
        Ok(match self {
            Self::One(value) => to_lua(lua, value)?,
            Self::List(entries) => {
                let table = lua.create_table_with_capacity(entries.len(), 0)?;
                for entry in entries {
                    table.raw_push(entry.to_lua(lua)?)?;
                }
                Lv::Table(table)
            }
            Self::Table(fields) => {
                let table = lua.create_table()?;
                for (name, value) in fields {
                    table.raw_set(name.as_str(), value.to_lua(lua)?)?;
                }
                Lv::Table(table)
            }
        })
    }

    /// Takes it into a hash, with its type.
    pub fn hash_into(&self, hash: &mut StateHash) {
        match self {
            Self::One(Value::Number(number)) => {
                hash.integer(1);
                hash.number(*number);
            }
            Self::One(Value::Bool(flag)) => hash.integer(2 + u64::from(*flag)),
            Self::One(Value::Vector(v)) => {
                hash.integer(4);
                hash.vector(*v);
            }
            Self::One(Value::Text(text)) => {
                hash.integer(5);
                hash.text(text);
            }
            Self::List(entries) => {
                hash.integer(6);
                hash.integer(entries.len() as u64);
                for entry in entries {
                    entry.hash_into(hash);
                }
            }
            Self::Table(fields) => {
                hash.integer(7);
                hash.integer(fields.len() as u64);
                for (name, value) in fields {
                    hash.text(name);
                    value.hash_into(hash);
                }
            }
        }
    }

    /// Whether it fits a field whose default is `value`: lists of a fixed length agree in it and in the type of their entries,
    /// a table takes whatever tables are filled with.
    pub fn fits(&self, value: &Lv) -> bool {
        match (self, Self::from_lua(value, 0)) {
            (Self::One(one), Some(Self::One(other))) => other.kind() == one.kind(),
            (Self::List(_) | Self::Table(_), Some(Self::Table(_))) => true,
            (Self::List(_), Some(other @ Self::List(_))) => other.kind() == self.kind(),
            _ => false,
        }
    }

    /// Its type, as an author would say it.
    pub fn kind(&self) -> String {
        match self {
            Self::One(value) => value.kind().to_owned(),
            Self::List(entries) => {
                let of = entries.first().map_or_else(|| "nothing".to_owned(), Self::kind);
                format!("list of {} {of}s", entries.len())
            }
            Self::Table(_) => "table".to_owned(),
        }
    }
}

/// A default as Luau holds it, for definitions that no script wrote.
pub(super) fn default_to_lua(lua: &Lua, default: &MemoryValue) -> mlua::Result<Lv> {
    match default {
        MemoryValue::One(value) => to_lua(lua, value),
        MemoryValue::List(values) => {
            let table = lua.create_table()?;
            for value in values {
                table.raw_push(to_lua(lua, value)?)?;
            }
            Ok(Lv::Table(table))
        }
        MemoryValue::Table => lua.create_table().map(Lv::Table),
    }
}

/// What one agent keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberState {
    /// Whose.
    pub agent: AgentId,
    /// Leaf state, an index into the program's.
    pub leaf: usize,
    /// Ticks at which it entered the states of its chain, outermost first.
    pub since: Vec<u64>,
    /// Hold counters, one per line.
    pub counters: Vec<u32>,
    /// Machines with history and the state (a node) that each would resume.
    pub history: Vec<(usize, usize)>,
    /// Memory, by field of the program.
    pub memory: Vec<Option<Datum>>,
    /// Whether it still has to enter its state.
    pub fresh: bool,
}

/// What a group keeps: plain data that may be sent anywhere and put into another machine.
#[derive(Clone, Debug)]
pub struct GroupState {
    /// The program it belongs to.
    pub program: Arc<Program>,
    /// Members, ascending.
    pub members: Vec<MemberState>,
}

/// What an import did with states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Agents that kept their state.
    pub kept: usize,
    /// States that are gone, where their agents went, and how many.
    pub moved: Vec<(String, String, usize)>,
    /// Memory fields of another type than before, which got their new default.
    pub retyped: Vec<String>,
}

/// Names of memories and fields as the machine holds them, made once for all agents.
struct Names {
    /// Key of each memory in a record.
    memories: Vec<LuaString>,
    /// Name of each field of the program.
    fields: Vec<LuaString>,
}

impl Names {
    fn of(lua: &Lua, instance: &Instance) -> mlua::Result<Self> {
        let memories = (0..instance.plan.memories.len()).map(|index| lua.create_string(memory_key(index)));
        let fields = instance.program.memory.iter().map(|field| lua.create_string(&field.spec.name));
        Ok(Self { memories: memories.collect::<mlua::Result<_>>()?, fields: fields.collect::<mlua::Result<_>>()? })
    }
}

impl Instance {
    fn number_at(&self, slot: u32, offset: usize) -> u32 {
        u32::from_le_bytes(self.state.read_bytes::<4>(slot as usize * self.plan.state_stride + offset))
    }

    fn put_number(&self, slot: u32, offset: usize, number: u32) {
        self.state.write_bytes(slot as usize * self.plan.state_stride + offset, &number.to_le_bytes());
    }

    pub(super) fn is_current(&self, slot: u32, world: &World) -> bool {
        let life = world.agents.generation.get(slot as usize).map(|generation| generation + 1);
        life.is_some() && self.lives.get(slot as usize).copied() == life
    }

    /// The memory of an agent, by field of the program.
    fn memory(&self, names: &Names, slot: u32) -> mlua::Result<Vec<Option<Datum>>> {
        let mut memory = vec![None; self.program.memory.len()];
        let Lv::Table(record) = self.records.raw_get::<Lv>(slot + 1)? else { return Ok(memory) };
        for (index, of) in self.plan.memories.iter().enumerate() {
            let Lv::Table(table) = record.raw_get::<Lv>(&names.memories[index])? else { continue };
            for field in &of.fields {
                let value = table.raw_get::<Lv>(&names.fields[*field])?;
                memory[*field] = Datum::from_lua(&value, 0);
            }
        }
        Ok(memory)
    }

    fn member(&self, names: &Names, slot: u32, world: &World) -> mlua::Result<MemberState> {
        let leaf = self.leaf(slot) as usize;
        let depth = self.program.leaves.get(leaf).map_or(1, |leaf| leaf.chain.len());
        Ok(MemberState {
            agent: world.agents.id(slot),
            leaf,
            since: (1..=depth).map(|depth| u64::from(self.number_at(slot, 12 + 4 * depth))).collect(),
            counters: self.plan.counters.iter().map(|offset| self.number_at(slot, *offset)).collect(),
            history: self
                .plan
                .history
                .iter()
                .filter_map(|(node, offset)| Some((*node, (self.number_at(slot, *offset) as usize).checked_sub(1)?)))
                .collect(),
            memory: self.memory(names, slot)?,
            fresh: self.fresh[slot as usize],
        })
    }
}

impl Runtime {
    /// One number per member: a hash of state, entry times, hold counters, history and memory.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn digest(&self, lua: &Lua, world: &World, index: usize, out: &mut Vec<u64>) -> mlua::Result<()> {
        let Some(group) = world.groups.get(index) else { return Ok(()) };
        let instance = self.groups.get(index).and_then(Option::as_ref);
        let instance = instance.map(|instance| Names::of(lua, instance).map(|names| (instance, names))).transpose()?;
        for slot in &group.members {
            let mut hash = StateHash::new();
            if let Some((instance, names)) = instance.as_ref().filter(|(instance, _)| instance.is_current(*slot, world))
            {
                let state = instance.member(names, *slot, world)?;
                hash.integer(state.leaf as u64);
                for tick in &state.since {
                    hash.integer(*tick);
                }
                for counter in &state.counters {
                    hash.integer(u64::from(*counter));
                }
                for (node, resumed) in &state.history {
                    hash.integer(*node as u64);
                    hash.integer(*resumed as u64);
                }
                for datum in state.memory.iter().flatten() {
                    datum.hash_into(&mut hash);
                }
            }
            out.push(hash.finish());
        }
        Ok(())
    }

    /// What the members of a group keep.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn export(&self, lua: &Lua, world: &World, index: usize) -> mlua::Result<Option<GroupState>> {
        let instance = self.groups.get(index).and_then(Option::as_ref);
        let (Some(instance), Some(group)) = (instance, world.groups.get(index)) else { return Ok(None) };
        let names = Names::of(lua, instance)?;
        let current = group.members.iter().filter(|slot| instance.is_current(**slot, world));
        let members = current.map(|slot| instance.member(&names, *slot, world)).collect::<mlua::Result<Vec<_>>>()?;
        Ok(Some(GroupState { program: Arc::clone(&instance.program), members }))
    }

    /// Declared memory of one agent, for the inspector: definition, field, value.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn inspect(
        &self,
        lua: &Lua,
        world: &World,
        index: usize,
        slot: u32,
    ) -> mlua::Result<Vec<(String, String, Datum)>> {
        let Some(instance) = self.groups.get(index).and_then(Option::as_ref) else { return Ok(Vec::new()) };
        if !instance.is_current(slot, world) {
            return Ok(Vec::new());
        }
        let memory = instance.memory(&Names::of(lua, instance)?, slot)?;
        let fields = instance.program.memory.iter().zip(memory);
        Ok(fields
            .filter_map(|(field, datum)| Some((field.definition.clone(), field.spec.name.clone(), datum?)))
            .collect())
    }

    /// Puts kept state into a group that has just been bound: memory keeps fields of the same type, new ones have their
    /// default; a state that still exists is kept without `enter`, one that is gone goes where the reload rules say.
    ///
    /// # Errors
    /// When the machine is out of order.
    pub fn import(
        &mut self,
        live: &Live,
        world: &Arc<World>,
        index: usize,
        state: &GroupState,
    ) -> mlua::Result<ImportReport> {
        self.begin_tick(live, world)?;
        let mut report = ImportReport::default();
        let Some(instance) = self.groups.get_mut(index).and_then(Option::as_mut) else { return Ok(report) };
        instance.enter_context(&self.kit, Turn::Nobody)?;
        let migration = migrate(&state.program, &instance.program);
        let program = Arc::clone(&instance.program);
        let lua = live.vm.lua();
        let names = Names::of(lua, instance)?;
        let paths = program.leaves.iter().map(|leaf| lua.create_string(&leaf.path));
        let (paths, state_key) = (paths.collect::<mlua::Result<Vec<_>>>()?, lua.create_string("state")?);
        for member in &state.members {
            if world.agents.find(member.agent).is_none() || !instance.is_current(member.agent.slot, world) {
                continue;
            }
            let slot = member.agent.slot;
            let Some(target) = migration.leaves.get(member.leaf) else { continue };
            let chain = program.leaves[target.to].chain.len();
            instance.put_number(slot, 0, target.to as u32);
            for depth in 1..=chain {
                let since = member.since.get(depth - 1).or_else(|| member.since.last()).filter(|_| target.kept);
                instance.put_number(slot, 12 + 4 * depth, since.copied().unwrap_or(world.tick) as u32);
            }
            for (counter, old) in migration.counters.iter().enumerate() {
                let value = old.and_then(|old| member.counters.get(old)).filter(|_| target.kept);
                instance.put_number(slot, instance.plan.counters[counter], value.copied().unwrap_or(0));
            }
            for (node, resumed) in &member.history {
                instance.put_history(slot, &state.program, *node, *resumed);
            }
            instance.fresh[slot as usize] = member.fresh || !target.kept;
            if let Lv::Table(record) = instance.records.raw_get::<Lv>(slot + 1)? {
                instance.put_memory(lua, &names, &record, member, &migration.memory, &mut report.retyped)?;
                record.raw_set(&state_key, &paths[target.to])?;
            }
            if target.kept {
                report.kept += 1;
            } else {
                let path = program.leaves[target.to].path.as_str();
                let old = state.program.leaves.get(member.leaf).map_or("", |leaf| leaf.path.as_str());
                match report.moved.iter_mut().find(|(from, to, _)| from == old && to == path) {
                    Some(known) => known.2 += 1,
                    None => report.moved.push((old.to_owned(), path.to_owned(), 1)),
                }
            }
        }
        // Public memory must show what was put back, not the defaults.
        self.restart_tick();
        Ok(report)
    }
}

impl Instance {
    fn put_history(&self, slot: u32, old: &Program, node: usize, resumed: usize) {
        let find = |index: usize| {
            let path = old.nodes.get(index).map(|node| node.path.as_str())?;
            self.program.nodes.iter().position(|node| node.path == path)
        };
        if let (Some(machine), Some(resumed)) = (find(node), find(resumed))
            && let Some(offset) = self.plan.history.get(&machine)
        {
            self.put_number(slot, *offset, resumed as u32 + 1);
        }
    }

    fn put_memory(
        &self,
        lua: &Lua,
        names: &Names,
        record: &Table,
        member: &MemberState,
        sources: &[Option<usize>],
        retyped: &mut Vec<String>,
    ) -> mlua::Result<()> {
        for (index, of) in self.plan.memories.iter().enumerate() {
            let Lv::Table(table) = record.raw_get::<Lv>(&names.memories[index])? else { continue };
            for field in &of.fields {
                let old = sources.get(*field).copied().flatten();
                let Some(datum) = old.and_then(|old| member.memory.get(old)?.as_ref()) else { continue };
                let name = &names.fields[*field];
                // The new default stands there already: a function's type is known only by what it gave.
                if datum.fits(&table.raw_get::<Lv>(name)?) {
                    table.raw_set(name, datum.to_lua(lua)?)?;
                } else {
                    let name = &self.program.memory[*field].spec.name;
                    if !retyped.contains(name) {
                        retyped.push(name.clone());
                    }
                }
            }
        }
        Ok(())
    }
}
