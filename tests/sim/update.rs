//! Update rates: exact, staggered, held in between, and the same for any number of threads (R217, E66).

use std::sync::{Arc, Mutex};

use glam::DVec3;
use swarmyard::sim::{Control, Event, Mind as _, SimCommand, SimError, UpdateRate, Workers, World, WorldSettings};
use swarmyard::steer::blend::Term;
use swarmyard::steer::native::NativeMind;

use super::helpers::{Ask, Bench, free_body};

/// Who decided when: ticks and slots.
type Noted = Arc<Mutex<Vec<(u64, usize)>>>;

/// A group of agents in a row whose mind notes (tick, slot) of each decision, and wants the number of the tick along x.
fn noting(count: usize, rate: UpdateRate) -> (Bench, Noted) {
    let mut bench = Bench::new(WorldSettings { seed: 4, ..WorldSettings::default() });
    let notes = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&notes);
    let mind = Ask::new(Control::Velocity, move |world: &World, slot| {
        if world.is_due(slot) {
            own.lock().expect("one thread").push((world.tick, slot));
        }
        DVec3::new(world.tick as f64, 0.0, 0.0)
    });
    let at: Vec<DVec3> = (0..count).map(|index| DVec3::new(0.0, index as f64 * 5.0, 0.0)).collect();
    let group = bench.group(free_body(), Box::new(mind), &at);
    bench.world().apply(SimCommand::SetUpdate(group, rate)).expect("a fair rate");
    (bench, notes)
}

fn ticks_of(notes: &Mutex<Vec<(u64, usize)>>, slot: usize) -> Vec<u64> {
    notes.lock().expect("one thread").iter().filter(|(_, who)| *who == slot).map(|(tick, _)| *tick).collect()
}

/// 60 s at 60 Hz: the count is the one of the rate within 1, and every gap is one of the two whole numbers about the period. The
/// decision at birth comes on top.
#[test]
fn a_rate_is_kept_exactly_whatever_the_tick() {
    for period in [0.07, 0.1, 0.05, 0.013, 1.0 / 7.0, 0.2, 0.033, 0.5, 0.016] {
        let (mut bench, notes) = noting(16, UpdateRate::of(period));
        bench.run(3600);
        let ticks = period * 60.0;
        for slot in 0..16 {
            let due = ticks_of(&notes, slot);
            assert_eq!(due[0], 0, "a newborn decides at once");
            // Tick 0 is that of the birth.
            let expected = 3599.0 / f64::max(ticks, 1.0);
            let counted = due.len() as f64 - 1.0;
            assert!((counted - expected).abs() <= 1.0, "{counted} decisions every {period} s, {expected} expected");
            for pair in due[1..].windows(2) {
                let gap = (pair[1] - pair[0]) as f64;
                let (low, high) = (f64::max(ticks.floor(), 1.0), f64::max(ticks.ceil(), 1.0));
                assert!((low..=high).contains(&gap), "{gap} ticks at a period of {ticks}");
            }
        }
    }
}

/// E66: with one period for all, every tick has its share within 1.
#[test]
fn phases_are_staggered_evenly() {
    for (count, period) in [(97, 0.1), (1000, 0.1), (1000, 0.07), (10, 0.2), (5, 0.5)] {
        let (mut bench, notes) = noting(count, UpdateRate::of(period));
        bench.run(240);
        let notes = notes.lock().expect("one thread");
        let mean = count as f64 / (period * 60.0);
        for tick in 1..240_u64 {
            let due = notes.iter().filter(|(at, _)| *at == tick).count() as f64;
            assert!((due - mean).abs() <= 1.0, "{due} of {count} at tick {tick}, {mean} on average");
        }
    }
}

/// Neighbors in the list, who often stand beside each other, are spread over the period.
#[test]
fn neighbors_in_the_list_do_not_decide_in_one_tick() {
    let (mut bench, notes) = noting(60, UpdateRate::of(0.1));
    bench.run(60);
    let first: Vec<u64> = (0..60).map(|slot| ticks_of(&notes, slot)[1] % 6).collect();
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]), "{first:?}");
}

