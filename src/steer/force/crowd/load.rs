//! What all contacts of a pressed body come to: computed once per agent and tick, when somebody first asks.

use super::contact::Law;
use crate::sim::neighbors::sums::TOUCHING;
use crate::sim::obstacle::Hit;
use crate::steer::registry::group_of_code;
use crate::steer::sense::Sense;
use glam::DVec3;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all contacts of one agent come to: the largest eigenvalues of N (1/s²) and of T, the latter by the step (1/s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Of N, 1/s².
    pub normal: f64,
    /// Of T, divided by the step: it does not depend on how long an agent holds its decision, 1/s.
    pub tangent: f64,
}

/// The loads of all agents in one tick under one law, by slot. Threads that ask for the same agent at once compute the same
/// bits, so it does not matter whose stay.
#[derive(Debug, Default)]
pub struct Loads {
    /// Bits of a load's two numbers; [`UNKNOWN`] where nobody asked yet.
    known: Vec<[AtomicU64; 2]>,
    /// The largest radius of a body, m.
    largest: f64,
}

/// Bits of a number that no computation gives.
const UNKNOWN: u64 = u64::MAX;

impl Clone for Loads {
    /// A clone knows nothing yet.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Loads {
    /// Forgets everything: a new tick, in which the largest body has this radius, m.
    pub fn begin(&mut self, slots: usize, largest: f64) {
        self.known.truncate(slots);
        for load in &mut self.known {
            *load = [const { AtomicU64::new(UNKNOWN) }; 2];
        }
        self.known.resize_with(slots, || [const { AtomicU64::new(UNKNOWN) }; 2]);
        self.largest = largest;
    }

    fn get(&self, slot: usize) -> Option<Load> {
        let [normal, tangent] = self.known.get(slot)?;
        let (normal, tangent) = (normal.load(Ordering::Relaxed), tangent.load(Ordering::Relaxed));
        let known = normal != UNKNOWN && tangent != UNKNOWN;
        known.then(|| Load { normal: f64::from_bits(normal), tangent: f64::from_bits(tangent) })
    }

    fn keep(&self, slot: usize, load: Load) {
        if let Some([normal, tangent]) = self.known.get(slot) {
            normal.store(load.normal.to_bits(), Ordering::Relaxed);
            tangent.store(load.tangent.to_bits(), Ordering::Relaxed);
        }
    }
}

/// A symmetric matrix in the plane, and the part along z.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    xx: f64,
    xy: f64,
    yy: f64,
    zz: f64,
}

impl Block {
    /// Adds w·n·nᵀ.
    fn add_along(&mut self, n: DVec3, w: f64) {
        self.xx += w * n.x * n.x;
        self.xy += w * n.x * n.y;
        self.yy += w * n.y * n.y;
        self.zz += w * n.z * n.z;
    }

    /// Adds w·(I − n·nᵀ); in a planar world nothing moves along z.
    fn add_across(&mut self, n: DVec3, w: f64, planar: bool) {
        self.xx += w * (1.0 - n.x * n.x);
        self.xy -= w * n.x * n.y;
        self.yy += w * (1.0 - n.y * n.y);
        self.zz += if planar { 0.0 } else { w * (1.0 - n.z * n.z) };
    }

    /// Its largest eigenvalue; in space a bound of it.
    fn largest(&self) -> f64 {
        let half = 0.5 * (self.xx - self.yy);
        0.5 * (self.xx + self.yy) + (half * half + self.xy * self.xy).sqrt() + self.zz
    }
}

/// The pressed bodies of a tick, as the agent that is computed knows them.
pub(super) struct Press<'a> {
    pub(super) sense: &'a Sense<'a>,
    pub(super) law: Law,
    pub(super) margin: f64,
    /// Code of the group whose agents count; those of the agent's own group do too.
    pub(super) from: f64,
}

