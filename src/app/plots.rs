//! Metrics over time: limits dashed, breaches tinted, settling marked, hover values of all lines.

use std::sync::Arc;

use eframe::egui::{self, Align2, Id, RichText, Ui, Vec2b, vec2};
use egui_plot::{Axis, AxisHints, HLine, HoverPosition, Line, LineStyle, Plot, PlotPoint, Span, Text, VLine};

use crate::experiment::command::Command;
use crate::experiment::frame::Series;

use super::action::Action;
use super::state::Cx;
use super::theme::{PALETTE, Tokens};
use super::widgets;

/// What the plots remember.
#[derive(Default)]
pub struct PlotState {
    /// Frozen series while paused.
    pub frozen: Option<Arc<[Series]>>,
    /// Seconds shown while following; none for all.
    pub window: Option<f64>,
    /// Follows the newest values; off after a drag or zoom.
    pub follow: Follow,
    /// Hidden series.
    pub hidden: Vec<String>,
}

/// Whether the plots follow the newest values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// They do.
    #[default]
    Newest,
    /// The user looks at a part of the past.
    Free,
}

/// Narrowest plot in points.
const NARROWEST: f32 = 190.0;
/// Breaches shown; more run together.
const BREACHES: usize = 60;

/// The panel.
pub fn plots_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let series = cx.state.plots.frozen.clone().unwrap_or_else(|| Arc::clone(&cx.frame.plots));
    if series.is_empty() {
        let text = if cx.frame.metrics.is_empty() {
            "No plots. A scene lists them in `plots`, a script makes one with yard.plot."
        } else {
            "No plots. Choose a metric under “Metrics”."
        };
        widgets::empty_ui(ui, cx.tokens, text);
        return;
    }
    let mut metrics: Vec<&str> = Vec::new();
    for line in series.iter() {
        if !metrics.contains(&line.metric.as_str()) {
            metrics.push(&line.metric);
        }
    }
    let fit = ((ui.available_width() / NARROWEST) as usize).max(1);
    let columns = metrics.len().min(fit);
    let rows = metrics.len().div_ceil(columns);
    let gap = 8.0;
    let width = ((ui.available_width() - gap * (columns as f32 - 1.0)) / columns as f32).max(80.0);
    let height = ((ui.available_height() - gap * (rows as f32 - 1.0)) / rows as f32).max(90.0);
    egui::ScrollArea::vertical().id_salt("plots").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(gap, gap);
        for row in metrics.chunks(columns) {
            ui.horizontal_top(|ui| {
                for metric in row {
                    let lines: Vec<&Series> = series.iter().filter(|line| line.metric == *metric).collect();
                    ui.allocate_ui(vec2(width, height), |ui| {
                        ui.set_width(width);
                        ui.spacing_mut().item_spacing.y = 2.0;
                        ui.vertical(|ui| plot_ui(ui, cx, metric, &lines, &series, height));
                    });
                }
            });
        }
    });
}

/// Pause, span of time and choice of metrics; laid out from right to left in the tab bar.
pub fn controls_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let frame = cx.frame;
    ui.add_enabled_ui(!frame.metrics.is_empty(), |ui| {
        ui.menu_button("Metrics", |ui| {
            egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| metrics_ui(ui, cx));
        });
    });
    for (window, text) in [(None, "all"), (Some(30.0), "30 s"), (Some(10.0), "10 s")] {
        let on = cx.state.plots.window == window && cx.state.plots.follow == Follow::Newest;
        let name = window.map_or_else(|| "Show the whole run".to_owned(), |s| format!("Show the last {s:.0} s"));
        if ui.selectable_label(on, text).on_hover_text(name).clicked() {
            cx.state.plots.window = window;
            cx.ask(Action::FollowPlots);
        }
    }
    if cx.state.plots.follow == Follow::Free {
        let follow = ui.button("Follow");
        if follow.on_hover_text("Show the newest values again, whole height (Home)").clicked() {
            cx.ask(Action::FollowPlots);
        }
    }
    let paused = cx.state.plots.frozen.is_some();
    let pause = ui.add(egui::Button::selectable(paused, if paused { "Paused" } else { "Pause" }));
    pause.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, paused, "Pause plots"));
    if pause.on_hover_text("Freeze the plots; the run goes on (Ctrl+Space)").clicked() {
        cx.ask(Action::PausePlots);
    }
}

fn metrics_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    let frame = cx.frame;
    for metric in frame.metrics.iter() {
        let mut on = metric.watched;
        let hover = format!("{} ({})", metric.about, metric.unit);
        if ui.checkbox(&mut on, &metric.id).on_hover_text(hover).changed() {
            let id = metric.id.clone();
            cx.send(if on { Command::WatchPlot(id) } else { Command::UnwatchPlot(id) });
        }
    }
}