/// Each draws its own period from a range, the same in every run.
#[test]
fn periods_are_drawn_from_a_range() {
    let rate = UpdateRate { from: 0.05, to: 0.2 };
    let (mut bench, _) = noting(200, rate);
    bench.run(1);
    let periods: Vec<f64> = (0..200).map(|slot| bench.world.rhythm(slot).expect("it has one").0).collect();
    assert!(periods.iter().all(|period| (0.05..0.2).contains(period)));
    let mean = periods.iter().sum::<f64>() / 200.0;
    assert!((mean - 0.125).abs() < 0.01, "{mean} s");
    let (mut again, _) = noting(200, rate);
    again.run(1);
    assert!((0..200).all(|slot| again.world.rhythm(slot) == bench.world.rhythm(slot)));
}

/// The body moves on in every tick with what was decided last.
#[test]
fn an_intent_is_held_between_decisions() {
    let (mut bench, notes) = noting(6, UpdateRate::of(0.1));
    for tick in 0..60_u64 {
        bench.run(1);
        for slot in 0..6 {
            let last = *ticks_of(&notes, slot).last().expect("it decided at birth");
            assert!(last <= tick && tick - last < 6);
            assert_eq!(bench.world.agents.velocity[slot].x, last as f64, "agent {slot} at tick {tick}");
        }
    }
}

/// What an agent hears while it is not due waits until it is; nobody else's mail does.
#[test]
fn mail_waits_until_its_agent_is_due() {
    let (mut bench, notes) = noting(2, UpdateRate::of(0.1));
    bench.run(8);
    let to = bench.world.agents.id(0);
    let before = ticks_of(&notes, 0).len();
    bench
        .world()
        .apply(SimCommand::Tell(Event { to, name: "go".to_owned(), value: None, from: None }))
        .expect("it lives");
    while ticks_of(&notes, 0).len() == before {
        assert_eq!(bench.world.events_for(0).len(), 1);
        bench.run(1);
    }
    assert!(bench.world.events_for(0).is_empty(), "heard and forgotten");
}

/// A slider that moves neither starves an agent nor lets it decide twice.
#[test]
fn a_rate_may_change_in_the_run() {
    let (mut bench, notes) = noting(12, UpdateRate::of(0.5));
    bench.run(100);
    let group = bench.world.groups[0].id;
    bench.world().apply(SimCommand::SetUpdate(group, UpdateRate::of(0.05))).expect("a fair rate");
    bench.run(60);
    for slot in 0..12 {
        let due: Vec<u64> = ticks_of(&notes, slot).into_iter().filter(|tick| *tick >= 100).collect();
        assert!(due[0] < 103, "agent {slot} waits until {}", due[0]);
        assert!(due.windows(2).all(|pair| pair[1] - pair[0] == 3), "{due:?}");
    }
    bench.world().apply(SimCommand::SetUpdate(group, UpdateRate::default())).expect("off");
    bench.run(10);
    assert!((0..12).all(|slot| ticks_of(&notes, slot).iter().filter(|tick| **tick >= 160).count() == 10));
    let refused = bench.world().apply(SimCommand::SetUpdate(group, UpdateRate { from: 0.2, to: 0.1 }));
    assert!(matches!(refused, Err(SimError::Update { .. })), "{refused:?}");
    assert!(bench.world().apply(SimCommand::SetUpdate(group, UpdateRate::of(f64::NAN))).is_err());
}

/// Who comes later gets a phase of its own, and nobody else's changes.
#[test]
fn newcomers_shift_nobodys_phase() {
    let run = |more: bool| {
        let (mut bench, notes) = noting(10, UpdateRate::of(0.2));
        bench.run(50);
        if more {
            let group = bench.world.groups[0].id;
            bench.spawn(group, DVec3::new(0.0, -50.0, 0.0), DVec3::ZERO);
            bench.spawn(group, DVec3::new(0.0, -60.0, 0.0), DVec3::ZERO);
        }
        bench.run(100);
        let old: Vec<Vec<u64>> = (0..10).map(|slot| ticks_of(&notes, slot)).collect();
        let new: Vec<Vec<u64>> = (10..12).map(|slot| ticks_of(&notes, slot)).collect();
        (old, new)
    };
    let (alone, _) = run(false);
    let (old, new) = run(true);
    assert_eq!(alone, old);
    assert!(new.iter().all(|due| due[0] == 50), "newcomers decide at once: {new:?}");
    assert_ne!(new[0][1] % 12, new[1][1] % 12);
}

