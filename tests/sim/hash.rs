//! The state hash: what it sees, and that order and threads never show.

use glam::DVec3;
use swarmyard::sim::{Control, NeighborFilter, SimCommand, Stream, Workers, World, WorldSettings, rng::Use};

use super::helpers::{Ask, Bench, free_body};

fn scattered(count: usize) -> Vec<DVec3> {
    (0..count)
        .map(|index| {
            let mut luck = Stream::new(3, index as u64, 0, Use::Spawn);
            DVec3::new(luck.uniform(-20.0, 20.0), luck.uniform(-20.0, 20.0), 0.0)
        })
        .collect()
}

/// A crowd that pushes apart, slowly: neighbors, sums and noise in one mind.
fn crowd(count: usize, threads: usize) -> Bench {
    let mut bench = Bench::new(WorldSettings { seed: 11, ..WorldSettings::default() });
    bench.workers = Workers::new(threads);
    let mind = Ask::new(Control::Acceleration, |world: &World, slot| {
        let mut rows = Vec::new();
        world.neighbors(slot as u32, 2.0, NeighborFilter::default(), &mut rows);
        let push: DVec3 = rows.iter().map(|row| -row.offset / (0.1 + row.distance)).sum();
        let mut luck = Stream::new(world.settings.seed, slot as u64, world.tick, Use::Force);
        push + DVec3::new(luck.normal(0.0, 0.1), luck.normal(0.0, 0.1), 0.0)
    });
    bench.group(free_body(), Box::new(mind), &scattered(count));
    bench.run(50);
    bench
}

#[test]
fn thread_count_never_shows() {
    let one = crowd(1000, 1).world.hash(&[]);
    assert_eq!(one, crowd(1000, 2).world.hash(&[]));
    assert_eq!(one, crowd(1000, 8).world.hash(&[]));
}

/// Native core, so equal on every machine: a change here is a change of behavior and must be meant.
#[test]
fn the_core_computes_what_it_always_did() {
    let hash = crowd(200, 1).world.hash(&[]);
    assert_eq!(format!("{hash:016x}"), include_str!("../golden/core_crowd.txt").trim());
}

#[test]
fn adding_an_agent_shifts_nobody_elses_luck() {
    let lonely = |extra: bool| {
        let mut bench = Bench::new(WorldSettings { seed: 5, ..WorldSettings::default() });
        let mind = Ask::new(Control::Acceleration, |world: &World, slot| {
            let mut luck = Stream::new(world.settings.seed, slot as u64, world.tick, Use::Force);
            DVec3::new(luck.normal(0.0, 1.0), 0.0, 0.0)
        });
        let mut at = scattered(10);
        if extra {
            at.push(DVec3::new(500.0, 0.0, 0.0));
        }
        bench.group(free_body(), Box::new(mind), &at);
        bench.run(30);
        bench.world.agents.position[..10].to_vec()
    };
    assert_eq!(lonely(false), lonely(true));
}

#[test]
fn the_hash_sees_every_part_of_the_state_but_not_the_sign_of_zero() {
    let mut world = World::new(WorldSettings::default());
    let group = world.add_group(swarmyard::sim::Group::new(swarmyard::sim::GroupId(0), "g", free_body()));
    let spawn = SimCommand::Spawn { group, position: DVec3::ZERO, heading: 0.0, velocity: DVec3::ZERO };
    world.apply(spawn).expect("accepted");
    let before = world.hash(&[0]);
    world.agents.position[0] = DVec3::new(-0.0, 0.0, -0.0);
    assert_eq!(world.hash(&[0]), before);
    assert_ne!(world.hash(&[1]), before, "what the mind keeps counts");
    world.agents.heading[0] = 1e-15;
    assert_ne!(world.hash(&[0]), before);
    world.agents.heading[0] = 0.0;
    world.agents.velocity[0].y = 1e-300;
    assert_ne!(world.hash(&[0]), before);
    world.agents.velocity[0].y = 0.0;
    let disc = swarmyard::sim::obstacle::Shape::Disc { at: DVec3::ONE, radius: 1.0 };
    world.obstacles.insert("disc", disc).expect("accepted");
    assert_ne!(world.hash(&[0]), before);
}