/// Time shown while following.
fn span_of(all: &[Series], window: Option<f64>) -> (f64, f64) {
    let last = all.iter().filter_map(|line| line.points.last()).map(|point| point[0]).fold(0.0, f64::max);
    let first = all.iter().filter_map(|line| line.points.first()).map(|point| point[0]).fold(last, f64::min);
    match window {
        Some(seconds) => ((last - seconds).max(first), last.max(first + seconds.min(1.0))),
        None => (first, last.max(first + 1.0)),
    }
}

/// Largest value in a span of time, and the limit: the height of the plot.
fn height_of(lines: &[&Series], from: f64, to: f64) -> (f64, f64) {
    let values = lines.iter().flat_map(|line| line.points.iter()).filter(|p| p[0] >= from && p[0] <= to).map(|p| p[1]);
    let limits = lines.iter().filter_map(|line| line.limit).map(|limit| limit * 1.4);
    let (low, high) = values
        .chain(limits)
        .filter(|v| v.is_finite())
        .fold((0.0, 0.0), |(low, high): (f64, f64), v| (low.min(v), high.max(v)));
    let room = (high - low).max(1e-6) * 0.08;
    (if low < 0.0 { low - room } else { 0.0 }, high + room)
}

/// Value of a series at a time: the last point at or before it.
fn value_at(line: &Series, time: f64) -> Option<f64> {
    let after = line.points.partition_point(|point| point[0] <= time);
    line.points.get(after.checked_sub(1)?).map(|point| point[1]).filter(|value| value.is_finite())
}

/// Spans of time in which a series is over its limit.
pub fn breaches(line: &Series) -> Vec<(f64, f64)> {
    let Some(limit) = line.limit else { return Vec::new() };
    let mut spans: Vec<(f64, f64)> = Vec::new();
    let mut over_since: Option<f64> = None;
    let mut last = 0.0;
    for &[time, value] in line.points.iter() {
        match (value > limit, over_since) {
            (true, None) => over_since = Some(time),
            (false, Some(from)) => {
                spans.push((from, time));
                over_since = None;
            }
            _ => {}
        }
        last = time;
    }
    spans.extend(over_since.map(|from| (from, last)));
    spans.drain(..spans.len().saturating_sub(BREACHES));
    spans
}

/// Names of the groups in the order of the scene, which is that of their colors.
fn group_names<'a>(cx: &Cx<'a>) -> Vec<&'a str> {
    cx.frame.groups.iter().map(|group| group.name.as_str()).collect()
}

/// Places in the palette of the lines of one plot.
///
/// One line alone has the color of its metric; of several each has that of its group in the yard, or, where two of those would
/// be alike, of its place in the plot.
pub fn line_colors(lines: &[&Series], groups: &[&str]) -> Vec<usize> {
    if lines.len() < 2 {
        return lines.iter().map(|line| line.color).collect();
    }
    let of_group = |line: &&Series| groups.iter().position(|group| *group == line.group).map(|at| at % PALETTE);
    let colors: Option<Vec<usize>> = lines.iter().map(of_group).collect();
    let differ = |colors: &Vec<usize>| colors.iter().enumerate().all(|(i, color)| !colors[..i].contains(color));
    colors.filter(differ).unwrap_or_else(|| (0..lines.len()).collect())
}

fn plot_ui(ui: &mut Ui, cx: &mut Cx<'_>, metric: &str, lines: &[&Series], all: &[Series], height: f32) {
    header_ui(ui, cx, metric, lines);
    let (from, to) = span_of(all, cx.state.plots.window);
    let (low, high) = height_of(lines, from, to);
    let following = cx.state.plots.follow == Follow::Newest;
    let tokens = cx.tokens;
    let unit = lines.first().map(|line| line.unit.clone()).unwrap_or_default();
    let hover: Vec<Series> = all.to_vec();
    let group = Id::unique("swarmyard plots");
    let plot = styled(("plot", metric), tokens)
        .height((height - 22.0).max(60.0))
        .link_axis(group, Vec2b::new(true, false))
        .link_cursor(group, Vec2b::new(true, false))
        .allow_scroll(false)
        .allow_zoom(Vec2b::new(true, false))
        .allow_drag(Vec2b::new(true, false))
        .allow_boxed_zoom(false)
        .label_formatter(move |at: &HoverPosition<'_>| Some(hover_text(&hover, at)));
    // A hidden line takes neither color nor style of the others away.
    let looks = line_colors(lines, &group_names(cx)).into_iter().enumerate();
    let shown = lines.iter().zip(looks).filter(|(line, _)| !cx.state.plots.hidden.contains(&line.id));
    let items: Vec<_> = shown.collect();
    let response = plot.show(ui, |plot_ui| {
        if following {
            plot_ui.set_plot_bounds_x(from..=to);
            plot_ui.set_plot_bounds_y(low..=high);
        }
        // Bounds set in this pass are not yet in effect.
        let top = if following { high } else { plot_ui.plot_bounds().max()[1] };
        for (line, look) in &items {
            draw_line(plot_ui, line, *look, tokens);
        }
        if let Some((line, _)) = items.first() {
            draw_marks(plot_ui, line, top, (from, to), tokens);
        }
    });
    response
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, format!("Plot of {metric} in {unit}")));
    let moved = response.response.dragged()
        || (response.response.hovered() && ui.input(|i| (i.zoom_delta() - 1.0).abs() > 1e-4));
    if moved {
        cx.state.plots.follow = Follow::Free;
    }
    if response.response.double_clicked() {
        cx.ask(Action::FollowPlots);
    }
}

