//! Computes the metrics of a group in one pass per family, in reused buffers.

use glam::DVec3;

use super::blame::PlaceErrors;
use super::cluster::{Clusters, elongation};
use super::crowd::{Conflicts, Lanes, main_axis};
use super::ground::circular_sd;
use super::hull::Hull;
use super::metric::{Metric, MetricSet};
use super::pairs::Sweep;
use super::procrustes::fit;
use super::view::{GroupView, NO_SLOT, SlotsView};
use crate::formation::{BaseLine, BaseLineFinder, BaseLineMethod};
use crate::sim::wrap_angle;

/// Slower than this nobody has a direction, in m/s.
const MOVING: f64 = 1e-9;
/// Collisions later than this are none, in s.
const HORIZON_SECS: f64 = 10.0;
/// Width of the bands of the lane order, in m.
const BAND_M: f64 = 0.6;

/// One number per metric, `None` where there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Values([Option<f64>; Metric::COUNT]);

impl Default for Values {
    fn default() -> Self {
        Self([None; Metric::COUNT])
    }
}

impl Values {
    /// The value, or `None` if it was not asked for or does not exist.
    pub const fn get(&self, metric: Metric) -> Option<f64> {
        self.0[metric as usize]
    }

    /// All values, in the order of the registry.
    pub fn iter(&self) -> impl Iterator<Item = (Metric, Option<f64>)> + '_ {
        Metric::ALL.iter().map(|&metric| (metric, self.get(metric)))
    }

    /// Writes a value that is measured elsewhere. Non-finite numbers are gaps.
    pub fn set(&mut self, metric: Metric, value: Option<f64>) {
        self.0[metric as usize] = value.filter(|value| value.is_finite());
    }
}

/// An agent on its place.
#[derive(Debug, Clone, Copy)]
struct OnSlot {
    agent: u32,
    slot: u32,
}

/// Sums that give mean, largest and root mean square.
#[derive(Debug, Clone, Copy, Default)]
struct Errors {
    sum: f64,
    squares: f64,
    most: f64,
    count: usize,
}

impl Errors {
    fn add(&mut self, error: f64) {
        self.sum += error;
        self.squares += error * error;
        // A NaN must not hide behind `max`.
        self.most = if error > self.most || error.is_nan() { error } else { self.most };
        self.count += 1;
    }

    fn of(&self, value: f64) -> Option<f64> {
        (self.count > 0).then_some(value)
    }

    fn mean(&self) -> Option<f64> {
        self.of(self.sum / self.count.max(1) as f64)
    }

    fn rms(&self) -> Option<f64> {
        self.of((self.squares / self.count.max(1) as f64).sqrt())
    }

    fn most(&self) -> Option<f64> {
        self.of(self.most)
    }
}

/// Metrics of a group, without allocation once its buffers have grown.
#[derive(Debug, Clone, Default)]
pub struct Measurer {
    /// Agents that have a place, in the order of places.
    placed: Vec<OnSlot>,
    /// Agent by place while that order is made.
    agent_of: Vec<u32>,
    sweep: Sweep,
    /// What each agent on a place adds, in the order of places.
    rows: Vec<PlaceErrors>,
    /// How the base lines are found.
    pub method: BaseLineMethod,
    finder: BaseLineFinder,
    points: Vec<DVec3>,
    base_line: Option<BaseLine>,
    hull: Hull,
    clusters: Clusters,
    conflicts: Conflicts,
    lanes: Lanes,
}

impl Measurer {
    /// What each agent on a place adds to the terms of a contract, in the order of places, as of the last [`Self::measure`].
    pub fn rows(&self) -> &[PlaceErrors] {
        &self.rows
    }

    /// The base line of the agents on their places, as of the last [`Self::measure`].
    pub fn base_line(&self) -> Option<BaseLine> {
        self.base_line
    }

