//! Assignment of many: agents and places are split alike into clusters that are solved one by one.
//!
//! The sum of squared distances does not change its order when all places are moved together, so what counts is where an
//! agent stands among the agents and a place among the places: both are halved along the same axis, by rank.

use glam::DVec3;

use super::assign::optimal;
use super::error::AssignError;

/// Clusters of at most this many are solved exactly (about 1 ms each).
const LEAF: usize = 256;

/// Up to this many agents pairs are exchanged afterwards, until no exchange helps.
const EXCHANGE_UP_TO: usize = 3000;

/// Passes of exchanges; each is quadratic.
const PASSES: usize = 12;

/// Places of all agents, and the number of clusters.
pub(crate) fn assign(agents: &[DVec3], slots: &[DVec3]) -> Result<(Vec<Option<usize>>, usize), AssignError> {
    let mut slot_of = vec![None; agents.len()];
    let mut clusters = 0;
    let all = ((0..agents.len()).collect::<Vec<_>>(), (0..slots.len()).collect::<Vec<_>>());
    let mut pending = vec![all];
    while let Some((mine, theirs)) = pending.pop() {
        if mine.is_empty() || theirs.is_empty() {
            continue;
        }
        if mine.len().max(theirs.len()) > LEAF && mine.len().min(theirs.len()) > 1 {
            let (first, second) = halves(mine, theirs, agents, slots);
            pending.push(second);
            pending.push(first);
            continue;
        }
        clusters += 1;
        let from: Vec<DVec3> = mine.iter().map(|&agent| agents[agent]).collect();
        let to: Vec<DVec3> = theirs.iter().map(|&slot| slots[slot]).collect();
        for (agent, slot) in mine.iter().zip(optimal(&from, &to)?) {
            slot_of[*agent] = slot.map(|slot| theirs[slot]);
        }
    }
    if agents.len() <= EXCHANGE_UP_TO {
        exchange(&mut slot_of, agents, slots);
    }
    Ok((slot_of, clusters))
}

type Part = (Vec<usize>, Vec<usize>);

/// Splits both sets by rank along the longer side of the two together. The side with more members keeps more in each half.
fn halves(mut mine: Vec<usize>, mut theirs: Vec<usize>, agents: &[DVec3], slots: &[DVec3]) -> (Part, Part) {
    let axis = long_axis(&mine, agents) + long_axis(&theirs, slots);
    let along = |p: DVec3| match axis.max_position() {
        0 => p.x,
        1 => p.y,
        _ => p.z,
    };
    mine.sort_by(|&a, &b| along(agents[a]).total_cmp(&along(agents[b])).then(a.cmp(&b)));
    theirs.sort_by(|&a, &b| along(slots[a]).total_cmp(&along(slots[b])).then(a.cmp(&b)));
    let (few, many) = (mine.len().min(theirs.len()), mine.len().max(theirs.len()));
    let cut_few = few / 2;
    let cut_many = many * cut_few / few;
    let (cut_mine, cut_theirs) = if mine.len() == few { (cut_few, cut_many) } else { (cut_many, cut_few) };
    let (mine_after, theirs_after) = (mine.split_off(cut_mine), theirs.split_off(cut_theirs));
    ((mine, theirs), (mine_after, theirs_after))
}

/// Variance along each axis.
fn long_axis(members: &[usize], points: &[DVec3]) -> DVec3 {
    let count = members.len().max(1) as f64;
    let mean = members.iter().map(|&i| points[i]).sum::<DVec3>() / count;
    members.iter().map(|&i| (points[i] - mean) * (points[i] - mean)).sum::<DVec3>() / count
}

/// Exchanges the places of pairs as long as that makes the sum of squares smaller: what keeps agents apart holds pairwise.
fn exchange(slot_of: &mut [Option<usize>], agents: &[DVec3], slots: &[DVec3]) {
    for _ in 0..PASSES {
        let mut changed = false;
        for a in 0..agents.len() {
            for b in a + 1..agents.len() {
                let (Some(mine), Some(theirs)) = (slot_of[a], slot_of[b]) else {
                    continue;
                };
                // (a_b − a_a)·(s_b − s_a) below 0 is what an exchange gains, halved.
                if (agents[b] - agents[a]).dot(slots[theirs] - slots[mine]) < -1e-12 {
                    slot_of.swap(a, b);
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}
