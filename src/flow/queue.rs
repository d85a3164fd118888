//! Who stands in a queue, and until when its head is served.

use crate::sim::{AgentId, StateHash};

/// A queue, its head first.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Who stands in it.
    pub(super) line: Vec<AgentId>,
    /// Who is served, and the tick at which that ends.
    pub(super) service: Option<(AgentId, u64)>,
    /// How many were served.
    pub(super) served: u64,
}

impl Queue {
    /// Who stands in it, the head first.
    #[must_use]
    pub fn line(&self) -> &[AgentId] {
        &self.line
    }

    /// How many were served.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.served
    }

    /// Who is served now.
    #[must_use]
    pub fn serving(&self) -> Option<AgentId> {
        self.service.map(|(agent, _)| agent)
    }

    /// The place of somebody, 0 is the head.
    #[must_use]
    pub fn place_of(&self, agent: AgentId) -> Option<usize> {
        self.line.iter().position(|known| *known == agent)
    }

    /// Forgets who is gone.
    pub(super) fn keep(&mut self, stays: impl Fn(AgentId) -> bool) {
        self.line.retain(|agent| stays(*agent));
        self.service = self.service.filter(|(agent, _)| self.line.first() == Some(agent));
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        for agent in &self.line {
            hash.integer(u64::from(agent.slot) << 32 | u64::from(agent.generation));
        }
        hash.integer(self.service.map_or(0, |(_, until)| until));
        hash.integer(self.served);
    }
}
