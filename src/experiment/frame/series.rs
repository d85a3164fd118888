//! Metrics over time.

use std::sync::Arc;

/// A metric over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// "group.metric".
    pub id: String,
    /// Metric without group: series with the same metric share one plot.
    pub metric: String,
    /// Name of the group.
    pub group: String,
    /// Unit.
    pub unit: String,
    /// One line on the definition.
    pub about: String,
    /// Index into the palette; the same metric has the same color wherever its line is alone in a plot.
    pub color: usize,
    /// Time in s and value, ascending in time; peaks are kept when thinned; a NaN is a gap.
    pub points: Arc<[[f64; 2]]>,
    /// Value at this tick.
    pub last: Option<f64>,
    /// Whether the value stays between two points, as counts do.
    pub steps: bool,
    /// Limit of the contract.
    pub limit: Option<f64>,
    /// When commands were issued and when all terms held again.
    pub settles: Arc<[SettleMark]>,
}

/// A settling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettleMark {
    /// When the command was issued, in s.
    pub ordered_at: f64,
    /// What was ordered.
    pub command: String,
    /// When all terms held; none while they do not.
    pub settled_at: Option<f64>,
}

/// A metric that can be plotted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MetricInfo {
    /// "group.metric".
    pub id: String,
    /// Unit.
    pub unit: String,
    /// One line on the definition.
    pub about: String,
    /// Whether it is plotted now.
    pub watched: bool,
}
