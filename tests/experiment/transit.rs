//! Straight ways in step: what is guaranteed is kept, what is not is said with the pair that breaks it; places that stay.

use std::fmt::Write as _;

use glam::DVec3;
use swarmyard::experiment::Experiment;
use swarmyard::experiment::apart::{ApartRun, AssignmentRun};
use swarmyard::sim::rng::Use;
use swarmyard::sim::{Stream, Way};

use super::helpers::{expect_no_errors, open, run, small_project};

const RADIUS: f64 = 0.3;

/// Points at least `apart` from each other in a box of this size; flat unless it has a height.
fn spread(luck: &mut Stream, count: usize, size: DVec3, apart: f64) -> Vec<DVec3> {
    let mut points: Vec<DVec3> = Vec::new();
    let mut tries = 0;
    while points.len() < count {
        tries += 1;
        assert!(tries < 2_000_000, "no room for {count}");
        let at =
            DVec3::new(luck.uniform(0.0, size.x), luck.uniform(0.0, size.y), luck.uniform(0.0, size.z.max(1e-300)));
        // As the files write it.
        let at = (at * 1e4).round() / 1e4;
        if points.iter().all(|other| other.distance(at) >= apart) {
            points.push(at);
        }
    }
    points
}

/// Drones at `starts` that are ordered to `places`, with a body as given.
fn swap(starts: &[DVec3], places: &[DVec3], body: &str, behavior: &str) -> (tempfile::TempDir, Experiment) {
    let list = |points: &[DVec3]| {
        points.iter().fold(String::new(), |mut text, p| {
            write!(text, "({}, {}, {}), ", p.x, p.y, p.z).expect("a string takes it");
            text
        })
    };
    let scene = format!(
        "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [Group(name: \"d\", spawn: Points([{}]), body: (radius: {RADIUS}, {body}), behavior: \"{behavior}\")], schedule: [At(0.1, Form(group: \"d\", formation: \"goal\", pose: (at: (0, 0))))])",
        list(starts)
    );
    let slots = list(places).replace('(', "{").replace(')', "}");
    let formation = format!("return yard.formation {{ slots = function() return {{ {slots} }} end }}");
    small_project(&scene, &[("scripts/formations/goal.luau", &formation)])
}

fn assignment(experiment: &mut Experiment) -> AssignmentRun {
    experiment.report().groups[0].assignment.clone().expect("an order was given")
}

fn apart(experiment: &mut Experiment) -> ApartRun {
    assignment(experiment).apart.expect("few enough")
}

/// Where an agent should be on its way now.
fn on_way(from: DVec3, to: DVec3, way: Way, tick: u64, dt: f64) -> DVec3 {
    let u = ((tick - way.began) as f64 * dt / way.secs).clamp(0.0, 1.0);
    from + (to - from) * (u * u * u * (10.0 - 15.0 * u + 6.0 * u * u))
}

/// Runs until all are there: the least distance of two centers, and the largest distance from the way, m.
fn fly(experiment: &mut Experiment) -> (f64, f64) {
    let (mut least, mut off) = (f64::INFINITY, 0.0_f64);
    run(experiment, 7);
    let secs = experiment.world().agents.place[0].expect("ordered").way.secs;
    let ticks = ((secs + 2.0) / experiment.world().dt()) as u64;
    for _ in 0..ticks {
        experiment.tick();
        let world = experiment.world();
        let at = &world.agents.position;
        for (i, point) in at.iter().enumerate() {
            least = at[..i].iter().map(|other| other.distance(*point)).fold(least, f64::min);
            let place = world.agents.place[i].expect("ordered");
            let should = on_way(place.way.from, place.position, place.way, world.tick, world.dt());
            off = off.max(point.distance(should));
        }
    }
    let world = experiment.world();
    for slot in 0..world.agents.slots() {
        let place = world.agents.place[slot].expect("ordered");
        assert!(world.agents.position[slot].distance(place.position) < 0.01, "{slot} is not there");
        assert!(world.agents.speed(slot) < 0.02, "{slot} is not at rest");
    }
    (least, off)
}

const NIMBLE: &str = "max_speed: 6, max_acceleration: 5, turn_rate: 2";

