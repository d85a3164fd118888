//! Reads `forces` and `limits`: entries of a blend and the numbers in them.

use mlua::{Table, Value};

use super::fields::{Fields, Reader, plain, shown};
use crate::machine::def::Limit;
use crate::machine::finding::Place;
use crate::script::text::outline::Entry;
use crate::steer::blend::{Bind, ForceRef, Term};
use crate::steer::nearest::did_you_mean;
use crate::steer::param;

/// Keys of an entry that are not parameters of its force.
const ENTRY_KEYS: [&str; 4] = ["weight", "scale", "compute", "force"];

/// The entries of `forces`, in the order of the text, with their places.
pub fn read(fields: &Fields<'_>, reader: &mut Reader<'_>) -> (Vec<Term>, Vec<Place>) {
    let Some(table) = fields.table(reader, "forces") else { return Default::default() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("forces").unwrap_or(&empty), "forces");
    if table.raw_len() > 0 {
        let place = inner.entry.indexed(1).map_or(inner.entry.place, |entry| entry.place);
        reader.error_hint(
            "wrong-type",
            place,
            "forces takes name = weight, but a value stands without a name",
            "write { separation = 1.0 }",
        );
    }
    let mut terms = Vec::new();
    let mut places = Vec::new();
    for key in inner.names() {
        if let Some(term) = term(&inner, reader, &key) {
            terms.push(term);
            places.push(inner.place(&key));
        }
    }
    (terms, places)
}

fn term(fields: &Fields<'_>, reader: &mut Reader<'_>, key: &str) -> Option<Term> {
    let mut term = Term { weight_written: false, ..Term::native(key, 1.0) };
    match fields.get(key) {
        Value::Table(table) => {
            let empty = Entry::default();
            let entry = fields.entry.named(key).unwrap_or(&empty);
            read_entry(&Fields::new(&table, entry, format!("force `{key}`")), reader, &mut term);
        }
        Value::Function(_) => {
            let place = fields.place(key);
            reader.error_hint(
                "wrong-type",
                place,
                format!("force `{key}` is a bare function"),
                format!("write {key} = {{ weight = 1, compute = function(agent, p) … end }}"),
            );
            return None;
        }
        value => {
            term.weight = number_or_bind(&value, fields.place(key), &format!("weight of `{key}`"), reader)?;
            term.weight_written = true;
        }
    }
    Some(term)
}

fn read_entry(fields: &Fields<'_>, reader: &mut Reader<'_>, term: &mut Term) {
    if fields.table.raw_len() > 0 {
        let place = fields.entry.place;
        reader.error_hint(
            "unknown-key",
            place,
            format!("{} has a value without a name", fields.what),
            "write weight = …",
        );
    }
    if let Some(name) = fields.text(reader, "force") {
        term.force = ForceRef::Native(name);
        term.force_written = true;
    }
    if fields.function(reader, "compute").is_some() {
        if term.force_written {
            reader.error(
                "wrong-type",
                fields.place("compute"),
                format!("{} has both `force` and `compute`; one of them", fields.what),
            );
        }
        term.force = ForceRef::InPlace;
        term.force_written = true;
    }
    term.scale = fields.function(reader, "scale").is_some();
    let weight = fields.get("weight");
    let what = format!("weight of `{}`", term.key);
    if !weight.is_nil()
        && let Some(bind) = number_or_bind(&weight, fields.place("weight"), &what, reader)
    {
        term.weight = bind;
        term.weight_written = true;
    }
    for name in fields.names().iter().filter(|name| !ENTRY_KEYS.contains(&name.as_str())) {
        let value = fields.get(name);
        let Some(bind) = any_bind(&value) else {
            let near = did_you_mean(name, ENTRY_KEYS);
            let got = shown(&value);
            let message =
                format!("`{name}` of {} must be a number, a vector, a string or a bind, got {got}{near}", fields.what);
            reader.error("wrong-type", fields.place(name), message);
            continue;
        };
        term.params.push((name.clone(), bind));
    }
}

/// `p.NAME` or `memory.NAME`, if a text is one.
fn bind_of(text: &str) -> Option<Bind> {
    if let Some(name) = text.strip_prefix("p.") {
        return Some(Bind::Param(name.to_owned()));
    }
    text.strip_prefix("memory.").map(|name| Bind::Memory(name.to_owned()))
}

/// A parameter of a force: any plain value, or a bind.
pub fn any_bind(value: &Value) -> Option<Bind> {
    match plain(value)? {
        param::Value::Text(text) => Some(bind_of(&text).unwrap_or(Bind::Constant(param::Value::Text(text)))),
        plain => Some(Bind::Constant(plain)),
    }
}

/// A number or a bind; anything else is reported.
pub fn number_or_bind(value: &Value, place: Place, what: &str, reader: &mut Reader<'_>) -> Option<Bind> {
    match any_bind(value) {
        Some(Bind::Constant(param::Value::Number(number))) if number.is_finite() => Some(Bind::number(number)),
        Some(bind @ (Bind::Param(_) | Bind::Memory(_))) => Some(bind),
        _ => {
            let message = format!("{what} must be a number, \"p.NAME\" or \"memory.NAME\", got {}", shown(value));
            reader.error("wrong-type", place, message);
            None
        }
    }
}

/// The entries of `limits`, in the order of the text.
pub fn limits(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<(Limit, Bind)> {
    let Some(table) = fields.table(reader, "limits") else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("limits").unwrap_or(&empty), "limits");
    inner.check_keys(reader, &Limit::ALL.map(Limit::word), false);
    let mut limits = Vec::new();
    for name in inner.names() {
        let Some(limit) = Limit::from_word(&name) else { continue };
        let place = inner.place(&name);
        if let Some(bind) = number_or_bind(&inner.get(&name), place, &format!("limit `{name}`"), reader) {
            if bind.constant_number().is_some_and(|number| number < 0.0) {
                reader.error("bad-default", place, format!("limit `{name}` must not be negative"));
            }
            limits.push((limit, bind));
        }
    }
    limits
}

/// Thresholds: `above` or `below`, in the order of the text.
pub fn thresholds(fields: &Fields<'_>, key: &str, reader: &mut Reader<'_>) -> Vec<(String, Bind)> {
    let Some(table) = fields.table(reader, key) else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named(key).unwrap_or(&empty), key);
    let names = inner.names();
    names
        .iter()
        .filter_map(|name| {
            let bind = number_or_bind(&inner.get(name), inner.place(name), &format!("`{key}` of `{name}`"), reader)?;
            Some((name.clone(), bind))
        })
        .collect()
}

/// The parameters given to a referenced behavior, in the order of the text.
pub fn given_params(table: &Table, entry: &Entry, reader: &mut Reader<'_>) -> Vec<(String, Bind)> {
    let fields = Fields::new(table, entry, "params");
    let mut given = Vec::new();
    for name in fields.names() {
        match any_bind(&fields.get(&name)) {
            Some(bind) => given.push((name, bind)),
            None => fields.wrong(reader, &name, "a plain value or a bind", &fields.get(&name)),
        }
    }
    given
}
