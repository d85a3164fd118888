//! Flow through doors and bottlenecks by width and model, arches before doors, and whether they freeze.

use super::Bound::{AtLeast, AtMost, Near, Shown};
use super::models::{CSM, CSM_DEFAULT, ELLIPTIC, MEASURED, Model, PRESSED, SIMPLE};
use super::passing::{flow, passes};
use super::{Case, Context, Measured, Quantity, quantity};

const SCENE: &str = "validation/bottleneck.ron";

/// What a model lets through a bottleneck of this width: persons per second (the 20th to the 120th), and how many passed.
fn through(context: &Context, model: Model, width: f64, until: f64) -> Result<(f64, f64), String> {
    let (upper, lower) = (format!("{}", 5.0 + width / 2.0), format!("{}", 5.0 - width / 2.0));
    let changes = [(", 5.5)", format!(", {upper})")), (", 4.5)", format!(", {lower})"))];
    let changes = changes.each_ref().map(|(from, to)| (*from, to.as_str()));
    let mut experiment = model.open(context, SCENE, &changes, None)?;
    let passed = passes(context, &mut experiment, until, &|at| at.x - 12.0)?;
    Ok((flow(&passed, 20, 120), passed.len() as f64))
}

pub(super) const CSM_FLOW: Case = Case {
    name: "bottleneck-csm",
    about: "150 people through a bottleneck of 2 m length by the collision-free speed model: flow by width and time gap.",
    source: "about 1.9 persons per m and s empirically; JuPedSim 1.4.2 measured on this geometry (table 2b); NIST 5.2",
    long: false,
    seed: "",
    scene: "scenes/validation/bottleneck.ron",
    run: csm_flow,
};

fn csm_flow(context: &Context) -> Measured {
    let mut rows = Vec::new();
    let theirs = [
        (CSM, [("1.66", 1.66), ("1.69", 1.69), ("1.76", 1.76)]),
        (CSM_DEFAULT, [("0.86", 0.86), ("1.06", 1.06), ("1.10", 1.10)]),
    ];
    for (model, figures) in theirs {
        for (width, (text, figure)) in [1.0, 1.2, 2.0].into_iter().zip(figures) {
            let (flow, passed) = through(context, model, width, 300.0)?;
            let what = format!("{}, {width} m: flow per width", model.name);
            rows.push(quantity(what, "1/(m s)", text, Near(figure, 0.2 * figure), flow / width));
            let what = format!("{}, {width} m: people who passed", model.name);
            rows.push(quantity(what, "", "all 150", Near(150.0, 0.0), passed));
        }
    }
    let (flow, passed) = through(context, CSM, 0.5, 400.0)?;
    rows.push(quantity("csm, T 0.5 s, 0.5 m: flow", "1/s", "1.16 with 75 people in a gap of 0.5 m", Shown, flow));
    rows.push(quantity("csm, T 0.5 s, 0.5 m: people who passed", "", "", Shown, passed));
    Ok(rows)
}

pub(super) const FORCE_FLOW: Case = Case {
    name: "bottleneck-forces",
    about: "The same with the social forces: flow by width, against what people do.",
    source: "about 1.9 persons per m and s empirically; JuPedSim 1.4.2 with small bodies: 3.26 to 3.88",
    long: true,
    seed: "",
    scene: "scenes/validation/bottleneck.ron",
    run: force_flow,
};

fn force_flow(context: &Context) -> Measured {
    let mut rows = Vec::new();
    for model in [SIMPLE, ELLIPTIC, PRESSED, MEASURED] {
        for (width, theirs) in [(1.0, ("3.26", 3.26)), (1.2, ("3.68", 3.68)), (2.0, ("3.88", 3.88))] {
            let (flow, passed) = through(context, model, width, 200.0)?;
            let people = flow_row(model, width, flow);
            let widest = match model.name {
                name if name == ELLIPTIC.name => 1.2,
                name if name == PRESSED.name => 1.0,
                _ => f64::INFINITY,
            };
            let off = width <= widest;
            rows.push(if off { people.known(why_off(model)) } else { people });
            if model.name == SIMPLE.name {
                let what = format!("{}, {width} m: flow per width, as in JuPedSim", model.name);
                rows.push(quantity(what, "1/(m s)", theirs.0, Near(theirs.1, 0.2 * theirs.1), flow / width));
            }
            let what = format!("{}, {width} m: people who passed", model.name);
            rows.push(quantity(what, "", "all 150", AtLeast(145.0), passed));
        }
    }
    Ok(rows)
}

