//! Measuring lines and areas of a scene while it runs, and the ground that cells of people are cut to.
//!
//! Cells are made once per tick for each choice of groups and cut-off that somebody wants numbers of, in buffers that are kept.

use std::sync::Arc;

use glam::{DVec2, DVec3};

use crate::measure::MetricInfo;
use crate::measure::crowd::{
    AreaMetric, Clip, CutOff, Field, Gate, Lanes, LineMetric, Polygon, Voronoi, Walkable, classic_density, count,
    line_density, line_flow, line_speed, mean_speed, voronoi_density, voronoi_speed,
};
use crate::navigate::{Mesh, Settings};
use crate::scene::Scene;
use crate::scene::build::{SceneArea, SceneLine};
use crate::sim::obstacle::Obstacles;
use crate::sim::{AgentId, World};

/// Walls without thickness are slits of twice this width in the ground, m.
const SLIT_M: f64 = 1e-4;
/// Ground beyond everything that stands in a scene without an area, m.
const RIM_M: f64 = 10.0;
/// While obstacles move, the ground is made again after so many seconds.
const REMADE_SECS: f64 = 0.1;

/// The people of a choice of groups.
#[derive(Debug, Clone, Default)]
struct Crowd {
    /// Indices of groups; empty for all.
    groups: Vec<usize>,
    ids: Vec<AgentId>,
    positions: Vec<DVec2>,
    velocities: Vec<DVec2>,
}

impl Crowd {
    fn gather(&mut self, world: &World) {
        self.ids.clear();
        self.positions.clear();
        self.velocities.clear();
        let all = self.groups.is_empty();
        for (_, group) in world.groups.iter().enumerate().filter(|(index, _)| all || self.groups.contains(index)) {
            for slot in &group.members {
                let at = *slot as usize;
                self.ids.push(world.agents.id(*slot));
                self.positions.push(world.agents.position[at].truncate());
                self.velocities.push(world.agents.velocity[at].truncate());
            }
        }
    }
}

/// Cells of a crowd under a cut-off.
#[derive(Debug, Clone)]
struct Tiling {
    crowd: usize,
    cut_off: Option<f64>,
    wanted: bool,
    cells: Voronoi,
}

/// The walkable ground, made from the obstacles.
#[derive(Debug, Clone, Default)]
pub(super) struct Ground {
    made: Option<(u64, u64)>,
    walkable: Arc<Walkable>,
    bounds: (DVec2, DVec2),
    period: DVec2,
}

impl Ground {
    /// Follows the obstacles.
    pub(super) fn follow(&mut self, scene: &Scene, world: &World) {
        let version = world.obstacles.version();
        let soon = |tick: u64| ((world.tick - tick.min(world.tick)) as f64) < REMADE_SECS * world.settings.tick_hz;
        if self.made.is_some_and(|(made, tick)| made == version || (tick != world.tick && soon(tick))) {
            return;
        }
        self.made = Some((version, world.tick));
        self.period = world.settings.space.period().truncate();
        self.bounds = bounds(scene, world);
        let floors = scene.navigation.as_ref().map(|navigation| navigation.floors.clone()).unwrap_or_default();
        // Across a seam the ground goes on, so that no cell ends there.
        let beyond = 0.5 * self.period;
        let area = (self.bounds.0 - beyond, self.bounds.1 + beyond);
        let settings = Settings { area, floors, ..Settings::default() };
        let mesh = Mesh::build(&settings, &with_images(world, self.period), SLIT_M);
        self.walkable = Arc::new(Walkable::new((0..mesh.len()).map(|polygon| mesh.polygon(polygon).collect())));
    }

    /// Where cells may lie.
    pub(super) fn field(&self, cut_off: Option<f64>) -> Field<'_> {
        let walkable = Some(&*self.walkable).filter(|walkable| !walkable.is_empty());
        Field { bounds: self.bounds, period: self.period, walkable, cut_off: cut_off.map(CutOff::new) }
    }
}

fn bounds(scene: &Scene, world: &World) -> (DVec2, DVec2) {
    if let Some(area) = world.settings.space.area {
        return (area.min.truncate(), area.max.truncate());
    }
    let agents = &world.agents;
    let alive = (0..agents.slots()).filter(|slot| agents.alive[*slot]).map(|slot| agents.position[slot].truncate());
    let measured = scene.areas.iter().flat_map(|area| area.polygon.ring().iter().copied());
    let lines = scene.lines.iter().flat_map(|line| [line.line.from, line.line.to]);
    let solid = world.obstacles.iter().flat_map(|obstacle| {
        let (low, high) = obstacle.shape.bounds();
        [low.truncate(), high.truncate()]
    });
    let all = alive.chain(measured).chain(lines).chain(solid).filter(|p| p.is_finite());
    let (low, high) = all.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    if low.x > high.x { (DVec2::splat(-RIM_M), DVec2::splat(RIM_M)) } else { (low - RIM_M, high + RIM_M) }
}

