//! Lines and areas of running scenes: counts, densities, cells at walls and seams, what costs nothing unasked.

use swarmyard::experiment::report::MetricRun;
use swarmyard::experiment::{Experiment, Options};

use super::helpers::{expect_no_errors, open, run, small_project, try_open};

fn line(experiment: &mut Experiment, name: &str, metric: &str) -> MetricRun {
    let report = experiment.report();
    let line = report.lines.iter().find(|line| line.name == name).expect("the line");
    line.metrics.iter().find(|(id, _)| id == metric).unwrap_or_else(|| panic!("no {metric}")).1.clone()
}

fn area(experiment: &mut Experiment, name: &str, metric: &str) -> Option<MetricRun> {
    let report = experiment.report();
    let area = report.areas.iter().find(|area| area.name == name).expect("the area");
    area.metrics.iter().find(|(id, _)| id == metric).map(|(_, run)| run.clone())
}

/// Four in a row at 1 m/s through a line and an area; all numbers follow by hand.
const ROW: &str = "Scene(format: 1, title: \"row\", seed: 1, tick_hz: 10, duration: 60,
  area: (min: (-10, -1), max: (30, 1)),
  groups: [Group(name: \"row\", count: 4, spawn: Points(points: [(0.05, 0), (-1.95, 0), (-3.95, 0), (-5.95, 0)], speed: 1),
    body: (radius: 0.2, max_speed: 2, max_acceleration: 10))],
  lines: [Line(name: \"gate\", from: (4, -1), to: (4, 1), window: 30), Line(name: \"back\", from: (4, 1), to: (4, -1)),
    Line(name: \"aside\", from: (4, 2), to: (4, 3))],
  areas: [Area(name: \"box\", min: (1, -1), max: (3, 1)), Area(name: \"far\", min: (20, -1), max: (22, 1))],
)";

#[test]
fn a_row_of_four_has_the_counts_flow_and_density_of_its_spacing() {
    let (_folder, mut experiment) = small_project(ROW, &[]);
    run(&mut experiment, 20);
    // At 2 s the first is at 2.05 m and the second at 0.05 m: one in the box of 4 m².
    let get = |experiment: &mut Experiment, metric: &str| area(experiment, "box", metric).expect("measured").last;
    assert_eq!(get(&mut experiment, "count"), Some(1.0));
    assert_eq!(get(&mut experiment, "density"), Some(0.25));
    let near = |is: Option<f64>, ought: f64| assert!(is.is_some_and(|is| (is - ought).abs() < 1e-6), "{is:?} {ought}");
    near(get(&mut experiment, "speed"), 1.0);
    // Cells of the row: the first reaches from 1.05 m to the end at 30 m, 57.9 m², the second 2 m along, 4 m².
    near(get(&mut experiment, "voronoi_density"), (2.0 * (3.0 - 1.05) / 57.9 + 2.0 * 0.05 / 4.0) / 4.0);
    near(get(&mut experiment, "voronoi_speed"), 1.0);
    assert_eq!(area(&mut experiment, "far", "speed").expect("measured").last, None, "nobody is there");
    run(&mut experiment, 100);
    assert_eq!(line(&mut experiment, "gate", "count").last, Some(4.0));
    assert_eq!(line(&mut experiment, "gate", "forward").last, Some(4.0));
    assert_eq!(line(&mut experiment, "back", "backward").last, Some(4.0), "drawn the other way round");
    assert_eq!(line(&mut experiment, "aside", "count").last, Some(0.0), "they pass beside it");
    near(line(&mut experiment, "gate", "flow").last, 0.5);
    near(line(&mut experiment, "gate", "specific_flow").last, 0.25);
    assert_eq!(line(&mut experiment, "gate", "flow").unit, "1/s");
}

#[test]
fn with_a_window_only_what_is_watched_has_cells() {
    let (folder, _) = small_project(ROW, &[]);
    let options = Options { live: true, ..Options::default() };
    let mut experiment = try_open(&folder.path().join("scenes/it.ron"), options).expect("opened");
    run(&mut experiment, 5);
    assert!(area(&mut experiment, "box", "density").is_some());
    assert!(area(&mut experiment, "box", "voronoi_density").is_none(), "nobody asked");
    let wanted = "areas.box.voronoi_density".to_owned();
    experiment.apply(&swarmyard::experiment::command::Command::WatchPlot(wanted));
    run(&mut experiment, 5);
    assert!(area(&mut experiment, "box", "voronoi_density").is_some_and(|run| run.last.is_some()));
    assert!(area(&mut experiment, "box", "voronoi_speed").is_none());
}

/// A wall without thickness between two people: each has the half of the room on its side, wherever they stand.
#[test]
fn walls_bound_cells_and_an_open_door_joins_them() {
    let scene = "Scene(format: 1, title: \"w\", tick_hz: 10, duration: 9, area: (min: (0, 0), max: (4, 2)),
      obstacles: [Wall(name: \"wall\", from: (1, 0), to: (1, 2))],
      groups: [Group(name: \"a\", count: 2, spawn: Points([(0.5, 1), (1.6, 1)]))],
      areas: [Area(name: \"left\", min: (0, 0), max: (1, 2)), Area(name: \"right\", min: (1, 0), max: (4, 2))],
      schedule: [At(0.4, Open(\"wall\"))])";
    let (_folder, mut experiment) = small_project(scene, &[]);
    run(&mut experiment, 2);
    let density = |experiment: &mut Experiment, name: &str| {
        area(experiment, name, "voronoi_density").expect("measured").last.expect("a value")
    };
    // The slit of the wall is 0.2 mm wide.
    assert!((density(&mut experiment, "left") - 0.5).abs() < 1e-3);
    assert!((density(&mut experiment, "right") - 1.0 / 6.0).abs() < 1e-3);
    run(&mut experiment, 6);
    // Open: the border is the bisector at 1.05 m.
    assert!((density(&mut experiment, "left") - (2.0 / 2.1) / 2.0).abs() < 1e-6);
}

/// In a ring all numbers are those of any other place of it.
#[test]
fn nothing_happens_at_the_seam() {
    let scene = |at: f64| {
        format!(
            "Scene(format: 1, title: \"ring\", tick_hz: 10, duration: 9, edge: Wrap, area: (min: (0, -2), max: (10, 2)),
              obstacles: [Polyline(points: [(0, -1), (10, -1)]), Polyline(points: [(0, 1), (10, 1)])],
              groups: [Group(name: \"a\", count: 5, spawn: Grid(at: (0, 0), columns: 5, spacing: 2, speed: 1), body: (max_speed: 2))],
              lines: [Line(name: \"l\", from: ({at}, -1), to: ({at}, 1), window: 100)],
              areas: [Area(name: \"b\", min: ({at}, -1), max: ({}, 1))])",
            at + 1.0
        )
    };
    for at in [0.0, 3.3, 9.0] {
        let (_folder, mut experiment) = small_project(&scene(at), &[]);
        run(&mut experiment, 90);
        expect_no_errors(&experiment);
        let density = area(&mut experiment, "b", "voronoi_density").expect("measured");
        assert!((density.mean.expect("a mean") - 0.25).abs() < 1e-3, "{at}: {density:?}");
        assert!((density.max.expect("a maximum") - 0.25).abs() < 1e-3, "{at}: {density:?}");
        let flow = line(&mut experiment, "l", "flow").last.expect("a flow");
        assert!((flow - 0.5).abs() < 1e-6, "{at}: {flow}");
        let cells = line(&mut experiment, "l", "line_flow").last.expect("a flow");
        assert!((cells - 0.25).abs() < 1e-3, "{at}: {cells}");
    }
}

#[test]
fn nobody_one_and_groups_that_do_not_count() {
    let scene = "Scene(format: 1, title: \"n\", tick_hz: 10, duration: 9,
      groups: [Group(name: \"none\", count: 0), Group(name: \"one\", count: 1, spawn: Points([(1, 1)]))],
      lines: [Line(name: \"l\", from: (0, 0), to: (0, 1), groups: [\"none\"])],
      areas: [Area(name: \"none\", min: (0, 0), max: (2, 2), groups: [\"none\"]), Area(name: \"one\", min: (0, 0), max: (2, 2))])";
    let (_folder, mut experiment) = small_project(scene, &[]);
    run(&mut experiment, 3);
    expect_no_errors(&experiment);
    assert_eq!(area(&mut experiment, "none", "count").expect("measured").last, Some(0.0));
    assert_eq!(area(&mut experiment, "none", "voronoi_density").expect("measured").last, Some(0.0));
    assert_eq!(area(&mut experiment, "one", "count").expect("measured").last, Some(1.0));
    assert_eq!(line(&mut experiment, "l", "flow").last, None);
}

/// The script has the same definition and, with its bands from 0 and the area's from −3 m on, the same bands of 0.6 m.
#[test]
fn the_lane_order_of_an_area_is_that_of_the_script() {
    let mut experiment = open("scenes/07_lanes.ron");
    for _ in 0..5 {
        run(&mut experiment, 30);
        let native = area(&mut experiment, "corridor", "lane_order").expect("measured").last.expect("a value");
        let report = experiment.report();
        let scripted = report.groups[0].metrics.iter().find(|(id, _)| id == "lane_order_lua").expect("scripted");
        let scripted = scripted.1.last.expect("a value");
        assert!((native - scripted).abs() < 1e-6, "{native} {scripted}");
    }
}

#[test]
fn who_is_walled_in_on_the_way_to_a_goal_is_stuck() {
    let scene = "Scene(format: 1, title: \"s\", duration: 9, area: (min: (-5, -5), max: (9, 5)),
      obstacles: [Wall(from: (1, -3), to: (1, 3))],
      groups: [Group(name: \"a\", count: 1, spawn: Points([(0, 0)]), goal: (8, 0), behavior: \"crowd\"),
        Group(name: \"b\", count: 1, spawn: Points([(0, -4)]), goal: (8, -4), behavior: \"crowd\")],
      plots: [\"a.stuck\", \"b.stuck\", \"a.time_to_collision_min\", \"a.overlap_max\", \"a.lane_order\"])";
    let (_folder, mut experiment) = small_project(scene, &[]);
    run(&mut experiment, 8 * 60);
    expect_no_errors(&experiment);
    let report = experiment.report();
    let last = |group: usize, id: &str| {
        report.groups[group].metrics.iter().find(|(known, _)| known == id).and_then(|(_, metric)| metric.last)
    };
    assert_eq!((last(0, "stuck"), last(1, "stuck")), (Some(1.0), Some(0.0)));
    assert_eq!((last(0, "overlap_max"), last(0, "lane_order")), (Some(0.0), Some(1.0)));
}

#[test]
fn measuring_changes_no_hash() {
    let without = ROW.split("  lines:").next().expect("a first part").to_owned() + ")";
    let (_folder, mut with) = small_project(ROW, &[]);
    let (_other, mut bare) = small_project(&without, &[]);
    run(&mut with, 100);
    run(&mut bare, 100);
    assert_eq!(with.hash(), bare.hash());
}
