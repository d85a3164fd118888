//! `validate`: published figures beside what this program measures.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::args;
use super::junit::junit;
use super::table::{Table, number};
use super::{Status, interrupt, out};
use crate::experiment::suggestion;
use crate::experiment::validating::{CASES, Case, Mark, Outcome, Suite, Verdict, chosen};

/// How often it is looked whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(100);

/// How many looks later cases that do not end are left behind.
const LOOKS: u32 = 20;

/// Runs the cases named, or all that are quick.
pub(super) fn validate(args: &args::Validate) -> Status {
    let mut cases: Vec<&Case> = Vec::new();
    for name in &args.names {
        let Some(case) = Case::by_name(name) else {
            let hint = suggestion(name, CASES.iter().map(|case| case.name)).unwrap_or_default();
            out::stderr(&format!("error: there is no case `{name}`; {hint}\n"));
            return Status::Usage;
        };
        cases.push(case);
    }
    if args.names.is_empty() {
        cases = chosen(args.long);
    }
    if args.list {
        list(args.json);
        return Status::Done;
    }
    let names: Vec<&str> = cases.iter().map(|case| case.name).collect();
    let outcomes = match outcomes_of(cases, args) {
        Ok(outcomes) => outcomes,
        Err(error) => {
            out::stderr(&format!("error: no case can run: {error}\n"));
            return Status::Failed;
        }
    };
    let failed = outcomes.iter().any(|outcome| if args.strict { !outcome.strictly_ok() } else { !outcome.ok });
    if args.json {
        let complete = outcomes.len() == names.len();
        out::json(&serde_json::json!({ "cases": outcomes, "ok": !failed && complete }));
    }
    out::stderr(&summary(&outcomes));
    if interrupt::pressed() {
        out::stderr(&so_far(&names, &outcomes));
    }
    if let Some(status) = args.junit.as_deref().and_then(|file| write_junit(file, &outcomes, args.strict)) {
        return status;
    }
    if interrupt::pressed() {
        return Status::Interrupted;
    }
    if failed { Status::Failed } else { Status::Done }
}

/// Runs cases on threads of their own, and shows each as it ends. After Ctrl-C those that run have a moment to end; who does not
/// look is left behind.
fn outcomes_of(cases: Vec<&'static Case>, args: &args::Validate) -> std::io::Result<Vec<Outcome>> {
    interrupt::listen();
    let project = args.project.clone().unwrap_or_else(|| PathBuf::from("."));
    let waiting = thread::current();
    let mut suite = Suite::start(project, cases, args.jobs.max(1), move || waiting.unpark())?;
    let (mut outcomes, mut looks, mut over) = (Vec::new(), LOOKS, false);
    while !over {
        over = suite.finished() || looks == 0;
        for outcome in suite.ended() {
            if !args.json {
                out::stdout(&text(&outcome));
            }
            outcomes.push(outcome);
        }
        if interrupt::pressed() {
            suite.stop();
            looks = looks.saturating_sub(1);
        }
        if !over {
            thread::park_timeout(LOOK);
        }
    }
    Ok(outcomes)
}

/// What Ctrl-C left: how many ended, and which did not.
fn so_far(names: &[&str], outcomes: &[Outcome]) -> String {
    let ended = |name: &str| outcomes.iter().any(|outcome| outcome.name == name);
    let left: Vec<&str> = names.iter().copied().filter(|name| !ended(name)).collect();
    let good = outcomes.iter().filter(|outcome| outcome.ok).count();
    let mut text =
        format!("ended by Ctrl-C: {} of {} cases ran, {good} as expected or known", outcomes.len(), names.len());
    if !left.is_empty() {
        text.extend(["; not run: ", &left.join(", ")]);
    }
    text.push('\n');
    text
}

fn list(json: bool) {
    if json {
        let rows = CASES.iter().map(|case| {
            serde_json::json!({
                "name": case.name, "about": case.about, "source": case.source, "scene": case.scene, "long": case.long
            })
        });
        out::json(&serde_json::json!({ "cases": rows.collect::<Vec<_>>() }));
        return;
    }
    for case in CASES {
        let long = if case.long { " (long)" } else { "" };
        out::stdout(&format!("{:24} {} ({}){long}\n", case.name, case.about, case.source));
    }
}

/// Writes the report; a status only if that fails.
fn write_junit(file: &Path, outcomes: &[Outcome], strict: bool) -> Option<Status> {
    let error = std::fs::write(file, junit(outcomes, strict)).err()?;
    out::stderr(&format!("error: {} cannot be written: {error}\n", file.display()));
    Some(Status::Failed)
}

/// What is not as it should be, and what is known; empty if all is as expected.
fn summary(outcomes: &[Outcome]) -> String {
    let with = |verdict: Verdict| outcomes.iter().filter(move |outcome| outcome.verdict == verdict);
    let names = |verdict: Verdict| with(verdict).map(|outcome| outcome.name).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    if with(Verdict::Fails).chain(with(Verdict::NotRun)).next().is_some() {
        text = format!(
            "of {} cases {} are not as expected, {} could not run: {}\n",
            outcomes.len(),
            with(Verdict::Fails).count(),
            with(Verdict::NotRun).count(),
            [names(Verdict::Fails), names(Verdict::NotRun)].join(" ").trim()
        );
    }
    let known = outcomes.iter().flat_map(|outcome| &outcome.quantities).filter(|row| row.mark() == Mark::KnownToFail);
    let known = known.count();
    if known > 0 {
        text.extend([&known.to_string(), " quantities fail as is known; the reasons stand with them\n"]);
    }
    for outcome in outcomes {
        for row in outcome.quantities.iter().filter(|row| row.mark() == Mark::HoldsNow) {
            text.extend([outcome.name, ": `", &row.what, "` is known to fail, and holds now\n"]);
        }
    }
    text
}

fn text(outcome: &Outcome) -> String {
    let mut text = format!("{} ({}): {}\n  {}\n", outcome.name, outcome.source, outcome.verdict.text(), outcome.about);
    let mut facts = vec![format!("{:.1} s", outcome.seconds)];
    if !outcome.seed.is_empty() {
        facts.insert(0, format!("seed {}", outcome.seed));
    }
    if !outcome.scene.is_empty() {
        facts.push(outcome.scene.to_owned());
    }
    text.extend(["  ", &facts.join(" · "), "\n"]);
    if !outcome.error.is_empty() {
        text.extend(["  could not run: ", &outcome.error.replace('\n', "\n  "), "\n"]);
        return text;
    }
    let mut table = Table::default();
    table.row(["quantity", "measured", "unit", "expected", "the text says", ""].map(str::to_owned));
    for quantity in &outcome.quantities {
        table.row([
            quantity.what.clone(),
            number(Some(quantity.measured)),
            quantity.unit.to_owned(),
            quantity.expected.to_string(),
            quantity.text.to_owned(),
            quantity.mark().text().to_owned(),
        ]);
    }
    text.push_str(&table.text("    "));
    let mut reasons: Vec<&str> = outcome.quantities.iter().filter_map(|quantity| quantity.known).collect();
    reasons.dedup();
    for reason in reasons {
        text.extend(["    known: ", reason, "\n"]);
    }
    text.push('\n');
    text
}
