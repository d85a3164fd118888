//! Which of several stops an agent takes: the nearest, the least crowded, or one by lot.
//!
//! Least crowded means done first: the time to walk there and the time to wait for those who are there or nearer to it. Exits let
//! through 1.2 persons per second and metre (the maximum of measured specific flows lies at 1.2 to 1.3, Weidmann 1993), gates and
//! queues what they say. Congestion at exits is a test of RiMEA (11).

use super::settings::StopKind;
use super::traveller::luck;
use super::{Flow, Stop};
use crate::sim::{Leg, World};

/// Persons per second and metre of an exit.
const SPECIFIC_FLOW: f64 = 1.2;
/// Nobody leaves by less than this, m.
const NARROWEST: f64 = 0.6;
/// How fast people walk where nothing is in their way (Weidmann 1993), m/s; slower bodies at their own limit.
const WALKING: f64 = 1.34;
/// Another stop must be better by this share and by so many seconds for somebody on the way to turn.
const BETTER: f64 = 0.85;
const BETTER_SECS: f64 = 2.0;

impl Flow {
    /// The stop that a leg leads an agent to; none if it leads nowhere.
    pub(super) fn choose(&self, world: &World, slot: usize, leg: &Leg) -> Option<u16> {
        match leg {
            Leg::Stop(stop) => Some(*stop).filter(|stop| usize::from(*stop) < self.stops.len()),
            Leg::Shuffle(_, stops) => stops.first().copied(),
            Leg::Nearest(stops) => self.least(stops, |stop| Self::way(world, slot, stop)),
            Leg::LeastCrowded(stops) => self.least(stops, |stop| Self::done_in(world, slot, stop)),
            Leg::Shares(shares) => {
                let open = |stop: u16| self.stops.get(usize::from(stop)).is_some_and(|stop| stop.open);
                let any = shares.iter().any(|(stop, weight)| open(*stop) && *weight > 0.0);
                let counts = |(stop, weight): &(u16, f64)| if !any || open(*stop) { weight.max(0.0) } else { 0.0 };
                let sum: f64 = shares.iter().map(counts).sum();
                let visits = self.travellers[slot].visits;
                let mut left = luck(self.seed, world.agents.id(slot as u32), visits, 3).uniform(0.0, sum);
                let drawn = shares.iter().find(|share| {
                    left -= counts(share);
                    left < 0.0
                });
                drawn.or_else(|| shares.last()).map(|(stop, _)| *stop)
            }
        }
    }

    /// A stop at which an agent is done clearly sooner than where it goes, if there is one.
    pub(super) fn better(&self, world: &World, slot: usize, now: u16, others: &[u16]) -> Option<u16> {
        let best = self.least(others, |stop| Self::done_in(world, slot, stop)).filter(|best| *best != now)?;
        let present = &self.stops[usize::from(now)];
        let new = Self::done_in(world, slot, &self.stops[usize::from(best)]);
        let old = Self::done_in(world, slot, present);
        (!present.open || (new < BETTER * old && new + BETTER_SECS < old)).then_some(best)
    }

    /// The stop with the least cost among those that are open and have room; where none has, among all.
    fn least(&self, stops: &[u16], cost: impl Fn(&Stop) -> f64) -> Option<u16> {
        let known = || stops.iter().filter_map(|stop| Some((*stop, self.stops.get(usize::from(*stop))?)));
        let best = |free: bool| {
            let among = known().filter(|(_, stop)| !free || (stop.open && stop.has_room()));
            among.map(|(index, stop)| (cost(stop), index)).min_by(|a, b| a.0.total_cmp(&b.0))
        };
        best(true).or_else(|| best(false)).map(|(_, index)| index)
    }

    /// The straight way to a stop, m; to the end of a queue.
    fn way(world: &World, slot: usize, stop: &Stop) -> f64 {
        let at = world.agents.position[slot];
        match (&stop.spec.kind, &stop.state) {
            (StopKind::Queue(queue), super::StopState::Queue(line)) => {
                world.offset(at, queue.spot(line.line().len())).length()
            }
            (StopKind::Exit(exit), _) => exit.area.distance(at.truncate()),
            _ => world.offset(at, stop.spec.middle()).length(),
        }
    }

    /// Seconds until an agent is done at a stop: to walk there and to wait for those before it.
    fn done_in(world: &World, slot: usize, stop: &Stop) -> f64 {
        let way = Self::way(world, slot, stop);
        let walk = way / world.agents.max_speed[slot].clamp(0.1, WALKING);
        let before = || {
            let nearer = stop.bound.iter().map(|other| *other as usize).filter(|other| *other != slot);
            let visits = &world.agents.visit;
            nearer.filter(|other| visits[*other].there || Self::way(world, *other, stop) < way).count() as f64
        };
        let wait = match &stop.spec.kind {
            StopKind::Waypoint(_) => 0.0,
            StopKind::Waiting(waiting) => waiting.stay.map_or(0.0, |(least, most)| 0.5 * (least + most)),
            StopKind::Queue(queue) => (before() + 1.0) * 0.5 * (queue.service.0 + queue.service.1),
            StopKind::Exit(exit) => {
                before() / exit.rate.unwrap_or_else(|| SPECIFIC_FLOW * exit.area.width().max(NARROWEST))
            }
        };
        // Whoever walks meanwhile does not wait for those who are served meanwhile.
        walk.max(wait)
    }
}
