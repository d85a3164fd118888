//! Static checks of one definition's states and lines: what can be told wrong before anything runs.

use std::collections::{BTreeMap, BTreeSet};

use super::def::{BehaviorDef, From, StateDef, TransitionDef};
use super::finding::Finding;
use crate::steer::blend::Bind;
use crate::steer::nearest::did_you_mean;
use crate::steer::param::{ParamSpec, Value};

/// Names that mean something else below a group, so no parameter, force or state may take them.
pub const RESERVED: [&str; 8] = ["body", "contract", "count", "formation", "limits", "network", "spawn", "update"];

/// All findings about the states and lines of a definition, in source order of the machines.
pub fn check(def: &BehaviorDef) -> Vec<Finding> {
    let mut findings = Vec::new();
    check_names(def, &mut findings);
    check_machine(&def.root, def, false, &mut findings);
    for finding in &mut findings {
        finding.definition.clone_from(&def.name);
    }
    findings
}

fn check_names(def: &BehaviorDef, findings: &mut Vec<Finding>) {
    let params = def.params.iter().map(|param| ("parameter", param.name.as_str()));
    let forces = def.root.blend.iter().map(|term| ("force", term.key.as_str()));
    let states = def.root.states.iter().map(|state| ("state", state.name.as_str()));
    for (what, name) in params.chain(forces).chain(states) {
        if RESERVED.contains(&name) {
            let message = format!("{what} `{name}` has a name that addresses below a group already use");
            findings.push(
                Finding::error("reserved-name", def.root.place, message)
                    .hint(format!("reserved are {}", RESERVED.join(", "))),
            );
        }
    }
    for name in &def.public {
        if !def.memory.iter().any(|field| field.name == *name) {
            let near = did_you_mean(name, def.memory.iter().map(|field| field.name.as_str()));
            let message = format!("public names `{name}`, which memory does not declare{near}");
            findings.push(Finding::error("unknown-memory", def.root.place, message));
        }
    }
}

/// One machine and those nested in it. `leavable`: a line of an outer machine leads out of it.
fn check_machine(machine: &StateDef, def: &BehaviorDef, leavable: bool, findings: &mut Vec<Finding>) {
    if !machine.is_machine() {
        if let Some(line) = machine.transitions.first() {
            findings.push(Finding::error("no-states", line.place, "transitions without states: nothing to go to"));
        }
        return;
    }
    let graph = Graph::new(machine, findings);
    graph.check_initial(findings);
    graph.check_reach(leavable, findings);
    graph.check_lines(def, findings);
    for state in &machine.states {
        check_machine(state, def, leavable || graph.has_way_out(&state.name), findings);
    }
}

/// A machine's states and its lines with resolved origins.
struct Graph<'a> {
    machine: &'a StateDef,
    /// Origins of each line; empty where a name was wrong.
    from: Vec<BTreeSet<&'a str>>,
}

impl<'a> Graph<'a> {
    fn new(machine: &'a StateDef, findings: &mut Vec<Finding>) -> Self {
        let known: BTreeMap<&str, &StateDef> =
            machine.states.iter().map(|state| (state.name.as_str(), state)).collect();
        let mut from = Vec::with_capacity(machine.transitions.len());
        for line in &machine.transitions {
            let mut origins = BTreeSet::new();
            for name in line_names(line) {
                if !known.contains_key(name) {
                    let near = did_you_mean(name, known.keys().copied());
                    let message = format!("transition `{}` names no state: `{name}`{near}", line.name());
                    findings.push(Finding::error("unknown-state", line.place, message));
                }
            }
            match &line.from {
                From::Any => origins.extend(
                    machine
                        .states
                        .iter()
                        .filter(|state| !state.is_final && state.name != line.to)
                        .map(|state| state.name.as_str()),
                ),
                From::States(names) => {
                    origins.extend(names.iter().map(String::as_str).filter(|name| known.contains_key(name)));
                }
            }
            from.push(if known.contains_key(line.to.as_str()) { origins } else { BTreeSet::new() });
        }
        Self { machine, from }
    }

    fn check_initial(&self, findings: &mut Vec<Finding>) {
        let names = self.machine.states.iter().map(|state| state.name.as_str());
        let called =
            if self.machine.name.is_empty() { "the machine".to_owned() } else { format!("`{}`", self.machine.name) };
        match &self.machine.initial {
            None => {
                let first = self.machine.states.first().map_or("…", |state| state.name.as_str());
                findings.push(
                    Finding::error("no-initial", self.machine.place, format!("{called} has states but no `initial`"))
                        .hint(format!("add initial = \"{first}\"")),
                );
            }
            Some(initial) if !self.machine.states.iter().any(|state| state.name == *initial) => {
                let message =
                    format!("initial names no state of {called}: `{initial}`{}", did_you_mean(initial, names));
                findings.push(Finding::error("unknown-state", self.machine.initial_place, message));
            }
            Some(_) => {}
        }
    }

    fn has_way_out(&self, state: &str) -> bool {
        self.lines().any(|(line, from)| from.contains(state) && line.to != state)
    }

    fn lines(&self) -> impl Iterator<Item = (&'a TransitionDef, &BTreeSet<&'a str>)> {
        self.machine.transitions.iter().zip(&self.from)
    }

