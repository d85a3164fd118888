//! To the place of a formation on a straight way, in step with all others.

use super::Push;
use crate::sim::obstacle::Hit;
use crate::steer::law;
use crate::steer::registry::{ForceSpec, Param};
use crate::steer::sense::{Kept, Sense};
use glam::DVec3;

/// The straight way in step.
pub const TRANSIT: ForceSpec = ForceSpec {
    name: "transit",
    about: "To its place on the straight way from where it was when it got it, in step with all others of the order; holds the place then.",
    source: "one time law for all, minimum jerk (Flash and Hogan 1985), its acceleration fed forward, critically damped feedback: what the separation of Turpin, Michael and Kumar 2014 (CAPT) asks for",
    unit: "m/s2",
    turns: false,
    keeps: false,
    params: &[Param::number("gain", 2.0, (0.1, 10.0), "1/s", "how fast an error of the way fades")],
    compute: transit,
};

/// Where an agent should be some seconds from now, from the start of its way; the place goes on as it moves now.
struct Line {
    /// From the start to the place, m.
    whole: DVec3,
    /// How the place moves, m/s.
    drift: DVec3,
    /// Seconds since the way began.
    since: f64,
    /// Seconds it takes; 0: it is over.
    secs: f64,
}

impl Line {
    fn at(&self, later: f64) -> DVec3 {
        let share = if self.secs > 0.0 { law::minimum_jerk((self.since + later) / self.secs) } else { 1.0 };
        (self.whole + self.drift * later) * share
    }

    /// The acceleration that leads from one tick of `h` seconds to the next, m/s²: exact for a body without lag.
    fn acceleration(&self, later: f64, h: f64) -> DVec3 {
        (self.at(later + h) - self.at(later) * 2.0 + self.at(later - h)) / (h * h)
    }
}

fn transit(sense: &Sense<'_>, p: &[f64], _: &mut Kept, _: &mut Vec<Hit>) -> Push {
    let (&[gain], Some(place)) = (p, sense.place()) else {
        return Push::default();
    };
    let (world, h) = (sense.world, sense.world.dt());
    // A way that is over has the place itself as its start.
    let from = if place.way.secs > 0.0 { place.way.from } else { place.position };
    let since = world.tick.saturating_sub(place.way.began) as f64 * h;
    let line = Line { whole: world.offset(from, place.position), drift: place.velocity, since, secs: place.way.secs };
    let (lag, dead) = (world.agents.lag[sense.slot], world.agents.dead_time[sense.slot]);
    let ahead = line.acceleration(dead, h);
    // A lag of first order is led by lag times the change of what is asked for.
    let lead = if lag > 0.0 { (line.acceleration(dead + h, h) - ahead) * (lag / h) } else { DVec3::ZERO };
    let (now, before) = (line.at(0.0), line.at(-h));
    let error = sense.offset_to(from) + now;
    let relative = (now - before) / h - sense.velocity();
    (ahead + lead + error * (gain * gain) + relative * (2.0 * gain)).into()
}
