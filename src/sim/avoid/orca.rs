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
use crate::sim::neighbors::{Row, RowEntry};
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Time in which an overlap is undone, s: a distance grows to 9/10 of what it should be in 2.3 times that.
const PARTING_SECS: f64 = 0.5;

/// What who rests at its goal does beyond half for who goes.
const YIELDING: f64 = 0.4;

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

/// A neighbor that counts.
#[derive(Clone, Copy, Debug)]
struct Picked {
    entry: RowEntry,
    slot: u32,
    /// What this agent takes of what the two owe each other.
    share: f64,
}

/// The safe velocity of an agent, m/s.
pub(super) fn safe(frozen: &Frozen<'_>, slot: usize, orca: &Orca, own: &mut Own) -> DVec3 {
    let world = frozen.world;
    let (want, me) = (frozen.wants[slot], frozen.seen[slot]);
    let dt = world.dt();
    let manner = Manner {
        horizon: orca.time_horizon_agents.max(dt),
        parting: PARTING_SECS.max(dt),
        side: frozen.side,
    };
    own.walls.clear();
    if !world.obstacles.blocks_nothing() {
        let walker = Walker {
            at: world.agents.position[slot],
            velocity: me.velocity,
            radius: me.radius,
            top: want.top,
            planar: world.settings.planar,
            manner: Manner { horizon: orca.time_horizon_obstacles.max(dt), ..manner },
        };
        own.walls.find(&world.obstacles, &walker);
    }
    pick(frozen, slot, orca, own);
    if world.settings.planar { flat(frozen, slot, manner, own) } else { deep(frozen, slot, manner, own) }
}

fn flat(frozen: &Frozen<'_>, slot: usize, manner: Manner, own: &mut Own) -> DVec3 {
    let (want, me) = (frozen.wants[slot], frozen.seen[slot]);
    let Own { picked, walls, lines, spare, .. } = own;
    lines.clear();
    lines.extend(walls.hard.iter().map(HalfSpace::flat));
    let hard = lines.len();
    lines.extend(walls.soft.iter().map(HalfSpace::flat));
    let v = me.velocity.truncate();
    for other in picked.iter() {
        let Seen { velocity, radius, .. } = frozen.seen[other.slot as usize];
        let (offset, relative) = (other.entry.offset.truncate(), v - velocity.truncate());
        let owed = pair::in_plane(offset, relative, me.radius + radius, manner, || {
            let apart = frozen.way_out(slot as u32).truncate() - frozen.way_out(other.slot).truncate();
            apart.normalize_or(DVec2::X * order(slot as u32, other.slot))
        });
        let offset = owed.normal.dot(v) + other.share * owed.lack;
        // What no velocity of this agent can break needs no look.
        if offset > -want.top {
            lines.push(HalfPlane { normal: owed.normal, offset });
        }
    }
    let aim = Aim::Near(want.velocity.truncate());
    let (mut safe, failed) = plane::best(lines, want.top, aim);
    if let Some(from) = failed {
        safe = plane::least_bad(lines, hard, from, want.top, safe, spare);
    }
    safe.extend(want.velocity.z)
}

fn deep(frozen: &Frozen<'_>, slot: usize, manner: Manner, own: &mut Own) -> DVec3 {
    let (want, me) = (frozen.wants[slot], frozen.seen[slot]);
    let Own { picked, walls, spare, spaces, spare_spaces, .. } = own;
    spaces.clear();
    spaces.extend_from_slice(&walls.hard);
    let hard = spaces.len();
    spaces.extend_from_slice(&walls.soft);
    for other in picked.iter() {
        let Seen { velocity, radius, .. } = frozen.seen[other.slot as usize];
        let relative = me.velocity - velocity;
        let owed = pair::in_space(other.entry.offset, relative, me.radius + radius, manner, || {
            let apart = frozen.way_out(slot as u32) - frozen.way_out(other.slot);
            apart.normalize_or(DVec3::X * order(slot as u32, other.slot))
        });
        let offset = owed.normal.dot(me.velocity) + other.share * owed.lack;
        if offset > -want.top {
            spaces.push(HalfSpace { normal: owed.normal, offset });
        }
    }
    let (mut safe, failed) = space::best(spaces, want.top, Aim::Near(want.velocity), spare);
    if let Some(from) = failed {
        safe = space::least_bad(spaces, hard, from, want.top, safe, (spare_spaces, spare));
    }
    safe
}

