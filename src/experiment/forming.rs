//! A group in formation: the order, its places, who has which.

use glam::DVec3;

use crate::formation::{self, Assignment, Method, Motion, Pose, Slots};
use crate::sim::{AgentId, Place, SimCommand, Value, World};

/// What was ordered.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Name of the formation.
    pub name: String,
    /// Parameters that differ from its defaults: of the order and of the group, the order's last.
    pub params: Vec<(String, Value)>,
    /// Where its frame stands.
    pub pose: Pose,
    /// The tick of the order.
    pub tick: u64,
}

/// A formation that a group holds.
#[derive(Clone, Debug)]
pub struct Forming {
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
}

impl Forming {
    /// Gives the places of `slots` to the living agents of a group: least sum of squared distances.
    ///
    /// # Errors
    /// A text that says why no assignment exists (a position that is not finite).
    pub fn new(world: &World, group: usize, order: Order, slots: Slots, moving: bool) -> Result<Self, String> {
        let members = &world.groups[group].members;
        let agents: Vec<DVec3> = members.iter().map(|slot| world.agents.position[*slot as usize]).collect();
        let places: Vec<DVec3> = slots.places.iter().map(|place| order.pose.point(place.position)).collect();
        let assignment = formation::assign(&agents, &places, Method::Optimal).map_err(|error| error.to_string())?;
        let largest_move = assignment.largest_move(&agents, &places);
        let ids = members.iter().map(|slot| world.agents.id(*slot));
        let holders = ids.zip(assignment.slot_of.iter().copied()).collect();
        Ok(Self { order, slots, next: None, motion: Vec::new(), holders, assignment, largest_move, moving })
    }

    /// Writes every holder's place into the world.
    pub fn place_agents(&self, world: &mut World) {
        for (id, place) in &self.holders {
            let place = place.and_then(|index| self.place(index));
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
        Some(Place {
            index: index as u32,
            position: place.position,
            velocity: turned.point(motion.velocity),
            heading: place.heading,
            turn_rate: motion.turn_rate,
        })
    }

    /// Where the first and the last place stand, for the base line.
    pub fn base_line(&self) -> Option<(DVec3, DVec3)> {
        let first = self.place(0)?.position;
        let last = self.place(self.slots.len().checked_sub(1)?)?.position;
        Some((first, last))
    }
}
