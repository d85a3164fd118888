//! Adds the native forces of a blend to the intents of a group, on all threads.
//!
//! Members are taken in the order of the neighbor cells, so that neighbors in space are neighbors in memory.
//! One neighbor query per agent with the largest radius of its forces; each force filters the row by its own radius, view and
//! group. Neighbors are summed in the order of the row: by neighbor cell, then by slot, which depends on positions only (so
//! the number of threads never shows, and a permutation of ids only in the rounding); nearest first where only the nearest
//! few count. A warm tick allocates nothing.

use super::batch::Batch;
use super::compiled::{Blends, Bound, Contribution, Feed, Leaf, Term, fill_personal};
use super::force::Push;
use super::sense::{Kept, Scratch, Sense};
use crate::sim::neighbors::sums::{Entries, Look, Sums};
use crate::sim::{Fault, Group, GroupId, Intent, Intents, Workers, World, workers};
use glam::DVec3;
use std::sync::{Mutex, PoisonError};

/// One member in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    member: u32,
    decided: bool,
    broken: bool,
    turn: f64,
    push: DVec3,
    wish: DVec3,
}

/// Buffers of one evaluation, reused from tick to tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// Members in the order of the neighbor cells.
    works: Vec<Work>,
    /// What the forces keep, in the same order.
    kept: Vec<Kept>,
    /// Member of each slot; `u32::MAX` for none.
    member_of: Vec<u32>,
    /// Place of each member in `works`; `u32::MAX` for one that does not decide in this tick.
    place_of: Vec<u32>,
    /// Entries of the neighbor grid whose agents decide in this tick, on the quick way where not all do.
    entries: Vec<u32>,
    /// Leaf state of each member: a small column, since the rows of intents are large.
    states: Vec<u16>,
    /// What each entry of the neighbor grid pushes, on the quick way.
    pushes: Vec<DVec3>,
    scratch: workers::Scratch<Scratch>,
}

/// The most plain numbers that the parameters of one force take.
pub(super) const MOST_NUMBERS: usize = 16;

/// Agents whose sums are kept at a time: as many as stay in the nearest cache.
const BATCH: usize = 128;

#[inline]
fn is_finite(v: DVec3) -> bool {
    (v.x + v.y + v.z).is_finite()
}

impl Blends {
    /// Adds the native forces to `out.rows` of all members of `group`, which hold the leaf state (an index into the leaves),
    /// the state's limits and what scripts pushed and turned so far. Sets `control` of each row after its leaf. A force that
    /// yields a non-finite vector is left out for that agent and reported in `out.faults` under its key.
    pub fn evaluate(&mut self, world: &World, group: GroupId, workers: &Workers, bound: &Bound<'_>, out: &mut Intents) {
        let Some(group) = world.groups.get(group.index()) else {
            return;
        };
        self.prepare(world, group, bound.sliders);
        let alike = out.rows.is_empty();
        let members = if alike { group.members.len() } else { group.members.len().min(out.rows.len()) };
        let mut pass = std::mem::take(&mut self.pass);
        if alike && self.evaluate_all(world, group, workers, bound, &mut pass, out) {
            self.pass = pass;
            return;
        }
        self.line_up(world, group, members, bound.active, &mut pass);
        pass.states.clear();
        pass.states.extend(out.rows.iter().map(|row| row.state));
        let (rows, states, common) = (&out.rows, &pass.states, &out.common);
        let tick = Tick { blends: self, world, group, bound };
        workers.for_each_pair(
            &mut pass.works,
            &mut pass.kept,
            self.keeps,
            &mut pass.scratch,
            |_, work, kept, scratch| {
                let member = work.member as usize;
                let (state, intent) = if alike { (0, common) } else { (states[member], &rows[member]) };
                tick.decide(work, state, intent, kept, scratch);
            },
        );
        self.hand_out(world, group, bound, &pass, out);
        self.pass = pass;
    }

