//! Groups: bodies, counts, settings and everything else that is said of a group.

use super::overlap::Crowd;
use super::spawn::Party;
use super::{Builder, SceneGroup, SceneObstacle, ScenePose, SceneReassign, obstacles};
use crate::formation::{Frame, Threshold};
use crate::scene::catalogue::Noun;
use crate::scene::decode::{Decoder, Fields as _, Shape as _, Spanned, Table};
use crate::scene::file::{
    AvoidFile, BodyFile, ContractFile, GroupFile, MAX_COUNT, NetworkFile, PoseFile, Range, ReassignFile, SpawnFile,
};
use crate::scene::nearest::suggestion;
use crate::scene::ron::{Kind, Node, Span, shortened};
use crate::scene::value::SetValue;
use crate::sim::body::BodyField;
use crate::sim::obstacle::Obstacles;
use crate::sim::{Avoid, AvoidField, BodySpec, Space, UpdateRate, Value};

/// Agents of all groups together at the start, at most.
const MAX_AGENTS: usize = 2_000_000;

/// The addresses that every group has whatever its behavior.
pub(super) fn structural_addresses() -> Vec<String> {
    let fields = |prefix: &str, infos: &[crate::scene::decode::FieldInfo]| {
        infos.iter().map(|info| format!("{prefix}.{}", info.name)).collect::<Vec<_>>()
    };
    let mut known = vec!["count".to_owned(), "update".to_owned()];
    known.extend(BodyField::ALL.map(|(_, name)| format!("body.{name}")));
    known.push("body.avoid".to_owned());
    known.extend(AvoidField::ALL.map(|(_, name)| format!("body.avoid.{name}")));
    known.extend(fields("contract", ContractFile::FIELDS));
    known.extend(fields("network", NetworkFile::FIELDS));
    known.extend(
        ["at", "radius", "spacing", "columns", "heading_deg", "speed", "jitter"].map(|name| format!("spawn.{name}")),
    );
    known
}

