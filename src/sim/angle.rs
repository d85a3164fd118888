//! Angles: radians, 0 = +x, counter-clockwise; the one gate that every difference passes.

use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// Brings an angle (radians, any multiple of a turn off) into (−π, π]. Non-finite angles come back unchanged.
#[must_use]
pub fn wrap_angle(angle: f64) -> f64 {
    if angle > -PI && angle <= PI {
        return angle;
    }
    if !angle.is_finite() {
        return angle;
    }
    let turned = angle - TAU * libm::floor((angle + PI) / TAU);
    if turned <= -PI {
        turned + TAU
    } else if turned > PI {
        turned - TAU
    } else {
        turned
    }
}

/// The planar angle of a vector, radians in (−π, π]; 0 for the zero vector.
#[must_use]
pub fn angle_of(v: DVec3) -> f64 {
    if v.x == 0.0 && v.y == 0.0 {
        return 0.0;
    }
    wrap_angle(libm::atan2(v.y, v.x))
}

/// The planar unit vector of an angle (radians).
#[must_use]
pub fn direction(angle: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(angle);
    DVec3::new(cos, sin, 0.0)
}

#[cfg(test)]
mod tests {
    use super::wrap_angle;
    use std::f64::consts::{PI, TAU};

    #[test]
    fn f04_difference_across_the_seam_is_short() {
        let to = -179_f64.to_radians();
        let from = 179_f64.to_radians();
        assert!((wrap_angle(to - from) - 2_f64.to_radians()).abs() < 1e-12);
    }

    #[test]
    fn f04_whole_turns_do_not_matter_and_the_range_is_half_open() {
        for k in -5..=5 {
            for step in -100..=100 {
                let angle = f64::from(step) * PI / 100.0 * 0.999;
                let turned = wrap_angle(angle + f64::from(k) * TAU);
                assert!((turned - angle).abs() < 1e-9, "{angle} {k}");
            }
        }
        assert_eq!(wrap_angle(-PI), PI);
        assert_eq!(wrap_angle(PI), PI);
    }
}
