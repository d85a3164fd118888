//! What there is by name: everything that scenes and scripts of a project may use.

use std::path::Path;

use serde::Serialize;

use super::library::{Library, Origin};
use super::report::as_map;
use super::scripts::Scripts;
use crate::measure::Metric;
use crate::scene::Noun;
use crate::scene::problem::Problem;
use crate::sim::Value;
use crate::steer::param::{Choices, ParamSpec};

/// One line of `list`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Listed {
    /// "force", "behavior", "machine", "formation", "metric", "director", "scene" or "plugin".
    pub kind: &'static str,
    /// Name; of a scene its file.
    pub name: String,
    /// One line.
    pub about: String,
    /// "native", "project" or "plugin NAME".
    pub origin: String,
    /// File from the project folder; null for native ones.
    pub file: Option<String>,
    /// Parameters in the order of the source.
    #[serde(serialize_with = "as_map")]
    pub params: Vec<(String, ListedParam)>,
}

/// One parameter of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ListedParam {
    /// Value where nobody sets one: a number, true or false, a list of three numbers, or text.
    pub default: serde_json::Value,
    /// Smallest number; null if open.
    pub min: Option<f64>,
    /// Largest number; null if open.
    pub max: Option<f64>,
    /// Unit; empty for a pure number.
    pub unit: String,
    /// One line.
    pub about: String,
    /// Words to choose from; absent if it is free.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

impl ListedParam {
    fn new(spec: &ParamSpec) -> Self {
        let default = match &spec.default {
            Value::Number(number) => serde_json::json!(number),
            Value::Bool(flag) => serde_json::json!(flag),
            Value::Vector(v) => serde_json::json!([v.x, v.y, v.z]),
            Value::Text(text) => serde_json::json!(text),
        };
        let options = match &spec.choices {
            Choices::Listed(options) => options.clone(),
            Choices::Any | Choices::Groups => Vec::new(),
        };
        let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
        Self {
            default,
            min: finite(spec.min),
            max: finite(spec.max),
            unit: spec.unit.clone(),
            about: spec.about.clone(),
            options,
        }
    }
}

/// Everything that a project offers, and what is wrong with its files.
pub fn list(project: &Path) -> (Vec<Listed>, Vec<Problem>) {
    let (scripts, problems) = Scripts::load(project, false);
    let mut lines = Vec::new();
    list_library(scripts.library(), &mut lines);
    for scene in scripts.scene_views() {
        let about = if scene.about.is_empty() { scene.title } else { format!("{}: {}", scene.title, scene.about) };
        lines.push(Listed {
            kind: "scene",
            name: scene.path.clone(),
            about,
            origin: scene.origin,
            file: Some(scene.path),
            params: Vec::new(),
        });
    }
    for plugin in scripts.plugin_views().iter() {
        lines.push(Listed {
            kind: "plugin",
            name: plugin.name.clone(),
            about: plugin.about.clone(),
            origin: "project".to_owned(),
            file: Some(format!("{}/plugin.ron", plugin.path)),
            params: Vec::new(),
        });
    }
    (lines, problems)
}

fn list_library(library: &Library, lines: &mut Vec<Listed>) {
    for (name, force) in &library.catalogue.forces {
        lines.push(line("force", name, &force.about, origin(library, Noun::Force, name), &force.params));
    }
    for (name, behavior) in &library.catalogue.behaviors {
        let kind = if library.machines.contains(name) { "machine" } else { "behavior" };
        let origin = origin(library, Noun::Behavior, name);
        lines.push(line(kind, name, &behavior.root.about, origin, &behavior.params));
    }
    for (name, formation) in &library.formations {
        lines.push(line("formation", name, &formation.about, formation.origin.clone(), &formation.params));
    }
    for metric in Metric::ALL {
        let info = metric.info();
        let mut listed = line("metric", info.id, info.about, Origin::native(), &[]);
        listed.about = format!("{} [{}]", listed.about, if info.unit.is_empty() { "1" } else { info.unit });
        lines.push(listed);
    }
    for (name, metric) in &library.metrics {
        lines.push(line("metric", name, &metric.about, metric.origin.clone(), &metric.params));
    }
    for (name, director) in &library.directors {
        lines.push(line("director", name, &director.about, director.origin.clone(), &director.params));
    }
}

fn line(kind: &'static str, name: &str, about: &str, origin: Origin, params: &[ParamSpec]) -> Listed {
    Listed {
        kind,
        name: name.to_owned(),
        about: about.to_owned(),
        origin: origin.from,
        file: origin.file,
        params: params.iter().map(|spec| (spec.name.clone(), ListedParam::new(spec))).collect(),
    }
}

fn origin(library: &Library, noun: Noun, name: &str) -> Origin {
    library.origins.get(&(noun, name.to_owned())).cloned().unwrap_or_else(Origin::native)
}
