//! What names mean while definitions are put together: forces, behaviors and machines, native and scripted together.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::def::{BehaviorDef, Control, MemorySpec};
use crate::steer::FORCES;
use crate::steer::behavior::BEHAVIORS;
use crate::steer::param::ParamSpec;

/// What a blend must know of a force.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceInfo {
    /// Name, unique among forces.
    pub name: String,
    /// One line for lists and tooltips.
    pub about: String,
    /// Unit of its result: `"m/s2"` or, for a controller, `"m/s"`.
    pub unit: String,
    /// Whether it is a `yard.force` of a file.
    pub scripted: bool,
    /// Parameters, in source order.
    pub params: Vec<ParamSpec>,
    /// Declared memory, one copy per agent and file.
    pub memory: Vec<MemorySpec>,
}

impl ForceInfo {
    /// Whether it yields a velocity, which only a velocity-controlled state can add.
    pub fn is_controller(&self) -> bool {
        self.unit == "m/s"
    }
}

/// Everything that a definition may name.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// Forces and controllers by name.
    pub forces: BTreeMap<String, Arc<ForceInfo>>,
    /// Behaviors and machines by name.
    pub behaviors: BTreeMap<String, Arc<BehaviorDef>>,
}

impl Catalogue {
    /// Adds a force; an earlier one of that name is replaced.
    pub fn add_force(&mut self, info: ForceInfo) {
        self.forces.insert(info.name.clone(), Arc::new(info));
    }

    /// Adds a behavior or machine; an earlier one of that name is replaced.
    pub fn add_behavior(&mut self, def: Arc<BehaviorDef>) {
        self.behaviors.insert(def.name.clone(), def);
    }

    /// Names of all forces, in order.
    pub fn force_names(&self) -> impl Iterator<Item = &str> {
        self.forces.keys().map(String::as_str)
    }

    /// Names of all behaviors and machines, in order.
    pub fn behavior_names(&self) -> impl Iterator<Item = &str> {
        self.behaviors.keys().map(String::as_str)
    }

    /// The force that `name` means inside the definition `within`: a plugin's own comes first.
    pub fn force_for(&self, name: &str, within: &str) -> Option<&Arc<ForceInfo>> {
        own(within, name).and_then(|own| self.forces.get(&own)).or_else(|| self.forces.get(name))
    }

    /// The behavior or machine that `name` means inside the definition `within`: a plugin's own comes first.
    pub fn behavior_for(&self, name: &str, within: &str) -> Option<&Arc<BehaviorDef>> {
        own(within, name).and_then(|own| self.behaviors.get(&own)).or_else(|| self.behaviors.get(name))
    }
}

/// `plugin/name` when `within` is a definition of that plugin.
fn own(within: &str, name: &str) -> Option<String> {
    within.split_once('/').map(|(plugin, _)| format!("{plugin}/{name}"))
}

/// Native forces and behaviors as the tables of `steer` list them.
pub fn native() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for force in FORCES {
        catalogue.add_force(ForceInfo {
            name: force.name.to_owned(),
            about: force.about.to_owned(),
            unit: force.unit.to_owned(),
            scripted: false,
            params: force.specs(),
            memory: Vec::new(),
        });
    }
    for behavior in BEHAVIORS {
        let mut def = BehaviorDef::native(behavior.name);
        behavior.about.clone_into(&mut def.root.about);
        def.root.control = Some(match behavior.control {
            crate::sim::Control::Acceleration => Control::Acceleration,
            crate::sim::Control::Velocity => Control::Velocity,
        });
        def.root.blend = (behavior.terms)();
        def.panel = behavior.panel.iter().map(|entry| super::panel::PanelEntry::native(*entry)).collect();
        catalogue.add_behavior(Arc::new(def));
    }
    catalogue
}
