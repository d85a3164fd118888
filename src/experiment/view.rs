//! The picture of the experiment that the panels see: one immutable frame.

use std::sync::Arc;

use crate::measure::Term;
use crate::sim::AgentId;
use crate::sim::obstacle::{Shape, outlines};

use super::core::Experiment;
use super::doing::key_of;
use super::frame::{
    AgentKey, Agents, BodyShape, ContractView, Definition, DirectorButton, ForceView, FormationView, Frame, GroupView,
    LogLine, ObstacleView, Param, ParamValue, ProblemView, SceneEntry, SceneInfo, ScriptView, SlotPose, StageTime,
    StateCount, TermView, ViewHint,
};

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
    pub(super) fn is_stuck(&self, slot: usize) -> bool {
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
}

fn shape_of(behavior: &str, planar: bool) -> BodyShape {
    let has = |words: &[&str]| words.iter().any(|word| behavior.contains(word));
    if has(&["shark"]) {
        BodyShape::Predator
    } else if has(&["fish", "school"]) {
        BodyShape::Fish
    } else if has(&["drone"]) && !planar {
        BodyShape::Quad
    } else if has(&["crowd", "social", "walker", "visitor", "evacuee", "crosser", "csm", "moussaid", "orca"]) {
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

pub(super) fn key(id: AgentId) -> AgentKey {
    AgentKey::new(id.slot, id.generation)
}
