//! The picture of the experiment that the panels see: one immutable frame.

use std::sync::Arc;

use crate::measure::{Metric, Term};
use crate::sim::obstacle::{Shape, outlines};
use crate::sim::{AgentId, Avoid};

use super::core::Experiment;
use super::doing::key_of;
use super::frame::{
    AgentKey, Agents, BodyShape, ContractView, Definition, DirectorButton, FieldView, ForceArrow, ForceView,
    FormationView, Frame, GroupView, Inspected, LogLine, MetricInfo, ObstacleView, Param, ParamValue, ProblemView,
    SceneEntry, SceneInfo, ScriptView, Series, SettleMark, SlotPose, StageTime, StateCount, TermView, ViewHint,
};

/// Points per plotted series: peaks are kept, see [`crate::measure::Series`].
const POINTS: usize = 1200;

/// Segments of a round outline.
const ROUND: usize = 48;

/// Parts of a frame that change rarely, kept from frame to frame.
#[derive(Debug, Default)]
pub struct FrameCache {
    scene: Arc<SceneInfo>,
    obstacles: (Option<(u64, u64)>, Arc<[ObstacleView]>),
    problems: (u64, Arc<[ProblemView]>),
    events: (u64, Arc<[LogLine]>),
    lists: Option<u64>,
    definitions: Arc<[Definition]>,
    catalogue: Arc<[SceneEntry]>,
    buttons: Arc<[DirectorButton]>,
    params: Arc<[Param]>,
    forces: Arc<[ForceView]>,
    params_at: Option<(u64, u64, u64)>,
    /// Shapes of the groups' bodies.
    shapes: Vec<BodyShape>,
    deliveries: super::delivering::DeliveryCache,
    navigation: super::navigating::NavigationCache,
    heat: super::gauges_view::HeatCache,
}

impl Experiment {
    /// All that panels show, now. Transport fields (run state, speed) are the caller's.
    pub fn frame(&mut self, cache: &mut FrameCache) -> Frame {
        self.refresh_lists(cache);
        self.refresh_changes(cache);
        self.refresh_deliveries(&mut cache.deliveries);
        let paths = self.navigation_view(&mut cache.navigation);
        let hash = self.hash();
        Frame {
            serial: 0,
            epoch: self.epoch,
            tick: self.world.tick,
            time: self.world.time(),
            dt: self.world.dt(),
            seed: self.world.settings.seed,
            scene: Arc::clone(&cache.scene),
            unsaved: self.history.is_unsaved(),
            hash: Some(hash),
            stages: self.clock.millis().map(|(name, millis)| StageTime { name, millis }).collect(),
            agents: self.agents_view(),
            inspected: self.inspected_view().map(Arc::new),
            senses: self.senses_view(),
            cells: self.cells_view(),
            navigation: cache.navigation.view.clone(),
            paths,
            lines: self.gauge_lines(),
            areas: self.gauge_areas(),
            heat: self.heat_view(&mut cache.heat),
            flows: self.flow_view(),
            ghosts: self.ghosts_view(),
            export: self.export_view(),
            groups: (0..self.groups.len()).map(|group| self.group_view(group, &cache.shapes)).collect(),
            parameters: Arc::clone(&cache.params),
            forces: Arc::clone(&cache.forces),
            obstacles: Arc::clone(&cache.obstacles.1),
            plots: self.plots_view(),
            metrics: self.metrics_view(),
            problems: Arc::clone(&cache.problems.1),
            events: Arc::clone(&cache.events.1),
            buttons: Arc::clone(&cache.buttons),
            scripts: self.scripts_view(&cache.forces),
            catalogue: Arc::clone(&cache.catalogue),
            definitions: Arc::clone(&cache.definitions),
            deliveries: cache.deliveries.orders(),
            links: cache.deliveries.links(),
            plugins: self.scripts.plugin_views(),
            drawings: self.scripts.drawings(),
            undo: self.history.undo_label().map(str::to_owned),
            redo: self.history.redo_label().map(str::to_owned),
            ..Frame::default()
        }
    }

