//! Speed in areas and at lines, and the flow that follows from cells at a line.

use glam::DVec2;

use super::line::Line;
use super::polygon::{Clip, Polygon};
use super::voronoi::Voronoi;

/// Mean speed in m/s of the people inside an area (PedPy `compute_mean_speed_per_frame`); none if there is nobody, where PedPy
/// has 0.
pub fn mean_speed(positions: &[DVec2], velocities: &[DVec2], area: &Polygon) -> Option<f64> {
    let inside = positions.iter().zip(velocities).filter(|(p, _)| area.contains(**p));
    let (sum, count) = inside.fold((0.0, 0_usize), |(sum, count), (_, v)| (sum + v.length(), count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Voronoi speed in m/s: the mean over the area of the speed of whoever's cell is there.
///
/// Σ |Vᵢ ∩ M|·vᵢ/|M| (PedPy
/// `compute_voronoi_speed`). What no cell covers counts as 0, so a cut-off lowers it where few people are; none if no cell meets
/// the area.
pub fn voronoi_speed(cells: &Voronoi, velocities: &[DVec2], area: &Polygon, clip: &mut Clip) -> Option<f64> {
    let (mut sum, mut covered) = (0.0, 0.0);
    for (cell, velocity) in velocities.iter().enumerate().take(cells.len()) {
        let shared = cells.shared_area(cell, area, clip);
        covered += shared;
        sum += shared * velocity.length();
    }
    (covered > 0.0).then(|| sum / area.area())
}

/// Speed across a line in m/s: Σ |vᵢ·n|·(wᵢ/w).
///
/// Where `way` says for each person whether they belong to those who walk along
/// the normal (+1), against it (−1), or to nobody (0) (PedPy `compute_line_speed`, both species together). None if no cell meets
/// the line.
pub fn line_speed(cells: &Voronoi, velocities: &[DVec2], way: &[i8], line: &Line) -> Option<f64> {
    across(cells, velocities, way, line, |_| 1.0)
}

/// Specific flow across a line in 1/(m·s): Σ |vᵢ·n|·(1/Aᵢ)·(wᵢ/w), `way` as in [`line_speed`] (PedPy `compute_line_flow`,
/// both species together). None if no cell meets the line.
pub fn line_flow(cells: &Voronoi, velocities: &[DVec2], way: &[i8], line: &Line) -> Option<f64> {
    across(cells, velocities, way, line, |cell| cells.density(cell).unwrap_or(0.0))
}

fn across(
    cells: &Voronoi,
    velocities: &[DVec2],
    way: &[i8],
    line: &Line,
    weight: impl Fn(usize) -> f64,
) -> Option<f64> {
    let normal = line.normal();
    let (mut sum, mut covered) = (0.0, 0.0);
    for (cell, (velocity, way)) in velocities.iter().zip(way).enumerate().take(cells.len()) {
        let shared = cells.shared_length(cell, line.from, line.to);
        covered += shared;
        sum += f64::from(*way) * velocity.dot(normal) * weight(cell) * shared;
    }
    (covered > 0.0).then(|| sum / line.length())
}