/// Why a force does not give the flow of people.
fn why_off(model: Model) -> &'static str {
    match model.name {
        name if name == SIMPLE.name => {
            "bodies of 0.2 m slip through about twice as fast as people; JuPedSim 1.4.2 measures the same of this force"
        }
        name if name == ELLIPTIC.name => "nothing but repulsion keeps bodies apart, and in a press they overlap",
        name if name == PRESSED.name => {
            "bodies of 0.3 m rub in a narrow door: 1.4 to 1.5 per second with 0.25 to 0.35 m, measured with other code too"
        }
        _ => "the law was measured at low density, and knows no waiting in a press",
    }
}

fn flow_row(model: Model, width: f64, flow: f64) -> Quantity {
    let what = format!("{}, {width} m: flow per width", model.name);
    quantity(what, "1/(m s)", "1.9", Near(1.9, 0.38), flow / width)
}

pub(super) const CLOGGING: Case = Case {
    name: "csm-clogging",
    about: "150 people, a bottleneck of 0.8 m and the default time gap of the collision-free speed model: no arch stands for good.",
    source: "JuPedSim 1.4.2: 12 and 20 of 150 in 400 s, then frozen; case 24",
    long: false,
    seed: "",
    scene: "scenes/validation/bottleneck.ron",
    run: clogging,
};

fn clogging(context: &Context) -> Measured {
    let (flow, passed) = through(context, CSM_DEFAULT, 0.8, 400.0)?;
    Ok(vec![
        quantity("people who passed in 400 s", "", "12 and 20 of 150", AtLeast(140.0), passed),
        quantity("flow", "1/s", "", Shown, flow),
    ])
}

pub(super) const ARCH: Case = Case {
    name: "arching",
    about: "Two hundred press towards a door of 1 m with 2 m/s by the social force of 2000: the crowd stands in half a circle before it.",
    source: "Helbing, Farkas and Vicsek 2000; case 40",
    long: true,
    seed: "1",
    scene: "scenes/47_bottleneck.ron",
    run: arch,
};

/// Sectors of the half circle before the door, beside the walls.
const SECTORS: usize = 8;

fn arch(context: &Context) -> Measured {
    // Sums of the way from the door to the outermost in each sector while 120 to 60 are inside, and people within 2.5 m.
    let (mut edge, mut looks, mut near, mut covered) = ([0.0; SECTORS], 0.0, 0.0, 0.0);
    super::crowd::leave_watched(2.0, 1, 500.0, 200.0, &mut |world| {
        if !(60..=120).contains(&world.agents.count()) || !world.tick.is_multiple_of(50) {
            return context.go_on();
        }
        let mut outermost = [0.0_f64; SECTORS];
        for slot in (0..world.agents.slots()).filter(|slot| world.agents.alive[*slot]) {
            let from = world.agents.position[slot] - glam::DVec3::new(15.0, 7.5, 0.0);
            if from.x > 0.0 {
                continue;
            }
            let distance = from.length();
            if distance < 2.5 {
                near += 1.0;
                let radius = world.agents.radius[slot] + super::crowd::MARGIN;
                covered += std::f64::consts::PI * radius * radius;
            }
            // 0 along the wall to the south, 1 along the wall to the north.
            let share = libm::atan2(from.y, -from.x) / std::f64::consts::PI + 0.5;
            let sector = ((share * SECTORS as f64) as usize).min(SECTORS - 1);
            outermost[sector] = outermost[sector].max(distance);
        }
        (0..SECTORS).for_each(|sector| edge[sector] += outermost[sector]);
        looks += 1.0;
        context.go_on()
    })?;
    let radii = edge.map(|sum| sum / f64::max(looks, 1.0));
    let radius = radii.iter().sum::<f64>() / SECTORS as f64;
    let off = (radii.iter().map(|r| (r - radius) * (r - radius)).sum::<f64>() / SECTORS as f64).sqrt();
    let area = std::f64::consts::PI * 2.5 * 2.5 / 2.0;
    Ok(vec![
        quantity("moments looked at", "", "", AtLeast(50.0), looks),
        quantity("radius of the half circle, mean", "m", "", Shown, radius),
        quantity("its edge off the half circle, by its radius", "", "< 15 %", AtMost(0.15), off / radius),
        quantity(
            "ground within 2.5 m of the door that bodies cover",
            "",
            "pressed",
            AtLeast(0.6),
            covered / f64::max(looks, 1.0) / area,
        ),
        quantity(
            "density within 2.5 m of the door",
            "1/m2",
            "> 4; bodies of 0.6 m reach 3.2",
            Shown,
            near / f64::max(looks, 1.0) / area,
        ),
    ])
}
