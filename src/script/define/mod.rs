//! Definitions as data: what each of the six nouns says, read from the table that a file returns.

use std::sync::Arc;

use crate::machine::catalogue::ForceInfo;
use crate::machine::def::{BehaviorDef, MemorySpec};
use crate::steer::param::ParamSpec;

pub use super::api::define::Kind;

pub mod behavior;
pub mod blend;
pub mod fields;
pub mod memory;
pub mod nouns;
pub mod params;

/// Where the places are.
#[derive(Clone, Debug, PartialEq)]
pub struct FormationDef {
    /// Name, unique among formations.
    pub name: String,
    /// One line for lists.
    pub about: String,
    /// Parameters in source order, then the implicit ones (`spacing`, `measure`, `overflow`) that a curve did not declare.
    pub params: Vec<ParamSpec>,
    /// Old names of parameters and what they are called now.
    pub renamed: Vec<(String, String)>,
    /// Whether n places are spread over a loop.
    pub closed: bool,
    /// Whether the script bounds the curve's parameter.
    pub range: bool,
    /// `curve` rather than `slots`.
    pub curve: bool,
    /// Whether the function takes `t` and so is asked every tick.
    pub moving: bool,
}

/// A number worth plotting.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricDef {
    /// Name, unique among metrics.
    pub name: String,
    /// One line for lists.
    pub about: String,
    /// Unit of the number.
    pub unit: String,
    /// Parameters in source order.
    pub params: Vec<ParamSpec>,
    /// Declared memory, one copy per group.
    pub memory: Vec<MemorySpec>,
    /// Old names and what they are called now.
    pub renamed: Vec<(String, String)>,
}

/// What happens in the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectorDef {
    /// Name, unique among directors.
    pub name: String,
    /// One line for lists.
    pub about: String,
    /// Parameters in source order.
    pub params: Vec<ParamSpec>,
    /// Declared memory, one copy.
    pub memory: Vec<MemorySpec>,
    /// Old names and what they are called now.
    pub renamed: Vec<(String, String)>,
    /// Whether the script has `start`.
    pub start: bool,
    /// Whether the script has `tick`.
    pub tick: bool,
    /// Events it hears, in source order; each is also a button.
    pub on: Vec<String>,
}

/// A force of a file, with what a blend need not know.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceDef {
    /// Name, unit, parameters, memory.
    pub info: ForceInfo,
    /// Memory fields that others may read.
    pub public: Vec<String>,
    /// Old names and what they are called now.
    pub renamed: Vec<(String, String)>,
}

/// What one file defines.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// `yard.force`.
    Force(Arc<ForceDef>),
    /// `yard.behavior` and `yard.machine`.
    Behavior(Arc<BehaviorDef>),
    /// `yard.formation`.
    Formation(Arc<FormationDef>),
    /// `yard.metric`.
    Metric(Arc<MetricDef>),
    /// `yard.director`.
    Director(Arc<DirectorDef>),
}

impl Definition {
    /// Which constructor made it.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Force(_) => Kind::Force,
            Self::Behavior(def) if def.kind == crate::machine::def::DefKind::Machine => Kind::Machine,
            Self::Behavior(_) => Kind::Behavior,
            Self::Formation(_) => Kind::Formation,
            Self::Metric(_) => Kind::Metric,
            Self::Director(_) => Kind::Director,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Force(def) => &def.info.name,
            Self::Behavior(def) => &def.name,
            Self::Formation(def) => &def.name,
            Self::Metric(def) => &def.name,
            Self::Director(def) => &def.name,
        }
    }

    /// Its one line.
    pub fn about(&self) -> &str {
        match self {
            Self::Force(def) => &def.info.about,
            Self::Behavior(def) => &def.root.about,
            Self::Formation(def) => &def.about,
            Self::Metric(def) => &def.about,
            Self::Director(def) => &def.about,
        }
    }

    /// Its parameters, in source order.
    pub fn params(&self) -> &[ParamSpec] {
        match self {
            Self::Force(def) => &def.info.params,
            Self::Behavior(def) => &def.params,
            Self::Formation(def) => &def.params,
            Self::Metric(def) => &def.params,
            Self::Director(def) => &def.params,
        }
    }
}
