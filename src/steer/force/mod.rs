//! The native forces, one family per file: table entry and function side by side.
//!
//! A force is a pure function of what the agent senses, its parameters as plain numbers (in the order of its table entry) and
//! what it keeps from tick to tick. Zero vectors are safe everywhere.

mod bound;
pub mod chase;
pub mod course;
pub mod crowd;
pub mod cucker;
pub mod flock;
pub mod goal;
pub mod obstacle;
pub mod path;
pub mod rule;
pub mod slot;
pub mod transit;
pub mod vicsek;
pub mod wall;
pub mod wander;
pub mod water;

use super::sense::{Kept, Sense};
use crate::sim::obstacle::Hit;
use glam::DVec3;

/// What a force does to an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Push {
    /// m/s², or m/s for a controller.
    pub vector: DVec3,
    /// Turn rate, rad/s; 0 for forces that do not turn.
    pub turn: f64,
    /// Where it leads the agent, m/s, whatever is in the way: who does not get on along it is stuck. Zero for forces that lead
    /// nowhere, or when the agent is where it should be.
    pub wish: DVec3,
}

/// The forces that lead somewhere: they say so in [`Push::wish`].
pub(super) const LEADING: [&str; 5] = ["csm", "driving", "follow_path", "follow_route", "seek_goal"];

impl Push {
    /// Whether every number in it is finite (and so is their sum, which is one check instead of four).
    #[inline]
    pub fn is_finite(&self) -> bool {
        (self.vector.x + self.vector.y + self.vector.z + self.turn).is_finite()
    }
}

impl From<DVec3> for Push {
    fn from(vector: DVec3) -> Self {
        Self { vector, ..Self::default() }
    }
}

impl Push {
    /// A push that leads along `wish`, m/s.
    pub fn leading(vector: DVec3, wish: DVec3) -> Self {
        Self { vector, wish, turn: 0.0 }
    }
}

/// The function of a native force: what is sensed, the parameters as plain numbers in the order of the table entry, what is
/// kept for this agent, and a buffer for obstacles.
pub type Compute = fn(&Sense<'_>, &[f64], &mut Kept, &mut Vec<Hit>) -> Push;
