//! Cases of the Vicsek model: the native behavior and its Luau twin against published and exact means.

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near};
use super::bench::Bench;
use super::{Case, Context, Measured, open, quantity};
use crate::measure::Metric;
use crate::sim::body::HeadingMode;
use crate::sim::rng::Use;
use crate::sim::{Area, BodySpec, Control, Drive, Edge, Integrator, Space, Stream, WorldSettings, angle, wrap_angle};
use crate::steer::blend::Term;

/// Distance per step of the reference set.
const SPEED: f64 = 0.03;

/// `count` particles in a wrapped square of `side` m, radius 1, one step per tick; places go on by the heading before.
fn particles(count: u64, side: f64, noise: f64, seed: u64) -> Result<Bench, String> {
    let area = Area { min: DVec3::ZERO, max: DVec3::new(side, side, 0.0) };
    let mut bench = Bench::new(WorldSettings {
        seed,
        tick_hz: 1.0,
        integrator: Integrator::ExplicitEuler,
        space: Space { area: Some(area), edge: Edge::Wrap },
        ..WorldSettings::default()
    });
    let body = BodySpec {
        radius: 0.0,
        max_speed: 10.0,
        max_acceleration: 1e3,
        turn_rate: 1e3,
        drive: Some(Drive::Velocity),
        heading: HeadingMode::AlongVelocity,
        ..BodySpec::default()
    };
    let group = bench.group(body, Control::Velocity, &[Term::native("vicsek", 1.0).with("noise", noise)])?;
    for index in 0..count {
        let mut luck = Stream::new(seed, index, 0, Use::Spawn);
        let at = DVec3::new(luck.uniform(0.0, side), luck.uniform(0.0, side), 0.0);
        let heading = luck.uniform(-std::f64::consts::PI, std::f64::consts::PI);
        bench.spawn(group, at, angle::direction(heading) * SPEED)?;
    }
    Ok(bench)
}

/// Mean order of so many seeds, each over `steps` after `before`.
fn native(count: u64, side: f64, noise: f64, seeds: u64, (before, steps): (u64, u64)) -> Result<f64, String> {
    let mut sum = 0.0;
    for seed in 1..=seeds {
        let mut bench = particles(count, side, noise, seed)?;
        bench.run(before);
        for _ in 0..steps {
            bench.run(1);
            sum += bench.order();
        }
    }
    Ok(sum / (seeds * steps) as f64)
}

/// The same of the Luau twin, on the shipped scene.
fn twin(context: &Context, noise: &str, (before, steps): (u64, u64)) -> Result<f64, String> {
    let mut experiment = open(context, "28_vicsek_small.ron", &[("particles.noise", noise)])?;
    super::flock::mean(&mut experiment, Metric::Polarization, before, steps)
}

pub(super) const VICSEK: Case = Case {
    name: "vicsek",
    about: "Vicsek 1995, N 40, L 3.1, r 1, v 0.03: polarization by noise, natively and in Luau, 1,500 steps after 500.",
    source: "V01, V02, V05, V06, V07",
    long: false,
    seed: "5 in Luau, 1 to 5 natively",
    scene: "scenes/28_vicsek_small.ron",
    run: vicsek,
};

fn vicsek(context: &Context) -> Measured {
    // One seed and 1,500 steps spread more than the ten seeds and 50,000 of the reference.
    let mut rows = Vec::new();
    for (noise, text, expected, by) in [("1", "0.9575", 0.9575, 0.01), ("2", "0.8356", 0.8356, 0.04)] {
        let number = noise.parse().unwrap_or(f64::NAN);
        let ours = native(40, 3.1, number, 2, (500, 1500))?;
        rows.push(quantity(format!("noise {noise}, native"), "", text, Near(expected, by), ours));
        let twins = twin(context, noise, (500, 1500))?;
        rows.push(quantity(format!("noise {noise}, Luau"), "", text, Near(expected, by), twins));
    }
    let whole = std::f64::consts::TAU;
    // The mean of n steps of pure noise spreads by 0.52/√n of itself: 1 % here, and 2 % are allowed.
    for (count, text) in [(40_u64, "0.14012"), (100, "0.08862"), (400, "0.04431")] {
        let chance = (std::f64::consts::PI / (4.0 * count as f64)).sqrt();
        let what = format!("noise 2π, N {count}: chance, √(π/4N), native");
        let side = 3.1 * (count as f64 / 40.0).sqrt();
        rows.push(quantity(what, "", text, Near(chance, 0.02 * chance), native(count, side, whole, 1, (5, 3000))?));
    }
    let chance = twin(context, "6.283185307179586", (10, 3000))?;
    rows.push(quantity("noise 2π, N 40, Luau", "", "0.14012", Near(0.14012, 0.0056), chance));
    let bound = quantity(
        "noise 0.5: at most sin(η/2)/(η/2), native",
        "",
        "0.98962",
        AtMost(0.98962),
        native(40, 3.1, 0.5, 1, (500, 2000))?,
    );
    rows.push(bound);
    rows.push(quantity("noise 0.5, Luau", "", "0.98962", AtMost(0.98962), twin(context, "0.5", (500, 500))?));
    let (order, growth) = without_noise()?;
    rows.push(quantity("no noise: all one way, native", "", "1", AtLeast(1.0 - 1e-9), order));
    rows.push(quantity("no noise: growth of a cone of headings below π, native", "rad", "0", AtMost(1e-12), growth));
    rows.push(quantity("no noise: all one way, Luau", "", "1", AtLeast(1.0 - 1e-6), twin(context, "0", (1500, 10))?));
    Ok(rows)
}

/// The least order of five seeds at the end, and the most by which the cone that holds all headings grew once it was less than a
/// half turn: a mean of headings lies between them, so clusters merge and never part.
fn without_noise() -> Result<(f64, f64), String> {
    let (mut least, mut growth) = (1.0_f64, 0.0_f64);
    for seed in 1..=5 {
        let mut bench = particles(40, 3.1, 0.0, seed)?;
        let mut before = f64::INFINITY;
        for _ in 0..2000 {
            bench.run(1);
            let cone = cone(&bench.world.agents.heading);
            if before < std::f64::consts::PI {
                growth = growth.max(cone - before);
            }
            before = cone;
        }
        least = least.min(bench.order());
    }
    Ok((least, growth))
}

/// The width of the smallest cone round the first heading's side that holds all headings, radians.
fn cone(headings: &[f64]) -> f64 {
    let from = headings.first().copied().unwrap_or(0.0);
    let turns = || headings.iter().map(|heading| wrap_angle(heading - from));
    turns().fold(0.0, f64::max) - turns().fold(0.0, f64::min)
}

pub(super) const VICSEK_LONG: Case = Case {
    name: "vicsek-long",
    about: "The same natively with ten seeds and 50,000 steps each after 5,000, to the tolerances of the reference.",
    source: "V01, V02",
    long: true,
    seed: "1 to 10",
    scene: "",
    run: vicsek_long,
};

fn vicsek_long(_: &Context) -> Measured {
    let cases = [
        (1.0, "0.9575", 0.9575, 0.002),
        (2.0, "0.8356", 0.8356, 0.004),
        (3.0, "0.6523", 0.6523, 0.004),
        (4.0, "0.4264", 0.4264, 0.006),
        (5.0, "0.2032", 0.2032, 0.006),
    ];
    let row = |(noise, text, expected, by): (f64, &'static str, f64, f64)| {
        let mean = native(40, 3.1, noise, 10, (5000, 50_000))?;
        Ok(quantity(format!("noise {noise}"), "", text, Near(expected, by), mean))
    };
    cases.into_iter().map(row).collect()
}
