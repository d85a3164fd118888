//! Leads agents along their journeys: what comes next, who has arrived, where everybody is to stand.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use super::settings::{QueueSpec, StopKind, WaypointSpec};
use super::traveller::{Traveller, luck};
use super::{Area, Flow, News, Stop, StopState};
use crate::sim::{AgentId, Errand, Leg, SimCommand, Value, Visit, World};

/// People who wait stand as near to their spot as this, m.
const STANDS_M: f64 = 0.15;
/// Within this of its spot an agent counts as there, m: who is pressed does not come nearer.
const THERE_M: f64 = 0.4;
/// People go so far past an exit as if they went on, m: nobody slows down in a door.
const BEYOND_M: f64 = 1.5;
/// On a mesh a goal that moves by less than this is the same, m: each other one is another path.
const SAME_M: f64 = 0.25;
/// Waypoints that one may pass in one tick.
const PASSES: u32 = 8;
/// Seconds between two looks for a less crowded stop.
const LOOKS_SECS: f64 = 1.0;

impl Flow {
    /// Everybody goes on: births and errands first, then queues and waiting places, then each on its own.
    pub(super) fn lead(&mut self, world: &mut World, news: &mut Vec<News>) {
        self.travellers.resize_with(world.agents.slots(), Traveller::default);
        for slot in 0..world.agents.slots() {
            let id = world.agents.id(slot as u32);
            if world.agents.alive[slot] && self.travellers[slot].life != id.generation + 1 {
                let journey = self.journeys.get(world.agents.group[slot].index()).cloned().unwrap_or_default();
                self.travellers[slot] = Traveller::born(id, &journey, self.seed);
            }
        }
        for (id, errand) in std::mem::take(&mut world.errands) {
            if let Some(slot) = world.agents.find(id) {
                self.run_errand(world, slot, errand);
            }
        }
        self.count(world);
        for stop in 0..self.stops.len() {
            self.serve(world, stop, news);
        }
        for slot in 0..world.agents.slots() {
            if world.agents.alive[slot] && !world.agents.quarantined[slot] {
                // Who passes a waypoint is sent to the next stop at once.
                let mut passes = PASSES;
                while passes > 0 && self.advance(world, slot, news) {
                    passes -= 1;
                }
            }
        }
        self.move_up(world, news);
    }

    fn run_errand(&mut self, world: &mut World, slot: usize, errand: Errand) {
        let had = self.travellers[slot].under_way;
        self.leave(world, slot);
        let Errand::Set(legs) = errand else { return };
        let known = |leg: &Leg| {
            let stops = leg.stops();
            !stops.is_empty() && stops.iter().all(|stop| usize::from(*stop) < self.stops.len())
        };
        let legs: Vec<Leg> = legs.into_iter().filter(known).collect();
        self.travellers[slot].set(world.agents.id(slot as u32), &legs, self.seed);
        if had && legs.is_empty() {
            world.agents.goal[slot] = None;
        }
    }

    /// Who is bound for which stop; who is gone has no spot any more.
    fn count(&mut self, world: &World) {
        for stop in &mut self.stops {
            stop.bound.clear();
        }
        for slot in 0..world.agents.slots() {
            let stop = world.agents.visit[slot].stop.filter(|_| world.agents.alive[slot]);
            if let Some(stop) = stop.and_then(|stop| self.stops.get_mut(usize::from(stop))) {
                stop.bound.push(slot as u32);
            }
        }
        let agents = &world.agents;
        for (index, stop) in self.stops.iter_mut().enumerate() {
            let stays = |id: AgentId| {
                agents.find(id).is_some_and(|slot| agents.visit[slot].stop.is_some_and(|at| usize::from(at) == index))
            };
            match &mut stop.state {
                StopState::Waiting(waiting) => waiting.keep(stays),
                StopState::Queue(queue) => queue.keep(stays),
                StopState::Waypoint | StopState::Exit(_) => {}
            }
        }
    }

