//! `tune`: the relay experiment on one agent of a scene, the rules of the table on its body, and a search that beats them.

use super::args;
use super::table::{Table, number};
use super::{Status, diagnostic, out};
use crate::experiment::tuning::{Controller, Method, Objective, Tried, Tuned, tune as tune_plant};
use crate::experiment::{Experiment, Options};

/// Prints what tuning found.
pub(super) fn tune(args: &args::Tune) -> Status {
    let options = Options { project: args.project.clone(), sets: args.set.clone(), ..Options::default() };
    let mut experiment = match Experiment::open(&args.scene, options) {
        Ok(experiment) => experiment,
        Err(error) => {
            diagnostic::print(error.problems(), args.project.as_deref().unwrap_or_else(|| std::path::Path::new(".")));
            return Status::from(&error);
        }
    };
    let Some((plant, group, agent)) = experiment.plant(args.group.as_deref(), args.agent) else {
        let groups: Vec<&str> = experiment.world().groups.iter().map(|group| group.name.as_str()).collect();
        out::stderr(&format!("error: the scene has no such agent; its groups are {}\n", groups.join(", ")));
        return Status::Usage;
    };
    let mut method = Method::of(&plant);
    method.relay.output = args.output.unwrap_or(method.relay.output);
    if method.relay.output > plant.body.max_speed {
        let (output, most) = (method.relay.output, plant.body.max_speed);
        out::stderr(&format!("error: the relay's output of {output} m/s is above the speed limit of {most} m/s\n"));
        return Status::Usage;
    }
    method.relay.hysteresis = args.hysteresis.unwrap_or(method.relay.hysteresis);
    method.goal.objective = match args.objective {
        args::ObjectiveWord::Settle => Objective::Settle,
        args::ObjectiveWord::Iae => Objective::Iae,
    };
    method.goal.controller = match args.controller {
        args::ControllerWord::Pd => Controller::Pd,
        args::ControllerWord::Pid => Controller::Pid,
    };
    match tune_plant((&plant, group, agent), method) {
        Ok(tuned) => {
            if args.json {
                out::json(&tuned);
            } else {
                out::stdout(&text(&tuned));
            }
            if args.save { save(&mut experiment, &tuned, args.rule.as_deref()) } else { Status::Done }
        }
        Err(error) => {
            out::stderr(&format!("error: the relay experiment has no answer: {error}\n"));
            Status::Failed
        }
    }
}

/// Writes the gains of a rule, or those of the search, into the scene file.
fn save(experiment: &mut Experiment, tuned: &Tuned, rule: Option<&str>) -> Status {
    let named = |tried: &&Tried| rule.is_none_or(|rule| tried.rule.eq_ignore_ascii_case(rule));
    let chosen = if rule.is_none() { Some(&tuned.search) } else { tuned.rules.iter().find(named) };
    let Some(chosen) = chosen else {
        let rules: Vec<&str> = tuned.rules.iter().map(|tried| tried.rule.as_str()).collect();
        out::stderr(&format!("error: there is no such rule; the rules are {}\n", rules.join(", ")));
        return Status::Usage;
    };
    match experiment.save_gains(&tuned.group, chosen) {
        Ok(settings) => {
            let settings: Vec<String> =
                settings.iter().map(|(address, value)| format!("{address} = {value}")).collect();
            out::stderr(&format!("saved the gains of {}: {}\n", chosen.rule, settings.join(", ")));
            Status::Done
        }
        Err(error) => {
            out::stderr(&format!("error: the gains of {} are not saved: {error}\n", chosen.rule));
            Status::Failed
        }
    }
}

fn text(tuned: &Tuned) -> String {
    let shown = |value: f64| number(Some(value));
    let mut text = format!(
        "agent {} of {}: lag {} s, dead time {} s\nrelay: Ku {} 1/s, Tu {} s, amplitude {} m\n",
        tuned.agent,
        tuned.group,
        shown(tuned.lag),
        shown(tuned.dead_time),
        shown(tuned.ku),
        shown(tuned.tu),
        shown(tuned.amplitude),
    );
    if let Some((gain, period)) = tuned.exact {
        let exact = ["exact, without ticks and noise: Ku ", &shown(gain), ", Tu ", &shown(period)];
        text.extend(exact);
        text.push_str(" s (a relay's estimate is some percent off)\n");
    }
    let mut table = Table::default();
    table.row(["rule", "Kp", "Ki", "Kd", "overshoot %", "settles s", "IAE m s"].map(str::to_owned));
    for tried in tuned.all() {
        table.row(row(tried));
    }
    text.push_str("\na step of 0.5 m on this body\n");
    text.push_str(&table.text("  "));
    text.push_str("\nin track_slot: k1 = Kp, k3 = Ki, kd = Kd\n");
    text
}

fn row(tried: &Tried) -> [String; 7] {
    let shown = |value: f64| number(Some(value));
    [
        tried.rule.clone(),
        shown(tried.kp),
        shown(tried.ki),
        shown(tried.kd),
        shown(tried.overshoot),
        tried.settled.map_or_else(|| "never".to_owned(), shown),
        shown(tried.iae),
    ]
}
