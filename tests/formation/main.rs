//! Formations: places against the tables of the reference, properties, data, assignment.

mod assignment;
mod data;
mod policy;
mod properties;
mod sources;
mod tables;
mod tools;