    fn check_reach(&self, leavable: bool, findings: &mut Vec<Finding>) {
        let Some(initial) = &self.machine.initial else {
            return;
        };
        let mut reached = BTreeSet::from([initial.as_str()]);
        let mut grew = true;
        while grew {
            grew = false;
            for (line, from) in self.lines() {
                grew |= from.iter().any(|name| reached.contains(name)) && reached.insert(line.to.as_str());
            }
        }
        let several = self.machine.states.len() > 1;
        for state in &self.machine.states {
            let name = state.name.as_str();
            if !reached.contains(name) {
                let message = format!("no way leads to state `{name}` from initial `{initial}`");
                findings.push(Finding::warning("unreachable", state.place, message));
            }
            let way_out = self.has_way_out(name);
            if several && !way_out && !state.is_final && !leavable && reached.contains(name) {
                let message = format!("state `{name}` is a trap: no line leads out of it");
                findings
                    .push(Finding::warning("trap", state.place, message).hint("if that is meant, write final = true"));
            }
        }
    }

    fn check_lines(&self, def: &BehaviorDef, findings: &mut Vec<Finding>) {
        for (index, (line, from)) in self.lines().enumerate() {
            if line.hold > 1 && line.on.is_some() {
                let message =
                    format!("transition `{}` can never hold {} ticks: an event lasts one", line.name(), line.hold);
                findings.push(
                    Finding::error("hold-with-on", line.place, message)
                        .hint("drop `hold`, or note the event in memory"),
                );
            }
            if let From::States(names) = &line.from {
                for name in
                    names.iter().filter(|name| self.machine.states.iter().any(|s| s.name == **name && s.is_final))
                {
                    let message = format!("transition `{}` leads out of `{name}`, which is final", line.name());
                    findings.push(Finding::warning("out-of-final", line.place, message));
                }
            }
            if is_bare(line) {
                let message = format!("transition `{}` has no condition: it is taken at once", line.name());
                findings.push(Finding::warning("no-condition", line.place, message));
            }
            let shadow = self
                .lines()
                .take(index)
                .find(|(earlier, origins)| !from.is_empty() && from.is_subset(origins) && weaker(earlier, line));
            if let Some((earlier, _)) = shadow {
                let message = format!(
                    "transition `{}` is never taken: `{}` (line {}) holds whenever it does",
                    line.name(),
                    earlier.name(),
                    earlier.place.line
                );
                findings.push(Finding::warning("shadowed", line.place, message).hint("put the stricter line first"));
            }
            self.check_hysteresis(index, def, findings);
        }
    }

    /// A pair of lines to and fro whose thresholds on one field leave no gap between them.
    fn check_hysteresis(&self, index: usize, def: &BehaviorDef, findings: &mut Vec<Finding>) {
        let (line, from) = (&self.machine.transitions[index], &self.from[index]);
        for (back, back_from) in self.lines().skip(index + 1) {
            let pair = from.contains(back.to.as_str()) && back_from.contains(line.to.as_str());
            if !pair || line.on.is_some() || back.on.is_some() {
                continue;
            }
            let rising = line.above.iter().flat_map(|up| back.below.iter().map(move |down| (up, down)));
            let falling = back.above.iter().flat_map(|up| line.below.iter().map(move |down| (up, down)));
            for ((field, up), (other, down)) in rising.chain(falling) {
                let (Some(high), Some(low)) = (settled(up, &def.params), settled(down, &def.params)) else {
                    continue;
                };
                if field == other && high <= low {
                    let message = format!(
                        "`{}` and `{}` flap: above {high} and below {low} of `{field}` leave no gap",
                        line.name(),
                        back.name()
                    );
                    findings.push(
                        Finding::warning("no-hysteresis", back.place, message)
                            .hint(format!("keep the `above` of `{field}` larger than the `below`")),
                    );
                }
            }
        }
    }
}

/// The states a line names, `from` first.
fn line_names(line: &TransitionDef) -> impl Iterator<Item = &str> {
    let from: &[String] = if let From::States(names) = &line.from { names } else { &[] };
    from.iter().map(String::as_str).chain(std::iter::once(line.to.as_str()))
}

fn is_bare(line: &TransitionDef) -> bool {
    line.above.is_empty()
        && line.below.is_empty()
        && !line.when
        && line.on.is_none()
        && line.after.is_none()
        && line.hold <= 1
}

/// The number a bind has when nobody moves a slider.
fn settled(bind: &Bind, params: &[ParamSpec]) -> Option<f64> {
    match bind {
        Bind::Constant(value) => value.number(),
        Bind::Param(name) => params.iter().find(|param| param.name == *name).and_then(|param| param.default.number()),
        Bind::Memory(_) => None,
    }
}

/// Whether `earlier` holds whenever `later` does, as far as can be told without calling a guard.
fn weaker(earlier: &TransitionDef, later: &TransitionDef) -> bool {
    let sure = !earlier.when && earlier.hold <= later.hold && (earlier.on.is_none() || earlier.on == later.on);
    let after = match (&earlier.after, &later.after) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(first), Some(second)) => first == second || ordered(first, second, |a, b| a <= b),
    };
    sure && after
        && covers(&earlier.above, &later.above, |a, b| a <= b)
        && covers(&earlier.below, &later.below, |a, b| a >= b)
}

fn covers(weak: &[(String, Bind)], strict: &[(String, Bind)], order: fn(f64, f64) -> bool) -> bool {
    weak.iter().all(|(field, bound)| {
        strict.iter().any(|(other, value)| field == other && (bound == value || ordered(bound, value, order)))
    })
}

/// Only constants are compared: parameters can be moved apart.
fn ordered(weak: &Bind, strict: &Bind, order: fn(f64, f64) -> bool) -> bool {
    match (weak, strict) {
        (Bind::Constant(Value::Number(a)), Bind::Constant(Value::Number(b))) => order(*a, *b),
        _ => false,
    }
}