    /// Whether all members differ in nothing but their push, whatever the sliders say: one state, nothing per agent from
    /// outside, no turning.
    pub fn alike(&self) -> bool {
        self.stride() == 0 && self.leaves.len() == 1 && self.leaves[0].terms.iter().all(|term| !term.force.turns)
    }

    /// The quick way for a group that has the world to itself and whose neighbors the vector kernel sums: no list of works, no
    /// rows. False where it is not open.
    fn evaluate_all(
        &self,
        world: &World,
        group: &Group,
        workers: &Workers,
        bound: &Bound<'_>,
        pass: &mut Pass,
        out: &mut Intents,
    ) -> bool {
        let Some(leaf) = self.leaf(0) else {
            return false;
        };
        let (grid, members) = (&world.grid, &group.members);
        let open = self.keeps == 0
            && !self.leads
            && leaf.rest.reach == 0.0
            && !leaf.summed.is_empty()
            && bound.active.is_empty();
        if !open || grid.order().len() != members.len() || grid.order().len() != world.agents.slots() {
            return false;
        }
        let tick = Tick { blends: self, world, group, bound };
        let common = &out.common;
        let look = leaf.summed.look(world, group, 0, |index| tick.sight(&leaf.terms[index], &[]));
        if look.is_narrow() {
            return false;
        }
        let Pass { pushes, scratch, entries, .. } = &mut *pass;
        let due = world.due_of(group);
        entries.clear();
        if let Some(due) = due {
            let now = grid.order().iter().zip(0..).filter(|(slot, _)| due[**slot as usize]);
            entries.extend(now.map(|(_, entry)| entry));
        }
        let some = due.is_some().then_some(entries.as_slice());
        pushes.resize(some.map_or(members.len(), <[u32]>::len), DVec3::ZERO);
        let broken = Mutex::new(Vec::new());
        workers.for_each_chunk(pushes, scratch, |first, pushes, scratch| {
            for (batch, pushes) in pushes.chunks_mut(BATCH).enumerate() {
                let first = first + batch * BATCH;
                let of = some.map_or(Entries::From(first), |some| Entries::These(&some[first..first + pushes.len()]));
                tick.push_all(leaf, &look, common, of, pushes, scratch, &broken);
            }
        });
        out.common.control = leaf.control;
        out.pushes.resize(members.len(), DVec3::ZERO);
        if let Some(some) = some {
            for (entry, push) in some.iter().zip(pushes.iter()) {
                // The group has the world to itself: its members are the slots in their order.
                out.pushes[grid.slot(*entry) as usize] = *push;
            }
        } else {
            workers.for_each_chunk(&mut out.pushes, scratch, |first, row, _| {
                for (push, slot) in row.iter_mut().zip(&members[first..]) {
                    *push = pushes[grid.entry(*slot).unwrap_or(0) as usize];
                }
            });
        }
        let mut broken = broken.into_inner().unwrap_or_else(PoisonError::into_inner);
        broken.sort_unstable();
        for slot in broken {
            self.blame(world, group, slot as usize, bound, &out.common, &mut out.faults);
        }
        true
    }

    /// What each live force does to one member in the frozen world, in key order; `intent` holds its leaf state and limits.
    pub fn contributions(
        &mut self,
        world: &World,
        group: GroupId,
        member: usize,
        bound: &Bound<'_>,
        intent: &Intent,
    ) -> Vec<Contribution> {
        let Some(group) = world.groups.get(group.index()).filter(|group| member < group.members.len()) else {
            return Vec::new();
        };
        self.prepare(world, group, bound.sliders);
        let mut shares = Vec::new();
        let mut kept = self.kept_of(world, group.members[member]);
        let tick = Tick { blends: self, world, group, bound };
        let Some(leaf) = self.leaf(intent.state) else {
            return Vec::new();
        };
        tick.shares(leaf, member, intent, &mut kept, &mut Scratch::default(), &mut |term, push| {
            let turn = term.force.turns.then_some(push.turn);
            shares.push(Contribution { key: term.key.clone(), push: push.vector, turn });
        });
        shares
    }

