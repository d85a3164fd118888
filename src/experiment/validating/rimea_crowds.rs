//! Whole buildings by the tests 8 to 15 of RiMEA's guideline: who leaves by which exit, where it jams, and how long it takes.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::models::CSM;
use super::passing::{Pass, density, end, flow, new_passes, passes, watch};
use super::rimea::depth_in_walls;
use super::{Case, Context, Measured, quantity};

pub(super) const PARAMETERS: Case = Case {
    name: "rimea-8-parameters",
    about: "120 people in twelve rooms leave by one exit: faster people, smaller bodies and shorter time gaps empty it sooner.",
    source: "RiMEA 8; case 7",
    long: false,
    seed: "8 to 12",
    scene: "scenes/validation/rimea_08_parameters.ron",
    run: parameters,
};

/// The seeds over which [`PARAMETERS`] takes means.
const PARAMETER_SEEDS: [u64; 5] = [8, 9, 10, 11, 12];

fn parameters(context: &Context) -> Measured {
    // The last of 120 is a matter of luck: the mean over seeds counts.
    let took = |from: &str, to: &str| -> Result<f64, String> {
        let mut sum = 0.0;
        for seed in PARAMETER_SEEDS {
            let mut experiment = CSM.open(context, "validation/rimea_08_parameters.ron", &[(from, to)], Some(seed))?;
            let passed = passes(context, &mut experiment, 600.0, &|at| -at.x)?;
            sum += end(&passed, 120);
        }
        Ok(sum / PARAMETER_SEEDS.len() as f64)
    };
    let mut rows = Vec::new();
    let studies = [
        ("desired speed", "m/s", "\"csm.speed\": 1.33", "\"csm.speed\": ", ["0.6", "0.9", "1.2", "1.5"], -1.0),
        ("radius", "m", "radius: 0.15", "radius: ", ["0.1", "0.15", "0.2", "0.25"], 1.0),
    ];
    for (name, unit, from, to, values, sign) in studies {
        let mut before: Option<f64> = None;
        for value in values {
            let secs = took(from, &format!("{to}{value}"))?;
            let rises = before.map_or(Shown, |before| if sign > 0.0 { AtLeast(before) } else { AtMost(before) });
            rows.push(quantity(format!("{name} {value} {unit}: all out, mean of 5"), "s", "monotone", rises, secs));
            before = Some(secs);
        }
    }
    Ok(rows)
}

pub(super) const FOUR_DOORS: Case = Case {
    name: "rimea-9-four-doors",
    about: "A thousand people leave a hall by four doors of 1 m, then by two of them: about twice the time.",
    source: "RiMEA 9, which documents it without excluding anybody; NIST 5.2; case 8",
    long: true,
    seed: "",
    scene: "scenes/validation/rimea_09_four_doors.ron",
    run: four_doors,
};

/// How many of the thousand are waited for when times are compared.
const MOST: usize = 950;

fn four_doors(context: &Context) -> Measured {
    let took = |changes: &[(&str, &str)]| -> Result<(f64, f64), String> {
        let mut experiment = CSM.open(context, "validation/rimea_09_four_doors.ron", changes, None)?;
        let passed = passes(context, &mut experiment, 900.0, &|at| (at.y - 20.0).max(-at.y))?;
        Ok((end(&passed[..passed.len().min(MOST)], MOST), passed.len() as f64))
    };
    let ((four, out_of_four), (two, out_of_two)) = (took(&[])?, took(&[("open: true", "open: false")])?);
    Ok(vec![
        quantity("four doors: people who left", "", "all 1000", Near(1000.0, 0.0), out_of_four),
        quantity("four doors: 950 out", "s", "", Shown, four),
        quantity("two doors: people who left", "", "all 1000", Near(1000.0, 0.0), out_of_two),
        quantity("two doors: 950 out", "s", "", Shown, two),
        quantity("two doors by four", "", "about 2", Near(2.0, 0.3), two / four),
    ])
}

pub(super) const ROOMS: Case = Case {
    name: "rimea-10-rooms",
    about: "23 people in twelve rooms on a corridor: each one leaves by the exit that it was assigned.",
    source: "RiMEA 10; NIST 3.1; case 9",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_10_rooms.ron",
    run: rooms,
};

fn rooms(context: &Context) -> Measured {
    let mut experiment = CSM.open(context, "validation/rimea_10_rooms.ron", &[], None)?;
    let groups = experiment.world().agents.group.clone();
    // Beyond either end of the corridor.
    let passed = passes(context, &mut experiment, 120.0, &|at| (at.x - 30.0).max(-at.x))?;
    let told = |pass: &&Pass| (pass.place.x < 15.0) == (groups[pass.slot].index() == 0);
    let share = passed.iter().filter(told).count() as f64 / groups.len() as f64;
    Ok(vec![
        quantity("people who left", "", "all 23", Near(23.0, 0.0), passed.len() as f64),
        quantity("who left by the exit assigned", "", "100 %", AtLeast(1.0), share),
        quantity("all out", "s", "", Shown, end(&passed, 23)),
    ])
}

