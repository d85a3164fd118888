//! Minds of both kinds behind one trait: native blends and scripted programs.

use std::sync::Arc;

use super::mind::{GroupMind, MindView};
use crate::machine::program::Program;
use crate::script::runtime::memory::Datum;
use crate::script::runtime::mind::ScriptMind;
use crate::sim::{Control, Group, GroupId, Intent, Intents, Mind, Value, Workers, World};
use crate::steer::{Blends, Bound, LeafSpec, Sighting};

/// A program without scripts and transitions: one blend of native forces.
pub struct NativeGroup {
    program: Arc<Program>,
    blends: Blends,
    values: Vec<Value>,
    control: Control,
    states: Vec<String>,
}

impl NativeGroup {
    /// The mind of a program that needs no script.
    ///
    /// # Errors
    /// What the blend says; a program that passed the checks has nothing to say.
    pub fn new(program: &Arc<Program>) -> Result<Self, String> {
        let leaves: Vec<LeafSpec> = program.leaves.iter().map(crate::machine::program::Leaf::native_blend).collect();
        let blends = Blends::new(&leaves)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        let control = leaves.get(program.initial).map_or(Control::Acceleration, |leaf| leaf.control);
        Ok(Self {
            blends,
            values: program.defaults(),
            control,
            states: program.leaves.iter().map(|leaf| leaf.path.clone()).collect(),
            program: Arc::clone(program),
        })
    }

    /// Whether a program can run without a script: one state, no limits, no callbacks.
    pub fn can_run(program: &Program) -> bool {
        program.leaves.len() == 1
            && !program.needs_script()
            && program.memory.is_empty()
            && program.leaves.iter().all(|leaf| leaf.limits.is_empty() && leaf.period.is_none())
    }

    /// What native forces keep goes on in the mind that takes over.
    pub fn adopt(&mut self, before: &Self) {
        self.blends.adopt(&before.blends);
    }
}

impl Mind for NativeGroup {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, workers: &Workers, out: &mut Intents) {
        out.common.control = self.control;
        for row in &mut out.rows {
            row.control = self.control;
        }
        let bound = Bound { sliders: &self.values, rows: &[], active: &[] };
        self.blends.evaluate(world, group, workers, &bound, out);
    }

    fn digest(&mut self, world: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        for slot in &group.members {
            let mut hash = crate::sim::StateHash::new();
            self.blends.digest(world, *slot, &mut hash);
            out.push(hash.finish());
        }
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn turns(&self) -> bool {
        self.blends.turns()
    }

    fn alike(&self) -> bool {
        self.blends.alike()
    }

    fn control(&self) -> Control {
        self.control
    }
}

impl GroupMind for NativeGroup {
    fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn set(&mut self, slider: usize, value: &Value) {
        if let Some(known) = self.values.get_mut(slider) {
            known.clone_from(value);
        }
    }

    fn reach(&self) -> f64 {
        self.blends.reach(&self.values)
    }

    fn inspect(&mut self, world: &Arc<World>, slot: u32) -> MindView {
        let group = world.agents.group[slot as usize];
        let members = &world.groups[group.index()].members;
        let Ok(member) = members.binary_search(&slot) else { return MindView::default() };
        let bound = Bound { sliders: &self.values, rows: &[], active: &[] };
        let intent = Intent { control: self.control, ..Intent::default() };
        let shares = self.blends.contributions(world, group, member, &bound, &intent);
        MindView { forces: shares.into_iter().map(|share| (share.key, share.push)).collect(), memory: Vec::new() }
    }

    fn looks(&mut self, world: &Arc<World>, slot: u32) -> Vec<Sighting> {
        let group = world.agents.group[slot as usize];
        let Ok(member) = world.groups[group.index()].members.binary_search(&slot) else { return Vec::new() };
        let bound = Bound { sliders: &self.values, rows: &[], active: &[] };
        self.blends.looks(world, group, member, &bound, &Intent { control: self.control, ..Intent::default() })
    }

    fn as_native(&mut self) -> Option<&mut NativeGroup> {
        Some(self)
    }
}

impl GroupMind for ScriptMind {
    fn program(&self) -> &Arc<Program> {
        Self::program(self)
    }

    fn set(&mut self, slider: usize, value: &Value) {
        let Some(address) = Self::program(self).sliders.get(slider).map(|slider| slider.address.clone()) else {
            return;
        };
        Self::set(self, &address, value.clone());
    }

    fn reach(&self) -> f64 {
        self.native_reach()
    }

    fn inspect(&mut self, world: &Arc<World>, slot: u32) -> MindView {
        let scripted = self.scripted_shares(world, slot).unwrap_or_default();
        let mut forces: Vec<_> = scripted.into_iter().map(|share| (share.key, share.push)).collect();
        forces.extend(self.shares(world, slot));
        let memory = Self::inspect(self, world, slot).unwrap_or_default();
        MindView { forces, memory: memory.into_iter().map(|(_, field, value)| (field, datum_text(&value))).collect() }
    }

    fn looks(&mut self, world: &Arc<World>, slot: u32) -> Vec<Sighting> {
        Self::looks(self, world, slot)
    }

    fn as_script(&mut self) -> Option<&mut ScriptMind> {
        Some(self)
    }
}

fn datum_text(datum: &Datum) -> String {
    match datum {
        Datum::One(Value::Number(number)) => format!("{number:.4}"),
        Datum::One(Value::Vector(v)) => format!("{:.3}, {:.3}, {:.3}", v.x, v.y, v.z),
        Datum::One(value) => value.to_string(),
        Datum::List(entries) => {
            let parts: Vec<String> = entries.iter().map(datum_text).collect();
            format!("[{}]", parts.join("; "))
        }
        Datum::Table(entries) => format!("{entries:?}"),
    }
}
