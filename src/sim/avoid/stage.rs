//! The avoid stage of the tick: what every agent wants, then what is safe, each from the same frozen world, on all threads.

use super::orca::{self, Own, Relation};
use super::{Avoid, csm};
use crate::sim::body::limit;
use crate::sim::stuck::{PATIENCE_SECS, TRY_SPEED};
use crate::sim::workers::Scratch;
use crate::sim::{Control, Group, Intents, Stream, Workers, World, rng::Use};
use glam::DVec3;

/// Distance from its goal, in its own radii, within which an agent that wants nothing has arrived.
const ARRIVED_RADII: f64 = 4.0;

/// Part of its top speed below which an agent goes less than it rests.
const RESTING: f64 = 0.1;

/// Part of its top speed below which what an agent wants is rest, and it cannot be stuck.
const RESTING_WISH: f64 = 0.05;

/// What one agent shows to others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// m/s.
    pub(super) velocity: DVec3,
    /// m.
    pub(super) radius: f64,
    /// From 0, at rest where it wants to be, to 1.
    pub(super) going: f64,
    /// Its group.
    pub(super) plan: u16,
    /// Whether it lies in quarantine and cannot do anything.
    pub(super) stopped: bool,
}

/// What one agent wants.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Want {
    /// m/s.
    pub(super) velocity: DVec3,
    /// The fastest that it may go, m/s.
    pub(super) top: f64,
    /// Whether it wants anything that can be filtered.
    pub(super) asks: bool,
}

/// What the filter says to one agent.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct Verdict {
    /// The velocity that takes the place of what it wants, m/s; none where that is safe.
    pub(in crate::sim) safe: Option<DVec3>,
    /// Where its nearest neighbors were, m: it is looked at there first, which shows in no result.
    look: f64,
}

/// Buffers of the stage that are kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub(in crate::sim) struct Buffers {
    seen: Vec<Seen>,
    wants: Vec<Want>,
    relations: Vec<Relation>,
    choosy: Vec<bool>,
    /// One per slot; none while no body avoids anybody.
    pub(in crate::sim) verdicts: Vec<Verdict>,
    scratch: Scratch<Own>,
}

impl Buffers {
    /// What an agent wants by the last tick, m/s; NaN of one that cannot do anything.
    pub(in crate::sim) fn wanted(&self, slot: usize) -> DVec3 {
        match (self.seen.get(slot), self.wants.get(slot)) {
            (Some(seen), Some(want)) if want.asks && !seen.stopped => {
                let least = RESTING_WISH * want.top;
                if want.velocity.length_squared() > least * least { want.velocity } else { DVec3::ZERO }
            }
            _ => DVec3::NAN,
        }
    }
}

/// What the stage reads.
pub(super) struct Frozen<'a> {
    pub(super) world: &'a World,
    pub(super) seen: &'a [Seen],
    pub(super) wants: &'a [Want],
    /// What agents of a group do about those of each group, group by group.
    pub(super) relations: &'a [Relation],
    /// Whether agents of the group ignore those of another.
    pub(super) choosy: &'a [bool],
    /// Whether there are obstacles.
    pub(super) walled: bool,
    /// Length of a tick, s.
    pub(super) dt: f64,
    /// 1: who meets head-on passes on the right; −1: on the left.
    pub(super) side: f64,
    /// Where the ways out of one place begin, as a share of a turn.
    pub(super) phase: f64,
    /// The largest radius of a body, m.
    pub(super) largest: f64,
}

/// The largest distance within which a body looks for others, m; 0 if none does.
pub(in crate::sim) fn reach(world: &World) -> f64 {
    let each = world.groups.iter().filter(|group| !group.members.is_empty()).map(|group| match group.body.avoid {
        Some(Avoid::Orca(orca)) if orca.max_neighbors > 0 => orca.neighbor_distance,
        _ => 0.0,
    });
    each.fold(0.0, f64::max)
}

