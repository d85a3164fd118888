//! Problems and lines of the console.

use super::AgentKey;
use crate::scene::problem::{Problem, Severity};

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Worth knowing.
    #[default]
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something does not act.
    Error,
}

/// A problem as listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProblemView {
    /// Handle for `Command::DismissProblem`; stable while the problem stands.
    pub id: u64,
    /// How bad.
    pub level: Level,
    /// Short code, e.g. "script.fault".
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// File from the project folder.
    pub file: Option<String>,
    /// Line from 1.
    pub line: Option<u32>,
    /// Column from 1.
    pub column: Option<u32>,
    /// Source lines around, already numbered; the marked line starts with ">".
    pub excerpt: Option<String>,
    /// Traceback, if there is one.
    pub traceback: Option<String>,
    /// Callback, e.g. "step" or "compute of force shy".
    pub callback: Option<String>,
    /// Group.
    pub group: Option<String>,
    /// First agent it happened to.
    pub agent: Option<AgentKey>,
    /// First tick.
    pub tick: Option<u64>,
    /// How often.
    pub count: u64,
}

impl ProblemView {
    /// How a problem is listed under the handle `id`.
    pub fn new(id: u64, problem: &Problem) -> Self {
        Self {
            id,
            level: problem.severity.into(),
            code: problem.code.clone(),
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            file: problem.file.clone(),
            line: problem.line,
            column: problem.column,
            excerpt: problem.excerpt.clone(),
            traceback: problem.traceback.clone(),
            callback: problem.callback.clone(),
            group: problem.group.clone(),
            agent: problem.agent.and_then(AgentKey::from_number),
            tick: problem.tick,
            count: u64::from(problem.count),
        }
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogLine {
    /// Grows by one with each line of the run, so that a front end knows which are new.
    pub serial: u64,
    /// Simulated time in s.
    pub time: f64,
    /// How important.
    pub level: Level,
    /// Whether it deserves a toast.
    pub toast: bool,
    /// Who says it ("scene", "script", "reload", "user", …).
    pub source: String,
    /// What.
    pub text: String,
}
