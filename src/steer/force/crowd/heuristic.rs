//! The interaction law that Moussaid and others measured in 2009: braking and stepping aside, by the angle of approach.

use super::{FROM, SIGHT, each_seen, fade, find_walls, grow, unit_to};
use crate::sim::angle::angle_of;
use crate::sim::bearing::{BLOCK, Column, angles_of};
use crate::sim::neighbors::Lanes;
use crate::sim::obstacle::Hit;
use crate::steer::force::Push;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// The range of the interaction is at least this, m: it vanishes where both go alike.
const LEAST_RANGE: f64 = 1e-3;

/// Walls act up to so many times their length scale beyond contact, where the push begins at 0.
const WALL_REACH: f64 = 8.0;

/// Brakes before others and steps aside.
pub const MOUSSAID_2009: ForceSpec = ForceSpec {
    name: "moussaid_2009",
    about: "Brakes before people that come closer and steps aside, to the right where both are in each other's way.",
    source: "Moussaïd et al. 2009 (Proc. R. Soc. B 276, 2755): λ 2, γ 0.35, n 2, n′ 3, A 4.5 m/s², side preference ε 0.005, \
             wall 3 m/s² and 0.1 m",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[
        Param::number("radius", 5.0, (0.0, 20.0), "m", "people up to this distance count; the push fades out before"),
        FROM,
        Param::number("A", 4.5, (0.0, 50.0), "m/s2", "strength of the interaction"),
        Param::number(
            "lambda",
            2.0,
            (0.0, 10.0),
            "s/m",
            "weight of the difference of velocities against the direction",
        ),
        Param::number("gamma", 0.35, (0.01, 2.0), "m", "range of the interaction by the speed of approach"),
        Param::number("n", 2.0, (0.0, 10.0), "1/m", "how narrow stepping aside is in the angle"),
        Param::number("n_brake", 3.0, (0.0, 10.0), "1/m", "how narrow braking is in the angle (n′)"),
        Param::number("epsilon", 0.005, (-0.1, 0.1), "1/m", "preference for the right side; negative: for the left"),
        Param::number("wall_A", 3.0, (0.0, 50.0), "m/s2", "push of a wall at contact"),
        Param::number("wall_B", 0.1, (0.02, 2.0), "m", "way over which that falls to 1/e"),
        SIGHT,
    ],
    compute: moussaid_2009,
};

/// One other as the law sees it: all but the angle of approach.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    /// The interaction direction t, a unit vector.
    t: DVec3,
    /// B, m.
    range: f64,
    /// d/B.
    depth: f64,
    /// The other's weight.
    weight: f64,
}

impl Meeting {
    /// The meeting with one other, and the cosine and sine of the angle of approach.
    #[inline]
    fn of(to: DVec3, distance: f64, closing: DVec3, (lambda, gamma): (f64, f64)) -> (Self, f64, f64) {
        let approach = closing * lambda + to;
        let length = approach.length();
        let t = if length > 1e-9 { approach * (1.0 / length) } else { to };
        let range = (gamma * length).max(LEAST_RANGE);
        let meeting = Self { t, range, depth: distance / range, weight: 1.0 };
        (meeting, to.dot(t), to.y * t.x - to.x * t.y)
    }

    /// The push, where the angle of approach is known.
    ///
    /// Straight ahead the sign of the angle is that of ε, never 0, or two who meet head-on would brake and stay.
    #[inline]
    fn push(&self, angle: f64, [a, n, n_brake, epsilon]: [f64; 4]) -> DVec3 {
        let theta = angle + self.range * epsilon;
        let sign = if theta < 0.0 || (theta == 0.0 && epsilon < 0.0) { -1.0 } else { 1.0 };
        // The bell of the angle and the decay with the distance in one exponential.
        let bell = |narrow: f64| {
            let x = narrow * self.range * theta;
            law::exp(-x * x - self.depth)
        };
        let aside = DVec3::new(-self.t.y, self.t.x, 0.0);
        (self.t * bell(n_brake) + aside * (sign * bell(n))) * (-a * self.weight)
    }
}

/// The push of one other that is `distance` m away in the direction `to` (unit), whose velocity differs by `closing` = v − v′.
///
/// The angle is atan2(t × e, t·e), which is wrapped by itself: differences of two angles jump by a turn at ±180°.
pub fn interaction(
    to: DVec3,
    distance: f64,
    closing: DVec3,
    [a, lambda, gamma, n, n_brake, epsilon]: [f64; 6],
) -> DVec3 {
    let (meeting, cosine, sine) = Meeting::of(to, distance, closing, (lambda, gamma));
    meeting.push(angle_of(DVec3::new(cosine, sine, 0.0)), [a, n, n_brake, epsilon])
}

/// Those met so far: their angles are found together.
struct Meetings {
    all: [Meeting; BLOCK],
    cosines: Column,
    sines: Column,
    count: usize,
}

/// So few are done one by one.
const FEW: usize = 6;

impl Meetings {
    /// The sum of the pushes of all that were met; then none is left.
    fn sum(&mut self, lanes: Lanes, law: [f64; 4]) -> DVec3 {
        let count = std::mem::take(&mut self.count);
        let mut angles = [0.0; BLOCK];
        if count <= FEW {
            for (angle, (cosine, sine)) in angles[..count].iter_mut().zip(self.cosines.iter().zip(&self.sines)) {
                *angle = angle_of(DVec3::new(*cosine, *sine, 0.0));
            }
        } else {
            angles_of(lanes, &self.cosines, &self.sines, count, &mut angles);
        }
        self.all[..count].iter().zip(&angles).map(|(meeting, angle)| meeting.push(*angle, law)).sum()
    }
}

fn moussaid_2009(sense: &Sense<'_>, p: &[f64], _: &mut Kept, hits: &mut Vec<Hit>) -> Push {
    let &[radius, from, a, lambda, gamma, n, n_brake, epsilon, wall_a, wall_b, sight] = p else {
        return Push::default();
    };
    let own = sense.world.agents.radius[sense.slot];
    let wall_b = wall_b.max(1e-3);
    let walls = find_walls(sense, own + WALL_REACH * wall_b, radius, sight > 0.5, hits);
    let mut sum = DVec3::ZERO;
    let ending = law::exp(-WALL_REACH);
    for hit in hits.iter().filter(|hit| hit.distance < own + WALL_REACH * wall_b) {
        sum += hit.normal * (wall_a * (grow((own - hit.distance) / wall_b) - ending));
    }
    let (lanes, shape) = (sense.world.grid.lanes, [a, n, n_brake, epsilon]);
    let mut met = Meetings { all: [Meeting::default(); BLOCK], cosines: [1.0; BLOCK], sines: [0.0; BLOCK], count: 0 };
    let velocity = sense.velocity();
    each_seen(sense, (radius, from), &walls, |near, _| {
        let closing = velocity - sense.world.grid.velocity(near.entry);
        let (meeting, cosine, sine) = Meeting::of(unit_to(sense, near), near.distance, closing, (lambda, gamma));
        let at = met.count;
        met.all[at] = Meeting { weight: fade(near.distance, radius), ..meeting };
        (met.cosines[at], met.sines[at]) = (cosine, sine);
        met.count += 1;
        if met.count == BLOCK {
            sum += met.sum(lanes, shape);
        }
    });
    (sum + met.sum(lanes, shape)).into()
}
