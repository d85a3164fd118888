//! Puts together what a definition names: from a [`BehaviorDef`] and a [`Catalogue`] to a [`Program`].

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalogue::{Catalogue, ForceInfo};
use super::check::{RESERVED, check};
use super::def::{BehaviorDef, BehaviorRef, Control, From, Limit, StateDef, TransitionDef};
use super::finding::{Finding, Place, Weight};
use super::program::{
    BoundAddress, Field, Leaf, LeafTerm, Line, MemoryField, Node, Program, Slider, Source, Threshold, Unit, UnitKind,
};
use crate::steer::blend::{Bind, ForceRef, Term};
use crate::steer::nearest::did_you_mean;
use crate::steer::param::{ParamSpec, Value};

/// Numbers of an agent that a threshold may look at, with their units.
pub const AGENT_NUMBERS: [(&str, &str); 14] = [
    ("clearance", "m"),
    ("heading", "rad"),
    ("latency", "s"),
    ("max_speed", "m/s"),
    ("path_left", "m"),
    ("queue_place", ""),
    ("radius", "m"),
    ("slot_error", "m"),
    ("slot_heading", "rad"),
    ("slot_turn", "rad"),
    ("slot_turn_rate", "rad/s"),
    ("speed", "m/s"),
    ("state_time", "s"),
    ("stop_secs", "s"),
];

/// The program of a definition, if nothing stands against it, and everything found on the way.
///
/// The findings include those of [`check`]. With any error among them there is no program.
pub fn flatten(def: &BehaviorDef, catalogue: &Catalogue) -> (Option<Program>, Vec<Finding>) {
    let mut builder = Builder::new(def, catalogue);
    builder.findings = check(def);
    let unit = builder.root_unit(def);
    let layer = Layer { control: def.root.control.unwrap_or_default(), ..Layer::default() };
    builder.add_node(
        &Spot { state: &def.root, def, unit, parent: None, path: String::new(), local: String::new() },
        &layer,
    );
    builder.finish()
}

/// What the levels above a node have laid down.
#[derive(Clone, Default)]
struct Layer {
    control: Control,
    terms: BTreeMap<String, LeafTerm>,
    limits: BTreeMap<Limit, Source>,
    period: Option<f64>,
    chain: Vec<usize>,
}

/// A state about to become a node.
struct Spot<'a> {
    state: &'a StateDef,
    def: &'a BehaviorDef,
    unit: usize,
    parent: Option<usize>,
    path: String,
    local: String,
}

struct Builder<'a> {
    catalogue: &'a Catalogue,
    program: Program,
    findings: Vec<Finding>,
    /// Definitions being put in, outermost first: a definition inside itself is refused.
    stack: Vec<String>,
}

impl<'a> Builder<'a> {
    fn new(def: &BehaviorDef, catalogue: &'a Catalogue) -> Self {
        let program = Program {
            name: def.name.clone(),
            about: def.root.about.clone(),
            sliders: Vec::new(),
            bound: Vec::new(),
            units: Vec::new(),
            memory: Vec::new(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            initial: 0,
            counters: 0,
            renamed: def.renamed.clone(),
            panel: def.panel.clone(),
        };
        Self { catalogue, program, findings: Vec::new(), stack: vec![def.name.clone()] }
    }

    fn finish(mut self) -> (Option<Program>, Vec<Finding>) {
        self.check_addresses();
        for mut finding in super::panel::check(&self.program) {
            finding.definition.clone_from(&self.program.name);
            self.findings.push(finding);
        }
        let broken = self.findings.iter().any(|finding| finding.weight == Weight::Error);
        if broken || self.program.leaves.is_empty() {
            return (None, self.findings);
        }
        self.program.initial = self.program.entry_leaf(0);
        (Some(self.program), self.findings)
    }

    fn check_addresses(&mut self) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut clashes = Vec::new();
        for (index, slider) in self.program.sliders.iter().enumerate() {
            if seen.insert(&slider.address, index).is_some() {
                let message = format!("two sliders have the address `{}`", slider.address);
                let mut finding = Finding::error("address-clash", slider.place, message)
                    .hint("rename the state, the force or the parameter");
                finding.definition.clone_from(&slider.definition);
                clashes.push(finding);
            }
        }
        self.findings.extend(clashes);
    }

