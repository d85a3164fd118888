//! Sequences of changes.

use glam::DVec3;
use proptest::prelude::*;
use swarmyard::sim::obstacle::{Obstacle, ObstacleId, Obstacles, Shape, outlines};
use xxhash_rust::xxh3::Xxh3;

use super::brute::{distance, flat, shape};

#[derive(Debug, Clone)]
enum Change {
    Insert(Shape),
    Move(usize, DVec3),
    Replace(usize, Shape),
    Remove(usize),
    Toggle(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => shape().prop_map(Change::Insert),
        2 => (any::<usize>(), flat()).prop_map(|(which, to)| Change::Move(which, to)),
        1 => (any::<usize>(), shape()).prop_map(|(which, shape)| Change::Replace(which, shape)),
        2 => any::<usize>().prop_map(Change::Remove),
        1 => any::<usize>().prop_map(Change::Toggle),
    ]
}

fn pick(set: &Obstacles, which: usize) -> Option<ObstacleId> {
    let ids: Vec<_> = set.iter().map(|obstacle| obstacle.id).collect();
    (!ids.is_empty()).then(|| ids[which % ids.len()])
}

fn apply(set: &mut Obstacles, change: Change) {
    match change {
        Change::Insert(shape) => {
            set.insert("", shape).expect("random shapes are valid");
        }
        Change::Move(which, to) => {
            if let Some(id) = pick(set, which) {
                set.move_to(id, to).expect("a finite place");
            }
        }
        Change::Replace(which, shape) => {
            if let Some(id) = pick(set, which) {
                set.replace(id, shape).expect("random shapes are valid");
            }
        }
        Change::Remove(which) => {
            if let Some(id) = pick(set, which) {
                set.remove(id).expect("alive");
                assert!(set.get(id).is_none() && set.remove(id).is_none());
            }
        }
        Change::Toggle(which) => {
            if let Some(id) = pick(set, which) {
                let open = set.get(id).is_some_and(|obstacle| obstacle.open);
                set.set_open(id, !open).expect("alive");
            }
        }
    }
}

fn hash(set: &Obstacles) -> u64 {
    let mut hash = Xxh3::new();
    set.hash_into(&mut hash);
    hash.digest()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_sequence_of_changes_equals_brute_force(
        changes in prop::collection::vec(change(), 1..60), points in prop::collection::vec(flat(), 5),
    ) {
        let mut set = Obstacles::new();
        for change in changes {
            let before = set.version();
            let count = set.len();
            apply(&mut set, change);
            prop_assert!(set.version() > before || (count == 0 && set.is_empty()));
        }
        prop_assert_eq!(set.iter().count(), set.len());
        prop_assert!(set.iter().zip(set.iter().skip(1)).all(|(a, b)| a.id < b.id));
        let alive: Vec<Obstacle> = set.iter().filter(|obstacle| !obstacle.open).cloned().collect();
        for at in points {
            let slow = alive.iter().map(|obstacle| distance(&obstacle.shape, at)).fold(f64::INFINITY, f64::min);
            let fast = set.clearance(at);
            prop_assert!(slow == fast || (slow - fast).abs() < 1e-9, "{slow} and {fast}");
        }
        prop_assert_eq!(hash(&set), hash(&set.clone()));
    }
}

#[test]
fn a_used_slot_comes_back_with_the_next_generation() {
    let mut set = Obstacles::new();
    let disc = || Shape::Disc { at: DVec3::ZERO, radius: 1.0 };
    let first = set.insert("a", disc()).expect("valid");
    set.remove(first).expect("alive");
    let second = set.insert("a", disc()).expect("valid");
    assert_eq!((second.slot, second.generation), (first.slot, first.generation + 1));
    assert_eq!(second.number(), 1.000001);
    assert!(set.get(first).is_none());
    let error = set.move_to(first, DVec3::ONE).expect_err("gone");
    assert_eq!(
        error.to_string(),
        "obstacle \"number 1\": `id` names no living obstacle; it was removed; ask for it by name"
    );
}

