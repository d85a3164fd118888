//! What draws people: their companions, and places.

use super::fade;
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense, Want};
use glam::DVec3;

/// To those who came along, at a distance.
pub const COMPANIONS: ForceSpec = ForceSpec {
    name: "companions",
    about: "Keeps to its companions at a distance: weakly drawn to them from farther, pushed off from nearer.",
    source: "R195: strength·(d − d₀)/d₀, at most `strength`, mean over companions, fading out before the radius",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 6.0, (0.0, 50.0), "m", "companions up to this distance count"),
        Param {
            name: "from",
            kind: Kind::Group(""),
            unit: "",
            about: "the group whose agents count; empty: its own, \"any\": all",
        },
        Param::number("size", 0.0, (0.0, 100.0), "", "how many go together, in the order of ids; 0: the whole group"),
        Param::number("distance", 0.8, (0.1, 10.0), "m", "the distance they like"),
        Param::number("strength", 1.0, (0.0, 20.0), "m/s2", "largest pull"),
    ],
    compute: companions,
};

fn companions(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[radius, from, size, liked, strength] = p else {
        return Push::default();
    };
    let (size, liked) = (size as usize, liked.max(1e-3));
    let party = |slot: usize| slot.checked_div(size).unwrap_or(0);
    let (mut sum, mut count) = (DVec3::ZERO, 0.0);
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| {
        if party(sense.slot_of(near.entry)) == party(sense.slot) {
            let pull = ((near.distance - liked) / liked).clamp(-1.0, 1.0);
            sum += sense.direction(&near) * (pull * fade(near.distance, radius));
            count += 1.0;
        }
    });
    (sum * (strength / f64::max(count, 1.0))).into()
}

/// To a place that is worth a look.
pub const ATTRACTION: ForceSpec = ForceSpec {
    name: "attraction",
    about: "Drawn to a place, such as a shop window: the more the nearer it is.",
    source: "R175: C/d, not above C/soft, less its value at the range so that it begins at 0 there",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param { name: "target", kind: Kind::Vector, unit: "m", about: "the place" },
        Param::number("strength", 1.0, (-20.0, 20.0), "m2/s2", "C; negative pushes away"),
        Param::number("range", 6.0, (0.1, 100.0), "m", "who is farther does not care"),
        Param::number("soft", 1.0, (0.05, 10.0), "m", "nearer than this it pulls no more, and at the place not at all"),
    ],
    compute: attraction,
};

fn attraction(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[x, y, z, strength, range, soft] = p else {
        return Push::default();
    };
    let offset = sense.offset_to(DVec3::new(x, y, z));
    let (distance, soft) = (offset.length(), soft.max(1e-3));
    if distance >= range {
        return Push::default();
    }
    // Within `soft` the direction fades with the distance, so that it comes to rest there.
    (offset / distance.max(soft) * (strength * (1.0 / distance.max(soft) - 1.0 / range).max(0.0))).into()
}
