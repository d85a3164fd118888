//! Reads `yard.behavior` and `yard.machine`: the tree of states and its lines.

use mlua::{Table, Value};

use super::fields::{Fields, Reader};
use super::{blend, memory, params};
use crate::machine::def::{BehaviorDef, BehaviorRef, Control, DefKind, From, StateDef, TransitionDef};
use crate::machine::panel::PanelEntry;
use crate::script::text::outline::Entry;

const SHARED_KEYS: [&str; 9] = ["about", "control", "forces", "step", "limits", "enter", "exit", "on", "period"];
const FILE_KEYS: [&str; 5] = ["params", "memory", "public", "renamed", "panel"];
const MACHINE_KEYS: [&str; 3] = ["initial", "states", "transitions"];
const STATE_KEYS: [&str; 4] = ["final", "history", "behavior", "params"];
const REFERENCE_KEYS: [&str; 5] = ["behavior", "params", "about", "final", "history"];
const LINE_KEYS: [&str; 9] = ["from", "to", "above", "below", "when", "on", "after", "hold", "label"];

/// States nested deeper than this are refused.
const DEEPEST: usize = 8;

/// The definition in a table.
pub fn read(name: &str, kind: DefKind, table: &Table, entry: &Entry, reader: &mut Reader<'_>) -> BehaviorDef {
    let word = if kind == DefKind::Machine { "machine" } else { "behavior" };
    let fields = Fields::new(table, entry, word);
    let machine: &[&str] = if kind == DefKind::Machine { &MACHINE_KEYS } else { &[] };
    if kind == DefKind::Behavior && !fields.get("states").is_nil() {
        reader.error_hint(
            "unknown-key",
            fields.place("states"),
            "a behavior has no states",
            "make it yard.machine { … }",
        );
    } else {
        fields.check_keys(reader, &[&SHARED_KEYS[..], &FILE_KEYS, machine].concat(), false);
    }
    let root = state("", &fields, reader, 0);
    if kind == DefKind::Machine && root.states.is_empty() {
        reader.error_hint(
            "no-states",
            fields.place("states"),
            "the machine has no states",
            "add states = { … }, or make it yard.behavior { … }",
        );
    }
    BehaviorDef {
        name: name.to_owned(),
        kind,
        scripted: true,
        params: params::read(&fields, reader),
        memory: memory::read(&fields, reader),
        public: fields.texts(reader, "public"),
        renamed: fields.renames(reader, "renamed"),
        panel: panel(&fields, reader),
        root,
    }
}

