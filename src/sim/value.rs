//! A plain value: what a parameter holds and what a message carries.

use glam::DVec3;

/// Number, boolean, vector or text.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A finite number (unit as its owner says).
    Number(f64),
    /// Yes or no.
    Bool(bool),
    /// A vector, metres or as its owner says.
    Vector(DVec3),
    /// A name or a choice.
    Text(String),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// What kind of value it is, for messages.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "number",
            Self::Bool(_) => "boolean",
            Self::Vector(_) => "vector",
            Self::Text(_) => "text",
        }
    }

    /// True if every number in it is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Vector(vector) => vector.is_finite(),
            Self::Bool(_) | Self::Text(_) => true,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Vector(v) => write!(f, "({}, {}, {})", v.x, v.y, v.z),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}
