//! Everything that a scene may name: native definitions, data files and scripts in one list.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::formation::{self, FormationData, FormationError, Native, ParamKind, Slots};
use crate::machine::catalogue::Catalogue as Nouns;
use crate::machine::def::BehaviorDef;
use crate::machine::flatten::flatten;
use crate::machine::program::Program;
use crate::scene::{Catalogue, Known, Noun};
use crate::sim::Value;
use crate::steer::param::{Choices, ParamSpec};

/// Where a definition comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// "native", "project" or "plugin NAME".
    pub from: String,
    /// The file, from the project folder.
    pub file: Option<String>,
}

impl Origin {
    /// Part of the program itself.
    pub fn native() -> Self {
        Self { from: "native".to_owned(), file: None }
    }
}

/// What makes the places of a formation.
#[derive(Clone, Debug)]
pub enum FormationKind {
    /// A native formation.
    Native(&'static Native),
    /// A data file.
    Data(Arc<FormationData>),
    /// A script.
    Script,
}

/// A formation by name.
#[derive(Clone, Debug)]
pub struct FormationEntry {
    /// One line.
    pub about: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its parameters, the implicit ones last.
    pub params: Vec<ParamSpec>,
    /// What makes its places.
    pub kind: FormationKind,
}

/// A metric or director of a script.
#[derive(Clone, Debug, Default)]
pub struct PlainEntry {
    /// One line.
    pub about: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
    /// The unit of a metric.
    pub unit: String,
    /// Names in `on` of a director: its buttons.
    pub events: Vec<String>,
}

/// All names.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Forces, behaviors and machines.
    pub catalogue: Nouns,
    /// Where forces and behaviors come from, by (noun, name).
    pub origins: BTreeMap<(Noun, String), Origin>,
    /// Programs of all behaviors and machines that can run.
    pub programs: BTreeMap<String, Arc<Program>>,
    /// Formations.
    pub formations: BTreeMap<String, FormationEntry>,
    /// Metrics of scripts.
    pub metrics: BTreeMap<String, PlainEntry>,
    /// Directors.
    pub directors: BTreeMap<String, PlainEntry>,
    /// Names of machines among the behaviors.
    pub machines: BTreeSet<String>,
    /// Names whose files have problems.
    pub broken: BTreeSet<(Noun, String)>,
}

/// The program of a group without behavior.
pub fn still_program() -> Arc<Program> {
    let (program, _) = flatten(&BehaviorDef::native("still"), &Nouns::default());
    Arc::new(program.expect("a behavior without forces has nothing to resolve"))
}

impl Library {
    /// The native definitions.
    pub fn native() -> Self {
        let mut library = Self { catalogue: crate::machine::catalogue::native(), ..Self::default() };
        for (name, def) in &library.catalogue.behaviors {
            if let (Some(program), _) = flatten(def, &library.catalogue) {
                library.programs.insert(name.clone(), Arc::new(program));
            }
        }
        for native in formation::NATIVES {
            let entry = FormationEntry {
                about: native.about.to_owned(),
                origin: Origin::native(),
                params: native.params.iter().map(spec).collect(),
                kind: FormationKind::Native(native),
            };
            library.formations.insert(native.name.to_owned(), entry);
        }
        library
    }

    /// Adds a data file.
    pub fn add_data(&mut self, data: FormationData, origin: Origin) {
        let params = data.kind.params.iter().map(|param| {
            let mut spec = spec(param);
            if let Some(default) = data.default(param.name) {
                spec.default = from_formation(&default);
            }
            spec
        });
        let entry = FormationEntry {
            about: data.about.clone(),
            origin,
            params: params.collect(),
            kind: FormationKind::Data(Arc::new(data.clone())),
        };
        self.formations.insert(data.name, entry);
    }

    /// All definitions, for lists: kind, name, one line, origin.
    pub fn definitions(&self) -> Vec<super::frame::Definition> {
        let mut list = Vec::new();
        let mut add = |kind: &str, name: &str, about: &str, origin: &str| {
            list.push(super::frame::Definition {
                kind: kind.to_owned(),
                name: name.to_owned(),
                about: about.to_owned(),
                origin: origin.to_owned(),
            });
        };
        for (name, force) in &self.catalogue.forces {
            add("force", name, &force.about, &self.origin(Noun::Force, name).from);
        }
        for (name, def) in &self.catalogue.behaviors {
            let kind = if self.machines.contains(name) { "machine" } else { "behavior" };
            add(kind, name, &def.root.about, &self.origin(Noun::Behavior, name).from);
        }
        for (name, entry) in &self.formations {
            add("formation", name, &entry.about, &entry.origin.from);
        }
        for metric in crate::measure::Metric::ALL {
            add("metric", metric.id(), metric.info().about, "native");
        }
        for (name, entry) in &self.metrics {
            add("metric", name, &entry.about, &entry.origin.from);
        }
        for (name, entry) in &self.directors {
            add("director", name, &entry.about, &entry.origin.from);
        }
        list
    }

