//! The social force of Helbing and Molnar 1995: equipotential lines are ellipses along the step that the other takes.

use super::{FROM, SIGHT, each_seen, fade, find_walls, grow};
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Distances are counted as √(r² + this²), m: at the other's place, and where its step ends, the gradient has no direction.
const SOFT: f64 = 1e-3;

/// Walls act up to so many times their length scale, where the push begins at 0.
const WALL_REACH: f64 = 8.0;

/// Away from where others are and will be, and from walls.
pub const SOCIAL_FORCE_1995: ForceSpec = ForceSpec {
    name: "social_force_1995",
    about: "Away from people along the gradient of an elliptic potential that reaches ahead of them, and away from walls.",
    source: "Helbing and Molnar 1995 (Phys. Rev. E 51, 4282), eqs. 3–8: V₀ 2.1 m²/s², σ 0.3 m, U₀ 10 m²/s², R 0.2 m, 2φ 200°, \
             c 0.5; the step of 2 s from memory of the paper",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 4.0, (0.0, 20.0), "m", "people up to this distance count; the push fades out before"),
        FROM,
        Param::number("V0", 2.1, (0.0, 50.0), "m2/s2", "potential of a person"),
        Param::number("sigma", 0.3, (0.02, 2.0), "m", "way over which it falls to 1/e"),
        Param::number("step", 2.0, (0.0, 5.0), "s", "how far ahead the other's step reaches; 0 makes circles"),
        Param::number("U0", 10.0, (0.0, 100.0), "m2/s2", "potential of a wall"),
        Param::number("R", 0.2, (0.02, 2.0), "m", "way over which it falls to 1/e"),
        Param {
            name: "half_angle",
            kind: Kind::View(1.745),
            unit: "rad",
            about: "half angle of the field of view round the way it looks",
        },
        Param::number("behind", 0.5, (0.0, 1.0), "", "weight of those outside of the field of view"),
        SIGHT,
    ],
    compute: social_force_1995,
};

/// The semi-minor axis b of the ellipse with foci at the other and at the end of its step, m, and its gradient; `from` is the
/// vector from the other, `step` the way it goes.
///
/// 2b = √((r₁ + r₂)² − s²) with r₁ = |from|, r₂ = |from − step|, s = |step|, so ∇b = (r₁ + r₂)(û₁ + û₂)/(4b). With softened
/// distances r₁ + r₂ exceeds s, and b never vanishes nor becomes imaginary; the root is clamped all the same, for rounding.
pub fn semi_minor(from: DVec3, step: DVec3) -> (f64, DVec3) {
    let ahead = from - step;
    let r1 = (from.length_squared() + SOFT * SOFT).sqrt();
    let r2 = (ahead.length_squared() + SOFT * SOFT).sqrt();
    let sum = r1 + r2;
    let b = 0.5 * (sum * sum - step.length_squared()).max(4.0 * SOFT * SOFT).sqrt();
    (b, (from * (1.0 / r1) + ahead * (1.0 / r2)) * (sum / (4.0 * b)))
}

fn social_force_1995(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, v0, sigma, step, u0, r, view, behind, sight] = p else {
        return Push::default();
    };
    let (sigma, r) = (sigma.max(1e-3), r.max(1e-3));
    let walls = find_walls(sense, WALL_REACH * r, radius, sight > 0.5, hits);
    let mut sum = DVec3::ZERO;
    let ending = law::exp(-WALL_REACH);
    for hit in hits.iter().filter(|hit| hit.distance < WALL_REACH * r) {
        sum += hit.normal * (u0 / r * (grow(-hit.distance / r) - ending));
    }
    let forward = if view > -1.0 { sense.world.agents.forward(sense.slot) } else { DVec3::ZERO };
    let (strength, falling) = (v0 / sigma, -1.0 / sigma);
    each_seen(sense, (radius, from), &walls, |near, _| {
        // Who stands in one place with another is pushed off it along a line of the pair's own.
        let offset = if near.distance > SOFT { near.offset } else { sense.direction(near) * SOFT };
        let (b, gradient) = semi_minor(-offset, sense.world.grid.velocity(near.entry) * step);
        // Seen is whose push comes from within the field of view: −∇b·e ≥ cos φ·|∇b|, compared by squares.
        let facing = -gradient.dot(forward);
        let (facing, least) = (facing * facing.abs(), view * view.abs() * gradient.length_squared());
        let weight = if view <= -1.0 || facing >= least { 1.0 } else { behind };
        sum += gradient * (strength * law::exp(b * falling) * (weight * fade(near.distance, radius)));
    });
    sum.into()
}
