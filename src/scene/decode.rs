//! From tree to typed values: every fault of a record is reported, then reading goes on with the default.
//!
//! The three macros here are the one place where a file type is declared: its fields with default, limits and help text.
//! Reading, writing, the list of known names and the manual's table of fields follow from that declaration.

use glam::DVec3;

use super::nearest::suggestion;
use super::problem::Problem;
use super::ron::{Field, Kind, MAX_PROBLEMS, Node, Number, Source, Span, shortened};

/// Collects the problems while a tree is read.
pub struct Decoder<'a> {
    /// The text that the tree was read from.
    pub source: &'a Source,
    /// What was found so far.
    pub problems: Vec<Problem>,
    /// The group that is being read, for problems.
    group: Option<String>,
}

impl<'a> Decoder<'a> {
    /// A decoder without problems.
    pub fn new(source: &'a Source) -> Self {
        Self { source, problems: Vec::new(), group: None }
    }

    /// Reports an error at a place.
    pub fn error(&mut self, span: Span, code: &str, message: impl Into<String>, hint: Option<String>) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let mut problem = self.source.error(span, code, message).maybe_hint(hint);
        problem.group.clone_from(&self.group);
        self.problems.push(problem);
    }

    /// Reports that something else stands here; nothing for a place whose fault the reader has reported.
    pub fn mismatch(&mut self, node: &Node, expected: &str) {
        if node.kind != Kind::Broken {
            let message = format!("expected {expected}, found {}", node.what());
            self.error(node.span, "wrong-type", message, None);
        }
    }

    /// Reports a word that is not one of the known ones.
    pub fn unknown_word(&mut self, span: Span, what: &str, word: &str, known: &[&'static str]) {
        let message = format!("unknown {what} `{}`", shortened(word));
        self.error(span, "unknown-word", message, suggestion(word, known.iter().copied()));
    }
}

/// A value that can be read from and written to a tree.
pub trait Shape: Sized {
    /// Reads the value; `None` after a reported problem.
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self>;
    /// The tree of the value.
    fn encode(&self) -> Node;
    /// The number that a limit of the field looks at, if it is one.
    fn as_number(&self) -> Option<f64> {
        None
    }
}

/// A record whose fields can be set by name, as addresses do.
pub trait Fields {
    /// Sets one field; false if there is none of this name. A value that does not fit is reported and changes nothing.
    fn set_field(&mut self, name: &str, node: &Node, decoder: &mut Decoder<'_>) -> bool;
}

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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldInfo {
    /// Its name.
    pub name: &'static str,
    /// Its help text with the unit.
    pub help: &'static str,
    /// Whether a file must have it.
    pub required: bool,
    /// What a number must be.
    pub limit: Limit,
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

/// A finite number.
pub fn finite(node: &Node, decoder: &mut Decoder<'_>) -> Option<f64> {
    match &node.kind {
        Kind::Number(number) if number.value.is_finite() => Some(number.value),
        Kind::Number(number) => {
            let shown = if number.value.is_nan() { "NaN" } else { "an infinite number" };
            decoder.error(node.span, "not-finite", format!("expected a finite number, found {shown}"), None);
            None
        }
        _ => {
            decoder.mismatch(node, "a number");
            None
        }
    }
}

impl Shape for f64 {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        finite(node, decoder)
    }
    fn encode(&self) -> Node {
        Node::number(*self)
    }
    fn as_number(&self) -> Option<f64> {
        Some(*self)
    }
}

/// An integer of any unsigned type.
fn integer<T: TryFrom<i128>>(node: &Node, most: &str, decoder: &mut Decoder<'_>) -> Option<T> {
    let Kind::Number(Number { value, integer }) = node.kind else {
        decoder.mismatch(node, "a whole number");
        return None;
    };
    let whole = integer.or_else(|| (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i128));
    let Some(whole) = whole else {
        decoder.error(node.span, "wrong-type", format!("expected a whole number, found {value}"), None);
        return None;
    };
    let found = T::try_from(whole).ok();
    if found.is_none() {
        decoder.error(node.span, "out-of-range", format!("{whole} must be from 0 to {most}"), None);
    }
    found
}

impl Shape for u32 {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        integer(node, "4294967295", decoder)
    }
    fn encode(&self) -> Node {
        Node::integer(i128::from(*self))
    }
    fn as_number(&self) -> Option<f64> {
        Some(f64::from(*self))
    }
}

impl Shape for u64 {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        integer(node, "2^64 - 1", decoder)
    }
    fn encode(&self) -> Node {
        Node::integer(i128::from(*self))
    }
}

impl Shape for bool {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        if let Kind::Bool(value) = node.kind {
            return Some(value);
        }
        decoder.mismatch(node, "`true` or `false`");
        None
    }
    fn encode(&self) -> Node {
        Node::new(Kind::Bool(*self))
    }
}

