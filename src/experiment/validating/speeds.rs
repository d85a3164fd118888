//! Speed by density: the fundamental diagram in a corridor without ends, and the closed queue.

use glam::DVec3;

use super::Bound::{AtMost, Near, Shown};
use super::models::{CSM, CSM_DEFAULT, ELLIPTIC, MEASURED, Model, PRESSED, SIMPLE};
use super::passing::watch;
use super::{Case, Context, Measured, Quantity, quantity};
use crate::experiment::Experiment;
use crate::sim::Stream;
use crate::sim::rng::Use;

/// Weidmann's diagram (1993): the speed at a density in persons per m², m/s.
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - libm::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))
}

/// People in a corridor of 1.8 m: density in 1/m², speed in m/s, as measured with PedPy in nine public recordings.
const RECORDED: [(f64, f64); 9] = [
    (0.524, 1.337),
    (0.554, 1.378),
    (0.646, 1.339),
    (1.144, 1.198),
    (1.597, 0.989),
    (1.681, 0.956),
    (2.107, 0.647),
    (2.528, 0.419),
    (2.935, 0.320),
];

/// The speed of the recordings at a density between them.
fn recorded(density: f64) -> Option<f64> {
    let pair = RECORDED.windows(2).find(|pair| (pair[0].0..=pair[1].0).contains(&density))?;
    let share = (density - pair[0].0) / (pair[1].0 - pair[0].0);
    Some(pair[0].1 + share * (pair[1].1 - pair[0].1))
}

/// Length and width of the corridor, m.
const CORRIDOR: (f64, f64) = (15.0, 4.0);

/// How near to each other people start, m, with bodies of 0.15 m.
const APART: f64 = 0.31;

/// Places drawn one after the other, none nearer to another one than [`APART`]: people stand in no rows, which would last.
fn places(count: f64) -> Vec<DVec3> {
    let (length, width) = CORRIDOR;
    let mut luck = Stream::new(1, 0, 0, Use::Spawn);
    let mut places: Vec<DVec3> = Vec::new();
    while (places.len() as f64) < count {
        let place = DVec3::new(luck.uniform(0.0, length), luck.uniform(0.2, width - 0.2), 0.0);
        let clear = |other: &DVec3| {
            let along = (place.x - other.x).abs();
            libm::hypot(along.min(length - along), place.y - other.y) >= APART
        };
        if places.iter().all(clear) {
            places.push(place);
        }
    }
    places
}

/// The mean speed along the corridor after ten seconds, over five, m/s, and the density.
fn speed_at(context: &Context, model: Model, density: f64) -> Result<(f64, f64), String> {
    let count = (density * CORRIDOR.0 * CORRIDOR.1).round();
    let places = places(count).into_iter().map(|place| format!("({:.3}, {:.3})", place.x, place.y));
    let points = format!("spawn: Points(points: [{}])", places.collect::<Vec<_>>().join(", "));
    let changes =
        [("count: 120, spawn: Grid(at: (0.25, 0.25), columns: 30, spacing: 0.5, jitter: 0.09)", points.as_str())];
    let mut experiment = model.open(context, "validation/rimea_04_fundamental_diagram.ron", &changes, None)?;
    let (mut sum, mut looks) = (0.0, 0.0);
    watch(context, &mut experiment, 15.0, &mut |experiment, _| {
        if experiment.world().time() > 10.0 {
            sum += mean_along(experiment);
            looks += 1.0;
        }
        true
    })?;
    Ok((sum / f64::max(looks, 1.0), count / (CORRIDOR.0 * CORRIDOR.1)))
}

/// The mean velocity along x, m/s.
fn mean_along(experiment: &Experiment) -> f64 {
    let agents = &experiment.world().agents;
    agents.velocity.iter().map(|v| v.x).sum::<f64>() / (agents.slots() as f64).max(1.0)
}

/// Why a model is known to be off the diagram at a density; none where it should fit.
fn known(model: &str, density: f64) -> Option<&'static str> {
    match model {
        _ if model == CSM.name && density >= 1.0 => Some(ONE_GAP),
        _ if model == CSM_DEFAULT.name && density >= 4.0 => Some(SMALL_BODIES),
        _ if model == ELLIPTIC.name && density >= 2.0 => Some(EVEN_STREAM),
        _ if [SIMPLE, PRESSED, MEASURED].iter().any(|other| other.name == model) && density >= 1.0 => Some(EVEN_STREAM),
        _ => None,
    }
}

/// Why the calibrated time gap is too fast here.
const ONE_GAP: &str = "one time gap does not serve both: 0.5 s gives the 1.9 persons per metre and second of bottlenecks, which \
                       Weidmann's diagram (1.22 at most) does not know; 1 s gives the diagram";

