//! What the plots show: the series that are watched, their limits and settle marks, and all that could be plotted.

use std::sync::Arc;

use crate::measure::{Metric, Term};

use super::core::Experiment;
use super::frame::{MetricInfo, Series, SettleMark};

/// Points per plotted series: peaks are kept, see [`crate::measure::Series`].
const POINTS: usize = 1200;

impl Experiment {
    pub(super) fn plots_view(&self) -> Arc<[Series]> {
        let dt = self.world.dt();
        let series = self.measuring.watched.iter().map(|id| {
            let points = self.measuring.series.get(id).map(|series| {
                let mut columns = Vec::new();
                let (from, to) = series.ticks().unwrap_or((0, 0));
                series.view(from, to, POINTS / 2, &mut columns);
                let mut points = Vec::with_capacity(POINTS);
                for column in &columns {
                    push_column(&mut points, column, dt);
                }
                points
            });
            let native = super::measuring::native(&self.world, id);
            // Metrics of lines share a plot, and so do those of areas.
            let gauge = super::gauging::parts(id).and_then(|(_, _, metric)| Some((id.strip_suffix(metric)?, metric)));
            let (group, metric) = gauge.or_else(|| id.split_once('.')).unwrap_or(("", id));
            let (unit, about) = native.map_or_else(
                || {
                    let extra = self.measuring.extra(id);
                    extra.map_or_else(Default::default, |extra| (extra.unit.clone(), extra.about.clone()))
                },
                |(_, metric)| (metric.info().unit.to_owned(), metric.info().about.to_owned()),
            );
            Series {
                id: id.clone(),
                metric: if gauge.is_some() { gauge_plot(id, metric) } else { metric.to_owned() },
                steps: gauge.is_some() && matches!(metric, "count" | "forward" | "backward"),
                group: group.trim_end_matches('.').to_owned(),
                unit,
                about,
                color: color_of(metric),
                points: points.unwrap_or_default().into(),
                last: self.measuring.value(&self.world, id),
                limit: native.and_then(|(group, metric)| self.limit_of(group, metric)),
                settles: native.map_or_else(Arc::default, |(group, _)| self.settle_marks(group)),
            }
        });
        series.collect()
    }

    fn limit_of(&self, group: usize, metric: Metric) -> Option<f64> {
        let judge = self.measuring.groups[group].judge.as_ref()?;
        let spec = judge.spec();
        let terms = Term::EACH_TICK.into_iter().filter(|term| spec.metric(*term) == Some(metric));
        terms.filter_map(|term| spec.limit(term)).reduce(f64::min)
    }

    fn settle_marks(&self, group: usize) -> Arc<[SettleMark]> {
        let dt = self.world.dt();
        let Some(judge) = self.measuring.groups[group].judge.as_ref() else { return Arc::default() };
        let mark = |settle: &crate::measure::Settle| SettleMark {
            ordered_at: settle.tick as f64 * dt,
            command: settle.command.clone(),
            settled_at: settle.settled_at.map(|tick| tick as f64 * dt),
        };
        judge.settles().iter().map(mark).collect()
    }

    pub(super) fn metrics_view(&self) -> Arc<[MetricInfo]> {
        let watched = |id: &str| self.measuring.watched.iter().any(|known| known == id);
        let mut metrics = Vec::new();
        for group in &self.world.groups {
            for metric in Metric::ALL {
                let info = metric.info();
                let id = format!("{}.{}", group.name, info.id);
                let watched = watched(&id);
                metrics.push(MetricInfo { id, unit: info.unit.to_owned(), about: info.about.to_owned(), watched });
            }
        }
        for (id, extra) in &self.measuring.extra {
            let info = MetricInfo {
                id: id.clone(),
                unit: extra.unit.clone(),
                about: extra.about.clone(),
                watched: watched(id),
            };
            metrics.push(info);
        }
        metrics.into()
    }
}

/// One column of a series as points: extremes in their order, a NaN for a gap.
fn push_column(points: &mut Vec<[f64; 2]>, column: &crate::measure::Column, dt: f64) {
    if column.is_gap() {
        points.push([column.from as f64 * dt, f64::NAN]);
        return;
    }
    let low = [column.min_at as f64 * dt, column.min];
    let high = [column.max_at as f64 * dt, column.max];
    match column.min_at.cmp(&column.max_at) {
        std::cmp::Ordering::Equal => points.push(low),
        std::cmp::Ordering::Less => points.extend([low, high]),
        std::cmp::Ordering::Greater => points.extend([high, low]),
    }
}

/// The plot that a metric of lines or areas is shown in.
fn gauge_plot(id: &str, metric: &str) -> String {
    format!("{}.{metric}", id.split_once('.').map_or(id, |(kind, _)| kind))
}

/// The color of a metric: its place in the registry, so that it is the same everywhere.
fn color_of(metric: &str) -> usize {
    Metric::parse(metric).map_or_else(
        || metric.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % 8,
        |metric| metric as usize,
    )
}
