//! Streams against each other: two crowds at one door, two streams that cross.

use glam::DVec3;

use super::Bound::{AtLeast, Shown};
use super::models::{CSM, ELLIPTIC, Model};
use super::passing::{new_passes, watch};
use super::{Case, Context, Measured, open, quantity, run};
use crate::experiment::Experiment;

pub(super) const OSCILLATION: Case = Case {
    name: "door-oscillation",
    about: "Two crowds of a hundred want through one door of 1 m in opposite directions: how often the direction of passing changes.",
    source: "Kretz and others, cond-mat/0601021: runs by the test of Wald and Wolfowitz; case 38",
    long: true,
    seed: "",
    scene: "scenes/validation/door_oscillation.ron",
    run: oscillation,
};

fn oscillation(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in [ELLIPTIC, CSM] {
        let passed = through_door(context, model)?;
        let name = model.name;
        let runs = 1.0 + passed.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64;
        let east = passed.iter().filter(|east| **east).count() as f64;
        let west = passed.len() as f64 - east;
        // Where the order of passing is chance, the number of runs is normal with these moments.
        let all = (east + west).max(2.0);
        let mean = 2.0 * east * west / all + 1.0;
        let deviation = ((mean - 1.0) * (mean - 2.0) / (all - 1.0)).max(0.0).sqrt();
        let through = quantity(format!("{name}: people who got through"), "", "all 200", AtLeast(190.0), east + west);
        rows.push(if model.name == CSM.name { through.known(NO_PUSHING) } else { through });
        rows.push(quantity(format!("{name}: changes of direction"), "", "> 0", AtLeast(1.0), runs - 1.0));
        rows.push(quantity(format!("{name}: runs expected by chance"), "", "", Shown, mean));
        let what = format!("{name}: deviations of the runs from chance");
        rows.push(quantity(what, "", "−1.96 and less: by turns", Shown, (runs - mean) / deviation.max(1e-9)));
    }
    Ok(rows)
}

/// Why two crowds in a door stand by the collision-free speed model.
const NO_PUSHING: &str = "who meets somebody in a door as wide as one person has no room ahead, and the model does not push: those who turn \
                          aside find others there";

/// Who passed the door in which direction, in the order of time: true to the east.
fn through_door(context: &Context, model: Model) -> Result<Vec<bool>, String> {
    let mut experiment = model.open(context, "validation/door_oscillation.ron", &[], None)?;
    let groups = experiment.world().agents.group.clone();
    let (mut passed, mut done) = (Vec::new(), vec![false; groups.len()]);
    watch(context, &mut experiment, 300.0, &mut |experiment, before| {
        // Half a metre beyond the door, so that who is pushed back is not counted twice.
        let (east, west) = (|at: DVec3| at.x - 0.5, |at: DVec3| -at.x - 0.5);
        let both = new_passes(experiment, before, &east)
            .filter(|pass| groups[pass.slot].index() == 0)
            .chain(new_passes(experiment, before, &west).filter(|pass| groups[pass.slot].index() == 1));
        let mut new: Vec<_> = both.filter(|pass| !std::mem::replace(&mut done[pass.slot], true)).collect();
        new.sort_by(|a, b| a.at.total_cmp(&b.at));
        passed.extend(new.iter().map(|pass| groups[pass.slot].index() == 0));
        passed.len() < groups.len()
    })?;
    Ok(passed)
}

pub(super) const STRIPES: Case = Case {
    name: "crossing-stripes",
    about: "Two streams cross at a right angle: people of one stream stand in stripes across the middle of both ways.",
    source: "Helbing and others 2005, Transportation Science 39(1); Naka 1977",
    long: false,
    seed: "",
    scene: "scenes/49_crossing.ron",
    run: stripes,
};

/// How much more those near in a direction are of one's own stream than by chance: sums of agreement and how many pairs, for
/// pairs along the stripes (across the middle of both ways) and along the middle of both ways.
fn agreement(experiment: &Experiment) -> [(f64, f64); 2] {
    let world = experiment.world();
    let agents = &world.agents;
    let crossing = |slot: &usize| agents.alive[*slot] && agents.position[*slot].abs().max_element() < 3.5;
    let inside: Vec<usize> = (0..agents.slots()).filter(crossing).collect();
    let mut sums = [(0.0, 0.0); 2];
    for (at, a) in inside.iter().enumerate() {
        for b in &inside[..at] {
            let apart = agents.position[*b] - agents.position[*a];
            // Nearer are only companions, who walk in pairs.
            if !(0.9..2.2).contains(&apart.length()) {
                continue;
            }
            let unit = apart.normalize_or_zero();
            let along = (unit.x - unit.y).abs() / std::f64::consts::SQRT_2;
            let across = (unit.x + unit.y).abs() / std::f64::consts::SQRT_2;
            let same = if agents.group[*a] == agents.group[*b] { 1.0 } else { -1.0 };
            // Within 22.5° of the direction.
            for (sum, share) in sums.iter_mut().zip([along, across]) {
                if share > 0.924 {
                    *sum = (sum.0 + same, sum.1 + 1.0);
                }
            }
        }
    }
    sums
}

fn stripes(context: &Context) -> Measured {
    let mut experiment = open(context, "49_crossing.ron", &[])?;
    run(&mut experiment, 20.0);
    let mut sums = [(0.0, 0.0); 2];
    for _ in 0..200 {
        context.go_on()?;
        run(&mut experiment, 0.5);
        for (sum, more) in sums.iter_mut().zip(agreement(&experiment)) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
    }
    let [along, across] = sums.map(|(same, pairs)| same / pairs.max(1.0));
    Ok(vec![
        quantity("pairs looked at", "", "", AtLeast(1000.0), sums[0].1 + sums[1].1),
        quantity("agreement of neighbors along the stripes", "", "", Shown, along),
        quantity("agreement of neighbors across them", "", "", Shown, across),
        quantity("along less across", "", "> 0: stripes", AtLeast(0.1), along - across),
    ])
}
