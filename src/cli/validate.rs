//! `validate`: published figures beside what this program measures.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use super::args;
use super::table::{Table, number};
use super::{Status, out};
use crate::experiment::suggestion;
use crate::experiment::validating::{CASES, Case, Context, Outcome};

/// Runs the cases named, or all that are quick.
pub(super) fn validate(args: &args::Validate) -> Status {
    let mut cases: Vec<&Case> = Vec::new();
    for name in &args.names {
        let Some(case) = CASES.iter().find(|case| case.name == name) else {
            let hint = suggestion(name, CASES.iter().map(|case| case.name)).unwrap_or_default();
            out::stderr(&format!("error: there is no case `{name}`; {hint}\n"));
            return Status::Usage;
        };
        cases.push(case);
    }
    if args.names.is_empty() {
        cases.extend(CASES.iter().filter(|case| args.long || !case.long));
    }
    if args.list && args.json {
        let rows = CASES.iter().map(|case| {
            serde_json::json!({ "name": case.name, "about": case.about, "source": case.source, "long": case.long })
        });
        out::json(&serde_json::json!({ "cases": rows.collect::<Vec<_>>() }));
        return Status::Done;
    }
    if args.list {
        for case in CASES {
            out::stdout(&format!("{:18} {} ({})\n", case.name, case.about, case.source));
        }
        return Status::Done;
    }
    let project = args.project.clone().unwrap_or_else(|| PathBuf::from("."));
    let context = Context { project, clock: seconds };
    let mut outcomes = Vec::new();
    for case in cases {
        let outcome = case.run(&context);
        if !args.json {
            out::stdout(&text(&outcome));
        }
        outcomes.push(outcome);
    }
    let failed = outcomes.iter().filter(|outcome| !outcome.ok).count();
    if args.json {
        out::json(&serde_json::json!({ "cases": outcomes, "ok": failed == 0 }));
    } else if failed > 0 {
        let stopped = outcomes.iter().filter(|outcome| !outcome.error.is_empty()).count();
        let wrong = failed - stopped;
        out::stderr(&format!("of {} cases {wrong} are not as expected, {stopped} could not run\n", outcomes.len()));
    }
    if failed > 0 { Status::Failed } else { Status::Done }
}

/// Seconds since the first call.
#[expect(clippy::disallowed_methods, reason = "what a case costs is shown, never judged")]
fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

fn text(outcome: &Outcome) -> String {
    let verdict = match (outcome.ok, outcome.error.is_empty()) {
        (true, _) => "as expected",
        (false, true) => "NOT AS EXPECTED",
        (false, false) => "NOT RUN",
    };
    let mut text = format!("{} ({}): {verdict}\n  {}\n", outcome.name, outcome.source, outcome.about);
    if !outcome.error.is_empty() {
        text.extend(["  could not run: ", &outcome.error.replace('\n', "\n  "), "\n"]);
        return text;
    }
    let mut table = Table::default();
    table.row(["quantity", "measured", "unit", "expected", "the text says", ""].map(str::to_owned));
    for quantity in &outcome.quantities {
        let verdict = match quantity.ok {
            Some(true) => "ok",
            Some(false) => "no",
            None => "shown",
        };
        table.row([
            quantity.what.clone(),
            number(Some(quantity.measured)),
            quantity.unit.to_owned(),
            quantity.expected.to_string(),
            quantity.text.to_owned(),
            verdict.to_owned(),
        ]);
    }
    text.push_str(&table.text("    "));
    text.push('\n');
    text
}
