//! Benchmark of a school: the reef's forces at 10,000 fish, plain boids at 100,000 on one and two threads, and the table of
//! the original text (R144): `cargo bench --bench school`.
//!
//! It prints and never asserts. Ticks are timed with all stages; the least of several batches counts.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

#[expect(dead_code, reason = "other benchmarks time single calls")]
mod clock;
mod flock;
#[expect(dead_code, reason = "shared with the native benchmark, which also measures obstacles")]
mod yard;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use clock::least;
use cpu_time::ProcessTime;
use flock::{flock_mind, naive_decide};
use glam::DVec3;
use swarmyard::script::host::{Host, HostOptions};
use swarmyard::script::library::Natives;
use swarmyard::script::runtime::mind::{Outbox, ScriptMind};
use swarmyard::script::sources::Sources;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{
    Area, BodySpec, Control, Edge, Group, GroupId, HeadingMode, Mind, NeighborFilter, SimCommand, Space, TickReport,
    Workers, World, WorldSettings, tick,
};
use swarmyard::steer::NativeMind;
use swarmyard::steer::blend::{Bind, Term};

const FISH: &str = include_str!("../../scripts/machines/fish.luau");
/// Perception radius of the reef's fish: eight body lengths, m.
const SIGHT: f64 = 1.92;
const CONE: f64 = 2.44;

fn main() {
    reef();
    plain();
    table_of_the_text();
}

/// How long and by what clock a tick is timed.
#[derive(Clone, Copy)]
struct Timing {
    threads: usize,
    ticks: usize,
    batches: usize,
    /// Wall time instead of CPU time.
    wall: bool,
}

/// Milliseconds per tick: the least of some batches, each from the same world; one more warms up.
fn millis(world: &World, minds: &mut [Box<dyn Mind>], timing: Timing) -> f64 {
    let workers = Workers::new(timing.threads);
    let (mut scratch, mut report) = (TickScratch::default(), TickReport::default());
    let mut times = Vec::new();
    for _ in 0..=timing.batches {
        let mut world = Arc::new(world.clone());
        #[expect(clippy::disallowed_methods, reason = "what two threads gain is seen in wall time only")]
        let (clock, cpu) = (Instant::now(), ProcessTime::now());
        for _ in 0..timing.ticks {
            tick(&mut world, minds, &workers, &mut scratch, &mut report, &mut ());
        }
        let elapsed = if timing.wall { clock.elapsed() } else { cpu.elapsed() };
        times.push(elapsed.as_secs_f64() * 1e3 / timing.ticks as f64);
    }
    least(times.split_off(1))
}

fn reef() {
    println!("the coral reef at 10,000 fish, 12 neighbors in sight, corals, current, three sharks; 1 thread, CPU time");
    let world = reef_world(10_000);
    let mut near = Vec::new();
    let seen: usize = (0..10_000_u32)
        .map(|slot| {
            let filter = NeighborFilter { group: Some(GroupId(0)), ..NeighborFilter::default() };
            world.neighbors(slot, SIGHT, filter, &mut near);
            near.len()
        })
        .sum();
    println!("{:>44} {:>9.1}", "neighbors within sight, mean", seen as f64 / 1e4);
    let terms = [
        Term::native("separation", 1.6).with("radius", 0.6),
        Term::native("cohesion", 0.7).with("radius", SIGHT).with("half_angle", CONE),
        Term::native("alignment", 0.9).with("radius", SIGHT).with("half_angle", CONE),
        Term::native("flee", 4.0).with("from", Bind::Constant("sharks".into())).with("radius", 5.0),
        Term::native("obstacle", 1.0),
        Term::native("current", 0.3).with("size", 12.0).with("change", 20.0),
    ];
    let native = NativeMind::of_terms(Control::Acceleration, &terms).expect("forces of the registry");
    let idle = NativeMind::of_terms(Control::Velocity, &[]).expect("nothing");
    let native = millis(
        &world,
        &mut [Box::new(native), Box::new(idle.clone())],
        Timing { threads: 1, ticks: 10, batches: 15, wall: false },
    );
    println!("{:>44} {native:>9.2} ms per tick (aim 10)", "all forces natively");
    for count in [1_000, 10_000] {
        let world = reef_world(count);
        let sources = Sources::from_texts([("scripts/machines/fish.luau", FISH)]);
        let options = HostOptions { natives: Natives::built_in(), native_code: true, dry_run: None };
        let host = Host::open_texts(sources, options).expect("a worker starts");
        let program = Arc::clone(host.library().program("fish").expect("the script is sound"));
        let values = program.defaults();
        let outbox = Outbox::default();
        let mut school: Vec<Box<dyn Mind>> = Vec::new();
        let mind = ScriptMind::new(host.door(), outbox.clone(), 0, "fish", program, values);
        school.push(Box::new(mind.expect("the machine takes it")));
        school.push(Box::new(idle.clone()));
        let scripted = millis(&world, &mut school, Timing { threads: 1, ticks: 5, batches: 7, wall: false });
        println!("{:>44} {scripted:>9.2} ms per tick", format!("fish.luau as shipped, {count} fish"));
        assert_eq!(outbox.take().faults, 0, "it runs");
    }
}

