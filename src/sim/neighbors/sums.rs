//! What flocks add up over their neighbors, four neighbors at a time: directions away, velocities, offsets.
//!
//! The same bits come out whatever instructions the machine has and however many threads run. Four partial sums are kept
//! always and folded in one order; nothing is fused but a product with a mask, which is 0 or 1 and therefore exact; only
//! operations that IEEE 754 rounds correctly are used. A neighbor counts here exactly if it counts in a [`super::Row`].

use super::{Columns, Lanes, NeighborGrid, Ways, columns::LANES};
use crate::sim::{Agents, GroupId};
use fearless_simd::{Simd, dispatch, f64x4, i64x4, mask64x4, prelude::*};
use glam::DVec3;

/// Closer than this, m, an offset has no direction of its own.
pub const TOUCHING: f64 = 1e-9;

/// Which neighbors count for one of the sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sight {
    /// Up to this distance, m.
    pub radius: f64,
    /// Cosine of the half angle of view; below −1 for all round.
    pub cosine: f64,
}

impl Sight {
    /// None for a radius that is no distance.
    #[must_use]
    pub fn new(radius: f64, cosine: f64) -> Option<Self> {
        (radius >= 0.0).then_some(Self { radius, cosine })
    }

    fn is_narrow(&self) -> bool {
        self.cosine > -1.0
    }
}

/// What one agent wants added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Look {
    /// For [`Sums::apart`].
    pub apart: Option<Sight>,
    /// Whether [`Sums::apart`] is the plain sum of −offset.
    pub plain: bool,
    /// For [`Sums::velocity`].
    pub velocity: Option<Sight>,
    /// For [`Sums::offset`].
    pub offset: Option<Sight>,
    /// Only agents of this group, which must be the agent's own; none for all.
    pub only: Option<GroupId>,
    /// Unit vector that the agent looks along; it matters where a sight is narrower than all round.
    pub forward: DVec3,
}

impl Look {
    /// Whether the way the agent looks matters.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        [self.apart, self.velocity, self.offset].into_iter().flatten().any(|sight| sight.is_narrow())
    }

    fn kind(&self) -> u8 {
        match (self.apart, self.velocity, self.offset) {
            (Some(_), Some(velocity), Some(offset))
                if velocity == offset && self.only.is_none() && !self.is_narrow() =>
            {
                if self.plain {
                    PLAIN
                } else {
                    FLOCK
                }
            }
            _ => MIXED,
        }
    }

    fn reach(&self) -> f64 {
        [self.apart, self.velocity, self.offset].into_iter().flatten().fold(0.0, |reach, sight| sight.radius.max(reach))
    }
}

/// What was added up; oneself is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Σ −offset·(1/distance − 1/radius): away from neighbors, from 0 at the radius. Or Σ −offset where that was asked for.
    pub apart: DVec3,
    /// Whether another agent is so close that it has no direction: it is left out of `apart`.
    pub touched: bool,
    /// Σ velocity, m/s.
    pub velocity: DVec3,
    /// Over how many.
    pub velocities: f64,
    /// Σ offset, m.
    pub offset: DVec3,
    /// Over how many.
    pub offsets: f64,
}

/// Kinds of looks that have a kernel of their own. All round, velocities and offsets over the same neighbors, no group left out:
/// with tapered directions away,
const FLOCK: u8 = 0;
/// or with plain ones.
const PLAIN: u8 = 1;
/// Any other look.
const MIXED: u8 = 2;

/// Which of the last four entries of a span belong to it, by how many those are.
const TAILS: [[f64; 4]; 4] = [[0.0; 4], [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]];

/// Three sums in lanes.
#[derive(Clone, Copy)]
struct Vector<S: Simd> {
    x: f64x4<S>,
    y: f64x4<S>,
    z: f64x4<S>,
}

/// Partial sums.
#[derive(Clone, Copy)]
struct Partial<S: Simd> {
    apart: Vector<S>,
    touching: f64x4<S>,
    velocity: Vector<S>,
    velocities: f64x4<S>,
    offset: Vector<S>,
    offsets: f64x4<S>,
}

/// A sight in lanes.
#[derive(Clone, Copy)]
struct Within<S: Simd> {
    limit: f64x4<S>,
    cosine: f64x4<S>,
    narrow: bool,
}

/// Four neighbors as seen: those that count, with 1 for each, squared distance, distance and way ahead.
#[derive(Clone, Copy)]
struct Seen<S: Simd> {
    counts: f64x4<S>,
    squared: f64x4<S>,
    distance: f64x4<S>,
    ahead: f64x4<S>,
}

