//! Benchmark of pedestrians: agent updates per second of one core, whole ticks with bodies: `cargo bench --bench crowd`.
//!
//! It prints and never asserts. The least of several batches counts, in CPU time. Each batch starts from the same world.
#![expect(clippy::print_stdout, reason = "a benchmark prints its numbers")]

#[expect(dead_code, reason = "other benchmarks time single calls")]
mod clock;
#[expect(dead_code, reason = "other benchmarks measure flocks")]
mod yard;

use std::sync::Arc;

use clock::least;
use cpu_time::ProcessTime;
use glam::DVec3;
use swarmyard::sim::obstacle::Shape;
use swarmyard::sim::tick::{self, TickScratch};
use swarmyard::sim::{
    Area, BodySpec, Edge, Group, GroupId, Mind, SimCommand, Space, TickReport, Workers, World, WorldSettings,
};
use swarmyard::steer::NativeMind;
use swarmyard::steer::behavior::behavior_named;

const TICKS: usize = 60;

fn main() {
    println!("pedestrians at 0.5 per m², millions of agent updates per second of one core (aim 2 for `crowd`)");
    println!("{:>12} {:>14} {:>14} {:>22}", "behavior", "500 agents", "2000 agents", "2000, 1000 segments");
    // One name on the command line: only that behavior.
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let names = ["crowd", "crowd_1995", "crowd_2000", "crowd_2009", "crowd_csm"];
    for name in names.into_iter().filter(|name| only.as_deref().is_none_or(|only| only == *name)) {
        let rate = |count: usize, segments: usize| updates(&plaza(count, 0.5, segments), name) / 1e6;
        println!("{name:>12} {:>14.2} {:>14.2} {:>22.2}", rate(500, 0), rate(2000, 0), rate(2000, 1000));
    }
    println!(
        "\npressed together, 4 per m², 2000 agents: {:.2} million (crowd_2000)",
        updates(&plaza(2000, 4.0, 0), "crowd_2000") / 1e6
    );
}

/// Agent updates per second: the best of some batches.
fn updates(world: &World, behavior: &str) -> f64 {
    let behavior = behavior_named(behavior).expect("a behavior of the catalogue");
    let mut minds: Vec<Box<dyn Mind>> = vec![Box::new(NativeMind::new(behavior).expect("forces of the registry"))];
    let workers = Workers::new(1);
    let (mut scratch, mut report) = (TickScratch::default(), TickReport::default());
    let mut times = Vec::new();
    for _ in 0..8 {
        let mut world = Arc::new(world.clone());
        let clock = ProcessTime::now();
        for _ in 0..TICKS {
            tick::tick(&mut world, &mut minds, &workers, &mut scratch, &mut report, &mut ());
        }
        times.push(clock.elapsed().as_secs_f64());
    }
    (world.agents.count() * TICKS) as f64 / least(times.split_off(1))
}

/// A wrapped place with people going every way, and walls in short pieces.
fn plaza(count: usize, density: f64, segments: usize) -> World {
    let side = (count as f64 / density).sqrt();
    let area = Some(Area { min: DVec3::ZERO, max: DVec3::new(side, side, 0.0) });
    let mut world = World::new(WorldSettings { space: Space { area, edge: Edge::Wrap }, ..WorldSettings::default() });
    let body = BodySpec { radius: 0.2, max_speed: 2.0, max_acceleration: 30.0, ..BodySpec::default() };
    let group = world.add_group(Group::new(GroupId(0), "people", body));
    let mut luck = yard::Luck::new(5);
    let across = (count as f64).sqrt().ceil() as usize;
    for index in 0..count {
        let cell = DVec3::new((index % across) as f64 + 0.5, (index / across) as f64 + 0.5, 0.0);
        let jitter = (luck.point(DVec3::ZERO, DVec3::ONE) - DVec3::splat(0.5)) * 0.5;
        let position = (cell + DVec3::new(jitter.x, jitter.y, 0.0)) * (side / across as f64);
        let heading = luck.next() * std::f64::consts::TAU;
        let velocity = DVec3::new(heading.cos(), heading.sin(), 0.0);
        world.apply(SimCommand::Spawn { group, position, heading, velocity }).expect("a finite place");
        let goal = luck.point(DVec3::ZERO, DVec3::new(side, side, 0.0));
        world.agents.goal[index] = Some(goal);
    }
    for _ in 0..segments {
        let from = luck.point(DVec3::ZERO, DVec3::new(side, side, 0.0));
        let along = luck.next() * std::f64::consts::TAU;
        let to = from + DVec3::new(along.cos(), along.sin(), 0.0) * 0.8;
        world.obstacles.insert("", Shape::Wall { from, to }).expect("a wall");
    }
    world.obstacles.repack();
    tick::sense(&mut world);
    world
}
