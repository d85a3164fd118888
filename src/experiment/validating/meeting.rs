//! Two who meet head-on, and several who stand in one place.

use glam::DVec3;

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::bench::Bench;
use super::models::MODELS;
use super::opening::open_changed;
use super::passing::watch;
use super::{Case, Context, Measured, quantity};
use crate::experiment::Experiment;
use crate::sim::{Avoid, BodySpec, Control, Csm, Orca, WorldSettings};
use crate::steer::blend::Term;

/// How two who met came through.
struct Met {
    /// When both are at their goals, s; infinite if they are not.
    secs: f64,
    /// The nearest that they came, m.
    nearest: f64,
    /// How far the first one went off the line at most, m.
    aside: f64,
    /// How far their ways are from being mirror images of each other, m.
    lopsided: f64,
}

/// Lets the two of a scene meet; they are there within `there` m of each other's start.
fn meet(context: &Context, experiment: &mut Experiment, until: f64, there: f64) -> Result<Met, String> {
    let goals = [experiment.world().agents.position[1], experiment.world().agents.position[0]];
    let mut met = Met { secs: f64::INFINITY, nearest: f64::INFINITY, aside: 0.0, lopsided: 0.0 };
    watch(context, experiment, until, &mut |experiment, _| {
        let places = &experiment.world().agents.position;
        met.nearest = met.nearest.min(places[0].distance(places[1]));
        met.aside = met.aside.max(places[0].y.abs());
        met.lopsided = met.lopsided.max((places[0] + places[1]).length());
        let arrived = (0..2).all(|slot| places[slot].distance(goals[slot]) <= there);
        if arrived {
            met.secs = experiment.world().time();
        }
        !arrived
    })?;
    Ok(met)
}

pub(super) const HEAD_ON: Case = Case {
    name: "orca-head-on",
    about: "Two with bodies of 0.5 m walk 20 m towards each other on one line by reciprocal avoidance, with horizons of 10 s and 2 s.",
    source: "RVO2 and a second implementation measured: 21.3 s with τ 10 s; with τ 2 s they never pass; NIST 2.8; cases 34 and 35",
    long: false,
    seed: "",
    scene: "scenes/validation/head_on.ron",
    run: head_on,
};

fn head_on(context: &Context) -> Measured {
    let meeting = |horizon: &str| -> Result<Met, String> {
        let change = format!("time_horizon_agents: {horizon},");
        let mut experiment = open_changed(context, "validation/head_on.ron", &[("time_horizon_agents: 10,", &change)])?;
        meet(context, &mut experiment, 60.0, 0.1)
    };
    let (far, near) = (meeting("10")?, meeting("2")?);
    Ok(vec![
        quantity("τ 10 s: until both are there", "s", "21.3 ± 0.2", Near(21.3, 0.2), far.secs),
        quantity("τ 10 s: nearest", "m", "≥ 0.999", AtLeast(0.999), far.nearest),
        quantity("τ 10 s: largest way off the line", "m", "0.45–0.52", Near(0.485, 0.035), far.aside),
        quantity("τ 10 s: off the mirror image", "m", "0", AtMost(1e-9), far.lopsided),
        quantity("τ 2 s: until both are there", "s", "never; here within 30 s", AtMost(30.0), near.secs),
        quantity("τ 2 s: nearest", "m", "", AtLeast(0.999), near.nearest),
    ])
}

pub(super) const HEAD_ON_FORCES: Case = Case {
    name: "head-on-forces",
    about: "Two people meet exactly on one line, by each model: they pass.",
    source: "NIST 2.8; a law without left and right alone lets them stand for good; who is stuck turns aside by lot",
    long: false,
    seed: "",
    scene: "scenes/validation/head_on_forces.ron",
    run: head_on_forces,
};

fn head_on_forces(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in MODELS {
        let mut experiment = model.open(context, "validation/head_on_forces.ron", &[], None)?;
        let met = meet(context, &mut experiment, 40.0, 0.3)?;
        rows.push(quantity(format!("{}: until both are there", model.name), "s", "they pass", AtMost(30.0), met.secs));
        rows.push(quantity(format!("{}: nearest, bodies of 0.4 m", model.name), "m", "", Shown, met.nearest));
    }
    Ok(rows)
}

pub(super) const COINCIDENT: Case = Case {
    name: "coincident",
    about: "Five bodies of 0.3 m in one and the same place: they come apart, the same way twice.",
    source: "RVO2 never parts them; case 36",
    long: false,
    seed: "1",
    scene: "",
    run: coincident,
};

/// The least distance of two of five, who began in one place, after two seconds.
fn parted(force: Option<&str>, avoid: Avoid) -> Result<(f64, Vec<DVec3>), String> {
    let mut bench = Bench::new(WorldSettings::default());
    let body = BodySpec { radius: 0.3, max_speed: 4.0, max_acceleration: 100.0, turn_rate: 1e3, ..BodySpec::default() };
    let group = match force {
        Some("csm") => bench.group(body, Control::Velocity, &[Term::native("csm", 1.0)])?,
        Some(force) => {
            // They want to stand.
            let stand = Term::native("driving", 1.0).with("speed", 0.0);
            bench.group(body, Control::Acceleration, &[stand, Term::native(force, 1.0)])?
        }
        None => {
            let body = BodySpec { avoid: Some(avoid), ..body };
            bench.group(body, Control::Velocity, &[Term::native("seek_goal", 0.0)])?
        }
    };
    for _ in 0..5 {
        bench.spawn(group, DVec3::new(3.0, -2.0, 0.0), DVec3::ZERO)?;
    }
    bench.run(120);
    let places = bench.positions();
    let pairs = (0..5).flat_map(|i| (0..i).map(move |j| (i, j)));
    let least = pairs.map(|(i, j)| places[i].distance(places[j])).fold(f64::INFINITY, f64::min);
    let finite = places.iter().all(|place| place.is_finite());
    Ok((if finite { least } else { f64::NAN }, places.to_vec()))
}

fn coincident(_: &Context) -> Measured {
    let mut rows = Vec::new();
    let forces = [
        ("reciprocal avoidance", None),
        ("speed avoidance", None),
        ("csm", Some("csm")),
        ("social_force", Some("social_force")),
        ("social_force_1995", Some("social_force_1995")),
        ("social_force_2000", Some("social_force_2000")),
        ("moussaid_2009", Some("moussaid_2009")),
    ];
    for (name, force) in forces {
        let orca = name == "reciprocal avoidance";
        let avoid = || if orca { Avoid::Orca(Orca::default()) } else { Avoid::Csm(Csm::default()) };
        let (first, second) = (parted(force, avoid())?, parted(force, avoid())?);
        let off = first.1.iter().zip(&second.1).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        rows.push(quantity(format!("{name}: nearest two after 2 s"), "m", "> 0.9·2r", AtLeast(0.54), first.0));
        rows.push(quantity(format!("{name}: a second run differs by"), "m", "0", AtMost(0.0), off));
    }
    Ok(rows)
}
