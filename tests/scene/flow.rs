//! Sources, stops and journeys as typed: what they mean, what is refused and how.

use swarmyard::flow::StopKind;
use swarmyard::sim::Leg;

use crate::{load, problems_of};

const GOOD: &str = r#"Scene(format: 1, title: "t", area: (min: (0, 0), max: (20, 20)),
  groups: [Group(name: "people", count: 0, journey: ["gate", Shuffle(2, ["a", "b", "c"]), Nearest(["a", "b"]),
    LeastCrowded(["till", "hall"]), Shares({"out": 3, "gate": 1}), "out"])],
  sources: [Source(name: "street", group: "people", area: Line((1, 1), (1, 4)), rate: 0.5, spread: Poisson, from: 2, to: 30,
    schedule: [(10, 4), (12, 0)], most: 40, batch: 2, heading_deg: 90, speed: 1)],
  stops: [Waypoint(name: "gate", at: (5, 5)), Waypoint(name: "a", at: (6, 5)), Waypoint(name: "b", at: (7, 5)), Waypoint(name: "c", at: (8, 5)),
    Waiting(name: "hall", area: Box((10, 10), (14, 14)), spacing: 1, stay: (2, 5)), Queue(name: "till", points: [(3, 3), (3, 9)], service: 4, most: 6),
    Exit(name: "out", area: Polygon([(18, 8), (20, 8), (20, 12), (18, 12)]), groups: ["people"], rate: 1.5, open: false)])"#;

#[test]
fn a_scene_with_flows_means_what_it_says() {
    let scene = load("t.ron", GOOD).unwrap_or_else(|problems| panic!("{problems:?}"));
    let flows = &scene.flows;
    assert_eq!(flows.sources[0].rates, [(2.0, 0.5), (10.0, 4.0), (12.0, 0.0), (30.0, 0.0)]);
    assert_eq!(flows.sources[0].most, Some(40));
    assert_eq!(flows.journeys[0].len(), 6);
    assert_eq!(flows.journeys[0][1], Leg::Shuffle(2, vec![1, 2, 3].into()));
    assert_eq!(flows.journeys[0][3], Leg::LeastCrowded(vec![5, 4].into()));
    let open: Vec<bool> = flows.stops.iter().map(|stop| stop.open).collect();
    assert_eq!(open, [true, true, true, true, true, true, false]);
    let StopKind::Waiting(hall) = &flows.stops[4].kind else { panic!("the hall is a waiting place") };
    assert!(hall.spots.len() > 15 && !hall.in_order, "{} spots", hall.spots.len());
}

#[test]
fn it_is_written_back_as_it_was() {
    let loaded = swarmyard::scene::SceneFile::from_text("t.ron", GOOD).expect("it reads");
    let text = loaded.scene.to_ron("");
    let again = swarmyard::scene::SceneFile::from_text("t.ron", &text).expect("it reads again");
    assert_eq!(again.scene, loaded.scene, "{text}");
}

/// The good scene with one thing changed.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    problems_of(&GOOD.replacen(from, to, 1))
}

#[test]
fn what_is_wrong_is_said_with_its_place_and_what_to_try() {
    for (from, to, expected) in [
        (
            r#"group: "people", area"#,
            r#"group: "poeple", area"#,
            &["t.ron:4", "no group `poeple`", "did you mean `people`"][..],
        ),
        (r#"["gate", Shuffle"#, r#"["gaet", Shuffle"#, &["t.ron:2", "no stop `gaet`", "did you mean `gate`"]),
        (r#"Nearest(["a", "b"])"#, r#"Nearest(["a", "bb"])"#, &["no stop `bb`"]),
        (r"Shuffle(2, ", r"Shuffle(4, ", &["4 of 3 stops", "from 1 to 3"]),
        (r#"Shares({"out": 3"#, r#"Shares({"out": -3"#, &["must not be negative"]),
        (r"Shuffle(2", r"Shufle(2", &["unknown part of a journey `Shufle`", "Shuffle"]),
        ("rate: 0.5", "rate: -0.5", &["t.ron:4", "rate", "must be from 0"]),
        ("(10, 4), (12, 0)", "(12, 4), (10, 0)", &["10 s comes after 12 s"]),
        ("(10, 4)", "(10, -4)", &["the rate is -4", "must not be negative"]),
        ("to: 30", "to: 1", &["ends at 1 s, before it begins at 2 s"]),
        ("Line((1, 1), (1, 4))", "Line((1, 1), (1, 1))", &["area of this source is empty"]),
        ("Box((10, 10), (14, 14))", "Box((14, 10), (10, 14))", &["area of this waiting place is empty"]),
        ("Box((10, 10), (14, 14)), spacing: 1", "Box((0, 0), (20000, 20000)), spacing: 0.1", &["room for more than"]),
        ("points: [(3, 3), (3, 9)]", "points: [(3, 3)]", &["two different points"]),
        ("service: 4", "service: (-4, 2)", &["`service` is negative"]),
        (r#"groups: ["people"], rate"#, r#"groups: ["poeple"], rate"#, &["no group `poeple`"]),
        ("rate: 1.5", "rate: 0", &["rate", "must be above 0"]),
        (r#"Waypoint(name: "a""#, r#"Waypoint(name: "gate""#, &["two stops `gate`"]),
        (r#"Source(name: "street""#, r#"Source(name: "a street""#, &["cannot be the name of a source"]),
        ("batch: 2", "batch: 0", &["batch", "must be from 1"]),
        ("stay: (2, 5)", "stay: (5, 2)", &["the range (5, 2) is empty", "write (2, 5)"]),
    ] {
        let problems = with(from, to);
        for part in expected {
            assert!(problems.contains(part), "{to}: `{part}` is missing in\n{problems}");
        }
    }
}

#[test]
fn a_source_outside_of_a_closed_area_is_refused() {
    let text =
        GOOD.replace("area: (min", "edge: Clamp, area: (min").replace("Line((1, 1), (1, 4))", "Disc((50, 50), 2)");
    assert!(problems_of(&text).contains("outside of the scene's area"), "{}", problems_of(&text));
}

#[test]
fn plots_of_flows_and_doors_are_checked_by_name() {
    let add = |more: &str| GOOD.replace("stops: [", &format!("{more} stops: ["));
    let good = r#"plots: ["exits.out.flow", "exits.out.people.count", "sources.street.waiting", "stops.till.count"],
        schedule: [At(1, Open("out")), At(2, Close("street"))],"#;
    assert_eq!(problems_of(&add(good)), "");
    for (more, expected) in [
        (r#"plots: ["exits.uot.flow"],"#, "no `exits.uot`"),
        (r#"plots: ["exits.till.flow"],"#, "no `exits.till`"),
        (r#"plots: ["exits.out.folw"],"#, "no number `folw`"),
        (r#"plots: ["exits.out.poeple.count"],"#, "no group `poeple`"),
        (r#"schedule: [At(1, Open("strete"))],"#, "did you mean `street`"),
    ] {
        let problems = problems_of(&add(more));
        assert!(problems.contains(expected), "{more}: {problems}");
    }
}