impl<S: Simd> Within<S> {
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn new(simd: S, sight: Sight) -> Self {
        Self {
            limit: f64x4::splat(simd, sight.radius * sight.radius),
            cosine: f64x4::splat(simd, sight.cosine),
            narrow: sight.is_narrow(),
        }
    }

    /// 1 for each that is seen, else 0.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn sees(&self, simd: S, four: Seen<S>) -> f64x4<S> {
        let near = unit(simd, four.squared.simd_le(self.limit)) * four.counts;
        if self.narrow { near * unit(simd, four.ahead.simd_ge(self.cosine * four.distance)) } else { near }
    }
}

/// What all groups of four share.
struct Asked<S: Simd> {
    simd: S,
    x: f64x4<S>,
    y: f64x4<S>,
    z: f64x4<S>,
    forward: Vector<S>,
    apart: Option<(Within<S>, f64x4<S>)>,
    velocity: Option<Within<S>>,
    offset: Option<Within<S>>,
    /// Whether velocities and offsets are summed over the same neighbors.
    same: bool,
    /// Whether the sum of directions away is the plain one.
    plain: bool,
    /// Whether any distance is needed as such.
    narrow: bool,
    only: Option<f64x4<S>>,
}

impl NeighborGrid {
    /// Adds up what agent `me` wants of its neighbors. None where the short ways have to be found one by one (a wrapped world
    /// that is hardly larger than the radius, agents outside of it) and for an agent that the grid does not know: then a
    /// [`super::Row`] helps.
    #[must_use]
    pub fn sums(&self, agents: &Agents, me: u32, look: &Look) -> Option<Sums> {
        let at = self.entry(me)? as usize;
        let Lanes(level) = self.lanes;
        let (point, reach) = (self.columns.position(at), look.reach());
        let wrapped = match self.ways(point, reach) {
            Ways::Straight => false,
            Ways::Shifted => true,
            Ways::Unknown => return None,
        };
        debug_assert!(
            look.only.is_none_or(|group| group == agents.group[me as usize]),
            "only the own group is known here"
        );
        // In space agents may climb although all are at one height.
        let deep = !(agents.planar && self.is_flat_at(point));
        Some(match (deep, wrapped) {
            (false, false) => dispatch!(level, simd => self.add_up::<_, false, false, MIXED>(simd, at, reach, look)),
            (false, true) => dispatch!(level, simd => self.add_up::<_, false, true, MIXED>(simd, at, reach, look)),
            (true, false) => dispatch!(level, simd => self.add_up::<_, true, false, MIXED>(simd, at, reach, look)),
            (true, true) => dispatch!(level, simd => self.add_up::<_, true, true, MIXED>(simd, at, reach, look)),
        })
    }

