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
use crate::steer::param::{Choices, ParamSpec};

use super::core::Experiment;
use super::frame::{Param, ParamValue, Section, ValueSource};

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
type ContractTerm = (&'static str, &'static str, &'static str);

const CONTRACT_TERMS: [ContractTerm; 7] = [
    ("spacing", "m", "largest error of a gap between neighbors"),
    ("cross_track", "m", "largest distance off the line through the place"),
    ("along_track", "m", "largest distance ahead of or behind the place"),
    ("heading_deg", "deg", "largest heading error, and spread where that has no limit of its own"),
    ("heading_sd_deg", "deg", "largest spread of the heading errors"),
    ("aligned_limit", "", "how well aligned the group must be, by its definition of aligned"),
    ("settle", "s", "time to settle beside the time to walk"),
];

/// What is chosen by name in a contract: name, names to choose from, one line.
const CONTRACT_CHOICES: [(&str, &[&str], &str); 2] = [
    ("aligned", &["Distance", "Projection", "Hull"], "what counts as aligned"),
    ("base_line", &["Weighted", "TwoPoint", "Clusters"], "how the base line is found"),
];

/// The choice as it stands.
fn contract_choice(spec: &ContractSpec, method: BaseLineMethod, name: &str) -> String {
    match name {
        "aligned" => format!("{:?}", spec.aligned_by),
        _ => format!("{method:?}"),
    }
}

/// The value of a contract's number, in the unit of its name.
fn contract_number(spec: &ContractSpec, name: &str) -> Option<f64> {
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

/// Help for the body's numbers: unit and one line.
fn body_help(field: BodyField) -> (&'static str, &'static str, f64) {
    match field {
        BodyField::Radius => ("m", "radius of the body", 2.0),
        BodyField::MaxSpeed => ("m/s", "speed limit", 20.0),
        BodyField::MaxAcceleration => ("m/s2", "acceleration limit", 50.0),
        BodyField::TurnRate => ("rad/s", "turn rate limit", 30.0),
        BodyField::Lag => ("s", "time constant of the first-order lag", 2.0),
        BodyField::DeadTime => ("s", "time between command and effect", 1.0),
        BodyField::Stride => ("", "what comes out of a commanded step: 1.05 goes 5 % farther", 2.0),
        BodyField::Relaxation => ("s", "time in which a wanted velocity is taken up", 5.0),
        BodyField::PathDesiredDistance => ("m", "a waypoint is reached below this; 0: as the navigation says", 2.0),
        BodyField::TargetDesiredDistance => ("m", "the target is reached below this; 0: as the navigation says", 2.0),
        BodyField::PathMaxDistance => ("m", "farther off its path it gets a new one; 0: as the navigation says", 10.0),
    }
}

/// Help for the avoidance's numbers: unit, one line, end of the slider.
fn avoid_help(field: AvoidField) -> (&'static str, &'static str, f64) {
    match field {
        AvoidField::NeighborDistance => ("m", "agents within this distance count", 20.0),
        AvoidField::MaxNeighbors => ("", "the nearest so many of them count", 40.0),
        AvoidField::TimeHorizonAgents => ("s", "time ahead in which agents do not touch", 10.0),
        AvoidField::TimeHorizonObstacles => ("s", "time ahead in which obstacles are not touched", 10.0),
        AvoidField::AvoidanceLayers => ("", "the layers it is in, one bit each", 15.0),
        AvoidField::AvoidanceMask => ("", "the layers that it avoids, one bit each", 15.0),
        AvoidField::AvoidancePriority => ("", "it avoids nobody of lower priority", 10.0),
        AvoidField::TimeGap => ("s", "time gap to the one in front", 5.0),
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

    fn split(&self, address: &str) -> Result<(usize, String), Problem> {
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

    /// Parameters that any formation of the group has: the one it holds, the one it starts with, those of the schedule.
    fn formation_specs(&self, group: usize) -> Vec<ParamSpec> {
        let held = self.groups[group].forming.as_ref().map(|forming| forming.order.name.clone());
        let first = self.scene.groups[group].formation.clone();
        let later = self.scene.schedule.iter().filter_map(|line| match &line.action {
            crate::scene::build::SceneAction::Form { group: of, formation, .. } if *of == group => {
                Some(formation.clone())
            }
            _ => None,
        });
        let mut specs: Vec<ParamSpec> = Vec::new();
        for name in held.into_iter().chain(first).chain(later) {
            let Some(entry) = self.library().formations.get(&name) else { continue };
            for spec in &entry.params {
                if !specs.iter().any(|known| known.name == spec.name) {
                    specs.push(spec.clone());
                }
            }
        }
        specs
    }

    /// All parameters with values and where these come from, in the order in which they are shown.
    pub fn params(&self) -> Vec<Param> {
        let mut params = Vec::new();
        for group in 0..self.groups.len() {
            self.slider_params(group, &mut params);
            self.formation_params_shown(group, &mut params);
            self.body_params(group, &mut params);
            self.update_param(group, &mut params);
            self.avoid_params(group, &mut params);
            self.contract_params(group, &mut params);
            self.choice_params(group, &mut params);
        }
        params
    }

    fn slider_params(&self, group: usize, params: &mut Vec<Param>) {
        let state = &self.groups[group];
        let name = &self.world.groups[group].name;
        for (slider, value) in state.program.sliders.iter().zip(&state.values) {
            let place = place_of(&state.program, &slider.address, slider.is_param);
            let mut param = shown(&slider.spec, group, format!("{name}.{}", slider.address), value);
            param.label.clone_from(&place.label);
            param.section = place.section;
            param.state = place.state;
            param.force = place.force;
            param.source = self.source_of(&param.address, state.scene_values.contains_key(&slider.address));
            if let Some(value) = state.scene_values.get(&slider.address) {
                param.default = to_param(value);
            }
            if slider.address.ends_with("weight") && param.min.zip(param.max).is_none() {
                param.reach = weight_reach(&param.default);
            }
            params.push(param);
        }
    }

    fn formation_params_shown(&self, group: usize, params: &mut Vec<Param>) {
        let name = &self.world.groups[group].name;
        let held = self.groups[group].forming.as_ref().map(|forming| forming.order.clone());
        for spec in self.formation_specs(group) {
            let address = format!("{name}.formation.{}", spec.name);
            let of_group = self.groups[group].formation_values.get(&spec.name);
            let of_order = held.as_ref().and_then(|order| {
                order.params.iter().rev().find(|(key, _)| *key == spec.name).map(|(_, value)| value.clone())
            });
            let value = self.user.get(&address).or(of_order.as_ref()).or(of_group).cloned();
            let set = of_order.is_some() || of_group.is_some();
            let mut param = shown(&spec, group, address, &value.unwrap_or_else(|| spec.default.clone()));
            param.section = Section::Formation;
            param.source = self.source_of(&param.address, set);
            params.push(param);
        }
    }

    fn body_params(&self, group: usize, params: &mut Vec<Param>) {
        let name = &self.world.groups[group].name;
        let count = self.world.groups[group].members.len() as f64;
        let spec = ParamSpec::number("count", count, (0.0, 1e6), "agents", "number of agents");
        let mut param = shown(&spec, group, format!("{name}.count"), &Value::Number(count));
        param.section = Section::Body;
        let born = self.scene.groups[group].births.len();
        param.default = ParamValue::Number(born as f64);
        param.reach = Some(count_reach(born));
        param.source = self.source_of(&param.address, true);
        params.push(param);
        let defaults = crate::sim::BodySpec::default();
        let navigated = self.navigator.is_some();
        for (field, label) in BodyField::ALL.into_iter().filter(|(field, _)| navigated || !field.is_of_paths()) {
            let (unit, about, most) = body_help(field);
            let scene = self.scene.groups[group].body.get(field);
            let spec = ParamSpec::number(label, scene, (0.0, most.max(scene)), unit, about);
            let now = Value::Number(self.world.groups[group].body.get(field));
            let mut param = shown(&spec, group, format!("{name}.body.{label}"), &now);
            param.section = Section::Body;
            param.source = self.source_of(&param.address, scene != defaults.get(field));
            params.push(param);
        }
    }

    /// How often the group decides: the period, or the middle of the range from which each draws its own.
    fn update_param(&self, group: usize, params: &mut Vec<Param>) {
        let middle = |rate: UpdateRate| f64::midpoint(rate.from, rate.to);
        let (now, scene) = (self.world.groups[group].update, self.scene.groups[group].update);
        let about = "time between two decisions; 0 decides in each tick";
        let spec = ParamSpec::number("update", middle(scene), (0.0, middle(scene).max(0.5)), "s", about);
        let name = &self.world.groups[group].name;
        let mut param = shown(&spec, group, format!("{name}.update"), &Value::Number(middle(now)));
        if now.from < now.to {
            param.about = format!("{about}; each agent has drawn its own from {} to {} s", now.from, now.to);
        }
        param.section = Section::Body;
        param.source = self.source_of(&param.address, scene.is_on());
        params.push(param);
    }

    fn avoid_params(&self, group: usize, params: &mut Vec<Param>) {
        let name = &self.world.groups[group].name;
        let (now, scene) = (self.world.groups[group].body.avoid, self.scene.groups[group].body.avoid);
        let first = Avoid::name_of(scene.as_ref());
        let about = "the filter from wanted to safe velocity";
        let spec = choice_spec("avoid", &Avoid::NAMES, about, first);
        let word = Value::Text(Avoid::name_of(now.as_ref()).to_owned());
        let mut param = shown(&spec, group, format!("{name}.body.avoid"), &word);
        param.section = Section::Body;
        param.source = self.source_of(&param.address, scene.is_some());
        params.push(param);
        let Some(now) = now else { return };
        let usual = Avoid::named(Avoid::name_of(Some(&now))).flatten();
        for (field, label) in AvoidField::ALL {
            let Some(value) = now.get(field) else { continue };
            let usual = usual.and_then(|usual| usual.get(field)).unwrap_or(value);
            let first = scene.and_then(|scene| scene.get(field));
            let (unit, about, most) = avoid_help(field);
            let default = first.unwrap_or(usual);
            let spec = ParamSpec::number(label, default, (0.0, most.max(default)), unit, about);
            let mut param = shown(&spec, group, format!("{name}.body.avoid.{label}"), &Value::Number(value));
            // The words that tell them apart in a narrow panel.
            let short = match field {
                AvoidField::TimeHorizonAgents => "horizon",
                AvoidField::TimeHorizonObstacles => "obstacles",
                _ => label.strip_prefix("avoidance_").unwrap_or(label),
            };
            short.clone_into(&mut param.label);
            param.section = Section::Body;
            param.source = self.source_of(&param.address, first.is_some_and(|first| first != usual));
            params.push(param);
        }
    }

    fn contract_params(&self, group: usize, params: &mut Vec<Param>) {
        let Some(judge) = self.measuring.groups.get(group).and_then(|measure| measure.judge.as_ref()) else { return };
        let name = &self.world.groups[group].name;
        let scene = self.scene.groups[group].contract.unwrap_or_default();
        for (label, unit, about) in CONTRACT_TERMS {
            let (now, first) = (contract_number(judge.spec(), label), contract_number(&scene.spec, label));
            let Some(now) = now else { continue };
            let first = first.unwrap_or(now);
            // Ends for a slider, not for the contract: a limit of a scene always fits.
            let most = match unit {
                "deg" => 45.0_f64,
                "s" => 20.0,
                _ => 1.0,
            };
            let spec = ParamSpec::number(label, first, (0.0, most.max(2.0 * first)), unit, about);
            let mut param = shown(&spec, group, format!("{name}.contract.{label}"), &Value::Number(now));
            param.section = Section::Contract;
            param.source = self.source_of(&param.address, true);
            params.push(param);
        }
    }

    fn choice_params(&self, group: usize, params: &mut Vec<Param>) {
        let Some(measure) = self.measuring.groups.get(group) else { return };
        let Some(judge) = measure.judge.as_ref() else { return };
        let name = &self.world.groups[group].name;
        let scene = self.scene.groups[group].contract.unwrap_or_default();
        for (label, names, about) in CONTRACT_CHOICES {
            let now = contract_choice(judge.spec(), measure.measurer.method, label);
            let first = contract_choice(&scene.spec, scene.base_line, label);
            let spec = choice_spec(label, names, about, &first);
            let mut param = shown(&spec, group, format!("{name}.contract.{label}"), &Value::Text(now));
            param.section = Section::Contract;
            param.source = self.source_of(&param.address, true);
            params.push(param);
        }
    }

    fn source_of(&self, address: &str, in_scene: bool) -> ValueSource {
        let off = self.split(address).is_ok_and(|(group, below)| self.groups[group].off.contains_key(&below));
        if off || self.user.contains_key(address) {
            ValueSource::User
        } else if self.options.sets.iter().any(|(set, _)| set == address) {
            ValueSource::CommandLine
        } else if in_scene {
            ValueSource::Scene
        } else {
            ValueSource::Script
        }
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

/// Ends of the slider of a count: what a group that starts with so many is worth watching with. More may be typed.
fn count_reach(born: usize) -> (f64, f64) {
    if born >= 30 { (0.0, 3000.0_f64.max(born as f64 * 2.0)) } else { (0.0, 20.0_f64.max(born as f64 * 4.0)) }
}

/// Ends of the slider of a weight: any weight is legal, and three times the usual one is much.
fn weight_reach(default: &ParamValue) -> Option<(f64, f64)> {
    match default {
        ParamValue::Number(weight) if *weight >= 0.0 => Some((0.0, (3.0 * weight).ceil().max(3.0))),
        _ => None,
    }
}

/// A parameter that is one of several names.
fn choice_spec(name: &str, names: &[&str], about: &str, default: &str) -> ParamSpec {
    let choices = Choices::Listed(names.iter().map(|name| (*name).to_owned()).collect());
    ParamSpec {
        name: name.to_owned(),
        default: Value::Text(default.to_owned()),
        about: about.to_owned(),
        choices,
        ..ParamSpec::number(name, 0.0, (0.0, 0.0), "", "")
    }
}

/// Where a slider is shown.
struct Shown {
    label: String,
    section: Section,
    state: Option<String>,
    force: Option<String>,
}

/// Splits `state.force.param` and its kin by what the program knows.
fn place_of(program: &crate::machine::program::Program, address: &str, is_param: bool) -> Shown {
    let (path, label) = address.rsplit_once('.').unwrap_or(("", address));
    let plain = Shown { label: label.to_owned(), section: Section::Behavior, state: None, force: None };
    if is_param || path.is_empty() {
        return plain;
    }
    let (state, last) = path.rsplit_once('.').map_or((None, path), |(state, last)| (Some(state.to_owned()), last));
    let is_force = program.leaves.iter().flat_map(|leaf| &leaf.terms).any(|term| term.key == last);
    if is_force {
        return Shown { section: Section::Forces, state, force: Some(last.to_owned()), ..plain };
    }
    Shown { state: Some(path.to_owned()), ..plain }
}

fn shown(spec: &ParamSpec, group: usize, address: String, value: &Value) -> Param {
    let options = match &spec.choices {
        Choices::Listed(options) => options.clone(),
        Choices::Any | Choices::Groups => Vec::new(),
    };
    Param {
        address,
        label: spec.name.clone(),
        group,
        state: None,
        force: None,
        section: Section::Other,
        value: to_param(value),
        default: to_param(&spec.default),
        min: spec.min,
        max: spec.max,
        reach: None,
        unit: spec.unit.clone(),
        about: spec.about.clone(),
        options,
        source: ValueSource::Script,
        bound: None,
    }
}

/// A value as the window shows it.
pub fn to_param(value: &Value) -> ParamValue {
    match value {
        Value::Number(number) => ParamValue::Number(*number),
        Value::Bool(flag) => ParamValue::Flag(*flag),
        Value::Vector(vector) => ParamValue::Vector(*vector),
        Value::Text(text) => ParamValue::Text(text.clone()),
    }
}

/// A value as the window gives it.
pub fn from_param(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::Number(*number),
        ParamValue::Flag(flag) => Value::Bool(*flag),
        ParamValue::Vector(vector) => Value::Vector(*vector),
        ParamValue::Text(text) => Value::Text(text.clone()),
    }
}
