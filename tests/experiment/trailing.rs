//! Formations in the frame of a moving, turning leader (R215, E62–E64).

use glam::DVec3;
use swarmyard::experiment::Experiment;
use swarmyard::sim::wrap_angle;

use super::helpers::{expect_no_errors, run, small_project};

/// Followers whose bodies are their places as nearly as bodies can be.
const KEEPER: &str = "return yard.behavior { control = \"velocity\", step = function(agent)
  return agent.slot_velocity + agent:offset(agent.slot) * 3 end }";

/// A leader that is told its velocity, as a function of time, and turns where it goes.
fn led(formation: &str, count: usize, leader: &str) -> (tempfile::TempDir, Experiment) {
    let scene = format!(
        "// Look for: nothing.\nScene(format: 1, title: \"t\", about: \"a\", duration: 60, groups: [\
         Group(name: \"chief\", spawn: Points(points: [(0, 0)], heading_deg: 0), body: (max_speed: 20, max_acceleration: 200), behavior: \"chief\"),\
         Group(name: \"band\", count: {count}, spawn: Grid(at: (-12, -6), columns: 4, spacing: 1), leader: \"chief\", body: (radius: 0.1, max_speed: 6, max_acceleration: 12), behavior: \"keeper\", formation: {formation})])"
    );
    let chief = format!("return yard.behavior {{ control = \"velocity\", step = function(agent) {leader} end }}");
    let files = [("scripts/behaviors/keeper.luau", KEEPER), ("scripts/behaviors/chief.luau", chief.as_str())];
    let (folder, experiment) = small_project(&scene, &files);
    (folder, experiment)
}

const STRAIGHT: &str = "return vector.create(1.5, 0, 0)";
const ROUND: &str = "return yard.direction(0.3 * yard.time) * 1.5, 0.3";

/// Places of the followers in the frame of the leader: ahead is +x, left is +y.
fn places(experiment: &Experiment) -> Vec<DVec3> {
    let world = experiment.world();
    let agents = &world.agents;
    let forward = swarmyard::sim::angle::direction(heading(experiment));
    let left = DVec3::new(-forward.y, forward.x, 0.0);
    let slots = world.groups[1].members.iter().map(|slot| *slot as usize);
    slots
        .map(|slot| {
            let offset = agents.place[slot].expect("everybody has a place").position - agents.position[0];
            DVec3::new(offset.dot(forward), offset.dot(left), 0.0)
        })
        .collect()
}

fn heading(experiment: &Experiment) -> f64 {
    let velocity = experiment.world().agents.velocity[0];
    velocity.y.atan2(velocity.x)
}

/// As `places`, in the order of the places.
fn sorted(experiment: &Experiment) -> Vec<DVec3> {
    let world = experiment.world();
    let mut found: Vec<(u32, DVec3)> = world.groups[1]
        .members
        .iter()
        .zip(places(experiment))
        .map(|(slot, place)| (world.agents.place[*slot as usize].expect("placed").index, place))
        .collect();
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, place)| place).collect()
}

fn worst_gap(experiment: &Experiment) -> f64 {
    experiment.agent_rows().filter_map(|row| row.slot_error).fold(0.0, f64::max)
}

/// E62: follower i ≥ 1 has rank (i+1)/2 on alternating sides, behind the leader and never ahead; nobody has the leader's place.
#[test]
fn e62_a_v_is_behind_its_leader_on_both_sides() {
    let (_folder, mut experiment) = led("(name: \"v\", pose: (frame: Leader))", 6, STRAIGHT);
    run(&mut experiment, 240);
    expect_no_errors(&experiment);
    let (s, a) = (1.2_f64, 35.0_f64.to_radians());
    for (index, place) in sorted(&experiment).into_iter().enumerate() {
        let i = index + 1;
        let rank = i.div_ceil(2) as f64;
        assert!((place.x + rank * s * a.cos()).abs() < 1e-9, "follower {i} is {} m ahead", place.x);
        assert!((place.y.abs() - rank * s * a.sin()).abs() < 1e-9, "follower {i} is {} m aside", place.y);
    }
    let sides: f64 = sorted(&experiment).iter().map(|place| place.y.signum()).sum();
    assert_eq!(sides, 0.0, "as many on the left as on the right");
    assert!(worst_gap(&experiment) < 0.05, "{} m off", worst_gap(&experiment));
}

/// E63: abreast and centered behind the leader, (i − (n−1)/2)·s.
#[test]
fn e63_a_line_is_centered_behind_its_leader() {
    let (_folder, mut experiment) = led("(name: \"row\", pose: (at: (0, -2), frame: Around))", 7, STRAIGHT);
    run(&mut experiment, 240);
    expect_no_errors(&experiment);
    for (i, place) in sorted(&experiment).into_iter().enumerate() {
        assert!((place.x + 2.0).abs() < 1e-9, "place {i} at {place}");
        // The formation's +x is to the right.
        assert!((-place.y - (i as f64 - 3.0) * 1.2).abs() < 1e-9, "place {i} at {place}");
    }
}

