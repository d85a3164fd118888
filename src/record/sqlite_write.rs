//! JuPedSim's database, version 2: the newest that both JuPedSim 1.4 and PedPy 1.5 read whole.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, params};

use super::ground::{self, Ground};
use super::tape::Row;
use super::write::cannot;
use crate::scene::Problem;

/// The version of the schema.
const VERSION: &str = "2";
/// Frames that are written at once.
const FRAMES_AT_ONCE: i64 = 100;

/// The tables, word for word as JuPedSim makes them.
const SCHEMA: &str = "
PRAGMA synchronous=OFF;
PRAGMA journal_mode=OFF;
BEGIN;
CREATE TABLE trajectory_data (   frame INTEGER NOT NULL,   id INTEGER NOT NULL,   pos_x REAL NOT NULL,   pos_y REAL NOT NULL,   ori_x REAL NOT NULL,   ori_y REAL NOT NULL);
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(   hash INTEGER NOT NULL,    wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash on geometry( hash);
CREATE TABLE frame_data(   frame INTEGER NOT NULL,   geometry_hash INTEGER NOT NULL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
";

/// A database that grows.
pub(super) struct Database {
    path: PathBuf,
    connection: Connection,
}

impl Database {
    pub(super) fn create(path: &Path, fps: f64) -> Result<Self, Problem> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(cannot(path, &error)),
            _ => {}
        }
        // No names that are addresses: a file is a file.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| cannot(path, &error))?;
        let database = Self { path: path.to_path_buf(), connection };
        database.done(database.connection.execute_batch(SCHEMA))?;
        database.metadata("version", VERSION)?;
        database.metadata("fps", &format!("{fps:?}"))?;
        Ok(database)
    }

    fn done<T>(&self, result: rusqlite::Result<T>) -> Result<T, Problem> {
        result.map_err(|error| cannot(&self.path, &error))
    }

    fn metadata(&self, key: &str, value: &str) -> Result<(), Problem> {
        self.done(self.connection.execute("INSERT INTO metadata VALUES(?, ?)", params![key, value])).map(|_rows| ())
    }

    pub(super) fn frame(&self, frame: i64, rows: &[Row]) -> Result<(), Problem> {
        self.done(self.insert(frame, rows))?;
        if (frame + 1) % FRAMES_AT_ONCE == 0 {
            self.done(self.connection.execute_batch("COMMIT; BEGIN;"))?;
        }
        Ok(())
    }

    fn insert(&self, frame: i64, rows: &[Row]) -> rusqlite::Result<()> {
        let mut insert = self.connection.prepare("INSERT INTO trajectory_data VALUES(?, ?, ?, ?, ?, ?)")?;
        for row in rows {
            let heading = row.heading.unwrap_or_default();
            let (x, y) = (row.position.x, row.position.y);
            insert.execute(params![frame, row.id, x, y, libm::cos(heading), libm::sin(heading)])?;
        }
        Ok(())
    }

    /// Writes which geometry each frame has, and the bounds.
    pub(super) fn finish(self, frames: i64, grounds: &[(i64, Ground)]) -> Result<(), Problem> {
        self.done(self.geometries(frames, grounds))?;
        let bounds = grounds.iter().map(|(_, ground)| ground.bounds());
        if let Some((low, high)) = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
            for (key, value) in [("xmin", low.x), ("xmax", high.x), ("ymin", low.y), ("ymax", high.y)] {
                self.metadata(key, &format!("{value:?}"))?;
            }
        }
        self.done(self.connection.execute_batch("COMMIT;"))?;
        self.connection.close().map_err(|(_, error)| cannot(&self.path, &error))
    }

    fn geometries(&self, frames: i64, grounds: &[(i64, Ground)]) -> rusqlite::Result<()> {
        let mut geometry = self.connection.prepare("INSERT INTO geometry VALUES(?, ?)")?;
        let mut frame_data = self.connection.prepare("INSERT INTO frame_data VALUES(?, ?)")?;
        let mut known = BTreeSet::new();
        for (index, (since, ground)) in grounds.iter().enumerate() {
            let wkt = ground.wkt();
            let hash = ground::hash(&wkt);
            if known.insert(hash) {
                geometry.execute(params![hash, wkt])?;
            }
            let until = grounds.get(index + 1).map_or(frames, |(next, _)| *next);
            // Whatever holds first holds from the beginning.
            let since = if index == 0 { 0 } else { *since };
            for frame in since..until {
                frame_data.execute(params![frame, hash])?;
            }
        }
        Ok(())
    }
}
