//! Flows: sources, stops and journeys checked, names resolved, places made of areas.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;

use super::{Builder, obstacles};
use crate::flow::{Area, ExitSpec, QueueSpec, Settings, SourceSpec, StopKind, StopSpec, WaitingSpec, WaypointSpec};
use crate::scene::decode::Spanned;
use crate::scene::file::{ExitFile, LegFile, PlaceFile, QueueFile, SourceFile, StopFile, WaitingFile};
use crate::scene::nearest::suggestion;
use crate::scene::ron::{Span, shortened};
use crate::sim::{Edge, Leg, Space};

/// Spots of one waiting place at most.
const MOST_SPOTS: usize = 20_000;

impl Builder<'_> {
    pub(super) fn flows(&mut self, space: &Space, walls: &[super::SceneObstacle]) -> Settings {
        let stops = self.stops(walls);
        let files = self.file.sources.clone();
        let mut names: Vec<String> = Vec::new();
        let sources: Vec<SourceSpec> = files
            .iter()
            .filter_map(|file| {
                self.flow_name("source", &file.value.name, &mut names);
                self.source(file, space)
            })
            .collect();
        let journeys: Vec<Arc<[Leg]>> = (0..self.file.groups.len()).map(|group| self.journey(group)).collect();
        Settings { sources, stops, journeys }
    }

    fn stops(&mut self, walls: &[super::SceneObstacle]) -> Vec<StopSpec> {
        let files = self.file.stops.clone();
        let solid = obstacles::stored(walls);
        let mut names: Vec<String> = Vec::new();
        let mut stops = Vec::new();
        for file in &files {
            let (stop, span) = (&file.value, file.span);
            self.flow_name("stop", stop.name(), &mut names);
            let (kind, open) = match stop {
                StopFile::Waypoint(file) => {
                    let kind = StopKind::Waypoint(WaypointSpec { at: file.at, distance: file.distance });
                    (kind, true)
                }
                StopFile::Waiting(file) => {
                    let open = file.open.unwrap_or_else(|| file.stay.is_some());
                    (StopKind::Waiting(self.waiting(file, span, &solid)), open)
                }
                StopFile::Queue(file) => (StopKind::Queue(self.queue(file, span)), file.open),
                StopFile::Exit(file) => (StopKind::Exit(self.exit(file)), file.open),
            };
            // One that is refused stays in the list, so that indices are those of the file.
            stops.push(StopSpec { name: stop.name().value.clone(), open, kind });
        }
        stops
    }

    fn waiting(&mut self, file: &WaitingFile, span: Span, solid: &crate::sim::obstacle::Obstacles) -> WaitingSpec {
        let stay = file.stay.map(|stay| (stay.from, stay.to));
        if file.stay.is_some_and(|stay| stay.from < 0.0) {
            self.flow_error(span, "out-of-range", "the `stay` is negative", "seconds, such as `stay: (2, 5)`");
        }
        let area = file.area.as_ref().and_then(|area| self.place(Some(area), "waiting place"));
        if !file.spots.is_empty() && area.is_some() {
            let hint = "give one of the two";
            self.flow_error(span, "bad-stop", "a waiting place has either `spots` or an `area`", hint);
        }
        let mut spots = file.spots.clone();
        if let Some(area) = area.as_ref().filter(|_| file.spots.is_empty()) {
            let (low, high) = area.bounds();
            let size = (high - low) / file.spacing;
            if size.x * size.y > MOST_SPOTS as f64 {
                let message = format!("the area has room for more than {MOST_SPOTS} people");
                self.flow_error(span, "out-of-range", message, "a larger `spacing`, or a smaller area");
            } else {
                let free = |at: &DVec3| solid.clearance(*at) >= 0.5 * file.spacing;
                spots = area.spots(file.spacing).into_iter().map(|at| at.extend(0.0)).filter(free).collect();
            }
        }
        if spots.is_empty() {
            let message = "nobody can wait here: the place has no spot";
            self.flow_error(
                span,
                "bad-stop",
                message,
                "`spots: [(1, 2), …]`, or an `area` that is free and as wide as its `spacing`",
            );
        }
        WaitingSpec { spots, in_order: !file.spots.is_empty(), area, stay }
    }

    fn queue(&mut self, file: &QueueFile, span: Span) -> QueueSpec {
        let length: f64 = file.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
        if file.points.len() < 2 || length < 1e-6 {
            let hint = "`points: [(4, 1), (4, 6)]`: the first is where the head is served";
            self.flow_error(span, "bad-stop", "a queue needs two different points, its head first", hint);
        }
        if file.service.from < 0.0 {
            self.flow_error(span, "out-of-range", "the `service` is negative", "seconds, such as `service: (3, 8)`");
        }
        QueueSpec {
            points: file.points.clone(),
            spacing: file.spacing,
            service: (file.service.from, file.service.to),
            most: file.most.map(|most| most as usize),
        }
    }

    fn exit(&mut self, file: &ExitFile) -> ExitSpec {
        let area = self.place(file.area.as_ref(), "exit");
        ExitSpec {
            area: area.unwrap_or(Area::Disc(glam::DVec2::ZERO, 1.0)),
            groups: file.groups.iter().filter_map(|group| self.group_index(group)).collect(),
            rate: file.rate,
        }
    }

    fn source(&mut self, file: &Spanned<SourceFile>, space: &Space) -> Option<SourceSpec> {
        let Spanned { value: file, span } = file;
        let group = self.group_index(&file.group);
        let area = self.place(file.area.as_ref(), "source");
        if let (Some(area), Some(world)) = (&area, space.area.filter(|_| space.edge != Edge::Open)) {
            let (low, high) = area.bounds();
            if high.cmplt(world.min.truncate()).any() || low.cmpgt(world.max.truncate()).any() {
                let hint = "move it inside; nobody could enter";
                self.flow_error(*span, "bad-source", "this source lies outside of the scene's area", hint);
            }
        }
        let end = file.to.as_ref().map(|to| to.value);
        if let Some(to) = file.to.as_ref().filter(|to| to.value <= file.from) {
            let message = format!("the source ends at {} s, before it begins at {} s", to.value, file.from);
            self.flow_error(to.span, "out-of-range", message, "a later `to`");
        }
        for pair in file.schedule.windows(2) {
            let (before, after) = (pair[0].value.time, &pair[1]);
            if after.value.time <= before {
                let message = format!("{} s comes after {before} s in the schedule", after.value.time);
                self.flow_error(after.span, "out-of-range", message, "times ascend: `[(20, 8), (25, 0)]`");
            }
        }
        if file.rate == 0.0 && file.schedule.iter().all(|at| at.value.rate == 0.0) {
            let message = format!("nobody ever enters by `{}`", shortened(&file.name.value));
            self.warn(
                *span,
                "idle-source",
                message,
                "`rate: 1` is one per second; `schedule: [(20, 8), (25, 0)]` a train",
            );
        }
        let mut rates: Vec<(f64, f64)> = vec![(file.from, file.rate)];
        for at in &file.schedule {
            rates.retain(|(time, _)| *time < at.value.time);
            rates.push((at.value.time, at.value.rate));
        }
        // Before its beginning nobody enters, after its end neither.
        if let Some(first) = rates.iter_mut().rev().find(|(time, _)| *time <= file.from) {
            first.0 = file.from;
        }
        rates.retain(|(time, _)| *time >= file.from && end.is_none_or(|end| *time < end));
        rates.extend(end.map(|end| (end, 0.0)));
        Some(SourceSpec {
            name: file.name.value.clone(),
            group: group?,
            area: area?,
            spread: file.spread,
            rates,
            most: file.most.map(u64::from),
            batch: file.batch,
            heading: file.heading_deg.map(|heading| crate::sim::wrap_angle(heading.to_radians())),
            speed: file.speed,
            open: file.open,
        })
    }

    /// The journey of a group.
    fn journey(&mut self, group: usize) -> Arc<[Leg]> {
        let file = self.file.groups[group].value.clone();
        let names: BTreeMap<String, u16> =
            self.file.stops.iter().enumerate().map(|(i, stop)| (stop.value.name().value.clone(), i as u16)).collect();
        let mut legs = Vec::new();
        for (place, leg) in file.journey.iter().enumerate() {
            let list = |builder: &mut Self, stops: &[Spanned<String>]| -> Option<Arc<[u16]>> {
                let known: Vec<u16> = stops.iter().filter_map(|stop| builder.stop_index(&names, stop)).collect();
                (!known.is_empty() && known.len() == stops.len()).then(|| known.into())
            };
            let made = match leg {
                LegFile::Stop(stop) => self.stop_index(&names, stop).map(Leg::Stop),
                LegFile::Shuffle(file) => {
                    let (count, of) = (file.count.value as usize, file.stops.len());
                    if count > of || count == 0 {
                        let message = format!("{count} of {of} stops cannot be visited");
                        self.flow_error(file.count.span, "out-of-range", message, &format!("from 1 to {of}"));
                    }
                    list(self, &file.stops).map(|stops| Leg::Shuffle(file.count.value, stops))
                }
                LegFile::Nearest(file) => list(self, &file.stops).map(Leg::Nearest),
                LegFile::LeastCrowded(file) => list(self, &file.stops).map(Leg::LeastCrowded),
                LegFile::Shares(file) => {
                    for (_, weight) in file.stops.0.iter().filter(|(_, weight)| weight.value < 0.0) {
                        self.flow_error(weight.span, "out-of-range", "a share must not be negative", "0 is never");
                    }
                    let shares =
                        file.stops.0.iter().map(|(stop, weight)| Some((self.stop_index(&names, stop)?, weight.value)));
                    let shares: Option<Vec<(u16, f64)>> = shares.collect();
                    shares
                        .filter(|shares| shares.iter().any(|share| share.1 > 0.0))
                        .map(|shares| Leg::Shares(shares.into()))
                }
            };
            let Some(leg) = made else {
                if self.problems.iter().all(|problem| !problem.is_error()) {
                    let name = file.name.value.clone();
                    let message = format!("entry {} of the journey of `{name}` leads nowhere", place + 1);
                    self.group_error(
                        &name,
                        file.name.span,
                        "bad-journey",
                        message,
                        Some("name at least one stop".to_owned()),
                    );
                }
                continue;
            };
            legs.push(leg);
        }
        self.ends_at_exit(&file.name, &legs);
        legs.into()
    }

    /// Nobody goes on from an exit.
    fn ends_at_exit(&mut self, group: &Spanned<String>, legs: &[Leg]) {
        let leaves = |leg: &Leg| {
            let stops = leg.stops();
            let is_exit = |stop: &u16| matches!(self.file.stops[usize::from(*stop)].value, StopFile::Exit(_));
            !stops.is_empty() && stops.iter().all(is_exit)
        };
        let early = legs.iter().position(leaves).filter(|at| at + 1 < legs.len());
        if let Some(at) = early {
            let message = format!("the journey of `{}` goes on after its entry {}, an exit", group.value, at + 1);
            self.warn(group.span, "after-the-exit", message, "an exit is the end of a journey");
        }
    }

    /// The index of a stop that a scene names; reports one that is not there.
    fn stop_index(&mut self, names: &BTreeMap<String, u16>, name: &Spanned<String>) -> Option<u16> {
        let found = names.get(&name.value).copied();
        if found.is_none() {
            let message = format!("there is no stop `{}`", shortened(&name.value));
            let hint = suggestion(&name.value, names.keys().map(String::as_str));
            let hint = hint.unwrap_or_else(|| "stops stand in `stops: […]` of the scene".to_owned());
            self.flow_error(name.span, "unknown-stop", message, &hint);
        }
        found
    }

    /// An area that is one.
    fn place(&mut self, file: Option<&Spanned<PlaceFile>>, of: &str) -> Option<Area> {
        // What is missing was reported by the reader.
        let Spanned { value: file, span } = file?;
        let flat = |point: DVec3| point.truncate();
        let area = match file {
            PlaceFile::Box(area) => Area::Box(flat(area.min), flat(area.max)),
            PlaceFile::Disc(area) => Area::Disc(flat(area.at), area.radius),
            PlaceFile::Line(area) => Area::Line(flat(area.from), flat(area.to)),
            PlaceFile::Polygon(area) => Area::Polygon(area.points.iter().copied().map(flat).collect()),
        };
        if !area.is_something() {
            let hint = "`Box(min: (0, 0), max: (4, 3))`, `Line(from: (0, 0), to: (0, 2))`";
            self.flow_error(*span, "empty-area", format!("the area of this {of} is empty"), hint);
            return None;
        }
        Some(area)
    }

    /// Names of sources and stops: part of the names of metrics, and each once.
    fn flow_name(&mut self, what: &str, name: &Spanned<String>, earlier: &mut Vec<String>) {
        let well_formed = !name.value.is_empty() && name.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let shown = shortened(&name.value);
        if !well_formed {
            let message = format!("`{shown}` cannot be the name of a {what}");
            self.flow_error(name.span, "bad-name", message, "letters, digits and `_`");
        } else if earlier.contains(&name.value) {
            let message = format!("there are two {what}s `{shown}`");
            self.flow_error(name.span, "duplicate-name", message, "give each its own name");
        }
        earlier.push(name.value.clone());
    }

    /// Whether a source or a stop has this name.
    pub(super) fn is_flow(&self, name: &str) -> bool {
        self.file.sources.iter().any(|source| source.value.name.value == name)
            || self.file.stops.iter().any(|stop| stop.value.name().value == name)
    }

    /// Whether a plot names a number of a source or a stop, such as `exits.north.flow`; reports one that is not there.
    pub(super) fn flow_plot(&mut self, plot: &Spanned<String>) -> Option<bool> {
        let (kind, rest) = plot.value.split_once('.')?;
        if !crate::flow::metrics::KINDS.contains(&kind)
            || self.file.groups.iter().any(|group| group.value.name.value == kind)
        {
            return None;
        }
        let (name, metric) = rest.rsplit_once('.').unwrap_or((rest, ""));
        let known: Vec<String> = if kind == "sources" {
            self.file.sources.iter().map(|source| source.value.name.value.clone()).collect()
        } else {
            let of_kind = |stop: &&Spanned<StopFile>| kind != "exits" || matches!(stop.value, StopFile::Exit(_));
            self.file.stops.iter().filter(of_kind).map(|stop| stop.value.name().value.clone()).collect()
        };
        let numbers = crate::flow::metrics::names(kind);
        // `exits.north.people.count` is the count of a group.
        let (name, group) = name.split_once('.').map_or((name, None), |(name, group)| (name, Some(group)));
        let wrong = if !known.iter().any(|known| known == name) {
            Some((
                format!("there is no `{kind}.{}`", shortened(name)),
                suggestion(name, known.iter().map(String::as_str)),
            ))
        } else if !numbers.contains(&metric) {
            Some((format!("`{kind}.{name}` has no number `{}`", shortened(metric)), Some(numbers.join(", "))))
        } else if group.is_some_and(|group| !self.group_names().iter().any(|known| known == group)) {
            let group = group.unwrap_or_default();
            let names = self.group_names();
            Some((
                format!("there is no group `{}`", shortened(group)),
                suggestion(group, names.iter().map(String::as_str)),
            ))
        } else {
            None
        };
        let Some((message, hint)) = wrong else { return Some(true) };
        self.flow_error(plot.span, "unknown-metric", message, &hint.unwrap_or_else(|| numbers.join(", ")));
        Some(false)
    }

    fn flow_error(&mut self, span: Span, code: &str, message: impl Into<String>, hint: &str) {
        if let Some(problem) = self.error(span, code, message) {
            problem.hint = Some(hint.to_owned());
        }
    }
}
