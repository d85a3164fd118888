//! Agents that walk straight to goals of their own, for tests of avoidance.

use glam::DVec3;
use swarmyard::sim::{Avoid, BodySpec, Control, GroupId, Orca, SimCommand, World, WorldSettings};

use super::helpers::{Ask, Bench, free_body};

/// A body that avoids by ORCA and does at once what it is told.
pub(crate) fn walker(radius: f64, top: f64, orca: Orca) -> BodySpec {
    BodySpec { radius, max_speed: top, avoid: Some(Avoid::Orca(orca)), ..free_body() }
}

/// A world of `tick_hz` with a group whose agents walk at 1 m/s from each point to the next, the last metre slower.
pub(crate) fn crossing(settings: WorldSettings, body: BodySpec, ways: &[(DVec3, DVec3)]) -> Bench {
    let mut bench = Bench::new(settings);
    join(&mut bench, body, ways);
    bench
}

/// One more group of the same kind.
pub(crate) fn join(bench: &mut Bench, body: BodySpec, ways: &[(DVec3, DVec3)]) -> GroupId {
    let starts: Vec<DVec3> = ways.iter().map(|(from, _)| *from).collect();
    let first = bench.world.agents.slots();
    let group = bench.group(body, Box::new(Ask::new(Control::Velocity, to_goal)), &starts);
    for (index, (_, to)) in ways.iter().enumerate() {
        let id = bench.world.agents.id((first + index) as u32);
        bench.world().apply(SimCommand::SetGoal(id, Some(*to))).expect("a finite goal");
    }
    group
}

/// Straight to the goal at 1 m/s, the last metre slower.
pub(crate) fn to_goal(world: &World, slot: usize) -> DVec3 {
    world.agents.goal[slot].map_or(DVec3::ZERO, |goal| (goal - world.agents.position[slot]).clamp_length_max(1.0))
}

/// Whether all stand within `distance` m of their goals.
pub(crate) fn all_there(world: &World, distance: f64) -> bool {
    let agents = &world.agents;
    (0..agents.slots()).all(|slot| agents.goal[slot].is_none_or(|goal| goal.distance(agents.position[slot]) < distance))
}

/// The least distance of two agents, m.
pub(crate) fn least_gap(world: &World) -> f64 {
    let p = &world.agents.position;
    let pairs = (0..p.len()).flat_map(|i| (i + 1..p.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| p[i].distance(p[j])).fold(f64::INFINITY, f64::min)
}

/// Runs until all are there; how long that took, s, and the least distance on the way, m.
pub(crate) fn until_there(bench: &mut Bench, distance: f64, most_secs: f64) -> (Option<f64>, f64) {
    let mut gap = least_gap(&bench.world);
    while bench.world.time() < most_secs {
        bench.run(1);
        gap = gap.min(least_gap(&bench.world));
        assert!(bench.report.quarantined.is_empty(), "{:?}", bench.report.quarantined);
        if all_there(&bench.world, distance) {
            return (Some(bench.world.time()), gap);
        }
    }
    (None, gap)
}