/// A plot over time as all plots look: quiet grid, seconds below, short numbers on the left.
pub fn styled<'a>(id: impl egui::AsIdSalt, tokens: &Tokens) -> Plot<'a> {
    Plot::new(id)
        .show_background(false)
        .grid_color(tokens.grid)
        .custom_x_axes(vec![
            AxisHints::new_x().label_spacing(26.0..=44.0).formatter(|mark, range| time_label(mark.value, range)),
        ])
        .custom_y_axes(vec![
            AxisHints::new_y().min_thickness(34.0).label_spacing(12.0..=20.0).formatter(|mark, _| short(mark.value)),
        ])
        .x_grid_spacer(egui_plot::uniform_grid_spacer(|grid| steps(grid.base_step_size, 56.0)))
        .y_grid_spacer(egui_plot::uniform_grid_spacer(|grid| steps(grid.base_step_size, 24.0)))
}

/// Round steps of a grid at least `points` apart; egui_plot's smallest step is 8 points wide.
fn steps(smallest: f64, points: f64) -> [f64; 3] {
    let step = super::yard::scenery::round_step(smallest * points / 8.0);
    [step, step * 10.0, step * 100.0]
}

/// Label of the time axis; none in the corner, where it would stand on the value axis.
fn time_label(time: f64, range: &std::ops::RangeInclusive<f64>) -> String {
    let room = (range.end() - range.start()) * 0.05;
    if time < range.start() + room { String::new() } else { format!("{} s", short(time)) }
}

/// A number in few characters.
fn short(value: f64) -> String {
    let text = if value.abs() >= 100.0 { format!("{value:.0}") } else { format!("{value:.3}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn hover_text(all: &[Series], at: &HoverPosition<'_>) -> String {
    let time = match at {
        HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position } => position.x,
    };
    let values = all.iter().filter_map(|line| Some(format!("{}  {:.4} {}", line.id, value_at(line, time)?, line.unit)));
    std::iter::once(format!("t {time:.2} s")).chain(values).collect::<Vec<_>>().join("\n")
}

fn header_ui(ui: &mut Ui, cx: &mut Cx<'_>, metric: &str, lines: &[&Series]) {
    ui.horizontal(|ui| {
        ui.set_height(18.0);
        ui.spacing_mut().item_spacing.x = 6.0;
        let colors = line_colors(lines, &group_names(cx));
        for (index, line) in lines.iter().enumerate() {
            let hidden = cx.state.plots.hidden.contains(&line.id);
            let over = line.limit.zip(line.last).is_some_and(|(limit, last)| last > limit);
            let color = if hidden { cx.tokens.text_weak } else { cx.tokens.category(colors[index]) };
            let name = if lines.len() > 1 || line.group.contains('.') { &line.id } else { metric };
            // Never by color alone: lines are told apart by their style too, here as in the plot.
            let sign = match index {
                _ if lines.len() == 1 => "●",
                0 => "—",
                1 => "- -",
                _ => "···",
            };
            let label = egui::Button::new(RichText::new(format!("{sign} {name}")).color(color)).frame(false);
            let about = format!("{}\n{} · click hides or shows it", line.about, line.id);
            let response = ui.add(label).on_hover_text(about);
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::Role::Button, true, !hidden, format!("Show {}", line.id))
            });
            if response.clicked() {
                if hidden {
                    cx.state.plots.hidden.retain(|id| *id != line.id);
                } else {
                    cx.state.plots.hidden.push(line.id.clone());
                }
            }
            let value =
                RichText::new(format!("{} {}", widgets::number(line.last, 3), widgets::pretty_unit(&line.unit)))
                    .monospace();
            ui.label(if over { value.color(cx.tokens.fault) } else { value });
        }
        if let Some(limit) = lines.iter().find_map(|line| line.limit) {
            ui.add(
                egui::Label::new(RichText::new(format!("limit {}", short(limit))).small().color(cx.tokens.text_weak))
                    .truncate(),
            );
        }
    });
}

