//! Writes changes into a text that a person wrote: what did not change keeps its words, its line breaks and its comments.

use super::{Field, Kind, Node, to_text};

/// A part of the text and what stands there instead.
struct Edit {
    from: usize,
    to: usize,
    text: String,
}

/// The text with the differences of two trees written into it.
///
/// `tree` is what the text says, `before` and `after` are values without places, as they are encoded, with defaults left out. None where the text is built too differently to see what to change.
pub fn patch(text: &str, tree: &Node, before: &Node, after: &Node) -> Option<String> {
    let mut edits = Vec::new();
    change(tree, before, after, &mut edits)?;
    edits.sort_by_key(|edit: &Edit| edit.from);
    let mut patched = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        patched.push_str(text.get(at..edit.from)?);
        patched.push_str(&edit.text);
        at = edit.to;
    }
    patched.push_str(text.get(at..)?);
    Some(patched)
}

/// A value in one piece.
fn written(node: &Node) -> String {
    to_text("", node).trim().to_owned()
}

fn change(tree: &Node, before: &Node, after: &Node, edits: &mut Vec<Edit>) -> Option<()> {
    if before == after {
        return Some(());
    }
    match (&tree.kind, &before.kind, &after.kind) {
        (Kind::Struct { fields, .. }, Kind::Struct { .. }, Kind::Struct { .. }) if before.name() == after.name() => {
            change_fields(fields, before, after, edits)
        }
        (Kind::Map(there), Kind::Map(before), Kind::Map(after)) => change_entries((tree, there), before, after, edits),
        (Kind::List(there), Kind::List(before), Kind::List(after))
        | (Kind::Tuple { items: there, .. }, Kind::Tuple { items: before, .. }, Kind::Tuple { items: after, .. })
            if there.len() == before.len() && before.len() == after.len() =>
        {
            there.iter().zip(before).zip(after).try_for_each(|((there, b), a)| change(there, b, a, edits))
        }
        _ => replace(tree, after, edits),
    }
}

fn replace(tree: &Node, after: &Node, edits: &mut Vec<Edit>) -> Option<()> {
    if tree.span.line == 0 {
        return None;
    }
    edits.push(Edit { from: tree.span.offset as usize, to: tree.span.end as usize, text: written(after) });
    Some(())
}

fn change_fields(there: &[Field], before: &Node, after: &Node, edits: &mut Vec<Edit>) -> Option<()> {
    let names = |node: &Node| match &node.kind {
        Kind::Struct { fields, .. } => fields.iter().map(|field| field.name.clone()).collect(),
        _ => Vec::new(),
    };
    let (mut all, old): (Vec<String>, Vec<String>) = (names(after), names(before));
    all.extend(old.into_iter().filter(|name| after.field(name).is_none()));
    let mut more = String::new();
    for name in all {
        let field = there.iter().find(|field| field.name == name);
        match (field, before.field(&name), after.field(&name)) {
            (Some(field), Some(before), Some(after)) => change(&field.value, before, after, edits)?,
            // A default that was written out.
            (Some(field), None, Some(after)) => replace(&field.value, after, edits)?,
            (None, None, Some(after)) => more.extend([", ", &name, ": ", &written(after)]),
            // It is the default now, which this text does not know how to write: the file is written anew.
            _ => return None,
        }
    }
    append(there.last().map(|field| &field.value), more, edits)
}

fn change_entries(
    (tree, there): (&Node, &[(Node, Node)]),
    before: &[(Node, Node)],
    after: &[(Node, Node)],
    edits: &mut Vec<Edit>,
) -> Option<()> {
    let value = |entries: &[(Node, Node)], key: &Node| entries.iter().position(|(known, _)| known.kind == key.kind);
    if there.is_empty() || before.iter().any(|(key, _)| value(after, key).is_none()) {
        return replace(tree, &Node::new(Kind::Map(after.to_vec())), edits);
    }
    let mut more = String::new();
    for (key, new) in after {
        match (value(there, key), value(before, key)) {
            (Some(at), Some(old)) => change(&there[at].1, &before[old].1, new, edits)?,
            (None, None) => more.extend([", ", &written(key), ": ", &written(new)]),
            _ => return None,
        }
    }
    append(there.last().map(|(_, value)| value), more, edits)
}

/// Puts further fields behind the last one.
fn append(last: Option<&Node>, more: String, edits: &mut Vec<Edit>) -> Option<()> {
    if more.is_empty() {
        return Some(());
    }
    let end = last.filter(|last| last.span.line > 0)?.span.end as usize;
    edits.push(Edit { from: end, to: end, text: more });
    Some(())
}
