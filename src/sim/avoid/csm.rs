//! The speed of the collision-free speed model: as fast as the gap ahead allows, in the direction that the agent wants.
//!
//! v = clamp((s − l)/T, 0, wanted) with s the distance to the nearest in front, l the sum of the radii and T the time gap
//! (Tordeux, Chraibi and Seyfried 2016). Two who face each other would stand for ever; who is stuck tries other ways.

use super::Csm;
use super::orca::Own;
use super::stage::Frozen;
use glam::DVec3;

/// The room that another leaves to one who goes along `way` (unit), m, negative where they overlap; none where it is not ahead.
/// `to` is the unit vector to it, `both` the sum of the radii.
#[must_use]
#[inline]
pub fn room(way: DVec3, to: DVec3, distance: f64, both: f64) -> Option<f64> {
    let along = to.dot(way);
    let aside = distance * distance * (1.0 - along * along);
    (along > 0.0 && aside <= both * both).then_some(distance - both)
}

/// The speed for the least room ahead, m/s; at most `most`.
#[must_use]
#[inline]
pub fn speed(room: f64, time_gap: f64, most: f64) -> f64 {
    (room / time_gap).clamp(0.0, most.max(0.0))
}

/// The safe velocity of an agent, m/s.
pub(super) fn safe(frozen: &Frozen<'_>, slot: usize, csm: &Csm, own: &mut Own) -> DVec3 {
    let world = frozen.world;
    let wanted = frozen.aim(slot);
    let most = wanted.length();
    if most <= 1e-9 {
        return wanted;
    }
    let time_gap = csm.time_gap.max(1e-6);
    let range = most * time_gap + frozen.seen[slot].radius + frozen.largest;
    world.grid.gather(&world.agents, slot as u32, range, None, &mut own.row);
    let way = wanted / most;
    let free = speed(room_ahead(frozen, slot, way, own), time_gap, most);
    if free < most { way * free } else { wanted }
}

/// The least room ahead of an agent, m.
fn room_ahead(frozen: &Frozen<'_>, slot: usize, way: DVec3, own: &Own) -> f64 {
    let world = frozen.world;
    let (radius, from) = (frozen.seen[slot].radius, world.agents.position[slot]);
    let mut least = f64::INFINITY;
    for entry in own.row.entries() {
        let other = world.grid.slot(entry.entry);
        let distance = entry.squared.sqrt();
        let touching = distance <= 1e-9;
        // Of two at one place the one with the higher number waits.
        if touching && other > slot as u32 {
            continue;
        }
        let to = if touching { way } else { entry.offset / distance };
        let Some(room) = room(way, to, distance, radius + frozen.seen[other as usize].radius) else {
            continue;
        };
        if room < least && (!frozen.walled || world.obstacles.sees(from, from + entry.offset)) {
            least = room;
        }
    }
    least
}
