//! The contract of a formation: which terms hold, and how soon after each command all of them do.
//!
//! `settled_at` is the first tick after a command from which all terms hold to the next command or the end, and for at least
//! five ticks. `took` counts from the command's issue. Its limit is the contract's `settle` time plus
//! max(0, largest move − 0.5 m)/max speed: nobody is late who had a long way.

use super::measurer::Values;
use super::metric::{Metric, MetricSet};

/// Ticks in a row that all terms must hold to count as settled.
pub const DEBOUNCE_TICKS: u64 = 5;

/// The way that is free of charge in the limit for settling, in meters.
pub const FREE_MOVE_M: f64 = 0.5;

/// Settle records kept; older ones are folded into the worst.
const MOST_SETTLES: usize = 4096;

/// The limits of a contract; a term that is `None` is not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContractSpec {
    /// Largest |gap error| of neighbors against the places' own gaps, in meters.
    pub spacing: Option<f64>,
    /// Largest distance off the track, in meters.
    pub cross_track: Option<f64>,
    /// Largest distance ahead of or behind the own place, in meters.
    pub along_track: Option<f64>,
    /// Largest heading error, in radians.
    pub heading: Option<f64>,
    /// Circular standard deviation of heading errors, in radians; `None` takes `heading`.
    pub heading_sd: Option<f64>,
    /// What counts as aligned.
    pub aligned_by: Aligned,
    /// How well aligned the group must be, in the unit of its definition.
    pub aligned: Option<f64>,
    /// Below this a term that broke holds again, by [`Term::EACH_TICK`]; its limit where there is none.
    pub enter: [Option<f64>; Term::COUNT],
    /// Time to settle after a short move, in seconds.
    pub settle: Option<f64>,
}

/// What "aligned" means: the named definitions to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aligned {
    /// Least distance: the mean distance of the agents from their places, in meters.
    #[default]
    Distance,
    /// Greatest projection: what the ranks lack along their own direction, a share.
    Projection,
    /// Least hull: by how much the convex hull of the agents differs from that of their places, in m².
    Hull,
}

impl Aligned {
    /// The metric that measures it.
    pub const fn metric(self) -> Metric {
        match self {
            Self::Distance => Metric::SlotError,
            Self::Projection => Metric::Projection,
            Self::Hull => Metric::Hull,
        }
    }
}

/// A term of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// Spacing of neighbors.
    Spacing,
    /// Distance off the track.
    CrossTrack,
    /// Distance ahead of or behind the own place.
    AlongTrack,
    /// Largest heading error.
    Heading,
    /// Spread of the headings.
    HeadingSd,
    /// What the contract calls aligned.
    Aligned,
    /// Time to settle.
    Settle,
}

impl Term {
    /// The terms that hold or fail at each tick.
    pub const EACH_TICK: [Self; Self::COUNT] =
        [Self::Spacing, Self::CrossTrack, Self::AlongTrack, Self::Heading, Self::HeadingSd, Self::Aligned];

    /// How many those are.
    pub const COUNT: usize = 6;

    /// Name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Spacing => "spacing",
            Self::CrossTrack => "cross_track",
            Self::AlongTrack => "along_track",
            Self::Heading => "heading",
            Self::HeadingSd => "heading_sd",
            Self::Aligned => "aligned",
            Self::Settle => "settle",
        }
    }
}

impl ContractSpec {
    /// The limit of a term, if it is part of the contract.
    pub fn limit(&self, term: Term) -> Option<f64> {
        match term {
            Term::Spacing => self.spacing,
            Term::CrossTrack => self.cross_track,
            Term::AlongTrack => self.along_track,
            Term::Heading => self.heading,
            Term::HeadingSd => self.heading_sd.or(self.heading),
            Term::Aligned => self.aligned,
            Term::Settle => self.settle,
        }
    }

    /// What a term that broke must come down to, to hold again.
    pub fn enter(&self, term: Term) -> Option<f64> {
        let limit = self.limit(term)?;
        let enter = Term::EACH_TICK.iter().position(|each| *each == term).and_then(|index| self.enter[index]);
        Some(enter.map_or(limit, |enter| enter.min(limit)))
    }

