//! The part of the state hash that obstacles make.

use glam::DVec3;
use xxhash_rust::xxh3::Xxh3;

use super::set::Obstacles;
use super::shape::Shape;

impl Obstacles {
    /// Adds all obstacles in the order of their ids: id, kind, the bits of every number (−0 as 0), open or not. Names
    /// are no state.
    pub fn hash_into(&self, hash: &mut Xxh3) {
        for obstacle in self.iter() {
            hash.update(&obstacle.id.slot.to_le_bytes());
            hash.update(&obstacle.id.generation.to_le_bytes());
            hash_shape(&obstacle.shape, hash);
            hash.update(&[u8::from(obstacle.open)]);
        }
    }
}

fn hash_shape(shape: &Shape, hash: &mut Xxh3) {
    match shape {
        Shape::Disc { at, radius } => {
            hash.update(&[1]);
            points(&[*at], hash);
            number(*radius, hash);
        }
        Shape::Sphere { at, radius } => {
            hash.update(&[2]);
            points(&[*at], hash);
            number(*radius, hash);
        }
        Shape::Box { min, max } => {
            hash.update(&[3]);
            points(&[*min, *max], hash);
        }
        Shape::Wall { from, to } => {
            hash.update(&[4]);
            points(&[*from, *to], hash);
        }
        Shape::Polyline { points: corners } => {
            hash.update(&[5]);
            points(corners, hash);
        }
        Shape::Polygon { points: corners, holes } => {
            hash.update(&[6]);
            points(corners, hash);
            hash.update(&(holes.len() as u64).to_le_bytes());
            for hole in holes {
                points(hole, hash);
            }
        }
    }
}

fn points(list: &[DVec3], hash: &mut Xxh3) {
    hash.update(&(list.len() as u64).to_le_bytes());
    for value in list.iter().flat_map(|point| point.to_array()) {
        number(value, hash);
    }
}

fn number(value: f64, hash: &mut Xxh3) {
    // Adding 0 turns −0 into 0.
    hash.update(&(value + 0.0).to_bits().to_le_bytes());
}