    fn kept_of(&self, world: &World, slot: u32) -> Vec<Kept> {
        let at = slot as usize;
        if self.lives.get(at) == world.agents.generation.get(at) {
            self.kept[at * self.keeps..(at + 1) * self.keeps].to_vec()
        } else {
            vec![Kept::default(); self.keeps]
        }
    }

    /// Puts the members into the order of the neighbor cells, each with what the forces keep for it; a slot that was born anew
    /// starts fresh. Members that the cells do not know (born after the last sense stage) make the order that of their ids.
    /// Who does not decide in this tick is left out.
    fn line_up(&mut self, world: &World, group: &Group, members: usize, active: &[bool], pass: &mut Pass) {
        pass.member_of.clear();
        pass.member_of.resize(world.agents.slots(), u32::MAX);
        let due = world.due_of(group);
        let mut count = 0;
        for (member, slot) in group.members[..members].iter().enumerate() {
            let slot = *slot as usize;
            if due.is_none_or(|due| due[slot]) && active.get(member) != Some(&false) {
                pass.member_of[slot] = member as u32;
                count += 1;
            }
        }
        let work = |member: u32| Work { member, ..Work::default() };
        pass.works.clear();
        let known = world.grid.order().iter().filter_map(|slot| pass.member_of.get(*slot as usize).copied());
        pass.works.extend(known.filter(|member| *member != u32::MAX).map(work));
        if pass.works.len() != count {
            pass.works.clear();
            let decide = |slot: &u32| pass.member_of[*slot as usize];
            pass.works
                .extend(group.members[..members].iter().map(decide).filter(|member| *member != u32::MAX).map(work));
        }
        pass.place_of.clear();
        pass.place_of.resize(members, u32::MAX);
        for (place, work) in pass.works.iter().enumerate() {
            pass.place_of[work.member as usize] = place as u32;
        }
        pass.kept.clear();
        if self.keeps == 0 {
            return;
        }
        let slots = world.agents.slots();
        if self.lives.len() < slots {
            self.lives.resize(slots, u32::MAX);
            self.kept.resize(slots * self.keeps, Kept::default());
        }
        for work in &pass.works {
            let at = group.members[work.member as usize] as usize;
            let own = &mut self.kept[at * self.keeps..(at + 1) * self.keeps];
            if self.lives[at] != world.agents.generation[at] {
                self.lives[at] = world.agents.generation[at];
                own.fill(Kept::default());
            }
            pass.kept.extend_from_slice(own);
        }
    }

    /// Adds what was computed to the intents, names what broke, and keeps what is to be kept.
    fn hand_out(&mut self, world: &World, group: &Group, bound: &Bound<'_>, pass: &Pass, out: &mut Intents) {
        let mut broken = false;
        if self.leads {
            let decided = |place: &u32| pass.works.get(*place as usize).filter(|work| work.decided);
            out.wishes.clear();
            out.wishes.extend(pass.place_of.iter().map(|place| decided(place).map_or(DVec3::NAN, |work| work.wish)));
        }
        if out.rows.is_empty() {
            out.common.control = self.leaf(0).map_or(out.common.control, |leaf| leaf.control);
            out.pushes.clear();
            let push = |place: &u32| pass.works.get(*place as usize).map_or(DVec3::ZERO, |work| work.push);
            out.pushes.extend(pass.place_of.iter().map(push));
            broken = pass.works.iter().any(|work| work.broken);
        }
        for (row, place) in out.rows.iter_mut().zip(&pass.place_of) {
            let Some(leaf) = self.leaf(row.state) else {
                continue;
            };
            row.control = leaf.control;
            let Some(work) = pass.works.get(*place as usize) else {
                continue;
            };
            row.push += work.push;
            if leaf.turns && work.decided {
                row.turn = Some(row.turn.unwrap_or(0.0) + work.turn);
            }
            broken |= work.broken;
        }
        if broken {
            let mut members: Vec<u32> = pass.works.iter().filter(|work| work.broken).map(|work| work.member).collect();
            members.sort_unstable();
            for member in members {
                let row = out.rows.get(member as usize).copied().unwrap_or(out.common);
                self.blame(world, group, member as usize, bound, &row, &mut out.faults);
            }
        }
        if self.keeps == 0 {
            return;
        }
        for (work, line) in pass.works.iter().zip(pass.kept.chunks_exact(self.keeps)) {
            let at = group.members[work.member as usize] as usize;
            self.kept[at * self.keeps..(at + 1) * self.keeps].copy_from_slice(line);
            if work.broken {
                // What broke once must not break again when the agent is released from quarantine.
                self.kept[at * self.keeps..(at + 1) * self.keeps].fill(Kept::default());
            }
        }
    }