    /// Computes the metrics of `wanted`; all others are `None`.
    ///
    /// Slices that are shorter than `positions` make the metrics that need them `None`.
    pub fn measure(&mut self, view: &GroupView<'_>, wanted: MetricSet, out: &mut Values) {
        *out = Values::default();
        self.rows.clear();
        if wanted.has(Metric::Count) {
            out.set(Metric::Count, Some(view.positions.len() as f64));
        }
        if view.positions.is_empty() {
            return;
        }
        if let Some(slots) = &view.slots {
            self.order_by_place(view, slots);
            self.place_metrics(view, slots, wanted, out);
        }
        flock_metrics(view, wanted, out);
        use Metric::{Collisions, Groups, LargestGroup, LatticeDeviation, MinSeparation, NearestNeighbor, OverlapMax};
        let together = wanted.has_any(&[Groups, LargestGroup, LatticeDeviation]);
        if (together || wanted.has_any(&[MinSeparation, NearestNeighbor, Collisions, OverlapMax]))
            && view.radii.len() == view.positions.len()
        {
            let pairs = self.sweep.run(view);
            out.set(MinSeparation, pairs.least);
            out.set(NearestNeighbor, pairs.mean_nearest);
            out.set(Collisions, Some(pairs.overlapping as f64));
            out.set(OverlapMax, Some(pairs.deepest));
            if let Some(spacing) = pairs.mean_nearest.filter(|_| together) {
                let found = self.clusters.run(view, spacing);
                out.set(Groups, Some(found.groups as f64));
                out.set(LargestGroup, Some(found.largest));
                out.set(LatticeDeviation, Some(found.lattice));
            }
        }
        if wanted.has(Metric::TimeToCollisionMin) {
            out.set(Metric::TimeToCollisionMin, self.conflicts.least(view, HORIZON_SECS));
        }
        if wanted.has(Metric::LaneOrder) && view.velocities.len() == view.positions.len() {
            out.set(Metric::LaneOrder, self.lane_order(view));
        }
        for metric in Metric::ALL.iter().filter(|metric| !wanted.has(**metric)) {
            out.set(*metric, None);
        }
    }

    /// Bands are counted from the lowest agent on, so that it does not matter where the group is.
    fn lane_order(&mut self, view: &GroupView<'_>) -> Option<f64> {
        let velocities = || view.velocities.iter().map(|v| v.truncate());
        let axis = main_axis(velocities()).unwrap_or(glam::DVec2::X);
        let start = view.positions[0];
        let from_first = |p: &DVec3| view.offset(start, *p).truncate();
        let least = view.positions.iter().map(|p| from_first(p).dot(axis.perp())).fold(f64::INFINITY, f64::min);
        let people = view.positions.iter().map(from_first).zip(velocities());
        self.lanes.order(people, axis, least * axis.perp(), BAND_M)
    }

    /// Of two agents on one place the later one counts, once.
    fn order_by_place(&mut self, view: &GroupView<'_>, slots: &SlotsView<'_>) {
        self.agent_of.clear();
        self.agent_of.resize(slots.positions.len().min(slots.headings.len()), NO_SLOT);
        for (agent, &slot) in slots.slot_of.iter().enumerate().take(view.positions.len()) {
            if let Some(entry) = self.agent_of.get_mut(slot as usize) {
                *entry = agent as u32;
            }
        }
        self.placed.clear();
        let taken = self.agent_of.iter().enumerate().filter(|(_, agent)| **agent != NO_SLOT);
        self.placed.extend(taken.map(|(slot, &agent)| OnSlot { agent, slot: slot as u32 }));
    }