    fn report(&mut self, unit: usize, mut finding: Finding) {
        finding.definition.clone_from(&self.program.units[unit].definition);
        self.findings.push(finding);
    }

    fn memory_of(&mut self, definition: &str, kind: UnitKind, specs: &[super::def::MemorySpec]) -> Vec<usize> {
        let known: Vec<usize> = (0..self.program.memory.len())
            .filter(|index| {
                self.program.memory[*index].definition == definition && self.program.memory[*index].kind == kind
            })
            .collect();
        if !known.is_empty() || specs.is_empty() {
            return known;
        }
        let first = self.program.memory.len();
        let fields =
            specs.iter().map(|spec| MemoryField { definition: definition.to_owned(), kind, spec: spec.clone() });
        self.program.memory.extend(fields);
        (first..self.program.memory.len()).collect()
    }

    fn root_unit(&mut self, def: &BehaviorDef) -> usize {
        let params =
            def.params.iter().map(|spec| (spec.name.clone(), self.param_slider(spec, &spec.name, def))).collect();
        self.push_unit(def, params)
    }

    fn param_slider(&mut self, spec: &ParamSpec, address: &str, def: &BehaviorDef) -> Source {
        let slider = Slider {
            address: address.to_owned(),
            spec: spec.clone(),
            place: Place::default(),
            definition: def.name.clone(),
            is_param: true,
        };
        self.push_slider(slider)
    }

    fn push_slider(&mut self, slider: Slider) -> Source {
        self.program.sliders.push(slider);
        Source::Slider(self.program.sliders.len() - 1)
    }

    fn push_unit(&mut self, def: &BehaviorDef, params: Vec<(String, Source)>) -> usize {
        let memory = self.memory_of(&def.name, UnitKind::Behavior, &def.memory);
        self.program.units.push(Unit {
            definition: def.name.clone(),
            kind: UnitKind::Behavior,
            scripted: def.scripted,
            params,
            memory,
            public: def.public.clone(),
        });
        self.program.units.len() - 1
    }

    /// The unit that holds the memory of a scripted force, one per force.
    fn force_unit(&mut self, force: &ForceInfo) -> usize {
        let known =
            self.program.units.iter().position(|unit| unit.kind == UnitKind::Force && unit.definition == force.name);
        known.unwrap_or_else(|| {
            let memory = self.memory_of(&force.name, UnitKind::Force, &force.memory);
            self.program.units.push(Unit {
                definition: force.name.clone(),
                kind: UnitKind::Force,
                scripted: true,
                params: Vec::new(),
                memory,
                public: Vec::new(),
            });
            self.program.units.len() - 1
        })
    }

    fn add_node(&mut self, spot: &Spot<'_>, above: &Layer) -> Option<usize> {
        if let Some(reference) = &spot.state.behavior {
            return self.add_reference(spot, reference, above);
        }
        let node = self.push_node(spot, spot.state.is_final, spot.state.history);
        let layer = self.lay(spot, node, above);
        if !spot.state.is_machine() {
            self.push_leaf(spot, node, layer);
            return Some(node);
        }
        for state in &spot.state.states {
            let child = Spot {
                state,
                def: spot.def,
                unit: spot.unit,
                parent: Some(node),
                path: join(&spot.path, &state.name),
                local: join(&spot.local, &state.name),
            };
            if let Some(child) = self.add_node(&child, &layer) {
                self.program.nodes[node].children.push(child);
            }
        }
        let initial = spot.state.initial.as_deref();
        self.program.nodes[node].initial = initial.and_then(|name| self.child(node, name));
        self.add_lines(spot, node);
        Some(node)
    }

