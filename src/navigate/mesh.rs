//! The navigation mesh of one radius: convex polygons, what lies behind their edges, zones and links.

use glam::DVec2;

use super::convex::{self, NONE};
use super::free;
use super::locate::Cells;
use super::settings::Settings;
use super::triangles;
use crate::sim::obstacle::Obstacles;

/// Where the border between two zones can be crossed: at points at most so far apart, m. The best point between them is found
/// afterwards.
const CROSSING_M: f64 = 0.5;
/// Crossings of one edge at most.
const MOST_CROSSINGS: usize = 64;

/// A mesh of convex polygons for agents up to a radius.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The radius that obstacles were grown by, m.
    pub radius: f64,
    pub(super) points: Vec<DVec2>,
    /// Whether a point lies on the border of the free ground: only round such points do shortest paths turn.
    pub(super) border: Vec<bool>,
    pub(super) first: Vec<u32>,
    pub(super) ring: Vec<u32>,
    pub(super) twin: Vec<u32>,
    /// The polygon of each place in `ring`.
    pub(super) owner: Vec<u32>,
    pub(super) zone: Vec<u16>,
    /// Cost of a metre and factor on the speed, by zone; the first is plain ground.
    pub(super) zones: Vec<(f64, f64)>,
    /// The least cost of a metre.
    pub(super) least_cost: f64,
    pub(super) links: Vec<MeshLink>,
    /// Links that begin in each polygon.
    pub(super) exits: Vec<Vec<u32>>,
    /// Which polygons can be reached from each other, whatever the way.
    island: Vec<u32>,
    /// Number of the first crossing of each edge between zones; the edge is that of the lower place.
    pub(super) crossings: Vec<u32>,
    pub(super) crossing_count: usize,
    pub(super) cells: Cells,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MeshLink {
    /// Its number in the settings.
    pub(super) index: u32,
    pub(super) from: DVec2,
    pub(super) to: DVec2,
    pub(super) to_polygon: u32,
    pub(super) cost: f64,
    pub(super) seconds: Option<f64>,
}

impl Mesh {
    /// The mesh of the ground for agents of `radius` m: floors or area, minus closed obstacles grown by the radius.
    #[must_use]
    pub fn build(settings: &Settings, obstacles: &Obstacles, radius: f64) -> Self {
        let free = free::free_ground(settings, obstacles, radius);
        let triangles = triangles::triangulate(&free, &settings.zones);
        let polygons = convex::merged(&triangles);
        let count = polygons.zone.len();
        let mut owner = Vec::with_capacity(polygons.ring.len());
        for polygon in 0..count {
            let size = polygons.first[polygon + 1] - polygons.first[polygon];
            owner.extend(std::iter::repeat_n(polygon as u32, size as usize));
        }
        let zones: Vec<(f64, f64)> =
            std::iter::once((1.0, 1.0)).chain(settings.zones.iter().map(|zone| (zone.cost, zone.speed))).collect();
        let mut mesh = Self {
            radius,
            border: vec![false; triangles.points.len()],
            points: triangles.points,
            first: polygons.first,
            ring: polygons.ring,
            twin: polygons.twin,
            owner,
            zone: polygons.zone,
            least_cost: zones.iter().map(|zone| zone.0).fold(f64::INFINITY, f64::min),
            zones,
            links: Vec::new(),
            exits: vec![Vec::new(); count],
            island: Vec::new(),
            crossings: Vec::new(),
            crossing_count: 0,
            cells: Cells::default(),
        };
        for place in 0..mesh.ring.len() {
            if mesh.twin[place] == NONE {
                let (from, to) = (mesh.ring[place] as usize, mesh.ring[mesh.after(place)] as usize);
                (mesh.border[from], mesh.border[to]) = (true, true);
            }
        }
        mesh.cells = Cells::new(&mesh);
        mesh.number_crossings();
        mesh.add_links(settings);
        mesh.find_islands();
        mesh
    }

    /// Number of polygons.
    #[must_use]
    pub fn len(&self) -> usize {
        self.zone.len()
    }