    /// The metric that a term limits; `None` for the time to settle.
    pub fn metric(&self, term: Term) -> Option<Metric> {
        Some(match term {
            Term::Spacing => Metric::SpacingErrorMax,
            Term::CrossTrack => Metric::CrossTrackMax,
            Term::AlongTrack => Metric::AlongTrackMax,
            Term::Heading => Metric::HeadingErrorMax,
            Term::HeadingSd => Metric::HeadingSd,
            Term::Aligned => self.aligned_by.metric(),
            Term::Settle => return None,
        })
    }

    /// SI unit of a term.
    pub fn unit(&self, term: Term) -> &'static str {
        self.metric(term).map_or("s", |metric| metric.info().unit)
    }

    /// The metrics that its terms need.
    pub fn metrics(&self) -> MetricSet {
        let terms = Term::EACH_TICK.iter().filter(|term| self.limit(**term).is_some());
        terms.filter_map(|term| self.metric(*term)).collect()
    }
}

/// What the judge hears of one tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TermValues {
    /// Number of agents in the group.
    pub agents: usize,
    /// Values of the terms of [`Term::EACH_TICK`], in that order.
    pub values: [Option<f64>; Term::COUNT],
}

impl TermValues {
    /// Picks the terms of a contract out of measured values.
    pub fn from_values(spec: &ContractSpec, agents: usize, values: &Values) -> Self {
        Self { agents, values: Term::EACH_TICK.map(|term| spec.metric(term).and_then(|metric| values.get(metric))) }
    }
}

/// What became of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct Settle {
    /// The tick at which it was issued.
    pub tick: u64,
    /// The command in words, for instance "form s_wave".
    pub command: String,
    /// First tick from which all terms hold; `None` if they do not (yet).
    pub settled_at: Option<u64>,
    /// Seconds from the command to `settled_at`.
    pub took: Option<f64>,
    /// Seconds allowed; `None` if the contract has no settle term.
    pub limit: Option<f64>,
    /// Whether the next command came before the limit was over, so that not having settled says nothing.
    pub superseded: bool,
}

impl Settle {
    /// Whether it settled in time. A command that was superseded before its time was over is no failure.
    pub fn ok(&self) -> bool {
        match (self.took, self.limit) {
            (Some(took), Some(limit)) => took <= limit + 1e-9,
            (Some(_), None) => true,
            (None, _) => self.superseded,
        }
    }
}

/// One term in a report.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermReport {
    /// Which term.
    pub term: Term,
    /// SI unit.
    pub unit: &'static str,
    /// Its limit in its unit; of the time to settle, the limit of the worst command.
    pub limit: f64,
    /// What it must come down to, to hold again after it broke.
    pub enter: f64,
    /// Its value at the last tick; of the time to settle, that of the worst command: one that was late, else the longest.
    pub value: Option<f64>,
    /// Whether it holds at the last tick.
    pub ok: bool,
    /// Whether it holds when changes of fewer than [`DEBOUNCE_TICKS`] ticks do not count.
    pub steady: bool,
    /// The first tick of that verdict; none before anything was judged.
    pub since: Option<u64>,
}

/// How a contract stands.
#[derive(Debug, Clone, PartialEq)]
pub struct ContractReport {
    /// The terms of the contract, in the order of [`Term`].
    pub terms: Vec<TermReport>,
    /// Whether all hold.
    pub ok: bool,
    /// When the last command settled.
    pub settled_at: Option<u64>,
    /// All commands, oldest first.
    pub settles: Vec<Settle>,
}

/// Judges a contract tick by tick.
#[derive(Debug, Clone)]
pub struct ContractJudge {
    spec: ContractSpec,
    /// Seconds per tick.
    dt: f64,
    settles: Vec<Settle>,
    /// The worst command that was folded away.
    folded: Option<Settle>,
    /// First tick of the present run of ticks in which all terms hold, and the length of that run.
    holding: Option<(u64, u64)>,
    last: TermValues,
    heard: bool,
    verdicts: [Verdict; Term::COUNT],
}

