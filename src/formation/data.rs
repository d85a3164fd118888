//! Formations as plain data: a kind, its parameters, and where its frame stands, from key and value pairs.

use glam::DVec3;
use std::f64::consts::{FRAC_PI_2, PI};

use super::error::FormationError;
use super::native::{NATIVES, Native, find};
use super::param::{Value, nearest};
use super::slots::{Pose, Slots};

/// Compass words and their headings.
const COMPASS: &[(&str, f64)] = &[("east", 0.0), ("north", FRAC_PI_2), ("west", PI), ("south", -FRAC_PI_2)];

/// Keys of the frame, beside the parameters of the kind.
const FRAME_KEYS: &[&str] = &["kind", "about", "direction", "direction_deg", "offset", "center"];

/// A value as a file gives it.
#[derive(Debug, Clone, PartialEq)]
pub enum DataValue {
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// Two or three coordinates, in meters.
    Point(Vec<f64>),
}

/// Something wrong with one key of a formation file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataProblem {
    /// The key as written, so that the reader can point at it; `kind` if that is missing.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
}

/// A formation described by data: any native kind with its own defaults, turned and moved in its frame.
#[derive(Debug, Clone)]
pub struct FormationData {
    /// The name it is known by: that of its file.
    pub name: String,
    /// One line for lists; that of the kind if the file gives none.
    pub about: String,
    /// The native formation it is made from.
    pub kind: &'static Native,
    /// Parameters that differ from those of the kind, by their snake_case names, in the order of the file.
    pub params: Vec<(String, Value)>,
    /// Where the kind's frame stands in the frame of this formation: `direction` and `offset` or `center`.
    pub frame: Pose,
}

impl FormationData {
    /// A formation from the pairs of a file. Keys: `kind`, `about`, the parameters of the kind, `direction` ("north",
    /// "east", "south", "west", or radians), `direction_deg`, `offset` or `center`; camelCase is accepted too.
    ///
    /// # Errors
    /// Every problem, each with the key as written.
    pub fn from_pairs(name: &str, pairs: &[(String, DataValue)]) -> Result<Self, Vec<DataProblem>> {
        let mut problems = Vec::new();
        let kind = kind_of(pairs, &mut problems);
        let mut reader =
            Reader { kind, params: Vec::new(), frame: Pose::default(), about: None, placed: None, turned: None };
        let mut seen: Vec<String> = Vec::new();
        for (written, value) in pairs {
            let key = snake_case(written);
            if seen.contains(&key) {
                problems.push(problem(written, "is given twice", None));
                continue;
            }
            if let Err((message, hint)) = reader.read(&key, value) {
                problems.push(DataProblem { key: written.clone(), message, hint });
            }
            seen.push(key);
        }
        match (kind, problems.is_empty()) {
            (Some(kind), true) => Ok(Self {
                name: name.to_owned(),
                about: reader.about.unwrap_or_else(|| kind.about.to_owned()),
                kind,
                params: reader.params,
                frame: reader.frame,
            }),
            _ => Err(problems),
        }
    }

    /// `n` places in this formation's frame; `changes` (of sliders, scenes, `--set`) win over the file's parameters.
    ///
    /// # Errors
    /// As [`Native::slots`].
    pub fn slots(&self, changes: &[(String, Value)], n: usize) -> Result<Slots, FormationError> {
        let params = [self.params.as_slice(), changes].concat();
        Ok(self.kind.slots(&params, n)?.posed(self.frame))
    }

    /// The default of a parameter as this file has it.
    pub fn default(&self, param: &str) -> Option<Value> {
        let own = self.params.iter().rev().find(|(name, _)| name == param).map(|(_, value)| value.clone());
        own.or_else(|| self.kind.param(param).map(super::Param::default))
    }
}

type Complaint = (String, Option<String>);

struct Reader {
    kind: Option<&'static Native>,
    params: Vec<(String, Value)>,
    frame: Pose,
    about: Option<String>,
    placed: Option<String>,
    turned: Option<String>,
}

