//! What a scene says of sources, stops and journeys: plain data, checked by who made it.

use std::sync::Arc;

use glam::DVec3;

use super::Area;
use crate::sim::Leg;

/// When those who enter do so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spread {
    /// At equal distances of time.
    #[default]
    Regular,
    /// At random, independent of each other, with the same mean.
    Poisson,
}

/// Where agents enter.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceSpec {
    /// Its name.
    pub name: String,
    /// Index of the group that they join.
    pub group: usize,
    /// Where they appear, m.
    pub area: Area,
    /// When.
    pub spread: Spread,
    /// From when on, s, how many per second, ascending in time; none before the first.
    pub rates: Vec<(f64, f64)>,
    /// How many in all at most.
    pub most: Option<u64>,
    /// How many at a time.
    pub batch: u32,
    /// Where they look, radians; towards the first stop of their journey, else their group's goal, without it.
    pub heading: Option<f64>,
    /// How fast they are then, m/s.
    pub speed: f64,
    /// Whether they may enter at the start.
    pub open: bool,
}

/// A point to pass.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointSpec {
    /// m.
    pub at: DVec3,
    /// It is passed within this, m.
    pub distance: f64,
}

/// Where people stand and wait.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingSpec {
    /// Where they stand, m.
    pub spots: Vec<DVec3>,
    /// Whether spots are given out in their order; else by lot.
    pub in_order: bool,
    /// What is drawn around them.
    pub area: Option<Area>,
    /// Least and longest stay, s; until it opens without it.
    pub stay: Option<(f64, f64)>,
}

/// Where people stand in line.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueSpec {
    /// From the head on, m; beyond the last point it goes on straight.
    pub points: Vec<DVec3>,
    /// From one to the next, m.
    pub spacing: f64,
    /// Least and longest service of the head, s.
    pub service: (f64, f64),
    /// How many may stand in it or come to it.
    pub most: Option<usize>,
}

/// Where people leave.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitSpec {
    /// They leave when they touch it.
    pub area: Area,
    /// Indices of the groups that may leave here without a journey; all if empty.
    pub groups: Vec<usize>,
    /// The most per second, as a gate lets through.
    pub rate: Option<f64>,
}

/// What kind of stop.
#[derive(Clone, Debug, PartialEq)]
pub enum StopKind {
    /// One passes it.
    Waypoint(WaypointSpec),
    /// One waits there.
    Waiting(WaitingSpec),
    /// One is served there, one after the other.
    Queue(QueueSpec),
    /// One leaves there.
    Exit(ExitSpec),
}

/// A stop of journeys.
#[derive(Clone, Debug, PartialEq)]
pub struct StopSpec {
    /// Its name.
    pub name: String,
    /// Whether it is open at the start.
    pub open: bool,
    /// What it is.
    pub kind: StopKind,
}

impl StopSpec {
    /// Where it is, as one point, m.
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        match &self.kind {
            StopKind::Waypoint(waypoint) => waypoint.at,
            StopKind::Waiting(waiting) => waiting.spots.iter().sum::<DVec3>() / waiting.spots.len().max(1) as f64,
            StopKind::Queue(queue) => queue.points.first().copied().unwrap_or_default(),
            StopKind::Exit(exit) => exit.area.middle().extend(0.0),
        }
    }

    /// How many may go to it or be there at once, where that is limited.
    #[must_use]
    pub fn most(&self) -> Option<usize> {
        match &self.kind {
            StopKind::Waiting(waiting) => Some(waiting.spots.len()),
            StopKind::Queue(queue) => queue.most,
            StopKind::Waypoint(_) | StopKind::Exit(_) => None,
        }
    }

    /// `waypoint`, `waiting`, `queue` or `exit`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.kind {
            StopKind::Waypoint(_) => "waypoint",
            StopKind::Waiting(_) => "waiting",
            StopKind::Queue(_) => "queue",
            StopKind::Exit(_) => "exit",
        }
    }
}

impl QueueSpec {
    /// Where the one of a number stands, 0 is the head, m.
    #[must_use]
    pub fn spot(&self, number: usize) -> DVec3 {
        let mut left = number as f64 * self.spacing;
        for pair in self.points.windows(2) {
            let length = pair[0].distance(pair[1]);
            if left <= length {
                return pair[0].lerp(pair[1], left / length.max(1e-9));
            }
            left -= length;
        }
        let (Some(last), before) = (self.points.last(), self.points.len().checked_sub(2)) else { return DVec3::ZERO };
        let before = before.and_then(|at| self.points.get(at)).unwrap_or(last);
        *last + (*last - *before).normalize_or_zero() * left
    }

    /// Spots on its line, m.
    #[must_use]
    pub fn spots(&self) -> usize {
        let length: f64 = self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        (length / self.spacing + 1e-9).floor() as usize + 1
    }
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Where agents enter.
    pub sources: Vec<SourceSpec>,
    /// Where journeys lead.
    pub stops: Vec<StopSpec>,
    /// The journey of each group; empty for none.
    pub journeys: Vec<Arc<[Leg]>>,
}

impl Settings {
    /// Whether the scene has none of it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.stops.is_empty()
    }
}
