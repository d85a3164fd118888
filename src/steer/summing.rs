//! Which forces of a blend the vector kernel adds up over the neighbors, and which look at so few agents that no search pays.

use super::compiled::{Feed, Term};
use super::registry::{ANY, ForceSpec, OWN, is_code};
use crate::sim::neighbors::sums::{Look, Sight};
use crate::sim::{Group, World};

/// A group of at most so many agents is gone through as it is, instead of being looked for among the neighbors.
const FEW: usize = 16;

/// The sums that the kernel knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sum {
    /// Directions away: separation.
    Apart,
    /// Velocities: alignment.
    Velocity,
    /// Offsets: cohesion.
    Offset,
    /// All three at once, with plain directions away from those too near: flocking.
    Rule,
}

impl Sum {
    /// The sum that a force is made of. Whom it looks at, and how many at most, must not differ from agent to agent.
    pub(super) fn of(force: &ForceSpec, feeds: &[Feed]) -> Option<Self> {
        let sum = match force.name {
            "separation" => Self::Apart,
            "alignment" => Self::Velocity,
            "cohesion" => Self::Offset,
            "flocking" => Self::Rule,
            _ => return None,
        };
        let mut whom =
            force.params.iter().zip(feeds).filter(|(param, _)| matches!(param.name, "from" | "max_neighbors"));
        whom.all(|(_, feed)| !matches!(feed, Feed::Row(_))).then_some(sum)
    }
}

/// The live terms of a leaf that the kernel sums: at most one per sum, all over the same agents.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summed {
    /// Index of the term of each sum in the leaf.
    pub(super) terms: [Option<usize>; 3],
    /// Whether agents of all groups count.
    any: bool,
    /// Whether the one term is a [`Sum::Rule`].
    rule: bool,
}

impl Summed {
    /// Takes a term if the kernel can sum it beside the others; false if not.
    pub(super) fn takes(&mut self, index: usize, term: &Term, group: &Group, from: f64) -> bool {
        let Some(sum) = term.sum.filter(|_| group.max_neighbors.is_none()) else {
            return false;
        };
        let any = is_code(from, ANY);
        let own = is_code(from, OWN) || is_code(from, f64::from(group.id.0));
        let first = self.is_empty();
        if !(any || own) || !(first || self.any == any) {
            return false;
        }
        if sum == Sum::Rule {
            if first {
                (self.terms, self.any, self.rule) = ([Some(index), None, None], any, true);
            }
            return first;
        }
        let place = &mut self.terms[sum as usize];
        if place.is_some() || self.rule {
            return false;
        }
        *place = Some(index);
        self.any = any;
        true
    }

    /// Whether it sums nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.terms.iter().all(Option::is_none)
    }

    /// Whether a term is one of those.
    pub(super) fn has(&self, index: usize) -> bool {
        self.terms.contains(&Some(index))
    }

    /// What to add up for one agent; `numbers` gives the parameters of a term.
    #[inline]
    pub(super) fn look(
        &self,
        world: &World,
        group: &Group,
        slot: usize,
        numbers: impl Fn(usize) -> (f64, f64),
    ) -> Look {
        let only = (!self.any && world.groups.len() > 1).then_some(group.id);
        if let (true, Some(index)) = (self.rule, self.terms[0]) {
            let (radius, near) = numbers(index);
            let (all, near) = (Sight::new(radius, -2.0), Sight::new(near.min(radius), -2.0));
            let forward = glam::DVec3::ZERO;
            return Look { apart: near, plain: true, velocity: all, offset: all, only, forward };
        }
        let sight = |sum: Sum| {
            let (radius, cosine) = numbers(self.terms[sum as usize]?);
            Sight::new(radius, cosine)
        };
        let (apart, velocity, offset) = (sight(Sum::Apart), sight(Sum::Velocity), sight(Sum::Offset));
        let narrow = [apart, velocity, offset].into_iter().flatten().any(|sight| sight.cosine > -1.0);
        Look {
            apart,
            plain: false,
            velocity,
            offset,
            only,
            forward: if narrow { world.agents.forward(slot) } else { glam::DVec3::ZERO },
        }
    }
}

/// Whether a force with this code for its group looks at another group that is small enough to go through.
pub(super) fn looks_at_few(world: &World, group: &Group, code: f64) -> bool {
    code >= 0.0 && !is_code(code, f64::from(group.id.0)) && {
        let members = world.groups.get(code as usize).map_or(0, |other| other.members.len());
        members <= FEW.min(group.max_neighbors.unwrap_or(FEW))
    }
}
