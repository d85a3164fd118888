//! A path: the points at which it turns, with what is left to go from each.

use glam::DVec2;

use super::corridor::{self, Portal};
use super::locate::Spot;
use super::mesh::Mesh;
use super::search::{Came, Finder};

/// Steps in which the best point of a border is sought.
const GOLDEN_STEPS: usize = 40;
/// How often all borders of a path are gone through.
const SWEEPS: usize = 4;

/// What a point of a path is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StopKind {
    /// It turns round a corner.
    Corner,
    /// It enters another zone.
    Border,
    /// A link begins: number in the settings, and how long it carries, s.
    LinkFrom(u32, Option<f64>),
    /// A link ends.
    LinkTo(u32),
    /// The end.
    Goal,
}

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// m.
    pub at: DVec2,
    /// What it is.
    pub kind: StopKind,
    /// What the way from here to the end costs, in metres of plain ground.
    pub rest: f64,
    /// How long the way from here to the end is, m.
    pub left: f64,
}

/// A path on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Where it begins, m: the point of the mesh nearest to who asked.
    pub from: DVec2,
    /// What it costs, in metres of plain ground.
    pub cost: f64,
    /// m.
    pub length: f64,
    /// Where it leads: at least the end.
    pub stops: Vec<Stop>,
    /// How far the end is from the point that was asked for, m.
    pub short_by: f64,
}

impl Path {
    /// The point from which the leg to a stop starts, m.
    #[must_use]
    pub fn leg_from(&self, stop: usize) -> DVec2 {
        stop.checked_sub(1).and_then(|before| self.stops.get(before)).map_or(self.from, |stop| stop.at)
    }

    /// The end, m.
    #[must_use]
    pub fn end(&self) -> DVec2 {
        self.stops.last().map_or(self.from, |stop| stop.at)
    }

    /// All points, the beginning first, m.
    pub fn points(&self) -> impl Iterator<Item = DVec2> + '_ {
        std::iter::once(self.from).chain(self.stops.iter().map(|stop| stop.at))
    }
}

/// A point of the path that cannot move but along a border, and what lies between it and the one before.
struct Fixed {
    at: DVec2,
    came: Came,
    /// Cost of a metre up to here.
    cost: f64,
    portals: Vec<Portal>,
}

impl Finder {
    /// The cheapest path from a point to another (m); points off the mesh are moved to the nearest one on it. None where no way
    /// leads there, or on an empty mesh.
    ///
    /// With `margin` (m) the path keeps off the ends of the edges that it crosses, and is as short as that allows; 0 gives the
    /// shortest of all.
    pub fn path(&mut self, mesh: &Mesh, from: DVec2, to: DVec2, margin: f64) -> Option<Path> {
        let (start, end) = (mesh.nearest(from)?, mesh.nearest(to)?);
        if mesh.cost(start.polygon) == mesh.cost(end.polygon)
            && mesh.zones.len() == 1
            && mesh.links.is_empty()
            && mesh.sees(start.at, end.at)
        {
            return Some(straight(mesh, start, end));
        }
        let last = self.search(mesh, start, end)?;
        let mut fixed = self.fixed(mesh, last);
        settle_borders(mesh, &mut fixed);
        Some(drawn(mesh, start, end, &fixed, margin))
    }

    /// The points that stay where they are, from the first to the goal; the portals between them.
    fn fixed(&self, mesh: &Mesh, last: u32) -> Vec<Fixed> {
        let mut fixed = Vec::new();
        let mut at = last;
        while let Some(root) = self.roots.get(at as usize) {
            let mut portals = Vec::new();
            let mut cost = 0.0;
            if !matches!(root.came, Came::Start | Came::Corner(_) | Came::LinkTo(_)) {
                let mut node = root.node;
                while let Some(entered) = self.nodes.get(node as usize) {
                    cost = mesh.cost(entered.polygon());
                    if entered.is_inside() {
                        break;
                    }
                    let place = entered.entry as usize;
                    portals.push(Portal { left: mesh.point(place), right: mesh.point(mesh.after(place)) });
                    node = entered.parent;
                }
                portals.reverse();
            }
            if !matches!(root.came, Came::Corner(_)) {
                fixed.push(Fixed { at: root.at, came: root.came, cost, portals });
            }
            at = root.parent;
        }
        fixed.reverse();
        fixed
    }
}

