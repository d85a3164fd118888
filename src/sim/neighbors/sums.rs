//! What flocks add up over their neighbors, four neighbors at a time: directions away, velocities, offsets.
//!
//! The same bits come out whatever instructions the machine has and however many threads run. Four partial sums are kept
//! always and folded in one order; nothing is fused but a product with a mask, which is 0 or 1 and therefore exact; only
//! operations that IEEE 754 rounds correctly are used. A neighbor counts here exactly if it counts in a [`super::Row`].

use super::block::{Span, Spans, Steps};
use super::{Columns, Lanes, NeighborGrid, columns::LANES};
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

/// The entries whose agents are to be added up for.
#[derive(Clone, Copy, Debug)]
pub enum Entries<'a> {
    /// All from this one on.
    From(usize),
    /// These, ascending.
    These(&'a [u32]),
}

impl Entries<'_> {
    /// The entry at a place of the list.
    #[inline]
    #[must_use]
    pub fn entry(self, at: usize) -> usize {
        match self {
            Self::From(first) => first + at,
            Self::These(some) => some[at] as usize,
        }
    }

    /// How many there are in a grid of `all` entries.
    fn len(self, all: usize) -> usize {
        match self {
            Self::From(first) => all.saturating_sub(first),
            Self::These(some) => some.len(),
        }
    }

    /// The place of the first entry not before `entry`, looked for from `at` on; at most `count`.
    #[inline]
    fn before(self, entry: usize, at: usize, count: usize) -> usize {
        match self {
            Self::From(first) => (entry - first).min(count),
            Self::These(some) => at + some[at..count].iter().take_while(|other| (**other as usize) < entry).count(),
        }
    }
}

impl NeighborGrid {
    /// Adds up what agent `me` wants of its neighbors. None where the short ways have to be found one by one (a wrapped world
    /// that is hardly larger than the radius, agents outside of it) and for an agent that the grid does not know: then a
    /// [`super::Row`] helps.
    #[must_use]
    pub fn sums(&self, agents: &Agents, me: u32, look: &Look) -> Option<Sums> {
        let at = self.entry(me)? as usize;
        let Lanes(level) = self.lanes;
        let steps = self.steps(look.reach())?;
        debug_assert!(
            look.only.is_none_or(|group| group == agents.group[me as usize]),
            "only the own group is known here"
        );
        // In space agents may climb although all are at one height.
        let deep = !(agents.planar && self.is_flat_at(self.columns.position(at)));
        Some(if deep {
            dispatch!(level, simd => self.add_up_one::<_, true>(simd, at, steps, look))
        } else {
            dispatch!(level, simd => self.add_up_one::<_, false>(simd, at, steps, look))
        })
    }

    /// As [`Self::sums`] for the agents at the entries from `first` on, who all want the same. Places in `sums` whose agents
    /// cannot be added up, or touch others, are added to `odd`.
    pub fn sums_of_all(&self, agents: &Agents, first: usize, look: &Look, sums: &mut [Sums], odd: &mut Vec<u32>) {
        self.sums_of(agents, Entries::From(first), look, sums, odd);
    }

    /// As [`Self::sums_of_all`] for the agents at some entries.
    pub fn sums_of(&self, agents: &Agents, of: Entries<'_>, look: &Look, sums: &mut [Sums], odd: &mut Vec<u32>) {
        let (Lanes(level), flat) = (self.lanes, agents.planar && self.flat && self.axes[2].count <= 1);
        match (flat, look.kind()) {
            (true, FLOCK) => dispatch!(level, simd => self.add_up_all::<_, false, FLOCK>(simd, of, look, sums, odd)),
            (true, PLAIN) => dispatch!(level, simd => self.add_up_all::<_, false, PLAIN>(simd, of, look, sums, odd)),
            (true, _) => dispatch!(level, simd => self.add_up_all::<_, false, MIXED>(simd, of, look, sums, odd)),
            (false, FLOCK) => dispatch!(level, simd => self.add_up_all::<_, true, FLOCK>(simd, of, look, sums, odd)),
            (false, PLAIN) => dispatch!(level, simd => self.add_up_all::<_, true, PLAIN>(simd, of, look, sums, odd)),
            (false, _) => dispatch!(level, simd => self.add_up_all::<_, true, MIXED>(simd, of, look, sums, odd)),
        }
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_up_all<S: Simd, const DEEP: bool, const KIND: u8>(
        &self,
        simd: S,
        of: Entries<'_>,
        look: &Look,
        sums: &mut [Sums],
        odd: &mut Vec<u32>,
    ) {
        let count = sums.len().min(of.len(self.slots.len()));
        let Some(steps) = self.steps(look.reach()).filter(|_| count > 0) else {
            return odd.extend(0..sums.len() as u32);
        };
        let asked = Asked::new(simd, look);
        let (mut spans, mut cell, mut at) = (Spans::default(), self.cell_of(of.entry(0)), 0);
        while at < count {
            let end = of.before(self.forward(&mut cell, of.entry(at)), at, count);
            self.find_spans::<DEEP>(cell, steps, &mut spans);
            while at < end {
                let own = of.entry(at);
                let found = match spans.known() {
                    Some(list) if spans.shifted => self.add_up::<S, DEEP, true, KIND>(&asked, own, list, look),
                    Some(list) => self.add_up::<S, DEEP, false, KIND>(&asked, own, list, look),
                    None => self.add_up_one::<S, DEEP>(simd, own, steps, look),
                };
                if found.touched {
                    odd.push(at as u32);
                }
                sums[at] = found;
                at += 1;
            }
        }
    }

    /// The sums of the agent at an entry, over spans that are the same for its whole cell.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_up<S: Simd, const DEEP: bool, const WRAPPED: bool, const KIND: u8>(
        &self,
        asked: &Asked<S>,
        own: usize,
        spans: &[Span],
        look: &Look,
    ) -> Sums {
        let me = Vector::splat(asked.simd, self.columns.position(own));
        let mut partial = Partial::new(asked.simd);
        for span in spans {
            asked.add_span::<DEEP, WRAPPED, KIND>(&self.columns, &me, span, &mut partial);
        }
        partial.fold::<DEEP>(look, asked.same, self.columns.velocity(own))
    }