    /// A state that is another definition: its root takes the state's place, with a unit of its own.
    fn add_reference(&mut self, spot: &Spot<'_>, reference: &BehaviorRef, above: &Layer) -> Option<usize> {
        let catalogue = self.catalogue;
        let Some(def) = catalogue.behavior_for(&reference.name, &spot.def.name).map(Arc::clone) else {
            let near = did_you_mean(&reference.name, catalogue.behavior_names());
            let message =
                format!("state `{}` names no behavior or machine: `{}`{near}", spot.state.name, reference.name);
            self.report(spot.unit, Finding::error("unknown-behavior", spot.state.place, message));
            return None;
        };
        if self.stack.contains(&def.name) {
            let round = [&self.stack[..], std::slice::from_ref(&def.name)].concat().join(" → ");
            let message = format!("`{}` contains itself: {round}", def.name);
            self.report(spot.unit, Finding::error("behavior-cycle", spot.state.place, message));
            return None;
        }
        self.findings.extend(check(&def));
        let params = self.reference_params(spot, reference, &def);
        let unit = self.push_unit(&def, params);
        self.stack.push(def.name.clone());
        let mut root = def.root.clone();
        root.name.clone_from(&spot.state.name);
        root.is_final |= spot.state.is_final;
        root.history |= spot.state.history;
        let inner =
            Spot { state: &root, def: &def, unit, parent: spot.parent, path: spot.path.clone(), local: String::new() };
        let node = self.add_node(&inner, above);
        self.stack.pop();
        node
    }

    fn reference_params(
        &mut self,
        spot: &Spot<'_>,
        reference: &BehaviorRef,
        def: &BehaviorDef,
    ) -> Vec<(String, Source)> {
        for (name, _) in &reference.params {
            if !def.params.iter().any(|spec| spec.name == *name) {
                let near = did_you_mean(name, def.params.iter().map(|spec| spec.name.as_str()));
                let message = format!("`{}` has no parameter `{name}`{near}", def.name);
                self.report(spot.unit, Finding::error("unknown-param", spot.state.place, message));
            }
        }
        let mut params = Vec::with_capacity(def.params.len());
        for spec in &def.params {
            let address = join(&spot.path, &spec.name);
            let given = reference.params.iter().find(|(name, _)| *name == spec.name);
            let source = match given {
                Some((_, bind)) => self.source(spot.unit, bind, &address, spec, spot.state.place),
                None => self.param_slider(spec, &address, def),
            };
            params.push((spec.name.clone(), source));
        }
        params
    }

    fn push_node(&mut self, spot: &Spot<'_>, is_final: bool, history: bool) -> usize {
        let depth = spot.parent.map_or(0, |parent| self.program.nodes[parent].depth + 1);
        let state = spot.state;
        self.program.nodes.push(Node {
            name: state.name.clone(),
            path: spot.path.clone(),
            unit: spot.unit,
            local_path: spot.local.clone(),
            parent: spot.parent,
            depth,
            step: state.step,
            enter: state.enter,
            exit: state.exit,
            on: state.on.clone(),
            is_final,
            history,
            initial: None,
            children: Vec::new(),
            lines: Vec::new(),
            place: state.place,
        });
        self.program.nodes.len() - 1
    }

    fn child(&self, node: usize, name: &str) -> Option<usize> {
        self.program.nodes[node].children.iter().copied().find(|child| self.program.nodes[*child].name == name)
    }

    /// The node's own entries laid over those above.
    fn lay(&mut self, spot: &Spot<'_>, node: usize, above: &Layer) -> Layer {
        let mut layer = above.clone();
        layer.chain.push(node);
        layer.control = spot.state.control.unwrap_or(above.control);
        layer.period = spot.state.period.or(above.period);
        for (index, term) in spot.state.blend.iter().enumerate() {
            let place = spot.state.blend_place(index);
            if let Some(laid) = self.lay_term(spot, node, term, layer.terms.get(&term.key), place) {
                layer.terms.insert(term.key.clone(), laid);
            }
        }
        for (limit, bind) in &spot.state.limits {
            let address = join(&join(&spot.path, "limits"), limit.word());
            let mut spec = ParamSpec::new(limit.word(), 0.0);
            limit.unit().clone_into(&mut spec.unit);
            spec.min = Some(0.0);
            let source = self.source(spot.unit, bind, &address, &spec, spot.state.place);
            layer.limits.insert(*limit, source);
        }
        layer
    }