/// E64: 2πi/n for any n about the leader, R from the spacing; nobody coincides with anybody, also not with the leader.
#[test]
fn e64_twelve_on_a_circle_about_the_leader_are_twelve() {
    let (_folder, mut experiment) = led("(name: \"circle\", pose: (frame: Around))", 12, STRAIGHT);
    run(&mut experiment, 240);
    expect_no_errors(&experiment);
    let places = sorted(&experiment);
    let radius = 12.0 * 1.2 / std::f64::consts::TAU;
    for (i, place) in places.iter().enumerate() {
        assert!((place.length() - radius).abs() < 1e-9, "{} m from the leader", place.length());
        let next = places[(i + 1) % 12];
        let step = wrap_angle(next.y.atan2(next.x) - place.y.atan2(place.x));
        assert!((step - std::f64::consts::TAU / 12.0).abs() < 1e-9, "{step} rad to the next");
        for other in &places[i + 1..] {
            assert!(place.distance(*other) > 1.0);
        }
    }
}

/// The frame turns with a leader that goes round, its places move as they are said to, and followers keep them.
#[test]
fn a_turning_leader_takes_its_frame_along() {
    let (_folder, mut experiment) = led("(name: \"v\", pose: (frame: Leader))", 8, ROUND);
    run(&mut experiment, 600);
    let mut worst = 0.0_f64;
    for _ in 0..300 {
        let before: Vec<_> = experiment.world().agents.place[1..9].iter().map(|place| place.expect("placed")).collect();
        experiment.tick();
        for (before, now) in before.iter().zip(&experiment.world().agents.place[1..9]) {
            let now = now.expect("placed");
            let said = before.velocity / 60.0;
            assert!(
                (now.position - before.position).distance(said) < 2e-3,
                "it moved {} and said {said}",
                now.position - before.position
            );
        }
        worst = worst.max(worst_gap(&experiment));
        let lag = wrap_angle(
            experiment.forming(1).expect("a v").order.pose.turn + std::f64::consts::FRAC_PI_2 - heading(&experiment),
        );
        assert!(lag.abs() < 0.3, "the frame is {lag} rad behind");
    }
    expect_no_errors(&experiment);
    assert!(worst < 0.15, "{worst} m off its place");
}

/// A leader that spins on the spot turns no frame; one that jerks about makes no place faster than its follower.
#[test]
fn a_spinning_leader_whips_nobody() {
    let (_folder, mut experiment) = led("(name: \"v\", pose: (frame: Leader))", 10, "return vector.zero, 9");
    run(&mut experiment, 120);
    let before = places_of(&experiment);
    run(&mut experiment, 120);
    let moved = before.iter().zip(places_of(&experiment)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
    assert!(moved < 1e-6, "{moved} m");
    // Round and round in small circles, 5 rad/s.
    let (_folder, mut experiment) =
        led("(name: \"v\", pose: (frame: Leader))", 10, "return yard.direction(5 * yard.time) * 1.5");
    let mut fastest = 0.0_f64;
    for _ in 0..600 {
        experiment.tick();
        let speeds =
            experiment.world().agents.place[1..11].iter().map(|place| place.expect("placed").velocity.length());
        fastest = speeds.fold(fastest, f64::max);
    }
    assert!(fastest <= 6.0 + 1e-9, "a place at {fastest} m/s, its follower at 6");
}

fn places_of(experiment: &Experiment) -> Vec<DVec3> {
    experiment.world().agents.place[1..].iter().map(|place| place.expect("placed").position).collect()
}

/// Who joins gets a place in the frame as it has turned; who was there keeps on.
#[test]
fn newcomers_find_the_frame_as_it_is() {
    let (_folder, mut experiment) = led("(name: \"v\", pose: (frame: Leader))", 6, ROUND);
    run(&mut experiment, 500);
    let turn = |experiment: &Experiment| experiment.forming(1).expect("a v").order.pose.turn;
    let before = turn(&experiment);
    experiment.set_value("band.count", &swarmyard::sim::Value::Number(8.0)).expect("two more");
    run(&mut experiment, 1);
    assert!(wrap_angle(turn(&experiment) - before).abs() < 0.05);
    run(&mut experiment, 240);
    assert_eq!(sorted(&experiment).len(), 8);
    assert!(worst_gap(&experiment) < 0.3, "{} m", worst_gap(&experiment));
    expect_no_errors(&experiment);
}

/// Without a leader there is no such frame.
#[test]
fn a_frame_without_a_leader_is_a_problem() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir_all(folder.path().join("scenes")).expect("made");
    let path = folder.path().join("scenes/it.ron");
    let text = "Scene(format: 1, title: \"t\", groups: [Group(name: \"b\", count: 2, spawn: Grid(at: (0, 0)), formation: (name: \"v\", pose: (frame: Leader)))])";
    std::fs::write(&path, text).expect("written");
    let error =
        super::helpers::try_open(&path, swarmyard::experiment::Options::default()).map(|_| ()).expect_err("refused");
    assert!(error.problems().iter().any(|problem| problem.code == "bad-leader" && problem.line == Some(1)), "{error}");
}
