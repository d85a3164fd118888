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

/// `v` without its part along the unit vector `n`.
#[inline]
pub fn across(v: DVec3, n: DVec3) -> DVec3 {
    v - n * v.dot(n)
}
