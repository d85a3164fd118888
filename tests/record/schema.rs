//! The database, column by column, as JuPedSim 1.4.2 makes it (version 2 of its schema).

use rusqlite::{Connection, types::Value};
use swarmyard::record::ground;

use crate::{file, walk};

/// Table, column, declared type, whether it must have a value, place in the primary key.
const COLUMNS: [(&str, &str, &str, i64, i64); 12] = [
    ("trajectory_data", "frame", "INTEGER", 1, 0),
    ("trajectory_data", "id", "INTEGER", 1, 0),
    ("trajectory_data", "pos_x", "REAL", 1, 0),
    ("trajectory_data", "pos_y", "REAL", 1, 0),
    ("trajectory_data", "ori_x", "REAL", 1, 0),
    ("trajectory_data", "ori_y", "REAL", 1, 0),
    ("metadata", "key", "TEXT", 1, 1),
    ("metadata", "value", "TEXT", 1, 0),
    ("geometry", "hash", "INTEGER", 1, 0),
    ("geometry", "wkt", "TEXT", 1, 0),
    ("frame_data", "frame", "INTEGER", 1, 0),
    ("frame_data", "geometry_hash", "INTEGER", 1, 0),
];

fn open() -> (tempfile::TempDir, Connection) {
    let (folder, path) = file("walk.sqlite");
    walk(&path, 25.0);
    (folder, Connection::open(path).expect("a database"))
}

fn list<T: rusqlite::types::FromSql>(connection: &Connection, sql: &str) -> Vec<T> {
    let mut statement = connection.prepare(sql).expect("a query");
    let rows = statement.query_map([], |row| row.get(0)).expect("rows");
    rows.collect::<Result<_, _>>().expect("values")
}

#[test]
fn tables_columns_and_indices_are_those_of_version_2() {
    let (_folder, connection) = open();
    let mut found = Vec::new();
    for table in ["trajectory_data", "metadata", "geometry", "frame_data"] {
        let mut statement = connection.prepare(&format!("PRAGMA table_info({table})")).expect("a query");
        let rows = statement
            .query_map([], |row| {
                Ok((
                    table,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, i64>(3)?,
                    row.get::<_, i64>(5)?,
                ))
            })
            .expect("rows");
        found.extend(rows.map(|row| row.expect("a column")));
    }
    let found: Vec<_> = found.iter().map(|(t, c, k, n, p)| (*t, c.as_str(), k.as_str(), *n, *p)).collect();
    assert_eq!(found, COLUMNS);
    let tables: Vec<String> = list(&connection, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    assert_eq!(tables, ["frame_data", "geometry", "metadata", "trajectory_data"]);
    let indices: Vec<String> =
        list(&connection, "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name");
    assert_eq!(indices, ["frame_id_idx", "geometry_hash"]);
    let mut unique = connection.prepare("PRAGMA index_list(geometry)").expect("a query");
    let unique: i64 = unique.query_row([], |row| row.get(2)).expect("an index");
    assert_eq!(unique, 1);
}

#[test]
fn metadata_are_text_as_python_writes_it() {
    let (_folder, connection) = open();
    let mut statement = connection.prepare("SELECT key, value FROM metadata ORDER BY key").expect("a query");
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, Value>(1)?))).expect("rows");
    let rows: Vec<(String, Value)> = rows.map(|row| row.expect("a row")).collect();
    let expected =
        [("fps", "25.0"), ("version", "2"), ("xmax", "15.0"), ("xmin", "-5.0"), ("ymax", "5.0"), ("ymin", "-5.0")];
    let expected = expected.map(|(key, value)| (key.to_owned(), Value::Text(value.to_owned())));
    assert_eq!(rows, expected);
}

#[test]
fn every_frame_has_a_geometry_and_its_hash_is_that_of_the_text() {
    let (_folder, connection) = open();
    let frames: Vec<i64> = list(&connection, "SELECT frame FROM frame_data ORDER BY rowid");
    assert_eq!(frames, (0..60).collect::<Vec<_>>());
    let unknown: Vec<i64> =
        list(&connection, "SELECT count(*) FROM frame_data WHERE geometry_hash NOT IN (SELECT hash FROM geometry)");
    assert_eq!(unknown, [0]);
    let texts: Vec<String> = list(&connection, "SELECT wkt FROM geometry ORDER BY rowid");
    let hashes: Vec<i64> = list(&connection, "SELECT hash FROM geometry ORDER BY rowid");
    assert_eq!(texts.len(), 2, "before and after the door opens");
    assert_eq!(texts.iter().map(|text| ground::hash(text)).collect::<Vec<_>>(), hashes);
    let switched: Vec<i64> = list(
        &connection,
        "SELECT count(*) FROM frame_data WHERE geometry_hash = (SELECT hash FROM geometry WHERE rowid = 2) AND frame >= 30",
    );
    assert_eq!(switched, [30]);
    let types: Vec<String> =
        list(&connection, "SELECT DISTINCT typeof(frame) || typeof(id) || typeof(pos_x) FROM trajectory_data");
    assert_eq!(types, ["integerintegerreal"]);
}