/// The closed obstacles, with those beyond the seams of a world that wraps.
fn with_images(world: &World, period: DVec2) -> Obstacles {
    let mut set = Obstacles::new();
    let laps = |period: f64| if period > 0.0 { -1..=1 } else { 0..=0 };
    for obstacle in world.obstacles.iter().filter(|obstacle| !obstacle.open) {
        for (x, y) in laps(period.x).flat_map(|x| laps(period.y).map(move |y| (x, y))) {
            let by = DVec3::new(f64::from(x) * period.x, f64::from(y) * period.y, 0.0);
            let name = set.len().to_string();
            // A shape that stood in the world stands beside it too.
            drop(set.insert(&name, obstacle.shape.shifted(by)));
        }
    }
    set
}

/// A line that is measured.
#[derive(Debug, Clone)]
pub(super) struct LineGauge {
    pub(super) scene: SceneLine,
    pub(super) gate: Gate,
    crowd: usize,
    tiling: usize,
    pub(super) wanted: u32,
    pub(super) values: [Option<f64>; LineMetric::ALL.len()],
    ways: Vec<i8>,
}

/// An area that is measured.
#[derive(Debug, Clone)]
pub(super) struct AreaGauge {
    pub(super) scene: SceneArea,
    crowd: usize,
    tiling: usize,
    pub(super) wanted: u32,
    pub(super) values: [Option<f64>; AreaMetric::ALL.len()],
    /// Where its bands begin.
    origin: DVec2,
    pub(super) trace: Trace,
}

/// All lines and areas.
#[derive(Debug, Clone, Default)]
pub(super) struct Gauges {
    crowds: Vec<Crowd>,
    tilings: Vec<Tiling>,
    pub(super) lines: Vec<LineGauge>,
    pub(super) areas: Vec<AreaGauge>,
    /// All ids, in the order of [`Self::ids`].
    names: Vec<String>,
    ground: Ground,
    clip: Clip,
    lanes: Lanes,
}

impl Gauges {
    /// The lines and areas of a scene. With `all`, everything is measured; else what takes cells waits until it is wanted.
    pub(super) fn new(scene: &Scene, all: bool) -> Self {
        let mut gauges = Self::default();
        for line in &scene.lines {
            let (crowd, tiling) = gauges.tiling(&line.groups, line.cut_off);
            let wanted = !if all { 0 } else { LineMetric::OF_CELLS };
            let (gate, values) = (Gate::new(line.line, line.window), Default::default());
            let scene = line.clone();
            gauges.lines.push(LineGauge { scene, gate, crowd, tiling, wanted, values, ways: Vec::new() });
        }
        for area in &scene.areas {
            let (crowd, tiling) = gauges.tiling(&area.groups, area.cut_off);
            let wanted = !if all { 0 } else { AreaMetric::OF_CELLS };
            let (origin, values) = (first_band(&area.polygon, area.along), Default::default());
            let (scene, trace) = (area.clone(), Trace::default());
            gauges.areas.push(AreaGauge { scene, crowd, tiling, wanted, values, origin, trace });
        }
        gauges.names = gauges.ids().map(|(id, _, _)| id).collect();
        gauges.note_wanted();
        gauges
    }

    fn tiling(&mut self, groups: &[usize], cut_off: Option<f64>) -> (usize, usize) {
        let crowd = self.crowds.iter().position(|crowd| crowd.groups == groups).unwrap_or_else(|| {
            self.crowds.push(Crowd { groups: groups.to_vec(), ..Crowd::default() });
            self.crowds.len() - 1
        });
        let same = |tiling: &Tiling| tiling.crowd == crowd && tiling.cut_off == cut_off;
        let tiling = self.tilings.iter().position(same).unwrap_or_else(|| {
            self.tilings.push(Tiling { crowd, cut_off, wanted: false, cells: Voronoi::default() });
            self.tilings.len() - 1
        });
        (crowd, tiling)
    }

