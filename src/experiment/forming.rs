//! A group in formation: the order, its places, who has which.

use glam::DVec3;

use super::apart::common_secs;
use super::trailing::{Stand, Trail};
use crate::formation::{self, Assignment, Method, Motion, Pose, Slots, Threshold};
use crate::sim::{AgentId, Place, SimCommand, Value, Way, World};

/// What was ordered.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Name of the formation.
    pub name: String,
    /// Parameters that differ from its defaults: of the order and of the group, the order's last.
    pub params: Vec<(String, Value)>,
    /// Where its frame was ordered to stand.
    pub stand: Stand,
    /// Where its frame stands in the world.
    pub pose: Pose,
    /// The tick of the order.
    pub tick: u64,
}

/// How the frame of a formation walks on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct March {
    /// The speed that was ordered, m/s; 0 halts.
    pub speed: f64,
    /// The direction, radians from where the head looks, counter-clockwise.
    pub heading: f64,
    /// How fast the frame wheels about its origin while it walks, rad/s.
    pub turn: f64,
    /// How fast the speed changes, m/s².
    pub acceleration: f64,
    /// The speed that it has, m/s.
    pub now: f64,
    /// How fast it wheels, rad/s.
    pub wheels: f64,
}

impl Default for March {
    fn default() -> Self {
        Self { speed: 0.0, heading: 0.0, turn: 0.0, acceleration: 1.0, now: 0.0, wheels: 0.0 }
    }
}

impl March {
    /// The speed after one more tick of `dt` seconds.
    fn coming(&self, dt: f64) -> f64 {
        let most = self.acceleration.max(0.0) * dt;
        self.now + (self.speed - self.now).clamp(-most, most)
    }
}

/// A formation that a group holds.
#[derive(Clone, Debug)]
pub struct Forming {
    /// Orders to a group are numbered from 1.
    pub number: u64,
    /// How its frame walks.
    pub march: March,
    /// How its frame goes with a leader, where it does.
    pub trail: Option<Trail>,
    /// How the frame will walk in the coming tick: m/s, rad/s.
    pace: (DVec3, f64),
    /// Whether the frame has walked from where it was ordered.
    pub walked: bool,
    /// What was ordered.
    pub order: Order,
    /// Places in the formation's own frame.
    pub slots: Slots,
    /// Where they are one tick later, for a formation that moves.
    pub next: Option<Slots>,
    /// How the places move, empty for a formation at rest.
    pub motion: Vec<Motion>,
    /// Who has which place: index of the place by position in the group's member list at the time of the order.
    pub holders: Vec<(AgentId, Option<usize>)>,
    /// How the places were given out.
    pub assignment: Assignment,
    /// The longest way from where an agent stood to its place, m.
    pub largest_move: f64,
    /// Whether the places move with time.
    pub moving: bool,
    /// Where each holder stood when it got its place, m.
    pub starts: Vec<DVec3>,
    /// The tick of that.
    pub began: u64,
    /// What all take to their places who go in step, s.
    pub secs: f64,
    /// The fastest of them then, with its speed in m/s.
    pub moving_at_start: Option<(AgentId, f64)>,
}

impl Forming {
    /// Gives the places of `slots` to the living agents of a group: least sum of squared distances. Who had a place in `before`,
    /// the same formation with perhaps others in it, keeps it unless the gain exceeds the threshold.
    ///
    /// # Errors
    /// A text that says why no assignment exists (a position that is not finite).
    pub fn new(
        world: &World,
        group: usize,
        order: Order,
        (slots, moving): (Slots, bool),
        before: Option<(&Self, Threshold)>,
    ) -> Result<Self, String> {
        let members = &world.groups[group].members;
        let agents: Vec<DVec3> = members.iter().map(|slot| world.agents.position[*slot as usize]).collect();
        let places: Vec<DVec3> = slots.places.iter().map(|place| order.pose.point(place.position)).collect();
        let ids: Vec<AgentId> = members.iter().map(|slot| world.agents.id(*slot)).collect();
        let assignment = match before {
            Some((before, threshold)) => {
                let current: Vec<Option<usize>> = ids.iter().map(|id| before.place_of(*id)).collect();
                formation::reassign(&current, &agents, &places, Method::Optimal, threshold)
            }
            None => formation::assign(&agents, &places, Method::Optimal),
        };
        let assignment = assignment.map_err(|error| error.to_string())?;
        let largest_move = assignment.largest_move(&agents, &places);
        let holders = ids.into_iter().zip(assignment.slot_of.iter().copied()).collect();
        let mut forming = Self {
            number: 0,
            march: March::default(),
            trail: None,
            pace: (DVec3::ZERO, 0.0),
            walked: false,
            order,
            slots,
            next: None,
            motion: Vec::new(),
            holders,
            assignment,
            largest_move,
            moving,
            starts: Vec::new(),
            began: 0,
            secs: 0.0,
            moving_at_start: None,
        };
        forming.depart(world);
        Ok(forming)
    }

