//! Forces of pedestrians: what drives them, and the social force models of three papers, one per file.
//!
//! What they share is here: the walls near an agent, and who is hidden by them. A wall is one connected obstacle and acts by
//! its nearest point only; summed over segments a corner would count twice, and a door of one metre would hold people back.

pub mod company;
pub mod contact;
pub mod csm;
pub mod driving;
pub mod ellipse;
pub mod heuristic;
pub mod load;
pub mod social;

use crate::sim::neighbors::sums::TOUCHING;
use crate::sim::obstacle::{Hit, Shape};
use crate::steer::law;
use crate::steer::registry::{Kind, Param};
use crate::steer::sense::{Near, Sense, Want};
use glam::DVec3;

const FROM: Param =
    Param { name: "from", kind: Kind::Group("any"), unit: "", about: "the group whose agents count; \"any\": all" };

const SIGHT: Param = Param {
    name: "sight",
    kind: Kind::Switch(true),
    unit: "",
    about: "whether walls hide those behind them; off, the force goes through walls",
};

const MARGIN: Param =
    Param::number("margin", 0.0, (-0.3, 0.5), "m", "added to the radius of every body: personal space, or soft flesh");

/// Where the range of a force ends, as a share of it, this begins to fade.
const FADE_FROM: f64 = 0.8;

/// 1 near by, falling to 0 at the range with level ends, so that nothing jumps when somebody comes within it.
#[inline]
fn fade(distance: f64, range: f64) -> f64 {
    if distance <= FADE_FROM * range {
        return 1.0;
    }
    1.0 - law::smooth_step(distance, FADE_FROM * range, range)
}

/// The exponential of an overlap by a length scale, bounded: who was put deep into a wall still gets a number.
fn grow(x: f64) -> f64 {
    law::exp(x.min(30.0))
}

/// The most walls that are compared with before a line of sight is followed through the tree.
const PLANES: usize = 6;

/// The walls that may hide somebody from an agent.
struct Walls {
    /// Distance of the nearest, m; infinite where none hides anybody.
    nearest: f64,
    /// Normal and distance at the nearest point of each.
    planes: [(DVec3, f64); PLANES],
    count: usize,
    /// Whether these are all, the agent is outside of them, and none has an angle that looks at it.
    plain: bool,
}

impl Walls {
    /// Nothing hides anybody.
    const NONE: Self = Self { nearest: f64::INFINITY, planes: [(DVec3::ZERO, 0.0); PLANES], count: 0, plain: true };

    /// Those of `hits` that may hide somebody up to `radius` away.
    fn of(sense: &Sense<'_>, radius: f64, hits: &[Hit]) -> Self {
        let mut walls = Self::NONE;
        for hit in hits.iter().take_while(|hit| hit.distance < radius) {
            walls.nearest = walls.nearest.min(hit.distance);
            if walls.count == PLANES || hit.distance <= 0.0 || !is_convex(sense, hit) {
                walls.plain = false;
                break;
            }
            walls.planes[walls.count] = (hit.normal, hit.distance);
            walls.count += 1;
        }
        walls
    }

    /// Whether a wall stands between the agent and another. Nearer than the nearest wall nobody is hidden; nor is who stands
    /// before the plane that touches a convex wall at its nearest point, since all of the wall is behind that plane.
    #[inline]
    fn hide(&self, sense: &Sense<'_>, near: &Near) -> bool {
        if near.distance <= self.nearest {
            return false;
        }
        let before = |(normal, distance): &(DVec3, f64)| near.offset.dot(*normal) > -distance;
        if self.plain && self.planes[..self.count].iter().all(before) {
            return false;
        }
        let here = sense.position();
        !sense.world.obstacles.sees(here, here + near.offset)
    }
}

fn is_convex(sense: &Sense<'_>, hit: &Hit) -> bool {
    sense.world.obstacles.get(hit.id).is_some_and(|obstacle| match &obstacle.shape {
        Shape::Disc { .. } | Shape::Sphere { .. } | Shape::Box { .. } | Shape::Wall { .. } => true,
        Shape::Polyline { points } => points.len() == 2,
        Shape::Polygon { .. } => false,
    })
}

/// Finds the walls within `reach` of the agent, and with `sight` also those that may hide somebody up to `radius` away.
fn find_walls(sense: &Sense<'_>, reach: f64, radius: f64, sight: bool, hits: &mut Vec<Hit>) -> Walls {
    hits.clear();
    let obstacles = &sense.world.obstacles;
    if obstacles.blocks_nothing() {
        return Walls::NONE;
    }
    obstacles.within(sense.position(), if sight { reach.max(radius) } else { reach }, hits);
    if sight { Walls::of(sense, radius, hits) } else { Walls::NONE }
}

/// The unit vector to a neighbor, as [`Sense::direction`], by one division instead of three.
#[expect(clippy::inline_always, reason = "the innermost loop of a crowd")]
#[inline(always)]
fn unit_to(sense: &Sense<'_>, near: &Near) -> DVec3 {
    if near.distance > TOUCHING { near.offset * (1.0 / near.distance) } else { sense.direction(near) }
}

/// Calls `body(near, slot)` for all agents within `radius` that no wall hides.
#[expect(clippy::inline_always, reason = "the innermost loop of a crowd")]
#[inline(always)]
fn each_seen(sense: &Sense<'_>, (radius, from): (f64, f64), walls: &Walls, mut body: impl FnMut(&Near, usize)) {
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| {
        if !walls.hide(sense, &near) {
            body(&near, sense.slot_of(near.entry));
        }
    });
}
