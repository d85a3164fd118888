//! Reading a table of a script with strict keys: every key is either known or reported with the nearest known one.

use mlua::{Function, Table, Value};

use crate::machine::finding::Place;
use crate::scene::problem::Problem;
use crate::script::text::outline::Entry;
use crate::steer::nearest::did_you_mean;
use crate::steer::param;

/// The file being read and what was found wrong in it.
pub struct Reader<'a> {
    /// File relative to the project.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Problems so far.
    pub problems: Vec<Problem>,
}

impl Reader<'_> {
    /// Reports an error at a place of this file.
    pub fn error(&mut self, code: &str, place: Place, message: impl Into<String>) {
        let problem = self.at(Problem::error(code, message), place);
        self.problems.push(problem);
    }

    /// Reports an error with advice.
    pub fn error_hint(&mut self, code: &str, place: Place, message: impl Into<String>, hint: impl Into<String>) {
        let problem = self.at(Problem::error(code, message).hint(hint), place);
        self.problems.push(problem);
    }

    /// A problem put at a place of this file, with its excerpt.
    pub fn at(&self, problem: Problem, place: Place) -> Problem {
        let problem = problem.in_file(self.file);
        match place.line {
            0 => problem,
            line => problem.at(line, place.column.max(1)).with_source(self.text),
        }
    }
}

/// One table of the definition: its values, its shape in the text, and what it is called in messages.
pub struct Fields<'t> {
    /// The table.
    pub table: &'t Table,
    /// Its outline; empty where the text does not show it.
    pub entry: &'t Entry,
    /// What it is called: `machine`, `state \`moving\``.
    pub what: String,
}

impl<'t> Fields<'t> {
    /// A table with its outline.
    pub fn new(table: &'t Table, entry: &'t Entry, what: impl Into<String>) -> Self {
        Self { table, entry, what: what.into() }
    }

    /// The value of a key, nil where it is absent.
    pub fn get(&self, key: &str) -> Value {
        self.table.raw_get(key).unwrap_or(Value::Nil)
    }

    /// Where a key stands, else where the table does.
    pub fn place(&self, key: &str) -> Place {
        self.entry.named(key).map_or(self.entry.place, |entry| entry.place)
    }

