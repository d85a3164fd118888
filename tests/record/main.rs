//! Trajectory files: what is written reads back, in the schemas of the field, and bad files are refused with their place.

mod hostile;
mod schema;
mod trip;

use std::path::{Path, PathBuf};

use glam::{DVec2, DVec3};
use swarmyard::record::{Row, Writer, Written};
use swarmyard::sim::obstacle::{Obstacles, Shape};

/// A folder that goes with the test, and the path of a file in it.
pub(crate) fn file(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}

/// The area of the walk.
pub(crate) const AREA: (DVec2, DVec2) = (DVec2::new(-5.0, -5.0), DVec2::new(15.0, 5.0));

/// Where agent `id` is in a frame: numbers with all their digits.
pub(crate) fn place(id: i64, frame: i64) -> DVec3 {
    let t = frame as f64 * 0.04;
    DVec3::new(0.1 + 1.3 * t, (id as f64 * 0.7 + t).sin() * 2.0, 0.0)
}

/// The angle that agent `id` looks at.
pub(crate) fn look(id: i64, frame: i64) -> f64 {
    (id as f64 + frame as f64 * 0.1).sin()
}

/// Writes three agents for 60 frames: agent 3 comes late, agent 2 leaves early; a door opens in frame 30.
pub(crate) fn walk(path: &Path, fps: f64) -> Written {
    let mut obstacles = Obstacles::new();
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    obstacles.insert("pillar", Shape::Disc { at: at(3.0, 3.5), radius: 0.5 }).expect("a disc");
    obstacles.insert("wall", Shape::Wall { from: at(8.0, -5.0), to: at(8.0, 1.0) }).expect("a wall");
    let door = obstacles.insert("door", Shape::Wall { from: at(8.0, 1.0), to: at(8.0, 5.0) }).expect("a wall");
    let mut writer = Writer::create(path, fps, Some(AREA)).expect("a new file");
    for frame in 0..60 {
        if frame == 30 {
            obstacles.set_open(door, true).expect("a door");
        }
        let here = [(1, 0..60), (2, 0..40), (16_777_219, 20..60)];
        let here = here.iter().filter(|(_, frames)| frames.contains(&frame));
        let row = |&(id, _): &(i64, _)| Row { id, frame, position: place(id, frame), heading: Some(look(id, frame)) };
        let rows: Vec<Row> = here.map(row).collect();
        writer.frame(&rows, &obstacles).expect("written");
    }
    writer.finish().expect("finished")
}
