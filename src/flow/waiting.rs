//! Who has which spot of a place where people wait.

use crate::sim::{AgentId, StateHash, Stream};

/// The spots of a place, in the order of the scene.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    spots: Vec<Option<AgentId>>,
    /// Who waits to be let go, in the order in which they came.
    pub(super) came: Vec<AgentId>,
}

impl Waiting {
    pub(super) fn new(spots: usize) -> Self {
        Self { spots: vec![None; spots], came: Vec::new() }
    }

    /// Who has which spot.
    #[must_use]
    pub fn spots(&self) -> &[Option<AgentId>] {
        &self.spots
    }

    /// A free spot: the first one, or one by lot.
    pub(super) fn claim(&mut self, agent: AgentId, luck: Option<Stream>) -> Option<usize> {
        let free = self.spots.iter().filter(|spot| spot.is_none()).count();
        let nth = luck.map_or(0, |mut luck| luck.integer(0, free as i64 - 1).max(0) as usize);
        let (number, spot) = self.spots.iter_mut().enumerate().filter(|(_, spot)| spot.is_none()).nth(nth)?;
        *spot = Some(agent);
        Some(number)
    }

    /// Frees the spots of all who are gone.
    pub(super) fn keep(&mut self, stays: impl Fn(AgentId) -> bool) {
        for spot in &mut self.spots {
            *spot = spot.filter(|agent| stays(*agent));
        }
        self.came.retain(|agent| stays(*agent));
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        for agent in self.spots.iter().flatten().chain(&self.came) {
            hash.integer(u64::from(agent.slot) << 32 | u64::from(agent.generation));
        }
    }
}
