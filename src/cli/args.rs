//! The arguments of the command line, and their help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A plugin-scripted simulation workbench for many agents that move together.
///
/// Without a command it opens the window: on SCENE, or on the first scene of the working folder.
#[derive(Debug, Parser)]
#[command(name = "swarmyard", version, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// The scene to open in the window, or a trajectory file (.sqlite, .txt, .csv) to play there
    pub scene: Option<PathBuf>,
    /// What to do instead of opening the window
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Run a scene without a window and report
    Run(Box<Run>),
    /// Check scenes, scripts, formations and plugin manifests
    Check(Check),
    /// List what scenes and scripts may name
    List(List),
    /// Print the places of a formation in its own frame
    Slots(Slots),
    /// Find the gains of an agent's position controller: relay experiment, rules, search
    Tune(Tune),
    /// Drive a scene from another program: JSON lines on stdin and stdout, see scenes/SERVE.md
    Serve(Serve),
    /// Run published figures against this program, and print both
    Validate(Validate),
    /// Write a commented start that runs
    New(New),
    /// Write the Luau definition file for editors, scripts/yard.d.luau
    Types(Types),
}

/// `run`.
#[derive(Debug, Args)]
pub struct Run {
    /// The scene file, or a trajectory file to play (.sqlite, .txt, .csv)
    pub scene: PathBuf,
    /// How long, in simulated seconds (default: the duration of the scene)
    #[arg(long, value_name = "S", conflicts_with = "ticks", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// How long, in ticks
    #[arg(long, value_name = "N")]
    pub ticks: Option<u64>,
    /// Replaces the seed of the scene
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Sets a parameter, for example drill.k1=3 or drill.body.lag=0.1; may be given many times
    #[arg(long, value_name = "ADDRESS=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Note the state hash every N ticks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub hash_every: Option<u64>,
    /// Threads over agents; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Go on after a script fault (the status is 1 all the same)
    #[arg(long)]
    pub keep_going: bool,
    /// Write the time series of all metrics to a file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a row to the CSV file every N ticks (default 1), a frame to trajectory files (default: see --fps)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    /// Write a row per agent to the CSV file, not one of metrics
    #[arg(long, requires = "csv")]
    pub agents: bool,
    /// Write trajectories: .sqlite (JuPedSim, with the walkable area), .txt (PeTrack) or .csv; may be given several times
    #[arg(long, value_name = "FILE")]
    pub trajectory: Vec<PathBuf>,
    /// Frames per second of trajectory files (default: 25, or the nearest that ticks divide into)
    #[arg(long, value_name = "F", requires = "trajectory", value_parser = positive)]
    pub fps: Option<f64>,
    /// Only these groups into trajectory files, separated by commas
    #[arg(long, value_name = "NAMES", requires = "trajectory", value_delimiter = ',')]
    pub groups: Vec<String>,
    /// Play at real speed and reload scripts when they are saved
    #[arg(long)]
    pub watch: bool,
    /// The project folder (default: the one above scenes/ of the scene, else the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// End with status 1 if a contract of the scene does not hold, or if the scene has none
    #[arg(long)]
    pub require_contract: bool,
}

/// `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Scenes, scripts, formations, manifests
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The project folder (default: the one that the first file lies in, else the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// `list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only this kind
    pub kind: Option<ListKind>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The project folder (default: the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ListKind {
    /// Pushes on an agent
    #[value(alias = "forces")]
    Force,
    /// Blends of forces
    #[value(alias = "behaviors")]
    Behavior,
    /// Behaviors as states
    #[value(alias = "machines")]
    Machine,
    /// Where the places are
    #[value(alias = "formations")]
    Formation,
    /// Numbers worth plotting
    #[value(alias = "metrics")]
    Metric,
    /// What happens in a scene
    #[value(alias = "directors")]
    Director,
    /// Scene files
    #[value(alias = "scenes")]
    Scene,
    /// Plugins
    #[value(alias = "plugins")]
    Plugin,
}

impl ListKind {
    /// The word of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Force => "force",
            Self::Behavior => "behavior",
            Self::Machine => "machine",
            Self::Formation => "formation",
            Self::Metric => "metric",
            Self::Director => "director",
            Self::Scene => "scene",
            Self::Plugin => "plugin",
        }
    }
}

