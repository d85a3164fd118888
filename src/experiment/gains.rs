//! Where gains go that tuning found: the addresses of `track_slot` in a group.

use super::command::Command;
use super::core::Experiment;
use super::frame::{Param, ParamValue};
use super::plant::Tried;

/// The force whose gains are tuned; its twin in Luau has the same ones.
const FORCE: &str = "track_slot";

/// The parameters that hold a gain of the group's position controller.
///
/// Those of the force in every state; else the group's own parameter of that name, which the force is bound to; else those of
/// the force in single states.
pub fn gain_params<'a>(parameters: &'a [Param], group: usize, gain: &str) -> Vec<&'a Param> {
    let of_force = |param: &&Param| param.force.as_deref().is_some_and(|force| force.starts_with(FORCE));
    let all = || parameters.iter().filter(|param| param.group == group && param.label == gain);
    let everywhere: Vec<&Param> = all().filter(of_force).filter(|param| param.state.is_none()).collect();
    if !everywhere.is_empty() {
        return everywhere;
    }
    let own: Vec<&Param> = all().filter(|param| param.force.is_none() && param.state.is_none()).collect();
    if own.is_empty() { all().filter(of_force).collect() } else { own }
}

/// What must be set so that a group uses gains: addresses and values.
///
/// # Errors
/// A sentence for a person: a gain that the group has no parameter for, or that the parameter does not take.
pub fn settings(parameters: &[Param], group: usize, tried: &Tried) -> Result<Vec<(String, f64)>, String> {
    let mut settings = Vec::new();
    for (gain, value) in [("k1", tried.kp), ("kd", tried.kd), ("k3", tried.ki)] {
        let params = gain_params(parameters, group, gain);
        // Gains are typed and read by people: four digits say as much as ten.
        let value = rounded(value);
        if params.is_empty() && value != 0.0 {
            return Err(format!("the group has no parameter `{gain}` of {FORCE} to set"));
        }
        for param in params.into_iter().filter(|param| matches!(param.value, ParamValue::Number(_))) {
            let (low, high) = (param.min.unwrap_or(f64::NEG_INFINITY), param.max.unwrap_or(f64::INFINITY));
            if value < low || value > high {
                return Err(format!(
                    "{} takes values from {low} to {high}, and this rule asks for {value}",
                    param.address
                ));
            }
            settings.push((param.address.clone(), value));
        }
    }
    Ok(settings)
}

impl Experiment {
    /// Gives gains to a group and writes them into the scene file, as the window's "Use" and "Save scene" do.
    ///
    /// # Errors
    /// A sentence for a person: the gains do not fit, or the file was not written.
    pub fn save_gains(&mut self, group: &str, tried: &Tried) -> Result<Vec<(String, f64)>, String> {
        let Some(index) = self.world().groups.iter().position(|known| known.name == group) else {
            return Err(format!("the scene has no group `{group}`"));
        };
        let settings = settings(&self.params(), index, tried)?;
        let before = self.problems().len();
        let values = settings.iter().map(|(address, value)| (address.clone(), ParamValue::Number(*value))).collect();
        self.apply(&Command::SetParams { what: format!("Use gains of {}", tried.rule), values });
        if self.problems().len() == before {
            self.apply(&Command::SaveScene(None));
        }
        match self.problems().get(before..).and_then(<[_]>::first) {
            Some(problem) => Err(problem.to_string()),
            None => Ok(settings),
        }
    }
}

/// Four digits of a number.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let digits = 10f64.powi(3 - value.abs().log10().floor() as i32);
    (value * digits).round() / digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::frame::{Section, ValueSource};

    fn param(address: &str, state: Option<&str>, force: Option<&str>, range: (f64, f64)) -> Param {
        Param {
            address: address.to_owned(),
            label: address.rsplit('.').next().unwrap_or_default().to_owned(),
            group: 0,
            state: state.map(str::to_owned),
            force: force.map(str::to_owned),
            section: Section::Forces,
            value: ParamValue::Number(1.0),
            default: ParamValue::Number(1.0),
            min: Some(range.0),
            max: Some(range.1),
            reach: None,
            unit: String::new(),
            about: String::new(),
            options: Vec::new(),
            source: ValueSource::Script,
            bound: None,
        }
    }

    fn tried(kp: f64, ki: f64, kd: f64) -> Tried {
        let (rule, response) = ("a rule".to_owned(), Vec::new().into());
        Tried { rule, kp, ki, kd, overshoot: 0.0, settled: None, iae: 0.0, response }
    }

    #[test]
    fn a_gain_that_is_bound_is_set_where_it_is_bound_to() {
        let params = [
            param("drill.k1", None, None, (0.0, 6.0)),
            param("drill.track_slot.kd", None, Some("track_slot"), (0.0, 2.0)),
            param("drill.track_slot.k3", None, Some("track_slot"), (0.0, 1.0)),
            param("drill.aligning.track_slot.k1", Some("aligning"), Some("track_slot"), (0.0, 6.0)),
        ];
        let wanted = [("drill.k1", 3.123), ("drill.track_slot.kd", 0.5), ("drill.track_slot.k3", 0.0)];
        let found = settings(&params, 0, &tried(3.12345, 0.0, 0.5)).expect("all fit");
        assert_eq!(found, wanted.map(|(address, value)| (address.to_owned(), value)));
    }

    #[test]
    fn what_does_not_fit_or_is_not_there_is_said() {
        let params = [param("drill.k1", None, None, (0.0, 6.0))];
        assert!(settings(&params, 0, &tried(7.0, 0.0, 0.0)).expect_err("too much").contains("from 0 to 6"));
        assert!(settings(&params, 0, &tried(3.0, 0.5, 0.0)).expect_err("no integral").contains("`k3`"));
        assert!(settings(&params, 0, &tried(3.0, 0.0, 0.0)).is_ok());
        assert!(settings(&params, 1, &tried(3.0, 0.0, 0.0)).is_err(), "another group");
    }
}