    /// As [`Self::sums`] for the agents at the entries `first..last`, who all want the same; `take` gets entry, slot and sums.
    pub fn sums_of_all(
        &self,
        agents: &Agents,
        (first, last): (usize, usize),
        look: &Look,
        take: impl FnMut(usize, u32, Option<Sums>),
    ) {
        let Lanes(level) = self.lanes;
        let (span, flat) = ((first, last), agents.planar && self.flat && self.axes[2].count <= 1);
        match (flat, look.kind()) {
            (true, FLOCK) => dispatch!(level, simd => self.add_up_all::<_, false, FLOCK>(simd, span, look, take)),
            (true, PLAIN) => dispatch!(level, simd => self.add_up_all::<_, false, PLAIN>(simd, span, look, take)),
            (true, _) => dispatch!(level, simd => self.add_up_all::<_, false, MIXED>(simd, span, look, take)),
            (false, FLOCK) => dispatch!(level, simd => self.add_up_all::<_, true, FLOCK>(simd, span, look, take)),
            (false, PLAIN) => dispatch!(level, simd => self.add_up_all::<_, true, PLAIN>(simd, span, look, take)),
            (false, _) => dispatch!(level, simd => self.add_up_all::<_, true, MIXED>(simd, span, look, take)),
        }
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_up_all<S: Simd, const DEEP: bool, const KIND: u8>(
        &self,
        simd: S,
        (first, last): (usize, usize),
        look: &Look,
        mut take: impl FnMut(usize, u32, Option<Sums>),
    ) {
        let reach = look.reach();
        for at in first..last.min(self.slots.len()) {
            let point = self.columns.position(at);
            let sums = match self.ways(point, reach) {
                Ways::Straight => Some(self.add_up::<S, DEEP, false, KIND>(simd, at, reach, look)),
                Ways::Shifted => Some(self.add_up::<S, DEEP, true, KIND>(simd, at, reach, look)),
                Ways::Unknown => None,
            };
            take(at, self.slots[at], sums);
        }
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_up<S: Simd, const DEEP: bool, const WRAPPED: bool, const KIND: u8>(
        &self,
        simd: S,
        own: usize,
        reach: f64,
        look: &Look,
    ) -> Sums {
        let point = self.columns.position(own);
        let asked = Asked::new(simd, point, look);
        let mut partial = Partial::new(simd);
        self.spans::<DEEP, WRAPPED>(
            point,
            reach,
            #[inline(always)]
            |from, to, shift| asked.add_span::<DEEP, WRAPPED, KIND>(&self.columns, (from, to), shift, &mut partial),
        );
        let mut sums = partial.fold::<DEEP>(asked.same);
        // Oneself was counted: at no distance, so in every sight.
        if look.velocity.is_some() {
            let own = self.columns.velocity(own);
            sums.velocity -= if DEEP { own } else { own.with_z(0.0) };
            sums.velocities -= 1.0;
        }
        if look.offset.is_some() {
            sums.offsets -= 1.0;
        }
        sums
    }
}

impl<S: Simd> Asked<S> {
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn new(simd: S, point: DVec3, look: &Look) -> Self {
        Self {
            simd,
            x: f64x4::splat(simd, point.x),
            y: f64x4::splat(simd, point.y),
            z: f64x4::splat(simd, point.z),
            forward: Vector {
                x: f64x4::splat(simd, look.forward.x),
                y: f64x4::splat(simd, look.forward.y),
                z: f64x4::splat(simd, look.forward.z),
            },
            apart: look.apart.map(
                #[inline(always)]
                |sight| (Within::new(simd, sight), f64x4::splat(simd, 1.0 / sight.radius.max(TOUCHING))),
            ),
            velocity: look.velocity.map(
                #[inline(always)]
                |sight| Within::new(simd, sight),
            ),
            offset: look.offset.map(
                #[inline(always)]
                |sight| Within::new(simd, sight),
            ),
            same: look.velocity == look.offset,
            plain: look.plain,
            narrow: look.is_narrow(),
            only: look.only.map(
                #[inline(always)]
                |group| f64x4::splat(simd, f64::from(group.0)),
            ),
        }
    }

    /// Adds the entries from..to, which are seen with coordinates shifted by `shift`.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_span<const DEEP: bool, const WRAPPED: bool, const KIND: u8>(
        &self,
        columns: &Columns,
        (from, to): (usize, usize),
        shift: DVec3,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let shift = if WRAPPED { shift } else { DVec3::ZERO };
        let mut partial = *sums;
        let one = f64x4::splat(simd, 1.0);
        let whole = from + (to - from) / LANES * LANES;
        let mut at = from;
        while at < whole {
            self.add_four::<DEEP, WRAPPED, KIND, false>(columns, at, one, shift, &mut partial);
            at += LANES;
        }
        if whole < to {
            // What stands behind the last entry is another cell's.
            let tail = f64x4::load_array_ref(simd, &TAILS[to - whole]);
            self.add_four::<DEEP, WRAPPED, KIND, true>(columns, whole, tail, shift, &mut partial);
        }
        *sums = partial;
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_four<const DEEP: bool, const WRAPPED: bool, const KIND: u8, const TAIL: bool>(
        &self,
        columns: &Columns,
        at: usize,
        tail: f64x4<S>,
        shift: DVec3,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let zero = f64x4::splat(simd, 0.0);
        let mut dx = four(simd, &columns.x, at) - self.x;
        let mut dy = four(simd, &columns.y, at) - self.y;
        let mut dz = if DEEP { four(simd, &columns.z, at) - self.z } else { zero };
        if WRAPPED {
            dx -= shift.x;
            dy -= shift.y;
            if DEEP {
                dz -= shift.z;
            }
        }
        let offset = Vector { x: dx, y: dy, z: dz };
        let flat = dx * dx + dy * dy;
        let squared = if DEEP { flat + dz * dz } else { flat };
        if KIND == MIXED {
            return self.add_mixed::<DEEP>(columns, at, tail, offset, squared, sums);
        }
        let (Some(within), Some((apart, inverse))) = (&self.offset, &self.apart) else {
            return;
        };
        let mut near = unit(simd, squared.simd_le(within.limit));
        let mut close = unit(simd, squared.simd_le(apart.limit));
        if TAIL {
            near *= tail;
            close *= tail;
        }
        if KIND == PLAIN {
            sums.apart.subtract::<DEEP>(close, offset);
        } else {
            self.part::<DEEP>(close, offset, squared, *inverse, sums);
        }
        sums.add_velocity::<DEEP>(simd, columns, at, near);
        sums.offset.add::<DEEP>(near, offset);
    }

    /// Four neighbors, each sum with a sight of its own.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_mixed<const DEEP: bool>(
        &self,
        columns: &Columns,
        at: usize,
        tail: f64x4<S>,
        offset: Vector<S>,
        squared: f64x4<S>,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let zero = f64x4::splat(simd, 0.0);
        let mut seen = Seen { counts: tail, squared, distance: zero, ahead: zero };
        if let Some(group) = self.only.filter(|_| !columns.group.is_empty()) {
            seen.counts *= unit(simd, four(simd, &columns.group, at).simd_eq(group));
        }
        if self.narrow {
            let forward = &self.forward;
            seen.distance = squared.sqrt();
            seen.ahead = offset.x * forward.x + offset.y * forward.y;
            if DEEP {
                seen.ahead += offset.z * forward.z;
            }
        }
        if let Some((within, inverse)) = &self.apart {
            let close = within.sees(simd, seen);
            if self.plain {
                sums.apart.subtract::<DEEP>(close, offset);
            } else {
                self.part::<DEEP>(close, offset, squared, *inverse, sums);
            }
        }
        let mut near = zero;
        if let Some(within) = &self.velocity {
            near = within.sees(simd, seen);
            sums.add_velocity::<DEEP>(simd, columns, at, near);
        }
        if let Some(within) = &self.offset {
            if !self.same {
                near = within.sees(simd, seen);
                sums.offsets += near;
            }
            sums.offset.add::<DEEP>(near, offset);
        }
    }

    /// Adds directions away from those that are `close` (1 for each, else 0), and counts those that touch.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn part<const DEEP: bool>(
        &self,
        close: f64x4<S>,
        offset: Vector<S>,
        squared: f64x4<S>,
        inverse: f64x4<S>,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let (one, touching) = (f64x4::splat(simd, 1.0), f64x4::splat(simd, TOUCHING * TOUCHING));
        sums.touching += unit(simd, squared.simd_le(touching)) * close;
        // Who touches has no direction: its offset is as good as nothing, and the sums are not used if it is another.
        let weight = (one / squared.max(touching).sqrt() - inverse) * close;
        sums.apart.x -= offset.x * weight;
        sums.apart.y -= offset.y * weight;
        if DEEP {
            sums.apart.z -= offset.z * weight;
        }
    }
}

