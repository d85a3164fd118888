//! What moving water does: a current that swirls.

use super::Push;
use crate::sim::obstacle::Hit;
use crate::sim::rng::steady;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Carries agents along with swirling water.
pub const CURRENT: ForceSpec = ForceSpec {
    name: "current",
    about: "Carried along by swirling water that has no sources and no sinks.",
    source: "curl noise (Bridson et al. 2007): u = ∇×ψ of a smooth random ψ, upright in a flat world, so that its divergence is 0 (E45)",
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
    let at = sense.position() / size;
    let swirl = if strength <= 0.0 {
        DVec3::ZERO
    } else if world.settings.planar {
        field.flat_curl(at) * (strength / MEAN)
    } else {
        field.deep_curl(at) * (strength / DEEP_MEAN)
    };
    (swirl + DVec3::new(x, y, 0.0)).into()
}

/// Mean length of the curl of the flat field below: 0.8733 over a million and a half random knots, points and times.
const MEAN: f64 = 0.8733;

/// The same of the deep field, over 400,000.
const DEEP_MEAN: f64 = 1.466;

/// Random fields that are smooth in space and time, and the curls of their potentials.
struct Field {
    seed: u64,
    time: f64,
}

/// Names the fields of the water among all steady numbers of a seed.
const WATER: i64 = 0x6375_7272;

/// The quintic fade of improved noise (Perlin 2002) and its slope.
fn fade(t: f64) -> (f64, f64) {
    (t * t * t * (t * (t * 6.0 - 15.0) + 10.0), 30.0 * t * t * (t * (t - 2.0) + 1.0))
}

/// A random field over one square of its lattice: the value at a point, and the slopes along x and y.
struct Patch {
    value: f64,
    along_x: f64,
    along_y: f64,
}

impl Field {
    /// (∂ψ/∂y, −∂ψ/∂x) at a point in units of the eddies, by the exact slopes of the interpolation.
    fn flat_curl(&self, p: DVec3) -> DVec3 {
        self.blended(|slice| {
            let patch = self.patch(p, 0, WATER | slice << 32);
            DVec3::new(patch.along_y, -patch.along_x, 0.0)
        })
    }

    /// ∇×(α, β, γ) of three random fields in space, at a point in units of the eddies. At depth 0 γ is the potential of the flat
    /// field. The lattices stand a third apart, so that the planes of knots, where a field rests, are not shared.
    fn deep_curl(&self, p: DVec3) -> DVec3 {
        let third = DVec3::splat(1.0 / 3.0);
        self.blended(|slice| {
            let salt = WATER | slice << 32;
            let (alpha, beta) = (self.slopes(p + third, salt + 1), self.slopes(p + 2.0 * third, salt + 2));
            let gamma = self.slopes(p, salt);
            DVec3::new(gamma.y - beta.z, alpha.z - gamma.x, beta.x - alpha.y)
        })
    }

    /// What is asked of two slices of time, blended.
    fn blended(&self, at: impl Fn(i64) -> DVec3) -> DVec3 {
        let whole = libm::floor(self.time);
        let (blend, _) = fade(self.time - whole);
        at(whole as i64) * (1.0 - blend) + at(whole as i64 + 1) * blend
    }

    /// Slopes of a field in space: two layers of patches, blended.
    fn slopes(&self, p: DVec3, salt: i64) -> DVec3 {
        let layer = libm::floor(p.z);
        let (fz, dz) = fade(p.z - layer);
        let (low, high) = (self.patch(p, layer as i64, salt), self.patch(p, layer as i64 + 1, salt));
        DVec3::new(
            low.along_x + (high.along_x - low.along_x) * fz,
            low.along_y + (high.along_y - low.along_y) * fz,
            dz * (high.value - low.value),
        )
    }

