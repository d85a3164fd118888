//! Files that are broken, wrong or meant to do harm: a problem with its place, never a panic and never nonsense.

use std::path::Path;

use proptest::prelude::*;
use rusqlite::Connection;
use swarmyard::record;
use swarmyard::scene::Problem;

use crate::{file, walk};

fn refuse(name: &str, bytes: &[u8]) -> Problem {
    let (_folder, path) = file(name);
    std::fs::write(&path, bytes).expect("written");
    let shown = String::from_utf8_lossy(bytes).chars().take(80).collect::<String>();
    match record::read(&path, name, None) {
        Ok(recording) => panic!("{name} was read: {shown}\n{} rows", recording.tape.rows()),
        Err(problem) => problem,
    }
}

#[track_caller]
fn refuses(name: &str, text: &str, code: &str, place: Option<(u32, u32)>) {
    let problem = refuse(name, text.as_bytes());
    assert_eq!(problem.code, code, "{problem}");
    assert!(problem.hint.is_some(), "no hint: {problem}");
    assert_eq!(problem.file.as_deref(), Some(name));
    assert_eq!(problem.line.zip(problem.column), place, "{problem}");
}

const HEAD: &str = "# framerate: 25 fps\n# id frame x/m y/m z/m\n";

#[test]
fn every_fault_of_a_text_has_its_line_and_column() {
    let txt = |rows: &str, code: &str, place| refuses("a.txt", &format!("{HEAD}{rows}"), code, place);
    txt("", "no-rows", None);
    txt("1 0 0\n", "bad-row", Some((3, 6)));
    txt("1 0 0 0 0\n1 x 0 0 0\n", "bad-row", Some((4, 3)));
    txt("1 0.5 0 0 0\n", "bad-row", Some((3, 3)));
    txt("1 0 0 zwei 0\n", "bad-row", Some((3, 7)));
    txt("1 0 NaN 0 0\n", "not-finite", Some((3, 5)));
    txt("1 0 0 inf 0\n", "not-finite", Some((3, 7)));
    txt("1 0 1e300 0 0\n", "not-finite", Some((3, 5)));
    txt("1 5 0 0 0\n1 4 0 0 0\n", "bad-row", Some((4, 1)));
    txt("1 5 0 0 0\n2 5 0 0 0\n1 5 0 0 0\n", "bad-row", Some((5, 1)));
    txt("99999999999999999999 5 0 0 0\n", "bad-row", Some((3, 1)));
    refuses("a.txt", "# framerate: 25 fps\n1 0 0 0 0\n", "no-unit", Some((2, 1)));
    refuses("a.txt", "# id frame x/m y/m\n1 0 0 0 0\n", "no-frame-rate", None);
    refuses("a.txt", "# framerate: 0 fps\n# in m\n1 0 0 0 0\n", "no-frame-rate", None);
    refuses("a.txt", "", "no-rows", None);
    let endless = refuse("a.txt", &vec![b'1'; 200_000]);
    assert_eq!((endless.code.as_str(), endless.line), ("not-text", Some(1)));
}

#[test]
fn every_fault_of_a_table_has_its_line_and_column() {
    let csv = |rows: &str, code: &str, place| refuses("a.csv", &format!("# framerate: 25 fps\n{rows}"), code, place);
    csv("frame,id,x\n0,1,0\n", "bad-columns", Some((2, 1)));
    csv("frame,id,pos_x,pos_y\n0,1,0\n", "bad-row", Some((3, 6)));
    csv("frame,id,pos_x,pos_y\n0,1,0,0\n1,1,,0\n", "bad-row", Some((4, 5)));
    csv("frame,id,pos_x,pos_y\n0,1,nan,0\n", "not-finite", Some((3, 5)));
    csv("frame,id,pos_x,pos_y\n1,1,0,0\n0,1,0,0\n", "bad-row", Some((4, 1)));
    csv("frame,id,pos_x,pos_y\n", "no-rows", None);
}

