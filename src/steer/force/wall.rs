//! Soft walls: between agents, from obstacles, at the edges of the area.

use super::Push;
use crate::sim::Edge;
use crate::sim::obstacle::Hit;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Kind, Param};
use crate::steer::sense::{Kept, Sense, Want};
use glam::DVec3;

/// Keeps agents apart and off obstacles.
pub const SOFT_WALL: ForceSpec = ForceSpec {
    name: "soft_wall",
    about: "Steep repulsion from agents and obstacles close by; it also slides past an obstacle that is in the way.",
    source: "Khatib 1986: k(1/d − 1/r)/d², capped (R044, E08); d between centers, and from the center to a surface",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 0.6, (0.0, 10.0), "m", "reach of the wall"),
        Param { name: "from", kind: Kind::Group("any"), unit: "", about: "the group whose agents count; \"any\": all" },
        Param::number("strength", 1.0, (0.0, 50.0), "m4/s2", "k of the law"),
        Param::number("cap", 10.0, (0.0, 100.0), "m/s2", "largest push of one wall"),
        Param::number(
            "slide",
            1.0,
            (0.0, 5.0),
            "",
            "share of an obstacle's push that goes along it, round the way it bars",
        ),
    ],
    compute: soft_wall,
};

fn soft_wall(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, strength, cap, slide] = p else {
        return Push::default();
    };
    let mut sum = DVec3::ZERO;
    let way = sense.way();
    sense.each(Want { radius, cosine: -2.0, from, most: 0.0 }, |near| {
        let to = sense.direction(&near);
        sum -= (to + aside(way, to)) * law::soft_wall(near.distance, radius, strength, cap);
    });
    let obstacles = &sense.world.obstacles;
    if obstacles.blocks_nothing() {
        return sum.into();
    }
    // At least the reach that lets the wall act before the body touches.
    let reach = radius + sense.world.agents.radius[sense.slot];
    obstacles.within(sense.position(), reach, hits);
    for hit in hits.iter() {
        let push = law::soft_wall(hit.distance.max(0.0), reach, strength, cap);
        sum += hit.normal * push + super::obstacle::along(sense, hit) * (slide * push);
    }
    sum.into()
}

/// How near to straight ahead another stands who is exactly in the way, as a sine.
const EXACT: f64 = 1e-4;

/// How far the push of one who stands exactly in the way leads aside.
const ASIDE: f64 = 1e-3;

/// A little to the left of the direction to one who stands exactly in the way, so that the push leads to the right of it: two who walk
/// at each other along one line would else stand face to face for good (F19). Whatever else makes them unequal is larger.
fn aside(way: DVec3, to: DVec3) -> DVec3 {
    if way.dot(to) > 0.0 && law::across(way, to).length_squared() < EXACT * EXACT {
        DVec3::new(-to.y, to.x, 0.0) * ASIDE
    } else {
        DVec3::ZERO
    }
}

/// Keeps agents inside of the area.
pub const BOUNDS: ForceSpec = ForceSpec {
    name: "bounds",
    about: "Inwards near the edges of the area; nothing in an open or wrapped world without an area.",
    source: "quadratic ramp from 0 at `range` to full at the edge",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("range", 2.0, (0.01, 100.0), "m", "distance from the edge at which it begins"),
        Param::number("strength", 5.0, (0.0, 100.0), "m/s2", "push at the edge and beyond"),
    ],
    compute: bounds,
};

fn bounds(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let &[range, strength] = p else {
        return Push::default();
    };
    let space = sense.world.settings.space;
    let Some(area) = space.area.filter(|_| space.edge != Edge::Wrap) else {
        return Push::default();
    };
    let mut sum = DVec3::ZERO;
    for axis in 0..3 {
        if area.min[axis] < area.max[axis] {
            let x = sense.position()[axis];
            let ramp = |distance: f64| (1.0 - distance / range.max(1e-9)).clamp(0.0, 1.0);
            let (low, high) = (ramp(x - area.min[axis]), ramp(area.max[axis] - x));
            sum[axis] = strength * (low * low - high * high);
        }
    }
    sum.into()
}
