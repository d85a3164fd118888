//! The legend of the yard: what colors mean, upper left.

use eframe::egui::{Align2, Color32, Painter, Pos2, Rect, vec2};

use crate::experiment::frame::{BodyShape, GroupView};

use super::super::state::{ColorBy, Cx};
use super::super::theme::Tokens;
use super::fish::{Build, Fish, Pose};
use super::ghosts;
use super::ink::Ink;
use super::scenery;
use super::swim::Stroke;

/// What a line of the legend is marked with.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Dot,
    Fish,
    Predator,
    Ghost,
}

impl Mark {
    fn of(group: &GroupView) -> Self {
        match group.shape {
            BodyShape::Fish => Self::Fish,
            BodyShape::Predator => Self::Predator,
            _ => Self::Dot,
        }
    }
}

/// Lines for agents at most.
const LINES: usize = 8;

/// What colors mean, one line each.
fn legend_lines(cx: &Cx<'_>) -> Vec<(Mark, Color32, String)> {
    let (frame, tokens, yard) = (cx.frame, cx.tokens, &cx.state.yard);
    let scale = |share: f32, text: String| (Mark::Dot, tokens.ramp(share), text);
    let steps = [0.0, 0.5, 1.0];
    match yard.color_by {
        ColorBy::Group => {
            let groups = frame.groups.iter().enumerate();
            let text = |group: &GroupView| format!("{} ({})", group.name, group.count);
            groups.map(|(i, group)| (Mark::of(group), tokens.category(i), text(group))).collect()
        }
        ColorBy::State => {
            let states = frame.groups.iter().flat_map(|group| {
                let states = group.states.iter().enumerate();
                states.map(|(i, s)| (Mark::of(group), tokens.category(i), format!("{} ({})", s.name, s.count)))
            });
            // Who has no states is there all the same, in the color that it is drawn in.
            let without = frame.groups.iter().filter(|group| group.states.is_empty() && group.count > 0);
            let without = without.map(|g| (Mark::of(g), tokens.text_weak, format!("{} ({})", g.name, g.count)));
            states.chain(without).collect()
        }
        ColorBy::Speed => steps.map(|share| scale(share, format!("{:.2} m/s", share * yard.scales.speed))).to_vec(),
        ColorBy::Error => steps.map(|share| scale(share, format!("{:.3} m", share * yard.scales.error))).to_vec(),
        ColorBy::Heading => [("→ 0°", 0.0), ("↑ 90°", 1.0), ("← 180°", 2.0), ("↓ −90°", 3.0)]
            .map(|(text, quarter)| (Mark::Dot, tokens.wheel(quarter * std::f64::consts::FRAC_PI_2), text.to_owned()))
            .to_vec(),
    }
}

/// What colors mean, upper left; fish and those they flee from are marked with what they look like.
pub fn legend(painter: &Painter, cx: &Cx<'_>, rect: Rect) {
    let mut lines = legend_lines(cx);
    lines.truncate(LINES);
    if cx.state.settings.overlays.ghosts {
        let ghosts = cx.frame.ghosts.iter().enumerate();
        lines.extend(
            ghosts.map(|(i, ghost)| (Mark::Ghost, ghosts::color(cx.frame, i, cx.tokens), ghosts::legend(ghost))),
        );
    }
    let fish = |line: &(Mark, Color32, String)| matches!(line.0, Mark::Fish | Mark::Predator);
    let inset = if lines.iter().any(fish) { 30.0 } else { 14.0 };
    let mut ink = Ink::default();
    let mut at = rect.left_top() + vec2(12.0, 12.0);
    for (mark, color, text) in lines {
        match mark {
            Mark::Dot => ink.disc(at + vec2(4.0, 0.0), 4.0, color),
            Mark::Ghost => {
                ink.disc(at + vec2(4.0, 0.0), 4.0, color.gamma_multiply(0.16));
                ink.circle(at + vec2(4.0, 0.0), 4.0, 1.3, color);
            }
            Mark::Fish => legend_fish(&mut ink, at + vec2(11.0, 0.0), 17.0, false, color, cx.tokens),
            Mark::Predator => legend_fish(&mut ink, at + vec2(11.0, 0.0), 25.0, true, color, cx.tokens),
        }
        scenery::halo_text(painter, at + vec2(inset, 0.0), Align2::LEFT_CENTER, &text, cx.tokens.text_weak, cx.tokens);
        at.y += 16.0;
    }
    painter.add(ink.into_shape());
}

fn legend_fish(ink: &mut Ink, at: Pos2, length: f32, predator: bool, color: Color32, tokens: &Tokens) {
    let stroke = Stroke { beats: 0.12, bend: 0.0, sway: 0.6 };
    let build = Build { girth: 1.0, span: 1.0, shade: 0.0 };
    Fish { pose: Pose::flat(at, 0.0, length), stroke, build, predator, color }.draw(ink, tokens);
}
