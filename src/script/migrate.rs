//! From the old program to the new: what each slider, memory field, state and counter of the new one was in the old one.

use crate::machine::def::MemoryValue;
use crate::machine::program::{MemoryField, Program};

/// Where an agent's state goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Leaf in the new program.
    pub to: usize,
    /// Whether the state still exists under its own or its new name. Such an agent stays in it, without `enter`.
    pub kept: bool,
}

/// How values of the old program become values of the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migration {
    /// For each new slider the old one.
    pub sliders: Vec<Option<usize>>,
    /// For each new memory field the old one of the same type.
    pub memory: Vec<Option<usize>>,
    /// For each old leaf where it goes.
    pub leaves: Vec<Move>,
    /// For each new hold counter the old one.
    pub counters: Vec<Option<usize>>,
}

/// What changed between two programs of one definition, in the words of one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Name of the definition.
    pub name: String,
    /// Number of parameters that stay.
    pub kept: usize,
    /// Parameters that are new.
    pub new: Vec<String>,
    /// Parameters that are gone.
    pub removed: Vec<String>,
    /// Memory fields that are new or have another type.
    pub memory_new: Vec<String>,
    /// Memory fields that are gone or have another type.
    pub memory_removed: Vec<String>,
    /// States that are gone, and where their agents go.
    pub states_gone: Vec<(String, String)>,
}

/// The mapping from `old` to `new`, names through `renamed` of the new program.
pub fn migrate(old: &Program, new: &Program) -> Migration {
    let sliders = new.sliders.iter().map(|slider| {
        old.sliders.iter().position(|known| {
            renamed_path(new, &known.address) == slider.address && known.spec.default.same_kind(&slider.spec.default)
        })
    });
    let memory = new.memory.iter().map(|field| old.memory.iter().position(|known| same_field(known, field, new)));
    let leaves = old.leaves.iter().map(|leaf| match new.leaf(&renamed_path(new, &leaf.path)) {
        Some(to) => Move { to, kept: true },
        None => Move { to: nearest_leaf(new, &renamed_path(new, &leaf.path)), kept: false },
    });
    let mut counters = vec![None; new.counters];
    for (path, label, counter) in lines(new) {
        let found =
            lines(old).find(|(old_path, old_label, _)| renamed_path(new, old_path) == path && *old_label == label);
        counters[counter] = found.map(|(_, _, counter)| counter);
    }
    Migration { sliders: sliders.collect(), memory: memory.collect(), leaves: leaves.collect(), counters }
}

fn lines(program: &Program) -> impl Iterator<Item = (&str, &str, usize)> {
    program
        .nodes
        .iter()
        .flat_map(|node| node.lines.iter().map(|line| (node.path.as_str(), line.label.as_str(), line.counter)))
}

/// A dotted path with every renamed part under its new name.
fn renamed_path(new: &Program, path: &str) -> String {
    let part = |part: &str| {
        new.renamed.iter().find(|(from, _)| from == part).map_or_else(|| part.to_owned(), |(_, to)| to.clone())
    };
    if let Some((_, to)) = new.renamed.iter().find(|(from, _)| from == path) {
        return to.clone();
    }
    path.split('.').map(part).collect::<Vec<_>>().join(".")
}

fn same_field(old: &MemoryField, new: &MemoryField, program: &Program) -> bool {
    let name = program.renamed.iter().find(|(from, _)| *from == old.spec.name).map_or(&old.spec.name, |(_, to)| to);
    let kind = |field: &MemoryField| field.spec.default.as_ref().map(MemoryValue::kind);
    // A function's type is only known once it was called: the runtime compares the values themselves.
    let same_kind = match (kind(old), kind(new)) {
        (Some(old), Some(new)) => old == new,
        _ => true,
    };
    *name == new.spec.name && old.kind == new.kind && same_kind && old.definition == new.definition
}

/// The entry of the machine that a vanished state stood in, else the initial leaf.
fn nearest_leaf(new: &Program, path: &str) -> usize {
    let mut path = path;
    while let Some((outer, _)) = path.rsplit_once('.') {
        if let Some(node) = new.nodes.iter().position(|node| node.path == outer) {
            return new.entry_leaf(node);
        }
        path = outer;
    }
    new.initial
}

/// What changed, for the report.
pub fn change(old: &Program, new: &Program) -> Change {
    let migration = migrate(old, new);
    let params = |program: &Program, index: usize| program.sliders[index].is_param;
    let used: Vec<usize> = migration.sliders.iter().flatten().copied().collect();
    let new_sliders = (0..new.sliders.len()).filter(|index| params(new, *index));
    let (kept, added): (Vec<usize>, Vec<usize>) = new_sliders.partition(|index| migration.sliders[*index].is_some());
    let memory_used: Vec<usize> = migration.memory.iter().flatten().copied().collect();
    let gone = |used: &[usize], index: &usize| !used.contains(index);
    Change {
        name: new.name.clone(),
        kept: kept.len(),
        new: added.iter().map(|index| new.sliders[*index].address.clone()).collect(),
        removed: (0..old.sliders.len())
            .filter(|index| params(old, *index) && gone(&used, index))
            .map(|index| old.sliders[index].address.clone())
            .collect(),
        memory_new: (0..new.memory.len())
            .filter(|index| migration.memory[*index].is_none())
            .map(|index| new.memory[index].spec.name.clone())
            .collect(),
        memory_removed: (0..old.memory.len())
            .filter(|index| gone(&memory_used, index))
            .map(|index| old.memory[index].spec.name.clone())
            .collect(),
        states_gone: old
            .leaves
            .iter()
            .zip(&migration.leaves)
            .filter(|(_, target)| !target.kept)
            .map(|(leaf, target)| (leaf.path.clone(), new.leaves[target.to].path.clone()))
            .collect(),
    }
}

/// One line: `shy: 2 parameters kept, new: reach, gone: range; memory new: count; state flee → walk`.
impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural = if self.kept == 1 { "" } else { "s" };
        write!(f, "{}: {} parameter{plural} kept", self.name, self.kept)?;
        let lists = [
            (", new: ", &self.new),
            (", gone: ", &self.removed),
            ("; memory new: ", &self.memory_new),
            ("; memory gone: ", &self.memory_removed),
        ];
        for (words, names) in lists {
            if !names.is_empty() {
                write!(f, "{words}{}", names.join(", "))?;
            }
        }
        for (from, to) in &self.states_gone {
            write!(f, "; state {from} is gone → {to}")?;
        }
        Ok(())
    }
}
