//! Triangles merged into convex polygons: Hertel and Mehlhorn 1983, longest edges first.

use glam::DVec2;

use super::triangles::Triangles;

/// No twin: the edge is the border of the free ground.
pub(super) const NONE: u32 = u32::MAX;

/// Convex polygons as one list of corners, counterclockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Polygons {
    /// Where each polygon begins in `ring`; one more than polygons.
    pub(super) first: Vec<u32>,
    /// Points of the corners.
    pub(super) ring: Vec<u32>,
    /// For the edge from each corner to the next: the place of the same edge in the polygon behind it.
    pub(super) twin: Vec<u32>,
    /// Zone of each polygon.
    pub(super) zone: Vec<u16>,
}

struct Edges {
    from: Vec<u32>,
    next: Vec<u32>,
    before: Vec<u32>,
    twin: Vec<u32>,
}

/// Merges.
pub(super) fn merged(triangles: &Triangles) -> Polygons {
    let points = &triangles.points;
    let mut edges = half_edges(triangles);
    let mut inner: Vec<u32> = (0..edges.from.len() as u32)
        .filter(|edge| {
            let twin = edges.twin[*edge as usize];
            let (triangle, corner) = (*edge as usize / 3, *edge as usize % 3);
            twin != NONE && *edge < twin && !triangles.list[triangle].border[corner]
        })
        .collect();
    let length = |edge: u32| {
        let to = edges.from[edges.next[edge as usize] as usize];
        points[edges.from[edge as usize] as usize].distance_squared(points[to as usize])
    };
    // The order is a function of the points alone.
    let mut keyed: Vec<(f64, u32)> = inner.drain(..).map(|edge| (length(edge), edge)).collect();
    keyed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut gone = vec![false; edges.from.len()];
    for (_, edge) in keyed {
        remove_if_convex(&mut edges, points, edge, &mut gone);
    }
    collect(&edges, &gone, triangles)
}

fn half_edges(triangles: &Triangles) -> Edges {
    let count = 3 * triangles.list.len();
    let mut edges = Edges {
        from: Vec::with_capacity(count),
        next: Vec::with_capacity(count),
        before: Vec::with_capacity(count),
        twin: vec![NONE; count],
    };
    let mut keyed = Vec::with_capacity(count);
    for (index, triangle) in triangles.list.iter().enumerate() {
        for corner in 0..3 {
            let (from, to) = (triangle.corners[corner], triangle.corners[(corner + 1) % 3]);
            let at = 3 * index + corner;
            edges.from.push(from as u32);
            edges.next.push((3 * index + (corner + 1) % 3) as u32);
            edges.before.push((3 * index + (corner + 2) % 3) as u32);
            keyed.push((from.min(to), from.max(to), at as u32));
        }
    }
    keyed.sort_unstable();
    for pair in keyed.windows(2) {
        if (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1) {
            edges.twin[pair[0].2 as usize] = pair[1].2;
            edges.twin[pair[1].2 as usize] = pair[0].2;
        }
    }
    edges
}

/// Takes an edge away if both of its ends stay convex.
fn remove_if_convex(edges: &mut Edges, points: &[DVec2], edge: u32, gone: &mut [bool]) {
    let (one, two) = (edge as usize, edges.twin[edge as usize] as usize);
    let (one_next, one_before) = (edges.next[one] as usize, edges.before[one] as usize);
    let (two_next, two_before) = (edges.next[two] as usize, edges.before[two] as usize);
    let at = |edge: usize| points[edges.from[edge] as usize];
    // A flat corner goes straight on; one that turns back would be a spike.
    let convex = |a: DVec2, b: DVec2, c: DVec2| {
        let turn = orient(a, b, c);
        turn > 0.0 || (turn == 0.0 && (a - b).dot(c - b) < 0.0)
    };
    let start = convex(at(one_before), at(one), at(edges.next[two_next] as usize));
    let end = convex(at(two_before), at(two), at(edges.next[one_next] as usize));
    if !start || !end {
        return;
    }
    (gone[one], gone[two]) = (true, true);
    let mut join = |before: usize, next: usize| {
        edges.next[before] = next as u32;
        edges.before[next] = before as u32;
    };
    join(one_before, two_next);
    join(two_before, one_next);
}

/// Twice the signed area, with the right sign always (Shewchuk 1997): grown rings meet at very flat angles.
fn orient(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coordinate = |p: DVec2| robust::Coord { x: p.x, y: p.y };
    robust::orient2d(coordinate(a), coordinate(b), coordinate(c))
}

fn collect(edges: &Edges, gone: &[bool], triangles: &Triangles) -> Polygons {
    let mut polygons = Polygons { first: vec![0], ..Polygons::default() };
    let mut place = vec![NONE; edges.from.len()];
    let mut order = Vec::new();
    for start in 0..edges.from.len() {
        if gone[start] || place[start] != NONE {
            continue;
        }
        let mut edge = start;
        loop {
            place[edge] = polygons.ring.len() as u32;
            polygons.ring.push(edges.from[edge]);
            order.push(edge);
            edge = edges.next[edge] as usize;
            if edge == start {
                break;
            }
        }
        polygons.first.push(polygons.ring.len() as u32);
        polygons.zone.push(triangles.list[start / 3].zone);
    }
    let twin = |edge: &usize| {
        let twin = edges.twin[*edge];
        if twin == NONE { NONE } else { place[twin as usize] }
    };
    polygons.twin = order.iter().map(twin).collect();
    polygons
}