    /// Lets go who has waited long enough, and serves the head of a queue.
    fn serve(&mut self, world: &mut World, index: usize, news: &mut Vec<News>) {
        let stop = &mut self.stops[index];
        match (&stop.spec.kind, &mut stop.state) {
            (StopKind::Waiting(_), StopState::Waiting(waiting)) if stop.open => {
                for id in waiting.came.clone() {
                    let Some(slot) = world.agents.find(id) else { continue };
                    let over = self.travellers[slot].until.is_none_or(|until| until <= world.tick);
                    if over && self.next_has_room(slot) {
                        self.go_on(world, slot, news);
                    }
                }
            }
            (StopKind::Queue(spec), StopState::Queue(queue)) => {
                let Some(head) = queue.line.first().copied() else { return };
                let Some(slot) = world.agents.find(head) else { return };
                let Some((_, until)) = queue.service else {
                    let at = world.offset(world.agents.position[slot], spec.spot(0)).length();
                    if stop.open && at <= THERE_M.max(0.6 * spec.spacing) {
                        let mut luck = luck(self.seed, head, self.travellers[slot].visits, 4);
                        let secs = luck.uniform(spec.service.0, spec.service.1);
                        queue.service = Some((head, world.tick + ticks(world, secs)));
                    }
                    return;
                };
                if until > world.tick || !self.next_has_room(slot) {
                    return;
                }
                let stop = &mut self.stops[index];
                if let StopState::Queue(queue) = &mut stop.state {
                    queue.served += 1;
                    queue.service = None;
                }
                let value = Some(Value::Text(stop.spec.name.clone()));
                news.push(News { agent: head, name: "served", value });
                self.go_on(world, slot, news);
            }
            _ => {}
        }
    }

    /// Whether where an agent goes next takes one more.
    fn next_has_room(&self, slot: usize) -> bool {
        let Some(leg) = self.travellers[slot].legs.last() else { return true };
        let has_room = |stop: &u16| self.stops.get(usize::from(*stop)).is_none_or(Stop::has_room);
        leg.stops().iter().any(has_room)
    }

    /// One agent goes on, as far as it is its own affair; whether it passed a waypoint.
    fn advance(&mut self, world: &mut World, slot: usize, news: &mut Vec<News>) -> bool {
        if world.agents.visit[slot].stop.is_none() {
            if self.travellers[slot].under_way {
                self.begin(world, slot, news);
            } else if let Some((gate, _)) = self.travellers[slot].gate {
                self.stand_at_gate(world, slot, gate);
            }
        }
        self.reconsider(world, slot);
        let Some(index) = world.agents.visit[slot].stop.map(usize::from) else { return false };
        let id = world.agents.id(slot as u32);
        let reached =
            |stop: &Stop| News { agent: id, name: "stop_reached", value: Some(Value::Text(stop.spec.name.clone())) };
        let Some(stop) = self.stops.get_mut(index) else { return false };
        let there = world.agents.visit[slot].there;
        match (&stop.spec.kind, &mut stop.state) {
            (StopKind::Waypoint(waypoint), _) => {
                let within = waypoint.distance.max(world.agents.radius[slot]);
                if world.offset(world.agents.position[slot], waypoint.at).length() <= within {
                    news.push(reached(stop));
                    self.go_on(world, slot, news);
                    return true;
                }
                let aim = aim_near(waypoint, luck(self.seed, id, self.travellers[slot].visits, 5).unit());
                self.send(world, slot, aim, 0.0);
            }
            (StopKind::Waiting(spec), StopState::Waiting(waiting)) => {
                let mut place = world.agents.visit[slot].place;
                if place.is_none() {
                    let lot = luck(self.seed, id, self.travellers[slot].visits, 6);
                    place = waiting.claim(id, (!spec.in_order).then_some(lot)).map(|spot| spot as u32);
                    world.agents.visit[slot].place = place;
                }
                let spot = place.and_then(|place| spec.spots.get(place as usize)).copied();
                let near = |spot: DVec3| world.offset(world.agents.position[slot], spot).length() <= THERE_M;
                if !there && spot.is_some_and(near) {
                    waiting.came.push(id);
                    let stay = spec
                        .stay
                        .map(|(least, most)| luck(self.seed, id, self.travellers[slot].visits, 4).uniform(least, most));
                    self.travellers[slot].until = stay.map(|secs| world.tick + ticks(world, secs));
                    let visit = &mut world.agents.visit[slot];
                    (visit.there, visit.since) = (true, world.tick);
                    news.push(reached(stop));
                }
                let middle = self.stops[index].spec.middle();
                self.send(world, slot, spot.unwrap_or(middle), STANDS_M);
            }
            (StopKind::Queue(spec), StopState::Queue(queue)) => {
                let open = spec.most.is_none_or(|most| queue.line.len() < most);
                let tail = spec.spot(queue.line.len());
                let joins = world.offset(world.agents.position[slot], tail).length() <= joining(spec, world, slot);
                if !there && open && joins {
                    queue.line.push(id);
                    let visit = &mut world.agents.visit[slot];
                    (visit.there, visit.since, visit.queues) = (true, world.tick, true);
                    visit.place = Some(queue.line.len() as u32 - 1);
                    news.push(reached(stop));
                }
                if !world.agents.visit[slot].there {
                    self.send(world, slot, tail, STANDS_M);
                }
            }
            (StopKind::Exit(exit), _) => {
                let at = world.agents.position[slot];
                let radius = world.agents.radius[slot];
                let aim = if there {
                    nearest_inset(&exit.area, at.truncate(), radius)
                } else {
                    past(&exit.area, at.truncate(), radius)
                };
                self.send(world, slot, aim.extend(at.z), 0.0);
            }
            _ => {}
        }
        false
    }

