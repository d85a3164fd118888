//! What all agents of one cell look through: the ranges of entries of the cells round it, found once for all of them.

use super::axis::{Axis, Run, Runs};
use super::{NeighborGrid, columns::LANES};
use glam::DVec3;

/// A range of entries that are near a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    pub(super) from: u32,
    pub(super) to: u32,
    /// Whether entries that are read behind the last one may be near by chance: those of the next row of cells. Otherwise they
    /// are of the same row, and too far away to count.
    pub(super) ends: bool,
    /// What the short way takes off the differences of coordinates, m.
    pub(super) shift: DVec3,
}

/// How many cells a reach goes to either side, along each axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps([usize; 3]);

/// The most rows of cells that are kept: nine, and each may lead round a seam.
const ROWS: usize = 9;
const MOST: usize = 2 * ROWS + 1;

/// A row of cells near another.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    /// Its first cell.
    first: usize,
    /// The first entry behind it.
    end: u32,
    /// What the short way takes off the differences of y and z, m.
    shift: (f64, f64),
}

/// The spans of one cell.
#[derive(Default)]
pub(super) struct Spans {
    list: [Span; MOST],
    count: usize,
    /// Whether one has a shift.
    pub(super) shifted: bool,
    /// The rows near the row of the cell, which are the same for all its cells.
    rows: [Near; ROWS],
    row_count: usize,
    /// That row by its numbers, and whether one of those near it is round a seam.
    row: Option<[usize; 2]>,
    turned: bool,
}

impl Spans {
    /// The spans, or none where there are more than are kept.
    #[inline]
    pub(super) fn known(&self) -> Option<&[Span]> {
        self.list.get(..self.count)
    }
}

/// A cell by its numbers along the axes, and where its row ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    at: [usize; 3],
    index: usize,
}

impl Axis {
    /// The cells up to `steps` away from a cell.
    #[inline]
    fn round(&self, cell: usize, steps: usize) -> Runs {
        let (last, period) = (self.count - 1, self.period);
        let main = Run { first: cell.saturating_sub(steps), last: (cell + steps).min(last), shift: 0.0 };
        let beyond = if period <= 0.0 || (steps <= cell && cell + steps <= last) {
            return Runs { list: [main, main], count: 1, at: 0.0, sure: true };
        } else if cell < steps {
            Run { first: cell + self.count - steps, last, shift: period }
        } else {
            Run { first: 0, last: cell + steps - self.count, shift: -period }
        };
        Runs { list: [main, beyond], count: 2, at: 0.0, sure: true }
    }

    /// Cells that `radius` may reach to either side; none where a wrapped axis is hardly larger than that.
    #[inline]
    fn steps(&self, radius: f64) -> Option<usize> {
        let reach = radius + self.slack;
        let steps = if self.count <= 1 { 0 } else { ((reach * self.inverse) as usize).min(self.count) + 1 };
        let narrow = self.period > 0.0 && (2 * steps >= self.count || 2.0 * reach >= self.period - self.side);
        (!narrow).then_some(steps)
    }
}

impl NeighborGrid {
    /// How far cells have to be looked at for a radius, m. None where the short ways have to be found one by one: in a wrapped
    /// world that is hardly larger than the radius, and where agents stand outside of one.
    #[inline]
    pub(super) fn steps(&self, radius: f64) -> Option<Steps> {
        if self.strays || radius.is_nan() || radius < 0.0 {
            return None;
        }
        let [x, y, z] = &self.axes;
        Some(Steps([x.steps(radius)?, y.steps(radius)?, z.steps(radius)?]))
    }

    /// The cell of an entry.
    #[inline]
    pub(super) fn cell_of(&self, entry: usize) -> Cell {
        let p = self.columns.position(entry);
        let at = [self.axes[0].cell(p.x), self.axes[1].cell(p.y), self.axes[2].cell(p.z)];
        Cell { at, index: (at[2] * self.axes[1].count + at[1]) * self.axes[0].count + at[0] }
    }

    /// Goes on to the cell of a later entry, and tells the first entry behind it.
    #[inline]
    pub(super) fn forward(&self, cell: &mut Cell, entry: usize) -> usize {
        while (self.starts[cell.index + 1] as usize) <= entry {
            cell.index += 1;
            cell.at[0] += 1;
            if cell.at[0] == self.axes[0].count {
                cell.at[0] = 0;
                cell.at[1] += 1;
                if cell.at[1] == self.axes[1].count {
                    (cell.at[1], cell.at[2]) = (0, cell.at[2] + 1);
                }
            }
        }
        self.starts[cell.index + 1] as usize
    }

    /// Calls `take` with every row of cells near a cell: by layer, then by row.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn rows_round<const DEEP: bool>(&self, cell: Cell, Steps([_, sy, sz]): Steps, mut take: impl FnMut(Near)) {
        let [ax, ay, az] = &self.axes;
        let lines = ay.round(cell.at[1], sy);
        let layers = if DEEP { az.round(cell.at[2], sz) } else { Runs::one(0, 0, 0.0, true) };
        for layer in layers.runs() {
            for z in layer.first..=layer.last {
                for line in lines.runs() {
                    for y in line.first..=line.last {
                        let first = (z * ay.count + y) * ax.count;
                        let end = self.starts[first + ax.count];
                        take(Near { first, end, shift: (line.shift, layer.shift) });
                    }
                }
            }
        }
    }

    /// The entries of a run of cells in a row.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn span(&self, row: &Near, run: &Run) -> Span {
        let (from, to) = (self.starts[row.first + run.first], self.starts[row.first + run.last + 1]);
        let shift = DVec3::new(run.shift, row.shift.0, row.shift.1);
        Span { from, to, ends: to + LANES as u32 > row.end + 1, shift }
    }

    /// Calls `take` with every range of entries near a cell: by layer, row, and along it. Only with `DEEP` do agents differ in z.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub(super) fn spans_round<const DEEP: bool>(&self, cell: Cell, steps: Steps, mut take: impl FnMut(Span)) {
        let columns = self.axes[0].round(cell.at[0], steps.0[0]);
        self.rows_round::<DEEP>(cell, steps, |row| {
            columns
                .runs()
                .iter()
                .map(|run| self.span(&row, run))
                .filter(|span| span.from < span.to)
                .for_each(&mut take);
        });
    }

    /// Finds the spans of a cell.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub(super) fn find_spans<const DEEP: bool>(&self, cell: Cell, steps: Steps, spans: &mut Spans) {
        let row = [cell.at[1], cell.at[2]];
        if spans.row != Some(row) {
            (spans.row, spans.row_count, spans.turned) = (Some(row), 0, false);
            self.rows_round::<DEEP>(cell, steps, |near| {
                if let Some(place) = spans.rows.get_mut(spans.row_count) {
                    *place = near;
                }
                spans.turned |= near.shift != (0.0, 0.0);
                spans.row_count += 1;
            });
        }
        let Some(rows) = spans.rows.get(..spans.row_count) else {
            spans.count = usize::MAX;
            return;
        };
        let columns = self.axes[0].round(cell.at[0], steps.0[0]);
        spans.shifted = spans.turned || columns.count > 1;
        spans.count = 0;
        for row in rows {
            for run in columns.runs() {
                let span = self.span(row, run);
                spans.list[spans.count] = span;
                spans.count += usize::from(span.from < span.to);
            }
        }
    }
}
