//! A behavior or machine as its author wrote it, native or scripted.

use super::finding::Place;
use crate::steer::blend::{Bind, Term};
use crate::steer::param::{ParamSpec, Value};

/// What the sum of the forces means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Meters per second squared.
    #[default]
    Acceleration,
    /// The commanded velocity in meters per second.
    Velocity,
}

impl Control {
    /// The word a script writes.
    pub fn word(self) -> &'static str {
        match self {
            Self::Acceleration => "acceleration",
            Self::Velocity => "velocity",
        }
    }
}

/// A limit of the body that a state may replace while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// Largest speed, m/s.
    MaxSpeed,
    /// Largest acceleration, m/s².
    MaxAcceleration,
    /// Largest turn rate, rad/s.
    TurnRate,
}

impl Limit {
    /// All of them, in the order of their names.
    pub const ALL: [Self; 3] = [Self::MaxAcceleration, Self::MaxSpeed, Self::TurnRate];

    /// The word a script writes.
    pub fn word(self) -> &'static str {
        match self {
            Self::MaxSpeed => "max_speed",
            Self::MaxAcceleration => "max_acceleration",
            Self::TurnRate => "turn_rate",
        }
    }

    /// Unit of the number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::MaxSpeed => "m/s",
            Self::MaxAcceleration => "m/s2",
            Self::TurnRate => "rad/s",
        }
    }

    /// The limit of that name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.word() == word)
    }
}

/// The default of a memory field, which also gives its type.
#[derive(Clone, Debug, PartialEq)]
pub enum MemoryValue {
    /// A number, boolean, vector or short string.
    One(Value),
    /// A list of one type; its length never changes.
    List(Vec<Value>),
    /// A nested table of plain data: slower, and kept by the script host.
    Table,
}

impl MemoryValue {
    /// The type as an author would say it; fields of equal text keep their values in a reload.
    pub fn kind(&self) -> String {
        match self {
            Self::One(value) => value.kind().to_owned(),
            Self::List(values) => {
                let of = values.first().map_or("nothing", Value::kind);
                format!("list of {} {of}s", values.len())
            }
            Self::Table => "table".to_owned(),
        }
    }
}

/// One declared field of memory, one copy per agent and file.
#[derive(Clone, Debug, PartialEq)]
pub struct MemorySpec {
    /// Name, a word as in Lua.
    pub name: String,
    /// The default; none when a function gives it at birth.
    pub default: Option<MemoryValue>,
    /// Where it is declared.
    pub place: Place,
}

/// Whether a definition has states of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefKind {
    /// `yard.behavior`: one blend and one step.
    Behavior,
    /// `yard.machine`: states and transitions.
    Machine,
}

/// The states a line starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// All but the target and the final states.
    Any,
    /// These.
    States(Vec<String>),
}

/// One line of `transitions`. All its conditions must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionDef {
    /// Where it starts.
    pub from: From,
    /// The state it leads to.
    pub to: String,
    /// `field > value`, field of the agent or its memory.
    pub above: Vec<(String, Bind)>,
    /// `field < value`.
    pub below: Vec<(String, Bind)>,
    /// Whether a guard function stands in the script.
    pub when: bool,
    /// An event of this tick.
    pub on: Option<String>,
    /// Seconds in the `from` state.
    pub after: Option<Bind>,
    /// Ticks in a row for which the other conditions must have held; 1 is at once.
    pub hold: u32,
    /// The author's name for the line.
    pub label: Option<String>,
    /// Where the line stands.
    pub place: Place,
}

impl TransitionDef {
    /// A line without conditions.
    pub fn new(from: From, to: &str) -> Self {
        Self {
            from,
            to: to.to_owned(),
            above: Vec::new(),
            below: Vec::new(),
            when: false,
            on: None,
            after: None,
            hold: 1,
            label: None,
            place: Place::default(),
        }
    }