#[test]
fn holes_in_a_track_are_told_and_played() {
    let (_folder, path) = file("a.txt");
    std::fs::write(&path, format!("{HEAD}1 0 0 0 0\n1 1 0 0 0\n1 5 4 0 0\n")).expect("written");
    let recording = record::read(&path, "a.txt", None).expect("it reads");
    assert_eq!(recording.warnings.len(), 1);
    let text = recording.warnings[0].to_string();
    assert!(text.contains("agent 1") && text.contains("frames 1 and 5"), "{text}");
    assert_eq!(recording.tape.pose(1, 3.0).expect("on its way").position.x, 2.0);
}

fn database(path: &Path, sql: &str) {
    Connection::open(path).expect("a database").execute_batch(sql).expect("made");
}

const V1: &str =
    "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL, ori_x REAL, ori_y REAL);
    CREATE TABLE metadata(key TEXT, value TEXT);
    INSERT INTO metadata VALUES('version', '1'), ('fps', '12.5');
    INSERT INTO trajectory_data VALUES(4, 7, 0, 0, 0, 1), (8, 7, 1, 0, 0, 1);";

#[test]
fn version_1_has_one_geometry_and_no_frames_and_version_3_no_headings() {
    let (_folder, path) = file("one.sqlite");
    database(&path, V1);
    database(&path, "CREATE TABLE geometry(wkt TEXT); INSERT INTO geometry VALUES('POLYGON ((0 0, 9 0, 9 9, 0 0))');");
    let recording = record::read(&path, "one.sqlite", None).expect("it reads");
    assert!(recording.warnings.is_empty(), "every fourth frame is no hole: {:?}", recording.warnings);
    let tape = recording.tape;
    assert_eq!((tape.fps, tape.grounds.len()), (12.5, 1));
    let pose = tape.pose(7, 6.0).expect("between");
    assert!((pose.heading - std::f64::consts::FRAC_PI_2).abs() < 1e-12, "looks where the file says");

    let (_folder, path) = file("three.sqlite");
    database(
        &path,
        "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL);
         CREATE TABLE metadata(key TEXT, value TEXT);
         INSERT INTO metadata VALUES('version', '3'), ('fps', 10.0);
         INSERT INTO trajectory_data VALUES(1, 7, 1, 0), (0, 7, 0, 0);",
    );
    let tape = record::read(&path, "three.sqlite", None).expect("it reads").tape;
    assert_eq!(tape.pose(7, 0.0).expect("there").velocity.x, 10.0, "rows in any order");
}

#[test]
fn databases_that_are_wrong_are_refused() {
    for (sql, code) in [
        ("CREATE TABLE other(x);", "not-jupedsim"),
        ("CREATE TABLE trajectory_data(frame, id); CREATE TABLE metadata(key, value);", "bad-columns"),
        ("CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);", "no-rows"),
        (
            "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);
             INSERT INTO trajectory_data VALUES(0, 1, 0, 0);",
            "no-frame-rate",
        ),
        (
            "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);
             INSERT INTO trajectory_data VALUES(0, 1, NULL, 0);",
            "not-finite",
        ),
        (
            "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);
             INSERT INTO trajectory_data VALUES(0, 1, 9e999, 0);",
            "not-finite",
        ),
        (
            "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);
             INSERT INTO trajectory_data VALUES('a', 'b', 'c', 'd');",
            "unreadable",
        ),
        (
            "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y); CREATE TABLE metadata(key, value);
             INSERT INTO metadata VALUES('fps', 25); INSERT INTO trajectory_data VALUES(0, 1, 0, 0), (0, 1, 1, 1);",
            "bad-row",
        ),
        // A view that never ends is no table.
        (
            "CREATE VIEW trajectory_data AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
             SELECT x AS frame, 1 AS id, 0 AS pos_x, 0 AS pos_y FROM n; CREATE TABLE metadata(key, value);",
            "not-jupedsim",
        ),
    ] {
        let (_folder, path) = file("a.sqlite");
        database(&path, sql);
        let problem = record::read(&path, "a.sqlite", None).expect_err(sql);
        assert_eq!(problem.code, code, "{problem}");
    }
    assert_eq!(
        refuse(
            "a.sqlite",
            b"not a database at all, but long enough to have a head of 100 bytes ................................."
        )
        .code,
        "unreadable"
    );
    assert_eq!(refuse("a.sqlite", b"").code, "not-jupedsim");
}

