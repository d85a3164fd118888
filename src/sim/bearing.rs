//! Angles of many planar vectors at once, to the last bit those of [`super::angle::angle_of`].

use super::neighbors::Lanes;
use fearless_simd::{Simd, dispatch, f64x4, prelude::*};

/// Vectors that are done at a time.
pub const BLOCK: usize = 64;

/// One number of each vector of a block.
pub type Column = [f64; BLOCK];

/// The lengths of components between which no step of the division below leaves the normal numbers.
const PLAIN: std::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// Components may differ by this factor; beyond it the arctangent is at its ends.
const SPREAD: f64 = 1.0 / (1_u64 << 60) as f64;

/// Ends of the intervals of the quotient, and for each the arctangent that its middle has, in two parts.
const ENDS: [f64; 4] = [0.4375, 0.6875, 1.1875, 2.4375];
const MIDDLE: [f64; 4] =
    [0.463_647_609_000_806_1, std::f64::consts::FRAC_PI_4, 0.982_793_723_247_329, std::f64::consts::FRAC_PI_2];
const REST: [f64; 4] =
    [2.269_877_745_296_168_7e-17, 3.061_616_997_868_383e-17, 1.390_331_103_123_099_8e-17, 6.123_233_995_736_766e-17];

/// The polynomial of the arctangent near 0, its odd and its even terms.
const ODD: [f64; 6] = [
    0.333_333_333_333_329_3,
    0.142_857_142_725_034_66,
    0.090_908_871_334_365_07,
    0.066_610_731_373_875_31,
    0.049_768_779_946_159_324,
    0.016_285_820_115_365_782,
];
const EVEN: [f64; 5] = [
    -0.199_999_999_998_764_83,
    -0.111_111_104_054_623_56,
    -0.076_918_762_050_448_3,
    -0.058_335_701_337_905_735,
    -0.036_531_572_744_216_916,
];
/// What π is more than its nearest number.
const PI_REST: f64 = 1.224_646_799_147_353_2e-16;

/// Writes the angle of each of the first `count` vectors (x, y), radians in (−π, π]; of those behind, anything.
pub fn angles_of(Lanes(level): Lanes, x: &Column, y: &Column, count: usize, out: &mut Column) {
    let blocks = count.min(BLOCK).div_ceil(4);
    dispatch!(level, simd => fill(simd, x, y, blocks, out));
}

#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn fill<S: Simd>(simd: S, x: &Column, y: &Column, blocks: usize, out: &mut Column) {
    let (x, y, out) = (x.as_chunks().0, y.as_chunks().0, out.as_chunks_mut().0);
    for ((x, y), out) in x.iter().zip(y).zip(out).take(blocks) {
        four(simd, x, y, out);
    }
}

