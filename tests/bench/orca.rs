//! Benchmark of reciprocal collision avoidance: RVO2's circle with 250, 1,000 and 5,000 agents: `cargo bench --bench orca`.
//!
//! It prints and never asserts. An agent-update is one agent in one tick; the times are CPU seconds of one thread.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

use std::cell::Cell;
use std::sync::Arc;

use cpu_time::ProcessTime;
use glam::DVec3;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{
    Avoid, BodySpec, Control, Group, GroupId, Intents, Mind, Orca, SimCommand, Stage, Stopwatch, TickReport, Workers,
    World, WorldSettings, tick,
};

fn main() {
    println!("RVO2's circle: radius 1.5 m, horizon 10 s, 10 neighbors within 15 m, steps of 0.25 s; one thread");
    println!(
        "{:>7} {:>6} {:>9} {:>11} {:>9} {:>22} {:>22}",
        "agents", "rings", "seconds", "all there", "nearest", "avoid alone, M/s", "whole tick, M/s"
    );
    run(250, 1, 1100.0);
    run(1_000, 1, 4400.0);
    run(1_000, 4, 1500.0);
    run(5_000, 20, 400.0);
    space();
}

/// CPU time of the avoid stage.
struct Watch {
    last: Cell<ProcessTime>,
    avoid: Cell<f64>,
}

impl Stopwatch for Watch {
    fn lap(&mut self, stage: Stage) {
        let now = ProcessTime::now();
        if stage == Stage::Avoid {
            self.avoid.set(self.avoid.get() + now.duration_since(self.last.get()).as_secs_f64());
        }
        self.last.set(now);
    }
}

/// Straight to the goal at 1 m/s, the last metre slower, as RVO2's example asks.
struct Straight([String; 1]);

impl Mind for Straight {
    fn decide(&mut self, world: &Arc<World>, group: GroupId, _: &Workers, out: &mut Intents) {
        out.common.control = Control::Velocity;
        out.pushes.extend(world.groups[group.index()].members.iter().map(|slot| {
            let agents = &world.agents;
            let goal = agents.goal[*slot as usize].unwrap_or_default();
            (goal - agents.position[*slot as usize]).clamp_length_max(1.0)
        }));
    }
    fn digest(&mut self, _: &Arc<World>, group: &Group, out: &mut Vec<u64>) {
        out.resize(group.members.len(), 0);
    }
    fn states(&self) -> &[String] {
        &self.0
    }
    fn turns(&self) -> bool {
        false
    }
    fn alike(&self) -> bool {
        true
    }
    fn control(&self) -> Control {
        Control::Velocity
    }
}

fn world_of(places: &[DVec3], planar: bool) -> Arc<World> {
    let orca = Orca {
        neighbor_distance: 15.0,
        max_neighbors: 10,
        time_horizon_agents: 10.0,
        time_horizon_obstacles: 10.0,
        ..Orca::default()
    };
    let body = BodySpec {
        radius: 1.5,
        max_speed: 2.0,
        max_acceleration: 1e6,
        avoid: Some(Avoid::Orca(orca)),
        ..BodySpec::default()
    };
    let mut world = World::new(WorldSettings { tick_hz: 4.0, planar, ..WorldSettings::default() });
    let group = world.add_group(Group::new(GroupId(0), "walkers", body));
    for position in places {
        let spawn = SimCommand::Spawn { group, position: *position, heading: 0.0, velocity: DVec3::ZERO };
        world.apply(spawn).expect("a finite place");
        let last = world.agents.id(world.agents.slots() as u32 - 1);
        world.apply(SimCommand::SetGoal(last, Some(-*position))).expect("a finite goal");
    }
    Arc::new(world)
}

/// Runs for at most so long; `rings` circles of equal spacing stand one round the other.
fn run(count: usize, rings: usize, most_secs: f64) {
    let each = count / rings;
    let places: Vec<DVec3> = (0..count)
        .map(|index| {
            let (ring, place) = (index / each, index % each);
            let angle = std::f64::consts::TAU * place as f64 / each as f64;
            DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * (200.0 * each as f64 / 250.0 + 5.0 * ring as f64)
        })
        .collect();
    measure(&places, true, rings, most_secs);
}

fn space() {
    println!("a sphere of the same density, in space");
    let count = 1_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let radius = (count as f64 * 25.0 / (4.0 * std::f64::consts::PI)).sqrt();
    let places: Vec<DVec3> = (0..count)
        .map(|index| {
            let z = 1.0 - (2.0 * index as f64 + 1.0) / count as f64;
            let (across, angle) = ((1.0 - z * z).sqrt(), golden * index as f64);
            DVec3::new(across * libm::cos(angle), across * libm::sin(angle), z) * radius
        })
        .collect();
    measure(&places, false, 1, 400.0);
}

fn measure(places: &[DVec3], planar: bool, rings: usize, most_secs: f64) {
    let mut world = world_of(places, planar);
    let mut minds: Vec<Box<dyn Mind>> = vec![Box::new(Straight([String::new()]))];
    let (workers, mut scratch, mut report) = (Workers::new(1), TickScratch::default(), TickReport::default());
    let begun = ProcessTime::now();
    let mut watch = Watch { last: Cell::new(begun), avoid: Cell::new(0.0) };
    let mut there = None;
    let (mut spent, mut gap) = (0.0, f64::INFINITY);
    while world.time() < most_secs && there.is_none() {
        let start = ProcessTime::now();
        watch.last.set(start);
        tick(&mut world, &mut minds, &workers, &mut scratch, &mut report, &mut watch);
        spent += start.elapsed().as_secs_f64();
        let agents = &world.agents;
        // The least distance of all pairs takes too long for many.
        if places.len() <= 250 {
            let pairs = (0..agents.slots()).flat_map(|i| (0..i).map(move |j| (i, j)));
            gap = pairs.map(|(i, j)| agents.position[i].distance_squared(agents.position[j])).fold(gap, f64::min);
        }
        let far = |slot: usize| agents.goal[slot].is_some_and(|goal| goal.distance(agents.position[slot]) > 1.5);
        if !(0..agents.slots()).any(far) {
            there = Some(world.time());
        }
    }
    let updates = places.len() as f64 * world.tick as f64 / 1e6;
    let there = there.map_or_else(|| "–".to_owned(), |secs| format!("{secs:.0} s"));
    let gap = if gap.is_finite() { format!("{:.2} m", gap.sqrt()) } else { "–".to_owned() };
    println!(
        "{:>7} {rings:>6} {:>9.0} {there:>11} {gap:>9} {:>22.2} {:>22.2}",
        places.len(),
        world.time(),
        updates / watch.avoid.get(),
        updates / spent
    );
}
