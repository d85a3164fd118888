//! Records: their fields, what is required, what is unknown, what is out of range.

use super::{Decoder, Shape};
use crate::scene::nearest::suggestion;
use crate::scene::ron::{Field, Kind, Node, Span, shortened};

/// What a number must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// Any finite number.
    Any,
    /// Above zero.
    Positive,
    /// Zero or above.
    NotNegative,
    /// From … to …, both included.
    Within(f64, f64),
    /// Above … and up to …
    AboveUpTo(f64, f64),
}

impl Limit {
    /// What is wrong with a number: "must be above 0".
    pub fn refuse(self, value: f64) -> Option<String> {
        match self {
            Self::Positive if value <= 0.0 => Some("must be above 0".to_owned()),
            Self::NotNegative if value < 0.0 => Some("must not be negative".to_owned()),
            Self::Within(from, to) if value < from || value > to => Some(format!("must be from {from} to {to}")),
            Self::AboveUpTo(from, to) if value <= from || value > to => {
                Some(format!("must be above {from} and at most {to}"))
            }
            _ => None,
        }
    }
}

/// One field of a record type, as the manual shows it.
#[derive(Debug, Clone, Copy)]
pub struct FieldInfo {
    /// Its name.
    pub name: &'static str,
    /// Its help text with the unit.
    pub help: &'static str,
    /// Whether a file must have it.
    pub required: bool,
    /// What a number must be.
    pub limit: Limit,
    /// What holds without it.
    pub default: fn() -> Node,
}

/// The fields of one record while they are read.
pub struct Record<'n> {
    shown: &'static str,
    span: Span,
    fields: Vec<(&'n str, Span, &'n Node)>,
}

impl<'n> Record<'n> {
    /// Opens a record: `(a: 1)`, `Name(a: 1)`, `()`; where `positional`, also `Name(1, 2)` in the order of the fields.
    pub fn open(
        node: &'n Node,
        shown: &'static str,
        known: &[FieldInfo],
        positional: bool,
        decoder: &mut Decoder<'_>,
    ) -> Option<Self> {
        let named = shown.starts_with(char::is_uppercase);
        if let Some(name) = node.name()
            && name != shown
            && (named || name.to_lowercase() != shown.replace('_', ""))
        {
            decoder.mismatch(node, &example(shown, known));
            return None;
        }
        let fields = match &node.kind {
            Kind::Unit => Vec::new(),
            Kind::Word(_) if named => Vec::new(),
            Kind::Tuple { items, .. } if items.is_empty() => Vec::new(),
            Kind::Struct { fields, .. } => unique(fields, shown, decoder),
            Kind::Tuple { items, .. } if positional && items.len() <= known.len() => {
                known.iter().zip(items).map(|(info, item)| (info.name, item.span, item)).collect()
            }
            _ => {
                decoder.mismatch(node, &example(shown, known));
                return None;
            }
        };
        let names: Vec<_> = known.iter().map(|info| info.name).collect();
        for (name, span, _) in &fields {
            if !names.contains(name) {
                let message = format!("{shown} has no field `{}`", shortened(name));
                decoder.error(*span, "unknown-field", message, suggestion(name, names.iter().copied()));
            }
        }
        Some(Self { shown, span: node.span, fields })
    }

    /// Reads one field; the default where it is absent or wrong.
    pub fn field<T: Shape>(&self, info: &FieldInfo, default: T, decoder: &mut Decoder<'_>) -> T {
        let Some((_, _, node)) = self.fields.iter().find(|(name, ..)| *name == info.name) else {
            if info.required {
                let message = format!("{} lacks the field `{}`", self.shown, info.name);
                decoder.error(self.span, "missing-field", message, Some(format!("it is: {}", info.help)));
            }
            return default;
        };
        checked(node, info, decoder).unwrap_or(default)
    }

    /// Names the group that the following problems concern.
    pub fn name_group(name: &Node, decoder: &mut Decoder<'_>) {
        if let Kind::Text(text) = &name.kind {
            decoder.group = Some(shortened(text));
        }
    }
}

/// Ends what [`Record::name_group`] began.
pub fn leave_group(decoder: &mut Decoder<'_>) {
    decoder.group = None;
}

/// Reads the value of a field within its limit; `None` after a reported problem.
pub fn checked<T: Shape>(node: &Node, info: &FieldInfo, decoder: &mut Decoder<'_>) -> Option<T> {
    let value = T::decode(node, decoder)?;
    let Some(number) = value.as_number() else {
        return Some(value);
    };
    let Some(wrong) = info.limit.refuse(number) else {
        return Some(value);
    };
    decoder.error(node.span, "out-of-range", format!("`{}` is {number}; it {wrong}", info.name), None);
    None
}

fn example(shown: &str, known: &[FieldInfo]) -> String {
    let names: Vec<_> = known.iter().take(3).map(|info| format!("{}: …", info.name)).collect();
    let name = if shown.starts_with(char::is_uppercase) { shown } else { "" };
    format!("`{name}({})`", names.join(", "))
}

/// The fields without repetitions, which are reported.
fn unique<'n>(fields: &'n [Field], shown: &str, decoder: &mut Decoder<'_>) -> Vec<(&'n str, Span, &'n Node)> {
    let mut found: Vec<(&str, Span, &Node)> = Vec::new();
    for field in fields {
        if let Some((_, first, _)) = found.iter().find(|(name, ..)| *name == field.name) {
            let message = format!("{shown} has the field `{}` twice", shortened(&field.name));
            let hint = format!("the first one is in line {}", first.line);
            decoder.error(field.span, "duplicate-field", message, Some(hint));
            continue;
        }
        found.push((&field.name, field.span, &field.value));
        if found.len() > 200 {
            // No record has so many fields; the unknown ones are reported, the rest is not worth the time.
            break;
        }
    }
    found
}

/// The fields of a struct that differ from the default, for writing.
pub(in crate::scene) fn written(shown: &str, fields: Vec<(&'static str, Option<Node>)>) -> Node {
    let name = shown.starts_with(char::is_uppercase).then(|| shown.to_owned());
    let fields: Vec<_> = fields
        .into_iter()
        .filter_map(|(name, value)| Some(Field { name: name.to_owned(), span: Span::default(), value: value? }))
        .collect();
    match (fields.is_empty(), name) {
        (true, None) => Node::new(Kind::Unit),
        (true, Some(name)) => Node::new(Kind::Tuple { name: Some(name), items: Vec::new() }),
        (false, name) => Node::new(Kind::Struct { name, fields }),
    }
}
