//! Distances between agents: nearest neighbors and overlaps, by a sweep along the longest axis.

use glam::DVec3;

use super::view::GroupView;

/// Reusable buffers of the sweep.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    /// Agents in ascending order along the axis.
    order: Vec<u32>,
    /// Coordinate along the axis, by agent; within [0, size) in a wrapped world.
    along: Vec<f64>,
    /// Squared distance of the nearest other, by agent.
    nearest: Vec<f64>,
}

/// What a sweep found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Pairs {
    /// Smallest distance of two centers, in meters.
    pub(crate) least: Option<f64>,
    /// Mean distance of the nearest other, in meters.
    pub(crate) mean_nearest: Option<f64>,
    /// Number of pairs closer than the sum of their radii.
    pub(crate) overlapping: usize,
    /// By how much the deepest of them overlap, in meters; 0 if none does.
    pub(crate) deepest: f64,
}

impl Sweep {
    pub(crate) fn run(&mut self, view: &GroupView<'_>) -> Pairs {
        let n = view.positions.len();
        if n < 2 {
            return Pairs::default();
        }
        let size = self.sort(view);
        self.nearest.clear();
        self.nearest.resize(n, f64::INFINITY);
        let widest = view.radii.iter().copied().fold(0.0, f64::max);
        let (mut overlapping, mut deepest) = (0, 0.0);
        for place in 0..n {
            self.look(view, place, true, size);
            self.look(view, place, false, size);
            overlapping += self.overlaps(view, place, widest, size, &mut deepest);
        }
        let least = self.nearest.iter().copied().fold(f64::INFINITY, f64::min).sqrt();
        let mean = self.nearest.iter().map(|square| square.sqrt()).sum::<f64>() / n as f64;
        Pairs { least: Some(least), mean_nearest: Some(mean), overlapping, deepest }
    }

    /// Orders the agents along the axis of widest spread; the size of the world along it if that wraps.
    pub(crate) fn sort(&mut self, view: &GroupView<'_>) -> Option<f64> {
        let first = view.positions[0];
        let (low, high) = view.positions.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
        let axis = (high - low).max_position();
        let along = |p: DVec3| p.to_array()[axis];
        let size = view.extent.map(along).filter(|size| *size > 0.0);
        self.along.clear();
        self.along.extend(view.positions.iter().map(|p| match size {
            Some(size) => along(*p) - size * libm::floor(along(*p) / size),
            None => along(*p),
        }));
        self.order.clear();
        self.order.extend(0..view.positions.len() as u32);
        let key = &self.along;
        self.order.sort_unstable_by(|&a, &b| key[a as usize].total_cmp(&key[b as usize]).then(a.cmp(&b)));
        size
    }

    /// The agent at a place in the order.
    pub(crate) fn agent(&self, place: usize) -> usize {
        self.order[place] as usize
    }

    /// The agent `step` places further along the axis (or back), and how far off it is along it; `None` at the end, or
    /// beyond half of a wrapped world.
    pub(crate) fn at(&self, place: usize, step: usize, forward: bool, size: Option<f64>) -> Option<(usize, f64)> {
        let n = self.order.len();
        let next = if forward { place + step } else { place + n - step };
        let inside = if forward { next < n } else { next >= n };
        let lap = match size {
            _ if inside => 0.0,
            Some(size) => size,
            None => return None,
        };
        let (me, other) = (self.order[place] as usize, self.order[next % n] as usize);
        let gap = (self.along[other] - self.along[me]) * if forward { 1.0 } else { -1.0 } + lap;
        if size.is_some_and(|size| gap > 0.5 * size) { None } else { Some((other, gap)) }
    }

    /// Looks for a nearer neighbor one way, until the axis alone is further than the nearest so far.
    fn look(&mut self, view: &GroupView<'_>, place: usize, forward: bool, size: Option<f64>) {
        let me = self.order[place] as usize;
        let mut best = self.nearest[me];
        for step in 1..self.order.len() {
            let Some((other, gap)) = self.at(place, step, forward, size) else {
                break;
            };
            if gap * gap > best {
                break;
            }
            let square = view.offset(view.positions[me], view.positions[other]).length_squared();
            best = best.min(square);
            self.nearest[other] = self.nearest[other].min(square);
        }
        self.nearest[me] = best;
    }

    /// Overlaps with agents further along the axis.
    fn overlaps(&self, view: &GroupView<'_>, place: usize, widest: f64, size: Option<f64>, deepest: &mut f64) -> usize {
        let me = self.order[place] as usize;
        let mut count = 0;
        for step in 1..self.order.len() {
            let Some((other, gap)) = self.at(place, step, true, size) else {
                break;
            };
            if gap > view.radii[me] + widest {
                break;
            }
            // Exactly half a world apart both ways lead there; count it from one side.
            let twice = size.is_some_and(|size| gap == 0.5 * size) && other < me;
            let touch = view.radii[me] + view.radii[other];
            let offset = view.offset(view.positions[me], view.positions[other]);
            if offset.length_squared() < touch * touch {
                *deepest = deepest.max(touch - offset.length());
                count += usize::from(!twice);
            }
        }
        count
    }
}
