//! Reciprocal collision avoidance beside its published example: the circle that swaps sides, and two who meet head-on.

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::{Case, Context, Measured, open, quantity};
use crate::sim::World;

pub(super) const CIRCLE: Case = Case {
    name: "orca-circle",
    about: "250 walkers on a circle of 400 m swap sides, with the numbers of RVO2's example Circle.",
    source: "van den Berg et al. 2011; RVO2 took 783 to 961 s, and came as near as 2.27 m",
    long: true,
    seed: "",
    scene: "scenes/45_circle.ron",
    run: circle,
};

/// Who stands nearer to its goal than this has arrived, as in the example, m.
const THERE: f64 = 1.5;

fn least_gap(world: &World) -> f64 {
    let p = &world.agents.position;
    let pairs = (0..p.len()).flat_map(|i| (i + 1..p.len()).map(move |j| (i, j)));
    pairs.map(|(i, j)| p[i].distance_squared(p[j])).fold(f64::INFINITY, f64::min).sqrt()
}

fn circle(context: &Context) -> Measured {
    let mut experiment = open(context, "45_circle.ron", &[])?;
    let goals: Vec<DVec3> = experiment.world().agents.position.iter().map(|at| -*at).collect();
    let (mut gap, mut there) = (f64::INFINITY, None);
    let started = (context.clock)();
    while there.is_none() && experiment.ticks() < experiment.last_tick() {
        experiment.tick();
        let world = experiment.world();
        gap = gap.min(least_gap(world));
        let all = goals.iter().zip(&world.agents.position).all(|(goal, at)| goal.distance(*at) <= THERE);
        there = all.then(|| world.time());
    }
    let seconds = (context.clock)() - started;
    Ok(vec![
        quantity("until all are there", "s", "783 to 961", Near(875.0, 225.0), there.unwrap_or(f64::INFINITY)),
        quantity("least distance of two centers", "m", "2.27 to 2.38 of 3.0", AtLeast(2.2), gap),
        quantity("time of the run", "s", "", Shown, seconds),
    ])
}

pub(super) const BLOCKS: Case = Case {
    name: "orca-blocks",
    about: "Four groups of 25 cross between four blocks of 30 × 30 m, with the numbers of RVO2's example Blocks: all arrive.",
    source: "RVO2, example Blocks; van den Berg et al. 2011",
    long: false,
    seed: "",
    scene: "scenes/46_blocks.ron",
    run: blocks,
};

fn blocks(context: &Context) -> Measured {
    let mut experiment = open(context, "46_blocks.ron", &[])?;
    let goals: Vec<DVec3> = {
        let world = experiment.world();
        let goal = |slot: usize| world.groups[world.agents.group[slot].index()].goal.unwrap_or(DVec3::NAN);
        (0..world.agents.slots()).map(goal).collect()
    };
    // As in the example: everybody is within 20 m of the common goal.
    let there = |world: &World| {
        goals.iter().zip(&world.agents.position).filter(|(goal, at)| goal.distance(**at) <= 20.0).count()
    };
    let (mut gap, mut deepest) = (f64::INFINITY, f64::NEG_INFINITY);
    while there(experiment.world()) < goals.len() && experiment.world().time() < 1500.0 {
        context.go_on()?;
        experiment.tick();
        gap = gap.min(least_gap(experiment.world()));
        deepest = deepest.max(super::rimea::depth_in_walls(&experiment));
    }
    let (arrived, time) = (there(experiment.world()) as f64, experiment.world().time());
    Ok(vec![
        quantity("arrived", "", "all 100", Near(100.0, 0.0), arrived),
        quantity("until all are there", "s", "", Shown, time),
        quantity("least distance of two centers, bodies of 4 m", "m", "", AtLeast(3.6), gap),
        quantity("body in a block, deepest", "m", "0", AtMost(0.01), deepest),
    ])
}
