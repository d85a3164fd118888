//! How the front ends name an agent.

use crate::sim::AgentId;

/// An agent as the front ends name it: slot in the upper, generation in the lower half, so that keys sort like ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentKey(u64);

impl AgentKey {
    /// The key of the agent that lives in `slot` in its `generation`.
    pub fn new(slot: u32, generation: u32) -> Self {
        Self((u64::from(slot) << 32) | u64::from(generation))
    }

    /// Index into the columns of the world.
    pub fn slot(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// How many agents have lived in the slot before.
    pub fn generation(self) -> u32 {
        self.0 as u32
    }

    /// The id as scripts and reports write it: `slot + 1 + generation / 1e6`; 0 would be nobody.
    pub fn number(self) -> f64 {
        f64::from(self.slot()) + 1.0 + f64::from(self.generation()) / 1e6
    }

    /// The key of the agent that scripts and reports call `number`; none for 0 and for what is no id.
    pub fn from_number(number: f64) -> Option<Self> {
        let whole = number.floor();
        if !(whole >= 1.0 && whole <= f64::from(u32::MAX)) {
            return None;
        }
        Some(Self::new(whole as u32 - 1, ((number - whole) * 1e6).round() as u32))
    }

    /// The id in the world.
    pub fn id(self) -> AgentId {
        AgentId { slot: self.slot(), generation: self.generation() }
    }
}

impl From<AgentId> for AgentKey {
    fn from(id: AgentId) -> Self {
        Self::new(id.slot, id.generation)
    }
}

impl std::fmt::Display for AgentKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.generation() {
            0 => write!(f, "{}", self.slot() + 1),
            generation => write!(f, "{}.{generation:06}", self.slot() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_like_ids_and_survive_being_numbers() {
        assert!(AgentKey::new(3, 9) < AgentKey::new(4, 0));
        for key in [AgentKey::new(0, 0), AgentKey::new(11, 1), AgentKey::new(99_999, 123)] {
            assert_eq!(AgentKey::from_number(key.number()), Some(key));
        }
        assert_eq!(AgentKey::from_number(0.0), None);
        assert_eq!(AgentKey::from_number(f64::NAN), None);
        assert_eq!(AgentKey::new(11, 1).to_string(), "12.000001");
    }
}
