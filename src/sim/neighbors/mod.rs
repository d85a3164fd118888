//! The uniform grid of agents: who is within reach, for any ratio of cell to radius, bounded, unbounded and wrapped worlds.

mod axis;
mod block;
mod columns;
pub mod lanes;
mod row;
pub mod sums;

use super::{Agents, GroupId, Space, Workers, space::short_way};
use axis::{Axis, Run, Runs};
use columns::Columns;
use glam::DVec3;
pub use lanes::Lanes;
pub use row::{Row, RowEntry};

/// Another agent as seen from one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its slot.
    pub slot: u32,
    /// The vector to it, metres, the short way round in a wrapped world.
    pub offset: DVec3,
    /// Its length, metres.
    pub distance: f64,
}

/// Which agents count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborFilter {
    /// Only agents of this group; none for all.
    pub group: Option<GroupId>,
    /// Half angle of the view cone round `forward`, radians; none for all round.
    pub half_angle: Option<f64>,
    /// The most neighbors; the nearest are kept (ties by id).
    pub max: Option<usize>,
}

/// What is known of the short ways from a point to everything near it.
enum Ways {
    /// They are the straight ones.
    Straight,
    /// They are the straight ones less a shift of each range of cells.
    Shifted,
    /// Each must be found for itself.
    Unknown,
}

/// What all rows of cells of one query share.
struct Query {
    columns: Runs,
    lines: Runs,
    /// Whether rows are cut to the ball.
    cuts: bool,
}

/// Cells of equal side over the agents; rebuilt each tick, buffers reused.
#[derive(Clone, Debug, Default)]
pub struct NeighborGrid {
    axes: [Axis; 3],
    space: Space,
    /// First entry of each cell, one more than cells.
    starts: Vec<u32>,
    /// Entries sorted by cell, then slot: slots, and what minds read of their neighbors.
    slots: Vec<u32>,
    columns: Columns,
    /// The instructions that the kernels may use; they change no result.
    pub lanes: Lanes,
    /// Whether all agents have the same z.
    flat: bool,
    /// That z, metres.
    level: f64,
    /// Whether an agent of a wrapped world stands outside of its area.
    strays: bool,
    /// Whether there are agents of more than the first group.
    many: bool,
    /// While it is rebuilt the cell of each slot, then its entry; `u32::MAX` for a dead one.
    entry_of: Vec<u32>,
}

/// Cells along x per side: a row of cells is one range of entries however many cells it has, so short cells along x let a
/// query look at little beyond its ball. Along y and z shorter cells would mean more rows.
const CELLS_ALONG: f64 = 3.0;

/// The most cells per agent; more would cost more than they save.
const CELLS_PER_AGENT: usize = 4;

/// A column with the number of its first row.
type Numbered<'a> = (usize, &'a mut [u32]);

fn split_at((first, column): Numbered<'_>, at: usize) -> (Numbered<'_>, Numbered<'_>) {
    let (low, high) = column.split_at_mut(at);
    ((first, low), (first + at, high))
}

impl NeighborGrid {
    /// Sorts all living agents into cells of about `side` metres (any positive number works; the radius of the most common
    /// query is fastest).
    pub fn rebuild(&mut self, agents: &Agents, space: Space, side: f64) {
        self.rebuild_with(agents, space, side, &Workers::default());
    }

