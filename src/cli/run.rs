//! `run`: a scene without a window, and the report of it.

use std::path::Path;

use super::args;
use super::csv::Csv;
use super::pace::Pace;
use super::progress::Progress;
use super::table::{Table, number};
use super::{Status, diagnostic, group_text, interrupt, out};
use crate::experiment::report::{Report, hash_text};
use crate::experiment::{Experiment, OpenError, Options, Problem};

/// Runs the scene and prints the report.
pub(super) fn run(args: &args::Run) -> Status {
    let options = Options {
        project: args.project.clone(),
        seed: args.seed,
        sets: args.set.clone(),
        threads: usize::from(args.threads),
        keep_going: args.keep_going,
        watch: args.watch,
        ticks: args.ticks,
        ..Options::default()
    };
    let shown = args.scene.display().to_string();
    let mut experiment = match Experiment::open(&args.scene, options) {
        Ok(experiment) => experiment,
        Err(error) => return refuse(args, &shown, &error),
    };
    if let Some(refusal) = args.csv.as_deref().and_then(|csv| refuse_csv(csv, &args.scene)) {
        out::stderr(&refusal);
        return Status::Usage;
    }
    let csv = match args.csv.as_deref().map(|path| Csv::create(path, args.every, args.agents)).transpose() {
        Ok(csv) => csv,
        Err(problem) => return refuse(args, &shown, &OpenError::Files(vec![problem])),
    };
    interrupt::listen();
    let mut news = News::default();
    let (hashes, csv_problem) = play(&mut experiment, args, csv, &mut news);
    let mut report = experiment.report();
    report.scene = shown;
    report.hashes = hashes;
    report.problems.extend(csv_problem.clone());
    let late: Vec<Problem> = report.problems.iter().filter(|problem| !news.has_told(problem)).cloned().collect();
    diagnostic::print(&late, experiment.project());
    if args.json {
        out::json(&report);
    } else {
        out::stdout(&text(&report, &experiment));
    }
    let judged = !args.require_contract || contract_held(&report);
    let errors = report.problems.iter().any(Problem::is_error);
    if experiment.faulted() || errors || !judged { Status::Failed } else { Status::Done }
}

/// Why a table is not written there: it would take the place of a scene or script, or nobody could find it.
fn refuse_csv(csv: &Path, scene: &Path) -> Option<String> {
    let shown = csv.display();
    if csv.as_os_str() == "-" {
        return Some("error: --csv needs the name of a file; for stdout use /dev/stdout\n".to_owned());
    }
    let same = csv.canonicalize().ok().zip(scene.canonicalize().ok()).is_some_and(|(csv, scene)| csv == scene);
    let source = csv.extension().is_some_and(|extension| extension == "ron" || extension == "luau");
    let clash = same || (source && csv.exists());
    clash
        .then(|| format!("error: --csv {shown} would overwrite a file of the project; name another, such as run.csv\n"))
}

/// Makes the ticks; returns the hashes asked for, and what went wrong with the CSV file.
fn play(
    experiment: &mut Experiment,
    args: &args::Run,
    mut csv: Option<Csv>,
    news: &mut News,
) -> (Vec<(u64, String)>, Option<Problem>) {
    let last = last_tick(experiment, args);
    let progress = Progress::new(last);
    let mut pace = args.watch.then(|| Pace::new(experiment.world().dt()));
    let mut hashes = Vec::new();
    let mut csv_problem = note(experiment, &mut csv);
    while experiment.ticks() < last && !experiment.stopped_by_fault() && !interrupt::pressed() {
        if let Some(pace) = &mut pace {
            pace.wait();
            experiment.poll_scripts();
            news.problems(experiment, &progress);
        }
        experiment.tick();
        news.log(experiment, &progress);
        let tick = experiment.ticks();
        if args.hash_every.is_some_and(|every| tick.is_multiple_of(every)) {
            hashes.push((tick, hash_text(experiment.hash())));
        }
        csv_problem = csv_problem.or_else(|| note(experiment, &mut csv));
        progress.at(tick);
    }
    if let Some(csv) = csv {
        csv_problem = csv_problem.or_else(|| csv.finish().err());
    }
    progress.done();
    (hashes, csv_problem)
}

