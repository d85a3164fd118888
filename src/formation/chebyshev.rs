//! One smooth stretch of a curve as Chebyshev polynomials, from points alone.
//!
//! A polynomial through 17 Chebyshev points is as good as the curve itself once its last coefficients vanish, and its
//! derivative is exact: no finite differences, and 19 points a stretch in one call.

use glam::DVec3;

/// Degree of the polynomials.
const DEGREE: usize = 16;
/// Points that fix one polynomial.
const NODES: usize = DEGREE + 1;
/// Where the polynomial is compared with the curve, on [−1, 1]; these are no Chebyshev points.
const CHECKS: [f64; 2] = [-0.271_828, 0.618_034];
/// Points asked of the curve per stretch.
pub(crate) const SAMPLES: usize = NODES + CHECKS.len();

/// Tables that every fit needs.
pub(crate) struct Fitter {
    /// Chebyshev points of the second kind, ascending, ends included.
    nodes: [f64; NODES],
    /// cos(π j k / DEGREE).
    cosines: [[f64; NODES]; NODES],
}

/// A stretch [from, to] of a curve.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Chebyshev coefficients of the point.
    point: Vec<DVec3>,
    /// Chebyshev coefficients of d point / d s.
    slope: Vec<DVec3>,
    /// Meters, near enough for planning.
    pub(crate) length: f64,
}

impl Fitter {
    pub(crate) fn new() -> Self {
        let angle = |j: usize, k: usize| std::f64::consts::PI * ((j * k) % (2 * DEGREE)) as f64 / DEGREE as f64;
        Self {
            nodes: std::array::from_fn(|j| if 2 * j == DEGREE { 0.0 } else { -libm::cos(angle(j, 1)) }),
            cosines: std::array::from_fn(|k| std::array::from_fn(|j| libm::cos(angle(j, k)))),
        }
    }

    /// Appends the parameters at which [`Fitter::fit`] needs the curve.
    pub(crate) fn ask(&self, from: f64, to: f64, out: &mut Vec<f64>) {
        let (mid, half) = (0.5 * (from + to), 0.5 * (to - from));
        out.extend(self.nodes.iter().enumerate().map(|(j, x)| match j {
            0 => from,
            DEGREE => to,
            _ => mid + half * x,
        }));
        out.extend(CHECKS.iter().map(|x| mid + half * x));
    }

    /// The polynomial through the samples, or `None` if the stretch is not smooth enough for one.
    pub(crate) fn fit(&self, from: f64, to: f64, samples: &[DVec3]) -> Option<Panel> {
        let (nodes, checks) = samples.split_at(NODES);
        let size = nodes.iter().fold(0.0_f64, |size, p| size.max(p.abs().max_element()));
        let (low, high) = nodes.iter().fold((nodes[0], nodes[0]), |(low, high), p| (low.min(*p), high.max(*p)));
        let single = samples.iter().all(is_single);
        // Numbers are exact to a few units in the last place; vectors of a script are single precision.
        let noise = if single { 2e-7 * size } else { 2e-15 * size };
        let tolerance = 2e-12 * (high - low).max_element() + noise;
        let mut point = self.coefficients(nodes);
        let tail = point[DEGREE].abs().max(point[DEGREE - 1].abs()).max_element();
        if tail > tolerance {
            return None;
        }
        let miss = |(x, p): (&f64, &DVec3)| (clenshaw(&point, *x) - *p).abs().max_element();
        if CHECKS.iter().zip(checks).map(miss).fold(0.0, f64::max) > 16.0 * tolerance {
            return None;
        }
        if single {
            let worth = |c: &DVec3| c.abs().max_element() > noise;
            point.truncate(point.iter().rposition(worth).map_or(1, |last| last + 1));
        }
        Some(Panel::new(from, to, point))
    }

    fn coefficients(&self, nodes: &[DVec3]) -> Vec<DVec3> {
        let end = |j: usize| if j == 0 || j == DEGREE { 0.5 } else { 1.0 };
        // Node j is −cos(πj/DEGREE) = cos(π(DEGREE − j)/DEGREE).
        (0..NODES)
            .map(|k| {
                let sum: DVec3 = (0..NODES).map(|j| nodes[DEGREE - j] * (end(j) * self.cosines[k][j])).sum();
                sum * (2.0 * end(k) / DEGREE as f64)
            })
            .collect()
    }
}

fn is_single(p: &DVec3) -> bool {
    p.as_vec3().as_dvec3() == *p
}

impl Panel {
    /// The straight line between two points: what is left of a corner or a jump.
    pub(crate) fn straight(from: f64, to: f64, first: DVec3, last: DVec3) -> Self {
        Self::new(from, to, vec![0.5 * (first + last), 0.5 * (last - first)])
    }

    fn new(from: f64, to: f64, point: Vec<DVec3>) -> Self {
        let slope = differentiate(&point, 2.0 / (to - from));
        let mut panel = Self { from, to, point, slope, length: 0.0 };
        let step = (to - from) / 16.0;
        panel.length = (0..16).map(|i| panel.derivative(from + (i as f64 + 0.5) * step).length() * step).sum();
        panel
    }

    pub(crate) fn point(&self, s: f64) -> DVec3 {
        clenshaw(&self.point, self.local(s))
    }

    pub(crate) fn derivative(&self, s: f64) -> DVec3 {
        clenshaw(&self.slope, self.local(s))
    }

    fn local(&self, s: f64) -> f64 {
        ((2.0 * s - self.from - self.to) / (self.to - self.from)).clamp(-1.0, 1.0)
    }
}

/// Value of a Chebyshev series at x in [−1, 1].
fn clenshaw(series: &[DVec3], x: f64) -> DVec3 {
    let (mut b1, mut b2) = (DVec3::ZERO, DVec3::ZERO);
    for &c in series.iter().skip(1).rev() {
        (b1, b2) = (c + b1 * (2.0 * x) - b2, b1);
    }
    series.first().copied().unwrap_or_default() + b1 * x - b2
}

/// The series of the derivative, times `scale`.
fn differentiate(series: &[DVec3], scale: f64) -> Vec<DVec3> {
    let n = series.len();
    if n < 2 {
        return vec![DVec3::ZERO];
    }
    let mut slope = vec![DVec3::ZERO; n - 1];
    for k in (0..n - 1).rev() {
        let above = slope.get(k + 2).copied().unwrap_or_default();
        slope[k] = above + series[k + 1] * (2.0 * (k + 1) as f64);
    }
    slope[0] *= 0.5;
    for c in &mut slope {
        *c *= scale;
    }
    slope
}
