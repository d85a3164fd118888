//! What a group says beside its body and behavior: its contract, its network, numbers of single agents.

use super::{Builder, SceneContract};
use crate::measure::{ContractSpec, Term};
use crate::scene::decode::Spanned;
use crate::scene::file::{ContractFile, GroupFile};
use crate::scene::nearest::suggestion;
use crate::scene::ron::shortened;
use crate::sim::body::BodyField;

/// The names of the terms in a contract's `enter`, in the order of [`Term::EACH_TICK`], and whether they are in degrees.
const ENTER: [(&str, bool); Term::COUNT] = [
    ("spacing", false),
    ("cross_track", false),
    ("along_track", false),
    ("heading_deg", true),
    ("heading_sd_deg", true),
    ("aligned", false),
];

impl Builder<'_> {
    pub(super) fn contract(&mut self, name: &str, file: &ContractFile) -> SceneContract {
        let mut spec = ContractSpec {
            spacing: file.spacing,
            cross_track: file.cross_track,
            along_track: file.along_track,
            heading: file.heading_deg.map(f64::to_radians),
            heading_sd: file.heading_sd_deg.map(f64::to_radians),
            aligned_by: file.aligned,
            aligned: file.aligned_limit,
            enter: [None; Term::COUNT],
            settle: file.settle,
        };
        for (key, value) in &file.enter.0 {
            let Some(index) = ENTER.iter().position(|(known, _)| *known == key.value) else {
                let message = format!("a contract has no term `{}`", shortened(&key.value));
                let hint = suggestion(&key.value, ENTER.iter().map(|(known, _)| *known));
                self.group_error(name, key.span, "unknown-field", message, hint);
                continue;
            };
            let number = if ENTER[index].1 { value.value.to_radians() } else { value.value };
            let Some(limit) = spec.limit(Term::EACH_TICK[index]) else {
                let message = format!("`enter` names `{}`, which has no limit here", key.value);
                let hint = format!("give the term its limit: `{}: …`", key.value);
                self.group_error(name, key.span, "no-limit", message, Some(hint));
                continue;
            };
            if number > limit || number <= 0.0 {
                let message =
                    format!("`enter` of `{}` is {}; it must be above 0 and at most its limit", key.value, value.value);
                self.group_error(name, value.span, "out-of-range", message, None);
            }
            spec.enter[index] = Some(number);
        }
        SceneContract { spec, base_line: file.base_line }
    }

    /// Checks the ranges of a network's spread.
    pub(super) fn network(&mut self, name: &str, file: &GroupFile) {
        for (key, range) in file.network.iter().flat_map(|network| &network.spread.0) {
            if !OWN_LINK.contains(&key.value.as_str()) {
                let message = format!("a network has no number `{}` to spread", shortened(&key.value));
                self.group_error(name, key.span, "unknown-field", message, suggestion(&key.value, OWN_LINK));
            }
            let most = if key.value == "loss" { 1.0 } else { 60.0 };
            if range.value.from < 0.0 || range.value.to > most {
                let message = format!("the spread of `{}` must lie between 0 and {most}", key.value);
                self.group_error(name, range.span, "out-of-range", message, None);
            }
        }
    }

    /// Numbers of single agents, counted from 1.
    pub(super) fn own(&mut self, name: &str, file: &GroupFile, count: usize) -> (OwnBodies, OwnLinks) {
        let (mut bodies, mut links) = (Vec::new(), Vec::new());
        for (agent, numbers) in &file.agents.0 {
            // "1", and not "01" or "+1": each agent once.
            let plain = |n: &usize| n.to_string() == agent.value;
            let Some(position) =
                agent.value.parse().ok().filter(plain).and_then(|n: usize| n.checked_sub(1)).filter(|n| *n < count)
            else {
                let message = format!("group `{name}` has no agent \"{}\"", shortened(&agent.value));
                let hint = Some(format!("agents are counted from 1 to {count}"));
                self.group_error(name, agent.span, "unknown-agent", message, hint);
                continue;
            };
            for (key, value) in &numbers.value.0 {
                self.own_number((name, file), position, key, value, (&mut bodies, &mut links));
            }
        }
        (bodies, links)
    }

    fn own_number(
        &mut self,
        (name, file): (&str, &GroupFile),
        position: usize,
        key: &Spanned<String>,
        value: &Spanned<f64>,
        (bodies, links): (&mut OwnBodies, &mut OwnLinks),
    ) {
        let (part, field) = key.value.split_once('.').unwrap_or(("", &key.value));
        if part == "body"
            && let Some(field) = BodyField::named(field)
        {
            if let Err(error) = crate::sim::command::check_body(field, value.value) {
                self.group_error(name, value.span, "out-of-range", error.to_string(), None);
            }
            return bodies.push((position, field, value.value));
        }
        if part == "network" && OWN_LINK.contains(&field) {
            if file.network.is_none() {
                let hint = Some("give the group one: `network: (delay: 0.1)`".to_owned());
                self.group_error(name, key.span, "no-network", format!("group `{name}` has no network"), hint);
            }
            if !(0.0..=60.0).contains(&value.value) || (field == "loss" && value.value > 1.0) {
                let message = format!(
                    "`{}` is {}; it must be from 0 to {}",
                    key.value,
                    value.value,
                    if field == "loss" { 1 } else { 60 }
                );
                self.group_error(name, value.span, "out-of-range", message, None);
            }
            return links.push((position, field.to_owned(), value.value));
        }
        let known = BodyField::ALL.map(|(_, field)| format!("body.{field}"));
        let known = known.into_iter().chain(OWN_LINK.map(|field| format!("network.{field}")));
        let known: Vec<String> = known.collect();
        let hint = suggestion(&key.value, known.iter().map(String::as_str));
        let message = format!("an agent has no number `{}` of its own", shortened(&key.value));
        self.group_error(name, key.span, "unknown-field", message, hint);
    }
}

/// Position in the group, number, value.
type OwnBodies = Vec<(usize, BodyField, f64)>;

/// Position in the group, number, value.
type OwnLinks = Vec<(usize, String, f64)>;

/// The numbers of a link that an agent may have for itself.
const OWN_LINK: [&str; 3] = ["delay", "jitter", "loss"];
