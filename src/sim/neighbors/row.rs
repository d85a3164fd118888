//! The agents near one agent, as minds get them.

use glam::DVec3;

use super::NeighborGrid;

/// An entry of a [`Row`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowEntry {
    /// The vector to the other agent, metres, the short way round.
    pub offset: DVec3,
    /// Its length squared, m².
    pub squared: f64,
    /// Where the other agent stands in the grid: see [`NeighborGrid::slot`].
    pub entry: u32,
}

/// The agents near one agent: a buffer that is reused.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// What is behind `count` is kept as room.
    entries: Vec<RowEntry>,
    pub(super) count: usize,
}

impl Row {
    /// Empties the row.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// What is in the row.
    #[inline]
    pub fn entries(&self) -> &[RowEntry] {
        &self.entries[..self.count]
    }

    /// Brings the nearest to the front; equal distances by slot.
    pub fn sort(&mut self, grid: &NeighborGrid) {
        let slots = |a: &RowEntry, b: &RowEntry| grid.slot(a.entry).cmp(&grid.slot(b.entry));
        let order = |a: &RowEntry, b: &RowEntry| a.squared.total_cmp(&b.squared).then_with(|| slots(a, b));
        self.entries[..self.count].sort_unstable_by(order);
    }

    /// Room for `more` entries behind those in the row.
    #[inline]
    pub(super) fn room(&mut self, more: usize) -> &mut [RowEntry] {
        let most = self.count + more;
        if self.entries.len() < most {
            self.grow(most);
        }
        &mut self.entries[self.count..most]
    }

    #[cold]
    fn grow(&mut self, most: usize) {
        self.entries.resize(most.next_power_of_two(), RowEntry::default());
    }

    pub(super) fn push(&mut self, entry: RowEntry) {
        self.room(1)[0] = entry;
        self.count += 1;
    }

    pub(super) fn retain(&mut self, keep: impl Fn(&RowEntry) -> bool) {
        let mut kept = 0;
        for index in 0..self.count {
            let entry = self.entries[index];
            self.entries[kept] = entry;
            kept += usize::from(keep(&entry));
        }
        self.count = kept;
    }
}
