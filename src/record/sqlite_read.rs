//! Reads JuPedSim's databases, versions 1 to 3: trajectories, frame rate, and the walkable area over time.

use std::path::Path;

use glam::DVec3;
use rusqlite::{Connection, OpenFlags, Row as Record};

use super::ground::Ground;
use super::read::{Recording, finish, row_fault};
use super::tape::{Row, TapeMaker};
use super::wkt;
use crate::scene::Problem;
use crate::sim::command::FARTHEST;

/// Geometries of one file at most.
const MOST_GEOMETRIES: usize = 10_000;
/// The largest text of a geometry, bytes.
const LONGEST_WKT: i64 = 50_000_000;

const HOW: &str = "the table metadata needs a row with the key `fps`";

pub(super) fn read(path: &Path, shown: &str) -> Result<Recording, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(|error| broken(shown, &error))?;
    // What a stranger's file defines is not run.
    connection
        .execute_batch("PRAGMA trusted_schema=OFF; PRAGMA query_only=ON;")
        .map_err(|error| broken(shown, &error))?;
    let file = Database { connection: &connection, shown };
    for table in ["trajectory_data", "metadata"] {
        if !file.has_table(table)? {
            let problem = Problem::error("not-jupedsim", format!("{shown} has no table `{table}`")).in_file(shown);
            return Err(
                problem.hint("a trajectory file of JuPedSim has the tables trajectory_data, metadata, geometry")
            );
        }
    }
    let maker = file.rows()?;
    let fps = file.metadata("fps")?.and_then(|text| text.trim().parse::<f64>().ok());
    let mut recording = finish(maker, shown, fps, HOW)?;
    match file.grounds() {
        Ok(grounds) => recording.tape.grounds = grounds,
        Err(problem) => recording.warnings.push(problem),
    }
    Ok(recording)
}

struct Database<'a> {
    connection: &'a Connection,
    shown: &'a str,
}

