//! How much checking and correcting a command costs: position checks, angle corrections, collision predictions.
//!
//! A *position check* is one agent comparing its position with its place in one tick. An *angle correction* is one agent turning on
//! its own account in one tick. A *collision prediction* is one pair of agents whose closest approach within the next half second
//! is worked out, one of the two moving; it is a *hit* if their bodies would touch.

use serde::Serialize;

use crate::measure::closest_approach;
use crate::sim::{Intents, Neighbor, NeighborFilter, World};

/// How far ahead collisions are predicted, s.
const AHEAD_SECS: f64 = 0.5;

/// Slower than this an agent stands, m/s.
const STANDS: f64 = 0.01;

/// Slower than this an agent does not turn, rad/s.
const TURNS: f64 = 0.01;

/// Larger groups are not counted: it would cost more than the tick.
const UP_TO: usize = 2000;

/// What happened from one command to a group to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CommandCount {
    /// The tick at which it was issued.
    pub tick: u64,
    /// The command in words.
    pub command: String,
    /// Comparisons of a position with a place.
    pub position_checks: u64,
    /// Ticks of agents that turned.
    pub angle_corrections: u64,
    /// Pairs whose closest approach was worked out.
    pub collision_predictions: u64,
    /// Those of them that would touch.
    pub predicted_hits: u64,
}

/// Commands that are kept per group; the oldest of very many go.
const KEPT: usize = 256;

/// The counts of all groups.
#[derive(Clone, Debug, Default)]
pub struct Counting {
    groups: Vec<Vec<CommandCount>>,
    near: Vec<Neighbor>,
}

impl Counting {
    /// No command yet.
    pub fn new(groups: usize) -> Self {
        Self { groups: vec![Vec::new(); groups], near: Vec::new() }
    }

    /// A command to a group.
    pub fn ordered(&mut self, group: usize, tick: u64, command: &str) {
        let Some(counts) = self.groups.get_mut(group) else { return };
        if counts.len() == KEPT {
            counts.remove(0);
        }
        counts.push(CommandCount { tick, command: command.to_owned(), ..CommandCount::default() });
    }

    /// Counts what one tick did.
    pub fn watch(&mut self, world: &World, intents: &[Intents]) {
        for ((group, counts), intents) in world.groups.iter().zip(&mut self.groups).zip(intents) {
            let Some(count) = counts.last_mut().filter(|_| group.members.len() <= UP_TO) else { continue };
            for (slot, intent) in group.members.iter().zip(intents.each()) {
                let at = *slot as usize;
                count.position_checks += u64::from(world.agents.place[at].is_some());
                count.angle_corrections += u64::from(intent.turn.is_some_and(|turn| turn.abs() > TURNS));
                if world.agents.speed(at) > STANDS {
                    predict(world, *slot, &mut self.near, count);
                }
            }
        }
    }

    /// The commands to a group with their counts, oldest first.
    pub fn of(&self, group: usize) -> &[CommandCount] {
        self.groups.get(group).map_or(&[], Vec::as_slice)
    }
}

/// Looks at the pairs of a moving agent with all that are within reach in that time. Of two that move the one with the smaller
/// number does it.
fn predict(world: &World, slot: u32, near: &mut Vec<Neighbor>, count: &mut CommandCount) {
    let agents = &world.agents;
    let own = slot as usize;
    let reach = 2.0 * (agents.radius[own] + agents.max_speed[own] * AHEAD_SECS);
    world.neighbors(slot, reach, NeighborFilter::default(), near);
    for row in near.iter() {
        let other = row.slot as usize;
        if other < own && agents.speed(other) > STANDS {
            continue;
        }
        count.collision_predictions += 1;
        let relative = agents.velocity[other] - agents.velocity[own];
        let closest = closest_approach(row.offset, relative, AHEAD_SECS);
        count.predicted_hits += u64::from(closest < agents.radius[own] + agents.radius[other]);
    }
}
