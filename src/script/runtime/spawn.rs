//! Which ids new agents will get, known before they are there: a director may speak of those it has just ordered.

use std::collections::BTreeMap;

use crate::sim::{AgentId, Agents};

/// The free slots as they will be once the commands so far are done.
#[derive(Clone, Debug, Default)]
pub struct Reservation {
    /// Free slots with the generation that their next agent gets.
    free: BTreeMap<u32, u32>,
    /// The first slot that was never used.
    next: u32,
}

impl Reservation {
    /// The free slots of the world as it is.
    pub fn of(agents: &Agents) -> Self {
        let free = agents.free_slots().iter().map(|slot| (*slot, agents.generation[*slot as usize] + 1));
        Self { free: free.collect(), next: agents.slots() as u32 }
    }

    /// The id of the next agent: the lowest free slot, else a new one, as the core gives them.
    pub fn take(&mut self) -> AgentId {
        if let Some((slot, generation)) = self.free.pop_first() {
            return AgentId { slot, generation };
        }
        self.next += 1;
        AgentId { slot: self.next - 1, generation: 0 }
    }

    /// An agent will be gone.
    pub fn give_back(&mut self, id: AgentId) {
        self.free.insert(id.slot, id.generation + 1);
    }
}
