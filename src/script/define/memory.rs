//! Reads `memory`: declared plain data, typed by its default.

use mlua::{Table, Value};

use super::fields::{Fields, LONGEST_TEXT, Reader, plain};
use super::params::is_word;
use crate::machine::def::{MemorySpec, MemoryValue};
use crate::script::text::outline::Entry;

/// Entries that a list in memory may have at most.
const LONGEST_LIST: usize = 4096;

/// All memory fields of a definition, in the order of the text.
pub fn read(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<MemorySpec> {
    let Some(table) = fields.table(reader, "memory") else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("memory").unwrap_or(&empty), "memory");
    if table.raw_len() > 0 {
        reader.error(
            "wrong-type",
            fields.place("memory"),
            "memory takes name = default, but a value stands without a name",
        );
    }
    inner.names().iter().filter_map(|name| field(&inner, reader, name)).collect()
}

fn field(fields: &Fields<'_>, reader: &mut Reader<'_>, name: &str) -> Option<MemorySpec> {
    let place = fields.place(name);
    if !is_word(name) {
        reader.error(
            "bad-name",
            place,
            format!("memory field `{name}` cannot be written as agent.memory.{name}; use letters, digits and _"),
        );
        return None;
    }
    let value = fields.get(name);
    let default = match &value {
        Value::Function(_) => None,
        Value::Table(table) => Some(list_or_table(table, name, fields, reader)?),
        other => {
            let Some(plain) = plain(other) else {
                let kinds = format!("a number, a boolean, a vector, a string of at most {LONGEST_TEXT} bytes");
                let message =
                    format!("memory field `{name}` must be {kinds}, a list of one type, or a function that gives one");
                reader.error("wrong-type", place, message);
                return None;
            };
            Some(MemoryValue::One(plain))
        }
    };
    if default.as_ref().is_some_and(|default| !finite(default)) {
        reader.error("bad-default", place, format!("memory field `{name}` must be finite"));
    }
    Some(MemorySpec { name: name.to_owned(), default, place })
}

fn finite(value: &MemoryValue) -> bool {
    match value {
        MemoryValue::One(value) => value.is_finite(),
        MemoryValue::List(values) => values.iter().all(crate::steer::param::Value::is_finite),
        MemoryValue::Table => true,
    }
}

fn list_or_table(table: &Table, name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>) -> Option<MemoryValue> {
    let count = table.pairs::<Value, Value>().count();
    let length = table.raw_len();
    let values: Option<Vec<_>> =
        table.sequence_values::<Value>().take(LONGEST_LIST).map(|value| value.ok().as_ref().and_then(plain)).collect();
    match values {
        Some(values) if count == length && count == values.len() => {
            let same = values.windows(2).all(|two| two[0].same_kind(&two[1]));
            if same && !values.is_empty() {
                return Some(MemoryValue::List(values));
            }
            if !same {
                reader.error(
                    "wrong-type",
                    fields.place(name),
                    format!("memory list `{name}` must hold one type; its length never changes"),
                );
                return None;
            }
        }
        _ if length > LONGEST_LIST => {
            reader.error(
                "wrong-type",
                fields.place(name),
                format!("memory list `{name}` may hold at most {LONGEST_LIST} values"),
            );
            return None;
        }
        _ => {}
    }
    if !is_plain(table, 0) {
        let message = format!(
            "memory field `{name}` holds something that cannot be kept (a function, a thread, or tables too deep)"
        );
        reader.error("wrong-type", fields.place(name), message);
        return None;
    }
    Some(MemoryValue::Table)
}

/// Whether a nested table holds plain data only, at most eight deep.
fn is_plain(table: &Table, depth: usize) -> bool {
    depth < 8
        && table.pairs::<Value, Value>().filter_map(Result::ok).all(|(key, value)| {
            plain(&key).is_some()
                && match &value {
                    Value::Table(inner) => is_plain(inner, depth + 1),
                    other => plain(other).is_some(),
                }
        })
}