impl Shape for String {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Word(word) => {
                let message = format!("expected text, found the word `{}`", shortened(word));
                let hint = format!("put it into quotes: \"{}\"", shortened(word));
                decoder.error(node.span, "wrong-type", message, Some(hint));
                None
            }
            _ => {
                decoder.mismatch(node, "text");
                None
            }
        }
    }
    fn encode(&self) -> Node {
        Node::text(self.clone())
    }
}

/// A point or direction in m: two numbers, or three.
impl Shape for DVec3 {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        const EXPECTED: &str = "a point `(x, y)` or `(x, y, z)`";
        let Kind::Tuple { name: None, items } = &node.kind else {
            decoder.mismatch(node, EXPECTED);
            return None;
        };
        if items.len() != 2 && items.len() != 3 {
            decoder.mismatch(node, EXPECTED);
            return None;
        }
        let mut numbers = [Some(0.0); 3];
        for (number, item) in numbers.iter_mut().zip(items) {
            *number = finite(item, decoder);
        }
        Some(Self::new(numbers[0]?, numbers[1]?, numbers[2]?))
    }
    fn encode(&self) -> Node {
        let mut items = vec![Node::number(self.x), Node::number(self.y)];
        // A planar point is written with two numbers; -0 reads back as 0, which no tick can tell apart.
        if self.z != 0.0 {
            items.push(Node::number(self.z));
        }
        Node::tuple(items)
    }
}

impl<T: Shape> Shape for Option<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        match &node.kind {
            Kind::Option(None) => Some(None),
            Kind::Option(Some(inner)) => T::decode(inner, decoder).map(Some),
            _ => T::decode(node, decoder).map(Some),
        }
    }
    fn encode(&self) -> Node {
        self.as_ref().map_or_else(|| Node::new(Kind::Option(None)), T::encode)
    }
    fn as_number(&self) -> Option<f64> {
        self.as_ref().and_then(T::as_number)
    }
}

impl<T: Shape> Shape for Box<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        T::decode(node, decoder).map(Self::new)
    }
    fn encode(&self) -> Node {
        T::encode(self)
    }
}

impl<T: Shape> Shape for Vec<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let Kind::List(items) = &node.kind else {
            decoder.mismatch(node, "a list `[…]`");
            return None;
        };
        // What could be read is kept even beside faults, so that later checks find faults in the rest.
        Some(items.iter().filter_map(|item| T::decode(item, decoder)).collect())
    }
    fn encode(&self) -> Node {
        Node::new(Kind::List(self.iter().map(T::encode).collect()))
    }
}

/// A value that remembers its place, so that a problem found later can point at it. Places do not count in comparisons.
#[derive(Debug, Clone, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands; line 0 if no file contains it.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value that no file contains.
    pub fn new(value: T) -> Self {
        Self { value, span: Span::default() }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl From<&str> for Spanned<String> {
    fn from(text: &str) -> Self {
        Self::new(text.to_owned())
    }
}

impl<T: Shape> Shape for Spanned<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        T::decode(node, decoder).map(|value| Self { value, span: node.span })
    }
    fn encode(&self) -> Node {
        self.value.encode()
    }
    fn as_number(&self) -> Option<f64> {
        self.value.as_number()
    }
}

/// A map whose keys are text, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table<T>(pub Vec<(Spanned<String>, Spanned<T>)>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Table<T> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Spanned<T>> {
        self.0.iter().find(|(known, _)| known.value == key).map(|(_, value)| value)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: &str, value: T) {
        match self.0.iter_mut().find(|(known, _)| known.value == key) {
            Some((_, place)) => *place = Spanned::new(value),
            None => self.0.push((Spanned::from(key), Spanned::new(value))),
        }
    }
}

impl<T: Shape> Shape for Table<T> {
    fn decode(node: &Node, decoder: &mut Decoder<'_>) -> Option<Self> {
        let Kind::Map(entries) = &node.kind else {
            decoder.mismatch(node, "a map `{\"name\": value}`");
            return None;
        };
        let mut table = Self::default();
        let mut seen = std::collections::BTreeSet::new();
        for (key, value) in entries {
            let name = Spanned::<String>::decode(key, decoder);
            let value = Spanned::<T>::decode(value, decoder);
            let (Some(name), Some(value)) = (name, value) else {
                continue;
            };
            if !seen.insert(name.value.clone()) {
                let message = format!("the key \"{}\" stands here twice", shortened(&name.value));
                decoder.error(name.span, "duplicate-field", message, None);
                continue;
            }
            table.0.push((name, value));
        }
        Some(table)
    }
    fn encode(&self) -> Node {
        Node::new(Kind::Map(self.0.iter().map(|(key, value)| (key.encode(), value.encode())).collect()))
    }
}

