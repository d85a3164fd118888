//! The uniform grid of agents: who is within reach, for any ratio of cell to radius, bounded, unbounded and wrapped worlds.

use super::{
    Agents, GroupId, Space,
    space::{short_way, wrap_coordinate},
};
use glam::DVec3;

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

/// An entry of a [`Row`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowEntry {
    /// The vector to the other agent, metres, the short way round.
    pub offset: DVec3,
    /// Its length squared, m².
    pub squared: f64,
    /// The other agent's slot.
    pub slot: u32,
    /// Where it stands in the grid.
    pub entry: u32,
}

/// The agents near one agent: a buffer that is reused.
#[derive(Clone, Debug, Default)]
pub struct Row {
    entries: Vec<RowEntry>,
    /// Entries of the grid within reach; what is behind the end of the list in use is kept as room.
    found: Vec<u32>,
}

impl Row {
    /// Empties the row.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// What is in the row.
    pub fn entries(&self) -> &[RowEntry] {
        &self.entries
    }

    /// Brings the nearest to the front; equal distances by slot.
    pub fn sort(&mut self) {
        let order = |a: &RowEntry, b: &RowEntry| a.squared.total_cmp(&b.squared).then(a.slot.cmp(&b.slot));
        self.entries.sort_unstable_by(order);
    }
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

/// An axis of the grid.
#[derive(Clone, Copy, Debug, Default)]
struct Axis {
    min: f64,
    /// Cell side, metres; 0 for an axis of one cell.
    side: f64,
    /// Cells per metre.
    inverse: f64,
    count: usize,
    /// Period of a wrapped axis, 0 otherwise.
    period: f64,
}

impl Axis {
    /// The cell of a coordinate; coordinates outside belong to the cell at the edge.
    #[inline]
    fn cell(&self, x: f64) -> usize {
        if self.count <= 1 {
            return 0;
        }
        let x = wrap_coordinate(x, self.min, self.period);
        let cell = (x - self.min) * self.inverse;
        if cell > 0.0 { (cell as usize).min(self.count - 1) } else { 0 }
    }