/// The sliders that come first: addresses, or `{ address, label = "…" }`.
fn panel(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<PanelEntry> {
    let Some(table) = fields.table(reader, "panel") else { return Vec::new() };
    let empty = Entry::default();
    let outline = fields.entry.named("panel").unwrap_or(&empty);
    Fields::new(&table, outline, "panel").check_keys(reader, &[], true);
    let mut entries = Vec::new();
    for (index, value) in table.sequence_values::<Value>().filter_map(Result::ok).enumerate() {
        let entry = outline.indexed(index + 1).unwrap_or(&empty);
        let place = if entry.place.line > 0 { entry.place } else { outline.place };
        let read = match &value {
            Value::String(text) => Some((text.to_string_lossy(), String::new())),
            Value::Table(table) => {
                let inner = Fields::new(table, entry, format!("entry {} of panel", index + 1));
                inner.check_keys(reader, &["label"], true);
                let address = table.raw_get::<Option<String>>(1).ok().flatten();
                address.map(|address| (address, inner.text(reader, "label").unwrap_or_default()))
            }
            _ => None,
        };
        match read {
            Some((address, label)) => entries.push(PanelEntry { address, label, place }),
            None => reader.error(
                "wrong-type",
                place,
                format!("entry {} of panel is an address, or {{ address, label = \"…\" }}", index + 1),
            ),
        }
    }
    entries
}

fn state(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>, depth: usize) -> StateDef {
    let (terms, blend_places) = blend::read(fields, reader);
    let mut state = StateDef {
        name: name.to_owned(),
        about: fields.text(reader, "about").unwrap_or_default(),
        control: control(fields, reader),
        blend: terms,
        blend_places,
        limits: blend::limits(fields, reader),
        step: fields.function(reader, "step").is_some(),
        enter: fields.function(reader, "enter").is_some(),
        exit: fields.function(reader, "exit").is_some(),
        on: handlers(fields, reader),
        period: period(fields, reader),
        initial: fields.text(reader, "initial"),
        initial_place: fields.place("initial"),
        place: fields.entry.place,
        ..StateDef::default()
    };
    if depth < DEEPEST {
        state.states = states(fields, reader, depth);
    } else if !fields.get("states").is_nil() {
        reader.error("too-deep", fields.place("states"), format!("states are nested more than {DEEPEST} deep"));
    }
    state.transitions = transitions(fields, reader);
    state
}

fn control(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Option<Control> {
    let word = fields.text(reader, "control")?;
    let found = [Control::Acceleration, Control::Velocity].into_iter().find(|control| control.word() == word);
    if found.is_none() {
        let message = format!("control is \"acceleration\" or \"velocity\", got \"{word}\"");
        reader.error("wrong-type", fields.place("control"), message);
    }
    found
}

fn period(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Option<f64> {
    let period = fields.number(reader, "period")?;
    if period < 0.0 {
        reader.error("bad-default", fields.place("period"), "period is in seconds and not negative");
        return None;
    }
    Some(period)
}

/// Names in `on`, in the order of the text.
pub fn handlers(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<String> {
    let Some(table) = fields.table(reader, "on") else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("on").unwrap_or(&empty), "on");
    inner.names().into_iter().filter(|name| inner.function(reader, name).is_some()).collect()
}

fn states(fields: &Fields<'_>, reader: &mut Reader<'_>, depth: usize) -> Vec<StateDef> {
    let Some(table) = fields.table(reader, "states") else { return Vec::new() };
    let empty = Entry::default();
    let inner = Fields::new(&table, fields.entry.named("states").unwrap_or(&empty), "states");
    if table.raw_len() > 0 {
        reader.error_hint(
            "wrong-type",
            fields.place("states"),
            "states takes name = { … }, but a value stands without a name",
            "a state with nothing of its own is name = {}",
        );
    }
    let mut states = Vec::new();
    for name in inner.names() {
        let Some(table) = inner.table(reader, &name) else { continue };
        let entry = inner.entry.named(&name).unwrap_or(&empty);
        if name.is_empty() || name.contains('.') {
            reader.error(
                "bad-name",
                entry.place,
                format!("state `{name}` may not be empty or hold a dot: dots join the names of nested states"),
            );
            continue;
        }
        let fields = Fields::new(&table, entry, format!("state `{name}`"));
        states.push(one_state(&name, &fields, reader, depth));
    }
    states
}

fn one_state(name: &str, fields: &Fields<'_>, reader: &mut Reader<'_>, depth: usize) -> StateDef {
    let mut read = if fields.get("behavior").is_nil() {
        if !fields.get("params").is_nil() {
            let message = format!("{} has `params` but no `behavior` to give them to", fields.what);
            reader.error_hint(
                "unknown-key",
                fields.place("params"),
                message,
                "parameters of the file stand at its top",
            );
        }
        fields.check_keys(reader, &[&SHARED_KEYS[..], &MACHINE_KEYS, &STATE_KEYS].concat(), false);
        state(name, fields, reader, depth + 1)
    } else {
        fields.check_keys(reader, &REFERENCE_KEYS, false);
        let mut state = StateDef { about: fields.text(reader, "about").unwrap_or_default(), ..StateDef::named(name) };
        state.place = fields.entry.place;
        state.behavior = reference(fields, reader);
        state
    };
    read.is_final = fields.flag(reader, "final");
    read.history = fields.flag(reader, "history");
    read
}

fn reference(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Option<BehaviorRef> {
    let name = fields.text(reader, "behavior")?;
    let empty = Entry::default();
    let params = fields.table(reader, "params").map_or_else(Vec::new, |table| {
        blend::given_params(&table, fields.entry.named("params").unwrap_or(&empty), reader)
    });
    Some(BehaviorRef { name, params })
}

fn transitions(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Vec<TransitionDef> {
    let Some(table) = fields.table(reader, "transitions") else { return Vec::new() };
    let empty = Entry::default();
    let outline = fields.entry.named("transitions").unwrap_or(&empty);
    let inner = Fields::new(&table, outline, "transitions");
    inner.check_keys(reader, &[], true);
    let mut lines = Vec::new();
    for (index, value) in table.sequence_values::<Value>().filter_map(Result::ok).enumerate() {
        let entry = outline.indexed(index + 1).unwrap_or(&empty);
        let Value::Table(table) = value else {
            reader.error(
                "wrong-type",
                entry.place,
                format!("transition {} must be a table {{ from = …, to = … }}", index + 1),
            );
            continue;
        };
        lines.extend(line(&Fields::new(&table, entry, format!("transition {}", index + 1)), reader));
    }
    lines
}

fn line(fields: &Fields<'_>, reader: &mut Reader<'_>) -> Option<TransitionDef> {
    fields.check_keys(reader, &LINE_KEYS, false);
    let from = fields.texts(reader, "from");
    let to = fields.text(reader, "to");
    let (Some(to), false) = (to, from.is_empty()) else {
        reader.error("missing-key", fields.entry.place, format!("{} needs `from` and `to`", fields.what));
        return None;
    };
    let any = from.len() == 1 && from[0] == "any";
    let mut line = TransitionDef::new(if any { From::Any } else { From::States(from) }, &to);
    line.place = fields.entry.place;
    line.above = blend::thresholds(fields, "above", reader);
    line.below = blend::thresholds(fields, "below", reader);
    line.when = fields.function(reader, "when").is_some();
    line.on = fields.text(reader, "on");
    line.label = fields.text(reader, "label");
    let after = fields.get("after");
    if !after.is_nil() {
        line.after = blend::number_or_bind(&after, fields.place("after"), "`after`", reader);
    }
    if let Some(hold) = fields.number(reader, "hold") {
        if hold.fract() != 0.0 || !(1.0..=1e6).contains(&hold) {
            reader.error(
                "bad-default",
                fields.place("hold"),
                format!("hold is a whole number of ticks from 1, got {hold}"),
            );
        } else {
            line.hold = hold as u32;
        }
    }
    Some(line)
}
