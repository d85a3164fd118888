//! Arc length along a curve, and back from a length to the parameter.

use glam::DVec3;

use super::curve::Curve;

/// Positive abscissas and weights of 16-point Gauss–Legendre quadrature on [−1, 1] (Abramowitz & Stegun, table 25.4).
const GAUSS: [(f64, f64); 8] = [
    (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
    (0.281_603_550_779_258_9, 0.182_603_415_044_923_58),
    (0.458_016_777_657_227_4, 0.169_156_519_395_002_54),
    (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
    (0.755_404_408_355_003, 0.124_628_971_255_533_88),
    (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
    (0.944_575_023_073_232_6, 0.062_253_523_938_647_894),
    (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
];

/// More stretches than any formation needs; beyond it the curve is too fine for its length.
const MOST_KNOTS: usize = 400_000;

#[derive(Debug, Clone, Copy)]
struct Knot {
    s: f64,
    length: f64,
}

/// A place along a curve: parameter and length from the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    pub(crate) s: f64,
    pub(crate) length: f64,
    pub(crate) point: DVec3,
}

/// A curve with its length measured as far as needed.
pub(crate) struct Track<'c> {
    curve: &'c dyn Curve,
    knots: Vec<Knot>,
    /// Whether the last knot is the end of the curve, or the curve could not be measured further.
    ended: bool,
}

impl<'c> Track<'c> {
    pub(crate) fn new(curve: &'c dyn Curve) -> Self {
        let (from, to) = curve.range();
        let ended = to.is_some_and(|to| to <= from);
        Self { curve, knots: vec![Knot { s: from, length: 0.0 }], ended }
    }

    pub(crate) fn curve(&self) -> &'c dyn Curve {
        self.curve
    }

    /// Length measured so far, in meters.
    pub(crate) fn measured(&self) -> f64 {
        self.last().length
    }

    /// Whether the curve could not be followed to its end because it is too fine.
    pub(crate) fn too_fine(&self) -> bool {
        self.knots.len() >= MOST_KNOTS
    }

    /// Measures on until `length` is covered; false if the curve ends before.
    pub(crate) fn reach(&mut self, length: f64) -> bool {
        while self.measured() < length && !self.ended {
            self.extend();
        }
        self.measured() >= length
    }

    /// Measures to the end of a curve that has one.
    pub(crate) fn total(&mut self) -> Option<f64> {
        self.curve.range().1?;
        while !self.ended {
            self.extend();
        }
        Some(self.measured())
    }

    /// The spot at `length` from the start; `None` beyond the end.
    pub(crate) fn at(&mut self, length: f64) -> Option<Spot> {
        if !self.reach(length) {
            return None;
        }
        let next = self.knots.partition_point(|knot| knot.length <= length);
        let lo = self.knots[next.saturating_sub(1)];
        let Some(&hi) = self.knots.get(next) else {
            return Some(Spot { s: lo.s, length, point: self.curve.point(lo.s) });
        };
        let s = self.invert(lo, hi, length);
        Some(Spot { s, length, point: self.curve.point(s) })
    }

    /// Length from the start to `s`, which must lie in the measured part.
    pub(crate) fn length_at(&self, s: f64) -> f64 {
        let next = self.knots.partition_point(|knot| knot.s <= s);
        let lo = self.knots[next.saturating_sub(1)];
        lo.length + self.gauss(lo.s, s)
    }

    /// Bracketed Newton for L(s) = length between two knots.
    fn invert(&self, lo: Knot, hi: Knot, length: f64) -> f64 {
        let (mut a, mut b) = (lo.s, hi.s);
        let mut s = a + (b - a) * ((length - lo.length) / (hi.length - lo.length));
        for _ in 0..80 {
            let miss = lo.length + self.gauss(lo.s, s) - length;
            if miss.abs() <= 4e-15 * (1.0 + length) {
                break;
            }
            if miss > 0.0 {
                b = s;
            } else {
                a = s;
            }
            let speed = self.curve.derivative(s).length();
            let newton = s - miss / speed;
            let next = if newton > a && newton < b { newton } else { 0.5 * (a + b) };
            if (next - s).abs() <= 1e-16 * (1.0 + s.abs()) {
                return next;
            }
            s = next;
        }
        s
    }

    fn last(&self) -> Knot {
        *self.knots.last().expect("a track starts with one knot")
    }

    /// Adds one knot, no further than one step of integration is exact to.
    fn extend(&mut self) {
        let from = self.last();
        let to = self.curve.range().1;
        let mut end = self.curve.stretch(from.s);
        let mut is_end = false;
        if let Some(to) = to
            && (end >= to || (to - end) < 1e-12 * (to - from.s))
        {
            (end, is_end) = (to, true);
        }
        let mut whole = self.gauss(from.s, end);
        let mut sum = whole;
        for _ in 0..48 {
            let mid = 0.5 * (from.s + end);
            let half = self.gauss(from.s, mid);
            sum = half + self.gauss(mid, end);
            if (whole - sum).abs() <= 1e-13 * sum.max(1e-3 * from.length) {
                break;
            }
            (end, is_end, whole, sum) = (mid, false, half, half);
        }
        self.knots.push(Knot { s: end, length: from.length + sum });
        self.ended = is_end || end <= from.s || self.too_fine() || !sum.is_finite();
    }

    /// ∫ |derivative| ds by one Gauss–Legendre step.
    fn gauss(&self, from: f64, to: f64) -> f64 {
        let (mid, half) = (0.5 * (from + to), 0.5 * (to - from));
        let speed = |s: f64| self.curve.derivative(s).length();
        half * GAUSS.iter().map(|&(x, w)| w * (speed(mid - half * x) + speed(mid + half * x))).sum::<f64>()
    }
}
