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
pub mod social;

use crate::sim::obstacle::Hit;
use crate::steer::registry::{Kind, Param};
use crate::steer::sense::{Near, Sense, Want};

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
fn fade(distance: f64, range: f64) -> f64 {
    1.0 - crate::steer::law::smooth_step(distance, FADE_FROM * range, range)
}

/// The exponential of an overlap by a length scale, bounded: who was put deep into a wall still gets a number.
fn grow(x: f64) -> f64 {
    libm::exp(x.min(30.0))
}

/// Finds the walls within `reach` of the agent; with `sight` also those that may hide somebody up to `radius` away. The
/// distance of the nearest, m, infinite without one.
fn find_walls(sense: &Sense<'_>, reach: f64, radius: f64, sight: bool, hits: &mut Vec<Hit>) -> f64 {
    hits.clear();
    let obstacles = &sense.world.obstacles;
    if obstacles.blocks_nothing() {
        return f64::INFINITY;
    }
    obstacles.within(sense.position(), if sight { reach.max(radius) } else { reach }, hits);
    hits.first().map_or(f64::INFINITY, |hit| hit.distance)
}

/// Calls `body(near, slot)` for all agents within `radius` that no wall hides. Who is nearer than the nearest wall cannot be
/// hidden, so that only those beside walls are looked at twice.
#[expect(clippy::inline_always, reason = "the innermost loop of a crowd")]
#[inline(always)]
fn each_seen(sense: &Sense<'_>, (radius, from): (f64, f64), nearest_wall: f64, mut body: impl FnMut(&Near, usize)) {
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| {
        if near.distance > nearest_wall && is_hidden(sense, &near) {
            return;
        }
        body(&near, sense.slot_of(near.entry));
    });
}

#[cold]
fn is_hidden(sense: &Sense<'_>, near: &Near) -> bool {
    let here = sense.position();
    !sense.world.obstacles.sees(here, here + near.offset)
}