    /// As [`Self::rebuild`], on all threads.
    pub fn rebuild_with(&mut self, agents: &Agents, space: Space, side: f64, workers: &Workers) {
        self.space = space;
        let side = if side.is_finite() && side > 1e-6 { side } else { 1.0 };
        self.lay_axes(agents, side);
        let cells = self.axes[0].count * self.axes[1].count * self.axes[2].count;
        self.find_cells(agents, workers);
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for cell in &self.entry_of {
            if *cell != u32::MAX {
                self.starts[*cell as usize + 1] += 1;
            }
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        let total = self.starts[cells] as usize;
        self.slots.resize(total, 0);
        // `starts[cell]` walks to the end of its cell while entries are dropped in, then is moved back by one cell.
        for (slot, cell) in self.entry_of.iter_mut().enumerate() {
            if *cell == u32::MAX {
                continue;
            }
            let start = &mut self.starts[*cell as usize];
            self.slots[*start as usize] = slot as u32;
            *cell = *start;
            *start += 1;
        }
        self.starts.copy_within(0..cells, 1);
        self.starts[0] = 0;
        self.columns.fill(agents, &self.slots, self.many, workers);
    }

    /// Finds the cell of every slot.
    fn find_cells(&mut self, agents: &Agents, workers: &Workers) {
        let mut cells = std::mem::take(&mut self.entry_of);
        cells.resize(agents.slots(), u32::MAX);
        let count = cells.len();
        workers.halve((0, &mut cells[..]), count, split_at, |(first, cells)| {
            let last = first + cells.len();
            let (alive, position) = (&agents.alive[first..last], &agents.position[first..last]);
            let [x, y, z] = self.axes;
            // Who stands inside of a wrapped world needs no wrapping, and most worlds have one layer.
            let plain = !self.strays && z.count <= 1;
            for ((cell, p), alive) in cells.iter_mut().zip(position).zip(alive) {
                *cell = match (alive, plain) {
                    (false, _) => u32::MAX,
                    (true, true) => (y.straight(p.y) * x.count + x.straight(p.x)) as u32,
                    (true, false) => self.cell_at(*p) as u32,
                };
            }
        });
        self.entry_of = cells;
    }

    fn cell_at(&self, p: DVec3) -> usize {
        let [x, y, z] = [self.axes[0].cell(p.x), self.axes[1].cell(p.y), self.axes[2].cell(p.z)];
        (z * self.axes[1].count + y) * self.axes[0].count + x
    }

    /// Chooses bounds and counts so that there are at most a few cells per agent. Strays far away share the cells at the edge.
    fn lay_axes(&mut self, agents: &Agents, side: f64) {
        let period = self.space.period();
        let (mut count, mut sum, mut squares) = (0_usize, DVec3::ZERO, DVec3::ZERO);
        let (mut low, mut high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        self.many = false;
        for slot in 0..agents.slots() {
            if agents.alive[slot] {
                let p = agents.position[slot];
                self.many |= agents.group[slot].0 > 0;
                count += 1;
                sum += p;
                squares += p * p;
                low = low.min(p);
                high = high.max(p);
            }
        }
        (self.flat, self.level) = (low.z == high.z, low.z);
        if count == 0 {
            self.axes = [Axis { count: 1, ..Axis::default() }; 3];
            return;
        }
        let mean = sum / count as f64;
        let spread = (squares / count as f64 - mean * mean).max(DVec3::ZERO);
        let most = (count * CELLS_PER_AGENT + 64) as f64;
        let bound = |axis: usize| {
            if period[axis] > 0.0 {
                let min = self.space.area.map_or(0.0, |area| area.min[axis]);
                return (min, period[axis]);
            }
            let reach = 4.0 * libm::sqrt(spread[axis]) + side;
            let min = low[axis].max(mean[axis] - reach);
            (min, (high[axis].min(mean[axis] + reach) - min).max(0.0))
        };
        let bounds = [bound(0), bound(1), bound(2)];
        self.strays = (0..3).any(|axis| {
            let (min, extent) = bounds[axis];
            period[axis] > 0.0 && !(low[axis] >= min && high[axis] < min + extent)
        });
        // A little more than asked, so that a radius of just `side` never needs one cell more.
        let mut sides = [side / CELLS_ALONG, side, side].map(|side| side * (1.0 + 1e-6));
        let counts = loop {
            let counts: [f64; 3] = std::array::from_fn(|axis| (bounds[axis].1 / sides[axis]).floor().clamp(1.0, 1e6));
            if counts[0] * counts[1] * counts[2] <= most {
                break counts;
            }
            sides = sides.map(|side| side * 1.26);
        };
        for (axis, (min, extent)) in bounds.into_iter().enumerate() {
            let side = extent / counts[axis];
            let inverse = if side > 0.0 { side.recip() } else { 0.0 };
            let slack = 1e-9 * side + 1e-12 * (min.abs() + extent);
            self.axes[axis] = Axis { min, side, inverse, count: counts[axis] as usize, period: period[axis], slack };
        }
    }

    /// Calls `span(from, to, shift)` for every range of entries whose cells are within `radius` of `point`; `shift` is what the
    /// short way takes off the differences of coordinates, unless the ways are unknown. Only with `DEEP` do agents differ in
    /// z; without `WRAPPED` the ways are straight.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn spans<const DEEP: bool, const WRAPPED: bool>(
        &self,
        point: DVec3,
        radius: f64,
        mut span: impl FnMut(usize, usize, DVec3),
    ) {
        if radius.is_nan() || radius < 0.0 || self.slots.is_empty() {
            return;
        }
        let [ax, ay, az] = &self.axes;
        let limit = radius * radius;
        let lines = ay.reach::<WRAPPED>(point.y, radius);
        let layers = if DEEP { az.reach::<WRAPPED>(point.z, radius) } else { Runs::one(0, 0, point.z, true) };
        let mut query = Query {
            columns: ax.reach::<WRAPPED>(point.x, radius),
            lines,
            // Three rows of cells fill the square round a circle so well that cutting them to it costs more than it saves.
            cuts: DEEP || lines.list[0].last - lines.list[0].first > 2,
        };
        for layer in layers.runs() {
            for z in layer.first..=layer.last {
                let flat = if DEEP { limit - az.gap_squared::<WRAPPED>(&layers, *layer, z) } else { limit };
                for line in lines.runs() {
                    for y in line.first..=line.last {
                        self.row_spans::<WRAPPED>(&mut query, (*line, y), (*layer, z), flat, &mut span);
                    }
                }
            }
        }
    }

    /// The ranges of entries in one row of cells; `flat` is what is left of the squared radius in its layer, m².
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn row_spans<const WRAPPED: bool>(
        &self,
        query: &mut Query,
        (line, y): (Run, usize),
        (layer, z): (Run, usize),
        flat: f64,
        span: &mut impl FnMut(usize, usize, DVec3),
    ) {
        let [ax, ay, _] = &self.axes;
        if query.cuts {
            // What is left of the ball along this row of cells.
            let rest = flat - ay.gap_squared::<WRAPPED>(&query.lines, line, y);
            if rest < 0.0 {
                return;
            }
            if query.columns.count == 1 && query.columns.sure {
                let half = rest.sqrt() + ax.slack;
                query.columns.list[0].first = ax.straight(query.columns.at - half);
                query.columns.list[0].last = ax.straight(query.columns.at + half);
            }
        }
        let cells = (z * ay.count + y) * ax.count;
        for run in if WRAPPED { query.columns.runs() } else { &query.columns.list[..1] } {
            let (from, to) = (self.starts[cells + run.first], self.starts[cells + run.last + 1]);
            span(from as usize, to as usize, DVec3::new(run.shift, line.shift, layer.shift));
        }
    }

    /// What is known of the short ways from `point` to everything within `radius`.
    #[inline]
    fn ways(&self, point: DVec3, radius: f64) -> Ways {
        let (mut straight, mut known) = (true, !self.strays);
        for (axis, x) in self.axes.iter().zip(point.to_array()) {
            if axis.period > 0.0 {
                let reach = radius + axis.slack;
                straight &= x - reach >= axis.min && x + reach < axis.min + axis.period;
                known &= axis.count > 1 && 2.0 * reach < axis.period - axis.side;
            }
        }
        match (known, straight) {
            (true, true) => Ways::Straight,
            (true, false) => Ways::Shifted,
            (false, _) => Ways::Unknown,
        }
    }

    /// Calls `visit(entry, offset, distance²)` for every living agent within `radius` of `point`, by cell, then by slot.
    #[inline]
    fn visit_entries(&self, point: DVec3, radius: f64, mut visit: impl FnMut(usize, DVec3, f64)) {
        let limit = radius * radius;
        if matches!(self.ways(point, radius), Ways::Straight) {
            self.spans::<true, false>(point, radius, |from, to, _| {
                for at in from..to {
                    let offset = self.columns.position(at) - point;
                    let squared = offset.length_squared();
                    if squared <= limit {
                        visit(at, offset, squared);
                    }
                }
            });
            return;
        }
        let period = self.space.period();
        self.spans::<true, true>(point, radius, |from, to, _| {
            for at in from..to {
                let offset = short_way(self.columns.position(at) - point, period);
                let squared = offset.length_squared();
                if squared <= limit {
                    visit(at, offset, squared);
                }
            }
        });
    }

    /// Calls `visit(slot, offset, distance²)` for every living agent within `radius` of `point`, by cell, then by slot; agents
    /// at exactly `radius` count. The agent `me` is left out.
    #[inline]
    pub fn visit(&self, point: DVec3, radius: f64, me: Option<u32>, mut visit: impl FnMut(u32, DVec3, f64)) {
        let me = me.unwrap_or(u32::MAX);
        self.visit_entries(point, radius, |at, offset, squared| {
            let slot = self.slots[at];
            if slot != me {
                visit(slot, offset, squared);
            }
        });
    }

    /// Slots of all living agents by cell, then by slot: agents next to each other in this list are near each other, so minds
    /// that go through it find what they read in the cache.
    pub fn order(&self) -> &[u32] {
        &self.slots
    }

    /// The slot of the agent at an entry of a [`Row`].
    #[inline]
    pub fn slot(&self, entry: u32) -> u32 {
        self.slots.get(entry as usize).copied().unwrap_or(u32::MAX)
    }

    /// The entry of an agent; none if it was born after the last sense stage.
    #[inline]
    pub fn entry(&self, slot: u32) -> Option<u32> {
        self.entry_of.get(slot as usize).copied().filter(|entry| (*entry as usize) < self.slots.len())
    }

    /// The velocity of the agent at an entry of a [`Row`], m/s, as of the last sense stage.
    #[inline]
    pub fn velocity(&self, entry: u32) -> DVec3 {
        self.columns.velocity(entry as usize)
    }

    /// The velocity of an agent, m/s: from beside its neighbors' where the grid knows it, which is in the cache.
    #[inline]
    pub fn velocity_of(&self, agents: &Agents, slot: usize) -> DVec3 {
        self.entry(slot as u32).map_or_else(|| agents.velocity[slot], |entry| self.columns.velocity(entry as usize))
    }

    /// Writes all agents within `radius` of agent `me` into `row`, by cell, then by slot; with `only` those of one group. The
    /// fast way for minds.
    pub fn gather(&self, agents: &Agents, me: u32, radius: f64, only: Option<GroupId>, row: &mut Row) {
        let own = self.entry_of.get(me as usize).copied().unwrap_or(u32::MAX);
        let at = own as usize;
        let point = self.point_of(agents, me);
        row.clear();
        let flat = self.is_flat_at(point);
        match (self.ways(point, radius), flat) {
            (Ways::Straight, true) => self.scan::<false, false>(point, radius, at, row),
            (Ways::Straight, false) => self.scan::<true, false>(point, radius, at, row),
            (Ways::Shifted, true) => self.scan::<false, true>(point, radius, at, row),
            (Ways::Shifted, false) => self.scan::<true, true>(point, radius, at, row),
            (Ways::Unknown, _) => self.visit_entries(point, radius, |at, offset, squared| {
                if at as u32 != own {
                    row.push(RowEntry { offset, squared, entry: at as u32 });
                }
            }),
        }
        if let Some(group) = only {
            row.retain(|entry| agents.group[self.slot(entry.entry) as usize] == group);
        }
    }

    /// Where an agent stands, m: from beside its neighbors where the grid knows it, which is in the cache.
    #[inline]
    fn point_of(&self, agents: &Agents, me: u32) -> DVec3 {
        self.entry(me).map_or_else(|| agents.position[me as usize], |entry| self.columns.position(entry as usize))
    }

    /// Whether nothing that is seen from a point differs from it in z. Agents of one height may still stand in any layer of
    /// a deep area.
    #[inline]
    fn is_flat_at(&self, point: DVec3) -> bool {
        self.flat && point.z == self.level && self.axes[2].count <= 1
    }

    /// [`Self::visit_entries`] where the short ways are known, as fast as it goes.
    fn scan<const DEEP: bool, const WRAPPED: bool>(&self, point: DVec3, radius: f64, own: usize, row: &mut Row) {
        self.spans::<DEEP, WRAPPED>(point, radius, |from, to, shift| {
            self.append::<DEEP, WRAPPED>(point, radius * radius, (from, to), own, shift, row);
        });
    }

    /// Adds the entries from..to within √`limit` of `point` to a row: without a branch, by moving the end of the row.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn append<const DEEP: bool, const WRAPPED: bool>(
        &self,
        point: DVec3,
        limit: f64,
        (from, to): (usize, usize),
        own: usize,
        shift: DVec3,
        row: &mut Row,
    ) {
        // Everybody but oneself.
        let (mut first, mut last) = (from, if (from..to).contains(&own) { own } else { to });
        loop {
            let room = row.room(last - first);
            let mut count = 0;
            let Columns { x, y, z, .. } = &self.columns;
            for (step, ((x, y), z)) in x[first..last].iter().zip(&y[first..last]).zip(&z[first..last]).enumerate() {
                let mut offset = DVec3::new(x - point.x, y - point.y, 0.0);
                if DEEP {
                    offset.z = z - point.z;
                }
                if WRAPPED {
                    offset -= shift;
                }
                let deep = if DEEP { offset.z * offset.z } else { 0.0 };
                let squared = offset.x * offset.x + offset.y * offset.y + deep;
                room[count] = RowEntry { offset, squared, entry: (first + step) as u32 };
                count += usize::from(squared <= limit);
            }
            row.count += count;
            if last == to {
                break;
            }
            (first, last) = (last + 1, to);
        }
    }