fn straight(mesh: &Mesh, start: Spot, end: Spot) -> Path {
    let length = start.at.distance(end.at);
    let cost = length * mesh.cost(start.polygon);
    let stop = Stop { at: end.at, kind: StopKind::Goal, rest: 0.0, left: 0.0 };
    Path { from: start.at, cost, length, stops: vec![stop], short_by: end.distance }
}

/// The corner before or after a fixed point.
fn neighbors(fixed: &[Fixed], index: usize) -> (DVec2, DVec2) {
    let mut corners = Vec::new();
    let (before, here, after) = (&fixed[index - 1], &fixed[index], &fixed[index + 1]);
    corridor::pull(before.at, &here.portals, here.at, 0.0, &mut corners);
    let from = corners.last().copied().unwrap_or(before.at);
    corners.clear();
    corridor::pull(here.at, &after.portals, after.at, 0.0, &mut corners);
    (from, corners.first().copied().unwrap_or(after.at))
}

/// Moves the points on borders between zones to where the path breaks as a ray does: the sum of both legs is a convex function of
/// the place along the border, so a golden section finds its least.
fn settle_borders(mesh: &Mesh, fixed: &mut [Fixed]) {
    for _ in 0..SWEEPS {
        let mut moved = 0.0_f64;
        for index in 1..fixed.len().saturating_sub(1) {
            let Came::Border(place) = fixed[index].came else { continue };
            let (from, to) = neighbors(fixed, index);
            let (before, after) = (fixed[index].cost, fixed[index + 1].cost);
            let (a, b) = (mesh.point(place as usize), mesh.point(mesh.after(place as usize)));
            let cost = |t: f64| {
                let at = a.lerp(b, t);
                before * from.distance(at) + after * at.distance(to)
            };
            let at = a.lerp(b, least(cost));
            let here = fixed[index].at;
            let gain = before * from.distance(here) + after * here.distance(to)
                - (before * from.distance(at) + after * at.distance(to));
            if gain > 1e-12 && mesh.sees(from, at) && mesh.sees(at, to) {
                moved = moved.max(at.distance(here));
                fixed[index].at = at;
            }
        }
        if moved < 1e-6 {
            break;
        }
    }
}

/// Where in [0, 1] a convex function is least.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (0.0, 1.0);
    let (mut a, mut b) = (1.0 - GOLDEN, GOLDEN);
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..GOLDEN_STEPS {
        if fa <= fb {
            (high, b, fb) = (b, a, fa);
            a = high - GOLDEN * (high - low);
            fa = f(a);
        } else {
            (low, a, fa) = (a, b, fb);
            b = low + GOLDEN * (high - low);
            fb = f(b);
        }
    }
    0.5 * (low + high)
}

fn drawn(mesh: &Mesh, start: Spot, end: Spot, fixed: &[Fixed], margin: f64) -> Path {
    let mut stops: Vec<Stop> = Vec::new();
    let mut costs = Vec::new();
    let mut corners = Vec::new();
    for pair in fixed.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let kind = match to.came {
            Came::LinkFrom(link) => {
                StopKind::LinkFrom(mesh.links[link as usize].index, mesh.links[link as usize].seconds)
            }
            Came::LinkTo(link) => StopKind::LinkTo(mesh.links[link as usize].index),
            Came::Border(_) => StopKind::Border,
            _ => StopKind::Goal,
        };
        let stop = |at, kind| Stop { at, kind, rest: 0.0, left: 0.0 };
        corners.clear();
        corridor::pull(from.at, &to.portals, to.at, margin, &mut corners);
        for corner in &corners {
            stops.push(stop(*corner, StopKind::Corner));
            costs.push(to.cost);
        }
        stops.push(stop(to.at, kind));
        // A link costs what it says, however long it is.
        costs.push(match to.came {
            Came::LinkTo(link) => mesh.links[link as usize].cost / from.at.distance(to.at).max(1e-9),
            _ => to.cost,
        });
    }
    let mut path = Path { from: start.at, cost: 0.0, length: 0.0, stops, short_by: end.distance };
    for index in (0..path.stops.len()).rev() {
        (path.stops[index].rest, path.stops[index].left) = (path.cost, path.length);
        let leg = path.leg_from(index).distance(path.stops[index].at);
        path.cost += costs[index] * leg;
        path.length += leg;
    }
    path
}
