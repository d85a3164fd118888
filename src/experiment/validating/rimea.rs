//! Single pedestrians and small groups by the tests 1 to 7 of RiMEA's guideline: speeds, stairs, pre-movement, a corner.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::models::{CSM, MODELS, SIMPLE};
use super::passing::{new_passes, passes, watch};
use super::{Case, Context, Measured, open, quantity};
use crate::experiment::Experiment;

/// Desired speed of the scenes, m/s.
const SPEED: f64 = 1.33;

pub(super) const CORRIDOR: Case = Case {
    name: "rimea-1-corridor",
    about: "One pedestrian with a desired speed of 1.33 m/s walks 40 m of a corridor of 2 m, from rest.",
    source: "RiMEA 1; NIST 2.1; case 1",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_01_corridor.ron",
    run: corridor,
};

fn corridor(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in MODELS {
        let mut experiment = model.open(context, "validation/rimea_01_corridor.ron", &[], None)?;
        let passed = passes(context, &mut experiment, 60.0, &|at| at.x - 41.0)?;
        let took = passed.first().map_or(f64::INFINITY, |pass| pass.at);
        // From rest it takes τ longer: x(t) = v0·(t − τ·(1 − e^(−t/τ))).
        let exact = 40.0 / SPEED + model.tau;
        rows.push(quantity(format!("{}: time for 40 m", model.name), "s", "26–34 s", Near(exact, 0.05), took));
    }
    Ok(rows)
}

pub(super) const STAIRS: Case = Case {
    name: "rimea-2-3-stairs",
    about: "Ten metres of stairs, up at 0.61 m/s and down at 0.694 m/s, as zones of the ground that slow down.",
    source: "RiMEA 2 and 3; NIST 2.2; speeds of Weidmann 1993; case 2",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_02_stairs.ron",
    run: stairs,
};

fn stairs(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in [CSM, SIMPLE] {
        let mut experiment = model.open(context, "validation/rimea_02_stairs.ron", &[], None)?;
        let (mut on, mut off) = ([f64::INFINITY; 2], [f64::INFINITY; 2]);
        watch(context, &mut experiment, 60.0, &mut |experiment, before| {
            new_passes(experiment, before, &|at| at.x - 10.0).for_each(|pass| on[pass.slot] = pass.at);
            new_passes(experiment, before, &|at| at.x - 20.0).for_each(|pass| off[pass.slot] = pass.at);
            off.iter().any(|at| at.is_infinite())
        })?;
        for (slot, (way, speed)) in [("up", 0.61), ("down", 0.694)].into_iter().enumerate() {
            let exact = 10.0 / speed;
            let what = format!("{}: 10 m of stairs {way}", model.name);
            rows.push(quantity(what, "s", "± 5 % + 1 s", Near(exact, 0.05 * exact + 1.0), off[slot] - on[slot]));
        }
    }
    Ok(rows)
}

pub(super) const PREMOVEMENT: Case = Case {
    name: "rimea-5-premovement",
    about: "Ten people set out at times drawn evenly from 10 to 100 s: each one moves at its own time, to the tick.",
    source: "RiMEA 5; NIST 1.1; case 4",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_05_premovement.ron",
    run: premovement,
};

fn premovement(context: &Context) -> Measured {
    let mut experiment = open(context, "validation/rimea_05_premovement.ron", &[])?;
    // Memory is drawn in the first tick; nobody sets out in it.
    experiment.tick();
    let drawn = (0..experiment.world().agents.slots()).map(|slot| drawn_start(&mut experiment, slot));
    let starts = drawn.collect::<Result<Vec<f64>, String>>()?;
    let (all, waiting) = (starts.len(), experiment.world().agents.state.clone());
    let (mut left, mut walked) = (vec![f64::INFINITY; all], vec![f64::INFINITY; all]);
    watch(context, &mut experiment, 115.0, &mut |experiment, _| {
        let agents = &experiment.world().agents;
        // The tick in which it decided to go began one step ago.
        let now = experiment.world().time() - experiment.world().dt();
        for slot in (0..all).filter(|slot| agents.state[*slot] != waiting[*slot]) {
            left[slot] = left[slot].min(now);
            // Half of what the desired speed gives it in one tick; those who wait are pushed about by less.
            let walks = agents.speed(slot) >= 0.5 * SPEED * experiment.world().dt() / 0.5;
            walked[slot] = if walks { walked[slot].min(now) } else { walked[slot] };
        }
        true
    })?;
    let largest = |times: &[f64], since: &[f64]| {
        let ticks = times.iter().zip(since).map(|(time, since)| (time - since).abs() * 60.0);
        ticks.fold(0.0, f64::max)
    };
    let (off, late) = (largest(&left, &starts), largest(&walked, &left));
    let passed = all - experiment.world().agents.count();
    let (first, last) =
        (starts.iter().copied().fold(f64::INFINITY, f64::min), starts.iter().copied().fold(0.0, f64::max));
    Ok(vec![
        quantity("first start that was drawn", "s", "≥ 10 s", AtLeast(10.0), first),
        quantity("last start that was drawn", "s", "≤ 100 s", AtMost(100.0), last),
        quantity("start off the drawn time, largest", "ticks", "≤ 1", AtMost(1.0), off),
        quantity("from the start to the first step, largest", "ticks", "", AtMost(1.0), late),
        quantity("people who left", "", "10", Near(10.0, 0.0), passed as f64),
    ])
}

