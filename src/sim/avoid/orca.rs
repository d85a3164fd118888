//! One agent's safe velocity by optimal reciprocal collision avoidance: what others and obstacles forbid, then the best of the rest.
//!
//! Obstacles come first and are never violated, then agents, nearest first. Two that avoid each other share what a half-plane
//! asks for; who wants nothing at its goal takes most of it from who goes on, and who has the lower priority takes all.

use super::Orca;
use super::pair::{self, Manner};
use super::plane::{self, Aim, HalfPlane};
use super::solid::{Walker, Walls};
use super::space::{self, HalfSpace};
use super::stage::{Frozen, Seen};
use crate::sim::neighbors::Row;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Time in which an overlap is undone, s: a distance grows to 9/10 of what it should be in 2.3 times that.
const PARTING_SECS: f64 = 0.25;

/// What who rests at its goal does beyond half for who goes.
const YIELDING: f64 = 0.4;

/// How much farther than the last of its nearest neighbors an agent looks in the next tick, before it looks everywhere.
const LOOK: f64 = 1.15;

/// Buffers of a thread.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// Agents near.
    pub(super) row: Row,
    /// Those that count, nearest first.
    picked: Vec<Picked>,
    walls: Walls,
    lines: Vec<HalfPlane>,
    spare: Vec<HalfPlane>,
    spaces: Vec<HalfSpace>,
    spare_spaces: Vec<HalfSpace>,
}

/// A neighbor that counts: squared distance, slot and place in the row in one number, so that one comparison orders two. The
/// bits of numbers that are not negative are in the order of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Picked(u128);

impl Picked {
    #[inline]
    fn new(squared: f64, slot: u32, at: usize) -> Self {
        Self(u128::from(squared.to_bits()) << 64 | u128::from(slot) << 32 | at as u128)
    }

    fn squared(self) -> f64 {
        f64::from_bits((self.0 >> 64) as u64)
    }

    #[inline]
    fn slot(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    fn at(self) -> usize {
        self.0 as u32 as usize
    }
}

/// The safe velocity of an agent, m/s, and where to look first in the next tick, m, which shows in no result.
#[inline]
pub(super) fn safe(frozen: &Frozen<'_>, slot: usize, orca: &Orca, look: f64, own: &mut Own) -> (DVec3, f64) {
    let world = frozen.world;
    let (want, me) = (&frozen.wants[slot], &frozen.seen[slot]);
    let dt = frozen.dt;
    let manner = Manner { horizon: orca.time_horizon_agents.max(dt), parting: PARTING_SECS.max(dt), side: frozen.side };
    own.walls.clear();
    let aim = frozen.aim(slot);
    if frozen.walled {
        let horizon = orca.time_horizon_obstacles.max(dt);
        let walker = Walker {
            at: world.agents.position[slot],
            aim: frozen.up_to_its_point(slot, aim, horizon),
            radius: me.radius,
            top: want.top,
            planar: world.settings.planar,
            manner: Manner { horizon, ..manner },
        };
        own.walls.find(&world.obstacles, &walker);
    }
    let look = pick(frozen, slot, orca, look, own);
    let velocity =
        if world.settings.planar { flat(frozen, slot, aim, manner, own) } else { deep(frozen, slot, aim, manner, own) };
    (velocity, look)
}

fn flat(frozen: &Frozen<'_>, slot: usize, aim: DVec3, manner: Manner, own: &mut Own) -> DVec3 {
    let (top, me) = (frozen.wants[slot].top, &frozen.seen[slot]);
    let Own { row, picked, walls, lines, spare, .. } = own;
    lines.clear();
    lines.extend(walls.hard.iter().map(HalfSpace::flat));
    let hard = lines.len();
    lines.extend(walls.soft.iter().map(HalfSpace::flat));
    let v = me.velocity.truncate();
    for other in picked.iter() {
        let them = &frozen.seen[other.slot() as usize];
        let (offset, relative) = (row.entries()[other.at()].offset.truncate(), v - them.velocity.truncate());
        let owed = pair::in_plane(offset, relative, me.radius + them.radius, manner, || {
            let apart = frozen.way_out(slot as u32).truncate() - frozen.way_out(other.slot()).truncate();
            apart.normalize_or(DVec2::X * order(slot as u32, other.slot()))
        });
        let offset = owed.normal.dot(v) + frozen.share(me, them) * owed.lack;
        // What no velocity of this agent can break needs no look.
        if offset > -top {
            lines.push(HalfPlane { normal: owed.normal, offset });
        }
    }
    let (mut safe, failed) = plane::best(lines, top, Aim::Near(aim.truncate()));
    if let Some(from) = failed {
        safe = plane::least_bad(lines, hard, from, top, safe, spare);
    }
    safe.extend(aim.z)
}

fn deep(frozen: &Frozen<'_>, slot: usize, aim: DVec3, manner: Manner, own: &mut Own) -> DVec3 {
    let (top, me) = (frozen.wants[slot].top, &frozen.seen[slot]);
    let Own { row, picked, walls, spare, spaces, spare_spaces, .. } = own;
    spaces.clear();
    spaces.extend_from_slice(&walls.hard);
    let hard = spaces.len();
    spaces.extend_from_slice(&walls.soft);
    for other in picked.iter() {
        let them = &frozen.seen[other.slot() as usize];
        let (offset, relative) = (row.entries()[other.at()].offset, me.velocity - them.velocity);
        let owed = pair::in_space(offset, relative, me.radius + them.radius, manner, || {
            let apart = frozen.way_out(slot as u32) - frozen.way_out(other.slot());
            apart.normalize_or(DVec3::X * order(slot as u32, other.slot()))
        });
        let offset = owed.normal.dot(me.velocity) + frozen.share(me, them) * owed.lack;
        if offset > -top {
            spaces.push(HalfSpace { normal: owed.normal, offset });
        }
    }
    let (mut safe, failed) = space::best(spaces, top, Aim::Near(aim), spare);
    if let Some(from) = failed {
        safe = space::least_bad(spaces, hard, from, top, safe, (spare_spaces, spare));
    }
    safe
}

/// Finds the neighbors that count: the nearest, ties by id, that it avoids and that no wall hides. Looks within `look` m first,
/// where last time's neighbors were: with enough of them there, those farther away cannot count. Returns where to look next.
#[inline]
fn pick(frozen: &Frozen<'_>, slot: usize, orca: &Orca, look: f64, own: &mut Own) -> f64 {
    let world = frozen.world;
    let most = orca.max_neighbors as usize;
    let plan = frozen.seen[slot].plan;
    let mut radius = if look > 0.0 { look.min(orca.neighbor_distance) } else { orca.neighbor_distance };
    let Own { row, picked, .. } = own;
    picked.clear();
    if most == 0 {
        return 0.0;
    }
    loop {
        world.grid.gather(&world.agents, slot as u32, radius, None, row);
        picked.clear();
        for (at, entry) in row.entries().iter().enumerate() {
            let other = world.grid.slot(entry.entry);
            if frozen.choosy[plan as usize]
                && frozen.relation(plan, frozen.seen[other as usize].plan) == Relation::Ignored
            {
                continue;
            }
            picked.push(Picked::new(entry.squared, other, at));
        }
        if picked.len() > 2 * most && !frozen.walled {
            picked.select_nth_unstable(most);
            picked.truncate(most);
        }
        picked.sort_unstable();
        if frozen.walled {
            let from = world.agents.position[slot];
            let mut kept = 0;
            picked.retain(|other| {
                let seen = kept < most && world.obstacles.sees(from, from + row.entries()[other.at()].offset);
                kept += usize::from(seen);
                seen
            });
        }
        picked.truncate(most);
        if picked.len() == most {
            return picked[most - 1].squared().sqrt() * LOOK;
        }
        if radius >= orca.neighbor_distance {
            return 0.0;
        }
        radius = orca.neighbor_distance;
    }
}

/// 1 for the lower slot of a pair, −1 for the higher.
fn order(slot: u32, other: u32) -> f64 {
    if slot < other { 1.0 } else { -1.0 }
}

/// What an agent of one group does about one of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Relation {
    /// Nothing.
    #[default]
    Ignored,
    /// All: the other does nothing.
    Alone,
    /// Its share.
    Shared,
}

