//! The tokens of the looks: every color, size and step that the window uses, light and dark, in one table.

use eframe::egui::{self, Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, vec2};

/// Colors of one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// Whether it is the dark theme.
    pub dark: bool,
    /// Behind everything: tab bars, the edge of the window.
    pub surface_low: Color32,
    /// Panels.
    pub surface: Color32,
    /// Buttons, cards.
    pub surface_high: Color32,
    /// The ground of the yard.
    pub ground: Color32,
    /// Thin lines between things.
    pub line: Color32,
    /// Grid of the yard.
    pub grid: Color32,
    /// Text.
    pub text: Color32,
    /// Units, help, what is less important.
    pub text_weak: Color32,
    /// The one accent, teal.
    pub accent: Color32,
    /// Ground under accent things (selected rows).
    pub accent_soft: Color32,
    /// Text on a filled accent.
    pub on_accent: Color32,
    /// Amber.
    pub warning: Color32,
    /// Vermilion.
    pub fault: Color32,
    /// Green.
    pub good: Color32,
    /// Filling of obstacles.
    pub obstacle: Color32,
    /// Edge of obstacles.
    pub obstacle_edge: Color32,
    /// Edge of picked things.
    pub picked: Color32,
    /// Deep water.
    pub water_deep: Color32,
    /// Shallow water, and light on water.
    pub water_shallow: Color32,
}

/// The dark theme.
pub const DARK: Tokens = Tokens {
    dark: true,
    surface_low: Color32::from_rgb(0x12, 0x16, 0x19),
    surface: Color32::from_rgb(0x1a, 0x1f, 0x23),
    surface_high: Color32::from_rgb(0x28, 0x2f, 0x35),
    ground: Color32::from_rgb(0x16, 0x1a, 0x1d),
    line: Color32::from_rgb(0x33, 0x3c, 0x43),
    grid: Color32::from_rgb(0x24, 0x2a, 0x2f),
    text: Color32::from_rgb(0xe3, 0xe8, 0xea),
    text_weak: Color32::from_rgb(0x9a, 0xa6, 0xad),
    accent: Color32::from_rgb(0x35, 0xb8, 0xa6),
    accent_soft: Color32::from_rgb(0x17, 0x3e, 0x3b),
    on_accent: Color32::from_rgb(0x06, 0x1c, 0x19),
    warning: Color32::from_rgb(0xe6, 0xa9, 0x3c),
    fault: Color32::from_rgb(0xf0, 0x73, 0x46),
    good: Color32::from_rgb(0x5c, 0xbf, 0x7a),
    obstacle: Color32::from_rgb(0x3a, 0x42, 0x48),
    obstacle_edge: Color32::from_rgb(0x7d, 0x89, 0x91),
    picked: Color32::from_rgb(0xff, 0xff, 0xff),
    water_deep: Color32::from_rgb(0x0c, 0x19, 0x23),
    water_shallow: Color32::from_rgb(0x16, 0x39, 0x45),
};

/// The light theme.
pub const LIGHT: Tokens = Tokens {
    dark: false,
    surface_low: Color32::from_rgb(0xe2, 0xe6, 0xe8),
    surface: Color32::from_rgb(0xf6, 0xf8, 0xf8),
    surface_high: Color32::from_rgb(0xe4, 0xe9, 0xeb),
    ground: Color32::from_rgb(0xfb, 0xfc, 0xfc),
    line: Color32::from_rgb(0xcb, 0xd3, 0xd7),
    grid: Color32::from_rgb(0xe9, 0xed, 0xee),
    text: Color32::from_rgb(0x1b, 0x24, 0x29),
    text_weak: Color32::from_rgb(0x58, 0x66, 0x6e),
    accent: Color32::from_rgb(0x0a, 0x7d, 0x71),
    accent_soft: Color32::from_rgb(0xcb, 0xe8, 0xe4),
    on_accent: Color32::from_rgb(0xff, 0xff, 0xff),
    warning: Color32::from_rgb(0x9a, 0x62, 0x00),
    fault: Color32::from_rgb(0xbe, 0x3f, 0x14),
    good: Color32::from_rgb(0x1e, 0x7a, 0x45),
    obstacle: Color32::from_rgb(0xd5, 0xdb, 0xde),
    obstacle_edge: Color32::from_rgb(0x6f, 0x7c, 0x84),
    picked: Color32::from_rgb(0x10, 0x18, 0x1c),
    water_deep: Color32::from_rgb(0xcf, 0xe6, 0xed),
    water_shallow: Color32::from_rgb(0xef, 0xf9, 0xf9),
};

/// How many categories have a color of their own.
pub const PALETTE: usize = 8;