    /// Whether there is no free ground.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.zone.is_empty()
    }

    /// The corners of a polygon, counterclockwise, m.
    pub fn polygon(&self, polygon: usize) -> impl Iterator<Item = DVec2> + '_ {
        self.places(polygon).map(|place| self.point(place))
    }

    /// The zone of a polygon, counted from 1; 0 is plain ground.
    #[must_use]
    pub fn zone(&self, polygon: usize) -> usize {
        usize::from(self.zone[polygon])
    }

    /// Edges of a polygon: from, to (m), and whether another polygon lies behind.
    pub fn edges(&self, polygon: usize) -> impl Iterator<Item = (DVec2, DVec2, bool)> + '_ {
        self.places(polygon).map(|place| (self.point(place), self.point(self.after(place)), self.twin[place] != NONE))
    }

    /// What a metre costs and the factor on the speed, in a polygon.
    #[must_use]
    pub fn ground(&self, polygon: usize) -> (f64, f64) {
        self.zones[usize::from(self.zone[polygon])]
    }

    /// Whether two polygons hang together, links included. Links that lead one way only may still forbid the way.
    #[must_use]
    pub fn connected(&self, a: usize, b: usize) -> bool {
        self.island[a] == self.island[b]
    }

    pub(super) fn places(&self, polygon: usize) -> std::ops::Range<usize> {
        self.first[polygon] as usize..self.first[polygon + 1] as usize
    }

    /// The next place round the same polygon.
    pub(super) fn after(&self, place: usize) -> usize {
        let polygon = self.owner[place] as usize;
        if place + 1 == self.first[polygon + 1] as usize { self.first[polygon] as usize } else { place + 1 }
    }

    pub(super) fn point(&self, place: usize) -> DVec2 {
        self.points[self.ring[place] as usize]
    }

    pub(super) fn cost(&self, polygon: usize) -> f64 {
        self.ground(polygon).0
    }

    /// The points at which an edge between zones can be crossed: the first one's number, and how many there are. They stand
    /// evenly from the end with the lower number to the other.
    pub(super) fn crossings_of(&self, place: usize) -> (usize, usize, DVec2, DVec2) {
        let (a, b) = (self.ring[place], self.ring[self.after(place)]);
        let (low, high) = (self.points[a.min(b) as usize], self.points[a.max(b) as usize]);
        let twin = self.twin[place];
        let owner = if twin == NONE { place } else { place.min(twin as usize) };
        (self.crossings[owner] as usize, crossings_along(low.distance(high)), low, high)
    }

    fn number_crossings(&mut self) {
        self.crossings = vec![0; self.ring.len()];
        let mut count = 0;
        for place in 0..self.ring.len() {
            let twin = self.twin[place];
            if twin == NONE || (twin as usize) < place {
                continue;
            }
            let (one, two) = (self.owner[place] as usize, self.owner[twin as usize] as usize);
            if self.cost(one) == self.cost(two) {
                continue;
            }
            self.crossings[place] = count as u32;
            count += crossings_along(self.point(place).distance(self.point(self.after(place)))) + 1;
        }
        self.crossing_count = count;
    }

    fn add_links(&mut self, settings: &Settings) {
        for (index, link) in settings.links.iter().enumerate() {
            let ends = [link.from, link.to].map(|end| self.nearest(end));
            let [Some(from), Some(to)] = ends else { continue };
            let reach = (4.0 * self.radius).max(1.0);
            // An end that an obstacle swallowed leads nowhere until the obstacle is gone.
            if from.distance > reach || to.distance > reach {
                continue;
            }
            let mut add = |from: super::locate::Spot, to: super::locate::Spot| {
                self.exits[from.polygon].push(self.links.len() as u32);
                self.links.push(MeshLink {
                    index: index as u32,
                    from: from.at,
                    to: to.at,
                    to_polygon: to.polygon as u32,
                    cost: link.cost,
                    seconds: link.seconds,
                });
            };
            add(from, to);
            if link.both_ways {
                add(to, from);
            }
        }
    }

    /// Parts that hang together; a link that leads one way only joins them too, for no way back says nothing of the way there.
    fn find_islands(&mut self) {
        let mut parent: Vec<u32> = (0..self.len() as u32).collect();
        fn root(parent: &mut [u32], mut at: u32) -> u32 {
            while parent[at as usize] != at {
                parent[at as usize] = parent[parent[at as usize] as usize];
                at = parent[at as usize];
            }
            at
        }
        let mut join = |a: u32, b: u32| {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            parent[a.max(b) as usize] = a.min(b);
        };
        for place in 0..self.ring.len() {
            if self.twin[place] != NONE {
                join(self.owner[place], self.owner[self.twin[place] as usize]);
            }
        }
        for (polygon, exits) in self.exits.iter().enumerate() {
            for exit in exits {
                join(polygon as u32, self.links[*exit as usize].to_polygon);
            }
        }
        self.island = (0..self.len() as u32).map(|polygon| root(&mut parent, polygon)).collect();
    }
}

/// Into how many parts an edge between zones is divided.
fn crossings_along(length: f64) -> usize {
    ((length / CROSSING_M).ceil() as usize).clamp(1, MOST_CROSSINGS)
}
