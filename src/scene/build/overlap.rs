//! Who stands where already: finds overlaps in near-constant time, also across the edge of a wrapped world.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::sim::Space;

/// Discs (or balls) that have been placed.
#[derive(Debug, Clone)]
pub struct Crowd {
    space: Space,
    cell: f64,
    cells: BTreeMap<[i64; 3], Vec<Standing>>,
}

#[derive(Debug, Clone, Copy)]
struct Standing {
    at: DVec3,
    radius: f64,
    who: (usize, usize),
}

/// An overlap with one that stands already.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Group and agent, as given to [`Crowd::add`].
    pub who: (usize, usize),
    /// Distance of the centers in m.
    pub distance: f64,
    /// What it must be at least, in m.
    pub needed: f64,
}

/// Centers may be this much nearer than the sum of radii, m: touching agents do not overlap.
const SLACK: f64 = 1e-9;

impl Crowd {
    /// An empty crowd whose members have at most this radius (m).
    pub fn new(space: Space, largest_radius: f64) -> Self {
        Self { space, cell: (2.0 * largest_radius).max(1e-3), cells: BTreeMap::new() }
    }

    /// Places one. Those of radius 0 never overlap.
    pub fn add(&mut self, at: DVec3, radius: f64, who: (usize, usize)) {
        let cell = self.cell_of(self.home(at));
        self.cells.entry(cell).or_default().push(Standing { at, radius, who });
    }

    /// The nearest one that a newcomer would overlap.
    pub fn overlap(&self, at: DVec3, radius: f64) -> Option<Overlap> {
        let home = self.home(at);
        let mut worst: Option<Overlap> = None;
        for image in self.images(home) {
            let middle = self.cell_of(image);
            for offset in 0..27 {
                let step = [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
                let cell = [middle[0] + step[0], middle[1] + step[1], middle[2] + step[2]];
                for other in self.cells.get(&cell).into_iter().flatten() {
                    let distance = self.space.offset(at, other.at).length();
                    let needed = radius + other.radius;
                    let nearer = worst.is_none_or(|known| distance < known.distance);
                    if distance < needed - SLACK && nearer {
                        worst = Some(Overlap { who: other.who, distance, needed });
                    }
                }
            }
        }
        worst
    }

    /// The point brought into a wrapped world.
    fn home(&self, at: DVec3) -> DVec3 {
        let (Some(area), period) = (self.space.area, self.space.period()) else {
            return at;
        };
        let wrap = crate::sim::space::wrap_coordinate;
        DVec3::new(wrap(at.x, area.min.x, period.x), wrap(at.y, area.min.y, period.y), wrap(at.z, area.min.z, period.z))
    }

    /// The point and its copies beyond the edges that it is near to.
    fn images(&self, home: DVec3) -> Vec<DVec3> {
        let mut images = vec![home];
        let Some(area) = self.space.area else {
            return images;
        };
        let period = self.space.period();
        for axis in 0..3 {
            if period[axis] <= 0.0 {
                continue;
            }
            let mut shift = DVec3::ZERO;
            if home[axis] < area.min[axis] + 2.0 * self.cell {
                shift[axis] = period[axis];
            } else if home[axis] > area.max[axis] - 2.0 * self.cell {
                shift[axis] = -period[axis];
            } else {
                continue;
            }
            let copies: Vec<_> = images.iter().map(|image| *image + shift).collect();
            images.extend(copies);
        }
        images
    }

    fn cell_of(&self, at: DVec3) -> [i64; 3] {
        [at.x, at.y, at.z].map(|x| (x / self.cell).floor().clamp(-1e15, 1e15) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Area, Edge};

    #[test]
    fn overlaps_are_found_across_cells_and_across_a_wrapped_edge() {
        let area = Area { min: DVec3::ZERO, max: DVec3::new(10.0, 10.0, 0.0) };
        let mut crowd = Crowd::new(Space { area: Some(area), edge: Edge::Wrap }, 0.5);
        crowd.add(DVec3::new(0.1, 5.0, 0.0), 0.5, (0, 0));
        let hit = crowd.overlap(DVec3::new(9.7, 5.0, 0.0), 0.5);
        assert_eq!(hit.map(|hit| hit.who), Some((0, 0)));
        assert!((hit.map_or(0.0, |hit| hit.distance) - 0.4).abs() < 1e-12);
        assert_eq!(crowd.overlap(DVec3::new(1.1, 5.0, 0.0), 0.5), None, "touching is no overlap");
        assert!(crowd.overlap(DVec3::new(1.05, 5.0, 0.0), 0.5).is_some());
    }

    #[test]
    fn agents_without_a_size_never_overlap() {
        let mut crowd = Crowd::new(Space::default(), 0.0);
        crowd.add(DVec3::ZERO, 0.0, (0, 0));
        assert_eq!(crowd.overlap(DVec3::ZERO, 0.0), None);
    }
}