    /// As [`Self::add_up`] for any look and any number of spans.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_up_one<S: Simd, const DEEP: bool>(&self, simd: S, own: usize, steps: Steps, look: &Look) -> Sums {
        let asked = Asked::new(simd, look);
        let me = Vector::splat(simd, self.columns.position(own));
        let mut partial = Partial::new(simd);
        self.spans_round::<DEEP>(
            self.cell_of(own),
            steps,
            #[inline(always)]
            |span| asked.add_span::<DEEP, true, MIXED>(&self.columns, &me, &span, &mut partial),
        );
        partial.fold::<DEEP>(look, asked.same, self.columns.velocity(own))
    }
}

impl<S: Simd> Asked<S> {
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn new(simd: S, look: &Look) -> Self {
        Self {
            simd,
            forward: Vector::splat(simd, look.forward),
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

    /// Adds the entries of a span.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_span<const DEEP: bool, const WRAPPED: bool, const KIND: u8>(
        &self,
        columns: &Columns,
        me: &Vector<S>,
        span: &Span,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let shift = if WRAPPED { span.shift } else { DVec3::ZERO };
        let (from, to) = (span.from as usize, span.to as usize);
        // Four at a time; what the last four hold behind the end is too far away to count, or it is masked.
        let round_up = if span.ends { 0 } else { LANES - 1 };
        let whole = from + (to - from + round_up) / LANES * LANES;
        let mut partial = *sums;
        let one = f64x4::splat(simd, 1.0);
        if KIND == MIXED {
            let mut at = from;
            while at < whole {
                let place = place_at::<S, DEEP>(simd, columns, at);
                let offset = place.offset::<DEEP, WRAPPED>(me, shift);
                self.add_mixed::<DEEP>(columns, at, one, offset, &mut partial);
                at += LANES;
            }
            if whole < to {
                let tail = load(simd, &TAILS[to - whole]);
                let place = place_at::<S, DEEP>(simd, columns, whole);
                let offset = place.offset::<DEEP, WRAPPED>(me, shift);
                self.add_mixed::<DEEP>(columns, whole, tail, offset, &mut partial);
            }
            *sums = partial;
            return;
        }
        let (x, y) = (fours(&columns.x, from, whole), fours(&columns.y, from, whole));
        let (u, v) = (fours(&columns.u, from, whole), fours(&columns.v, from, whole));
        let (z, w) = if DEEP { (fours(&columns.z, from, whole), fours(&columns.w, from, whole)) } else { (x, u) };
        for (at, ((x, y), (u, v))) in x.iter().zip(y).zip(u.iter().zip(v)).enumerate() {
            let (z, w) = if DEEP { (load(simd, &z[at]), load(simd, &w[at])) } else { (one, one) };
            let (x, y, u, v) = (load(simd, x), load(simd, y), load(simd, u), load(simd, v));
            let (place, velocity) = (Vector { x, y, z }, Vector { x: u, y: v, z: w });
            self.add_four::<DEEP, KIND, false>(place.offset::<DEEP, WRAPPED>(me, shift), velocity, one, &mut partial);
        }
        if whole < to {
            // What stands behind the last entry is another row's.
            let tail = load(simd, &TAILS[to - whole]);
            let place = place_at::<S, DEEP>(simd, columns, whole);
            let velocity = velocity_at::<S, DEEP>(simd, columns, whole);
            self.add_four::<DEEP, KIND, true>(place.offset::<DEEP, WRAPPED>(me, shift), velocity, tail, &mut partial);
        }
        *sums = partial;
    }

    /// Four neighbors, velocities and offsets over the same ones.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn add_four<const DEEP: bool, const KIND: u8, const TAIL: bool>(
        &self,
        offset: Vector<S>,
        velocity: Vector<S>,
        tail: f64x4<S>,
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let (Some(within), Some((apart, inverse))) = (&self.offset, &self.apart) else {
            return;
        };
        let squared = offset.squared::<DEEP>();
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
        sums.velocities += near;
        sums.velocity.add::<DEEP>(near, velocity);
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
        sums: &mut Partial<S>,
    ) {
        let simd = self.simd;
        let (zero, squared) = (f64x4::splat(simd, 0.0), offset.squared::<DEEP>());
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
            sums.velocities += near;
            sums.velocity.add::<DEEP>(near, velocity_at::<S, DEEP>(simd, columns, at));
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
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn splat(simd: S, v: DVec3) -> Self {
        Self { x: f64x4::splat(simd, v.x), y: f64x4::splat(simd, v.y), z: f64x4::splat(simd, v.z) }
    }

    /// From `me` to these places, with what the short way takes off.
    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn offset<const DEEP: bool, const WRAPPED: bool>(self, me: &Self, shift: DVec3) -> Self {
        let mut offset = Self { x: self.x - me.x, y: self.y - me.y, z: self.z };
        if DEEP {
            offset.z -= me.z;
        }
        if WRAPPED {
            offset.x -= shift.x;
            offset.y -= shift.y;
            if DEEP {
                offset.z -= shift.z;
            }
        }
        offset
    }

    #[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
    #[inline(always)]
    fn squared<const DEEP: bool>(&self) -> f64x4<S> {
        let flat = self.x * self.x + self.y * self.y;
        if DEEP { flat + self.z * self.z } else { flat }
    }

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
    fn fold<const DEEP: bool>(self, look: &Look, same: bool, own: DVec3) -> Sums {
        let (x, y) = fold(self.apart.x, self.apart.y);
        let (u, v) = fold(self.velocity.x, self.velocity.y);
        let (dx, dy) = fold(self.offset.x, self.offset.y);
        let (velocities, touching) = fold(self.velocities, self.touching);
        let offsets = if same { velocities } else { fold(self.offsets, self.offsets).0 };
        let (mut z, mut w, mut dz) = (0.0, 0.0, 0.0);
        if DEEP {
            (z, w) = fold(self.apart.z, self.velocity.z);
            dz = fold(self.offset.z, self.offset.z).0;
        }
        // Oneself was counted: at no distance, so in every sight.
        let (own, first) = if look.velocity.is_some() { (own, 1.0) } else { (DVec3::ZERO, 0.0) };
        Sums {
            apart: DVec3::new(x, y, z),
            touched: touching > 1.5,
            velocity: DVec3::new(u - own.x, v - own.y, if DEEP { w - own.z } else { 0.0 }),
            velocities: velocities - first,
            offset: DVec3::new(dx, dy, dz),
            offsets: if look.offset.is_some() { offsets - 1.0 } else { offsets },
        }
    }
}

/// The sums of the lanes of two, always in this order: first and third, second and fourth, then both.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn fold<S: Simd>(a: f64x4<S>, b: f64x4<S>) -> (f64, f64) {
    let ((low_a, high_a), (low_b, high_b)) = (a.split(), b.split());
    let (a, b) = (low_a + high_a, low_b + high_b);
    (a.zip_low(b) + a.zip_high(b)).to_array().into()
}

