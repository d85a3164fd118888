//! Round trips: every format gives back what was written.

use swarmyard::record::{self, Format};

use crate::{file, look, place, walk};

#[test]
fn every_format_gives_back_ids_frames_positions_and_rate() {
    for name in ["walk.sqlite", "walk.txt", "walk.csv"] {
        let (_folder, path) = file(name);
        let written = walk(&path, 25.0);
        assert_eq!((written.frames, written.rows), (60, 140), "{name}");
        let recording = record::read(&path, name, None).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert!(recording.warnings.is_empty(), "{name}: {:?}", recording.warnings);
        let tape = recording.tape;
        assert_eq!(tape.fps, 25.0, "{name}");
        assert_eq!(tape.tracks.keys().copied().collect::<Vec<_>>(), [1, 2, 16_777_219], "{name}");
        assert_eq!(tape.rows(), 140, "{name}");
        assert_eq!(tape.frames(), Some((0, 59)), "{name}");
        for (id, track) in &tape.tracks {
            for (frame, pose) in track.rows() {
                assert_eq!(pose.position, place(*id, frame), "{name}: bit for bit");
            }
        }
    }
}

#[test]
fn a_database_keeps_headings_and_ground_over_time() {
    let (_folder, path) = file("walk.sqlite");
    let written = walk(&path, 25.0);
    assert!(written.warnings.is_empty(), "everybody is on one side of the door: {:?}", written.warnings);
    let tape = record::read(&path, "walk.sqlite", None).expect("it reads").tape;
    for (id, track) in &tape.tracks {
        for (frame, pose) in track.rows() {
            assert!((pose.heading - look(*id, frame)).abs() < 1e-12);
        }
    }
    assert_eq!(tape.grounds.iter().map(|(frame, _)| *frame).collect::<Vec<_>>(), [0, 30]);
    let [shut, open] = [&tape.grounds[0].1[0], &tape.grounds[1].1[0]];
    let far = glam::DVec2::new(10.0, 0.0);
    assert!(!shut.has(far) && open.has(far), "the door opens in frame 30");
    assert!(open.area() > shut.area() + 60.0);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    for name in ["walk.txt", "walk.csv"] {
        let ((_a, one), (_b, two)) = (file(name), file(name));
        walk(&one, 30.0);
        walk(&two, 30.0);
        let bytes = std::fs::read(&one).expect("a file");
        assert_eq!(bytes, std::fs::read(&two).expect("a file"), "{name}");
        assert!(bytes.starts_with(b"# framerate: 30.00 fps\n"), "{name}");
    }
}

#[test]
fn a_file_that_is_there_is_replaced_whole() {
    for name in ["walk.sqlite", "walk.txt", "walk.csv"] {
        let (_folder, path) = file(name);
        std::fs::write(&path, vec![b'x'; 1_000_000]).expect("written");
        walk(&path, 25.0);
        assert_eq!(record::read(&path, name, None).expect("it reads").tape.rows(), 140, "{name}");
    }
}

#[test]
fn formats_are_told_by_the_ending_and_a_slip_gets_a_suggestion() {
    let of = |name: &str| Format::of(std::path::Path::new(name));
    assert_eq!(of("a/b.SQLITE"), Ok(Format::Sqlite));
    let slip = of("run.sqlit").expect_err("no format");
    assert!(slip.hint.is_some_and(|hint| hint.contains("sqlite")));
    assert!(of("run").is_err());
}

#[test]
fn files_of_other_programs_are_understood() {
    let petrack = "\u{feff}# PeTrack project: x.pet\r\n# raw trajectory file: y.trc\r\n#framerate:16\r\n\
                   # id frame x/cm y/cm z/cm\r\n1 98 100.0 250.0 176.0\r\n1 99 110.0 250.0 176.0\r\n\r\n2 98 -5e1 0 180\r\n";
    let (_folder, path) = file("petrack.txt");
    std::fs::write(&path, petrack).expect("written");
    let tape = record::read(&path, "petrack.txt", None).expect("it reads").tape;
    assert_eq!((tape.fps, tape.frames()), (16.0, Some((98, 99))));
    let pose = tape.pose(1, 98.5).expect("between two frames");
    assert!((pose.position.x - 1.05).abs() < 1e-12 && (pose.velocity.x - 1.6).abs() < 1e-9, "{pose:?}");
    assert_eq!(tape.pose(2, 98.0).expect("once").velocity, glam::DVec3::ZERO);

    let example = "frame,id,pos_x,pos_y\n0,1,0.5,0.25\n1,1,0.6,0.25\n0,2,1,1\n";
    let (_folder, path) = file("example.csv");
    std::fs::write(&path, example).expect("written");
    let refused = record::read(&path, "example.csv", None).expect_err("no frame rate");
    assert_eq!(refused.code, "no-frame-rate");
    assert_eq!(record::read(&path, "example.csv", Some(25.0)).expect("it reads").tape.rows(), 3);
}
