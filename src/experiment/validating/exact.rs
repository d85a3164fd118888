//! Cases of the core that have exact answers: symmetries, invariances, integrators.

use glam::DVec3;

use super::Bound::{AtMost, Near};
use super::bench::Bench;
use super::{Case, Context, Measured, quantity};
use crate::sim::body::{self, Command, Motion, Plant};
use crate::sim::rng::Use;
use crate::sim::{BodySpec, Control, Drive, Integrator, Stream, WorldSettings};
use crate::steer::blend::{Bind, Term};
use crate::steer::param::Value;

fn body() -> BodySpec {
    BodySpec { max_speed: 2.0, max_acceleration: 10.0, ..BodySpec::default() }
}

pub(super) const SYMMETRY: Case = Case {
    name: "symmetry",
    about: "Seeking a point ahead and behind are mirror images; two who attract each other meet in the middle.",
    source: "V25",
    long: false,
    seed: "",
    scene: "",
    run: symmetry,
};

fn symmetry(_: &Context) -> Measured {
    let seek = |x: f64| -> Result<Bench, String> {
        let target = Bind::Constant(Value::Vector(DVec3::new(x, 0.5 * x, 0.0)));
        let mut bench = Bench::new(WorldSettings::default());
        let group = bench.group(body(), Control::Acceleration, &[Term::native("seek", 1.0).with("target", target)])?;
        bench.spawn(group, DVec3::ZERO, DVec3::ZERO)?;
        Ok(bench)
    };
    let (mut ahead, mut behind) = (seek(5.0)?, seek(-5.0)?);
    let mut pair = Bench::new(WorldSettings::default());
    let cohesion = Term::native("cohesion", 1.0).with("radius", 20.0);
    let group = pair.group(body(), Control::Acceleration, &[cohesion])?;
    let (a, b) = (DVec3::new(-1.5, 3.25, 0.0), DVec3::new(2.5, 1.75, 0.0));
    pair.spawn(group, a, DVec3::ZERO)?;
    pair.spawn(group, b, DVec3::ZERO)?;
    let (mut mirror, mut drift, mut met) = (0.0_f64, 0.0_f64, f64::INFINITY);
    for _ in 0..600 {
        ahead.run(1);
        behind.run(1);
        pair.run(1);
        mirror = mirror.max((ahead.positions()[0] + behind.positions()[0]).length());
        drift = drift.max((pair.positions()[0] + pair.positions()[1] - a - b).length() / 2.0);
        met = met.min(pair.positions()[0].distance(pair.positions()[1]));
    }
    Ok(vec![
        quantity("seek ahead and behind: off the mirror image", "m", "0", AtMost(1e-12), mirror),
        quantity("cohesion of two: way of their middle", "m", "0", AtMost(1e-12), drift),
        quantity("cohesion of two: nearest to each other", "m", "they meet", AtMost(0.1), met),
    ])
}

pub(super) const INVARIANCE: Case = Case {
    name: "invariance",
    about: "Forty boids for 20 ticks: moved, turned, mirrored and renamed, they do the same elsewhere.",
    source: "V26",
    long: false,
    seed: "3",
    scene: "",
    run: invariance,
};

/// Moves, turns or mirrors a point.
type Map = Box<dyn Fn(DVec3) -> DVec3>;

/// A flock whose agents are put where `map` says, born in the order of `order`; where each is after 20 ticks, by number.
fn flock(count: usize, spread: f64, order: &[usize], map: impl Fn(DVec3) -> DVec3) -> Result<Vec<DVec3>, String> {
    let mut bench = Bench::new(WorldSettings::default());
    let terms = [Term::native("alignment", 0.9), Term::native("cohesion", 0.7), Term::native("separation", 1.6)];
    let group = bench.group(body(), Control::Acceleration, &terms)?;
    let origin = map(DVec3::ZERO);
    for index in order {
        let mut luck = Stream::new(3, *index as u64, 0, Use::Spawn);
        // Quarters of a millimeter, which a shift by whole meters keeps exactly.
        let mut part = |width: f64| (luck.uniform(0.0, width) * 4096.0).round() / 4096.0;
        let at = DVec3::new(part(spread), part(spread), 0.0);
        let velocity = DVec3::new(part(1.0) - 0.5, part(1.0) - 0.5, 0.0);
        bench.spawn(group, map(at), map(velocity) - origin)?;
    }
    bench.run(20);
    let mut places = vec![DVec3::ZERO; count];
    for (slot, index) in order.iter().enumerate() {
        places[*index] = bench.positions()[slot];
    }
    Ok(places)
}

