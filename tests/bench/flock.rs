//! The native flock: separation, alignment and cohesion over all neighbors within reach, and the same without a grid.

use std::sync::Arc;

use glam::DVec3;
use swarmyard::sim::{Control, Group, GroupId, Intents, Mind, Neighbor, NeighborFilter, Workers, World};

use crate::yard::REACH;

/// A hand-written flock mind.
pub(crate) struct Flock {
    states: Vec<String>,
    near: Vec<Neighbor>,
}

impl Flock {
    pub(crate) fn new() -> Self {
        Self { states: vec![String::new()], near: Vec::new() }
    }
}

impl Mind for Flock {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, _workers: &Workers, out: &mut Intents) {
        let members = &world.groups[group.index()].members;
        for (row, slot) in out.rows.iter_mut().zip(members) {
            world.neighbors(*slot, REACH, NeighborFilter::default(), &mut self.near);
            let me = *slot as usize;
            let sum = Sum::of(self.near.iter().map(|other| (other.offset, world.agents.velocity[other.slot as usize])));
            row.push = sum.push(world.agents.velocity[me]);
        }
    }

    fn digest(&mut self, _world: &World, group: &Group, out: &mut Vec<u64>) {
        out.resize(group.members.len(), 0);
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn turns(&self) -> bool {
        false
    }

    fn control(&self) -> Control {
        Control::Acceleration
    }
}

/// What the three rules add up.
#[derive(Default)]
struct Sum {
    count: f64,
    apart: DVec3,
    velocity: DVec3,
    offset: DVec3,
}

impl Sum {
    fn of(near: impl Iterator<Item = (DVec3, DVec3)>) -> Self {
        near.fold(Self::default(), |sum, (offset, velocity)| Self {
            count: sum.count + 1.0,
            apart: sum.apart - offset / offset.length_squared().max(1e-6),
            velocity: sum.velocity + velocity,
            offset: sum.offset + offset,
        })
    }

    fn push(&self, velocity: DVec3) -> DVec3 {
        let share = 1.0 / self.count.max(1.0);
        self.apart * 0.5 + (self.velocity * share - velocity) + self.offset * (share * 0.3)
    }
}

/// The decide stage without any index: every pair of agents. Returns the sum of all pushes, so that nothing is optimized
/// away.
pub(crate) fn naive_decide(world: &World) -> DVec3 {
    let agents = &world.agents;
    let slots = 0..agents.slots();
    slots
        .clone()
        .map(|me| {
            let near = slots.clone().filter(|other| *other != me).filter_map(|other| {
                let offset = world.offset(agents.position[me], agents.position[other]);
                (offset.length_squared() <= REACH * REACH).then_some((offset, agents.velocity[other]))
            });
            Sum::of(near).push(agents.velocity[me])
        })
        .sum()
}
