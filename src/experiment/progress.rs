//! The watchdog of progress: who wants to its goal or place and comes no nearer is stuck; who then gets nearer is freed. The rule
//! is that of [`crate::sim::stuck`], for the distance that is left.
//!
//! Force-free in a local minimum, an agent asks for nothing: so what counts is the distance, not what is asked for (F22), of agents
//! in a state with a force that leads to a place or goal (`seek_slot`, `track_slot`, `transit`, `seek_goal` and their twins). Both
//! are events, `stuck` and `freed`, that machines hear in the next tick.

use serde::Serialize;

use glam::DVec3;

use super::apart::uses;
use super::core::GroupState;
use crate::sim::stuck::Progress as Way;
use crate::sim::{AgentId, Intents, World};

/// An agent that comes no nearer for so long is stuck, s.
pub const NO_PROGRESS_SECS: f64 = 3.0;

/// How near counts as there beyond two radii, m.
const NEAR_M: f64 = 0.1;

/// Checks per second.
const CHECKS_HZ: f64 = 10.0;

/// Forces that lead to a place of a formation, and to a goal.
const TO_PLACE: &[&str] = &["seek_slot", "track_slot", "transit"];
const TO_GOAL: &[&str] = &["csm", "driving", "follow_path", "seek_goal"];

/// What the watchdog saw of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ProgressRun {
    /// Agents that are stuck now.
    pub now: u64,
    /// How often one got stuck.
    pub stuck: u64,
    /// How often one was freed: came nearer again.
    pub freed: u64,
    /// When the first got stuck, s.
    pub first_at: Option<f64>,
    /// The longest that one was stuck, s; who still is counts too.
    pub longest: f64,
}

/// What one agent was seen to do.
#[derive(Clone, Copy, Debug)]
struct Seen {
    life: u32,
    /// Where it wants to be, m.
    target: DVec3,
    /// How far that was at the last look, m.
    distance: f64,
    /// How it gets on.
    progress: Way,
}

impl Seen {
    fn is_stuck(&self, dt: f64) -> bool {
        self.progress.is_stuck(NO_PROGRESS_SECS, dt)
    }
}

/// Who got stuck or free in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Who.
    pub agent: AgentId,
    /// Index of its group.
    pub group: usize,
    /// Stuck, else freed.
    pub stuck: bool,
    /// Seconds without progress.
    pub secs: f64,
}

/// The watchdog of a run.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// By slot.
    seen: Vec<Option<Seen>>,
    groups: Vec<ProgressRun>,
    /// Lines of the log about each group, and when the last one was written, s.
    told: Vec<(u32, f64)>,
}

/// How a line of the log tells what became of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Who got stuck or free.
    Each,
    /// How many are stuck.
    Sum,
}

/// So many lines of the log tell of a group one by one; then there is a sum from time to time.
const FEW_LINES: u32 = 6;

/// Time between two such sums, s.
const SUM_EVERY_SECS: f64 = 10.0;

impl Progress {
    /// Nothing was seen yet.
    pub fn new(groups: usize) -> Self {
        Self { seen: Vec::new(), groups: vec![ProgressRun::default(); groups], told: vec![(0, 0.0); groups] }
    }

    /// Looks at all agents; who got stuck or free is put into `out`, by group and number. `intents` are those of the tick that
    /// ended.
    pub fn watch(&mut self, world: &World, groups: &[GroupState], intents: &[Intents], out: &mut Vec<Change>) {
        out.clear();
        let every = checks_every(world);
        let dt = every as f64 * world.dt();
        if !world.tick.is_multiple_of(every) {
            return;
        }
        self.seen.resize(world.agents.slots(), None);
        for (index, (group, state)) in world.groups.iter().zip(groups).enumerate() {
            let Some(intents) = intents.get(index) else { continue };
            let run = &mut self.groups[index];
            run.now = 0;
            let leads: Vec<Leads> = state.program.leaves.iter().map(|leaf| Leads::of(state, leaf)).collect();
            for (slot, intent) in group.members.iter().zip(intents.each()) {
                let slot = *slot as usize;
                let most = intent.limits.max_speed.unwrap_or(world.agents.max_speed[slot]);
                let leads = leads.get(usize::from(intent.state)).copied().unwrap_or_default();
                let target = if most > 0.0 { target(world, slot, leads) } else { None };
                let change = self.seen[slot].look(world, slot, target, most);
                let mut at = Change { agent: world.agents.id(slot as u32), group: index, stuck: true, secs: 0.0 };
                let stuck_for = |seen: &Seen| seen.progress.secs(dt);
                match change {
                    Some(Turn::Stuck) => {
                        run.stuck += 1;
                        run.first_at.get_or_insert_with(|| world.time());
                        at.secs = self.seen[slot].as_ref().map_or(0.0, stuck_for);
                        out.push(at);
                    }
                    Some(Turn::Freed(secs)) => {
                        run.freed += 1;
                        run.longest = run.longest.max(secs);
                        (at.stuck, at.secs) = (false, secs);
                        out.push(at);
                    }
                    None => {}
                }
                if let Some(seen) = self.seen[slot].as_ref().filter(|seen| seen.is_stuck(dt)) {
                    run.now += 1;
                    run.longest = run.longest.max(stuck_for(seen));
                }
            }
        }
    }

