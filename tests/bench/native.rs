//! Benchmark of the native tick and of obstacle queries, one thread, CPU time: `cargo bench --bench native`.
//!
//! It prints and never asserts: a slow machine is no fault of the program.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

mod clock;
mod flock;
mod yard;

use std::hint::black_box;
use std::sync::Arc;

use clock::{least, least_secs};
use cpu_time::ProcessTime;
use flock::{flock_mind, naive_decide};
use glam::DVec3;
use swarmyard::sim::obstacle::Obstacles;
use swarmyard::sim::tick::TickScratch;
use swarmyard::sim::{Mind, NeighborFilter, Stage, Stopwatch, TickReport, Workers, World, tick};
use yard::{Luck, REACH, field};

fn main() {
    println!("`sorted`: a query of the kind scripts use, in the order of ids; `all pairs`: a plain double loop");
    println!(
        "native flock tick, 12 neighbors within {REACH} m, search included; ns of CPU per agent and tick, 1 thread, least of 25 batches"
    );
    println!(
        "{:>8} {:>7} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10}",
        "agents", "space", "tick", "sense", "decide", "act", "growth", "sorted", "neighbors", "all pairs"
    );
    for planar in [true, false] {
        let mut before = None;
        for count in [1_000, 10_000, 100_000] {
            before = Some(tick_line(count, planar, before));
        }
    }
    println!("\nobstacle queries, mixed shapes, 1 per 16 m²; million queries per second, 1 thread");
    println!(
        "{:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "count", "within 2", "nearest", "contains", "sees 10", "sweep", "move µs"
    );
    for count in [10, 1_000, 100_000] {
        obstacle_line(count);
    }
}

/// CPU seconds per stage.
struct Laps {
    last: ProcessTime,
    secs: [f64; 6],
}

impl Stopwatch for Laps {
    fn lap(&mut self, stage: Stage) {
        self.secs[stage as usize] += self.last.elapsed().as_secs_f64();
        self.last = ProcessTime::now();
    }
}

/// A flock under way: 60 ticks warm, so that buffers have grown.
struct Yard {
    world: Arc<World>,
    minds: Vec<Box<dyn Mind>>,
    workers: Workers,
    scratch: TickScratch,
    report: TickReport,
}

impl Yard {
    fn new(count: usize, planar: bool) -> Self {
        let mut yard = Self {
            world: Arc::new(yard::flock(count, planar)),
            minds: vec![flock_mind()],
            workers: Workers::new(1),
            scratch: TickScratch::default(),
            report: TickReport::default(),
        };
        yard.run(60, &mut ());
        yard
    }

    fn run(&mut self, ticks: usize, watch: &mut dyn Stopwatch) {
        for _ in 0..ticks {
            tick(&mut self.world, &mut self.minds, &self.workers, &mut self.scratch, &mut self.report, watch);
        }
    }
}

/// Prints one line and returns ns per agent and tick. Every batch starts from the same world, so that the flock keeps its
/// density.
fn tick_line(count: usize, planar: bool, before: Option<f64>) -> f64 {
    let mut yard = Yard::new(count, planar);
    let start = World::clone(&yard.world);
    let ticks = (300_000 / count).clamp(3, 100);
    let per_agent = 1e9 / (count * ticks) as f64;
    let mut batches = Vec::new();
    for _ in 0..25 {
        yard.world = Arc::new(start.clone());
        let mut laps = Laps { last: ProcessTime::now(), secs: [0.0; 6] };
        yard.run(ticks, &mut laps);
        batches.push(laps.secs);
    }
    let stage = |stage: Stage| least(batches.iter().map(|secs| secs[stage as usize] * per_agent).collect());
    let total = least(batches.iter().map(|secs| secs.iter().sum::<f64>() * per_agent).collect());
    let growth = before.map_or_else(|| "–".to_owned(), |before| format!("×{:.2}", total / before));
    let mut near = Vec::new();
    let mut sum = 0;
    let search = least_secs(|| {
        sum = 0;
        for slot in 0..count as u32 {
            start.neighbors(slot, REACH, NeighborFilter::default(), &mut near);
            sum += near.len();
        }
    }) * 1e9
        / count as f64;
    let naive = if count <= 10_000 {
        format!(
            "{:.0}",
            least_once(|| {
                black_box(naive_decide(&start));
            }) * 1e9
                / count as f64
        )
    } else {
        "–".to_owned()
    };
    println!(
        "{count:>8} {:>7} {total:>9.0} {:>9.0} {:>9.0} {:>9.0} {growth:>9} {search:>9.0} {:>9.1} {naive:>10}",
        if planar { "planar" } else { "3-D" },
        stage(Stage::Sense),
        stage(Stage::Decide),
        stage(Stage::Act),
        sum as f64 / count as f64,
    );
    total
}

/// Like `least_secs` for work that is long enough by itself.
fn least_once(mut work: impl FnMut()) -> f64 {
    let times = (0..3).map(|_| {
        let start = ProcessTime::now();
        work();
        start.elapsed().as_secs_f64()
    });
    least(times.collect())
}

fn obstacle_line(count: usize) {
    let (mut set, side) = field(count);
    set.repack();
    let mut luck = Luck::new(11);
    let high = DVec3::new(side, side, 0.0);
    let points: Vec<_> = (0..4096).map(|_| luck.point(DVec3::ZERO, high)).collect();
    let ends: Vec<_> =
        points.iter().map(|at| *at + (luck.point(DVec3::ZERO, high) - *at).normalize_or_zero() * 10.0).collect();
    let rate = |query: &mut dyn FnMut(usize)| {
        let secs = least_secs(|| (0..points.len()).for_each(&mut *query));
        points.len() as f64 / secs / 1e6
    };
    let mut hits = Vec::new();
    let within = rate(&mut |i| {
        set.within(points[i], 2.0, &mut hits);
        black_box(&hits);
    });
    let nearest = rate(&mut |i| {
        black_box(set.nearest(points[i], f64::INFINITY));
    });
    let contains = rate(&mut |i| {
        black_box(set.contains(points[i]));
    });
    let sees = rate(&mut |i| {
        black_box(set.sees(points[i], ends[i]));
    });
    let step = |i: usize| points[i] + (ends[i] - points[i]) * 0.01;
    let sweep = rate(&mut |i| {
        black_box(set.sweep(points[i], step(i), 0.2));
    });
    let moved = 1.0 / rate(&mut moves(&mut set.clone(), &points));
    println!("{count:>8} {within:>10.2} {nearest:>10.2} {contains:>10.2} {sees:>10.2} {sweep:>10.2} {moved:>10.2}");
}

fn moves<'a>(set: &'a mut Obstacles, points: &'a [DVec3]) -> impl FnMut(usize) + 'a {
    let ids: Vec<_> = set.iter().map(|obstacle| obstacle.id).collect();
    move |i| set.move_to(ids[i % ids.len()], points[i]).expect("a finite place")
}
