//! `list`: everything that scenes and scripts may name.

use std::path::Path;

use super::table::Table;
use super::{Status, args, diagnostic, out};
use crate::experiment::listing::{self, Listed};

/// Prints the list. Files with problems are reported on stderr and make no fault: what is all right is listed.
pub(super) fn list(args: &args::List) -> Status {
    let project = args.project.as_deref().unwrap_or_else(|| Path::new("."));
    let (mut lines, problems) = listing::list(project);
    diagnostic::print(&problems, project);
    if let Some(kind) = args.kind {
        lines.retain(|line| line.kind == kind.word());
    }
    if args.json {
        out::json(&lines);
    } else {
        out::stdout(&text(&lines));
    }
    Status::Done
}

fn text(lines: &[Listed]) -> String {
    let mut table = Table::default();
    for line in lines {
        let params: Vec<&str> = line.params.iter().map(|(name, _)| name.as_str()).collect();
        let from = line.file.clone().unwrap_or_else(|| line.origin.clone());
        table.row([line.kind.to_owned(), line.name.clone(), line.about.clone(), params.join(" "), from]);
    }
    table.text("")
}