    fn place_metrics(&mut self, view: &GroupView<'_>, slots: &SlotsView<'_>, wanted: MetricSet, out: &mut Values) {
        let (mut slot, mut cross, mut along) = (Errors::default(), Errors::default(), Errors::default());
        for on in &self.placed {
            let (place, heading) = (slots.positions[on.slot as usize], slots.headings[on.slot as usize]);
            let error = view.offset(place, view.positions[on.agent as usize]);
            let (sin, cos) = (libm::sin(heading), libm::cos(heading));
            slot.add(error.length());
            let along_track = (error.x * cos + error.y * sin).abs();
            // Above and below the plane count as off the track too.
            let cross_track = (error.y * cos - error.x * sin).hypot_z(error.z);
            along.add(along_track);
            cross.add(cross_track);
            self.rows.push(PlaceErrors {
                agent: on.agent,
                place: on.slot,
                cross_track,
                along_track,
                ..PlaceErrors::default()
            });
        }
        out.set(Metric::SlotError, slot.mean());
        out.set(Metric::SlotErrorMax, slot.most());
        out.set(Metric::SlotErrorRms, slot.rms());
        out.set(Metric::CrossTrack, cross.mean());
        out.set(Metric::CrossTrackMax, cross.most());
        out.set(Metric::AlongTrackMax, along.most());
        self.spacing_metrics(view, slots, out);
        self.heading_metrics(view, slots, out);
        use Metric::{BaseLineMax, BaseLineTurn, Hull, Projection};
        if wanted.has_any(&[BaseLineMax, BaseLineTurn]) {
            self.base_line_metrics(view, slots, out);
        }
        if wanted.has(Projection) {
            out.set(Projection, self.projection(view, slots));
        }
        if wanted.has(Hull) && self.placed.len() > 1 {
            let placed = &self.placed;
            let is = self.hull.area(placed.iter().map(|on| view.positions[on.agent as usize]));
            let ought = self.hull.area(placed.iter().map(|on| slots.positions[on.slot as usize]));
            out.set(Hull, Some((is - ought).abs()));
        }
        if wanted.has(Metric::ShapeError) {
            out.set(Metric::ShapeError, self.shape_error(view, slots));
        }
    }

    /// Gaps between neighbors in the order of places, each against the gap of the places themselves: on a curve at equal arc
    /// length those are not all alike.
    fn spacing_metrics(&mut self, view: &GroupView<'_>, slots: &SlotsView<'_>, out: &mut Values) {
        let mut gaps = Errors::default();
        let rows = &mut self.rows;
        let mut add = |(i, a): (usize, OnSlot), (j, b): (usize, OnSlot)| {
            let is = view.offset(view.positions[a.agent as usize], view.positions[b.agent as usize]).length();
            let ought = view.offset(slots.positions[a.slot as usize], slots.positions[b.slot as usize]).length();
            let error = (is - ought).abs();
            gaps.add(error);
            for row in [i, j] {
                rows[row].spacing = rows[row].spacing.max(error);
            }
        };
        for (index, pair) in self.placed.windows(2).enumerate() {
            add((index, pair[0]), (index + 1, pair[1]));
        }
        if let ([first, _, .., last], true) = (self.placed.as_slice(), slots.closed) {
            add((self.placed.len() - 1, *last), (0, *first));
        }
        out.set(Metric::SpacingError, gaps.mean());
        out.set(Metric::SpacingErrorMax, gaps.most());
        out.set(Metric::SpacingErrorRms, gaps.rms());
    }

    fn heading_metrics(&mut self, view: &GroupView<'_>, slots: &SlotsView<'_>, out: &mut Values) {
        if view.headings.len() != view.positions.len() {
            return;
        }
        let off = |on: &OnSlot| wrap_angle(view.headings[on.agent as usize] - slots.headings[on.slot as usize]);
        let mut errors = Errors::default();
        for (on, row) in self.placed.iter().zip(&mut self.rows) {
            row.heading = off(on).abs();
            errors.add(row.heading);
        }
        out.set(Metric::HeadingError, errors.mean());
        out.set(Metric::HeadingErrorMax, errors.most());
        out.set(Metric::HeadingSd, circular_sd(self.placed.iter().map(off)));
    }

    /// Base lines of agents and of places by the same method; in a wrapped world all are taken relative to the first place.
    fn base_line_metrics(&mut self, view: &GroupView<'_>, slots: &SlotsView<'_>, out: &mut Values) {
        let Some(origin) = self.placed.first().map(|on| slots.positions[on.slot as usize]) else { return };
        self.points.clear();
        self.points
            .extend(self.placed.iter().map(|on| origin + view.offset(origin, slots.positions[on.slot as usize])));
        let ought = self.finder.find(&self.points, self.method, None);
        self.points.clear();
        self.points
            .extend(self.placed.iter().map(|on| origin + view.offset(origin, view.positions[on.agent as usize])));
        let before = self.base_line.map(|line| line.direction).or_else(|| ought.map(|line| line.direction));
        self.base_line = self.finder.find(&self.points, self.method, before);
        let Some(is) = self.base_line else { return };
        // Lines have no direction: one that was turned about is the same line.
        let turn = |ought: BaseLine| libm::asin(libm::sin(is.direction - ought.direction).abs());
        out.set(Metric::BaseLineTurn, ought.map(turn));
        let farthest = self.points.iter().map(|p| is.distance(*p)).fold(0.0, f64::max);
        out.set(Metric::BaseLineMax, Some(farthest));
    }

