//! Refuses shapes that no query could answer, and brings the others into their stored form.

use glam::DVec3;

use super::COORDINATE_LIMIT;
use super::error::ObstacleError;
use super::near::{Edge, winding};
use super::shape::{Shape, doubled_area};

impl Shape {
    /// Checks the shape and returns it as it will be stored: rings without repeated corners, the outer one
    /// counterclockwise, holes clockwise. `object` is the name for the error.
    pub fn checked(self, object: &str) -> Result<Self, ObstacleError> {
        let object = if object.is_empty() { self.kind() } else { object };
        match self {
            Self::Disc { at, radius } => {
                position(object, "at", at)?;
                length(object, "radius", radius)?;
                Ok(Self::Disc { at, radius })
            }
            Self::Sphere { at, radius } => {
                position(object, "at", at)?;
                length(object, "radius", radius)?;
                Ok(Self::Sphere { at, radius })
            }
            Self::Box { min, max } => {
                position(object, "min", min)?;
                position(object, "max", max)?;
                corners(object, min, max)?;
                Ok(Self::Box { min, max })
            }
            Self::Wall { from, to } => {
                position(object, "from", from)?;
                position(object, "to", to)?;
                let same = from.truncate() == to.truncate();
                if same {
                    return Err(ObstacleError::new(
                        object,
                        "to",
                        format!("is ({}, {}), the same point as `from`", to.x, to.y),
                        "move one end, or use a Disc for a post",
                    ));
                }
                Ok(Self::Wall { from, to })
            }
            Self::Polyline { points } => {
                let points = without_repeats(object, "points", points, 2, false)?;
                Ok(Self::Polyline { points })
            }
            Self::Polygon { points, holes } => polygon(object, points, holes),
        }
    }
}

/// Refuses a position that is not finite or too far out.
pub(super) fn position(object: &str, field: &str, at: DVec3) -> Result<(), ObstacleError> {
    for (axis, value) in ["x", "y", "z"].into_iter().zip(at.to_array()) {
        if !value.is_finite() {
            let what = format!("has {axis} = {value}, which is not a finite number");
            return Err(ObstacleError::new(object, field, what, "give numbers in meters"));
        }
        if value.abs() > COORDINATE_LIMIT {
            let what = format!("has {axis} = {value:e} m, beyond the limit of {COORDINATE_LIMIT:e} m");
            return Err(ObstacleError::new(object, field, what, "move it nearer to the origin"));
        }
    }
    Ok(())
}

fn length(object: &str, field: &str, value: f64) -> Result<(), ObstacleError> {
    if !value.is_finite() {
        let what = format!("is {value}, which is not a finite number");
        return Err(ObstacleError::new(object, field, what, "give a length in meters"));
    }
    if value <= 0.0 {
        return Err(ObstacleError::new(object, field, format!("is {value} m"), "give a length above 0"));
    }
    if value > COORDINATE_LIMIT {
        let what = format!("is {value:e} m, beyond the limit of {COORDINATE_LIMIT:e} m");
        return Err(ObstacleError::new(object, field, what, "make it smaller"));
    }
    Ok(())
}

fn corners(object: &str, min: DVec3, max: DVec3) -> Result<(), ObstacleError> {
    for (index, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let (low, high) = (min[index], max[index]);
        if low > high {
            let what = format!("has {axis} = {high} below `min`, {low}");
            return Err(ObstacleError::new(object, "max", what, format!("swap the two {axis} values")));
        }
        if low == high && axis != "z" {
            let what = format!("has {axis} = {high} like `min`, so the box has no width");
            return Err(ObstacleError::new(object, "max", what, "widen it, or use a Wall"));
        }
    }
    Ok(())
}

/// Checks every point of a chain and drops corners that repeat the one before (in x and y).
fn without_repeats(
    object: &str,
    field: &str,
    points: Vec<DVec3>,
    need: usize,
    closed: bool,
) -> Result<Vec<DVec3>, ObstacleError> {
    for (index, point) in points.iter().enumerate() {
        position(object, &format!("{field}[{index}]"), *point)?;
    }
    let given = points.len();
    let mut kept = points;
    kept.dedup_by(|b, a| a.truncate() == b.truncate());
    if closed && kept.len() > 1 && kept.first().map(|p| p.truncate()) == kept.last().map(|p| p.truncate()) {
        kept.pop();
    }
    if kept.len() < need {
        let what = format!("has {} different points ({given} given) and needs {need}", kept.len());
        return Err(ObstacleError::new(object, field, what, "add points, or use a Disc for a post"));
    }
    Ok(kept)
}

