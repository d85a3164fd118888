//! What was wrong with an obstacle, in which field, and what to try.

/// A refused obstacle or a refused change; the set is as it was before.
///
/// The field is written as in a scene file (`radius`, `min`, `points[3]`, `holes[0][2]`), so that a reader of scenes
/// can point at the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("obstacle \"{object}\": `{field}` {what}; {hint}")]
pub struct ObstacleError {
    /// Name of the obstacle, or its kind where it has no name.
    pub object: String,
    /// Field at fault.
    pub field: String,
    /// What is wrong, with the value found.
    pub what: String,
    /// What to try.
    pub hint: String,
}

impl ObstacleError {
    /// Puts an error together.
    pub(super) fn new(
        object: &str,
        field: impl Into<String>,
        what: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { object: object.to_owned(), field: field.into(), what: what.into(), hint: hint.into() }
    }
}
