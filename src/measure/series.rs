//! A value over time in bounded memory that never hides a peak.
//!
//! Ticks are kept in buckets of equal numbers of pushes, each with its least and its largest value. When all buckets are used,
//! neighbors are merged in pairs and each holds twice as many from then on: memory is fixed, a push costs O(1) on average,
//! and every extreme of the whole run is still there.

use super::stats::Stats;

/// Buckets of a series unless told otherwise.
const DEFAULT_BUCKETS: usize = 4096;

/// Values of consecutive ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// First tick.
    pub from: u64,
    /// Last tick.
    pub to: u64,
    /// Smallest value; not a number if all are gaps.
    pub min: f64,
    /// Largest value; not a number if all are gaps.
    pub max: f64,
    /// Tick of the first smallest value.
    pub min_at: u64,
    /// Tick of the first largest value.
    pub max_at: u64,
    /// Sum of the values.
    pub sum: f64,
    /// Number of values.
    pub count: u32,
    /// Number of gaps.
    pub gaps: u32,
}

impl Bucket {
    fn of(tick: u64, value: Option<f64>) -> Self {
        let held = value.unwrap_or(f64::NAN);
        Self {
            from: tick,
            to: tick,
            min: held,
            max: held,
            min_at: tick,
            max_at: tick,
            sum: value.unwrap_or(0.0),
            count: u32::from(value.is_some()),
            gaps: u32::from(value.is_none()),
        }
    }

    /// Both together; `later` follows `self`.
    fn join(mut self, later: Self) -> Self {
        // A NaN on the left is a bucket of gaps: anything is better than it.
        if later.count > 0 && (self.count == 0 || later.min < self.min) {
            (self.min, self.min_at) = (later.min, later.min_at);
        }
        if later.count > 0 && (self.count == 0 || later.max > self.max) {
            (self.max, self.max_at) = (later.max, later.max_at);
        }
        self.to = later.to;
        self.sum += later.sum;
        self.count = self.count.saturating_add(later.count);
        self.gaps = self.gaps.saturating_add(later.gaps);
        self
    }

    /// Mean of the values, `None` if all are gaps.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }

    /// Whether there is no value in it.
    pub const fn is_gap(&self) -> bool {
        self.count == 0
    }
}

/// What one column of a plot shows.
pub type Column = Bucket;

/// A bounded series: one value or gap per push, in ascending ticks.
#[derive(Debug, Clone)]
pub struct Series {
    buckets: Vec<Bucket>,
    most: usize,
    /// Pushes that a full bucket holds, a power of two.
    width: u64,
    stats: Stats,
    last_tick: Option<u64>,
}

impl Default for Series {
    fn default() -> Self {
        Self::new(DEFAULT_BUCKETS)
    }
}

impl Series {
    /// A series that keeps at most `buckets` buckets (at least 2, made even).
    pub fn new(buckets: usize) -> Self {
        let most = buckets.max(2).next_multiple_of(2);
        Self { buckets: Vec::with_capacity(most), most, width: 1, stats: Stats::default(), last_tick: None }
    }

    /// Adds the value of a tick; `None` and non-finite values are gaps. Returns false, and keeps nothing, if the tick is not
    /// after the last one: a run that starts over clears its series.
    pub fn push(&mut self, tick: u64, value: Option<f64>) -> bool {
        if self.last_tick.is_some_and(|last| tick <= last) {
            return false;
        }
        self.last_tick = Some(tick);
        let value = value.filter(|value| value.is_finite());
        self.stats.push(value);
        let new = Bucket::of(tick, value);
        if let Some(open) = self.buckets.last_mut()
            && u64::from(open.count) + u64::from(open.gaps) < self.width
        {
            *open = open.join(new);
            return true;
        }
        if self.buckets.len() == self.most {
            self.merge();
        }
        self.buckets.push(new);
        true
    }

    /// Joins neighbors in pairs. All buckets are full here, and their number is even.
    fn merge(&mut self) {
        let half = self.buckets.len() / 2;
        for i in 0..half {
            self.buckets[i] = self.buckets[2 * i].join(self.buckets[2 * i + 1]);
        }
        self.buckets.truncate(half);
        self.width *= 2;
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.buckets.clear();
        self.width = 1;
        self.stats = Stats::default();
        self.last_tick = None;
    }

    /// Exact last, mean, smallest and largest over all pushes.
    pub const fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The first tick and the last.
    pub fn ticks(&self) -> Option<(u64, u64)> {
        Some((self.buckets.first()?.from, self.buckets.last()?.to))
    }

    /// All buckets, in ascending ticks without overlap.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// The bucket that holds `tick`, or the last one before it: what hovering shows.
    pub fn at(&self, tick: u64) -> Option<&Bucket> {
        let next = self.buckets.partition_point(|bucket| bucket.from <= tick);
        self.buckets.get(next.checked_sub(1)?)
    }

    /// The part between two ticks (both included) for a plot `columns` wide: at most that many columns, in ascending ticks, each
    /// with the least and the largest value of its time. A bucket that reaches over an edge is part of the column it starts in,
    /// so no peak is lost. Gaps are columns of their own where the columns are fine enough. `out` is cleared first.
    pub fn view(&self, from: u64, to: u64, columns: usize, out: &mut Vec<Column>) {
        out.clear();
        if columns == 0 || to < from {
            return;
        }
        let first = self.buckets.partition_point(|bucket| bucket.to < from);
        let last = self.buckets.partition_point(|bucket| bucket.from <= to);
        let span = (to - from) as f64 + 1.0;
        let column_of = |bucket: &Bucket| {
            let part = bucket.from.saturating_sub(from) as f64 / span;
            ((part * columns as f64) as usize).min(columns - 1)
        };
        let mut open = None;
        for bucket in self.buckets.get(first..last).unwrap_or_default() {
            let column = column_of(bucket);
            match out.last_mut() {
                Some(previous) if open == Some(column) => *previous = previous.join(*bucket),
                _ => out.push(*bucket),
            }
            open = Some(column);
        }
    }
}
