//! Times to collision and overlaps of discs.

use glam::DVec3;

use crate::measure::pairs::Sweep;
use crate::measure::view::GroupView;

/// Seconds until two discs touch, if both keep their velocity.
///
/// The smaller root of ‖d + w·t‖ = R, with the offset d (m) and
/// velocity w (m/s) of one against the other and the sum of radii R (m). 0 if they overlap; none if they never touch, or touch
/// now and part (Karamouzas, Skinner and Guy 2014, PRL 113:238701, eq. 2).
pub fn time_to_collision(offset: DVec3, relative: DVec3, touch: f64) -> Option<f64> {
    let gap = offset.length_squared() - touch * touch;
    if gap < 0.0 {
        return Some(0.0);
    }
    let closing = -offset.dot(relative);
    let root = closing * closing - relative.length_squared() * gap;
    // The form of the root that does not cancel.
    (closing > 0.0 && root >= 0.0).then(|| gap / (closing + root.sqrt()))
}

/// What a look over all pairs found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Times {
    /// The smallest time to a collision, s.
    pub least: Option<f64>,
    /// Mean over those who have one of their own smallest, s.
    pub mean: Option<f64>,
}

/// Times to collision within a group, in buffers that are used again.
#[derive(Debug, Clone, Default)]
pub struct Conflicts {
    sweep: Sweep,
    soonest: Vec<f64>,
}

impl Conflicts {
    /// The smallest time to collision of two agents within `horizon` seconds; none if there is none.
    pub fn least(&mut self, view: &GroupView<'_>, horizon: f64) -> Option<f64> {
        let mut found = false;
        let mut best = horizon;
        self.look(view, horizon, |_, _, time| {
            found |= time <= best;
            best = best.min(time);
            best
        });
        found.then_some(best)
    }

    /// The smallest time and the mean of each agent's own smallest one, within `horizon` seconds.
    pub fn times(&mut self, view: &GroupView<'_>, horizon: f64) -> Times {
        let mut soonest = std::mem::take(&mut self.soonest);
        soonest.clear();
        soonest.resize(view.positions.len(), f64::INFINITY);
        self.look(view, horizon, |a, b, time| {
            if time <= horizon {
                soonest[a] = soonest[a].min(time);
                soonest[b] = soonest[b].min(time);
            }
            horizon
        });
        let (mut sum, mut count, mut least) = (0.0, 0_usize, f64::INFINITY);
        for time in soonest.iter().filter(|time| time.is_finite()) {
            (sum, count, least) = (sum + time, count + 1, least.min(*time));
        }
        self.soonest = soonest;
        let any = |value: f64| (count > 0).then_some(value);
        Times { least: any(least), mean: any(sum / count.max(1) as f64) }
    }

    /// Hands over all pairs that could touch within `horizon` seconds, and the time; what comes back is the horizon from then on.
    fn look(&mut self, view: &GroupView<'_>, mut horizon: f64, mut found: impl FnMut(usize, usize, f64) -> f64) {
        let n = view.positions.len();
        if n < 2 || view.velocities.len() != n || view.radii.len() != n {
            return;
        }
        let widest = view.radii.iter().copied().fold(0.0, f64::max);
        let fastest = view.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        let size = self.sweep.sort(view);
        for place in 0..n {
            let me = self.sweep.agent(place);
            let (touch, closing) = (view.radii[me] + widest, view.velocities[me].length() + fastest);
            for step in 1..n {
                let Some((other, gap)) = self.sweep.at(place, step, true, size) else { break };
                if gap > touch + closing * horizon {
                    break;
                }
                let offset = view.offset(view.positions[me], view.positions[other]);
                let relative = view.velocities[other] - view.velocities[me];
                if let Some(time) = time_to_collision(offset, relative, view.radii[me] + view.radii[other]) {
                    horizon = found(me, other, time);
                }
            }
        }
    }
}
