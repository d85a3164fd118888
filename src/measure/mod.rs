//! Numbers about groups: metrics with unit, definition and source, contracts of formations, series and statistics.
//!
//! Knows no Lua, no files and no window. A tick hands a [`GroupView`] to a [`Measurer`], which fills [`Values`] without
//! allocating; a [`ContractJudge`] hears the terms of a contract once per tick; [`Series`] and [`Stats`] remember.
//! Everything is measured on true states, not on sensed ones. What cannot be measured is `None`, a gap in a plot.

mod blame;
mod cluster;
mod contract;
pub mod crowd;
mod ground;
mod hull;
mod measurer;
mod metric;
mod pairs;
mod procrustes;
mod series;
mod stats;
mod view;

pub use blame::{Blame, Blames, PlaceErrors};
pub use contract::{
    Aligned, ContractJudge, ContractReport, ContractSpec, DEBOUNCE_TICKS, FREE_MOVE_M, Settle, Term, TermReport,
    TermValues,
};
pub use ground::{circular_mean, circular_sd, closest_approach};
pub use measurer::{Measurer, Values};
pub use metric::{Metric, MetricInfo, MetricSet};
pub use procrustes::{Fit, fit};
pub use series::{Bucket, Column, Series};
pub use stats::Stats;
pub use view::{GroupSample, GroupView, NO_SLOT, SlotsView};