/// Finds the neighbors that count: the nearest, ties by id, that it avoids and that no wall hides.
fn pick(frozen: &Frozen<'_>, slot: usize, orca: &Orca, own: &mut Own) {
    let world = frozen.world;
    let Own { row, picked, .. } = own;
    picked.clear();
    let most = orca.max_neighbors as usize;
    if most == 0 {
        return;
    }
    world.grid.gather(&world.agents, slot as u32, orca.neighbor_distance, None, row);
    if !world.obstacles.blocks_nothing() {
        row.sort(&world.grid);
        let from = world.agents.position[slot];
        for entry in row.entries() {
            let other = world.grid.slot(entry.entry);
            let Some(share) = share(frozen, slot, other as usize, orca) else { continue };
            if world.obstacles.sees(from, from + entry.offset) {
                picked.push(Picked { entry: *entry, slot: other, share });
                if picked.len() == most {
                    return;
                }
            }
        }
        return;
    }
    let mut limit = f64::INFINITY;
    for entry in row.entries() {
        if entry.squared > limit {
            continue;
        }
        let other = world.grid.slot(entry.entry);
        let Some(share) = share(frozen, slot, other as usize, orca) else { continue };
        let farther = |kept: &Picked| {
            entry.squared < kept.entry.squared || (entry.squared == kept.entry.squared && other < kept.slot)
        };
        if picked.len() == most {
            if !picked.last().is_some_and(farther) {
                continue;
            }
            picked.pop();
        }
        let at = picked.iter().rposition(|kept| !farther(kept)).map_or(0, |before| before + 1);
        picked.insert(at, Picked { entry: *entry, slot: other, share });
        if picked.len() == most {
            limit = picked[most - 1].entry.squared;
        }
    }
}

/// What an agent takes of what it and another owe each other; none if it does not mind the other.
#[inline]
fn share(frozen: &Frozen<'_>, slot: usize, other: usize, orca: &Orca) -> Option<f64> {
    let (me, them) = (frozen.seen[slot], frozen.seen[other]);
    let Some(their) = frozen.orcas[them.plan as usize].filter(|_| !them.stopped) else {
        // Who avoids nobody is in layer 1 and goes first.
        let layers = frozen.orcas[them.plan as usize].map_or(1, |their| their.avoidance_layers);
        return (orca.avoidance_mask & layers != 0).then_some(1.0);
    };
    if me.plan != them.plan || !frozen.alike[me.plan as usize] {
        if orca.avoidance_mask & their.avoidance_layers == 0 || their.avoidance_priority < orca.avoidance_priority {
            return None;
        }
        if their.avoidance_mask & orca.avoidance_layers == 0 || their.avoidance_priority > orca.avoidance_priority {
            return Some(1.0);
        }
    }
    Some(0.5 + YIELDING * (them.going - me.going))
}

/// 1 for the lower slot of a pair, −1 for the higher.
fn order(slot: u32, other: u32) -> f64 {
    if slot < other { 1.0 } else { -1.0 }
}

impl Frozen<'_> {
    /// Where an agent goes from others at the very same place: a unit vector. Those of agents with neighboring ids are far from
    /// each other (steps of the golden angle in the plane, of a second irrational number in height), so that many at one place
    /// need not run to part.
    fn way_out(&self, slot: u32) -> DVec3 {
        const GOLDEN: f64 = 0.618_033_988_749_894_9;
        const PLASTIC: f64 = 0.754_877_666_246_692_8;
        let share = |step: f64| (f64::from(slot) * step + self.phase).fract();
        let (angle, z) = (TAU * share(GOLDEN), 2.0 * share(PLASTIC) - 1.0);
        let (height, across) =
            if self.world.settings.planar { (0.0, 1.0) } else { (z, (1.0 - z * z).max(0.0).sqrt()) };
        DVec3::new(across * libm::cos(angle), across * libm::sin(angle), height)
    }
}
