//! Measures: definitions of metrics, contracts, series.

mod contract;
mod crowd;
mod metrics;
mod series;
