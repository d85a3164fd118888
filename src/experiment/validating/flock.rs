//! Cases of flocks: published models against their published or exact numbers.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::{Case, Context, Measured, open, quantity, run};
use crate::experiment::Experiment;
use crate::measure::Metric;
use crate::steer::law::{AlphaLattice, sigma_norm};

/// Mean of a metric over some ticks, after some others.
fn mean(experiment: &mut Experiment, metric: Metric, before: u64, ticks: u64) -> Result<f64, String> {
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

pub(super) const VICSEK: Case = Case {
    name: "vicsek",
    about: "Vicsek 1995, N 40, L 3.1, r 1, v 0.03: polarization by noise, 1,500 steps after 500, one seed.",
    source: "V01, V02, V05, V06, V07",
    long: false,
    run: vicsek,
};

fn vicsek(context: &Context) -> Measured {
    let with = |noise: &str, before: u64, ticks: u64| -> Result<f64, String> {
        let mut experiment = open(context, "28_vicsek_small.ron", &[("particles.noise", noise)])?;
        mean(&mut experiment, Metric::Polarization, before, ticks)
    };
    // One seed and 1,500 steps spread more than the ten seeds and 50,000 of the reference.
    Ok(vec![
        quantity("noise 1", "", "0.9575", Near(0.9575, 0.01), with("1.0", 500, 1500)?),
        quantity("noise 2", "", "0.8356", Near(0.8356, 0.04), with("2.0", 500, 1500)?),
        quantity(
            "noise 2π: chance, √(π/4N)",
            "",
            "0.1401",
            Near(0.14012, 0.0056),
            with("6.283185307179586", 10, 3000)?,
        ),
        quantity("noise 0.5: at most sin(η/2)/(η/2)", "", "0.98962", AtMost(0.98962), with("0.5", 500, 500)?),
        quantity("no noise: all one way", "", "1", AtLeast(1.0 - 1e-6), with("0", 1500, 10)?),
    ])
}

pub(super) const VICSEK_LONG: Case = Case {
    name: "vicsek-long",
    about: "The same with four seeds and 20,000 steps each, to the tolerances of the reference.",
    source: "V01, V02",
    long: true,
    run: vicsek_long,
};

fn vicsek_long(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for (noise, text, expected, by) in
        [("1.0", "0.9575", 0.9575, 0.003), ("3.0", "0.6523", 0.6523, 0.012), ("5.0", "0.2032", 0.2032, 0.008)]
    {
        let mut sum = 0.0;
        for seed in ["1", "2", "3", "4"] {
            let mut experiment =
                super::open_seeded(context, "28_vicsek_small.ron", seed, &[("particles.noise", noise)])?;
            sum += mean(&mut experiment, Metric::Polarization, 2000, 20_000)?;
        }
        rows.push(quantity(format!("noise {noise}"), "", text, Near(expected, by), sum / 4.0));
    }
    Ok(rows)
}

pub(super) const CUCKER_SMALE: Case = Case {
    name: "cucker-smale",
    about: "Two agents that drive apart from one point, K 1, β 1, against the exact solution x∞ = tan 1.",
    source: "V13, V16",
    long: false,
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
    Ok(vec![
        quantity("distance at the end, 250 Hz", "m", "", Shown, coarse),
        quantity("distance at the end, 500 Hz", "m", "", Near(1.557_407_724_655, 0.01), apart),
        quantity(
            "both extrapolated to no step",
            "m",
            "1.557407724655",
            Near(1.557_407_724_655, 1e-4),
            2.0 * apart - coarse,
        ),
        quantity("relative speed at the end", "m/s", "0", AtMost(1e-4), left),
        quantity("sum of the velocities", "m/s", "0", AtMost(1e-9), momentum),
    ])
}

pub(super) const COUZIN: Case = Case {
    name: "couzin",
    about: "Couzin 2002 in three dimensions, N 100: swarm without a zone of orientation, parallel group with a wide one.",
    source: "V09, V11, V12",
    long: true,
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

pub(super) const LATTICE: Case = Case {
    name: "alpha-lattice",
    about: "The action of an α-lattice (a = b = 5, h 0.2, d 7, r 8.4, ε 0.1) at published points.",
    source: "V17, V18",
    long: false,
    run: lattice,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn lattice(_: &Context) -> Measured {
    let lattice = AlphaLattice { distance: 7.0, range: 8.4, epsilon: 0.1, limits: (5.0, 5.0), bump: 0.2 };
    Ok(vec![
        quantity("σ-norm of 7", "", "14.289915602982", Near(14.289_915_602_982, 1e-12), sigma_norm(7.0, 0.1)),
        quantity("φ at 1 m", "", "−4.986927428", Near(-4.986_927_428, 1e-9), lattice.action(1.0)),
        quantity("φ at 5 m", "", "−3.631804437", Near(-3.631_804_437, 1e-9), lattice.action(5.0)),
        quantity("φ at 7 m", "", "0", Near(0.0, 1e-9), lattice.action(7.0)),
        quantity("φ at 7.5 m", "", "0.319577364", Near(0.319_577_364, 1e-9), lattice.action(7.5)),
        quantity("φ at 9 m", "", "0", Shown, lattice.action(9.0)),
    ])
}
