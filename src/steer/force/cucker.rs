//! Everybody takes on everybody's velocity, the less the farther away (Cucker and Smale 2007).

use super::Push;
use crate::sim::obstacle::Hit;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense, Want};
use glam::DVec3;

/// Takes on the velocity of all, near ones first.
pub const CUCKER_SMALE: ForceSpec = ForceSpec {
    name: "cucker_smale",
    about: "Takes on everybody's velocity, the less the farther away; up to a beta of 1/2 all end with one velocity.",
    source: "Cucker and Smale 2007: (K/N)·Σ(1 + d²)^−β·(v' − v), N of all who count, itself included; the sum of velocities stays",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 1000.0, (0.0, 10_000.0), "m", "agents up to this distance count"),
        Param { name: "from", kind: Kind::Group("any"), unit: "", about: "the group whose agents count; \"any\": all" },
        Param::number("coupling", 1.0, (0.0, 20.0), "1/s", "K of the law"),
        Param::number("beta", 1.0, (0.0, 4.0), "", "how fast the influence falls with distance"),
    ],
    compute: cucker_smale,
};

fn cucker_smale(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, from, coupling, beta] = p else {
        return Push::default();
    };
    let grid = &sense.world.grid;
    let own = grid.velocity_of(&sense.world.agents, sense.slot);
    let (mut sum, mut count) = (DVec3::ZERO, 1_u32);
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| {
        let influence = libm::pow(1.0 + near.distance * near.distance, -beta);
        sum += (grid.velocity(near.entry) - own) * influence;
        count += 1;
    });
    (sum * (coupling / f64::from(count))).into()
}
