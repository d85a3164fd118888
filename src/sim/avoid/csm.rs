//! The speed of the collision-free speed model: as fast as the gap ahead allows, in the direction that the agent wants.
//!
//! v = clamp((s − l)/T, 0, wanted) with s the distance to the nearest in front, l the sum of the radii and T the time gap
//! (Tordeux, Chraibi and Seyfried 2016). Two who face each other would stand for ever; after a while without progress each tries
//! another direction, drawn by lot.

use super::Csm;
use super::orca::Own;
use super::stage::Frozen;
use crate::sim::{Stream, rng::Use};
use glam::DVec3;

/// Time without progress before other directions are tried, s.
const PATIENCE_SECS: f64 = 2.0;

/// How long a direction is tried, s.
const TRY_SECS: f64 = 0.5;

/// Part of the wanted speed below which there is no progress.
const STANDING: f64 = 0.01;

/// The safe velocity of an agent, m/s, and for how many ticks in a row it could not go on.
pub(super) fn safe(frozen: &Frozen<'_>, slot: usize, csm: &Csm, own: &mut Own) -> (DVec3, u32) {
    let world = frozen.world;
    let wanted = frozen.wants[slot].velocity;
    let speed = wanted.length();
    if speed <= 1e-9 {
        return (wanted, 0);
    }
    let (me, time_gap) = (frozen.seen[slot], csm.time_gap.max(1e-6));
    let range = speed * time_gap + me.radius + frozen.largest;
    world.grid.gather(&world.agents, slot as u32, range, None, &mut own.row);
    let way = wanted / speed;
    let free = free_speed(frozen, slot, way, time_gap, own);
    if free > STANDING * speed {
        return (if free < speed { way * free } else { wanted }, 0);
    }
    let held = world.agents.held[slot].saturating_add(1);
    let waited = f64::from(held) * world.dt() - PATIENCE_SECS;
    if waited < 0.0 {
        return (DVec3::ZERO, held);
    }
    // First to the side that all prefer, so that two who face each other part; then by lot.
    let turn = (waited / TRY_SECS) as u64;
    let mut luck = Stream::with_salt(world.settings.seed, slot as u64, turn, Use::Avoid, 1);
    let angle = luck.uniform(0.9, 2.2) * if turn == 0 || luck.unit() < 0.5 { -frozen.side } else { frozen.side };
    let (sine, cosine) = libm::sincos(angle);
    let flat = DVec3::new(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine, 0.0);
    let aside = if flat.length_squared() > 1e-12 { flat.normalize_or_zero() } else { DVec3::new(cosine, sine, 0.0) };
    let free = free_speed(frozen, slot, aside, time_gap, own);
    (aside * free.clamp(0.0, 0.5 * speed), held)
}

/// How fast an agent may go in a direction for those in front of it, m/s; negative if it overlaps one of them.
fn free_speed(frozen: &Frozen<'_>, slot: usize, way: DVec3, time_gap: f64, own: &Own) -> f64 {
    let world = frozen.world;
    let (radius, from) = (frozen.seen[slot].radius, world.agents.position[slot]);
    let walled = !world.obstacles.blocks_nothing();
    let mut free = f64::INFINITY;
    for entry in own.row.entries() {
        let other = world.grid.slot(entry.entry);
        let width = radius + frozen.seen[other as usize].radius;
        let ahead = entry.offset.dot(way);
        let aside = entry.squared - ahead * ahead;
        if ahead < 0.0 || aside > width * width || (entry.squared < 1e-18 && other > slot as u32) {
            continue;
        }
        let gap = (entry.squared.sqrt() - width) / time_gap;
        if gap < free && !(walled && !world.obstacles.sees(from, from + entry.offset)) {
            free = gap;
        }
    }
    free
}
