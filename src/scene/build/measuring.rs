//! Measuring lines and areas: names, groups and shapes checked.

use glam::{DVec2, DVec3};

use super::Builder;
use crate::measure::crowd::{AreaMetric, Line, LineMetric, Polygon};
use crate::scene::decode::Spanned;
use crate::scene::file::MeasureAreaFile;
use crate::scene::nearest::suggestion;
use crate::scene::ron::{Span, shortened};
use crate::sim::obstacle::Shape;

/// A measuring line.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneLine {
    /// Its name.
    pub name: String,
    /// Where it is, m.
    pub line: Line,
    /// Indices of the groups that count; empty for all.
    pub groups: Vec<usize>,
    /// Seconds over which the flow is taken.
    pub window: f64,
    /// The largest reach of a cell, m.
    pub cut_off: Option<f64>,
}

/// A measuring area.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneArea {
    /// Its name.
    pub name: String,
    /// Where it is, m.
    pub polygon: Polygon,
    /// Indices of the groups that count; empty for all.
    pub groups: Vec<usize>,
    /// The largest reach of a cell, m.
    pub cut_off: Option<f64>,
    /// Unit vector along the streams, for the lane order.
    pub along: DVec2,
    /// Width of its bands, m.
    pub band: f64,
}

impl Builder<'_> {
    pub(super) fn measuring_lines(&mut self) -> Vec<SceneLine> {
        let files = self.file.lines.clone();
        let mut lines: Vec<SceneLine> = Vec::new();
        for Spanned { value: file, span } in files {
            self.measuring_name("line", &file.name, lines.iter().any(|known| known.name == file.name.value));
            let line = Line { from: file.from.truncate(), to: file.to.truncate() };
            if line.length() < 1e-6 {
                self.bad_measure(span, "this line begins where it ends", "give `from` and `to` two places");
            }
            let groups = file.groups.iter().filter_map(|group| self.group_index(group)).collect();
            let (window, cut_off) = (file.window, file.cut_off);
            lines.push(SceneLine { name: file.name.value, line, groups, window, cut_off });
        }
        lines
    }

    pub(super) fn measuring_areas(&mut self) -> Vec<SceneArea> {
        let files = self.file.areas.clone();
        let mut areas: Vec<SceneArea> = Vec::new();
        for Spanned { value: file, span } in files {
            self.measuring_name("area", &file.name, areas.iter().any(|known| known.name == file.name.value));
            let polygon = self.measuring_polygon(&file, span);
            let along = file.along.truncate().normalize_or_zero();
            if along == DVec2::ZERO {
                self.bad_measure(span, "`along` has no direction", "`along: (1, 0)` is the way to +x and back");
            }
            let groups = file.groups.iter().filter_map(|group| self.group_index(group)).collect();
            let (cut_off, band) = (file.cut_off, file.band);
            areas.push(SceneArea { name: file.name.value, polygon, groups, cut_off, along, band });
        }
        areas
    }

    fn measuring_polygon(&mut self, file: &MeasureAreaFile, span: Span) -> Polygon {
        let hint = "`min: (0, 0), max: (4, 3)` or `points: [(0, 0), (4, 0), (4, 3)]`";
        match (file.min, file.max, file.points.as_slice()) {
            (Some(min), Some(max), []) => {
                let polygon = Polygon::rectangle(min.truncate(), max.truncate());
                if polygon.area() < 1e-9 {
                    self.bad_measure(span, "this area is empty", hint);
                }
                polygon
            }
            (None, None, points) if !points.is_empty() => {
                let flat: Vec<DVec3> = points.iter().map(|p| p.truncate().extend(0.0)).collect();
                let shape = Shape::Polygon { points: flat, holes: Vec::new() };
                if let Err(wrong) = shape.checked(&file.name.value) {
                    self.bad_measure(span, &format!("`{}` of this area {}", wrong.field, wrong.what), &wrong.hint);
                }
                Polygon::new(points.iter().map(|p| p.truncate()).collect())
            }
            _ => {
                self.bad_measure(span, "this area needs either two corners or a list of points", hint);
                Polygon::default()
            }
        }
    }

    fn measuring_name(&mut self, what: &str, name: &Spanned<String>, twice: bool) {
        let shown = shortened(&name.value);
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let problem = if name.value.is_empty() || !name.value.chars().all(fits) {
            let message = format!("`{shown}` cannot be the name of a measuring {what}");
            self.error(name.span, "bad-name", message).zip(Some("letters, digits and `_`: it is part of plots"))
        } else if twice {
            let message = format!("there are two measuring {what}s `{shown}`");
            self.error(name.span, "duplicate-name", message).zip(Some("give each its own name"))
        } else {
            None
        };
        if let Some((problem, hint)) = problem {
            problem.hint = Some(hint.to_owned());
        }
    }

    /// Whether a plot is that of a measuring line or area; reports one that is not there. None if it is something else.
    pub(super) fn measuring_plot(&mut self, plot: &Spanned<String>) -> Option<bool> {
        let (kind, rest) = plot.value.split_once('.')?;
        let lines = match kind {
            "lines" => true,
            "areas" => false,
            _ => return None,
        };
        let ids: Vec<&str> = if lines {
            LineMetric::ALL.iter().map(|metric| metric.info().id).collect()
        } else {
            AreaMetric::ALL.iter().map(|metric| metric.info().id).collect()
        };
        let names: Vec<String> = if lines {
            self.file.lines.iter().map(|line| line.value.name.value.clone()).collect()
        } else {
            self.file.areas.iter().map(|area| area.value.name.value.clone()).collect()
        };
        let known: Vec<String> =
            names.iter().flat_map(|name| ids.iter().map(move |id| format!("{kind}.{name}.{id}"))).collect();
        if known.contains(&plot.value) {
            return Some(true);
        }
        let message = format!("there is no `{}` to measure", shortened(rest));
        let hint = suggestion(&plot.value, known.iter().map(String::as_str));
        let hint = hint.unwrap_or_else(|| format!("`{kind}.NAME.METRIC`, with METRIC one of {}", ids.join(", ")));
        if let Some(problem) = self.error(plot.span, "unknown-name", message) {
            problem.hint = Some(hint);
        }
        Some(false)
    }

    fn bad_measure(&mut self, span: Span, message: &str, hint: &str) {
        if let Some(problem) = self.error(span, "bad-measure", message) {
            problem.hint = Some(hint.to_owned());
        }
    }
}