/// CAPT: starts and places at least 2√2·R apart, plus what tracking may cost: nobody touches anybody, whatever the swap.
#[test]
fn sixty_drones_that_are_far_enough_apart_never_touch() {
    let needed = 2.0 * 2.0_f64.sqrt() * RADIUS;
    for (case, size) in [("flat", DVec3::new(13.0, 13.0, 0.0)), ("solid", DVec3::new(6.0, 6.0, 6.0))] {
        for seed in 1..=4 {
            let mut luck = Stream::new(seed, 0, 0, Use::Spawn);
            let (starts, places) = (spread(&mut luck, 60, size, needed), spread(&mut luck, 60, size, needed));
            let (_folder, mut experiment) = swap(&starts, &places, NIMBLE, "transit");
            let (least, off) = fly(&mut experiment);
            expect_no_errors(&experiment);
            let run = assignment(&mut experiment);
            let apart = run.apart.as_ref().expect("few enough");
            assert!(apart.guaranteed, "{case} {seed}: {:?}", apart.why);
            assert!((apart.needed - needed).abs() < 1e-12);
            assert!(apart.starts.as_ref().is_some_and(|pair| pair.distance >= needed));
            // The body follows its way to a hundredth of a millimeter, so the guarantee is that of the geometry.
            assert!(off < 1e-5, "{case} {seed}: {off} m off the way");
            assert!(least >= 2.0 * RADIUS - 2.0 * off, "{case} {seed}: {least} m");
            let closest = apart.closest.as_ref().expect("pairs").distance;
            assert!((least - closest).abs() < 0.02, "{case} {seed}: foretold {closest} m, flown {least} m");
            assert!(run.greedy.expect("few") > run.squared, "nearest first is no better");
        }
    }
}

/// With a lag and dead time it follows less exactly; the slack that the report names is what it may lose.
#[test]
fn a_body_with_a_lag_stays_within_the_slack() {
    let mut luck = Stream::new(9, 0, 0, Use::Spawn);
    let size = DVec3::new(16.0, 16.0, 0.0);
    let (starts, places) = (spread(&mut luck, 60, size, 1.1), spread(&mut luck, 60, size, 1.1));
    let body = format!("{NIMBLE}, lag: 0.1, dead_time: 0.05");
    let (_folder, mut experiment) = swap(&starts, &places, &body, "transit");
    let (least, off) = fly(&mut experiment);
    let apart = apart(&mut experiment);
    let slack = apart.slack.expect("pairs");
    assert!(apart.guaranteed && slack > 0.08, "{slack}");
    assert!(off < slack, "{off} m off the way of {slack} m");
    assert!(least > 2.0 * RADIUS, "{least}");
}

#[test]
fn what_is_not_guaranteed_names_the_pair_that_breaks_it() {
    let mut luck = Stream::new(3, 0, 0, Use::Spawn);
    let size = DVec3::new(10.0, 10.0, 0.0);
    let (mut starts, places) = (spread(&mut luck, 12, size, 1.0), spread(&mut luck, 12, size, 1.0));
    starts[7] = starts[2] + DVec3::new(0.65, 0.0, 0.0);
    let (_folder, mut experiment) = swap(&starts, &places, NIMBLE, "transit");
    run(&mut experiment, 10);
    let found = apart(&mut experiment);
    assert!(!found.guaranteed && found.slack.is_some_and(|slack| slack < 0.0));
    let pair = found.starts.expect("pairs");
    assert!((pair.distance - 0.65).abs() < 1e-9);
    let numbers: Vec<f64> = [2, 7].map(|slot| experiment.world().agents.id(slot).number()).to_vec();
    assert_eq!(vec![pair.agents.0, pair.agents.1], numbers);
    assert!(found.why.iter().any(|why| why.contains("agents 3 and 8 start 0.65 m apart")), "{:?}", found.why);
    // Who does not go in step has no guarantee, whatever the distances.
    let (_folder, mut experiment) = swap(&starts[..6], &places[..6], NIMBLE, "form");
    run(&mut experiment, 10);
    let found = apart(&mut experiment);
    assert!(
        !found.guaranteed && found.why.iter().any(|why| why.contains("`form` does not go in step")),
        "{:?}",
        found.why
    );
}

