//! Cases of the drill yard that run its scenes.

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::{Case, Context, Measured, open, quantity, run};
use crate::experiment::Experiment;
use crate::experiment::command::Command;
use crate::measure::Metric;

/// The value of a native metric of a group after the last tick.
fn value(experiment: &Experiment, group: usize, metric: Metric) -> Result<f64, String> {
    let measure = experiment.measuring.groups.get(group);
    let found = measure.and_then(|measure| measure.values.get(metric));
    found.ok_or_else(|| format!("{} was not measured", metric.id()))
}

/// The largest value of a metric over some seconds.
fn largest(experiment: &mut Experiment, group: usize, metric: Metric, seconds: f64) -> Result<f64, String> {
    let mut most = 0.0_f64;
    for _ in 0..(seconds / experiment.world().dt()).round() as u64 {
        experiment.tick();
        most = most.max(value(experiment, group, metric)?);
    }
    Ok(most)
}

/// Seconds from each command of a group to where it settled; infinite where it did not.
fn took(experiment: &mut Experiment, group: usize) -> Vec<(String, f64)> {
    let report = experiment.report();
    let contract = report.groups.get(group).and_then(|group| group.contract.clone());
    let settles = contract.into_iter().flat_map(|contract| contract.settles);
    settles.map(|settle| (settle.command, settle.took.unwrap_or(f64::INFINITY))).collect()
}

pub(super) const REFERENCE: Case = Case {
    name: "reference-drill",
    about: "Twenty soldiers, lag 0.2 s, dead time 80–160 ms, steps ±5 %: formation commands of up to 0.5 m settle in time.",
    source: "R006–R008, R024, E15",
    long: false,
    seed: "",
    scene: "scenes/15_reference.ron",
    run: reference,
};

fn reference(context: &Context) -> Measured {
    let mut experiment = open(context, "15_reference.ron", &[])?;
    run(&mut experiment, 18.0);
    let settles = took(&mut experiment, 0);
    let formed: Vec<&(String, f64)> =
        settles.iter().skip(1).filter(|(command, _)| command.starts_with("form")).collect();
    let rows = formed.iter().map(|(command, took)| quantity(command.clone(), "s", "1.2 s", AtMost(1.2), *took));
    let mut rows: Vec<_> = rows.collect();
    let sd = value(&experiment, 0, Metric::HeadingSd)?.to_degrees();
    rows.push(quantity("heading SD at rest", "deg", "3°", AtMost(3.0), sd));
    let spacing = value(&experiment, 0, Metric::SpacingErrorMax)?;
    rows.push(quantity("largest gap error at rest", "m", "5 cm", AtMost(0.05), spacing));
    Ok(rows)
}

pub(super) const MARCH: Case = Case {
    name: "march",
    about: "The same soldiers march at 1.2 m/s: the error of a place that moves.",
    source: "R024, E04",
    long: false,
    seed: "",
    scene: "scenes/15_reference.ron",
    run: march,
};

fn march(context: &Context) -> Measured {
    let mut experiment = open(context, "15_reference.ron", &[])?;
    run(&mut experiment, 24.0);
    let most = largest(&mut experiment, 0, Metric::SlotErrorMax, 5.0)?;
    // A place that is only pulled at, without its speed: v/k1 (E04).
    let soft = 1.2 / 1.8;
    Ok(vec![
        quantity("largest error on the march", "m", "±2.3 cm", AtMost(0.023), most),
        quantity(
            "the most that steps 5 % short allow, by formula",
            "m",
            "±2.3 cm",
            AtMost(0.023),
            (1.2 / 0.95 - 1.2) / 3.75,
        ),
        quantity("without feed-forward, k1 1.8, by formula", "m", "", Near(0.667, 0.001), soft),
    ])
}

pub(super) const HEAD: Case = Case {
    name: "head-drag",
    about: "Two hundred soldiers follow a head that is dragged at 1.2 m/s by hand: ticks fit into a frame.",
    source: "R027, R028",
    long: false,
    seed: "",
    scene: "scenes/22_head.ron",
    run: head,
};