    /// Names the forces that gave a member something non-finite.
    fn blame(
        &self,
        world: &World,
        group: &Group,
        member: usize,
        bound: &Bound<'_>,
        row: &Intent,
        faults: &mut Vec<Fault>,
    ) {
        let slot = group.members[member];
        let mut kept = self.kept_of(world, slot);
        let tick = Tick { blends: self, world, group, bound };
        let Some(leaf) = self.leaf(row.state) else {
            return;
        };
        tick.shares(leaf, member, row, &mut kept, &mut Scratch::default(), &mut |term, push| {
            if !push.is_finite() {
                let message = format!(
                    "it gave ({:.3e}, {:.3e}, {:.3e}) and turn {:.3e}",
                    push.vector.x, push.vector.y, push.vector.z, push.turn
                );
                faults.push(Fault { agent: world.agents.id(slot), source: term.key.clone(), message });
            }
        });
    }
}

/// What all members share in one tick.
pub(super) struct Tick<'a> {
    pub(super) blends: &'a Blends,
    pub(super) world: &'a World,
    pub(super) group: &'a Group,
    pub(super) bound: &'a Bound<'a>,
}

impl Tick<'_> {
    /// Sums the forces of one member; one that is not finite is left out and marked.
    fn decide(&self, work: &mut Work, state: u16, intent: &Intent, kept: &mut [Kept], scratch: &mut Scratch) {
        let member = work.member as usize;
        let Some(leaf) = self.blends.leaf(state).filter(|leaf| !leaf.live.is_empty()) else {
            return;
        };
        if self.waits(member) {
            return;
        }
        let (mut sum, mut turn, mut wish) = (DVec3::ZERO, 0.0, DVec3::ZERO);
        self.shares(leaf, member, intent, kept, scratch, &mut |_, push| {
            if push.is_finite() {
                sum += push.vector;
                turn += push.turn;
                wish += push.wish;
            } else {
                work.broken = true;
            }
        });
        work.push = sum;
        work.turn = turn;
        work.wish = wish;
        work.decided = true;
    }

    /// Whether a member does not decide in this tick.
    fn waits(&self, member: usize) -> bool {
        self.bound.active.get(member).is_some_and(|active| !active)
            || self.world.agents.quarantined[self.group.members[member] as usize]
    }

    /// Calls `take` with the weighted push of every live force of a member.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn shares(
        &self,
        leaf: &Leaf,
        member: usize,
        intent: &Intent,
        kept: &mut [Kept],
        scratch: &mut Scratch,
        take: &mut impl FnMut(&Term, Push),
    ) {
        let (world, stride) = (self.world, self.blends.stride());
        let slot = self.group.members[member] as usize;
        let own = self.bound.rows.get(member * stride..(member + 1) * stride).unwrap_or(&[]);
        let (sums, own_only) = self.look(leaf, slot, own, scratch);
        let Scratch { row, hits, .. } = scratch;
        let limits = &intent.limits;
        let mut sense = Sense { world, group: self.group, slot, limits, row, own_only, sums: None, loads: None };
        let mut none = Kept::default();
        for index in &leaf.live {
            let term = &leaf.terms[*index];
            let factor = self.factor(term, own);
            if factor == 0.0 {
                continue;
            }
            let numbers = &self.blends.numbers[term.at + 1..=term.at + term.width];
            let kept = term.kept.map_or(&mut none, |at| &mut kept[at]);
            sense.sums = sums.as_ref().filter(|_| leaf.summed.has(*index));
            sense.loads = term.loads.map(|at| &self.blends.loads[at]);
            let push = if term.personal {
                let mut personal = [0.0; MOST_NUMBERS];
                personal[..term.width].copy_from_slice(numbers);
                fill_personal(&mut personal, term, own);
                (term.force.compute)(&sense, &personal[..term.width], kept, hits)
            } else {
                (term.force.compute)(&sense, numbers, kept, hits)
            };
            take(term, Push { vector: push.vector * factor, turn: push.turn * factor, wish: push.wish });
        }
    }

    /// What the live forces of a leaf push the agents at some entries, where nothing comes from the members' rows;
    /// slots where something is not finite are added to `broken`.
    #[expect(clippy::too_many_arguments, reason = "what one thread works on and with")]
    fn push_all(
        &self,
        leaf: &Leaf,
        look: &Look,
        common: &Intent,
        of: Entries<'_>,
        pushes: &mut [DVec3],
        scratch: &mut Scratch,
        broken: &Mutex<Vec<u32>>,
    ) {
        let (world, grid) = (self.world, &self.world.grid);
        let mut sums = std::mem::take(&mut scratch.sums);
        let mut odd = std::mem::take(&mut scratch.odd);
        sums.resize(pushes.len(), Sums::default());
        odd.clear();
        grid.sums_of(&world.agents, of, look, &mut sums, &mut odd);
        pushes.fill(DVec3::ZERO);
        let batch = Batch { world, entries: of, sums: &sums };
        for index in &leaf.live {
            let term = &leaf.terms[*index];
            let numbers = &self.blends.numbers[term.at..=term.at + term.width];
            if let Some(sum) = term.sum.filter(|_| leaf.summed.has(*index)) {
                sum.add_all(&batch, &numbers[1..], numbers[0], pushes);
                continue;
            }
            scratch.row.clear();
            for (at, push) in pushes.iter_mut().enumerate() {
                let slot = grid.slot(of.entry(at) as u32) as usize;
                *push += self.share(term, slot, common, scratch);
            }
        }
        odd.extend((0..pushes.len() as u32).filter(|at| !is_finite(pushes[*at as usize])));
        for at in odd.iter().map(|at| *at as usize) {
            self.push_oddly(leaf, common, grid.slot(of.entry(at) as u32), &mut pushes[at], scratch, broken);
        }
        (scratch.sums, scratch.odd) = (sums, odd);
    }

    /// What the live forces push one agent whose neighbors could not be added up, or which pushes nothing finite: force by
    /// force over its row of neighbors.
    #[cold]
    fn push_oddly(
        &self,
        leaf: &Leaf,
        common: &Intent,
        slot: u32,
        push: &mut DVec3,
        scratch: &mut Scratch,
        broken: &Mutex<Vec<u32>>,
    ) {
        *push = DVec3::ZERO;
        if self.world.agents.quarantined[slot as usize] {
            return;
        }
        self.world.grid.gather(&self.world.agents, slot, leaf.all.reach, None, &mut scratch.row);
        let mut sound = true;
        for index in &leaf.live {
            let share = self.share(&leaf.terms[*index], slot as usize, common, scratch);
            if is_finite(share) {
                *push += share;
            } else {
                sound = false;
            }
        }
        if !sound {
            broken.lock().unwrap_or_else(PoisonError::into_inner).push(slot);
        }
    }

    /// What one force pushes one agent, over the row of neighbors in `scratch`.
    #[inline]
    fn share(&self, term: &Term, slot: usize, intent: &Intent, scratch: &mut Scratch) -> DVec3 {
        let (world, numbers) = (self.world, &self.blends.numbers[term.at..=term.at + term.width]);
        let Scratch { row, hits, .. } = scratch;
        let loads = term.loads.map(|at| &self.blends.loads[at]);
        let limits = &intent.limits;
        let sense = Sense { world, group: self.group, slot, limits, row, own_only: false, sums: None, loads };
        (term.force.compute)(&sense, &numbers[1..], &mut Kept::default(), hits).vector * numbers[0]
    }

    /// Weight times scale.
    pub(super) fn factor(&self, term: &Term, own: &[f64]) -> f64 {
        let weight = match term.weight {
            Feed::Row(at) => own.get(at).copied().unwrap_or(0.0),
            Feed::Default | Feed::Slider(_) => self.blends.numbers[term.at],
        };
        term.scale.map_or(weight, |at| weight * own.get(at).copied().unwrap_or(1.0))
    }

    /// The neighbor queries of a member: what the vector kernel sums, and a row for the other forces, or for all where the
    /// kernel cannot help.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    fn look(&self, leaf: &Leaf, slot: usize, own: &[f64], scratch: &mut Scratch) -> (Option<Sums>, bool) {
        let world = self.world;
        let mut sums = None;
        if !leaf.summed.is_empty() {
            let look = leaf.summed.look(world, self.group, slot, |index| self.sight(&leaf.terms[index], own));
            sums = world.grid.sums(&world.agents, slot as u32, &look).filter(|sums| !sums.touched);
        }
        let own_only = self.fill_row(leaf, sums.is_some(), slot, own, scratch);
        (sums, own_only)
    }

    /// Fills the row of neighbors for the forces of a member, without those that were summed by the kernel if `summed`; true if
    /// it holds agents of its own group only.
    #[expect(clippy::inline_always, reason = "the innermost loop of the tick; measured")]
    #[inline(always)]
    pub(super) fn fill_row(&self, leaf: &Leaf, summed: bool, slot: usize, own: &[f64], scratch: &mut Scratch) -> bool {
        let world = self.world;
        let needs = if summed { &leaf.rest } else { &leaf.all };
        let mut reach = needs.reach;
        if needs.personal_reach {
            for index in &leaf.live {
                let term = &leaf.terms[*index];
                if term.personal && term.from.is_some() && !(summed && leaf.summed.has(*index)) {
                    reach = reach.max(self.sight(term, own).0);
                }
            }
        }
        let row = &mut scratch.row;
        row.clear();
        if reach > 0.0 {
            let only = (!needs.others && world.groups.len() > 1).then_some(self.group.id);
            world.grid.gather(&world.agents, slot as u32, reach, only, row);
            if needs.sorted || self.group.max_neighbors.is_some() {
                row.sort(&world.grid);
            }
        }
        !needs.others
    }

    /// Radius (m; 0 for none) and cosine of the view of a term for one agent.
    #[inline]
    fn sight(&self, term: &Term, own: &[f64]) -> (f64, f64) {
        let plain = &self.blends.numbers[term.at + 1..=term.at + term.width];
        if !term.personal {
            return (term.radius.map_or(0.0, |radius| plain[radius]), plain[1.min(plain.len() - 1)]);
        }
        let mut numbers = [0.0; MOST_NUMBERS];
        numbers[..term.width].copy_from_slice(plain);
        fill_personal(&mut numbers, term, own);
        (term.radius.map_or(0.0, |radius| numbers[radius]), numbers[1])
    }
}
