//! What moving water does: a current that swirls.

use super::Push;
use crate::sim::Stream;
use crate::sim::obstacle::Hit;
use crate::sim::rng::Use;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Carries agents along with swirling water.
pub const CURRENT: ForceSpec = ForceSpec {
    name: "current",
    about: "Carried along by swirling water that has no sources and no sinks.",
    source: "curl noise (Bridson et al. 2007): u = (∂ψ/∂y, −∂ψ/∂x) of a smooth random ψ, so that its divergence is 0 (E45)",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("strength", 1.0, (0.0, 20.0), "m/s2", "mean push of the water"),
        Param::number("size", 6.0, (0.5, 200.0), "m", "size of the eddies: large is a broad flow, small is turbulence"),
        Param::number("change", 8.0, (0.1, 600.0), "s", "time in which the eddies change"),
        Param::number("drift_x", 0.0, (-20.0, 20.0), "m/s2", "steady part along +x"),
        Param::number("drift_y", 0.0, (-20.0, 20.0), "m/s2", "steady part along +y"),
    ],
    compute: current,
};

fn current(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[strength, size, change, x, y] = p else {
        return Push::default();
    };
    let (world, size) = (sense.world, size.max(1e-6));
    let field = Field { seed: world.settings.seed, time: world.time() / change.max(1e-6) };
    let swirl = if strength > 0.0 { field.curl(sense.position() / size) * (strength / MEAN) } else { DVec3::ZERO };
    (swirl + DVec3::new(x, y, 0.0)).into()
}

/// Mean length of the curl of the noise below: 0.8733 over a million and a half random knots, points and times.
const MEAN: f64 = 0.8733;

/// A smooth random field over the plane that changes with time; depths of one size each have their own.
struct Field {
    seed: u64,
    time: f64,
}

/// The quintic fade of improved noise (Perlin 2002) and its slope.
fn fade(t: f64) -> (f64, f64) {
    (t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0))
}

impl Field {
    /// The value at a knot of the lattice, in [−1, 1).
    fn knot(&self, x: i64, y: i64, slice: u64) -> f64 {
        Stream::with_salt(self.seed, x as u64, y as u64, Use::Force, 0x6375_7272 ^ slice << 32).uniform(-1.0, 1.0)
    }

    /// (∂ψ/∂y, −∂ψ/∂x) at a point in units of the eddies, by the exact slopes of the interpolation.
    fn curl(&self, p: DVec3) -> DVec3 {
        let (cx, cy) = (libm::floor(p.x), libm::floor(p.y));
        let ((fx, dx), (fy, dy)) = (fade(p.x - cx), fade(p.y - cy));
        let (ix, iy, depth) = (cx as i64, cy as i64, libm::floor(p.z) as i64 as u64);
        let whole = libm::floor(self.time);
        let (blend, _) = fade(self.time - whole);
        let mut sum = DVec3::ZERO;
        for (slice, share) in [(whole, 1.0 - blend), (whole + 1.0, blend)] {
            let slice = (slice as u64).wrapping_add(depth.wrapping_mul(0x9e37_79b9));
            let [a, b, c, d] =
                [(ix, iy), (ix + 1, iy), (ix, iy + 1), (ix + 1, iy + 1)].map(|(x, y)| self.knot(x, y, slice));
            let along_x = dx * ((b - a) * (1.0 - fy) + (d - c) * fy);
            let along_y = dy * ((c - a) * (1.0 - fx) + (d - b) * fx);
            sum += DVec3::new(along_y, -along_x, 0.0) * share;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, MEAN};
    use glam::DVec3;

    #[test]
    fn the_current_has_no_sources_and_no_sinks_but_vortices() {
        let field = Field { seed: 3, time: 0.4 };
        let h = 1e-5;
        let mut turning = 0.0_f64;
        for k in 0..200 {
            let p = DVec3::new(f64::from(k) * 0.37, f64::from(k) * -0.23, 0.0);
            let slope = |d: DVec3| (field.curl(p + d * h) - field.curl(p - d * h)) / (2.0 * h);
            let (x, y) = (slope(DVec3::X), slope(DVec3::Y));
            assert!((x.x + y.y).abs() < 1e-5, "divergence {} at {p}", x.x + y.y);
            turning = turning.max((x.y - y.x).abs());
        }
        assert!(turning > 1.0, "{turning}");
    }

    #[test]
    fn its_mean_is_what_strength_is_measured_by() {
        let mut sum = 0.0;
        for seed in 0..20 {
            let field = Field { seed, time: f64::from(seed as u32) * 0.77 };
            sum += (0..500)
                .map(|k| field.curl(DVec3::new(f64::from(k) * 0.731, f64::from(k) * 0.417, 0.0)).length())
                .sum::<f64>();
        }
        let mean = sum / 10_000.0;
        assert!((mean / MEAN - 1.0).abs() < 0.03, "{mean}");
    }

    #[test]
    fn it_goes_on_smoothly_in_space_and_time() {
        let at = |x: f64, time: f64| Field { seed: 1, time }.curl(DVec3::new(x, 0.3, 0.0));
        for k in -50..50 {
            let x = f64::from(k);
            assert!((at(x - 1e-9, 0.5) - at(x + 1e-9, 0.5)).length() < 1e-6, "seam at {x}");
            assert!((at(0.2, x.abs() - 1e-9) - at(0.2, x.abs() + 1e-9)).length() < 1e-6, "jump at {x}");
        }
    }
}
