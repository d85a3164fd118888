//! A body alone as the plant of a position controller: the relay experiment on it, what gains do on it, and a search.
//!
//! It has its own lag, dead time, limits, sensor noise and ticks: the numbers are those of this plant, not of a formula.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use glam::DVec3;
use serde::Serialize;

use super::core::Experiment;
use crate::sim::body::{BodyField, Drive};
use crate::sim::tick::TickScratch;
use crate::sim::{
    BodySpec, Control, Group, GroupId, Intents, Mind, SimCommand, TickReport, Workers, World, WorldSettings, tick,
};
use crate::steer::pid::{Gains, Pid};
use crate::steer::relay::{self, Relay, RelayError, Ultimate};

/// The plant that is tuned: a body, its clock, its sensors.
#[derive(Clone, Debug)]
pub struct Plant {
    /// The body, as the agent has it.
    pub body: BodySpec,
    /// Ticks per second.
    pub tick_hz: f64,
    /// Noise of the sensed position, m.
    pub noise: f64,
    /// Seed of that noise.
    pub seed: u64,
}

/// Tells work on another thread that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nobody waits any more.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody waits.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A moment of the relay experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Simulated time since the start, s.
    pub time: f64,
    /// Where the body is, m.
    pub position: f64,
    /// Output of the relay, m/s.
    pub output: f64,
}

/// Samples of a response that are kept per second: enough for a curve, few enough to hold many.
const SAMPLES_HZ: f64 = 60.0;

/// Size of the step that gains are tried on, m.
pub const STEP_M: f64 = 0.5;

/// How long a step is watched, s.
const WATCHED_S: f64 = 20.0;

/// What gains do on a plant, after a step of [`STEP_M`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Name of the rule.
    pub rule: String,
    /// Proportional gain, 1/s.
    pub kp: f64,
    /// Integral gain, 1/s².
    pub ki: f64,
    /// Derivative gain.
    pub kd: f64,
    /// Overshoot, percent of the step.
    pub overshoot: f64,
    /// Time to stay within 2 %, s; none within the time watched.
    pub settled: Option<f64>,
    /// Integral of the absolute error, m s.
    pub iae: f64,
    /// Time in s and position in m after the step.
    #[serde(skip)]
    pub response: Arc<[[f64; 2]]>,
}

/// What the search looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Time to stay within 2 %.
    #[default]
    Settle,
    /// Integral of the absolute error.
    Iae,
}

impl Objective {
    /// What gains cost by the objective: less is better, and overshoot above 2 % counts against them.
    pub fn cost(self, tried: &Tried) -> f64 {
        let goal = match self {
            Self::Settle => tried.settled.unwrap_or(2.0 * WATCHED_S),
            Self::Iae => tried.iae,
        };
        goal * (1.0 + 0.1 * (tried.overshoot - 2.0).max(0.0))
    }
}

/// A mind that hands what its agent senses to a controller: x in, commanded velocity along x out.
struct Driver<F>(F, [String; 1]);

impl<F: FnMut(f64) -> f64 + Send> Mind for Driver<F> {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, _: &Workers, out: &mut Intents) {
        let members = &world.groups[group.index()].members;
        for (slot, row) in members.iter().zip(&mut out.rows) {
            row.control = Control::Velocity;
            row.push = DVec3::new((self.0)(world.agents.sensed_position(*slot as usize).x), 0.0, 0.0);
        }
    }

    fn digest(&mut self, _: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        out.resize(group.members.len(), 0);
    }

    fn states(&self) -> &[String] {
        &self.1
    }

    fn turns(&self) -> bool {
        true
    }

    fn control(&self) -> Control {
        Control::Velocity
    }
}

/// Which samples are kept of a run.
struct Thin {
    every: u64,
    seen: u64,
}

impl Thin {
    fn new(tick_hz: f64) -> Self {
        Self { every: ((tick_hz / SAMPLES_HZ) as u64).max(1), seen: 0 }
    }

    fn keeps(&mut self) -> bool {
        self.seen += 1;
        self.seen.is_multiple_of(self.every)
    }
}