    fn lay_term(
        &mut self,
        spot: &Spot<'_>,
        node: usize,
        term: &Term,
        below: Option<&LeafTerm>,
        place: Place,
    ) -> Option<LeafTerm> {
        let inherits = below.filter(|_| !term.force_written);
        let base = join(&spot.path, &term.key);
        let mut laid = match inherits {
            Some(below) => below.clone(),
            None => self.new_term(spot, node, term, place)?,
        };
        if term.weight_written || inherits.is_none() {
            let spec = ParamSpec { about: format!("weight of `{}`", term.key), ..ParamSpec::new("weight", 1.0) };
            laid.weight = self.source(spot.unit, &term.weight, &join(&base, "weight"), &spec, place);
        }
        if term.scale {
            laid.scale = Some(node);
        }
        let specs = self.term_specs(&laid);
        for (name, _) in &term.params {
            if !specs.iter().any(|spec| spec.name == *name) {
                self.report_param(spot, term, &laid, name, &specs, place);
            }
        }
        for (index, spec) in specs.iter().enumerate() {
            let address = join(&base, &spec.name);
            let written = term.params.iter().find(|(name, _)| *name == spec.name);
            let source = match (written, inherits.is_some()) {
                (Some((_, bind)), _) => self.source(spot.unit, bind, &address, spec, place),
                (None, true) => continue,
                (None, false) => self.source(spot.unit, &Bind::Constant(spec.default.clone()), &address, spec, place),
            };
            laid.params[index].1 = source;
        }
        Some(laid)
    }

    fn new_term(&mut self, spot: &Spot<'_>, node: usize, term: &Term, place: Place) -> Option<LeafTerm> {
        let mut laid = LeafTerm {
            key: term.key.clone(),
            force: ForceRef::InPlace,
            weight: Source::Slider(0),
            params: Vec::new(),
            scale: None,
            compute: None,
            unit: None,
            node,
        };
        let (ForceRef::Native(name) | ForceRef::Scripted(name)) = &term.force else {
            laid.compute = Some(node);
            laid.unit = Some(spot.unit);
            return Some(laid);
        };
        let Some(force) = self.catalogue.force_for(name, &spot.def.name).map(Arc::clone) else {
            let near = did_you_mean(name, self.catalogue.force_names());
            let message = format!("no force is called `{name}`{near}");
            self.report(
                spot.unit,
                Finding::error("unknown-force", place, message).hint("a force of one's own, in place, has `compute`"),
            );
            return None;
        };
        laid.params = force.params.iter().map(|spec| (spec.name.clone(), Source::Slider(0))).collect();
        if force.scripted {
            laid.unit = Some(self.force_unit(&force));
            laid.force = ForceRef::Scripted(force.name.clone());
        } else {
            laid.force = ForceRef::Native(force.name.clone());
        }
        Some(laid)
    }

    fn term_specs(&self, laid: &LeafTerm) -> Vec<ParamSpec> {
        let (ForceRef::Native(name) | ForceRef::Scripted(name)) = &laid.force else {
            return Vec::new();
        };
        self.catalogue.forces.get(name).map_or_else(Vec::new, |force| force.params.clone())
    }

    fn report_param(
        &mut self,
        spot: &Spot<'_>,
        term: &Term,
        laid: &LeafTerm,
        name: &str,
        specs: &[ParamSpec],
        place: Place,
    ) {
        let finding = if laid.force == ForceRef::InPlace {
            let message = format!("force `{}` is written in place and has no parameter `{name}` of its own", term.key);
            Finding::error("unknown-param", place, message)
                .hint("a force in place reads the file's `p`: declare it in `params`")
        } else {
            let known = specs.iter().map(|spec| spec.name.as_str());
            let near = did_you_mean(name, known.chain(["weight", "scale", "force", "compute"]));
            Finding::error("unknown-param", place, format!("force `{}` has no parameter `{name}`{near}", term.key))
        };
        self.report(spot.unit, finding);
    }

