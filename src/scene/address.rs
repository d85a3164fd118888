//! Addresses: one way to name a value for scene files, `--set`, sliders and scripts.
//!
//! `group.param`, `group.state.force.param`, `group.state.limits.max_speed`, `group.formation.param`; below a group the
//! names of [`RESERVED`] are not parameters of the behavior.

use std::fmt;

use super::nearest::{nearest, nearest_few};
use super::problem::Problem;

/// Names below a group that a behavior's parameter cannot have.
pub const RESERVED: [&str; 8] = ["body", "contract", "count", "formation", "limits", "network", "spawn", "update"];

/// A dotted address, checked for its form only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address {
    segments: Vec<String>,
}

impl Address {
    /// Reads `a.b.c`.
    ///
    /// # Errors
    /// What is wrong with the form, as a problem without a place.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let segments: Vec<String> = text.split('.').map(str::to_owned).collect();
        let shown = super::ron::shortened(text);
        let bad = |message: String| {
            Err(Problem::error("bad-address", message).hint("an address is names joined by dots, such as `drill.k1`"))
        };
        if text.trim().is_empty() {
            return bad("the address is empty".to_owned());
        }
        if segments.iter().any(String::is_empty) {
            return bad(format!("the address `{shown}` has a dot too many"));
        }
        let odd = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '/'));
        match text.chars().find(|&c| c != '.' && odd(c)) {
            Some(c) => bad(format!("the address `{shown}` contains {c:?}")),
            None => Ok(Self { segments }),
        }
    }

    /// `ADDRESS=VALUE` of a command line.
    ///
    /// # Errors
    /// As [`Self::parse`], and without `=`.
    pub fn parse_assignment(text: &str) -> Result<(Self, super::SetValue), Problem> {
        let Some((address, value)) = text.split_once('=') else {
            let shown = super::ron::shortened(text);
            let problem = Problem::error("bad-address", format!("`{shown}` has no `=`"));
            return Err(problem.hint("write ADDRESS=VALUE, such as `drill.k1=2.5`"));
        };
        Ok((Self::parse(address.trim())?, super::SetValue::parse(value)))
    }

    /// The first name: the group (or a director).
    pub fn group(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }

    /// What follows the group, joined by dots; empty if nothing does.
    pub fn below_group(&self) -> String {
        self.segments.get(1..).unwrap_or_default().join(".")
    }

    /// All names.
    pub fn segments(&self) -> &[String] {
        &self.segments
    }

    /// The reserved name that follows the group, if one does.
    pub fn reserved(&self) -> Option<&'static str> {
        let second = self.segments.get(1)?;
        RESERVED.iter().copied().find(|name| name == second)
    }

    /// The problem of an address that nothing has: lists the nearest of the known ones.
    pub fn unknown<'a>(&self, known: impl IntoIterator<Item = &'a str> + Clone) -> Problem {
        unknown_address(&self.to_string(), known)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.segments.join("."))
    }
}

/// The problem of an address that nothing has: lists the nearest of the known ones.
pub fn unknown_address<'a>(address: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Problem {
    let problem =
        Problem::error("unknown-address", format!("nothing has the address `{}`", super::ron::shortened(address)));
    if let Some(name) = nearest(address, known.clone()) {
        return problem.hint(format!("did you mean `{name}`?"));
    }
    if let Some(hint) = address.split('.').next().and_then(field_hint) {
        return problem.hint(hint);
    }
    let few = nearest_few(address, known, 5);
    if few.is_empty() {
        return problem;
    }
    problem.hint(format!("the nearest are `{}`", few.join("`, `")))
}

/// What to do about a first name that is a field of the scene: addresses begin with a group or a director.
pub(super) fn field_hint(name: &str) -> Option<String> {
    let known = super::SceneFile::FIELDS.iter().any(|field| field.name == name);
    known.then(|| {
        let also = if name == "seed" { ", or give --seed" } else { "" };
        format!("`{name}` is a field of the scene: change it in the file{also}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_sets_a_number_of_navigation_is_told_where_it_stands() {
        let hint = unknown_address("navigation.radius", ["drill.k1"]).hint;
        assert_eq!(hint.as_deref(), Some("`navigation` is a field of the scene: change it in the file"));
    }

    #[test]
    fn addresses_are_names_joined_by_dots() {
        let address = Address::parse("drones.form.separation.weight").ok();
        assert_eq!(address.as_ref().map(Address::group), Some("drones"));
        assert_eq!(address.map(|a| a.below_group()).as_deref(), Some("form.separation.weight"));
        for bad in ["", "a..b", ".a", "a.", "a b.c", "a.b\u{0}"] {
            assert!(Address::parse(bad).is_err(), "{bad:?}");
        }
        let body = Address::parse("drill.body.lag").ok();
        assert_eq!(body.and_then(|a| a.reserved()), Some("body"));
    }

    #[test]
    fn an_unknown_address_lists_the_nearest() {
        let known = ["drill.k1", "drill.align", "drill.body.lag"];
        let hint = unknown_address("drill.k2", known).hint.unwrap_or_default();
        assert_eq!(hint, "did you mean `drill.k1`?");
        let hint = unknown_address("zzz", known).hint.unwrap_or_default();
        assert!(hint.starts_with("the nearest are `"), "{hint}");
    }
}