    /// A field over the plane. Layers of a field in space are far parts of one plane.
    fn patch(&self, p: DVec3, layer: i64, salt: i64) -> Patch {
        let (cx, cy) = (libm::floor(p.x), libm::floor(p.y));
        let ((fx, dx), (fy, dy)) = (fade(p.x - cx), fade(p.y - cy));
        let (ix, iy) = ((cx as i64).wrapping_add(layer << 21), cy as i64);
        let knot = |x: i64, y: i64| steady(self.seed, [x, y, salt]);
        let (a, b, c, d) = (knot(ix, iy), knot(ix + 1, iy), knot(ix, iy + 1), knot(ix + 1, iy + 1));
        let (low, high) = (a + (b - a) * fx, c + (d - c) * fx);
        Patch {
            value: low + (high - low) * fy,
            along_x: dx * ((b - a) * (1.0 - fy) + (d - c) * fy),
            along_y: dy * ((c - a) * (1.0 - fx) + (d - b) * fx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEEP_MEAN, Field, MEAN};
    use glam::DVec3;

    type Curl = fn(&Field, DVec3) -> DVec3;

    /// Points all over the cells of the lattice.
    fn points() -> impl Iterator<Item = DVec3> {
        (0..200).map(|k| DVec3::new(f64::from(k) * 0.37 - 20.0, f64::from(k) * 0.23 + 3.0, f64::from(k) * 0.19 - 9.0))
    }

    #[test]
    fn the_current_has_no_sources_and_no_sinks_but_vortices() {
        let field = Field { seed: 3, time: 7.3 };
        for curl in [Field::flat_curl as Curl, Field::deep_curl] {
            let mut turning = 0.0_f64;
            for p in points() {
                let h = 1e-5;
                let slope = |axis: DVec3| (curl(&field, p + axis * h) - curl(&field, p - axis * h)) / (2.0 * h);
                let (x, y, z) = (slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
                assert!((x.x + y.y + z.z).abs() < 1e-5, "divergence {} at {p}", x.x + y.y + z.z);
                turning = turning.max((x.y - y.x).abs());
            }
            assert!(turning > 1.0, "{turning}");
        }
    }

    #[test]
    fn its_mean_is_what_strength_is_measured_by() {
        for (curl, whole) in [(Field::flat_curl as Curl, MEAN), (Field::deep_curl, DEEP_MEAN)] {
            let mut sum = 0.0;
            for seed in 0..20 {
                let field = Field { seed, time: f64::from(seed as u32) * 0.77 };
                let at = |k: i32| DVec3::new(f64::from(k) * 0.731, f64::from(k) * 0.417, f64::from(k) * 0.293);
                sum += (0..500).map(|k| curl(&field, at(k)).length()).sum::<f64>();
            }
            let mean = sum / 10_000.0;
            assert!((mean / whole - 1.0).abs() < 0.03, "{mean}");
        }
    }

    /// It once jumped between layers of one eddy's depth.
    #[test]
    fn it_goes_on_smoothly_in_space_depth_and_time() {
        for curl in [Field::flat_curl as Curl, Field::deep_curl] {
            let at = |p: DVec3, time: f64| curl(&Field { seed: 1, time }, p);
            for k in -50..50 {
                for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                    // The knots of all three lattices.
                    for part in [0.0, 1.0 / 3.0, 2.0 / 3.0] {
                        let p = DVec3::new(0.2, 0.3, 0.4)
                            + axis * (f64::from(k) + part - axis.dot(DVec3::new(0.2, 0.3, 0.4)));
                        let jump = (at(p - axis * 1e-9, 0.5) - at(p + axis * 1e-9, 0.5)).length();
                        assert!(jump < 1e-6, "seam of {jump} at {p}");
                    }
                }
                let time = f64::from(k).abs();
                let jump = (at(DVec3::splat(0.2), time - 1e-9) - at(DVec3::splat(0.2), time + 1e-9)).length();
                assert!(jump < 1e-6, "jump of {jump} at time {time}");
            }
        }
    }

    /// Depth is not another roll of the dice: a step of a hundredth of an eddy changes little, at any depth.
    #[test]
    fn a_step_in_depth_changes_the_flow_by_a_step() {
        let field = Field { seed: 5, time: 1.2 };
        for k in 0..2000 {
            let p = DVec3::new(0.31, 7.77, f64::from(k) * 0.01 - 10.0);
            let change = (field.deep_curl(p) - field.deep_curl(p + DVec3::Z * 0.01)).length();
            assert!(change < 0.25, "{change} at depth {}", p.z);
        }
    }
}