/// Points of a value that stays until the next one: the corner before each step.
fn stairs(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut corners: Vec<[f64; 2]> = Vec::with_capacity(2 * points.len());
    for point in points {
        if let Some(last) = corners.last().copied().filter(|last| last[1] != point[1]) {
            corners.push([point[0], last[1]]);
        }
        corners.push(*point);
    }
    corners
}

fn draw_line(plot_ui: &mut egui_plot::PlotUi<'_>, line: &Series, (index, color): (usize, usize), tokens: &Tokens) {
    for (from, to) in breaches(line) {
        let tint = tokens.fault.gamma_multiply(0.12);
        plot_ui.span(Span::new("", from..=to).axis(Axis::X).fill(tint).border_width(0.0));
    }
    if let Some(limit) = line.limit {
        let dashes = LineStyle::Dashed { length: 6.0 };
        plot_ui.hline(
            HLine::new("limit", limit)
                .color(tokens.fault.gamma_multiply(0.8))
                .width(1.0)
                .style(dashes)
                .allow_hover(false),
        );
    }
    let style = match index {
        0 => LineStyle::Solid,
        1 => LineStyle::Dashed { length: 8.0 },
        _ => LineStyle::Dotted { spacing: 4.0 },
    };
    // A gap splits the line: a missing value must not look like a measured one.
    for (i, part) in line.points.split(|point| !point[1].is_finite()).enumerate().filter(|(_, part)| !part.is_empty()) {
        let points: Vec<[f64; 2]> = if line.steps { stairs(part) } else { part.to_vec() };
        plot_ui.line(
            Line::new(line.id.clone(), points).color(tokens.category(color)).width(1.6).style(style).id((&line.id, i)),
        );
    }
}

fn draw_marks(plot_ui: &mut egui_plot::PlotUi<'_>, line: &Series, top: f64, (from, to): (f64, f64), tokens: &Tokens) {
    for (i, mark) in line.settles.iter().enumerate() {
        let dots = LineStyle::Dotted { spacing: 4.0 };
        let ordered = VLine::new("", mark.ordered_at).color(tokens.text_weak).width(1.0).style(dots).allow_hover(false);
        plot_ui.vline(ordered.id(("ordered", i)));
        let Some(settled) = mark.settled_at else { continue };
        plot_ui.vline(VLine::new("", settled).color(tokens.good).width(1.2).allow_hover(false).id(("settled", i)));
        let took = settled - mark.ordered_at;
        let text = RichText::new(format!(" {took:.2} s ")).size(11.0).color(tokens.good);
        // Near the right edge there is no room to the right.
        let anchor = if settled > from + (to - from) * 0.8 { Align2::RIGHT_TOP } else { Align2::LEFT_TOP };
        plot_ui
            .text(Text::new("", PlotPoint::new(settled, top), text).anchor(anchor).allow_hover(false).id(("took", i)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(points: &[[f64; 2]], limit: Option<f64>) -> Series {
        Series { points: points.into(), limit, ..Series::default() }
    }

    #[test]
    fn breaches_are_found_and_one_that_lasts_is_shown_to_the_end() {
        let line = series(&[[0.0, 0.0], [1.0, 2.0], [2.0, 0.5], [3.0, 3.0], [4.0, 3.0]], Some(1.0));
        assert_eq!(breaches(&line), [(1.0, 2.0), (3.0, 4.0)]);
        assert!(breaches(&series(&[[0.0, 9.0]], None)).is_empty());
    }

    #[test]
    fn a_gap_has_no_value() {
        let line = series(&[[0.0, 1.0], [1.0, f64::NAN], [2.0, 3.0]], None);
        assert_eq!(value_at(&line, 0.5), Some(1.0));
        assert_eq!(value_at(&line, 1.5), None);
        assert_eq!(value_at(&line, -1.0), None);
        assert_eq!(value_at(&line, 9.0), Some(3.0));
    }

    #[test]
    fn counts_go_up_in_steps() {
        assert_eq!(stairs(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]]), [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0]]);
    }

    #[test]
    fn the_limit_is_always_in_view() {
        let line = series(&[[0.0, 0.01]], Some(0.05));
        let (low, high) = height_of(&[&line], 0.0, 1.0);
        assert!(low == 0.0 && high > 0.05);
    }
}