impl Relation {
    /// What an agent with avoidance `own` does about one with `their`. Who avoids nobody is in layer 1 and goes first.
    pub(super) fn of(own: &Orca, their: Option<&Orca>) -> Self {
        let Some(their) = their else {
            return if own.avoidance_mask & 1 == 0 { Self::Ignored } else { Self::Alone };
        };
        if own.avoidance_mask & their.avoidance_layers == 0 || their.avoidance_priority < own.avoidance_priority {
            Self::Ignored
        } else if their.avoidance_mask & own.avoidance_layers == 0 || their.avoidance_priority > own.avoidance_priority
        {
            Self::Alone
        } else {
            Self::Shared
        }
    }
}

impl Frozen<'_> {
    #[inline]
    fn relation(&self, one: u16, other: u16) -> Relation {
        self.relations.get(one as usize * self.choosy.len() + other as usize).copied().unwrap_or_default()
    }

    /// What an agent aims at, but no farther than the point that it goes to now, beyond which it turns; who goes to no point that
    /// is known, no faster than it goes now.
    fn up_to_its_point(&self, slot: usize, aim: DVec3, horizon: f64) -> DVec3 {
        let agents = &self.world.agents;
        let goal = agents.goal[slot].or_else(|| self.world.group_of(slot).goal);
        let most = agents.course[slot].target.or(goal).map_or_else(
            || self.seen[slot].velocity.length(),
            |point| self.world.offset(agents.position[slot], point).length() / horizon,
        );
        aim.clamp_length_max(most.max(1e-3))
    }

    /// What an agent takes of what it and another owe each other.
    #[inline]
    fn share(&self, me: &Seen, them: &Seen) -> f64 {
        if them.stopped || self.relation(me.plan, them.plan) == Relation::Alone {
            return 1.0;
        }
        0.5 + YIELDING * (them.going - me.going)
    }

    /// Where an agent goes from others at the very same place: a unit vector. Those of agents with neighboring ids are far from
    /// each other (steps of the golden angle in the plane, of a second irrational number in height), so that many at one place
    /// need not run to part.
    fn way_out(&self, slot: u32) -> DVec3 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        const PLASTIC: f64 = 0.754_877_666_246_692_8;
        let share = |step: f64| (f64::from(slot) * step + self.phase).fract();
        let (angle, z) = (TAU * share(GOLDEN), 2.0 * share(PLASTIC) - 1.0);
        let (height, across) = if self.world.settings.planar { (0.0, 1.0) } else { (z, (1.0 - z * z).max(0.0).sqrt()) };
        DVec3::new(across * libm::cos(angle), across * libm::sin(angle), height)
    }
}
