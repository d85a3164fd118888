//! The linear programs against a search by brute force: all constraints kept where that is possible, and nothing better found.

use glam::{DVec2, DVec3};
use swarmyard::sim::avoid::plane::{self, Aim, HalfPlane};
use swarmyard::sim::avoid::space::{self, HalfSpace};
use swarmyard::sim::{Stream, rng::Use};

const TOP: f64 = 2.0;

fn planes(luck: &mut Stream, count: usize) -> Vec<HalfPlane> {
    let one = |luck: &mut Stream| {
        let angle = luck.uniform(0.0, std::f64::consts::TAU);
        // Some as they come from symmetric crowds.
        let angle = if luck.unit() < 0.3 { (angle * 2.0).round() * 0.5 } else { angle };
        HalfPlane { normal: DVec2::new(libm::cos(angle), libm::sin(angle)), offset: luck.uniform(-2.2, 0.9) }
    };
    (0..count).map(|_| one(luck)).collect()
}

fn worst(planes: &[HalfPlane], v: DVec2) -> f64 {
    planes.iter().map(|plane| plane.lack(v)).fold(f64::NEG_INFINITY, f64::max)
}

/// Every vertex and every foot: the optimum of a program is one of them.
fn candidates(planes: &[HalfPlane], wanted: DVec2) -> Vec<DVec2> {
    let mut all = vec![wanted.clamp_length_max(TOP)];
    for (index, plane) in planes.iter().enumerate() {
        all.push(wanted + plane.normal * plane.lack(wanted));
        let room = TOP * TOP - plane.offset * plane.offset;
        if room >= 0.0 {
            let foot = plane.normal * plane.offset;
            all.extend([1.0, -1.0].map(|side| foot + plane.normal.perp() * (side * room.sqrt())));
        }
        for other in &planes[..index] {
            let cross = plane.normal.perp_dot(other.normal);
            if cross.abs() > 1e-9 {
                all.push((other.normal.perp() * -plane.offset + plane.normal.perp() * other.offset) / cross);
            }
        }
    }
    all
}

#[test]
fn the_plane_program_finds_the_nearest_allowed_velocity() {
    let (mut feasible, mut not) = (0, 0);
    for case in 0..4000_u64 {
        let mut luck = Stream::new(3, case, 0, Use::Spawn);
        let count = luck.integer(0, 9) as usize;
        let set = planes(&mut luck, count);
        let wanted = DVec2::new(luck.uniform(-2.5, 2.5), luck.uniform(-2.5, 2.5));
        let (v, failed) = plane::best(&set, TOP, Aim::Near(wanted));
        let allowed =
            candidates(&set, wanted).into_iter().filter(|v| worst(&set, *v) <= 1e-9 && v.length() <= TOP + 1e-9);
        let best = allowed.map(|v| v.distance(wanted)).fold(f64::INFINITY, f64::min);
        if failed.is_some() {
            not += 1;
            assert!(best.is_infinite() || nearly(&set), "case {case}: said to be impossible, yet {best}");
            continue;
        }
        feasible += 1;
        assert!(worst(&set, v) < 1e-7 && v.length() < TOP + 1e-9, "case {case}: {v} breaks {}", worst(&set, v));
        assert!(v.distance(wanted) < best + 1e-7, "case {case}: {} instead of {best}", v.distance(wanted));
    }
    assert!(feasible > 1000 && not > 500, "{feasible}, {not}");
}

/// Whether a set is allowed by a hair only, so that rounding decides.
fn nearly(set: &[HalfPlane]) -> bool {
    let tighter: Vec<_> = set.iter().map(|plane| HalfPlane { offset: plane.offset + 1e-7, ..*plane }).collect();
    plane::best(&tighter, TOP, Aim::Near(DVec2::ZERO)).1.is_some()
}

