//! What a run leaves to be read: the object that `run --json` prints.
//!
//! Times are simulated seconds, numbers are finite or null, hashes are 16 hex digits.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::apart::AssignmentRun;
use super::counting::CommandCount;
use super::flowing::{ExitRun, SourceRun, StopRun};
use super::gauges_view::{AreaRun, LineRun};
use super::progress::ProgressRun;
use crate::measure::{ContractReport, Settle, Stats, Term, TermReport};
use crate::scene::problem::Problem;

/// A run, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The scene file as the person gave it.
    pub scene: String,
    /// The seed in effect; none if the scene could not be opened.
    pub seed: Option<u64>,
    /// Ticks that were made.
    pub ticks: u64,
    /// Simulated seconds.
    pub seconds: f64,
    /// State hash after the last tick; none if the scene could not be opened.
    pub hash: Option<String>,
    /// Tick and state hash, as often as asked for.
    pub hashes: Vec<(u64, String)>,
    /// Groups in the order of the scene.
    pub groups: Vec<GroupRun>,
    /// Measuring lines in the order of the scene; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineRun>,
    /// Measuring areas in the order of the scene; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<AreaRun>,
    /// Sources in the order of the scene; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRun>,
    /// Stops that are no exits; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stops: Vec<StopRun>,
    /// Exits with who left when; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exits: Vec<ExitRun>,
    /// Reloads that took over while the run went on.
    pub reloads: Vec<ReloadRun>,
    /// What is wrong, oldest first.
    pub problems: Vec<Problem>,
    /// Seconds per stage of the tick.
    #[serde(serialize_with = "as_map")]
    pub timing: Vec<(String, f64)>,
    /// False where a time or memory stop makes a second run differ; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reproducible: Option<bool>,
}

/// One group of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GroupRun {
    /// Name.
    pub name: String,
    /// Living agents at the end.
    pub agents: usize,
    /// What was measured, by metric id.
    #[serde(serialize_with = "as_map")]
    pub metrics: Vec<(String, MetricRun)>,
    /// How its contract stands; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractRun>,
    /// What each command cost, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<CommandCount>,
    /// Lines of its machine and how often each was taken; empty without a machine.
    #[serde(serialize_with = "as_map", skip_serializing_if = "Vec::is_empty")]
    pub transitions: Vec<(String, u64)>,
    /// How the messages to it fared; absent without a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkRun>,
    /// How the places of the last formation were given out; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignment: Option<AssignmentRun>,
    /// What the watchdog of progress saw; absent if nobody ever got stuck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressRun>,
}

/// How the messages to a group fared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NetworkRun {
    /// Messages, one per agent.
    pub messages: usize,
    /// Sends of them, with those sent again.
    pub sends: u64,
    /// Messages that arrived.
    pub delivered: usize,
    /// Messages that were given up.
    pub failed: usize,
    /// The agents that are offline, and so out of the contract, by number.
    pub offline: Vec<f64>,
}

/// A metric over a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MetricRun {
    /// Unit; empty for a pure number.
    pub unit: String,
    /// Value at the last tick, null if there was none.
    pub last: Option<f64>,
    /// Mean over all ticks.
    pub mean: Option<f64>,
    /// Largest over all ticks.
    pub max: Option<f64>,
}

impl MetricRun {
    /// The statistics of a metric in `unit`.
    pub fn new(unit: &str, stats: &Stats) -> Self {
        Self { unit: unit.to_owned(), last: stats.last(), mean: stats.mean(), max: stats.max() }
    }
}

/// A contract at the end of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ContractRun {
    /// The terms that the scene names.
    #[serde(serialize_with = "as_map")]
    pub terms: Vec<(String, TermRun)>,
    /// Whether all hold.
    pub ok: bool,
    /// When the last command settled, in s; null if it has not.
    pub settled_at: Option<f64>,
    /// All commands, oldest first.
    pub settles: Vec<SettleRun>,
    /// Terms that fail at the end; absent without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<BreachRun>,
}

impl ContractRun {
    /// The judge's report, for ticks of `dt` seconds; `by` tells who breaks a term.
    pub fn new(report: &ContractReport, dt: f64, by: impl Fn(Term) -> Vec<BlameRun>) -> Self {
        let term = |term: &TermReport| (term.term.name().to_owned(), TermRun::new(term));
        let breach = |term: &TermReport| BreachRun {
            term: term.term.name().to_owned(),
            since: term.since.filter(|_| !term.steady).map(|tick| tick as f64 * dt),
            enter: term.enter,
            by: by(term.term),
        };
        Self {
            terms: report.terms.iter().map(term).collect(),
            ok: report.ok,
            settled_at: report.settled_at.map(|tick| tick as f64 * dt),
            settles: report.settles.iter().map(|settle| SettleRun::new(settle, dt)).collect(),
            breaches: report.terms.iter().filter(|term| !term.ok).map(breach).collect(),
        }
    }
}

/// One term of a contract.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TermRun {
    /// Unit.
    pub unit: String,
    /// What it may be at most; of the time to settle, for the worst command.
    pub limit: f64,
    /// Value at the last tick; of the time to settle, that of the worst command.
    pub value: Option<f64>,
    /// Whether it holds.
    pub ok: bool,
}

/// A term that fails at the end of a run: which, since when, for whom.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BreachRun {
    /// Its name.
    pub term: String,
    /// Since when it fails, in s; changes of fewer than 5 ticks do not count.
    pub since: Option<f64>,
    /// It holds again only below this.
    pub enter: f64,
    /// The agents that break it, worst first, at most eight; empty where it is the group as a whole.
    pub by: Vec<BlameRun>,
}

/// An agent that breaks a term.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BlameRun {
    /// Its number.
    pub agent: f64,
    /// Its error, in the unit of the term.
    pub value: f64,
    /// Since when, in s.
    pub since: f64,
}

impl TermRun {
    fn new(term: &TermReport) -> Self {
        Self { unit: term.unit.to_owned(), limit: term.limit, value: term.value, ok: term.ok }
    }
}

/// What became of one command to a group.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SettleRun {
    /// The tick at which it was issued.
    pub tick: u64,
    /// The command in words.
    pub command: String,
    /// When all terms held again, in s; null if they did not.
    pub settled_at: Option<f64>,
    /// Seconds from the command to then.
    pub took: Option<f64>,
}

impl SettleRun {
    fn new(settle: &Settle, dt: f64) -> Self {
        Self {
            tick: settle.tick,
            command: settle.command.clone(),
            settled_at: settle.settled_at.map(|tick| tick as f64 * dt),
            took: settle.took,
        }
    }
}

/// A reload that took over between two ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReloadRun {
    /// The first tick of the new code.
    pub tick: u64,
    /// Files whose new version runs since.
    pub files: Vec<String>,
    /// What became of memory, states and parameters, in a line.
    pub note: String,
}

impl Report {
    /// The report of a run that never began.
    pub fn never_began(scene: &str, problems: Vec<Problem>) -> Self {
        Self { scene: scene.to_owned(), problems, ..Self::default() }
    }

    /// Whether every contract of the scene holds; a scene without one has nothing to hold.
    pub fn contracts_hold(&self) -> bool {
        self.groups.iter().filter_map(|group| group.contract.as_ref()).all(|contract| contract.ok)
    }
}

/// A hash as reports write it.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Writes a list of pairs as an object that keeps their order.
pub(super) fn as_map<T: Serialize, S: Serializer>(pairs: &[(String, T)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(pairs.len()))?;
    for (name, value) in pairs {
        map.serialize_entry(name, value)?;
    }
    map.end()
}
