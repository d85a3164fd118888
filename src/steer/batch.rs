//! Forces that are made of sums over neighbors, for many agents at once: no call per agent, nothing to sense.

use super::force::{flock, rule};
use super::summing::Sum;
use crate::sim::World;
use crate::sim::neighbors::sums::{Entries, Sums};
use glam::DVec3;

/// Agents at entries of the neighbor grid, with what was added up for each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Batch<'a> {
    pub(super) world: &'a World,
    pub(super) entries: Entries<'a>,
    pub(super) sums: &'a [Sums],
}

impl Batch<'_> {
    /// Adds `weight` times the law of each agent to its push; the law gets the agent's entry in the neighbor grid.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub(super) fn each(&self, weight: f64, pushes: &mut [DVec3], law: impl Fn(u32, &Sums) -> DVec3) {
        match self.entries {
            Entries::From(first) => {
                for ((push, sums), entry) in pushes.iter_mut().zip(self.sums).zip(first as u32..) {
                    *push += law(entry, sums) * weight;
                }
            }
            Entries::These(some) => {
                for ((push, sums), entry) in pushes.iter_mut().zip(self.sums).zip(some) {
                    *push += law(*entry, sums) * weight;
                }
            }
        }
    }
}

impl Sum {
    /// Adds `weight` times the force that is made of this sum to the push of each agent; `p` are its parameters.
    pub(super) fn add_all(self, batch: &Batch<'_>, p: &[f64], weight: f64, pushes: &mut [DVec3]) {
        match self {
            Self::Apart => flock::separate_all(batch, p, weight, pushes),
            Self::Velocity => flock::align_all(batch, p, weight, pushes),
            Self::Offset => flock::cohere_all(batch, p, weight, pushes),
            Self::Rule => rule::flock_all(batch, p, weight, pushes),
        }
    }
}
