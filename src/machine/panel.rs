//! Which sliders of a behavior come first in the window: a list of addresses, checked like everything else that is written.

use super::finding::{Finding, Place};
use super::program::Program;
use crate::sim::AvoidField;
use crate::sim::body::BodyField;
use crate::steer::nearest::did_you_mean;
use crate::steer::param::Choices;

/// One of the sliders that come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelEntry {
    /// Address below the group (`top`, `separation.weight`, `count`, `body.max_speed`), or `p.NAME.count` for the number of
    /// agents of the group that the parameter `NAME` names.
    pub address: String,
    /// What it is called there; empty for its own name.
    pub label: String,
    /// Where it is written.
    pub place: Place,
}

impl PanelEntry {
    /// An entry of a native table.
    pub fn native((address, label): (&str, &str)) -> Self {
        Self { address: address.to_owned(), label: label.to_owned(), place: Place::default() }
    }

    /// The parameter that names the group whose agents are meant.
    pub fn group_param(&self) -> Option<&str> {
        self.address.strip_prefix("p.")?.strip_suffix(".count")
    }
}

/// What is wrong with the entries of a program.
pub fn check(program: &Program) -> Vec<Finding> {
    program.panel.iter().filter_map(|entry| fault(program, entry)).collect()
}

fn fault(program: &Program, entry: &PanelEntry) -> Option<Finding> {
    let address = entry.address.as_str();
    if let Some(name) = entry.group_param() {
        let slider = program.sliders.iter().find(|slider| slider.is_param && slider.address == name);
        let names_group = slider.is_some_and(|slider| slider.spec.choices == Choices::Groups);
        let message = format!("panel: `{address}` needs a parameter `{name}` with options = \"groups\"");
        return (!names_group).then(|| Finding::error("unknown-address", entry.place, message));
    }
    let body = address.strip_prefix("body.").is_some_and(|field| {
        let avoid = field.strip_prefix("avoid.").is_some_and(|field| AvoidField::named(field).is_some());
        avoid || field == "avoid" || BodyField::named(field).is_some()
    });
    if matches!(address, "count" | "update") || body || program.slider(address).is_some() {
        return None;
    }
    if let Some(bound) = program.bound.iter().find(|bound| bound.address == address) {
        let message = format!("panel: `{address}` follows {} and is no slider", bound.follows);
        return Some(Finding::error("unknown-address", entry.place, message));
    }
    let near =
        did_you_mean(address, program.sliders.iter().map(|slider| slider.address.as_str()).chain(["count", "update"]));
    Some(Finding::error("unknown-address", entry.place, format!("panel: there is no slider `{address}`{near}")))
}