impl Database<'_> {
    fn ok<T>(&self, result: rusqlite::Result<T>) -> Result<T, Problem> {
        result.map_err(|error| broken(self.shown, &error))
    }

    /// Whether there is such a table; a view is none, since it may compute without end.
    fn has_table(&self, name: &str) -> Result<bool, Problem> {
        let sql = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?";
        let count: i64 = self.ok(self.connection.query_row(sql, [name], |record| record.get(0)))?;
        Ok(count > 0)
    }

    fn columns(&self, table: &str) -> Result<Vec<String>, Problem> {
        let statement = self.ok(self.connection.prepare(&format!("SELECT * FROM {table} LIMIT 0")))?;
        Ok(statement.column_names().map(str::to_ascii_lowercase).collect())
    }

    fn metadata(&self, key: &str) -> Result<Option<String>, Problem> {
        let sql = "SELECT CAST(value AS TEXT) FROM metadata WHERE key = ?";
        let mut statement = self.ok(self.connection.prepare(sql))?;
        let mut records = self.ok(statement.query([key]))?;
        let record = self.ok(records.next())?;
        record.map_or(Ok(None), |record| self.ok(record.get(0)))
    }

    fn rows(&self) -> Result<TapeMaker, Problem> {
        let columns = self.columns("trajectory_data")?;
        let has = |name: &str| columns.iter().any(|known| known == name);
        for needed in ["frame", "id", "pos_x", "pos_y"] {
            if !has(needed) {
                let message = format!("the table trajectory_data has no column `{needed}`");
                return Err(Problem::error("bad-columns", message).in_file(self.shown));
            }
        }
        let turned = has("ori_x") && has("ori_y");
        let looks = if turned { ", ori_x, ori_y" } else { "" };
        let sql = format!("SELECT frame, id, pos_x, pos_y{looks} FROM trajectory_data ORDER BY id, frame");
        let mut statement = self.ok(self.connection.prepare(&sql))?;
        let mut records = self.ok(statement.query([]))?;
        let mut maker = TapeMaker::default();
        while let Some(record) = self.ok(records.next())? {
            let row = self.row(record, turned)?;
            if let Err(fault) = maker.take(row) {
                let (message, hint) = row_fault(fault, row.id, row.frame);
                return Err(Problem::error("bad-row", message).in_file(self.shown).hint(hint));
            }
        }
        Ok(maker)
    }

    fn row(&self, record: &Record<'_>, turned: bool) -> Result<Row, Problem> {
        let frame: i64 = self.ok(record.get(0))?;
        let id: i64 = self.ok(record.get(1))?;
        let number = |column: usize| self.ok(record.get::<_, Option<f64>>(column)).map(|x| x.unwrap_or(f64::NAN));
        let position = DVec3::new(number(2)?, number(3)?, 0.0);
        let near = |n: i64| n.unsigned_abs() < 1 << 53;
        if !near(frame) || !near(id) || !position.is_finite() || position.abs().max_element() > FARTHEST {
            let message = format!("agent {id} is at ({}, {}) in frame {frame}", position.x, position.y);
            let problem = Problem::error("not-finite", message).in_file(self.shown);
            return Err(problem.hint("leave out the row of who was not seen"));
        }
        let (x, y) = if turned { (number(4)?, number(5)?) } else { (0.0, 0.0) };
        let length = libm::hypot(x, y);
        let heading = (length.is_finite() && length > 1e-6).then(|| libm::atan2(y, x));
        Ok(Row { id, frame, position, heading })
    }

    /// The walkable areas, each with its first frame.
    fn grounds(&self) -> Result<Vec<(i64, Vec<Ground>)>, Problem> {
        if !self.has_table("geometry")? {
            return Ok(Vec::new());
        }
        let columns = self.columns("geometry")?;
        let hashed = columns.iter().any(|name| name == "hash") && self.has_table("frame_data")?;
        // A geometry holds for runs of frames: those are where the hash differs from that of the frame before.
        let sql = if hashed {
            "SELECT f.frame, g.wkt FROM (SELECT frame, geometry_hash, lag(geometry_hash) OVER (ORDER BY frame) AS before \
             FROM frame_data) AS f JOIN geometry AS g ON g.hash = f.geometry_hash \
             WHERE f.before IS NULL OR f.before <> f.geometry_hash ORDER BY f.frame"
        } else {
            "SELECT 0, wkt FROM geometry LIMIT 1"
        };
        let longest = "SELECT coalesce(max(length(wkt)), 0) FROM geometry";
        let longest: i64 = self.ok(self.connection.query_row(longest, [], |record| record.get(0)))?;
        if longest > LONGEST_WKT {
            return Err(self.no_ground(&format!("it has {longest} letters")));
        }
        let mut statement = self.ok(self.connection.prepare(sql))?;
        let mut records = self.ok(statement.query([]))?;
        let mut grounds = Vec::new();
        while let Some(record) = self.ok(records.next())? {
            let (frame, text): (i64, String) = (self.ok(record.get(0))?, self.ok(record.get(1))?);
            let ground = wkt::read(&text).map_err(|wrong| self.no_ground(&wrong))?;
            grounds.push((frame, ground));
            if grounds.len() > MOST_GEOMETRIES {
                return Err(self.no_ground(&format!("it changes more than {MOST_GEOMETRIES} times")));
            }
        }
        Ok(grounds)
    }

    fn no_ground(&self, wrong: &str) -> Problem {
        let message = format!("the walkable area cannot be read: {wrong}");
        Problem::warning("bad-geometry", message).in_file(self.shown).hint("the agents are played without walls")
    }
}

fn broken(shown: &str, error: &rusqlite::Error) -> Problem {
    let problem = Problem::error("unreadable", format!("{shown} cannot be read as a database: {error}"));
    problem.in_file(shown).hint("a trajectory file of JuPedSim is a SQLite database")
}
