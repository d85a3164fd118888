//! What is measured after each tick: metrics of groups and scripts, contracts, series for plots.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::DVec3;

use crate::measure::crowd::Stuck;
use crate::measure::{
    Blames, ContractJudge, GroupSample, Measurer, Metric, MetricSet, Series, Stats, TermValues, Values,
};
use crate::scene::Scene;
use crate::sim::{Control, Intents, World};

use super::core::GroupState;
use super::gauging::Gauges;
use super::posting::Posting;
use super::scripts::Scripts;

/// Groups up to this size get the metrics of pairs unasked.
const PAIRS_UP_TO: usize = 1000;

/// Who is so near to its goal has arrived, m beside its radius.
const NEAR_M: f64 = 0.3;

/// Who wants to go slower than this wants to stand, m/s.
const WANTING: f64 = 0.05;

/// Metrics that need a formation.
const OF_PLACES: [Metric; 16] = [
    Metric::SlotError,
    Metric::SlotErrorMax,
    Metric::SlotErrorRms,
    Metric::SpacingError,
    Metric::SpacingErrorMax,
    Metric::SpacingErrorRms,
    Metric::CrossTrack,
    Metric::CrossTrackMax,
    Metric::AlongTrackMax,
    Metric::HeadingError,
    Metric::HeadingErrorMax,
    Metric::HeadingSd,
    Metric::ShapeError,
    Metric::BaseLineTurn,
    Metric::BaseLineMax,
    Metric::HeadingSpread,
];

/// Metrics that look at pairs.
const OF_PAIRS: [Metric; 3] = [Metric::MinSeparation, Metric::NearestNeighbor, Metric::Collisions];

/// Metrics that every group has.
const OF_ALL: [Metric; 7] = [
    Metric::Speed,
    Metric::SpeedMax,
    Metric::Polarization,
    Metric::Rotation,
    Metric::Extension,
    Metric::ExtensionMax,
    Metric::Count,
];

/// What is measured of one group.
#[derive(Debug, Clone, Default)]
pub struct GroupMeasure {
    sample: GroupSample,
    /// Its errors by place, and its base line.
    pub measurer: Measurer,
    wanted: MetricSet,
    /// Values after the last tick.
    pub values: Values,
    /// Statistics over all ticks, in the order of [`Metric::ALL`].
    pub stats: Vec<Stats>,
    /// The judge of its contract.
    pub judge: Option<ContractJudge>,
    /// Who breaks it.
    pub blames: Blames,
    /// Transitions per agent and second, counted elsewhere.
    pub switching: Option<f64>,
}

impl GroupMeasure {
    /// These metrics are measured from now on.
    pub fn want(&mut self, metrics: MetricSet) {
        self.wanted = self.wanted.union(metrics);
    }
}

/// A number of a script or of the scene over time.
#[derive(Debug, Clone, Default)]
pub struct Extra {
    /// Its value after the last tick.
    pub last: Option<f64>,
    /// Statistics over all ticks.
    pub stats: Stats,
    /// Unit.
    pub unit: String,
    /// One line.
    pub about: String,
}

/// All that is measured.
#[derive(Debug, Clone, Default)]
pub struct Measuring {
    /// By group.
    pub groups: Vec<GroupMeasure>,
    /// Metrics of scripts ("metric" or "group.metric") and what scripts plot ("name").
    pub extra: BTreeMap<String, Extra>,
    /// Series of what is plotted, by "group.metric".
    pub series: BTreeMap<String, Series>,
    /// Plots in the order in which they were asked for.
    pub watched: Vec<String>,
    /// Lines and areas.
    pub(super) gauges: Gauges,
    stuck: Stuck,
    live: bool,
}

impl Measuring {
    /// What the scene asks for; series are kept only where somebody looks.
    pub fn new(scene: &Scene, world: &World, live: bool) -> Self {
        // A run without a window gives all numbers of what the scene measures.
        let mut measuring = Self { live, gauges: Gauges::new(scene, !live), ..Self::default() };
        for (id, info, _) in measuring.gauges.ids() {
            let (unit, about) = (info.unit.to_owned(), info.about.to_owned());
            measuring.extra.insert(id, Extra { unit, about, ..Extra::default() });
        }
        for (group, state) in scene.groups.iter().zip(&world.groups) {
            let judge = group.contract.map(|contract| ContractJudge::new(contract.spec, world.dt()));
            let mut wanted: MetricSet = OF_ALL.into_iter().collect();
            if let Some(judge) = &judge {
                wanted = wanted.union(judge.spec().metrics());
            }
            if state.members.len() <= PAIRS_UP_TO {
                wanted = wanted.union(OF_PAIRS.into_iter().collect());
            }
            let stats = vec![Stats::default(); Metric::COUNT];
            let mut measure = GroupMeasure { wanted, stats, judge, ..GroupMeasure::default() };
            measure.measurer.method = group.contract.map(|contract| contract.base_line).unwrap_or_default();
            measuring.groups.push(measure);
        }
        for plot in &scene.plots {
            let id = plot
                .group
                .map_or_else(|| plot.metric.clone(), |group| format!("{}.{}", scene.groups[group].name, plot.metric));
            measuring.watch(world, &id);
        }
        measuring
    }

