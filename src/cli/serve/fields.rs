//! The fields of a JSON object by name and kind; what is wrong with one is a sentence about it.

use glam::DVec3;
use serde_json::{Map, Value};

use crate::experiment::frame::ParamValue;
use crate::experiment::{Problem, suggestion};

/// The largest number that is a length, a time or a value, as in scene files.
const LARGEST: f64 = 1e9;

/// The longest name that is shown in full.
const SHOWN: usize = 60;

/// The fields of one command.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Fields of which only `known` may be there.
    pub(super) fn new(map: Map<String, Value>, known: &[&str]) -> Result<Self, Problem> {
        let Some(odd) = map.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(Self(map)) };
        let problem = Problem::error("unknown-field", format!("there is no field `{}`", shown(odd)));
        let hint = suggestion(odd, known.iter().copied());
        Err(problem.maybe_hint(hint.or_else(|| Some("this command has no fields".to_owned()))))
    }

    /// A field that is there and not null.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text, if it is given.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Problem> {
        self.value(name)
            .map(|value| value.as_str().map(str::to_owned).ok_or_else(|| kind(name, "text", value)))
            .transpose()
    }

    /// A text that is needed.
    pub(super) fn needed_text(&self, name: &str) -> Result<String, Problem> {
        self.text(name)?.filter(|text| !text.is_empty()).ok_or_else(|| missing(name, "a text"))
    }

    /// A number, if it is given.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Problem> {
        self.value(name).map(|value| number(name, value)).transpose()
    }

    /// A whole number from 0 to `most`, if it is given.
    pub(super) fn whole(&self, name: &str, most: u64) -> Result<Option<u64>, Problem> {
        let Some(number) = self.number(name)? else { return Ok(None) };
        if number.fract() == 0.0 && (0.0..=most as f64).contains(&number) {
            return Ok(Some(number as u64));
        }
        // Three hundred digits tell nobody anything.
        let got = if number.abs() < 1e15 { number.to_string() } else { format!("{number:e}") };
        Err(Problem::error("bad-value", format!("`{name}` must be a whole number from 0 to {most}, got {got}")))
    }

    /// Yes or no; no if it is not given.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Problem> {
        let flag = |value: &Value| value.as_bool().ok_or_else(|| kind(name, "true or false", value));
        self.value(name).map_or(Ok(false), flag)
    }

    /// A point in m, if it is given.
    pub(super) fn point(&self, name: &str) -> Result<Option<DVec3>, Problem> {
        self.value(name).map(|value| point(name, value)).transpose()
    }

    /// Numbers, if they are given.
    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let list = value.as_array().ok_or_else(|| kind(name, "a list of numbers", value))?;
        list.iter().map(|value| number(name, value)).collect::<Result<_, _>>().map(Some)
    }

    /// A value of a parameter or message, if it is given.
    pub(super) fn param(&self, name: &str) -> Result<Option<ParamValue>, Problem> {
        self.value(name).map(|value| param(name, value)).transpose()
    }

    /// An object, empty if it is not given.
    pub(super) fn object(&self, name: &str) -> Result<Map<String, Value>, Problem> {
        let object = |value: &Value| value.as_object().cloned().ok_or_else(|| kind(name, "an object", value));
        self.value(name).map_or_else(|| Ok(Map::new()), object)
    }
}

/// A number, true or false, text, or a point.
pub(super) fn param(name: &str, value: &Value) -> Result<ParamValue, Problem> {
    match value {
        Value::Number(_) => number(name, value).map(ParamValue::Number),
        Value::Bool(flag) => Ok(ParamValue::Flag(*flag)),
        Value::String(text) => Ok(ParamValue::Text(text.clone())),
        Value::Array(_) => point(name, value).map(ParamValue::Vector),
        Value::Null | Value::Object(_) => Err(kind(name, "a number, true or false, text, or [x, y, z]", value)),
    }
}

/// The problem of a field that is needed.
pub(super) fn missing(name: &str, what: &str) -> Problem {
    Problem::error("missing-field", format!("`{name}` is missing: {what}"))
}

/// A name for a message, cut where it is too long to read.
pub(super) fn shown(text: &str) -> String {
    let cut = text.chars().count() > SHOWN;
    text.chars().take(SHOWN).chain(cut.then_some('…')).collect()
}

fn number(name: &str, value: &Value) -> Result<f64, Problem> {
    let number = value.as_f64().ok_or_else(|| kind(name, "a number", value))?;
    if number.abs() <= LARGEST {
        return Ok(number);
    }
    Err(Problem::error("bad-value", format!("`{}` must be from -1e9 to 1e9, got {number}", shown(name))))
}

fn point(name: &str, value: &Value) -> Result<DVec3, Problem> {
    let list = value.as_array().filter(|list| matches!(list.len(), 2 | 3));
    let list = list.ok_or_else(|| kind(name, "[x, y] or [x, y, z]", value))?;
    let mut point = DVec3::ZERO;
    for (axis, value) in list.iter().enumerate() {
        point[axis] = number(name, value)?;
    }
    Ok(point)
}

fn kind(name: &str, wanted: &str, value: &Value) -> Problem {
    let got = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Problem::error("bad-type", format!("`{}` must be {wanted}, not {got}", shown(name)))
}
