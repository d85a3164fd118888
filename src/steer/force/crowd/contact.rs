//! The social force of Helbing, Farkas and Vicsek 2000: exponential repulsion, bodies that are pressed, and sliding friction.
//!
//! # Why the contacts are limited, and how
//!
//! The published constants are stiff. With κ = 2.4·10⁵ kg/(m s) and an overlap of 10 cm the sliding of one pair decays within
//! 2 ms; a step of Euler's method of 1/60 s would multiply it by −9 instead. A force sees the frozen world only, so each pair
//! computes an impulse of its own, and all impulses of a tick together must be sound whatever the crowd does.
//!
//! *Friction.* In a tick of length h pair ij changes the tangential part of vᵢ − vⱼ by impulses m·wᵢⱼ on either side, opposite
//! and equal (so momentum is kept). Exact for small steps is wᵢⱼ = xᵢⱼ = h·κ·g/m. Let Tᵢ = Σⱼ xᵢⱼ·t·tᵀ over all contacts of i,
//! walls included, and τᵢ its largest eigenvalue. With
//!
//! ```text
//! wᵢⱼ = xᵢⱼ·min(1, 1/(τᵢ + τⱼ))          at a wall  wᵢ = xᵢ·min(1, 1/τᵢ)
//! ```
//!
//! the velocities become (I − L)v with zᵀLz = Σ wᵢⱼ(t·(zᵢ − zⱼ))² + Σ wᵢ(t·zᵢ)². By Cauchy's inequality
//! (a − b)² ≤ (τᵢ + τⱼ)(a²/τᵢ + b²/τⱼ), so zᵀLz ≤ Σᵢ zᵢᵀTᵢzᵢ/τᵢ ≤ zᵀz: all eigenvalues of L are in [0, 1]. Friction therefore
//! stops sliding at most, never reverses it, and never adds kinetic energy, in any crowd and at any step.
//!
//! *Compression.* With Nᵢ = Σⱼ s·n·nᵀ, where s is the slope of the normal force by the overlap divided by m, and νᵢ its largest
//! eigenvalue, what exceeds the push at contact is multiplied by θ = min(1, q/(h²(νᵢ + νⱼ))). In the same way the stiffness
//! matrix K obeys h²K ≤ q. For x″ = −Kx − (L/h)x′ by semi-implicit Euler every eigenvalue z solves z² − (2 − l − k)z + (1 − l)
//! = 0 with l, k the Rayleigh quotients of L and h²K; it stays in the unit circle while 4 − 2l − k ≥ 0, which l ≤ 1 and
//! k ≤ q < 2 grant. The linear system is stable whatever L and K have in common.
//!
//! N and T of an agent do not depend on who asks, so each is computed once per tick (`load`).
//!
//! Where a step is short enough nothing is limited and the law is the published one; at 60 ticks per second dense crowds under
//! pressure have softer bodies and less friction than it. For its figures take 500 ticks per second or more.

use super::load::{Load, Press};
use super::{FROM, MARGIN, SIGHT, each_seen, find_walls, grow, unit_to};
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// q of the derivation above.
const STIFFEST: f64 = 1.8;

/// Walls act up to this far beyond contact, m, where the push begins at 0.
const WALL_REACH: f64 = 1.0;

/// Away from people and walls; pressed bodies resist, and rub against each other.
pub const SOCIAL_FORCE_2000: ForceSpec = ForceSpec {
    name: "social_force_2000",
    about: "Away from people and walls; where bodies are pressed they resist, and slide with friction.",
    source: "Helbing, Farkas and Vicsek 2000 (Nature 407, 487): A 2000 N, B 0.08 m, k 1.2e5 kg/s², κ 2.4e5 kg/(m s), m 80 kg; \
             contacts limited so that no step is too long for them",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number(
            "radius",
            2.0,
            (0.0, 20.0),
            "m",
            "people up to this distance count; at least four bodies wide for pressed crowds",
        ),
        FROM,
        Param::number("mass", 80.0, (1.0, 1000.0), "kg", "mass of a person"),
        Param::number("A", 2000.0, (0.0, 10_000.0), "N", "push at contact"),
        Param::number("B", 0.08, (0.02, 2.0), "m", "way over which it falls to 1/e"),
        Param::number("k", 1.2e5, (0.0, 1e6), "kg/s2", "stiffness of bodies"),
        Param::number("kappa", 2.4e5, (0.0, 1e6), "kg/(m s)", "sliding friction of bodies per overlap"),
        MARGIN,
        SIGHT,
    ],
    compute: social_force_2000,
};