fn polygon(object: &str, points: Vec<DVec3>, holes: Vec<Vec<DVec3>>) -> Result<Shape, ObstacleError> {
    let points = ring(object, "points", points, false)?;
    let mut turned = Vec::with_capacity(holes.len());
    for (index, hole) in holes.into_iter().enumerate() {
        turned.push(ring(object, &format!("holes[{index}]"), hole, true)?);
    }
    let shape = Shape::Polygon { points, holes: turned };
    simple(object, &shape)?;
    nested(object, &shape)?;
    Ok(shape)
}

/// A checked ring, turned counterclockwise, or clockwise for a hole.
fn ring(object: &str, field: &str, points: Vec<DVec3>, clockwise: bool) -> Result<Vec<DVec3>, ObstacleError> {
    let mut points = without_repeats(object, field, points, 3, true)?;
    let area = doubled_area(&points);
    let low = points.iter().copied().reduce(DVec3::min).unwrap_or_default();
    let high = points.iter().copied().reduce(DVec3::max).unwrap_or_default();
    let span = (high - low).truncate().length_squared();
    // Below this the sign of the area, and so the inside, is rounding noise.
    if area.abs() <= 1e-12 * span {
        let what = "encloses no area";
        return Err(ObstacleError::new(object, field, what, "move a corner off the line, or use a Polyline"));
    }
    if (area < 0.0) != clockwise {
        points.reverse();
    }
    Ok(points)
}

/// Refuses edges that cross; touching is fine. Sorted by x, so that long rings do not compare every pair.
fn simple(object: &str, shape: &Shape) -> Result<(), ObstacleError> {
    let mut edges = Edge::of(shape);
    edges.sort_by(|a, b| a.from.x.min(a.to.x).total_cmp(&b.from.x.min(b.to.x)));
    for (index, edge) in edges.iter().enumerate() {
        let end = edge.from.x.max(edge.to.x);
        let rivals = edges[index + 1..].iter().take_while(|rival| rival.from.x.min(rival.to.x) <= end);
        for rival in rivals {
            if edge.crosses_inside(rival) {
                let what = format!(
                    "has the edge from ({}, {}) to ({}, {}) crossing the one from ({}, {}) to ({}, {})",
                    edge.from.x, edge.from.y, edge.to.x, edge.to.y, rival.from.x, rival.from.y, rival.to.x, rival.to.y
                );
                return Err(ObstacleError::new(object, "points", what, "order the corners around the outline"));
            }
        }
    }
    Ok(())
}

/// Refuses holes outside of the outer ring or inside of each other.
fn nested(object: &str, shape: &Shape) -> Result<(), ObstacleError> {
    let Shape::Polygon { points, holes } = shape else {
        return Ok(());
    };
    let outer = Edge::ring(points);
    let rings: Vec<_> = holes.iter().map(|hole| Edge::ring(hole)).collect();
    for (index, hole) in holes.iter().enumerate() {
        for (corner, point) in hole.iter().enumerate() {
            let at = point.truncate();
            if winding(&outer, at) == Some(0) {
                let field = format!("holes[{index}][{corner}]");
                let what = format!("is ({}, {}), outside of the outer ring", at.x, at.y);
                return Err(ObstacleError::new(object, field, what, "move the hole inside, or drop it"));
            }
            let other = rings
                .iter()
                .enumerate()
                .position(|(rival, ring)| rival != index && winding(ring, at).is_some_and(|turns| turns != 0));
            if let Some(other) = other {
                let field = format!("holes[{index}][{corner}]");
                let what = format!("lies inside of holes[{other}]");
                return Err(ObstacleError::new(object, field, what, "join the two holes, or drop the inner one"));
            }
        }
    }
    Ok(())
}