    /// Scene and definitions: they change with a load or a reload.
    fn refresh_lists(&self, cache: &mut FrameCache) {
        let stamp = self.epoch << 32 | self.scripts.generation();
        if cache.lists == Some(stamp) {
            return;
        }
        cache.lists = Some(stamp);
        let space = self.scene.space;
        let view = self.scene.view.as_ref();
        cache.scene = Arc::new(SceneInfo {
            title: self.scene.title.clone(),
            about: self.scene.about.clone(),
            path: Some(self.shown.clone()),
            duration: Some(self.scene.duration),
            planar: self.world.settings.planar,
            area: space.area.map(|area| (area.min, area.max)),
            edge: format!("{:?}", space.edge),
            view: ViewHint {
                center: view.and_then(|view| view.center),
                zoom: view.and_then(|view| view.zoom),
                perspective: view.is_some_and(|view| view.mode == crate::scene::file::ViewMode::Perspective),
                color_by: view.and_then(|view| view.color_by.as_ref().map(|word| word.value.clone())),
            },
        });
        cache.definitions = self.library().definitions().into();
        cache.catalogue = self.scripts.scene_views().into();
        let buttons = self.scene.directors.iter().filter_map(|entry| {
            let director = self.library().directors.get(&entry.name)?;
            let button = |name: &String| DirectorButton { director: entry.name.clone(), name: name.clone() };
            Some(director.events.iter().map(button).collect::<Vec<_>>())
        });
        cache.buttons = buttons.flatten().collect();
    }

    fn refresh_changes(&self, cache: &mut FrameCache) {
        let obstacles = Some((self.epoch, self.world.obstacles.version()));
        if cache.obstacles.0 != obstacles {
            cache.obstacles = (obstacles, self.world.obstacles.iter().map(obstacle_view).collect());
        }
        if cache.problems.0 != self.problems.changes() {
            let views = self.problems.entries().map(|(id, problem)| ProblemView::new(id, problem));
            cache.problems = (self.problems.changes(), views.collect());
        }
        if cache.events.0 != self.log.serial() {
            cache.events = (self.log.serial(), self.log.lines().cloned().collect());
        }
        let stamp = Some((self.epoch, self.scripts.generation(), self.value_changes()));
        if cache.params_at != stamp {
            cache.params_at = stamp;
            cache.params = self.params().into();
            cache.forces = self.force_views(&cache.params).into();
            cache.shapes = self.shapes(&cache.params);
        }
    }

    /// Another number when any value may have changed outside the user's hands, numbers of agents among them.
    fn value_changes(&self) -> u64 {
        let living: usize = self.world.groups.iter().map(|group| group.members.len()).sum();
        self.changes.wrapping_add(self.next_line as u64).wrapping_mul(1 << 24).wrapping_add(living as u64)
    }

    /// Scripts, with those marked that the scene uses: behaviors, formations (also those to come), forces, directors, metrics.
    fn scripts_view(&self, forces: &[ForceView]) -> Arc<[ScriptView]> {
        let mut names: std::collections::BTreeSet<&str> = forces.iter().map(|force| force.name.as_str()).collect();
        for group in &self.groups {
            names.extend(group.behavior.as_deref());
            names.extend(group.forming.as_ref().map(|forming| forming.order.name.as_str()));
        }
        names.extend(self.scene.schedule.iter().filter_map(|line| match &line.action {
            crate::scene::build::SceneAction::Form { formation, .. } => Some(formation.as_str()),
            _ => None,
        }));
        names.extend(self.scene.directors.iter().map(|director| director.name.as_str()));
        names.extend(self.measuring.watched.iter().filter_map(|id| Some(id.split_once('.')?.1)));
        let mut views = self.scripts.script_views();
        for view in &mut views {
            view.used = names.contains(view.name.as_str());
        }
        views.into()
    }

