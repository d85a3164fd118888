//! What is remembered of one agent on its way, and the rules of following: waypoints, arrival, being swept away, being blocked.

use std::sync::Arc;

use glam::DVec2;

use super::locate::{Spot, nearest_of};
use super::mesh::Mesh;
use super::path::{Path, StopKind};
use super::settings::Distances;
use crate::sim::{Progress, StateHash};

/// Goals nearer to each other than this are the same, m.
pub(super) const SAME_GOAL_M: f64 = 1e-3;
/// Who was pushed so many times the arrival distance away from where it arrived goes there again.
const AWAY: f64 = 3.0;

/// What a walker waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wants {
    /// A path, for it has none or its own leads nowhere any more.
    Path,
    /// To know whether there is a better path: the ground has changed.
    Better,
    /// A path round those who stand in its way.
    Round,
    #[default]
    Nothing,
}

/// What happened on the way in this tick, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// Reached the stop of this number.
    Waypoint(usize),
    /// Stands at the beginning of the link of this number.
    Link(u32),
    /// Came within the arrival distance of the target.
    Target,
    /// The way is over.
    Finished,
}

/// One agent on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Walker {
    /// Generation of the slot, plus 1; 0 is nobody.
    pub(super) life: u32,
    /// What its path is for, m.
    pub(super) goal: Option<DVec2>,
    /// Whether it arrived there, and whether at the target itself.
    pub(super) done: Option<bool>,
    pub(super) path: Option<Arc<Path>>,
    /// The stop that it goes to.
    pub(super) next: usize,
    /// Where it was in the last tick, m.
    pub(super) last: DVec2,
    /// How much was left in the last tick, m; none on a new way.
    pub(super) left: Option<f64>,
    pub(super) progress: Progress,
    pub(super) blocked: bool,
    pub(super) wants: Wants,
    pub(super) asked: u64,
    /// A link carries it up to this tick.
    pub(super) carried: Option<u64>,
    /// No way led to the goal.
    pub(super) no_path: bool,
    /// Its path leads round people who stood in the way when it was sought.
    pub(super) round: bool,
}

/// Where an agent stands in this tick.
pub(super) struct Here<'a> {
    pub(super) mesh: &'a Mesh,
    pub(super) at: DVec2,
    pub(super) spot: Spot,
    pub(super) distances: Distances,
    pub(super) tick: u64,
    /// Whether it is its turn to look whether its way is free.
    pub(super) looks: bool,
    /// Whether it has not got on for a while, though not yet so long that it is blocked.
    pub(super) held: bool,
    /// How far it came since the last tick, m.
    pub(super) walked: f64,
}

impl Here<'_> {
    /// Whether it is at a point that it came as near as `off`, m, whatever it sees from there: the legs of a path lie on the
    /// mesh, but the point round which one sees may be a single one, and nobody's steps end on it. What it walks counts, not
    /// what it could: who is let round a corner from farther away stands at the wall behind it.
    fn is_at(&self, off: f64) -> bool {
        off <= if self.held { self.distances.slack } else { self.walked.min(self.distances.slack) }
    }
}

impl Walker {
    /// Somebody new at a place.
    pub(super) fn born(life: u32, at: DVec2) -> Self {
        Self { life, last: at, ..Self::default() }
    }

    /// No goal any more; who has arrived stays arrived.
    pub(super) fn rest(&mut self) {
        if self.done.is_none() {
            *self = Self::born(self.life, self.last);
        }
        self.path = None;
        self.wants = Wants::Nothing;
    }

    /// A goal, as it is set in this tick; whether the walker has something to do.
    pub(super) fn set_goal(&mut self, goal: DVec2, at: DVec2, tick: u64, distances: &Distances) -> bool {
        let same = self.goal.is_some_and(|known| known.distance(goal) <= SAME_GOAL_M);
        if same && self.done.is_none() {
            return true;
        }
        if same && at.distance(goal) <= (AWAY * distances.target_desired).max(self.stands_off() + distances.path_max) {
            return false;
        }
        *self = Self { goal: Some(goal), ..Self::born(self.life, self.last) };
        self.ask(Wants::Path, tick);
        true
    }

    /// How far from its goal it had to stop, m.
    fn stands_off(&self) -> f64 {
        if self.done == Some(true) { f64::NEG_INFINITY } else { self.path.as_ref().map_or(0.0, |path| path.short_by) }
    }

    /// Asks for a path, unless it has asked for as much already.
    pub(super) fn ask(&mut self, wants: Wants, tick: u64) {
        if wants < self.wants {
            (self.wants, self.asked) = (wants, tick);
        }
    }

    /// Takes a path, one `round` people who stand or a plain one. Who is blocked stays so until it got on: a new way is no
    /// progress.
    pub(super) fn load(&mut self, path: Path, round: bool) {
        self.path = Some(Arc::new(path));
        (self.next, self.left, self.progress) = (0, None, Progress::default());
        (self.round, self.no_path, self.carried) = (round, false, None);
    }

    /// There is no path.
    pub(super) fn unload(&mut self) {
        self.path = None;
        (self.no_path, self.carried) = (true, None);
    }

