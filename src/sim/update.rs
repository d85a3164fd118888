//! Who decides in which tick: minds may be slower than bodies, each at its own rate and phase.
//!
//! An agent of a group with an [`UpdateRate`] decides at the times (k + phase)·period and in no other tick; in between it holds its
//! last intent. The times come from k, not from a timer that is wound up again and again, so a rate is kept exactly whether or not the
//! period is a multiple of the tick (a timer that starts anew at 0 loses up to a tick each time). A period below the tick means
//! each tick. Phases are spread evenly over the period, so that every tick has its share of the work.

use super::{Group, GroupId, Intent, Intents, SimError, StateHash, Stream, World, rng::Use};
use glam::DVec3;

/// Seconds between two decisions of an agent; each agent draws its own from `from` to `to`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UpdateRate {
    /// The shortest period, s; 0 decides in each tick.
    pub from: f64,
    /// The longest period, s.
    pub to: f64,
}

/// The longest period, s: who decides less often than once an hour is not alive.
pub const LONGEST_SECS: f64 = 3600.0;

/// What rounding may shift a due time by, in ticks.
const EPSILON: f64 = 1e-6;

/// The golden ratio's fractional part.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl UpdateRate {
    /// The same period for all, s.
    #[must_use]
    pub fn of(period: f64) -> Self {
        Self { from: period, to: period }
    }

    /// Whether any agent may skip a tick.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.to > 0.0
    }

    /// Why it cannot be; none if it can.
    #[must_use]
    pub fn refusal(&self) -> Option<&'static str> {
        let fits = |secs: f64| (0.0..=LONGEST_SECS).contains(&secs);
        if !fits(self.from) || !fits(self.to) {
            return Some("a period is between 0 and 3600 s; 0 decides in each tick");
        }
        (self.from > self.to).then_some("the shortest period comes first")
    }
}

/// When each agent decides and what it holds until then: columns by slot, empty while all decide in each tick.
#[derive(Clone, Debug, Default)]
pub struct Updates {
    /// The life of the slot that the other columns belong to, counted from 1.
    life: Vec<u32>,
    /// Ticks between two decisions.
    ticks: Vec<f64>,
    /// Share of the period by which its times are shifted.
    phase: Vec<f64>,
    /// The tick of its next decision.
    due: Vec<u64>,
    /// The tick of its last one.
    decided: Vec<u64>,
    /// Ticks from the one before to this one.
    since: Vec<u64>,
    /// Whether it decides in this tick.
    now: Vec<bool>,
    push: Vec<DVec3>,
    /// Where its forces wanted it to go, m/s; NaN where none leads.
    wish: Vec<DVec3>,
    rest: Vec<Intent>,
    /// Agents of each group that got a phase so far.
    phased: Vec<u64>,
}

impl Updates {
    fn fit(&mut self, slots: usize) {
        if self.life.len() >= slots {
            return;
        }
        self.life.resize(slots, 0);
        self.ticks.resize(slots, 0.0);
        self.phase.resize(slots, 0.0);
        self.due.resize(slots, 0);
        self.decided.resize(slots, 0);
        self.since.resize(slots, 1);
        self.now.resize(slots, true);
        self.push.resize(slots, DVec3::ZERO);
        self.wish.resize(slots, DVec3::NAN);
        self.rest.resize(slots, Intent::default());
    }

    fn knows(&self, slot: usize, generation: u32) -> bool {
        self.life.get(slot) == Some(&(generation + 1))
    }
}

/// The first due tick after `tick` for a period of so many ticks.
#[must_use]
pub fn next_due(tick: u64, ticks: f64, phase: f64) -> u64 {
    if ticks <= 1.0 {
        return tick + 1;
    }
    let mut k = (tick as f64 / ticks - phase).floor();
    loop {
        let at = ((k + phase) * ticks - EPSILON).ceil();
        if at > tick as f64 {
            return at as u64;
        }
        k += 1.0;
    }
}