    /// The neighbors of agent `me` at `point` within `radius`, in ascending id, written to `out` (cleared first). Agents at
    /// the same place are neighbors; only the id tells oneself.
    pub fn neighbors(
        &self,
        agents: &Agents,
        point: DVec3,
        me: Option<u32>,
        radius: f64,
        filter: NeighborFilter,
        out: &mut Vec<Neighbor>,
    ) {
        out.clear();
        let cone = match (filter.half_angle, me) {
            (Some(half), Some(me)) if half < std::f64::consts::PI => {
                Some((agents.forward(me as usize), libm::cos(half.max(0.0))))
            }
            _ => None,
        };
        self.visit(point, radius, me, |slot, offset, squared| {
            if filter.group.is_some_and(|group| agents.group[slot as usize] != group) {
                return;
            }
            let distance = squared.sqrt();
            if cone.is_some_and(|(forward, cosine)| offset.dot(forward) < cosine * distance) {
                return;
            }
            out.push(Neighbor { slot, offset, distance });
        });
        if let Some(max) = filter.max.filter(|max| out.len() > *max) {
            out.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.slot.cmp(&b.slot)));
            out.truncate(max);
        }
        out.sort_unstable_by_key(|neighbor| neighbor.slot);
    }

    /// How many agents each cell holds, with the cell's lower corner and sides, for drawing: (corner, side, count).
    pub fn cells(&self, mut visit: impl FnMut(DVec3, DVec3, u32)) {
        let [ax, ay, az] = &self.axes;
        for cell in 0..self.starts.len().saturating_sub(1) {
            let count = self.starts[cell + 1] - self.starts[cell];
            if count > 0 {
                let [x, y, z] = [cell % ax.count, cell / ax.count % ay.count, cell / ax.count / ay.count];
                let corner =
                    DVec3::new(ax.min + x as f64 * ax.side, ay.min + y as f64 * ay.side, az.min + z as f64 * az.side);
                visit(corner, DVec3::new(ax.side, ay.side, az.side), count);
            }
        }
    }
}
