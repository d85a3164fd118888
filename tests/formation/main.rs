//! Formations: places against the tables of the reference, properties, data, assignment.

mod assignment;
mod base_line;
mod data;
mod policy;
mod properties;
mod sources;
mod tables;
mod tools;
