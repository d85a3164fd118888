//! A plain value: what a parameter, a slider, a scene file or the command line holds and what a message carries.

use glam::DVec3;

/// Number, boolean, vector or text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A finite number, in the unit of its owner.
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// A vector, meters or as its owner says.
    Vector(DVec3),
    /// A name: a group, an option, a target.
    Text(String),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    /// The vector, if it is one.
    #[must_use]
    pub fn vector(&self) -> Option<DVec3> {
        if let Self::Vector(vector) = self { Some(*vector) } else { None }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// What kind of value this is, as a reader would say it: `number`, `boolean`, `vector`, `string`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Bool(_) => "boolean",
            Self::Vector(_) => "vector",
            Self::Text(_) => "string",
        }
    }

    /// Whether both are of one kind, so that one may replace the other.
    #[must_use]
    pub fn same_kind(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Whether every number in it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Vector(vector) => vector.is_finite(),
            Self::Bool(_) | Self::Text(_) => true,
        }
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<DVec3> for Value {
    fn from(vector: DVec3) -> Self {
        Self::Vector(vector)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(flag) => write!(f, "{flag}"),
            Self::Vector(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
            Self::Text(text) => f.write_str(text),
        }
    }
}