    /// All set out for their places from where they are now.
    pub fn depart(&mut self, world: &World) {
        let agents = &world.agents;
        self.began = world.tick;
        let slot_of = |id: &AgentId| agents.find(*id);
        let starts = self.holders.iter().map(|(id, _)| slot_of(id).map_or(DVec3::ZERO, |slot| agents.position[slot]));
        self.starts = starts.collect();
        let ways = self.holders.iter().filter_map(|(id, place)| {
            let (slot, place) = (slot_of(id)?, self.place((*place)?)?);
            Some((world.offset(agents.position[slot], place.position).length(), slot))
        });
        self.secs = common_secs(world, ways);
        let speeds = self.holders.iter().filter_map(|(id, _)| Some((*id, agents.speed(slot_of(id)?))));
        self.moving_at_start = speeds.reduce(|fastest, next| if next.1 > fastest.1 { next } else { fastest });
    }

    /// Where it stands now: in the world as far as it has walked, or with its leader.
    pub fn stand(&self) -> Stand {
        match self.trail {
            Some(trail) => Stand { pose: trail.offset, ..self.order.stand },
            None => self.order.pose.into(),
        }
    }

    /// Writes every holder's place into the world.
    pub fn place_agents(&self, world: &mut World) {
        for (index, (id, _)) in self.holders.iter().enumerate() {
            let place = self.held(index);
            // An agent that left in the meantime has no place any more.
            drop(world.apply(SimCommand::SetPlace(*id, place)));
        }
    }

    /// A place in the world, with its motion.
    pub fn place(&self, index: usize) -> Option<Place> {
        let local = self.slots.places.get(index)?;
        let place = self.order.pose.place(*local);
        let motion = self.motion.get(index).copied().unwrap_or_default();
        let turned = Pose { at: DVec3::ZERO, turn: self.order.pose.turn };
        let (walk, wheel) = self.pace;
        let arm = place.position - self.order.pose.at;
        Some(Place {
            index: index as u32,
            position: place.position,
            velocity: turned.point(motion.velocity) + walk + DVec3::new(-arm.y, arm.x, 0.0) * wheel,
            heading: place.heading,
            turn_rate: motion.turn_rate + wheel,
            way: Way::default(),
        })
    }

    /// The place of the holder at that position of the list, with the way to it.
    fn held(&self, holder: usize) -> Option<Place> {
        let place = self.place(self.holders.get(holder)?.1?)?;
        let from = self.starts.get(holder).copied().unwrap_or(place.position);
        Some(Place { way: Way { from, began: self.began, secs: self.secs }, ..place })
    }

    /// The place of an agent in the world, with the way to it.
    pub fn place_held_by(&self, agent: AgentId) -> Option<Place> {
        self.held(self.holder(agent)?)
    }

    /// Where an agent stands in the list of holders.
    fn holder(&self, agent: AgentId) -> Option<usize> {
        let at = self.holders.binary_search_by_key(&agent.slot, |(id, _)| id.slot).ok()?;
        (self.holders[at].0 == agent).then_some(at)
    }

    /// The place of an agent.
    pub fn place_of(&self, agent: AgentId) -> Option<usize> {
        self.holders[self.holder(agent)?].1
    }

    /// Whether its places will be elsewhere in the next tick.
    pub fn moves(&self) -> bool {
        self.moving
            || self.trail.is_some()
            || self.march.speed > 0.0
            || self.march.now > 0.0
            || self.march.wheels != 0.0
            || self.pace != (DVec3::ZERO, 0.0)
    }

    /// Which way the frame walks, radians: where its head looks and the march's own heading from there.
    fn direction(&self) -> f64 {
        let looks = self.slots.places.first().map_or(0.0, |head| head.heading);
        self.order.pose.turn + looks + self.march.heading
    }

    /// Takes its frame along with the leader, after a tick of `dt` seconds; where there is none any more, it stays.
    pub fn go_with(&mut self, world: &World, group: usize, dt: f64) {
        let reach = self.slots.places.iter().map(|place| place.position.length()).fold(0.0, f64::max);
        let Some(trail) = &mut self.trail else { return };
        trail.turn(world, group, reach + trail.offset.at.length(), dt);
        self.take_along(world, group);
    }

    /// Puts its frame where its leader is now.
    pub fn take_along(&mut self, world: &World, group: usize) {
        let carried = self.trail.and_then(|trail| trail.carried(world, group));
        self.pace = match carried {
            Some((pose, velocity, wheel)) => {
                self.order.pose = pose;
                (velocity, wheel)
            }
            None => (DVec3::ZERO, 0.0),
        };
    }

    /// Walks one tick of `dt` seconds, and finds the pace of the next.
    pub fn walk(&mut self, dt: f64) {
        let (walk, wheel) = self.pace;
        self.order.pose.at += walk * dt;
        self.order.pose.turn = crate::sim::wrap_angle(self.order.pose.turn + wheel * dt);
        self.walked |= walk != DVec3::ZERO || wheel != 0.0;
        self.march.now = self.march.coming(dt);
        let speed = self.march.now;
        let turn = if speed > 0.0 { self.march.turn } else { 0.0 };
        // The outermost place takes up its speed no faster than the frame does.
        let reach = self.slots.places.iter().map(|place| place.position.length()).fold(1.0, f64::max);
        let most = self.march.acceleration.max(0.0) * dt / reach;
        let wheel = self.march.wheels + (turn - self.march.wheels).clamp(-most, most);
        self.march.wheels = wheel;
        self.pace = (crate::sim::angle::direction(self.direction()) * speed, wheel);
    }

    /// Where the first and the last place stand, for the base line.
    pub fn base_line(&self) -> Option<(DVec3, DVec3)> {
        let first = self.place(0)?.position;
        let last = self.place(self.slots.len().checked_sub(1)?)?.position;
        Some((first, last))
    }
}