/// Okabe and Ito's palette (2008), ordered so that the first ones differ most; light tones for the dark theme.
const CATEGORIES_DARK: [Color32; PALETTE] = [
    Color32::from_rgb(0x56, 0xb4, 0xe9),
    Color32::from_rgb(0xe6, 0x9f, 0x00),
    Color32::from_rgb(0x1f, 0xb8, 0x8c),
    Color32::from_rgb(0xd9, 0x8f, 0xbb),
    Color32::from_rgb(0xee, 0x7a, 0x2e),
    Color32::from_rgb(0xf0, 0xe4, 0x42),
    Color32::from_rgb(0x4c, 0x97, 0xd8),
    Color32::from_rgb(0xb4, 0xbd, 0xc2),
];

/// The same palette for the light theme: yellow and sky blue are darker, to be seen on white.
const CATEGORIES_LIGHT: [Color32; PALETTE] = [
    Color32::from_rgb(0x00, 0x72, 0xb2),
    Color32::from_rgb(0xc4, 0x7f, 0x00),
    Color32::from_rgb(0x00, 0x8a, 0x66),
    Color32::from_rgb(0xb0, 0x5a, 0x8c),
    Color32::from_rgb(0xd5, 0x5e, 0x00),
    Color32::from_rgb(0x96, 0x8a, 0x00),
    Color32::from_rgb(0x2f, 0x93, 0xcc),
    Color32::from_rgb(0x5a, 0x63, 0x68),
];

/// One step of spacing in points.
pub const STEP: f32 = 4.0;
/// Size of text in points.
pub const TEXT: f32 = 13.0;
/// Size of small text in points.
pub const SMALL: f32 = 11.0;
/// Longest animation in seconds.
pub const ANIMATION: f32 = 0.1;

impl Tokens {
    /// The tokens of the theme that `ctx` shows.
    pub fn of(ctx: &egui::Context) -> &'static Self {
        match ctx.theme() {
            egui::Theme::Dark => &DARK,
            egui::Theme::Light => &LIGHT,
        }
    }

    /// Color of a category (group, state, metric).
    pub fn category(&self, index: usize) -> Color32 {
        let palette = if self.dark { &CATEGORIES_DARK } else { &CATEGORIES_LIGHT };
        palette[index % palette.len()]
    }

    /// Color of a value from 0 to 1: from blue over grey to vermilion, readable without seeing red or green.
    pub fn ramp(&self, value: f32) -> Color32 {
        let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
        let (low, middle, high): ([u8; 3], [u8; 3], [u8; 3]) = if self.dark {
            ([0x4c, 0x97, 0xd8], [0xc8, 0xcd, 0xcf], [0xf0, 0x73, 0x46])
        } else {
            ([0x00, 0x72, 0xb2], [0x9a, 0xa2, 0xa6], [0xbe, 0x3f, 0x14])
        };
        let (from, to, share) =
            if value < 0.5 { (low, middle, value * 2.0) } else { (middle, high, value * 2.0 - 1.0) };
        let mix = |i: usize| (f32::from(from[i]) + (f32::from(to[i]) - f32::from(from[i])) * share) as u8;
        Color32::from_rgb(mix(0), mix(1), mix(2))
    }

    /// Color of a direction in radians: blue to the right, yellow ahead, vermilion to the left, green back, and all between; the
    /// lightness differs too, so that it is readable without seeing colors.
    pub fn wheel(&self, heading: f64) -> Color32 {
        let stops: [[u8; 3]; 4] = if self.dark {
            [[0x4c, 0x97, 0xd8], [0xf0, 0xe4, 0x6a], [0xf0, 0x73, 0x46], [0x1f, 0xa3, 0x7d]]
        } else {
            [[0x00, 0x72, 0xb2], [0xc9, 0x9a, 0x00], [0xbe, 0x3f, 0x14], [0x00, 0x7a, 0x58]]
        };
        let turn = (heading / std::f64::consts::FRAC_PI_2).rem_euclid(4.0);
        let turn = if turn.is_finite() { turn as f32 } else { 0.0 };
        let (from, share) = (turn as usize % 4, turn.fract());
        let mix = |i: usize| {
            let (low, high) = (f32::from(stops[from][i]), f32::from(stops[(from + 1) % 4][i]));
            (low + (high - low) * share) as u8
        };
        Color32::from_rgb(mix(0), mix(1), mix(2))
    }
}

/// Hand both themes to egui.
///
/// The bundled text font lacks signs such as ▲ and ↺; the bundled monospace font has them, so that the window looks the
/// same on a machine without any fonts.
pub fn apply(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    fonts.families.entry(FontFamily::Proportional).or_default().push("Hack".to_owned());
    ctx.set_fonts(fonts);
    for (theme, tokens) in [(egui::Theme::Dark, &DARK), (egui::Theme::Light, &LIGHT)] {
        ctx.style_mut_of(theme, |style| set_style(style, tokens));
    }
}