    /// Where a bind's value comes from; a constant makes a slider. A bind that cannot be resolved is reported and reads slider 0.
    fn source(&mut self, unit: usize, bind: &Bind, address: &str, spec: &ParamSpec, place: Place) -> Source {
        let (follows, found) = match bind {
            Bind::Constant(value) => return self.constant(unit, value, address, spec, place),
            Bind::Param(name) => (format!("p.{name}"), self.find_param(unit, name, place)),
            Bind::Memory(name) => (format!("memory.{name}"), self.find_memory(unit, name, place)),
        };
        let Some(source) = found else {
            return Source::Slider(0);
        };
        let kind = match source {
            Source::Slider(slider) => Some(self.program.sliders[slider].spec.default.kind().to_owned()),
            Source::Memory(field) => {
                self.program.memory[field].spec.default.as_ref().map(super::def::MemoryValue::kind)
            }
        };
        if let Some(kind) = kind.filter(|kind| kind != spec.default.kind()) {
            let message = format!("`{address}` is a {}, but {follows} is a {kind}", spec.default.kind());
            self.report(unit, Finding::error("wrong-type", place, message));
        }
        let slider = if let Source::Slider(slider) = source { Some(slider) } else { None };
        self.program.bound.push(BoundAddress { address: address.to_owned(), follows, slider });
        source
    }

    fn constant(&mut self, unit: usize, value: &Value, address: &str, spec: &ParamSpec, place: Place) -> Source {
        let mut spec = spec.clone();
        if !spec.default.same_kind(value) || !value.is_finite() {
            let message = spec.refusal(value).unwrap_or_default();
            self.report(unit, Finding::error("wrong-type", place, message));
        }
        if let Value::Number(number) = value {
            // What the author wrote is legal by definition: the slider reaches at least that far.
            spec.min = spec.min.map(|min| min.min(*number));
            spec.max = spec.max.map(|max| max.max(*number));
        }
        spec.default = value.clone();
        let definition = self.program.units[unit].definition.clone();
        self.push_slider(Slider { address: address.to_owned(), spec, place, definition, is_param: false })
    }

    fn find_param(&mut self, unit: usize, name: &str, place: Place) -> Option<Source> {
        let params = &self.program.units[unit].params;
        let found = params.iter().find(|(known, _)| known == name).map(|(_, source)| *source);
        if found.is_none() {
            let near = did_you_mean(name, params.iter().map(|(known, _)| known.as_str()));
            let message = format!("\"p.{name}\" names no parameter{near}");
            self.report(unit, Finding::error("unknown-param", place, message));
        }
        found
    }

    fn find_memory(&mut self, unit: usize, name: &str, place: Place) -> Option<Source> {
        let found = self.memory_index(unit, name).map(Source::Memory);
        if found.is_none() {
            let fields = &self.program.units[unit].memory;
            let near = did_you_mean(name, fields.iter().map(|field| self.program.memory[*field].spec.name.as_str()));
            let message = format!("\"memory.{name}\" names no memory field{near}");
            self.report(unit, Finding::error("unknown-memory", place, message));
        }
        found
    }

    fn memory_index(&self, unit: usize, name: &str) -> Option<usize> {
        let fields = &self.program.units[unit].memory;
        fields.iter().copied().find(|field| self.program.memory[*field].spec.name == name)
    }

    fn push_leaf(&mut self, spot: &Spot<'_>, node: usize, layer: Layer) {
        for term in layer.terms.values() {
            self.check_unit(spot, term, layer.control);
        }
        self.program.leaves.push(Leaf {
            node,
            path: spot.path.clone(),
            chain: layer.chain,
            control: layer.control,
            terms: layer.terms.into_values().collect(),
            limits: layer.limits.into_iter().collect(),
            period: layer.period,
        });
    }

    /// Controllers yield a velocity; only a velocity-controlled state can add one.
    fn check_unit(&mut self, spot: &Spot<'_>, term: &LeafTerm, control: Control) {
        let (ForceRef::Native(name) | ForceRef::Scripted(name)) = &term.force else {
            return;
        };
        let off = matches!(term.weight, Source::Slider(slider) if self.program.sliders[slider].spec.default == Value::Number(0.0));
        let controller = self.catalogue.forces.get(name).is_some_and(|force| force.is_controller());
        if off || !controller || control == Control::Velocity {
            return;
        }
        let state = if spot.path.is_empty() { "the behavior".to_owned() } else { format!("state `{}`", spot.path) };
        let message = format!("{name} yields a velocity (m/s), but {state} is controlled by acceleration");
        self.report(
            spot.unit,
            Finding::error("controller", spot.state.place, message).hint("add control = \"velocity\""),
        );
    }

