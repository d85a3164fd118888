//! Who takes which place.
//!
//! The least sum of *squared* distances is the one that keeps agents apart: if starts and places are at least δ apart and
//! all walk straight and in step, none come closer than δ/√2 (Turpin, Michael, Kumar, IJRR 2014, doi
//! 10.1177/0278364913515307). Nearest first is there for comparison; it lets almost every crowd of twenty come closer.

use glam::DVec3;

use super::cluster;
use super::error::AssignError;

/// Up to this many agents or places the optimum is found at once (about 10 ms); above it, in clusters.
pub const OPTIMAL_UP_TO: usize = 500;

/// When a new assignment is worth that agents change their places: both have to be exceeded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The part of the old cost that has to be gained, so that noise on the way changes no places.
    pub gain: f64,
    /// What has to be gained per agent, in m²: noise at rest is all gain and no distance.
    pub least: f64,
}

impl Default for Threshold {
    /// 5 %, and one centimeter squared per agent.
    fn default() -> Self {
        Self { gain: 0.05, least: 1e-4 }
    }
}

/// How places are given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Least sum of squared distances.
    #[default]
    Optimal,
    /// In the order of agents, each takes the nearest free place.
    Greedy,
    /// Agent i takes place i.
    ByOrder,
}

impl Method {
    /// All names, in the order of the enum.
    pub const NAMES: &'static [&'static str] = &["optimal", "greedy", "by_order"];

    /// The name in scenes and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Greedy => "greedy",
            Self::ByOrder => "by_order",
        }
    }

    /// The method of this name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Optimal, Self::Greedy, Self::ByOrder].into_iter().find(|method| method.name() == name)
    }
}

/// How places were given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodUsed {
    /// One linear assignment on squared distance.
    Optimal,
    /// Linear assignment within this many clusters, then exchanges between them.
    Clustered(usize),
    /// Nearest free place in the order of agents.
    Greedy,
    /// Agent i takes place i.
    ByOrder,
    /// The assignment before, which the new one did not beat by enough.
    Kept,
}

impl std::fmt::Display for MethodUsed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Optimal => write!(f, "lsap on squared distance"),
            Self::Clustered(count) => write!(f, "{count} clusters, lsap in each"),
            Self::Greedy => write!(f, "greedy in id order"),
            Self::ByOrder => write!(f, "by order"),
            Self::Kept => write!(f, "kept"),
        }
    }
}

/// Which place each agent takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// Place of each agent, in the order of agents; `None` for those left over when places are too few.
    pub slot_of: Vec<Option<usize>>,
    /// How it was found.
    pub method_used: MethodUsed,
    /// Sum of squared distances, in m².
    pub cost: f64,
}

impl Assignment {
    fn of(slot_of: Vec<Option<usize>>, method_used: MethodUsed, agents: &[DVec3], slots: &[DVec3]) -> Self {
        let cost = cost_of(&slot_of, agents, slots);
        Self { slot_of, method_used, cost }
    }

    /// The longest way anybody has to go, in meters.
    pub fn largest_move(&self, agents: &[DVec3], slots: &[DVec3]) -> f64 {
        pairs(&self.slot_of, agents, slots).map(|(agent, slot)| agent.distance(slot)).fold(0.0, f64::max)
    }
}

/// Gives each agent a place, as many as there are of both.
///
/// # Errors
/// A position that is not finite is refused by its index before anything is solved.
pub fn assign(agents: &[DVec3], slots: &[DVec3], method: Method) -> Result<Assignment, AssignError> {
    check(agents, slots)?;
    let (slot_of, used) = match method {
        Method::ByOrder => (by_order(agents.len(), slots.len()), MethodUsed::ByOrder),
        Method::Greedy => (greedy(agents, slots), MethodUsed::Greedy),
        Method::Optimal if agents.len().max(slots.len()) <= OPTIMAL_UP_TO => {
            (optimal(agents, slots)?, MethodUsed::Optimal)
        }
        Method::Optimal => {
            let (slot_of, clusters) = cluster::assign(agents, slots)?;
            (slot_of, MethodUsed::Clustered(clusters))
        }
    };
    Ok(Assignment::of(slot_of, used, agents, slots))
}

