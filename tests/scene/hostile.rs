//! Input that nobody means well with: an error each, quickly, and no panic.

use proptest::prelude::*;
use swarmyard::scene::ron::{MAX_PROBLEMS, read_bytes, read_text};
use swarmyard::scene::{FormationFile, PluginFile, SceneFile};

/// Everything that reads a file.
fn read_all(bytes: &[u8]) -> usize {
    let scene = SceneFile::from_bytes("x.ron", bytes).err().unwrap_or_default();
    let formation = FormationFile::from_bytes("x.ron", bytes).err().unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let plugin = PluginFile::from_text("x.ron", &text, None).err().unwrap_or_default();
    scene.len().max(formation.len()).max(plugin.len())
}

#[test]
fn ten_megabytes_of_garbage_give_a_few_problems() {
    const SIZE: usize = 10_000_000;
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..SIZE)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    let letters: Vec<u8> = noise.iter().map(|byte| b' ' + byte % 95).collect();
    let repeated = |text: &str| text.repeat(SIZE / text.len()).into_bytes();
    for (name, bytes) in [
        ("noise", noise),
        ("letters", letters),
        ("open", repeated("(")),
        ("lists", repeated("[[],")),
        ("strings", repeated("\"")),
        ("escapes", repeated("\"\\q")),
        ("commas", repeated(",")),
        ("comments", repeated("/*")),
        ("fields", repeated("(a:")),
        ("words", repeated("a ")),
        ("numbers", repeated("-")),
        ("one word", repeated("x")),
    ] {
        let count = SceneFile::from_bytes("x.ron", &bytes).err().unwrap_or_default().len();
        assert!(count > 0, "{name} was accepted");
        assert!(count <= MAX_PROBLEMS + 1, "{name}: {count} problems");
    }
}

#[test]
fn a_file_above_the_limit_and_one_that_is_not_text_are_refused() {
    let large = vec![b' '; 17 * 1024 * 1024];
    assert_eq!(read_bytes("x", &large).problems[0].code, "file-too-large");
    let problems = read_bytes("x", b"Scene(\n  title: \"\xff\")").problems;
    assert_eq!((problems[0].code.as_str(), problems[0].line, problems[0].column), ("not-text", Some(2), Some(11)));
    assert_eq!(read_bytes("x", b"").problems.len(), 1);
    let missing = SceneFile::read(std::path::Path::new("no/such/scene.ron"), "no/such/scene.ron");
    assert_eq!(missing.err().map(|problems| problems[0].code.clone()).as_deref(), Some("missing-file"));
}

#[test]
fn brackets_inside_brackets_do_not_exhaust_the_stack() {
    let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let problems = read_text("x", &text).problems;
    assert_eq!(problems[0].code, "too-deep");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn one_missing_bracket_is_one_problem() {
    let problems = read_text("x", "Scene(format: 1, groups: [Group(name: \"a\", count: 3)").problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].code, "unclosed-bracket");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Any bytes at all.
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    /// Pieces of real scenes in any order reach deeper than bytes.
    #[test]
    fn no_shuffled_scene_makes_a_reader_panic(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        let text = pieces.concat();
        read_all(text.as_bytes());
        if let Ok(loaded) = SceneFile::from_text("x.ron", &text) {
            drop(swarmyard::scene::Scene::build(&loaded, &crate::catalogue()));
        }
    }
}

const PIECES: &[&str] = &[
    "Scene(",
    "format: 1,",
    "title: \"t\",",
    "groups: [",
    "Group(",
    "name: \"a\",",
    "count: 3,",
    "spawn: ",
    "Grid(",
    "Disc(",
    "Box(",
    "Points([",
    "at: (0, 0),",
    "radius: 1,",
    "min: (0,0),",
    "max: (1, 1),",
    ")",
    "]",
    "}",
    "{",
    "(",
    "[",
    ",",
    ":",
    "\"k1\": 1,",
    "schedule: [",
    "At(1, ",
    "Form(",
    "group: \"a\",",
    "formation: \"line\",",
    "obstacles: [",
    "Wall(",
    "NaN",
    "-inf",
    "1e400",
    "0x",
    "r#\"",
    "'",
    "\\",
    "/*",
    "*/",
    "// x\n",
    "Some(",
    "None",
    "set: ",
    "body: (",
    "spread: {",
    "area: (",
    "edge: Wrap,",
    "é",
    "\u{0}",
    "\u{feff}",
    "Polygon(points: [(0,0),(1,0),(0,1)], holes: [[",
    "1e308",
    "-1e308",
    "heading_deg: (1, 2),",
    "jitter: 5,",
    "columns: 1,",
    "spacing: 1e-9,",
];
