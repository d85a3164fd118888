//! Blends: which forces act with which weight, as data.
//!
//! A blend is written by a scene, a script or a native machine; its numbers are constants (sliders) or bound to a parameter or memory field.

use super::param::Value;

/// Where a number (or vector, or name) of a blend comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Bind {
    /// A constant, which is a slider.
    Constant(Value),
    /// `"p.NAME"`: the parameter NAME of the definition, one value per group.
    Param(String),
    /// `"memory.NAME"`: the memory field NAME, one value per agent.
    Memory(String),
}

impl Bind {
    /// A constant number.
    pub fn number(number: f64) -> Self {
        Self::Constant(Value::Number(number))
    }

    /// The constant number in it, if it is one.
    pub fn constant_number(&self) -> Option<f64> {
        if let Self::Constant(value) = self { value.number() } else { None }
    }

    /// Whether it is the constant zero: as a weight this switches a force off.
    pub fn is_zero(&self) -> bool {
        self.constant_number() == Some(0.0)
    }
}

impl From<f64> for Bind {
    fn from(number: f64) -> Self {
        Self::number(number)
    }
}

/// Which force a term names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForceRef {
    /// A force of the native registry, evaluated after the scripts.
    Native(String),
    /// A `yard.force` of a file, by its name.
    Scripted(String),
    /// A `compute` written in the blend itself; the term's key is its name.
    InPlace,
}

/// One force in a blend.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Key in the blend; terms are overlaid and summed by key, in name order.
    pub key: String,
    /// The force that acts.
    pub force: ForceRef,
    /// Factor on the force; 0 is off.
    pub weight: Bind,
    /// The force's parameters that this entry sets, in source order; the others keep the force's defaults.
    pub params: Vec<(String, Bind)>,
    /// Whether the entry has a `scale` function in the script (a further factor per agent).
    pub scale: bool,
    /// Which fields the entry wrote itself: an overlay replaces only what was written.
    pub weight_written: bool,
    /// Whether the entry named `force` or `compute` itself rather than leaving it to the layer below.
    pub force_written: bool,
}

impl Term {
    /// A native force under its own name.
    pub fn native(name: &str, weight: f64) -> Self {
        Self {
            key: name.to_owned(),
            force: ForceRef::Native(name.to_owned()),
            weight: Bind::number(weight),
            params: Vec::new(),
            scale: false,
            weight_written: true,
            force_written: false,
        }
    }

    /// The same with one more parameter set.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Bind>) -> Self {
        self.params.push((name.to_owned(), value.into()));
        self
    }

    /// This term laid over `below` of the same key: what is written here wins, the rest is kept.
    #[must_use]
    pub fn over(&self, below: &Self) -> Self {
        let mut merged = below.clone();
        if self.force_written {
            merged.force.clone_from(&self.force);
            merged.force_written = true;
        }
        if self.weight_written {
            merged.weight.clone_from(&self.weight);
            merged.weight_written = true;
        }
        merged.scale |= self.scale;
        for (name, bind) in &self.params {
            match merged.params.iter_mut().find(|(known, _)| known == name) {
                Some(entry) => entry.1.clone_from(bind),
                None => merged.params.push((name.clone(), bind.clone())),
            }
        }
        merged
    }
}

/// `inner` laid over `outer` key by key, in name order. Terms with weight 0 stay in the list: they are off, but their sliders exist.
pub fn overlay(outer: &[Term], inner: &[Term]) -> Vec<Term> {
    let mut merged: std::collections::BTreeMap<String, Term> =
        outer.iter().map(|term| (term.key.clone(), term.clone())).collect();
    for term in inner {
        let laid = merged.get(&term.key).map_or_else(|| term.clone(), |below| term.over(below));
        merged.insert(term.key.clone(), laid);
    }
    merged.into_values().collect()
}
