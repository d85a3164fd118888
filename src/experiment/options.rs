//! How an experiment is opened, and why it may not be.

use std::path::PathBuf;

use crate::scene::problem::Problem;

/// What the command line or the window may say before the first tick.
#[derive(Clone, Debug)]
pub struct Options {
    /// The project folder; none: the folder above `scenes/` of the scene, else the working folder.
    pub project: Option<PathBuf>,
    /// Replaces the scene's seed.
    pub seed: Option<u64>,
    /// `--set`: (address, value as text), in order.
    pub sets: Vec<(String, String)>,
    /// Threads over agents.
    pub threads: usize,
    /// Whether a script fault lets the run go on.
    pub keep_going: bool,
    /// Whether files are watched and series are kept for plots: the window does, a headless run does not.
    pub live: bool,
    /// Whether files are watched for changes.
    pub watch: bool,
    /// Length of the run in ticks; none: the scene's duration.
    pub ticks: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            project: None,
            seed: None,
            sets: Vec::new(),
            threads: 1,
            keep_going: false,
            live: false,
            watch: false,
            ticks: None,
        }
    }
}

/// Why an experiment could not be opened.
#[derive(Clone, Debug)]
pub enum OpenError {
    /// What was asked for makes no sense (an unknown `--set` address, a bad value): wrong usage.
    Usage(Vec<Problem>),
    /// The files have problems.
    Files(Vec<Problem>),
}

impl OpenError {
    /// The problems, whichever kind.
    pub fn problems(&self) -> &[Problem] {
        match self {
            Self::Usage(problems) | Self::Files(problems) => problems,
        }
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, problem) in self.problems().iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for OpenError {}
