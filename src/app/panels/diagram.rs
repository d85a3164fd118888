//! The fundamental diagram: density and speed or flow of a measuring area over time, over Weidmann's curve and measured points.

use std::fmt::Write as _;

use eframe::egui::{self, Color32, RichText, Ui, vec2};
use egui_plot::{AxisHints, HoverPosition, Line, MarkerShape, Plot, PlotPoint, PlotUi, Points};

use crate::experiment::frame::{Frame, GaugeArea};
use crate::measure::crowd::fundamental::WEIDMANN_MOST;
use crate::measure::crowd::{MEASURED, weidmann_flow, weidmann_speed};

use super::super::state::{Cx, State};
use super::super::theme::Tokens;
use super::super::widgets;

/// What the panel remembers.
#[derive(Debug, Default)]
pub struct DiagramState {
    /// Whether it was drawn in the last pass: only then is anything measured for it.
    pub visible: bool,
    /// The area that was chosen; the first one without.
    pub area: Option<String>,
    /// Flow over density instead of speed.
    pub flow: bool,
    /// Path and title of the scene that was last seen.
    scene: Option<(Option<String>, String)>,
}

/// Colors that time is told apart by.
const AGES: usize = 12;
/// Points of the curve.
const STEPS: u32 = 108;

/// The area that the panel shows, while it is seen.
pub fn watched(state: &State, frame: &Frame) -> Option<String> {
    state.diagram.visible.then(|| area_of(state, frame).map(|area| area.name.clone())).flatten()
}

fn area_of<'a>(state: &State, frame: &'a Frame) -> Option<&'a GaugeArea> {
    let chosen = frame.areas.iter().find(|area| Some(&area.name) == state.diagram.area.as_ref());
    chosen.or_else(|| frame.areas.first())
}

/// Whether the panel comes to the front: a scene is new that plots the Voronoi density of an area.
pub fn opens(state: &mut DiagramState, frame: &Frame) -> bool {
    let scene = (frame.scene.path.clone(), frame.scene.title.clone());
    if state.scene.as_ref() == Some(&scene) {
        return false;
    }
    state.scene = Some(scene);
    frame.plots.iter().any(|series| series.metric == "areas.voronoi_density")
}

/// The panel.
pub fn diagram_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    cx.state.diagram.visible = true;
    let frame = cx.frame;
    let Some(area) = area_of(cx.state, frame) else {
        let text = "No measuring area. A scene lists them in `areas`: (name: \"middle\", min: (0, 0), max: (4, 3)).";
        widgets::empty_ui(ui, cx.tokens, text);
        return;
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (flow, text, about) in [
            (false, "v(ρ)", "Speed over density, m/s over 1/m²"),
            (true, "J(ρ)", "Specific flow J = ρ·v over density, 1/(m s) over 1/m²"),
        ] {
            if ui.selectable_label(cx.state.diagram.flow == flow, text).on_hover_text(about).clicked() {
                cx.state.diagram.flow = flow;
            }
        }
        let combo = egui::ComboBox::from_id_salt("diagram area").width(70.0).selected_text(&area.name);
        let chosen = combo.show_ui(ui, |ui| {
            for other in frame.areas.iter() {
                if ui.selectable_label(other.name == area.name, &other.name).clicked() {
                    cx.state.diagram.area = Some(other.name.clone());
                }
            }
        });
        chosen.response.on_hover_text("The measuring area");
        let copy = ui.add_enabled(!area.trace.is_empty(), egui::Button::new("Copy CSV"));
        if copy
            .on_hover_text("Copy the points as a table: time (s), density (1/m²), speed (m/s), flow (1/(m s))")
            .clicked()
        {
            ui.ctx().copy_text(table(area));
        }
    });
    let room = (ui.available_height() - 84.0).clamp(110.0, 420.0);
    plot_ui(ui, cx, area, room);
    legend_ui(ui, cx, area);
}

/// The points as CSV.
fn table(area: &GaugeArea) -> String {
    let mut text = "time_s,density_per_m2,speed_m_per_s,flow_per_m_s\n".to_owned();
    for [time, density, speed] in area.trace.iter() {
        let _infallible = writeln!(text, "{time},{density},{speed},{}", density * speed);
    }
    text
}

fn value(flow: bool, density: f64, speed: f64) -> f64 {
    if flow { density * speed } else { speed }
}