    /// The cells within `radius` of `x` as up to two ranges (a wrapped axis may need both), each first..=last.
    #[inline]
    fn reach(&self, x: f64, radius: f64) -> [Option<(usize, usize)>; 2] {
        if self.count <= 1 {
            return [Some((0, 0)), None];
        }
        if self.period <= 0.0 {
            return [Some((self.cell(x - radius), self.cell(x + radius))), None];
        }
        if 2.0 * radius >= self.period - self.side {
            return [Some((0, self.count - 1)), None];
        }
        let (first, last) = (self.cell(x - radius), self.cell(x + radius));
        if first <= last { [Some((first, last)), None] } else { [Some((0, last)), Some((first, self.count - 1))] }
    }
}

/// Cells of equal side over the agents; rebuilt each tick, buffers reused.
#[derive(Clone, Debug, Default)]
pub struct NeighborGrid {
    axes: [Axis; 3],
    space: Space,
    /// First entry of each cell, one more than cells.
    starts: Vec<u32>,
    /// Entries sorted by cell, then slot; coordinates apart, so that a flat world reads two of them only.
    slots: Vec<u32>,
    xs: Vec<f64>,
    ys: Vec<f64>,
    zs: Vec<f64>,
    velocities: Vec<DVec3>,
    /// Whether all agents have the same z.
    flat: bool,
    /// That z, metres.
    level: f64,
    /// While it is rebuilt the cell of each slot, then its entry; `u32::MAX` for a dead one.
    entry_of: Vec<u32>,
}

/// The most cells per agent; more would cost more than they save.
const CELLS_PER_AGENT: usize = 4;

impl NeighborGrid {
    /// Sorts all living agents into cells of about `side` metres (any positive number works; the radius of the most common
    /// query is fastest).
    pub fn rebuild(&mut self, agents: &Agents, space: Space, side: f64) {
        self.space = space;
        let side = if side.is_finite() && side > 1e-6 { side } else { 1.0 };
        self.lay_axes(agents, side);
        let cells = self.axes[0].count * self.axes[1].count * self.axes[2].count;
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        self.entry_of.clear();
        for slot in 0..agents.slots() {
            let cell = if agents.alive[slot] { self.cell_at(agents.position[slot]) as u32 } else { u32::MAX };
            self.entry_of.push(cell);
            if cell != u32::MAX {
                self.starts[cell as usize + 1] += 1;
            }
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        let total = self.starts[cells] as usize;
        self.slots.resize(total, 0);
        // `starts[cell]` walks to the end of its cell while entries are dropped in, then is moved back by one cell.
        for slot in 0..agents.slots() {
            let cell = self.entry_of[slot];
            if cell == u32::MAX {
                continue;
            }
            let at = self.starts[cell as usize];
            self.slots[at as usize] = slot as u32;
            self.entry_of[slot] = at;
            self.starts[cell as usize] += 1;
        }
        for cell in (0..cells).rev() {
            self.starts[cell + 1] = self.starts[cell];
        }
        self.starts[0] = 0;
        self.copy_columns(agents);
    }

    /// Copies what minds read of their neighbors into the order of the entries.
    fn copy_columns(&mut self, agents: &Agents) {
        self.xs.clear();
        self.ys.clear();
        self.zs.clear();
        self.velocities.clear();
        for slot in &self.slots {
            let position = agents.position[*slot as usize];
            self.xs.push(position.x);
            self.ys.push(position.y);
            self.velocities.push(agents.velocity[*slot as usize]);
        }
        if self.flat {
            self.zs.resize(self.slots.len(), self.level);
        } else {
            self.zs.extend(self.slots.iter().map(|slot| agents.position[*slot as usize].z));
        }
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
        for slot in 0..agents.slots() {
            if agents.alive[slot] {
                let p = agents.position[slot];
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
        let mut side = side;
        loop {
            let counts = bounds.map(|(_, extent)| (extent / side).floor().clamp(1.0, 1e6));
            if counts[0] * counts[1] * counts[2] <= most {
                break;
            }
            side *= 1.26;
        }
        for (axis, (min, extent)) in bounds.into_iter().enumerate() {
            let count = (extent / side).floor().clamp(1.0, 1e6) as usize;
            let side = extent / count as f64;
            let inverse = if side > 0.0 { side.recip() } else { 0.0 };
            self.axes[axis] = Axis { min, side, inverse, count, period: period[axis] };
        }
    }

    /// Calls `span(from, to)` for every range of entries whose cells are within `radius` of `point`.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn spans(&self, point: DVec3, radius: f64, mut span: impl FnMut(usize, usize)) {
        if radius.is_nan() || radius < 0.0 || self.slots.is_empty() {
            return;
        }
        let [ax, ay, az] = &self.axes;
        let columns = ax.reach(point.x, radius);
        let lines = ay.reach(point.y, radius);
        for (low, high) in az.reach(point.z, radius).into_iter().flatten() {
            for z in low..=high {
                for (low, high) in lines.into_iter().flatten() {
                    let rows = z * ay.count + low..=z * ay.count + high;
                    rows.for_each(|row| self.row_spans(row * ax.count, columns, &mut span));
                }
            }
        }
    }

    /// The ranges of entries in one row of cells, which begins at cell `row`.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn row_spans(&self, row: usize, columns: [Option<(usize, usize)>; 2], span: &mut impl FnMut(usize, usize)) {
        for (first, last) in columns.into_iter().flatten() {
            span(self.starts[row + first] as usize, self.starts[row + last + 1] as usize);
        }
    }

    /// Calls `visit(slot, offset, distance²)` for every living agent within `radius` of `point`, by cell, then by slot; agents
    /// at exactly `radius` count. The agent `me` is left out.
    #[inline]
    pub fn visit(&self, point: DVec3, radius: f64, me: Option<u32>, mut visit: impl FnMut(u32, DVec3, f64)) {
        let limit = radius * radius;
        let me = me.unwrap_or(u32::MAX);
        let wrapped = self.space.period() != DVec3::ZERO;
        self.spans(point, radius, |from, to| {
            for at in from..to {
                let (slot, position) = (&self.slots[at], DVec3::new(self.xs[at], self.ys[at], self.zs[at]));
                let offset = if wrapped { self.space.offset(point, position) } else { position - point };
                let squared = offset.length_squared();
                if squared <= limit && *slot != me {
                    visit(*slot, offset, squared);
                }
            }
        });
    }

    /// Slots of all living agents by cell, then by slot: agents next to each other in this list are near each other, so minds
    /// that go through it find what they read in the cache.
    pub fn order(&self) -> &[u32] {
        &self.slots
    }

    /// The velocity of the agent at an entry of a [`Row`], m/s, as of the last sense stage.
    #[inline]
    pub fn velocity(&self, entry: u32) -> DVec3 {
        self.velocities[entry as usize]
    }

    /// The velocity of an agent, m/s: from beside its neighbors' where the grid knows it, which is in the cache.
    #[inline]
    pub fn velocity_of(&self, agents: &Agents, slot: usize) -> DVec3 {
        let entry = self.entry_of.get(slot).and_then(|entry| self.velocities.get(*entry as usize));
        entry.copied().unwrap_or_else(|| agents.velocity[slot])
    }

    /// Writes all agents within `radius` of agent `me` into `row`, by cell, then by slot; with `only` those of one group. The
    /// fast way for minds.
    pub fn gather(&self, agents: &Agents, me: u32, radius: f64, only: Option<GroupId>, row: &mut Row) {
        let own = self.entry_of.get(me as usize).copied().unwrap_or(u32::MAX) as usize;
        let point = match self.xs.get(own) {
            Some(x) => DVec3::new(*x, self.ys[own], self.zs[own]),
            None => agents.position[me as usize],
        };
        let period = self.space.period();
        let limit = radius * radius;
        row.clear();
        let found = &mut row.found;
        let count = if period != DVec3::ZERO {
            let squared = |x, y, z| short_way(DVec3::new(x, y, z), period).length_squared();
            self.find::<true>(point, radius, found, |x, y, z| squared(x, y, z) <= limit)
        } else if self.flat {
            self.find::<false>(point, radius, found, |x, y, _| x * x + y * y <= limit)
        } else {
            self.find::<true>(point, radius, found, |x, y, z| x * x + y * y + z * z <= limit)
        };
        for entry in &row.found[..count] {
            let at = *entry as usize;
            let slot = self.slots[at];
            if slot == me || only.is_some_and(|group| agents.group[slot as usize] != group) {
                continue;
            }
            let straight = DVec3::new(self.xs[at], self.ys[at], self.zs[at]) - point;
            let offset = if period == DVec3::ZERO { straight } else { short_way(straight, period) };
            row.entries.push(RowEntry { offset, squared: offset.length_squared(), slot, entry: *entry });
        }
    }

    /// Writes the entries that `near` accepts to the front of `found` and returns how many: without a branch, by moving the
    /// end of the list. Only with `DEEP` does `near` get a z other than 0.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn find<const DEEP: bool>(
        &self,
        point: DVec3,
        radius: f64,
        found: &mut Vec<u32>,
        near: impl Fn(f64, f64, f64) -> bool,
    ) -> usize {
        let mut count = 0;
        self.spans(point, radius, |from, to| {
            let most = count + (to - from);
            if found.len() < most {
                found.resize(most.next_power_of_two(), 0);
            }
            let list = &mut found[..most];
            let zs = if DEEP { &self.zs[from..to] } else { &self.xs[from..to] };
            for (step, ((x, y), z)) in self.xs[from..to].iter().zip(&self.ys[from..to]).zip(zs).enumerate() {
                list[count] = (from + step) as u32;
                let z = if DEEP { z - point.z } else { 0.0 };
                count += usize::from(near(x - point.x, y - point.y, z));
            }
        });
        count
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
                Some((agents.forward[me as usize], libm::cos(half.max(0.0))))
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
