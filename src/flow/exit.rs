//! What an exit keeps: who left when, and when the gate lets the next one through.

use crate::sim::{AgentId, StateHash};

/// The time over which the flow of an exit is the mean, s.
pub const FLOW_SECS: f64 = 5.0;

/// Somebody left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Left {
    /// Who.
    pub agent: AgentId,
    /// Index of its group.
    pub group: usize,
    /// Index of the stop.
    pub stop: usize,
    /// When it touched the exit and was let through, s.
    pub time: f64,
}

/// The counts of an exit.
#[derive(Clone, Debug, Default)]
pub struct Exit {
    /// When and of which group, in the order in which they left.
    passed: Vec<(f64, u16)>,
    /// How many of each group.
    by_group: Vec<usize>,
    /// When the gate lets the next one through, s.
    pub(super) free_at: f64,
}

impl Exit {
    /// How many left.
    #[must_use]
    pub fn count(&self) -> usize {
        self.passed.len()
    }

    /// When and of which group (by index), in the order in which they left: the N–t curve.
    #[must_use]
    pub fn passed(&self) -> &[(f64, u16)] {
        &self.passed
    }

    /// Persons per second over the last [`FLOW_SECS`] before a time, s; over all of it while it is shorter.
    #[must_use]
    pub fn flow(&self, now: f64) -> f64 {
        let over = FLOW_SECS.min(now);
        if over <= 0.0 {
            return 0.0;
        }
        let recent = self.passed.iter().rev().take_while(|(time, _)| *time > now - over);
        recent.count() as f64 / over
    }

    /// How many of a group (by index) left.
    #[must_use]
    pub fn of_group(&self, group: usize) -> usize {
        self.by_group.get(group).copied().unwrap_or(0)
    }

    pub(super) fn note(&mut self, time: f64, group: usize) {
        if self.by_group.len() <= group {
            self.by_group.resize(group + 1, 0);
        }
        self.by_group[group] += 1;
        self.passed.push((time, group as u16));
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.integer(self.passed.len() as u64);
        hash.number(self.passed.last().map_or(0.0, |(time, _)| *time));
        hash.number(self.free_at);
    }
}
