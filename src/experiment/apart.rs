//! How places were given out, and whether the ways to them keep bodies apart: what the report and the panel say of it.

use serde::Serialize;

use super::core::Experiment;
use super::forming::Forming;
use crate::formation::{self, Capt, GUARANTEED_UP_TO, Method, Nearest};
use crate::machine::program::{Leaf, Program};
use crate::sim::{AgentId, Value, World};
use crate::steer::Source;
use crate::steer::blend::ForceRef;

/// Faster than this, m/s, an agent does not count as at rest when an order comes.
const AT_REST: f64 = 0.05;

/// How the places of a formation were given out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AssignmentRun {
    /// The method, in words.
    pub method: String,
    /// Sum of squared ways, m².
    pub squared: f64,
    /// What the nearest free place in the order of agents would have cost, m², to compare; null for more than 1,500.
    pub greedy: Option<f64>,
    /// The longest way, m.
    pub largest_move: f64,
    /// What all take to their places who go in step, s; 0 where they do not.
    pub seconds: f64,
    /// Whether the ways keep bodies apart; null for more than 1,500 agents.
    pub apart: Option<ApartRun>,
    /// How often agents changed their places without an order, because that gained more than the threshold.
    pub reassigned: u64,
    /// How often a better assignment was looked for and not taken.
    pub kept: u64,
}

/// The guarantee of Turpin, Michael and Kumar 2014 (CAPT) for the last order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ApartRun {
    /// Whether no two bodies can touch, as long as each stays within `slack` of its way.
    pub guaranteed: bool,
    /// Radius of the largest body, m.
    pub radius: f64,
    /// How far apart starts and places must be, 2√2·R, m.
    pub needed: f64,
    /// The two nearest starts; null with fewer than two agents.
    pub starts: Option<PairRun>,
    /// The two nearest places.
    pub places: Option<PairRun>,
    /// The two that come nearest on straight ways in step.
    pub closest: Option<PairRun>,
    /// How far each may be off its way before two can touch, m; negative where the distances are too small.
    pub slack: Option<f64>,
    /// What is against the guarantee; empty where it holds.
    pub why: Vec<String>,
}

/// Two agents and a distance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PairRun {
    /// m, from center to center.
    pub distance: f64,
    /// Their numbers.
    pub agents: (f64, f64),
}

impl Experiment {
    /// What the last order to a group came to.
    pub(super) fn assignment_run(&self, group: usize, forming: &Forming) -> AssignmentRun {
        let world = &self.world;
        let held: Vec<(AgentId, usize, glam::DVec3)> = forming
            .holders
            .iter()
            .zip(&forming.starts)
            .filter_map(|((agent, place), start)| Some((*agent, (*place)?, *start)))
            .collect();
        let starts: Vec<glam::DVec3> = held.iter().map(|(.., start)| *start).collect();
        let slots: Vec<glam::DVec3> =
            (0..forming.slots.len()).filter_map(|index| Some(forming.place(index)?.position)).collect();
        let goals: Vec<glam::DVec3> = held.iter().filter_map(|(_, place, _)| slots.get(*place).copied()).collect();
        let ids: Vec<AgentId> = held.iter().map(|(agent, ..)| *agent).collect();
        let radius = ids.iter().filter_map(|agent| world.agents.find(*agent)).map(|slot| world.agents.radius[slot]);
        let capt = Capt::of(&starts, &goals, radius.fold(0.0, f64::max));
        let greedy = (starts.len() <= GUARANTEED_UP_TO)
            .then(|| formation::assign(&forming.starts, &slots, Method::Greedy).ok().map(|greedy| greedy.cost));
        let in_step = self.goes_in_step(group);
        AssignmentRun {
            method: forming.assignment.method_used.to_string(),
            squared: forming.assignment.cost,
            greedy: greedy.flatten(),
            largest_move: forming.largest_move,
            seconds: if in_step { forming.secs } else { 0.0 },
            apart: capt.map(|capt| {
                let why = self.against(group, forming, &capt, &ids, in_step);
                apart_run(&capt, &ids, why)
            }),
            reassigned: self.groups[group].reassigned.0,
            kept: self.groups[group].reassigned.1,
        }
    }

    /// Whether some state of a group's mind goes to its place in step with the others.
    fn goes_in_step(&self, group: usize) -> bool {
        let state = &self.groups[group];
        state.program.leaves.iter().any(|leaf| uses(&state.program, leaf, &state.values, &["transit"]))
    }

