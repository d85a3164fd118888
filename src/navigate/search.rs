//! The search: Polyanya, exact any-angle shortest paths on a mesh of convex polygons, with zones that cost more and with links.
//!
//! Cui, Harabor, Grastien 2017, "Compromise-free Pathfinding on a Navigation Mesh" (IJCAI): a node is an interval of an edge seen
//! from a root; its successors are the intervals of the next polygon that the root sees, and those round the corner at which
//! the view ends. Where the cost of a metre changes, rays break: borders between zones are crossed at points, which become
//! roots; the best point of the border found is sought afterwards (`path`). Equal costs are ordered by age, so that the same
//! question has the same answer everywhere.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::convex::NONE;
use super::locate::Spot;
use super::mesh::Mesh;

/// Sides nearer to a line than this, m, are on it.
const ON_LINE: f64 = 1e-9;
/// Nodes of one search at most: what a mesh of ten thousand polygons may need.
const MOST_NODES: usize = 400_000;

/// How a root came to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Came {
    Start,
    /// Round a corner of an obstacle: that point of the mesh, or none for the end of a view.
    Corner(u32),
    /// Over the border between two zones, along the edge at that place.
    Border(u32),
    /// To the beginning of a link.
    LinkFrom(u32),
    /// From the end of a link.
    LinkTo(u32),
    Goal,
}

/// A point at which a path turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) at: DVec2,
    pub(super) g: f64,
    pub(super) parent: u32,
    /// The node that was expanded when it was made.
    pub(super) node: u32,
    pub(super) came: Came,
}

/// An interval of the edge through which a polygon is entered, or a root inside of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) root: u32,
    pub(super) parent: u32,
    /// Place of the edge in the polygon to be entered; none for a root inside.
    pub(super) entry: u32,
    polygon: u32,
    right: DVec2,
    left: DVec2,
    /// Points of the mesh at the ends of the interval; none inside of an edge.
    right_point: u32,
    left_point: u32,
}

impl Node {
    /// Whether its root lies inside of the polygon, which is seen whole.
    pub(super) fn is_inside(&self) -> bool {
        self.right == self.left
    }

    pub(super) fn polygon(&self) -> usize {
        self.polygon as usize
    }
}

/// What waits: by estimated cost, then by age.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    f: f64,
    age: u32,
    /// A node, or the last root of a whole path.
    node: u32,
    last: bool,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    /// The heap gives the greatest: that is the least cost.
    fn cmp(&self, other: &Self) -> Ordering {
        other.f.total_cmp(&self.f).then(other.age.cmp(&self.age))
    }
}

/// Buffers of a search, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Finder {
    pub(super) roots: Vec<Root>,
    pub(super) nodes: Vec<Node>,
    heap: BinaryHeap<Waiting>,
    /// Least cost so far by point, by crossing, by link, each with the search that it belongs to.
    best_point: Vec<(u32, f64)>,
    best_crossing: Vec<(u32, f64)>,
    best_link: Vec<(u32, f64)>,
    search: u32,
    age: u32,
}

/// One search under way.
struct Search<'a> {
    mesh: &'a Mesh,
    finder: &'a mut Finder,
    to: Spot,
    /// From the end of any link to the goal it is at least so far, m.
    link_rest: f64,
}

impl Finder {
    /// Searches; the last root of the cheapest path, if there is one.
    pub(super) fn search(&mut self, mesh: &Mesh, from: Spot, to: Spot) -> Option<u32> {
        if !mesh.connected(from.polygon, to.polygon) {
            return None;
        }
        self.begin(mesh);
        let rest = mesh.links.iter().map(|link| link.to.distance(to.at)).fold(f64::INFINITY, f64::min);
        Search { mesh, finder: self, to, link_rest: rest }.run(from)
    }

