//! What scripts and data files of a project add to its library, and the places of scripted formations.

use glam::DVec3;

use super::library::{self, FormationKind, Library, Origin, PlainEntry};
use super::scripts::Made;
use crate::formation::{Domain, ListPlace, Measure, Overflow, Slots, Spacing, place_source};
use crate::scene::Noun;
use crate::scene::problem::Problem;
use crate::script::define::{Definition, FormationDef, Kind};
use crate::script::host::Host;
use crate::script::runtime::engine;
use crate::sim::Value;

/// The name of a formation data file: its stem, in a plugin `plugin/stem`.
pub(super) fn formation_name(file: &str) -> Option<String> {
    let stem = file.strip_suffix(".ron")?.rsplit('/').next()?;
    let (folder, _) = file.rsplit_once('/')?;
    if folder.contains("scenes") || stem == "plugin" {
        return None;
    }
    match file.strip_prefix("plugins/").and_then(|rest| rest.split_once('/')) {
        Some((plugin, _)) => Some(format!("{plugin}/{stem}")),
        None if file.starts_with("scripts/") => Some(stem.to_owned()),
        None => None,
    }
}

pub(super) fn origin_of(file: &str) -> Origin {
    let plugin = file.strip_prefix("plugins/").and_then(|rest| rest.split_once('/')).map(|(plugin, _)| plugin);
    let from = plugin.map_or_else(|| "project".to_owned(), |plugin| format!("plugin {plugin}"));
    Origin { from, file: Some(file.to_owned()) }
}

pub(super) fn add_scripts(library: &mut Library, host: &Host) {
    let scripted = host.library();
    library.catalogue = scripted.catalogue.clone();
    library.programs = scripted.programs.clone();
    for item in &scripted.items {
        let origin = origin_of(&item.file);
        match &item.definition {
            Definition::Formation(def) => {
                let entry = library::FormationEntry {
                    about: def.about.clone(),
                    origin,
                    params: def.params.clone(),
                    kind: FormationKind::Script,
                };
                library.formations.insert(item.name.clone(), entry);
            }
            Definition::Metric(def) => {
                let entry = PlainEntry {
                    about: def.about.clone(),
                    origin,
                    params: def.params.clone(),
                    unit: def.unit.clone(),
                    events: Vec::new(),
                };
                library.metrics.insert(item.name.clone(), entry);
            }
            Definition::Director(def) => {
                let entry = PlainEntry {
                    about: def.about.clone(),
                    origin,
                    params: def.params.clone(),
                    unit: String::new(),
                    events: def.on.clone(),
                };
                library.directors.insert(item.name.clone(), entry);
            }
            Definition::Force(_) => drop(library.origins.insert((Noun::Force, item.name.clone()), origin)),
            Definition::Behavior(_) => drop(library.origins.insert((Noun::Behavior, item.name.clone()), origin)),
        }
        if item.kind == Kind::Machine {
            library.machines.insert(item.name.clone());
        }
    }
    // A file with problems that defines nothing: its name is known to be broken, so that a scene that names it is told that.
    for problem in host.problems().iter().filter(|problem| problem.is_error()) {
        let Some(file) = &problem.file else { continue };
        let Some(stem) = file.rsplit('/').next().and_then(|name| name.split('.').next()) else { continue };
        for noun in [Noun::Behavior, Noun::Formation, Noun::Force, Noun::Metric, Noun::Director] {
            if !library.has(noun, stem) {
                library.broken.insert((noun, stem.to_owned()));
            }
        }
    }
}

/// Places of a scripted formation, made on the machine's thread.
pub(super) fn scripted_slots(
    live: &crate::script::reload::Live,
    runtime: &mut engine::Runtime,
    name: &str,
    params: &[(String, Value)],
    n: usize,
    time: f64,
) -> Result<Made, Box<Problem>> {
    let Some(def) = runtime.formation(live, name).cloned() else {
        return Err(Box::new(Problem::error("unknown-formation", format!("there is no formation `{name}`"))));
    };
    let moving = def.moving;
    let refuse =
        |error: &dyn std::fmt::Display| Box::new(Problem::error("formation", format!("formation `{name}`: {error}")));
    if !def.curve {
        let listed = runtime.slots(live, name, params, time, n)?;
        let list: Vec<ListPlace> =
            listed.iter().map(|place| ListPlace { position: place.position, heading: place.heading }).collect();
        let slots = Slots::from_list(&list).map_err(|error| refuse(&error))?;
        return Ok(Made { slots, moving });
    }
    let range = runtime.range(live, name, params)?;
    let spacing = spacing_of(&def, params);
    let mut fault = None;
    let mut source = |s: &[f64], out: &mut Vec<DVec3>| {
        runtime.curve(live, name, params, time, s, out).map_err(|problem| {
            let text = problem.message.clone();
            fault = Some(problem);
            text
        })
    };
    let placed = place_source(&mut source, Domain { range, closed: def.closed }, &spacing, n);
    match (placed, fault) {
        (_, Some(fault)) => Err(fault),
        (placed, None) => placed.map(|slots| Made { slots, moving }).map_err(|error| refuse(&error)),
    }
}

/// The implicit parameters of a curve.
fn spacing_of(def: &FormationDef, params: &[(String, Value)]) -> Spacing {
    let value = |name: &str| {
        let given = params.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        given.or_else(|| def.params.iter().find(|spec| spec.name == name).map(|spec| spec.default.clone()))
    };
    let text = |name: &str| match value(name) {
        Some(Value::Text(text)) => text,
        _ => String::new(),
    };
    Spacing {
        distance: value("spacing").and_then(|value| value.number()).unwrap_or(1.2),
        measure: Measure::parse(&text("measure")).unwrap_or_default(),
        overflow: Overflow::parse(&text("overflow")).unwrap_or_default(),
    }
}