    /// Who was held at a gate without a journey stands there.
    fn stand_at_gate(&mut self, world: &mut World, slot: usize, gate: u16) {
        let Some(StopKind::Exit(exit)) = self.stops.get(usize::from(gate)).map(|stop| &stop.spec.kind) else { return };
        let at = world.agents.position[slot];
        let spot = nearest_inset(&exit.area, at.truncate(), world.agents.radius[slot]);
        self.send(world, slot, spot.extend(at.z), 0.0);
    }

    /// Another stop where the one that it goes to is more crowded, or closed.
    fn reconsider(&mut self, world: &mut World, slot: usize) {
        let visit = world.agents.visit[slot];
        let Some((now, others)) = visit.stop.zip(self.travellers[slot].others.clone()) else { return };
        let every = ticks(world, LOOKS_SECS).max(1);
        if !(world.tick + slot as u64).is_multiple_of(every) {
            return;
        }
        let Some(stop) = self.stops.get(usize::from(now)) else { return };
        let is_exit = matches!(stop.spec.kind, StopKind::Exit(_));
        if visit.there && stop.open && !is_exit {
            return;
        }
        let Some(better) = self.better(world, slot, now, &others) else { return };
        self.leave(world, slot);
        self.travellers[slot].others = Some(others);
        self.set_out(world, slot, better);
    }

    /// Leaves the present stop and begins the next leg.
    fn go_on(&mut self, world: &mut World, slot: usize, news: &mut Vec<News>) {
        self.leave(world, slot);
        self.begin(world, slot, news);
    }

    /// Is no longer at its stop, nor on the way to it.
    fn leave(&mut self, world: &mut World, slot: usize) {
        let id = world.agents.id(slot as u32);
        let before = std::mem::take(&mut world.agents.visit[slot]);
        let traveller = &mut self.travellers[slot];
        traveller.visits += u64::from(before.stop.is_some());
        (traveller.until, traveller.others, traveller.gate) = (None, None, None);
        traveller.goal = None;
        let Some(stop) = before.stop.and_then(|stop| self.stops.get_mut(usize::from(stop))) else { return };
        stop.bound.retain(|bound| *bound as usize != slot);
        match &mut stop.state {
            StopState::Waiting(waiting) => waiting.keep(|known| known != id),
            StopState::Queue(queue) => queue.keep(|known| known != id),
            StopState::Waypoint | StopState::Exit(_) => {}
        }
    }

    /// Sets out on the next leg, or is done.
    fn begin(&mut self, world: &mut World, slot: usize, news: &mut Vec<News>) {
        while let Some(leg) = self.travellers[slot].legs.pop() {
            let Some(stop) = self.choose(world, slot, &leg) else { continue };
            if let Leg::LeastCrowded(others) = &leg {
                self.travellers[slot].others = Some(Arc::clone(others));
            }
            self.set_out(world, slot, stop);
            return;
        }
        self.travellers[slot].under_way = false;
        world.agents.goal[slot] = None;
        news.push(News { agent: world.agents.id(slot as u32), name: "journey_done", value: None });
    }