    /// Measures "lines.NAME.METRIC" or "areas.NAME.METRIC" from now on.
    pub(super) fn want(&mut self, id: &str) {
        let Some((kind, name, metric)) = parts(id) else { return };
        match kind {
            Kind::Line => {
                let line = self.lines.iter_mut().find(|line| line.scene.name == name);
                if let Some((line, metric)) = line.zip(LineMetric::parse(metric)) {
                    line.wanted |= metric.bit();
                }
            }
            Kind::Area => {
                let area = self.areas.iter_mut().find(|area| area.scene.name == name);
                if let Some((area, metric)) = area.zip(AreaMetric::parse(metric)) {
                    area.wanted |= metric.bit();
                }
            }
        }
        self.note_wanted();
    }

    fn note_wanted(&mut self) {
        for tiling in &mut self.tilings {
            tiling.wanted = false;
        }
        for line in self.lines.iter().filter(|line| line.wanted & LineMetric::OF_CELLS != 0) {
            self.tilings[line.tiling].wanted = true;
        }
        for area in self.areas.iter().filter(|area| area.wanted & AreaMetric::OF_CELLS != 0) {
            self.tilings[area.tiling].wanted = true;
        }
    }

    /// All ids with what they mean, in the order of the scene, and whether they are measured.
    pub(super) fn ids(&self) -> impl Iterator<Item = (String, &'static MetricInfo, bool)> + '_ {
        let lines = self.lines.iter().flat_map(|line| {
            let id = |metric: &LineMetric| format!("lines.{}.{}", line.scene.name, metric.info().id);
            LineMetric::ALL.iter().map(move |metric| {
                (id(metric), metric.info(), (line.wanted | !LineMetric::OF_CELLS) & metric.bit() != 0)
            })
        });
        let areas = self.areas.iter().flat_map(|area| {
            let id = |metric: &AreaMetric| format!("areas.{}.{}", area.scene.name, metric.info().id);
            AreaMetric::ALL.iter().map(move |metric| {
                (id(metric), metric.info(), (area.wanted | !AreaMetric::OF_CELLS) & metric.bit() != 0)
            })
        });
        lines.chain(areas)
    }

    /// The values of the last tick with their ids, and whether they are measured.
    pub(super) fn noted(&self) -> impl Iterator<Item = (&str, Option<f64>, bool)> + '_ {
        let lines = self.lines.iter().flat_map(|line| {
            let measured = line.wanted | !LineMetric::OF_CELLS;
            LineMetric::ALL.iter().map(move |metric| (line.values[*metric as usize], measured & metric.bit() != 0))
        });
        let areas = self.areas.iter().flat_map(|area| {
            let measured = area.wanted | !AreaMetric::OF_CELLS;
            AreaMetric::ALL.iter().map(move |metric| (area.values[*metric as usize], measured & metric.bit() != 0))
        });
        self.names.iter().zip(lines.chain(areas)).map(|(id, (value, measured))| (id.as_str(), value, measured))
    }

    /// Measures the world as it stands after a tick.
    pub(super) fn tick(&mut self, scene: &Scene, world: &World) {
        if self.crowds.is_empty() {
            return;
        }
        for crowd in &mut self.crowds {
            crowd.gather(world);
        }
        if self.tilings.iter().any(|tiling| tiling.wanted) {
            self.ground.follow(scene, world);
        }
        for tiling in self.tilings.iter_mut().filter(|tiling| tiling.wanted) {
            tiling.cells.run(&self.crowds[tiling.crowd].positions, &self.ground.field(tiling.cut_off));
        }
        let period = world.settings.space.period().truncate();
        let (now, before) = (world.time(), world.time() - world.dt());
        for line in &mut self.lines {
            let crowd = &self.crowds[line.crowd];
            line.gate.begin();
            for (id, position) in crowd.ids.iter().zip(&crowd.positions) {
                line.gate.observe(*id, *position, (before, now), period);
            }
            line.gate.end(now);
            line.measure(crowd, &self.tilings[line.tiling].cells, now);
        }
        for area in &mut self.areas {
            let (crowd, cells) = (&self.crowds[area.crowd], &self.tilings[area.tiling].cells);
            area.measure(crowd, cells, &mut self.clip, &mut self.lanes);
            area.trace.note(
                now,
                area.values[AreaMetric::VoronoiDensity as usize],
                area.values[AreaMetric::VoronoiSpeed as usize],
            );
        }
    }
}

