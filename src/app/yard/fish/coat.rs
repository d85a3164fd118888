//! What a fish looks like: its own build, and the shades of its body.

use eframe::egui::Color32;

use crate::experiment::frame::AgentKey;

use super::super::super::theme::Tokens;
use super::super::bodies::brighten;
use super::super::swim::luck;

/// What is a fish's own for life: small differences of its proportions and its shade; its size is the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// Factor on its width.
    pub girth: f32,
    /// Factor on the span of its tail.
    pub span: f32,
    /// Shade: below 0 darker, above 0 lighter.
    pub shade: f32,
}

impl Build {
    /// The build of an agent.
    pub fn of(key: AgentKey) -> Self {
        let about = |use_of, share: f32| share * (2.0 * luck(key, use_of) - 1.0);
        Self { girth: 1.0 + about(1, 0.10), span: 1.0 + about(2, 0.12), shade: about(3, 0.10) }
    }
}

/// The shades of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coat {
    /// The edge of the body.
    pub rim: Color32,
    /// The flank.
    pub flank: Color32,
    /// The back.
    pub back: Color32,
    /// Fins: let the water through.
    pub fin: Color32,
    /// Water close around it, which tells one fish of a dense school from the next.
    pub hem: Color32,
}

impl Coat {
    /// Counter-shading: belly and flanks lighter than the back, on either ground.
    pub fn new(color: Color32, shade: f32, tokens: &Tokens) -> Self {
        let own = if shade < 0.0 { darken(color, -shade) } else { brighten(color, shade) };
        let (rim, flank, back) = if tokens.dark { (0.06, 0.48, 0.38) } else { (0.0, 0.42, 0.32) };
        let hem = if tokens.dark { tokens.water_deep } else { tokens.water_shallow };
        Self {
            rim: brighten(own, rim),
            flank: brighten(own, flank),
            back: darken(own, back),
            fin: own.gamma_multiply(0.72),
            hem: hem.gamma_multiply(0.7),
        }
    }
}

/// The color nearer to black.
fn darken(color: Color32, share: f32) -> Color32 {
    let down = |v: u8| (f32::from(v) * (1.0 - share)) as u8;
    Color32::from_rgb(down(color.r()), down(color.g()), down(color.b()))
}
