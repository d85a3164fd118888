//! What runs: a definition with everything it names put in, flat, with one list of sliders.

use std::collections::BTreeSet;

use super::def::{Control, Limit, MemorySpec};
use super::finding::Place;
pub use crate::steer::Source;
use crate::steer::blend::ForceRef;
use crate::steer::param::{ParamSpec, Value};
use crate::steer::{LeafSpec, TermSpec};

/// One slider: an address below the group and what it may hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    /// Address below the group: `k1`, `form.separation.weight`, `limits.max_speed`, `any_to_avoid.clearance`.
    pub address: String,
    /// Default (what the definition says), range, unit, help.
    pub spec: ParamSpec,
    /// Where the default is written.
    pub place: Place,
    /// The definition whose source `place` points into.
    pub definition: String,
    /// Whether it is a declared parameter (`p.NAME` of its unit) rather than a number in a blend, limit or line.
    pub is_param: bool,
}

/// An address that is bound to something else: setting it is refused with this as the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundAddress {
    /// Address below the group.
    pub address: String,
    /// What it follows, as the definition says it: `p.near`, `memory.k1`.
    pub follows: String,
    /// The slider it follows, if it follows one.
    pub slider: Option<usize>,
}

/// One file in the program: its own `p` and its own memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Name of the definition.
    pub definition: String,
    /// What kind of definition it is.
    pub kind: UnitKind,
    /// Whether callbacks of it live in a script VM.
    pub scripted: bool,
    /// Parameter names and where each value comes from; empty for a force, whose values stand in its terms.
    pub params: Vec<(String, Source)>,
    /// Indices into [`Program::memory`]. Units of one definition share them: one copy per agent and file.
    pub memory: Vec<usize>,
    /// Memory fields that others may read.
    pub public: Vec<String>,
}

/// Whether a unit is a behavior/machine or a force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A behavior or machine.
    Behavior,
    /// A `yard.force` used in a blend.
    Force,
}

/// A memory field of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryField {
    /// The definition that declares it.
    pub definition: String,
    /// Whether that definition is a force (forces and behaviors may share a name).
    pub kind: UnitKind,
    /// Name, default, place.
    pub spec: MemorySpec,
}

/// A state or machine of the tree; node 0 is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name among its siblings.
    pub name: String,
    /// Dotted path from the root, empty for the root: `calm.idle`.
    pub path: String,
    /// The unit whose `p` and memory its callbacks see.
    pub unit: usize,
    /// Dotted path inside the unit's own definition, empty for its root: there the callbacks are found.
    pub local_path: String,
    /// The machine it stands in.
    pub parent: Option<usize>,
    /// Depth, 0 for the root.
    pub depth: usize,
    /// Whether the script has `step`, `enter`, `exit` here.
    pub step: bool,
    /// Whether the script has `enter` here.
    pub enter: bool,
    /// Whether the script has `exit` here.
    pub exit: bool,
    /// Events for which the script has a handler here.
    pub on: Vec<String>,
    /// Whether it is meant to have no way out.
    pub is_final: bool,
    /// Whether it resumes its last state.
    pub history: bool,
    /// The first state of a machine.
    pub initial: Option<usize>,
    /// States of a machine, in source order.
    pub children: Vec<usize>,
    /// Lines of a machine, in the order they are tried in.
    pub lines: Vec<Line>,
    /// Where it stands in its unit's source.
    pub place: Place,
}

/// What a threshold looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A number of the agent, such as `clearance`.
    Agent(&'static str),
    /// The memory field of that index in [`Program::memory`].
    Memory(usize),
}

/// A number compared with a slider, parameter or memory field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// What is looked at.
    pub field: Field,
    /// Its name as written.
    pub name: String,
    /// Holds when the field is above (else below) the value.
    pub above: bool,
    /// The value.
    pub value: Source,
}

/// A transition with all names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Name in lists and messages.
    pub label: String,
    /// Index in the definition's own `transitions`, where the guard is found.
    pub index: usize,
    /// Nodes it starts from, ascending.
    pub from: Vec<usize>,
    /// Node it leads to.
    pub to: usize,
    /// Thresholds, in name order.
    pub thresholds: Vec<Threshold>,
    /// Whether the script has a guard.
    pub when: bool,
    /// An event of this tick.
    pub on: Option<String>,
    /// Seconds in the `from` state.
    pub after: Option<Source>,
    /// Ticks in a row; 1 is at once.
    pub hold: u32,
    /// Index of this line's hold counter among the program's.
    pub counter: usize,
    /// Where the line stands.
    pub place: Place,
}

