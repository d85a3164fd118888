//! Density: people per area, from counting and from Voronoi cells.

use glam::DVec2;

use super::line::Line;
use super::polygon::{Clip, Polygon};
use super::voronoi::Voronoi;

/// Number of people inside an area; who stands on its border is not.
pub fn count(positions: &[DVec2], area: &Polygon) -> usize {
    positions.iter().filter(|p| area.contains(**p)).count()
}

/// Classic density N/A in 1/m² (PedPy `compute_classic_density`); none for an area of 0 m².
pub fn classic_density(positions: &[DVec2], area: &Polygon) -> Option<f64> {
    (area.area() > 0.0).then(|| count(positions, area) as f64 / area.area())
}

/// Voronoi density in 1/m²: each person counts with the share of their cell inside the area.
///
/// Σ (|Vᵢ ∩ M|/|Vᵢ|)/|M| (Steffen and Seyfried 2010, Physica A 389:1902; PedPy `compute_voronoi_density`). None for an area of 0 m².
pub fn voronoi_density(cells: &Voronoi, area: &Polygon, clip: &mut Clip) -> Option<f64> {
    let share = |cell: usize| cells.density(cell).map(|density| density * cells.shared_area(cell, area, clip));
    let sum: f64 = (0..cells.len()).filter_map(share).sum();
    (area.area() > 0.0).then(|| sum / area.area())
}

/// Density at a line in 1/m²: each person's own density, weighted by the share of the line in their cell,
/// Σ (1/Aᵢ)·(wᵢ/w) (PedPy `compute_line_density`, both directions together). None for a line of 0 m.
pub fn line_density(cells: &Voronoi, line: &Line) -> Option<f64> {
    let part = |cell: usize| cells.density(cell).map(|density| density * cells.shared_length(cell, line.from, line.to));
    let sum: f64 = (0..cells.len()).filter_map(part).sum();
    (line.length() > 0.0).then(|| sum / line.length())
}
