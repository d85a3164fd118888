//! The public flocking comparison against a plain loop, one thread, CPU time: `cargo bench --bench flocking`.
//!
//! Rule and sizes are those of JuliaDynamics/ABMFrameworksComparison (flocking), all agents at once: a torus, speed 1, vision
//! 15, cohere 0.03, separation 0.015 up to 1, match 0.05, 100 steps from a random start. Mean neighbors and polarization after
//! the last step show that all rows did the same work. It prints and never asserts.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod plain;
#[expect(dead_code, reason = "shared with the other benchmarks, which measure more")]
mod yard;

use std::sync::Arc;

use cpu_time::ProcessTime;
use glam::DVec3;
use plain::Plain;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::runtime::mind::{Outbox, ScriptMind};
use swarmyard::script::sources::Sources;
use swarmyard::sim::neighbors::Lanes;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{
    Area, BodySpec, Control, Drive, Edge, Group, GroupId, Mind, NeighborFilter, SimCommand, Space, TickReport, Workers,
    World, WorldSettings, tick,
};
use swarmyard::steer::NativeMind;
use swarmyard::steer::blend::Term;

const SCRIPT: &str = include_str!("../../scripts/behaviors/flocking_lua.luau");
const STEPS: usize = 100;
/// Runs per row; the middle one counts.
const RUNS: usize = 5;

/// One setting of the comparison.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    title: &'static str,
    count: usize,
    /// Side of the torus, m.
    extent: f64,
    vision: f64,
    planar: bool,
}

const CASES: [Case; 5] = [
    Case { title: "1,000 dense", count: 1_000, extent: 237.171, vision: 15.0, planar: true },
    Case { title: "10,000 dense", count: 10_000, extent: 750.0, vision: 15.0, planar: true },
    Case { title: "10,000 sparse", count: 10_000, extent: 750.0, vision: 5.0, planar: true },
    Case { title: "10,000 in 3-D", count: 10_000, extent: 223.9, vision: 15.0, planar: false },
    Case { title: "100,000 dense", count: 100_000, extent: 2_371.7, vision: 15.0, planar: true },
];

fn main() {
    println!(
        "flocking, {STEPS} steps from a random start; steps per CPU second, median of {RUNS}; ratio to the plain loop"
    );
    println!(
        "{:>14} {:>24} {:>10} {:>8} {:>10} {:>13} {:>17}",
        "", "", "steps/s", "ratio", "neighbors", "polarization", "hash"
    );
    for case in CASES {
        let mut rows = vec![Row::plain(case)];
        for (name, lanes) in Lanes::all() {
            rows.push(Row::native(case, name, lanes, 1));
        }
        rows.push(Row::native(case, "two threads", Lanes::default(), 2));
        if case.count <= 10_000 {
            rows.push(Row::script(case));
        }
        let base = rows[0].rate;
        for row in rows {
            let hash = row.hash.map_or_else(|| "–".to_owned(), |hash| format!("{hash:016x}"));
            println!(
                "{:>14} {:>24} {:>10.1} {:>7.2}× {:>10.4} {:>13.4} {hash:>17}",
                case.title,
                row.name,
                row.rate,
                row.rate / base,
                row.neighbors,
                row.polarization
            );
        }
    }
}

/// What one program did.
struct Row {
    name: String,
    rate: f64,
    neighbors: f64,
    polarization: f64,
    hash: Option<u64>,
}

impl Row {
    fn plain(case: Case) -> Self {
        let mut rates = Vec::new();
        let mut last = None;
        for _ in 0..RUNS {
            let start = start_of(case);
            let mut plain =
                Plain::new(&start.agents.position, &start.agents.velocity, case.extent, case.vision, case.planar);
            let clock = ProcessTime::now();
            (0..STEPS).for_each(|_| plain.step());
            rates.push(STEPS as f64 / clock.elapsed().as_secs_f64());
            last = Some(plain);
        }
        let plain = last.expect("at least one run");
        let mut world = start_of(case);
        (world.agents.position, world.agents.velocity) = plain.state();
        Self::of("plain loop", rates, &mut world, case, None)
    }

    fn native(case: Case, name: &str, lanes: Lanes, threads: usize) -> Self {
        let mut rates = Vec::new();
        let mut last = None;
        for _ in 0..RUNS {
            let term = Term::native("flocking", 1.0).with("radius", case.vision);
            let mind = NativeMind::of_terms(Control::Velocity, &[term]).expect("a force of the registry");
            let mut world = start_of(case);
            world.grid.lanes = lanes;
            rates.push(run(&mut world, Box::new(mind), threads));
            last = Some(world);
        }
        let mut world = last.expect("at least one run");
        let hash = world.hash(&[]);
        let name = if threads == 1 { format!("swarmyard, {name}") } else { format!("swarmyard, {name} (CPU)") };
        Self::of(&name, rates, &mut world, case, Some(hash))
    }