/// Turns what is wanted into what is safe; no body that avoids others, no work.
pub(in crate::sim) fn decide(world: &World, intents: &[Intents], buffers: &mut Buffers, workers: &Workers) {
    if !world.groups.iter().any(|group| group.body.avoid.is_some() && !group.members.is_empty()) {
        buffers.verdicts.clear();
        return;
    }
    let slots = world.agents.slots();
    let Buffers { seen, wants, relations, choosy, verdicts, scratch } = buffers;
    seen.resize(slots, Seen::default());
    wants.resize(slots, Want::default());
    verdicts.resize(slots, Verdict::default());
    relate(world, relations, choosy);
    let mut largest = 0.0_f64;
    for (plan, group) in world.groups.iter().enumerate() {
        let yields = matches!(group.body.avoid, Some(Avoid::Orca(_)));
        for (member, slot) in group.members.iter().enumerate() {
            let slot = *slot as usize;
            let want = want(world, group, slot, intents.get(plan).and_then(|of| of.want(member)));
            let agents = &world.agents;
            largest = largest.max(agents.radius[slot]);
            wants[slot] = want;
            seen[slot] = Seen {
                velocity: agents.velocity[slot],
                radius: agents.radius[slot],
                going: if yields { going(world, group, slot, &want) } else { 1.0 },
                plan: plan as u16,
                stopped: agents.quarantined[slot],
            };
        }
    }
    let mut luck = Stream::new(world.settings.seed, 0, 0, Use::Avoid);
    let side = if luck.unit() < 0.5 { 1.0 } else { -1.0 };
    let (phase, walled, dt) = (luck.unit(), !world.obstacles.blocks_nothing(), world.dt());
    let frozen = Frozen { world, seen, wants, relations, choosy, walled, dt, side, phase, largest };
    workers.for_each(verdicts, scratch, |slot, verdict, own| *verdict = judge(&frozen, slot, verdict.look, own));
}

/// What the agents of each group do about those of each group.
fn relate(world: &World, relations: &mut Vec<Relation>, choosy: &mut Vec<bool>) {
    let orca = |group: &Group| match group.body.avoid {
        Some(Avoid::Orca(orca)) => Some(orca),
        _ => None,
    };
    relations.clear();
    choosy.clear();
    for group in &world.groups {
        let (own, first) = (orca(group), relations.len());
        relations.extend(
            world
                .groups
                .iter()
                .map(|other| own.map_or(Relation::Ignored, |own| Relation::of(&own, orca(other).as_ref()))),
        );
        choosy.push(relations[first..].contains(&Relation::Ignored));
    }
}

impl Frozen<'_> {
    /// The velocity that an agent aims at in this tick, m/s: what it wants, or while it is stuck what it tries, any way.
    #[inline]
    pub(super) fn aim(&self, slot: usize) -> DVec3 {
        let (wanted, world) = (self.wants[slot].velocity, self.world);
        let progress = &world.agents.progress[slot];
        if !progress.is_stuck(PATIENCE_SECS, self.dt) {
            return wanted;
        }
        let attempt = progress.attempt(PATIENCE_SECS, world.settings.seed, slot, world.tick, self.dt, self.side);
        attempt.map_or(wanted, |attempt| attempt.turned(wanted, std::f64::consts::PI) * TRY_SPEED)
    }
}

fn judge(frozen: &Frozen<'_>, slot: usize, look: f64, own: &mut Own) -> Verdict {
    let world = frozen.world;
    let want = &frozen.wants[slot];
    if !world.agents.alive[slot] || !want.asks || world.agents.quarantined[slot] {
        return Verdict::default();
    }
    let (safe, look) = match &world.groups[world.agents.group[slot].index()].body.avoid {
        None => return Verdict::default(),
        Some(Avoid::Orca(orca)) => orca::safe(frozen, slot, orca, look, own),
        Some(Avoid::Csm(csm)) => (csm::safe(frozen, slot, csm, own), 0.0),
    };
    let safe = if safe.is_finite() { safe } else { DVec3::ZERO };
    Verdict { safe: (safe != want.velocity).then_some(safe), look }
}

/// The velocity that an agent wants: what its mind asks for, as its body would take it up.
fn want(world: &World, group: &Group, slot: usize, asked: Option<(DVec3, &crate::sim::Intent)>) -> Want {
    let Some((push, intent)) = asked.filter(|(push, _)| push.is_finite()) else {
        return Want::default();
    };
    let agents = &world.agents;
    let top = intent.limits.max_speed.unwrap_or(agents.max_speed[slot]).max(0.0);
    let velocity = match intent.control {
        Control::Velocity => push,
        Control::Acceleration => {
            let most = intent.limits.max_acceleration.unwrap_or(agents.max_acceleration[slot]);
            agents.velocity[slot] + limit(push, most) * group.body.relaxation.max(1e-6)
        }
    };
    let mut velocity = limit(velocity, top);
    if world.settings.planar {
        velocity.z = 0.0;
    }
    Want { velocity, top, asks: velocity.is_finite() && top.is_finite() }
}

/// How much an agent is on its way: 0 where it rests at its goal, 1 where it wants to go or waits far from it.
fn going(world: &World, group: &Group, slot: usize, want: &Want) -> f64 {
    let speed = want.velocity.length();
    let rest = RESTING * want.top;
    if speed >= rest {
        return 1.0;
    }
    let agents = &world.agents;
    let goal = agents.goal[slot].or(group.goal).or_else(|| agents.place[slot].map(|place| place.position));
    let near = ARRIVED_RADII * agents.radius[slot];
    let arrived = goal.is_none_or(|goal| world.offset(agents.position[slot], goal).length_squared() <= near * near);
    if arrived { speed / rest } else { 1.0 }
}