pub(super) const BOTTLENECKS: Case = Case {
    name: "rimea-12-bottlenecks",
    about: "150 people, a room, a corridor of 1 m, a second room with a door of 1 m: a jam in the first room only.",
    source: "RiMEA 12, a documentation; case 11",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_12_bottlenecks.ron",
    run: bottlenecks,
};

fn bottlenecks(context: &Context) -> Measured {
    let mut experiment = CSM.open(context, "validation/rimea_12_bottlenecks.ron", &[], None)?;
    let (mut first, mut second, mut whole) = (0.0_f64, 0.0_f64, 0.0_f64);
    let (mut sums, mut looks) = ([0.0; 2], 0.0);
    watch(context, &mut experiment, 300.0, &mut |experiment, _| {
        // The two metres before the corridor, and before the door.
        let before = [density(experiment, (8.0, 4.0), (10.0, 6.0)), density(experiment, (23.0, 4.0), (25.0, 6.0))];
        whole = whole.max(density(experiment, (15.0, 0.0), (25.0, 10.0)));
        (first, second) = (first.max(before[0]), second.max(before[1]));
        let time = experiment.world().time();
        if (20.0..60.0).contains(&time) {
            sums = [sums[0] + before[0], sums[1] + before[1]];
            looks += 1.0;
        }
        true
    })?;
    let means = sums.map(|sum| sum / f64::max(looks, 1.0));
    Ok(vec![
        quantity("people who left", "", "all 150", Near(150.0, 0.0), 150.0 - experiment.world().agents.count() as f64),
        quantity("before the corridor, 20 to 60 s, mean density", "1/m2", "a jam", AtLeast(2.0), means[0]),
        quantity("before the door of room 2, 20 to 60 s, mean density", "1/m2", "< 1.5", AtMost(1.5), means[1]),
        quantity("room 2, densest moment", "1/m2", "< 1.5", AtMost(1.5), whole),
        quantity("before the corridor, densest moment", "1/m2", "", Shown, first),
        quantity("before the door of room 2, densest moment", "1/m2", "", Shown, second),
        quantity("all out", "s", "", Shown, experiment.world().time()),
    ])
}

pub(super) const BEFORE_STAIRS: Case = Case {
    name: "rimea-13-before-stairs",
    about: "150 people walk through a corridor of 2 m and up stairs: fewer per second than on the level, and a jam before the first step.",
    source: "RiMEA 13; case 12",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_13_before_stairs.ron",
    run: before_stairs,
};

fn before_stairs(context: &Context) -> Measured {
    let through = |speed: &str| -> Result<(f64, f64), String> {
        let change = ("speed: 0.45865", speed);
        let mut experiment = CSM.open(context, "validation/rimea_13_before_stairs.ron", &[change], None)?;
        let (mut sum, mut looks, mut passed) = (0.0, 0.0, Vec::new());
        watch(context, &mut experiment, 300.0, &mut |experiment, before| {
            passed.extend(new_passes(experiment, before, &|at| at.x - 23.0));
            if (20.0..40.0).contains(&experiment.world().time()) {
                sum += density(experiment, (14.0, 3.0), (17.0, 5.0));
                looks += 1.0;
            }
            true
        })?;
        Ok((flow(&passed, 20, 120), sum / f64::max(looks, 1.0)))
    };
    let (stairs, level) = (through("speed: 0.45865")?, through("speed: 1")?);
    Ok(vec![
        quantity("flow off the stairs", "1/s", "", Shown, stairs.0),
        quantity("flow on the level", "1/s", "", Shown, level.0),
        quantity("stairs by level", "", "< 1", AtMost(0.9), stairs.0 / level.0),
        quantity("before the stairs, mean density", "1/m2", "", Shown, stairs.1),
        quantity("the same without stairs", "1/m2", "", Shown, level.1),
        quantity("density before the stairs by that without", "", "a jam", AtLeast(1.3), stairs.1 / level.1),
    ])
}

pub(super) const WAY: Case = Case {
    name: "rimea-14-way",
    about: "A short way with 10 m of stairs, or a longer one on the level: a hundred people choose by the factor of the speed on the stairs.",
    source: "RiMEA 14, a documentation: all take the quicker way; case 13",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_14_way.ron",
    run: way,
};

fn way(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for (factor, text, expected) in
        [("0.6", "short", AtLeast(0.99)), ("0.3", "", Shown), ("0.25", "", Shown), ("0.2", "long", AtMost(0.01))]
    {
        let change = format!("speed: {factor}");
        let mut experiment = CSM.open(context, "validation/rimea_14_way.ron", &[("speed: 0.6", &change)], None)?;
        // Both ways cross the middle of the core: the stairs west of it, the level way east of it.
        let passed = passes(context, &mut experiment, 240.0, &|at| at.y - 17.0)?;
        let stairs = passed.iter().filter(|pass| pass.place.x < 8.0).count() as f64 / 100.0;
        rows.push(quantity(format!("factor {factor}: share that takes the stairs"), "", text, expected, stairs));
        let what = format!("factor {factor}: people who got through");
        rows.push(quantity(what, "", "all 100", Near(100.0, 0.0), passed.len() as f64));
    }
    Ok(rows)
}

