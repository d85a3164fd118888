//! Cases of flocks: published models against their published or exact numbers.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::bench::Bench;
use super::{Case, Context, Measured, Quantity, open, open_seeded, quantity, run};
use crate::experiment::Experiment;
use crate::measure::Metric;
use crate::sim::rng::Use;
use crate::sim::{BodySpec, Control, GroupId, Stream, WorldSettings};
use crate::steer::blend::Term;
use crate::steer::law::{AlphaLattice, sigma_norm};
use glam::DVec3;

/// Mean of a metric over some ticks, after some others.
pub(super) fn mean(experiment: &mut Experiment, metric: Metric, before: u64, ticks: u64) -> Result<f64, String> {
    let mut sum = 0.0;
    for tick in 0..before + ticks {
        experiment.tick();
        if tick >= before {
            sum += value(experiment, metric)?;
        }
    }
    Ok(sum / ticks as f64)
}

fn value(experiment: &Experiment, metric: Metric) -> Result<f64, String> {
    let found = experiment.measuring.groups.first().and_then(|measure| measure.values.get(metric));
    found.ok_or_else(|| format!("{} was not measured", metric.id()))
}

pub(super) const CUCKER_SMALE: Case = Case {
    name: "cucker-smale",
    about: "Two agents that drive apart from one point, K 1, β 1, against the exact solution x∞ = tan 1.",
    source: "V13, V16",
    long: false,
    seed: "",
    scene: "scenes/26_cucker_smale.ron",
    run: cucker_smale,
};

fn cucker_smale(context: &Context) -> Measured {
    // The integrator is of first order: from two steps the answer of none follows (Richardson 1911).
    let mut coarse = super::open_with_ticks(context, "26_cucker_smale.ron", ("500", "250"))?;
    run(&mut coarse, 40.0);
    let mut experiment = open(context, "26_cucker_smale.ron", &[])?;
    run(&mut experiment, 40.0);
    let coarse = &coarse.world().agents;
    let coarse = (coarse.position[0] - coarse.position[1]).length();
    let agents = &experiment.world().agents;
    let apart = (agents.position[0] - agents.position[1]).length();
    let momentum = (agents.velocity[0] + agents.velocity[1]).length();
    let left = (agents.velocity[0] - agents.velocity[1]).length();
    let mut rows = vec![
        quantity("Luau: distance at the end, 250 Hz", "m", "", Shown, coarse),
        quantity("Luau: distance at the end, 500 Hz", "m", "", Near(1.557_407_724_655, 0.01), apart),
        quantity(
            "Luau: both extrapolated to no step",
            "m",
            "1.557407724655",
            Near(1.557_407_724_655, 1e-4),
            2.0 * apart - coarse,
        ),
        quantity("Luau: relative speed at the end", "m/s", "0", AtMost(1e-4), left),
        quantity("Luau: sum of the velocities", "m/s", "0", AtMost(1e-9), momentum),
    ];
    native_cucker_smale(&mut rows)?;
    Ok(rows)
}

/// `count` agents under the native force with this exponent, at so many ticks per second.
fn consensus(beta: f64, tick_hz: f64) -> Result<(Bench, GroupId), String> {
    let mut bench = Bench::new(WorldSettings { tick_hz, ..WorldSettings::default() });
    let body = BodySpec { radius: 0.0, max_speed: 10.0, max_acceleration: 100.0, ..BodySpec::default() };
    let terms = [Term::native("cucker_smale", 1.0).with("beta", beta).with("radius", 10_000.0)];
    let group = bench.group(body, Control::Acceleration, &terms)?;
    Ok((bench, group))
}

/// Distance and relative speed of two who drive apart from one point with this relative speed, after so many seconds.
fn two(speed: f64, seconds: f64, tick_hz: f64) -> Result<(f64, f64), String> {
    let (mut bench, group) = consensus(1.0, tick_hz)?;
    for side in [-0.5, 0.5] {
        bench.spawn(group, DVec3::ZERO, DVec3::X * (side * speed))?;
    }
    bench.run((seconds * tick_hz) as u64);
    let agents = &bench.world.agents;
    Ok((bench.positions()[0].distance(bench.positions()[1]), (agents.velocity[0] - agents.velocity[1]).length()))
}

fn native_cucker_smale(rows: &mut Vec<Quantity>) -> Result<(), String> {
    // v(x) = v0 − K·atan(x): below π/2 they stop at x = tan v0, above it they part for good. After 40 s 3e-5 m are still to go.
    let (coarse, fine) = (two(1.0, 40.0, 500.0)?, two(1.0, 40.0, 1000.0)?);
    let what = "native: distance, extrapolated from 500 and 1000 Hz";
    rows.push(quantity(what, "m", "1.557407724655", Near(1.557_407_724_655, 1e-4), 2.0 * fine.0 - coarse.0));
    let (apart, left) = two(2.0, 40.0, 1000.0)?;
    let what = "native: left of 2 m/s, where they part for good: off 2 − atan x";
    rows.push(quantity(what, "m/s", "0", AtMost(2e-3), (left - (2.0 - libm::atan(apart))).abs()));
    for beta in [0.25, 0.5] {
        let (mut bench, group) = consensus(beta, 60.0)?;
        for index in 0..20 {
            let mut luck = Stream::new(5, index, 0, Use::Spawn);
            let mut around = |width: f64| DVec3::new(luck.uniform(-width, width), luck.uniform(-width, width), 0.0);
            let (at, velocity) = (around(5.0), around(1.0));
            bench.spawn(group, at, velocity)?;
        }
        let state = |bench: &Bench| {
            let velocities = &bench.world.agents.velocity;
            let sum: DVec3 = velocities.iter().sum();
            let mean = sum / velocities.len() as f64;
            (sum, velocities.iter().map(|v| v.distance(mean)).fold(0.0, f64::max))
        };
        let (before, _) = state(&bench);
        let mut drift = 0.0_f64;
        for _ in 0..12 {
            bench.run(600);
            drift = drift.max((state(&bench).0 - before).length());
        }
        let spread = state(&bench).1;
        rows.push(quantity(
            format!("native, β {beta}, N 20, 2 minutes: off the mean velocity"),
            "m/s",
            "flocks",
            AtMost(1e-3),
            spread,
        ));
        rows.push(quantity(
            format!("native, β {beta}: drift of the sum of velocities"),
            "m/s",
            "0",
            AtMost(1e-12),
            drift,
        ));
    }
    Ok(())
}

