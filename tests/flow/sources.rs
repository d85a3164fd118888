//! How many enter and where.

use glam::{DVec2, DVec3};
use swarmyard::flow::{Area, Reason, Settings, SourceSpec, Spread};
use swarmyard::sim::SimCommand;
use swarmyard::sim::obstacle::Shape;

use crate::{RADIUS, Run, source};

fn only(source: SourceSpec) -> Settings {
    Settings { sources: vec![source], ..Settings::default() }
}

#[test]
fn a_regular_rate_holds_at_every_tick_also_where_a_tick_is_no_part_of_a_second() {
    for rate in [0.7, 1.0 / 3.0, 2.3, 7.0] {
        let mut run = Run::new(only(source(rate, Spread::Regular)), 1);
        for tick in 0..60 * 60_u64 {
            run.tick();
            let due = (rate * tick as f64 / 60.0 + 1e-6).floor() as u64;
            assert_eq!(run.flow.sources()[0].entered(), due, "rate {rate}, tick {tick}");
        }
    }
}

#[test]
fn a_rate_that_changes_in_the_middle_of_a_tick_loses_nobody() {
    let rates = vec![(0.501, 4.0), (2.503, 0.0), (5.01, 1.5)];
    let mut run = Run::new(only(SourceSpec { rates, ..source(0.0, Spread::Regular) }), 1);
    run.run(25.0);
    // 2.002 s · 4/s = 8.008, and 1.5/s up to the last step at 25 s less a tick.
    let due = (8.008 + 1.5 * (25.0 - 1.0 / 60.0 - 5.01_f64)).floor() as u64;
    assert_eq!(run.flow.sources()[0].entered(), due);
}

#[test]
fn random_arrivals_have_the_mean_and_the_variance_of_poisson() {
    let (rate, secs) = (3.0, 200);
    let mut counts = Vec::new();
    for seed in 0..3 {
        let mut run = Run::new(only(source(rate, Spread::Poisson)), seed);
        for _ in 0..secs {
            let before = run.flow.sources()[0].entered();
            run.run(1.0);
            counts.push((run.flow.sources()[0].entered() - before) as f64);
        }
    }
    let n = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / n;
    let variance = counts.iter().map(|count| (count - mean) * (count - mean)).sum::<f64>() / (n - 1.0);
    // Four standard errors of 600 seconds: 4·√(3/600) and 4·3·√(2/600).
    assert!((mean - rate).abs() < 0.29, "mean {mean}");
    assert!((variance - rate).abs() < 0.75, "variance {variance}");
}

#[test]
fn batches_come_together_and_most_is_the_end() {
    let spec = SourceSpec { batch: 5, most: Some(12), ..source(2.0, Spread::Regular) };
    let mut run = Run::new(only(spec), 1);
    let mut jumps = Vec::new();
    for _ in 0..60 * 20 {
        let before = run.flow.sources()[0].entered();
        run.tick();
        let gained = run.flow.sources()[0].entered() - before;
        if gained > 0 {
            jumps.push(gained);
        }
    }
    assert_eq!(jumps, [5, 5, 2]);
}

#[test]
fn nobody_enters_into_somebody_or_into_a_wall() {
    let area = Area::Box(DVec2::ZERO, DVec2::splat(5.0));
    let mut run = Run::new(only(SourceSpec { area: area.clone(), ..source(20.0, Spread::Poisson) }), 4);
    let pillar = Shape::Disc { at: DVec3::new(2.5, 2.5, 0.0), radius: 0.8 };
    run.world.apply(SimCommand::AddObstacle("pillar".to_owned(), pillar)).expect("a disc");
    run.run(6.0);
    let at = &run.world.agents.position;
    assert!(at.len() > 40, "{} of 25 m²", at.len());
    for (i, a) in at.iter().enumerate() {
        assert!(area.distance(a.truncate()) < 1e-9, "{a} is outside");
        assert!(run.world.obstacles.clearance(*a) >= RADIUS - 1e-9, "{a} is in the pillar");
        assert!(at[..i].iter().all(|b| a.distance(*b) >= 2.0 * RADIUS - 1e-9), "{a} overlaps somebody");
    }
    assert!(run.flow.sources()[0].waiting() > 0, "it is full by now");
}

#[test]
fn a_blocked_source_says_by_whom_and_lets_in_all_who_are_due_when_there_is_room() {
    let area = Area::Box(DVec2::ZERO, DVec2::splat(0.6));
    let mut run =
        Run::new(only(SourceSpec { area, most: Some(5), ..source(10.0, Spread::Regular) }), 4).with(&[(0.3, 0.3)]);
    run.run(2.0);
    let source = &run.flow.sources()[0];
    assert_eq!((source.entered(), source.waiting()), (0, 5));
    let (since, reason) = source.blocked().expect("it is blocked");
    assert_eq!(reason, &Reason::Agents(1));
    assert_eq!(reason.to_string(), "blocked by 1 agent");
    assert_eq!(since, 6, "the first is due after a tenth of a second");
    // One after the other, each as soon as the one before is away.
    for entered in 1..=5 {
        let newest = run.world.agents.slots() - 1;
        run.world.agents.position[newest] = DVec3::new(50.0 + entered as f64, 0.0, 0.0);
        run.tick();
        assert_eq!(run.flow.sources()[0].entered(), entered);
    }
    assert!(run.flow.sources()[0].blocked().is_none());
    assert_eq!(run.flow.sources()[0].waiting(), 0);
}

#[test]
fn an_obstacle_in_the_way_is_named() {
    let area = Area::Box(DVec2::ZERO, DVec2::splat(1.0));
    let mut run = Run::new(only(SourceSpec { area, ..source(1.0, Spread::Regular) }), 4);
    let block = Shape::Box { min: DVec3::splat(-1.0), max: DVec3::splat(2.0) };
    run.world.apply(SimCommand::AddObstacle("crate".to_owned(), block)).expect("a box");
    run.run(3.0);
    let (_, reason) = run.flow.sources()[0].blocked().expect("it is blocked");
    assert_eq!(reason.to_string(), "blocked by obstacle `crate`");
}

#[test]
fn nobody_is_due_while_it_is_closed() {
    let mut run = Run::new(only(source(2.0, Spread::Regular)), 1);
    run.run(2.0);
    let before = run.flow.sources()[0].entered();
    assert!(run.flow.set_open("street", false));
    run.run(10.0);
    assert_eq!(run.flow.sources()[0].entered(), before);
    assert!(run.flow.set_open("street", true));
    run.run(10.0);
    assert_eq!(run.flow.sources()[0].entered(), 23, "12 s less a tick at 2 per second");
    assert!(!run.flow.set_open("strete", true));
}
