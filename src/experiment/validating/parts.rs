//! Cases of the drill yard that look at parts of the core: base lines, walls, network, tuning.

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::{Case, Context, Measured, open, quantity};
use crate::comms::{Link, Network};
use crate::experiment::plant::{Plant, Stop};
use crate::experiment::tuning::{Controller, Goal, Relay};
use crate::formation::{BaseLineFinder, BaseLineMethod};
use crate::sim::rng::Use;
use crate::sim::{AgentId, BodySpec, Event, Stream, wrap_angle};
use crate::steer::pid::Gains;
use crate::steer::relay;

/// A rank of n, 1.2 m apart, head first, with an error of 5 cm per axis.
fn rank(n: usize, seed: u64) -> Vec<DVec3> {
    let mut luck = Stream::new(seed, 0, 0, Use::Spawn);
    (0..n).map(|i| DVec3::new(-1.2 * i as f64 + luck.normal(0.0, 0.05), luck.normal(0.0, 0.05), 0.0)).collect()
}

pub(super) const BASE_LINE: Case = Case {
    name: "base-line",
    about: "20 agents with 5 cm of error, 3 at the edge removed: how far the base line turns, worst of 200 ranks.",
    source: "R037–R040, E07",
    long: false,
    seed: "0 to 199",
    scene: "",
    run: base_line,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn base_line(_: &Context) -> Measured {
    let turn = |method: BaseLineMethod, out: bool| {
        let mut worst = 0.0_f64;
        for seed in 0..200 {
            let mut points = rank(20, seed);
            if out {
                // One of the three that leave stood 3.2 m out of the rank.
                points[19].y += 3.2;
            }
            let mut finder = BaseLineFinder::default();
            let Some(whole) = finder.find(&points, method, None) else { return f64::NAN };
            for rest in [&points[3..], &points[..17], &points[1..18]] {
                let Some(rest) = finder.find(rest, method, Some(whole.direction)) else { return f64::NAN };
                let turned =
                    if out && rest.distance(points[19]) < 0.1 { 0.0 } else { rest.direction - whole.direction };
                worst = worst.max(wrap_angle(turned).abs().to_degrees());
            }
        }
        worst
    };
    Ok(vec![
        quantity("weighted components", "deg", "< 0.5°", AtMost(0.5), turn(BaseLineMethod::Weighted, false)),
        quantity("head and tail", "deg", "8°", Shown, turn(BaseLineMethod::TwoPoint, false)),
        quantity("weighted, one of the three 3.2 m out before", "deg", "", Shown, turn(BaseLineMethod::Weighted, true)),
        quantity(
            "head and tail, one of the three 3.2 m out before",
            "deg",
            "8°",
            AtLeast(8.0),
            turn(BaseLineMethod::TwoPoint, true),
        ),
    ])
}

pub(super) const CLUSTERS: Case = Case {
    name: "clusters",
    about: "The base line from centers of five against that of all agents: what it loses, what it costs.",
    source: "R064, R065, E10",
    long: false,
    seed: "0 to 19",
    scene: "",
    run: clusters,
};

fn clusters(context: &Context) -> Measured {
    let mut rows = Vec::new();
    let mut of_twenty = 0.0;
    for n in [20, 100, 1000, 10_000] {
        let points = rank(n, 7);
        let mut finder = BaseLineFinder::default();
        let mut cost = |method| {
            let rounds = 200_000 / n;
            let began = (context.clock)();
            let mut sum = 0.0;
            for _ in 0..rounds {
                sum += finder.find(&points, method, Some(0.0)).map_or(0.0, |line| line.direction);
            }
            // The sum is used, so that the work is done.
            (((context.clock)() - began) * 1e6 / rounds as f64, sum)
        };
        let (all, fives) = (cost(BaseLineMethod::Weighted).0, cost(BaseLineMethod::Clusters).0);
        if n == 20 {
            of_twenty = fives;
            rows.push(quantity("20 agents, from fives", "µs", "", Shown, fives));
            continue;
        }
        let mut worst = 0.0_f64;
        for seed in 0..20 {
            let points = rank(n, seed);
            let whole = finder.find(&points, BaseLineMethod::Weighted, None);
            let fives = finder.find(&points, BaseLineMethod::Clusters, None);
            let (Some(whole), Some(fives)) = (whole, fives) else { return Err("no base line".to_owned()) };
            for end in [points[0], points[n - 1]] {
                worst = worst.max((whole.distance(end) - fives.distance(end)).abs() * 100.0);
            }
        }
        rows.push(quantity(format!("{n} agents: loss at the ends"), "cm", "< 0.3 cm", AtMost(0.3), worst));
        rows.push(quantity(format!("{n} agents, all"), "µs", "", Shown, all));
        rows.push(quantity(format!("{n} agents, from fives"), "µs", "", Shown, fives));
        if n == 100 {
            rows.push(quantity("100 against 20, from fives", "%", "+12 %", Shown, 100.0 * (fives / of_twenty - 1.0)));
        }
    }
    Ok(rows)
}

pub(super) const SOFT_WALL: Case = Case {
    name: "soft-wall",
    about: "What the soft walls of 20 agents cost, and that the force rises without a jump up to its cap.",
    source: "R044–R046, E08",
    long: false,
    seed: "",
    scene: "scenes/01_drill.ron",
    run: soft_wall,
};

fn soft_wall(context: &Context) -> Measured {
    let with = |weight: &str| -> Result<f64, String> {
        let mut experiment = open(context, "01_drill.ron", &[("drill.soft_wall.weight", weight)])?;
        super::run(&mut experiment, 1.0);
        let began = (context.clock)();
        super::run(&mut experiment, 4.0);
        Ok(((context.clock)() - began) * 1e6 / 240.0)
    };
    let (on, off) = (with("0.2")?, with("0")?);
    let force = |d: f64| crate::steer::law::soft_wall(d, 0.4, 1.0, 10.0);
    let steps = (1..4000).map(|i| f64::from(i) * 1e-4);
    let jump = steps.map(|d| (force(d) - force(d + 1e-4)).abs()).fold(0.0, f64::max);
    Ok(vec![
        quantity("a whole tick of 20 soldiers", "µs", "6 ms (40 ms)", Shown, on),
        quantity("of it the soft walls, per agent", "µs", "300 µs (2 ms)", Shown, (on - off).max(0.0) / 20.0),
        quantity("force at its reach", "m/s2", "0", Near(0.0, 1e-12), force(0.4)),
        quantity("force in contact", "m/s2", "", AtMost(10.0), force(1e-6)),
        quantity("largest step of the force over 0.1 mm", "m/s2", "", AtMost(0.2), jump),
    ])
}

pub(super) const DELIVERY: Case = Case {
    name: "delivery",
    about: "200,000 messages over a link that loses 8 % of them, with one send, three, and one and three more.",
    source: "R050, R051, E09",
    long: false,
    seed: "7",
    scene: "",
    run: delivery,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn delivery(_: &Context) -> Measured {
    let share = |retries: u32| {
        let link = Link { delay: 0.02, jitter: 0.01, loss: 0.08, timeout: 0.1, retries };
        let mut network = Network::new(7);
        let mut heard = 0;
        for block in 0..200 {
            let now = f64::from(block) * 10.0;
            for slot in 0..1000 {
                let event =
                    Event { to: AgentId { slot, generation: 0 }, name: "form_up".to_owned(), value: None, from: None };
                network.send(link, event, now);
            }
            heard += network.advance(now + 9.9).0.len();
        }
        f64::from(u32::try_from(heard).unwrap_or(u32::MAX)) / 2000.0
    };
    Ok(vec![
        quantity("one send", "%", "92 %", Near(92.0, 0.2), share(0)),
        quantity("three sends", "%", "", Near(99.9488, 0.02), share(2)),
        quantity("one and three more", "%", "99.99 %", AtLeast(99.99), share(3)),
    ])
}

pub(super) const LATENCY: Case = Case {
    name: "latency-gains",
    about: "Gains by the time from command to effect, on a body with a lag of 0.2 s: half a meter, to the 5 cm of the contract.",
    source: "R052, E14",
    long: false,
    seed: "",
    scene: "scenes/25_latency.ron",
    run: latency,
};

fn plant(dead_time: f64) -> Plant {
    let body = BodySpec { max_speed: 2.4, max_acceleration: 8.0, lag: 0.2, dead_time, ..BodySpec::default() };
    Plant { body, tick_hz: 60.0, noise: 0.0, seed: 1 }
}

fn latency(context: &Context) -> Measured {
    let mut experiment = open(context, "25_latency.ron", &[])?;
    super::run(&mut experiment, 10.0);
    let report = experiment.report();
    let mut rows = Vec::new();
    for (index, what) in
        ["PD, 0.12 s: 4.6/0.15", "PD, 0.21 s: 3.2/0.225", "PD, 0.30 s: 2.0/0.25"].into_iter().enumerate()
    {
        let settles =
            report.groups.get(index).and_then(|group| group.contract.as_ref()).map(|contract| &contract.settles);
        let took = settles.and_then(|settles| settles.last()).and_then(|last| last.took).unwrap_or(f64::INFINITY);
        rows.push(quantity(what, "s", "", AtMost(1.1), took));
    }
    let alone = |k: f64, dead_time: f64| {
        let tried = plant(dead_time).step("P", &Gains { k, ..Gains::default() });
        tried.settled.unwrap_or(f64::INFINITY)
    };
    rows.push(quantity("P alone, k1 1.8 at 0.12 s, to 2 %", "s", "1.8", Shown, alone(1.8, 0.12)));
    rows.push(quantity("P alone, k1 1.8 kept at 0.21 s, to 2 %", "s", "", Shown, alone(1.8, 0.21)));
    rows.push(quantity("P alone, k1 1.2 at 0.21 s, to 2 %", "s", "1.8 → 1.2", Shown, alone(1.2, 0.21)));
    Ok(rows)
}

pub(super) const RELAY: Case = Case {
    name: "relay",
    about: "The relay experiment on a lag of 0.2 s behind a dead time of 0.12 s, at 2000 Hz, against its exact limit cycle.",
    source: "R023, reference on PID",
    long: false,
    seed: "1",
    scene: "",
    run: relay_cycle,
};

fn relay_cycle(_: &Context) -> Measured {
    let body = BodySpec { max_speed: 10.0, max_acceleration: 1e6, ..plant(0.12).body };
    let plant = Plant { body, tick_hz: 2000.0, noise: 0.0, seed: 1 };
    let found = plant.relay(Relay { output: 1.0, hysteresis: 0.0, ..Relay::default() }, &Stop::default()).1;
    let found = found.map_err(|error| error.to_string())?;
    let exact = relay::exact(0.2, 0.12).unwrap_or((f64::NAN, f64::NAN));
    Ok(vec![
        quantity("period of the limit cycle", "s", "", Near(1.108_148, 0.011), found.period),
        quantity("half of peak to peak", "m", "", Near(0.150_559, 0.0015), found.amplitude),
        quantity("Ku by the relay", "1/s", "", Near(8.456_770, 0.085), found.gain),
        quantity("Ku, exact", "1/s", "", Near(9.066_029, 1e-6), exact.0),
        quantity("Tu, exact", "s", "", Near(1.069_379, 1e-6), exact.1),
    ])
}

pub(super) const TUNING: Case = Case {
    name: "tuning",
    about: "The rules of the Ziegler–Nichols table on that body, and the search that beats them (half a meter, to 2 %).",
    source: "R023, E03, E14, E15",
    long: false,
    seed: "1",
    scene: "",
    run: tuning,
};

#[expect(clippy::unnecessary_wraps, reason = "cases that run scenes can fail")]
fn tuning(_: &Context) -> Measured {
    let plant = plant(0.12);
    let (ku, tu) = relay::exact(0.2, 0.12).unwrap_or((f64::NAN, f64::NAN));
    let mut rows = Vec::new();
    let mut best = f64::INFINITY;
    for rule in &relay::RULES {
        let tried = plant.step(rule.0, &relay::apply(rule, ku, tu));
        let settled = tried.settled.unwrap_or(f64::INFINITY);
        best = best.min(settled);
        rows.push(quantity(format!("{}: settles", rule.0), "s", "", Shown, settled));
    }
    let start = relay::apply(&relay::RULES[2], ku, tu);
    let search = plant.search(&start, Goal::default(), |_| true);
    let with_integral = plant.search(&start, Goal { controller: Controller::Pid, ..Goal::default() }, |_| true);
    rows.push(quantity("the search's PD settles", "s", "", AtMost(best), search.settled.unwrap_or(f64::INFINITY)));
    rows.push(quantity(
        "the search's PID settles",
        "s",
        "",
        AtMost(best),
        with_integral.settled.unwrap_or(f64::INFINITY),
    ));
    rows.push(quantity("the search's PD overshoots", "%", "", AtMost(5.0), search.overshoot));
    Ok(rows)
}
