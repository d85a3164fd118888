//! The macros that declare file types: the one place where a field gets its name, default, limit and help text.

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
                    default: || {
                        let default: $ty = $default;
                        $crate::scene::decode::Shape::encode(&default)
                    },
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

pub(in crate::scene) use {choice, record, words};