    /// Where a force or behavior comes from.
    pub fn origin(&self, noun: Noun, name: &str) -> Origin {
        self.origins.get(&(noun, name.to_owned())).cloned().unwrap_or_else(Origin::native)
    }

    /// Whether there is something under this noun and name.
    pub fn has(&self, noun: Noun, name: &str) -> bool {
        match noun {
            Noun::Behavior => self.catalogue.behaviors.contains_key(name),
            Noun::Force => self.catalogue.forces.contains_key(name),
            Noun::Formation => self.formations.contains_key(name),
            Noun::Metric => self.metrics.contains_key(name) || crate::measure::Metric::parse(name).is_some(),
            Noun::Director => self.directors.contains_key(name),
        }
    }
}

/// Places of a formation that needs no script, in its own frame.
///
/// # Errors
/// What the formation says of its parameters.
pub fn native_slots(
    kind: &FormationKind,
    params: &[(String, Value)],
    n: usize,
) -> Option<Result<Slots, FormationError>> {
    let params: Vec<(String, formation::Value)> =
        params.iter().map(|(name, value)| (name.clone(), to_formation(value))).collect();
    match kind {
        FormationKind::Native(native) => Some(native.slots(&params, n)),
        FormationKind::Data(data) => Some(data.slots(&params, n)),
        FormationKind::Script => None,
    }
}

fn to_formation(value: &Value) -> formation::Value {
    match value {
        Value::Number(number) => formation::Value::Number(*number),
        other => formation::Value::Choice(other.to_string()),
    }
}

fn from_formation(value: &formation::Value) -> Value {
    match value {
        formation::Value::Number(number) => Value::Number(*number),
        formation::Value::Choice(word) => Value::Text(word.clone()),
    }
}

/// A formation's parameter as a slider.
fn spec(param: &formation::Param) -> ParamSpec {
    let (min, max, choices) = match param.kind {
        ParamKind::Number { min, max, .. } => (Some(min), Some(max), Choices::Any),
        ParamKind::Choice { options, .. } => {
            let options = options.iter().map(|&option| option.to_owned()).collect();
            (None, None, Choices::Listed(options))
        }
    };
    ParamSpec {
        name: param.name.to_owned(),
        default: from_formation(&param.default()),
        min,
        max,
        unit: param.unit.to_owned(),
        about: param.about.to_owned(),
        choices,
    }
}

impl Catalogue for Library {
    fn knows(&self, noun: Noun, name: &str) -> Known {
        let runs = noun != Noun::Behavior || self.programs.contains_key(name);
        if self.has(noun, name) && runs {
            Known::Yes
        } else if self.has(noun, name) || self.broken.contains(&(noun, name.to_owned())) {
            Known::Broken
        } else {
            Known::No
        }
    }

    fn names(&self, noun: Noun) -> Vec<String> {
        match noun {
            Noun::Behavior => self.catalogue.behaviors.keys().cloned().collect(),
            Noun::Force => self.catalogue.forces.keys().cloned().collect(),
            Noun::Formation => self.formations.keys().cloned().collect(),
            Noun::Metric => {
                let native = crate::measure::Metric::ALL.iter().map(|metric| metric.info().id.to_owned());
                native.chain(self.metrics.keys().cloned()).collect()
            }
            Noun::Director => self.directors.keys().cloned().collect(),
        }
    }

    fn parameters(&self, noun: Noun, name: &str) -> Option<Vec<String>> {
        let specs: &[ParamSpec] = match noun {
            Noun::Behavior => return self.addresses(name),
            Noun::Force => &self.catalogue.forces.get(name)?.params,
            Noun::Formation => &self.formations.get(name)?.params,
            Noun::Metric => &self.metrics.get(name)?.params,
            Noun::Director => &self.directors.get(name)?.params,
        };
        Some(specs.iter().map(|spec| spec.name.clone()).collect())
    }

    fn addresses(&self, behavior: &str) -> Option<Vec<String>> {
        let program = self.programs.get(behavior)?;
        Some(program.sliders.iter().map(|slider| slider.address.clone()).collect())
    }

    fn refuse(&self, behavior: &str, address: &str, value: &Value) -> Option<String> {
        let program = self.programs.get(behavior)?;
        program.sliders[program.slider(address)?].spec.refusal(value)
    }
}
