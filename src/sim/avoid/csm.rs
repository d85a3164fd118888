//! The speed of the collision-free speed model: as fast as the gap ahead allows, in the direction that the agent wants.
//!
//! v = clamp((s − l)/T, 0, wanted) with s the distance to the nearest in front, l the sum of the radii and T the time gap
//! (Tordeux, Chraibi and Seyfried 2016). Two who face each other would stand for ever; after a while without progress each goes
//! aside for a moment, to a side drawn by lot.

use super::Csm;
use super::orca::Own;
use super::stage::Frozen;
use crate::sim::{Stream, rng::Use};
use glam::DVec3;

/// Time without progress before other directions are tried, s.
const PATIENCE_SECS: f64 = 2.0;

/// How long it then goes aside, s.
const DETOUR_SECS: f64 = 1.0;

/// How often it goes to the side that all prefer.
const PREFERRED: f64 = 0.8;

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
    let held = world.agents.held[slot].saturating_add(1);
    let patience = (PATIENCE_SECS / world.dt()) as u32;
    if held <= patience {
        let free = free_speed(frozen, slot, way, time_gap, own);
        if free > STANDING * speed {
            return (if free < speed { way * free } else { wanted }, 0);
        }
        return (DVec3::ZERO, held);
    }
    let gone = held - patience;
    let last = f64::from(gone) * world.dt() >= DETOUR_SECS;
    // The lot is drawn where the detour begins. Most often it falls on the side that all prefer, so that two who face each
    // other part at once; a right angle and a little back, since the one ahead is as near as can be.
    let began = world.tick.saturating_sub(u64::from(gone));
    let mut luck = Stream::new(world.settings.seed, slot as u64, began, Use::Avoid);
    let side = if luck.unit() < PREFERRED { -frozen.side } else { frozen.side };
    let (sine, cosine) = libm::sincos(side * luck.uniform(1.6, 2.2));
    let flat = DVec3::new(way.x * cosine - way.y * sine, way.x * sine + way.y * cosine, 0.0);
    let aside = if flat.length_squared() > 1e-12 { flat.normalize_or_zero() } else { DVec3::new(cosine, sine, 0.0) };
    let free = free_speed(frozen, slot, aside, time_gap, own);
    (aside * free.clamp(0.0, speed), if last { 0 } else { held })
}

/// How fast an agent may go in a direction for those in front of it, m/s; negative if it overlaps one of them.
fn free_speed(frozen: &Frozen<'_>, slot: usize, way: DVec3, time_gap: f64, own: &Own) -> f64 {
    let world = frozen.world;
    let (radius, from) = (frozen.seen[slot].radius, world.agents.position[slot]);
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
        if gap < free && (!frozen.walled || world.obstacles.sees(from, from + entry.offset)) {
            free = gap;
        }
    }
    free
}
