//! Numbers of sources, stops and exits, as plots, tables and reports name them: `exits.north.flow`.

use super::{Flow, StopState};
use crate::sim::World;

/// What the first part of such a name can be.
pub const KINDS: [&str; 3] = ["exits", "sources", "stops"];

/// One number: its whole name, its value, its unit, and a line of help.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowMetric {
    /// `exits.north.flow`.
    pub id: String,
    /// After the last tick.
    pub value: f64,
    /// Unit; empty for a count.
    pub unit: &'static str,
    /// One line.
    pub about: &'static str,
}

/// The numbers that each of a kind has.
#[must_use]
pub fn names(kind: &str) -> &'static [&'static str] {
    match kind {
        "exits" => &["count", "flow", "held"],
        "sources" => &["entered", "waiting"],
        _ => &["count", "coming", "served"],
    }
}

/// Whether a metric is one of a source, a stop or an exit; `is_group` knows the names of groups, which come first.
pub fn is_one(id: &str, is_group: impl Fn(&str) -> bool) -> bool {
    id.split_once('.').is_some_and(|(kind, _)| KINDS.contains(&kind) && !is_group(kind))
}

impl Flow {
    /// All numbers, in the order of the scene.
    pub fn metrics(&self, world: &World, out: &mut Vec<FlowMetric>) {
        let mut put = |id: String, value: f64, unit: &'static str, about: &'static str| {
            out.push(FlowMetric { id, value, unit, about });
        };
        for source in &self.sources {
            let name = &source.spec.name;
            put(format!("sources.{name}.entered"), source.entered() as f64, "", "how many have entered here");
            put(format!("sources.{name}.waiting"), source.waiting() as f64, "", "how many are due and find no room");
        }
        for stop in &self.stops {
            let (name, there) = (&stop.spec.name, stop.count(world) as f64);
            let coming = stop.bound.len() as f64 - there;
            match &stop.state {
                StopState::Waypoint => {
                    put(format!("stops.{name}.coming"), coming, "", "how many are on their way there");
                }
                StopState::Waiting(_) | StopState::Queue(_) => {
                    put(format!("stops.{name}.count"), there, "", "how many stand there");
                    put(format!("stops.{name}.coming"), coming, "", "how many are on their way there");
                }
                StopState::Exit(exit) => {
                    put(format!("exits.{name}.count"), exit.count() as f64, "", "how many have left here");
                    let about = "persons per second who left here, mean over the last 5 s";
                    put(format!("exits.{name}.flow"), exit.flow(world.time()), "1/s", about);
                    put(format!("exits.{name}.held"), there, "", "how many stand before it and are not let through");
                    for (group, known) in world.groups.iter().enumerate().filter(|_| world.groups.len() > 1) {
                        let count = exit.of_group(group) as f64;
                        let id = format!("exits.{name}.{}.count", known.name);
                        put(id, count, "", "how many of the group have left here");
                    }
                }
            }
            if let StopState::Queue(queue) = &stop.state {
                put(format!("stops.{name}.served"), queue.served() as f64, "", "how many were served there");
            }
        }
    }
}
