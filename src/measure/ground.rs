//! Small formulas that metrics share: circular statistics, closest approach.

use glam::DVec3;

/// Mean direction of angles in radians; `None` for none, or when they cancel out.
pub fn circular_mean(angles: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (x, y, n) = resultant(angles);
    (n > 0 && libm::hypot(x, y) > 1e-12 * n as f64).then(|| libm::atan2(y, x))
}

/// Circular standard deviation √(−2 ln R) in radians (Mardia, eq. 2.3.11), 0 for a single angle; `None` for none. Angles that
/// cancel out have no finite one; they count as R = 1e-12, 7.43 rad.
pub fn circular_sd(angles: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (x, y, n) = resultant(angles);
    if n == 0 {
        return None;
    }
    let r = (libm::hypot(x, y) / n as f64).clamp(1e-12, 1.0);
    Some((-2.0 * libm::log(r)).max(0.0).sqrt())
}

fn resultant(angles: impl IntoIterator<Item = f64>) -> (f64, f64, usize) {
    let add = |(x, y, n): (f64, f64, usize), a: f64| (x + libm::cos(a), y + libm::sin(a), n + 1);
    angles.into_iter().fold((0.0, 0.0, 0), add)
}

/// Smallest distance within `dt` seconds of two bodies that are `offset` apart now and move at `relative` m/s against each other.
pub fn closest_approach(offset: DVec3, relative: DVec3, dt: f64) -> f64 {
    let speed = relative.length_squared();
    let when = if speed > 0.0 { (-offset.dot(relative) / speed).clamp(0.0, dt) } else { 0.0 };
    (offset + relative * when).length()
}