    fn script(case: Case) -> Self {
        let mut rates = Vec::new();
        let mut last = None;
        for _ in 0..RUNS.min(3) {
            let text = SCRIPT.replace("radius = { 15,", &format!("radius = {{ {},", case.vision));
            let sources = Sources::from_texts([("scripts/behaviors/flocking_lua.luau", text.as_str())]);
            let options = HostOptions { natives: Natives::built_in(), native_code: true, dry_run: None };
            let host = Host::open_texts(sources, options).expect("a worker starts");
            let program = Arc::clone(host.library().program("flocking_lua").expect("the script is sound"));
            let values = program.defaults();
            let mind = ScriptMind::new(host.door(), Outbox::default(), 0, "flock", program, values);
            let mut world = start_of(case);
            rates.push(run(&mut world, Box::new(mind.expect("the machine takes it")), 1));
            last = Some(world);
        }
        let mut world = last.expect("at least one run");
        let hash = world.hash(&[]);
        Self::of("swarmyard, Luau", rates, &mut world, case, Some(hash))
    }

    fn of(name: &str, mut rates: Vec<f64>, world: &mut World, case: Case, hash: Option<u64>) -> Self {
        rates.sort_unstable_by(f64::total_cmp);
        let (neighbors, polarization) = look(world, case);
        Self { name: name.to_owned(), rate: rates[rates.len() / 2], neighbors, polarization, hash }
    }
}

/// Runs all steps and returns how many there were in a second of CPU time.
fn run<M: Mind>(world: &mut World, mind: Box<M>, threads: usize) -> f64 {
    let mut shared = Arc::new(std::mem::replace(world, World::new(WorldSettings::default())));
    let mut minds = [mind];
    let workers = Workers::new(threads);
    let (mut scratch, mut report) = (TickScratch::default(), TickReport::default());
    let clock = ProcessTime::now();
    for _ in 0..STEPS {
        tick(&mut shared, &mut minds, &workers, &mut scratch, &mut report, &mut ());
    }
    let rate = STEPS as f64 / clock.elapsed().as_secs_f64();
    *world = Arc::try_unwrap(shared).unwrap_or_else(|shared| World::clone(&shared));
    rate
}

/// Agents strewn evenly, moving every way at speed 1.
fn start_of(case: Case) -> World {
    let high = DVec3::new(case.extent, case.extent, if case.planar { 0.0 } else { case.extent });
    let mut world = World::new(WorldSettings {
        tick_hz: 1.0,
        space: Space { area: Some(Area { min: DVec3::ZERO, max: high }), edge: Edge::Wrap },
        planar: case.planar,
        ..WorldSettings::default()
    });
    world.cell_side = case.vision;
    let body = BodySpec {
        radius: 0.0,
        max_speed: 2.0,
        max_acceleration: 1e3,
        turn_rate: 1e3,
        drive: Some(Drive::Velocity),
        ..BodySpec::default()
    };
    let group = world.add_group(Group::new(GroupId(0), "flock", body));
    let mut luck = yard::Luck::new(5);
    for _ in 0..case.count {
        let position = luck.point(DVec3::ZERO, high);
        let heading = luck.next() * std::f64::consts::TAU;
        let up = if case.planar { 0.0 } else { 2.0 * luck.next() - 1.0 };
        let level = (1.0 - up * up).max(0.0).sqrt();
        let velocity = DVec3::new(heading.cos() * level, heading.sin() * level, up);
        world.apply(SimCommand::Spawn { group, position, heading, velocity }).expect("a finite place");
    }
    world
}

/// Mean number of neighbors within vision, and the length of the mean direction.
fn look(world: &mut World, case: Case) -> (f64, f64) {
    tick::sense(world);
    let mut near = Vec::new();
    let slots = 0..world.agents.slots();
    let mut sum = 0;
    for slot in slots.clone() {
        world.neighbors(slot as u32, case.vision, NeighborFilter::default(), &mut near);
        sum += near.len();
    }
    let count = slots.len() as f64;
    let mean = slots.fold(DVec3::ZERO, |mean, slot| mean + world.agents.velocity[slot].normalize_or_zero()) / count;
    (sum as f64 / count, mean.length())
}
