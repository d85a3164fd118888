//! What a program needs from the machine: its callbacks by number, its memories, its parameter tables, and where every
//! number stands in the buffers. All of it is known before anything runs.

use std::collections::BTreeMap;

use super::fields::{Columns, row};
use super::mentions::Mentions;
use crate::machine::program::{Field, LeafTerm, Program, Source, UnitKind};
use crate::steer::blend::ForceRef;

/// What a function of a script is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// `step` of a node.
    Step(usize),
    /// `enter` of a node.
    Enter(usize),
    /// `exit` of a node.
    Exit(usize),
    /// Handler of a node for an event.
    On(usize, String),
    /// Guard of a node's line: node, index in the definition's own list, label.
    When(usize, usize, String),
    /// `scale` of a blend entry of a node.
    Scale(usize, String),
    /// `compute` of a blend entry of a node.
    InPlace(usize, String),
    /// `compute` of a `yard.force`.
    Force(String),
    /// The default of a memory field (index in the program's).
    Default(usize),
}

/// One function of a script, numbered from 1 in the order of [`Plan::callbacks`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    /// What it is for.
    pub role: Role,
    /// The unit whose parameters and memory it sees.
    pub unit: usize,
    /// As in messages: ``when of `walk_to_flee` ``.
    pub title: String,
    /// The force it computes or scales, for messages.
    pub force: String,
}

/// One memory: the fields of one definition, one copy per agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Whose.
    pub definition: String,
    /// Behavior or force.
    pub kind: UnitKind,
    /// Indices into the program's fields.
    pub fields: Vec<usize>,
    /// Names that others may read.
    pub public: Vec<String>,
}

/// One `p`: names and where their values come from.
pub type ParamTable = Vec<(String, Source)>;

/// The analysis of a program.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Callbacks; number n stands at n − 1.
    pub callbacks: Vec<Callback>,
    numbers: BTreeMap<Role, usize>,
    /// Memories; memory m of an agent stands in its record under [`super::fields::memory_key`].
    pub memories: Vec<Memory>,
    /// The memory of each unit.
    pub unit_memory: Vec<Option<usize>>,
    /// Parameter tables: one per unit, then those of force terms.
    pub params: Vec<ParamTable>,
    /// The table of each scripted force term, by leaf and position.
    pub term_params: BTreeMap<(usize, usize), usize>,
    /// Input columns.
    pub columns: Columns,
    /// Row fields that are mentioned, as bits of [`row::BITS`].
    pub row_bits: u32,
    /// Whether rows or walls are asked for.
    pub uses_rows: bool,
    /// Memory fields that native code needs: bound weights, parameters, limits.
    pub bounds: Vec<usize>,
    /// Largest number of native terms with a `scale` in one leaf.
    pub factors: usize,
    /// Deepest chain of nodes.
    pub depth: usize,
    /// Offset of each hold counter in the state.
    pub counters: Vec<usize>,
    /// Offset of the resumed state of machines with history.
    pub history: BTreeMap<usize, usize>,
    /// Bytes of an agent's state.
    pub state_stride: usize,
    /// Bytes of an output row.
    pub out_stride: usize,
    /// What the texts mention.
    pub mentions: Mentions,
}

/// Output: push (three f32), leaf and flags (u32), turn (f64, NaN for none), then factors.
pub const OUT_HEAD: usize = 24;
/// Flag of an output row: a state was entered.
pub const OUT_ENTERED: u32 = 1 << 16;
/// Flag of an output row: nothing was decided, the last intent holds.
pub const OUT_KEPT: u32 = 1 << 17;
/// Flag of an output row: the agent's turn broke off; factors and bound values are missing.
pub const OUT_FAULTED: u32 = 1 << 18;
/// State: leaf (u32), unused, flags, then the ticks of entry by depth from offset 16 on.
pub const STATE_HEAD: usize = 16;

impl Plan {
    /// Analyzes a program with the texts of all its scripted units.
    pub fn new(program: &Program, mentions: Mentions) -> Self {
        let mut plan = Self { mentions, ..Self::default() };
        plan.find_memories(program);
        plan.params = program.units.iter().map(|unit| unit.params.clone()).collect();
        plan.number_callbacks(program);
        plan.find_terms(program);
        plan.lay_out(program);
        plan
    }

    /// The number of a callback, if the script has it.
    pub fn number(&self, role: &Role) -> Option<usize> {
        self.numbers.get(role).copied()
    }

    /// The callback of a scripted force of a leaf, the unit whose memory it sees, and its parameter table; none for native ones.
    pub fn force(
        &self,
        program: &Program,
        leaf: usize,
        position: usize,
        term: &LeafTerm,
    ) -> Option<(usize, usize, usize)> {
        match &term.force {
            ForceRef::Native(_) => None,
            ForceRef::Scripted(name) => {
                let table = self.term_params.get(&(leaf, position)).copied().unwrap_or(0);
                Some((self.number(&Role::Force(name.clone()))?, term.unit.unwrap_or(0), table))
            }
            ForceRef::InPlace => {
                let node = term.compute.unwrap_or(term.node);
                let unit = program.nodes[node].unit;
                Some((self.number(&Role::InPlace(node, term.key.clone()))?, unit, unit))
            }
        }
    }

    /// Where a bound memory field stands in an output row.
    pub fn bound_offset(&self, field: usize) -> Option<usize> {
        let index = self.bounds.iter().position(|bound| *bound == field)?;
        Some(OUT_HEAD + 8 * self.factors + 16 * index)
    }

