//! Ghosts of other runs: outlines beside the agents, that nobody sees but who looks at the yard.

use eframe::egui::Color32;

use crate::experiment::frame::{BodyShape, Frame, GhostView};

use super::super::state::Cx;
use super::super::theme::Tokens;
use super::bodies::{self, JUMP, Shown};
use super::camera::View;
use super::ink::Ink;

/// How strong the inside of a ghost is, of 1: the ground and the agents shine through.
const INSIDE: f32 = 0.16;
/// How strong its outline is.
const OUTLINE: f32 = 0.85;

/// The color of a ghost: one that no group has, as long as there are some left.
pub fn color(frame: &Frame, index: usize, tokens: &Tokens) -> Color32 {
    tokens.category(frame.groups.len() + index)
}

/// What the legend says of a ghost.
pub fn legend(ghost: &GhostView) -> String {
    let error = ghost.error.map(|error| format!(", {error:.2} m off")).unwrap_or_default();
    format!("ghost {} ({}{error})", ghost.name, ghost.id.len())
}

/// Draws all ghosts.
pub fn draw(ink: &mut Ink, cx: &Cx<'_>, view: &View) {
    // As a rule a ghost is one of the same kind as who walks beside it.
    let shape = cx.frame.groups.first().map_or(BodyShape::Disc, |group| group.shape);
    let outline = bodies::outline(shape);
    for (index, ghost) in cx.frame.ghosts.iter().enumerate() {
        let color = color(cx.frame, index, cx.tokens);
        let before = cx.previous.ghosts.get(index).filter(|_| cx.previous.epoch == cx.frame.epoch);
        for row in 0..ghost.id.len() {
            let at = between(before, ghost, row, cx.alpha);
            let Some(body) = bodies::place(view, &outline, at, ghost.radius[row], 0.0) else { continue };
            ink.fan(body.middle, &body.corners, color.gamma_multiply(INSIDE), color.gamma_multiply(INSIDE));
            ink.polyline(&body.corners, true, 1.3, color.gamma_multiply(OUTLINE));
        }
    }
}

/// Where a ghost's agent is between two frames.
fn between(before: Option<&GhostView>, ghost: &GhostView, row: usize, share: f32) -> Shown {
    let target = Shown { position: ghost.position[row], heading: ghost.heading[row] };
    let known = before.and_then(|before| Some((before, before.id.binary_search(&ghost.id[row]).ok()?)));
    let Some((before, old)) = known else { return target };
    let (step, share) = (target.position - before.position[old], f64::from(share.clamp(0.0, 1.0)));
    if step.length() > JUMP {
        return target;
    }
    let turn = crate::sim::wrap_angle(target.heading - before.heading[old]);
    Shown { position: before.position[old] + step * share, heading: target.heading - turn * (1.0 - share) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn a_ghost_glides_between_frames_and_jumps_where_it_was_not() {
        let view = |ids: &[i64], x: f64| GhostView {
            id: ids.to_vec(),
            position: ids.iter().map(|_| DVec3::new(x, 0.0, 0.0)).collect(),
            heading: vec![0.0; ids.len()],
            radius: vec![0.2; ids.len()],
            ..GhostView::default()
        };
        let (before, now) = (view(&[1, 3], 0.0), view(&[2, 3], 1.0));
        assert_eq!(between(Some(&before), &now, 1, 0.25).position.x, 0.25, "3 was there");
        assert_eq!(between(Some(&before), &now, 0, 0.25).position.x, 1.0, "2 was not");
        assert_eq!(between(None, &now, 0, 0.25).position.x, 1.0);
    }

    #[test]
    fn the_legend_says_how_far_off_the_run_is() {
        let mut ghost = GhostView { name: "before".to_owned(), id: vec![1, 2], ..GhostView::default() };
        assert_eq!(legend(&ghost), "ghost before (2)");
        ghost.error = Some(0.337);
        assert_eq!(legend(&ghost), "ghost before (2, 0.34 m off)");
    }
}