fn invariance(_: &Context) -> Measured {
    let in_order: Vec<usize> = (0..40).collect();
    let plain = flock(40, 5.0, &in_order, |p| p)?;
    let (sine, cosine) = libm::sincos(0.7);
    let turn = move |v: DVec3| DVec3::new(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y, v.z);
    let maps: [(&str, Map); 3] = [
        ("moved by 1 km and −2 km", Box::new(|p| p + DVec3::new(1024.0, -2048.0, 0.0))),
        ("turned by 0.7 rad", Box::new(turn)),
        ("mirrored", Box::new(|p| DVec3::new(p.x, -p.y, p.z))),
    ];
    let most = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    let mut rows = Vec::new();
    for (what, map) in maps {
        let other = flock(40, 5.0, &in_order, &map)?;
        let wanted: Vec<DVec3> = plain.iter().map(|p| map(*p)).collect();
        rows.push(quantity(format!("{what}: farthest off"), "m", "1e-10", AtMost(1e-10), most(&other, &wanted)));
    }
    let mixed: Vec<usize> = (0..40).map(|index| index * 37 % 40).collect();
    let renamed = most(&flock(40, 5.0, &mixed, |p| p)?, &plain);
    rows.push(quantity("other ids: farthest off", "m", "1e-10", AtMost(1e-10), renamed));
    // Sums go by neighbor cell, then by id: of two neighbors at most the order says nothing, and every bit must agree.
    let mut differing = 0;
    for count in [2, 3] {
        let in_order: Vec<usize> = (0..count).collect();
        let backward: Vec<usize> = (0..count).rev().collect();
        let (a, b) = (flock(count, 2.0, &in_order, |p| p)?, flock(count, 2.0, &backward, |p| p)?);
        let bits = |p: &DVec3| p.to_array().map(f64::to_bits);
        differing += a.iter().zip(&b).filter(|(a, b)| bits(a) != bits(b)).count();
    }
    rows.push(quantity(
        "other ids, up to two neighbors: agents that differ in a bit",
        "",
        "0",
        AtMost(0.0),
        differing as f64,
    ));
    Ok(rows)
}

pub(super) const INTEGRATORS: Case = Case {
    name: "integrators",
    about: "Harmonic oscillator, ω 1, h 0.1, 1000 steps: the energy of both integrators.",
    source: "V29",
    long: false,
    seed: "",
    scene: "",
    run: integrators,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn integrators(_: &Context) -> Measured {
    // Energy at the end, and the least and the most on the way, where it is 1 at the start.
    let run = |integrator| {
        let plant = Plant { drive: Drive::Acceleration, lag: 0.0, integrator, follows_velocity: false };
        let mut motion = Motion { position: DVec3::X, velocity: DVec3::ZERO, heading: 0.0, thrust: DVec3::ZERO };
        let (mut end, mut least, mut most) = (1.0, 1.0_f64, 1.0_f64);
        for _ in 0..1000 {
            let free =
                Command { push: -motion.position, turn: None, max_speed: 1e9, max_acceleration: 1e9, turn_rate: 0.0 };
            body::advance(&mut motion, &free, plant, 0.1);
            end = motion.position.length_squared() + motion.velocity.length_squared();
            (least, most) = (least.min(end), most.max(end));
        }
        (end, least, most)
    };
    let (grown, _, _) = run(Integrator::ExplicitEuler);
    let (_, least, most) = run(Integrator::SemiImplicitEuler);
    // x² + v² − h·x·v is conserved, so x² + v² stays between 1/(1 + h/2) and 1/(1 − h/2).
    Ok(vec![
        quantity("explicit Euler: energy, (1 + h²)^1000", "", "20959.16", Near(20_959.16, 20.96), grown),
        quantity(
            "explicit Euler, off the formula",
            "",
            "1e-3",
            AtMost(1e-9),
            (grown / 1.01_f64.powi(1000) - 1.0).abs(),
        ),
        quantity("semi-implicit Euler: most energy, 1/(1 − h/2)", "", "+5.3 %", AtMost(1.0 / 0.95 + 1e-9), most),
        quantity("semi-implicit Euler: least energy", "", "−5.3 %", super::Bound::AtLeast(1.0 - 0.053), least),
    ])
}
