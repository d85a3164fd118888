//! What a static check found, before a room that knows files makes a problem of it.

/// A place in the source text of a definition; line 0 is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line from 1, or 0 where the text gave none.
    pub line: u32,
    /// Column from 1 in characters, or 0.
    pub column: u32,
}

/// Whether a definition may run with the finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The definition does not run.
    Error,
    /// The definition runs; the author should look.
    Warning,
}

/// One finding in one definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Error or warning.
    pub weight: Weight,
    /// A stable word for the kind of finding, such as `unknown-state`.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to try, if there is more to say than the message does.
    pub hint: Option<String>,
    /// Where in the definition's source.
    pub place: Place,
    /// The definition whose source `place` points into.
    pub definition: String,
}

impl Finding {
    /// An error at a place; the definition is filled in by whoever knows it.
    pub fn error(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { weight: Weight::Error, code, message: message.into(), hint: None, place, definition: String::new() }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: Place, message: impl Into<String>) -> Self {
        Self { weight: Weight::Warning, ..Self::error(code, place, message) }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
