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

/// eˣ for x from −700 to 700, beyond as at these ends, to 4·10⁻¹⁶ of its value.
///
/// x = k·ln 2 + r with |r| ≤ ln 2/2, the series of eʳ up to r¹², times 2ᵏ: additions and products only, so the same on every
/// machine, and less than half the time of `libm::exp` where a force takes one per neighbor.
#[inline]
pub fn exp(x: f64) -> f64 {
    // ln 2 in two parts, the first with so few digits that its product with k is exact.
    const LN2: (f64, f64) = (6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10);
    // Added to a number, this leaves its nearest whole number in the lowest bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let x = x.clamp(-700.0, 700.0);
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN2.0) - k * LN2.1;
    let r2 = r * r;
    let r4 = r2 * r2;
    let low = (1.0 + r) + r2 * (1.0 / 2.0 + r * (1.0 / 6.0));
    let middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0));
    let high = (1.0 / 40_320.0 + r * (1.0 / 362_880.0))
        + r2 * (1.0 / 3_628_800.0 + r * (1.0 / 39_916_800.0))
        + r4 * (1.0 / 479_001_600.0);
    let whole = shifted.to_bits().wrapping_sub(ROUND.to_bits());
    (low + r4 * (middle + r4 * high)) * f64::from_bits(whole.wrapping_add(1023) << 52)
}

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
    use super::{AlphaLattice, exp, sigma_norm};

    #[test]
    fn the_short_exponential_agrees_with_the_long_one() {
        let mut worst = 0.0_f64;
        for step in -70_000..=70_000 {
            let x = (f64::from(step) * 0.01 + 0.003 * f64::from(step % 3)).clamp(-700.0, 700.0);
            worst = worst.max((exp(x) / libm::exp(x) - 1.0).abs());
        }
        assert!(worst < 7e-16, "{worst}");
        assert_eq!(exp(0.0).to_bits(), 1.0_f64.to_bits());
        assert!(exp(1e6).is_finite() && exp(f64::NEG_INFINITY) > 0.0 && exp(f64::NEG_INFINITY) < 1e-300);
        assert!(exp(f64::NAN).is_nan());
    }

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