impl Press<'_> {
    /// The load of the agent at a slot; `hits` is a buffer.
    pub(super) fn load(&self, slot: usize, hits: &mut Vec<Hit>) -> Load {
        let known = self.sense.loads.and_then(|loads| loads.get(slot));
        known.unwrap_or_else(|| {
            let load = self.compute(slot, hits);
            if let Some(loads) = self.sense.loads {
                loads.keep(slot, load);
            }
            load
        })
    }

    fn compute(&self, slot: usize, hits: &mut Vec<Hit>) -> Load {
        #[cfg(test)]
        tests::COMPUTED.with(|count| count.set(count.get() + 1));
        let (world, agents) = (self.sense.world, &self.sense.world.agents);
        let planar = world.settings.planar;
        let (here, radius) = (agents.position[slot], agents.radius[slot] + self.margin);
        let (mut normal, mut tangent) = (Block::default(), Block::default());
        let mut add = |n: DVec3, overlap: f64| {
            let (rub, slope) = self.law.contact(overlap);
            normal.add_along(n, slope);
            tangent.add_across(n, rub, planar);
        };
        let own = self.sense.group.id;
        let group = group_of_code(self.from, own).flatten();
        let largest = self.sense.loads.map_or_else(|| largest_radius(agents), |loads| loads.largest);
        world.grid.visit(here, radius + largest + self.margin, Some(slot as u32), |other, offset, squared| {
            let other = other as usize;
            let both = radius + agents.radius[other] + self.margin;
            let counts = group.is_none_or(|group| agents.group[other] == group || agents.group[other] == own);
            if counts && squared < both * both {
                let distance = squared.sqrt();
                // A body in the same place presses along any line: what counts is how much.
                add(if distance > TOUCHING { offset / distance } else { DVec3::X }, both - distance);
            }
        });
        if !world.obstacles.blocks_nothing() {
            world.obstacles.within(here, radius, hits);
            for hit in hits.iter().filter(|hit| hit.distance < radius) {
                add(hit.normal, radius - hit.distance);
            }
        }
        Load { normal: normal.largest(), tangent: tangent.largest() }
    }
}

/// The largest radius of a living body, m.
pub(in crate::steer) fn largest_radius(agents: &crate::sim::Agents) -> f64 {
    let alive = agents.radius.iter().zip(&agents.alive).filter(|(_, alive)| **alive);
    alive.map(|(radius, _)| *radius).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use crate::sim::tick::{self, TickScratch};
    use crate::sim::{BodySpec, Control, Group, GroupId, SimCommand, TickReport, Workers, World, WorldSettings};
    use crate::steer::NativeMind;
    use crate::steer::blend::Term;
    use glam::DVec3;
    use std::cell::Cell;
    use std::sync::Arc;

    thread_local! {
        pub(super) static COMPUTED: Cell<u64> = const { Cell::new(0) };
    }

    /// Each load looked at all neighbors, and was computed anew for each neighbor of each agent: n³ contacts in a pile.
    #[test]
    fn in_a_pile_each_load_is_computed_once_per_tick() {
        for count in [20_u32, 60] {
            let mut world = Arc::new(World::new(WorldSettings::default()));
            let own = Arc::make_mut(&mut world);
            let body = BodySpec { radius: 0.3, ..BodySpec::default() };
            let group = own.add_group(Group::new(GroupId(0), "them", body));
            for index in 0..count {
                let position = DVec3::new(f64::from(index % 7) * 0.03, f64::from(index / 7) * 0.02, 0.0);
                own.apply(SimCommand::Spawn { group, position, heading: 0.0, velocity: DVec3::ZERO }).unwrap();
            }
            let term = Term::native("social_force_2000", 1.0);
            let mut minds = vec![Box::new(NativeMind::of_terms(Control::Acceleration, &[term]).unwrap())];
            let (mut scratch, mut report) = (TickScratch::default(), TickReport::default());
            COMPUTED.with(|computed| computed.set(0));
            for _ in 0..3 {
                tick::tick(&mut world, &mut minds, &Workers::new(1), &mut scratch, &mut report, &mut ());
            }
            assert_eq!(COMPUTED.with(Cell::get), u64::from(3 * count), "{count} agents, 3 ticks");
        }
    }
}
