//! Faults of crowd programs that a scene file brings about, by the rows of the table in `tests/navigate/faults.rs`.

use super::{load, problems_of};

/// JuPedSim put bodies of 0.3 m at 0.31 m from each other, or said nothing of which two.
#[test]
fn row_21_who_is_placed_into_another_is_named_with_the_distance_and_scattered_people_keep_theirs() {
    let scene = |spawn: &str, count: usize| {
        format!(
            "Scene(format: 1, title: \"t\", groups: [Group(name: \"a\", count: {count}, body: (radius: 0.3), spawn: {spawn})])"
        )
    };
    let text = problems_of(&scene("Points([(0, 0), (5, 0), (0.31, 0)])", 3));
    for part in ["0.31 m", "0.6 m", "agent 1", "agent 3"] {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    // 55 % of the ground is bodies: more than any lot reaches, so they are laid out by their radii.
    let dense = scene("Box(min: (0, 0), max: (6, 6))", 60);
    let places: Vec<_> = load("t.ron", &dense).unwrap_or_else(|problems| panic!("{problems:#?}")).groups[0]
        .births
        .iter()
        .map(|birth| birth.position)
        .collect();
    assert_eq!(places.len(), 60);
    for (index, a) in places.iter().enumerate() {
        assert!(places[..index].iter().all(|b| a.distance(*b) >= 0.6 - 1e-9), "{a} is too near to another");
    }
}

/// Menge crashed over a roadmap with an error.
#[test]
fn row_32_a_fault_in_the_ground_is_told_with_file_line_and_column() {
    let text = "Scene(\n  format: 1, title: \"t\", area: (min: (0, 0), max: (10, 10)),\n  navigation: (\n    \
                floors: [(name: \"hall\", points: [(0, 0), (4, 0)])],\n    zones: [(name: \"ramp\", points: [(0, 0), (4, 0), (4, x)])],\n  ),\n)";
    let problems = load("maps/hall.ron", text).expect_err("it is broken");
    let read = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(read.contains("hall.ron:5:"), "where it cannot be read: {read}");
    let text = text.replace("(4, x)", "(4, 3)");
    let problems = load("maps/hall.ron", &text).expect_err("it is broken");
    let read = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(read.contains("hall.ron:4:14"), "a floor without area: {read}");
}