impl Builder<'_> {
    /// Moves settings such as `body.lag` from each group's `set` to where they belong, so that the rest sees one truth.
    pub(super) fn structural_settings(&mut self) {
        for index in 0..self.file.groups.len() {
            let group = &mut self.file.groups[index].value;
            let all = std::mem::take(&mut group.set.0);
            let (structural, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(key, _)| is_structural(&key.value));
            group.set = Table(rest);
            for (key, value) in structural {
                self.structural_setting(index, &key, &value);
            }
        }
    }

    fn structural_setting(&mut self, index: usize, key: &Spanned<String>, value: &Spanned<SetValue>) {
        let mut node = match &value.value.0 {
            // A choice is a word in the file and a text for `--set` and sliders.
            Value::Text(word) if key.value == "body.avoid" && word == "None" => Node::new(Kind::Option(None)),
            Value::Text(word) if key.value.starts_with("contract.") || key.value == "body.avoid" => {
                Node::new(Kind::Word(word.clone()))
            }
            _ => value.encode(),
        };
        node.span = value.span;
        let mut decoder = Decoder::new(self.source);
        let group: &mut GroupFile = &mut self.file.groups[index].value;
        let name = group.name.value.clone();
        let (part, field) = key.value.split_once('.').unwrap_or((&key.value, ""));
        let done = match (part, field) {
            ("count" | "update", "") => group.set_field(part, &node, &mut decoder),
            ("body", field) if field.starts_with("avoid.") => {
                return self.avoid_setting(index, key, &node);
            }
            ("body", field) => {
                // One number for all takes the place of a range.
                group.body.value.spread.0.retain(|(spread, _)| spread.value != field);
                group.body.value.set_field(field, &node, &mut decoder)
            }
            ("contract", field) => group.contract.get_or_insert_default().set_field(field, &node, &mut decoder),
            ("network", field) => group.network.get_or_insert_default().set_field(field, &node, &mut decoder),
            ("spawn", field) => {
                group.spawn.as_mut().is_some_and(|spawn| spawn.value.set_field(field, &node, &mut decoder))
            }
            _ => false,
        };
        for mut problem in decoder.problems {
            problem.group = Some(name.clone());
            problem.message = format!("`{name}.{}`: {}", key.value, problem.message);
            self.problems.push(problem);
        }
        if !done {
            let known = structural_addresses();
            let hint = suggestion(&key.value, known.iter().map(String::as_str));
            let message = format!("group `{name}` has no address `{}`", shortened(&key.value));
            self.group_error(&name, key.span, "unknown-address", message, hint);
        }
    }

    /// Sets a number of a group's avoidance, such as `body.avoid.time_horizon_agents`.
    fn avoid_setting(&mut self, index: usize, key: &Spanned<String>, node: &Node) {
        let mut decoder = Decoder::new(self.source);
        let group: &mut GroupFile = &mut self.file.groups[index].value;
        let name = group.name.value.clone();
        let field = key.value.strip_prefix("body.avoid.").unwrap_or_default();
        let avoid = &mut group.body.value.avoid;
        let done = avoid.as_mut().is_some_and(|avoid| avoid.set_field(field, node, &mut decoder));
        let has = avoid.as_ref().map(AvoidFile::avoid);
        for mut problem in decoder.problems {
            problem.group = Some(name.clone());
            problem.message = format!("`{name}.{}`: {}", key.value, problem.message);
            self.problems.push(problem);
        }
        if done {
            return;
        }
        let known = AvoidField::ALL.map(|(_, name)| name);
        let (message, hint) = match (AvoidField::named(field), has) {
            (None, _) => (
                format!("group `{name}` has no address `{}`", shortened(&key.value)),
                suggestion(field, known.iter().copied()),
            ),
            (Some(_), None) => (
                format!("group `{name}` avoids nobody, so it has no `{}`", key.value),
                Some("give its body one: `avoid: Orca()`".to_owned()),
            ),
            (Some(_), Some(has)) => {
                (format!("the avoidance {} of group `{name}` has no `{field}`", Avoid::name_of(Some(&has))), None)
            }
        };
        self.group_error(&name, key.span, "unknown-address", message, hint);
    }

    pub(super) fn groups(&mut self, space: &Space, scene_obstacles: &[SceneObstacle]) -> Vec<SceneGroup> {
        let files = self.file.groups.clone();
        let stored = obstacles::stored(scene_obstacles);
        let largest = files.iter().map(|group| largest_radius(&group.value.body.value)).fold(0.0, f64::max);
        let mut crowd = Crowd::new(*space, largest);
        let mut names: Vec<String> = Vec::new();
        let mut left = MAX_AGENTS;
        let mut groups = Vec::with_capacity(files.len());
        for (index, file) in files.iter().enumerate() {
            self.group_name(&file.value.name, &names);
            names.push(file.value.name.value.clone());
            let count = self.count(file, &mut left);
            groups.push(self.group(index, &file.value, count, &mut crowd, &stored));
        }
        groups
    }

    fn count(&mut self, file: &Spanned<GroupFile>, left: &mut usize) -> usize {
        let group = &file.value;
        let name = &group.name.value;
        let points = match group.spawn.as_ref().map(|spawn| &spawn.value) {
            Some(SpawnFile::Points(points)) => Some(points.0.points.len()),
            _ => None,
        };
        let count = match (&group.count, points) {
            (None, None) => {
                let hint = "add `count: 20`; 0 is allowed".to_owned();
                self.group_error(name, file.span, "missing-field", "Group lacks the field `count`", Some(hint));
                0
            }
            (None, Some(points)) => points,
            (Some(count), points) => {
                let wanted = count.value as usize;
                if let Some(points) = points.filter(|&points| points != wanted) {
                    let message = format!("the count is {wanted}, but the spawn has {points} points");
                    let hint = "leave `count` out, it follows from the points".to_owned();
                    self.group_error(name, count.span, "wrong-count", message, Some(hint));
                }
                wanted
            }
        };
        if count > 0 && group.spawn.is_none() {
            let message = format!("group `{name}` has {count} agents but no `spawn`");
            let hint = "add for instance `spawn: Grid(at: (0, 0), spacing: 1.0)`".to_owned();
            self.group_error(name, file.span, "missing-field", message, Some(hint));
        }
        if count as f64 > MAX_COUNT || count > *left {
            let message = format!("more than {MAX_AGENTS} agents in one scene");
            self.group_error(name, file.span, "out-of-range", message, None);
            return 0;
        }
        *left -= count;
        count
    }

    fn group(
        &mut self,
        index: usize,
        file: &GroupFile,
        count: usize,
        crowd: &mut Crowd,
        stored: &Obstacles,
    ) -> SceneGroup {
        let name = file.name.value.clone();
        let known =
            file.behavior.as_ref().is_some_and(|behavior| self.known_name(Noun::Behavior, behavior, Some(&name)));
        if known || file.behavior.is_none() {
            self.settings(&name, file);
        }
        if let Some(formation) = &file.formation {
            self.known_name(Noun::Formation, &formation.name, Some(&name));
            self.led_frame(file, &formation.pose, formation.name.span);
        }
        let leader = file.leader.as_ref().and_then(|leader| self.group_index(leader));
        if leader == Some(index)
            && let Some(leader) = &file.leader
        {
            let message = format!("group `{name}` cannot lead itself");
            self.group_error(&name, leader.span, "bad-leader", message, Some("name another group".to_owned()));
        }
        let body = self.body(&name, file);
        let party = Party { name: &name, index, count, radius: largest_radius(&file.body.value) };
        let births = match &file.spawn {
            Some(spawn) => self.births(&party, spawn, crowd, stored),
            None => Vec::new(),
        };
        let (formation_set, set) = split_formation(&file.set);
        let (own_bodies, own_links) = self.own(&name, file, count);
        self.network(&name, file);
        let update = self.update(&name, &file.update);
        SceneGroup {
            births,
            body,
            behavior: file.behavior.as_ref().map(|behavior| behavior.value.clone()),
            set,
            formation_set,
            formation: file.formation.as_ref().map(|formation| formation.name.value.clone()),
            pose: file.formation.as_ref().map_or_else(ScenePose::default, |formation| pose(&formation.pose)),
            contract: file.contract.as_ref().map(|contract| self.contract(&name, contract)),
            reassign: reassign(&file.reassign),
            sensor_noise: (file.sensor_noise.position, file.sensor_noise.heading_deg.to_radians()),
            max_neighbors: file.max_neighbors,
            update,
            route: file.route.clone(),
            goal: file.goal,
            leader,
            network: file.network.clone(),
            own_bodies,
            own_links,
            name,
        }
    }

    /// A frame that goes with the leader needs one.
    pub(super) fn led_frame(&mut self, group: &GroupFile, pose: &PoseFile, span: Span) {
        if pose.frame != Frame::World && group.leader.is_none() {
            let name = &group.name.value;
            let message = format!("the formation of `{name}` is to go with its leader, but `{name}` has none");
            self.group_error(name, span, "bad-leader", message, Some("add `leader: \"group\"`".to_owned()));
        }
    }

    /// How often the agents of a group decide.
    fn update(&mut self, name: &str, range: &Spanned<Range>) -> UpdateRate {
        let rate = UpdateRate { from: range.value.from, to: range.value.to };
        let Some(hint) = rate.refusal() else { return rate };
        let message = format!("group `{name}` cannot decide every {} to {} s", rate.from, rate.to);
        self.group_error(name, range.span, "out-of-range", message, Some(hint.to_owned()));
        UpdateRate::default()
    }

    /// Checks addresses and values of a group's `set`.
    fn settings(&mut self, name: &str, file: &GroupFile) {
        let behavior = file.behavior.as_ref().map_or("", |behavior| behavior.value.as_str());
        for (key, value) in &file.set.0 {
            self.known_address(name, key);
            if let Some(wrong) = self.catalogue.refuse(behavior, &key.value, &value.value.0) {
                let message = format!("`{name}.{}` is {}; {wrong}", shortened(&key.value), value.value.0);
                self.group_error(name, value.span, "out-of-range", message, None);
            }
        }
    }

    fn body(&mut self, name: &str, file: &GroupFile) -> BodySpec {
        let body = &file.body.value;
        let mut spread = Vec::new();
        for (key, range) in &body.spread.0 {
            let Some(field) = BodyField::named(&key.value) else {
                let message = format!("a body has no number `{}` to spread", shortened(&key.value));
                let hint = suggestion(&key.value, BodyField::ALL.iter().map(|(_, name)| *name));
                self.group_error(name, key.span, "unknown-field", message, hint);
                continue;
            };
            let Range { from, to } = range.value;
            if from < 0.0 {
                let message = format!("the spread of `{}` goes down to {from}; it must not be negative", key.value);
                self.group_error(name, range.span, "out-of-range", message, None);
            }
            spread.push((field, from, to));
        }
        BodySpec {
            radius: body.radius,
            max_speed: body.max_speed,
            max_acceleration: body.max_acceleration,
            turn_rate: body.turn_rate,
            lag: body.lag,
            dead_time: body.dead_time,
            stride: body.stride,
            relaxation: body.relaxation,
            path_desired_distance: body.path_desired_distance,
            target_desired_distance: body.target_desired_distance,
            path_max_distance: body.path_max_distance,
            drive: body.drive,
            heading: body.heading,
            avoid: body.avoid.as_ref().map(AvoidFile::avoid),
            substeps: file.substeps,
            spread,
        }
    }
}