/// 1 where the mask holds, else 0.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn unit<S: Simd>(simd: S, mask: mask64x4<S>) -> f64x4<S> {
    (mask.to_vector() & i64x4::splat(simd, 1.0_f64.to_bits() as i64)).bitcast()
}

/// Where the four entries from `at` on stand; without `DEEP` z says nothing.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn place_at<S: Simd, const DEEP: bool>(simd: S, columns: &Columns, at: usize) -> Vector<S> {
    let x = four(simd, &columns.x, at);
    Vector { x, y: four(simd, &columns.y, at), z: if DEEP { four(simd, &columns.z, at) } else { x } }
}

/// Their velocities.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn velocity_at<S: Simd, const DEEP: bool>(simd: S, columns: &Columns, at: usize) -> Vector<S> {
    let x = four(simd, &columns.u, at);
    Vector { x, y: four(simd, &columns.v, at), z: if DEEP { four(simd, &columns.w, at) } else { x } }
}

#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn load<S: Simd>(simd: S, four: &[f64; LANES]) -> f64x4<S> {
    f64x4::load_array_ref(simd, four)
}

/// The entries from..to of a column, four by four.
#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn fours(column: &[f64], from: usize, to: usize) -> &[[f64; LANES]] {
    column[from..to].as_chunks().0
}

#[expect(clippy::inline_always, reason = "vector code must end up in the function that may use the instructions")]
#[inline(always)]
fn four<S: Simd>(simd: S, column: &[f64], at: usize) -> f64x4<S> {
    f64x4::from_slice(simd, &column[at..at + LANES])
}