#[test]
fn the_least_bad_velocity_is_the_least_bad() {
    let mut tried = 0;
    for case in 0..3000_u64 {
        let mut luck = Stream::new(5, case, 0, Use::Spawn);
        let count = luck.integer(2, 9) as usize;
        let hard = luck.integer(0, 2) as usize;
        let mut set = planes(&mut luck, count);
        for plane in &mut set[..hard] {
            plane.offset = plane.offset.min(0.0);
        }
        let (start, failed) = plane::best(&set, TOP, Aim::Near(DVec2::X));
        let Some(from) = failed.filter(|from| *from >= hard) else { continue };
        tried += 1;
        let v = plane::least_bad(&set, hard, from, TOP, start, &mut Vec::new());
        assert!(worst(&set[..hard], v) < 1e-7 && v.length() < TOP + 1e-7, "case {case}: {v}");
        // A fine search finds nothing that is violated less.
        let found = worst(&set[hard..], v);
        let mut best = f64::INFINITY;
        for x in -100..=100 {
            for y in -100..=100 {
                let tried = DVec2::new(f64::from(x), f64::from(y)) * (TOP / 100.0);
                if tried.length() <= TOP && worst(&set[..hard], tried) <= 0.0 {
                    best = best.min(worst(&set[hard..], tried));
                }
            }
        }
        assert!(found <= best + 1e-6, "case {case}: violated by {found}, a search finds {best}");
    }
    assert!(tried > 300, "{tried}");
}

fn spaces(luck: &mut Stream, count: usize) -> Vec<HalfSpace> {
    let one = |luck: &mut Stream| {
        let normal = DVec3::new(luck.normal(0.0, 1.0), luck.normal(0.0, 1.0), luck.normal(0.0, 1.0));
        HalfSpace { normal: normal.normalize_or(DVec3::Z), offset: luck.uniform(-2.2, 0.8) }
    };
    (0..count).map(|_| one(luck)).collect()
}

fn deepest(spaces: &[HalfSpace], v: DVec3) -> f64 {
    spaces.iter().map(|space| space.lack(v)).fold(f64::NEG_INFINITY, f64::max)
}

/// Alternating projections (Dykstra 1983) onto ball and half-spaces: another way to the same nearest point.
fn projected(set: &[HalfSpace], wanted: DVec3) -> DVec3 {
    let mut corrections = vec![DVec3::ZERO; set.len() + 1];
    let mut v = wanted;
    for _ in 0..3000 {
        for (index, correction) in corrections.iter_mut().enumerate() {
            let from = v + *correction;
            v = set
                .get(index)
                .map_or_else(|| from.clamp_length_max(TOP), |space| from + space.normal * space.lack(from).max(0.0));
            *correction = from - v;
        }
    }
    v
}

#[test]
fn the_space_program_agrees_with_projections() {
    let (mut feasible, mut not) = (0, 0);
    for case in 0..400_u64 {
        let mut luck = Stream::new(7, case, 0, Use::Spawn);
        let count = luck.integer(0, 8) as usize;
        let set = spaces(&mut luck, count);
        let wanted = DVec3::new(luck.uniform(-2.0, 2.0), luck.uniform(-2.0, 2.0), luck.uniform(-2.0, 2.0));
        let (v, failed) = space::best(&set, TOP, Aim::Near(wanted), &mut Vec::new());
        let other = projected(&set, wanted);
        if let Some(from) = failed {
            not += 1;
            assert!(deepest(&set, other) > 1e-7, "case {case}: said to be impossible, yet {other}");
            let v = space::least_bad(&set, 0, from, TOP, v, (&mut Vec::new(), &mut Vec::new()));
            let found = deepest(&set, v);
            let mut luck = Stream::new(9, case, 0, Use::Spawn);
            for _ in 0..20_000 {
                let tried = DVec3::new(luck.uniform(-TOP, TOP), luck.uniform(-TOP, TOP), luck.uniform(-TOP, TOP));
                if tried.length() <= TOP {
                    assert!(found <= deepest(&set, tried) + 1e-6, "case {case}: {found}");
                }
            }
            continue;
        }
        feasible += 1;
        assert!(deepest(&set, v) < 1e-7 && v.length() < TOP + 1e-9, "case {case}: {v}");
        if deepest(&set, other) < 1e-4 {
            assert!(v.distance(wanted) < other.distance(wanted) + 1e-3, "case {case}: {v} instead of {other}");
        }
    }
    assert!(feasible > 150 && not > 10, "{feasible}, {not}");
}