fn flock_terms(plain: bool) -> Vec<Term> {
    let term = |name: &str, weight, radius: f64| Term::native(name, weight).with("radius", radius);
    let mut terms = vec![term("alignment", 1.0, 3.0), term("cohesion", 0.8, 3.0), term("separation", 1.5, 1.2)];
    if !plain {
        // Keeps something per agent: the quick way is closed.
        let wander = Term::native("wander", 0.3);
        let follow = Term { key: "route".to_owned(), ..Term::native("follow_route", 0.3) };
        terms.extend([wander, follow]);
    }
    terms
}

/// A native flock on a rate.
fn flock(count: usize, threads: usize, rate: UpdateRate, plain: bool) -> Bench {
    let mut bench = Bench::new(WorldSettings { seed: 9, ..WorldSettings::default() });
    bench.workers = Workers::new(threads);
    let mind = NativeMind::of_terms(Control::Acceleration, &flock_terms(plain)).expect("a blend");
    assert!(mind.alike());
    let side = (count as f64).sqrt().ceil() as usize;
    let at: Vec<DVec3> =
        (0..count).map(|i| DVec3::new((i % side) as f64 * 0.9, (i / side) as f64 * 0.9, 0.0)).collect();
    let group = bench.group(free_body(), Box::new(mind), &at);
    bench.world().groups[0].route = vec![DVec3::new(50.0, 0.0, 0.0), DVec3::new(0.0, 50.0, 0.0)];
    bench.world().apply(SimCommand::SetUpdate(group, rate)).expect("a fair rate");
    bench
}

fn hash(bench: &Bench) -> u64 {
    bench.world.hash(&[])
}

#[test]
fn threads_and_pauses_never_show() {
    for plain in [true, false] {
        let run = |threads| {
            let mut bench = flock(1500, threads, UpdateRate { from: 0.05, to: 0.2 }, plain);
            bench.run(40);
            hash(&bench)
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(8));
        // A copy of the world goes on as the world itself does: all that is held stands in it.
        let mut bench = flock(300, 1, UpdateRate::of(0.13), plain);
        bench.run(25);
        let mut copy = flock(300, 1, UpdateRate::default(), plain);
        copy.world = Arc::new((*bench.world).clone());
        if plain {
            bench.run(25);
            copy.run(25);
            assert_eq!(hash(&bench), hash(&copy));
        }
    }
}

/// A period of a tick or less is no rate at all, to the bit, on the quick way and on the long one.
#[test]
fn a_period_of_a_tick_changes_nothing() {
    for plain in [true, false] {
        for period in [1.0 / 60.0, 0.001] {
            let mut each = flock(400, 1, UpdateRate::default(), plain);
            let mut slow = flock(400, 1, UpdateRate::of(period), plain);
            each.run(60);
            slow.run(60);
            assert_eq!(each.world.agents.position, slow.world.agents.position, "{period} s");
        }
    }
}

/// The quick way for those who are due gives what the long way gives: an agent of another group far off closes it.
#[test]
fn the_quick_way_and_the_long_way_agree() {
    let rate = UpdateRate::of(0.1);
    let mut quick = flock(400, 1, rate, true);
    let mut long = flock(400, 1, rate, true);
    let far = Ask::new(Control::Velocity, |_: &World, _| DVec3::ZERO);
    long.group(free_body(), Box::new(far), &[DVec3::new(-2000.0, 0.0, 0.0)]);
    quick.run(30);
    long.run(30);
    let worst = (0..400).map(|slot| quick.world.agents.position[slot].distance(long.world.agents.position[slot]));
    let worst = worst.fold(0.0, f64::max);
    assert!(worst < 1e-9, "{worst} m apart");
}
