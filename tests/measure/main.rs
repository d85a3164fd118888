//! Measures: definitions of metrics, contracts, series.

mod contract;
mod metrics;
mod series;
