//! The turning wave: a few that know turn at the front of a school, and how the turn runs through it is measured.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::{Case, Context, Measured, open, quantity, run};
use crate::sim::wrap_angle;

pub(super) const TURNING_WAVE: Case = Case {
    name: "turning-wave",
    about: "Five that know turn by 90° at the front, or at the tail, of a school: when each fish was halfway, by how far it swam from them.",
    source: "R132, R131",
    long: true,
    seed: "",
    scene: "scenes/39_turning_wave.ron",
    run: turning_wave,
};

/// When they turn, s, and how long the school is watched after that.
const TURN_AT: f64 = 4.0;
const WATCHED: f64 = 12.0;

/// How the turn went through a school.
struct Wave {
    /// Share of the fish that turned.
    turned: f64,
    /// Speed of the wave away from those that know, m/s.
    speed: f64,
    /// Correlation of the time with the distance from them.
    correlation: f64,
    /// How much later the far third was halfway than the near third, s; none turned there: the time watched.
    delay: f64,
}

/// Runs the scene with settings; `sign` is 1 where those that know are at the front, −1 at the tail.
fn wave(context: &Context, sign: f64, sets: &[(&str, &str)]) -> Result<Wave, String> {
    let mut experiment = open(context, "39_turning_wave.ron", sets)?;
    run(&mut experiment, TURN_AT);
    let members = experiment.world().groups[0].members.clone();
    let along: Vec<f64> = members.iter().map(|slot| experiment.world().agents.position[*slot as usize].x).collect();
    let nearest = along.iter().map(|x| sign * x).fold(f64::NEG_INFINITY, f64::max);
    let away: Vec<f64> = along.iter().map(|x| nearest - sign * x).collect();
    let mut halfway: Vec<Option<f64>> = vec![None; members.len()];
    let ticks = (WATCHED / experiment.world().dt()).round() as u64;
    for tick in 1..=ticks {
        experiment.tick();
        let world = experiment.world();
        for (slot, halfway) in members.iter().zip(&mut halfway) {
            let turned = wrap_angle(world.agents.heading[*slot as usize]);
            // Half of 90°, and on the side of the turn.
            if halfway.is_none() && turned > std::f64::consts::FRAC_PI_4 && turned < 3.0 * std::f64::consts::FRAC_PI_4 {
                *halfway = Some(tick as f64 * world.dt());
            }
        }
    }
    let points: Vec<(f64, f64)> = away.iter().zip(&halfway).filter_map(|(d, t)| Some((*d, (*t)?))).collect();
    let (slope, correlation) = fit(&points);
    let length = away.iter().copied().fold(0.0, f64::max);
    let third = |low: f64, high: f64| {
        let times = away.iter().zip(&halfway).filter(|(d, _)| (low..=high).contains(&(**d / length)));
        let times: Vec<f64> = times.map(|(_, time)| time.unwrap_or(WATCHED)).collect();
        times.iter().sum::<f64>() / times.len().max(1) as f64
    };
    Ok(Wave {
        turned: points.len() as f64 / members.len().max(1) as f64,
        speed: if slope.abs() > 1e-9 { 1.0 / slope } else { f64::INFINITY },
        correlation,
        delay: third(2.0 / 3.0, 1.0) - third(0.0, 1.0 / 3.0),
    })
}

/// Slope of the second by the first (least squares), and their correlation; zeros for fewer than three points.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    if points.len() < 3 {
        return (0.0, 0.0);
    }
    let (mx, my) = (points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (xy / xx.max(1e-12), xy / (xx * yy).sqrt().max(1e-12))
}

fn turning_wave(context: &Context) -> Measured {
    let tail = ("scouts.spawn.at", "(-12.6, -1.2)");
    let cone = wave(context, 1.0, &[])?;
    let round = wave(context, 1.0, &[("fish.cone", "3.15")])?;
    let behind = wave(context, -1.0, &[tail])?;
    Ok(vec![
        quantity("cone of 140°, at the front: turned", "", "front to back", AtLeast(0.5), cone.turned),
        quantity("speed of the wave to the tail", "m/s", "", Near(0.9, 0.4), cone.speed),
        quantity("correlation of time and distance", "", "", AtLeast(0.9), cone.correlation),
        quantity("rear third after the front third", "s", "", AtLeast(3.0), cone.delay),
        quantity("cone, at the tail: turned", "", "", AtMost(0.05), behind.turned),
        quantity("all round, at the front: turned", "", "", AtMost(0.25), round.turned),
        quantity("all round: rear third after the front third", "s", "", Shown, round.delay),
    ])
}