fn head(context: &Context) -> Measured {
    let mut experiment = open(context, "22_head.ron", &[])?;
    run(&mut experiment, 2.0);
    let (at, turn) =
        experiment.forming(0).map(|forming| (forming.order.pose.at, forming.order.pose.turn)).unwrap_or_default();
    let (ticks, began) = (300, (context.clock)());
    for tick in 1..=ticks {
        // A pointer moves in jumps of a frame: one command per tick.
        let by = DVec3::X * (1.2 * f64::from(tick) * experiment.world().dt());
        let drag = Command::MoveFormation { group: "column".to_owned(), at: at + by, turn, last: tick == ticks };
        experiment.apply(&drag);
        experiment.tick();
    }
    let per_tick = 1e3 * ((context.clock)() - began) / f64::from(ticks);
    let trailing = value(&experiment, 0, Metric::SlotErrorMax)?;
    run(&mut experiment, 1.2);
    let after = value(&experiment, 0, Metric::SlotErrorMax)?;
    Ok(vec![
        quantity("one tick of 200 agents", "ms", "58 fps = 17 ms", Shown, per_tick),
        quantity("ticks that fit into a second", "1/s", "58 fps", Shown, 1e3 / per_tick),
        quantity("farthest behind while dragged", "m", "", AtMost(1.0), trailing),
        quantity("1.2 s after the drag", "m", "", AtMost(0.05), after),
    ])
}

pub(super) const REACTION: Case = Case {
    name: "reaction",
    about: "From a command to the first agent that acts on it: the coming tick, then the dead time that is simulated.",
    source: "R030, E05",
    long: false,
    seed: "",
    scene: "scenes/22_head.ron",
    run: reaction,
};

fn reaction(context: &Context) -> Measured {
    let mut experiment = open(context, "22_head.ron", &[])?;
    run(&mut experiment, 2.0);
    let (dt, dead) = (experiment.world().dt(), experiment.world().agents.dead_time[0]);
    let ordered = experiment.ticks();
    experiment.apply(&Command::Form { group: "column".to_owned(), formation: "line".to_owned(), params: Vec::new() });
    let mut decided = None;
    let mut moved = None;
    while moved.is_none() && experiment.ticks() < ordered + 120 {
        experiment.tick();
        let asks = experiment
            .scratch
            .intents
            .first()
            .is_some_and(|intents| intents.each().any(|row| row.push.length() > 0.05));
        decided = decided.or_else(|| asks.then(|| experiment.ticks() - ordered));
        let moves = (0..experiment.world().agents.slots()).any(|slot| experiment.world().agents.speed(slot) > 0.01);
        moved = moved.or_else(|| moves.then(|| experiment.ticks() - ordered));
    }
    let (decided, moved) = (decided.unwrap_or(999) as f64, moved.unwrap_or(999) as f64);
    Ok(vec![
        quantity("ticks from the command to the first decision", "ticks", "", AtMost(1.0), decided),
        quantity("that is", "ms", "12 ms (47 ms)", AtMost(17.0), 1e3 * decided * dt),
        quantity("to the first movement, less the dead time", "ticks", "", AtMost(2.0), moved - (dead / dt)),
        quantity("way at 1.2 m/s meanwhile", "cm", "1.4 cm (5.6 cm)", AtMost(2.1), 120.0 * decided * dt),
    ])
}

pub(super) const ANGLE_WRAP: Case = Case {
    name: "angle-wrap",
    about: "Heading control with differences of angles left as they are: one agent spins.",
    source: "R042, R043",
    long: false,
    seed: "",
    scene: "scenes/23_angle_wrap.ron",
    run: angle_wrap,
};

