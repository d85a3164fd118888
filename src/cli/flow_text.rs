//! The report of sources, stops and exits for people.

use super::table::Table;
use crate::experiment::report::Report;

/// What entered, where people stand, who left; empty without any of it.
pub(super) fn flow_text(report: &Report) -> String {
    let mut text = String::new();
    if !report.sources.is_empty() {
        let mut table = Table::default();
        table.row(["source", "group", "entered", "waiting", ""].map(str::to_owned));
        for source in &report.sources {
            let reason = source.reason.clone().unwrap_or_default();
            let counts = [source.entered.to_string(), source.waiting.to_string()];
            let [entered, waiting] = counts;
            table.row([source.name.clone(), source.group.clone(), entered, waiting, reason]);
        }
        text.extend(["\n", &table.text("  ")]);
    }
    if !report.stops.is_empty() {
        let mut table = Table::default();
        table.row(["stop", "", "there", "coming", "served"].map(str::to_owned));
        for stop in &report.stops {
            let served = stop.served.map_or_else(String::new, |served| served.to_string());
            table.row([stop.name.clone(), stop.kind.clone(), stop.count.to_string(), stop.coming.to_string(), served]);
        }
        text.extend(["\n", &table.text("  ")]);
    }
    if !report.exits.is_empty() {
        let mut table = Table::default();
        table.row(["exit", "left", "held", "per second", "by group"].map(str::to_owned));
        for exit in &report.exits {
            let groups: Vec<String> =
                exit.times.iter().map(|(group, times)| format!("{group} {}", times.len())).collect();
            let flow = exit.flow.map_or_else(|| "–".to_owned(), |flow| format!("{flow:.2}"));
            table.row([exit.name.clone(), exit.count.to_string(), exit.held.to_string(), flow, groups.join(", ")]);
        }
        text.extend(["\n", &table.text("  ")]);
    }
    text
}