impl Reader {
    fn read(&mut self, key: &str, value: &DataValue) -> Result<(), Complaint> {
        match key {
            "kind" => Ok(()),
            "about" => {
                let DataValue::Text(text) = value else {
                    return Err(("must be a text in quotes".to_owned(), None));
                };
                self.about = Some(text.clone());
                Ok(())
            }
            "direction" | "direction_deg" => {
                once(&mut self.turned, key)?;
                let turn = direction(key, value)? - self.kind.map_or(0.0, |kind| kind.front);
                self.frame.turn = crate::sim::wrap_angle(turn);
                Ok(())
            }
            "offset" | "center" => {
                once(&mut self.placed, key)?;
                self.frame.at = point(value)?;
                Ok(())
            }
            _ => self.param(key, value),
        }
    }

    fn param(&mut self, key: &str, value: &DataValue) -> Result<(), Complaint> {
        let Some(kind) = self.kind else {
            return Ok(()); // Without its kind nothing can be said about a parameter.
        };
        let value = match value {
            DataValue::Number(number) => Value::Number(*number),
            DataValue::Text(word) => Value::Choice(word.clone()),
            DataValue::Point(_) if kind.param(key).is_some() => {
                return Err(("must be a single value".to_owned(), None));
            }
            DataValue::Point(_) => Value::Number(0.0),
        };
        match kind.check(key, &value) {
            Ok(()) => self.params.push((key.to_owned(), value)),
            Err(FormationError::UnknownParam { .. }) => {
                let known = kind.params.iter().map(|param| param.name);
                let near = nearest(key, known.clone().chain(FRAME_KEYS.iter().copied()));
                let list = known.chain(["direction", "offset", "center"]).collect::<Vec<_>>().join(", ");
                let hint = near.map_or_else(|| format!("known: {list}"), |near| format!("did you mean \"{near}\"?"));
                return Err((format!("is no parameter of {}", kind.name), Some(hint)));
            }
            Err(FormationError::BadValue { value, message, .. }) => {
                return Err((format!("is {value}: {message}"), None));
            }
            Err(other) => return Err((other.to_string(), None)),
        }
        Ok(())
    }
}

fn once(slot: &mut Option<String>, key: &str) -> Result<(), Complaint> {
    match slot.replace(key.to_owned()) {
        None => Ok(()),
        Some(first) => Err((format!("says the same as \"{first}\""), Some("keep one of the two".to_owned()))),
    }
}

fn kind_of(pairs: &[(String, DataValue)], problems: &mut Vec<DataProblem>) -> Option<&'static Native> {
    let known = || NATIVES.iter().map(|native| native.name).collect::<Vec<_>>().join(", ");
    let Some((written, value)) = pairs.iter().find(|(key, _)| snake_case(key) == "kind") else {
        problems.push(problem("kind", "is missing", Some(format!("one of {}", known()))));
        return None;
    };
    let DataValue::Text(kind) = value else {
        problems.push(problem(written, "must be a name in quotes", Some(format!("one of {}", known()))));
        return None;
    };
    match find(kind) {
        Ok(native) => Some(native),
        Err(error) => {
            problems.push(problem(written, &error.to_string(), Some(format!("one of {}", known()))));
            None
        }
    }
}

fn problem(key: &str, message: &str, hint: Option<String>) -> DataProblem {
    DataProblem { key: key.to_owned(), message: message.to_owned(), hint }
}

/// A heading in radians.
fn direction(key: &str, value: &DataValue) -> Result<f64, Complaint> {
    let words = || Some("\"north\", \"east\", \"south\", \"west\", or an angle".to_owned());
    match value {
        DataValue::Number(number) if number.is_finite() => {
            Ok(if key == "direction_deg" { number.to_radians() } else { *number })
        }
        DataValue::Text(word) if key == "direction" => {
            let heading = COMPASS.iter().find(|(name, _)| *name == word.to_lowercase()).map(|(_, heading)| *heading);
            heading.ok_or_else(|| (format!("is \"{word}\", no direction of the compass"), words()))
        }
        _ => Err(("must be a direction".to_owned(), words())),
    }
}

fn point(value: &DataValue) -> Result<DVec3, Complaint> {
    let complaint = || ("must be a finite point".to_owned(), Some("two or three numbers, as (1.0, 2.0)".to_owned()));
    let DataValue::Point(parts) = value else {
        return Err(complaint());
    };
    let at = match parts.as_slice() {
        [x, y] => DVec3::new(*x, *y, 0.0),
        [x, y, z] => DVec3::new(*x, *y, *z),
        _ => return Err(complaint()),
    };
    if at.is_finite() { Ok(at) } else { Err(complaint()) }
}

/// `startAngle` as `start_angle`; snake_case stays as it is.
fn snake_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 2);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
