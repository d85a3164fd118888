//! The command line: `run`, `serve`, `check`, `list`, `tune`, `validate`, `slots`, `new`, `types`; without any of them, the window.
//!
//! Knows no egui: who calls [`main`] hands the window in. Statuses: 0 done; 1 a file could not be read or has problems, a
//! script faulted, or a contract that was required did not hold; 2 wrong usage.

pub mod args;
mod check;
mod csv;
mod diagnostic;
mod flow_text;
mod group_text;
mod interrupt;
mod junit;
mod list;
mod new;
mod out;
mod pace;
mod progress;
mod run;
mod serve;
mod slots;
mod table;
mod trajectories;
mod tune;
mod types;
mod validate;
mod window;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Arguments, Verb};

use crate::experiment::OpenError;
use crate::experiment::Runner;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Everything asked for was done.
    Done,
    /// Files with problems, a fault, a contract that does not hold.
    Failed,
    /// The command makes no sense as given.
    Usage,
    /// Somebody pressed Ctrl-C before all was done.
    Interrupted,
}

impl From<&OpenError> for Status {
    fn from(error: &OpenError) -> Self {
        match error {
            OpenError::Usage(_) => Self::Usage,
            OpenError::Files(_) => Self::Failed,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Done => Self::SUCCESS,
            Status::Failed => Self::from(1),
            Status::Usage => Self::from(2),
            Status::Interrupted => Self::from(130),
        }
    }
}

/// Starts the experiment that the window is to show; the error is for a person.
pub type StartExperiment<'a> = dyn Fn() -> Result<Runner, String> + 'a;

/// Opens the window and returns when it is closed; the error is for a person.
pub type OpenWindow = fn(&StartExperiment<'_>) -> Result<(), String>;

/// Does what the arguments say, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>, open_window: OpenWindow) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to stdout with status 0, everything else to stderr with 2. A closed pipe is no matter here.
            drop(error.print());
            return if error.use_stderr() { Status::Usage.into() } else { Status::Done.into() };
        }
    };
    let status = match arguments.verb {
        None => window::open(arguments.scene, open_window),
        Some(Verb::Run(run)) => run::run(&run),
        Some(Verb::Check(check)) => check::check(&check),
        Some(Verb::List(list)) => list::list(&list),
        Some(Verb::Slots(slots)) => slots::slots(&slots),
        Some(Verb::New(new)) => new::new(&new),
        Some(Verb::Tune(tune)) => tune::tune(&tune),
        Some(Verb::Serve(serve)) => serve::serve(&serve),
        Some(Verb::Validate(validate)) => validate::validate(&validate),
        Some(Verb::Types(types)) => types::types(&types),
    };
    if out::was_lost() { Status::Failed.into() } else { status.into() }
}