    fn add_lines(&mut self, spot: &Spot<'_>, node: usize) {
        let mut labels: Vec<String> = Vec::new();
        for (index, line) in spot.state.transitions.iter().enumerate() {
            let label = line.name();
            let same = labels.iter().filter(|known| **known == label).count();
            labels.push(label.clone());
            let slug = slug(&label, same);
            if let Some(line) = self.line(spot, node, (index, line), &join(&spot.path, &slug), label) {
                self.program.nodes[node].lines.push(line);
            }
        }
    }

    fn line(
        &mut self,
        spot: &Spot<'_>,
        node: usize,
        (index, line): (usize, &TransitionDef),
        base: &str,
        label: String,
    ) -> Option<Line> {
        let to = self.child(node, &line.to)?;
        let children = self.program.nodes[node].children.clone();
        let mut from: Vec<usize> = match &line.from {
            From::Any => {
                children.into_iter().filter(|child| *child != to && !self.program.nodes[*child].is_final).collect()
            }
            From::States(names) => names.iter().filter_map(|name| self.child(node, name)).collect(),
        };
        from.sort_unstable();
        from.dedup();
        let mut thresholds = Vec::with_capacity(line.above.len() + line.below.len());
        for (above, list) in [(true, &line.above), (false, &line.below)] {
            let other = if above { &line.below } else { &line.above };
            for (name, bind) in list {
                let twice = other.iter().any(|(known, _)| known == name);
                let key =
                    if twice { format!("{name}_{}", if above { "above" } else { "below" }) } else { name.clone() };
                thresholds.extend(self.threshold(spot, line, (name, bind, above), &join(base, &key)));
            }
        }
        let after = line.after.as_ref().map(|bind| {
            let spec = ParamSpec { min: Some(0.0), unit: "s".to_owned(), ..ParamSpec::new("after", 0.0) };
            self.source(spot.unit, bind, &join(base, "after"), &spec, line.place)
        });
        self.program.counters += 1;
        Some(Line {
            label,
            index,
            from,
            to,
            thresholds,
            when: line.when,
            on: line.on.clone(),
            after,
            hold: line.hold.max(1),
            counter: self.program.counters - 1,
            place: line.place,
        })
    }

    fn threshold(
        &mut self,
        spot: &Spot<'_>,
        line: &TransitionDef,
        (name, bind, above): (&str, &Bind, bool),
        address: &str,
    ) -> Option<Threshold> {
        let memory = self.memory_index(spot.unit, name);
        let agent = AGENT_NUMBERS.iter().find(|(known, _)| *known == name);
        let (field, unit) = match (memory, agent) {
            (Some(index), _) => (Field::Memory(index), ""),
            (None, Some((known, unit))) => (Field::Agent(known), *unit),
            (None, None) => {
                let fields = self.program.units[spot.unit]
                    .memory
                    .iter()
                    .map(|field| self.program.memory[*field].spec.name.as_str());
                let near = did_you_mean(name, AGENT_NUMBERS.iter().map(|(known, _)| *known).chain(fields));
                let message = format!(
                    "transition `{}` compares `{name}`, which is no number of the agent or its memory{near}",
                    line.name()
                );
                self.report(spot.unit, Finding::error("unknown-field", line.place, message));
                return None;
            }
        };
        if let Field::Memory(index) = field {
            let kind = self.program.memory[index].spec.default.as_ref().map(super::def::MemoryValue::kind);
            if kind.as_deref().is_some_and(|kind| kind != "number") {
                let message = format!(
                    "transition `{}` compares memory `{name}`, which is a {}",
                    line.name(),
                    kind.unwrap_or_default()
                );
                self.report(spot.unit, Finding::error("wrong-type", line.place, message));
            }
        }
        let spec = ParamSpec { unit: unit.to_owned(), ..ParamSpec::new(name, 0.0) };
        let value = self.source(spot.unit, bind, address, &spec, line.place);
        Some(Threshold { field, name: name.to_owned(), above, value })
    }
}

/// `a.b`, or the one that is not empty.
fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A line's label as a part of an address: words joined by `_`, the second of its name with `_2`.
fn slug(label: &str, same_before: usize) -> String {
    let words: String = label.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let words = if RESERVED.contains(&words.as_str()) { format!("{words}_line") } else { words };
    if same_before == 0 { words } else { format!("{words}_{}", same_before + 1) }
}
