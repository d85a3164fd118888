//! Reciprocal collision avoidance beside its published example: the circle that swaps sides, and two who meet head-on.

use glam::DVec3;

use super::Bound::{AtLeast, Near, Shown};
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