/// The show: each of its orders is guaranteed, none touches another, and the report says it in words and numbers.
#[test]
fn every_figure_of_the_show_is_guaranteed() {
    let mut experiment = open("scenes/33_drone_show.ron");
    let ends: Vec<u64> = [17.9, 32.9, 47.9, 63.9, 79.9].map(|secs| (secs * 60.0) as u64).to_vec();
    for end in ends {
        while experiment.ticks() < end {
            experiment.tick();
        }
        let run = assignment(&mut experiment);
        let apart = run.apart.expect("few");
        assert!(apart.guaranteed, "at tick {end}: {:?}", apart.why);
        assert!(run.seconds > 1.0 && run.method.contains("squared"));
    }
    expect_no_errors(&experiment);
}

const AT_REST: &str = "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 70, seed: 4, groups: [Group(name: \"d\", count: 20, spawn: Grid(at: (0, 0), columns: 20, spacing: 0.006), body: (radius: 0.001, max_speed: 2, max_acceleration: 100), behavior: \"jitter\", formation: (name: \"dense\"), reassign: (every: 0.1RULE))])";

/// A push about the place, as noise of sensors makes it.
const JITTER: &str = "return yard.behavior { control = \"velocity\", step = function(agent) return agent:offset(agent.slot) * 20 + vector.create(yard.normal(0, 0.09), yard.normal(0, 0.09)) end }";

/// Places 6 mm apart, so that 2 mm of noise would exchange them.
const DENSE: &str = "return yard.formation { slots = function(n) local list = {} for i = 1, n do list[i] = { 0.006 * (i - 1), 0, 0 } end return list end }";

/// F21: places at rest, 2 mm of noise, 60 s: at most one exchange, though it is looked ten times a second. Without a threshold there
/// are many, so it is the threshold that holds them.
#[test]
fn noise_at_rest_exchanges_no_places() {
    for (rule, least, most) in [("", 0, 1), (", gain: 0, least: 0", 50, 600)] {
        let scene = AT_REST.replace("RULE", rule);
        let scripts = [("scripts/behaviors/jitter.luau", JITTER), ("scripts/formations/dense.luau", DENSE)];
        let (_folder, mut experiment) = small_project(&scene, &scripts);
        let mut sum = (0.0, 0.0);
        for _ in 0..3600 {
            experiment.tick();
            let world = experiment.world();
            for slot in 0..20 {
                let place = world.agents.place[slot].expect("a place");
                sum = (sum.0 + (place.position - world.agents.position[slot]).x.powi(2), sum.1 + 1.0);
            }
        }
        expect_no_errors(&experiment);
        let noise = (sum.0 / sum.1).sqrt();
        assert!((0.0015..0.003).contains(&noise), "{noise} m of noise");
        let run = assignment(&mut experiment);
        assert!((least..=most).contains(&run.reassigned), "{rule}: {} times", run.reassigned);
        assert_eq!(run.kept + run.reassigned, 599, "looks");
    }
}

/// Two agents that were carried across each other exchange their places once that gains enough, and not before.
#[test]
fn a_real_gain_exchanges_places_without_an_order() {
    use swarmyard::experiment::command::Command;
    use swarmyard::experiment::frame::AgentKey;
    for (gain, exchanged) in [(0.05, 1), (0.999, 0)] {
        let scene = format!(
            "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 20, groups: [Group(name: \"d\", count: 4, spawn: Grid(at: (0, 0), columns: 4, spacing: 1.2), body: (radius: 0.2, max_speed: 0.5), behavior: \"form\", formation: (name: \"row\"), reassign: (every: 0.5, gain: {gain}))])"
        );
        let (_folder, mut experiment) = small_project(&scene, &[]);
        run(&mut experiment, 40);
        let key = |experiment: &Experiment, slot| {
            AgentKey::from_number(experiment.world().agents.id(slot).number()).expect("it lives")
        };
        let (first, last) = (key(&experiment, 0), key(&experiment, 3));
        for (agent, by) in [(first, 3.5), (last, -3.5)] {
            experiment.apply(&Command::MoveAgents { agents: vec![agent], by: DVec3::new(by, 0.3, 0.0), last: true });
        }
        run(&mut experiment, 31);
        let run = assignment(&mut experiment);
        assert_eq!(run.reassigned, exchanged, "gain {gain}");
        let index = experiment.world().agents.place[0].expect("a place").index;
        assert_eq!(index == 3, exchanged == 1, "gain {gain}: the first has place {index}");
    }
}
