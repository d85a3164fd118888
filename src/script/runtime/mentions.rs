//! Which names a text mentions, and to which fields it assigns: what a generated loop has to refresh and to check.
//!
//! Names in strings and comments count too, so the answer may be too large, never too small.

use std::collections::BTreeSet;

/// Names of a definition's texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    names: BTreeSet<String>,
    assigned: BTreeSet<String>,
    dynamic: bool,
}

impl Mentions {
    /// Adds a text.
    pub fn scan(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if byte == b']' && assigns(&text[at + 1..]) {
                self.dynamic = true;
            }
            if !is_word(byte) {
                at += 1;
                continue;
            }
            let start = at;
            while at < bytes.len() && is_word(bytes[at]) {
                at += 1;
            }
            let name = &text[start..at];
            let field = text[..start].trim_end().ends_with('.') && !text[..start].trim_end().ends_with("..");
            if field && assigns(&text[at..]) {
                self.assigned.insert(name.to_owned());
            }
            if !self.names.contains(name) {
                self.names.insert(name.to_owned());
            }
        }
    }

    /// Whether the name stands anywhere.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a field of that name may be assigned to.
    pub fn assigns(&self, name: &str) -> bool {
        self.dynamic || self.assigned.contains(name)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether an assignment (or a further target of one) follows.
fn assigns(rest: &str) -> bool {
    let rest = rest.trim_start();
    if rest.starts_with(',') {
        return true;
    }
    let operators = ["..=", "//=", "+=", "-=", "*=", "/=", "%=", "^="];
    operators.iter().any(|operator| rest.starts_with(operator)) || (rest.starts_with('=') && !rest.starts_with("=="))
}

#[cfg(test)]
mod tests {
    use super::Mentions;

    #[test]
    fn assigned_fields_are_told_from_read_ones() {
        let mut seen = Mentions::default();
        seen.scan("local m = agent.memory; m.top = 1 m.alarm *= 2 if m.range == 3 then m.a, m.b = 1, 2 end");
        assert!(seen.has("memory") && seen.has("range") && !seen.has("position"));
        for (name, assigned) in [("top", true), ("alarm", true), ("range", false), ("a", true), ("b", true)] {
            assert_eq!(seen.assigns(name), assigned, "{name}");
        }
        seen.scan("m[key] = 1");
        assert!(seen.assigns("range"));
    }
}