/// Why forces hardly slow an even stream.
const EVEN_STREAM: &str = "in an even stream of one direction the pushes from ahead and from behind cancel, and the law has no time gap: \
                           its diagram comes from bottlenecks and obstacles, not from itself";

/// Why the model still walks near the jam.
const SMALL_BODIES: &str = "bodies of 0.3 m stand still at 11 per m², Weidmann's people at 5.4";

fn diagram(context: &Context, models: &[Model], densities: &[f64]) -> Result<Vec<Quantity>, String> {
    let mut rows = Vec::new();
    for model in models {
        for density in densities {
            let (speed, exact) = speed_at(context, *model, *density)?;
            let theirs = weidmann(exact);
            // Speeds near the jam are small: 5 cm/s are allowed there.
            let what = format!("{}, {density} per m²: speed", model.name);
            let row = quantity(what, "m/s", "Weidmann ± 20 %", Near(theirs, (0.2 * theirs).max(0.05)), speed);
            rows.push(match known(model.name, *density) {
                Some(why) => row.known(why),
                None => row,
            });
            if let Some(speed_recorded) = recorded(exact) {
                let what = format!("{}, {density} per m²: by that of nine recordings", model.name);
                rows.push(quantity(what, "", "1 ± 0.2", Shown, speed / speed_recorded));
            }
        }
    }
    Ok(rows)
}

pub(super) const DIAGRAM: Case = Case {
    name: "rimea-4-diagram-csm",
    about: "The speed by the density in a corridor of 4 m without ends, by the collision-free speed model with time gaps of 0.5 s and 1 s.",
    source: "RiMEA 4; Weidmann 1993; nine recordings of a corridor of 1.8 m; cases 3, 16 and 17",
    long: false,
    seed: "1",
    scene: "scenes/validation/rimea_04_fundamental_diagram.ron",
    run: |context| diagram(context, &[CSM, CSM_DEFAULT], &[0.5, 1.0, 2.0, 3.0, 4.0]),
};

pub(super) const DIAGRAM_FORCES: Case = Case {
    name: "rimea-4-diagram-forces",
    about: "The same by the social forces of 1995 and 2000, the simple one, and the law of Moussaïd, to 4 per m².",
    source: "RiMEA 4; Weidmann 1993; nine recordings of a corridor of 1.8 m; cases 3, 16 and 17",
    long: true,
    seed: "1",
    scene: "scenes/validation/rimea_04_fundamental_diagram.ron",
    run: |context| diagram(context, &[SIMPLE, ELLIPTIC, PRESSED, MEASURED], &[0.5, 1.0, 2.0, 3.0, 4.0]),
};

pub(super) const SINGLE_FILE: Case = Case {
    name: "csm-single-file",
    about: "A closed queue of 20 m by the collision-free speed model: v = min(v0, (1/ρ − 2r)/T), whatever the density.",
    source: "Tordeux, Chraibi and Seyfried 2016, eq. 5; RiMEA 4 in one dimension",
    long: false,
    seed: "",
    scene: "scenes/validation/single_file.ron",
    run: single_file,
};

fn single_file(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for (count, gap) in [(8, 1.0), (12, 1.0), (16, 1.0), (24, 1.0), (36, 1.0), (16, 0.5), (30, 0.5)] {
        let spacing = 20.0 / f64::from(count);
        let grid = format!("count: {count}, spawn: Grid(at: (0, 0), columns: {count}, spacing: {spacing})");
        let time = format!("\"csm.time_gap\": {gap}}}");
        let changes = [
            ("count: 16, spawn: Grid(at: (0, 0), columns: 16, spacing: 1.25)", grid.as_str()),
            ("\"csm.time_gap\": 1}", &time),
        ];
        let mut experiment = super::opening::open_changed(context, "validation/single_file.ron", &changes)?;
        let exact = ((spacing - 0.4) / gap).min(1.2);
        let mut off = 0.0_f64;
        watch(context, &mut experiment, 20.0, &mut |experiment, _| {
            if experiment.world().time() > 5.0 {
                let speeds = experiment.world().agents.velocity.iter().map(|v| (v.x - exact).abs());
                off = off.max(speeds.fold(0.0, f64::max));
            }
            true
        })?;
        let what = format!("ring of {count}, T {gap} s: speed");
        let speed = mean_along(&experiment);
        rows.push(quantity(what, "m/s", "(1/ρ − 2r)/T, v0 at most", Near(exact, 1e-9), speed));
        let what = format!("ring of {count}, T {gap} s: largest deviation of anybody in 15 s");
        rows.push(quantity(what, "m/s", "", AtMost(1e-9), off));
    }
    Ok(rows)
}
