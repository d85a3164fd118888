//! Values as the panels show them: sliders with their ends, choices, help, and where each value comes from.

use crate::sim::body::BodyField;
use crate::sim::{Avoid, AvoidField, UpdateRate, Value};
use crate::steer::param::{Choices, ParamSpec};

use super::core::Experiment;
use super::frame::{Param, ParamValue, Section, ValueSource};
use super::values::{CONTRACT_CHOICES, CONTRACT_TERMS, contract_choice, contract_number};

impl Experiment {
    /// Parameters that any formation of the group has: the one it holds, the one it starts with, those of the schedule.
    pub(super) fn formation_specs(&self, group: usize) -> Vec<ParamSpec> {
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
pub(super) fn choice_spec(name: &str, names: &[&str], about: &str, default: &str) -> ParamSpec {
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
pub(super) fn to_param(value: &Value) -> ParamValue {
    match value {
        Value::Number(number) => ParamValue::Number(*number),
        Value::Bool(flag) => ParamValue::Flag(*flag),
        Value::Vector(vector) => ParamValue::Vector(*vector),
        Value::Text(text) => ParamValue::Text(text.clone()),
    }
}

/// A value as the window gives it.
pub(super) fn from_param(value: &ParamValue) -> Value {
    match value {
        ParamValue::Number(number) => Value::Number(*number),
        ParamValue::Flag(flag) => Value::Bool(*flag),
        ParamValue::Vector(vector) => Value::Vector(*vector),
        ParamValue::Text(text) => Value::Text(text.clone()),
    }
}