/// Assigns anew, but keeps `current` unless it does not fit or the new one saves more than `threshold` asks for.
///
/// Who has no place in `current`, or one that is no more, gets one of those that are free: when one comes or goes, the others
/// stay.
///
/// # Errors
/// As [`assign`].
pub fn reassign(
    current: &[Option<usize>],
    agents: &[DVec3],
    slots: &[DVec3],
    method: Method,
    threshold: Threshold,
) -> Result<Assignment, AssignError> {
    let new = assign(agents, slots, method)?;
    let Some(kept) = filled(current, agents, slots)? else { return Ok(new) };
    let old = cost_of(&kept, agents, slots);
    let gain = old - new.cost;
    if gain > threshold.gain * old && gain > threshold.least * agents.len() as f64 {
        return Ok(new);
    }
    Ok(Assignment { slot_of: kept, method_used: MethodUsed::Kept, cost: old })
}

/// `current` with the holes filled at the least cost; none if it is of another group, gives a place twice, or nobody has any.
fn filled(
    current: &[Option<usize>],
    agents: &[DVec3],
    slots: &[DVec3],
) -> Result<Option<Vec<Option<usize>>>, AssignError> {
    if current.len() != agents.len() {
        return Ok(None);
    }
    let mut kept: Vec<Option<usize>> = current.iter().map(|slot| slot.filter(|slot| *slot < slots.len())).collect();
    let mut free = vec![true; slots.len()];
    for &slot in kept.iter().flatten() {
        if !std::mem::replace(&mut free[slot], false) {
            return Ok(None);
        }
    }
    if kept.iter().all(Option::is_none) {
        return Ok(None);
    }
    let without: Vec<usize> = (0..kept.len()).filter(|agent| kept[*agent].is_none()).collect();
    let open: Vec<usize> = (0..free.len()).filter(|slot| free[*slot]).collect();
    if !without.is_empty() && !open.is_empty() {
        let from: Vec<DVec3> = without.iter().map(|agent| agents[*agent]).collect();
        let to: Vec<DVec3> = open.iter().map(|slot| slots[*slot]).collect();
        let found = assign(&from, &to, Method::Optimal)?;
        for (agent, slot) in without.into_iter().zip(found.slot_of) {
            kept[agent] = slot.map(|slot| open[slot]);
        }
    }
    Ok(Some(kept))
}

/// Larger coordinates have no finite squared distance.
fn check(agents: &[DVec3], slots: &[DVec3]) -> Result<(), AssignError> {
    let bad = |p: &DVec3| !p.is_finite() || p.abs().max_element() > 1e150;
    if let Some(index) = agents.iter().position(bad) {
        return Err(AssignError::Agent(index));
    }
    if let Some(index) = slots.iter().position(bad) {
        return Err(AssignError::Slot(index));
    }
    Ok(())
}

fn pairs<'p>(
    slot_of: &'p [Option<usize>],
    agents: &'p [DVec3],
    slots: &'p [DVec3],
) -> impl Iterator<Item = (DVec3, DVec3)> + 'p {
    agents.iter().zip(slot_of).filter_map(|(agent, slot)| Some((*agent, *slots.get((*slot)?)?)))
}

fn cost_of(slot_of: &[Option<usize>], agents: &[DVec3], slots: &[DVec3]) -> f64 {
    pairs(slot_of, agents, slots).map(|(agent, slot)| agent.distance_squared(slot)).sum()
}

fn by_order(agents: usize, slots: usize) -> Vec<Option<usize>> {
    (0..agents).map(|agent| (agent < slots).then_some(agent)).collect()
}

/// Of equally near places the first is taken.
fn greedy(agents: &[DVec3], slots: &[DVec3]) -> Vec<Option<usize>> {
    let mut free = vec![true; slots.len()];
    let mut take = |agent: &DVec3| {
        let nearest = (0..slots.len())
            .filter(|&slot| free[slot])
            .min_by(|&a, &b| agent.distance_squared(slots[a]).total_cmp(&agent.distance_squared(slots[b])))?;
        free[nearest] = false;
        Some(nearest)
    };
    agents.iter().map(&mut take).collect()
}

/// The least sum of squared distances.
pub(crate) fn optimal(agents: &[DVec3], slots: &[DVec3]) -> Result<Vec<Option<usize>>, AssignError> {
    let mut costs = Vec::with_capacity(agents.len() * slots.len());
    for agent in agents {
        costs.extend(slots.iter().map(|slot| agent.distance_squared(*slot)));
    }
    let unsolved = AssignError::Unsolved { agents: agents.len(), slots: slots.len() };
    let Ok((rows, columns)) = lsap::solve(agents.len(), slots.len(), &costs, false) else {
        return Err(unsolved);
    };
    let mut slot_of = vec![None; agents.len()];
    for (row, column) in rows.into_iter().zip(columns) {
        slot_of[row] = Some(column);
    }
    Ok(slot_of)
}