impl Plant {
    /// Drives the body from rest at x = 0 until `watch`, given time and true x after each tick, says that it is enough.
    fn drive(&self, control: impl FnMut(f64) -> f64 + Send + 'static, mut watch: impl FnMut(f64, f64) -> bool) {
        let settings = WorldSettings { seed: self.seed, tick_hz: self.tick_hz, ..WorldSettings::default() };
        let mut world = World::new(settings);
        let body = BodySpec { drive: Some(Drive::Velocity), spread: Vec::new(), ..self.body.clone() };
        let mut group = Group::new(GroupId(0), "plant", body);
        group.sensor_noise = (self.noise, 0.0);
        let group = world.add_group(group);
        let spawn = SimCommand::Spawn { group, position: DVec3::ZERO, heading: 0.0, velocity: DVec3::ZERO };
        // A body at the origin is always accepted.
        drop(world.apply(spawn));
        let mut world = Arc::new(world);
        let mut minds: Vec<Box<dyn Mind>> = vec![Box::new(Driver(control, [String::new()]))];
        let (mut scratch, mut report, workers) = (TickScratch::default(), TickReport::default(), Workers::new(1));
        loop {
            tick(&mut world, &mut minds, &workers, &mut scratch, &mut report, &mut ());
            if watch(world.time(), world.agents.position[0].x) {
                return;
            }
        }
    }

    /// The relay experiment, with what happened in it: that is of use where it has no answer as well.
    pub fn relay(&self, relay: Relay, stop: &Stop) -> (Vec<Sample>, Result<Ultimate, RelayError>) {
        let mut samples = Vec::new();
        let run = Arc::new(Mutex::new(relay::Run::new(relay)));
        let (inner, dt) = (Arc::clone(&run), 1.0 / self.tick_hz);
        let control = move |x: f64| inner.lock().unwrap_or_else(PoisonError::into_inner).step(x, dt);
        let watched = Arc::clone(&run);
        let mut thin = Thin::new(self.tick_hz);
        self.drive(control, |time, position| {
            let run = watched.lock().unwrap_or_else(PoisonError::into_inner);
            if thin.keeps() {
                samples.push(Sample { time, position, output: run.output() });
            }
            run.is_over() || stop.is_asked()
        });
        let run = run.lock().unwrap_or_else(PoisonError::into_inner);
        (samples, run.result())
    }

    /// What gains do after a step of [`STEP_M`].
    pub fn step(&self, rule: &str, gains: &Gains) -> Tried {
        let (dt, most, tried) = (1.0 / self.tick_hz, self.body.max_speed, *gains);
        let mut pid = Pid::default();
        let control = move |x: f64| pid.step(&tried, dt, (STEP_M, x), 0.0, |v: f64| v.clamp(-most, most));
        let (mut peak, mut outside, mut iae) = (0.0_f64, 0.0, 0.0);
        let (mut thin, mut response) = (Thin::new(self.tick_hz), vec![[0.0, 0.0]]);
        self.drive(control, |time, x| {
            if thin.keeps() {
                response.push([time, x]);
            }
            peak = peak.max(x);
            iae += (STEP_M - x).abs() * dt;
            // Noise is no failure to settle.
            if (x - STEP_M).abs() > 0.02 * STEP_M + 3.0 * self.noise {
                outside = time;
            }
            time >= WATCHED_S
        });
        let over = |x: f64, y: f64| if y > 0.0 { x / y } else { 0.0 };
        Tried {
            rule: rule.to_owned(),
            kp: gains.k,
            ki: over(gains.k, gains.ti),
            kd: gains.k * gains.td,
            overshoot: (100.0 * (peak - STEP_M) / STEP_M).max(0.0),
            settled: (outside < WATCHED_S - 1.0).then_some(outside),
            iae,
            response: response.into(),
        }
    }

