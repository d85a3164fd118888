//! Parameters of formations: their table entries and their values.

use super::error::FormationError;

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A number with the ends of its slider; values beyond the slider are allowed where `must` allows them.
    Number {
        /// Value if nobody sets one.
        default: f64,
        /// Lower end of the slider.
        min: f64,
        /// Upper end of the slider.
        max: f64,
        /// What every value has to be.
        must: Must,
    },
    /// One of a few words.
    Choice {
        /// Word if nobody sets one.
        default: &'static str,
        /// All words.
        options: &'static [&'static str],
    },
}

/// What a number has to be to mean anything.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::enum_variant_names, reason = "read with the name of the type: must be finite")]
pub enum Must {
    /// Finite.
    BeFinite,
    /// Finite and at least this.
    BeAtLeast(f64),
    /// Finite and above 0.
    BePositive,
    /// A whole number, at least 1.
    BeCount,
}

/// One parameter of a formation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// Name in scenes, scripts and on the command line.
    pub name: &'static str,
    /// Unit, empty for pure numbers and choices.
    pub unit: &'static str,
    /// One line for lists and tooltips.
    pub about: &'static str,
    /// Kind, default and bounds.
    pub kind: ParamKind,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number in the parameter's unit.
    Number(f64),
    /// One of the parameter's words.
    Choice(String),
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(word: &str) -> Self {
        Self::Choice(word.to_owned())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Choice(word) => write!(f, "\"{word}\""),
        }
    }
}

impl Must {
    /// What is wrong with `number`, if anything.
    pub fn complaint(self, number: f64) -> Option<String> {
        let fine = number.is_finite()
            && match self {
                Self::BeFinite => true,
                Self::BeAtLeast(least) => number >= least,
                Self::BePositive => number > 0.0,
                Self::BeCount => number >= 1.0 && number <= 1e6 && number == libm::floor(number),
            };
        if fine {
            return None;
        }
        Some(match self {
            Self::BeFinite => "must be a finite number".to_owned(),
            Self::BeAtLeast(least) => format!("must be a finite number, at least {least}"),
            Self::BePositive => "must be a finite number above 0".to_owned(),
            Self::BeCount => "must be a whole number from 1 to 1000000".to_owned(),
        })
    }
}

impl Param {
    /// The value if nobody sets one.
    pub fn default(&self) -> Value {
        match self.kind {
            ParamKind::Number { default, .. } => Value::Number(default),
            ParamKind::Choice { default, .. } => Value::Choice(default.to_owned()),
        }
    }

    /// An error unless `value` is one that this parameter can have.
    ///
    /// # Errors
    /// [`FormationError::BadValue`].
    pub fn check(&self, value: &Value) -> Result<(), FormationError> {
        let complaint = match (self.kind, value) {
            (ParamKind::Number { must, .. }, Value::Number(number)) => must
                .complaint(*number)
                .map(|text| if self.unit.is_empty() { text } else { format!("{text} ({})", self.unit) }),
            (ParamKind::Choice { options, .. }, Value::Choice(word)) if options.contains(&word.as_str()) => None,
            (ParamKind::Number { .. }, Value::Choice(_)) => Some("must be a number".to_owned()),
            (ParamKind::Choice { options, .. }, _) => Some(format!("must be one of \"{}\"", options.join("\", \""))),
        };
        complaint.map_or(Ok(()), |message| {
            Err(FormationError::BadValue { param: self.name.to_owned(), value: value.to_string(), message })
        })
    }
}

/// The known name nearest to a misspelled one, if any is near.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let score = |candidate: &str| strsim::jaro_winkler(&name.to_lowercase(), candidate);
    known
        .map(|candidate| (score(candidate), candidate))
        .filter(|(score, _)| *score > 0.7)
        .fold(
            None::<(f64, &str)>,
            |best, next| if best.is_some_and(|best| best.0 >= next.0) { best } else { Some(next) },
        )
        .map(|(_, candidate)| candidate.to_owned())
}
