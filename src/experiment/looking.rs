//! What the debug layer asked for: whom forces see, and the cells of the neighbor grid. Nothing is computed unasked.

use std::sync::Arc;

use glam::DVec3;

use super::core::Experiment;
use super::frame::{AgentKey, CellsView, LookKind, LookView, SensesView};
use crate::steer::Sighting;

/// Senses are published for so many agents at most: each scripted one is a call into its machine.
const MOST: usize = 64;

impl Experiment {
    /// Whom the forces of the watched agents see.
    pub(super) fn senses_view(&mut self) -> Arc<[SensesView]> {
        let watched: Vec<AgentKey> = self.watch.agents.iter().take(MOST).copied().collect();
        watched.into_iter().filter_map(|key| self.senses_of(key)).collect()
    }

    fn senses_of(&mut self, key: AgentKey) -> Option<SensesView> {
        let slot = self.world.agents.find(key.id())?;
        let group = self.world.agents.group[slot].index();
        let looks = self.minds[group].looks(&self.world, slot as u32);
        Some(SensesView { key, looks: looks.into_iter().map(|look| self.look_view(look)).collect() })
    }

    fn look_view(&self, look: Sighting) -> LookView {
        let agents = &self.world.agents;
        LookView {
            kind: kind_of(&look.force),
            name: look.key,
            radius: look.radius,
            half_angle: look.half_angle,
            from: look.from.and_then(|group| Some(self.world.groups.get(group.index())?.name.clone())),
            found: look.found.into_iter().map(|(slot, offset)| (agents.id(slot).into(), offset)).collect(),
        }
    }

    /// The cells of the neighbor grid that hold agents, if they are watched.
    pub(super) fn cells_view(&self) -> Option<Arc<CellsView>> {
        if !self.watch.cells {
            return None;
        }
        let mut view = CellsView::default();
        self.world.grid.cells(|corner, side: DVec3, count| {
            view.side = side;
            view.cells.push((corner, count));
        });
        Some(Arc::new(view))
    }
}

fn kind_of(force: &str) -> LookKind {
    match force {
        "separation" | "soft_wall" => LookKind::Apart,
        "flee" | "evade" | "pursue" => LookKind::Hunt,
        _ => LookKind::Flock,
    }
}