/// How one term stands, with its two thresholds and its debounce.
#[derive(Debug, Clone, Copy, Default)]
struct Verdict {
    /// Whether it holds at the last tick.
    holds: bool,
    /// Whether it holds, debounced.
    steady: bool,
    /// The first tick of `steady`.
    since: Option<u64>,
    /// The first tick of `holds`, and how long it has been so.
    run: (u64, u64),
}

impl Verdict {
    fn hear(&mut self, tick: u64, holds: bool) {
        let fresh = self.run.1 == 0 || holds != self.holds;
        self.holds = holds;
        self.run = if fresh { (tick, 1) } else { (self.run.0, self.run.1 + 1) };
        if self.since.is_none() || (self.steady != holds && self.run.1 >= DEBOUNCE_TICKS) {
            (self.steady, self.since) = (holds, Some(self.run.0));
        }
    }
}

impl ContractJudge {
    /// A judge who has heard nothing; `dt` is the step in seconds.
    pub fn new(spec: ContractSpec, dt: f64) -> Self {
        Self {
            spec,
            dt,
            settles: Vec::new(),
            folded: None,
            holding: None,
            last: TermValues::default(),
            heard: false,
            verdicts: [Verdict::default(); Term::COUNT],
        }
    }

    /// The contract.
    pub const fn spec(&self) -> &ContractSpec {
        &self.spec
    }

    /// Changes the limits. The run of ticks in which all terms held starts anew, since it was judged by the old ones.
    pub fn set_spec(&mut self, spec: ContractSpec) {
        if spec != self.spec {
            self.spec = spec;
            self.holding = None;
            if let Some(open) = self.settles.last_mut() {
                (open.settled_at, open.took) = (None, None);
            }
        }
    }

    /// A command was issued at `tick`: settling is judged anew. `largest_move` is the longest way anybody has to go (meters),
    /// `max_speed` the speed of the slowest (m/s).
    pub fn command(&mut self, tick: u64, command: &str, largest_move: f64, max_speed: f64) {
        let extra = (largest_move - FREE_MOVE_M).max(0.0);
        let extra = if extra > 0.0 && max_speed > 0.0 { extra / max_speed } else { 0.0 };
        if let Some(open) = self.settles.last_mut() {
            let given = tick.saturating_sub(open.tick) as f64 * self.dt;
            open.superseded = open.took.is_none() && open.limit.is_some_and(|limit| given < limit);
        }
        self.fold();
        self.holding = None;
        // What held before the command says nothing about what it asks for.
        for verdict in &mut self.verdicts {
            verdict.holds = false;
        }
        self.settles.push(Settle {
            tick,
            command: command.to_owned(),
            settled_at: None,
            took: None,
            limit: self.spec.settle.map(|settle| settle + extra),
            superseded: false,
        });
    }

    /// A command that goes on, such as a drag: one that has not settled and is called the same is not finished but begun anew,
    /// so that a drag of many steps is one record that counts from its last.
    pub fn go_on(&mut self, tick: u64, command: &str, largest_move: f64, max_speed: f64) {
        if self.settles.last().is_some_and(|open| open.command == command && !open.superseded && open.took.is_none()) {
            self.settles.pop();
        }
        self.command(tick, command, largest_move, max_speed);
    }

    /// The values at the end of a tick, in ascending ticks. Values of the very tick of a command are not yet after it.
    pub fn observe(&mut self, tick: u64, values: &TermValues) {
        self.last = *values;
        for (index, term) in Term::EACH_TICK.into_iter().enumerate() {
            let holds = self.judge(term, values.values[index], self.heard && !self.verdicts[index].holds);
            self.verdicts[index].hear(tick, holds);
        }
        self.heard = true;
        if self.settles.last().is_some_and(|open| tick <= open.tick) {
            return;
        }
        let all = Term::EACH_TICK.iter().all(|&term| self.holds(term));
        self.holding = match self.holding {
            _ if !all => None,
            Some((since, length)) => Some((since, length + 1)),
            None => Some((tick, 1)),
        };
        let settled = self.holding.filter(|(_, length)| *length >= DEBOUNCE_TICKS).map(|(since, _)| since);
        if let Some(open) = self.settles.last_mut() {
            open.settled_at = settled;
            open.took = settled.map(|at| (at - open.tick) as f64 * self.dt);
        }
    }