#[test]
fn a_door_blocks_only_while_it_is_closed() {
    let mut set = Obstacles::new();
    let door = Shape::Wall { from: DVec3::new(0.0, -1.0, 0.0), to: DVec3::new(0.0, 1.0, 0.0) };
    let id = set.insert("door", door).expect("valid");
    let (a, b) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0));
    let closed = hash(&set);
    assert!(!set.sees(a, b));
    set.open(id).expect("alive");
    assert!(set.sees(a, b) && set.nearest(a, 9.0).is_none() && set.sweep(a, b, 0.2).is_none());
    assert!(set.blocks_nothing() && !set.is_empty());
    assert_ne!(hash(&set), closed);
    // A moved open door stays open and closes at its new place.
    set.move_to(id, DVec3::new(5.0, 0.0, 0.0)).expect("alive");
    assert!(set.blocks_nothing());
    set.close(id).expect("alive");
    assert!(set.sees(a, b) && !set.sees(a, DVec3::new(9.0, 0.0, 0.0)));
    set.move_to(id, DVec3::ZERO).expect("alive");
    assert_eq!(hash(&set), closed);
}

#[test]
fn names_stay_unique() {
    let mut set = Obstacles::new();
    let disc = || Shape::Disc { at: DVec3::ZERO, radius: 1.0 };
    let pillar = set.insert("pillar", disc()).expect("valid");
    let error = set.insert("pillar", disc()).expect_err("taken");
    assert_eq!((error.field.as_str(), set.len()), ("name", 1));
    assert!(error.hint.contains("pillar_2"));
    let other = set.insert(&set.free_name("pillar"), disc()).expect("free");
    assert!(set.rename(other, "pillar").is_err());
    set.rename(other, "post").expect("free");
    set.rename(pillar, "pillar").expect("its own");
    assert_eq!((set.by_name("post"), set.by_name("pillar"), set.by_name("")), (Some(other), Some(pillar), None));
}

#[test]
fn a_refused_change_leaves_everything_as_it_was() {
    let mut set = Obstacles::new();
    let id = set.insert("pillar", Shape::Disc { at: DVec3::ONE, radius: 1.0 }).expect("valid");
    let (before, version) = (hash(&set), set.version());
    set.move_to(id, DVec3::new(f64::NAN, 0.0, 0.0)).expect_err("not a number");
    set.replace(id, Shape::Disc { at: DVec3::ZERO, radius: -1.0 }).expect_err("negative");
    assert_eq!((hash(&set), set.version()), (before, version));
    assert!(set.nearest(DVec3::ONE, 1.0).is_some());
}

#[test]
fn minus_zero_hashes_as_zero() {
    let disc = |x: f64| {
        let mut set = Obstacles::new();
        set.insert("", Shape::Disc { at: DVec3::new(x, 0.0, 0.0), radius: 1.0 }).expect("valid");
        hash(&set)
    };
    assert_eq!(disc(0.0), disc(-0.0));
    assert_ne!(disc(0.0), disc(1e-300));
}

#[test]
fn moving_puts_the_anchor_there() {
    let mut set = Obstacles::new();
    let ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)].map(|(x, y)| DVec3::new(x, y, 0.0)).to_vec();
    let shapes = [
        Shape::Disc { at: DVec3::ONE, radius: 1.0 },
        Shape::Box { min: DVec3::ZERO, max: DVec3::new(2.0, 4.0, 0.0) },
        Shape::Wall { from: DVec3::ZERO, to: DVec3::X },
        Shape::Polyline { points: ring.clone() },
        Shape::Polygon { points: ring, holes: Vec::new() },
    ];
    let to = DVec3::new(-7.0, 3.0, 0.0);
    for shape in shapes {
        let id = set.insert("", shape).expect("valid");
        set.move_to(id, to).expect("alive");
        let shape = &set.get(id).expect("alive").shape;
        assert!((shape.anchor() - to).truncate().length() < 1e-12, "{shape:?}");
        let (low, high) = set.bounds(id).expect("alive");
        for point in outlines(shape, 24).into_iter().flat_map(|outline| outline.points) {
            assert!(point.cmpge(low - 1e-9).all() && point.cmple(high + 1e-9).all());
        }
    }
}
