//! Pulling a string through the edges that a path crosses, and giving agents lanes of their own there.

use glam::DVec2;

/// At most so much of an edge is taken from each of its ends: the lanes of a narrow door meet near its middle.
const MOST_SHARE: f64 = 0.45;

/// An edge between two polygons of a path, seen in the direction of the path, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Portal {
    pub(super) left: DVec2,
    pub(super) right: DVec2,
}

impl Portal {
    /// The same without `margin` m at both ends.
    fn narrowed(self, margin: f64) -> Self {
        let across = self.right - self.left;
        let length = across.length();
        let share = (margin / length.max(1e-12)).min(MOST_SHARE);
        Self { left: self.left + across * share, right: self.right - across * share }
    }
}

/// The shortest way from `from` to `to` that crosses all portals, at least `margin` m (or nearly half of the portal) from their
/// ends: its corners, without both ends. A margin of 0 gives the shortest way there is through these portals.
pub(super) fn pull(from: DVec2, portals: &[Portal], to: DVec2, margin: f64, corners: &mut Vec<DVec2>) {
    let portal = |index: usize| match portals.get(index) {
        Some(portal) if margin > 0.0 => portal.narrowed(margin),
        Some(portal) => *portal,
        None => Portal { left: to, right: to },
    };
    let (mut apex, mut left, mut right) = (from, from, from);
    let (mut left_at, mut right_at) = (0, 0);
    let mut index = 0;
    // Each corner starts again behind itself, at least one portal further on than the corner before.
    while index <= portals.len() {
        let next = portal(index);
        let turn = |a: DVec2, b: DVec2| (a - apex).perp_dot(b - apex);
        if turn(right, next.right) >= 0.0 {
            if apex == right || turn(left, next.right) < 0.0 {
                (right, right_at) = (next.right, index);
            } else {
                corners.push(left);
                (apex, right, index) = (left, left, left_at + 1);
                right_at = left_at;
                continue;
            }
        }
        if turn(left, next.left) <= 0.0 {
            if apex == left || turn(right, next.left) > 0.0 {
                (left, left_at) = (next.left, index);
            } else {
                corners.push(right);
                (apex, left, index) = (right, right, right_at + 1);
                left_at = right_at;
                continue;
            }
        }
        index += 1;
    }
    corners.dedup();
    corners.retain(|corner| *corner != to && *corner != from);
}
