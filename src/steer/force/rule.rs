//! The flocking rule that frameworks compare themselves by: constant speed, the new direction a weighted sum.

use super::Push;
use crate::sim::obstacle::Hit;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense, Want};
use glam::DVec3;

/// Along the own direction, turned a little towards neighbors, along with them, and away from those too near.
pub const FLOCKING: ForceSpec = ForceSpec {
    name: "flocking",
    about: "Constant speed; the direction turns towards the middle of neighbors, along with them, and away from those too near.",
    source: "Mesa and Agents.jl, as compared in ABMFrameworksComparison; all agents at once: \
             h' ∝ h + c·mean(offset) − s·Σ offset of the near/n + m·mean(h)",
    unit: "m/s",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 15.0, (0.0, 100.0), "m", "agents up to this distance count"),
        Param::number("near", 1.0, (0.0, 100.0), "m", "agents up to this distance are too near"),
        Param {
            name: "from",
            kind: Kind::Group(""),
            unit: "",
            about: "the group whose agents count; empty: its own, \"any\": all",
        },
        Param::number("cohere", 0.03, (0.0, 10.0), "1/m", "factor on the mean offset of neighbors"),
        Param::number("separate", 0.015, (0.0, 10.0), "1/m", "factor on the offsets of those too near"),
        Param::number("match", 0.05, (0.0, 10.0), "", "factor on the mean direction of neighbors"),
        Param::number("speed", 1.0, (0.0, 100.0), "m/s", "speed of all"),
    ],
    compute: flocking,
};

fn flocking(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, near, from, cohere, separate, matching, speed] = p else {
        return Push::default();
    };
    let grid = &sense.world.grid;
    let (mut count, mut offsets, mut apart, mut velocities) = (0.0, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    if let Some(sums) = sense.sums {
        (count, offsets, apart, velocities) = (sums.offsets, sums.offset, sums.apart, sums.velocity);
    } else {
        sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |other| {
            count += 1.0;
            offsets += other.offset;
            velocities += grid.velocity(other.entry);
            if other.distance <= near {
                apart -= other.offset;
            }
        });
    }
    let own = grid.velocity_of(&sense.world.agents, sense.slot);
    let share = 1.0 / f64::max(count, 1.0);
    let unit = if speed > 0.0 { 1.0 / speed } else { 0.0 };
    let way = own * unit + (offsets * cohere + apart * separate + velocities * (matching * unit)) * share;
    let way = way.try_normalize().unwrap_or_else(|| sense.world.agents.forward(sense.slot));
    (way * speed).into()
}