/// `slots`.
#[derive(Debug, Args)]
pub struct Slots {
    /// A formation: native, data file or script
    pub name: String,
    /// How many places
    #[arg(long, short = 'n')]
    pub n: usize,
    /// Sets a parameter, for example spacing=0.8; may be given many times
    #[arg(long, value_name = "PARAM=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// How the distance between places is measured: along the curve or straight
    #[arg(long)]
    pub measure: Option<MeasureWord>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The project folder (default: the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// How the distance between places is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MeasureWord {
    /// Along the curve
    Arc,
    /// Straight
    Chord,
}

impl MeasureWord {
    /// The word of the parameter `measure`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arc => "arc",
            Self::Chord => "chord",
        }
    }
}

/// `validate`.
#[derive(Debug, Args)]
pub struct Validate {
    /// Cases by name (default: all that are quick)
    pub names: Vec<String>,
    /// List the cases
    #[arg(long)]
    pub list: bool,
    /// With those that take longer
    #[arg(long)]
    pub long: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write a JUnit XML report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// What is known to fail fails the command too
    #[arg(long)]
    pub strict: bool,
    /// Cases that run at the same time; times of the machine are best read with 1
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub jobs: usize,
    /// The project folder with the shipped scenes (default: the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// `new`.
#[derive(Debug, Args)]
pub struct New {
    /// What to start
    pub kind: NewKind,
    /// Its name: a letter, then letters, digits and `_`
    pub name: String,
    /// The project folder (default: the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// What can be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NewKind {
    /// A blend of forces, plus one of its own
    Behavior,
    /// Behaviors as states
    Machine,
    /// A curve of places
    Formation,
    /// One push on an agent
    Force,
    /// A scene file
    Scene,
    /// A number worth plotting
    Metric,
    /// What happens in a scene
    Director,
}

impl NewKind {
    /// The word of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Behavior => "behavior",
            Self::Machine => "machine",
            Self::Formation => "formation",
            Self::Force => "force",
            Self::Scene => "scene",
            Self::Metric => "metric",
            Self::Director => "director",
        }
    }
}

/// `tune`.
#[derive(Debug, Args)]
pub struct Tune {
    /// The scene file
    pub scene: PathBuf,
    /// The group whose first agent is tuned (default: the first group)
    #[arg(long, value_name = "NAME", conflicts_with = "agent")]
    pub group: Option<String>,
    /// The agent that is tuned, by number
    #[arg(long, value_name = "ID")]
    pub agent: Option<f64>,
    /// Output of the relay on either side, m/s (default: 0.4 of the speed limit)
    #[arg(long, value_name = "D", value_parser = positive)]
    pub output: Option<f64>,
    /// Hysteresis of the relay, m (default: three times the sensor noise)
    #[arg(long, value_name = "E", value_parser = positive)]
    pub hysteresis: Option<f64>,
    /// What the search makes as small as it can
    #[arg(long, value_enum, default_value_t = ObjectiveWord::Settle)]
    pub objective: ObjectiveWord,
    /// Which terms the search may use
    #[arg(long, value_enum, default_value_t = ControllerWord::Pd)]
    pub controller: ControllerWord,
    /// Sets a parameter before, for example drill.body.lag=0.1; may be given many times
    #[arg(long, value_name = "ADDRESS=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Write the gains that the search found into the scene file
    #[arg(long, conflicts_with = "set")]
    pub save: bool,
    /// Write the gains of this rule instead
    #[arg(long, value_name = "NAME", requires = "save")]
    pub rule: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The project folder (default: the one above scenes/ of the scene)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// Which terms the search of `tune` may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ControllerWord {
    /// Proportional and derivative
    Pd,
    /// With an integral
    Pid,
}

/// What the search of `tune` makes small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveWord {
    /// The time until the step stays within 2 %
    Settle,
    /// The integral of the absolute error
    Iae,
}

/// A finite number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_error| format!("`{text}` is no number"))?;
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err("must be above 0".to_owned()) }
}

/// `serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// The scene file
    pub scene: PathBuf,
    /// Read commands from stdin and write answers and events to stdout; the only transport there is
    #[arg(long)]
    pub stdio: bool,
    /// Play at real speed between commands; without it time moves only by the command `step`
    #[arg(long)]
    pub realtime: bool,
    /// Replaces the seed of the scene
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Sets a parameter before, for example drill.k1=3; may be given many times
    #[arg(long, value_name = "ADDRESS=VALUE", value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Threads over agents; the result does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// The project folder (default: the one above scenes/ of the scene, else the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// `types`.
#[derive(Debug, Args)]
pub struct Types {
    /// The project folder (default: the working folder)
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
}

/// `ADDRESS=VALUE`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((address, value)) if !address.trim().is_empty() => {
            Ok((address.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write it as ADDRESS=VALUE, for example drill.k1=3".to_owned()),
    }
}

/// A finite time that is not negative.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("a number of seconds, 0 or more".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        super::Arguments::command().debug_assert();
    }
}
