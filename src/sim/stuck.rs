//! Who comes no farther, how long, and what it tries then: one rule for forces, avoidance, paths and the watchdog.
//!
//! *Progress* is the way that an agent came along the direction it wanted. Who gains [`ONWARD_M`] got on, and counts from
//! there; who did not for a time is stuck, and is free again only after twice as much, so that nobody flickers. Who is pushed
//! back must regain what it lost, but not more than `BACK_M`: swaying to and fro is no progress, and being carried away by a
//! crowd is no debt.
//!
//! *Tries.* Balance without any disturbance stands for ever: two who face each other, an arch before a door. Who is stuck for
//! its patience goes aside for a moment, by a lot of the seed, the agent and the time; most often to the side that all prefer,
//! so that two who face each other part at once, and not everybody at once, so that an arch loses its symmetry. Between the
//! tries the patience doubles, up to a limit: a crowd that stands because there is no room does not shuffle for ever.

use super::rng::steady;
use glam::DVec3;

/// Who came this far along the way it wants got on, m; less for who is so slow that it could not.
pub const ONWARD_M: f64 = 0.1;

/// The share of its wanted speed below which an agent does not get on.
pub const STANDING: f64 = 0.1;

/// Time without progress after which an agent is stuck, where nobody says otherwise, s.
pub const PATIENCE_SECS: f64 = 2.0;

/// What is lost by being pushed back counts up to this, m.
const BACK_M: f64 = 1.0;

/// Who is stuck must gain so many times as much to be free.
const FREED: f64 = 2.0;

/// How long a try lasts, s.
pub const TRY_SECS: f64 = 1.0;

/// How often the patience doubles.
const DOUBLINGS: u32 = 3;

/// How many of the stuck try at a time.
const TRYING: f64 = 0.75;

/// How often a try goes to the side that all prefer.
const PREFERRED: f64 = 0.8;

/// The share of its speed at which who may go any way tries one.
pub const TRY_SPEED: f64 = 0.5;

/// How an agent gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// How far it came since it last got on, m; negative: it was pushed back.
    gained: f64,
    /// Ticks since it last got on, or wanted to go anywhere.
    ticks: u32,
    /// Where it was when it was last looked at, m.
    last: DVec3,
    /// The velocity that it wanted then, m/s.
    wish: DVec3,
}

/// What a try is: which way it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Try {
    /// From −1 to 1, where 1 is the most that the one who tries may turn, counter-clockwise; at least half of it.
    pub turn: f64,
    /// How many tries came before it.
    pub number: u64,
}

impl Try {
    /// A vector turned by up to `most` radians: in the plane; one that goes up or down, out of it.
    #[must_use]
    pub fn turned(self, v: DVec3, most: f64) -> DVec3 {
        let (sine, cosine) = libm::sincos(self.turn * most);
        if v.z * v.z > 0.9 * v.length_squared() {
            return DVec3::new(v.x * cosine - v.z * sine, v.y, v.x * sine + v.z * cosine);
        }
        DVec3::new(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine, v.z)
    }
}

impl Progress {
    /// Ticks without progress.
    #[must_use]
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Time without progress, s.
    #[must_use]
    pub fn secs(&self, dt: f64) -> f64 {
        f64::from(self.ticks) * dt
    }

    /// Whether it has not got on for its patience, s.
    #[must_use]
    pub fn is_stuck(&self, patience: f64, dt: f64) -> bool {
        patience > 0.0 && self.secs(dt) >= patience
    }

    /// Begins anew: another goal, another life, or put somewhere else.
    pub fn forget(&mut self) {
        *self = Self { last: self.last, wish: DVec3::ZERO, ..Self::default() };
    }

    /// One tick in which it came `onward` m along the way that it wants to go at `speed` (m/s; 0: it wants to be here).
    pub fn note(&mut self, onward: f64, speed: f64, patience: f64, dt: f64) {
        if speed.is_nan() || speed <= 1e-6 {
            (self.gained, self.ticks) = (0.0, 0);
            return;
        }
        let enough = ONWARD_M.min(STANDING * speed * patience) * if self.is_stuck(patience, dt) { FREED } else { 1.0 };
        self.gained = (self.gained + onward).max(-BACK_M);
        if self.gained >= enough {
            (self.gained, self.ticks) = (0.0, 0);
        } else {
            self.ticks = self.ticks.saturating_add(1);
        }
    }

    /// Looks at where an agent is: how far it came along what it wanted when it was last looked at; from now on it wants `wish`
    /// (m/s; zero: to be here). `offset` measures ways.
    pub fn look(&mut self, here: DVec3, wish: DVec3, dt: f64, offset: impl FnOnce(DVec3, DVec3) -> DVec3) {
        let speed = self.wish.length();
        if wish == DVec3::ZERO || speed <= 1e-6 {
            (self.gained, self.ticks) = (0.0, 0);
        } else {
            self.note(offset(self.last, here).dot(self.wish) / speed, speed, PATIENCE_SECS, dt);
        }
        (self.last, self.wish) = (here, wish);
    }

    /// What an agent tries in this tick; none while it gets on, waits, or the lot lets others try. `side` is 1 where all prefer
    /// their right, −1 where they prefer their left.
    #[must_use]
    pub fn attempt(&self, patience: f64, seed: u64, slot: usize, tick: u64, dt: f64, side: f64) -> Option<Try> {
        if !self.is_stuck(patience, dt) {
            return None;
        }
        let number = which(self.secs(dt), patience)?;
        let since = tick.saturating_sub(u64::from(self.ticks));
        let draw = |which: u64| 0.5 + 0.5 * steady(seed, [slot as i64, since as i64, (3 * number + which) as i64]);
        if draw(0) >= TRYING {
            return None;
        }
        let side = if draw(1) < PREFERRED { -side } else { side };
        Some(Try { turn: side * (0.5 + 0.5 * draw(2)), number })
    }

