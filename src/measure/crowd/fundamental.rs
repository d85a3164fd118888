//! The fundamental diagram as measured: Weidmann's curve, points of a corridor, and levels of density.

/// Weidmann's speed of free walking, m/s.
const FREE_SPEED: f64 = 1.34;
/// Constant of Weidmann's curve, 1/m².
const GAMMA: f64 = 1.913;
/// Density at which Weidmann's people stand, 1/m².
pub const WEIDMANN_MOST: f64 = 5.4;

/// Mean speed in m/s at a density in 1/m²: 1.34·(1 − exp(−1.913·(1/ρ − 1/5.4))), 0 from 5.4/m² on (Weidmann 1993,
/// Transporttechnik der Fussgänger, ETH Zürich, Schriftenreihe des IVT 90).
pub fn weidmann_speed(density: f64) -> f64 {
    if density <= 0.0 {
        return FREE_SPEED;
    }
    let room = (1.0 / density - 1.0 / WEIDMANN_MOST).max(0.0);
    FREE_SPEED * (1.0 - libm::exp(-GAMMA * room))
}

/// Specific flow in 1/(m·s) at a density in 1/m²: ρ·v(ρ), at most 1.225 at 1.75/m².
pub fn weidmann_flow(density: f64) -> f64 {
    density * weidmann_speed(density)
}

/// A steady state of a corridor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredPoint {
    /// Voronoi density, 1/m².
    pub density: f64,
    /// Speed, m/s.
    pub speed: f64,
    /// Specific flow at a line, 1/(m·s).
    pub flow: f64,
}

const fn point(density: f64, speed: f64, flow: f64) -> MeasuredPoint {
    MeasuredPoint { density, speed, flow }
}

/// Nine runs of people one way along a corridor of 1.8 m.
///
/// Trajectories of Forschungszentrum Jülich as in the examples of PedPy
/// (`uni-directional/uo-*.txt`, 16 frames per second), their steady parts measured with PedPy 1.5.1. Their largest specific
/// flow, 1.6/(m·s), is 30 % above Weidmann's.
pub const MEASURED: [MeasuredPoint; 9] = [
    point(0.524, 1.337, 0.694),
    point(0.554, 1.378, 0.758),
    point(0.646, 1.339, 0.908),
    point(1.144, 1.198, 1.371),
    point(1.597, 0.989, 1.561),
    point(1.681, 0.956, 1.609),
    point(2.107, 0.647, 1.335),
    point(2.528, 0.419, 1.020),
    point(2.935, 0.320, 0.939),
];

/// A level of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// Its letter.
    pub name: &'static str,
    /// What it is like.
    pub about: &'static str,
}

/// Levels of service on walkways (Fruin 1971, Pedestrian planning and design), each with the density in 1/m² at which it ends:
/// 1 person on 3.25, 2.32, 1.39, 0.93 and 0.46 m².
pub const LEVELS: [(Level, f64); 6] = [
    (Level { name: "A", about: "free walking, own pace" }, 1.0 / 3.25),
    (Level { name: "B", about: "own pace, counter-flow is felt" }, 1.0 / 2.32),
    (Level { name: "C", about: "pace and overtaking restricted" }, 1.0 / 1.39),
    (Level { name: "D", about: "most walk slower than they want" }, 1.0 / 0.93),
    (Level { name: "E", about: "everybody walks slower, shuffling" }, 1.0 / 0.46),
    (Level { name: "F", about: "contact, stop and go" }, f64::INFINITY),
];

/// The level of a density in 1/m²: its number in [`LEVELS`].
pub fn level(density: f64) -> usize {
    LEVELS.iter().position(|(_, end)| density <= *end).unwrap_or(LEVELS.len() - 1)
}
