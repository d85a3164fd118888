//! `run --csv`: a table of metrics over time, or of agents over time.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::experiment::report::Report;
use crate::experiment::{Experiment, Problem};

/// A CSV file that grows with the run. A value that does not exist is an empty cell.
pub(super) struct Csv {
    path: PathBuf,
    file: BufWriter<File>,
    every: u64,
    agents: bool,
    columns: Vec<(usize, String)>,
    headed: bool,
}

impl Csv {
    /// Creates the file; a row is due every `every` ticks, the first at tick 0.
    pub(super) fn create(path: &Path, every: u64, agents: bool) -> Result<Self, Problem> {
        let file = File::create(path).map_err(|error| problem(path, &error))?;
        let file = BufWriter::new(file);
        Ok(Self { path: path.to_path_buf(), file, every, agents, columns: Vec::new(), headed: false })
    }

    /// Writes what is due at this tick.
    pub(super) fn note(&mut self, experiment: &mut Experiment) -> Result<(), Problem> {
        if !experiment.ticks().is_multiple_of(self.every) {
            return Ok(());
        }
        let text = if self.agents { self.agent_rows(experiment) } else { self.metric_row(experiment) };
        self.file.write_all(text.as_bytes()).map_err(|error| problem(&self.path, &error))
    }

    /// Writes what is buffered.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        self.file.flush().map_err(|error| problem(&self.path, &error))
    }

    fn metric_row(&mut self, experiment: &mut Experiment) -> String {
        let (report, flows) = (experiment.report(), experiment.flow_metrics());
        let mut text = String::new();
        if !self.headed {
            self.headed = true;
            self.columns = columns(&report);
            let names = self.columns.iter().map(|(group, id)| format!("{}.{id}", report.groups[*group].name));
            let measured = measured(&report).map(|(id, _)| id);
            let flows = flows.iter().map(|metric| metric.id.clone());
            let names = names.chain(measured).chain(flows);
            text.push_str(&line(["tick".to_owned(), "time".to_owned()].into_iter().chain(names)));
        }
        let values = self.columns.iter().map(|(group, id)| {
            let metrics = &report.groups[*group].metrics;
            cell(metrics.iter().find(|(known, _)| known == id).and_then(|(_, metric)| metric.last))
        });
        let measured = measured(&report).map(|(_, value)| cell(value));
        let flows = flows.iter().map(|metric| cell(Some(metric.value)));
        let head = [report.ticks.to_string(), report.seconds.to_string()].into_iter();
        text.push_str(&line(head.chain(values).chain(measured).chain(flows)));
        text
    }

    fn agent_rows(&mut self, experiment: &Experiment) -> String {
        let mut text = String::new();
        if !self.headed {
            self.headed = true;
            text.push_str("tick,time,group,agent,x,y,z,vx,vy,vz,heading,state\n");
        }
        for row in experiment.agent_rows() {
            let head = [
                experiment.ticks().to_string(),
                experiment.time().to_string(),
                quoted(&row.group),
                row.agent.to_string(),
            ];
            let (p, v) = (row.position, row.velocity);
            let numbers = [p.x, p.y, p.z, v.x, v.y, v.z, row.heading].map(|number| cell(Some(number)));
            text.push_str(&line(head.into_iter().chain(numbers).chain([quoted(&row.state)])));
        }
        text
    }
}

/// The metrics that every group has, in order.
fn columns(report: &Report) -> Vec<(usize, String)> {
    let groups = report.groups.iter().enumerate();
    groups.flat_map(|(index, group)| group.metrics.iter().map(move |(id, _)| (index, id.clone()))).collect()
}

/// What is measured at lines and in areas, by the whole id.
fn measured(report: &Report) -> impl Iterator<Item = (String, Option<f64>)> + '_ {
    let lines = report.lines.iter().map(|line| ("lines", &line.name, &line.metrics));
    let areas = report.areas.iter().map(|area| ("areas", &area.name, &area.metrics));
    lines.chain(areas).flat_map(|(kind, name, metrics)| {
        metrics.iter().map(move |(id, metric)| (format!("{kind}.{name}.{id}"), metric.last))
    })
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    cells.join(",") + "\n"
}

fn cell(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map(|value| value.to_string()).unwrap_or_default()
}

/// A text as CSV wants it: in quotes where it holds what would end a cell.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn problem(path: &Path, error: &std::io::Error) -> Problem {
    Problem::error("cannot-write", format!("{} cannot be written: {error}", path.display()))
}
