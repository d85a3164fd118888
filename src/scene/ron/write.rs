//! From tree to text, laid out to be read: what fits into a line stays in it.

use std::fmt::Write as _;

use super::{Kind, Node, Number};

/// Characters in a line at most, where it can be had.
const WIDTH: usize = 110;
/// Items shorter than this share lines in a long list.
const SHORT: usize = 28;

/// The text of a value, with comment lines before it and a line end behind.
pub fn to_text(notes: &str, root: &Node) -> String {
    let mut text = String::new();
    for line in notes.lines() {
        text.push_str("//");
        if !line.is_empty() {
            text.push(' ');
            text.push_str(line);
        }
        text.push('\n');
    }
    value(&mut text, root, 0, 0);
    text.push('\n');
    text
}

/// Writes a value that starts at column `used` of a line indented by `indent` and leaves room for a comma.
fn value(text: &mut String, node: &Node, indent: usize, used: usize) {
    let mut line = String::new();
    inline(&mut line, node);
    let simple = !matches!(
        &node.kind,
        Kind::List(_) | Kind::Map(_) | Kind::Tuple { .. } | Kind::Struct { .. } | Kind::Option(Some(_))
    );
    if simple || used + line.chars().count() < WIDTH {
        text.push_str(&line);
        return;
    }
    match &node.kind {
        Kind::List(items) => {
            text.push('[');
            rows(text, items, indent + 2);
            close(text, indent, ']');
        }
        Kind::Tuple { name, items } => {
            text.push_str(name.as_deref().unwrap_or_default());
            if let [only @ Node { kind: Kind::List(_), .. }] = items.as_slice() {
                text.push('(');
                value(text, only, indent, used + 1);
                text.push(')');
                return;
            }
            text.push('(');
            rows(text, items, indent + 2);
            close(text, indent, ')');
        }
        Kind::Struct { name, fields } => {
            text.push_str(name.as_deref().unwrap_or_default());
            text.push('(');
            for field in fields {
                start(text, indent + 2);
                text.push_str(&field.name);
                text.push_str(": ");
                value(text, &field.value, indent + 2, indent + 4 + field.name.len());
                text.push(',');
            }
            close(text, indent, ')');
        }
        Kind::Map(entries) => {
            text.push('{');
            for (key, item) in entries {
                start(text, indent + 2);
                let before = text.len();
                inline(text, key);
                text.push_str(": ");
                let used = indent + 2 + text.len() - before;
                value(text, item, indent + 2, used);
                text.push(',');
            }
            close(text, indent, '}');
        }
        _ => text.push_str(&line),
    }
}

/// Items below each other; short ones fill the lines.
fn rows(text: &mut String, items: &[Node], indent: usize) {
    let lines: Vec<String> = items
        .iter()
        .map(|item| {
            let mut line = String::new();
            inline(&mut line, item);
            line
        })
        .collect();
    let short = lines.iter().all(|line| line.len() <= SHORT);
    let mut used = usize::MAX;
    for (item, line) in items.iter().zip(&lines) {
        if short && used.saturating_add(line.len() + 2) <= WIDTH {
            text.push(' ');
            text.push_str(line);
            used += line.len() + 2;
        } else {
            start(text, indent);
            value(text, item, indent, indent);
            used = indent + line.len() + 1;
        }
        text.push(',');
    }
}

fn start(text: &mut String, indent: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
}

fn close(text: &mut String, indent: usize, bracket: char) {
    start(text, indent);
    text.push(bracket);
}

/// Writes a value on one line.
fn inline(text: &mut String, node: &Node) {
    match &node.kind {
        Kind::Number(number) => number_text(text, *number),
        Kind::Text(string) => quoted(text, string),
        Kind::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Kind::Char(c) => {
            text.push('\'');
            escaped(text, *c, '\'');
            text.push('\'');
        }
        Kind::Unit | Kind::Broken => text.push_str("()"),
        Kind::Word(word) => text.push_str(word),
        Kind::List(items) => separated(text, "[", items, "]"),
        Kind::Tuple { name, items } => {
            text.push_str(name.as_deref().unwrap_or_default());
            separated(text, "(", items, ")");
        }
        Kind::Struct { name, fields } => {
            text.push_str(name.as_deref().unwrap_or_default());
            text.push('(');
            for (i, field) in fields.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                text.push_str(&field.name);
                text.push_str(": ");
                inline(text, &field.value);
            }
            text.push(')');
        }
        Kind::Map(entries) => {
            text.push('{');
            for (i, (key, item)) in entries.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                inline(text, key);
                text.push_str(": ");
                inline(text, item);
            }
            text.push('}');
        }
        Kind::Option(None) => text.push_str("None"),
        Kind::Option(Some(item)) => {
            text.push_str("Some(");
            inline(text, item);
            text.push(')');
        }
    }
}

fn separated(text: &mut String, open: &str, items: &[Node], close: &str) {
    text.push_str(open);
    for (i, item) in items.iter().enumerate() {
        text.push_str(if i > 0 { ", " } else { "" });
        inline(text, item);
    }
    text.push_str(close);
}

/// The shortest text that reads back as the same number.
fn number_text(text: &mut String, number: Number) {
    let written = match number.integer {
        Some(integer) => integer.to_string(),
        None if number.value.is_nan() => "NaN".to_owned(),
        None if number.value.is_infinite() => if number.value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        // `-0` would read back as the integer 0.
        None if number.value == 0.0 && number.value.is_sign_negative() => "-0.0".to_owned(),
        None if number.value.fract() == 0.0 && number.value.abs() < 1e15 => format!("{}", number.value),
        None => format!("{:?}", number.value),
    };
    text.push_str(&written);
}

fn quoted(text: &mut String, string: &str) {
    text.push('"');
    string.chars().for_each(|c| escaped(text, c, '"'));
    text.push('"');
}

fn escaped(text: &mut String, c: char, quote: char) {
    match c {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        '\r' => text.push_str("\\r"),
        c if c == quote => text.extend(['\\', c]),
        c if c.is_control() => {
            // Writing to a String cannot fail.
            let _ignored = write!(text, "\\u{{{:x}}}", c as u32);
        }
        c => text.push(c),
    }
}