/// Whether a setting belongs to the scene, not to a behavior or a formation.
fn is_structural(key: &str) -> bool {
    matches!(key.split('.').next(), Some("body" | "contract" | "count" | "network" | "spawn" | "update"))
}

/// Names and their values.
type Settings = Vec<(String, Value)>;

/// Settings of formations without their prefix, and the others.
fn split_formation(set: &Table<SetValue>) -> (Settings, Settings) {
    let mut formation = Vec::new();
    let mut rest = Vec::new();
    for (key, value) in super::plain(set) {
        match key.strip_prefix("formation.") {
            Some(parameter) => formation.push((parameter.to_owned(), value)),
            None => rest.push((key, value)),
        }
    }
    (formation, rest)
}

/// The largest radius that an agent of this body can have, m.
fn largest_radius(body: &BodyFile) -> f64 {
    body.spread_of("radius").map_or(body.radius, |range| range.value.to.max(0.0))
}

fn reassign(file: &ReassignFile) -> SceneReassign {
    SceneReassign { every: file.every, threshold: Threshold { gain: file.gain, least: file.least } }
}

/// A pose in radians.
pub(super) fn pose(file: &PoseFile) -> ScenePose {
    ScenePose { at: file.at, turn: crate::sim::wrap_angle(file.turn_deg.to_radians()), frame: file.frame }
}
