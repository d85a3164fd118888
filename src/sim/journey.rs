//! Journeys: what an agent still has to visit, and where it is on its way. Who leads it (the room `flow`) stands outside.

use std::sync::Arc;

use super::StateHash;

/// One entry of a journey. Stops are indices into [`World::stops`](super::World::stops).
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// This stop.
    Stop(u16),
    /// So many of these, in an order of the agent's own.
    Shuffle(u32, Arc<[u16]>),
    /// The nearest of these when it sets out, in a straight line.
    Nearest(Arc<[u16]>),
    /// That of these at which it expects to be done first, walk and wait together; looked at again on the way.
    LeastCrowded(Arc<[u16]>),
    /// One of these by lot, each with its weight.
    Shares(Arc<[(u16, f64)]>),
}

impl Leg {
    /// All stops that it may lead to.
    pub fn stops(&self) -> Vec<u16> {
        match self {
            Self::Stop(stop) => vec![*stop],
            Self::Shuffle(_, stops) | Self::Nearest(stops) | Self::LeastCrowded(stops) => stops.to_vec(),
            Self::Shares(shares) => shares.iter().map(|(stop, _)| *stop).collect(),
        }
    }

    /// Takes it into a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        let kind = match self {
            Self::Stop(_) => 0,
            Self::Shuffle(count, _) => 1 + (u64::from(*count) << 8),
            Self::Nearest(_) => 2,
            Self::LeastCrowded(_) => 3,
            Self::Shares(_) => 4,
        };
        hash.integer(kind);
        for stop in self.stops() {
            hash.integer(u64::from(stop));
        }
    }
}

/// Where an agent is on its journey.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Visit {
    /// The stop that it goes to or is at, an index into [`World::stops`](super::World::stops); none off journeys.
    pub stop: Option<u16>,
    /// Whether it is there: at its waiting spot, in the queue, held at the gate.
    pub there: bool,
    /// The tick since when it is there, or goes there.
    pub since: u64,
    /// Its number in the queue, 0 is the head; the number of its waiting spot.
    pub place: Option<u32>,
    /// Whether `place` is one of a queue.
    pub queues: bool,
    /// How near to its goal counts as there, m; 0 leaves that to who leads it.
    pub reach: f64,
}

impl Visit {
    /// Takes it into a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.integer(self.stop.map_or(0, |stop| u64::from(stop) + 1) | u64::from(self.there) << 32);
        hash.integer(self.since);
        hash.integer(self.place.map_or(0, |place| u64::from(place) + 1));
    }
}

/// What a mind wishes for the journey of its agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Errand {
    /// This journey from now on, in the place of what was left; empty ends it.
    Set(Vec<Leg>),
    /// On to what comes after the present stop.
    Skip,
}