fn angle_wrap(context: &Context) -> Measured {
    let mut experiment = open(context, "23_angle_wrap.ron", &[])?;
    run(&mut experiment, 1.0);
    let (mut naive, mut right) = (0.0_f64, 0.0_f64);
    for _ in 0..15 * 60 {
        experiment.tick();
        naive = naive.max(value(&experiment, 0, Metric::HeadingErrorMax)?);
        right = right.max(value(&experiment, 1, Metric::HeadingErrorMax)?);
    }
    Ok(vec![
        quantity("largest heading error, differences wrapped", "rad", "", AtMost(0.1), right),
        quantity("largest heading error, not wrapped", "rad", "±3.14", AtLeast(3.0), naive),
    ])
}

pub(super) const CORRIDOR: Case = Case {
    name: "corridor",
    about: "Only the reach of the soft walls grows, and the block narrows by itself; nobody overlaps.",
    source: "R047, E08",
    long: false,
    seed: "",
    scene: "scenes/20_corridor.ron",
    run: corridor,
};

fn corridor(context: &Context) -> Measured {
    let mut experiment = open(context, "20_corridor.ron", &[])?;
    let width = |experiment: &Experiment| {
        let found = experiment.measuring.value(experiment.world(), "width");
        found.ok_or_else(|| "the width was not measured".to_owned())
    };
    run(&mut experiment, 9.5);
    let before = width(&experiment)?;
    let mut narrow = before;
    let mut least = f64::INFINITY;
    for _ in 0..22 * 60 {
        experiment.tick();
        narrow = narrow.min(width(&experiment)?);
        least = least.min(value(&experiment, 0, Metric::MinSeparation)?);
    }
    Ok(vec![
        quantity("width before", "m", "", Near(3.6, 0.25), before),
        quantity("width with the larger reach", "m", "narrower", AtMost(before - 0.2), narrow),
        quantity("width at the end", "m", "", Near(3.6, 0.02), width(&experiment)?),
        quantity("smallest distance of two centers (bodies: 0.4)", "m", "no overlap", AtLeast(0.4), least),
    ])
}

pub(super) const DRESS_RIGHT: Case = Case {
    name: "dress-right",
    about: "State drift: soldier 5 hears an order 0.3 s after the others.",
    source: "R011",
    long: false,
    seed: "",
    scene: "scenes/17_dress_right.ron",
    run: dress_right,
};

fn dress_right(context: &Context) -> Measured {
    let mut experiment = open(context, "17_dress_right.ron", &[])?;
    run(&mut experiment, 4.0);
    let dt = experiment.world().dt();
    let state = |experiment: &Experiment, agent: usize| experiment.agent_rows().nth(agent).map(|row| row.state);
    let (mut first, mut fifth, mut drift) = (None, None, 0);
    for _ in 0..120 {
        experiment.tick();
        let time = experiment.time();
        let dresses = |agent| state(&experiment, agent).is_some_and(|state| state == "dressing");
        first = first.or_else(|| dresses(0).then_some(time));
        fifth = fifth.or_else(|| dresses(4).then_some(time));
        drift += u32::from(dresses(4) != dresses(0));
    }
    let late = fifth.zip(first).map_or(f64::NAN, |(fifth, first)| fifth - first);
    Ok(vec![
        quantity("soldier 5 dresses after the first", "s", "0.3 s late", Near(0.3, dt), late),
        quantity("time in which their states differ", "s", "", AtLeast(0.3), f64::from(drift) * dt),
    ])
}

pub(super) const HIDDEN_ERROR: Case = Case {
    name: "hidden-error",
    about: "Without feedback a step that is 5 % short ends 18 cm off; with feedback it does not.",
    source: "R012",
    long: false,
    seed: "",
    scene: "scenes/18_hidden_error.ron",
    run: hidden_error,
};

fn hidden_error(context: &Context) -> Measured {
    let mut experiment = open(context, "18_hidden_error.ron", &[])?;
    run(&mut experiment, 12.0);
    Ok(vec![
        quantity(
            "soldier 7 without feedback",
            "m",
            "18 cm",
            Near(0.18, 0.002),
            value(&experiment, 0, Metric::SlotErrorMax)?,
        ),
        quantity("soldier 7 with feedback", "m", "", AtMost(0.005), value(&experiment, 1, Metric::SlotErrorMax)?),
    ])
}