    /// A pattern search (Hooke and Jeeves 1961) over K and Td from the rule of the table, for a PID over Ti as well: the plant
    /// integrates by itself, so an integral has to earn its overshoot. `on` is told the share that is done, and says whether
    /// to go on.
    pub fn search(&self, start: &Gains, goal: Goal, mut on: impl FnMut(f32) -> bool) -> Tried {
        let cost = |tried: &Tried| goal.objective.cost(tried);
        let name = goal.name();
        let td = start.td.max(0.01);
        let integrates = goal.controller == Controller::Pid;
        // The time to settle has steps, in which a search from one point gets stuck: a coarse grid comes first.
        let grid = [1.0, 0.7, 0.5, 0.4, 0.3].into_iter().flat_map(|k| [0.7, 1.0, 1.3, 1.7].map(|factor| (k, factor)));
        let gains = grid.map(|(k, factor)| Gains {
            k: start.k * k,
            td: td * factor,
            ti: if integrates { SLOW_INTEGRAL * td } else { 0.0 },
            ..*start
        });
        let tries = gains.map(|gains| (gains, self.step(name, &gains)));
        let first = tries.reduce(|best, next| if cost(&next.1) < cost(&best.1) - 1e-9 { next } else { best });
        let Some((mut best, mut tried)) = first else { return self.step(name, start) };
        let (mut factor, first, last) = (1.5_f64, 1.5_f64.ln(), 1.01_f64.ln());
        // The factor's logarithm is halved until it is small: how often, of how often it will be.
        while factor > 1.01 && on(((first / factor.ln()).log2() / (first / last).log2().ceil()) as f32) {
            let back = 1.0 / factor;
            let plane =
                [(factor, 1.0, 1.0), (back, 1.0, 1.0), (1.0, factor, 1.0), (1.0, back, 1.0), (back, factor, 1.0)];
            let more = [(1.0, 1.0, factor), (1.0, 1.0, back)].into_iter().filter(|_| integrates);
            let better = plane.into_iter().chain(more).find_map(|(k, td, ti)| {
                let gains = Gains { k: best.k * k, td: best.td * td, ti: best.ti * ti, ..best };
                let candidate = self.step(name, &gains);
                (cost(&candidate) < cost(&tried) - 1e-9).then_some((gains, candidate))
            });
            match better {
                Some((gains, candidate)) => (best, tried) = (gains, candidate),
                None => factor = factor.sqrt(),
            }
        }
        tried
    }
}

/// What the search for a PID begins with: Ti as a multiple of Td.
const SLOW_INTEGRAL: f64 = 40.0;

/// Which terms the search may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controller {
    /// Proportional and derivative.
    #[default]
    Pd,
    /// With an integral.
    Pid,
}

/// What the search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// What it makes as small as it can.
    pub objective: Objective,
    /// Which terms it may use.
    pub controller: Controller,
}

impl Goal {
    /// The row of the table.
    fn name(self) -> &'static str {
        match (self.controller, self.objective) {
            (Controller::Pd, Objective::Settle) => "search PD: settle time",
            (Controller::Pd, Objective::Iae) => "search PD: IAE",
            (Controller::Pid, Objective::Settle) => "search PID: settle time",
            (Controller::Pid, Objective::Iae) => "search PID: IAE",
        }
    }
}

impl Experiment {
    /// The body of an agent as a plant, with the name of its group and its number: the first of `group`, or the agent named.
    pub fn plant(&self, group: Option<&str>, agent: Option<f64>) -> Option<(Plant, String, f64)> {
        let world = self.world();
        let wanted = agent.and_then(crate::sim::AgentId::from_number).and_then(|id| world.agents.find(id));
        let of_group = || {
            let mut groups = world.groups.iter().filter(|known| group.is_none_or(|group| known.name == group));
            groups.find_map(|group| group.members.first().map(|slot| *slot as usize))
        };
        let slot = if agent.is_some() { wanted? } else { of_group()? };
        let (agents, own) = (&world.agents, world.group_of(slot));
        let mut body = own.body.clone();
        body.set(BodyField::Lag, agents.lag[slot]);
        body.set(BodyField::DeadTime, agents.dead_time[slot]);
        body.set(BodyField::Stride, agents.stride[slot]);
        body.set(BodyField::MaxSpeed, agents.max_speed[slot]);
        body.set(BodyField::MaxAcceleration, agents.max_acceleration[slot]);
        let plant =
            Plant { body, tick_hz: world.settings.tick_hz, noise: own.sensor_noise.0, seed: world.settings.seed };
        Some((plant, own.name.clone(), agents.id(slot as u32).number()))
    }
}
