//! What two agents owe each other: the half-plane or half-space of relative velocities that keeps them apart for a while.
//!
//! The relative velocities that lead to contact within a time τ fill a cone with a round front: all of s·(ball of radius R about
//! the offset p) with s ≥ 1/τ. The set is convex, so one of its tangents parts it from the current relative velocity, or shows
//! the shortest way out of it (van den Berg et al. 2011, section 4). Each of a pair gets the mirror image of what the other
//! gets, bit for bit, and so each may do its share.

use glam::{DVec2, DVec3};

/// Angle of the approach, as a sine, below which it counts as head-on: then the tangent leans to the preferred side, since on
/// the front of the cone two that meet exactly head-on would otherwise brake each other to a stand for ever.
const LEAN_SINE: f64 = 0.05;
const LEAN_COSINE: f64 = 0.998_749_217_771_909;

/// A relative velocity or distance below this has no direction, squared.
const NOTHING: f64 = 1e-16;

/// How a pair avoids each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Seconds ahead without contact, above 0.
    pub(super) horizon: f64,
    /// Seconds in which an overlap is undone, above 0: in one tick it would be a burst.
    pub(super) parting: f64,
    /// 1: those who meet head-on pass on their right; −1: on their left.
    pub(super) side: f64,
}

/// What a relative velocity must be: `normal · v` at least what it is now plus `lack`, m/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owed<V> {
    /// Unit normal.
    pub(super) normal: V,
    /// m/s; negative where there is room.
    pub(super) lack: f64,
}

/// The same in the plane. `offset` leads to the other, m; `relative` is one's own velocity less the other's, m/s; `reach` is
/// the sum of the radii, m; `apart` says where to go from somebody at the very same place.
#[inline]
pub(super) fn in_plane(
    offset: DVec2,
    relative: DVec2,
    reach: f64,
    manner: Manner,
    apart: impl FnOnce() -> DVec2,
) -> Owed<DVec2> {
    let (far, near) = (offset.length_squared(), reach * reach);
    if far <= near {
        let share = 1.0 / manner.parting;
        let to = relative - offset * share;
        let length = to.length_squared();
        let normal = if length > NOTHING {
            let (cross, dot) = (offset.perp_dot(to), offset.dot(to));
            let straight = dot < 0.0 && far > NOTHING && cross * cross < LEAN_SINE * LEAN_SINE * far * length;
            if straight { leaning(offset, far, 0.0, manner.side) } else { to / length.sqrt() }
        } else if far > NOTHING {
            -offset / far.sqrt()
        } else {
            apart()
        };
        return Owed { normal, lack: (normal.dot(offset) + reach) * share - normal.dot(relative) };
    }
    let share = 1.0 / manner.horizon;
    let to = relative - offset * share;
    let (dot, length) = (offset.dot(to), to.length_squared());
    if dot < 0.0 && dot * dot > near * length {
        let cross = offset.perp_dot(to);
        let straight = cross * cross < LEAN_SINE * LEAN_SINE * far * length;
        let normal = if straight { leaning(offset, far, near, manner.side) } else { to / length.sqrt() };
        return Owed { normal, lack: (normal.dot(offset) + reach) * share - normal.dot(relative) };
    }
    // Beside the cone: its tangent from the origin, turned from the axis by the angle whose sine is reach / distance.
    let cross = offset.perp_dot(relative);
    let left = if cross == 0.0 { manner.side < 0.0 } else { cross > 0.0 };
    let leg = (far - near).sqrt();
    let normal = (offset.perp() * if left { leg } else { -leg } - offset * reach) / far;
    Owed { normal, lack: -normal.dot(relative) }
}

/// The normal against a head-on approach, turned so that both slide to their preferred side, yet never past the tangent.
fn leaning(offset: DVec2, far: f64, near: f64, side: f64) -> DVec2 {
    let (cosine, sine) = lean(far, near);
    -(offset * cosine + offset.perp() * (side * sine)) / far.sqrt()
}

fn lean(far: f64, near: f64) -> (f64, f64) {
    if near > LEAN_COSINE * LEAN_COSINE * far {
        return ((near / far).sqrt(), ((far - near) / far).max(0.0).sqrt());
    }
    (LEAN_COSINE, LEAN_SINE)
}

/// The same in space: in the plane through the offset and the relative velocity, where the cone is the same.
pub(super) fn in_space(
    offset: DVec3,
    relative: DVec3,
    reach: f64,
    manner: Manner,
    apart: impl FnOnce() -> DVec3,
) -> Owed<DVec3> {
    let (far, near) = (offset.length_squared(), reach * reach);
    let overlaps = far <= near;
    let share = 1.0 / if overlaps { manner.parting } else { manner.horizon };
    let owed = |normal: DVec3| Owed { normal, lack: (normal.dot(offset) + reach) * share - normal.dot(relative) };
    if far <= NOTHING {
        return owed(if relative.length_squared() > NOTHING { relative.normalize_or_zero() } else { apart() });
    }
    let ahead = offset / far.sqrt();
    let along = relative.dot(ahead);
    let across = relative - ahead * along;
    let sideways = across.length();
    // The right-hand side of the way, or some side of a way straight up.
    let right = ahead.cross(DVec3::Z);
    // Both of a pair need opposite ones.
    let right = if right.length_squared() > 1e-12 { right.normalize_or_zero() } else { DVec3::X * ahead.z.signum() };
    let to = along - far.sqrt() * share;
    let length = to * to + sideways * sideways;
    if overlaps || (to < 0.0 && to * to * far > near * length) {
        if length <= NOTHING {
            return owed(-ahead);
        }
        if to < 0.0 && sideways * sideways < LEAN_SINE * LEAN_SINE * length {
            let (cosine, sine) = lean(far, if overlaps { 0.0 } else { near });
            return owed(right * (manner.side * sine) - ahead * cosine);
        }
        return owed((ahead * to + across) / length.sqrt());
    }
    let aside = if sideways > 1e-12 { across / sideways } else { right * manner.side };
    let normal = (aside * (far - near).sqrt() - ahead * reach) / far.sqrt();
    Owed { normal, lack: -normal.dot(relative) }
}
