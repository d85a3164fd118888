//! What the debug layer sees of the senses: whom forces see, and how full the cells of the neighbor grid are.

use glam::DVec3;

use super::AgentKey;

/// What the debug layer wants published; nothing of it is computed while it is not wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// Agents whose forces are asked whom they see, ascending.
    pub agents: Vec<AgentKey>,
    /// Whether the cells of the neighbor grid are wanted.
    pub cells: bool,
    /// Whether the cells of people are wanted.
    pub density: bool,
    /// The measuring area whose fundamental diagram is shown.
    pub diagram: Option<String>,
}

/// Whom the forces of one agent see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensesView {
    /// The agent.
    pub key: AgentKey,
    /// One entry per force that looks for agents.
    pub looks: Vec<LookView>,
}

impl SensesView {
    /// Everybody whom some force sees, ascending, each once with the vector to it in metres.
    pub fn links(&self) -> Vec<(AgentKey, DVec3)> {
        let mut links: Vec<(AgentKey, DVec3)> = self.looks.iter().flat_map(|look| look.found.iter().copied()).collect();
        links.sort_by_key(|link| link.0);
        links.dedup_by_key(|link| link.0);
        links
    }
}

/// What one force looks for, and whom it finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookView {
    /// Name of the force in the blend.
    pub name: String,
    /// What it is used for.
    pub kind: LookKind,
    /// Agents up to this distance count, in metres.
    pub radius: f64,
    /// Half angle of the view cone in radians; none for all round.
    pub half_angle: Option<f64>,
    /// Name of the group whose agents count; none for all.
    pub from: Option<String>,
    /// Who counts, with the vector to it in metres (the short way in a wrapped area).
    pub found: Vec<(AgentKey, DVec3)>,
}

/// What a force uses the agents for that it sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookKind {
    /// To go with them: alignment, cohesion, and whatever scripts do.
    #[default]
    Flock,
    /// To keep off them: separation, soft walls.
    Apart,
    /// To flee or chase them.
    Hunt,
}

/// The neighbor grid as the last sense stage filled it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellsView {
    /// Sides of a cell in metres.
    pub side: DVec3,
    /// Lower corner in metres and agents, of each cell that holds any.
    pub cells: Vec<(DVec3, u32)>,
}

impl CellsView {
    /// Agents in the fullest cell.
    pub fn fullest(&self) -> u32 {
        self.cells.iter().map(|cell| cell.1).max().unwrap_or(0)
    }
}
