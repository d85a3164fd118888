//! Reads `params`: name = default, or `{ default, min, max, unit, about, options }`.

use mlua::{Table, Value};

use super::fields::{Fields, Reader, plain};
use crate::machine::finding::Place;
use crate::script::text::outline::Entry;
use crate::steer::param::{Choices, ParamSpec};

/// All parameters of a definition, in the order of the text.
pub fn read(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<ParamSpec> {
    let Some(table) = fields.table(reader, "params") else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("params").unwrap_or(&empty), "params");
    if table.raw_len() > 0 {
        reader.error(
            "wrong-type",
            fields.place("params"),
            "params takes name = default, but a value stands without a name",
        );
    }
    inner.names().iter().filter_map(|name| param(&inner, reader, name)).collect()
}

fn param(fields: &Fields<'_>, reader: &mut Reader<'_>, name: &str) -> Option<ParamSpec> {
    let place = fields.place(name);
    if !is_word(name) {
        reader.error(
            "bad-name",
            place,
            format!("parameter `{name}` cannot be written as p.{name}; use letters, digits and _"),
        );
        return None;
    }
    let spec = match fields.get(name) {
        Value::Table(table) => {
            let empty = Entry::default();
            described(&table, fields.entry.named(name).unwrap_or(&empty), reader, name)?
        }
        value => {
            let Some(default) = plain(&value) else {
                let wanted = "a number, a boolean, a vector, a string or a table that starts with one";
                fields.wrong(reader, name, wanted, &value);
                return None;
            };
            ParamSpec::new(name, default)
        }
    };
    check(&spec, place, reader);
    Some(spec)
}

fn described(table: &Table, entry: &Entry, reader: &mut Reader<'_>, name: &str) -> Option<ParamSpec> {
    let fields = Fields::new(table, entry, format!("parameter `{name}`"));
    fields.check_keys(reader, &["min", "max", "unit", "about", "options"], true);
    let first: Value = table.raw_get(1).unwrap_or(Value::Nil);
    let Some(default) = plain(&first) else {
        let message = format!("parameter `{name}` needs its default first: {name} = {{ 1.0, min = 0, max = 2 }}");
        reader.error("wrong-type", entry.place, message);
        return None;
    };
    if table.raw_len() > 1 {
        reader.error(
            "unknown-key",
            entry.place,
            format!("parameter `{name}` has more than one default; write min = and max ="),
        );
    }
    let choices = match fields.get("options") {
        Value::Nil => Choices::Any,
        Value::String(text) if text.to_string_lossy() == "groups" => Choices::Groups,
        Value::Table(_) => Choices::Listed(fields.texts(reader, "options")),
        other => {
            fields.wrong(reader, "options", "a list of strings or \"groups\"", &other);
            Choices::Any
        }
    };
    Some(ParamSpec {
        min: fields.number(reader, "min"),
        max: fields.number(reader, "max"),
        unit: fields.text(reader, "unit").unwrap_or_default(),
        about: fields.text(reader, "about").unwrap_or_default(),
        choices,
        ..ParamSpec::new(name, default)
    })
}

fn check(spec: &ParamSpec, place: Place, reader: &mut Reader<'_>) {
    if let (Some(min), Some(max)) = (spec.min, spec.max)
        && min > max
    {
        reader.error("bad-range", place, format!("parameter `{}`: min {min} is above max {max}", spec.name));
        return;
    }
    if let Some(refusal) = spec.refusal(&spec.default) {
        reader.error("bad-default", place, format!("the default does not fit: {refusal}"));
    }
}

/// Whether a name can stand behind a dot.
pub fn is_word(name: &str) -> bool {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    letters
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && !crate::script::text::lexer::is_keyword(name)
}