pub(super) const COUZIN: Case = Case {
    name: "couzin",
    about: "Couzin 2002 in three dimensions, N 100: swarm without a zone of orientation, parallel group with a wide one.",
    source: "V09, V11, V12",
    long: true,
    seed: "",
    scene: "scenes/27_couzin.ron",
    run: couzin,
};

fn couzin(context: &Context) -> Measured {
    let with = |width: &str| -> Result<(f64, f64, f64), String> {
        let mut experiment = open(context, "27_couzin.ron", &[("school.orientation", width)])?;
        let polarization = mean(&mut experiment, Metric::Polarization, 600, 300)?;
        Ok((polarization, value(&experiment, Metric::Rotation)?, value(&experiment, Metric::ExtensionMax)?))
    };
    let (swarm, parallel) = (with("0")?, with("8")?);
    Ok(vec![
        quantity("swarm: polarization", "", "0.165", AtMost(0.35), swarm.0),
        quantity("swarm: rotation", "", "0.18", AtMost(0.35), swarm.1),
        quantity("swarm: farthest from the middle", "m", "cohesive", AtMost(30.0), swarm.2),
        quantity("parallel, width 8: polarization", "", "0.999", AtLeast(0.95), parallel.0),
        quantity("parallel, width 8: rotation", "", "0.05", AtMost(0.35), parallel.1),
    ])
}

pub(super) const COUZIN_BOUNDS: Case = Case {
    name: "couzin-bounds",
    about: "The same with eight seeds, 40 s each: the group stays one, and nobody turns by more than 40°/s · 0.1 s per step.",
    source: "V12",
    long: true,
    seed: "1 to 8",
    scene: "scenes/27_couzin.ron",
    run: couzin_bounds,
};

fn couzin_bounds(context: &Context) -> Measured {
    let (mut whole, mut most) = (0, 0.0_f64);
    for seed in 1..=8 {
        let mut experiment = open_seeded(context, "27_couzin.ron", &seed.to_string(), &[])?;
        let mut before = headings(&experiment);
        for _ in 0..400 {
            experiment.tick();
            let now = headings(&experiment);
            let turned = before.iter().zip(&now).map(|(a, b)| libm::atan2(a.cross(*b).length(), a.dot(*b)));
            most = turned.fold(most, f64::max);
            before = now;
        }
        // The zone of attraction ends at 1 + 8 + 14 m: who is nearer than that is held.
        whole += u32::from(in_one_piece(&experiment.world().agents.position, 23.0));
    }
    Ok(vec![
        quantity("groups in one piece of 8", "", "8", AtLeast(8.0), f64::from(whole)),
        // A turn of 0.698 rad/s in a tenth of a second, in single precision.
        quantity("largest turn of a step", "deg", "4", AtMost(4.01), most.to_degrees()),
    ])
}

fn headings(experiment: &Experiment) -> Vec<DVec3> {
    let agents = &experiment.world().agents;
    (0..agents.slots()).map(|slot| agents.forward(slot)).collect()
}

/// Whether everybody is reached from the first by steps of at most `reach` m.
fn in_one_piece(places: &[DVec3], reach: f64) -> bool {
    let mut reached = vec![false; places.len()];
    let mut open: Vec<usize> = (0..places.len().min(1)).collect();
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut reached[at], true) {
            continue;
        }
        open.extend((0..places.len()).filter(|other| !reached[*other] && places[at].distance(places[*other]) <= reach));
    }
    reached.iter().all(|reached| *reached)
}

pub(super) const LATTICE: Case = Case {
    name: "alpha-lattice",
    about: "The action of an α-lattice (a = b = 5, h 0.2, d 7, r 8.4, ε 0.1) at published points.",
    source: "V17, V18",
    long: false,
    seed: "",
    scene: "",
    run: lattice,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn lattice(_: &Context) -> Measured {
    let lattice = AlphaLattice { distance: 7.0, range: 8.4, epsilon: 0.1, limits: (5.0, 5.0), bump: 0.2 };
    let mut rows = vec![
        quantity("σ-norm of 7", "", "14.289915602982", Near(14.289_915_602_982, 1e-12), sigma_norm(7.0, 0.1)),
        quantity("σ-norm of 8.4", "", "18.383093559371", Near(18.383_093_559_371, 1e-12), sigma_norm(8.4, 0.1)),
    ];
    for (r, text, expected) in [
        (1.0, "−4.986927428", -4.986_927_428),
        (3.0, "−4.976847002", -4.976_847_002),
        (5.0, "−3.631804437", -3.631_804_437),
        (6.0, "−2.148122476", -2.148_122_476),
        (7.0, "0", 0.0),
        (7.5, "0.319577364", 0.319_577_364),
        (8.0, "0.074744058", 0.074_744_058),
        (8.4, "0", 0.0),
    ] {
        rows.push(quantity(format!("φ at {r} m"), "", text, Near(expected, 1e-9), lattice.action(r)));
    }
    Ok(rows)
}
