//! Measuring lines and areas in scene files: read, built, saved, and refused where they make no sense.

use glam::DVec2;
use swarmyard::scene::SceneFile;

use super::{load, problems_of};

fn scene(rest: &str) -> String {
    format!(
        "Scene(format: 1, title: \"t\", groups: [Group(name: \"a\", count: 1, spawn: Grid(at: (0, 0), spacing: 1)), Group(name: \"b\", count: 1, spawn: Grid(at: (5, 5), spacing: 1))], {rest})"
    )
}

#[test]
fn lines_and_areas_are_built() {
    let text = scene(
        "lines: [Line(name: \"door\", from: (0, 0), to: (0, 2), groups: [\"b\"], window: 5)], \
         areas: [Area(name: \"box\", min: (4, 3), max: (1, 1)), Area(name: \"tri\", points: [(0, 0), (0, 3), (4, 0)], cut_off: 0.8, along: (0, 2))], \
         plots: [\"lines.door.flow\", \"areas.tri.voronoi_density\"]",
    );
    let scene = load("t.ron", &text).expect("a good scene");
    let line = &scene.lines[0];
    assert_eq!((line.name.as_str(), line.groups.as_slice(), line.window), ("door", &[1][..], 5.0));
    assert_eq!((line.line.length(), line.line.normal()), (2.0, DVec2::X));
    assert_eq!((scene.areas[0].polygon.area(), scene.areas[1].polygon.area()), (6.0, 6.0));
    assert_eq!((scene.areas[1].cut_off, scene.areas[1].along), (Some(0.8), DVec2::Y));
    let plots: Vec<&str> = scene.plots.iter().map(|plot| plot.metric.as_str()).collect();
    assert_eq!(plots, ["lines.door.flow", "areas.tri.voronoi_density"]);
    assert!(scene.plots.iter().all(|plot| plot.group.is_none()));
}

#[test]
fn what_is_saved_loads_equal() {
    let text = scene(
        "lines: [Line(name: \"d\", from: (0, 0), to: (1, 2), groups: [\"a\"])], areas: [Area(name: \"b\", points: [(0, 0), (1, 0), (0, 1)], band: 0.5)]",
    );
    let first = SceneFile::from_text("t.ron", &text).expect("a good scene");
    let saved = first.scene.to_ron("");
    let again = SceneFile::from_text("t.ron", &saved).expect("a saved scene");
    assert_eq!(again.scene, first.scene);
    assert!(saved.contains("Line(name: \"d\"") && saved.contains("band: 0.5"), "{saved}");
    assert!(!saved.contains("window"), "defaults are left out: {saved}");
}

/// Every fault has its place, its code and a hint.
#[test]
fn faults_are_refused_with_a_place_and_a_hint() {
    let faults = [
        ("lines: [Line(name: \"d\", from: (1, 1), to: (1, 1))]", "begins where it ends"),
        ("lines: [Line(name: \"a b\", from: (0, 0), to: (1, 1))]", "cannot be the name"),
        ("lines: [Line(name: \"\", from: (0, 0), to: (1, 1))]", "cannot be the name"),
        (
            "lines: [Line(name: \"d\", from: (0, 0), to: (1, 1)), Line(name: \"d\", from: (0, 0), to: (1, 1))]",
            "two measuring lines `d`",
        ),
        ("lines: [Line(name: \"d\", from: (0, 0), to: (1, 1), groups: [\"c\"])]", "no group `c`"),
        ("lines: [Line(name: \"d\", from: (0, 0), to: (1, 1), window: 0)]", "window"),
        ("lines: [Line(name: \"d\", from: (0, 0))]", "to"),
        ("lines: [Line(name: \"d\", from: (0, 0), to: (inf, 1))]", ""),
        ("areas: [Area(name: \"d\")]", "either two corners or a list of points"),
        ("areas: [Area(name: \"d\", min: (0, 0))]", "either two corners or a list of points"),
        (
            "areas: [Area(name: \"d\", min: (0, 0), max: (1, 1), points: [(0, 0), (1, 0), (0, 1)])]",
            "either two corners",
        ),
        ("areas: [Area(name: \"d\", min: (0, 0), max: (0, 1))]", "empty"),
        ("areas: [Area(name: \"d\", points: [(0, 0), (2, 2), (2, 0), (0, 2)])]", "this area"),
        ("areas: [Area(name: \"d\", points: [(0, 0), (1, 1)])]", "this area"),
        ("areas: [Area(name: \"d\", min: (0, 0), max: (1, 1), along: (0, 0))]", "no direction"),
        ("areas: [Area(name: \"d\", min: (0, 0), max: (1, 1), cut_off: -1)]", "cut_off"),
        ("areas: [Area(name: \"d\", min: (0, 0), max: (1, 1), band: 0)]", "band"),
        ("plots: [\"lines.door.flow\"]", "no `door.flow` to measure"),
        ("plots: [\"lines.door\"]", "no `door` to measure"),
        ("areas: [Area(name: \"box\", min: (0, 0), max: (1, 1))], plots: [\"areas.box.densty\"]", "areas.box.density"),
    ];
    for (rest, part) in faults {
        let problems = problems_of(&scene(rest));
        assert!(!problems.is_empty(), "{rest} was taken");
        assert!(problems.contains(part), "{rest}\n{problems}");
        assert!(problems.contains("t.ron:1:"), "{rest}\n{problems}");
    }
}
