//! The sliders of a group: address, what may stand there, what stands there, and who put it there.

use super::nearest::did_you_mean;
use super::param::{ParamSpec, Value};

/// Who set a value; a later one of this list wins over an earlier one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Nobody: the default of the force, behavior or script.
    #[default]
    Default,
    /// The scene file.
    Scene,
    /// `--set`.
    CommandLine,
    /// The user, the console or a director.
    User,
}

impl Origin {
    /// The word for tooltips and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Scene => "scene",
            Self::CommandLine => "--set",
            Self::User => "user",
        }
    }
}

/// Where one slider stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamRow {
    /// Address below the group, such as `separation.weight`.
    pub address: String,
    /// Default, range, unit and help.
    pub spec: ParamSpec,
    /// Who set the value.
    pub origin: Origin,
}

/// Why a value was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No such address; with the nearest one.
    #[error("no parameter `{address}`{near}")]
    Unknown {
        /// What was asked for.
        address: String,
        /// `; did you mean …?`, or empty.
        near: String,
    },
    /// The value does not fit.
    #[error("{0}")]
    Refused(String),
}

/// All sliders of a group, in the order they are shown in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamTable {
    rows: Vec<ParamRow>,
    values: Vec<Value>,
}

impl ParamTable {
    /// Sliders at their defaults.
    pub fn new(sliders: impl IntoIterator<Item = (String, ParamSpec)>) -> Self {
        let mut table = Self::default();
        for (address, spec) in sliders {
            table.push(address, spec);
        }
        table
    }

    /// Adds a slider at its default; its index is what [`super::Source::Slider`] names.
    pub fn push(&mut self, address: String, spec: ParamSpec) -> usize {
        self.values.push(spec.default.clone());
        self.rows.push(ParamRow { address, spec, origin: Origin::Default });
        self.rows.len() - 1
    }

    /// What the sliders are.
    pub fn rows(&self) -> &[ParamRow] {
        &self.rows
    }

    /// What stands at each slider, in the order of [`Self::rows`].
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The slider of an address.
    pub fn index(&self, address: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.address == address)
    }

    /// The value at an address.
    pub fn get(&self, address: &str) -> Option<&Value> {
        self.index(address).map(|index| &self.values[index])
    }

    /// Sets a value. `Ok(false)` if a stronger origin holds the place already.
    ///
    /// # Errors
    /// The address is unknown (with the nearest one), or the value does not fit.
    pub fn set(&mut self, address: &str, value: Value, origin: Origin) -> Result<bool, ParamError> {
        let Some(index) = self.index(address) else {
            let near = did_you_mean(address, self.rows.iter().map(|row| row.address.as_str()));
            return Err(ParamError::Unknown { address: address.to_owned(), near });
        };
        let row = &mut self.rows[index];
        if let Some(refusal) = row.spec.refusal(&value) {
            return Err(ParamError::Refused(format!("{address}: {refusal}")));
        }
        if origin < row.origin {
            return Ok(false);
        }
        row.origin = origin;
        self.values[index] = value;
        Ok(true)
    }

    /// Puts a slider back to its default; false if there is none.
    pub fn reset(&mut self, address: &str) -> bool {
        let Some(index) = self.index(address) else {
            return false;
        };
        self.rows[index].origin = Origin::Default;
        self.values[index] = self.rows[index].spec.default.clone();
        true
    }
}