    /// Plots a metric from now on.
    pub fn watch(&mut self, world: &World, id: &str) {
        if self.watched.iter().any(|known| known == id) {
            return;
        }
        self.watched.push(id.to_owned());
        if let Some((group, metric)) = native(world, id) {
            self.groups[group].wanted = self.groups[group].wanted.with(metric);
        }
        self.gauges.want(id);
        if self.live {
            self.series.insert(id.to_owned(), Series::default());
        }
    }

    /// Plots it no longer.
    pub fn unwatch(&mut self, id: &str) {
        self.watched.retain(|known| known != id);
        self.series.remove(id);
    }

    /// A command to a group: its contract judges settling anew.
    pub fn ordered(&mut self, group: usize, world: &World, command: &str, largest_move: f64) {
        self.judged(group, world, |judge, slowest| judge.command(world.tick, command, largest_move, slowest));
    }

    /// A command that goes on, such as a drag, see [`ContractJudge::go_on`].
    pub fn dragged(&mut self, group: usize, world: &World, command: &str, largest_move: f64) {
        self.judged(group, world, |judge, slowest| judge.go_on(world.tick, command, largest_move, slowest));
    }

    /// Tells the judge of a group something, with the speed of its slowest agent.
    fn judged(&mut self, group: usize, world: &World, tell: impl FnOnce(&mut ContractJudge, f64)) {
        let members = &world.groups[group].members;
        let slowest = members.iter().map(|slot| world.agents.max_speed[*slot as usize]).fold(f64::INFINITY, f64::min);
        let Some(measure) = self.groups.get_mut(group) else { return };
        measure.blames.clear();
        if let Some(judge) = &mut measure.judge {
            tell(judge, slowest);
        }
    }

    /// Measures the world as it stands after a tick.
    pub fn tick(
        &mut self,
        scene: &Scene,
        world: &Arc<World>,
        groups: &[GroupState],
        posting: &Posting,
        intents: &[Intents],
        scripts: &mut Scripts,
    ) {
        let period = world.settings.space.period();
        let extent = (period != glam::DVec3::ZERO).then_some(period);
        for (index, measure) in self.groups.iter_mut().enumerate() {
            let forming = groups.get(index).and_then(|state| state.forming.as_ref());
            measure.sample.clear(extent);
            for slot in &world.groups[index].members {
                let (slot, agents) = (*slot as usize, &world.agents);
                let id = agents.id(slot as u32);
                // The place that it ought to have, whether it heard of it or not; who is offline is out of the contract.
                let place = forming.and_then(|forming| forming.place_of(id)).filter(|_| !posting.is_offline(index, id));
                measure.sample.push(
                    agents.position[slot],
                    agents.velocity[slot],
                    agents.heading[slot],
                    agents.radius[slot],
                    place,
                );
            }
            let mut wanted = measure.wanted;
            if let Some(forming) = forming {
                wanted = wanted.union(OF_PLACES.into_iter().collect());
                let places = (0..forming.slots.len())
                    .filter_map(|place| forming.place(place))
                    .map(|place| (place.position, place.heading));
                measure.sample.set_slots(places, forming.slots.closed);
            }
            measure.measurer.measure(&measure.sample.view(), wanted, &mut measure.values);
            measure.values.set(Metric::Switching, measure.switching);
            if wanted.has(Metric::Stuck) {
                let count = stuck(&mut self.stuck, world, index, intents.get(index));
                measure.values.set(Metric::Stuck, Some(count as f64));
            }
            measure.values.set(Metric::Disagreement, disagreement(world, index));
            for (metric, value) in measure.values.iter() {
                measure.stats[metric as usize].push(value);
            }
            if let Some(judge) = &mut measure.judge {
                let (members, judged) = (world.groups[index].members.len(), measure.measurer.rows().len());
                // Agents of whom nobody is judged keep no contract.
                let terms =
                    TermValues::from_values(judge.spec(), if judged == 0 { members } else { judged }, &measure.values);
                judge.observe(world.tick, &terms);
                measure.blames.observe(world.tick, judge.spec(), measure.measurer.rows());
            }
        }
        for (id, value, unit, about) in scripts.measure(world) {
            let extra = self.extra.entry(id).or_default();
            extra.last = value;
            extra.stats.push(value);
            extra.unit = unit;
            extra.about = about;
        }
        self.gauges.tick(scene, world);
        self.note_gauges();
        if self.live {
            self.push_series(world);
        }
    }

