//! The schedule: times into ticks, names into indices.

use super::groups::pose;
use super::{Builder, SceneAction, SceneLead, Scheduled, plain};
use crate::scene::address::Address;
use crate::scene::catalogue::Noun;
use crate::scene::file::{ActionFile, AtFile, FormFile, Target};
use crate::scene::{SetValue, Spanned};
use crate::sim::Value;
use crate::sim::body::BodyField;
use crate::sim::{Avoid, AvoidField};

impl Builder<'_> {
    pub(super) fn schedule(&mut self) -> Vec<Scheduled> {
        let lines = self.file.schedule.clone();
        let mut schedule: Vec<Scheduled> = lines.iter().filter_map(|line| self.line(line)).collect();
        schedule.sort_by_key(|line| line.tick);
        schedule
    }

    fn line(&mut self, line: &AtFile) -> Option<Scheduled> {
        let time = line.time.value;
        if time > self.file.duration {
            let message = format!("at {time} s the run is over: its duration is {} s", self.file.duration);
            self.warn(line.time.span, "after-the-end", message, "an earlier time, or a longer `duration`");
        }
        let tick = (time * self.file.tick_hz).round() as u64;
        self.action(&line.action).map(|action| Scheduled { tick, action })
    }

    fn action(&mut self, action: &ActionFile) -> Option<SceneAction> {
        Some(match action {
            ActionFile::Form(form) => return self.form(form),
            ActionFile::March(march) => SceneAction::March {
                group: self.group_index(&march.group)?,
                speed: march.speed,
                heading: march.heading_deg.to_radians(),
                turn: march.turn_deg.to_radians(),
                acceleration: march.acceleration,
            },
            ActionFile::Lead(lead) => {
                let group = self.group_index(&lead.group)?;
                let lead = match (lead.to, lead.velocity) {
                    (Some(point), None) => SceneLead::To(point),
                    (None, Some(velocity)) => SceneLead::Along(velocity),
                    _ => {
                        let name = lead.group.value.clone();
                        let message = "Lead needs either `to` or `velocity`";
                        self.group_error(
                            &name,
                            lead.group.span,
                            "bad-lead",
                            message,
                            Some("give one of the two".to_owned()),
                        );
                        return None;
                    }
                };
                SceneAction::Lead { group, lead }
            }
            ActionFile::Release(release) => {
                SceneAction::Lead { group: self.group_index(&release.group)?, lead: SceneLead::Release }
            }
            ActionFile::Send(send) => {
                let (name, value) = (send.name.clone(), send.value.clone().map(|value| value.0));
                match &send.to.value {
                    Target::Agent(agent) => SceneAction::SendAgent { agent: *agent, name, value },
                    Target::Group(group) => {
                        let written = Spanned { value: group.clone(), span: send.to.span };
                        SceneAction::SendGroup { group: self.group_index(&written)?, name, value }
                    }
                }
            }
            ActionFile::Set(set) => {
                let address = self.address(&set.address)?;
                self.settable(&address, &set.value);
                SceneAction::Set { address, value: set.value.value.0.clone() }
            }
            ActionFile::Spawn(spawn) => {
                let group = self.group_index(&spawn.group)?;
                SceneAction::Spawn { group, count: spawn.count, at: spawn.at, radius: spawn.radius }
            }
            ActionFile::Remove(remove) => {
                SceneAction::Remove { group: self.group_index(&remove.group)?, count: remove.count }
            }
            ActionFile::Open(open) => return self.switch(&open.obstacle, true),
            ActionFile::Close(close) => return self.switch(&close.obstacle, false),
        })
    }

    /// Opens or closes: an obstacle, or sources and stops, or all of one name.
    fn switch(&mut self, name: &Spanned<String>, open: bool) -> Option<SceneAction> {
        if self.is_flow(&name.value) {
            return Some(SceneAction::Flow { name: name.value.clone(), open });
        }
        let obstacle = self.obstacle_index(name)?;
        Some(if open { SceneAction::Open { obstacle } } else { SceneAction::Close { obstacle } })
    }

    /// Reports a value that the address will not take while the scene runs.
    fn settable(&mut self, address: &Address, value: &Spanned<SetValue>) {
        let (owner, below) = (address.group().to_owned(), address.below_group());
        let group = self.file.groups.iter().find(|group| group.value.name.value == owner);
        let Some(group) = group.map(|group| &group.value) else { return };
        let (behavior, has_contract) =
            (group.behavior.as_ref().map(|behavior| behavior.value.clone()), group.contract.is_some());
        let number = value.value.0.number();
        let (part, field) = below.split_once('.').unwrap_or((&below, ""));
        let needs_number = match (part, field) {
            ("count", "") => true,
            ("body", field) => BodyField::named(field).is_some(),
            ("contract", field) => has_contract && !["aligned", "base_line", "enter"].contains(&field),
            _ => false,
        };
        if needs_number && !matches!(value.value.0, Value::Number(_)) {
            let message = format!("`{address}` is {}; a number is needed", shown(&value.value.0));
            let hint = format!("a number stands without quotes: Set(\"{address}\", 1)");
            self.group_error(&owner, value.span, "wrong-type", message, Some(hint));
            return;
        }
        if let (("count", ""), Some(number)) = ((part, field), number)
            && number.fract() != 0.0
        {
            let message = format!("`{address}` is {number}; a whole number is needed");
            let hint = Some(format!("{} or {}", number.floor().max(0.0), number.ceil().max(0.0)));
            self.group_error(&owner, value.span, "wrong-type", message, hint);
            return;
        }
        let wrong = match (part, field) {
            ("network" | "spawn", _) | ("contract", "enter") => {
                Some("it cannot be set while the scene runs".to_owned())
            }
            ("count", "") => {
                number.is_none_or(|n| !(0.0..=1e6).contains(&n)).then(|| "it must be from 0 to 1000000".to_owned())
            }
            ("body", "avoid") => one_of(&value.value, &Avoid::NAMES),
            ("body", field) if field.starts_with("avoid.") => {
                let field = field.strip_prefix("avoid.").and_then(AvoidField::named);
                field.and_then(|field| match number {
                    Some(number) => field.refusal(number).map(str::to_owned),
                    None => Some("a number is needed".to_owned()),
                })
            }
            ("body", field) => BodyField::named(field).and_then(|field| {
                let checked = number.map(|number| crate::sim::command::check_body(field, number));
                checked
                    .map_or_else(|| Some("a number is needed".to_owned()), |checked| Some(checked.err()?.to_string()))
            }),
            ("contract", _) if !has_contract => Some(format!("group `{owner}` has no contract")),
            ("contract", "aligned") => one_of(&value.value, &["Distance", "Projection", "Hull"]),
            ("contract", "base_line") => one_of(&value.value, &["Weighted", "TwoPoint", "Clusters"]),
            ("contract", _) => number.is_none_or(|n| n <= 0.0).then(|| "it must be above 0".to_owned()),
            _ => self.catalogue.refuse(behavior.as_deref().unwrap_or_default(), &below, &value.value.0),
        };
        if let Some(wrong) = wrong {
            let message = format!("`{address}` is {}; {wrong}", value.value.0);
            self.group_error(&owner, value.span, "out-of-range", message, None);
        }
    }

    fn form(&mut self, form: &FormFile) -> Option<SceneAction> {
        let group = self.group_index(&form.group);
        let of = form.group.value.as_str();
        let known = self.known_name(Noun::Formation, &form.formation, Some(of));
        let formation = &form.formation.value;
        let parameters = self.catalogue.parameters(Noun::Formation, formation);
        for (key, _) in &form.params.0 {
            let implicit = ["spacing", "measure", "overflow"].contains(&key.value.as_str());
            if known && !implicit {
                self.known_parameter(Noun::Formation, formation, key, parameters.as_deref(), Some(of));
            }
        }
        let file = group.and_then(|group| self.file.groups.get(group)).map(|group| group.value.clone());
        if let (Some(file), Some(pose)) = (file, &form.pose) {
            self.led_frame(&file, pose, form.formation.span);
        }
        Some(SceneAction::Form {
            group: group?,
            formation: formation.clone(),
            params: plain(&form.params),
            pose: form.pose.as_ref().map(pose),
        })
    }
}

/// A value as it stands in the file.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("the text \"{}\"", crate::scene::ron::shortened(text)),
        other => other.to_string(),
    }
}

/// What is wrong with a value that must be one of a few names.
fn one_of(value: &SetValue, names: &[&str]) -> Option<String> {
    let known = matches!(&value.0, Value::Text(word) if names.contains(&word.as_str()));
    (!known).then(|| format!("it is one of \"{}\"", names.join("\", \"")))
}