    fn agents_view(&self) -> Agents {
        let world = &self.world;
        let mut view = Agents::default();
        for slot in 0..world.agents.slots() {
            if !world.agents.alive[slot] {
                continue;
            }
            let agents = &world.agents;
            view.key.push(AgentKey::new(slot as u32, agents.generation[slot]));
            view.position.push(agents.position[slot]);
            view.velocity.push(agents.velocity[slot]);
            view.heading.push(agents.heading[slot]);
            view.radius.push(agents.radius[slot] as f32);
            let group = agents.group[slot];
            view.group.push(group.0);
            let named = self.minds[group.index()].states().len() > 1;
            view.state.push(if named { agents.state[slot] } else { u16::MAX });
            let place = agents.place[slot];
            view.slot.push(place.map(|place| SlotPose { position: place.position, heading: place.heading }));
            let error = place.map_or(0.0, |place| world.offset(agents.position[slot], place.position).length());
            view.slot_error.push(error as f32);
            view.quarantined.push(agents.quarantined[slot]);
        }
        view
    }

    /// How the bodies of each group look: by what moves them, and what fish flee from is a predator.
    fn shapes(&self, params: &[Param]) -> Vec<BodyShape> {
        let planar = self.world.settings.planar;
        let of = |state: &super::core::GroupState| shape_of(state.behavior.as_deref().unwrap_or_default(), planar);
        let mut shapes: Vec<BodyShape> = self.groups.iter().map(of).collect();
        // Trajectory files are of people, as a rule.
        for (_, shape) in shapes.iter_mut().enumerate().filter(|(group, _)| self.tapes.plays(*group)) {
            *shape = BodyShape::Disc;
        }
        for param in params {
            let flees =
                param.force.as_deref().is_some_and(|force| force.starts_with("flee") || force.starts_with("evade"));
            let names = param.label == "threat" || (flees && param.label == "from");
            let ParamValue::Text(feared) = &param.value else { continue };
            if !names || shapes.get(param.group) != Some(&BodyShape::Fish) {
                continue;
            }
            if let Some(group) = self.world.group_named(feared).filter(|group| group.id.index() != param.group) {
                shapes[group.id.index()] = BodyShape::Predator;
            }
        }
        shapes
    }

