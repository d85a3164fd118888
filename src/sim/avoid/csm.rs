//! The speed of the collision-free speed model: as fast as the gap ahead allows, in the direction that the agent wants.
//!
//! v = clamp((s − l)/T, 0, wanted) with s the distance to the nearest in front, l the sum of the radii and T the time gap
//! (Tordeux, Chraibi and Seyfried 2016). Two who face each other would stand for ever; who is stuck tries
//! other ways. Who stands in others comes out of them ([`Parting`]).

use super::Csm;
use super::orca::Own;
use super::parting::{self, Parting};
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
    let rests = most <= 1e-9;
    let time_gap = csm.time_gap.max(1e-6);
    let range = most * time_gap + frozen.seen[slot].radius + frozen.largest;
    world.grid.gather(&world.agents, slot as u32, range, None, &mut own.row);
    let way = if rests { DVec3::ZERO } else { wanted / most };
    let ahead = Ahead::of(frozen, slot, way, own);
    let free = speed(ahead.room, time_gap, most);
    ahead.parting.instead_of(if rests || free >= most { wanted } else { way * free })
}

/// Who is near an agent.
struct Ahead {
    /// The least room ahead, m.
    room: f64,
    /// Those that it stands in.
    parting: Parting,
}

impl Ahead {
    fn of(frozen: &Frozen<'_>, slot: usize, way: DVec3, own: &Own) -> Self {
        let world = frozen.world;
        let (radius, from) = (frozen.seen[slot].radius, world.agents.position[slot]);
        let sees = |offset: DVec3| !frozen.walled || world.obstacles.sees(from, from + offset);
        let mut ahead = Self { room: f64::INFINITY, parting: Parting::default() };
        for entry in own.row.entries() {
            let other = world.grid.slot(entry.entry);
            let distance = entry.squared.sqrt();
            let touching = distance <= 1e-9;
            let both = radius + frozen.seen[other as usize].radius;
            if Parting::counts(distance, both) && sees(entry.offset) {
                let apart = || parting::lot(world, slot, other as usize);
                ahead.parting.meet(if touching { apart() } else { entry.offset / distance }, distance, both);
            }
            // Of two at one place the one with the higher number waits.
            if touching && other > slot as u32 {
                continue;
            }
            let to = if touching { way } else { entry.offset / distance };
            let Some(room) = room(way, to, distance, both) else {
                continue;
            };
            if room < ahead.room && sees(entry.offset) {
                ahead.room = room;
            }
        }
        ahead
    }
}