/// A step that visits all of `count` places once and takes neighbors far apart: the nearest above count/φ that shares no factor
/// with it (a lattice of rank 1, Korobov 1959).
fn lattice_step(count: u64) -> u64 {
    let coprime = |step: &u64| {
        let (mut a, mut b) = (*step, count);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    let first = ((count as f64 * GOLDEN) as u64).max(1);
    (first..=first + count).find(coprime).unwrap_or(1)
}

/// Before sense: newcomers get period and phase and decide at once; for all others it is told whether they are due.
pub(super) fn begin(world: &mut World) {
    if !world.groups.iter().any(|group| group.update.is_on()) {
        if !world.updates.life.is_empty() {
            world.updates = Updates::default();
        }
        return;
    }
    let (tick, slots) = (world.tick, world.agents.slots());
    world.updates.fit(slots);
    world.updates.phased.resize(world.groups.len(), 0);
    for index in 0..world.groups.len() {
        if !world.groups[index].update.is_on() {
            continue;
        }
        welcome(world, index);
        let updates = &mut world.updates;
        for slot in world.groups[index].members.iter().map(|slot| *slot as usize) {
            let now = updates.due[slot] <= tick;
            updates.now[slot] = now;
            if now {
                updates.since[slot] = tick.saturating_sub(updates.decided[slot]).max(1);
                updates.decided[slot] = tick;
                updates.due[slot] = next_due(tick, updates.ticks[slot], updates.phase[slot]);
            }
        }
    }
}

/// Gives newcomers of a group their periods, and phases that share the period evenly.
fn welcome(world: &mut World, index: usize) {
    let World { updates, groups, agents, settings, tick, .. } = world;
    let group = &groups[index];
    let is_new = |updates: &Updates, slot: usize| !updates.knows(slot, agents.generation[slot]);
    let count = group.members.iter().filter(|slot| is_new(updates, **slot as usize)).count() as u64;
    if count == 0 {
        return;
    }
    let (step, before) = (lattice_step(count), updates.phased[index]);
    let base = (before as f64 * GOLDEN).fract();
    let mut place = 0;
    for slot in &group.members {
        let at = *slot as usize;
        if !is_new(updates, at) {
            continue;
        }
        updates.life[at] = agents.generation[at] + 1;
        updates.wish[at] = DVec3::NAN;
        updates.ticks[at] = draw(settings.seed, group.update, *slot, agents.generation[at]) * settings.tick_hz;
        updates.phase[at] = (base + place as f64 / count as f64).fract();
        updates.due[at] = *tick;
        updates.decided[at] = tick.saturating_sub(1);
        place = (place + step) % count;
    }
    updates.phased[index] = before + count;
}

/// The period of an agent, s.
fn draw(seed: u64, rate: UpdateRate, slot: u32, generation: u32) -> f64 {
    if rate.from == rate.to {
        return rate.to;
    }
    Stream::with_salt(seed, u64::from(slot), 0, Use::Update, u64::from(generation)).uniform(rate.from, rate.to)
}

/// After decide: who decided is remembered, the others get what they hold.
pub(super) fn hold(world: &mut World, intents: &mut [Intents]) {
    let World { updates, groups, .. } = world;
    for (group, out) in groups.iter().zip(intents).filter(|(group, _)| group.update.is_on()) {
        let pushes = out.rows.is_empty();
        for (member, slot) in group.members.iter().enumerate() {
            let slot = *slot as usize;
            if let Some(wish) = out.wishes.get_mut(member) {
                let held = &mut updates.wish[slot];
                (*wish, *held) = if updates.now[slot] { (*wish, *wish) } else { (*held, *held) };
            }
            match (updates.now[slot], pushes) {
                (true, true) => updates.push[slot] = out.pushes[member],
                (false, true) => out.pushes[member] = updates.push[slot],
                (true, false) => updates.rest[slot] = out.rows[member],
                (false, false) => out.rows[member] = Intent { entered: false, ..updates.rest[slot] },
            }
        }
    }
}

/// What agents heard in this tick is forgotten; who was not due hears it when it is.
pub(super) fn forget_heard(world: &mut World) -> usize {
    let before = world.inbox.len();
    let World { inbox, updates, groups, agents, .. } = world;
    inbox.retain(|event| {
        let slot = event.to.slot as usize;
        groups[agents.group[slot].index()].update.is_on() && updates.now.get(slot) == Some(&false)
    });
    before - world.inbox.len()
}

impl World {
    /// Whether an agent decides in this tick.
    #[inline]
    #[must_use]
    pub fn is_due(&self, slot: usize) -> bool {
        !self.group_of(slot).update.is_on() || self.updates.now.get(slot).copied().unwrap_or(true)
    }

    /// Which agents of a group decide in this tick, by slot; none where all do.
    #[inline]
    #[must_use]
    pub fn due_of(&self, group: &Group) -> Option<&[bool]> {
        (group.update.is_on() && self.updates.now.len() == self.agents.slots()).then_some(&self.updates.now)
    }

    /// Ticks since an agent's last decision before this one; 1 for one that decides in each tick.
    #[inline]
    #[must_use]
    pub fn ticks_since(&self, slot: usize) -> u64 {
        if self.group_of(slot).update.is_on() { self.updates.since.get(slot).copied().unwrap_or(1) } else { 1 }
    }

    /// Seconds since an agent's last decision before this one.
    #[inline]
    #[must_use]
    pub fn secs_since(&self, slot: usize) -> f64 {
        self.ticks_since(slot) as f64 * self.dt()
    }

    /// Seconds for which an agent holds what it decides in this tick.
    #[inline]
    #[must_use]
    pub fn secs_held(&self, slot: usize) -> f64 {
        if !self.group_of(slot).update.is_on() {
            return self.dt();
        }
        let due = self.updates.due.get(slot).copied().unwrap_or(0);
        due.saturating_sub(self.tick).max(1) as f64 * self.dt()
    }

    /// Seconds between two decisions of an agent and seconds until its next one; none for one that decides in each tick.
    #[must_use]
    pub fn rhythm(&self, slot: usize) -> Option<(f64, f64)> {
        let known = self.group_of(slot).update.is_on() && self.updates.knows(slot, self.agents.generation[slot]);
        known.then(|| {
            let wait = self.updates.due[slot].saturating_sub(self.tick) as f64 * self.dt();
            (self.updates.ticks[slot] / self.settings.tick_hz, wait)
        })
    }

    /// Another rate for a group. Its agents keep their phases; their times are those of the new period from now on.
    pub(super) fn set_update(&mut self, group: GroupId, rate: UpdateRate) -> Result<(), SimError> {
        if let Some(hint) = rate.refusal() {
            return Err(SimError::Update { from: rate.from, to: rate.to, hint });
        }
        let Some(of) = self.groups.get_mut(group.index()) else {
            return Err(SimError::NoGroup(group));
        };
        let was_on = std::mem::replace(&mut of.update, rate).is_on();
        let (updates, agents, settings) = (&mut self.updates, &self.agents, &self.settings);
        for slot in &of.members {
            let at = *slot as usize;
            if !updates.knows(at, agents.generation[at]) {
                continue;
            }
            if !was_on {
                // What it held is as old as the last time that the group had a rate.
                updates.life[at] = 0;
                continue;
            }
            updates.ticks[at] = draw(settings.seed, rate, *slot, agents.generation[at]) * settings.tick_hz;
            // The coming tick may be a time of the new period.
            updates.due[at] = match self.tick.checked_sub(1) {
                Some(last) => next_due(last, updates.ticks[at], updates.phase[at]),
                None => 0,
            };
        }
        Ok(())
    }

    /// Adds what an agent holds and when it decides to the state hash.
    pub(super) fn hash_update(&self, slot: usize, hash: &mut StateHash) {
        let known = self.group_of(slot).update.is_on() && self.updates.knows(slot, self.agents.generation[slot]);
        if !known {
            return;
        }
        let updates = &self.updates;
        hash.integer(updates.due[slot]);
        hash.integer(updates.decided[slot]);
        hash.vector(updates.push[slot]);
        hash.vector(updates.wish[slot]);
        hash.vector(updates.rest[slot].push);
        hash.integer(super::hash::bits(updates.rest[slot].turn.unwrap_or(0.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::{lattice_step, next_due};

    #[test]
    fn due_times_are_multiples_of_the_period_whatever_the_tick() {
        // 0.07 s at 60 Hz: 4.2 ticks.
        let mut tick = 0;
        for k in 1..2000_u64 {
            tick = next_due(tick, 4.2, 0.0);
            assert_eq!(tick, (k as f64 * 4.2 - 1e-6).ceil() as u64, "time {k}");
        }
        assert_eq!(next_due(5, 1.0, 0.3), 6);
        assert_eq!(next_due(5, 0.2, 0.3), 6, "a period below the tick means each tick");
        assert_eq!(next_due(6, 0.1 * 60.0, 0.0), 12, "0.1 s are 6 ticks, not 7, whatever the rounding");
    }

    #[test]
    fn the_lattice_visits_every_place_once() {
        for count in [1_u64, 2, 3, 6, 10, 97, 1000, 10_000] {
            let step = lattice_step(count);
            let mut seen: Vec<u64> = (0..count).map(|place| place * step % count).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len() as u64, count);
        }
    }
}
