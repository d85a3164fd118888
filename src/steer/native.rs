//! The mind of a native behavior: one blend, its sliders, and what its forces keep.

use super::behavior::NativeBehavior;
use super::blend::{Bind, ForceRef, Term};
use super::compiled::{BlendError, Blends, Bound, Contribution, LeafSpec, TermSpec, unit_refusal};
use super::param::{ParamSpec, Value};
use super::registry::force_named;
use super::source::Source;
use super::table::{Origin, ParamError, ParamTable};
use crate::sim::{Control, Group, GroupId, Intent, Intents, Mind, StateHash, Workers, World};
use std::sync::Arc;

/// A mind without scripts and states.
#[derive(Clone, Debug)]
pub struct NativeMind {
    control: Control,
    blends: Blends,
    params: ParamTable,
    states: [String; 1],
}

/// The slider of a weight.
pub fn weight_spec(weight: f64, control: Control) -> ParamSpec {
    let unit = if control == Control::Velocity { "s" } else { "" };
    let range = (weight.min(0.0), 10.0_f64.max(2.0 * weight));
    ParamSpec::number("weight", weight, range, unit, "factor on the force; 0 is off")
}

impl NativeMind {
    /// The mind of a behavior of the catalogue.
    ///
    /// # Errors
    /// As [`Self::of_terms`]; the entries of the catalogue have none.
    pub fn new(behavior: &NativeBehavior) -> Result<Self, Vec<BlendError>> {
        Self::of_terms(behavior.control, &(behavior.terms)())
    }

    /// The mind of a blend of native forces with constant numbers.
    ///
    /// # Errors
    /// Unknown forces and parameters, controllers under acceleration, scripted forces, numbers bound to what a native
    /// behavior does not have.
    pub fn of_terms(control: Control, terms: &[Term]) -> Result<Self, Vec<BlendError>> {
        let mut params = ParamTable::default();
        let mut leaf = LeafSpec { path: String::new(), control, terms: Vec::new() };
        let mut errors = Vec::new();
        let mut terms: Vec<&Term> = terms.iter().collect();
        terms.sort_by(|a, b| a.key.cmp(&b.key));
        for term in terms {
            match native_term(term, control, &mut params) {
                Ok(spec) => leaf.terms.push(spec),
                Err(message) => errors.push(BlendError { leaf: String::new(), key: term.key.clone(), message }),
            }
        }
        match Blends::new(std::slice::from_ref(&leaf)) {
            Ok(blends) if errors.is_empty() => Ok(Self { control, blends, params, states: [String::new()] }),
            Ok(_) => Err(errors),
            Err(more) => Err(errors.into_iter().chain(more).collect()),
        }
    }

    /// All sliders: `KEY.weight` and `KEY.PARAM` of each force.
    pub fn params(&self) -> &ParamTable {
        &self.params
    }

    /// Sets a slider.
    ///
    /// # Errors
    /// As [`ParamTable::set`].
    pub fn set(&mut self, address: &str, value: Value, origin: Origin) -> Result<bool, ParamError> {
        self.params.set(address, value, origin)
    }

    /// Puts a slider back to its default; false if there is none.
    pub fn reset(&mut self, address: &str) -> bool {
        self.params.reset(address)
    }

    /// Switches a force on or off; its weight stays. False if there is none of that key.
    pub fn set_enabled(&mut self, key: &str, enabled: bool) -> bool {
        self.blends.set_enabled(None, key, enabled)
    }

    /// Whether a force is switched on; none if there is none of that key.
    pub fn enabled(&self, key: &str) -> Option<bool> {
        self.blends.enabled(0, key)
    }

    /// What each force does to one agent of the group, in key order.
    pub fn contributions(&mut self, world: &World, group: GroupId, slot: u32) -> Vec<Contribution> {
        let members = world.groups.get(group.index()).map(|group| &group.members);
        let Some(member) = members.and_then(|members| members.binary_search(&slot).ok()) else {
            return Vec::new();
        };
        let bound = Bound { sliders: self.params.values(), ..Bound::default() };
        self.blends.contributions(world, group, member, &bound, &Intent::default())
    }
}

/// A term with sliders for its weight and every parameter of its force.
fn native_term(term: &Term, control: Control, params: &mut ParamTable) -> Result<TermSpec, String> {
    let ForceRef::Native(name) = &term.force else {
        return Err("only native forces can act in a native behavior".to_owned());
    };
    let bound = |what: &str| format!("`{what}` is bound, but a native behavior has neither `p` nor memory");
    let weight = term.weight.constant_number().ok_or_else(|| bound("weight"))?;
    let mut spec = TermSpec {
        key: term.key.clone(),
        force: name.clone(),
        weight: Source::Slider(params.push(format!("{}.weight", term.key), weight_spec(weight, control))),
        params: Vec::new(),
        scale: false,
    };
    let Some(force) = force_named(name) else {
        // The blend itself reports it, with the nearest name.
        return Ok(spec);
    };
    if let Some(refusal) = unit_refusal(force, control, "").filter(|_| weight != 0.0) {
        return Err(refusal);
    }
    for mut own in force.specs() {
        if let Some((_, bind)) = term.params.iter().find(|(param, _)| *param == own.name) {
            let Bind::Constant(value) = bind else {
                return Err(bound(&own.name));
            };
            if let Some(refusal) = own.refusal(value) {
                return Err(refusal);
            }
            own.default = value.clone();
        }
        let param = own.name.clone();
        let slider = params.push(format!("{}.{param}", term.key), own);
        spec.params.push((param, Source::Slider(slider)));
    }
    for (param, _) in &term.params {
        if !spec.params.iter().any(|(known, _)| known == param) {
            // Kept so that the blend reports it, with the nearest name.
            spec.params.push((param.clone(), Source::Slider(0)));
        }
    }
    Ok(spec)
}

impl Mind for NativeMind {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, workers: &Workers, out: &mut Intents) {
        let bound = Bound { sliders: self.params.values(), ..Bound::default() };
        out.common.control = self.control;
        for row in &mut out.rows {
            row.control = self.control;
        }
        self.blends.evaluate(world, group, workers, &bound, out);
    }

    fn digest(&mut self, world: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        for slot in &group.members {
            let mut hash = StateHash::new();
            self.blends.digest(world, *slot, &mut hash);
            out.push(hash.finish());
        }
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn turns(&self) -> bool {
        self.blends.turns()
    }

    fn alike(&self) -> bool {
        self.blends.alike()
    }

    fn control(&self) -> Control {
        self.control
    }

    fn reach(&self) -> f64 {
        self.blends.reach(self.params.values())
    }
}