pub(super) const CROWD_CORNER: Case = Case {
    name: "rimea-15-corner",
    about: "300 people round a corner of a corridor of 4 m, along a straight one as long, and round a corner that is cut.",
    source: "RiMEA 15; case 14",
    long: false,
    seed: "",
    scene: "scenes/validation/rimea_15_corner.ron",
    run: crowd_corner,
};

fn crowd_corner(context: &Context) -> Measured {
    const OUTER: &str = "points: [(12, 0), (12, -6), (0, -6), (0, 10), (12, 10), (12, 4), (22, 4), (22, 40)]";
    const INNER: &str = "points: [(12, 0), (26, 0), (26, 40)]";
    const FLOOR: &str = "points: [(-1, -7), (27, -7), (27, 40), (-1, 40)]";
    const AREA: &str = "max: (27, 20)";
    let through = |changes: &[(&str, &str)], straight: bool| -> Result<(f64, f64, usize), String> {
        let mut experiment = CSM.open(context, "validation/rimea_15_corner.ron", changes, None)?;
        // 12 m into the first leg and 16 m along the second one, measured along the middle of the corridor.
        let beyond = move |at: glam::DVec3| if straight { at.x - 40.0 } else { at.y - 18.0 };
        let mut passed = Vec::new();
        let mut deepest = f64::NEG_INFINITY;
        watch(context, &mut experiment, 400.0, &mut |experiment, before| {
            deepest = deepest.max(depth_in_walls(experiment));
            passed.extend(new_passes(experiment, before, &beyond));
            true
        })?;
        Ok((end(&passed, 300), deepest, passed.len()))
    };
    let corner = through(&[], false)?;
    let straight = through(
        &[
            (OUTER, "points: [(12, 0), (12, -6), (0, -6), (0, 10), (12, 10), (12, 4), (60, 4)]"),
            (INNER, "points: [(12, 0), (60, 0)]"),
            (FLOOR, "points: [(-1, -7), (60, -7), (60, 11), (-1, 11)]"),
            (AREA, "max: (42, 11)"),
            ("goal: (24, 38)", "goal: (58, 2)"),
        ],
        true,
    )?;
    let cut = through(
        &[
            (OUTER, "points: [(12, 0), (12, -6), (0, -6), (0, 10), (12, 10), (12, 4), (18, 4), (22, 8), (22, 40)]"),
            (INNER, "points: [(12, 0), (22, 0), (26, 4), (26, 40)]"),
        ],
        false,
    )?;
    let mut rows = Vec::new();
    for (name, (secs, deepest, passed)) in [("corner", corner), ("straight", straight), ("corner cut", cut)] {
        rows.push(quantity(format!("{name}: all through"), "s", "", Shown, secs));
        rows.push(quantity(format!("{name}: people through"), "", "all 300", Near(300.0, 0.0), passed as f64));
        rows.push(quantity(format!("{name}: body in a wall, deepest"), "m", "< 0.01 m", AtMost(0.01), deepest));
    }
    rows.push(quantity("corner by straight", "", "≥ 1", AtLeast(1.0), corner.0 / straight.0));
    Ok(rows)
}

pub(super) const TWO_DOORS: Case = Case {
    name: "rimea-11-two-doors",
    about: "A thousand people in one half of a hall with a near and a far door: how many see that the far one is quicker.",
    source: "RiMEA 11; NIST 4.1; case 10",
    long: true,
    seed: "",
    scene: "scenes/validation/rimea_11_two_doors.ron",
    run: two_doors,
};

fn two_doors(context: &Context) -> Measured {
    let leave = |choice: &str| -> Result<Vec<Pass>, String> {
        let change = ("LeastCrowded", choice);
        let mut experiment = CSM.open(context, "validation/rimea_11_two_doors.ron", &[change], None)?;
        passes(context, &mut experiment, 900.0, &|at| at.y - 20.0)
    };
    let far = |passed: &[Pass]| passed.iter().filter(|pass| pass.place.x > 15.0).count() as f64 / 1000.0;
    let (sees, nearest) = (leave("LeastCrowded")?, leave("Nearest")?);
    Ok(vec![
        quantity("by the time to be out: people who left", "", "all 1000", Near(1000.0, 0.0), sees.len() as f64),
        quantity("by the time to be out: share of the far door", "", "> 0", AtLeast(0.01), far(&sees)),
        quantity("by the time to be out: share of the near door", "", "preferred", AtLeast(0.5), 1.0 - far(&sees)),
        quantity("by the time to be out: all out", "s", "", Shown, end(&sees, 1000)),
        quantity("by the way alone: share of the far door", "", "about 0", AtMost(0.1), far(&nearest)),
        quantity("by the way alone: all out", "s", "", Shown, end(&nearest, 1000)),
        quantity(
            "all out: by the time by that of the way alone",
            "",
            "",
            AtMost(1.0),
            end(&sees, 1000) / end(&nearest, 1000),
        ),
    ])
}
