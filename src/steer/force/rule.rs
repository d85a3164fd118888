//! The flocking rule that frameworks compare themselves by: constant speed, the new direction a weighted sum.

use super::Push;
use crate::sim::neighbors::sums::Sums;
use crate::sim::obstacle::Hit;
use crate::steer::batch::Batch;
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
    let Some(rule) = Rule::of(p) else {
        return Push::default();
    };
    let (grid, agents) = (&sense.world.grid, &sense.world.agents);
    let own = grid.velocity_of(agents, sense.slot);
    if let Some(sums) = sense.sums {
        return rule.way(sums, own, || agents.forward(sense.slot)).into();
    }
    let mut sums = Sums::default();
    let &[radius, near, from, ..] = p else {
        return Push::default();
    };
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |other| {
        sums.offsets += 1.0;
        sums.offset += other.offset;
        sums.velocity += grid.velocity(other.entry);
        if other.distance <= near {
            sums.apart -= other.offset;
        }
    });
    rule.way(&sums, own, || agents.forward(sense.slot)).into()
}

/// [`FLOCKING`] of many agents.
pub(in crate::steer) fn flock_all(batch: &Batch<'_>, p: &[f64], weight: f64, pushes: &mut [DVec3]) {
    let (grid, agents) = (&batch.world.grid, &batch.world.agents);
    if let Some(rule) = Rule::of(p) {
        batch.each(weight, pushes, |entry, sums| {
            rule.way(sums, grid.velocity(entry), || agents.forward(grid.slot(entry) as usize))
        });
    }
}

/// The numbers of the rule.
#[derive(Clone, Copy)]
struct Rule {
    cohere: f64,
    separate: f64,
    matching: f64,
    speed: f64,
    /// From a velocity to a direction, s/m.
    unit: f64,
}

impl Rule {
    fn of(p: &[f64]) -> Option<Self> {
        let &[_, _, _, cohere, separate, matching, speed] = p else {
            return None;
        };
        let unit = if speed > 0.0 { 1.0 / speed } else { 0.0 };
        Some(Self { cohere, separate, matching: matching * unit, speed, unit })
    }

    /// The velocity that an agent takes, m/s; `forward` is asked where no direction comes out.
    #[inline]
    fn way(&self, sums: &Sums, own: DVec3, forward: impl Fn() -> DVec3) -> DVec3 {
        let share = 1.0 / sums.offsets.max(1.0);
        let turn = sums.offset * self.cohere + sums.apart * self.separate + sums.velocity * self.matching;
        let way = own * self.unit + turn * share;
        let squared = way.length_squared();
        // Shorter than that it has no direction.
        if squared > 1e-30 { way * (self.speed / squared.sqrt()) } else { forward() * self.speed }
    }
}
