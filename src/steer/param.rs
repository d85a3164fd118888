//! Parameters: what a slider holds and how it is described.
//!
//! One table feeds sliders, help, script types and manual; native forces and scripts fill it alike.

pub use crate::sim::Value;

/// What a text parameter may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choices {
    /// Anything of the default's kind.
    #[default]
    Any,
    /// One of these texts.
    Listed(Vec<String>),
    /// The name of a group of the scene, or `"any"`.
    Groups,
}

/// One parameter: its default, its range and what it means. Lists of these keep the order of the source text.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// Name, a word as in Lua.
    pub name: String,
    /// The value where nobody set one; its kind is the parameter's kind.
    pub default: Value,
    /// Smallest legal number, in `unit`.
    pub min: Option<f64>,
    /// Largest legal number, in `unit`.
    pub max: Option<f64>,
    /// Unit as printed beside the slider; empty for a pure number.
    pub unit: String,
    /// One line for the tooltip; may be empty.
    pub about: String,
    /// What a text may be.
    pub choices: Choices,
}

impl ParamSpec {
    /// A parameter without range, unit or help.
    pub fn new(name: impl Into<String>, default: impl Into<Value>) -> Self {
        Self {
            name: name.into(),
            default: default.into(),
            min: None,
            max: None,
            unit: String::new(),
            about: String::new(),
            choices: Choices::Any,
        }
    }

    /// A number with range, unit and help: the usual row of a registry table.
    pub fn number(name: &str, default: f64, range: (f64, f64), unit: &str, about: &str) -> Self {
        Self {
            min: Some(range.0),
            max: Some(range.1),
            unit: unit.to_owned(),
            about: about.to_owned(),
            ..Self::new(name, default)
        }
    }

    /// A name of a group.
    pub fn group(name: &str, default: &str, about: &str) -> Self {
        Self { about: about.to_owned(), choices: Choices::Groups, ..Self::new(name, default) }
    }

    /// Why `value` does not fit, as the end of a sentence; nothing if it does.
    pub fn refusal(&self, value: &Value) -> Option<String> {
        if !self.default.same_kind(value) {
            return Some(format!("`{}` is a {}, not a {}", self.name, self.default.kind(), value.kind()));
        }
        if !value.is_finite() {
            return Some(format!("`{}` must be finite, got {value}", self.name));
        }
        if let Value::Number(number) = value {
            let low = self.min.unwrap_or(f64::NEG_INFINITY);
            let high = self.max.unwrap_or(f64::INFINITY);
            if *number < low || *number > high {
                return Some(format!("`{}` must be from {low} to {high}, got {number}", self.name));
            }
        }
        if let (Value::Text(text), Choices::Listed(options)) = (value, &self.choices)
            && !options.contains(text)
        {
            return Some(format!("`{}` must be one of {}, got `{text}`", self.name, options.join(", ")));
        }
        None
    }
}