    fn begin(&mut self, mesh: &Mesh) {
        self.roots.clear();
        self.nodes.clear();
        self.heap.clear();
        self.age = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.best_point.clear();
            self.best_crossing.clear();
            self.best_link.clear();
            self.search = 1;
        }
        self.best_point.resize(mesh.points.len().max(self.best_point.len()), (0, 0.0));
        self.best_crossing.resize((2 * mesh.crossing_count).max(self.best_crossing.len()), (0, 0.0));
        self.best_link.resize(mesh.links.len().max(self.best_link.len()), (0, 0.0));
    }

    /// Notes a cost; false if a smaller one is known. Equal costs go on: a corner is reached from both of its sides.
    fn improves(best: &mut [(u32, f64)], search: u32, at: usize, g: f64) -> bool {
        let Some(entry) = best.get_mut(at) else { return true };
        if entry.0 != search {
            *entry = (search, g);
            return true;
        }
        if g > entry.1 + slack(entry.1) {
            return false;
        }
        entry.1 = entry.1.min(g);
        true
    }

    /// As [`Self::improves`], where equal costs end: whoever comes second brings nothing new.
    fn is_first(best: &mut [(u32, f64)], search: u32, at: usize, g: f64) -> bool {
        let Some(entry) = best.get_mut(at) else { return true };
        if entry.0 == search && g >= entry.1 - slack(entry.1) {
            return false;
        }
        *entry = (search, g);
        true
    }
}

