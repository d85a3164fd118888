//! What frames say of the senses: the radii and cones that forces have, whom they see, and the cells of the neighbor grid.

use glam::DVec3;
use swarmyard::experiment::Experiment;
use swarmyard::experiment::command::Command;
use swarmyard::experiment::frame::{AgentKey, BodyShape, Frame, LookKind, LookView, SensesView, Watch};
use swarmyard::experiment::view::FrameCache;

use super::helpers::{open, run, small_project};

fn frame(experiment: &mut Experiment) -> Frame {
    experiment.frame(&mut FrameCache::default())
}

fn look<'a>(senses: &'a SensesView, name: &str) -> &'a LookView {
    senses.looks.iter().find(|look| look.name == name).unwrap_or_else(|| panic!("{name}: {senses:?}"))
}

/// Slots of the group's agents within a radius of `me`, all pairs, by places `at`; in a cone if there is one.
fn near(experiment: &Experiment, at: &[DVec3], me: usize, look: &LookView, group: u16) -> Vec<(f64, u32)> {
    let world = experiment.world();
    let forward = world.agents.forward(me);
    let others = (0..at.len()).filter(|&other| other != me && world.agents.group[other].0 == group);
    let mut found: Vec<(f64, u32)> = others
        .map(|other| (world.offset(at[me], at[other]), other as u32))
        .filter(|(offset, _)| offset.length() <= look.radius)
        .filter(|(offset, _)| look.half_angle.is_none_or(|half| offset.dot(forward) >= half.cos() * offset.length()))
        .map(|(offset, other)| (offset.length(), other))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found
}

#[test]
fn forces_see_whom_a_plain_double_loop_finds() {
    let mut experiment = open("scenes/08_fish.ron");
    run(&mut experiment, 299);
    let at = experiment.world().agents.position.clone();
    run(&mut experiment, 1);
    let unasked = frame(&mut experiment);
    assert!(unasked.senses.is_empty() && unasked.cells.is_none(), "nothing is computed unasked");
    let agents: Vec<AgentKey> = [3, 40, 77, 119].map(|slot| AgentKey::new(slot, 0)).to_vec();
    experiment.apply(&Command::Watch(Watch { agents: agents.clone(), cells: true, ..Watch::default() }));
    let frame = frame(&mut experiment);
    assert_eq!(frame.senses.iter().map(|senses| senses.key).collect::<Vec<_>>(), agents);
    let mut seen = 0;
    for senses in frame.senses.iter() {
        let me = senses.key.slot() as usize;
        let (separation, cohesion) = (look(senses, "separation"), look(senses, "cohesion"));
        assert_eq!((separation.radius, separation.half_angle, separation.kind), (0.6, None, LookKind::Apart));
        // Personal: eight body lengths, out of the memory of each fish.
        assert!((cohesion.radius - 8.0 * 0.24).abs() < 1e-6, "{}", cohesion.radius);
        assert!((cohesion.half_angle.expect("a cone") - 2.44).abs() < 1e-6);
        // The scripted force says itself how far it looks.
        let late = look(senses, "late_alignment");
        assert!((late.radius - cohesion.radius).abs() < 1e-6 && (late.half_angle.expect("a cone") - 2.44).abs() < 1e-6);
        for force in [separation, cohesion] {
            assert_eq!(force.from.as_deref(), Some("fish"));
            let mut wanted = near(&experiment, &at, me, force, 0);
            wanted.truncate(12); // `max_neighbors` of the group
            let mut wanted: Vec<u32> = wanted.into_iter().map(|(_, other)| other).collect();
            let mut found: Vec<u32> = force.found.iter().map(|(key, _)| key.slot()).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "{} of fish {me}", force.name);
            seen += found.len();
        }
        let flee = look(senses, "flee");
        assert_eq!((flee.kind, flee.from.as_deref()), (LookKind::Hunt, Some("sharks")));
        let wanted = near(&experiment, &at, me, flee, 1).len();
        assert_eq!(flee.found.len(), wanted, "sharks near fish {me}");
    }
    assert!(seen > 20, "the school is together: {seen}");
    let cells = frame.cells.expect("they were asked for");
    assert_eq!(cells.cells.iter().map(|cell| cell.1).sum::<u32>(), 122, "every agent is in one cell");
    assert!(cells.side.x > 0.0 && cells.fullest() >= 1);
    for (corner, count) in &cells.cells {
        let inside =
            |p: &DVec3| (0..2).all(|axis| p[axis] >= corner[axis] && p[axis] < corner[axis] + cells.side[axis]);
        assert_eq!(at.iter().filter(|p| inside(p)).count(), *count as usize, "cell at {corner}");
    }
}

#[test]
fn watching_changes_no_run() {
    let hash = |watch: bool| {
        let mut experiment = open("scenes/08_fish.ron");
        let agents = (0..40).map(|slot| AgentKey::new(slot, 0)).collect();
        experiment.apply(&Command::Watch(if watch {
            Watch { agents, cells: true, ..Watch::default() }
        } else {
            Watch::default()
        }));
        for _ in 0..60 {
            run(&mut experiment, 1);
            drop(frame(&mut experiment));
        }
        experiment.hash()
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn a_force_that_only_takes_the_nearest_sees_one() {
    let scene = "Scene(format: 1, title: \"It\", groups: [
        Group(name: \"hare\", count: 3, spawn: Grid(columns: 3, spacing: 2)),
        Group(name: \"hound\", count: 1, spawn: Points([(1.5, 3)]), behavior: \"it\")])";
    let script =
        "return yard.behavior { forces = { pursue = { weight = 1, from = 'hare', radius = 20 }, separation = 1 } }";
    let (_folder, mut experiment) = small_project(scene, &[("scripts/behaviors/it.luau", script)]);
    run(&mut experiment, 1);
    experiment.apply(&Command::Watch(Watch { agents: vec![AgentKey::new(3, 0)], ..Watch::default() }));
    let frame = frame(&mut experiment);
    let pursue = look(&frame.senses[0], "pursue");
    assert_eq!(pursue.found.iter().map(|(key, _)| key.slot()).collect::<Vec<_>>(), [1], "2 m is nearer than 0 and 4");
    assert!(look(&frame.senses[0], "separation").found.is_empty(), "nobody else is a hound");
    // Two forces, one hare: one link.
    assert_eq!(frame.senses[0].links().len(), 1);
}

#[test]
fn what_fish_flee_from_is_drawn_as_a_predator() {
    let shapes =
        |scene: &str| -> Vec<BodyShape> { frame(&mut open(scene)).groups.iter().map(|group| group.shape).collect() };
    assert_eq!(shapes("scenes/08_fish.ron"), [BodyShape::Fish, BodyShape::Predator]);
    assert_eq!(shapes("scenes/29_coral_reef.ron"), [BodyShape::Fish, BodyShape::Predator]);
    assert!(!shapes("scenes/06_rush.ron").contains(&BodyShape::Predator), "people flee from fire, which is no fish");
}
