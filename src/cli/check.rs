//! `check`: says what is wrong with files, without running them.

use super::{Status, args, diagnostic, out};
use crate::experiment::checking;

/// Checks the files.
pub(super) fn check(args: &args::Check) -> Status {
    let (checked, project) = checking::check(&args.files, args.project.as_deref());
    diagnostic::print(&checked.problems, &project);
    if args.json {
        out::json(&checked);
    } else {
        let lines = checked
            .files
            .iter()
            .map(|file| format!("{}: {}\n", file.file, if file.ok { "ok" } else { "has problems" }));
        out::stdout(&lines.collect::<String>());
    }
    if checked.ok() { Status::Done } else { Status::Failed }
}
