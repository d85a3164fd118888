//! Passings of a line: the N–t curve, flow and headways, and the gate that counts them while a run goes on.

use std::collections::VecDeque;

use glam::DVec2;

use super::line::Line;
use crate::sim::AgentId;
use crate::sim::space::short_way;

/// Flow in 1/s of people who pass at these times (s, ascending): (N − 1)/Δt from the first to the last; none for fewer than
/// two, or all at once.
pub fn flow(times: &[f64]) -> Option<f64> {
    let (first, last) = (times.first()?, times.last()?);
    (last > first).then(|| (times.len() - 1) as f64 / (last - first))
}

/// The flow between shares of those who pass, such as from 0.1 to 0.9 (without the first rush and the last ones).
///
/// From the
/// passing with the number ⌊from·N⌋ to that with ⌊to·N⌋, counted from 0 and at most the last.
pub fn flow_of_share(times: &[f64], from: f64, to: f64) -> Option<f64> {
    let last = times.len().checked_sub(1)?;
    let number = |share: f64| ((share * times.len() as f64) as usize).min(last);
    flow(times.get(number(from)..=number(to))?)
}

/// Seconds between one passing and the next.
pub fn headways(times: &[f64]) -> impl Iterator<Item = f64> + '_ {
    times.windows(2).map(|pair| pair[1] - pair[0])
}

/// Somebody passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passing {
    /// When, in s, between two ticks.
    pub time: f64,
    /// Who.
    pub agent: AgentId,
    /// Whether in the positive direction.
    pub forward: bool,
}

/// What a gate knows of an agent.
#[derive(Debug, Clone, Copy, Default)]
struct Walker {
    /// 0 is nobody yet.
    generation: u32,
    known: bool,
    position: DVec2,
    /// Crossings forwards minus those backwards: now, at most and at least so far.
    net: i32,
    most: i32,
    least: i32,
    /// Which way it went when its cell first met the line.
    way: Option<i8>,
}

/// Counts at a line.
///
/// Somebody passes when their crossings forwards minus those backwards reach a new extreme. So swaying on the line counts
/// once, as in PedPy, where only the first crossing of each person counts; and in a world that wraps each lap counts anew.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Where.
    pub line: Line,
    /// Seconds over which the flow is taken.
    pub window: f64,
    walkers: Vec<Walker>,
    forward: u64,
    backward: u64,
    /// Times of passings in the window, after the last one before it.
    recent: VecDeque<f64>,
    /// Passings of the last tick, in order of time.
    passed: Vec<Passing>,
}

impl Gate {
    /// A gate that nobody has passed, with a window in seconds.
    pub fn new(line: Line, window: f64) -> Self {
        Self { line, window, walkers: Vec::new(), forward: 0, backward: 0, recent: VecDeque::new(), passed: Vec::new() }
    }

    /// Before the agents of a tick.
    pub fn begin(&mut self) {
        self.passed.clear();
    }

    /// An agent at the end of a tick from `from` to `to` seconds. The step is the short way round where the world wraps.
    pub fn observe(&mut self, agent: AgentId, position: DVec2, (from, to): (f64, f64), period: DVec2) {
        let slot = agent.slot as usize;
        if self.walkers.len() <= slot {
            self.walkers.resize(slot + 1, Walker::default());
        }
        let walker = &mut self.walkers[slot];
        if !walker.known || walker.generation != agent.generation {
            *walker = Walker { generation: agent.generation, known: true, position, ..Walker::default() };
            return;
        }
        let step = short_way((position - walker.position).extend(0.0), period.extend(0.0)).truncate();
        walker.position = position;
        let Some(crossing) = self.line.crossing_wrapped(position - step, position, period) else { return };
        walker.net += if crossing.forward { 1 } else { -1 };
        let record = walker.net > walker.most || walker.net < walker.least;
        walker.most = walker.most.max(walker.net);
        walker.least = walker.least.min(walker.net);
        if record {
            self.passed.push(Passing { time: from + (to - from) * crossing.part, agent, forward: crossing.forward });
        }
    }

    /// After the agents of a tick that ends at `now` seconds.
    pub fn end(&mut self, now: f64) {
        self.passed.sort_unstable_by(|a, b| a.time.total_cmp(&b.time).then(a.agent.cmp(&b.agent)));
        for passing in &self.passed {
            self.recent.push_back(passing.time);
            *(if passing.forward { &mut self.forward } else { &mut self.backward }) += 1;
        }
        while self.recent.len() > 1 && self.recent[1] <= now - self.window {
            self.recent.pop_front();
        }
    }

    /// Passings of the last tick, in order of time.
    pub fn passed(&self) -> &[Passing] {
        &self.passed
    }

    /// N(t): how many passed so far, both ways together.
    pub fn count(&self) -> u64 {
        self.forward + self.backward
    }

    /// How many passed in the positive direction.
    pub fn forward(&self) -> u64 {
        self.forward
    }

    /// How many passed in the negative direction.
    pub fn backward(&self) -> u64 {
        self.backward
    }

    /// Flow in 1/s, ΔN/Δt, both ways together: from the last passing before the window (the very first one if there is none)
    /// to the last one in it, as PedPy `compute_flow` takes it between its windows. 0 if nobody passed for a window; none
    /// before the first passing, and while the passings of the first window are less than 1 s apart.
    pub fn flow(&self, now: f64) -> Option<f64> {
        let (first, last) = (*self.recent.front()?, *self.recent.back()?);
        if self.recent.len() == 1 {
            return (first <= now - self.window).then_some(0.0);
        }
        let early = first > now - self.window && last - first < 1.0;
        if early { None } else { flow_between(self.recent.len(), first, last) }
    }

    /// The species of an agent (PedPy `compute_species`): +1 if it walked along the normal when its cell first met the line,
    /// −1 against it. `meets` says whether the cell does now.
    pub fn way(&mut self, agent: AgentId, velocity: DVec2, meets: bool) -> i8 {
        let across = velocity.dot(self.line.normal());
        let sign = i8::from(across > 0.0) - i8::from(across < 0.0);
        let walker = self.walkers.get_mut(agent.slot as usize).filter(|walker| walker.generation == agent.generation);
        match walker {
            Some(walker) if meets => *walker.way.get_or_insert(sign),
            Some(walker) => walker.way.unwrap_or(0),
            None => sign,
        }
    }
}

fn flow_between(passings: usize, first: f64, last: f64) -> Option<f64> {
    (last > first).then(|| (passings - 1) as f64 / (last - first))
}
