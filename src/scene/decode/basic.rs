//! Numbers, booleans, text, points, lists and options: how each is read and written.

use glam::DVec3;

use super::{Decoder, Shape};
use crate::scene::ron::{Kind, Node, Number, shortened};

/// The largest number in a file: positions must be nearer than a thousandth of it to keep millimetres.
const LARGEST: f64 = 1e9;

/// A finite number of a size that can be simulated.
pub fn finite(node: &Node, decoder: &mut Decoder<'_>) -> Option<f64> {
    match &node.kind {
        Kind::Number(number) if number.value.abs() <= LARGEST => Some(number.value),
        Kind::Number(number) if number.value.is_finite() => {
            let message = format!("{:e} is beyond what can be simulated", number.value);
            decoder.error(node.span, "out-of-range", message, Some(format!("numbers up to {LARGEST:e}")));
            None
        }
        Kind::Number(number) => {
            let shown = if number.value.is_nan() { "NaN" } else { "an infinite number" };
            decoder.error(node.span, "not-finite", format!("expected a finite number, found {shown}"), None);
            None
        }
        _ => {
            no_number(node, "a number", decoder);
            None
        }
    }
}

/// Reports what stands where a number should. A command line gives what is no number of a file as text.
fn no_number(node: &Node, expected: &str, decoder: &mut Decoder<'_>) {
    let Kind::Text(text) = &node.kind else { return decoder.mismatch(node, expected) };
    let shown = shortened(text);
    let (code, message, hint) = match text.trim().parse::<f64>() {
        Ok(value) if !value.is_finite() => ("not-finite", format!("expected a finite number, found `{shown}`"), None),
        Ok(value) if value.abs() > LARGEST => {
            let hint = format!("numbers up to {LARGEST:e}");
            ("out-of-range", format!("{shown} is beyond what can be simulated"), Some(hint))
        }
        Ok(_) => {
            ("wrong-type", format!("expected {expected}, found the text `{shown}`"), Some("without quotes".to_owned()))
        }
        Err(_) => ("wrong-type", format!("expected {expected}, found the text `{shown}`"), None),
    };
    decoder.error(node.span, code, message, hint);
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
        no_number(node, "a whole number", decoder);
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
