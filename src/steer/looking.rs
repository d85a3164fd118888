//! Which agents the forces of one agent look for, and which of them they find: for whoever shows it, outside of the tick.

use super::compiled::{Blends, Bound, Term, fill_personal};
use super::evaluate::{MOST_NUMBERS, Tick};
use super::force::chase::{EVADE, FLEE, PURSUE};
use super::registry::{NOBODY, OWN, group_of_code, is_code};
use super::sense::{Scratch, Sense, Want};
use crate::sim::{GroupId, Intent, World};
use glam::DVec3;

/// What one force of one agent looks for, and what it finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// Key of the term in the blend.
    pub key: String,
    /// Name of the force; empty for one of a script.
    pub force: String,
    /// Agents up to this distance count, m.
    pub radius: f64,
    /// Half angle of the view cone round the way the agent looks, radians; none for all round.
    pub half_angle: Option<f64>,
    /// The group whose agents count; none for all.
    pub from: Option<GroupId>,
    /// Slots of the agents that count, each with the vector to it, m.
    pub found: Vec<(u32, DVec3)>,
}

impl Blends {
    /// What each live force of a member looks for, in key order, and what it finds among the agents as they stood when the
    /// group decided last; forces that look for nobody are left out.
    pub fn looks(
        &mut self,
        world: &World,
        group: GroupId,
        member: usize,
        bound: &Bound<'_>,
        intent: &Intent,
    ) -> Vec<Sighting> {
        let Some(group) = world.groups.get(group.index()).filter(|group| member < group.members.len()) else {
            return Vec::new();
        };
        self.prepare(world, group, bound.sliders);
        let Some(leaf) = self.leaf(intent.state) else {
            return Vec::new();
        };
        let stride = self.stride();
        let own = bound.rows.get(member * stride..(member + 1) * stride).unwrap_or(&[]);
        let tick = Tick { blends: self, world, group, bound };
        let slot = group.members[member] as usize;
        let mut scratch = Scratch::default();
        let own_only = tick.fill_row(leaf, false, slot, own, &mut scratch);
        let row = &scratch.row;
        let sense = Sense { world, group, slot, limits: &intent.limits, row, own_only, sums: None, loads: None };
        let live = leaf.live.iter().map(|index| &leaf.terms[*index]);
        live.filter(|term| tick.factor(term, own) != 0.0).filter_map(|term| self.look_of(term, own, &sense)).collect()
    }

    fn look_of(&self, term: &Term, own: &[f64], sense: &Sense<'_>) -> Option<Sighting> {
        let (radius, from) = (term.radius?, term.from?);
        let mut numbers = [0.0; MOST_NUMBERS];
        numbers[..term.width].copy_from_slice(&self.numbers[term.at + 1..=term.at + term.width]);
        fill_personal(&mut numbers, term, own);
        let chases = [FLEE.name, EVADE.name, PURSUE.name].contains(&term.force.name);
        // As in these forces: nobody flees or chases its own group unless that is named.
        let code = if chases && is_code(numbers[from], OWN) { NOBODY } else { numbers[from] };
        let group = group_of_code(code, sense.group.id)?;
        let cosine = cone_at(term).map_or(-2.0, |at| numbers[at]);
        let most = term.most.map_or(0.0, |at| numbers[at]);
        let mut found = Vec::new();
        sense.each(Want { radius: numbers[radius], cosine, from: code, most }, |near| {
            found.push((sense.slot_of(near.entry) as u32, near.offset, near.distance));
        });
        if [EVADE.name, PURSUE.name].contains(&term.force.name) {
            // These two take the nearest only; equal distances by slot.
            found.sort_by(|a, b| a.2.total_cmp(&b.2).then(a.0.cmp(&b.0)));
            found.truncate(1);
        }
        Some(Sighting {
            key: term.key.clone(),
            force: term.force.name.to_owned(),
            radius: numbers[radius],
            half_angle: (cosine > -1.0).then(|| libm::acos(cosine.min(1.0))),
            from: group,
            found: found.into_iter().map(|(slot, offset, _)| (slot, offset)).collect(),
        })
    }
}

/// Place of the cone among the numbers of a term's force.
fn cone_at(term: &Term) -> Option<usize> {
    let mut at = 0;
    for param in term.force.params {
        if param.kind == super::registry::Kind::Cone {
            return Some(at);
        }
        at += param.width();
    }
    None
}