    /// How the log tells of changes of a group; none if it said enough for now.
    pub fn tells(&mut self, group: usize, time: f64) -> Option<Telling> {
        let (lines, last) = self.told.get_mut(group)?;
        if *lines >= FEW_LINES && time - *last < SUM_EVERY_SECS {
            return None;
        }
        (*lines, *last) = (*lines + 1, time);
        Some(if *lines <= FEW_LINES { Telling::Each } else { Telling::Sum })
    }

    /// Whether an agent is stuck.
    pub fn is_stuck(&self, world: &World, slot: usize) -> bool {
        let seen = self.seen.get(slot).copied().flatten();
        let dt = checks_every(world) as f64 * world.dt();
        seen.is_some_and(|seen| seen.life == world.agents.generation[slot] && seen.is_stuck(dt))
    }

    /// What was seen of a group; none if nobody ever got stuck.
    pub fn of(&self, group: usize) -> Option<ProgressRun> {
        self.groups.get(group).copied().filter(|run| run.stuck > 0)
    }
}

/// Ticks from look to look.
fn checks_every(world: &World) -> u64 {
    (world.settings.tick_hz / CHECKS_HZ).max(1.0) as u64
}

/// Where the forces of a state lead.
#[derive(Clone, Copy, Debug, Default)]
struct Leads {
    place: bool,
    goal: bool,
}

impl Leads {
    fn of(state: &GroupState, leaf: &crate::machine::program::Leaf) -> Self {
        let uses = |forces| uses(&state.program, leaf, &state.values, forces);
        Self { place: uses(TO_PLACE), goal: uses(TO_GOAL) }
    }
}

/// Where an agent wants to be, and how near counts as there, m; none for a place that moves, to which the distance says nothing.
fn target(world: &World, slot: usize, leads: Leads) -> Option<(DVec3, f64)> {
    let (agents, group) = (&world.agents, world.group_of(slot));
    let near = 2.0 * agents.radius[slot] + NEAR_M;
    // A goal of all is a crowd round it: as wide as discs of one and a half diameters.
    let crowd = 3.0 * agents.radius[slot] * (group.members.len() as f64).sqrt();
    let goal = agents.goal[slot].map(|goal| (goal, near)).or_else(|| group.goal.map(|goal| (goal, near + crowd)));
    match (agents.place[slot], goal) {
        (Some(place), _) if leads.place => (place.velocity == DVec3::ZERO).then_some((place.position, near)),
        (_, goal) if leads.goal => goal,
        _ => None,
    }
}

/// What became of an agent.
enum Turn {
    Stuck,
    Freed(f64),
}

trait Look {
    fn look(&mut self, world: &World, slot: usize, target: Option<(DVec3, f64)>, most: f64) -> Option<Turn>;
}

impl Look for Option<Seen> {
    /// Looks at the distance to `target` and how near counts as there; `most` is the agent's largest speed. Who is there, wants
    /// somewhere else, or nowhere in a state that does other things, begins anew.
    fn look(&mut self, world: &World, slot: usize, target: Option<(DVec3, f64)>, most: f64) -> Option<Turn> {
        let agents = &world.agents;
        let life = agents.generation[slot];
        let before = self.take().filter(|seen| seen.life == life);
        let dt = checks_every(world) as f64 * world.dt();
        let freed = |seen: &Seen| seen.is_stuck(dt).then(|| Turn::Freed(seen.progress.secs(dt)));
        let Some((target, near)) = target else { return before.as_ref().and_then(freed) };
        let straight = world.offset(agents.position[slot], target).length();
        // Round a corner one comes nearer along the path only.
        let distance = if agents.course[slot].left > 0.0 { agents.course[slot].left } else { straight };
        let Some(seen) = before.filter(|seen| world.offset(seen.target, target).length() <= NEAR_M) else {
            *self = Some(Seen { life, target, distance, progress: Way::default() });
            return before.as_ref().and_then(freed);
        };
        let mut progress = seen.progress;
        progress.note(seen.distance - distance, if distance <= near { 0.0 } else { most }, NO_PROGRESS_SECS, dt);
        let now = Seen { target, distance, progress, ..seen };
        *self = Some(now);
        match (seen.is_stuck(dt), now.is_stuck(dt)) {
            (false, true) => Some(Turn::Stuck),
            (true, false) => freed(&seen),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW_LINES, Progress, Telling};

    #[test]
    fn the_log_tells_a_few_changes_and_then_a_sum_from_time_to_time() {
        let mut progress = Progress::new(2);
        let told: Vec<Option<Telling>> = (0..600).map(|tenth| progress.tells(0, f64::from(tenth) / 10.0)).collect();
        assert!(told[..FEW_LINES as usize].iter().all(|line| *line == Some(Telling::Each)));
        let sums = told.iter().filter(|line| **line == Some(Telling::Sum)).count();
        assert_eq!((told.iter().flatten().count(), sums), (6 + 5, 5), "in a minute");
        assert_eq!(progress.tells(1, 0.0), Some(Telling::Each), "each group for itself");
    }
}
