//! Cases of pedestrians: what the equations of the social force say exactly, and faster is slower.

use std::sync::Arc;

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::bench::Bench;
use super::{Case, Context, Measured, open, quantity, run};
use crate::sim::obstacle::Shape;
use crate::sim::rng::Use;
use crate::sim::{Area, BodySpec, Control, Edge, Space, Stream, World, WorldSettings};
use crate::steer::blend::{Bind, Term};
use crate::steer::param::Value;

fn vector(v: DVec3) -> Bind {
    Bind::Constant(Value::Vector(v))
}

fn at(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

/// A body that limits nothing.
fn free(radius: f64) -> BodySpec {
    BodySpec { radius, max_speed: 1e3, max_acceleration: 1e6, turn_rate: 1e3, ..BodySpec::default() }
}

fn settings(tick_hz: f64) -> WorldSettings {
    WorldSettings { tick_hz, ..WorldSettings::default() }
}

fn add_obstacle(bench: &mut Bench, shape: Shape) -> Result<(), String> {
    Arc::make_mut(&mut bench.world).obstacles.insert("", shape).map(drop).map_err(|error| error.to_string())
}

/// A point of the square of this width, and a velocity of up to half of it each way.
fn scattered(seed: u64, index: u64, width: f64) -> (DVec3, DVec3) {
    let mut luck = Stream::new(seed, index, 0, Use::Spawn);
    let place = at(luck.uniform(0.0, width), luck.uniform(0.0, width));
    (place, at(luck.uniform(-1.5, 1.5), luck.uniform(-1.5, 1.5)))
}

pub(super) const FREE_ACCELERATION: Case = Case {
    name: "free-acceleration",
    about: "One pedestrian without others at 100 Hz: v = v0·(1 − exp(−t/τ)), and 40 m in 40/1.33 + τ seconds.",
    source: "R171; RiMEA 1",
    long: false,
    seed: "",
    scene: "",
    run: free_acceleration,
};

fn free_acceleration(_: &Context) -> Measured {
    let mut bench = Bench::new(settings(100.0));
    let term = Term::native("driving", 1.0).with("speed", 1.33).with("way", vector(DVec3::X));
    let group = bench.group(free(0.2), Control::Acceleration, &[term])?;
    bench.spawn(group, DVec3::ZERO, DVec3::ZERO)?;
    let (mut off, mut arrived) = (0.0_f64, f64::INFINITY);
    for tick in 1..=4000 {
        bench.run(1);
        let t = f64::from(tick) / 100.0;
        off = off.max((bench.world.agents.velocity[0].x / 1.33 - (1.0 - libm::exp(-t / 0.5))).abs());
        if bench.positions()[0].x >= 40.0 {
            arrived = arrived.min(t);
        }
    }
    Ok(vec![
        quantity("speed off the exponential, share of v0", "", "", AtMost(0.01), off),
        quantity("time for 40 m", "s", "26–34 s", Near(30.58, 0.02), arrived),
    ])
}

pub(super) const WALL_EQUILIBRIUM: Case = Case {
    name: "wall-equilibrium",
    about: "One who presses towards a wall stands at r + B·ln(Aτ/(m·v0)) and sways with the period of the linear equation.",
    source: "R174; Helbing, Farkas and Vicsek 2000, derived",
    long: false,
    seed: "",
    scene: "",
    run: wall_equilibrium,
};

fn wall_equilibrium(_: &Context) -> Measured {
    let mut bench = Bench::new(settings(1000.0));
    let terms = [
        // Nobody loses patience: the equations know none.
        Term::native("driving", 1.0).with("speed", 1.34).with("way", vector(DVec3::X)).with("patience", 0.0),
        Term::native("social_force_2000", 1.0),
    ];
    let group = bench.group(free(0.3), Control::Acceleration, &terms)?;
    add_obstacle(&mut bench, Shape::Wall { from: at(5.0, -50.0), to: at(5.0, 50.0) })?;
    let rest = 5.0 - 0.3 - 0.08 * libm::log(25.0 * 0.5 / 1.34);
    bench.spawn(group, at(rest - 0.005, 0.0), DVec3::ZERO)?;
    let (mut crossings, mut before) = (Vec::new(), -1.0);
    for tick in 0..30_000 {
        bench.run(1);
        let side = bench.positions()[0].x - rest;
        if before < 0.0 && side >= 0.0 {
            crossings.push(f64::from(tick) / 1000.0);
        }
        before = side;
    }
    let period = if crossings.len() > 2 { (crossings[2] - crossings[0]) / 2.0 } else { 0.0 };
    Ok(vec![
        quantity("distance from the wall", "m", "0.4786", Near(0.4786, 1e-3), 5.0 - bench.positions()[0].x),
        quantity("period of small oscillations", "s", "1.10", Near(1.10, 0.033), period),
    ])
}

pub(super) const FRICTION_POWER: Case = Case {
    name: "friction-power",
    about: "Ten thousand random pairs, as many at a wall, and a pressed crowd: friction takes energy, and keeps the momentum.",
    source: "R173; signs that were wrong in JuPedSim and Menge",
    long: false,
    seed: "9, 6",
    scene: "",
    run: friction_power,
};

fn friction_power(_: &Context) -> Measured {
    let friction = || Term::native("social_force_2000", 1.0).with("A", 0.0).with("k", 0.0);
    // Pairs that are 20 m apart from each other, and agents at a wall 20 m apart.
    let mut bench = Bench::new(WorldSettings::default());
    let group = bench.group(free(0.2), Control::Acceleration, &[friction().with("margin", 0.1)])?;
    add_obstacle(&mut bench, Shape::Wall { from: at(-10.0, -40.0), to: at(200_010.0, -40.0) })?;
    for index in 0..10_000_u64 {
        let mut luck = Stream::new(9, index, 0, Use::Spawn);
        let mut part = |width: f64| luck.uniform(-width, width);
        let cell = at((index % 100) as f64 * 20.0, (index / 100) as f64 * 20.0);
        bench.spawn(group, cell, at(part(4.0), part(4.0)))?;
        bench.spawn(group, cell + at(part(0.5), part(0.5)), at(part(4.0), part(4.0)))?;
        bench.spawn(group, at(index as f64 * 20.0, -39.75 + part(0.05)), at(part(4.0), 0.0))?;
    }
    let before = bench.world.agents.velocity.clone();
    bench.run(1);
    let after = &bench.world.agents.velocity;
    let change = |slot: usize| (after[slot] - before[slot]) * 60.0;
    let (mut pairs, mut walls, mut rubbing) = (f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0);
    for index in 0..10_000 {
        let power = |slot: usize| change(slot).dot(before[slot]);
        let pair = power(3 * index) + power(3 * index + 1);
        pairs = pairs.max(pair);
        walls = walls.max(power(3 * index + 2));
        rubbing += f64::from(u8::from(pair < 0.0));
    }
    // A heap of sixty in 2 m: energy after a tick by that before, and the momentum.
    let mut heap = Bench::new(WorldSettings::default());
    let group = heap.group(free(0.3), Control::Acceleration, &[friction().with("radius", 4.0)])?;
    for index in 0..60 {
        let (place, velocity) = scattered(6, index, 2.0);
        heap.spawn(group, place, velocity)?;
    }
    let state = |bench: &Bench| {
        let velocities = &bench.world.agents.velocity;
        (velocities.iter().map(|v| v.length_squared()).sum::<f64>(), velocities.iter().sum::<DVec3>())
    };
    let (mut last, momentum, mut worst) = (state(&heap).0, state(&heap).1, 0.0_f64);
    for _ in 0..60 {
        heap.run(1);
        worst = worst.max(state(&heap).0 / last);
        last = state(&heap).0;
    }
    Ok(vec![
        quantity("pairs: largest power by mass", "m2/s3", "≤ 0", AtMost(1e-9), pairs),
        quantity("pairs that rub", "", "", AtLeast(7_000.0), rubbing),
        quantity("wall: largest power by mass", "m2/s3", "≤ 0", AtMost(1e-9), walls),
        quantity("heap, 60 Hz: energy after a tick by before, largest", "", "≤ 1", AtMost(1.0 + 1e-12), worst),
        quantity("heap: change of momentum by mass", "m/s", "0", AtMost(1e-9), (state(&heap).1 - momentum).length()),
    ])
}

pub(super) const THIRD_LAW: Case = Case {
    name: "newton-third-law",
    about: "Sixty of several sizes, pressed and not: all pushes of a tick add up to nothing.",
    source: "R172",
    long: false,
    seed: "7",
    scene: "",
    run: third_law,
};

fn third_law(_: &Context) -> Measured {
    let mut rows = Vec::new();
    for force in ["social_force", "social_force_2000"] {
        let mut bench = Bench::new(WorldSettings::default());
        let group = bench.group(free(0.25), Control::Acceleration, &[Term::native(force, 1.0)])?;
        for index in 0..60 {
            let (place, velocity) = scattered(7, index, 4.0);
            bench.spawn(group, place, velocity)?;
            Arc::make_mut(&mut bench.world).agents.radius[index as usize] = 0.2 + 0.0025 * index as f64;
        }
        let before = bench.world.agents.velocity.clone();
        bench.run(1);
        let change: DVec3 =
            bench.world.agents.velocity.iter().zip(&before).map(|(after, before)| *after - *before).sum();
        rows.push(quantity(format!("{force}: sum of all pushes"), "m/s2", "0", AtMost(1e-9), change.length() * 60.0));
    }
    Ok(rows)
}

pub(super) const ROTATION: Case = Case {
    name: "rotation-invariance",
    about: "Fifty at random between two walls, turned by each degree, and moved by 100 km: the same pushes.",
    source: "a difference of angles that was not wrapped in PySocialForce",
    long: false,
    seed: "8",
    scene: "",
    run: rotation,
};

/// The changes of velocity of fifty in one tick, where points are mapped by `map`.
fn pushes(force: &str, map: &dyn Fn(DVec3) -> DVec3) -> Result<Vec<DVec3>, String> {
    let mut bench = Bench::new(WorldSettings::default());
    let group = bench.group(free(0.25), Control::Acceleration, &[Term::native(force, 1.0)])?;
    let origin = map(DVec3::ZERO);
    for index in 0..50 {
        let (place, velocity) = scattered(8, index, 7.0);
        bench.spawn(group, map(place), map(velocity) - origin)?;
    }
    for (from, to) in [(at(-0.4, -1.0), at(-0.3, 8.0)), (at(1.0, 7.3), at(5.0, 7.5))] {
        add_obstacle(&mut bench, Shape::Wall { from: map(from), to: map(to) })?;
    }
    let before = bench.world.agents.velocity.clone();
    let after = {
        bench.run(1);
        &bench.world.agents.velocity
    };
    Ok(after.iter().zip(&before).map(|(after, before)| (*after - *before) * 60.0).collect())
}

fn rotation(_: &Context) -> Measured {
    let mut rows = Vec::new();
    for force in ["social_force", "social_force_1995", "social_force_2000", "moussaid_2009"] {
        let plain = pushes(force, &|p| p)?;
        let off = |map: &dyn Fn(DVec3) -> DVec3, back: &dyn Fn(DVec3) -> DVec3| -> Result<f64, String> {
            let other = pushes(force, map)?;
            let shares = plain.iter().zip(&other).map(|(a, b)| (back(*a) - *b).length() / a.length().max(1.0));
            Ok(shares.fold(0.0, f64::max))
        };
        let mut turned = 0.0_f64;
        for degree in 1..360 {
            let (sine, cosine) = libm::sincos(f64::from(degree).to_radians());
            let turn = move |v: DVec3| at(cosine * v.x - sine * v.y, sine * v.x + cosine * v.y);
            turned = turned.max(off(&turn, &turn)?);
        }
        rows.push(quantity(format!("{force}: turned, off by"), "", "1e-9", AtMost(1e-9), turned));
        let moved = off(&|p| p + at(1e5, -1e5), &|v| v)?;
        rows.push(quantity(format!("{force}: moved by 100 km, off by"), "", "1e-6", AtMost(1e-6), moved));
    }
    Ok(rows)
}

pub(super) const FASTER_IS_SLOWER: Case = Case {
    name: "faster-is-slower",
    about: "Two hundred leave 15 × 15 m by a door of 1 m at 500 Hz: the time by the desired speed has a minimum near 2 m/s.",
    source: "R169; Helbing, Farkas and Vicsek 2000, fig. 1",
    long: true,
    seed: "1 to 3",
    scene: "scenes/47_bottleneck.ron",
    run: faster_is_slower,
};

/// Radius of the flesh round the hard body, m.
pub(super) const MARGIN: f64 = 0.1;

/// How one crowd left.
pub(super) struct Leaving {
    secs: f64,
    fastest: f64,
}

/// Lets two hundred leave; at most so many seconds.
fn leave(speed: f64, seed: u64, tick_hz: f64, most: f64) -> Result<Leaving, String> {
    leave_watched(speed, seed, tick_hz, most, &mut |_| Ok(()))
}

/// The same, looked at after each tick; an error ends it.
pub(super) fn leave_watched(
    speed: f64,
    seed: u64,
    tick_hz: f64,
    most: f64,
    look: &mut dyn FnMut(&World) -> Result<(), String>,
) -> Result<Leaving, String> {
    let area = Some(Area { min: at(-2.0, -2.0), max: at(17.0, 17.0) });
    let mut bench = Bench::new(WorldSettings { space: Space { area, edge: Edge::Remove }, ..settings(tick_hz) });
    let terms = [
        // In a crowd that moves at all nobody loses patience; a large body that stands alone before the door, where the jambs
        // push as much as it drives, does (at 0.8 m/s those of more than 0.343 m: by the equations alone the third crowd leaves
        // one behind for good).
        Term::native("driving", 1.0).with("speed", speed).with("patience", 10.0),
        Term::native("social_force_2000", 1.0).with("margin", MARGIN),
    ];
    let group = bench.group(free(0.2), Control::Acceleration, &terms)?;
    let walls: [&[(f64, f64)]; 5] = [
        &[(0.0, 0.0), (0.0, 15.0)],
        &[(0.0, 15.0), (15.0, 15.0)],
        &[(0.0, 0.0), (15.0, 0.0)],
        &[(15.0, 15.0), (15.0, 8.0), (17.0, 8.0)],
        &[(15.0, 0.0), (15.0, 7.0), (17.0, 7.0)],
    ];
    for wall in walls {
        add_obstacle(&mut bench, Shape::Polyline { points: wall.iter().map(|(x, y)| at(*x, *y)).collect() })?;
    }
    let mut luck = Stream::new(seed, 0, 0, Use::Spawn);
    while bench.positions().len() < 200 {
        let (radius, place) = (luck.uniform(0.25, 0.35), at(luck.uniform(0.4, 14.6), luck.uniform(0.4, 14.6)));
        let agents = &bench.world.agents;
        let free = (0..agents.slots())
            .all(|slot| agents.position[slot].distance(place) > radius + agents.radius[slot] + MARGIN);
        if free {
            bench.spawn(group, place, DVec3::ZERO)?;
            let slot = bench.positions().len() - 1;
            Arc::make_mut(&mut bench.world).agents.radius[slot] = radius - MARGIN;
        }
    }
    let mut fastest = 0.0_f64;
    while bench.world.agents.count() > 0 && bench.world.time() < most {
        let agents = &mut Arc::make_mut(&mut bench.world).agents;
        for slot in 0..agents.slots() {
            let (p, half) = (agents.position[slot], 0.5 - agents.radius[slot] - MARGIN);
            let door = at(15.2, p.y.clamp(7.5 - half, 7.5 + half));
            // Far beyond, so that nobody slows down on the way.
            agents.goal[slot] = Some(if p.x > 15.0 { p + at(90.0, 0.0) } else { p + (door - p) * 90.0 });
            fastest = fastest.max(if agents.alive[slot] { agents.velocity[slot].length() } else { 0.0 });
        }
        bench.run(1);
        look(&bench.world)?;
    }
    Ok(Leaving { secs: bench.world.time(), fastest })
}

fn faster_is_slower(context: &Context) -> Measured {
    let mean = |speed: f64, seeds: std::ops::RangeInclusive<u64>| -> Result<f64, String> {
        let count = seeds.clone().count() as f64;
        let one = |seed| leave_watched(speed, seed, 500.0, 500.0, &mut |_| context.go_on());
        let times: Result<Vec<f64>, String> = seeds.map(|seed| Ok(one(seed)?.secs)).collect();
        Ok(times?.iter().sum::<f64>() / count)
    };
    let (slow, walk) = (mean(0.8, 1..=3)?, mean(1.0, 1..=3)?);
    let (brisk, press) = (mean(2.0, 1..=3)?, mean(4.0, 1..=3)?);
    let crush = leave(8.0, 1, 500.0, 500.0)?;
    let coarse = leave(8.0, 1, 60.0, 500.0)?;
    Ok(vec![
        quantity("0.8 m/s, mean of 3: all out", "s", "281–307", Near(290.0, 45.0), slow),
        quantity("1 m/s by 0.8 m/s, means of 3", "", "T falls", AtMost(0.95), walk / slow),
        quantity("2 m/s, mean of 3: all out", "s", "148", Near(150.0, 15.0), brisk),
        quantity("4 m/s by 2 m/s, means of 3", "", "slower again", AtLeast(1.2), press / brisk),
        quantity("8 m/s: all out", "s", "blows up with explicit steps", AtLeast(brisk), crush.secs),
        quantity("8 m/s: fastest", "m/s", "> 6600", AtMost(16.0), crush.fastest),
        quantity("8 m/s at 60 Hz: fastest", "m/s", "", AtMost(16.0), coarse.fastest),
        quantity("8 m/s at 60 Hz: all out, friction limited by the step", "s", "", Shown, coarse.secs),
    ])
}

pub(super) const LANES: Case = Case {
    name: "lane-formation",
    about: "Fifty against fifty in a corridor without ends: the lane order rises from near 0 to near 1.",
    source: "R169; Nowak and Schadschneider 2012 (arXiv 1206.3084)",
    long: true,
    seed: "",
    scene: "scenes/48_corridor_lanes.ron",
    run: lanes,
};

/// Mean over all of ((same − opposite)/(same + opposite))² in their band of 0.6 m.
fn lane_order(experiment: &crate::experiment::Experiment) -> f64 {
    let world = experiment.world();
    let band = |slot: usize| (world.agents.position[slot].y / 0.6).floor() as i64;
    let east = |slot: usize| world.agents.group[slot].0 == 0;
    let all = 0..world.agents.slots();
    let shares = all.clone().map(|me| {
        let (mut same, mut opposite) = (0.0, 0.0);
        for other in all.clone().filter(|other| band(*other) == band(me)) {
            *(if east(other) == east(me) { &mut same } else { &mut opposite }) += 1.0;
        }
        let share: f64 = (same - opposite) / (same + opposite);
        share * share
    });
    shares.sum::<f64>() / world.agents.slots() as f64
}

fn lanes(context: &Context) -> Measured {
    let mut experiment = open(context, "48_corridor_lanes.ron", &[])?;
    let before = lane_order(&experiment);
    run(&mut experiment, 50.0);
    let (mut sum, mut apart) = (0.0, f64::INFINITY);
    for _ in 0..10 {
        run(&mut experiment, 1.0);
        sum += lane_order(&experiment);
        let world = experiment.world();
        for a in 0..world.agents.slots() {
            for b in 0..a {
                apart = apart.min(world.offset(world.agents.position[a], world.agents.position[b]).length());
            }
        }
    }
    Ok(vec![
        quantity("lane order at the start", "", "near 0", AtMost(0.3), before),
        quantity("mean lane order from 50 s to 60 s", "", "> 0.8", AtLeast(0.8), sum / 10.0),
        quantity("nearest two, bodies of 0.4 m", "m", "", AtLeast(0.4), apart),
    ])
}
