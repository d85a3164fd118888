//! What the experiment needs of a mind beside deciding: its sliders, and a look inside for the inspector.

use std::sync::Arc;

use glam::DVec3;

use super::native::NativeGroup;
use crate::machine::program::Program;
use crate::script::runtime::mind::ScriptMind;
use crate::sim::{Group, Intents, Mind, Value, Workers, World};
use crate::steer::Sighting;

/// A mind with sliders that can be looked into.
pub trait GroupMind: Mind {
    /// What runs.
    fn program(&self) -> &Arc<Program>;

    /// Sets a slider (an index into [`Program::sliders`]); it acts from the next tick.
    fn set(&mut self, slider: usize, value: &Value);

    /// What each force of the agent's present state contributes, weighted, with its unit, and its declared memory as text.
    fn inspect(&mut self, world: &Arc<World>, slot: u32) -> MindView;

    /// Whom each force of the agent's present state sees.
    fn looks(&mut self, _: &Arc<World>, _: u32) -> Vec<Sighting> {
        Vec::new()
    }

    /// The largest radius that its native forces look around, m: what the neighbor cells are fit to.
    fn reach(&self) -> f64 {
        0.0
    }

    /// The mind of a script, for what only scripts have.
    fn as_script(&mut self) -> Option<&mut ScriptMind> {
        None
    }

    /// The mind of a native blend.
    fn as_native(&mut self) -> Option<&mut NativeGroup> {
        None
    }
}

/// The inside of one agent's mind.
#[derive(Clone, Debug, Default)]
pub struct MindView {
    /// (name of the force, weighted contribution).
    pub forces: Vec<(String, DVec3)>,
    /// (field, value as text).
    pub memory: Vec<(String, String)>,
}

/// The mind of a group without behavior: its agents stand still.
#[derive(Debug)]
pub struct Still {
    program: Arc<Program>,
    states: [String; 1],
}

impl Still {
    /// A mind that wants nothing.
    pub fn new(program: Arc<Program>) -> Self {
        Self { program, states: [String::new()] }
    }
}

impl Mind for Still {
    fn decide(&mut self, _: &Arc<World>, _: crate::sim::GroupId, _: &Workers, _: &mut Intents) {}

    fn digest(&mut self, _: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        out.resize(group.members.len(), 0);
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn turns(&self) -> bool {
        true
    }

    fn control(&self) -> crate::sim::Control {
        crate::sim::Control::Velocity
    }
}

impl GroupMind for Still {
    fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn set(&mut self, _: usize, _: &Value) {}

    fn inspect(&mut self, _: &Arc<World>, _: u32) -> MindView {
        MindView::default()
    }
}
