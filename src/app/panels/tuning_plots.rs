//! The two plots of the tuning panel: the relay run, and the response of a rule beside the one of the search.

use eframe::egui::{self, Ui};
use egui_plot::{Axis, HLine, Line, LineStyle, PlotUi, Span};

use crate::experiment::tuning::{STEP_M, Sample, Tried};

use super::super::plots;
use super::super::theme::Tokens;
use super::super::widgets;

/// Height of a plot in points.
const HEIGHT: f32 = 100.0;

/// Shortest and longest time of a response that is shown, s.
const SHOWN_S: (f64, f64) = (2.0, 20.0);

/// Position over time, and behind it, tinted, the times in which the relay pushes up.
pub fn relay_ui(ui: &mut Ui, tokens: &Tokens, trace: &[Sample]) {
    let (Some(first), Some(last)) = (trace.first(), trace.last()) else { return };
    let output = trace.iter().map(|sample| sample.output).fold(f64::NEG_INFINITY, f64::max);
    widgets::heading_ui(ui, tokens, &format!("Relay run: position in m, tinted: {output:+.2} m/s"));
    let pushes = pushes(trace);
    let reach = trace.iter().map(|sample| sample.position.abs()).fold(1e-3, f64::max) * 1.15;
    let plot = fixed(plots::styled("relay run", tokens));
    let response = plot.show(ui, |plot_ui| {
        plot_ui.set_plot_bounds_x(first.time..=last.time);
        plot_ui.set_plot_bounds_y(-reach..=reach);
        for (from, to) in pushes {
            let tint = tokens.accent.gamma_multiply(0.18);
            plot_ui.span(Span::new("", from..=to).axis(Axis::X).fill(tint).border_width(0.0));
        }
        let points: Vec<[f64; 2]> = trace.iter().map(|sample| [sample.time, sample.position]).collect();
        plot_ui.line(Line::new("position", points).color(tokens.category(0)).width(1.6));
    });
    let name = "Plot of the relay run";
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, name));
}

/// Spans of time in which the relay commands the greater of its two outputs.
fn pushes(trace: &[Sample]) -> Vec<(f64, f64)> {
    let range = trace.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sample| {
        (low.min(sample.output), high.max(sample.output))
    });
    let middle = 0.5 * (range.0 + range.1);
    let parts = trace.chunk_by(|a, b| (a.output > middle) == (b.output > middle));
    let ends = parts.filter_map(|part| Some((part.first()?, part.last()?)));
    ends.filter(|(first, _)| first.output > middle).map(|(first, last)| (first.time, last.time)).collect()
}

/// The step response of a rule over the one of the search.
pub fn response_ui(ui: &mut Ui, tokens: &Tokens, tried: &Tried, search: &Tried) {
    let beside = if tried.rule == search.rule { "" } else { ", dashed the search" };
    widgets::heading_ui(ui, tokens, &format!("Step of {STEP_M} m: {}{beside}", tried.rule));
    let settled = |tried: &Tried| tried.settled.unwrap_or(SHOWN_S.1);
    let until = (1.4 * settled(tried).max(settled(search))).clamp(SHOWN_S.0, SHOWN_S.1);
    let shown = |tried: &Tried| -> Vec<[f64; 2]> {
        tried.response.iter().copied().take_while(|point| point[0] <= until).collect()
    };
    let (own, other) = (shown(tried), shown(search));
    let values = own.iter().chain(&other).map(|point| point[1]).filter(|value| value.is_finite());
    let (low, high) =
        values.fold((0.0, STEP_M * 1.1), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    let plot = fixed(plots::styled("step response", tokens));
    let response = plot.show(ui, |plot_ui| {
        plot_ui.set_plot_bounds_x(0.0..=until);
        plot_ui.set_plot_bounds_y(low..=high * 1.05);
        line(plot_ui, HLine::new("set-point", STEP_M), tokens);
        if tried.rule != search.rule {
            let dashes = LineStyle::Dashed { length: 6.0 };
            let color = tokens.good;
            plot_ui.line(Line::new(search.rule.clone(), other).color(color).width(1.4).style(dashes));
        }
        plot_ui.line(Line::new(tried.rule.clone(), own).color(tokens.category(0)).width(1.6));
    });
    let name = format!("Step response of {}", tried.rule);
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &name));
}

fn line(plot_ui: &mut PlotUi<'_>, line: HLine, tokens: &Tokens) {
    let dots = LineStyle::Dotted { spacing: 4.0 };
    plot_ui.hline(line.color(tokens.text_weak).width(1.0).style(dots).allow_hover(false));
}

/// A plot that stays as it is: everything there is to see is in view.
fn fixed(plot: egui_plot::Plot<'_>) -> egui_plot::Plot<'_> {
    plot.height(HEIGHT).allow_scroll(false).allow_zoom(false).allow_drag(false).allow_boxed_zoom(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pushes_are_where_the_output_is_the_greater_one() {
        let sample = |time: f64, output: f64| Sample { time, position: 0.0, output };
        let trace = [sample(0.0, 0.5), sample(1.0, 0.5), sample(2.0, -0.1), sample(3.0, 0.5), sample(4.0, 0.5)];
        assert_eq!(pushes(&trace), [(0.0, 1.0), (3.0, 4.0)]);
        assert!(pushes(&[]).is_empty());
    }
}
