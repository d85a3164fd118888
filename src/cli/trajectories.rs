//! `run --trajectory`: the run as trajectory files of the field.

use super::args;
use super::out;
use crate::experiment::exporting::Export;
use crate::experiment::{Experiment, OpenError, Problem, Rate};

/// Opens the files that `--trajectory` names and tells at which rate they are written.
///
/// # Errors
/// Wrong usage: a rate that ticks do not divide into, an unknown group, an ending that is no format. A file that cannot be made.
pub(super) fn start(experiment: &mut Experiment, args: &args::Run) -> Result<(), OpenError> {
    if args.trajectory.is_empty() {
        return Ok(());
    }
    let rate = rate(experiment, args).map_err(|problem| OpenError::Usage(vec![problem]))?;
    for path in &args.trajectory {
        let order = Export { path: path.clone(), rate: Some(rate), groups: args.groups.clone() };
        experiment.export(&order).map_err(|problem| {
            let file = problem.code == "cannot-write";
            if file { OpenError::Files(vec![problem]) } else { OpenError::Usage(vec![problem]) }
        })?;
    }
    let hz = experiment.world().settings.tick_hz;
    let every = if rate.every == 1 { "every tick".to_owned() } else { format!("every {} ticks", rate.every) };
    out::stderr(&format!("trajectories at {} frames per second: {every} of {hz} per second\n", rate.fps));
    Ok(())
}

/// How often a frame is written. `--every` is the table's too, so with a table `--fps` may stand beside it.
fn rate(experiment: &Experiment, args: &args::Run) -> Result<Rate, Problem> {
    let hz = experiment.world().settings.tick_hz;
    match (args.fps, args.every) {
        (Some(fps), every) => {
            let rate = Rate::exactly(hz, fps)?;
            if args.csv.is_none() && every.is_some_and(|every| every != rate.every) {
                let message = format!("--fps {fps} is a frame every {} ticks, and --every says otherwise", rate.every);
                return Err(Problem::error("frame-rate", message).hint("give one of the two"));
            }
            Ok(rate)
        }
        (None, Some(every)) => Ok(Rate::every(hz, every)),
        (None, None) => Ok(Rate::usual(hz)),
    }
}
