//! Who does not come on: how long, and the moment of disorder that opens a crowd of perfect symmetry.
//!
//! Agents that close in on one point from a circle end as an arch in which nobody can go inward, and with exact numbers it stands
//! for minutes. After two seconds without progress each of them drifts to a side drawn by lot for a moment, backward too. It is done
//! once: a crowd that stands because there is no room would shuffle for ever.

use super::stage::Frozen;
use crate::sim::{Stream, rng::Use};
use glam::DVec3;

/// Part of the wanted speed below which there is no progress.
const STANDING: f64 = 0.1;

/// Part of its top speed below which what it wants is rest.
const RESTING: f64 = 0.05;

/// Time without progress before the disorder, and its end, s.
const PATIENCE_SECS: f64 = 2.0;
const DISORDER_SECS: f64 = 4.0;

/// What the time counts as after the disorder; the most that it counts to, s. Below the end of the disorder all is forgotten.
const RESIGNED_SECS: f64 = 7.0;
const MOST_SECS: f64 = 10.0;

/// How fast it drifts, as a part of the speed that it wants; how many of them do.
const DRIFT: f64 = 0.4;
const DRIFTING: f64 = 0.5;

/// The velocity that an agent aims at in this tick, m/s.
#[inline]
pub(super) fn aim(frozen: &Frozen<'_>, slot: usize) -> DVec3 {
    let wanted = frozen.wants[slot].velocity;
    let secs = f64::from(frozen.world.agents.held[slot]) * frozen.dt;
    if (PATIENCE_SECS..DISORDER_SECS).contains(&secs) { drifting(frozen, slot, wanted, secs as u64) } else { wanted }
}

#[cold]
fn drifting(frozen: &Frozen<'_>, slot: usize, wanted: DVec3, turn: u64) -> DVec3 {
    let (settings, agents) = (&frozen.world.settings, &frozen.world.agents);
    let began = frozen.world.tick.saturating_sub(u64::from(agents.held[slot]));
    let mut luck = Stream::with_salt(settings.seed, slot as u64, began, Use::Avoid, turn);
    if luck.unit() >= DRIFTING {
        return wanted;
    }
    let (sine, cosine) = libm::sincos(luck.uniform(0.0, std::f64::consts::TAU));
    let aside = if settings.planar { DVec3::new(-wanted.y, wanted.x, 0.0) } else { wanted.any_orthogonal_vector() };
    let aside = aside.normalize_or_zero() * wanted.length();
    (wanted * cosine + aside * sine) * DRIFT
}

/// For how many ticks an agent has not come on after this one, in which it was let go at `safe`, m/s.
#[inline]
pub(super) fn held(frozen: &Frozen<'_>, slot: usize, safe: DVec3) -> u32 {
    let (wanted, before) = (frozen.wants[slot].velocity, frozen.world.agents.held[slot]);
    let speed = wanted.length_squared();
    let least = RESTING * frozen.wants[slot].top;
    let stands = speed > least * least && safe.dot(wanted) < STANDING * speed;
    if before == 0 && !stands {
        return 0;
    }
    count(before, stands, frozen.dt)
}

fn count(before: u32, stands: bool, dt: f64) -> u32 {
    let ticks = |secs: f64| (secs / dt) as u32;
    let secs = f64::from(before) * dt;
    if secs < PATIENCE_SECS {
        return if stands { before + 1 } else { 0 };
    }
    if secs < DISORDER_SECS {
        let next = before + 1;
        return if f64::from(next) * dt < DISORDER_SECS { next } else { ticks(RESIGNED_SECS) };
    }
    let next = if stands { (before + 1).min(ticks(MOST_SECS).max(before)) } else { before - 1 };
    if f64::from(next) * dt < DISORDER_SECS { 0 } else { next }
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn the_disorder_comes_once_until_there_was_progress_for_long() {
        let dt = 0.1;
        let mut held = 0;
        for _ in 0..39 {
            held = count(held, true, dt);
        }
        assert_eq!(held, 39);
        held = count(held, false, dt);
        assert_eq!(held, 70, "it is over, progress or not");
        for _ in 0..500 {
            held = count(held, true, dt);
        }
        assert_eq!(held, 100);
        for _ in 0..60 {
            held = count(held, false, dt);
        }
        assert_eq!(held, 40);
        assert_eq!(count(held, false, dt), 0);
        assert_eq!(count(5, false, dt), 0);
    }
}
