//! Reads the four smaller nouns, and picks the reader by kind.

use std::sync::Arc;

use mlua::{Function, Table};

use super::fields::{Fields, Reader};
use super::{Definition, DirectorDef, ForceDef, FormationDef, Kind, MetricDef, behavior, memory, params};
use crate::machine::catalogue::ForceInfo;
use crate::machine::def::DefKind;
use crate::script::text::outline::Entry;
use crate::steer::param::{Choices, ParamSpec};

/// The definition in a table; what is wrong goes to the reader.
pub fn read(name: &str, kind: Kind, table: &Table, entry: &Entry, reader: &mut Reader<'_>) -> Definition {
    let fields = Fields::new(table, entry, kind.word());
    match kind {
        Kind::Behavior => Definition::Behavior(Arc::new(behavior::read(name, DefKind::Behavior, table, entry, reader))),
        Kind::Machine => Definition::Behavior(Arc::new(behavior::read(name, DefKind::Machine, table, entry, reader))),
        Kind::Force => Definition::Force(Arc::new(force(name, &fields, reader))),
        Kind::Formation => Definition::Formation(Arc::new(formation(name, &fields, reader))),
        Kind::Metric => Definition::Metric(Arc::new(metric(name, &fields, reader))),
        Kind::Director => Definition::Director(Arc::new(director(name, &fields, reader))),
    }
}

/// A callback without which the definition says nothing.
fn needed(fields: &Fields<'_>, key: &str, shape: &str, reader: &mut Reader<'_>) -> Option<Function> {
    if fields.get(key).is_nil() {
        let message = format!("the {} has no `{key}`", fields.what);
        reader.error_hint("missing-key", fields.entry.place, message, format!("add {key} = {shape}"));
        return None;
    }
    fields.function(reader, key)
}

fn force(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>) -> ForceDef {
    fields.check_keys(reader, &["about", "unit", "params", "memory", "public", "renamed", "compute"], false);
    needed(fields, "compute", "function(agent, p) return vector.zero end", reader);
    let unit = fields.text(reader, "unit").unwrap_or_else(|| "m/s2".to_owned());
    if !["m/s2", "m/s²", "m/s"].contains(&unit.as_str()) {
        let message = format!("unit of a force is \"m/s2\" (a push) or \"m/s\" (a controller), got \"{unit}\"");
        reader.error("wrong-type", fields.place("unit"), message);
    }
    let unit = if unit == "m/s" { unit } else { "m/s2".to_owned() };
    ForceDef {
        info: ForceInfo {
            name: name.to_owned(),
            about: fields.text(reader, "about").unwrap_or_default(),
            unit,
            scripted: true,
            params: params::read(fields, reader),
            memory: memory::read(fields, reader),
        },
        public: fields.texts(reader, "public"),
        renamed: fields.renames(reader, "renamed"),
    }
}

fn formation(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>) -> FormationDef {
    fields.check_keys(reader, &["about", "params", "renamed", "closed", "range", "curve", "slots"], false);
    let curve = fields.function(reader, "curve");
    let slots = fields.function(reader, "slots");
    let function = match (&curve, &slots) {
        (Some(_), Some(_)) => {
            reader.error("wrong-type", fields.place("slots"), "a formation has either `curve` or `slots`, not both");
            curve.as_ref()
        }
        (None, None) => {
            let message = "the formation has neither `curve` nor `slots`";
            reader.error_hint("missing-key", fields.entry.place, message, "add curve = function(s, p) return s, 0 end");
            None
        }
        _ => curve.as_ref().or(slots.as_ref()),
    };
    let mut params = params::read(fields, reader);
    if curve.is_some() {
        add_implicit(&mut params);
    }
    let range = fields.function(reader, "range").is_some();
    let closed = fields.flag(reader, "closed");
    if closed && curve.is_some() && !range {
        let message = "a closed curve needs its range: one loop of `s`";
        reader.error_hint(
            "missing-key",
            fields.place("closed"),
            message,
            "add range = function(p) return 0, 2 * math.pi end",
        );
    }
    FormationDef {
        name: name.to_owned(),
        about: fields.text(reader, "about").unwrap_or_default(),
        params,
        renamed: fields.renames(reader, "renamed"),
        closed,
        range,
        curve: curve.is_some(),
        moving: function.is_some_and(|function| function.info().num_params >= 3),
    }
}

/// Parameters that every curve has: they are used by the one who sets the places.
fn add_implicit(params: &mut Vec<ParamSpec>) {
    let listed = |name: &str, options: &[&str], about: &str| ParamSpec {
        choices: Choices::Listed(options.iter().map(|option| (*option).to_owned()).collect()),
        about: about.to_owned(),
        ..ParamSpec::new(name, options[0])
    };
    let implicit = [
        ParamSpec::number("spacing", 1.2, (0.05, 50.0), "m", "distance from place to place"),
        listed("measure", &["arc", "chord"], "spacing along the curve or straight"),
        listed("overflow", &["error", "shrink", "rows"], "what to do when the places do not fit"),
    ];
    for spec in implicit {
        if !params.iter().any(|known| known.name == spec.name) {
            params.push(spec);
        }
    }
}

fn metric(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>) -> MetricDef {
    fields.check_keys(reader, &["about", "unit", "params", "memory", "renamed", "compute"], false);
    needed(fields, "compute", "function(group, p) return group.count end", reader);
    let unit = fields.text(reader, "unit");
    if unit.is_none() {
        reader.error_hint(
            "missing-key",
            fields.entry.place,
            "the metric has no `unit`",
            "add unit = \"m\", or \"1\" for a pure number",
        );
    }
    MetricDef {
        name: name.to_owned(),
        about: fields.text(reader, "about").unwrap_or_default(),
        unit: unit.unwrap_or_default(),
        params: params::read(fields, reader),
        memory: memory::read(fields, reader),
        renamed: fields.renames(reader, "renamed"),
    }
}

fn director(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>) -> DirectorDef {
    fields.check_keys(reader, &["about", "params", "memory", "renamed", "start", "tick", "on"], false);
    let def = DirectorDef {
        name: name.to_owned(),
        about: fields.text(reader, "about").unwrap_or_default(),
        params: params::read(fields, reader),
        memory: memory::read(fields, reader),
        renamed: fields.renames(reader, "renamed"),
        start: fields.function(reader, "start").is_some(),
        tick: fields.function(reader, "tick").is_some(),
        on: behavior::handlers(fields, reader),
    };
    if !def.start && !def.tick && def.on.is_empty() {
        let message = "the director does nothing: it has no `start`, no `tick` and nothing in `on`";
        reader.error_hint("missing-key", fields.entry.place, message, "add tick = function(world, p) … end");
    }
    def
}
