//! The base line of a formation: where a group as a whole stands and lies, whatever single agents do.
//!
//! Direction by weighted principal components: C = Σ wᵢ (pᵢ − p̄)(pᵢ − p̄)ᵀ, the eigenvector of the larger eigenvalue, in the plane;
//! the anchor is the weighted median of the projections on it, so that one agent far out does not move the line along itself.
//! An eigenvector has no sign and, for a round cloud, no meaning: the line keeps the side that it had, and keeps its direction
//! while the eigenvalues are almost alike.

use crate::sim::angle::direction as direction_of;
use crate::sim::wrap_angle;
use glam::DVec3;

/// How the base line is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseLineMethod {
    /// Weighted principal components of all agents.
    #[default]
    Weighted,
    /// Through head and tail: what the weighted line is compared with.
    TwoPoint,
    /// Weighted principal components of the centers of clusters of [`CLUSTER`] neighbors.
    Clusters,
}

/// Agents per cluster.
pub const CLUSTER: usize = 5;

/// (λ₁ − λ₂)/(λ₁ + λ₂) below which the cloud has no direction.
const ROUND: f64 = 0.05;

/// A base line in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseLine {
    /// Its anchor, meters.
    pub anchor: DVec3,
    /// Its direction from tail to head, radians.
    pub direction: f64,
}

impl BaseLine {
    /// The distance of a point from the line, in the plane, meters.
    #[must_use]
    pub fn distance(&self, p: DVec3) -> f64 {
        let d = p - self.anchor;
        (d.y * libm::cos(self.direction) - d.x * libm::sin(self.direction)).abs()
    }
}

/// Weight of agent `index` of `n` in the order of places: head 1.0, tail 0.8, the others 0.9.
#[must_use]
pub fn weight(index: usize, n: usize) -> f64 {
    match index {
        0 => 1.0,
        last if last + 1 == n => 0.8,
        _ => 0.9,
    }
}

/// Finds base lines in reused buffers.
#[derive(Clone, Debug, Default)]
pub struct BaseLineFinder {
    weighted: Vec<(DVec3, f64)>,
    projections: Vec<(f64, f64)>,
}

impl BaseLineFinder {
    /// The base line of points in the order of places, head first; `before` is the direction that it had. None without points, and
    /// for points that are all in one place unless there was a direction before.
    pub fn find(&mut self, points: &[DVec3], method: BaseLineMethod, before: Option<f64>) -> Option<BaseLine> {
        let (head, tail) = (*points.first()?, *points.last()?);
        if method == BaseLineMethod::TwoPoint {
            let way = head - tail;
            let direction = if way.truncate().length_squared() > 0.0 { libm::atan2(way.y, way.x) } else { before? };
            return Some(BaseLine { anchor: (head + tail) * 0.5, direction });
        }
        let n = points.len();
        self.weighted.clear();
        if method == BaseLineMethod::Clusters && n > CLUSTER {
            for (cluster, members) in points.chunks(CLUSTER).enumerate() {
                let (mut sum, mut whole) = (DVec3::ZERO, 0.0);
                for (member, p) in members.iter().enumerate() {
                    let w = weight(cluster * CLUSTER + member, n);
                    sum += *p * w;
                    whole += w;
                }
                self.weighted.push((sum / whole, whole));
            }
        } else {
            self.weighted.extend(points.iter().enumerate().map(|(index, p)| (*p, weight(index, n))));
        }
        self.principal(head - tail, before)
    }

    /// Direction and anchor of the weighted points; `forth` decides the side when nothing was before.
    fn principal(&mut self, forth: DVec3, before: Option<f64>) -> Option<BaseLine> {
        let points = &self.weighted;
        let whole: f64 = points.iter().map(|(_, w)| w).sum();
        let mean = points.iter().map(|(p, w)| *p * *w).sum::<DVec3>() / whole;
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (p, w) in points {
            let d = *p - mean;
            xx += w * d.x * d.x;
            xy += w * d.x * d.y;
            yy += w * d.y * d.y;
        }
        // λ₁ + λ₂ and λ₁ − λ₂ of a symmetric 2 × 2 matrix.
        let (sum, difference) = (xx + yy, libm::hypot(xx - yy, 2.0 * xy));
        let direction = if sum > 0.0 && (difference / sum >= ROUND || before.is_none()) {
            let free = 0.5 * libm::atan2(2.0 * xy, xx - yy);
            let side = before.map_or(forth, direction_of);
            let along = side.x * libm::cos(free) + side.y * libm::sin(free);
            if along < 0.0 { wrap_angle(free + std::f64::consts::PI) } else { free }
        } else {
            before?
        };
        let unit = direction_of(direction);
        let along = self.weighted_median(mean, unit, whole);
        Some(BaseLine { anchor: mean + unit * along, direction })
    }

    /// The weighted median of the projections on `unit` from `mean`: where half of the weight lies on either side.
    fn weighted_median(&mut self, mean: DVec3, unit: DVec3, whole: f64) -> f64 {
        self.projections.clear();
        self.projections.extend(self.weighted.iter().map(|(p, w)| ((*p - mean).dot(unit), *w)));
        self.projections.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let (half, mut below) = (0.5 * whole, 0.0);
        for (index, (at, w)) in self.projections.iter().enumerate() {
            below += w;
            if (below - half).abs() <= 1e-12 * whole {
                // Exactly half lies below: the middle of the two around.
                return self.projections.get(index + 1).map_or(*at, |next| 0.5 * (at + next.0));
            }
            if below > half {
                return *at;
            }
        }
        0.0
    }
}
