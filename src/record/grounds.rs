//! The ground over a whole run, for files that have room for it.

use glam::{DVec2, DVec3};

use super::ground::{self, Ground};
use super::tape::Row;
use crate::scene::Problem;
use crate::sim::obstacle::{Obstacles, Shape};

/// Room round agents and obstacles where a scene has no area, m.
const MARGIN_M: f64 = 1.0;

/// What stood in the way since a frame, and where agents were then.
struct Standing {
    since: i64,
    version: u64,
    shapes: Vec<Shape>,
    agents: Vec<DVec2>,
}

/// The ground over a run. It is solved at the end, when everybody's ways are known.
#[derive(Default)]
pub(super) struct Grounds {
    /// What it is cut out of, m; none: the box round all.
    area: Option<(DVec2, DVec2)>,
    bounds: Option<(DVec2, DVec2)>,
    standing: Vec<Standing>,
}

impl Grounds {
    /// The ground that is cut out of an area (m); without one, out of the box round all.
    pub(super) fn of(area: Option<(DVec2, DVec2)>) -> Self {
        Self { area, ..Self::default() }
    }

    /// Notes what stands in the way in a frame, and where agents are.
    pub(super) fn note(&mut self, frame: i64, rows: &[Row], obstacles: &Obstacles) {
        let flat = |p: DVec3| p.truncate();
        for at in rows.iter().map(|row| flat(row.position)) {
            self.bounds = Some(self.bounds.map_or((at, at), |(low, high)| (low.min(at), high.max(at))));
        }
        let version = obstacles.version();
        let known = self.standing.last_mut().filter(|last| last.version == version);
        if let Some(last) = known {
            if last.agents.is_empty() {
                last.agents.extend(rows.iter().map(|row| flat(row.position)));
            }
            return;
        }
        let blocking = obstacles.iter().filter(|obstacle| !obstacle.open);
        let shapes: Vec<Shape> = blocking.map(|obstacle| obstacle.shape.clone()).collect();
        let agents = rows.iter().map(|row| flat(row.position)).collect();
        self.standing.push(Standing { since: frame, version, shapes, agents });
    }

    /// What the walkable areas are cut out of: the scene's area, or the box round all that was seen.
    fn rim(&self) -> (DVec2, DVec2) {
        if let Some(area) = self.area {
            return area;
        }
        let shapes = self.standing.iter().flat_map(|standing| &standing.shapes).map(Shape::bounds);
        let shapes = shapes.map(|(low, high)| (low.truncate(), high.truncate()));
        let all = self.bounds.into_iter().chain(shapes);
        let around = all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let (low, high) = around.unwrap_or((DVec2::ZERO, DVec2::ZERO));
        ((low - MARGIN_M).floor(), (high + MARGIN_M).ceil())
    }

    /// The walkable area from each frame on: of several connected parts the one where most agents are, since a trajectory
    /// file has room for one. The warning says if somebody is elsewhere.
    pub(super) fn solve(self) -> (Vec<(i64, Ground)>, Option<Problem>) {
        let rim = self.rim();
        let mut warning = None;
        let mut solved = Vec::new();
        for standing in &self.standing {
            let parts = ground::free(rim, &standing.shapes);
            let inside = |part: &Ground| standing.agents.iter().filter(|at| part.has(**at)).count();
            let counts: Vec<usize> = parts.iter().map(inside).collect();
            // The first of the best: parts come by size.
            let most = counts.iter().copied().max().unwrap_or(0);
            let Some(best) = counts.iter().position(|count| *count == most) else { continue };
            let others: usize = counts.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, count)| count).sum();
            if others > 0 && warning.is_none() {
                let message = format!(
                    "the walkable area falls into parts; the file has that of {most} agents and not that of {others} others"
                );
                let hint = "closed doors and walls part it; an opened door joins the parts from that frame on";
                warning = Some(Problem::warning("parted-ground", message).hint(hint));
            }
            solved.extend(parts.into_iter().nth(best).map(|part| (standing.since, part)));
        }
        (solved, warning)
    }
}
