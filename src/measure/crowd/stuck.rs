//! Who wants to move and does not get on.

use glam::DVec3;

use crate::sim::AgentId;

/// Who has been so long without getting on is stuck, s.
pub const STUCK_SECS: f64 = 2.0;
/// Who has come so far has got on, m.
pub const STUCK_M: f64 = 0.2;
/// Who wants to go slower than this wants to stand, m/s.
pub const WANTING: f64 = 0.05;

#[derive(Debug, Clone, Copy, Default)]
struct Stay {
    generation: u32,
    known: bool,
    anchor: DVec3,
    since: f64,
}

/// Remembers since when each agent is where it is.
///
/// Stuck is who has wanted to move for [`STUCK_SECS`] seconds without ever being [`STUCK_M`] meters from where that began:
/// swaying on the spot is no progress, slow progress is.
#[derive(Debug, Clone, Default)]
pub struct Stuck {
    stays: Vec<Stay>,
}

impl Stuck {
    /// An agent at `now` seconds, with the speed at which it wants to go in m/s: whether it is stuck.
    pub fn observe(&mut self, agent: AgentId, position: DVec3, wanted: f64, now: f64) -> bool {
        let slot = agent.slot as usize;
        if self.stays.len() <= slot {
            self.stays.resize(slot + 1, Stay::default());
        }
        let stay = &mut self.stays[slot];
        let new = !stay.known || stay.generation != agent.generation;
        if new || wanted < WANTING || position.distance_squared(stay.anchor) > STUCK_M * STUCK_M {
            *stay = Stay { generation: agent.generation, known: true, anchor: position, since: now };
        }
        now - stay.since >= STUCK_SECS
    }
}