/// One force of a leaf state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafTerm {
    /// Key in the blend; terms stand in key order.
    pub key: String,
    /// The force.
    pub force: ForceRef,
    /// Weight; a constant 0 means the term is off until someone moves the slider.
    pub weight: Source,
    /// Every parameter of the force and where its value comes from, in the force's order; empty for a force in place.
    pub params: Vec<(String, Source)>,
    /// The node in whose definition `scale` stands.
    pub scale: Option<usize>,
    /// The node in whose definition `compute` stands, for a force in place.
    pub compute: Option<usize>,
    /// The unit that holds the memory of a scripted force.
    pub unit: Option<usize>,
    /// The node that introduced the term: its unit is whose numbers apply.
    pub node: usize,
}

/// A state in which an agent can be: everything laid over, nothing left to look up.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// Its node.
    pub node: usize,
    /// `agent.state`: the dotted path; empty for a plain behavior.
    pub path: String,
    /// Nodes from the root down to it.
    pub chain: Vec<usize>,
    /// What the sum means.
    pub control: Control,
    /// Forces in key order.
    pub terms: Vec<LeafTerm>,
    /// Body limits.
    pub limits: Vec<(Limit, Source)>,
    /// Seconds between decisions; none is every tick.
    pub period: Option<f64>,
}

/// A behavior or machine, ready to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Name of the definition.
    pub name: String,
    /// One line for lists.
    pub about: String,
    /// All sliders, parameters of the definition first, in source order.
    pub sliders: Vec<Slider>,
    /// Addresses that follow something else.
    pub bound: Vec<BoundAddress>,
    /// Files; unit 0 is the definition itself.
    pub units: Vec<Unit>,
    /// Memory fields of all files.
    pub memory: Vec<MemoryField>,
    /// The tree; node 0 is the root, parents before children.
    pub nodes: Vec<Node>,
    /// The states an agent can be in, in source order.
    pub leaves: Vec<Leaf>,
    /// The leaf an agent is born in.
    pub initial: usize,
    /// Number of hold counters, one per line.
    pub counters: usize,
    /// Old names and what they are called now.
    pub renamed: Vec<(String, String)>,
    /// Sliders that come first in the window, in that order.
    pub panel: Vec<super::panel::PanelEntry>,
}

impl Leaf {
    /// Its native forces, to be compiled by [`crate::steer::Blends`].
    pub fn native_blend(&self) -> LeafSpec {
        let native = |term: &LeafTerm| {
            let ForceRef::Native(force) = &term.force else {
                return None;
            };
            Some(TermSpec {
                key: term.key.clone(),
                force: force.clone(),
                weight: term.weight,
                params: term.params.clone(),
                scale: term.scale.is_some(),
            })
        };
        let control = match self.control {
            Control::Acceleration => crate::sim::Control::Acceleration,
            Control::Velocity => crate::sim::Control::Velocity,
        };
        LeafSpec { path: self.path.clone(), control, terms: self.terms.iter().filter_map(native).collect() }
    }
}

impl Program {
    /// The slider at an address below the group.
    pub fn slider(&self, address: &str) -> Option<usize> {
        self.sliders.iter().position(|slider| slider.address == address)
    }

    /// The leaf of a dotted path.
    pub fn leaf(&self, path: &str) -> Option<usize> {
        self.leaves.iter().position(|leaf| leaf.path == path)
    }

    /// The leaf that entering `node` leads to, following `initial` down.
    pub fn entry_leaf(&self, node: usize) -> usize {
        let mut at = node;
        while let Some(first) = self.nodes[at].initial {
            at = first;
        }
        self.leaves.iter().position(|leaf| leaf.node == at).unwrap_or(self.initial)
    }

    /// The defaults of all sliders, in their order.
    pub fn defaults(&self) -> Vec<Value> {
        self.sliders.iter().map(|slider| slider.spec.default.clone()).collect()
    }

    /// Every event that a line or handler names.
    pub fn events(&self) -> BTreeSet<&str> {
        let lines = self.nodes.iter().flat_map(|node| node.lines.iter().filter_map(|line| line.on.as_deref()));
        lines.chain(self.nodes.iter().flat_map(|node| node.on.iter().map(String::as_str))).collect()
    }

    /// Whether any callback of it lives in a script VM and has to be called per agent.
    pub fn needs_script(&self) -> bool {
        self.nodes.iter().any(|node| node.step || node.enter || node.exit || !node.on.is_empty())
            || self.nodes.iter().any(|node| node.lines.iter().any(|line| line.when))
            || self
                .leaves
                .iter()
                .flat_map(|leaf| &leaf.terms)
                .any(|term| term.scale.is_some() || !matches!(term.force, ForceRef::Native(_)))
    }
}
