//! The collision-free speed model: the direction by who is near, the speed by the room ahead.

use super::driving::{CLOSED, REACH, TAPER, WAY, direction, ground_factor};
use super::{FROM, SIGHT, each_seen, find_walls, grow};
use crate::sim::obstacle::Hit;
use crate::sim::rng::steady;
use crate::steer::force::Push;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// Who moved this far, m, got on.
const ONWARD_M: f64 = 0.1;

/// How long one that got stuck goes one way before it tries another, s.
const TRY_SECS: f64 = 0.5;

/// The share of its speed at which it does.
const TRY_SPEED: f64 = 0.5;

/// The repulsion of walls reaches so many times its length scale.
const WALL_REACH: f64 = 20.0;

/// The velocity that keeps clear of the one ahead.
pub const CSM: ForceSpec = ForceSpec {
    name: "csm",
    about: "Goes to its goal, away from those very close, as fast as the room ahead allows; tries other ways when it got stuck.",
    source: "Tordeux, Chraibi and Seyfried 2016 (arXiv 1512.05597): e ∝ e₀ − Σ a·exp((l − s)/D)·e_ij, v = min(v₀, (s − l)/T); \
             defaults of JuPedSim 1.4; seeded tries after `patience` without getting on",
    unit: "m/s",
    turns: false,
    keeps: true,
    params: &[
        Param::number("radius", 3.0, (0.0, 20.0), "m", "people up to this distance count"),
        FROM,
        Param::number("speed", 1.2, (0.0, 20.0), "m/s", "desired speed v0"),
        Param::number(
            "time_gap",
            1.0,
            (0.05, 10.0),
            "s",
            "time gap T to the one ahead; 0.5 fits measured flows, 1 is the default of the model",
        ),
        Param::number("a", 8.0, (0.0, 50.0), "", "how much people turn its way, at contact"),
        Param::number("D", 0.1, (0.01, 2.0), "m", "way over which that falls to 1/e"),
        Param::number("wall_a", 5.0, (0.0, 50.0), "", "how much walls turn its way, at contact"),
        Param::number("wall_D", 0.02, (0.01, 2.0), "m", "way over which that falls to 1/e"),
        WAY,
        TAPER,
        CLOSED,
        REACH,
        Param::number(
            "patience",
            2.0,
            (0.0, 60.0),
            "s",
            "time without getting on after which it tries other ways; 0: never",
        ),
        SIGHT,
    ],
    compute: csm,
};

fn csm(sense: &Sense<'_>, p: &[f64], kept: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, speed, gap, a, d, wall_a, wall_d, x, y, z, taper, closed, reach, patience, sight] = p else {
        return Push::default();
    };
    let own = sense.world.agents.radius[sense.slot];
    let speed = speed * ground_factor(sense);
    let (wish, left) = direction(sense, DVec3::new(x, y, z), (closed, reach), kept);
    let (d, wall_d, gap) = (d.max(1e-3), wall_d.max(1e-3), gap.max(1e-3));
    let walls = find_walls(sense, own + WALL_REACH * wall_d, radius, sight > 0.5, hits);
    let mut way = wish;
    for hit in hits.iter().filter(|hit| hit.distance < own + WALL_REACH * wall_d) {
        way += hit.normal * (wall_a * grow((own - hit.distance) / wall_d));
    }
    each_seen(sense, (radius, from), &walls, |near, other| {
        let both = own + sense.world.agents.radius[other];
        way -= sense.direction(near) * (a * grow((both - near.distance) / d));
    });
    let mut unit = way.normalize_or_zero();
    let mut most = speed * (left / taper.max(1e-6)).min(1.0);
    if left > taper && is_stuck(sense, patience, kept) {
        unit = try_way(sense);
        most = TRY_SPEED * speed;
    }
    let mut room = f64::INFINITY;
    each_seen(sense, (radius, from), &walls, |near, other| {
        let both = own + sense.world.agents.radius[other];
        let to = sense.direction(near);
        let aside = to - unit * to.dot(unit);
        if to.dot(unit) > 0.0 && aside.length() * near.distance <= both {
            room = room.min(near.distance - both);
        }
    });
    (unit * (room / gap).clamp(0.0, most)).into()
}

/// Whether it has not moved for so long. Keeps where it last got on, and the ticks since then.
fn is_stuck(sense: &Sense<'_>, patience: f64, kept: &mut Kept) -> bool {
    let here = sense.position();
    let [anchor, ticks, ..] = &mut kept.more;
    if ticks.x == 0.0 || sense.world.offset(*anchor, here).length_squared() > ONWARD_M * ONWARD_M {
        (*anchor, ticks.x) = (here, 1.0);
        return false;
    }
    ticks.x += 1.0;
    patience > 0.0 && ticks.x * sense.world.dt() > patience
}

/// A direction by the seed, the agent and the time, the same for a while.
fn try_way(sense: &Sense<'_>) -> DVec3 {
    let while_at = libm::floor(sense.world.time() / TRY_SECS) as i64;
    let draw = steady(sense.world.settings.seed, [sense.slot as i64, while_at, 17]);
    crate::sim::angle::direction(std::f64::consts::PI * draw)
}
