//! Small laws that several forces share: saturation, seeking, arriving, walls.

use glam::DVec3;

/// The vector divided by max(its length, `soft`): at most 1 long, and fading to 0 with it instead of flipping its direction
/// (E42). `soft` 0 is bang-bang: the unit vector, zero for the zero vector.
#[inline]
pub fn saturate(v: DVec3, soft: f64) -> DVec3 {
    let length = v.length();
    let divisor = length.max(soft);
    if divisor > 0.0 { v / divisor } else { DVec3::ZERO }
}

/// The acceleration that brings velocity `v` to `wanted` in the relaxation time, m/s².
#[inline]
pub fn relax(wanted: DVec3, v: DVec3, relaxation: f64) -> DVec3 {
    (wanted - v) / relaxation
}

/// The velocity towards a point `offset` away at full speed, m/s; zero at the point.
pub fn seek(offset: DVec3, max_speed: f64) -> DVec3 {
    offset.normalize_or_zero() * max_speed
}

/// Share of the acceleration limit that arrival plans to brake with: the rest is for the body's lag behind the profile.
pub const BRAKING_SHARE: f64 = 0.7;

/// The velocity that arrives at a point `offset` away, which moves with `drift`, m/s.
///
/// Speed √(2·a·d) (E27: constant braking with a), near the point linear in d with gain 1/(4·`response`), which is critical
/// damping for a body that answers within `response` seconds; both meet with equal slope. Never above `max_speed` relative to
/// the point.
pub fn arrive(offset: DVec3, drift: DVec3, max_speed: f64, braking: f64, response: f64) -> DVec3 {
    let distance = offset.length();
    if distance < 1e-12 {
        return drift;
    }
    let gain = 1.0 / (4.0 * response.max(1e-3));
    let braking = braking.max(1e-6);
    let linear = braking / (gain * gain);
    let speed = if distance <= linear { gain * distance } else { (2.0 * braking * (distance - 0.5 * linear)).sqrt() };
    drift + offset * (speed.min(max_speed.max(0.0)) / distance)
}

/// Repulsion k(1/d − 1/r)/d² of a wall at distance `d` (Khatib 1986, IJRR 5:90, eq. 8), 0 from `r` on, at most `cap`. It
/// begins at 0 with slope, and grows steeply (E08).
#[inline]
pub fn soft_wall(d: f64, r: f64, k: f64, cap: f64) -> f64 {
    if d >= r {
        return 0.0;
    }
    if d <= 1e-6 {
        return cap;
    }
    (k * (1.0 / d - 1.0 / r) / (d * d)).min(cap)
}

/// A ramp from 0 at `low` to 1 at `high` with level ends (3t² − 2t³).
#[inline]
pub fn smooth_step(x: f64, low: f64, high: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The share of a straight way that is done after the share `u` of its time: 10u³ − 15u⁴ + 6u⁵, at rest at both ends (Flash and
/// Hogan 1985, minimum jerk).
#[inline]
pub fn minimum_jerk(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// Peak speed of [`minimum_jerk`] for a way of 1 in a time of 1.
pub const PEAK_SPEED: f64 = 1.875;

/// Peak acceleration of [`minimum_jerk`] for a way of 1 in a time of 1: 10/√3.
pub const PEAK_ACCELERATION: f64 = 5.773_502_691_896_258;

/// `v` without its part along the unit vector `n`.
#[inline]
pub fn across(v: DVec3, n: DVec3) -> DVec3 {
    v - n * v.dot(n)
}

/// The σ-norm of a distance, (√(1 + ε·z²) − 1)/ε: smooth where the norm is not (Olfati-Saber 2006, eq. 8).
#[inline]
pub fn sigma_norm(z: f64, epsilon: f64) -> f64 {
    ((1.0 + epsilon * z * z).sqrt() - 1.0) / epsilon
}

/// The action of an α-lattice (Olfati-Saber 2006, eqs. 10 and 15).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaLattice {
    /// Distance that neighbors want, m.
    pub distance: f64,
    /// Distance up to which they interact, m.
    pub range: f64,
    /// ε of the σ-norm.
    pub epsilon: f64,
    /// Largest repulsion and attraction: 0 < a ≤ b.
    pub limits: (f64, f64),
    /// Where the bump function begins to fall, as a share of the range.
    pub bump: f64,
}

impl AlphaLattice {
    /// φ_α at the distance `r`: negative pushes away, positive pulls, 0 from the range on.
    pub fn action(&self, r: f64) -> f64 {
        let norm = |z: f64| sigma_norm(z, self.epsilon);
        let (z, range, distance) = (norm(r), norm(self.range), norm(self.distance));
        let (a, b) = self.limits;
        let c = (a - b).abs() / (4.0 * a * b).sqrt();
        let shifted = z - distance + c;
        let phi = 0.5 * ((a + b) * (shifted / (1.0 + shifted * shifted).sqrt()) + (a - b));
        bump(z / range, self.bump) * phi
    }
}

/// 1 up to `from`, then down to 0 at 1 as a cosine (Olfati-Saber 2006, eq. 10).
fn bump(z: f64, from: f64) -> f64 {
    if (0.0..from).contains(&z) {
        1.0
    } else if (from..1.0).contains(&z) {
        0.5 * (1.0 + libm::cos(std::f64::consts::PI * (z - from) / (1.0 - from)))
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::{AlphaLattice, sigma_norm};

    /// Reference cases V17 and V18.
    #[test]
    fn the_lattice_action_has_the_published_values() {
        assert!((sigma_norm(7.0, 0.1) - 14.289_915_602_982).abs() < 1e-12);
        assert!((sigma_norm(8.4, 0.1) - 18.383_093_559_371).abs() < 1e-12);
        let lattice = AlphaLattice { distance: 7.0, range: 8.4, epsilon: 0.1, limits: (5.0, 5.0), bump: 0.2 };
        let cases = [
            (1.0, -4.986_927_428),
            (3.0, -4.976_847_002),
            (5.0, -3.631_804_437),
            (6.0, -2.148_122_476),
            (7.0, 0.0),
            (7.5, 0.319_577_364),
            (8.0, 0.074_744_058),
            (8.4, 0.0),
        ];
        for (r, expected) in cases {
            assert!((lattice.action(r) - expected).abs() < 1e-9, "{r}: {}", lattice.action(r));
        }
    }
}