    /// The numbers that a state hash takes.
    pub(super) fn hash_into(&self, hash: &mut super::StateHash) {
        hash.integer(u64::from(self.ticks));
        hash.number(self.gained);
    }
}

/// Which try it is after so long without progress; none between two. Tries begin after the patience P, then after pauses of P,
/// 2P, 4P … 8P, 8P.
fn which(secs: f64, patience: f64) -> Option<u64> {
    let mut left = secs - patience;
    for number in 0..DOUBLINGS {
        if left < TRY_SECS {
            return Some(u64::from(number));
        }
        left -= TRY_SECS + patience * f64::from(1_u32 << number);
        if left < 0.0 {
            return None;
        }
    }
    let round = TRY_SECS + patience * f64::from(1_u32 << DOUBLINGS);
    let rounds = libm::floor(left / round);
    (left - rounds * round < TRY_SECS).then_some(u64::from(DOUBLINGS) + rounds as u64)
}

/// The side that all prefer, by the seed: 1 is the right, −1 the left.
#[must_use]
pub fn side(seed: u64) -> f64 {
    if steady(seed, [-1, -1, -1]) < 0.0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::{PATIENCE_SECS, Progress, TRY_SECS, side, which};

    const DT: f64 = 0.1;

    fn noted(onward: impl Fn(u32) -> f64, ticks: u32) -> Progress {
        let mut progress = Progress::default();
        for tick in 0..ticks {
            progress.note(onward(tick), 1.0, PATIENCE_SECS, DT);
        }
        progress
    }

    #[test]
    fn who_gets_on_is_never_stuck_and_who_sways_is() {
        assert_eq!(noted(|_| 0.05, 500).ticks() / 2, 0);
        let swaying = noted(|tick| if tick % 20 < 10 { 0.02 } else { -0.02 }, 500);
        assert!(swaying.secs(DT) > 40.0, "0.2 m to and fro: {swaying:?}");
        let slow = noted(|_| 0.004, 500);
        assert!(slow.secs(DT) < 2.6, "0.04 m/s is slow, not stuck: {slow:?}");
    }

    #[test]
    fn who_was_carried_away_need_not_come_back_all_the_way() {
        let mut progress = noted(|_| -0.1, 100);
        for _ in 0..25 {
            progress.note(0.1, 1.0, PATIENCE_SECS, DT);
        }
        assert!(!progress.is_stuck(PATIENCE_SECS, DT), "{progress:?}");
    }

    #[test]
    fn who_is_stuck_needs_twice_as_much_to_be_free() {
        let mut progress = noted(|_| 0.0, 30);
        assert!(progress.is_stuck(PATIENCE_SECS, DT));
        progress.note(0.15, 1.0, PATIENCE_SECS, DT);
        assert!(progress.is_stuck(PATIENCE_SECS, DT));
        progress.note(0.06, 1.0, PATIENCE_SECS, DT);
        assert!(!progress.is_stuck(PATIENCE_SECS, DT));
        progress.note(0.0, 1.0, PATIENCE_SECS, DT);
        progress.note(0.0, 0.0, PATIENCE_SECS, DT);
        assert_eq!(progress.ticks(), 0, "who wants nothing waits for nothing");
    }

    #[test]
    fn tries_become_rarer_and_never_end() {
        let begins: Vec<f64> = (0..4_000_u32)
            .map(|tick| f64::from(tick) * DT)
            .filter(|secs| *secs >= PATIENCE_SECS + 1e-9 && which(*secs, PATIENCE_SECS).is_some())
            .collect();
        let gaps: Vec<f64> = begins.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 1.5 * DT).collect();
        assert!(gaps[..4].windows(2).all(|pair| pair[1] > pair[0] + 1.0), "{gaps:?}");
        assert!(gaps[4..].iter().all(|gap| (gap - 16.0).abs() < 0.3), "{gaps:?}");
        assert!(begins.last().is_some_and(|last| *last > 380.0));
        const { assert!(TRY_SECS < PATIENCE_SECS) };
    }

    #[test]
    fn a_try_is_a_matter_of_seed_agent_and_time_and_lasts() {
        let stuck = noted(|_| 0.0, 25);
        let lot = |seed, slot, tick| stuck.attempt(PATIENCE_SECS, seed, slot, tick, DT, side(seed));
        assert_eq!(lot(1, 2, 100), lot(1, 2, 100));
        let tries: Vec<_> = (0..1000).filter_map(|slot| lot(1, slot, 100)).collect();
        assert!((650..850).contains(&tries.len()), "{}", tries.len());
        let preferred = tries.iter().filter(|lot| lot.turn * side(1) < 0.0).count();
        assert!(preferred as f64 > 0.7 * tries.len() as f64 && preferred < tries.len());
        assert!(tries.iter().all(|lot| (0.5..=1.0).contains(&lot.turn.abs())));
        // In the next ticks of the same try it is the same lot.
        let mut later = stuck;
        later.note(0.0, 1.0, PATIENCE_SECS, DT);
        assert_eq!(later.attempt(PATIENCE_SECS, 1, 7, 101, DT, 1.0), stuck.attempt(PATIENCE_SECS, 1, 7, 100, DT, 1.0));
    }
}