    fn note_gauges(&mut self) {
        for (id, value, measured) in self.gauges.noted() {
            if let Some(extra) = self.extra.get_mut(id).filter(|_| measured) {
                extra.last = value;
                extra.stats.push(value);
            }
        }
    }

    /// Numbers of sources, stops and exits after a tick, by their whole names.
    pub fn note(&mut self, metrics: &[crate::flow::FlowMetric]) {
        for metric in metrics {
            if !self.extra.contains_key(&metric.id) {
                let (unit, about) = (metric.unit.to_owned(), metric.about.to_owned());
                self.extra.insert(metric.id.clone(), Extra { unit, about, ..Extra::default() });
            }
            let Some(extra) = self.extra.get_mut(&metric.id) else { continue };
            extra.last = Some(metric.value);
            extra.stats.push(extra.last);
        }
    }

    fn push_series(&mut self, world: &World) {
        for (id, series) in &mut self.series {
            let value = match native(world, id) {
                Some((group, metric)) => self.groups[group].values.get(metric),
                None => extra_of(&self.extra, id).and_then(|extra| extra.last),
            };
            series.push(world.tick, value);
        }
    }

    /// A number of a script by its id; "group.metric" finds one over several groups, "metric" that of the only group that has it.
    pub fn extra(&self, id: &str) -> Option<&Extra> {
        extra_of(&self.extra, id)
    }

    /// The value of "group.metric" after the last tick.
    pub fn value(&self, world: &World, id: &str) -> Option<f64> {
        match native(world, id) {
            Some((group, metric)) => self.groups[group].values.get(metric),
            None => self.extra(id)?.last,
        }
    }
}

/// A number of a script by its id; "group.metric" finds a metric that was taken over several groups, and "metric" that of
/// the only group that has it.
fn extra_of<'a>(extra: &'a BTreeMap<String, Extra>, id: &str) -> Option<&'a Extra> {
    if let Some(found) = extra.get(id) {
        return Some(found);
    }
    if let Some((_, metric)) = id.split_once('.') {
        return extra.get(metric);
    }
    let mut of_groups = extra.iter().filter(|(known, _)| known.split_once('.').is_some_and(|(_, name)| name == id));
    of_groups.next().map(|(_, extra)| extra).filter(|_| of_groups.next().is_none())
}

/// The group and native metric of "group.metric".
pub fn native(world: &World, id: &str) -> Option<(usize, Metric)> {
    let (group, metric) = id.split_once('.')?;
    let index = world.groups.iter().position(|known| known.name == group)?;
    Some((index, Metric::parse(metric)?))
}

/// The share of a group that is not in its most common state; none without agents.
fn disagreement(world: &World, group: usize) -> Option<f64> {
    let members = &world.groups[group].members;
    let mut counts = [0_u32; 64];
    for slot in members {
        let state = usize::from(world.agents.state[*slot as usize]);
        counts[state.min(63)] += 1;
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    (!members.is_empty()).then(|| 1.0 - f64::from(most) / members.len() as f64)
}

/// How many of a group want to move and do not get on. What avoidance or native forces want is counted by the core; of others,
/// who has a goal wants to go there until it is near, else what is asked for counts.
fn stuck(stuck: &mut Stuck, world: &World, group: usize, intents: Option<&Intents>) -> usize {
    let (group, agents) = (&world.groups[group], &world.agents);
    if group.body.avoid.is_some() || intents.is_some_and(|intents| !intents.wishes.is_empty()) {
        return agents.stuck_among(&group.members, world.dt());
    }
    let mut count = 0;
    for (row, slot) in group.members.iter().enumerate() {
        let at = *slot as usize;
        let asked = || {
            intents.and_then(|intents| intents.get(row)).map_or(DVec3::ZERO, |intent| match intent.control {
                Control::Velocity => intent.push,
                Control::Acceleration => agents.velocity[at] + intent.push * group.body.relaxation,
            })
        };
        let way = agents.goal[at].or(group.goal).map(|goal| world.offset(agents.position[at], goal));
        let far = way.filter(|way| way.length() > agents.radius[at] + NEAR_M);
        let wish = far.map_or_else(asked, |way| way / way.length() * agents.max_speed[at]);
        let wish = if wish.length() < WANTING { DVec3::ZERO } else { wish };
        let seen = |from, to| world.offset(from, to);
        count += usize::from(stuck.observe(agents.id(*slot), agents.position[at], wish, world.dt(), seen));
    }
    count
}
