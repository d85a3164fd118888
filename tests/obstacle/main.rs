//! Obstacles: against brute force, against bad numbers, against tunneling.

mod brute;
mod changes;
mod motion;
mod nearest;
mod refused;
mod sight;
