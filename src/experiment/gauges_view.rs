//! Measuring lines, areas and cells as the window and reports see them.

use std::sync::Arc;

use glam::DVec3;
use serde::Serialize;

use super::core::Experiment;
use super::frame::{GaugeArea, GaugeLine, HeatView};
use super::gauging::{Ground, Kind, parts};
use super::report::{MetricRun, as_map};
use crate::measure::crowd::{AreaMetric, LineMetric, Voronoi};

/// More people than this have no cells drawn.
const MOST_CELLS: usize = 3000;

/// A measuring line over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LineRun {
    /// Its name.
    pub name: String,
    /// m.
    pub length: f64,
    /// What was measured, by id.
    #[serde(serialize_with = "as_map")]
    pub metrics: Vec<(String, MetricRun)>,
}

/// A measuring area over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AreaRun {
    /// Its name.
    pub name: String,
    /// m².
    pub area: f64,
    /// What was measured, by id.
    #[serde(serialize_with = "as_map")]
    pub metrics: Vec<(String, MetricRun)>,
}

/// What is kept to draw cells.
#[derive(Debug, Default)]
pub(super) struct HeatCache {
    epoch: u64,
    ground: Ground,
    cells: Voronoi,
}

impl Experiment {
    /// What was measured at lines.
    pub(super) fn line_runs(&self) -> Vec<LineRun> {
        let lines = self.measuring.gauges.lines.iter();
        lines
            .map(|line| {
                let name = line.scene.name.clone();
                let metrics = self.gauge_metrics(Kind::Line, &name);
                LineRun { length: line.scene.line.length(), metrics, name }
            })
            .collect()
    }

    /// What was measured in areas.
    pub(super) fn area_runs(&self) -> Vec<AreaRun> {
        let areas = self.measuring.gauges.areas.iter();
        areas
            .map(|area| {
                let name = area.scene.name.clone();
                let metrics = self.gauge_metrics(Kind::Area, &name);
                AreaRun { area: area.scene.polygon.area(), metrics, name }
            })
            .collect()
    }

    fn gauge_metrics(&self, kind: Kind, name: &str) -> Vec<(String, MetricRun)> {
        let measured = self.measuring.gauges.ids().filter(|(_, _, measured)| *measured);
        measured
            .filter(|(id, _, _)| parts(id).is_some_and(|(of, known, _)| of == kind && known == name))
            .filter_map(|(id, info, _)| {
                let extra = self.measuring.extra.get(&id)?;
                Some((info.id.to_owned(), MetricRun::new(info.unit, &extra.stats)))
            })
            .collect()
    }

    /// What the window watches is measured, also after a reset.
    pub(super) fn want_watched(&mut self) {
        let Some(area) = &self.watch.diagram else { return };
        for metric in [AreaMetric::VoronoiDensity, AreaMetric::VoronoiSpeed] {
            self.measuring.gauges.want(&format!("areas.{area}.{}", metric.info().id));
        }
    }

    /// Measuring lines as drawn.
    pub(super) fn gauge_lines(&self) -> Arc<[GaugeLine]> {
        let lines = self.measuring.gauges.lines.iter();
        lines
            .map(|line| GaugeLine {
                name: line.scene.name.clone(),
                from: line.scene.line.from.extend(0.0),
                to: line.scene.line.to.extend(0.0),
                flow: line.values[LineMetric::Flow as usize],
                forward: line.gate.forward(),
                backward: line.gate.backward(),
            })
            .collect()
    }

    /// Measuring areas as drawn.
    pub(super) fn gauge_areas(&self) -> Arc<[GaugeArea]> {
        let areas = self.measuring.gauges.areas.iter();
        areas
            .map(|area| {
                let value = |metric: AreaMetric| area.values[metric as usize];
                let watched = self.watch.diagram.as_ref() == Some(&area.scene.name);
                GaugeArea {
                    name: area.scene.name.clone(),
                    points: area.scene.polygon.ring().iter().map(|p| p.extend(0.0)).collect(),
                    density: value(AreaMetric::VoronoiDensity).or_else(|| value(AreaMetric::Density)),
                    count: value(AreaMetric::Count).unwrap_or(0.0) as usize,
                    trace: if watched { area.trace.points().into() } else { Arc::default() },
                }
            })
            .collect()
    }

    /// Cells of all people, if they are watched and not too many.
    pub(super) fn heat_view(&self, cache: &mut HeatCache) -> Option<Arc<HeatView>> {
        let agents = &self.world.agents;
        if !self.watch.density || agents.count() > MOST_CELLS {
            return None;
        }
        if cache.epoch != self.epoch {
            *cache = HeatCache { epoch: self.epoch, ..HeatCache::default() };
        }
        cache.ground.follow(&self.scene, &self.world);
        let alive = (0..agents.slots()).filter(|slot| agents.alive[*slot]);
        let points: Vec<glam::DVec2> = alive.map(|slot| agents.position[slot].truncate()).collect();
        let cut_off = self.scene.areas.iter().find_map(|area| area.cut_off);
        cache.cells.run(&points, &cache.ground.field(cut_off));
        let mut view = HeatView::default();
        for cell in 0..cache.cells.len() {
            let Some(density) = cache.cells.density(cell) else { continue };
            let at = cache.cells.point(cell);
            let world = |piece: &[glam::DVec2]| piece.iter().map(|p| (at + *p).extend(0.0)).collect::<Vec<DVec3>>();
            view.pieces.extend(cache.cells.pieces(cell).map(|piece| (density, world(piece))));
        }
        Some(Arc::new(view))
    }
}
