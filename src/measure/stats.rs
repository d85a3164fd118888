//! Last, mean and largest of a value over a run, for reports.

/// Running statistics of finite values; `None` and non-finite values are gaps that count nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Stats {
    last: Option<f64>,
    sum: f64,
    /// What rounding took from `sum` (Neumaier), so that a mean over millions of ticks stays exact.
    lost: f64,
    count: u64,
    min: Option<f64>,
    max: Option<f64>,
}

impl Stats {
    /// Adds the value of a tick; a gap makes `last` a gap.
    pub fn push(&mut self, value: Option<f64>) {
        self.last = value.filter(|value| value.is_finite());
        let Some(value) = self.last else {
            return;
        };
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
        self.count += 1;
        self.min = Some(self.min.map_or(value, |min| min.min(value)));
        self.max = Some(self.max.map_or(value, |max| max.max(value)));
    }

    /// The value of the last tick, `None` if that was a gap.
    pub const fn last(&self) -> Option<f64> {
        self.last
    }

    /// Mean over all values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.sum + self.lost) / self.count as f64)
    }

    /// Smallest value.
    pub const fn min(&self) -> Option<f64> {
        self.min
    }

    /// Largest value.
    pub const fn max(&self) -> Option<f64> {
        self.max
    }

    /// Number of values, gaps not counted.
    pub const fn count(&self) -> u64 {
        self.count
    }
}