pub(super) const DRAWN: Case = Case {
    name: "drawn-positions",
    about: "Drawing at 22 fps beside a core at 60 Hz: how far a drawn body is from the core's at the instant that is drawn.",
    source: "R053–R055",
    long: false,
    seed: "",
    scene: "scenes/16_march.ron",
    run: drawn,
};

/// The core's path is known at ticks only, so the instants between them are taken from a run with ten times the ticks.
fn drawn(context: &Context) -> Measured {
    let mut fine = open(context, "16_march.ron", &[])?;
    run(&mut fine, 5.0);
    let dt = fine.world().dt();
    let mut path: Vec<(DVec3, DVec3)> = Vec::new();
    for _ in 0..240 {
        path.push((fine.world().agents.position[11], fine.world().agents.velocity[11]));
        fine.tick();
    }
    // Between two ticks a body moves under a held command: the cubic through both ends with their speeds is its path to the micrometer.
    let truth = |time: f64| {
        let index = ((time / dt) as usize).min(path.len() - 2);
        let s = time / dt - index as f64;
        let ((p, v), (q, w)) = (path[index], path[index + 1]);
        let (a, b) = (2.0 * s.powi(3) - 3.0 * s * s + 1.0, s.powi(3) - 2.0 * s * s + s);
        let (c, d) = (3.0 * s * s - 2.0 * s.powi(3), s.powi(3) - s * s);
        p * a + v * (b * dt) + q * c + w * (d * dt)
    };
    let (mut between, mut newest, mut coupled) = (0.0_f64, 0.0_f64, 0.0_f64);
    for frame in 1..80 {
        let now = f64::from(frame) / 22.0;
        if now + dt >= 239.0 * dt {
            break;
        }
        // One tick behind, between the last two published frames.
        let shown = (now - dt).max(0.0);
        let index = ((shown / dt) as usize).min(path.len() - 2);
        let s = shown / dt - index as f64;
        between = between.max((path[index].0.lerp(path[index + 1].0, s) - truth(shown)).length());
        newest = newest.max((path[((now / dt) as usize).min(path.len() - 1)].0 - truth(now)).length());
        // A core that ticks with the drawing knows nothing newer than the frame before.
        let before = f64::from(frame - 1) / 22.0;
        coupled = coupled.max((truth(before) - truth(now)).length());
    }
    Ok(vec![
        quantity("between the last two frames", "cm", "0.8 cm", AtMost(0.8), 100.0 * between),
        quantity("the newest frame as it is", "cm", "", AtMost(4.0), 100.0 * newest),
        quantity("core and drawing in one loop at 22 fps", "cm", "3.2 cm", AtLeast(3.2), 100.0 * coupled),
        quantity("ticks of the core per second, whatever is drawn", "Hz", "60 Hz", Near(60.0, 1e-9), 1.0 / dt),
    ])
}

pub(super) const SWITCHING: Case = Case {
    name: "switching",
    about: "4.4 cm off, sensors that err by 5 mm: state changes with one threshold, and with two and a hold.",
    source: "R061–R063",
    long: false,
    seed: "",
    scene: "scenes/24_noise.ron",
    run: switching,
};

fn switching(context: &Context) -> Measured {
    let mut experiment = open(context, "24_noise.ron", &[])?;
    run(&mut experiment, 20.0);
    let report = experiment.report();
    let rate = |group: usize| {
        let group = &report.groups[group];
        let count: u64 = group.transitions.iter().map(|(_, count)| count).sum();
        count as f64 / (group.agents as f64 * report.seconds)
    };
    Ok(vec![
        quantity("one threshold, no hold", "Hz", "12 Hz", Near(12.0, 1.5), rate(0)),
        quantity("5 cm out, 3 cm for 5 ticks back", "Hz", "0.3 Hz", AtMost(0.3), rate(1)),
    ])
}
