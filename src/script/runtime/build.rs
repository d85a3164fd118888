//! What is made once when a program is bound to a group: its functions, parameters, memories and tables of nodes.

use mlua::{Function, Lua, Table, Value as Lv};

use super::bridge::Kit;
use super::engine::loaded;
use super::plan::{Plan, Role};
use crate::machine::program::{Program, UnitKind};
use crate::script::load::LoadedFile;
use crate::script::reload::Live;

/// Tables of memories: defaults, metatables, kinds and base types, by memory from 1; metatable 0 is of those without memory.
pub(super) struct MemoryTables {
    pub(super) defaults: Table,
    pub(super) metas: Table,
    pub(super) kinds: Table,
    pub(super) bases: Table,
}

/// Everything that is made once per binding.
pub(super) struct Build<'a> {
    pub(super) lua: &'a Lua,
    pub(super) live: &'a Live,
    pub(super) kit: &'a Kit,
    pub(super) program: &'a Program,
    pub(super) plan: &'a Plan,
}

impl Build<'_> {
    fn unit_table(&self, unit: usize) -> Option<&LoadedFile> {
        let unit = &self.program.units[unit];
        loaded(self.live, unit.kind, &unit.definition)
    }

    /// The table of a node in its definition.
    fn node_table(&self, node: usize) -> mlua::Result<Option<Table>> {
        let node = &self.program.nodes[node];
        let Some(loaded) = self.unit_table(node.unit) else { return Ok(None) };
        let mut table = loaded.table.clone();
        for part in node.local_path.split('.').filter(|part| !part.is_empty()) {
            let states: Table = table.raw_get("states")?;
            table = states.raw_get(part)?;
        }
        Ok(Some(table))
    }

    /// The functions of all callbacks, with their files.
    pub(super) fn functions(&self) -> mlua::Result<(Vec<Function>, Vec<String>)> {
        let mut functions = Vec::with_capacity(self.plan.callbacks.len());
        let mut files = Vec::with_capacity(self.plan.callbacks.len());
        for callback in &self.plan.callbacks {
            let found = self.function(&callback.role)?;
            let Some(function) = found else {
                return Err(mlua::Error::runtime(format!(
                    "{} of `{}` is not there",
                    callback.title, self.program.name
                )));
            };
            functions.push(function);
            files.push(self.unit_table(callback.unit).map_or_else(String::new, |loaded| loaded.file.clone()));
        }
        Ok((functions, files))
    }

    fn function(&self, role: &Role) -> mlua::Result<Option<Function>> {
        let field = |node: usize, name: &str| -> mlua::Result<Option<Function>> {
            self.node_table(node)?.map_or(Ok(None), |table| table.raw_get(name))
        };
        let nested = |node: usize, outer: &str, key: &str, name: &str| -> mlua::Result<Option<Function>> {
            let Some(table) = self.node_table(node)? else { return Ok(None) };
            let Some(outer) = table.raw_get::<Option<Table>>(outer)? else { return Ok(None) };
            let Lv::Table(entry) = outer.raw_get::<Lv>(key)? else { return Ok(None) };
            entry.raw_get(name)
        };
        match role {
            Role::Step(node) => field(*node, "step"),
            Role::Enter(node) => field(*node, "enter"),
            Role::Exit(node) => field(*node, "exit"),
            Role::On(node, event) => {
                let on = self.node_table(*node)?.map_or(Ok(None), |table| table.raw_get::<Option<Table>>("on"))?;
                on.map_or(Ok(None), |on| on.raw_get(event.as_str()))
            }
            Role::When(node, index, _) => {
                let lines =
                    self.node_table(*node)?.map_or(Ok(None), |table| table.raw_get::<Option<Table>>("transitions"))?;
                let line = lines.map_or(Ok(None), |lines| lines.raw_get::<Option<Table>>(index + 1))?;
                line.map_or(Ok(None), |line| line.raw_get("when"))
            }
            Role::Scale(node, key) => nested(*node, "forces", key, "scale"),
            Role::InPlace(node, key) => nested(*node, "forces", key, "compute"),
            Role::Force(name) => match loaded(self.live, UnitKind::Force, name) {
                Some(loaded) => loaded.table.raw_get("compute"),
                None => Ok(None),
            },
            Role::Default(index) => {
                let spec = &self.program.memory[*index];
                let Some(loaded) = loaded(self.live, spec.kind, &spec.definition) else { return Ok(None) };
                let memory: Option<Table> = loaded.table.raw_get("memory")?;
                memory.map_or(Ok(None), |memory| memory.raw_get(spec.spec.name.as_str()))
            }
        }
    }

    pub(super) fn params(&self) -> mlua::Result<Vec<Table>> {
        let make: Function = self.kit.kit.raw_get("params")?;
        let tables = self.plan.params.iter().map(|sources| {
            let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
            make.call::<Table>(names)
        });
        tables.collect()
    }

    pub(super) fn memory_tables(&self) -> mlua::Result<MemoryTables> {
        let lua = self.lua;
        let make: Function = self.kit.kit.raw_get("memory_meta")?;
        let tables = MemoryTables {
            defaults: lua.create_table()?,
            metas: lua.create_table()?,
            kinds: lua.create_table()?,
            bases: lua.create_table()?,
        };
        // Whoever declares no memory gets an empty one that says so.
        let nothing = lua.create_table()?;
        nothing.set_metatable(Some(make.call::<Table>((Vec::<String>::new(), "agent.memory"))?))?;
        tables.metas.raw_set(0, nothing)?;
        tables.kinds.raw_set(0, lua.create_table()?)?;
        for (index, memory) in self.plan.memories.iter().enumerate() {
            let defaults = lua.create_table()?;
            let kinds = lua.create_table()?;
            let bases = lua.create_table()?;
            let source: Option<Table> = match loaded(self.live, memory.kind, &memory.definition) {
                Some(loaded) => loaded.table.raw_get("memory")?,
                None => None,
            };
            let mut names = Vec::new();
            for field in &memory.fields {
                let spec = &self.program.memory[*field].spec;
                names.push(spec.name.as_str());
                let Some(default) = &spec.default else { continue };
                let value = match &source {
                    Some(source) => source.raw_get::<Lv>(spec.name.as_str())?,
                    None => super::memory::default_to_lua(lua, default)?,
                };
                bases.raw_set(spec.name.as_str(), value.type_name())?;
                defaults.raw_set(spec.name.as_str(), value)?;
                kinds.raw_set(spec.name.as_str(), default.kind())?;
            }
            tables.metas.raw_set(index + 1, make.call::<Table>((names, "agent.memory"))?)?;
            tables.defaults.raw_set(index + 1, defaults)?;
            tables.kinds.raw_set(index + 1, kinds)?;
            tables.bases.raw_set(index + 1, bases)?;
        }
        Ok(tables)
    }

    /// What the prelude must know of states and lines.
    pub(super) fn describe(&self, machine: &Table, functions: &[Function], params: &[Table]) -> mlua::Result<()> {
        let (lua, program, plan) = (self.lua, self.program, self.plan);
        machine.raw_set("F", functions.to_vec())?;
        machine.raw_set("P", params.to_vec())?;
        machine.raw_set("paths", program.leaves.iter().map(|leaf| leaf.path.clone()).collect::<Vec<_>>())?;
        let chains: Vec<Vec<usize>> =
            program.leaves.iter().map(|leaf| leaf.chain.iter().map(|node| node + 1).collect()).collect();
        machine.raw_set("chains", chains)?;
        let nodes = lua.create_table()?;
        let lines = lua.create_table()?;
        let mut number = 0;
        for (index, node) in program.nodes.iter().enumerate() {
            let table = lua.create_table()?;
            table.raw_set("unit", node.unit + 1)?;
            table.raw_set("enter", plan.number(&Role::Enter(index)))?;
            table.raw_set("exit", plan.number(&Role::Exit(index)))?;
            table.raw_set("history", plan.history.get(&index).copied())?;
            table.raw_set("initial", node.initial.map(|initial| initial + 1))?;
            table.raw_set("leaf", program.leaves.iter().position(|leaf| leaf.node == index))?;
            if !node.on.is_empty() {
                let on = lua.create_table()?;
                for event in &node.on {
                    on.raw_set(event.as_str(), plan.number(&Role::On(index, event.clone())))?;
                }
                table.raw_set("on", on)?;
            }
            nodes.raw_set(index + 1, table)?;
            let resets: Vec<usize> = (index..program.nodes.len())
                .filter(|inner| self.is_within(*inner, index))
                .flat_map(|inner| program.nodes[inner].lines.iter().map(|line| plan.counters[line.counter]))
                .collect();
            for line in &node.lines {
                number += 1;
                let table = lua.create_table()?;
                table.raw_set("depth", node.depth)?;
                table.raw_set("to", line.to + 1)?;
                table.raw_set("number", number)?;
                table.raw_set("resets", resets.clone())?;
                lines.raw_set(number, table)?;
            }
        }
        machine.raw_set("nodes", nodes)?;
        machine.raw_set("lines", lines)
    }

    fn is_within(&self, inner: usize, outer: usize) -> bool {
        let mut at = Some(inner);
        while let Some(node) = at {
            if node == outer {
                return true;
            }
            at = self.program.nodes[node].parent;
        }
        false
    }
}