    /// Goes on along the path: which stops are passed since the last tick. The whole way since then counts, so that nobody is too
    /// fast for a waypoint.
    pub(super) fn advance(&mut self, here: &Here<'_>, out: &mut Vec<Step>) {
        let (Some(path), Some(goal)) = (self.path.clone(), self.goal) else { return };
        let swept = |to: DVec2| nearest_of(self.last, here.at, to).distance(to);
        let distances = &here.distances;
        while let Some(stop) = path.stops.get(self.next) {
            let Some(following) = path.stops.get(self.next + 1) else {
                self.arrive(&path, swept(goal), swept(stop.at), distances, out);
                break;
            };
            let near = swept(stop.at) < distances.path_desired;
            match stop.kind {
                StopKind::LinkFrom(link, seconds) => {
                    if !near {
                        break;
                    }
                    out.push(Step::Link(link));
                    self.next += 1;
                    if seconds.is_some() {
                        break;
                    }
                }
                StopKind::LinkTo(_) if !near => break,
                _ => {
                    let leg = stop.at - path.leg_from(self.next);
                    let beyond = (here.at - stop.at).dot(leg) > 0.0 && here.at.distance(stop.at) < distances.path_max;
                    let passed = near || beyond || self.kept_off(here, stop.at);
                    // Round the corner only when the next point is in sight: who cuts it would rub along the wall.
                    let sees_on = || here.mesh.sees(here.spot.at, following.at);
                    if !(here.is_at(swept(stop.at)) || passed && sees_on()) {
                        break;
                    }
                    out.push(Step::Waypoint(self.next));
                    self.next += 1;
                }
            }
        }
    }

    /// Whether something keeps it off a point of its way: a wall that pushes more than it presses, people who stand there. The
    /// points of a way round people must be passed, for those are not seen.
    fn kept_off(&self, here: &Here<'_>, stop: DVec2) -> bool {
        here.held && !self.round && here.at.distance(stop) < here.distances.path_max
    }

    fn arrive(&mut self, path: &Path, to_goal: f64, to_end: f64, distances: &Distances, out: &mut Vec<Step>) {
        if to_goal < distances.target_desired {
            out.extend([Step::Target, Step::Finished]);
            self.done = Some(true);
        } else if path.short_by >= distances.target_desired
            && to_end < distances.path_desired.min(distances.target_desired)
        {
            out.push(Step::Finished);
            self.done = Some(false);
        }
    }

    /// Whether it was swept off its path, or does not get on along it for `patience` s; `most` is the fastest that it goes, m/s.
    pub(super) fn watch(&mut self, here: &Here<'_>, most: f64, patience: f64, dt: f64) {
        let Some(path) = self.path.clone() else { return };
        let Some(stop) = path.stops.get(self.next) else { return };
        let from = path.leg_from(self.next);
        let off = nearest_of(from, stop.at, here.at).distance(here.at);
        let across = matches!(stop.kind, StopKind::LinkTo(_));
        // Who is on its leg, but for a little, sees along it: the leg lies on the mesh. Who is blocked all the same looks.
        let astray = off > here.distances.slack || self.blocked;
        let hidden = here.looks && !across && astray && !here.mesh.sees(here.spot.at, stop.at);
        if (off >= here.distances.path_max || hidden) && !across {
            self.ask(Wants::Path, here.tick);
        }
        let left = here.at.distance(stop.at) + stop.left;
        let onward = self.left.map_or(0.0, |before| before - left);
        self.left = Some(left);
        self.progress.note(onward, most, patience, dt);
        let stuck = self.progress.is_stuck(patience, dt);
        self.blocked = stuck || (self.blocked && self.progress.ticks() > 0);
        // At once, and then again from time to time.
        let first = (patience / dt).ceil().max(1.0) as u32;
        if stuck && self.progress.ticks().is_multiple_of(first) {
            self.ask(Wants::Round, here.tick);
        }
    }

    /// Whether the rest of the path still lies on a mesh, and what it costs from here.
    pub(super) fn rest_of_path(&self, mesh: &Mesh, spot: &Spot) -> Option<f64> {
        let path = self.path.as_ref()?;
        let stop = path.stops.get(self.next)?;
        let mut at = spot.at;
        for stop in &path.stops[self.next..] {
            if !matches!(stop.kind, StopKind::LinkTo(_)) && !mesh.sees(at, stop.at) {
                return None;
            }
            at = stop.at;
        }
        Some(mesh.ground(spot.polygon).0 * spot.at.distance(stop.at) + stop.rest)
    }

    pub(super) fn digest(&self) -> u64 {
        let mut hash = StateHash::new();
        let done = self.done.map_or(0, |at_target| 1 + u64::from(at_target));
        let flags = u64::from(self.blocked)
            | u64::from(self.no_path) << 1
            | done << 2
            | (self.wants as u64) << 4
            | u64::from(self.round) << 6;
        for number in [u64::from(self.life), self.next as u64, u64::from(self.progress.ticks()), self.asked, flags] {
            hash.integer(number);
        }
        hash.integer(self.carried.map_or(0, |until| until + 1));
        for point in [self.goal.unwrap_or(DVec2::ZERO), self.last] {
            hash.number(point.x);
            hash.number(point.y);
        }
        hash.number(self.left.unwrap_or(-1.0));
        for point in self.path.iter().flat_map(|path| path.points()) {
            hash.number(point.x);
            hash.number(point.y);
        }
        hash.finish()
    }
}
