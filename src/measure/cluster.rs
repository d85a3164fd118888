//! How a flock hangs together: groups, elongation, deviation from a lattice.

use glam::DVec3;

use super::view::GroupView;

/// Agents nearer than this many mean nearest-neighbor distances are linked.
pub(super) const LINK: f64 = 2.5;

/// Reusable buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct Clusters {
    order: Vec<u32>,
    parent: Vec<u32>,
    sizes: Vec<u32>,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Together {
    /// Number of connected groups.
    pub(super) groups: usize,
    /// Share of the agents in the largest one.
    pub(super) largest: f64,
    /// Σ(d − d₀)²/((|E| + 1)·d₀²) over the links, d₀ the mean nearest-neighbor distance.
    pub(super) lattice: f64,
}

impl Clusters {
    /// Connected components of the graph of agents nearer than [`LINK`]·`spacing`, and how unequal its nearest links are.
    /// A sweep along x; in a wrapped world pairs across the seam count as well.
    pub(super) fn run(&mut self, view: &GroupView<'_>, spacing: f64) -> Together {
        let n = view.positions.len();
        if n == 0 {
            return Together::default();
        }
        let reach = LINK * spacing;
        self.parent.clear();
        self.parent.extend(0..n as u32);
        self.order.clear();
        self.order.extend(0..n as u32);
        let x = |agent: u32| view.positions[agent as usize].x;
        self.order.sort_unstable_by(|&a, &b| x(a).total_cmp(&x(b)).then(a.cmp(&b)));
        let size = view.extent.map(|extent| extent.x).filter(|size| *size > 0.0);
        let (mut edges, mut deviation) = (0_u64, 0.0);
        for place in 0..n {
            let me = self.order[place];
            for step in 1..n {
                let next = place + step;
                let (other, lap) = match (next < n, size) {
                    (true, _) => (self.order[next], 0.0),
                    (false, Some(size)) => (self.order[next - n], size),
                    (false, None) => break,
                };
                if x(other) + lap - x(me) > reach {
                    break;
                }
                // In a world narrower than two reaches the sweep meets a pair from both sides; it has met this one the other way.
                if lap > 0.0 && x(me) - x(other) <= reach {
                    continue;
                }
                let distance = view.offset(view.positions[me as usize], view.positions[other as usize]).length();
                if distance <= reach {
                    self.join(me, other);
                }
                // The links of a lattice are those to the first ring.
                if distance <= 1.4 * spacing {
                    edges += 1;
                    deviation += (distance - spacing) * (distance - spacing);
                }
            }
        }
        self.sizes.clear();
        self.sizes.resize(n, 0);
        for agent in 0..n as u32 {
            let root = self.root(agent);
            self.sizes[root as usize] += 1;
        }
        let groups = self.sizes.iter().filter(|size| **size > 0).count();
        let largest = self.sizes.iter().copied().max().unwrap_or(0);
        let whole = (edges as f64 + 1.0) * spacing * spacing;
        let lattice = if spacing > 0.0 { deviation / whole } else { 0.0 };
        Together { groups, largest: f64::from(largest) / n as f64, lattice }
    }

    fn root(&mut self, agent: u32) -> u32 {
        let mut at = agent;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// λ₁/λ₂ of the covariance of positions: the two largest eigenvalues in the plane; none for fewer than two agents or a line.
pub(super) fn elongation(points: impl Iterator<Item = DVec3> + Clone) -> Option<f64> {
    let (mut sum, mut n) = (DVec3::ZERO, 0.0);
    for p in points.clone() {
        sum += p;
        n += 1.0;
    }
    if n < 2.0 {
        return None;
    }
    let mean = sum / n;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for p in points {
        let d = p - mean;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    let (half, root) = (0.5 * (xx + yy), libm::hypot(0.5 * (xx - yy), xy));
    let (large, small) = (half + root, half - root);
    (small > 1e-12 * large && large > 0.0).then(|| large / small)
}