fn set_style(style: &mut egui::Style, tokens: &Tokens) {
    style.text_styles = [
        (TextStyle::Heading, FontId::new(15.0, FontFamily::Proportional)),
        (TextStyle::Body, FontId::new(TEXT, FontFamily::Proportional)),
        (TextStyle::Button, FontId::new(TEXT, FontFamily::Proportional)),
        (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
        (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
    ]
    .into();
    style.animation_time = ANIMATION;
    style.spacing.item_spacing = vec2(STEP * 1.5, STEP);
    style.spacing.button_padding = vec2(STEP * 1.5, 2.0);
    style.spacing.interact_size = vec2(32.0, 20.0);
    style.spacing.indent = STEP * 3.0;
    style.spacing.scroll = egui::style::ScrollStyle::thin();
    style.interaction.tooltip_delay = 0.35;
    set_visuals(&mut style.visuals, tokens);
}

fn set_visuals(visuals: &mut egui::Visuals, tokens: &Tokens) {
    let corner = CornerRadius::same(4);
    visuals.dark_mode = tokens.dark;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(tokens.text_weak);
    visuals.panel_fill = tokens.surface;
    visuals.window_fill = tokens.surface;
    visuals.window_stroke = Stroke::new(1.0, tokens.line);
    visuals.window_corner_radius = corner;
    visuals.menu_corner_radius = corner;
    visuals.extreme_bg_color = tokens.surface_low;
    visuals.text_edit_bg_color = Some(tokens.ground);
    visuals.code_bg_color = tokens.surface_low;
    visuals.faint_bg_color = if tokens.dark { tokens.grid } else { Color32::from_rgb(0xee, 0xf1, 0xf2) };
    visuals.hyperlink_color = tokens.accent;
    visuals.warn_fg_color = tokens.warning;
    visuals.error_fg_color = tokens.fault;
    visuals.selection.bg_fill = tokens.accent_soft;
    visuals.selection.stroke = Stroke::new(1.0, tokens.text);
    visuals.slider_trailing_fill = true;
    visuals.striped = false;
    visuals.indent_has_left_vline = false;
    let shadow = Color32::from_black_alpha(if tokens.dark { 110 } else { 40 });
    visuals.popup_shadow.color = shadow;
    visuals.window_shadow.color = shadow;
    let widgets = &mut visuals.widgets;
    let states = [
        (&mut widgets.noninteractive, tokens.surface, tokens.line, tokens.text),
        (&mut widgets.inactive, tokens.surface_high, Color32::TRANSPARENT, tokens.text),
        (&mut widgets.hovered, tokens.surface_high, tokens.accent, tokens.text),
        (&mut widgets.active, tokens.accent_soft, tokens.accent, tokens.text),
        (&mut widgets.open, tokens.surface_high, tokens.line, tokens.text),
    ];
    for (state, fill, edge, text) in states {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, edge);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = corner;
        state.expansion = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::yard::fish::Coat;
    use super::*;

    /// WCAG 2.1 contrast of two opaque colors.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let luminance = |c: Color32| {
            let linear = |v: u8| {
                let v = f64::from(v) / 255.0;
                if v <= 0.03928 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(c.r()) + 0.7152 * linear(c.g()) + 0.0722 * linear(c.b())
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_is_readable_in_both_themes() {
        for tokens in [DARK, LIGHT] {
            for ground in [tokens.surface, tokens.surface_high, tokens.ground] {
                assert!(contrast(tokens.text, ground) > 7.0, "text, dark {}", tokens.dark);
                assert!(contrast(tokens.text_weak, ground) > 4.5, "weak text, dark {}", tokens.dark);
            }
            for color in [tokens.accent, tokens.warning, tokens.fault, tokens.good] {
                assert!(contrast(color, tokens.surface) > 4.5, "{color:?}, dark {}", tokens.dark);
            }
        }
    }

    #[test]
    fn categories_stand_out_from_the_ground() {
        for tokens in [DARK, LIGHT] {
            for index in 0..8 {
                assert!(
                    contrast(tokens.category(index), tokens.ground) > 3.0,
                    "category {index}, dark {}",
                    tokens.dark
                );
            }
        }
    }

    #[test]
    fn fish_stand_out_from_the_water() {
        for tokens in [DARK, LIGHT] {
            for index in 0..8 {
                let coat = Coat::new(tokens.category(index), 0.0, &tokens);
                for water in [tokens.water_deep, tokens.water_shallow] {
                    // What stands out most of a fish: its flanks in the dark, its back in the light.
                    let best = contrast(coat.flank, water).max(contrast(coat.back, water));
                    assert!(best > 4.0, "category {index}, dark {}: {best}", tokens.dark);
                    assert!(contrast(tokens.text_weak, water) > 4.5, "text, dark {}", tokens.dark);
                }
            }
        }
    }

    #[test]
    fn the_ramp_survives_values_that_are_no_numbers() {
        assert_eq!(DARK.ramp(f32::NAN), DARK.ramp(1.0));
        assert_eq!(DARK.ramp(-3.0), DARK.ramp(0.0));
    }
}
