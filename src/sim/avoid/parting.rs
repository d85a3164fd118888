//! How bodies that stand in each other come apart where the law of the model leaves them no way: a step aside, not a jump.
//!
//! The speed of the collision-free speed model is (s − l)/T ahead and 0 while bodies overlap: it never lets them get there, and
//! has no way back for those that were put there. Who is in others by more than a little goes down the slope of Σ(l − s)²,
//! slowly; bodies in exactly one place take ways by lot.

use crate::sim::rng::Use;
use crate::sim::{Stream, World, angle};
use glam::DVec3;

/// Bodies in each other by more than this share of the sum of their radii part; less is what pressing and rounding leave.
const DEEP: f64 = 0.05;

/// In this time one undoes an overlap, if the other does its part, s.
const PARTING_SECS: f64 = 0.5;

/// Nobody parts faster, m/s.
const FASTEST: f64 = 0.5;

/// What one agent does about those it stands in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parting {
    away: DVec3,
    deep: bool,
}

impl Parting {
    /// Whether an agent at this distance is in the way so that it counts; `both` is the sum of the radii, m.
    #[must_use]
    #[inline]
    pub fn counts(distance: f64, both: f64) -> bool {
        distance < (1.0 - DEEP) * both
    }

    /// Takes one into account that counts; `to` is the unit vector to it.
    pub fn meet(&mut self, to: DVec3, distance: f64, both: f64) {
        self.away -= to * (both - distance);
        self.deep = true;
    }

    /// The velocity in place of the model's, m/s: its own where it gets away faster so, or stands in nobody.
    #[must_use]
    #[inline]
    pub fn instead_of(&self, velocity: DVec3) -> DVec3 {
        if !self.deep {
            return velocity;
        }
        let away = (self.away / PARTING_SECS).clamp_length_max(FASTEST);
        if velocity.length_squared() >= away.length_squared() { velocity } else { away }
    }
}

/// The unit vector from one agent to another in the same place, by slots: by lot of the seed and the pair, opposite for the other.
#[must_use]
pub fn lot(world: &World, from: usize, to: usize) -> DVec3 {
    let key = |slot: usize| {
        let id = world.agents.id(slot as u32);
        u64::from(id.slot) << 32 | u64::from(id.generation)
    };
    let (low, high) = (key(from.min(to)), key(from.max(to)));
    let mut luck = Stream::new(world.settings.seed ^ low.rotate_left(17), high, 0, Use::Avoid);
    let flat = angle::direction(luck.uniform(-std::f64::consts::PI, std::f64::consts::PI));
    let way = if world.settings.planar {
        flat
    } else {
        let up = luck.uniform(-1.0, 1.0);
        let level = (1.0 - up * up).max(0.0).sqrt();
        DVec3::new(flat.x * level, flat.y * level, up)
    };
    if from <= to { way } else { -way }
}
