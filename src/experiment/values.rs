//! Values by address: what each group can be told, where each value comes from, and how a new one takes effect.
//!
//! Order of values: user or console > `--set` > scene > script default.

use std::sync::Arc;

use crate::formation::BaseLineMethod;
use crate::measure::{Aligned, ContractSpec};
use crate::scene::address::unknown_address;
use crate::scene::problem::Problem;
use crate::sim::body::BodyField;
use crate::sim::{Avoid, AvoidField, GroupId, SimCommand, UpdateRate, Value};
use crate::steer::param::ParamSpec;

use super::core::Experiment;
use super::params::{choice_spec, from_param};

/// What an address means.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Slider(usize),
    Body(BodyField),
    /// The kind of avoidance, by name.
    Avoidance,
    Avoid(AvoidField),
    Contract(&'static str),
    Choice(&'static str),
    Formation(String),
    Count,
    /// How often it decides.
    Update,
}

/// A number of a contract: name, unit, one line.
pub(super) type ContractTerm = (&'static str, &'static str, &'static str);

pub(super) const CONTRACT_TERMS: [ContractTerm; 7] = [
    ("spacing", "m", "largest error of a gap between neighbors"),
    ("cross_track", "m", "largest distance off the line through the place"),
    ("along_track", "m", "largest distance ahead of or behind the place"),
    ("heading_deg", "deg", "largest heading error, and spread where that has no limit of its own"),
    ("heading_sd_deg", "deg", "largest spread of the heading errors"),
    ("aligned_limit", "", "how well aligned the group must be, by its definition of aligned"),
    ("settle", "s", "time to settle beside the time to walk"),
];

/// What is chosen by name in a contract: name, names to choose from, one line.
pub(super) const CONTRACT_CHOICES: [(&str, &[&str], &str); 2] = [
    ("aligned", &["Distance", "Projection", "Hull"], "what counts as aligned"),
    ("base_line", &["Weighted", "TwoPoint", "Clusters"], "how the base line is found"),
];

/// The choice as it stands.
pub(super) fn contract_choice(spec: &ContractSpec, method: BaseLineMethod, name: &str) -> String {
    match name {
        "aligned" => format!("{:?}", spec.aligned_by),
        _ => format!("{method:?}"),
    }
}

/// The value of a contract's number, in the unit of its name.
pub(super) fn contract_number(spec: &ContractSpec, name: &str) -> Option<f64> {
    match name {
        "spacing" => spec.spacing,
        "cross_track" => spec.cross_track,
        "along_track" => spec.along_track,
        "heading_deg" => spec.heading.map(f64::to_degrees),
        "heading_sd_deg" => spec.heading_sd.map(f64::to_degrees),
        "aligned_limit" => spec.aligned,
        "settle" => spec.settle,
        _ => None,
    }
}

fn set_contract_number(spec: &mut ContractSpec, name: &str, number: Option<f64>) {
    match name {
        "spacing" => spec.spacing = number,
        "cross_track" => spec.cross_track = number,
        "along_track" => spec.along_track = number,
        "heading_deg" => spec.heading = number.map(f64::to_radians),
        "heading_sd_deg" => spec.heading_sd = number.map(f64::to_radians),
        "aligned_limit" => spec.aligned = number,
        "settle" => spec.settle = number,
        _ => {}
    }
}

impl Experiment {
    /// Sets a value by its whole address for the rest of the run; it acts from the next tick.
    ///
    /// # Errors
    /// An address that nothing has, with the nearest that exist, or a value that does not fit.
    pub fn set_value(&mut self, address: &str, value: &Value) -> Result<(), Problem> {
        let (group, below) = self.split(address)?;
        let target = self.target(group, &below).ok_or_else(|| self.unknown(address))?;
        if let Some(refusal) = self.refusal(group, &target, value) {
            let message = format!("{address}: {refusal}");
            return Err(Problem::error("bad-value", message).group(self.world.groups[group].name.clone()));
        }
        self.take_effect(group, &target, value)
    }

    pub(super) fn split(&self, address: &str) -> Result<(usize, String), Problem> {
        let (group, below) = address.split_once('.').ok_or_else(|| self.unknown(address))?;
        let index = self.world.groups.iter().position(|known| known.name == group);
        let index = index.ok_or_else(|| self.unknown(address))?;
        Ok((index, below.to_owned()))
    }

    fn unknown(&self, address: &str) -> Problem {
        let known = self.addresses();
        unknown_address(address, known.iter().map(String::as_str))
    }

    /// All whole addresses of the scene.
    pub fn addresses(&self) -> Vec<String> {
        self.params().into_iter().map(|param| param.address).collect()
    }

    fn target(&self, group: usize, below: &str) -> Option<Target> {
        if below == "count" {
            return Some(Target::Count);
        }
        if below == "update" {
            return Some(Target::Update);
        }
        if below == "body.avoid" {
            return Some(Target::Avoidance);
        }
        if let Some(name) = below.strip_prefix("body.avoid.") {
            let field = AvoidField::named(name)?;
            self.world.groups[group].body.avoid?.get(field)?;
            return Some(Target::Avoid(field));
        }
        if let Some(name) = below.strip_prefix("body.") {
            return BodyField::named(name).map(Target::Body);
        }
        if let Some(name) = below.strip_prefix("contract.") {
            self.measuring.groups.get(group)?.judge.as_ref()?;
            if let Some((choice, ..)) = CONTRACT_CHOICES.iter().find(|(known, ..)| *known == name) {
                return Some(Target::Choice(choice));
            }
            let term = CONTRACT_TERMS.iter().find(|(known, ..)| *known == name)?;
            return Some(Target::Contract(term.0));
        }
        if let Some(name) = below.strip_prefix("formation.") {
            let known = self.formation_specs(group).iter().any(|spec| spec.name == name);
            return known.then(|| Target::Formation(name.to_owned()));
        }
        self.groups[group].program.slider(below).map(Target::Slider)
    }

    /// Why a value does not fit, if it does not.
    fn refusal(&self, group: usize, target: &Target, value: &Value) -> Option<String> {
        let spec = match target {
            Target::Slider(slider) => self.groups[group].program.sliders[*slider].spec.clone(),
            Target::Formation(name) => {
                // The slider's ends are no limits of a formation's parameter; the formation itself says what it can do.
                let spec = self.formation_specs(group).into_iter().find(|spec| spec.name == *name)?;
                ParamSpec { min: None, max: None, ..spec }
            }
            Target::Body(field) => {
                let Some(number) = value.number() else { return Some("a number is needed".to_owned()) };
                return crate::sim::command::check_body(*field, number).err().map(|error| error.to_string());
            }
            Target::Avoid(field) => {
                let Some(number) = value.number() else { return Some("a number is needed".to_owned()) };
                return field.refusal(number).map(str::to_owned);
            }
            Target::Avoidance => choice_spec("avoid", &Avoid::NAMES, "", "None"),
            Target::Choice(name) => {
                let (_, names, _) = CONTRACT_CHOICES.iter().find(|(known, ..)| known == name)?;
                choice_spec(name, names, "", names[0])
            }
            Target::Contract(name) => {
                let most = if name.ends_with("_deg") { 180.0 } else { 1e6 };
                ParamSpec::number("limit", 0.0, (1e-9, most), "", "")
            }
            Target::Update => {
                let Some(rate) = rate_of(value) else {
                    return Some("a period in s is needed, or (from, to)".to_owned());
                };
                return rate.refusal().map(str::to_owned);
            }
            Target::Count => {
                // Half an agent is none: said, not cut off.
                let part = value.number().filter(|number| number.fract() != 0.0);
                if part.is_some() {
                    return Some("a whole number is needed".to_owned());
                }
                ParamSpec::number("count", 0.0, (0.0, 1e6), "", "")
            }
        };
        spec.refusal(value)
    }

    fn take_effect(&mut self, group: usize, target: &Target, value: &Value) -> Result<(), Problem> {
        self.changes += 1;
        match target {
            Target::Slider(slider) => {
                self.groups[group].values[*slider] = value.clone();
                self.minds[group].set(*slider, value);
            }
            Target::Body(field) => {
                if let Some(number) = value.number() {
                    let command = SimCommand::SetBody(GroupId(group as u16), *field, number);
                    let done = Arc::make_mut(&mut self.world).apply(command);
                    done.map_err(|error| Problem::error("bad-value", error.to_string()))?;
                }
            }
            Target::Avoidance => {
                // The kind that the scene has comes back as the scene has it.
                let kept = [self.world.groups[group].body.avoid, self.scene.groups[group].body.avoid];
                let word = value.to_string();
                let known = kept.into_iter().find(|avoid| Avoid::name_of(avoid.as_ref()) == word);
                self.set_avoid(group, known.or_else(|| Avoid::named(&word)).unwrap_or_default())?;
            }
            Target::Avoid(field) => {
                if let (Some(mut avoid), Some(number)) = (self.world.groups[group].body.avoid, value.number()) {
                    avoid.set(*field, number);
                    self.set_avoid(group, Some(avoid))?;
                }
            }
            Target::Contract(term) => self.set_contract(group, term, value),
            Target::Choice(name) => self.choose(group, name, &value.to_string()),
            Target::Formation(name) => {
                self.groups[group].formation_values.insert(name.clone(), value.clone());
                self.reshape_formation(group);
            }
            Target::Count => self.set_count(group, value.number().unwrap_or(0.0) as usize),
            Target::Update => {
                let command = SimCommand::SetUpdate(GroupId(group as u16), rate_of(value).unwrap_or_default());
                let done = Arc::make_mut(&mut self.world).apply(command);
                done.map_err(|error| Problem::error("bad-value", error.to_string()))?;
            }
        }
        Ok(())
    }

    fn set_avoid(&mut self, group: usize, avoid: Option<Avoid>) -> Result<(), Problem> {
        let command = SimCommand::SetAvoid(GroupId(group as u16), avoid);
        let done = Arc::make_mut(&mut self.world).apply(command);
        done.map(drop).map_err(|error| Problem::error("bad-value", error.to_string()))
    }

    fn set_contract(&mut self, group: usize, name: &str, value: &Value) {
        let Some(judge) = self.measuring.groups[group].judge.as_mut() else { return };
        let mut spec = *judge.spec();
        set_contract_number(&mut spec, name, value.number());
        judge.set_spec(spec);
    }

    /// Another definition of what the contract judges: settling starts anew.
    fn choose(&mut self, group: usize, name: &str, word: &str) {
        let measure = &mut self.measuring.groups[group];
        if name == "base_line" {
            let methods = [BaseLineMethod::Weighted, BaseLineMethod::TwoPoint, BaseLineMethod::Clusters];
            let found = methods.into_iter().find(|method| format!("{method:?}") == word);
            measure.measurer.method = found.unwrap_or_default();
            return;
        }
        let Some(judge) = measure.judge.as_mut() else { return };
        let mut spec = *judge.spec();
        let found = [Aligned::Distance, Aligned::Projection, Aligned::Hull];
        if let Some(aligned) = found.into_iter().find(|aligned| format!("{aligned:?}") == word) {
            spec.aligned_by = aligned;
        }
        judge.set_spec(spec);
        measure.want(spec.metrics());
    }

    /// The value that an address goes back to when the user's is taken away.
    pub(super) fn value_without_user(&self, address: &str) -> Option<Value> {
        let (group, below) = self.split(address).ok()?;
        match self.target(group, &below)? {
            Target::Slider(slider) => {
                let state = &self.groups[group];
                let scene = state.scene_values.get(&state.program.sliders[slider].address);
                Some(scene.cloned().unwrap_or_else(|| state.program.sliders[slider].spec.default.clone()))
            }
            Target::Body(field) => Some(Value::Number(self.scene.groups[group].body.get(field))),
            Target::Avoidance => {
                Some(Value::Text(Avoid::name_of(self.scene.groups[group].body.avoid.as_ref()).to_owned()))
            }
            Target::Avoid(field) => {
                let usual = Avoid::named(Avoid::name_of(self.world.groups[group].body.avoid.as_ref())).flatten();
                let scene = self.scene.groups[group].body.avoid.and_then(|avoid| avoid.get(field));
                scene.or_else(|| usual?.get(field)).map(Value::Number)
            }
            Target::Contract(term) => {
                contract_number(&self.scene.groups[group].contract?.spec, term).map(Value::Number)
            }
            Target::Choice(name) => {
                let contract = self.scene.groups[group].contract?;
                Some(Value::Text(contract_choice(&contract.spec, contract.base_line, name)))
            }
            Target::Formation(name) => {
                let set = self.scene.groups[group].formation_set.iter().rev().find(|(key, _)| *key == name);
                let spec = self.formation_specs(group).into_iter().find(|spec| spec.name == name)?;
                Some(set.map_or(spec.default, |(_, value)| value.clone()))
            }
            Target::Count => Some(Value::Number(self.scene.groups[group].births.len() as f64)),
            Target::Update => {
                let UpdateRate { from, to } = self.scene.groups[group].update;
                Some(if from == to { Value::Number(to) } else { Value::Vector(glam::DVec3::new(from, to, 0.0)) })
            }
        }
    }

    /// Takes a formation's parameter from the group again, so that scene and script decide.
    pub(super) fn forget_formation_value(&mut self, address: &str) {
        let Ok((group, below)) = self.split(address) else { return };
        let Some(name) = below.strip_prefix("formation.") else { return };
        let scene = self.scene.groups[group].formation_set.iter().rev().find(|(key, _)| key == name).cloned();
        match scene {
            Some((key, value)) => self.groups[group].formation_values.insert(key, value),
            None => self.groups[group].formation_values.remove(name),
        };
        self.reshape_formation(group);
    }

    /// The value an address has now.
    pub fn value(&self, address: &str) -> Option<Value> {
        self.params().into_iter().find(|param| param.address == address).map(|param| from_param(&param.value))
    }
}

/// A period for all, or the range from which each draws its own.
fn rate_of(value: &Value) -> Option<UpdateRate> {
    match value {
        Value::Number(period) => Some(UpdateRate::of(*period)),
        Value::Vector(range) => Some(UpdateRate { from: range.x, to: range.y }),
        _ => None,
    }
}
