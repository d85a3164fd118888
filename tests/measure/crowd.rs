//! Crowd measures against hand-computed values, PedPy 1.5.1, and what must hold for any crowd.

use glam::{DVec2, DVec3};
use swarmyard::measure::crowd::polygon::{Clip, length_inside};
use swarmyard::measure::crowd::stuck::Stuck;
use swarmyard::measure::crowd::{
    Conflicts, CutOff, Field, Gate, LEVELS, Lanes, Line, MEASURED, Polygon, Voronoi, Walkable, classic_density, flow,
    flow_of_share, fundamental, headways, line_density, line_flow, line_speed, main_axis, mean_speed,
    time_to_collision, voronoi_density, voronoi_speed, weidmann_flow, weidmann_speed,
};
use swarmyard::measure::{GroupSample, Measurer, Metric, MetricSet, Values};
use swarmyard::sim::AgentId;

fn near(is: f64, ought: f64, within: f64, what: &str) {
    assert!((is - ought).abs() <= within, "{what}: {is} instead of {ought}");
}

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A repeatable stream of numbers in [0, 1); the same as in the script that asked PedPy.
fn luck(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// A room of 10 × 6 m with a pillar (4..5, 2..3.2) and a corridor of 1 m that leaves it to the right, as rectangles that meet
/// edge to edge.
fn room() -> Walkable {
    let (xs, ys) = ([0.0, 4.0, 5.0, 10.0, 14.0], [0.0, 2.0, 2.5, 3.2, 3.5, 6.0]);
    let rectangle = |x: usize, y: usize| Polygon::rectangle(v(xs[x], ys[y]), v(xs[x + 1], ys[y + 1])).ring().to_vec();
    let free = |x: usize, y: usize| match x {
        1 => y != 1 && y != 2,
        3 => y == 2 || y == 3,
        _ => true,
    };
    let all = (0..4).flat_map(|x| (0..5).map(move |y| (x, y)));
    Walkable::new(all.filter(|(x, y)| free(*x, *y)).map(|(x, y)| rectangle(x, y)))
}

fn in_room(p: DVec2) -> bool {
    let rim = 1e-3;
    let between = |x: f64, low: f64, high: f64| x > low + rim && x < high - rim;
    let outside_of_pillar = !(p.x > 4.0 - rim && p.x < 5.0 + rim && p.y > 2.0 - rim && p.y < 3.2 + rim);
    (between(p.x, 0.0, 10.0) && between(p.y, 0.0, 6.0) && outside_of_pillar)
        || (p.x > 10.0 - rim && between(p.x, 0.0, 14.0) && between(p.y, 2.5, 3.5))
}

/// 40 people in the room, and their velocities.
fn people() -> (Vec<DVec2>, Vec<DVec2>) {
    let mut state = 12345;
    let mut points = Vec::new();
    while points.len() < 40 {
        let p = v(luck(&mut state) * 14.0, luck(&mut state) * 6.0);
        if in_room(p) {
            points.push(p);
        }
    }
    let velocities = points.iter().map(|_| v((luck(&mut state) - 0.3) * 2.0, (luck(&mut state) - 0.5) * 2.0));
    let velocities = velocities.collect();
    (points, velocities)
}

fn cells_of(points: &[DVec2], field: &Field<'_>) -> Voronoi {
    let mut cells = Voronoi::default();
    cells.run(points, field);
    cells
}

fn ways(velocities: &[DVec2], line: &Line) -> Vec<i8> {
    velocities.iter().map(|v| if v.dot(line.normal()) > 0.0 { 1 } else { -1 }).collect()
}

/// The numbers are PedPy 1.5.1's for the same 40 people and velocities (three frames at 10 kHz of steps of v·0.1 ms, the middle
/// one asked), walkable area with the pillar as a hole, `SpeedCalculation.BORDER_SINGLE_SIDED`; each row is cut-off, sum of the
/// areas of cells, then per area classic and Voronoi density, mean and Voronoi speed, and per line density, speed and flow.
#[test]
fn densities_speeds_and_flows_are_those_of_pedpy() {
    let (points, velocities) = people();
    let ground = room();
    let areas =
        [Polygon::rectangle(v(6.0, 1.0), v(9.5, 5.0)), Polygon::new(vec![v(3.0, 1.0), v(7.0, 1.5), v(4.2, 4.5)])];
    let lines = [Line { from: v(9.9, 2.5), to: v(9.9, 3.5) }, Line { from: v(2.0, 5.5), to: v(7.0, 0.5) }];
    let expected = [
        (
            None,
            62.799_779_497_744_61,
            [
                [0.785_714_285_714_285_7, 0.641_302_885_098_647_2, 0.852_264_616_028_928_1, 0.934_951_755_331_420_8],
                [0.447_761_194_029_850_76, 0.586_383_552_336_13, 1.097_579_460_471_218, 0.814_896_891_896_583_1],
            ],
            [
                [0.412_495_126_161_304_9, 0.761_422_595_170_054, 0.335_435_939_780_672_54],
                [0.594_777_118_282_978_3, 0.467_687_794_444_642_9, 0.333_775_115_172_893_27],
            ],
        ),
        (
            Some(CutOff::new(0.8)),
            43.228_844_157_507_055,
            [
                [0.785_714_285_714_285_7, 0.730_401_545_452_746_3, 0.852_264_616_028_928_1, 0.800_563_705_287_706],
                [0.447_761_194_029_850_76, 0.528_026_200_254_769_7, 1.097_579_460_471_218, 0.589_689_429_020_875_5],
            ],
            [
                [0.521_869_765_108_084, 0.623_071_381_689_271_1, 0.410_890_610_746_599_7],
                [0.671_516_590_453_749_8, 0.403_366_759_119_537_34, 0.366_264_841_291_338_3],
            ],
        ),
    ];
    let mut clip = Clip::default();
    for (cut_off, sum, of_areas, of_lines) in expected {
        let field = Field { walkable: Some(&ground), cut_off, ..Field::within(v(0.0, 0.0), v(14.0, 6.0)) };
        let cells = cells_of(&points, &field);
        near((0..40).map(|cell| cells.area(cell)).sum(), sum, 1e-9, "sum of areas");
        for (area, ought) in areas.iter().zip(of_areas) {
            let is = [
                classic_density(&points, area),
                voronoi_density(&cells, area, &mut clip),
                mean_speed(&points, &velocities, area),
                voronoi_speed(&cells, &velocities, area, &mut clip),
            ];
            is.iter().zip(ought).for_each(|(is, ought)| near(is.expect("a value"), ought, 1e-7, "area"));
        }
        for (line, ought) in lines.iter().zip(of_lines) {
            let way = ways(&velocities, line);
            let is = [
                line_density(&cells, line),
                line_speed(&cells, &velocities, &way, line),
                line_flow(&cells, &velocities, &way, line),
            ];
            is.iter().zip(ought).for_each(|(is, ought)| near(is.expect("a value"), ought, 1e-7, "line"));
        }
    }
}

#[test]
fn cells_partition_any_area_and_hold_their_person() {
    let mut state = 7;
    let mut clip = Clip::default();
    for n in [1, 2, 3, 10, 100, 400] {
        let points: Vec<DVec2> = (0..n).map(|_| v(luck(&mut state) * 8.0, luck(&mut state) * 5.0)).collect();
        let cells = cells_of(&points, &Field::within(v(0.0, 0.0), v(8.0, 5.0)));
        near((0..n).map(|cell| cells.area(cell)).sum(), 40.0, 1e-9, "areas");
        // A polygon that is not convex, and a line.
        let area = Polygon::new(vec![v(1.0, 1.0), v(7.0, 0.5), v(4.0, 2.5), v(6.5, 4.5), v(1.5, 4.0)]);
        let shared: f64 = (0..n).map(|cell| cells.shared_area(cell, &area, &mut clip)).sum();
        near(shared, area.area(), 1e-9, "shared");
        let (from, to) = (v(0.5, 0.5), v(7.5, 4.5));
        let along: f64 = (0..n).map(|cell| cells.shared_length(cell, from, to)).sum();
        near(along, from.distance(to), 1e-9, "line");
        for cell in 0..n {
            let nearest = |at: DVec2| points.iter().map(|p| p.distance(at)).fold(f64::INFINITY, f64::min);
            for corner in cells.pieces(cell).flatten() {
                near(nearest(points[cell] + *corner), corner.length(), 1e-9, "a corner is nearest to its person");
            }
        }
    }
}

#[test]
fn cells_in_a_world_that_wraps_partition_it_across_the_seam() {
    let mut state = 11;
    let mut clip = Clip::default();
    for n in [1, 2, 3, 50] {
        let points: Vec<DVec2> = (0..n).map(|_| v(luck(&mut state) * 8.0 - 3.0, luck(&mut state) * 5.0)).collect();
        let field = Field { period: v(8.0, 0.0), ..Field::within(v(-3.0, 0.0), v(5.0, 5.0)) };
        let cells = cells_of(&points, &field);
        near((0..n).map(|cell| cells.area(cell)).sum(), 40.0, 1e-9, "areas");
        let area = Polygon::rectangle(v(-3.0, 1.0), v(-1.0, 4.0));
        let shared: f64 = (0..n).map(|cell| cells.shared_area(cell, &area, &mut clip)).sum();
        near(shared, 6.0, 1e-9, "an area at the seam");
    }
    // Two in a ring of 10 m, at 0 and 4: between them 2 m belong to each on one side and 3 m on the other.
    let field = Field { period: v(10.0, 0.0), ..Field::within(v(0.0, 0.0), v(10.0, 1.0)) };
    let cells = cells_of(&[v(0.0, 0.5), v(4.0, 0.5)], &field);
    near(cells.area(0), 5.0, 1e-12, "ring");
    let corners: Vec<f64> = cells.pieces(0).flatten().map(|corner| corner.x).collect();
    near(corners.iter().copied().fold(0.0, f64::min), -3.0, 1e-12, "behind");
    near(corners.iter().copied().fold(0.0, f64::max), 2.0, 1e-12, "before");
}

#[test]
fn a_uniform_grid_has_its_own_density_and_speed() {
    let points: Vec<DVec2> = (0..20).flat_map(|x| (0..20).map(move |y| v(f64::from(x), f64::from(y)) * 0.5)).collect();
    let cells = cells_of(&points, &Field::within(v(-0.25, -0.25), v(9.75, 9.75)));
    let mut clip = Clip::default();
    for area in
        [Polygon::rectangle(v(2.1, 3.3), v(6.2, 5.9)), Polygon::new(vec![v(1.0, 1.0), v(8.0, 2.0), v(3.0, 7.0)])]
    {
        near(voronoi_density(&cells, &area, &mut clip).expect("a density"), 4.0, 1e-9, "density");
        let velocities = vec![v(0.6, 0.8); points.len()];
        near(voronoi_speed(&cells, &velocities, &area, &mut clip).expect("a speed"), 1.0, 1e-9, "speed");
    }
    // A line, one between two columns included: it belongs to both halves once.
    for x in [2.1, 2.25, 2.5] {
        let line = Line { from: v(x, 1.1), to: v(x, 4.7) };
        near(line_density(&cells, &line).expect("a density"), 4.0, 1e-9, "line density");
        let (velocities, way) = (vec![v(1.3, 0.4); points.len()], vec![1; points.len()]);
        near(line_speed(&cells, &velocities, &way, &line).expect("a speed"), 1.3, 1e-9, "line speed");
        near(line_flow(&cells, &velocities, &way, &line).expect("a flow"), 5.2, 1e-9, "line flow");
    }
}

#[test]
fn nobody_somebody_and_those_who_stand_nowhere() {
    let area = Polygon::rectangle(v(0.0, 0.0), v(2.0, 2.0));
    let line = Line { from: v(1.0, 0.0), to: v(1.0, 2.0) };
    let mut clip = Clip::default();
    let field = Field::within(v(0.0, 0.0), v(4.0, 2.0));
    let none = cells_of(&[], &field);
    assert_eq!(voronoi_density(&none, &area, &mut clip), Some(0.0));
    assert_eq!(voronoi_speed(&none, &[], &area, &mut clip), None);
    assert_eq!(classic_density(&[], &area), Some(0.0));
    assert_eq!(mean_speed(&[], &[], &area), None);
    assert_eq!(line_density(&none, &line), Some(0.0));
    assert_eq!(line_speed(&none, &[], &[], &line), None);
    let one = cells_of(&[v(1.0, 1.0)], &field);
    near(one.area(0), 8.0, 1e-12, "all of it");
    near(voronoi_density(&one, &area, &mut clip).expect("a density"), 0.125, 1e-12, "half of it");
    let nowhere = cells_of(&[v(f64::NAN, 0.0), v(1.0, 1.0), v(1.0, 1.0)], &field);
    assert_eq!(nowhere.density(0), None);
    // Two on one point share the cell, and each counts.
    near(voronoi_density(&nowhere, &area, &mut clip).expect("a density"), 0.25, 1e-12, "both");
    let ground = Walkable::new([Polygon::rectangle(v(0.0, 0.0), v(4.0, 2.0)).ring().to_vec()]);
    let outside = cells_of(&[v(-1.0, 1.0)], &Field { walkable: Some(&ground), ..field });
    assert_eq!(outside.density(0), None);
    let flat = Polygon::new(vec![v(0.0, 0.0), v(1.0, 0.0)]);
    assert_eq!(classic_density(&[v(0.5, 0.0)], &flat), None);
    assert_eq!(voronoi_density(&one, &flat, &mut clip), None);
    assert_eq!(Walkable::default().at(v(0.0, 0.0)), None);
}

#[test]
fn a_cell_does_not_reach_round_a_wall_that_divides_it() {
    // Two rooms side by side without a door; the person is in the left one.
    let rooms = Walkable::new([
        Polygon::rectangle(v(0.0, 0.0), v(2.0, 2.0)).ring().to_vec(),
        Polygon::rectangle(v(2.1, 0.0), v(4.0, 2.0)).ring().to_vec(),
    ]);
    let field = Field { walkable: Some(&rooms), ..Field::within(v(0.0, 0.0), v(4.0, 2.0)) };
    near(cells_of(&[v(1.9, 1.0)], &field).area(0), 4.0, 1e-12, "one room");
}

#[test]
fn who_stands_on_the_border_is_outside_and_corners_may_turn_either_way() {
    let area = Polygon::new(vec![v(0.0, 0.0), v(0.0, 2.0), v(2.0, 2.0), v(2.0, 0.0)]);
    near(area.area(), 4.0, 0.0, "clockwise");
    assert_eq!(area.center(), v(1.0, 1.0));
    for border in [v(0.0, 1.0), v(2.0, 1.0), v(1.0, 2.0), v(0.0, 0.0), v(2.0, 2.0)] {
        assert!(!area.contains(border), "{border}");
    }
    assert!(area.contains(v(1e-9, 1.0)) && !area.contains(v(3.0, 1.0)));
    near(length_inside(v(-1.0, 1.0), v(3.0, 1.0), area.ring()), 2.0, 1e-12, "through");
    near(length_inside(v(0.0, 0.0), v(2.0, 0.0), area.ring()), 1.0, 1e-12, "along an edge: half");
    near(length_inside(v(0.0, 3.0), v(2.0, 3.0), area.ring()), 0.0, 0.0, "outside");
}

#[test]
fn nothing_changes_when_the_scene_is_turned_moved_or_mirrored_in_its_order() {
    let (points, velocities) = people();
    let (a, b) = (v(6.0, 1.0), v(9.5, 5.0));
    let corners = [a, v(b.x, a.y), b, v(a.x, b.y)];
    let measure = |turn: f64, shift: DVec2, order: &dyn Fn(usize) -> usize| {
        let place = |p: DVec2| DVec2::from_angle(turn).rotate(p) + shift;
        let mine: Vec<DVec2> = (0..points.len()).map(|i| place(points[order(i)])).collect();
        let speeds: Vec<DVec2> =
            (0..points.len()).map(|i| DVec2::from_angle(turn).rotate(velocities[order(i)])).collect();
        let ground = room();
        let polygons = (0..ground.len()).map(|at| ground.polygon(at).iter().map(|p| place(*p)).collect());
        let turned = Walkable::new(polygons.collect::<Vec<Vec<DVec2>>>());
        let (low, high) = turned.bounds();
        let cells = cells_of(&mine, &Field { walkable: Some(&turned), ..Field::within(low, high) });
        let area = Polygon::new(corners.map(place).to_vec());
        let line = Line { from: place(v(9.9, 2.5)), to: place(v(9.9, 3.5)) };
        let mut clip = Clip::default();
        let way = ways(&speeds, &line);
        [
            classic_density(&mine, &area),
            voronoi_density(&cells, &area, &mut clip),
            mean_speed(&mine, &speeds, &area),
            voronoi_speed(&cells, &speeds, &area, &mut clip),
            line_density(&cells, &line),
            line_speed(&cells, &speeds, &way, &line),
            line_flow(&cells, &speeds, &way, &line),
        ]
        .map(|value| value.expect("a value"))
    };
    let plain = measure(0.0, DVec2::ZERO, &|i| i);
    for (turn, shift, within) in
        [(0.3, v(0.0, 0.0), 1e-9), (2.0, v(-5.0, 3.0), 1e-9), (0.0, v(451_964.0, 5_412_320.0), 1e-6)]
    {
        for (is, ought) in measure(turn, shift, &|i| i).into_iter().zip(plain) {
            near(is, ought, within, "moved");
        }
    }
    for (is, ought) in measure(0.0, DVec2::ZERO, &|i| 39 - i).into_iter().zip(plain) {
        near(is, ought, 1e-9, "another order");
    }
}

fn agent(slot: u32) -> AgentId {
    AgentId { slot, generation: 0 }
}

/// Walks agents along given x at ticks of 0.1 s through the line x = 0.
fn gate_of(paths: &[&[f64]]) -> Gate {
    let mut gate = Gate::new(Line { from: v(0.0, -2.0), to: v(0.0, 2.0) }, 10.0);
    for tick in 0..paths[0].len() {
        let now = 0.1 * tick as f64;
        gate.begin();
        for (slot, path) in paths.iter().enumerate() {
            gate.observe(agent(slot as u32), v(path[tick], 0.5 * slot as f64), (now - 0.1, now), DVec2::ZERO);
        }
        gate.end(now);
    }
    gate
}

/// PedPy 1.5.1 counts these three at frames 2, 5 and 5 as well.
#[test]
fn who_sways_on_a_line_or_stands_on_it_is_counted_once() {
    let gate = gate_of(&[
        &[-1.0, -0.2, 0.3, -0.3, 0.4, 0.0, -0.1, 0.5],
        &[-1.0, -0.5, 0.0, 0.0, 0.0, 0.5, 0.6, 0.7],
        &[1.0, 0.5, 0.0, 0.0, 0.0, -0.5, -0.6, -0.7],
    ]);
    assert_eq!((gate.forward(), gate.backward(), gate.count()), (2, 1, 3));
    // Who touches it and goes back did not pass; who begins on it passes by leaving it forwards only.
    assert_eq!(gate_of(&[&[-1.0, 0.0, -1.0], &[0.0, 0.5, 0.5], &[0.0, -0.5, -0.5]]).count(), 1);
    // Who goes forth, back, and back once more in a world without a seam passed both ways.
    let gate = gate_of(&[&[-1.0, 1.0, -1.0, 1.0]]);
    assert_eq!((gate.forward(), gate.backward()), (1, 0));
}

#[test]
fn a_crossing_knows_when_where_and_which_way() {
    let line = Line { from: v(0.0, 0.0), to: v(0.0, 4.0) };
    assert_eq!(line.normal(), v(1.0, 0.0));
    let crossing = line.crossing(v(-1.0, 1.0), v(3.0, 1.0)).expect("a crossing");
    assert_eq!((crossing.part, crossing.along, crossing.forward), (0.25, 0.25, true));
    assert!(!line.crossing(v(3.0, 1.0), v(-1.0, 1.0)).expect("a crossing").forward);
    assert_eq!(line.crossing(v(-1.0, 5.0), v(1.0, 5.0)), None);
    assert!(line.crossing(v(-1.0, 4.0), v(1.0, 4.0)).is_some(), "ends are part of it");
    assert_eq!(line.crossing(v(-1.0, 1.0), v(-0.5, 1.0)), None);
    // A step over the seam of a ring of 10 m, with the line at the seam.
    let seam = v(10.0, 0.0);
    assert!(line.crossing_wrapped(v(-0.2, 1.0), v(0.3, 1.0), seam).is_some());
    assert!(line.crossing_wrapped(v(9.8, 1.0), v(10.3, 1.0), seam).is_some());
    let none = Line { from: v(1.0, 1.0), to: v(1.0, 1.0) };
    assert_eq!((none.crossing(v(0.0, 1.0), v(2.0, 1.0)), none.normal()), (None, DVec2::ZERO));
}

/// Crossings of 20 people at 1.1 m/s; PedPy 1.5.1 has the same frames (28, 41, 52 ...) at 10 per second, ours lie in between.
#[test]
fn the_curve_of_counts_and_the_flow_are_those_of_pedpy() {
    let frames = [28, 41, 52, 54, 63, 65, 76, 87, 89, 98, 100, 111, 122, 124, 133, 135, 146, 157, 159, 170];
    let start = |i: u32| 0.7 * f64::from(i) + 0.31 * f64::from((i * 7) % 5);
    let mut gate = Gate::new(Line { from: v(0.0, -2.0), to: v(0.0, 2.0) }, 5.0);
    let (mut times, mut counted) = (Vec::new(), Vec::new());
    for frame in 0..260 {
        let now = f64::from(frame) / 10.0;
        gate.begin();
        for i in 0..20 {
            let at = v(-3.0 + 1.1 * (now - start(i)) + 0.003, 0.1 * f64::from(i) - 1.0);
            gate.observe(agent(i), at, (now - 0.1, now), DVec2::ZERO);
        }
        gate.end(now);
        times.extend(gate.passed().iter().map(|passing| passing.time));
        counted.extend(gate.passed().iter().map(|_| frame));
    }
    assert_eq!(counted, frames);
    let mut exact: Vec<f64> = (0..20).map(|i| (3.0 - 0.003) / 1.1 + start(i)).collect();
    exact.sort_by(f64::total_cmp);
    times.iter().zip(&exact).for_each(|(is, ought)| near(*is, *ought, 1e-9, "between the frames"));
    near(flow(&times).expect("a flow"), 19.0 / (exact[19] - exact[0]), 1e-9, "flow");
    near(headways(&times).sum(), exact[19] - exact[0], 1e-9, "headways");
    let middle = flow_of_share(&times, 0.1, 0.9).expect("a flow");
    near(middle, 16.0 / (exact[18] - exact[2]), 1e-9, "10 to 90 %");
    assert_eq!((flow(&[]), flow(&[1.0]), flow(&[1.0, 1.0]), flow_of_share(&[], 0.1, 0.9)), (None, None, None, None));
}

/// PedPy 1.5.1 `compute_flow` with 50 frames of 10 per second has 1.458333 and 1.304348 for the second and third span; its
/// passings lie on frames and its spans end one frame after the last, so the exact times are asked to agree to one frame.
#[test]
fn the_flow_of_a_window_runs_from_the_last_passing_before_it() {
    let mut gate = Gate::new(Line { from: v(0.0, -1.0), to: v(0.0, 1.0) }, 5.0);
    let mut spans = Vec::new();
    for frame in 0..260_u32 {
        let now = f64::from(frame) / 10.0;
        gate.begin();
        for i in 0..20 {
            let start = 0.7 * f64::from(i) + 0.31 * f64::from((i * 7) % 5);
            let at = v(-3.0 + 1.1 * (now - start) + 0.003, 0.01 * f64::from(i));
            gate.observe(agent(i), at, (now - 0.1, now), DVec2::ZERO);
        }
        gate.end(now);
        if [27, 29, 128, 178, 250].contains(&frame) {
            spans.push(gate.flow(now));
        }
    }
    assert_eq!(spans[0], None, "nobody yet");
    assert_eq!(spans[1], None, "the first one alone has no flow");
    near(spans[2].expect("a flow"), 1.458_333, 0.05, "second span");
    near(spans[3].expect("a flow"), 1.304_348, 0.12, "third span");
    assert_eq!(spans[4], Some(0.0), "everybody is through");
}

#[test]
fn a_lap_counts_anew_in_a_world_that_wraps() {
    let mut gate = Gate::new(Line { from: v(2.0, -1.0), to: v(2.0, 1.0) }, 10.0);
    for tick in 0..100_u32 {
        let now = 0.1 * f64::from(tick);
        gate.begin();
        gate.observe(agent(3), v((0.55 * f64::from(tick)) % 10.0, 0.0), (now - 0.1, now), v(10.0, 0.0));
        gate.end(now);
    }
    // 54.45 m from 0: past 2, 12, 22, 32, 42 and 52.
    assert_eq!((gate.forward(), gate.backward()), (6, 0));
    near(gate.flow(9.9).expect("a flow"), 0.55, 1e-6, "one per 10 m at 5.5 m/s");
    // A new agent in an old slot begins anew.
    gate.begin();
    gate.observe(AgentId { slot: 3, generation: 1 }, v(1.0, 0.0), (9.9, 10.0), v(10.0, 0.0));
    gate.observe(AgentId { slot: 9, generation: 0 }, v(3.0, 0.0), (9.9, 10.0), v(10.0, 0.0));
    gate.end(10.0);
    assert_eq!(gate.count(), 6);
}

#[test]
fn discs_collide_when_their_quadratic_says_so() {
    let (x, y) = (DVec3::X, DVec3::Y);
    // 10 m apart, closing with 2 m/s, radii 0.5 each.
    near(time_to_collision(10.0 * x, -2.0 * x, 1.0).expect("a time"), 4.5, 1e-12, "head on");
    // Passing 0.6 m aside: the other is met at √(1 − 0.36) = 0.8 m before.
    near(time_to_collision(10.0 * x + 0.6 * y, -2.0 * x, 1.0).expect("a time"), 4.6, 1e-12, "aside");
    assert_eq!(time_to_collision(10.0 * x + 1.1 * y, -2.0 * x, 1.0), None);
    assert_eq!(time_to_collision(10.0 * x, 2.0 * x, 1.0), None);
    assert_eq!(time_to_collision(10.0 * x, DVec3::ZERO, 1.0), None);
    assert_eq!(time_to_collision(0.5 * x, 2.0 * x, 1.0), Some(0.0));
    assert_eq!(time_to_collision(x, x, 1.0), None, "touching and parting");
    assert_eq!(time_to_collision(x, -x, 1.0), Some(0.0));
    // A near miss at high speed is exact: moved on by that time, the discs touch.
    let (offset, relative) = (DVec3::new(1e4, 0.999_9, 0.0), DVec3::new(-30.0, 0.0, 0.0));
    let time = time_to_collision(offset, relative, 1.0).expect("a time");
    near((offset + relative * time).length(), 1.0, 1e-9, "touch");
}

#[test]
fn the_soonest_collision_is_that_of_all_pairs() {
    let mut state = 3;
    for (n, extent) in [(0, None), (1, None), (2, None), (60, None), (60, Some(DVec3::new(30.0, 0.0, 0.0)))] {
        let mut sample = GroupSample::default();
        sample.clear(extent);
        for _ in 0..n {
            let mut random = |size: f64| (luck(&mut state) - 0.5) * size;
            let (at, velocity) =
                (DVec3::new(random(30.0), random(30.0), 0.0), DVec3::new(random(3.0), random(3.0), 0.0));
            sample.push(at, velocity, 0.0, 0.2, None);
        }
        let view = sample.view();
        let mut soonest = vec![f64::INFINITY; n];
        for (a, first) in soonest.iter_mut().enumerate() {
            for b in 0..n {
                let offset = view.offset(view.positions[a], view.positions[b]);
                let time = time_to_collision(offset, view.velocities[b] - view.velocities[a], 0.4);
                if let Some(time) = time.filter(|time| a != b && *time <= 10.0) {
                    *first = first.min(time);
                }
            }
        }
        let finite: Vec<f64> = soonest.iter().copied().filter(|time| time.is_finite()).collect();
        let least = finite.iter().copied().reduce(f64::min);
        let mut conflicts = Conflicts::default();
        assert_eq!(conflicts.least(&view, 10.0), least);
        let times = conflicts.times(&view, 10.0);
        assert_eq!(times.least, least);
        assert_eq!(times.mean.is_some(), least.is_some());
        if let Some(mean) = times.mean {
            near(mean, finite.iter().sum::<f64>() / finite.len() as f64, 1e-12, "mean");
        }
    }
}

#[test]
fn metrics_of_groups_know_overlap_conflicts_and_lanes() {
    let mut sample = GroupSample::default();
    sample.clear(None);
    let people =
        [(0.0, 0.0, 1.0), (0.3, 0.0, 1.0), (5.0, 0.0, -1.0), (0.0, 3.0, 1.0), (0.35, 3.0, 1.0), (9.0, 3.0, 1.0)];
    for (x, y, speed) in people {
        sample.push(DVec3::new(x, y, 0.0), DVec3::new(speed, 0.0, 0.0), 0.0, 0.2, None);
    }
    let mut values = Values::default();
    Measurer::default().measure(&sample.view(), MetricSet::ALL, &mut values);
    near(values.get(Metric::OverlapMax).expect("an overlap"), 0.1, 1e-12, "deepest");
    assert_eq!(values.get(Metric::Collisions), Some(2.0));
    assert_eq!(values.get(Metric::TimeToCollisionMin), Some(0.0), "who overlaps collides now");
    // The lower band has two one way and one the other, (1/3)² for 3 people; the upper one is a lane.
    near(values.get(Metric::LaneOrder).expect("an order"), (3.0 / 9.0 + 3.0) / 6.0, 1e-12, "lanes");
    let mut alone = GroupSample::default();
    alone.clear(None);
    alone.push(DVec3::ZERO, DVec3::X, 0.0, 0.2, None);
    Measurer::default().measure(&alone.view(), MetricSet::ALL, &mut values);
    assert_eq!(values.get(Metric::OverlapMax), Some(0.0));
    assert_eq!(values.get(Metric::TimeToCollisionMin), None);
    assert_eq!(values.get(Metric::LaneOrder), Some(1.0));
}

#[test]
fn lanes_are_in_order_and_mixtures_are_not() {
    let mut lanes = Lanes::default();
    let mut order = |people: &[(DVec2, DVec2)], axis| lanes.order(people.iter().copied(), axis, DVec2::ZERO, 0.6);
    let lane = |y: f64, speed: f64| (0..10).map(move |i| (v(f64::from(i), y), v(speed, 0.1)));
    let sorted: Vec<_> = lane(0.3, 1.0).chain(lane(0.9, -1.0)).collect();
    assert_eq!(order(&sorted, DVec2::X), Some(1.0));
    let mixed: Vec<_> = lane(0.3, 1.0).chain(lane(0.3, -1.0)).collect();
    assert_eq!(order(&mixed, DVec2::X), Some(0.0));
    assert_eq!(order(&[], DVec2::X), None);
    let axis = main_axis(sorted.iter().map(|(_, velocity)| *velocity)).expect("an axis");
    near(axis.x, 1.0, 1e-9, "opposite ways are one axis");
    let turned = main_axis(sorted.iter().map(|(_, velocity)| velocity.perp())).expect("an axis");
    near(turned.y.abs(), 1.0, 1e-9, "turned");
    assert_eq!(main_axis([DVec2::ZERO].into_iter()), None);
}

#[test]
fn stuck_is_who_wants_to_go_and_does_not_get_on_for_two_seconds() {
    let mut stuck = Stuck::default();
    let mut walk = |slot: u32, at: &dyn Fn(f64) -> f64, wanted: f64| {
        (0..300)
            .filter(|tick| {
                let now = f64::from(*tick) / 60.0;
                let wish = DVec3::X * wanted;
                stuck.observe(agent(slot), DVec3::new(at(now), 0.0, 0.0), wish, 1.0 / 60.0, |from, to| to - from)
            })
            .count()
    };
    assert_eq!(walk(0, &|_| 1.0, 1.3), 180, "from 2 s on");
    assert_eq!(walk(1, &|_| 1.0, 0.0), 0, "who waits is not stuck");
    assert_eq!(walk(2, &|now| 0.15 * now, 1.3), 0, "slow progress is progress");
    assert_eq!(walk(3, &|now| 0.04 * (20.0 * now).sin(), 1.3), 180, "swaying is none");
    assert_eq!(walk(4, &|now| if now < 3.0 { 0.0 } else { now - 3.0 }, 1.3), 60 + 12, "free again 0.2 m on");
}

/// Rows of the reference: values of Weidmann's curve, and the measured points lie on or above it.
#[test]
fn the_fundamental_diagram_has_its_published_values() {
    let speeds = [
        (0.25, 1.339),
        (0.5, 1.298),
        (1.0, 1.058),
        (1.5, 0.807),
        (2.0, 0.606),
        (3.0, 0.331),
        (4.0, 0.156),
        (5.0, 0.037),
    ];
    for (density, speed) in speeds {
        near(weidmann_speed(density), speed, 6e-4, "speed");
    }
    assert_eq!((weidmann_speed(5.4), weidmann_speed(9.0), weidmann_speed(0.0)), (0.0, 0.0, 1.34));
    let best =
        (1..540).map(|step| 0.01 * f64::from(step)).max_by(|a, b| weidmann_flow(*a).total_cmp(&weidmann_flow(*b)));
    near(best.expect("a maximum"), 1.75, 0.011, "where the flow is largest");
    near(weidmann_flow(1.75), 1.225, 1e-3, "largest flow");
    for point in MEASURED {
        near(point.density * point.speed, point.flow, 0.2 * point.flow, "J = ρ·v holds for what was measured");
    }
    assert_eq!([0.1, 0.4, 0.5, 0.8, 2.0, 5.0].map(fundamental::level), [0, 1, 2, 3, 4, 5]);
    assert!(LEVELS.windows(2).all(|pair| pair[0].1 < pair[1].1));
}
