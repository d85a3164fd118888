//! What can be wrong with a formation or an assignment, in words that say what to try.

use super::slots::Overflow;

/// Why a formation has no places.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FormationError {
    /// No native formation has this name.
    #[error("no formation is called \"{name}\"{}", nearest(.near.as_ref()))]
    UnknownFormation {
        /// What was asked for.
        name: String,
        /// The nearest known name, if any is near.
        near: Option<String>,
    },
    /// The formation has no parameter of this name.
    #[error("{formation} has no parameter \"{param}\"{}", nearest(.near.as_ref()))]
    UnknownParam {
        /// The formation's name.
        formation: String,
        /// What was asked for.
        param: String,
        /// The nearest known name, if any is near.
        near: Option<String>,
    },
    /// A parameter has a value that means nothing.
    #[error("{param} = {value}: {message}")]
    BadValue {
        /// The parameter's name.
        param: String,
        /// The value as written.
        value: String,
        /// What is expected.
        message: String,
    },
    /// More places asked for than any formation gives.
    #[error("{asked} places asked for; a formation has at most {most}")]
    TooMany {
        /// Places asked for.
        asked: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// The curve is too short for so many places.
    #[error(
        "{asked} places do not fit: {length:.3} m of curve hold {capacity} at {measure} spacing {spacing} m; \
         try overflow = \"{}\" or \"{}\", a smaller spacing, or fewer agents{note}",
        Overflow::Shrink.name(),
        Overflow::Rows.name()
    )]
    Capacity {
        /// Places asked for.
        asked: usize,
        /// Places that fit.
        capacity: usize,
        /// Length of the curve, in meters of arc.
        length: f64,
        /// Spacing asked for, in meters.
        spacing: f64,
        /// "arc" or "chord".
        measure: &'static str,
        /// Why the curve ends, if that needs saying.
        note: String,
    },
    /// The curve gave a point that is not finite, at a parameter that is needed.
    #[error("the curve is not finite at s = {s}; bound it with range, or return numbers there")]
    NotFinite {
        /// The curve's parameter.
        s: f64,
    },
    /// The curve cannot be followed.
    #[error("{0}")]
    Curve(String),
    /// The caller's own code failed when it was asked for points; the text is its own.
    #[error("{0}")]
    Source(String),
}

fn nearest(near: Option<&String>) -> String {
    near.map_or_else(String::new, |name| format!("; nearest is \"{name}\""))
}

/// Why agents and places cannot be matched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssignError {
    /// An agent's position is NaN or infinite, or so large that its square is.
    #[error("agent {0} has no finite position, so places cannot be assigned")]
    Agent(usize),
    /// A place is NaN or infinite, or so large that its square is.
    #[error("place {0} has no finite position, so places cannot be assigned")]
    Slot(usize),
    /// The solver found no answer though every cost was finite.
    #[error("the assignment of {agents} agents to {slots} places has no solution")]
    Unsolved {
        /// Number of agents.
        agents: usize,
        /// Number of places.
        slots: usize,
    },
}