/// The fields of a struct that differ from the default, for writing.
pub(super) fn written(shown: &str, fields: Vec<(&'static str, Option<Node>)>) -> Node {
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

/// Declares a record type: its fields with default, `required` or `optional`, and limits.
macro_rules! record {
    ($(#[doc = $about:literal])* $name:ident $shown:literal $(positional $positional:literal)? {
        $($(#[doc = $help:literal])* $field:ident: $ty:ty = $default:expr, $need:ident $(, $limit:expr)?;)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $help])* pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            /// The name of the record in files and messages.
            pub const SHOWN: &'static str = $shown;
            /// Its fields in order.
            pub const FIELDS: &'static [$crate::scene::decode::FieldInfo] = &[
                $($crate::scene::decode::FieldInfo {
                    name: stringify!($field),
                    help: concat!($($help),*).trim_ascii(),
                    required: record!(@required $need),
                    limit: record!(@limit $($limit)?),
                },)*
            ];
        }

        impl $crate::scene::decode::Fields for $name {
            fn set_field(
                &mut self,
                name: &str,
                node: &$crate::scene::ron::Node,
                decoder: &mut $crate::scene::decode::Decoder<'_>,
            ) -> bool {
                let Some(info) = Self::FIELDS.iter().find(|info| info.name == name) else {
                    return false;
                };
                match name {
                    $(stringify!($field) => {
                        if let Some(value) = $crate::scene::decode::checked(node, info, decoder) {
                            self.$field = value;
                        }
                        true
                    })*
                    _ => false,
                }
            }
        }

        impl $crate::scene::decode::Shape for $name {
            fn decode(
                node: &$crate::scene::ron::Node,
                decoder: &mut $crate::scene::decode::Decoder<'_>,
            ) -> Option<Self> {
                let positional = record!(@positional $($positional)?);
                let record =
                    $crate::scene::decode::Record::open(node, $shown, Self::FIELDS, positional, decoder)?;
                let Self { $($field,)* } = Self::default();
                let mut infos = Self::FIELDS.iter();
                $(let $field = match infos.next() {
                    Some(info) => record.field(info, $field, decoder),
                    None => $field,
                };)*
                Some(Self { $($field,)* })
            }

            fn encode(&self) -> $crate::scene::ron::Node {
                let default = Self::default();
                $crate::scene::decode::written($shown, vec![
                    $((
                        stringify!($field),
                        (record!(@required $need) || self.$field != default.$field)
                            .then(|| $crate::scene::decode::Shape::encode(&self.$field)),
                    ),)*
                ])
            }
        }
    };
    (@positional) => { false };
    (@positional $positional:literal) => { $positional };
    (@required required) => { true };
    (@required optional) => { false };
    (@limit) => { $crate::scene::decode::Limit::Any };
    (@limit $limit:expr) => { $limit };
}

/// Declares a type that is one of several records, told apart by their names.
macro_rules! choice {
    ($(#[doc = $about:literal])* $name:ident $shown:literal {
        $($(#[doc = $help:literal])* $variant:ident($ty:ty),)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name {
            $($(#[doc = $help])* $variant($ty),)*
        }

        impl $name {
            /// The names of the kinds.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($variant)),*];
        }

        impl $crate::scene::decode::Shape for $name {
            fn decode(
                node: &$crate::scene::ron::Node,
                decoder: &mut $crate::scene::decode::Decoder<'_>,
            ) -> Option<Self> {
                match node.name() {
                    $(Some(stringify!($variant)) => <$ty>::decode(node, decoder).map(Self::$variant),)*
                    Some(word) => {
                        decoder.unknown_word(node.span, $shown, word, Self::NAMES);
                        None
                    }
                    None => {
                        decoder.mismatch(node, &format!("{} such as `{}(…)`", $shown, Self::NAMES[0]));
                        None
                    }
                }
            }

            fn encode(&self) -> $crate::scene::ron::Node {
                match self {
                    $(Self::$variant(value) => value.encode(),)*
                }
            }
        }
    };
}

/// Reads and writes an enum as one of several words.
macro_rules! words {
    ($name:ty, $shown:literal, [$($variant:ident),*]) => {
        impl $crate::scene::decode::Shape for $name {
            fn decode(
                node: &$crate::scene::ron::Node,
                decoder: &mut $crate::scene::decode::Decoder<'_>,
            ) -> Option<Self> {
                const NAMES: &[&str] = &[$(stringify!($variant)),*];
                match &node.kind {
                    $($crate::scene::ron::Kind::Word(word) if word == stringify!($variant) => Some(Self::$variant),)*
                    $crate::scene::ron::Kind::Word(word) => {
                        decoder.unknown_word(node.span, $shown, word, NAMES);
                        None
                    }
                    $crate::scene::ron::Kind::Text(word) => {
                        let message = format!("expected a word, found text; {} is written without quotes", $shown);
                        let hint = $crate::scene::suggestion(word, NAMES.iter().copied());
                        decoder.error(node.span, "wrong-type", message, hint);
                        None
                    }
                    _ => {
                        decoder.mismatch(node, &format!("one of the words {}", NAMES.join(", ")));
                        None
                    }
                }
            }

            fn encode(&self) -> $crate::scene::ron::Node {
                let word = match self {
                    $(Self::$variant => stringify!($variant),)*
                };
                $crate::scene::ron::Node::new($crate::scene::ron::Kind::Word(word.to_owned()))
            }
        }
    };
}

pub(super) use {choice, record, words};
