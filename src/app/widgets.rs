//! Small things that several panels draw.

use eframe::egui::{self, Align, Color32, Layout, Response, RichText, Sense, Ui, WidgetText, vec2};

use crate::experiment::frame::{Level, ValueSource};

use super::theme::Tokens;

/// Text for a panel that has nothing to show: it says what to do.
pub fn empty_ui(ui: &mut Ui, tokens: &Tokens, text: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(text).color(tokens.text_weak));
}

/// Heading of a part of a panel.
pub fn heading_ui(ui: &mut Ui, tokens: &Tokens, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).small().strong().color(tokens.text_weak));
}

/// Name to the left, value and weak unit to the right.
pub fn field_ui(ui: &mut Ui, tokens: &Tokens, name: &str, value: &str, unit: &str) -> Response {
    ui.horizontal(|ui| {
        ui.add(egui::Label::new(RichText::new(name).color(tokens.text_weak)).truncate());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(unit).small().color(tokens.text_weak));
            ui.add(egui::Label::new(RichText::new(value).monospace()).truncate());
        });
    })
    .response
}

/// A small colored word.
pub fn badge_ui(ui: &mut Ui, text: &str, color: Color32) -> Response {
    ui.add(egui::Label::new(RichText::new(text).small().color(color)).selectable(false))
}

/// Sign of a level: shape and color, never color alone.
pub fn level_sign(level: Level) -> &'static str {
    match level {
        Level::Error => "×",
        Level::Warning => "▲",
        Level::Info => "•",
    }
}

/// Color of a level.
pub fn level_color(level: Level, tokens: &Tokens) -> Color32 {
    match level {
        Level::Error => tokens.fault,
        Level::Warning => tokens.warning,
        Level::Info => tokens.text_weak,
    }
}

/// Word and color of the place where a value comes from.
pub fn source_badge(source: ValueSource, tokens: &Tokens) -> (&'static str, Color32) {
    match source {
        ValueSource::Script => ("script", tokens.text_weak),
        ValueSource::Scene => ("scene", tokens.category(0)),
        ValueSource::CommandLine => ("--set", tokens.category(3)),
        ValueSource::User => ("user", tokens.accent),
    }
}

/// A button that shows a sign only, with a name for tooltip and screen reader.
pub fn sign_button(ui: &mut Ui, sign: impl Into<WidgetText>, name: &str, enabled: bool) -> Response {
    let button = egui::Button::new(sign.into()).frame_when_inactive(false);
    let response = ui.add_enabled(enabled, button).on_hover_text(name).on_disabled_hover_text(name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, enabled, name));
    response
}

/// Signs of the transport. They are drawn, because no font at hand has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Back to the start.
    Reset,
    /// Run.
    Play,
    /// Stand still.
    Pause,
    /// One tick.
    Step,
}

/// A button with a drawn sign and a name; `filled` makes it the main button of its row.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, filled: bool, tokens: &Tokens) -> Response {
    let size = if filled { vec2(36.0, 22.0) } else { vec2(26.0, 22.0) };
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    let lit = response.hovered() || response.has_focus();
    let (fill, ink) = match (filled, lit) {
        (true, false) => (tokens.accent, tokens.on_accent),
        (true, true) => (tokens.accent.gamma_multiply(0.85), tokens.on_accent),
        (false, false) => (Color32::TRANSPARENT, tokens.text),
        (false, true) => (tokens.surface_high, tokens.text),
    };
    let painter = ui.painter();
    painter.rect_filled(rect, 4.0, fill);
    let c = rect.center();
    let triangle = |tip: f32, base: f32| {
        let points = vec![c + vec2(tip, 0.0), c + vec2(base, 5.5), c + vec2(base, -5.5)];
        egui::Shape::convex_polygon(points, ink, egui::Stroke::NONE)
    };
    let bar =
        |x: f32| egui::Shape::rect_filled(egui::Rect::from_center_size(c + vec2(x, 0.0), vec2(3.0, 11.0)), 0.5, ink);
    let shapes = match icon {
        Icon::Play => vec![triangle(6.0, -4.0)],
        Icon::Pause => vec![bar(-3.0), bar(3.0)],
        Icon::Step => vec![bar(-5.0), triangle(6.5, -1.5)],
        Icon::Reset => vec![bar(-5.0), triangle(-3.0, 5.5)],
    };
    painter.extend(shapes);
    response.on_hover_text(tooltip)
}

/// A text that fits into `room` points, with an ellipsis where it is cut.
pub fn shortened(painter: &egui::Painter, text: &str, font: &egui::FontId, room: f32) -> String {
    let width = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
    let mut kept = text.to_owned();
    while !kept.is_empty() && width(&kept) > room {
        let whole = kept.trim_end_matches('…');
        let last = whole.char_indices().next_back().map_or(0, |(at, _)| at);
        kept = if last == 0 { String::new() } else { format!("{}…", whole[..last].trim_end()) };
    }
    kept
}

/// A unit with raised digits: `m/s2` as m/s²; degrees as °.
pub fn pretty_unit(unit: &str) -> String {
    if unit == "deg" {
        return "°".to_owned();
    }
    let raised = unit.chars().map(|letter| match letter {
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        other => other,
    });
    raised.collect()
}

/// A number with fixed decimals; a dash if it is none.
pub fn number(value: Option<f64>, decimals: usize) -> String {
    match value {
        Some(value) if value.is_finite() => {
            let text = format!("{value:.decimals$}");
            // A negative number that is shown as zero has no sign.
            if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { text } else { text.replace('-', "") }
        }
        _ => "–".to_owned(),
    }
}

/// Seconds since then, in the shortest form.
pub fn age(seconds: f64) -> String {
    match seconds {
        s if s < 60.0 => format!("{s:.0} s ago"),
        s if s < 3600.0 => format!("{:.0} min ago", s / 60.0),
        s => format!("{:.0} h ago", s / 3600.0),
    }
}