    /// Whether a value lets a term hold, which is below its limit, or below the lower threshold after it `broke`. A value that is
    /// missing holds only where there is nothing to measure: no agent, or no neighbor.
    fn judge(&self, term: Term, value: Option<f64>, broke: bool) -> bool {
        let Some(most) = (if broke { self.spec.enter(term) } else { self.spec.limit(term) }) else {
            return true;
        };
        let needed = if matches!(term, Term::Spacing | Term::Aligned) { 2 } else { 1 };
        value.map_or(self.last.agents < needed, |value| value <= most)
    }

    /// Whether a term holds at the last tick.
    fn holds(&self, term: Term) -> bool {
        let index = Term::EACH_TICK.iter().position(|each| *each == term);
        index.is_none_or(|index| !self.heard || self.verdicts[index].holds)
    }

    /// Whether all terms hold at the last tick, that of settling aside.
    pub fn holds_now(&self) -> bool {
        self.heard && Term::EACH_TICK.iter().all(|&term| self.holds(term))
    }

    /// All commands kept, oldest first: the marks of a plot.
    pub fn settles(&self) -> &[Settle] {
        &self.settles
    }

    /// How the contract stands now, or at the end of a run.
    pub fn report(&self) -> ContractReport {
        let mut terms = Vec::new();
        for (index, term) in Term::EACH_TICK.into_iter().enumerate() {
            let (Some(limit), Some(enter)) = (self.spec.limit(term), self.spec.enter(term)) else { continue };
            let Verdict { steady, since, .. } = self.verdicts[index];
            terms.push(TermReport {
                term,
                unit: self.spec.unit(term),
                limit,
                enter,
                value: self.last.values[index],
                // Before anything was heard a value is missing, and judged as such.
                ok: if self.heard { self.holds(term) } else { self.judge(term, None, false) },
                steady,
                since,
            });
        }
        if let Some(settle) = self.spec.settle {
            let worst = self.folded.iter().chain(&self.settles).reduce(worse);
            let (limit, ok) = (worst.and_then(|worst| worst.limit).unwrap_or(settle), worst.is_none_or(Settle::ok));
            terms.push(TermReport {
                term: Term::Settle,
                unit: "s",
                limit,
                enter: limit,
                value: worst.and_then(|worst| worst.took),
                ok,
                steady: ok,
                since: worst.map(|worst| worst.tick),
            });
        }
        ContractReport {
            ok: terms.iter().all(|term| term.ok),
            terms,
            settled_at: self.settles.last().and_then(|last| last.settled_at),
            settles: self.settles.clone(),
        }
    }

    /// Keeps the number of records bounded: of the older half only the worst is remembered.
    fn fold(&mut self) {
        if self.settles.len() < MOST_SETTLES {
            return;
        }
        let old = self.settles.drain(..MOST_SETTLES / 2);
        let worst = self.folded.take().into_iter().chain(old).reduce(|a, b| worse(&a, &b).clone());
        self.folded = worst;
    }
}

/// The one of two commands that did worse: one that failed, by how much; if none did, the one that took longest.
fn worse<'s>(a: &'s Settle, b: &'s Settle) -> &'s Settle {
    let rank = |settle: &Settle| match (settle.ok(), settle.took) {
        (false, None) => (true, f64::INFINITY),
        (false, Some(took)) => (true, took - settle.limit.unwrap_or(0.0)),
        (true, took) => (false, took.unwrap_or(-1.0)),
    };
    if rank(b) > rank(a) { b } else { a }
}