    fn set_out(&mut self, world: &mut World, slot: usize, stop: u16) {
        world.agents.visit[slot] = Visit { stop: Some(stop), since: world.tick, ..Visit::default() };
        let bound = &mut self.stops[usize::from(stop)];
        bound.bound.push(slot as u32);
        let middle = bound.spec.middle();
        // Where exactly it is told in this step or the next.
        self.send(world, slot, middle, 0.0);
    }

    /// Writes where an agent is to go, and how near counts as there, m.
    fn send(&mut self, world: &mut World, slot: usize, to: DVec3, reach: f64) {
        let kept =
            self.travellers[slot].goal.filter(|goal| goal.distance(to) <= SAME_M && world.agents.is_navigated(slot));
        let goal = kept.unwrap_or(to);
        self.travellers[slot].goal = Some(goal);
        let id = world.agents.id(slot as u32);
        // A scene's points are finite, and so are those of its agents.
        drop(world.apply(SimCommand::SetGoal(id, Some(goal))));
        world.agents.visit[slot].reach = reach;
    }

    /// Everybody in a queue stands at the spot of its place, and hears when that is another one.
    fn move_up(&mut self, world: &mut World, news: &mut Vec<News>) {
        for index in 0..self.stops.len() {
            let stop = &self.stops[index];
            let (StopKind::Queue(spec), StopState::Queue(queue)) = (&stop.spec.kind, &stop.state) else { continue };
            let spots: Vec<(AgentId, DVec3)> =
                queue.line.iter().enumerate().map(|(place, id)| (*id, spec.spot(place))).collect();
            for (place, (id, spot)) in spots.into_iter().enumerate() {
                let Some(slot) = world.agents.find(id) else { continue };
                let known = world.agents.visit[slot].place.replace(place as u32);
                if known != Some(place as u32) {
                    let value = Some(Value::Number(place as f64 + 1.0));
                    news.push(News { agent: id, name: "queue_moved", value });
                }
                self.send(world, slot, spot, STANDS_M);
            }
        }
    }
}

/// Ticks of a time, s.
fn ticks(world: &World, secs: f64) -> u64 {
    (secs * world.settings.tick_hz).round().max(0.0) as u64
}

/// How near to the end of a queue one joins it, m.
fn joining(spec: &QueueSpec, world: &World, slot: usize) -> f64 {
    spec.spacing.max(2.0 * world.agents.radius[slot]).max(1.0)
}

/// Not all go to the very point: each has its own, within half of the distance that counts.
fn aim_near(waypoint: &WaypointSpec, lot: f64) -> DVec3 {
    let turn = std::f64::consts::TAU * lot;
    // The golden ratio makes the distance of one lot independent of its direction.
    let share = (lot * 1_618.033_988_749_895).fract();
    let reach = 0.5 * waypoint.distance * libm::sqrt(share);
    waypoint.at + reach * DVec3::new(libm::cos(turn), libm::sin(turn), 0.0)
}

/// The point of an exit that is nearest to a body and where it fits through a line.
fn nearest_inset(area: &Area, at: DVec2, radius: f64) -> DVec2 {
    let Area::Line(from, to) = area else { return area.nearest(at) };
    let share = (radius / from.distance(*to).max(1e-9)).min(0.5);
    Area::Line(from.lerp(*to, share), from.lerp(*to, 1.0 - share)).nearest(at)
}

/// A point past an exit, as seen by a body before it: behind a line, inside of an area.
fn past(area: &Area, at: DVec2, radius: f64) -> DVec2 {
    let near = nearest_inset(area, at, radius);
    let Area::Line(from, to) = area else {
        return near + (area.middle() - near).clamp_length_max(BEYOND_M);
    };
    let across = (*to - *from).perp().normalize_or_zero();
    let side = if (at - *from).dot(across) > 0.0 { -1.0 } else { 1.0 };
    near + across * side * BEYOND_M
}