/// The reef of the preset, larger with its fish so that each has twelve in sight.
fn reef_world(count: usize) -> World {
    let width = (count as f64 * std::f64::consts::PI * SIGHT * SIGHT / 12.0).sqrt();
    let high = DVec3::new(width, width, 0.0);
    let area = Some(Area { min: DVec3::ZERO, max: high });
    let mut world = World::new(WorldSettings { space: Space { area, edge: Edge::Turn }, ..WorldSettings::default() });
    let body = BodySpec {
        radius: 0.12,
        max_speed: 2.5,
        max_acceleration: 6.0,
        turn_rate: 4.0,
        heading: HeadingMode::AlongVelocity,
        ..BodySpec::default()
    };
    let fish = world.add_group(Group::new(GroupId(0), "fish", body.clone()));
    let sharks = world.add_group(Group::new(GroupId(0), "sharks", body));
    let mut luck = yard::Luck::new(9);
    for index in 0..count + 3 {
        let heading = luck.next() * std::f64::consts::TAU;
        let velocity = DVec3::new(heading.cos(), heading.sin(), 0.0);
        let group = if index < count { fish } else { sharks };
        let position = luck.point(DVec3::ZERO, high);
        world.apply(SimCommand::Spawn { group, position, heading, velocity }).expect("a finite place");
    }
    for _ in 0..=(width * width / 400.0) as usize {
        let coral = Shape::Disc { at: luck.point(DVec3::ZERO, high), radius: 1.0 + luck.next() };
        world.obstacles.insert("", coral).expect("a disc");
    }
    tick::sense(&mut world);
    world
}

fn plain() {
    println!("\nplain boids (separation, alignment, cohesion; 12 neighbors) at 100,000, wall time, all stages");
    let world = yard::flock(100_000, true);
    let one = millis(&world, &mut [flock_mind()], Timing { threads: 1, ticks: 3, batches: 9, wall: true });
    let two = millis(&world, &mut [flock_mind()], Timing { threads: 2, ticks: 3, batches: 9, wall: true });
    println!("{:>44} {one:>9.2} ms per tick (aim 100)", "one thread");
    println!("{:>44} {two:>9.2} ms per tick, {:.2}× (aim 1.7)", "two threads", one / two);
}

fn table_of_the_text() {
    println!("\nthe table of the text (R144) in frames per second, and ours in ticks per second of CPU, one thread");
    println!("{:>8} {:>12} {:>12} {:>14} {:>12}", "fish", "text, naive", "text, grid", "ours, naive", "ours, grid");
    for (count, naive, grid) in [(200, "58", "60"), (500, "22", "60"), (1_000, "6", "58"), (2_000, "–", "42")] {
        let world = yard::flock(count, true);
        let timing = Timing { threads: 1, ticks: 20_000 / count, batches: 15, wall: false };
        let tick = millis(&world, &mut [flock_mind()], timing);
        let mut times = Vec::new();
        for _ in 0..15 {
            let clock = ProcessTime::now();
            black_box(naive_decide(&world));
            times.push(clock.elapsed().as_secs_f64());
        }
        let ours = 1.0 / least(times);
        println!("{count:>8} {naive:>12} {grid:>12} {ours:>14.0} {:>12.0}", 1e3 / tick);
    }
}