    /// The string keys, in the order of the text; those the text does not show follow in name order.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .table
            .pairs::<Value, Value>()
            .filter_map(Result::ok)
            .filter_map(|(key, _)| if let Value::String(key) = key { Some(key.to_string_lossy()) } else { None })
            .collect();
        names.sort_by(|a, b| (self.entry.order(a), a).cmp(&(self.entry.order(b), b)));
        names
    }

    /// Reports every key that is not among `known`, list entries too unless `list` is allowed.
    pub fn check_keys(&self, reader: &mut Reader<'_>, known: &[&str], list: bool) {
        for name in self.names() {
            if !known.contains(&name.as_str()) {
                let near = did_you_mean(&name, known.iter().copied());
                reader.error("unknown-key", self.place(&name), format!("{} has no key `{name}`{near}", self.what));
            }
        }
        if !list && self.table.raw_len() > 0 {
            let place = self.entry.indexed(1).map_or(self.entry.place, |entry| entry.place);
            reader.error(
                "unknown-key",
                place,
                format!("{} takes named keys only, but a value stands without a name", self.what),
            );
        }
    }

    /// A function, or nothing; anything else is reported.
    pub fn function(&self, reader: &mut Reader<'_>, key: &str) -> Option<Function> {
        match self.get(key) {
            Value::Function(function) => Some(function),
            Value::Nil => None,
            other => {
                self.wrong(reader, key, "a function", &other);
                None
            }
        }
    }

    /// A text, or nothing.
    pub fn text(&self, reader: &mut Reader<'_>, key: &str) -> Option<String> {
        match self.get(key) {
            Value::String(text) => Some(text.to_string_lossy()),
            Value::Nil => None,
            other => {
                self.wrong(reader, key, "a string", &other);
                None
            }
        }
    }

    /// A boolean, false where absent.
    pub fn flag(&self, reader: &mut Reader<'_>, key: &str) -> bool {
        match self.get(key) {
            Value::Boolean(flag) => flag,
            Value::Nil => false,
            other => {
                self.wrong(reader, key, "true or false", &other);
                false
            }
        }
    }

    /// A finite number, or nothing.
    pub fn number(&self, reader: &mut Reader<'_>, key: &str) -> Option<f64> {
        let value = self.get(key);
        if value.is_nil() {
            return None;
        }
        let number = value.as_number().or_else(|| value.as_integer().map(|integer| integer as f64));
        if number.is_none_or(|number| !number.is_finite()) {
            self.wrong(reader, key, "a finite number", &value);
            return None;
        }
        number
    }

    /// A table, or nothing.
    pub fn table(&self, reader: &mut Reader<'_>, key: &str) -> Option<Table> {
        match self.get(key) {
            Value::Table(table) => Some(table),
            Value::Nil => None,
            other => {
                self.wrong(reader, key, "a table", &other);
                None
            }
        }
    }

    /// A list of texts, or a single one; empty where absent.
    pub fn texts(&self, reader: &mut Reader<'_>, key: &str) -> Vec<String> {
        let list = match self.get(key) {
            Value::String(text) => return vec![text.to_string_lossy()],
            Value::Nil => return Vec::new(),
            Value::Table(list) => list,
            other => {
                self.wrong(reader, key, "a list of strings", &other);
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for value in list.sequence_values::<Value>().filter_map(Result::ok) {
            match value {
                Value::String(text) => texts.push(text.to_string_lossy()),
                other => self.wrong(reader, key, "a list of strings", &other),
            }
        }
        texts
    }

    /// A table of text to text, in the order of the text.
    pub fn renames(&self, reader: &mut Reader<'_>, key: &str) -> Vec<(String, String)> {
        let Some(table) = self.table(reader, key) else { return Vec::new() };
        let empty = Entry::default();
        let inner = Fields::new(&table, self.entry.named(key).unwrap_or(&empty), key);
        let names = inner.names();
        names.iter().filter_map(|old| inner.text(reader, old).map(|new| (old.clone(), new))).collect()
    }

    /// Reports a value of the wrong kind.
    pub fn wrong(&self, reader: &mut Reader<'_>, key: &str, wanted: &str, got: &Value) {
        let message = format!("`{key}` of {} must be {wanted}, got {}", self.what, shown(got));
        reader.error("wrong-type", self.place(key), message);
    }
}

/// A value for a message: its kind, and itself where it is short.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Nil => "nothing".to_owned(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => {
            let text: String = text.to_string_lossy().chars().take(40).collect();
            format!("\"{text}\"")
        }
        other => format!("a {}", kind_word(other)),
    }
}

/// The kind of a value as an author knows it.
pub fn kind_word(value: &Value) -> &'static str {
    if matches!(value, Value::Integer(_) | Value::Number(_)) { "number" } else { value.type_name() }
}

/// The longest text that memory and parameters may hold, in bytes.
pub const LONGEST_TEXT: usize = 120;

/// A plain value: number, boolean, vector or short string; nothing for any other kind.
pub fn plain(value: &Value) -> Option<param::Value> {
    Some(match value {
        Value::Boolean(flag) => param::Value::Bool(*flag),
        Value::Integer(number) => param::Value::Number(*number as f64),
        Value::Number(number) => param::Value::Number(*number),
        Value::Vector(vector) => {
            param::Value::Vector(glam::DVec3::new(f64::from(vector.x()), f64::from(vector.y()), f64::from(vector.z())))
        }
        Value::String(text) if text.as_bytes().len() <= LONGEST_TEXT => param::Value::Text(text.to_string_lossy()),
        _ => return None,
    })
}
