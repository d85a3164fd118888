//! Ids of agents and groups: a slot and how often it was used before.

/// An agent: the column index and the life of that slot. Ordered by slot, then generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    /// Index into the columns of [`crate::sim::Agents`].
    pub slot: u32,
    /// How many agents had this slot before.
    pub generation: u32,
}

/// Lives of a slot that fit behind the decimal point of [`AgentId::number`].
const LIVES: f64 = 1e6;

impl AgentId {
    /// The id as scripts and reports see it: 1 for the first slot, 12.000001 for the second life of the twelfth; 0 is nobody.
    #[must_use]
    pub fn number(self) -> f64 {
        f64::from(self.slot) + 1.0 + f64::from(self.generation) / LIVES
    }

    /// Reads what [`Self::number`] wrote; `None` for 0, negative, non-finite or absurd numbers.
    #[must_use]
    pub fn from_number(number: f64) -> Option<Self> {
        if !(1.0..=16_777_216.0).contains(&number) {
            return None;
        }
        let slot = number.floor();
        let generation = ((number - slot) * LIVES).round();
        Some(Self { slot: slot as u32 - 1, generation: generation as u32 })
    }
}

impl std::fmt::Display for AgentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.number())
    }
}

/// A group: its place in the scene's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub u16);

impl GroupId {
    /// The index into [`crate::sim::World::groups`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::AgentId;

    #[test]
    fn id_survives_its_number_form() {
        for (slot, generation) in [(0, 0), (11, 1), (99_999, 999_998), (16_000_000, 3)] {
            let id = AgentId { slot, generation };
            assert_eq!(AgentId::from_number(id.number()), Some(id));
        }
        assert_eq!(AgentId::from_number(0.0), None);
        assert_eq!(AgentId::from_number(f64::NAN), None);
    }
}
