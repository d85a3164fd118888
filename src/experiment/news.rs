//! What happened since somebody last looked: formations ordered, commands settled, problems, lines of the log.
//!
//! Looked at after each tick and each command, it gives the same news in the same order in every run.

use serde::Serialize;

use super::core::Experiment;
use super::frame::Level;
use crate::scene::problem::Problem;
use crate::sim::Value;

/// Whose lines of the log are news: what is ordered is news already.
const HEARD: [&str; 4] = ["script", "network", "watchdog", "flow"];

/// One thing that happened, named by its field `event`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum News {
    /// A group was ordered into a formation; of several orders within a tick the last.
    FormationUpdate {
        /// Name of the group.
        group: String,
        /// Name of the formation.
        formation: String,
        /// The tick of the order.
        tick: u64,
    },
    /// The formation of a group was ordered to walk at another speed.
    MarchUpdate {
        /// Name of the group.
        group: String,
        /// The speed that was ordered, m/s; 0 is a halt.
        speed: f64,
        /// Ticks done when it was found out.
        tick: u64,
    },
    /// The contract of a group holds again after a command.
    Settled {
        /// Name of the group.
        group: String,
        /// The command in words.
        command: String,
        /// Ticks done when it was found out.
        tick: u64,
        /// Simulated seconds from the command until all terms held.
        took: f64,
    },
    /// Something is wrong that was not before.
    Problem {
        /// What, as in a report.
        #[serde(flatten)]
        problem: Box<Problem>,
    },
    /// A script or the network says something.
    Log {
        /// Simulated time in s.
        time: f64,
        /// `info`, `warning` or `error`.
        level: &'static str,
        /// Who says it.
        source: String,
        /// What.
        text: String,
    },
}

/// What has been told already.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    groups: Vec<Seen>,
    /// The handle of the last problem.
    problem: u64,
    /// Lines of the log.
    lines: u64,
}

/// What makes an order another one; where its frame has walked to since does not.
type OrderKey = (String, Vec<(String, Value)>, u64);

#[derive(Clone, Debug, Default)]
struct Seen {
    order: Option<OrderKey>,
    /// The speed of the march that was ordered.
    march: f64,
    /// Tick and words of the command that has settled.
    settled: Option<(u64, String)>,
}

impl Watch {
    /// Nothing was told; formations as they are now are no news, problems are.
    pub fn new(experiment: &Experiment) -> Self {
        let mut watch = Self::default();
        watch.start(experiment);
        watch
    }

    /// The experiment began anew: what groups hold now is no news.
    pub fn start(&mut self, experiment: &Experiment) {
        let seen =
            |group| Seen { order: order_of(experiment, group), march: march_of(experiment, group), settled: None };
        self.groups = (0..experiment.groups.len()).map(seen).collect();
    }

    /// The formation of a group is news, even if the same was ordered in the same tick before.
    pub fn expect_order(&mut self, group: usize) {
        if let Some(seen) = self.groups.get_mut(group) {
            seen.order = None;
        }
    }

    /// What has happened: by group formations and settling, then problems, then the log.
    pub fn news(&mut self, experiment: &Experiment) -> Vec<News> {
        let mut news = Vec::new();
        for (group, seen) in self.groups.iter_mut().enumerate() {
            news.extend(seen.formation(experiment, group));
            news.extend(seen.march(experiment, group));
            news.extend(seen.settled(experiment, group));
        }
        let last = self.problem;
        for (id, problem) in experiment.problems.entries().filter(|(id, _)| *id > last) {
            news.push(News::Problem { problem: Box::new(problem.clone()) });
            self.problem = id;
        }
        if experiment.log_serial() > self.lines {
            let fresh = experiment.log_lines().filter(|line| line.serial >= self.lines);
            news.extend(fresh.filter(|line| HEARD.contains(&line.source.as_str())).map(|line| News::Log {
                time: line.time,
                level: word(line.level),
                source: line.source.clone(),
                text: line.text.clone(),
            }));
            self.lines = experiment.log_serial();
        }
        news
    }
}

impl Seen {
    fn formation(&mut self, experiment: &Experiment, group: usize) -> Option<News> {
        let order = order_of(experiment, group);
        if self.order == order {
            return None;
        }
        self.order = order;
        let (formation, _, tick) = self.order.clone()?;
        Some(News::FormationUpdate { group: experiment.world.groups[group].name.clone(), formation, tick })
    }

    fn march(&mut self, experiment: &Experiment, group: usize) -> Option<News> {
        let speed = march_of(experiment, group);
        if self.march == speed {
            return None;
        }
        self.march = speed;
        let group = experiment.world.groups[group].name.clone();
        Some(News::MarchUpdate { group, speed, tick: experiment.ticks() })
    }

    fn settled(&mut self, experiment: &Experiment, group: usize) -> Option<News> {
        let judge = experiment.measuring.groups.get(group)?.judge.as_ref()?;
        let last = judge.settles().last()?;
        let Some(took) = last.took else {
            self.settled = None;
            return None;
        };
        if self.settled.as_ref().is_some_and(|(tick, command)| *tick == last.tick && *command == last.command) {
            return None;
        }
        self.settled = Some((last.tick, last.command.clone()));
        let (name, tick) = (experiment.world.groups[group].name.clone(), experiment.ticks());
        Some(News::Settled { group: name, command: last.command.clone(), tick, took })
    }
}

fn order_of(experiment: &Experiment, group: usize) -> Option<OrderKey> {
    let order = &experiment.forming(group)?.order;
    Some((order.name.clone(), order.params.clone(), order.tick))
}

fn march_of(experiment: &Experiment, group: usize) -> f64 {
    experiment.forming(group).map_or(0.0, |forming| forming.march.speed)
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}