impl Search<'_> {
    fn run(&mut self, from: Spot) -> Option<u32> {
        let start = self.root(from.at, 0.0, NONE, NONE, Came::Start);
        self.push_inside(start, from.polygon as u32, NONE, NONE);
        while let Some(next) = self.finder.heap.pop() {
            if next.last {
                return Some(next.node);
            }
            if self.finder.nodes.len() > MOST_NODES {
                return None;
            }
            self.expand(next.node);
        }
        None
    }

    fn root(&mut self, at: DVec2, g: f64, parent: u32, node: u32, came: Came) -> u32 {
        self.finder.roots.push(Root { at, g, parent, node, came });
        self.finder.roots.len() as u32 - 1
    }

    /// At least so much more does it cost from a point.
    fn rest(&self, at: DVec2) -> f64 {
        self.mesh.least_cost * at.distance(self.to.at).min(self.link_rest)
    }

    fn wait(&mut self, f: f64, node: u32, last: bool) {
        self.finder.age += 1;
        self.finder.heap.push(Waiting { f, age: self.finder.age, node, last });
    }

    /// A root inside of a polygon, from which all of it is seen; `entry` is an edge that it came through.
    fn push_inside(&mut self, root: u32, polygon: u32, entry: u32, parent: u32) {
        let Root { at, g, .. } = self.finder.roots[root as usize];
        self.finder.nodes.push(Node {
            root,
            parent,
            entry,
            polygon,
            right: at,
            left: at,
            right_point: NONE,
            left_point: NONE,
        });
        let node = self.finder.nodes.len() as u32 - 1;
        self.wait(g + self.rest(at), node, false);
    }

    fn expand(&mut self, index: u32) {
        let node = self.finder.nodes[index as usize];
        let root = self.finder.roots[node.root as usize];
        if let Came::Corner(point) = root.came
            && let Some((search, best)) = self.finder.best_point.get(point as usize)
            && *search == self.finder.search
            && root.g > best + slack(*best)
        {
            // Another way to the corner was cheaper after all.
            return;
        }
        let polygon = node.polygon as usize;
        if polygon == self.to.polygon {
            self.finish(index, &node, &root);
        }
        for exit in 0..self.mesh.exits[polygon].len() {
            self.take_link(index, &node, &root, self.mesh.exits[polygon][exit]);
        }
        let places = self.mesh.places(polygon);
        if node.is_inside() {
            for place in places {
                if place as u32 != node.entry {
                    let (a, b) = (self.mesh.point(place), self.mesh.point(self.mesh.after(place)));
                    self.push_edge(index, node.root, place, a, b, (true, true));
                }
            }
            return;
        }
        let mut place = self.mesh.after(node.entry as usize);
        let mut corners = [NONE; 2];
        while place != node.entry as usize {
            self.expand_edge(index, &node, &root, place, &mut corners);
            place = self.mesh.after(place);
        }
    }

    /// The part of an edge to the right of the view, in it, and to the left of it. `corners` keeps the roots made at both ends.
    fn expand_edge(&mut self, index: u32, node: &Node, root: &Root, place: usize, corners: &mut [u32; 2]) {
        let (a, b) = (self.mesh.point(place), self.mesh.point(self.mesh.after(place)));
        let (ar, br) = (side(root.at, node.right, a), side(root.at, node.right, b));
        let (al, bl) = (side(root.at, node.left, a), side(root.at, node.left, b));
        let mut seen_from = if ar >= 0.0 {
            0.0
        } else if br <= 0.0 {
            1.0
        } else {
            ar / (ar - br)
        };
        let mut seen_to = if bl <= 0.0 {
            1.0
        } else if al >= 0.0 {
            0.0
        } else {
            al / (al - bl)
        };
        let length = a.distance(b);
        let snap = |t: f64| {
            if t * length < ON_LINE {
                0.0
            } else if (1.0 - t) * length < ON_LINE {
                1.0
            } else {
                t
            }
        };
        (seen_from, seen_to) = (snap(seen_from), snap(seen_to));
        if seen_from > seen_to {
            let middle = if seen_from >= 1.0 {
                1.0
            } else if seen_to <= 0.0 {
                0.0
            } else {
                0.5 * (seen_from + seen_to)
            };
            (seen_from, seen_to) = (middle, middle);
        }
        let at = |t: f64| {
            if t <= 0.0 {
                a
            } else if t >= 1.0 {
                b
            } else {
                a + (b - a) * t
            }
        };
        if seen_from > 0.0
            && let Some(root) = self.turn(index, node, root, node.right, node.right_point, &mut corners[0])
        {
            self.push_edge(index, root, place, a, at(seen_from), (true, seen_from >= 1.0));
        }
        if seen_to > seen_from {
            self.push_edge(index, node.root, place, at(seen_from), at(seen_to), (seen_from <= 0.0, seen_to >= 1.0));
        }
        if seen_to < 1.0
            && let Some(root) = self.turn(index, node, root, node.left, node.left_point, &mut corners[1])
        {
            self.push_edge(index, root, place, at(seen_to), b, (seen_to <= 0.0, true));
        }
    }

    /// The root at an end of the interval, if paths can turn there.
    fn turn(&mut self, index: u32, node: &Node, root: &Root, at: DVec2, point: u32, made: &mut u32) -> Option<u32> {
        if *made != NONE {
            return (*made != NONE - 1).then_some(*made);
        }
        *made = NONE - 1;
        if point == NONE || !self.mesh.border[point as usize] || root.at == at {
            return None;
        }
        let entered = self.mesh.twin[node.entry as usize];
        // Up to the interval the way lies in the polygon before it.
        let cost = self.mesh.cost(self.mesh.owner[entered as usize] as usize);
        let g = root.g + cost * root.at.distance(at);
        let finder = &mut *self.finder;
        if !Finder::improves(&mut finder.best_point, finder.search, point as usize, g) {
            return None;
        }
        *made = self.root(at, g, node.root, index, Came::Corner(point));
        Some(*made)
    }

    /// A part of an edge becomes a node of the polygon behind it; `whole` says which of its ends are those of the edge.
    fn push_edge(&mut self, parent: u32, root: u32, place: usize, right: DVec2, left: DVec2, whole: (bool, bool)) {
        let twin = self.mesh.twin[place];
        if twin == NONE || right.distance_squared(left) < ON_LINE * ON_LINE {
            return;
        }
        let polygon = self.mesh.owner[twin as usize];
        let (here, there) = (self.mesh.cost(self.mesh.owner[place] as usize), self.mesh.cost(polygon as usize));
        if here != there {
            self.cross(parent, root, place, (right, left), here);
            return;
        }
        let end = |place: usize, whole: bool| if whole { self.mesh.ring[place] } else { NONE };
        let (right_point, left_point) = (end(place, whole.0), end(self.mesh.after(place), whole.1));
        let node = Node { root, parent, entry: twin, polygon, right, left, right_point, left_point };
        let Root { at, g, .. } = self.finder.roots[root as usize];
        let straight = through(at, right, left, self.to.at);
        let rest = if self.link_rest < f64::INFINITY {
            straight.min(nearest_distance(at, right, left) + self.link_rest)
        } else {
            straight
        };
        self.finder.nodes.push(node);
        let index = self.finder.nodes.len() as u32 - 1;
        self.wait(g + self.mesh.least_cost * rest, index, false);
    }

    /// Over the border between two zones, at each of its crossings in the interval.
    fn cross(&mut self, parent: u32, root: u32, place: usize, (right, left): (DVec2, DVec2), cost: f64) {
        let (first, parts, low, high) = self.mesh.crossings_of(place);
        let twin = self.mesh.twin[place];
        let polygon = self.mesh.owner[twin as usize];
        let along = left - right;
        let Root { at: from, g, .. } = self.finder.roots[root as usize];
        for part in 0..=parts {
            let at = low.lerp(high, part as f64 / parts as f64);
            let share = (at - right).dot(along) / along.length_squared();
            if !(-1e-9..=1.0 + 1e-9).contains(&share) {
                continue;
            }
            let g = g + cost * from.distance(at);
            let finder = &mut *self.finder;
            // Into either zone by itself.
            let direction = usize::from((twin as usize) < place);
            if !Finder::is_first(&mut finder.best_crossing, finder.search, 2 * (first + part) + direction, g) {
                continue;
            }
            let root = self.root(at, g, root, parent, Came::Border(place as u32));
            self.push_inside(root, polygon, twin, parent);
        }
    }

    /// A straight way inside of the node's polygon to a point, round the end of the interval where that hides it.
    fn reach(&mut self, index: u32, node: &Node, root: &Root, to: DVec2) -> (u32, f64) {
        let cost = self.mesh.cost(node.polygon as usize);
        let end = if node.is_inside() {
            None
        } else if side(root.at, node.right, to) < 0.0 {
            Some(node.right)
        } else if side(root.at, node.left, to) > 0.0 {
            Some(node.left)
        } else {
            None
        };
        let Some(end) = end.filter(|end| *end != root.at) else {
            return (node.root, root.g + cost * root.at.distance(to));
        };
        let g = root.g + cost * root.at.distance(end);
        let corner = self.root(end, g, node.root, index, Came::Corner(NONE));
        (corner, g + cost * end.distance(to))
    }

    fn finish(&mut self, index: u32, node: &Node, root: &Root) {
        let (last, g) = self.reach(index, node, root, self.to.at);
        let goal = self.root(self.to.at, g, last, index, Came::Goal);
        self.wait(g, goal, true);
    }

    fn take_link(&mut self, index: u32, node: &Node, root: &Root, link: u32) {
        let entry = self.mesh.links[link as usize];
        let (last, g) = self.reach(index, node, root, entry.from);
        let finder = &mut *self.finder;
        if !Finder::is_first(&mut finder.best_link, finder.search, link as usize, g) {
            return;
        }
        let from = self.root(entry.from, g, last, index, Came::LinkFrom(link));
        let to = self.root(entry.to, g + entry.cost, from, index, Came::LinkTo(link));
        self.push_inside(to, entry.to_polygon, NONE, index);
    }
}

