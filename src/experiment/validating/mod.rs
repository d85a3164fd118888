//! Figures that were published, beside what this program measures: cases by name, each a table of quantities.
//!
//! A case runs shipped scenes or parts of the core. Times of the machine are shown and never judged.

mod bench;
mod crossing;
mod crowd;
mod drill;
mod exact;
mod flock;
mod parts;
mod vicsek;
mod wave;

use std::path::PathBuf;

use serde::Serialize;

use super::options::Options;
use super::{Experiment, Problem};

/// One quantity of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quantity {
    /// What is measured.
    pub what: String,
    /// Unit; empty for a pure number.
    pub unit: &'static str,
    /// What the published text says, in its words; empty where it says nothing.
    pub text: &'static str,
    /// What is expected here, with its tolerance.
    pub expected: Bound,
    /// What was measured.
    pub measured: f64,
    /// Whether it is as expected; none for times of the machine.
    pub ok: Option<bool>,
}

/// What is expected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// At most.
    AtMost(f64),
    /// At least.
    AtLeast(f64),
    /// A value and how far from it.
    Near(f64, f64),
    /// Nothing: it is only shown.
    Shown,
}

impl Bound {
    /// Whether a value is as expected.
    pub fn judge(self, value: f64) -> Option<bool> {
        match self {
            Self::AtMost(most) => Some(value <= most),
            Self::AtLeast(least) => Some(value >= least),
            Self::Near(at, by) => Some((value - at).abs() <= by),
            Self::Shown => None,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "≤ {}", short(*most)),
            Self::AtLeast(least) => write!(f, "≥ {}", short(*least)),
            Self::Near(at, by) => write!(f, "{} ± {}", short(*at), short(*by)),
            Self::Shown => f.write_str("–"),
        }
    }
}

/// A number in few characters.
fn short(x: f64) -> String {
    if x != 0.0 && x.abs() < 1e-3 { format!("{x:.0e}") } else { format!("{}", (x * 1e6).round() / 1e6) }
}

/// A case that ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// What it answers to.
    pub source: &'static str,
    /// What was measured.
    pub quantities: Vec<Quantity>,
    /// Why it could not run; empty if it did.
    pub error: String,
    /// Whether all that is judged is as expected.
    pub ok: bool,
}

/// What a case may use.
#[derive(Clone, Debug)]
pub struct Context {
    /// The project with the shipped scenes.
    pub project: PathBuf,
    /// Seconds on a clock that only rises.
    pub clock: fn() -> f64,
}

/// What a case measured.
type Measured = Result<Vec<Quantity>, String>;

/// A case.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// What it answers to.
    pub source: &'static str,
    /// Whether it takes longer than some seconds.
    pub long: bool,
    run: fn(&Context) -> Measured,
}

/// All cases, in the order in which they run.
pub const CASES: &[Case] = &[
    drill::REFERENCE,
    drill::MARCH,
    drill::HEAD,
    drill::REACTION,
    parts::BASE_LINE,
    parts::CLUSTERS,
    drill::ANGLE_WRAP,
    parts::SOFT_WALL,
    drill::CORRIDOR,
    parts::DELIVERY,
    parts::LATENCY,
    drill::DRESS_RIGHT,
    drill::HIDDEN_ERROR,
    drill::DRAWN,
    drill::SWITCHING,
    parts::RELAY,
    parts::TUNING,
    exact::SYMMETRY,
    exact::INVARIANCE,
    exact::INTEGRATORS,
    vicsek::VICSEK,
    vicsek::VICSEK_LONG,
    flock::CUCKER_SMALE,
    flock::COUZIN,
    flock::COUZIN_BOUNDS,
    flock::LATTICE,
    wave::TURNING_WAVE,
    crossing::CIRCLE,
    crowd::FREE_ACCELERATION,
    crowd::WALL_EQUILIBRIUM,
    crowd::FRICTION_POWER,
    crowd::THIRD_LAW,
    crowd::ROTATION,
    crowd::LANES,
    crowd::FASTER_IS_SLOWER,
];

impl Case {
    /// Runs it.
    pub fn run(&self, context: &Context) -> Outcome {
        let (quantities, error) = match (self.run)(context) {
            Ok(quantities) => (quantities, String::new()),
            Err(error) => (Vec::new(), error),
        };
        let ok = error.is_empty() && quantities.iter().all(|quantity| quantity.ok != Some(false));
        Outcome { name: self.name, about: self.about, source: self.source, quantities, error, ok }
    }
}

/// A quantity of a case.
fn quantity(
    what: impl Into<String>,
    unit: &'static str,
    text: &'static str,
    expected: Bound,
    measured: f64,
) -> Quantity {
    Quantity { what: what.into(), unit, text, expected, measured, ok: expected.judge(measured) }
}

/// A shipped scene, with settings as on the command line.
fn open(context: &Context, scene: &str, sets: &[(&str, &str)]) -> Result<Experiment, String> {
    opened(context, scene, None, sets)
}

/// The same with another seed.
fn open_seeded(context: &Context, scene: &str, seed: &str, sets: &[(&str, &str)]) -> Result<Experiment, String> {
    opened(context, scene, seed.parse().ok(), sets)
}

/// A shipped scene with another number of ticks per second, which no address reaches: read from a copy.
fn open_with_ticks(context: &Context, scene: &str, (from, to): (&str, &str)) -> Result<Experiment, String> {
    let read = std::fs::read_to_string(context.project.join("scenes").join(scene));
    let text = read.map_err(|error| format!("{scene}: {error}"))?;
    let changed = text.replace(&format!("tick_hz: {from}"), &format!("tick_hz: {to}"));
    let copy = std::env::temp_dir().join(format!("swarmyard-{}-{to}-{scene}", std::process::id()));
    std::fs::write(&copy, changed).map_err(|error| format!("{}: {error}", copy.display()))?;
    let options = Options { project: Some(context.project.clone()), ..Options::default() };
    let opened = Experiment::open(&copy, options);
    drop(std::fs::remove_file(&copy));
    opened.map_err(|error| error.problems().iter().map(Problem::to_text).collect::<Vec<_>>().join("\n"))
}

fn opened(context: &Context, scene: &str, seed: Option<u64>, sets: &[(&str, &str)]) -> Result<Experiment, String> {
    let sets = sets.iter().map(|(address, value)| ((*address).to_owned(), (*value).to_owned())).collect();
    let options = Options { project: Some(context.project.clone()), sets, seed, ..Options::default() };
    let opened = Experiment::open(&context.project.join("scenes").join(scene), options);
    opened.map_err(|error| error.problems().iter().map(Problem::to_text).collect::<Vec<_>>().join("\n"))
}

fn run(experiment: &mut Experiment, seconds: f64) {
    let ticks = (seconds / experiment.world().dt()).round() as u64;
    for _ in 0..ticks {
        experiment.tick();
    }
}
