//! One axis of the grid: which cells are within reach of a coordinate, also round the seam of a wrapped world.

use crate::sim::space::wrap_coordinate;

/// An axis of the grid.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Axis {
    pub(super) min: f64,
    /// Cell side, metres; 0 for an axis of one cell.
    pub(super) side: f64,
    /// Cells per metre.
    pub(super) inverse: f64,
    pub(super) count: usize,
    /// Period of a wrapped axis, 0 otherwise.
    pub(super) period: f64,
    /// Rounding that a coordinate of the axis may carry, metres, with room to spare.
    pub(super) slack: f64,
}

/// Cells of an axis one after the other.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    pub(super) first: usize,
    pub(super) last: usize,
    /// What the short way takes off the difference of coordinates to these cells: a period or none, metres.
    pub(super) shift: f64,
}

/// The cells of an axis within reach of a coordinate: up to two runs, since a wrapped axis may need both.
#[derive(Clone, Copy, Default)]
pub(super) struct Runs {
    pub(super) list: [Run; 2],
    pub(super) count: usize,
    /// The coordinate, inside of a wrapped axis.
    pub(super) at: f64,
    /// Whether the shifts are known.
    pub(super) sure: bool,
}

impl Runs {
    #[inline]
    pub(super) fn one(first: usize, last: usize, at: f64, sure: bool) -> Self {
        Self { list: [Run { first, last, shift: 0.0 }, Run::default()], count: 1, at, sure }
    }

    #[inline]
    pub(super) fn runs(&self) -> &[Run] {
        &self.list[..self.count]
    }
}

impl Axis {
    /// The cell of a coordinate; coordinates outside belong to the cell at the edge.
    #[inline]
    pub(super) fn cell(&self, x: f64) -> usize {
        if self.count <= 1 { 0 } else { self.straight(wrap_coordinate(x, self.min, self.period)) }
    }

    /// The cell of a coordinate that needs no wrapping.
    #[inline]
    pub(super) fn straight(&self, x: f64) -> usize {
        // The cast takes what lies below the first cell to 0; an axis of one cell has `inverse` 0.
        (((x - self.min) * self.inverse) as u32 as usize).min(self.count.saturating_sub(1))
    }

    /// The cells within `radius` of `x`. Without `WRAPPED` the axis is open, or `radius` ends before its edges.
    #[inline]
    pub(super) fn reach<const WRAPPED: bool>(&self, x: f64, radius: f64) -> Runs {
        let radius = radius + self.slack;
        if !WRAPPED || self.period <= 0.0 {
            return Runs::one(self.straight(x - radius), self.straight(x + radius), x, true);
        }
        let at = wrap_coordinate(x, self.min, self.period);
        if self.count <= 1 || 2.0 * radius >= self.period - self.side {
            return Runs::one(0, self.count.saturating_sub(1), at, false);
        }
        let (low, high) = (at - radius, at + radius);
        let (first, last) = (self.straight(low), self.straight(high));
        let beyond = if low < self.min {
            Run { first: self.straight(low + self.period), last: self.count - 1, shift: self.period }
        } else if high >= self.min + self.period {
            Run { first: 0, last: self.straight(high - self.period), shift: -self.period }
        } else {
            return Runs::one(first, last, at, true);
        };
        Runs { list: [Run { first, last, shift: 0.0 }, beyond], count: 2, at, sure: true }
    }

    /// The squared distance from the coordinate of `runs` to the nearest place of a cell of `run`, rather too small than too
    /// large; 0 inside.
    #[inline]
    pub(super) fn gap_squared<const WRAPPED: bool>(&self, runs: &Runs, run: Run, cell: usize) -> f64 {
        if WRAPPED && !runs.sure {
            return 0.0;
        }
        let x = if WRAPPED { runs.at + run.shift } else { runs.at };
        let low = self.min + cell as f64 * self.side;
        // The cells at the edge of an open axis hold everything beyond.
        let open = self.period <= 0.0;
        let below = if open && cell == 0 { 0.0 } else { low - x };
        let above = if open && cell + 1 >= self.count { 0.0 } else { x - (low + self.side) };
        let gap = (below.max(above) - self.slack).max(0.0);
        gap * gap
    }
}
