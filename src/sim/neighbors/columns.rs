//! What minds read of their neighbors, by entry of the grid: one column per number, so that four are read at a time.

use crate::sim::{Agents, Workers};
use glam::DVec3;

/// Lanes of the vector kernels. Part of every result that they add up: four, whatever the machine can do.
pub(super) const LANES: usize = 4;

/// A coordinate beyond all others whose square is a number, m.
const FAR: f64 = 1e18;

/// Columns as long as the list of entries, and a few lanes more, so that a kernel may read past the last entry.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    pub(super) z: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) w: Vec<f64>,
    /// Number of the group; empty where all are of the first.
    pub(super) group: Vec<f64>,
}

/// A piece of all columns, to be filled by one thread.
struct Piece<'a> {
    slots: &'a [u32],
    x: &'a mut [f64],
    y: &'a mut [f64],
    z: &'a mut [f64],
    u: &'a mut [f64],
    v: &'a mut [f64],
    w: &'a mut [f64],
    group: &'a mut [f64],
}

impl Piece<'_> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let (slots, more) = self.slots.split_at(at);
        let (x, xs) = self.x.split_at_mut(at);
        let (y, ys) = self.y.split_at_mut(at);
        let (z, zs) = self.z.split_at_mut(at);
        let (u, us) = self.u.split_at_mut(at);
        let (v, vs) = self.v.split_at_mut(at);
        let (w, ws) = self.w.split_at_mut(at);
        let groups_at = at.min(self.group.len());
        let (group, groups) = self.group.split_at_mut(groups_at);
        let low = Self { slots, x, y, z, u, v, w, group };
        (low, Self { slots: more, x: xs, y: ys, z: zs, u: us, v: vs, w: ws, group: groups })
    }

    fn fill(self, agents: &Agents) {
        for (at, slot) in self.slots.iter().enumerate() {
            let slot = *slot as usize;
            let (position, velocity) = (agents.position[slot], agents.velocity[slot]);
            (self.x[at], self.y[at], self.z[at]) = position.into();
            (self.u[at], self.v[at], self.w[at]) = velocity.into();
        }
        for (group, slot) in self.group.iter_mut().zip(self.slots) {
            *group = f64::from(agents.group[*slot as usize].0);
        }
    }
}

impl Columns {
    /// Copies the numbers of the agents in `slots`, in that order.
    pub(super) fn fill(&mut self, agents: &Agents, slots: &[u32], groups: bool, workers: &Workers) {
        let count = slots.len();
        let group = if groups { count } else { 0 };
        let Self { x, y, z, u, v, w, .. } = self;
        for column in [x, y, z, u, v, w] {
            column.resize(count + LANES, 0.0);
            // What stands behind the last entry is near nobody.
            column[count..].fill(FAR);
        }
        self.group.resize(if groups { count + LANES } else { 0 }, 0.0);
        let piece = Piece {
            slots,
            x: &mut self.x[..count],
            y: &mut self.y[..count],
            z: &mut self.z[..count],
            u: &mut self.u[..count],
            v: &mut self.v[..count],
            w: &mut self.w[..count],
            group: &mut self.group[..group],
        };
        workers.halve(piece, count, Piece::split_at, |piece| piece.fill(agents));
    }

    #[expect(clippy::inline_always, reason = "vector code reads it; a call would cost more than the numbers")]
    #[inline(always)]
    pub(super) fn position(&self, entry: usize) -> DVec3 {
        DVec3::new(self.x[entry], self.y[entry], self.z[entry])
    }

    #[expect(clippy::inline_always, reason = "vector code reads it; a call would cost more than the numbers")]
    #[inline(always)]
    pub(super) fn velocity(&self, entry: usize) -> DVec3 {
        DVec3::new(self.u[entry], self.v[entry], self.w[entry])
    }
}
