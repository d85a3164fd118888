//! What is remembered of one agent on its journey, and its own order of it.

use std::sync::Arc;

use crate::sim::rng::Use;
use crate::sim::{AgentId, Leg, StateHash, Stream};

/// One agent on its journey.
#[derive(Clone, Debug, Default)]
pub(super) struct Traveller {
    /// Generation of the slot, plus 1; 0 is nobody.
    pub(super) life: u32,
    /// What is left, the next one last.
    pub(super) legs: Vec<Leg>,
    /// Alternatives of the present leg, where another may be taken on the way.
    pub(super) others: Option<Arc<[u16]>>,
    /// The tick at which its stay ends.
    pub(super) until: Option<u64>,
    /// Stops so far: each has luck of its own.
    pub(super) visits: u64,
    /// Where it goes without a journey is a gate that held it: which one, and since when, s.
    pub(super) gate: Option<(u16, f64)>,
    /// Where it was sent, m.
    pub(super) goal: Option<glam::DVec3>,
    /// Whether it had a journey that is not over.
    pub(super) under_way: bool,
}

impl Traveller {
    /// Somebody new, with the journey of its group.
    pub(super) fn born(id: AgentId, journey: &[Leg], seed: u64) -> Self {
        let mut traveller = Self { life: id.generation + 1, ..Self::default() };
        traveller.set(id, journey, seed);
        traveller
    }

    /// Another journey: lists of which it takes some are put into its own order.
    pub(super) fn set(&mut self, id: AgentId, journey: &[Leg], seed: u64) {
        self.legs.clear();
        for (index, leg) in journey.iter().enumerate().rev() {
            let Leg::Shuffle(count, stops) = leg else {
                self.legs.push(leg.clone());
                continue;
            };
            let mut luck = luck(seed, id, self.visits, 16 + index as u64);
            let mut stops = stops.to_vec();
            let count = (*count as usize).min(stops.len());
            // Fisher and Yates, as far as it is needed.
            for i in 0..count {
                let other = luck.integer(i as i64, stops.len() as i64 - 1) as usize;
                stops.swap(i, other);
            }
            self.legs.extend(stops[..count].iter().rev().map(|stop| Leg::Stop(*stop)));
        }
        self.under_way = !self.legs.is_empty();
        self.others = None;
        self.until = None;
        self.gate = None;
        self.goal = None;
    }

    pub(super) fn digest(&self) -> u64 {
        if self.life == 0 || (!self.under_way && self.gate.is_none() && self.visits == 0) {
            return 0;
        }
        let mut hash = StateHash::new();
        hash.integer(u64::from(self.life));
        for leg in &self.legs {
            leg.hash_into(&mut hash);
        }
        hash.integer(self.until.unwrap_or(0));
        hash.integer(self.visits);
        hash.number(self.gate.map_or(0.0, |(_, since)| since));
        hash.finish()
    }
}

/// The luck of an agent at its stop of this number.
pub(super) fn luck(seed: u64, id: AgentId, visits: u64, salt: u64) -> Stream {
    Stream::with_salt(seed, u64::from(id.slot) | u64::from(id.generation) << 32, visits, Use::Flow, salt)
}
