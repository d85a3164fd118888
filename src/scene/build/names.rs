//! Names that a scene uses: groups, obstacles, behaviors, formations, metrics, addresses.

use super::Builder;
use super::PlotRef;
use crate::scene::address::{Address, RESERVED, unknown_address};
use crate::scene::catalogue::{Known, Noun};
use crate::scene::decode::Spanned;
use crate::scene::file::StopFile;
use crate::scene::nearest::suggestion;
use crate::scene::ron::shortened;

impl Builder<'_> {
    /// The index of a group that a scene names; reports one that is not there.
    pub(super) fn group_index(&mut self, name: &Spanned<String>) -> Option<usize> {
        let names: Vec<String> = self.group_names();
        let found = names.iter().position(|known| *known == name.value);
        if found.is_none() {
            let message = format!("there is no group `{}`", shortened(&name.value));
            let hint = suggestion(&name.value, names.iter().map(String::as_str));
            if let Some(problem) = self.error(name.span, "unknown-group", message) {
                problem.hint = hint;
            }
        }
        found
    }

    pub(super) fn group_names(&self) -> Vec<String> {
        self.file.groups.iter().map(|group| group.value.name.value.clone()).collect()
    }

    /// The index of an obstacle that a scene names; reports one that is not there.
    pub(super) fn obstacle_index(&mut self, name: &Spanned<String>) -> Option<usize> {
        let names: Vec<String> = self.file.obstacles.iter().map(|obstacle| obstacle.value.name().to_owned()).collect();
        let found = names.iter().position(|known| !known.is_empty() && *known == name.value);
        if found.is_none() {
            let message = format!("there is no obstacle `{}`", shortened(&name.value));
            let stops = self.file.stops.iter().map(|stop| stop.value.name().value.as_str());
            let sources = self.file.sources.iter().map(|source| source.value.name.value.as_str());
            let known = names.iter().map(String::as_str).chain(stops).chain(sources).filter(|name| !name.is_empty());
            let hint = suggestion(&name.value, known.collect::<Vec<_>>());
            if let Some(problem) = self.error(name.span, "unknown-obstacle", message) {
                problem.hint =
                    hint.or_else(|| Some("obstacles have a name only if it is given: `name: \"door\"`".to_owned()));
            }
        }
        found
    }

    /// Reports a name of a kind that the catalogue does not have.
    pub(super) fn known_name(&mut self, noun: Noun, name: &Spanned<String>, group: Option<&str>) -> bool {
        let shown = shortened(&name.value);
        let (code, message, hint) = match self.catalogue.knows(noun, &name.value) {
            Known::Yes => return true,
            Known::Broken => {
                let message = format!("the {} `{shown}` could not be loaded", noun.word());
                ("broken-script", message, Some("its own problems say why".to_owned()))
            }
            Known::No => {
                let names = self.catalogue.names(noun);
                let near = suggestion(&name.value, names.iter().map(String::as_str));
                let place = format!("a new one is a file in {}", noun.folders());
                let hint = near.map_or_else(
                    || place.clone(),
                    |near| {
                        let then = if near.ends_with('?') { " " } else { "; " };
                        format!("{near}{then}{place}")
                    },
                );
                ("unknown-name", format!("there is no {} `{shown}`", noun.word()), Some(hint))
            }
        };
        if let Some(problem) = self.error(name.span, code, message) {
            problem.hint = hint;
            problem.group = group.map(str::to_owned);
        }
        false
    }

    /// Reports a parameter that a thing does not have; `None` for parameters means that they cannot be checked.
    pub(super) fn known_parameter(
        &mut self,
        noun: Noun,
        owner: &str,
        key: &Spanned<String>,
        parameters: Option<&[String]>,
        group: Option<&str>,
    ) {
        let Some(parameters) = parameters else {
            return;
        };
        if parameters.contains(&key.value) {
            return;
        }
        let message = format!("the {} `{owner}` has no parameter `{}`", noun.word(), shortened(&key.value));
        let hint = suggestion(&key.value, parameters.iter().map(String::as_str));
        if let Some(problem) = self.error(key.span, "unknown-parameter", message) {
            problem.hint = hint;
            problem.group = group.map(str::to_owned);
        }
    }

    /// The formations that a group starts with or the schedule names.
    pub(super) fn formations_of(&self, group: &str) -> Vec<String> {
        use crate::scene::file::ActionFile;
        let first = self.file.groups.iter().filter(|known| known.value.name.value == group);
        let first = first.filter_map(|group| group.value.formation.as_ref()).map(|formation| &formation.name.value);
        let later = self.file.schedule.iter().filter_map(|at| match &at.action {
            ActionFile::Form(form) if form.group.value == group => Some(&form.formation.value),
            _ => None,
        });
        first.chain(later).cloned().collect()
    }

    /// All addresses below a group that the catalogue can tell; `None` if it cannot.
    pub(super) fn addresses_of(&self, group: &str) -> Option<Vec<String>> {
        let behavior = self.file.groups.iter().find(|known| known.value.name.value == group)?.value.behavior.as_ref();
        let mut known = match behavior {
            Some(behavior) => self.catalogue.addresses(&behavior.value)?,
            None => Vec::new(),
        };
        for formation in self.formations_of(group) {
            let parameters = self.catalogue.parameters(Noun::Formation, &formation)?;
            let own = parameters.into_iter().map(|parameter| format!("formation.{parameter}"));
            known.extend(own);
        }
        known.extend(["spacing", "measure", "overflow"].map(|name| format!("formation.{name}")));
        known.extend(super::groups::structural_addresses());
        known.sort();
        known.dedup();
        Some(known)
    }

    /// Reports an address below a group that nothing has.
    pub(super) fn known_address(&mut self, group: &str, below: &Spanned<String>) {
        let Some(known) = self.addresses_of(group) else {
            return;
        };
        if known.contains(&below.value) {
            return;
        }
        let unknown = unknown_address(&below.value, known.iter().map(String::as_str));
        let message = format!("group `{group}` has no address `{}`", shortened(&below.value));
        self.group_error(group, below.span, "unknown-address", message, unknown.hint);
    }

    /// `drill.slot_error`: the group must be there, the metric is looked up.
    pub(super) fn plots(&mut self) -> Vec<PlotRef> {
        let plots = self.file.plots.clone();
        plots.iter().filter_map(|plot| self.plot(plot)).collect()
    }

    fn plot(&mut self, plot: &Spanned<String>) -> Option<PlotRef> {
        if let Some(known) = self.measuring_plot(plot).or_else(|| self.flow_plot(plot)) {
            return known.then(|| PlotRef { group: None, metric: plot.value.clone() });
        }
        let Some((group, metric)) = plot.value.split_once('.') else {
            return Some(PlotRef { group: None, metric: plot.value.clone() });
        };
        let at = |value: &str| Spanned { value: value.to_owned(), span: plot.span };
        if let Some(room) = self.room_of(group) {
            let message = format!("`{}` is one of the {room}, not a group", shortened(group));
            if let Some(problem) = self.error(plot.span, "unknown-group", message) {
                problem.hint = Some(format!("`{room}.{}`", shortened(&plot.value)));
            }
            return None;
        }
        let group = self.group_index(&at(group))?;
        (self.is_ghost_error(metric) || self.known_name(Noun::Metric, &at(metric), None))
            .then(|| PlotRef { group: Some(group), metric: metric.to_owned() })
    }

    /// Under what plots find something that is named but is no group: `stops` for a queue.
    fn room_of(&self, name: &str) -> Option<&'static str> {
        let file = &self.file;
        if file.groups.iter().any(|group| group.value.name.value == name) {
            return None;
        }
        if let Some(stop) = file.stops.iter().find(|stop| stop.value.name().value == name) {
            return Some(if matches!(stop.value, StopFile::Exit(_)) { "exits" } else { "stops" });
        }
        let source = file.sources.iter().any(|source| source.value.name.value == name).then_some("sources");
        let line = || file.lines.iter().any(|line| line.value.name.value == name).then_some("lines");
        let area = || file.areas.iter().any(|area| area.value.name.value == name).then_some("areas");
        source.or_else(line).or_else(area)
    }

    /// The sliders that come first, each an address that a group has.
    pub(super) fn panel(&mut self) -> Vec<Address> {
        let written = self.file.panel.clone();
        written.iter().filter_map(|address| self.address(address)).collect()
    }

    /// An address of the schedule or the panel: a group, or a director, and what it has.
    pub(super) fn address(&mut self, written: &Spanned<String>) -> Option<Address> {
        let address = match Address::parse(&written.value) {
            Ok(address) => address,
            Err(problem) => {
                let problem = self.source.locate(written.span, problem);
                self.problems.push(problem);
                return None;
            }
        };
        let owner = address.group().to_owned();
        let below = Spanned { value: address.below_group(), span: written.span };
        let director = self.file.directors.iter().any(|entry| entry.0.name.value == owner);
        if director {
            let parameters = self.catalogue.parameters(Noun::Director, &owner);
            self.known_parameter(Noun::Director, &owner, &below, parameters.as_deref(), None);
            return Some(address);
        }
        self.group_index(&Spanned { value: owner.clone(), span: written.span })?;
        self.known_address(&owner, &below);
        Some(address)
    }

    /// Names of groups: letters, digits and `_`, each once.
    pub(super) fn group_name(&mut self, name: &Spanned<String>, earlier: &[String]) {
        let well_formed = !name.value.is_empty()
            && name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.value.starts_with(|c: char| c.is_ascii_digit());
        let shown = shortened(&name.value);
        if !well_formed {
            let message = format!("`{shown}` cannot be the name of a group");
            let hint = "letters, digits and `_`, not a digit first: it is part of addresses";
            self.group_error(&shown, name.span, "bad-name", message, Some(hint.to_owned()));
        } else if name.value == "any" {
            let hint = "scripts say \"any\" when they mean all groups";
            self.group_error("any", name.span, "bad-name", "a group cannot be named `any`", Some(hint.to_owned()));
        } else if earlier.contains(&name.value) {
            let message = format!("there are two groups `{shown}`");
            self.group_error(&shown, name.span, "duplicate-name", message, Some("give each its own name".to_owned()));
        } else if RESERVED.contains(&name.value.as_str()) {
            self.warn(
                name.span,
                "odd-name",
                format!("the group `{shown}` is named like a part of a group"),
                "it works, but reads badly",
            );
        }
    }
}