/// Costs nearer to each other than this are equal.
fn slack(cost: f64) -> f64 {
    1e-9 * (1.0 + cost)
}

/// How far a point lies to the left of the line from `from` through `to`, m; 0 on it, or where the two are one.
fn side(from: DVec2, to: DVec2, at: DVec2) -> f64 {
    let along = to - from;
    let length = along.length();
    if length < ON_LINE {
        return 0.0;
    }
    let distance = along.perp_dot(at - from) / length;
    if distance.abs() < ON_LINE { 0.0 } else { distance }
}

/// The shortest way from a root through an interval to a goal, whatever stands behind the interval; a goal on the root's side is
/// mirrored.
fn through(root: DVec2, right: DVec2, left: DVec2, to: DVec2) -> f64 {
    let along = left - right;
    let normal = along.perp();
    // The normal points to the side of the root.
    let there = normal.dot(to - right);
    let to = if there > 0.0 { to - normal * (2.0 * there / normal.length_squared()) } else { to };
    if side(root, right, to) < 0.0 {
        root.distance(right) + right.distance(to)
    } else if side(root, left, to) > 0.0 {
        root.distance(left) + left.distance(to)
    } else {
        root.distance(to)
    }
}

fn nearest_distance(root: DVec2, right: DVec2, left: DVec2) -> f64 {
    super::locate::nearest_of(right, left, root).distance(root)
}
