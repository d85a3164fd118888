//! The base line of a formation: weighted principal components against head and tail, clusters, sign (R037–R041, R064, E07).

use glam::DVec3;
use swarmyard::formation::{BaseLineFinder, BaseLineMethod, CLUSTER, base_line_weight};
use swarmyard::sim::Stream;
use swarmyard::sim::rng::Use;
use swarmyard::sim::wrap_angle;

fn at(x: f64, y: f64) -> DVec3 {
    DVec3::new(x, y, 0.0)
}

fn find(points: &[DVec3], method: BaseLineMethod, before: Option<f64>) -> swarmyard::formation::BaseLine {
    BaseLineFinder::default().find(points, method, before).expect("a line")
}

/// A line of n, 1.2 m apart, turned, head first, with noise of that deviation.
fn noisy(n: usize, turn: f64, sigma: f64, seed: u64) -> Vec<DVec3> {
    let mut luck = Stream::new(seed, 0, 0, Use::Spawn);
    let (sin, cos) = turn.sin_cos();
    let mut point = |i: usize| {
        let (x, y) = (-1.2 * i as f64 + luck.normal(0.0, sigma), luck.normal(0.0, sigma));
        at(x * cos - y * sin, x * sin + y * cos)
    };
    (0..n).map(&mut point).collect()
}

#[test]
fn weights_are_those_of_head_middle_and_tail() {
    assert_eq!([0, 1, 2, 3].map(|i| base_line_weight(i, 4)), [1.0, 0.9, 0.9, 0.8]);
    assert_eq!(base_line_weight(0, 1), 1.0);
}

#[test]
fn a_straight_rank_is_found_whatever_its_direction_and_method() {
    for turn in [-3.1, -1.6, 0.0, 0.3, 1.6, 3.0] {
        let points = noisy(20, turn, 0.0, 1);
        for method in [BaseLineMethod::Weighted, BaseLineMethod::TwoPoint, BaseLineMethod::Clusters] {
            let line = find(&points, method, None);
            // The head is in front: the direction is from tail to head.
            assert!(wrap_angle(line.direction - turn).abs() < 1e-12, "{method:?} {turn} {}", line.direction);
            assert!(points.iter().all(|p| line.distance(*p) < 1e-12));
        }
    }
}

/// The figure of R040: 20 agents, 3 at the edge removed.
#[test]
fn removing_three_agents_at_the_edge_turns_the_weighted_line_by_less_than_half_a_degree() {
    let mut worst: [f64; 2] = [0.0; 2];
    for seed in 0..200 {
        let points = noisy(20, 0.4, 0.05, seed);
        for (index, method) in [BaseLineMethod::Weighted, BaseLineMethod::TwoPoint].into_iter().enumerate() {
            let whole = find(&points, method, None);
            for removed in [&points[3..], &points[..17], &points[1..18]] {
                let rest = find(removed, method, Some(whole.direction));
                worst[index] = worst[index].max(wrap_angle(rest.direction - whole.direction).abs().to_degrees());
            }
        }
    }
    assert!(worst[0] < 0.5, "{worst:?}");
    assert!(worst[1] > worst[0], "two points depend on two agents: {worst:?}");
}

#[test]
fn an_agent_far_out_moves_two_points_and_hardly_the_weighted_line() {
    let mut points = noisy(20, 0.0, 0.01, 3);
    points[19] += at(0.0, 3.2);
    let weighted = find(&points, BaseLineMethod::Weighted, None).direction.abs().to_degrees();
    let two = find(&points, BaseLineMethod::TwoPoint, None).direction.abs().to_degrees();
    assert!(two > 7.9 && weighted < 0.4 * two, "{weighted} and {two}");
}

#[test]
fn the_line_keeps_its_side_and_a_round_cloud_keeps_the_direction_it_had() {
    let points = noisy(20, 0.0, 0.0, 1);
    for before in [0.2, 3.0] {
        let line = find(&points, BaseLineMethod::Weighted, Some(before));
        assert!(wrap_angle(line.direction - before).abs() < 0.3, "{before} {}", line.direction);
    }
    let round: Vec<DVec3> = (0..24).map(|i| swarmyard::sim::angle::direction(f64::from(i) * 0.2618)).collect();
    assert_eq!(find(&round, BaseLineMethod::Weighted, Some(1.234)).direction, 1.234);
}

#[test]
fn the_anchor_is_a_median_along_the_line() {
    let mut points = noisy(21, 0.0, 0.0, 1);
    let before = find(&points, BaseLineMethod::Weighted, None).anchor;
    points[20] -= at(100.0, 0.0);
    let after = find(&points, BaseLineMethod::Weighted, None).anchor;
    assert!(before.distance(after) < 1e-9, "one far out does not move it: {before} {after}");
    // Weights 1.0, 0.9, 0.9, 0.8: half of the whole lies between the second and the third.
    let four = [0.0, -1.0, -2.0, -3.0].map(|x| at(x, 0.0));
    let x = find(&four, BaseLineMethod::Weighted, None).anchor.x;
    assert!((x + 1.0).abs() < 1e-12, "1.0 + 0.9 is more than half of 3.6: {x}");
}

#[test]
fn clusters_of_five_lose_little_and_few_agents_are_taken_singly() {
    assert_eq!(CLUSTER, 5);
    let few = noisy(4, 0.3, 0.05, 9);
    assert_eq!(find(&few, BaseLineMethod::Clusters, None), find(&few, BaseLineMethod::Weighted, None));
    for seed in 0..20 {
        let points = noisy(100, -0.7, 0.05, seed);
        let (a, b) = (find(&points, BaseLineMethod::Weighted, None), find(&points, BaseLineMethod::Clusters, None));
        // R065: loss below 0.3 cm, taken at the ends of the formation.
        let ends = [points[0], points[99]].map(|p| (a.distance(p) - b.distance(p)).abs());
        assert!(ends.iter().all(|loss| *loss < 0.003), "{ends:?}");
    }
}

#[test]
fn no_one_and_two_points_are_no_fault() {
    let mut finder = BaseLineFinder::default();
    for method in [BaseLineMethod::Weighted, BaseLineMethod::TwoPoint, BaseLineMethod::Clusters] {
        assert_eq!(finder.find(&[], method, Some(1.0)), None);
        assert_eq!(finder.find(&[at(1.0, 2.0)], method, None), None);
        let one = finder.find(&[at(1.0, 2.0)], method, Some(0.5)).expect("keeps its direction");
        assert_eq!((one.anchor, one.direction), (at(1.0, 2.0), 0.5));
        let two = finder.find(&[at(1.0, 0.0), at(0.0, 0.0)], method, None).expect("a line");
        assert!(two.direction.abs() < 1e-12);
    }
}

/// F30: an eigenvector has no sign; the line follows a rank that is turned all round in steps of a degree, without a jump.
#[test]
fn f30_a_rank_that_is_turned_all_round_never_flips_its_line() {
    let mut finder = BaseLineFinder::default();
    for method in [BaseLineMethod::Weighted, BaseLineMethod::Clusters] {
        let mut before: Option<f64> = None;
        for degree in 0..=720 {
            let points = noisy(20, f64::from(degree).to_radians(), 0.0, 1);
            let line = finder.find(&points, method, before).expect("a line");
            if let Some(before) = before {
                assert!(wrap_angle(line.direction - before).abs().to_degrees() <= 1.1, "{method:?} at {degree}");
            }
            before = Some(line.direction);
        }
    }
}