/// The numbers of the law, divided by the mass.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// A/m, m/s².
    pub push: f64,
    /// B, m.
    pub length: f64,
    /// k/m, 1/s².
    pub stiffness: f64,
    /// κ/m, 1/(m s).
    pub friction: f64,
}

impl Law {
    /// The share of the sliding that friction would take per second, x/h (1/s), and the slope of the normal push, s (1/s²), at an
    /// overlap.
    pub(super) fn contact(&self, overlap: f64) -> (f64, f64) {
        let slope = self.push / self.length * grow(overlap / self.length) + self.stiffness;
        (self.friction * overlap, slope)
    }

    /// The push along the normal at an overlap (negative: a gap), m/s²; what exceeds the push at contact is multiplied by `theta`.
    pub fn normal(&self, overlap: f64, theta: f64) -> f64 {
        let social = self.push * grow(overlap / self.length);
        if overlap <= 0.0 { social } else { self.push + theta * (social - self.push + self.stiffness * overlap) }
    }
}

/// Factor θ on what exceeds the push at contact, and w/h (1/s), for the sum of the loads of a pair, or the load at a wall; `rub`
/// is x/h, 1/s.
fn limits(rub: f64, load: Load, dt: f64) -> (f64, f64) {
    let theta = (STIFFEST / (dt * dt * load.normal).max(1e-12)).min(1.0);
    (theta, rub / (dt * load.tangent).max(1.0))
}

fn social_force_2000(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, mass, a, b, k, kappa, margin, sight] = p else {
        return Push::default();
    };
    let (mass, dt) = (mass.max(1e-3), sense.ahead());
    let law = Law { push: a / mass, length: b.max(1e-3), stiffness: k / mass, friction: kappa / mass };
    let own = sense.world.agents.radius[sense.slot] + margin;
    let reach = own + WALL_REACH;
    let walls = find_walls(sense, reach.max(radius), radius, sight > 0.5, hits);
    let nearest_wall = hits.first().map_or(f64::INFINITY, |hit| hit.distance);
    let press = Press { sense, law, margin, from };
    let mut own_load: Option<Load> = None;
    let mut sum = DVec3::ZERO;
    if nearest_wall < own {
        own_load = Some(press.load(sense.slot, hits));
        find_walls(sense, reach, radius, false, hits);
    }
    let ending = law.normal(-WALL_REACH, 1.0);
    for hit in hits.iter().filter(|hit| hit.distance < reach) {
        let overlap = own - hit.distance;
        let Some(load) = own_load.filter(|_| overlap > 0.0) else {
            sum += hit.normal * (law.normal(overlap, 1.0) - ending);
            continue;
        };
        let (rub, _) = law.contact(overlap);
        let (theta, rubbing) = limits(rub, load, dt);
        sum += hit.normal * (law.normal(overlap, theta) - ending);
        sum -= law::across(sense.velocity(), hit.normal) * rubbing;
    }
    let (mut known, mut cut) = (f64::NAN, 0.0);
    each_seen(sense, (radius, from), &walls, |near, other| {
        let its = sense.world.agents.radius[other] + margin;
        let overlap = own + its - near.distance;
        if its.to_bits() != known.to_bits() {
            (known, cut) = (its, law.normal((own + its - radius).min(0.0), 1.0));
        }
        let to = unit_to(sense, near);
        if overlap <= 0.0 {
            sum -= to * (law.normal(overlap, 1.0) - cut);
            return;
        }
        let mine = *own_load.get_or_insert_with(|| press.load(sense.slot, hits));
        let theirs = press.load(other, hits);
        let both = Load { normal: mine.normal + theirs.normal, tangent: mine.tangent + theirs.tangent };
        let (rub, _) = law.contact(overlap);
        let (theta, rubbing) = limits(rub, both, dt);
        sum -= to * (law.normal(overlap, theta) - cut);
        sum -= law::across(sense.velocity() - sense.world.grid.velocity(near.entry), to) * rubbing;
    });
    sum.into()
}