#[test]
fn a_geometry_that_is_none_is_a_warning_and_the_agents_are_played() {
    let (_folder, path) = file("a.sqlite");
    database(&path, V1);
    database(&path, "CREATE TABLE geometry(wkt TEXT); INSERT INTO geometry VALUES('POINT (0 0)');");
    let recording = record::read(&path, "a.sqlite", None).expect("it reads");
    assert_eq!(recording.warnings.len(), 1);
    assert_eq!(recording.warnings[0].code, "bad-geometry");
    assert!(recording.tape.grounds.is_empty());
}

#[test]
fn what_cannot_be_written_says_why() {
    use swarmyard::record::Writer;
    for name in ["none/walk.sqlite", "none/walk.txt", "none/walk.csv"] {
        let (_folder, path) = file(name);
        let problem = Writer::create(&path, 25.0, None).expect_err("no such folder");
        assert_eq!(problem.code, "cannot-write");
        assert!(problem.hint.is_some_and(|hint| hint.contains("none")), "the folder is named");
    }
    #[cfg(target_os = "linux")]
    {
        let (_folder, path) = file("full.txt");
        std::os::unix::fs::symlink("/dev/full", &path).expect("a link");
        let mut writer = Writer::create(&path, 25.0, None).expect("it opens");
        let row = record::Row { id: 1, frame: 0, position: glam::DVec3::ZERO, heading: None };
        let first = writer.frame(&[row], &swarmyard::sim::obstacle::Obstacles::new());
        let problem = first.and_then(|()| writer.finish().map(|_written| ())).expect_err("a full disk");
        assert_eq!(problem.code, "cannot-write");
    }
}

/// The bytes of a sound file.
fn sound(name: &str) -> Vec<u8> {
    let (_folder, path) = file(name);
    walk(&path, 25.0);
    std::fs::read(&path).expect("a file")
}

fn survives(name: &str, bytes: &[u8]) {
    let (_folder, path) = file(name);
    std::fs::write(&path, bytes).expect("written");
    if let Ok(recording) = record::read(&path, name, None) {
        let tape = recording.tape;
        let finite =
            |pose: &record::Pose| pose.position.is_finite() && pose.velocity.is_finite() && pose.heading.is_finite();
        assert!(tape.tracks.values().flat_map(|track| track.rows()).all(|(_, pose)| finite(pose)));
        let scene = record::stage::scene(&tape, name, "fuzzed");
        drop(swarmyard::scene::SceneFile::from_text(name, &scene.to_ron("")));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_never_panic(
        which in 0_usize..3,
        changes in prop::collection::vec((0.0_f64..1.0, any::<u8>()), 1..24),
        keep in 0.2_f64..1.0,
    ) {
        let name = ["a.sqlite", "a.txt", "a.csv"][which];
        let mut bytes = sound(name);
        for (at, byte) in changes {
            let at = (at * (bytes.len() - 1) as f64) as usize;
            bytes[at] = byte;
        }
        bytes.truncate((bytes.len() as f64 * keep) as usize);
        survives(name, &bytes);
    }

    #[test]
    fn anything_at_all_never_panics(which in 0_usize..2, text in "(\\PC|[0-9 .,#\n-]){0,200}") {
        survives(["a.txt", "a.csv"][which], text.as_bytes());
        survives(["a.txt", "a.csv"][which], format!("{HEAD}frame,id,x,y\n{text}").as_bytes());
    }

    #[test]
    fn any_geometry_text_is_read_or_refused(text in "(POLYGON|MULTI|GEOMETRYCOLLECTION|[(), 0-9.e-]|\\PC){0,60}") {
        drop(record::wkt::read(&text));
    }
}
