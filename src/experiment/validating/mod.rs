//! Figures that were published, beside what this program measures: cases by name, each a table of quantities.
//!
//! A case runs shipped scenes or parts of the core. Times of the machine are shown and never judged.

mod bench;
mod bottleneck;
mod counterflow;
mod crossing;
mod crowd;
mod drill;
mod exact;
mod flock;
mod meeting;
mod models;
mod opening;
mod parts;
mod passing;
mod rimea;
mod rimea_crowds;
mod speeds;
mod suite;
mod vicsek;
mod wave;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::Experiment;
use opening::{open, open_seeded, open_with_ticks};
pub use suite::{Suite, chosen, seconds};

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
    /// Why it is known not to be as expected; none if it should be.
    pub known: Option<&'static str>,
}

/// How one quantity stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As expected.
    Holds,
    /// Not as expected.
    Fails,
    /// Not as expected, and that is known.
    KnownToFail,
    /// As expected, though it is known to fail: what is known is old.
    HoldsNow,
    /// Not judged.
    Shown,
}

impl Mark {
    /// In a word or two.
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "ok",
            Self::Fails => "no",
            Self::KnownToFail => "no, known",
            Self::HoldsNow => "ok, known to fail",
            Self::Shown => "shown",
        }
    }
}

impl Quantity {
    /// How it stands.
    pub fn mark(&self) -> Mark {
        match (self.ok, self.known) {
            (None, _) => Mark::Shown,
            (Some(true), None) => Mark::Holds,
            (Some(true), Some(_)) => Mark::HoldsNow,
            (Some(false), None) => Mark::Fails,
            (Some(false), Some(_)) => Mark::KnownToFail,
        }
    }

    /// The same, known not to be as expected.
    fn known(self, why: &'static str) -> Self {
        Self { known: Some(why), ..self }
    }
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

/// How a case stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// All that is judged is as expected.
    Holds,
    /// What is not as expected is known not to be.
    KnownToFail,
    /// Something that is known to fail is as expected now; the rest is as expected or known.
    HoldsNow,
    /// Something is not as expected.
    Fails,
    /// It could not run.
    NotRun,
}

impl Verdict {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Holds => "as expected",
            Self::KnownToFail => "FAILS, AS IS KNOWN",
            Self::HoldsNow => "as expected NOW, though known to fail",
            Self::Fails => "NOT AS EXPECTED",
            Self::NotRun => "NOT RUN",
        }
    }
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
    /// The seeds it ran with, in words; empty where nothing is drawn by chance.
    pub seed: String,
    /// The scene that shows it, from the project folder; empty without one.
    pub scene: &'static str,
    /// How long it took on this machine, s.
    pub seconds: f64,
    /// What was measured.
    pub quantities: Vec<Quantity>,
    /// Why it could not run; empty if it did.
    pub error: String,
    /// How it stands.
    pub verdict: Verdict,
    /// Whether all that is judged is as expected, beside what is known not to be.
    pub ok: bool,
}

impl Outcome {
    /// Whether all that is judged is as expected, known or not.
    pub fn strictly_ok(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::HoldsNow)
            && self.quantities.iter().all(|quantity| quantity.ok != Some(false))
    }
}

/// What a case may use.
#[derive(Clone, Debug)]
pub struct Context {
    /// The project with the shipped scenes.
    pub project: PathBuf,
    /// Seconds on a clock that only rises.
    pub clock: fn() -> f64,
    /// Set by whoever does not want the rest any more.
    pub stop: Arc<AtomicBool>,
}

impl Context {
    /// Of a project, with the clock of the machine.
    pub fn new(project: PathBuf) -> Self {
        Self { project, clock: seconds, stop: Arc::default() }
    }

    /// An error once it is to stop.
    fn go_on(&self) -> Result<(), String> {
        if self.stop.load(Ordering::Relaxed) { Err(STOPPED.to_owned()) } else { Ok(()) }
    }
}

/// What a case that was stopped says.
pub const STOPPED: &str = "stopped";

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
    /// The seeds, in words; empty for that of the scene, or where nothing is drawn by chance.
    pub seed: &'static str,
    /// The scene that shows it, from the project folder; empty without one.
    pub scene: &'static str,
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
    crossing::BLOCKS,
    meeting::HEAD_ON,
    meeting::HEAD_ON_FORCES,
    meeting::COINCIDENT,
    speeds::SINGLE_FILE,
    rimea::CORRIDOR,
    rimea::STAIRS,
    speeds::DIAGRAM,
    speeds::DIAGRAM_FORCES,
    rimea::PREMOVEMENT,
    rimea::CORNER,
    rimea::AGES,
    rimea_crowds::PARAMETERS,
    rimea_crowds::FOUR_DOORS,
    rimea_crowds::ROOMS,
    rimea_crowds::TWO_DOORS,
    rimea_crowds::BOTTLENECKS,
    rimea_crowds::BEFORE_STAIRS,
    rimea_crowds::WAY,
    rimea_crowds::CROWD_CORNER,
    bottleneck::CSM_FLOW,
    bottleneck::FORCE_FLOW,
    bottleneck::CLOGGING,
    bottleneck::ARCH,
    counterflow::OSCILLATION,
    counterflow::STRIPES,
];

impl Case {
    /// Runs it.
    pub fn run(&self, context: &Context) -> Outcome {
        let began = (context.clock)();
        let (quantities, error) = match (self.run)(context) {
            Ok(quantities) => (quantities, String::new()),
            Err(error) => (Vec::new(), error),
        };
        let has = |mark: Mark| quantities.iter().any(|quantity| quantity.mark() == mark);
        let verdict = match () {
            () if !error.is_empty() => Verdict::NotRun,
            () if has(Mark::Fails) => Verdict::Fails,
            () if has(Mark::HoldsNow) => Verdict::HoldsNow,
            () if has(Mark::KnownToFail) => Verdict::KnownToFail,
            () => Verdict::Holds,
        };
        Outcome {
            name: self.name,
            about: self.about,
            source: self.source,
            seed: if self.seed.is_empty() { opening::seed_of(context, self.scene) } else { self.seed.to_owned() },
            scene: self.scene,
            seconds: (context.clock)() - began,
            quantities,
            error,
            verdict,
            ok: !matches!(verdict, Verdict::Fails | Verdict::NotRun),
        }
    }

    /// The case of this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        CASES.iter().find(|case| case.name == name)
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
    Quantity { what: what.into(), unit, text, expected, measured, ok: expected.judge(measured), known: None }
}

fn run(experiment: &mut Experiment, seconds: f64) {
    let ticks = (seconds / experiment.world().dt()).round() as u64;
    for _ in 0..ticks {
        experiment.tick();
    }
}