/// What is told while the run goes on: log lines always, problems as they come where somebody edits meanwhile.
#[derive(Default)]
struct News {
    lines: u64,
    told: Vec<Problem>,
}

impl News {
    fn log(&mut self, experiment: &Experiment, progress: &Progress) {
        if experiment.log_serial() == self.lines {
            return;
        }
        for line in experiment.log_lines().filter(|line| line.serial >= self.lines) {
            progress.say(&format!("[{:.2} s] {}: {}\n", line.time, line.source, line.text));
        }
        self.lines = experiment.log_serial();
    }

    fn problems(&mut self, experiment: &Experiment, progress: &Progress) {
        self.log(experiment, progress);
        let now = experiment.problems();
        let over = |told: &Problem| !now.iter().any(|problem| same(problem, told));
        for told in self.told.extract_if(.., |told| over(told)) {
            let place = told.file.as_deref().unwrap_or("the run");
            progress.say(&format!("mended: {place}: {}\n", told.message));
        }
        let fresh: Vec<Problem> = now.iter().filter(|problem| !self.has_told(problem)).cloned().collect();
        if !fresh.is_empty() {
            progress.hide(|| diagnostic::print(&fresh, experiment.project()));
            self.told.extend(fresh);
        }
    }

    fn has_told(&self, problem: &Problem) -> bool {
        self.told.iter().any(|told| same(told, problem))
    }
}

/// Whether it is the same problem, however often it came.
fn same(a: &Problem, b: &Problem) -> bool {
    (&a.code, &a.message, &a.file, a.line) == (&b.code, &b.message, &b.file, b.line)
}

/// Writes a row where one is due; a file that fails is written no longer.
fn note(experiment: &mut Experiment, csv: &mut Option<Csv>) -> Option<Problem> {
    let problem = csv.as_mut()?.note(experiment).err()?;
    *csv = None;
    Some(problem)
}

fn last_tick(experiment: &Experiment, args: &args::Run) -> u64 {
    match (args.ticks, args.seconds) {
        (Some(ticks), _) => ticks,
        (None, Some(seconds)) => (seconds / experiment.world().dt()).round() as u64,
        (None, None) => experiment.last_tick(),
    }
}

/// Whether every contract holds, and there is one.
fn contract_held(report: &Report) -> bool {
    let any = report.groups.iter().any(|group| group.contract.is_some());
    if !any {
        out::stderr("error: --require-contract, but no group of the scene has a contract\n");
    }
    any && report.contracts_hold()
}

fn refuse(args: &args::Run, shown: &str, error: &OpenError) -> Status {
    diagnostic::print(error.problems(), args.project.as_deref().unwrap_or_else(|| Path::new(".")));
    if args.json {
        out::json(&Report::never_began(shown, error.problems().to_vec()));
    }
    error.into()
}

/// The report for people.
fn text(report: &Report, experiment: &Experiment) -> String {
    let seed = report.seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let ended = if experiment.stopped_by_fault() {
        "stopped at a script fault"
    } else if interrupt::pressed() {
        "ended by Ctrl-C"
    } else {
        "done"
    };
    let mut text =
        format!("{}{seed}: {} s, {} ticks, {ended}\n", report.scene, number(Some(report.seconds)), report.ticks);
    for group in &report.groups {
        text.push_str(&group_text::group_text(group));
    }
    text.push_str(&super::flow_text::flow_text(report));
    for reload in &report.reloads {
        text.extend(["\nreload before tick ", &reload.tick.to_string(), ": ", &reload.note, "\n"]);
    }
    let mut timing = Table::default();
    for (stage, seconds) in &report.timing {
        let per_tick = seconds * 1e6 / (report.ticks.max(1) as f64);
        timing.row([
            stage.clone(),
            number(Some(*seconds)),
            "s".to_owned(),
            number(Some(per_tick)),
            "µs per tick".to_owned(),
        ]);
    }
    text.push_str("\ntime\n");
    text.push_str(&timing.text("  "));
    for (tick, hash) in &report.hashes {
        text.extend(["\nhash at tick ", &tick.to_string(), ": ", hash]);
    }
    if let Some(hash) = &report.hash {
        text.extend(["\nhash ", hash, "\n"]);
    }
    if report.reproducible == Some(false) {
        text.push_str("a callback was stopped by the clock: another run may differ\n");
    }
    text
}