fn plot_ui(ui: &mut Ui, cx: &Cx<'_>, area: &GaugeArea, height: f32) {
    let (flow, tokens) = (cx.state.diagram.flow, cx.tokens);
    let most_density = area.trace.iter().map(|point| point[1]).fold(WEIDMANN_MOST, f64::max) * 1.05;
    let shown = area.trace.iter().map(|point| value(flow, point[1], point[2]));
    let most = shown.fold(if flow { 1.8 } else { 1.5 }, f64::max) * 1.05;
    let (name, unit) = if flow { ("J", "1/(m s)") } else { ("v", "m/s") };
    let plot = Plot::new("fundamental diagram")
        .height(height)
        .show_background(false)
        .grid_color(tokens.grid)
        .custom_x_axes(vec![AxisHints::new_x().label("density ρ in 1/m²").label_spacing(egui::Rangef::new(16.0, 30.0))])
        .custom_y_axes(vec![AxisHints::new_y().label(format!("{name} in {unit}")).min_thickness(34.0)])
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_zoom(false)
        .allow_drag(false)
        .label_formatter(move |at: &HoverPosition<'_>| {
            let (HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position }) = at;
            let PlotPoint { x, y } = *position;
            Some(format!("ρ {x:.2} 1/m²\n{name} {y:.2} {unit}"))
        });
    let response = plot.show(ui, |plot_ui| {
        plot_ui.set_plot_bounds_x(0.0..=most_density);
        plot_ui.set_plot_bounds_y(0.0..=most);
        draw(plot_ui, area, flow, tokens);
    });
    let text = format!("Fundamental diagram of {}, {} points", area.name, area.trace.len());
    response.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, text.clone()));
}

fn draw(plot_ui: &mut PlotUi<'_>, area: &GaugeArea, flow: bool, tokens: &Tokens) {
    let curve: Vec<[f64; 2]> = (1..=STEPS)
        .map(|step| {
            let density = WEIDMANN_MOST * f64::from(step) / f64::from(STEPS);
            [density, if flow { weidmann_flow(density) } else { weidmann_speed(density) }]
        })
        .collect();
    plot_ui.line(Line::new("Weidmann", curve).color(tokens.text_weak).width(1.6).allow_hover(false));
    let measured: Vec<[f64; 2]> =
        MEASURED.iter().map(|point| [point.density, if flow { point.flow } else { point.speed }]).collect();
    let diamonds = Points::new("measured", measured).shape(MarkerShape::Diamond).radius(4.5);
    plot_ui.points(diamonds.color(tokens.text).filled(false).allow_hover(false));
    let (first, last) = span(area);
    for age in 0..AGES {
        let own = area.trace.iter().filter(|point| age_of(point[0], first, last) == age);
        let points: Vec<[f64; 2]> = own.map(|point| [point[1], value(flow, point[1], point[2])]).collect();
        let color = tokens.ramp(age as f32 / (AGES - 1) as f32);
        plot_ui.points(Points::new("run", points).color(color).radius(2.5).id(("age", age)).allow_hover(false));
    }
    // The newest is told by its shape too.
    if let Some(point) = area.trace.last() {
        let newest = vec![[point[1], value(flow, point[1], point[2])]];
        let ring = Points::new("now", newest).shape(MarkerShape::Circle).filled(false).radius(6.0);
        plot_ui.points(ring.color(tokens.accent).allow_hover(false));
    }
}

fn span(area: &GaugeArea) -> (f64, f64) {
    let time = |point: Option<&[f64; 3]>| point.map_or(0.0, |point| point[0]);
    (time(area.trace.first()), time(area.trace.last()))
}

fn age_of(time: f64, first: f64, last: f64) -> usize {
    let share = if last > first { (time - first) / (last - first) } else { 1.0 };
    ((share * AGES as f64) as usize).min(AGES - 1)
}

fn legend_ui(ui: &mut Ui, cx: &Cx<'_>, area: &GaugeArea) {
    let tokens = cx.tokens;
    let (first, last) = span(area);
    ui.spacing_mut().item_spacing.y = 1.0;
    let row = |ui: &mut Ui, sign: &str, color: Color32, text: &str, about: &str| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), egui::Sense::hover());
            let at = rect.center();
            ui.painter().text(at, egui::Align2::CENTER_CENTER, sign, egui::FontId::proportional(12.0), color);
            ui.label(RichText::new(text).small().color(tokens.text_weak)).on_hover_text(about);
        });
    };
    row(ui, "—", tokens.text_weak, "Weidmann 1993", "v = 1.34 (1 − exp(−1.913 (1/ρ − 1/5.4))) m/s");
    let about = "Nine runs one way along a corridor of 1.8 m, Forschungszentrum Jülich, measured with PedPy 1.5.1";
    row(ui, "◇", tokens.text, "measured, corridor 1.8 m", about);
    let text = format!("this run, {first:.0} s to {last:.0} s (blue to red)");
    row(
        ui,
        "●",
        tokens.ramp(1.0),
        &text,
        "Voronoi density and Voronoi speed, means over at least 0.5 s; the ring is the newest",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_run_from_first_to_last_and_one_point_is_the_newest() {
        assert_eq!(age_of(0.0, 0.0, 10.0), 0);
        assert_eq!(age_of(10.0, 0.0, 10.0), AGES - 1);
        assert_eq!(age_of(3.0, 3.0, 3.0), AGES - 1);
    }

    #[test]
    fn the_table_has_the_flow_as_product() {
        let area = GaugeArea { trace: vec![[1.0, 2.0, 0.5]].into(), ..GaugeArea::default() };
        assert_eq!(table(&area), "time_s,density_per_m2,speed_m_per_s,flow_per_m_s\n1,2,0.5,1\n");
    }
}
