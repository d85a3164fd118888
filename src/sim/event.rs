//! Events: messages and commands that reach an agent in one tick.

use super::{AgentId, Value};

/// Something an agent hears in this tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Who hears it.
    pub to: AgentId,
    /// Its name, such as `form_up` or `target_reached`.
    pub name: String,
    /// What it carries.
    pub value: Option<Value>,
    /// Who sent it; nobody for the scene, a director or the core.
    pub from: Option<AgentId>,
}
