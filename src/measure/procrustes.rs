//! The turn and move that bring one set of points nearest to another.

use glam::DVec3;

/// How places fit the agents that stand on them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Turn about +z, in radians.
    pub angle: f64,
    /// Move after the turn, in meters.
    pub translation: DVec3,
    /// What is left, root mean square, in meters.
    pub rms: f64,
}

/// min over turns R and moves t of √(Σ‖R q + t − p‖²/n), for pairs (q, p). In the plane it has a closed form (Kabsch):
/// angle = atan2(Σ q×p, Σ q·p) of the centered points. `None` without pairs.
pub fn fit(pairs: impl Iterator<Item = (DVec3, DVec3)> + Clone) -> Option<Fit> {
    let (mut q_sum, mut p_sum, mut n) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (q, p) in pairs.clone() {
        q_sum += q;
        p_sum += p;
        n += 1.0;
    }
    if n == 0.0 {
        return None;
    }
    let (q_mean, p_mean) = (q_sum / n, p_sum / n);
    let (mut cross, mut dot) = (0.0, 0.0);
    for (q, p) in pairs.clone() {
        let (q, p) = (q - q_mean, p - p_mean);
        cross += q.x * p.y - q.y * p.x;
        dot += q.x * p.x + q.y * p.y;
    }
    let angle = libm::atan2(cross, dot);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let turned = |q: DVec3| DVec3::new(cos * q.x - sin * q.y, sin * q.x + cos * q.y, q.z);
    let rest: f64 = pairs.map(|(q, p)| (turned(q - q_mean) - (p - p_mean)).length_squared()).sum();
    Some(Fit { angle, translation: p_mean - turned(q_mean), rms: (rest / n).sqrt() })
}
