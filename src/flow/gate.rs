//! Who leaves in a tick: who touches an exit, in the order of touching, as fast as its gate lets them through.

use super::exit::Left;
use super::settings::StopKind;
use super::{Flow, StopState};
use crate::sim::World;

/// Who was held and is pushed farther away than this from the exit stands in line no more, m.
const AWAY_M: f64 = 1.0;

impl Flow {
    /// Finds who left in the tick that ended, and counts them; whoever owns the world takes them out. Those before a gate that lets
    /// nobody through stand there.
    ///
    /// An exit is reached where the body touches it, so that nobody hangs before a door by less than his radius. Who is on a journey
    /// leaves by the exit that it goes to and by no other.
    pub fn cross(&mut self, world: &mut World, left: &mut Vec<Left>) {
        left.clear();
        let (now, dt) = (world.time(), world.dt());
        let mut gone = vec![];
        for index in 0..self.stops.len() {
            let StopKind::Exit(spec) = &self.stops[index].spec.kind else { continue };
            let mut touching: Vec<(f64, usize)> = Vec::new();
            let (low, high) = spec.area.bounds();
            for slot in 0..world.agents.slots().min(self.before.len()).min(self.travellers.len()) {
                let agents = &world.agents;
                let group = agents.group[slot].index();
                let comes = match agents.visit[slot].stop {
                    Some(stop) => usize::from(stop) == index,
                    None => spec.groups.is_empty() || spec.groups.contains(&group),
                };
                if !comes || !agents.alive[slot] || agents.quarantined[slot] || gone.contains(&slot) {
                    continue;
                }
                let (from, to) = (self.before[slot].truncate(), agents.position[slot].truncate());
                let radius = agents.radius[slot];
                let held = self.travellers[slot].gate.filter(|(gate, _)| usize::from(*gate) == index);
                let reach = radius + AWAY_M;
                if from.min(to).cmpgt(high + reach).any() || from.max(to).cmplt(low - reach).any() {
                    if held.is_some() {
                        self.travellers[slot].gate = None;
                    }
                    continue;
                }
                let Some(share) = spec.area.touched(from, to, radius) else { continue };
                touching.push((held.map_or(now - dt + share * dt, |(_, since)| since), slot));
            }
            touching.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (rate, open) = (spec.rate, self.stops[index].open);
            for (touched, slot) in touching {
                let StopState::Exit(exit) = &mut self.stops[index].state else { continue };
                let passes = match rate {
                    None => touched.max(now - dt),
                    Some(_) => touched.max(exit.free_at).max(now - dt),
                };
                if !open || passes > now {
                    self.hold(world, slot, index, touched);
                    continue;
                }
                if let Some(rate) = rate {
                    exit.free_at = passes + 1.0 / rate;
                }
                let group = world.agents.group[slot].index();
                exit.note(passes, group);
                gone.push(slot);
                left.push(Left { agent: world.agents.id(slot as u32), group, stop: index, time: passes });
            }
        }
    }

    /// Keeps somebody before a gate, with his place in the order of those who touched it.
    fn hold(&mut self, world: &mut World, slot: usize, gate: usize, touched: f64) {
        self.travellers[slot].gate = Some((gate as u16, touched));
        let visit = &mut world.agents.visit[slot];
        if visit.stop.is_some() && !visit.there {
            (visit.there, visit.since) = (true, world.tick);
        }
    }
}