    /// The line's name in lists and messages: its label, else `FROM_to_TO` with several states joined by `_or_`.
    pub fn name(&self) -> String {
        if let Some(label) = &self.label {
            return label.clone();
        }
        let from = match &self.from {
            From::Any => "any".to_owned(),
            From::States(names) => names.join("_or_"),
        };
        format!("{from}_to_{}", self.to)
    }
}

/// A state that is another definition, by name, with some of its parameters given.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorRef {
    /// Name of a behavior or machine.
    pub name: String,
    /// Parameters given here; binds speak of the surrounding file.
    pub params: Vec<(String, Bind)>,
}

/// A state; the root of a behavior or machine is one too (with an empty name).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateDef {
    /// Name among its siblings; empty for the root.
    pub name: String,
    /// One line for lists and tooltips.
    pub about: String,
    /// What the sum means, if stated here.
    pub control: Option<Control>,
    /// Blend entries written here, in source order.
    pub blend: Vec<Term>,
    /// Body limits written here, in source order.
    pub limits: Vec<(Limit, Bind)>,
    /// Whether the script has `step` here.
    pub step: bool,
    /// Whether the script has `enter` here.
    pub enter: bool,
    /// Whether the script has `exit` here.
    pub exit: bool,
    /// Events for which the script has a handler here.
    pub on: Vec<String>,
    /// Seconds between decisions; none is every tick.
    pub period: Option<f64>,
    /// Whether it is meant to have no way out.
    pub is_final: bool,
    /// Whether a nested machine resumes its last state.
    pub history: bool,
    /// The first state of a machine.
    pub initial: Option<String>,
    /// Nested states, in source order.
    pub states: Vec<Self>,
    /// Lines, in source order, which is the order they are tried in.
    pub transitions: Vec<TransitionDef>,
    /// A definition that stands here by name.
    pub behavior: Option<BehaviorRef>,
    /// Where the state stands.
    pub place: Place,
    /// Where `initial` stands.
    pub initial_place: Place,
    /// Where each blend entry stands, beside `blend`; may be shorter where the text gave no places.
    pub blend_places: Vec<Place>,
}

impl StateDef {
    /// An empty state of that name.
    pub fn named(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Whether it has states of its own.
    pub fn is_machine(&self) -> bool {
        !self.states.is_empty()
    }

    /// Where the blend entry `index` stands, else where the state does.
    pub fn blend_place(&self, index: usize) -> Place {
        self.blend_places.get(index).copied().unwrap_or(self.place)
    }
}

/// A behavior or machine.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorDef {
    /// Name, unique among behaviors and machines; `plugin/stem` in a plugin.
    pub name: String,
    /// Behavior or machine.
    pub kind: DefKind,
    /// Whether callbacks of it live in a script VM.
    pub scripted: bool,
    /// Parameters, in source order.
    pub params: Vec<ParamSpec>,
    /// Declared memory, in source order.
    pub memory: Vec<MemorySpec>,
    /// Memory fields that others may read.
    pub public: Vec<String>,
    /// Old names and what they are called now: states, parameters, memory.
    pub renamed: Vec<(String, String)>,
    /// Sliders that come first in the window, in that order.
    pub panel: Vec<super::panel::PanelEntry>,
    /// The blend, limits, step, states and lines. `root.about` is the definition's one line.
    pub root: StateDef,
}

impl BehaviorDef {
    /// An empty native behavior of that name.
    pub fn native(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: DefKind::Behavior,
            scripted: false,
            params: Vec::new(),
            memory: Vec::new(),
            public: Vec::new(),
            renamed: Vec::new(),
            panel: Vec::new(),
            root: StateDef::default(),
        }
    }

    /// The new name of an old one, or the same.
    pub fn renamed<'a>(&'a self, old: &'a str) -> &'a str {
        self.renamed.iter().find(|(from, _)| from == old).map_or(old, |(_, to)| to)
    }
}