    /// What is against the guarantee, in words.
    fn against(&self, group: usize, forming: &Forming, capt: &Capt, ids: &[AgentId], in_step: bool) -> Vec<String> {
        let mut why = Vec::new();
        let pair = |nearest: Nearest| format!("agents {} and {}", ids[nearest.pair.0], ids[nearest.pair.1]);
        let needed = capt.needed();
        for (what, nearest) in [("start", capt.starts), ("have their places", capt.places)] {
            if let Some(nearest) = nearest.filter(|nearest| nearest.distance < needed) {
                why.push(format!("{} {what} {:.2} m apart, {needed:.2} m are needed", pair(nearest), nearest.distance));
            }
        }
        if let Some((a, b)) = capt.unordered {
            why.push(format!("agents {} and {} would gain by exchanging their places", ids[a], ids[b]));
        }
        if !in_step {
            let behavior = self.groups[group].behavior.as_deref().unwrap_or("nothing");
            why.push(format!("`{behavior}` does not go in step on straight ways: only the force `transit` does"));
        }
        if let Some((agent, speed)) = forming.moving_at_start.filter(|(_, speed)| *speed > AT_REST) {
            why.push(format!("agent {agent} was not at rest: {speed:.2} m/s"));
        }
        let left = forming.holders.len() - ids.len();
        if left > 0 {
            why.push(format!("{left} without a place stand in the way"));
        }
        if forming.moves() {
            why.push("the places move".to_owned());
        }
        if !self.world.obstacles.blocks_nothing() {
            why.push("obstacles lead off the straight ways".to_owned());
        }
        if self.posting.carries(group) {
            why.push("the order comes by a network, not to all at once".to_owned());
        }
        why
    }
}

fn apart_run(capt: &Capt, ids: &[AgentId], why: Vec<String>) -> ApartRun {
    let pair = |nearest: Nearest| PairRun {
        distance: nearest.distance,
        agents: (ids[nearest.pair.0].number(), ids[nearest.pair.1].number()),
    };
    let slack = capt.slack();
    ApartRun {
        guaranteed: capt.holds() && why.is_empty(),
        radius: capt.radius,
        needed: capt.needed(),
        starts: capt.starts.map(pair),
        places: capt.places.map(pair),
        closest: capt.closest.map(pair),
        slack: slack.is_finite().then_some(slack),
        why,
    }
}

/// Whether a state uses one of these forces, or the twin of one, with a weight that is not 0 now.
pub(super) fn uses(program: &Program, leaf: &Leaf, values: &[Value], forces: &[&str]) -> bool {
    let on = |weight: Source| match weight {
        Source::Slider(index) => {
            let value = values.get(index).or_else(|| program.sliders.get(index).map(|slider| &slider.spec.default));
            !matches!(value, Some(Value::Number(number)) if *number == 0.0)
        }
        Source::Memory(_) => true,
    };
    leaf.terms.iter().any(|term| {
        let name = match &term.force {
            ForceRef::Native(name) => name.as_str(),
            ForceRef::Scripted(name) => name.strip_suffix("_lua").unwrap_or(name),
            ForceRef::InPlace => return false,
        };
        forces.contains(&name) && on(term.weight)
    })
}

/// What all of a group take to go `ways` in step: nobody faster than his body can, with a tenth left for corrections. Each way
/// is a length in m with its agent's slot.
pub(super) fn common_secs(world: &World, ways: impl Iterator<Item = (f64, usize)>) -> f64 {
    /// Share of speed and acceleration that the way itself may use.
    const SHARE: f64 = 0.9;
    use crate::steer::law::{PEAK_ACCELERATION, PEAK_SPEED};
    let agents = &world.agents;
    let secs = |(length, slot): (f64, usize)| {
        let (speed, acceleration) = (SHARE * agents.max_speed[slot], SHARE * agents.max_acceleration[slot]);
        let by_speed = PEAK_SPEED * length / speed.max(1e-3);
        let by_acceleration = (PEAK_ACCELERATION * length / acceleration.max(1e-3)).sqrt();
        // A way much shorter than the body's own delays is no way.
        by_speed.max(by_acceleration).max(4.0 * (agents.lag[slot] + agents.dead_time[slot]))
    };
    ways.map(secs).fold(0.0, f64::max)
}
