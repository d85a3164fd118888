//! Who wants to move and does not get on, where the core does not keep count: agents that only scripts push.

use glam::DVec3;

use crate::sim::stuck::PATIENCE_SECS;
use crate::sim::{AgentId, Progress};

/// How each agent gets on, by slot: the rule of [`crate::sim::stuck`] for what it is seen to want.
#[derive(Debug, Clone, Default)]
pub struct Stuck {
    /// The life of the slot, counted from 1, and how it gets on.
    seen: Vec<(u32, Progress)>,
}

impl Stuck {
    /// Looks at an agent that wants to go at `wish` (m/s; zero: to be here): whether it is stuck. `dt` (s) is the time from
    /// look to look, `offset` measures ways, m.
    pub fn observe(
        &mut self,
        agent: AgentId,
        position: DVec3,
        wish: DVec3,
        dt: f64,
        offset: impl FnOnce(DVec3, DVec3) -> DVec3,
    ) -> bool {
        let slot = agent.slot as usize;
        if self.seen.len() <= slot {
            self.seen.resize(slot + 1, (0, Progress::default()));
        }
        let (life, progress) = &mut self.seen[slot];
        if *life != agent.generation + 1 {
            (*life, *progress) = (agent.generation + 1, Progress::default());
        }
        progress.look(position, wish, dt, offset);
        progress.is_stuck(PATIENCE_SECS, dt)
    }
}