    fn group_view(&self, index: usize, shapes: &[BodyShape]) -> GroupView {
        let group = &self.world.groups[index];
        let state = &self.groups[index];
        let mind = &self.minds[index];
        let control = match mind.control() {
            crate::sim::Control::Acceleration => "acceleration",
            crate::sim::Control::Velocity => "velocity",
        };
        let names = mind.states();
        let mut states: Vec<StateCount> =
            names.iter().map(|name| StateCount { name: name.clone(), count: 0 }).collect();
        for slot in &group.members {
            if let Some(state) = states.get_mut(self.world.agents.state[*slot as usize] as usize) {
                state.count += 1;
            }
        }
        if names.len() <= 1 {
            states.clear();
        }
        GroupView {
            name: group.name.clone(),
            count: group.members.len(),
            behavior: state.behavior.clone().unwrap_or_default(),
            control,
            shape: shapes.get(index).copied().unwrap_or_default(),
            formation: state.forming.as_ref().map(|forming| FormationView {
                name: forming.order.name.clone(),
                origin: forming.order.pose.at,
                head: forming.place(0).map_or(forming.order.pose.at, |head| head.position),
                turn: forming.order.pose.turn,
                speed: forming.march.now,
                base_line: self.base_line(index).or_else(|| forming.base_line()),
            }),
            contract: self.contract_view(index),
            states,
            transitions: self.passing.counts(index),
            flapping: self.passing.flapping(&self.world, index),
            stuck: group.members.iter().filter(|slot| self.is_stuck(**slot as usize)).count(),
            progress: self.progress.of(index),
            assignment: state.assignment.clone(),
            leads: self.world.groups.iter().any(|other| other.leader == Some(group.id)),
            max_speed: group.body.max_speed,
            command: self.counting.of(index).last().cloned(),
            network: self.network_view(index),
            route: group.route.clone(),
            goal: group.goal,
            noise: group.sensor_noise.0,
            panel: self.panel(index),
            events: state.program.events().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Whether an agent comes no nearer to where it wants to be, or asks to move and does not get on.
    fn is_stuck(&self, slot: usize) -> bool {
        self.progress.is_stuck(&self.world, slot) || self.passing.is_stuck(&self.world, slot)
    }

    /// The base line of a group's agents as they stand, as far as they reach along it.
    fn base_line(&self, group: usize) -> Option<(glam::DVec3, glam::DVec3)> {
        let line = self.measuring.groups.get(group)?.measurer.base_line()?;
        let unit = crate::sim::angle::direction(line.direction);
        let members = self.world.groups[group].members.iter();
        let along = members.map(|slot| (self.world.agents.position[*slot as usize] - line.anchor).dot(unit));
        let (low, high) = along.fold((0.0, 0.0), |(low, high): (f64, f64), at| (low.min(at), high.max(at)));
        Some((line.anchor + unit * high, line.anchor + unit * low))
    }

    fn contract_view(&self, group: usize) -> Option<ContractView> {
        let report = self.measuring.groups.get(group)?.judge.as_ref()?.report();
        let terms = report.terms.iter().map(|term| {
            let angle = matches!(term.term, Term::Heading | Term::HeadingSd);
            let shown = |value: f64| if angle { value.to_degrees() } else { value };
            let blame =
                |run: &super::report::BlameRun| Some((AgentKey::from_number(run.agent)?, shown(run.value), run.since));
            TermView {
                name: term.term.name().to_owned(),
                unit: if angle { "°" } else { term.unit },
                limit: shown(term.limit),
                value: term.value.map(shown),
                ok: Some(term.ok),
                since: term.since.map(|tick| tick as f64 * self.world.dt()),
                by: self.blamed(group, term.term, 8).iter().filter_map(blame).collect(),
            }
        });
        Some(ContractView {
            terms: terms.collect(),
            ok: Some(report.ok),
            settled_at: report.settled_at.map(|tick| tick as f64 * self.world.dt()),
        })
    }

    fn plots_view(&self) -> Arc<[Series]> {
        let dt = self.world.dt();
        let series = self.measuring.watched.iter().map(|id| {
            let points = self.measuring.series.get(id).map(|series| {
                let mut columns = Vec::new();
                let (from, to) = series.ticks().unwrap_or((0, 0));
                series.view(from, to, POINTS / 2, &mut columns);
                let mut points = Vec::with_capacity(POINTS);
                for column in &columns {
                    push_column(&mut points, column, dt);
                }
                points
            });
            let native = super::measuring::native(&self.world, id);
            // Metrics of lines share a plot, and so do those of areas.
            let gauge = super::gauging::parts(id).and_then(|(_, _, metric)| Some((id.strip_suffix(metric)?, metric)));
            let (group, metric) = gauge.or_else(|| id.split_once('.')).unwrap_or(("", id));
            let (unit, about) = native.map_or_else(
                || {
                    let extra = self.measuring.extra(id);
                    extra.map_or_else(Default::default, |extra| (extra.unit.clone(), extra.about.clone()))
                },
                |(_, metric)| (metric.info().unit.to_owned(), metric.info().about.to_owned()),
            );
            Series {
                id: id.clone(),
                metric: if gauge.is_some() { gauge_plot(id, metric) } else { metric.to_owned() },
                steps: gauge.is_some() && matches!(metric, "count" | "forward" | "backward"),
                group: group.trim_end_matches('.').to_owned(),
                unit,
                about,
                color: color_of(metric),
                points: points.unwrap_or_default().into(),
                last: self.measuring.value(&self.world, id),
                limit: native.and_then(|(group, metric)| self.limit_of(group, metric)),
                settles: native.map_or_else(Arc::default, |(group, _)| self.settle_marks(group)),
            }
        });
        series.collect()
    }

    fn limit_of(&self, group: usize, metric: Metric) -> Option<f64> {
        let judge = self.measuring.groups[group].judge.as_ref()?;
        let spec = judge.spec();
        let terms = Term::EACH_TICK.into_iter().filter(|term| spec.metric(*term) == Some(metric));
        terms.filter_map(|term| spec.limit(term)).reduce(f64::min)
    }

    fn settle_marks(&self, group: usize) -> Arc<[SettleMark]> {
        let dt = self.world.dt();
        let Some(judge) = self.measuring.groups[group].judge.as_ref() else { return Arc::default() };
        let mark = |settle: &crate::measure::Settle| SettleMark {
            ordered_at: settle.tick as f64 * dt,
            command: settle.command.clone(),
            settled_at: settle.settled_at.map(|tick| tick as f64 * dt),
        };
        judge.settles().iter().map(mark).collect()
    }

    fn metrics_view(&self) -> Arc<[MetricInfo]> {
        let watched = |id: &str| self.measuring.watched.iter().any(|known| known == id);
        let mut metrics = Vec::new();
        for group in &self.world.groups {
            for metric in Metric::ALL {
                let info = metric.info();
                let id = format!("{}.{}", group.name, info.id);
                let watched = watched(&id);
                metrics.push(MetricInfo { id, unit: info.unit.to_owned(), about: info.about.to_owned(), watched });
            }
        }
        for (id, extra) in &self.measuring.extra {
            let info = MetricInfo {
                id: id.clone(),
                unit: extra.unit.clone(),
                about: extra.about.clone(),
                watched: watched(id),
            };
            metrics.push(info);
        }
        metrics.into()
    }

    fn force_views(&self, params: &[Param]) -> Vec<ForceView> {
        let mut forces: Vec<ForceView> = Vec::new();
        for param in params.iter().filter(|param| param.label == "weight") {
            let (Some(name), Some(address)) = (&param.force, param.address.strip_suffix(".weight")) else { continue };
            let below = address.split_once('.').map_or(address, |(_, below)| below);
            let off = self.groups[param.group].off.contains_key(&format!("{below}.weight"));
            forces.push(ForceView {
                address: address.to_owned(),
                name: name.clone(),
                group: param.group,
                state: param.state.clone(),
                enabled: !off && param.value != ParamValue::Number(0.0),
                about: self.library().catalogue.forces.get(name).map_or_else(String::new, |force| force.about.clone()),
            });
        }
        forces
    }

    fn inspected_view(&mut self) -> Option<Inspected> {
        let id = self.inspected?;
        let Some(slot) = self.world.agents.find(id) else {
            self.inspected = None;
            return None;
        };
        let group = self.world.agents.group[slot].index();
        let mind = self.minds[group].inspect(&self.world, slot as u32);
        let unit = match self.minds[group].control() {
            crate::sim::Control::Acceleration => "m/s²",
            crate::sim::Control::Velocity => "m/s",
        };
        let state = self.minds[group].states().get(self.world.agents.state[slot] as usize).cloned();
        let memory = mind.memory.into_iter().map(|(name, value)| field(&name, value, "", ""));
        Some(Inspected {
            key: key(id),
            group: self.world.groups[group].name.clone(),
            behavior: self.groups[group].behavior.clone().unwrap_or_default(),
            state: state.unwrap_or_default(),
            fields: self.fields_of(slot),
            memory: memory.collect(),
            forces: mind.forces.into_iter().map(|(name, push)| ForceArrow { name, push, unit }).collect(),
            trace: self.passing.trace(id),
            stuck: self.is_stuck(slot),
        })
    }

    fn fields_of(&self, slot: usize) -> Vec<FieldView> {
        let world = &self.world;
        let agents = &world.agents;
        let vector = |v: glam::DVec3| format!("{:.3}, {:.3}, {:.3}", v.x, v.y, v.z);
        let degrees = |angle: f64| format!("{:.1}", angle.to_degrees());
        let mut fields = vec![
            field("position", vector(agents.position[slot]), "m", "true position"),
            field("velocity", vector(agents.velocity[slot]), "m/s", ""),
            field("speed", format!("{:.3}", agents.speed(slot)), "m/s", ""),
            field("heading", degrees(agents.heading[slot]), "°", "0 is +x, counter-clockwise"),
            field("radius", format!("{:.3}", agents.radius[slot]), "m", "radius of the body"),
            field("max_speed", format!("{:.2}", agents.max_speed[slot]), "m/s", ""),
            field("max_acceleration", format!("{:.2}", agents.max_acceleration[slot]), "m/s²", ""),
            field("turn_rate", format!("{:.2}", agents.turn_rate[slot]), "rad/s", ""),
            field("lag", format!("{:.3}", agents.lag[slot]), "s", "first-order lag"),
            field("dead_time", format!("{:.3}", agents.dead_time[slot]), "s", "command to effect"),
            field("avoid", avoid_text(world.group_of(slot).body.avoid), "", "from wanted to safe velocity"),
            field("latency", format!("{:.3}", world.latency(slot)), "s", "network and dead time"),
            field("clearance", number(world.clearance(slot)), "m", "to the nearest obstacle"),
        ];
        if let Some((period, wait)) = world.rhythm(slot) {
            fields.push(field("update", format!("{period:.3}"), "s", "time between two decisions"));
            fields.push(field("next update", format!("{wait:.3}"), "s", "until its next decision"));
        }
        let group = agents.group[slot].index();
        if let Some(link) = self.posting.link(group, agents.id(slot as u32)) {
            let seconds = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
            let trip = link.round_trip;
            fields.push(field("one_way", seconds(link.one_way), "s", "time that the last message took"));
            fields.push(field("round_trip", seconds(trip.smoothed), "s", "message and answer, smoothed"));
            let waits = trip.smoothed.map(|_| trip.wait(0.0, 1));
            fields.push(field(
                "waits",
                seconds(waits),
                "s",
                "then a message is sent again: round trip and 4 deviations",
            ));
            fields.push(field("offline", link.offline.to_string(), "", "it did not answer to the last send"));
        }
        let in_state = world.tick.saturating_sub(agents.state_since[slot]) as f64 * world.dt();
        fields.push(field("state_time", format!("{in_state:.2}"), "s", "since the last transition"));
        if let Some(place) = agents.place[slot] {
            let gap = world.offset(agents.position[slot], place.position);
            fields.push(field("slot", vector(place.position), "m", "its place"));
            fields.push(field("slot_error", format!("{:.4}", gap.length()), "m", "distance to its place"));
            fields.push(field("slot_velocity", vector(place.velocity), "m/s", "how its place moves"));
            fields.push(field("slot_heading", degrees(place.heading), "°", "where its place looks"));
            let turn = crate::sim::wrap_angle(place.heading - agents.heading[slot]);
            fields.push(field("slot_turn", degrees(turn), "°", "angle to go"));
            fields.push(field("slot_index", place.index.to_string(), "", "0 is the head"));
        }
        if let Some(goal) = agents.goal[slot].or_else(|| world.group_of(slot).goal) {
            fields.push(field("goal", vector(goal), "m", "where it wants to be"));
        }
        if let Some(stop) = agents.visit[slot].stop.and_then(|stop| world.stops.get(usize::from(stop))) {
            let visit = agents.visit[slot];
            let secs = world.tick.saturating_sub(visit.since) as f64 * world.dt();
            let about = if visit.there { "it is there" } else { "it is on its way there" };
            fields.push(field("stop", stop.clone(), "", about));
            fields.push(field("since", format!("{secs:.1}"), "s", "how long it is there, or on its way"));
            if let Some(place) = visit.place.filter(|_| visit.queues) {
                fields.push(field("queue_place", (place + 1).to_string(), "", "1 is the head"));
            }
        }
        if agents.quarantined[slot] {
            fields.push(field("quarantined", "yes".to_owned(), "", "its state was not finite"));
        }
        fields
    }
}

/// One column of a series as points: extremes in their order, a NaN for a gap.
fn push_column(points: &mut Vec<[f64; 2]>, column: &crate::measure::Column, dt: f64) {
    if column.is_gap() {
        points.push([column.from as f64 * dt, f64::NAN]);
        return;
    }
    let low = [column.min_at as f64 * dt, column.min];
    let high = [column.max_at as f64 * dt, column.max];
    match column.min_at.cmp(&column.max_at) {
        std::cmp::Ordering::Equal => points.push(low),
        std::cmp::Ordering::Less => points.extend([low, high]),
        std::cmp::Ordering::Greater => points.extend([high, low]),
    }
}

/// The plot that a metric of lines or areas is shown in.
fn gauge_plot(id: &str, metric: &str) -> String {
    format!("{}.{metric}", id.split_once('.').map_or(id, |(kind, _)| kind))
}

/// The color of a metric: its place in the registry, so that it is the same everywhere.
fn color_of(metric: &str) -> usize {
    Metric::parse(metric).map_or_else(
        || metric.bytes().fold(7_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % 8,
        |metric| metric as usize,
    )
}

fn shape_of(behavior: &str, planar: bool) -> BodyShape {
    let has = |words: &[&str]| words.iter().any(|word| behavior.contains(word));
    if has(&["shark"]) {
        BodyShape::Predator
    } else if has(&["fish", "school"]) {
        BodyShape::Fish
    } else if has(&["drone"]) && !planar {
        BodyShape::Quad
    } else if has(&["crowd", "social", "walker", "crosser", "csm", "moussaid", "orca"]) {
        BodyShape::Disc
    } else {
        BodyShape::Chevron
    }
}

fn obstacle_view(obstacle: &crate::sim::obstacle::Obstacle) -> ObstacleView {
    let rings = outlines(&obstacle.shape, ROUND);
    let (low, high) = obstacle.shape.bounds();
    let height = if obstacle.shape.is_planar() { 2.0 } else { high.z - low.z };
    ObstacleView {
        id: key_of(obstacle.id),
        name: obstacle.name.clone(),
        kind: obstacle.shape.kind(),
        outlines: rings.into_iter().map(|ring| ring.points).collect(),
        closed: !matches!(obstacle.shape, Shape::Wall { .. } | Shape::Polyline { .. }),
        open: obstacle.open,
        anchor: obstacle.shape.anchor(),
        height,
    }
}

fn key(id: AgentId) -> AgentKey {
    AgentKey::new(id.slot, id.generation)
}

/// An avoidance in a line.
fn avoid_text(avoid: Option<Avoid>) -> String {
    let name = Avoid::name_of(avoid.as_ref());
    match avoid {
        None => name.to_owned(),
        Some(Avoid::Orca(orca)) => format!(
            "{name}: {} s, obstacles {} s, {} within {} m",
            orca.time_horizon_agents, orca.time_horizon_obstacles, orca.max_neighbors, orca.neighbor_distance
        ),
        Some(Avoid::Csm(csm)) => format!("{name}: {} s", csm.time_gap),
    }
}

fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:.3}") } else { "∞".to_owned() }
}

fn field(name: &str, value: String, unit: &str, about: &str) -> FieldView {
    FieldView { name: name.to_owned(), value, unit: unit.to_owned(), about: about.to_owned() }
}