/// The time at which an agent of the machine `evacuee` is to set out, which it drew at birth.
fn drawn_start(experiment: &mut Experiment, slot: usize) -> Result<f64, String> {
    let group = experiment.world.agents.group[slot].index();
    let memory = experiment.minds[group].inspect(&experiment.world, slot as u32).memory;
    let start = memory.iter().find(|(name, _)| name == "start").and_then(|(_, value)| value.split(' ').next());
    start.and_then(|value| value.parse().ok()).ok_or_else(|| format!("agent {slot} has no start among {memory:?}"))
}

pub(super) const CORNER: Case = Case {
    name: "rimea-6-corner",
    about: "Twenty people walk round a left-hand corner of a corridor of 2 m: all arrive, and nobody touches a wall.",
    source: "RiMEA 6; NIST 2.3; case 5",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_06_corner.ron",
    run: corner,
};

/// How deep bodies are in walls at most, m; negative while all keep clear.
pub(super) fn depth_in_walls(experiment: &Experiment) -> f64 {
    let world = experiment.world();
    let living = (0..world.agents.slots()).filter(|slot| world.agents.alive[*slot]);
    let depths = living.filter_map(|slot| {
        let hit = world.obstacles.nearest(world.agents.position[slot], f64::INFINITY)?;
        Some(world.agents.radius[slot] - hit.distance)
    });
    depths.fold(f64::NEG_INFINITY, f64::max)
}

fn corner(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in MODELS {
        let mut experiment = model.open(context, "validation/rimea_06_corner.ron", &[], None)?;
        let (mut deepest, mut outside) = (f64::NEG_INFINITY, 0_u32);
        watch(context, &mut experiment, 60.0, &mut |experiment, _| {
            deepest = deepest.max(depth_in_walls(experiment));
            let agents = &experiment.world().agents;
            let leaves = |slot: &usize| {
                let at = agents.position[*slot];
                let first = at.x < 12.0 && at.y > 0.0 && at.y < 2.0;
                agents.alive[*slot] && !first && !(at.x > 10.0 && at.x < 12.0 && at.y > 0.0)
            };
            outside += (0..agents.slots()).filter(leaves).count() as u32;
            true
        })?;
        let (name, left) = (model.name, experiment.world().agents.count());
        rows.push(quantity(format!("{name}: arrived"), "", "all 20", Near(20.0, 0.0), 20.0 - left as f64));
        rows.push(quantity(
            format!("{name}: ticks of somebody beyond a wall"),
            "",
            "0",
            Near(0.0, 0.0),
            f64::from(outside),
        ));
        rows.push(quantity(format!("{name}: body in a wall, deepest"), "m", "< 0.01 m", AtMost(0.01), deepest));
        rows.push(quantity(format!("{name}: until all arrived"), "s", "", Shown, experiment.world().time()));
    }
    Ok(rows)
}

pub(super) const AGES: Case = Case {
    name: "rimea-7-ages",
    about: "Four classes of age, fifty walkers each: the slowest and the fastest of each class keep to its limits.",
    source: "RiMEA 7; NIST 2.4 and 2.10; limits by age of a published verification (2015/54367, table 1); case 6",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_07_ages.ron",
    run: ages,
};

fn ages(context: &Context) -> Measured {
    let mut experiment = open(context, "validation/rimea_07_ages.ron", &[])?;
    super::run(&mut experiment, 5.0);
    let from = experiment.world().agents.position.clone();
    super::run(&mut experiment, 20.0);
    let world = experiment.world();
    let mut rows = Vec::new();
    let classes = [
        ("aged below 30", 0.58, 1.61),
        ("aged 30 to 50", 1.41, 1.54),
        ("aged above 50", 0.68, 1.41),
        ("impaired", 0.46, 0.76),
    ];
    for (group, (name, least, most)) in classes.into_iter().enumerate() {
        let members = world.groups[group].members.iter().map(|slot| *slot as usize);
        let speeds: Vec<f64> = members.map(|slot| (world.agents.position[slot].x - from[slot].x) / 20.0).collect();
        let (slow, fast) =
            speeds.iter().fold((f64::INFINITY, 0.0_f64), |(slow, fast), speed| (slow.min(*speed), fast.max(*speed)));
        let mean = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
        // Fifty even draws come within 8 % of the width to either end in 49 of 50 seeds, and their mean within four deviations.
        let width = most - least;
        let text = "min and max of the class";
        rows.push(quantity(format!("{name}: slowest"), "m/s", text, Near(least + 0.04 * width, 0.041 * width), slow));
        rows.push(quantity(format!("{name}: fastest"), "m/s", text, Near(most - 0.04 * width, 0.041 * width), fast));
        let middle = f64::midpoint(least, most);
        rows.push(quantity(format!("{name}: mean"), "m/s", "", Near(middle, 4.0 * width / 600.0_f64.sqrt()), mean));
    }
    Ok(rows)
}