    /// The memory of a field and its name there.
    pub fn memory_of(&self, field: usize) -> Option<usize> {
        self.memories.iter().position(|memory| memory.fields.contains(&field))
    }

    /// Whether a parameter table depends on the agent.
    pub fn is_bound(&self, table: usize) -> bool {
        self.params[table].iter().any(|(_, source)| matches!(source, Source::Memory(_)))
    }

    fn find_memories(&mut self, program: &Program) {
        for unit in &program.units {
            let known = self
                .memories
                .iter()
                .position(|memory| memory.definition == unit.definition && memory.kind == unit.kind);
            let index = known.or_else(|| {
                let memory = Memory {
                    definition: unit.definition.clone(),
                    kind: unit.kind,
                    fields: unit.memory.clone(),
                    public: unit.public.clone(),
                };
                (!unit.memory.is_empty()).then(|| self.memories.push(memory)).map(|()| self.memories.len() - 1)
            });
            self.unit_memory.push(index);
        }
    }

    fn add(&mut self, role: Role, unit: usize, title: String, force: &str) {
        if !self.numbers.contains_key(&role) {
            self.callbacks.push(Callback { role: role.clone(), unit, title, force: force.to_owned() });
            self.numbers.insert(role, self.callbacks.len());
        }
    }

    fn number_callbacks(&mut self, program: &Program) {
        for (index, node) in program.nodes.iter().enumerate() {
            let of = if node.path.is_empty() { String::new() } else { format!(" of `{}`", node.path) };
            if node.step {
                self.add(Role::Step(index), node.unit, format!("step{of}"), "");
            }
            if node.enter {
                self.add(Role::Enter(index), node.unit, format!("enter{of}"), "");
            }
            if node.exit {
                self.add(Role::Exit(index), node.unit, format!("exit{of}"), "");
            }
            for event in &node.on {
                self.add(Role::On(index, event.clone()), node.unit, format!("on.{event}{of}"), "");
            }
            for line in node.lines.iter().filter(|line| line.when) {
                let role = Role::When(index, line.index, line.label.clone());
                self.add(role, node.unit, format!("when of `{}`", line.label), "");
            }
        }
        for (index, unit) in program.units.iter().enumerate() {
            for field in unit.memory.iter().filter(|field| program.memory[**field].spec.default.is_none()) {
                let title = format!("the default of memory.{}", program.memory[*field].spec.name);
                self.add(Role::Default(*field), index, title, "");
            }
        }
    }

    fn find_terms(&mut self, program: &Program) {
        for (index, leaf) in program.leaves.iter().enumerate() {
            let mut factors = 0;
            for (position, term) in leaf.terms.iter().enumerate() {
                if let Some(node) = term.scale {
                    let unit = program.nodes[node].unit;
                    self.add(Role::Scale(node, term.key.clone()), unit, format!("scale of `{}`", term.key), &term.key);
                }
                match &term.force {
                    ForceRef::Native(_) => {
                        factors += usize::from(term.scale.is_some());
                        self.bind(std::iter::once(term.weight).chain(term.params.iter().map(|(_, source)| *source)));
                    }
                    ForceRef::Scripted(name) => {
                        let unit = term.unit.unwrap_or(0);
                        self.add(Role::Force(name.clone()), unit, format!("compute of `{}`", term.key), &term.key);
                        let table = self.term_table(term);
                        self.term_params.insert((index, position), table);
                    }
                    ForceRef::InPlace => {
                        let node = term.compute.unwrap_or(term.node);
                        let unit = program.nodes[node].unit;
                        let role = Role::InPlace(node, term.key.clone());
                        self.add(role, unit, format!("compute of `{}`", term.key), &term.key);
                    }
                }
            }
            self.bind(leaf.limits.iter().map(|(_, source)| *source));
            self.factors = self.factors.max(factors);
        }
    }

    fn term_table(&mut self, term: &LeafTerm) -> usize {
        let known = self.params.iter().position(|params| *params == term.params);
        known.unwrap_or_else(|| {
            self.params.push(term.params.clone());
            self.params.len() - 1
        })
    }

    fn bind(&mut self, sources: impl Iterator<Item = Source>) {
        for source in sources {
            if let Source::Memory(field) = source
                && !self.bounds.contains(&field)
            {
                self.bounds.push(field);
            }
        }
    }

    fn lay_out(&mut self, program: &Program) {
        let compared: Vec<&str> = program
            .nodes
            .iter()
            .flat_map(|node| node.lines.iter().flat_map(|line| &line.thresholds))
            .filter_map(|threshold| if let Field::Agent(name) = threshold.field { Some(name) } else { None })
            .collect();
        self.columns = Columns::new(&self.mentions, &compared);
        self.row_bits = row::BITS.iter().filter(|(name, _)| self.mentions.has(name)).map(|(_, bit)| bit).sum();
        self.uses_rows =
            ["neighbors", "nearest", "find", "obstacles", "leader"].iter().any(|name| self.mentions.has(name));
        self.depth = program.leaves.iter().map(|leaf| leaf.chain.len()).max().unwrap_or(1);
        let mut at = STATE_HEAD + 4 * self.depth;
        for _ in 0..program.counters {
            self.counters.push(at);
            at += 4;
        }
        for (index, _) in program.nodes.iter().enumerate().filter(|(_, node)| node.history) {
            self.history.insert(index, at);
            at += 4;
        }
        self.state_stride = at;
        self.out_stride = OUT_HEAD + 8 * self.factors + 16 * self.bounds.len();
    }
}