/// Four arctangents by the method of the C library of FreeBSD (Sun Microsystems 1993), in its order of operations: the
/// quotient is brought near 0 by the addition theorem with the middle of one of five intervals.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn four<S: Simd>(simd: S, xs: &[f64; 4], ys: &[f64; 4], out: &mut [f64; 4]) {
    let splat = |number: f64| f64x4::splat(simd, number);
    let (x, y) = (f64x4::load_array_ref(simd, xs), f64x4::load_array_ref(simd, ys));
    let (width, height) = (x.abs(), y.abs());
    let (least, most) = (width.min(height), width.max(height));
    let plain =
        least.simd_ge(splat(*PLAIN.start())) & most.simd_le(splat(*PLAIN.end())) & least.simd_ge(most * splat(SPREAD));
    if !plain.all_true() {
        for ((x, y), out) in xs.iter().zip(ys).zip(out) {
            *out = super::angle::angle_of(glam::DVec3::new(*x, *y, 0.0));
        }
        return;
    }
    let one = splat(1.0);
    let quotient = height / width;
    let (mut above, mut below, mut middle, mut rest) = (splat(-1.0), quotient, splat(MIDDLE[3]), splat(REST[3]));
    let nearer = [
        (quotient - splat(1.5), one + splat(1.5) * quotient),
        (quotient - one, quotient + one),
        (splat(2.0) * quotient - one, splat(2.0) + quotient),
    ];
    for (interval, (top, bottom)) in (0..3).rev().zip(nearer) {
        let inside = quotient.simd_lt(splat(ENDS[interval + 1]));
        above = inside.select(top, above);
        below = inside.select(bottom, below);
        middle = inside.select(splat(MIDDLE[interval]), middle);
        rest = inside.select(splat(REST[interval]), rest);
    }
    let small = quotient.simd_lt(splat(ENDS[0]));
    above = small.select(quotient, above);
    below = small.select(one, below);
    middle = small.select(splat(0.0), middle);
    rest = small.select(splat(0.0), rest);
    let t = above / below;
    let squared = t * t;
    let fourth = squared * squared;
    let mut odd = splat(ODD[5]);
    for factor in ODD[..5].iter().rev() {
        odd = splat(*factor) + fourth * odd;
    }
    let mut even = splat(EVEN[4]);
    for factor in EVEN[..4].iter().rev() {
        even = splat(*factor) + fourth * even;
    }
    let series = squared * odd + fourth * even;
    let angle = middle - ((t * series - rest) - t);
    let left = splat(std::f64::consts::PI) - (angle - splat(PI_REST));
    let angle = x.simd_lt(splat(0.0)).select(left, angle);
    let angle = y.simd_lt(splat(0.0)).select(splat(0.0) - angle, angle);
    // Half a turn is +π.
    let half = splat(std::f64::consts::PI);
    *out = angle.simd_le(splat(0.0) - half).select(half, angle).to_array();
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, angles_of};
    use crate::sim::neighbors::Lanes;
    use crate::sim::{Stream, angle::angle_of, rng::Use};
    use glam::DVec3;

    fn expect_equal(pairs: &[(f64, f64)]) {
        for block in pairs.chunks(BLOCK) {
            let (mut x, mut y) = ([1.0; BLOCK], [1.0; BLOCK]);
            for (at, pair) in block.iter().enumerate() {
                (x[at], y[at]) = *pair;
            }
            for (name, lanes) in Lanes::all() {
                let mut found = [0.0; BLOCK];
                angles_of(lanes, &x, &y, block.len(), &mut found);
                for (at, (x, y)) in block.iter().enumerate() {
                    let wanted = angle_of(DVec3::new(*x, *y, 0.0));
                    assert_eq!(found[at].to_bits(), wanted.to_bits(), "{name}: ({x:e}, {y:e}): {} {wanted}", found[at]);
                }
            }
        }
    }

    #[test]
    fn many_angles_have_the_bits_of_one() {
        let mut luck = Stream::new(7, 1, 1, Use::Sensor);
        let pairs: Vec<_> = (0..40_000)
            .map(|round| {
                let spread = if round % 3 == 0 { 60.0 } else { 3.0 };
                let size = |luck: &mut Stream| libm::exp(luck.uniform(-spread, spread));
                let (width, height) = (size(&mut luck), size(&mut luck));
                let sign = |odd: usize| if odd == 0 { -1.0 } else { 1.0 };
                (sign(round % 2) * width, sign(round / 2 % 2) * height)
            })
            .collect();
        expect_equal(&pairs);
    }

    #[test]
    fn also_at_the_seams_and_for_numbers_that_have_no_quotient() {
        let numbers = [0.0, 1e-320, 1e-200, 0.4375, 0.6875, 1.0, 1.1875, 2.4375, 1e20, 1e300, f64::INFINITY];
        let signed: Vec<f64> = numbers.iter().flat_map(|number| [*number, -*number]).collect();
        let mut pairs = Vec::new();
        for x in &signed {
            pairs.extend(signed.iter().map(|y| (*x, *y)));
        }
        for x in [1.0, -3.0, 7e5] {
            pairs.extend(numbers[3..8].iter().flat_map(|n| [n - 1e-16, *n, n + 2e-16]).map(|n: f64| (x, n * x)));
        }
        // Each beside plain ones too, since four go together.
        let mixed: Vec<_> = pairs.iter().flat_map(|pair| [*pair, (0.3, -0.8)]).collect();
        expect_equal(&pairs);
        expect_equal(&mixed);
    }
}
