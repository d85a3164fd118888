//! The area of a convex hull.

use glam::DVec3;

/// Sorts points and keeps the hull, in reused buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct Hull {
    points: Vec<(f64, f64)>,
    chain: Vec<(f64, f64)>,
}

/// Twice the signed area of the triangle o, a, b.
fn turn(o: (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
}

impl Hull {
    /// The area of the convex hull of points in the plane, m²: monotone chain (Andrew 1979), then the shoelace formula.
    pub(super) fn area(&mut self, points: impl Iterator<Item = DVec3>) -> f64 {
        self.points.clear();
        self.points.extend(points.map(|p| (p.x, p.y)));
        self.points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        self.chain.clear();
        let n = self.points.len();
        self.half(0, n, |index| index);
        // The last point of either half is the first of the other.
        self.chain.pop();
        let start = self.chain.len();
        self.half(start, n, |index| n - 1 - index);
        self.chain.pop();
        let chain = &self.chain;
        let ring = chain.iter().zip(chain.iter().cycle().skip(1));
        0.5 * ring.map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>().abs()
    }

    fn half(&mut self, start: usize, n: usize, order: impl Fn(usize) -> usize) {
        for index in 0..n {
            let p = self.points[order(index)];
            while let [.., o, a] = &self.chain[start..]
                && turn(*o, *a, p) <= 0.0
            {
                self.chain.pop();
            }
            self.chain.push(p);
        }
    }
}
