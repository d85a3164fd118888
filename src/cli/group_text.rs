//! The report of a group for people: metrics, contract, messages, commands.

use super::table::{Table, number};
use crate::experiment::apart::{AssignmentRun, PairRun};
use crate::experiment::counting::CommandCount;
use crate::experiment::frame::AgentKey;
use crate::experiment::report::{BreachRun, ContractRun, GroupRun, MetricRun};

/// The report of one group.
pub(super) fn group_text(group: &GroupRun) -> String {
    let noun = if group.agents == 1 { "agent" } else { "agents" };
    let mut text = format!("\n{}: {} {noun}\n", group.name, group.agents);
    let mut metrics = Table::default();
    metrics.row(["metric", "last", "mean", "max", "unit"].map(str::to_owned));
    for (id, metric) in group.metrics.iter().filter(|(_, metric)| metric.mean.is_some()) {
        metrics.row(metric_row(id, metric));
    }
    if metrics.rows() > 1 {
        text.push_str(&metrics.text("  "));
    }
    if let Some(contract) = &group.contract {
        text.push_str(&contract_text(contract));
    }
    if let Some(assignment) = &group.assignment {
        text.push_str(&assignment_text(assignment));
    }
    if let Some(progress) = &group.progress {
        let first = progress.first_at.map_or_else(String::new, |at| format!(", first at {at:.1} s"));
        text.extend([format!(
            "  no progress to the goal: {} times{first}, {} freed, {} stuck now, the longest {:.1} s\n",
            progress.stuck, progress.freed, progress.now, progress.longest
        )]);
    }
    if let Some(network) = &group.network {
        let delivered = format!("{} of {}", network.delivered, network.messages);
        let sends = network.sends.to_string();
        text.extend(["  messages delivered ", &delivered, ", in ", &sends, " sends"]);
        if !network.offline.is_empty() {
            let who: Vec<String> = network.offline.iter().map(|agent| format!("{agent}")).collect();
            let of = format!("; {} of {} agents offline and out of the contract: ", who.len(), group.agents);
            text.extend([of, who.join(", ")]);
        }
        text.push('\n');
    }
    if !group.commands.is_empty() {
        text.push_str(&commands_text(&group.commands));
    }
    text
}

/// How places were given out, and whether the ways keep bodies apart.
fn assignment_text(run: &AssignmentRun) -> String {
    let greedy = run.greedy.map_or_else(String::new, |greedy| format!(", nearest first {greedy:.2}"));
    let secs = if run.seconds > 0.0 { format!(", in step in {:.2} s", run.seconds) } else { String::new() };
    let mut text = format!(
        "  places: {}, squared ways {:.2} m²{greedy}, the longest {:.2} m{secs}\n",
        run.method, run.squared, run.largest_move
    );
    if run.reassigned + run.kept > 0 {
        let looked = run.reassigned + run.kept;
        text.extend([format!("  places looked at anew {looked} times, exchanged {} times\n", run.reassigned)]);
    }
    let Some(apart) = &run.apart else { return text };
    let pair = |what: &str, pair: &Option<PairRun>| {
        let number = |agent: f64| AgentKey::from_number(agent).map_or_else(|| "?".to_owned(), |key| key.to_string());
        let pair = pair.as_ref()?;
        Some(format!("{what} {:.2} m (agents {}, {})", pair.distance, number(pair.agents.0), number(pair.agents.1)))
    };
    let pairs = [pair("starts", &apart.starts), pair("places", &apart.places), pair("on the way", &apart.closest)];
    let pairs: Vec<String> = pairs.into_iter().flatten().collect();
    if pairs.is_empty() {
        return text;
    }
    let slack = apart.slack.filter(|_| apart.guaranteed);
    let slack = slack.map_or_else(String::new, |slack| format!("; each may be {slack:.2} m off its way"));
    let verdict = if apart.guaranteed { "no two can touch" } else { "not guaranteed" };
    text.extend([format!(
        "  apart: {verdict}; least {}, needed {:.2} m = 2√2·{}{slack}\n",
        pairs.join(", "),
        apart.needed,
        apart.radius
    )]);
    for why in &apart.why {
        text.extend(["    ", why, "\n"]);
    }
    text
}

/// What each command cost.
fn commands_text(commands: &[CommandCount]) -> String {
    let mut table = Table::default();
    let names = ["command", "", "position checks", "angle corrections", "collision predictions", "predicted hits"];
    table.row(names.map(str::to_owned));
    for run in commands {
        let counts = [run.position_checks, run.angle_corrections, run.collision_predictions, run.predicted_hits];
        let cells = [format!("tick {}", run.tick), run.command.clone()];
        table.row(cells.into_iter().chain(counts.map(|count| count.to_string())));
    }
    table.text("  ")
}

fn metric_row(id: &str, metric: &MetricRun) -> [String; 5] {
    [id.to_owned(), number(metric.last), number(metric.mean), number(metric.max), metric.unit.clone()]
}

fn contract_text(contract: &ContractRun) -> String {
    let verdict = if contract.ok { "holds" } else { "does not hold" };
    let mut text = format!("  contract {verdict}\n");
    let mut terms = Table::default();
    for (name, term) in &contract.terms {
        let ok = if term.ok { "ok" } else { "exceeded" };
        terms.row([
            name.clone(),
            number(term.value),
            format!("of {}", number(Some(term.limit))),
            term.unit.clone(),
            ok.to_owned(),
        ]);
    }
    text.push_str(&terms.text("    "));
    for breach in &contract.breaches {
        text.push_str(&breach_text(breach));
    }
    let mut settles = Table::default();
    for settle in &contract.settles {
        let took = settle
            .took
            .map_or_else(|| "did not settle".to_owned(), |took| format!("settled after {} s", number(Some(took))));
        settles.row([format!("tick {}", settle.tick), settle.command.clone(), took]);
    }
    text.push_str(&settles.text("    "));
    text
}

/// Which term fails, since when, for whom.
fn breach_text(breach: &BreachRun) -> String {
    let since = breach.since.map_or_else(String::new, |since| format!(" since {since:.2} s"));
    let agents = breach
        .by
        .iter()
        .map(|blame| format!("agent {} ({} since {:.2} s)", blame.agent, number(Some(blame.value)), blame.since));
    let agents: Vec<String> = agents.collect();
    let by = if agents.is_empty() { String::new() } else { format!(": {}", agents.join(", ")) };
    format!("    {} fails{since}{by}\n", breach.term)
}