    /// 1 − Σ Δp·û / Σ‖Δq‖ over neighbors in the order of places; none without a length.
    fn projection(&self, view: &GroupView<'_>, slots: &SlotsView<'_>) -> Option<f64> {
        let (mut is, mut ought) = (0.0, 0.0);
        for pair in self.placed.windows(2) {
            let step = view.offset(slots.positions[pair[0].slot as usize], slots.positions[pair[1].slot as usize]);
            let taken = view.offset(view.positions[pair[0].agent as usize], view.positions[pair[1].agent as usize]);
            is += taken.dot(step.normalize_or_zero());
            ought += step.length();
        }
        (ought > 0.0).then(|| 1.0 - is / ought)
    }

    /// In a wrapped world all are taken relative to the first place.
    fn shape_error(&self, view: &GroupView<'_>, slots: &SlotsView<'_>) -> Option<f64> {
        let origin = slots.positions[self.placed.first()?.slot as usize];
        let pair = |on: &OnSlot| {
            let q = view.offset(origin, slots.positions[on.slot as usize]);
            (q, view.offset(origin, view.positions[on.agent as usize]))
        };
        fit(self.placed.iter().map(pair)).map(|fit| fit.rms)
    }
}

/// √(a² + z²), a itself when z is 0.
trait HypotZ {
    fn hypot_z(self, z: f64) -> f64;
}

impl HypotZ for f64 {
    fn hypot_z(self, z: f64) -> f64 {
        if z == 0.0 { self.abs() } else { libm::hypot(self, z) }
    }
}

fn flock_metrics(view: &GroupView<'_>, wanted: MetricSet, out: &mut Values) {
    use Metric::{Extension, ExtensionMax, HeadingSpread, Polarization, Rotation, Speed, SpeedMax};
    if wanted.has(HeadingSpread) && view.headings.len() == view.positions.len() {
        out.set(HeadingSpread, circular_sd(view.headings.iter().copied()));
    }
    if !wanted.has_any(&[
        Extension,
        ExtensionMax,
        Polarization,
        Rotation,
        Speed,
        SpeedMax,
        Metric::Elongation,
        Metric::VelocityMismatch,
    ]) {
        return;
    }
    let n = view.positions.len() as f64;
    // The center of a wrapped world's group is found from its first agent on, which holds while it spans less than half of it.
    let origin = view.positions[0];
    let from_first = |p: &DVec3| view.offset(origin, *p);
    let center = view.positions.iter().map(from_first).sum::<DVec3>() / n;
    let mut out_there = Errors::default();
    for p in view.positions {
        out_there.add((from_first(p) - center).length());
    }
    if wanted.has(Metric::Elongation) {
        out.set(Metric::Elongation, elongation(view.positions.iter().map(from_first)));
    }
    out.set(Extension, out_there.rms());
    out.set(ExtensionMax, out_there.most());
    if view.velocities.len() != view.positions.len() {
        return;
    }
    let (mut speeds, mut way, mut round, mut moving) = (Errors::default(), DVec3::ZERO, DVec3::ZERO, 0.0);
    for (p, v) in view.positions.iter().zip(view.velocities) {
        let speed = v.length();
        speeds.add(speed);
        if speed > MOVING {
            moving += 1.0;
            way += *v / speed;
            round += (from_first(p) - center).normalize_or_zero().cross(*v / speed);
        }
    }
    if wanted.has(Metric::VelocityMismatch) {
        let mean = view.velocities.iter().sum::<DVec3>() / n;
        let sum: f64 = view.velocities.iter().map(|v| (*v - mean).length_squared()).sum();
        out.set(Metric::VelocityMismatch, Some(0.5 * sum / n));
    }
    out.set(Speed, speeds.mean());
    out.set(SpeedMax, speeds.most());
    out.set(Polarization, (moving > 0.0).then(|| way.length() / moving));
    out.set(Rotation, (moving > 0.0).then(|| round.length() / moving));
}
