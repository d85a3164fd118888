//! What a scene may name: behaviors, formations, forces, metrics, directors. Whoever loads scenes hands a catalogue in.

use std::collections::{BTreeMap, BTreeSet};

use crate::sim::Value;

/// The kinds of things that have names. Behaviors and machines are one kind here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noun {
    /// Behaviors and machines.
    Behavior,
    /// Formations.
    Formation,
    /// Forces and controllers.
    Force,
    /// Metrics.
    Metric,
    /// Directors.
    Director,
}

impl Noun {
    /// The word for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Behavior => "behavior or machine",
            Self::Formation => "formation",
            Self::Force => "force",
            Self::Metric => "metric",
            Self::Director => "director",
        }
    }

    /// The folders below `scripts/` where scripts of this kind lie by custom.
    pub fn folders(self) -> &'static str {
        match self {
            Self::Behavior => "scripts/behaviors or scripts/machines",
            Self::Formation => "scripts/formations",
            Self::Force => "scripts/forces",
            Self::Metric => "scripts/metrics",
            Self::Director => "scripts/directors",
        }
    }
}

/// Whether a name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// It is there.
    Yes,
    /// Its file is there but has problems, which are reported elsewhere.
    Broken,
    /// There is no such thing.
    No,
}

/// Knows what a scene may name.
pub trait Catalogue {
    /// Whether there is a thing of this kind and name.
    fn knows(&self, noun: Noun, name: &str) -> Known;
    /// The names of this kind, for suggestions.
    fn names(&self, noun: Noun) -> Vec<String>;
    /// The names of the parameters of one thing; `None` if they are not known and so cannot be checked.
    fn parameters(&self, noun: Noun, name: &str) -> Option<Vec<String>>;
    /// All addresses below a group with this behavior (`k1`, `aligning.track_slot.k1`, …) except those that every group
    /// has (`body.…`, `contract.…`, `count`, `network.…`) and those of formations; `None` if they cannot be checked.
    fn addresses(&self, behavior: &str) -> Option<Vec<String>>;
    /// Why a value does not fit at an address below a group with this behavior: "must be a number from 0 to 6".
    fn refuse(&self, _behavior: &str, _address: &str, _value: &Value) -> Option<String> {
        None
    }
}

/// A catalogue that knows every name and checks no address: for reading scenes without their scripts.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnyName;

impl Catalogue for AnyName {
    fn knows(&self, _: Noun, _: &str) -> Known {
        Known::Yes
    }
    fn names(&self, _: Noun) -> Vec<String> {
        Vec::new()
    }
    fn parameters(&self, _: Noun, _: &str) -> Option<Vec<String>> {
        None
    }
    fn addresses(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

/// A catalogue of lists.
#[derive(Debug, Clone, Default)]
pub struct NameList {
    names: BTreeMap<(Noun, String), Vec<String>>,
    broken: BTreeSet<(Noun, String)>,
}

impl NameList {
    /// Adds a thing with its parameters (for a behavior: its addresses).
    pub fn with(mut self, noun: Noun, name: &str, parameters: &[&str]) -> Self {
        let parameters = parameters.iter().map(|&parameter| parameter.to_owned()).collect();
        self.names.insert((noun, name.to_owned()), parameters);
        self
    }

    /// Adds a thing whose file has problems.
    pub fn with_broken(mut self, noun: Noun, name: &str) -> Self {
        self.broken.insert((noun, name.to_owned()));
        self
    }
}

impl Catalogue for NameList {
    fn knows(&self, noun: Noun, name: &str) -> Known {
        let key = (noun, name.to_owned());
        if self.names.contains_key(&key) {
            Known::Yes
        } else if self.broken.contains(&key) {
            Known::Broken
        } else {
            Known::No
        }
    }
    fn names(&self, noun: Noun) -> Vec<String> {
        self.names.keys().filter(|(known, _)| *known == noun).map(|(_, name)| name.clone()).collect()
    }
    fn parameters(&self, noun: Noun, name: &str) -> Option<Vec<String>> {
        self.names.get(&(noun, name.to_owned())).cloned()
    }
    fn addresses(&self, behavior: &str) -> Option<Vec<String>> {
        self.parameters(Noun::Behavior, behavior)
    }
}
