//! The native flock, and a plain double loop to compare it with.

use glam::DVec3;
use swarmyard::sim::{Control, Mind, World};
use swarmyard::steer::blend::Term;
use swarmyard::steer::native::NativeMind;

use crate::yard::REACH;

/// The flock that is measured: the native forces, all neighbors within reach.
pub(crate) fn flock_mind() -> Box<dyn Mind> {
    let term = |name: &str, weight: f64| Term::native(name, weight).with("radius", REACH);
    let terms = [term("alignment", 1.0), term("cohesion", 0.8), term("separation", 1.8)];
    Box::new(NativeMind::of_terms(Control::Acceleration, &terms).expect("forces of the registry"))
}

/// What three rules of the same kind add up.
#[derive(Default)]
struct Sum {
    count: f64,
    apart: DVec3,
    velocity: DVec3,
    offset: DVec3,
}

impl Sum {
    fn over(near: impl Iterator<Item = (DVec3, DVec3)>) -> Self {
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
            Sum::over(near).push(agents.velocity[me])
        })
        .sum()
}