impl LineGauge {
    fn measure(&mut self, crowd: &Crowd, cells: &Voronoi, now: f64) {
        let mut set = |metric: LineMetric, value: Option<f64>| {
            self.values[metric as usize] = value.filter(|value| value.is_finite());
        };
        let (gate, width) = (&mut self.gate, self.scene.line.length());
        set(LineMetric::Count, Some(gate.count() as f64));
        set(LineMetric::Forward, Some(gate.forward() as f64));
        set(LineMetric::Backward, Some(gate.backward() as f64));
        let flow = gate.flow(now);
        set(LineMetric::Flow, flow);
        set(LineMetric::SpecificFlow, flow.map(|flow| flow / width));
        if self.wanted & LineMetric::OF_CELLS == 0 {
            return;
        }
        let line = self.scene.line;
        self.ways.clear();
        for (cell, (id, velocity)) in crowd.ids.iter().zip(&crowd.velocities).enumerate() {
            let meets = cells.shared_length(cell, line.from, line.to) > 0.0;
            self.ways.push(gate.way(*id, *velocity, meets));
        }
        set(LineMetric::Density, line_density(cells, &line));
        set(LineMetric::Speed, line_speed(cells, &crowd.velocities, &self.ways, &line));
        set(LineMetric::LineFlow, line_flow(cells, &crowd.velocities, &self.ways, &line));
    }
}

impl AreaGauge {
    fn measure(&mut self, crowd: &Crowd, cells: &Voronoi, clip: &mut Clip, lanes: &mut Lanes) {
        let (area, positions, velocities) = (&self.scene.polygon, &crowd.positions, &crowd.velocities);
        let mut set = |metric: AreaMetric, value: Option<f64>| {
            self.values[metric as usize] = value.filter(|value| value.is_finite());
        };
        set(AreaMetric::Count, Some(count(positions, area) as f64));
        set(AreaMetric::Density, classic_density(positions, area));
        set(AreaMetric::Speed, mean_speed(positions, velocities, area));
        let people = positions.iter().copied().zip(velocities.iter().copied());
        let inside = people.filter(|(position, _)| area.contains(*position));
        set(AreaMetric::LaneOrder, lanes.order(inside, self.scene.along, self.origin, self.scene.band));
        if self.wanted & AreaMetric::OF_CELLS == 0 {
            return;
        }
        let density = voronoi_density(cells, area, clip);
        let speed = voronoi_speed(cells, velocities, area, clip);
        set(AreaMetric::VoronoiDensity, density);
        set(AreaMetric::VoronoiSpeed, speed);
        set(AreaMetric::Flow, density.zip(speed).map(|(density, speed)| density * speed));
    }
}

/// Bands are counted from the side of the area on.
fn first_band(area: &Polygon, along: DVec2) -> DVec2 {
    let across = along.perp();
    let least = area.ring().iter().map(|p| p.dot(across)).fold(f64::INFINITY, f64::min);
    if least.is_finite() { least * across } else { DVec2::ZERO }
}

/// Points of a fundamental diagram over time, in bounded memory: means over equal spans, which double when it is full.
#[derive(Debug, Clone, Default)]
pub(super) struct Trace {
    /// Time in s, density in 1/m², speed in m/s: means of the spans.
    points: Vec<[f64; 3]>,
    /// Spans that were joined to one, less one.
    joined: u32,
    sum: [f64; 3],
    count: u32,
    since: Option<f64>,
}

impl Trace {
    /// Points kept.
    const MOST: usize = 600;
    /// A span at first, s.
    const SPAN_SECS: f64 = 0.5;

    fn note(&mut self, now: f64, density: Option<f64>, speed: Option<f64>) {
        let Some((density, speed)) = density.zip(speed) else { return };
        let since = *self.since.get_or_insert(now);
        self.sum = [self.sum[0] + now, self.sum[1] + density, self.sum[2] + speed];
        self.count += 1;
        if now - since < Self::SPAN_SECS * f64::from(self.joined + 1) - 1e-9 {
            return;
        }
        let n = f64::from(self.count);
        self.points.push(self.sum.map(|sum| sum / n));
        (self.sum, self.count, self.since) = ([0.0; 3], 0, None);
        if self.points.len() < Self::MOST {
            return;
        }
        for pair in 0..Self::MOST / 2 {
            let (a, b) = (self.points[2 * pair], self.points[2 * pair + 1]);
            self.points[pair] = [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]));
        }
        self.points.truncate(Self::MOST / 2);
        self.joined = 2 * self.joined + 1;
    }

    /// The points so far.
    pub(super) fn points(&self) -> &[[f64; 3]] {
        &self.points
    }
}

/// What an id of a gauge begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Area,
}

/// Kind, name and metric of "lines.NAME.METRIC" or "areas.NAME.METRIC".
pub(super) fn parts(id: &str) -> Option<(Kind, &str, &str)> {
    let (kind, rest) = id.split_once('.')?;
    let kind = match kind {
        "lines" => Kind::Line,
        "areas" => Kind::Area,
        _ => return None,
    };
    let (name, metric) = rest.split_once('.')?;
    Some((kind, name, metric))
}
