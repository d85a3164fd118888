//! Self-propelled particles that take on the mean heading of their neighbors, with noise (Vicsek et al. 1995).

use super::Push;
use super::flock::{FROM, radius};
use crate::sim::obstacle::Hit;
use crate::sim::rng::Use;
use crate::sim::{Stream, angle};
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense, Want};

/// Mean heading of all who are near, plus noise.
pub const VICSEK: ForceSpec = ForceSpec {
    name: "vicsek",
    about: "The mean heading of all within a radius, itself included, plus noise; always at one speed.",
    source: "Vicsek et al. 1995, eqs. 1 and 2: θ ← atan2(Σ sin θ, Σ cos θ) + Δθ, Δθ evenly from [−η/2, η/2]; the place goes on by the heading before where the integrator is ExplicitEuler",
    unit: "m/s",
    turns: false,
    keeps: false,
    params: &[
        radius(1.0),
        FROM,
        Param::number("speed", 0.03, (0.0, 50.0), "m/s", "the speed of everybody"),
        Param::number("noise", 1.0, (0.0, std::f64::consts::TAU), "rad", "width η of the uniform noise"),
    ],
    compute: vicsek,
};

fn vicsek(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, from, speed, noise] = p else {
        return Push::default();
    };
    let (world, agents) = (sense.world, &sense.world.agents);
    let mut sum = agents.forward(sense.slot);
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| sum += agents.forward(sense.slot_of(near.entry)));
    // The number that the first draw of a script gives this agent in this tick, so that the twin walks the same way.
    let id = agents.id(sense.slot as u32);
    let life = 2 * u64::from(id.generation);
    let luck =
        Stream::with_salt(world.settings.seed, u64::from(id.slot), world.tick, Use::Script, life).uniform(-0.5, 0.5);
    (angle::direction(angle::angle_of(sum) + luck * noise) * speed).into()
}