impl<S: Simd> Vector<S> {
    /// Adds what `mask` (1 or 0) lets through.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add<const DEEP: bool>(&mut self, mask: f64x4<S>, v: Self) {
        self.x = mask.mul_add(v.x, self.x);
        self.y = mask.mul_add(v.y, self.y);
        if DEEP {
            self.z = mask.mul_add(v.z, self.z);
        }
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn subtract<const DEEP: bool>(&mut self, mask: f64x4<S>, v: Self) {
        self.x -= mask * v.x;
        self.y -= mask * v.y;
        if DEEP {
            self.z -= mask * v.z;
        }
    }
}

impl<S: Simd> Partial<S> {
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn new(simd: S) -> Self {
        let zero = f64x4::splat(simd, 0.0);
        let none = Vector { x: zero, y: zero, z: zero };
        Self { apart: none, touching: zero, velocity: none, velocities: zero, offset: none, offsets: zero }
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_velocity<const DEEP: bool>(&mut self, simd: S, columns: &Columns, at: usize, near: f64x4<S>) {
        self.velocities += near;
        let z = if DEEP { four(simd, &columns.w, at) } else { near };
        let velocity = Vector { x: four(simd, &columns.u, at), y: four(simd, &columns.v, at), z };
        self.velocity.add::<DEEP>(near, velocity);
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn fold<const DEEP: bool>(self, same: bool) -> Sums {
        let velocities = fold(self.velocities);
        Sums {
            apart: fold_vector::<S, DEEP>(self.apart),
            // Oneself is one of those.
            touched: fold(self.touching) > 1.5,
            velocity: fold_vector::<S, DEEP>(self.velocity),
            velocities,
            offset: fold_vector::<S, DEEP>(self.offset),
            offsets: if same { velocities } else { fold(self.offsets) },
        }
    }
}

/// The sum of the lanes, always in this order.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn fold<S: Simd>(lanes: f64x4<S>) -> f64 {
    let [a, b, c, d] = lanes.to_array();
    (a + c) + (b + d)
}

#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn fold_vector<S: Simd, const DEEP: bool>(v: Vector<S>) -> DVec3 {
    DVec3::new(fold(v.x), fold(v.y), if DEEP { fold(v.z) } else { 0.0 })
}

/// 1 where the mask holds, else 0.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn unit<S: Simd>(simd: S, mask: mask64x4<S>) -> f64x4<S> {
    (mask.to_vector() & i64x4::splat(simd, 1.0_f64.to_bits() as i64)).bitcast()
}

#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn four<S: Simd>(simd: S, column: &[f64], at: usize) -> f64x4<S> {
    f64x4::from_slice(simd, &column[at..at + LANES])
}
