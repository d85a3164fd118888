//! Separation, alignment, cohesion (Reynolds 1987).
//!
//! Each saturating at `strength` instead of unit-normalized (E42), so that the
//! number of neighbors does not decide who wins (F11) and nothing flips its direction at equilibrium.

use super::Push;
use crate::sim::neighbors::sums::{Sums, TOUCHING};
use crate::sim::obstacle::Hit;
use crate::steer::batch::Batch;
use crate::steer::law::saturate;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense, Want};
use glam::DVec3;

const HALF_ANGLE: Param = Param {
    name: "half_angle",
    kind: Kind::Cone,
    unit: "rad",
    about: "half angle of the view cone round the way it looks; pi is all round",
};
pub(super) const FROM: Param = Param {
    name: "from",
    kind: Kind::Group(""),
    unit: "",
    about: "the group whose agents count; empty: its own, \"any\": all",
};
const MOST: Param = Param::number(
    "max_neighbors",
    0.0,
    (0.0, 256.0),
    "",
    "only the nearest so many count; 0: as many as the group allows",
);
const STRENGTH: Param = Param::number("strength", 2.0, (0.0, 50.0), "m/s2", "largest push at weight 1");

pub(super) const fn radius(default: f64) -> Param {
    Param::number("radius", default, (0.0, 100.0), "m", "agents up to this distance count")
}

/// Away from neighbors, more the nearer they are.
pub const SEPARATION: ForceSpec = ForceSpec {
    name: "separation",
    about: "Away from neighbors, the more the nearer they are.",
    source: "Reynolds 1987; linear taper 1 − d/r so that it begins at 0 at the radius (E22, E42)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        radius(1.5),
        HALF_ANGLE,
        FROM,
        MOST,
        STRENGTH,
        Param::number("soft", 0.5, (0.0, 10.0), "", "sum of closeness from which the push is full; 0 is bang-bang"),
    ],
    compute: separation,
};

fn separation(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, cosine, from, most, strength, soft] = p else {
        return Push::default();
    };
    if let Some(sums) = sense.sums {
        return separate(sums, strength, soft).into();
    }
    let inverse = 1.0 / radius.max(TOUCHING);
    let mut sum = DVec3::ZERO;
    sense.each(Want { radius, cosine, from, most }, |near| {
        if near.distance > TOUCHING {
            sum -= near.offset * (1.0 / near.distance - inverse);
        } else {
            sum -= sense.direction(&near);
        }
    });
    separate(&Sums { apart: sum, ..Sums::default() }, strength, soft).into()
}

#[inline]
fn separate(sums: &Sums, strength: f64, soft: f64) -> DVec3 {
    saturate(sums.apart, soft) * strength
}

/// [`SEPARATION`] of many agents.
pub(in crate::steer) fn separate_all(batch: &Batch<'_>, p: &[f64], weight: f64, pushes: &mut [DVec3]) {
    if let &[_, _, _, _, strength, soft] = p {
        batch.each(weight, pushes, |_, sums| separate(sums, strength, soft));
    }
}

/// Towards the mean velocity of neighbors.
pub const ALIGNMENT: ForceSpec = ForceSpec {
    name: "alignment",
    about: "Takes on the mean velocity of neighbors.",
    source: "Reynolds 1987: mean(v) − v, saturating (E42)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        radius(3.0),
        HALF_ANGLE,
        FROM,
        MOST,
        STRENGTH,
        Param::number(
            "soft",
            1.0,
            (0.0, 10.0),
            "m/s",
            "difference of velocity from which the push is full; 0 is bang-bang",
        ),
    ],
    compute: alignment,
};

fn alignment(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, cosine, from, most, strength, soft] = p else {
        return Push::default();
    };
    let grid = &sense.world.grid;
    let own = grid.velocity_of(&sense.world.agents, sense.slot);
    if let Some(sums) = sense.sums {
        return align(sums, own, strength, soft).into();
    }
    let mut sums = Sums::default();
    sense.each(Want { radius, cosine, from, most }, |near| {
        sums.velocity += grid.velocity(near.entry);
        sums.velocities += 1.0;
    });
    align(&sums, own, strength, soft).into()
}

#[inline]
fn align(sums: &Sums, own: DVec3, strength: f64, soft: f64) -> DVec3 {
    if sums.velocities < 1.0 {
        return DVec3::ZERO;
    }
    saturate(sums.velocity / sums.velocities - own, soft) * strength
}

/// [`ALIGNMENT`] of many agents.
pub(in crate::steer) fn align_all(batch: &Batch<'_>, p: &[f64], weight: f64, pushes: &mut [DVec3]) {
    if let &[_, _, _, _, strength, soft] = p {
        let grid = &batch.world.grid;
        batch.each(weight, pushes, |entry, sums| align(sums, grid.velocity(entry), strength, soft));
    }
}

/// Towards the middle of neighbors.
pub const COHESION: ForceSpec = ForceSpec {
    name: "cohesion",
    about: "Towards the middle of neighbors.",
    source: "Reynolds 1987: mean(p) − p as mean of offsets (F07), saturating (E42)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        radius(3.0),
        HALF_ANGLE,
        FROM,
        MOST,
        STRENGTH,
        Param::number(
            "soft",
            1.0,
            (0.0, 20.0),
            "m",
            "distance to the middle from which the push is full; 0 is bang-bang",
        ),
    ],
    compute: cohesion,
};

fn cohesion(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, cosine, from, most, strength, soft] = p else {
        return Push::default();
    };
    if let Some(sums) = sense.sums {
        return cohere(sums, strength, soft).into();
    }
    let mut sums = Sums::default();
    sense.each(Want { radius, cosine, from, most }, |near| {
        sums.offset += near.offset;
        sums.offsets += 1.0;
    });
    cohere(&sums, strength, soft).into()
}

#[inline]
fn cohere(sums: &Sums, strength: f64, soft: f64) -> DVec3 {
    if sums.offsets < 1.0 {
        return DVec3::ZERO;
    }
    saturate(sums.offset / sums.offsets, soft) * strength
}

/// [`COHESION`] of many agents.
pub(in crate::steer) fn cohere_all(batch: &Batch<'_>, p: &[f64], weight: f64, pushes: &mut [DVec3]) {
    if let &[_, _, _, _, strength, soft] = p {
        batch.each(weight, pushes, |_, sums| cohere(sums, strength, soft));
    }
}
